"""The rules of the Marching Phase as labelled functions: control, movement, battles, plunder, Trade Routes.

As in ``rules``: ``without`` says what the game does if the clause were not in the book.
"""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker.model.core.law import rule

Ints = tuple[int, ...]

NOBODY = -1

# -- control and battle ---------------------------------------------------------------------------


def nearest(seats: Sequence[int], leader: int, players: int, clock: str) -> int:
    """Return which of the seats is nearest to the Leader, counted clockwise as R_CLOCK says."""
    if clock == "from_leader":
        return min(seats, key=lambda seat: (seat - leader) % players)
    return min(seats, key=lambda seat: (leader - seat) % players)


def most(seats: Sequence[int], amounts: Sequence[int]) -> list[int]:
    """Return those of the seats that have the largest amount."""
    top = max(amounts[seat] for seat in seats)
    return [seat for seat in seats if amounts[seat] == top]


def _contest(
    cubes: Ints, heroes: Ints, leader: int, clock: str, *, by_heroes: bool = True, by_seat: bool = True
) -> int:
    players = len(cubes)
    tied = most(range(players), [c + h for c, h in zip(cubes, heroes, strict=True)])
    if by_heroes and len(tied) > 1:
        tied = most(tied, heroes)
    return nearest(tied, leader, players, clock) if by_seat and len(tied) > 1 else tied[0]


def _controlled(cubes: Ints, heroes: Ints, leader: int, clock: str, empty: str, **rest: bool) -> int:
    if empty == "none" and not any(cubes) and not any(heroes):
        return NOBODY
    return _contest(cubes, heroes, leader, clock, **rest)


@rule(
    "SN-CTRL-01",
    "SN-CTRL-08",
    "SN-CTRL-09",
    "SN-LEADER-02",
    without=NOBODY,
    each={
        "SN-CTRL-08": lambda *args: _controlled(*args, by_heroes=False),
        "SN-CTRL-09": lambda *args: _controlled(*args, by_seat=False),
        "SN-LEADER-02": lambda *args: _controlled(*args, by_seat=False),
    },
)
def controller(cubes: Ints, heroes: Ints, leader: int, clock: str, empty: str) -> int:
    """Most pieces control a Kingdom, cubes and Heroes alike (SN-CTRL-01); then most Heroes (SN-CTRL-08).

    Then the Leader, or who is nearest to him clockwise (SN-CTRL-09, R_CLOCK).  Nobody controls a Kingdom
    that nobody entered, unless R_EMPTY_KINGDOM takes the tie at nothing literally.
    """
    if empty == "none" and not any(cubes) and not any(heroes):
        return NOBODY
    return _contest(cubes, heroes, leader, clock)


@rule(
    "SN-BATTLE-02",
    "SN-BATTLE-08",
    "SN-BATTLE-09",
    "SN-LEADER-02",
    without=lambda cubes, heroes, leader, clock: min(s for s in range(len(cubes)) if cubes[s] or heroes[s]),
    each={
        "SN-BATTLE-08": lambda *args: _contest(*args, by_heroes=False),
        "SN-BATTLE-09": lambda *args: _contest(*args, by_seat=False),
        "SN-LEADER-02": lambda *args: _contest(*args, by_seat=False),
    },
)
def battle_winner(cubes: Ints, heroes: Ints, leader: int, clock: str) -> int:
    """Most pieces win a battle (SN-BATTLE-02), then most Heroes (08), then nearest to the Leader (09)."""
    return _contest(cubes, heroes, leader, clock)


@rule("SN-BATTLE-01", without=False)
def battle_fought(colours: int) -> bool:
    """There is a battle where two or more colours meet (SN-BATTLE-01)."""
    return colours >= 2


@rule("SN-CTRL-03", "SN-CTRL-07", without=False)
def leaves_kingdom() -> bool:
    """Whoever does not control a Kingdom takes his pieces off, until one colour is left (SN-CTRL-03, 07)."""
    return True


@rule("SN-CTRL-02", without=False)
def controller_stays() -> bool:
    """The controller's pieces stay (SN-CTRL-02)."""
    return True


@rule(
    "SN-CTRL-04",
    "SN-CTRL-05",
    without=lambda cubes, heroes: (0, 0, 0),
    each={"SN-CTRL-04": lambda cubes, heroes: (cubes, 0, 0), "SN-CTRL-05": lambda cubes, heroes: (0, cubes, heroes)},
)
def taken_off(cubes: int, heroes: int) -> tuple[int, int, int]:
    """Cubes taken off a Kingdom become Infamy (SN-CTRL-05), Heroes go back to the supply (SN-CTRL-04).

    Returns the cubes that become Infamy, those that go to the reserve, and the Heroes for the supply.
    """
    return cubes, 0, heroes


@rule("SN-BATTLE-04", without=False)
def loser_leaves() -> bool:
    """Each loser takes all his pieces out of the region (SN-BATTLE-04)."""
    return True


@rule("SN-BATTLE-03", without=False)
def winner_stays() -> bool:
    """The winner's pieces stay in the region (SN-BATTLE-03)."""
    return True


@rule(
    "SN-BATTLE-05",
    "SN-BATTLE-06",
    without=lambda cubes, heroes: (0, 0, 0),
    each={
        "SN-BATTLE-05": lambda cubes, heroes: (cubes, 0, 0),
        "SN-BATTLE-06": lambda cubes, heroes: (0, cubes, heroes),
    },
)
def beaten(cubes: int, heroes: int) -> tuple[int, int, int]:
    """Beaten cubes become Infamy (SN-BATTLE-06), beaten Heroes go back to the supply (SN-BATTLE-05)."""
    return cubes, 0, heroes


# -- marching ---------------------------------------------------------------------------------------


@rule("SN-MOVE-01", "SN-CHART-02", without=lambda kingdoms: tuple(reversed(range(kingdoms))))
def chart_order(kingdoms: int) -> Ints:
    """Kingdoms have their turns in the order of the chart (SN-MOVE-01, SN-CHART-02)."""
    return tuple(range(kingdoms))


@rule("SN-DELAY-01", without=lambda kingdoms: tuple(reversed(range(kingdoms))))
def delayed_order(kingdoms: int) -> Ints:
    """Delayed Kingdoms move in the order of the chart as well (SN-DELAY-01)."""
    return tuple(range(kingdoms))


@rule("SN-MOVE-02", without=lambda control, leader: leader)
def mover(control: int, leader: int) -> int:
    """Who controls a Kingdom makes all its moves (SN-MOVE-02)."""
    return control


@rule(
    "SN-MOVE-03",
    "SN-TIME-01",
    "SN-MOVE-04",
    "SN-MOVE-06",
    without=False,
    each={
        "SN-MOVE-04": lambda infamy, token_free: token_free,
        "SN-MOVE-06": lambda infamy, token_free: infamy >= 5,
    },
)
def may_delay(infamy: int, token_free: bool) -> bool:
    """Who has five Infamy and his Time Token may delay a Kingdom of his (SN-MOVE-03, 04, 06, SN-TIME-01)."""
    return infamy >= 5 and token_free


@rule("SN-MOVE-04", "SN-TIME-01", without=0)
def delay_price() -> int:
    """A delay costs five Infamy (SN-MOVE-04, SN-TIME-01)."""
    return 5


@rule("SN-MOVE-05", "SN-TIME-03", without=False)
def delayed_waits() -> bool:
    """A delayed Kingdom moves only after all the others (SN-MOVE-05, SN-TIME-03)."""
    return True


@rule("SN-DELAY-02", without=False)
def delayed_marches() -> bool:
    """In the second pass a delayed Kingdom moves like any other (SN-DELAY-02)."""
    return True


@rule("SN-MARCH-01", without=lambda played, hand: played | hand)
def cards_that_count(played: int, hand: int) -> int:
    """Only cards played this round make Armies and Fleets; the hand has no use now (SN-MARCH-01); sets are bits."""
    return played


@rule("SN-MOVE-07", "SN-MOVE-08", without=(0, 0))
def strength(soldiers: int, ships: int) -> tuple[int, int]:
    """Symbols on the cards played for a Kingdom are its Armies and Fleets (SN-MOVE-07, 08)."""
    return soldiers, ships


@rule("SN-MOVE-09", "SN-MOVE-10", without=lambda borders, regions: regions, each={"SN-MOVE-09": 0})
def army_targets(borders: int, regions: int) -> int:
    """An Army goes to a region adjacent to its Kingdom (SN-MOVE-09) and nowhere else (SN-MOVE-10)."""
    return borders


@rule("SN-MOVE-11", "SN-MOVE-13", without=0, each={"SN-MOVE-13": lambda sea, regions: regions})
def fleet_targets(sea: int, regions: int) -> int:
    """A Fleet goes to any region on the sea (SN-MOVE-11), never to a landlocked one (SN-MOVE-13)."""
    return sea


@rule("SN-MOVE-12", without=0)
def hero_targets(armies: int, fleets: int) -> int:
    """A Hero goes wherever an Army or a Fleet of the Kingdom could (SN-MOVE-12)."""
    return armies | fleets


@rule("SN-DELAY-05", without=True)
def march_target(kind: str) -> bool:
    """Pieces go to Neutral Regions, never to another Kingdom (SN-DELAY-05)."""
    return kind == "region"


@rule("SN-DELAY-03", "SN-DELAY-04", without=False)
def cubes_must_leave(ruling: str) -> bool:
    """All cubes leave the Kingdom in its turn (SN-DELAY-03, 04); R_MUST_MOVE=may lets them stay."""
    return ruling == "must"


# -- plunder and trade routes ---------------------------------------------------------------------


@rule("SN-COLLECT-01", "SN-MARCH-03", without=False)
def battles_come_first() -> bool:
    """Plunder is collected after all battles, as the order of steps says (SN-COLLECT-01, SN-MARCH-03)."""
    return True


@rule("SN-COLLECT-02", "SN-PLUNDER-03", without=NOBODY)
def collector(cubes: Ints, heroes: Ints, ruling: str) -> int:
    """Who alone still has cubes in a region takes its tokens (SN-COLLECT-02, SN-PLUNDER-03).

    Under R_COLLECT=pieces a Hero alone will do.
    """
    if ruling == "pieces":
        cubes = tuple(c + h for c, h in zip(cubes, heroes, strict=True))
    holders = [seat for seat, amount in enumerate(cubes) if amount]
    return holders[0] if len(holders) == 1 else NOBODY


@rule("SN-COLLECT-03", without=0)
def tokens_left(tokens: int) -> int:
    """Tokens that nobody collects stay for the next round (SN-COLLECT-03)."""
    return tokens


@rule("SN-TRADE-02", "SN-TRADE-03", "SN-ROUTE-04", without=True)
def route_completed(controls: bool, cubes: int, heroes: int, from_kingdom: bool, piece: str, origin: str) -> bool:
    """A Trade Route is completed by controlling its Kingdom and having cubes in its region (SN-TRADE-02, 03).

    R_ROUTE_PIECE: does a Hero do for a cube; R_ROUTE_ORIGIN: must the cubes come from that Kingdom.
    """
    here = cubes + heroes if piece == "pieces" else cubes
    return controls and here > 0 and (origin == "any" or from_kingdom)


@rule("SN-TRADE-05", without=lambda done, controlled: done & controlled)
def lasting(done: int, controlled: int) -> int:
    """A Trade Route once played is never lost, even if its Kingdom is (SN-TRADE-05); sets are bits."""
    return done


@rule("SN-TRADE-01", "SN-ROUTE-03", without=False)
def routes_played() -> bool:
    """At the end of the Marching Phase each player may play Trade Routes (SN-TRADE-01, SN-ROUTE-03)."""
    return True


@rule("SN-TRADE-04", without=False)
def played_routes_show() -> bool:
    """Played Trade Routes lie face up for all to see (SN-TRADE-04)."""
    return True


@rule("SN-CLEAN-01", without=False)
def regions_cleared() -> bool:
    """Pieces left in Neutral Regions go back to reserve and supply (SN-CLEAN-01)."""
    return True


@rule("SN-CLEAN-02", without=False)
def time_tokens_return() -> bool:
    """Played Time Tokens go back to their owners (SN-CLEAN-02)."""
    return True
