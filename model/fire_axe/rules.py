"""The rules of Fire & Axe as labelled functions: each states the clauses it is marked with.

Here are setup, Actions, weather and losses; ``rules_tasks`` has Tasks, runes, Sagas and the end.

``without`` says what the game does if the clause were not in the book; see ``model.core.law``.  Seats are
numbers clockwise; amounts by seat are tuples; sets are bits.
"""

from __future__ import annotations

from lawspeaker.model.core.law import rule

Ints = tuple[int, ...]

DAYS, UNLIMITED, ALL_SLOTS = 7, 99, 7

# -- setup ------------------------------------------------------------------------------------------


@rule("FA-SETUP-14", without=UNLIMITED)
def crew_each() -> int:
    """A player has fifteen crewmembers of his colour (FA-SETUP-14)."""
    return 15


@rule("FA-SETUP-11", without=lambda stock: (stock, -1))
def first_demand(stock: Ints) -> tuple[Ints, int]:
    """One Fish leaves the supply and shows that Fish are in demand (FA-SETUP-11); returns stock and good."""
    return (stock[0], stock[1] - 1, stock[2]), 1


@rule("FA-SETUP-15", without=1)
def first_place() -> int:
    """Every ship starts in the Wintering Zone, which is place 0 (FA-SETUP-15)."""
    return 0


@rule("FA-SETUP-04", without=lambda start, zones: zones[0])
def first_zone(start: str, zones: tuple[str, ...]) -> str:
    """The dial starts with the blue hole over the zone that the rules name (FA-SETUP-04)."""
    return start


@rule("FA-SETUP-06", without=lambda count: count)
def sagas_kept(count: int) -> int:
    """Three Sagas of each Era leave the game unseen, so that six stay (FA-SETUP-06); all of fewer do."""
    return min(count, 6)


@rule("FA-SETUP-07", without=lambda left: max((n for n, count in enumerate(left) if count), default=-1))
def next_era(left: Ints) -> int:
    """The draw pile holds the First Era on top, then the Second, then the Third (FA-SETUP-07).

    *left* counts the cards of each Era in it; returns the Era of the next card from 0, or -1.
    """
    return next((n for n, count in enumerate(left) if count), -1)


@rule("FA-SETUP-09", "FA-SAGA-01", without=2)
def saga_spaces() -> int:
    """Three Sagas lie face up (FA-SETUP-09, FA-SAGA-01)."""
    return 3


@rule("FA-SETUP-16", without=0)
def opening_runes() -> int:
    """Each player draws one rune at the beginning (FA-SETUP-16)."""
    return 1


@rule("FA-SETUP-18", without=lambda players: (0,) * players)
def starting_points(players: int) -> Ints:
    """The starting player has 1 VP, each next one clockwise one more (FA-SETUP-18)."""
    return tuple(range(1, players + 1))


@rule("FA-SETUP-17", without=lambda players: players - 1)
def first_seat(players: int) -> int:
    """The starting player begins (FA-SETUP-17, FA-TURN-01); seat A is the starting player."""
    return 0


# -- turns and Days ---------------------------------------------------------------------------------


@rule("FA-TURN-01", "FA-END-08", without=lambda seat, players: (seat - 1) % players)
def next_seat(seat: int, players: int) -> int:
    """Turns pass clockwise (FA-TURN-01, FA-END-08)."""
    return (seat + 1) % players


@rule("FA-TURN-04", without=True)
def on_other_turns(ruling: str) -> bool:
    """Actions, Tasks and Other Activities belong to the own turn (FA-TURN-04); R_RUNE_TURN may except runes."""
    return ruling == "any"


@rule("FA-ACT-02", "FA-ACT-04", without=UNLIMITED)
def days_of_turn() -> int:
    """A turn has seven Days (FA-ACT-02, FA-ACT-04)."""
    return DAYS


@rule("FA-ACT-02", "FA-ACT-04", without=True)
def may_act(spent: int, days: int) -> bool:
    """An Action needs a Day that is left (FA-ACT-02, FA-ACT-04)."""
    return spent < days


@rule("FA-ACT-03", "FA-LOAD-03", without=0, each={"FA-LOAD-03": 0})
def days_to_load() -> int:
    """Each item loaded moves the Preparation slider by one (FA-LOAD-03, FA-ACT-03)."""
    return 1


@rule("FA-ACT-03", "FA-DRAW-02", without=0)
def days_to_draw() -> int:
    """Drawing a rune moves the Preparation slider by one (FA-DRAW-02, FA-ACT-03)."""
    return 1


@rule("FA-ACT-03", "FA-SAIL-02", without=0)
def days_to_sail() -> int:
    """Each Sail moves the Sailing slider by one (FA-SAIL-02, FA-ACT-03)."""
    return 1


@rule("FA-TASK-04", "FA-OTHER-01", without=1, each={"FA-OTHER-01": 0})
def days_to_task() -> int:
    """Tasks cost no Days (FA-TASK-04)."""
    return 0


@rule("FA-ACT-05", without=lambda spent, days: spent < days)
def may_go_on(spent: int, days: int) -> bool:
    """When all Days are used, Tasks and Other Activities are still possible (FA-ACT-05)."""
    return True


# -- Load ---------------------------------------------------------------------------------------------


@rule("FA-LOAD-01", without=True)
def may_load(wintering: bool) -> bool:
    """A ship is loaded only in the Wintering Zone (FA-LOAD-01)."""
    return wintering


@rule("FA-LOAD-04", without=True)
def in_stock(count: int) -> bool:
    """What is out of stock cannot be loaded (FA-LOAD-04)."""
    return count > 0


_SLOTS = {1: 5, 2: 6, 3: 7}


def _slots(era: int, second: bool, ruling: str) -> int:
    return 6 if ruling == "literal" and era == 3 and not second else _SLOTS[era]


def _without_first(era: int, second: bool, ruling: str) -> int:
    return ALL_SLOTS if era == 1 else _slots(era, second, ruling)


def _without_second(era: int, second: bool, ruling: str) -> int:
    return _slots(era, second, ruling) - (era > 1)


def _without_third(era: int, second: bool, ruling: str) -> int:
    return _slots(era, second, ruling) - (era == 3)


@rule(
    "FA-LOAD-02",
    "FA-LOAD-11",
    "FA-LOAD-12",
    "FA-LOAD-13",
    "FA-ERA-04",
    without=UNLIMITED,
    each={
        "FA-LOAD-11": _without_first,
        "FA-LOAD-12": _without_second,
        "FA-LOAD-13": _without_third,
        "FA-ERA-04": lambda era, second, ruling: 5,
    },
)
def capacity(era: int, second: bool, ruling: str) -> int:
    """A ship has five slots, six in the Second Era, seven in the Third (FA-LOAD-02, 11 to 13, FA-ERA-04).

    R_SLOTS says whether the sixth is open in the Third Era though the Second never began.
    """
    return _slots(era, second, ruling)


@rule("FA-LOAD-07", without=True)
def may_load_good(crew: int, slots: int, days: int, ruling: str) -> bool:
    """Loading may not stop without a crewmember aboard (FA-LOAD-07): so room and a Day must stay for one.

    *slots* and *days* are those that would be left.  Only R_LOAD_TRAP=guard forbids the good beforehand.
    """
    return crew > 0 or ruling != "guard" or (slots >= 1 and days >= 1)


@rule("FA-LOAD-07", without=False)
def trapped(crew: int, slots: int, days: int) -> bool:
    """Say whether a ship has no crew and cannot get any this turn (R_LOAD_TRAP=jettison, forced)."""
    return crew == 0 and (slots <= 0 or days <= 0)


@rule(
    "FA-LOAD-07",
    "FA-LOSS-07",
    "FA-LOAD-05",
    without=True,
    each={"FA-LOAD-05": lambda crew, items, loaded, slots, loadable, ruling: crew > 0 and slots <= 0},
)
def may_leave(crew: int, items: int, loaded: int, slots: int, loadable: bool, ruling: str) -> bool:
    """A ship leaves the Wintering Zone with a crewmember aboard, full or not (FA-LOAD-05, 07, FA-LOSS-07).

    R_ZERO_LOAD says whether something must have been loaded this turn, where anything can be, and whether an
    empty ship may go.
    """
    if ruling == "one_load":
        return crew > 0 and (loaded > 0 or not loadable)
    return crew > 0 or (ruling == "literal" and items == 0 and loaded == 0)


@rule("FA-LOAD-08", without=True)
def may_end_wintering(crew: int, items: int, trapped: bool, end_ruling: str, trap_ruling: str) -> bool:
    """After the last Load the ship leaves at once, so no turn is declared over in the Wintering Zone (FA-LOAD-08).

    R_WZ_END=free lets it be, with crew aboard or nothing; a ship that R_LOAD_TRAP lets be trapped stays.
    """
    if trapped and trap_ruling != "guard":
        return True
    return end_ruling == "free" and (crew > 0 or items == 0)


@rule("FA-LOAD-09", without=1)
def days_to_leave() -> int:
    """Leaving the Wintering Zone costs no Day (FA-LOAD-09)."""
    return 0


@rule("FA-LOAD-08", without=lambda homelands: homelands[:1])
def homes_to_leave_for(homelands: Ints) -> Ints:
    """The ship goes to a Homeland of the player's choice (FA-LOAD-08)."""
    return homelands


# -- Draw a Rune ----------------------------------------------------------------------------------------


@rule("FA-DRAW-01", without=True)
def may_draw(at_home: bool) -> bool:
    """Runes are drawn only in a Homeland (FA-DRAW-01)."""
    return at_home


@rule("FA-DRAW-04", "FA-DRAW-05", without=UNLIMITED)
def hand_limit() -> int:
    """A hand never has more than three runes (FA-DRAW-04), so with three none is drawn (FA-DRAW-05)."""
    return 3


@rule("FA-DRAW-03", without=True)
def hand_shown(own: bool) -> bool:
    """A player's runes are known to himself alone (FA-DRAW-03)."""
    return own


@rule("FA-DRAW-07", without=lambda deck, pile: (deck, pile))
def reshuffled(deck: int, pile: int) -> tuple[int, int]:
    """When the deck is used up, the discards make a new one (FA-DRAW-07); returns deck and pile."""
    return (deck, pile) if deck else (pile, 0)


# -- Sail -------------------------------------------------------------------------------------------------


@rule(
    "FA-SAIL-01",
    "FA-SAIL-03",
    "FA-SAIL-05",
    without=True,
    each={
        "FA-SAIL-01": lambda adjacent, port_to_port, ruling: not port_to_port or ruling != "via_water",
        "FA-SAIL-05": lambda adjacent, port_to_port, ruling: adjacent,
    },
)
def reaches(adjacent: bool, port_to_port: bool, ruling: str) -> bool:
    """A Sail leads to an adjacent water space, port or Homeland (FA-SAIL-01, 03), from a port on any side (05).

    R_PORT_EDGES says whether also straight from port to port.
    """
    return adjacent and not (port_to_port and ruling == "via_water")


@rule("FA-SAIL-06", "FA-SAIL-07", without=True, each={"FA-SAIL-06": lambda port, others: others == 0})
def may_enter(port: bool, others: int) -> bool:
    """A port holds one ship (FA-SAIL-07), any other place any number (FA-SAIL-06)."""
    return not port or others == 0


# -- weather and losses -------------------------------------------------------------------------------


@rule("FA-COMP-15", "FA-WEA-04", without=lambda best, normal, worst, quarters, red: normal)
def clear_days(best: int, normal: int, worst: int, quarters: int, red: int) -> int:
    """The number of a zone is the one that its hole of the dial cover shows (FA-WEA-04, FA-COMP-15).

    *quarters* is how far clockwise of the blue hole the zone lies; there *red* is the red one.
    """
    if quarters == 0:
        return best
    return worst if quarters == red else normal


@rule("FA-WEA-05", "FA-LOSS-02", without=0)
def excess(sailing: int, clear: int) -> int:
    """Losses are due by how far the Sailing slider exceeds the number of the zone entered (FA-WEA-05, FA-LOSS-02)."""
    return max(0, sailing - clear)


def _only_new(excess: int, chart: Ints) -> int:
    """Without FA-LOSS-04 only the skulls of that very column are covered."""
    column = min(excess, len(chart) - 1)
    return chart[column] - chart[column - 1] if column else 0


@rule("FA-LOSS-01", "FA-LOSS-02", "FA-LOSS-04", "FA-LOSS-05", without=0, each={
    "FA-LOSS-04": _only_new, "FA-LOSS-05": lambda excess, chart: min(1, chart[min(excess, len(chart) - 1)]),
})  # fmt: skip
def skulls(excess: int, chart: Ints) -> int:
    """Return the skulls to be covered at an excess, those to the left included (FA-LOSS-01, 02, 04, 05).

    *chart* counts them by excess; its last column stands for all beyond (FA-OURS-LOSSES).
    """
    return chart[min(excess, len(chart) - 1)]


@rule("FA-WEA-06", without=True)
def may_interrupt(what: str, ruling: str) -> bool:
    """Losses are taken before anything else (FA-WEA-06); R_LOSS_TIMING names exceptions: *what* is rune or winter."""
    return ruling == f"{what}_interrupts"


@rule("FA-LOSS-03", without=0)
def covered_before(covered: int) -> int:
    """A skull is covered once a turn: those covered before need not be again (FA-LOSS-03)."""
    return covered


@rule("FA-LOSS-06", without=lambda crew, cargo: (False, *(n > 0 for n in cargo)) if any(cargo) else (True,) * 4)
def may_lose(crew: int, cargo: Ints) -> tuple[bool, ...]:
    """The owner chooses which crew or goods are lost (FA-LOSS-06); returns whether crew, Tusks, Fish, Furs may go."""
    return (crew > 0, *(count > 0 for count in cargo))


def _not_by(cause: str) -> object:
    return lambda crew, by: crew == 0 and by != cause


@rule(
    "FA-LOSS-08",
    "FA-RAID-11",
    "FA-SETTLE-17",
    "FA-END-02",
    "FA-LOSS-07",
    without=False,
    each={
        "FA-LOSS-08": _not_by("loss"),
        "FA-RAID-11": _not_by("raid"),
        "FA-SETTLE-17": _not_by("settle"),
        "FA-LOSS-07": lambda crew, by: crew == 0,
    },
)
def wrecked(crew: int, by: str) -> bool:
    """Who loses the last crewmember goes to the Wintering Zone, the goods are discarded, the turn ends.

    Whatever the cause, *by*: ``loss``, ``raid`` or ``settle`` (FA-LOSS-08, FA-RAID-11, FA-SETTLE-17, FA-END-02).
    """
    return crew == 0


@rule("FA-END-06", "FA-CREW-01", without=False)
def chart_returns() -> bool:
    """What lies on the Losses chart goes back to stock and supply when the turn ends (FA-END-06, FA-CREW-01)."""
    return True


@rule("FA-END-07", without=lambda spent: spent)
def slider_after_turn(spent: int) -> int:
    """Both sliders go back to 0 when a turn ends (FA-END-07)."""
    return 0
