"""Invariants of Northmen that a step or a history shows (ids as in the reading, part E).

Each names the ruling values under which it is claimed.  What a step should lead to comes from the records
and from ``reckoning``, not from the model.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.properties.watching import Check, Complaints, Moment, Watch, plainly

from .reckoning import crossed, places_token, reckoned, stage, triple, winner

HAND, ROW, GROUP = 6, 3, 15
PRICES = {"hire": 3, "delay": 5, "buy": 3, "hold": 1}


def verb_of(moment: Moment) -> tuple[str, str]:
    """Return an action's verb and the rest of its text."""
    verb, _, rest = moment.game.text(moment.action).partition(" ")
    return verb, rest


def sizes(record: dict[str, Any], field: str) -> dict[str, int]:
    """Return how much each seat has in a field of lists."""
    return {seat: len(ids) for seat, ids in record[field].items()}


def full_deals(game: AnyGame) -> bool:
    """Say whether a box has cards for full hands and the row; a cut may have fewer."""
    return len(game.pack.cards) >= HAND * len(game.seats) + ROW  # type: ignore[attr-defined]


# -- cards ------------------------------------------------------------------------------------------------


def _row(moment: Moment) -> Complaints:
    """I06: a face-up card that is taken is replaced at once, while there is a deck."""
    before, after = moment.record_before, moment.record_after
    verb, rest = verb_of(moment)
    if verb == "take":
        if rest in after["row"] or rest not in after["hands"][before["seat"]]:
            yield f"{rest} was not taken from the row into the hand"
        if before["deck"] and after["phase"] != "turn":
            yield f"{rest} was not replaced, with {len(before['deck'])} cards in the deck"
    elif after["phase"] == "play" and after["deck"] and len(after["row"]) != ROW:
        yield f"{len(after['row'])} cards lie face up between turns"


def _start(moment: Moment) -> Complaints:
    """I07: at the start of each Rally Phase every hand has six cards."""
    before, after = moment.record_before, moment.record_after
    if stage(before) == "dealing" and stage(after) == "rally" and full_deals(moment.game):
        yield from (f"{seat} has {n} cards" for seat, n in sizes(after, "hands").items() if n != HAND)


def _hands(moment: Moment) -> Complaints:
    """I08: in a Rally turn the hand on turn alone changes: one card played, one drawn, six between turns."""
    before, after = moment.record_before, moment.record_after
    if stage(before) != "rally" or not full_deals(moment.game):
        return
    change = {"play": -1, "take": 1, "deal": 1}.get(verb_of(moment)[0], 0)
    old, new = sizes(before, "hands"), sizes(after, "hands")
    for seat in old:
        if new[seat] - old[seat] != (change if seat == before["seat"] else 0):
            yield f"the hand of {seat} went from {old[seat]} to {new[seat]}"
    if after["phase"] == "play" and (after["deck"] or after["row"]) and set(new.values()) != {HAND}:
        yield f"hands of {sorted(new.values())} between turns, with cards to draw"


def _reset(moment: Moment) -> Complaints:
    """I30: the next round begins with all cards but those held in the deck, the next Leader and a new group."""
    before, after = moment.record_before, moment.record_after
    if before["round"] == after["round"]:
        return
    kept = {name for hand in after["hands"].values() for name in hand}
    if set(after["deck"]) | kept != {card.id for card in moment.game.pack.cards} or after["row"] or after["discard"]:  # type: ignore[attr-defined]
        yield "deck and hands are not all cards there are"
    seat = before["seat"]
    held = [*before["held"]] or ([] if moment.game.rulings["R_DISCARD"] == "always" else before["hands"][seat])
    for other, hand in after["hands"].items():
        if hand != (held if other == seat else before["hands"][other]):
            yield f"{other} holds {' '.join(hand) or 'nothing'}"
    seats = list(before["hands"])
    if seats.index(after["leader"]) != (seats.index(before["leader"]) + 1) % len(seats):
        yield f"the Leader is {after['leader']} after {before['leader']}"
    if after["group"] != GROUP:
        yield f"the group has {after['group']} tokens"


# -- tokens -----------------------------------------------------------------------------------------------


def _group(game: AnyGame) -> Watch:
    """I09: the group loses a token for each token card played, and that token lies in the region named."""
    played: list[str] = []
    regions = {card.id: card.region for card in game.pack.cards}  # type: ignore[attr-defined]

    def watch(moment: Moment) -> Complaints:
        before, after = moment.record_before, moment.record_after
        if before["round"] != after["round"]:
            played.clear()
            return
        verb, rest = verb_of(moment)
        if verb == "play":
            played.append(rest)
        if stage(before) != "rally":
            return
        due = [name for name in played if places_token(game, name)]
        if after["phase"] == "hire" and due[-1:] == played[-1:]:
            due.pop()
        if GROUP - after["group"] != len(due):
            yield f"the group has {after['group']} tokens after {len(due)} token cards"
        if stage(after) == "rally" and before["group"] > after["group"]:
            region = regions[played[-1]]
            grown = [r for r in after["tokens"] if after["tokens"][r] != before["tokens"][r]]
            if grown != [region]:
                yield f"the token of {played[-1]} came to {', '.join(grown) or 'no region'}"

    return watch


def _lasting(moment: Moment) -> Complaints:
    """I10: in the Rally Phase tokens of the group are still to be placed."""
    after = moment.record_after
    if stage(after) == "rally" and after["group"] < 1:
        yield f"the Rally Phase goes on with {after['group']} tokens to place"


def _all_placed(moment: Moment) -> Complaints:
    """I29: after the Rally Phase of round i there are 15 i tokens on the board or taken."""
    after = moment.record_after
    if crossed(moment, "rally"):
        total = sum(after["tokens"].values()) + sum(after["taken"].values())
        if total != GROUP * after["round"]:
            yield f"{total} tokens after the Rally Phase of round {after['round']}"


def _length(game: AnyGame) -> Watch:
    """I31: a Rally Phase has 15 to 71 - P turns, P being the token cards; turns of seats differ by one at most."""
    log: list[str] = []
    cards = game.pack.cards  # type: ignore[attr-defined]
    tokens = sum(places_token(game, card.id) for card in cards)

    def watch(moment: Moment) -> Complaints:
        if stage(moment.record_before) == "dealing":
            log.clear()
        if verb_of(moment)[0] == "play":
            log.append(moment.record_before["seat"])
            seats = list(moment.record_before["hands"])
            first = seats.index(moment.record_before["leader"])
            counts = [log.count(seats[(first + step) % len(seats)]) for step in range(len(seats))]
            if full_deals(game) and (counts != sorted(counts, reverse=True) or counts[0] - counts[-1] > 1):
                yield f"turns {counts}, clockwise from the Leader"
        if crossed(moment, "rally") and not GROUP <= len(log) <= len(cards) + GROUP - tokens:
            yield f"{len(log)} turns with {tokens} token cards"

    return watch


# -- cubes and Heroes -----------------------------------------------------------------------------------


def _placing(moment: Moment) -> Complaints:
    """I11: a card brings a cube from the reserve for each symbol, or all that are left."""
    before, after = moment.record_before, moment.record_after
    verb, rest = verb_of(moment)
    if verb != "play" or stage(after) != "rally":
        return
    seat, data = before["seat"], next(c for c in moment.game.pack.cards if c.id == rest)  # type: ignore[attr-defined]
    index = list(before["hands"]).index(seat)
    due = min(data.soldiers + data.ships, before["reserve"][seat])
    for kingdom, rows in after["kingdoms"].items():
        more = rows[index][0] - before["kingdoms"][kingdom][index][0]
        if more != (due if kingdom == data.kingdom else 0):
            yield f"{rest} brought {more} cubes to {kingdom}, not {due} to {data.kingdom}"
    if before["reserve"][seat] - after["reserve"][seat] != due:
        yield f"the reserve went from {before['reserve'][seat]} to {after['reserve'][seat]}"


def _prices(moment: Moment) -> Complaints:
    """I16: spent Infamy goes to the reserve: 3 for a Hero, 5 for a delay, 3 for routes, 1 for a card held."""
    before, after = moment.record_before, moment.record_after
    price = PRICES.get(verb_of(moment)[0])
    if price is None or crossed(moment, "rally") or crossed(moment, "moving"):
        return  # Infamy gained in the same step hides the price; I17 reckons with both
    for index, seat in enumerate(before["hands"]):
        if _on_board(before, index, 0) != _on_board(after, index, 0):
            continue  # so do cubes that can go nowhere (R_STUCK) and are taken off in the same step
        paid = before["infamy"][seat] - after["infamy"][seat]
        back = after["reserve"][seat] - before["reserve"][seat]
        if (paid, back) != ((price, price) if seat == before["seat"] else (0, 0)):
            yield f"{seat} paid {paid} for {verb_of(moment)[0]}, and {back} came to the reserve"


def _infamy(moment: Moment) -> Complaints:
    """I17: Infamy rises only by own cubes that lost control or a battle, one for each."""
    due, after = reckoned(moment).infamy, moment.record_after["infamy"]
    yield from (f"{seat} has {after[seat]} Infamy, not {due[seat]}" for seat in due if after[seat] != due[seat])


def _moved_out(moment: Moment) -> Complaints:
    """I18: after the Kingdoms' movement none of them has pieces."""
    if crossed(moment, "moving"):
        left = [name for name, rows in moment.record_after["kingdoms"].items() if any(map(any, rows))]
        yield from (f"pieces are left in {name}" for name in left)


def _relocated(moment: Moment) -> Complaints:
    """I19: marches relocate pieces: on the whole board they stay as many, from the marching Kingdom to regions."""
    before, after = moment.record_before, moment.record_after
    if stage(before) != "moving" or stage(after) != "moving":
        return
    for index, seat in enumerate(before["hands"]):
        then, now = ([_on_board(record, index, kind) for kind in (0, 1)] for record in (before, after))
        if then != now:
            yield f"{seat} had {then} cubes and Heroes on the board, and has {now}"
    for kingdom, rows in after["kingdoms"].items():
        if kingdom != before["kingdom"] and [list(row) for row in rows] != before["kingdoms"][kingdom]:
            yield f"{kingdom} changed in the turn of {before['kingdom']}"


def _on_board(record: dict[str, Any], index: int, kind: int) -> int:
    places = (*record["kingdoms"].values(), *record["regions"].values())
    return sum(int(rows[index][kind]) for rows in places)


def _cleared(moment: Moment) -> Complaints:
    """I25: after Trade Routes the pieces left in regions go back to reserves and supplies, Time Tokens too."""
    before, after = moment.record_before, moment.record_after
    if stage(before) != "routes" or stage(after) == "routes":
        return
    for index, seat in enumerate(before["hands"]):
        cubes, heroes = (sum(rows[index][kind] for rows in before["regions"].values()) for kind in (0, 1))
        back = after["reserve"][seat] - before["reserve"][seat], after["heroes"][seat] - before["heroes"][seat]
        if back != (cubes, heroes):
            yield f"{back} cubes and Heroes went back to {seat}, not {(cubes, heroes)}"
    if any(map(any, (row for rows in after["regions"].values() for row in rows))):
        yield "pieces are left in regions"
    if any(after["times"].values()):
        yield "a Time Token is left"


# -- the Marching Phase -----------------------------------------------------------------------------------


def _controllers(moment: Moment) -> Complaints:
    """I15: after step 1 the one colour in each Kingdom is that of its controller, and he had most there."""
    due, after = reckoned(moment).control, moment.record_after
    if due is None or stage(after) != "moving":
        return
    for kingdom, seat in due.items():
        if after["control"][kingdom] != seat:
            yield f"{after['control'][kingdom]} controls {kingdom}, not {seat}"
        here = [n for n, row in zip(after["hands"], after["kingdoms"][kingdom], strict=True) if any(row)]
        if here not in ([], [seat]):
            yield f"{' and '.join(here)} stand in {kingdom}"


def _entered(moment: Moment) -> Complaints:
    """I33: who controls a Kingdom had a piece there at step 1."""
    if reckoned(moment).control is None or stage(moment.record_after) != "moving":
        return
    seats = list(moment.record_after["hands"])
    for kingdom, seat in moment.record_after["control"].items():
        if seat is not None and not any(reckoned(moment).kingdoms_before[kingdom][seats.index(seat)]):
            yield f"{seat} controls {kingdom} without a piece"


def _battles(moment: Moment) -> Complaints:
    """I23: the winner of a battle had most pieces there, then most Heroes, then sat nearest after the Leader."""
    after = moment.record_after
    if not crossed(moment, "moving") or stage(after) != "routes":
        return
    work, seats = reckoned(moment), list(after["hands"])
    for region, rows in work.fought.items():
        best = winner(rows, work.leader, "from_leader") if any(map(any, rows)) else None
        for seat, row in enumerate(after["regions"][region]):
            if list(row) != (rows[seat] if seat == best else [0, 0]):
                shown = [triple(rows, n, work.leader) for n in range(len(seats))]
                yield f"{seats[seat]} has {row} in {region} after a battle of {shown}"


def _plunder(moment: Moment) -> Complaints:
    """I24: after battles the tokens of a region go to who has cubes there; elsewhere they stay."""
    after = moment.record_after
    if not crossed(moment, "moving") or stage(after) != "routes":
        return
    work, due = reckoned(moment), dict(moment.record_before["taken"])
    left = dict(work.before_collection)
    for region, rows in after["regions"].items():
        for seat, (cubes, _) in zip(after["hands"], rows, strict=True):
            if cubes:
                due[seat] += work.before_collection[region]
                left[region] = 0
    yield from (f"{s} has {after['taken'][s]} plunder, not {due[s]}" for s in due if after["taken"][s] != due[s])
    yield from (f"{n} tokens in {r}, not {left[r]}" for r, n in after["tokens"].items() if n != left[r])


def _order(game: AnyGame) -> Watch:
    """I27: in each pass Kingdoms move in the order of the chart, and none moves twice in a round."""
    moves: list[tuple[bool, str]] = []
    chart = [kingdom.id for kingdom in game.pack.kingdoms]  # type: ignore[attr-defined]

    def watch(moment: Moment) -> Complaints:
        before = moment.record_before
        if stage(before) != "moving":
            moves.clear()
        elif before["phase"] == "march" or verb_of(moment)[0] == "nodelay":
            move = (before["second_pass"], before["kingdom"])
            if moves[-1:] != [move]:
                moves.append(move)
            names = [name for _, name in moves]
            if len(set(names)) != len(names):
                yield f"{names[-1]} moves twice"
            keys = [(second, chart.index(name)) for second, name in moves]
            yield from (f"{chart[two[1]]} moves after {chart[one[1]]}" for one, two in pairwise(keys) if two < one)

    return watch


def _lasting_gains(moment: Moment) -> Complaints:
    """I28: plunder and completed routes are never lost, and come in steps 5 and 6 alone."""
    before, after = moment.record_before, moment.record_after
    for seat in before["hands"]:
        more = after["taken"][seat] - before["taken"][seat]
        if more < 0 or (more and not crossed(moment, "moving")):
            yield f"the plunder of {seat} changed by {more}"
        done = [set(record["routes_done"][seat]) for record in (before, after)]
        if not done[0] <= done[1] or (done[0] != done[1] and not crossed(moment, "routes")):
            yield f"the completed routes of {seat} went from {sorted(done[0])} to {sorted(done[1])}"


def _purchases(game: AnyGame) -> Watch:
    """I32: each purchase brings one Trade Route to hand, and nothing else does after setup."""
    due: dict[str, int] = {}

    def watch(moment: Moment) -> Complaints:
        before, after = moment.record_before, moment.record_after
        if before["phase"] == "keep" and after["pairs"] == 0 and before["seat"] in due:
            due[before["seat"]] += 1
        for seat in after["hands"] if stage(after) != "dealing" or after["round"] > 1 else ():
            now = len(after["route_hands"][seat]) + len(after["routes_done"][seat])
            if now != due.setdefault(seat, now):
                yield f"{seat} has {now} routes, not {due[seat]}"

    return watch


Holds = dict[str, tuple[str, ...]]
_NEVER_EARLY: Holds = {"R_NO_CARD": ("reject",), "R_DECK_EMPTY": ("shrink",), "R_FIFTEEN": ("group",)}
_NOT_STUCK: Holds = {"R_STUCK": ("map_constraint",)}

PLAIN: tuple[tuple[Callable[[Moment], Complaints], Holds], ...] = (
    (_row, {}), (_start, {}), (_hands, {}), (_lasting, {"R_RALLY_END": ("immediate",)}),
    (_placing, {"R_PARTIAL": ("partial",)}), (_controllers, {}), (_prices, {"R_ROUTE_BATCH": ("sequential",)}),
    (_infamy, _NOT_STUCK), (_moved_out, {"R_MUST_MOVE": ("must",), "R_HERO_STAY": ("must",)}),
    (_relocated, _NOT_STUCK), (_battles, {"R_CLOCK": ("from_leader",)}), (_plunder, {"R_COLLECT": ("cubes",)}),
    (_cleared, {}), (_lasting_gains, {}), (_all_placed, _NEVER_EARLY), (_reset, {}),
    (_entered, {"R_EMPTY_KINGDOM": ("none",)}),
)  # fmt: skip
LOGGED: tuple[tuple[Callable[[AnyGame], Watch], Holds], ...] = (
    (_group, {}), (_order, {}), (_length, _NEVER_EARLY), (_purchases, {"R_ROUTE_BATCH": ("sequential",)}),
)  # fmt: skip
_FROM_START = (_group, _length)
"""These need the log of the whole round; the others can join at any step."""


def _check(function: Callable[..., Any], watch: Callable[[AnyGame], Watch], holds: Holds, history: bool) -> Check:
    name, _, title = (function.__doc__ or "").partition(": ")
    start = function in _FROM_START
    return Check(
        name, title.partition("\n")[0].rstrip("."), watch, history=history, from_start=start, holds=dict(holds)
    )


CHECKS: tuple[Check, ...] = (
    *(_check(function, plainly(function), holds, False) for function, holds in PLAIN),
    *(_check(function, function, holds, True) for function, holds in LOGGED),
)
