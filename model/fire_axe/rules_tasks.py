"""Tasks, runes, Sagas, Eras, the end and the scoring of Fire & Axe, as labelled functions; see ``rules``."""

from __future__ import annotations

from lawspeaker.model.core.law import rule

Ints = tuple[int, ...]

SETTLED_BONUS = {1: 1, 2: 2, 3: 3}

# -- Tasks --------------------------------------------------------------------------------------------


@rule("FA-TASK-01", "FA-TASK-02", without=True)
def may_do_tasks(in_port: bool) -> bool:
    """Tasks are possible only in a port, and a Homeland is none (FA-TASK-01, FA-TASK-02)."""
    return in_port


@rule("FA-TASK-05", "FA-TASK-06", without=True, each={"FA-TASK-05": lambda tried, any_tried: not any_tried})
def may_try(tried: bool, any_tried: bool) -> bool:
    """At most one Task is tried in each port a turn (FA-TASK-06), but in several ports (FA-TASK-05)."""
    return not tried


@rule("FA-RAID-03", without=lambda value, good, ruling: value)
def raid_value(value: int, good: bool, ruling: str) -> int:
    """To a raider a port with a good is worth one less (FA-RAID-03); R_FLOOR says whether never less than 1."""
    return _reduced(value, good, ruling)


@rule("FA-SETTLE-12", without=lambda value, good, ruling: value)
def settle_value(value: int, good: bool, ruling: str) -> int:
    """To a settler a port with a good is worth one less (FA-SETTLE-12); R_FLOOR says whether never less than 1."""
    return _reduced(value, good, ruling)


def _reduced(value: int, good: bool, ruling: str) -> int:
    lower = value - 1 if good else value
    return max(1, lower) if ruling == "one" else lower


# -- Trade ----------------------------------------------------------------------------------------------


@rule(
    "FA-TRADE-05",
    "FA-TRADE-06",
    "FA-TRADE-07",
    "FA-TRADE-08",
    without=True,
    each={
        "FA-TRADE-05": lambda there, good, others, independent, everywhere: independent or good not in others,
        "FA-TRADE-07": lambda there, good, others, independent, everywhere: there < 0,
        "FA-TRADE-08": lambda there, good, others, independent, everywhere: (
            there < 0 and good not in (everywhere if independent else others)
        ),
    },
)
def may_trade(there: int, good: int, others: Ints, independent: bool, everywhere: Ints) -> bool:
    """A port takes one good (FA-TRADE-05, 06), of a sort that no other port of its region has (FA-TRADE-07).

    *there* is what the port holds (-1: nothing), *others* what the rest of its region holds; *everywhere* is
    what all independent ports hold, which does not matter to them (FA-TRADE-08).
    """
    return there < 0 and (independent or good not in others)


@rule("FA-TRADE-02", without=0)
def trade_price(printed: int, reduced: int, ruling: str) -> int:
    """A trade pays the port's value (FA-TRADE-02); R_TRADE_VALUE says which, now that a good lies there."""
    return reduced if ruling == "after_token" else printed


@rule("FA-TRADE-03", "FA-TRADE-04", without=0)
def demand_bonus(good: int, demand: int) -> int:
    """The good in demand pays 2 VP more (FA-TRADE-03, FA-TRADE-04)."""
    return 2 if good == demand else 0


# -- Raid -------------------------------------------------------------------------------------------------


@rule("FA-RAID-01", without=True)
def may_raid(town: bool, crew: int) -> bool:
    """A raid needs a town in the port (FA-RAID-01), and a crewmember who can be lost."""
    return town and crew > 0


@rule("FA-RAID-02", "FA-RAID-04", without=lambda roll, value: roll >= value)
def raid_succeeds(roll: int, value: int) -> bool:
    """A raid succeeds if the roll exceeds the port's value (FA-RAID-02, FA-RAID-04)."""
    return roll > value


@rule("FA-RAID-07", without=0)
def crew_lost(rolls: int, ruling: str) -> int:
    """Each failed roll costs a crewmember (FA-RAID-07); R_RAID_THIRD says whether the third does too."""
    return 0 if rolls == 3 and ruling == "first_two" else 1


@rule(
    "FA-RAID-08",
    "FA-RAID-09",
    "FA-RAID-10",
    without=False,
    each={
        "FA-RAID-08": lambda rolls, crew: rolls == 2 and crew > 0,
        "FA-RAID-09": lambda rolls, crew: rolls < 2 and crew > 0,
        "FA-RAID-10": lambda rolls, crew: crew > 0,
    },
)
def may_roll_again(rolls: int, crew: int) -> bool:
    """With crew left a second roll may follow the first, a third the second (FA-RAID-08, 09), no fourth (10)."""
    return rolls < 3 and crew > 0


@rule("FA-RAID-12", without=False)
def may_break_off() -> bool:
    """The raider may break off after the first or the second roll (FA-RAID-12)."""
    return True


@rule("FA-RAID-05", "FA-SETUP-03", without=0, each={"FA-SETUP-03": lambda value, doubled: value})
def treasure_paid(value: int, doubled: bool) -> int:
    """A successful raid pays the treasure that lay under the town (FA-RAID-05), twice after a rune that says so."""
    return 2 * value if doubled else value


@rule("FA-RAID-06", without=0)
def towns_kept() -> int:
    """The raider keeps the town figurine (FA-RAID-06)."""
    return 1


# -- Settle -------------------------------------------------------------------------------------------


@rule(
    "FA-SETTLE-01",
    "FA-SETTLE-03",
    "FA-SETTLE-06",
    "FA-SETTLE-08",
    "FA-SETTLE-09",
    without=True,
    each={
        "FA-SETTLE-03": lambda town, region_towns, independent_towns, settled: not town and not region_towns,
        "FA-SETTLE-06": lambda town, region_towns, independent_towns, settled: not settled and not region_towns,
        "FA-SETTLE-08": lambda town, region_towns, independent_towns, settled: not settled and not town,
        "FA-SETTLE-09": lambda town, region_towns, independent_towns, settled: (
            not settled and not town and not region_towns and not independent_towns
        ),
    },
)
def may_settle(town: bool, region_towns: int, independent_towns: int, settled: bool) -> bool:
    """A port can be settled once (FA-SETTLE-03), without a town there (06) or elsewhere in its region (08).

    *region_towns* counts towns in the other ports of its region; *independent_towns*, of an independent port
    only, those in other independent ports, which do not matter (FA-SETTLE-09).
    """
    return not settled and not town and not region_towns


@rule(
    "FA-SETTLE-10",
    "FA-SETTLE-11",
    without=lambda crew: (1, 1),
    each={"FA-SETTLE-11": lambda crew: (min(1, crew), min(1, crew))},
)
def settle_dice(crew: int) -> tuple[int, int]:
    """A settler rolls a die for each crewmember aboard, three at most, or fewer (FA-SETTLE-10), together (11).

    Returns the fewest and the most; there are none without crew.
    """
    return min(1, crew), min(3, crew)


@rule("FA-SETTLE-11", "FA-SETTLE-14", without=lambda roll, value: roll >= value)
def die_settles(roll: int, value: int) -> bool:
    """Each die that exceeds the port's value is a success (FA-SETTLE-11, FA-SETTLE-14)."""
    return roll > value


@rule("FA-SETTLE-13", without=0)
def settlers_lost(failed: int) -> int:
    """Each die that does not exceed the value costs a crewmember (FA-SETTLE-13)."""
    return failed


@rule("FA-SETTLE-14", "FA-SETTLE-15", without=False)
def settlement_made(successes: int) -> bool:
    """One success or more, and a crewmember becomes the port's Settlement (FA-SETTLE-14, FA-SETTLE-15)."""
    return successes > 0


@rule("FA-SETTLE-16", without=False)
def may_waive(crew: int, ruling: str) -> bool:
    """Who would be left without crew need not make the conversion (FA-SETTLE-16); R_WAIVE says who else."""
    return crew == 1 or ruling == "always"


# -- runes ----------------------------------------------------------------------------------------------


@rule(
    "FA-RUNE-02",
    "FA-DRAW-06",
    without=True,
    each={"FA-DRAW-06": lambda at_home, discarding: discarding or not at_home},
)
def may_use_runes(at_home: bool, discarding: bool) -> bool:
    """Runes are used at any time, but not while the own ship is in a Homeland (FA-RUNE-02, FA-DRAW-06)."""
    return not at_home


@rule("FA-RUNE-03", "FA-WEA-07", without=(0,))
def dial_turns() -> Ints:
    """With a rune played or discarded the dial may be turned a quarter either way (FA-RUNE-03, FA-WEA-07)."""
    return -1, 0, 1


@rule("FA-RUNE-04", without=False)
def dial_turns_first() -> bool:
    """The dial is turned before the rune takes effect (FA-RUNE-04)."""
    return True


@rule("FA-RUNE-05", without=lambda dial, quarters: dial)
def dial_after(dial: int, quarters: int) -> int:
    """The dial cover sits in one of four ways (FA-RUNE-05)."""
    return (dial + quarters) % 4


@rule("FA-RUNE-01", "FA-RUNE-07", without=False)
def rune_takes_effect(played: bool) -> bool:
    """A rune that is played takes effect (FA-RUNE-01, FA-RUNE-07), one that is discarded does not (FA-RUNE-06)."""
    return played


@rule("FA-RUNE-06", "FA-RUNE-07", without=lambda pile, rune: pile)
def pile_after(pile: int, rune: int) -> int:
    """Runes played or discarded lie face up on the pile (FA-RUNE-06, FA-RUNE-07); *rune* is a set of one."""
    return pile | rune


@rule("FA-RUNE-09", without=True)
def right_moment(moment: str, phase: str, where_ok: bool) -> bool:
    """The times and places printed on a rune bind (FA-RUNE-09).

    A card for a *raid* is played between its rolls, one for a *loss* while losses are due, any other at
    other times; between rolls and while losses are due under rulings only, which the caller knows.
    """
    return where_ok and (moment == phase or (moment == "free" and phase != "loss"))


# -- wintering --------------------------------------------------------------------------------------------


@rule("FA-WINT-01", "FA-END-04", "FA-LOSS-07", without=False, each={"FA-LOSS-07": lambda crew: True})
def may_winter(crew: int) -> bool:
    """A player may move to the Wintering Zone at any time of the own turn (FA-WINT-01, FA-END-04)."""
    return crew > 0


@rule("FA-WINT-03", without=lambda wintering, in_port: in_port)
def winters_from(wintering: bool, in_port: bool) -> bool:
    """It works from anywhere on the map (FA-WINT-03)."""
    return True


@rule("FA-WINT-04", without=lambda spent, days: spent < days)
def winters_after(spent: int, days: int) -> bool:
    """It works after all Days are used (FA-WINT-04)."""
    return True


@rule("FA-WINT-01", "FA-WINT-02", without=lambda crew: crew)
def crew_kept(crew: int) -> int:
    """One crewmember stays aboard (FA-WINT-01, FA-WINT-02)."""
    return min(1, crew)


@rule("FA-TURN-05", "FA-END-05", "FA-END-01", without=False, each={"FA-END-01": True})
def may_end() -> bool:
    """A player may declare the turn over (FA-TURN-05, FA-END-05)."""
    return True


# -- Sagas and Eras -------------------------------------------------------------------------------------


def _never(kind: str) -> object:
    """Sagas of one type are never completed."""
    return lambda task, ports, goods, towns, settled: task != kind and saga_met(task, ports, goods, towns, settled)


@rule(
    "FA-SAGA-03",
    "FA-SAGA-04",
    "FA-SAGA-05",
    without=False,
    each={"FA-SAGA-03": _never("trade"), "FA-SAGA-04": _never("raid"), "FA-SAGA-05": _never("settle")},
)
def saga_met(task: str, ports: int, goods: int, towns: int, settled: int) -> bool:
    """A Saga is completed when each port it names has a good, has lost its town, or is settled (FA-SAGA-03 to 05).

    *goods*, *towns* and *settled* are the ports with a good, with a town still, with anybody's Settlement.
    """
    if task == "trade":
        return ports & ~goods == 0
    return ports & towns == 0 if task == "raid" else ports & ~settled == 0


@rule("FA-SAGA-06", "FA-SAGA-08", without=0)
def saga_points(printed: int) -> int:
    """Who completes a Saga takes the VP printed on it (FA-SAGA-06, FA-SAGA-08)."""
    return printed


@rule("FA-SAGA-02", "FA-SAGA-06", "FA-SAGA-08", without=0)
def sagas_taken(done: int) -> int:
    """Who provides the last step takes the card (FA-SAGA-02, FA-SAGA-06, FA-SAGA-08); sets are bits."""
    return done


@rule("FA-SAGA-09", without=False)
def is_replaced() -> bool:
    """A completed Saga is replaced from the draw pile (FA-SAGA-09)."""
    return True


@rule("FA-SAGA-10", "FA-SAGA-11", without=True, each={"FA-SAGA-11": lambda met, begun: not met and not begun})
def comes_into_play(met: bool, begun: bool) -> bool:
    """A Saga that is met when turned up is discarded (FA-SAGA-10); one partly met stays (FA-SAGA-11)."""
    return not met


def _not_with(number: int) -> object:
    """Cards of one Era begin no Era."""
    return lambda era, card, placed, ruling: era if card == number else new_era(era, card, placed, ruling)


@rule(
    "FA-ERA-02",
    "FA-ERA-03",
    without=lambda era, card, placed, ruling: era,
    each={"FA-ERA-02": _not_with(2), "FA-ERA-03": _not_with(3)},
)
def new_era(era: int, card: int, placed: bool, ruling: str) -> int:
    """An Era begins when its first card is placed in a Saga space (FA-ERA-02, FA-ERA-03).

    R_ERA_ON_DISCARD says whether a card that is discarded when turned up does that too.
    """
    return max(era, card) if placed or ruling == "yes" else era


# -- the Final Rounds -------------------------------------------------------------------------------------


@rule("FA-FINAL-01", "FA-FINAL-02", "FA-SETUP-08", without=False)
def tokens_taken(face_down: int, placed: bool, ruling: str) -> bool:
    """Who turns up the last face-down Saga takes the Final Round tokens (FA-FINAL-01, 02, FA-SETUP-08).

    R_LAST_DISCARDED says whether that also holds if the card is discarded at once.
    """
    return face_down == 0 and (placed or ruling == "revealed")


@rule("FA-FINAL-04", "FA-FINAL-03", without=False, each={"FA-FINAL-03": lambda face, face_down, taken: face == 0})
def sagas_over(face: int, face_down: int, taken: bool) -> bool:
    """In the Final Rounds the game ends when all Saga spaces are empty (FA-FINAL-03, FA-FINAL-04)."""
    return face == 0 and face_down == 0


@rule("FA-FINAL-05", "FA-FINAL-07", without=0, each={"FA-FINAL-07": lambda placed: 1 if placed < 3 else 0})
def tokens_placed(placed: int) -> int:
    """At the start of the turn the holder places one of the three tokens (FA-FINAL-05, FA-FINAL-07)."""
    return 1 if placed < 3 else 0


@rule("FA-FINAL-06", "FA-TURN-03", without=False)
def clock_stops_at(placed: int) -> bool:
    """After the third token the game ends (FA-FINAL-06); R_THIRD_TOKEN says whether that turn is played."""
    return placed >= 3


# -- running out of crew ----------------------------------------------------------------------------------


@rule("FA-CREW-02", without=False)
def sits_out(settlements: int, crew: int) -> bool:
    """A player whose crew are all Settlements sits out the rest of the game (FA-CREW-02)."""
    return settlements >= crew


@rule("FA-CREW-04", without=False)
def crews_over(out: tuple[bool, ...]) -> bool:
    """The game ends when all players sit out (FA-CREW-04)."""
    return all(out)


# -- Final Scoring ------------------------------------------------------------------------------------------


@rule(
    "FA-SCORE-01",
    "FA-SCORE-03",
    "FA-SCORE-04",
    without=lambda towns: (0,) * len(towns),
    each={"FA-SCORE-03": lambda towns: tuple(3 * count for count in towns)},
)
def axe_bonus(towns: Ints) -> Ints:
    """Whoever has most towns, ties all, gets 3 VP for each of them (FA-SCORE-01, 03, 04)."""
    most = max(towns)
    return tuple(3 * count if count == most else 0 for count in towns)


@rule(
    "FA-SCORE-05",
    "FA-SCORE-06",
    "FA-SCORE-07",
    "FA-SCORE-08",
    "FA-SCORE-09",
    without=0,
    each={
        "FA-SCORE-06": lambda value, settled, own, independent: value * (3 if settled == 3 and not independent else 1),
        "FA-SCORE-07": lambda value, settled, own, independent: value if independent else value * min(2, settled),
        "FA-SCORE-08": lambda value, settled, own, independent: value if independent else value * own,
        "FA-SCORE-09": lambda value, settled, own, independent: value * settled,
    },
)
def settlement_points(value: int, settled: int, own: int, independent: bool) -> int:
    """A Settlement pays its port's value (FA-SCORE-05), doubled or tripled by how many of the region are settled.

    By anybody (FA-SCORE-06 to 08); *own* counts the owner's alone.  An independent port is never multiplied
    (FA-SCORE-09); for one, *settled* counts the independent ports settled.
    """
    return value if independent else value * settled


@rule("FA-SCORE-05", without=lambda printed, reduced, ruling: printed)
def scoring_value(printed: int, reduced: int, ruling: str) -> int:
    """The value is the port's (FA-SCORE-05); R_SCORE_VALUE says whether a good there lowers it."""
    return reduced if ruling == "reduced" else printed


def _second(counts: Ints) -> int:
    """Return the second place's number of Sagas, -1 where a tie for most leaves none."""
    most = max(counts)
    return max((n for n in counts if n < most), default=-1) if counts.count(most) == 1 else -1


def _sole_first(counts: Ints) -> Ints:
    """Without FA-SCORE-14: a tie for most pays nobody."""
    return _sets(counts) if counts.count(max(counts)) == 1 else (0,) * len(counts)


def _sole_second(counts: Ints) -> Ints:
    """Without FA-SCORE-15: a tie for second pays nobody."""
    second = _second(counts)
    tied = counts.count(second) > 1
    return tuple(0 if tied and n == second else points for n, points in zip(counts, _sets(counts), strict=True))


def _sets(counts: Ints) -> Ints:
    most, second = max(counts), _second(counts)
    return tuple(10 * n if n == most else 5 * n if n == second else 0 for n in counts)


@rule(
    "FA-SCORE-11",
    "FA-SCORE-12",
    "FA-SCORE-13",
    "FA-SCORE-14",
    "FA-SCORE-15",
    "FA-SAGA-07",
    without=lambda counts: (0,) * len(counts),
    each={
        "FA-SCORE-12": lambda counts: tuple(5 * n if n == _second(counts) else 0 for n in counts),
        "FA-SCORE-13": lambda counts: tuple(10 * n if n == max(counts) else 0 for n in counts),
        "FA-SCORE-14": _sole_first,
        "FA-SCORE-15": _sole_second,
    },
)
def saga_set(counts: Ints) -> Ints:
    """For one Homeland: most Sagas pay 10 VP each, second most 5 each (FA-SCORE-11 to 13, FA-SAGA-07).

    All who tie for most get 10 and nobody gets 5 (FA-SCORE-14); all who tie for second get 5 (FA-SCORE-15).
    """
    return _sets(counts)


@rule("FA-WIN-01", "FA-WIN-02", without=lambda scores: tuple(range(len(scores))), each={
    "FA-WIN-02": lambda scores: (scores.index(max(scores)),),
})  # fmt: skip
def winners(scores: Ints) -> Ints:
    """Most VP win (FA-WIN-01); ties share the victory (FA-WIN-02)."""
    return tuple(seat for seat, score in enumerate(scores) if score == max(scores))
