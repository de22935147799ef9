"""The rules of Northmen as labelled functions: each states the clauses it is marked with.

Here are setup, the Rally Phase, planning and the end; ``rules_march`` has the Marching Phase.

``without`` says what the game does if the clause were not in the book; see ``model.core.law``.  Seats are
numbers clockwise; amounts by seat are tuples; cards, routes and regions in sets are bits.
"""

from __future__ import annotations

from lawspeaker.model.core.law import rule

from .rules_march import most

Ints = tuple[int, ...]

UNLIMITED = 10_000
# -- setup and rounds ---------------------------------------------------------------------------


@rule("SN-ROUND-01", "SN-END-01", without=1)
def rounds() -> int:
    """Three rounds make a game (SN-ROUND-01); it ends with the third (SN-END-01)."""
    return 3


@rule("SN-ROUND-02", "SN-ROUND-03", without=False)
def has_planning(last_round: bool, ruling: str) -> bool:
    """Each round ends with a Planning Phase (SN-ROUND-02, 03); R_R3_PLAN says whether the last does."""
    return not last_round or ruling == "played"


@rule("SN-SETUP-02", without=UNLIMITED)
def cubes_each() -> int:
    """A player has thirty cubes of his colour (SN-SETUP-02)."""
    return 30


@rule("SN-SETUP-02", without=UNLIMITED)
def heroes_each() -> int:
    """A player has three Heroes of his colour (SN-SETUP-02)."""
    return 3


_INFAMY = {2: (3, 6), 3: (3, 3, 3), 4: (5, 4, 3, 6)}


def _no_infamy_for(players: int) -> object:
    return lambda n: (0,) * n if n == players else _INFAMY[n]


@rule(
    "SN-SETUP-11",
    "SN-SETUP-12",
    "SN-SETUP-13",
    without=lambda players: (0,) * players,
    each={f"SN-SETUP-{9 + n}": _no_infamy_for(n) for n in (2, 3, 4)},
)
def starting_infamy(players: int) -> Ints:
    """Starting Infamy by place clockwise from the Leader (SN-SETUP-11 to 13)."""
    return _INFAMY[players]


@rule("SN-SETUP-14", without=lambda cubes, infamy: cubes)
def starting_reserve(cubes: int, infamy: int) -> int:
    """Starting Infamy is made of own cubes, which the reserve lacks then (SN-SETUP-14)."""
    return cubes - infamy


@rule("SN-SETUP-10", without=1)
def first_leader() -> int:
    """The youngest player leads first (SN-SETUP-10); seat A is the youngest, by the meaning of the name."""
    return 0


@rule("SN-SETUP-03", "SN-RESET-03", without=5)
def hand_size() -> int:
    """Six Influence Cards are dealt to each player (SN-SETUP-03, SN-RESET-03)."""
    return 6


@rule("SN-SETUP-04", "SN-RESET-04", without=0)
def row_size() -> int:
    """Three cards lie face up beside the deck (SN-SETUP-04, SN-RESET-04)."""
    return 3


@rule("SN-SETUP-05", without=0)
def starting_routes() -> int:
    """Two Trade Routes are dealt to each player at the beginning (SN-SETUP-05)."""
    return 2


@rule("SN-SETUP-06", without=0)
def route_deck(routes: int) -> int:
    """The Trade Routes that are not dealt make a face-down deck (SN-SETUP-06); sets are bits."""
    return routes


@rule("SN-SETUP-07", without=True)
def hand_shown(own: bool) -> bool:
    """A player's cards and unplayed Trade Routes are known to himself alone (SN-SETUP-07)."""
    return own


@rule("SN-SETUP-08", "SN-SETUP-09", "SN-RESET-05", without=45)
def group_size() -> int:
    """A round has its own group of fifteen Plunder Tokens (SN-SETUP-08, 09, SN-RESET-05)."""
    return 15


# -- rally ----------------------------------------------------------------------------------------


@rule("SN-RALLY-01", "SN-LEADER-01", without=lambda leader, players: (leader + 1) % players)
def first_in_rally(leader: int, players: int) -> int:
    """The Leader has the first turn (SN-RALLY-01, SN-LEADER-01)."""
    return leader


@rule("SN-RALLY-01", "SN-RALLY-19", "SN-LEADER-01", without=lambda seat, players: (seat - 1) % players)
def next_in_rally(seat: int, players: int) -> int:
    """Turns pass clockwise (SN-RALLY-01, SN-RALLY-19, SN-LEADER-01)."""
    return (seat + 1) % players


@rule("SN-RALLY-03", without=lambda hand: hand & -hand)
def playable(hand: int) -> int:
    """On his turn a player plays one card of his hand, any of them (SN-RALLY-03)."""
    return hand


@rule("SN-RALLY-02", without=False)
def hire_before_token() -> bool:
    """The steps of a turn have an order: the Hero is hired before the token is placed (SN-RALLY-02)."""
    return True


@rule(
    "SN-RALLY-04",
    "SN-RALLY-05",
    without=lambda pile, top: 0,
    each={"SN-RALLY-05": lambda pile, top: pile},
)
def pile_shown(pile: int, top: int) -> int:
    """Of a pile the others see the last card, which covers the rest (SN-RALLY-04, 05); sets are bits."""
    return top


def _from_infamy_too(value: int, reserve: int, infamy: int, ruling: str) -> tuple[int, int]:
    return min(value, reserve), min(max(0, value - reserve), infamy)


@rule(
    "SN-RALLY-06",
    "SN-CARD-03",
    "SN-CUBE-01",
    "SN-RALLY-07",
    "SN-RALLY-08",
    without=(0, 0),
    each={"SN-RALLY-07": _from_infamy_too, "SN-RALLY-08": _from_infamy_too},
)
def cubes_placed(value: int, reserve: int, infamy: int, ruling: str) -> tuple[int, int]:
    """A card brings a cube for each of its symbols (SN-RALLY-06), from the reserve, while there are any (07).

    Returns what comes from the reserve and what from the Infamy Card: nothing ever does (SN-RALLY-08).
    R_PARTIAL says what happens if the reserve has some, but fewer than the card has symbols.
    """
    if reserve >= value or ruling == "partial":
        return min(value, reserve), 0
    return 0, 0


@rule("SN-RALLY-09", "SN-HERO-01", without=False)
def may_hire(infamy: int, heroes: int, placed: int, ruling: str) -> bool:
    """For three Infamy a Hero joins the Kingdom that has just received cubes (SN-RALLY-09, SN-HERO-01).

    Under R_HERO_ZERO=card_kingdom the Kingdom of the card will do.
    """
    return infamy >= 3 and heroes >= 1 and (placed >= 1 or ruling == "card_kingdom")


@rule("SN-RALLY-09", "SN-HERO-01", without=0)
def hero_price() -> int:
    """A Hero costs three Infamy (SN-RALLY-09, SN-HERO-01)."""
    return 3


@rule("SN-RALLY-10", without=0)
def back_to_reserve(spent: int) -> int:
    """Cubes spent as Infamy go back to the reserve (SN-RALLY-10)."""
    return spent


def _deaf_to(mark: str) -> object:
    return lambda names, shown, players, ruling: token_placed(
        names, "none" if shown == mark else shown, players, ruling
    )


@rule(
    "SN-RALLY-11",
    "SN-CARD-06",
    "SN-PLUNDER-01",
    "SN-RALLY-14",
    "SN-RALLY-15",
    without=False,
    each={"SN-RALLY-14": _deaf_to("3-4"), "SN-RALLY-15": _deaf_to("4")},
)
def token_placed(names_region: bool, mark: str, players: int, ruling: str) -> bool:
    """A card that names a region brings a Plunder Token there (SN-RALLY-11, SN-CARD-06, SN-PLUNDER-01).

    Not with three or four players if it is marked for these (SN-RALLY-14), nor with four if it is marked
    for four (SN-RALLY-15).  Under R_MARK=enable a mark says when the card does bring one.
    """
    marked = (mark == "3-4" and players >= 3) or (mark == "4" and players == 4)
    if ruling == "enable":
        return names_region and (mark == "none" or marked)
    return names_region and not marked


@rule("SN-RALLY-12", without=lambda group: group)
def group_after_token(group: int) -> int:
    """A token comes from the group of the round (SN-RALLY-12)."""
    return group - 1


@rule("SN-RALLY-13", "SN-RALLY-20", "SN-PLUNDER-02", without=False)
def rally_over(group: int, on_board: int, ruling: str) -> bool:
    """The Rally Phase ends with the last token of the round's group (SN-RALLY-13, 20), not before (PLUNDER-02).

    Under R_FIFTEEN=board tokens left over from earlier rounds count towards the fifteen.
    """
    return group == 0 or (ruling == "board" and on_board >= 15)


@rule("SN-RALLY-16", without=False)
def draws_card() -> bool:
    """A turn ends with drawing one card, which brings the hand back to six (SN-RALLY-16)."""
    return True


@rule("SN-RALLY-17", without=lambda row, deck: (0, deck))
def sources(row: int, deck: bool) -> tuple[int, bool]:
    """He draws any face-up card, or the top of the face-down deck (SN-RALLY-17)."""
    return row, deck


@rule("SN-RALLY-18", without=False)
def row_refilled() -> bool:
    """A face-up card that was taken is replaced at once from the deck (SN-RALLY-18)."""
    return True


# -- planning ---------------------------------------------------------------------------------------


@rule("SN-PLAN-01", without=lambda leader, players: (leader + 1) % players)
def first_to_plan(leader: int, players: int) -> int:
    """The Leader has the first planning turn (SN-PLAN-01)."""
    return leader


@rule("SN-PLAN-01", without=lambda seat, players: (seat - 1) % players)
def next_to_plan(seat: int, players: int) -> int:
    """Planning turns pass clockwise (SN-PLAN-01)."""
    return (seat + 1) % players


@rule("SN-PLAN-02", without=False)
def may_do_both() -> bool:
    """A planning turn may have both a purchase and cards held (SN-PLAN-02)."""
    return True


@rule("SN-PLAN-03", "SN-INFAMY-02", without=False)
def may_buy(infamy: int, pairs: int, left: int, ruling: str) -> bool:
    """Each three Infamy draw two Trade Routes (SN-PLAN-03).

    *left* routes are in the deck; R_ROUTE_SHORT=take_one sells the last one alone.
    """
    return infamy >= 3 * pairs and (left >= 2 * pairs or (ruling == "take_one" and left == pairs == 1))


@rule("SN-PLAN-03", without=0)
def route_price() -> int:
    """A pair of Trade Routes costs three Infamy (SN-PLAN-03)."""
    return 3


@rule("SN-PLAN-04", without=False)
def goes_under() -> bool:
    """The route that is not kept goes under the deck (SN-PLAN-04)."""
    return True


@rule("SN-PLAN-05", without=lambda held: held < 3)
def room_for_route(held: int) -> bool:
    """A player may have any number of Trade Routes in hand (SN-PLAN-05)."""
    return True


@rule("SN-PLAN-06", "SN-INFAMY-02", without=False)
def may_hold(infamy: int) -> bool:
    """For each Infamy a player keeps one Influence Card of his hand (SN-PLAN-06)."""
    return infamy >= 1


@rule("SN-PLAN-06", without=0)
def hold_price() -> int:
    """To hold a card costs one Infamy (SN-PLAN-06)."""
    return 1


@rule("SN-PLAN-07", without=lambda hand, held, ruling: hand)
def kept_hand(hand: int, held: int, ruling: str) -> int:
    """What is not held is discarded (SN-PLAN-07), also by who holds nothing, as R_DISCARD says."""
    return held if held or ruling == "always" else hand


# -- the next round -----------------------------------------------------------------------------------


@rule(
    "SN-RESET-01",
    "SN-RESET-02",
    without=lambda deck, row, discard, played: deck,
    each={
        "SN-RESET-01": lambda deck, row, discard, played: discard | played,
        "SN-RESET-02": lambda deck, row, discard, played: deck | row,
    },
)
def new_deck(deck: int, row: int, discard: int, played: int) -> int:
    """Deck, face-up row, discards and all played cards make the new deck (SN-RESET-01, 02)."""
    return deck | row | discard | played


@rule("SN-RESET-06", without=lambda leader, players: leader)
def next_leader(leader: int, players: int) -> int:
    """The Leader Token passes clockwise (SN-RESET-06)."""
    return (leader + 1) % players


# -- the end ------------------------------------------------------------------------------------------


@rule(
    "SN-END-02",
    "SN-END-03",
    without=lambda infamy, routes, ruling: (0,) * len(infamy),
    each={"SN-END-03": lambda infamy, routes, ruling: _sole_bonus(infamy, routes, ruling)},
)
def bonuses(infamy: Ints, routes: Ints, ruling: str) -> Ints:
    """Most unused Infamy earns one plunder and one for each own completed route (SN-END-02), ties all (03).

    R_BONUS_ZERO says whether having most at nothing counts.
    """
    top = max(infamy)
    if top == 0 and ruling == "nothing":
        return (0,) * len(infamy)
    return tuple(1 + done if own == top else 0 for own, done in zip(infamy, routes, strict=True))


def _sole_bonus(infamy: Ints, routes: Ints, ruling: str) -> Ints:
    return bonuses(infamy, routes, ruling) if infamy.count(max(infamy)) == 1 else (0,) * len(infamy)


@rule(
    "SN-SCORE-01",
    "SN-ROUTE-02",
    without=lambda taken, routes, bonus: taken,
    each={"SN-ROUTE-02": lambda taken, routes, bonus: taken + bonus},
)
def total(taken: int, routes: int, bonus: int) -> int:
    """The score is plunder taken, values of completed routes, and the bonus (SN-SCORE-01, SN-ROUTE-02)."""
    return taken + routes + bonus


@rule("SN-SCORE-02", without=lambda scores: list(range(len(scores))))
def leaders(scores: Ints) -> list[int]:
    """The highest score wins (SN-SCORE-02)."""
    return most(range(len(scores)), scores)


@rule("SN-SCORE-03", without=lambda tied, infamy: tied)
def tie_by_infamy(tied: list[int], infamy: Ints) -> list[int]:
    """Of those tied, the one with most unused Infamy wins (SN-SCORE-03)."""
    return most(tied, infamy)
