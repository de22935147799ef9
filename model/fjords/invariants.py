"""The invariants of a Fjords position that a single position shows (ids I01 to I32 of the reading).

Those that need a history (I05's order, I07, I10, I12, I15, I21 to I23, I29, I30, I32) are checked along
play by ``properties``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from lawspeaker.model.core.contract import Breach, facts
from lawspeaker.model.core.hexgrid import STEPS, cell_text

from . import actions as act
from .position import Position, bits
from .region import landmasses

if TYPE_CHECKING:
    from .game import FjordsGame


def broken(game: FjordsGame, position: Position) -> tuple[Breach, ...]:
    """Return each invariant the position breaks, by id, with its facts."""
    return tuple(Breach(name, breach) for name, check in _CHECKS.items() for breach in check(game, position))


Found = Iterator[tuple]  # type: ignore[type-arg]  # of facts, as Breach takes them


def _partition(game: FjordsGame, position: Position) -> Found:
    """I01: board, pile, open and drawn hold each tile once; the start tiles lie on the board."""
    ids = game.tables.ids
    held = [tile for _, tile, _ in position.board] + list(bits(position.pile)) + list(bits(position.open))
    held += [position.drawn] if position.drawn >= 0 else []
    twice = tuple(ids[t] for t in sorted({t for t in held if held.count(t) > 1}))
    if twice:
        yield facts(twice=twice)
    missing = tuple(ids[t] for t in range(len(ids)) if t not in held)
    if missing:
        yield facts(missing=missing)
    laid = set(position.board)
    away = tuple(ids[t] for p, t, turn in game.tables.opening if (p, t, turn) not in laid)
    if away:
        yield facts(start_tiles_not_in_place=away)
    stray = tuple(t.id for t in game.tables.tiles if t.start and (position.pile | position.open) >> t.number & 1)
    if stray:
        yield facts(start_tiles_off_the_board=stray)


def _phase(game: FjordsGame, position: Position) -> Found:
    """I33: the fields that belong to a phase are set in it and in no other."""
    phase, law = position.phase, game.law
    wrong = []
    if not 1 <= position.round <= law.rounds():
        wrong.append("round")
    if len(position.points) != position.round - (phase != "over"):
        wrong.append("points")
    if (position.seat < 0) != (phase in ("start", "over")):
        wrong.append("seat")
    if (position.starter < 0) != (phase == "start"):
        wrong.append("starter")
    if (position.drawn >= 0) != (phase in ("drawn", "window")):
        wrong.append("drawn")
    if (position.last >= 0) != (phase == "farm"):
        wrong.append("last")
    if (position.first >= 0) != (phase in ("land", "over")):
        wrong.append("first")
    if position.told and (phase != "drawn" or game.playable != "subjective"):
        wrong.append("told")
    if position.from_pile and phase != "farm":
        wrong.append("from_pile")
    placed_it = phase == "farm" and not position.from_pile  # the tile set aside may be the one just placed
    misplaced = phase not in ("choose", "deal", "drawn", "window", "farm") or not position.open
    if position.set_aside and misplaced and not placed_it:
        wrong.append("set_aside")
    if phase == "farm" and position.last >= 0 and position.last not in {p for p, _, _ in position.board}:
        wrong.append("last")
    if phase == "window" and game.playable != "subjective":
        wrong.append("phase")
    if wrong:
        yield facts(phase=phase, fields=tuple(wrong))
    else:
        yield from _BY_PHASE[phase](game, position)


def _nothing(game: FjordsGame, position: Position) -> Found:
    return iter(())


def _at_start(game: FjordsGame, position: Position) -> Found:
    """Before the lot the round has not begun; there is a lot in round 1 and after a tied round only."""
    bare = (
        position.board == game.tables.opening and not position.open and position.farms == ((), ())
        and position.placer < 0
    )  # fmt: skip
    if not bare:
        yield facts(phase="start", what="the round has begun already")
    if position.points and position.points[-1][0] != position.points[-1][1]:
        yield facts(phase="start", what="the loser of the round before starts")


def _in_hand(game: FjordsGame, position: Position) -> Found:
    """The opponent is asked about, and tells of, a tile that has a place."""
    if (position.phase == "window" or position.told) and not game.places(position, position.drawn):
        yield facts(phase=position.phase, drawn=game.tables.ids[position.drawn], places=0)


def _at_farm(game: FjordsGame, position: Position) -> Found:
    """The tile just placed is none of those that the round began with."""
    if position.last in {place for place, _, _ in game.tables.opening}:
        yield facts(phase="farm", last=cell_text(position.last), what="a start tile was not just placed")


def _at_land(game: FjordsGame, position: Position) -> Found:
    """Who is on turn in land taking can place a field, else he is skipped or the round is over."""
    if not game.field_mask(position, position.seat):
        yield facts(phase="land", seat=act.SEATS[position.seat], what="can place no field")


def _at_end(game: FjordsGame, position: Position) -> Found:
    """The game is over after the last round."""
    if position.round != game.law.rounds():
        yield facts(phase="over", round=position.round, what="is not the last round")


_BY_PHASE: dict[str, Callable[..., Found]] = {
    "start": _at_start, "choose": _nothing, "deal": _nothing, "drawn": _in_hand, "window": _in_hand,
    "farm": _at_farm, "land": _at_land, "over": _at_end,
}  # fmt: skip


def _starter(game: FjordsGame, position: Position) -> Found:
    """I31: the loser of the round before started this one."""
    law = game.law
    before = position.points[: position.round - 1]
    if not before or position.starter < 0 or law.round_points(1, 1) != 1:
        return
    winner = law.round_winner(before[-1])
    if winner is not None and position.starter != law.next_starter(winner):
        yield facts(starter=act.SEATS[position.starter], before=tuple(before[-1]))


def _turns(game: FjordsGame, position: Position) -> Found:
    """I34: in discovery each turn lays a tile, so who laid the last one is not on turn until he lays another."""
    law, seat, placer = game.law, position.seat, position.placer
    if seat < 0 or not (law.one_tile_a_turn() and law.draws_again() and law.next_player(0) == 1):
        return
    fresh = placer < 0 and seat == position.starter
    if position.phase == "farm":
        good = placer == seat
    else:
        good = position.phase in ("land", "over") or fresh or placer == 1 - seat
    if not good:
        yield facts(seat=act.SEATS[seat], placer=act.SEATS[placer] if placer >= 0 else None)


def _pile(game: FjordsGame, position: Position) -> Found:
    """I03: while somebody may draw, the pile is not empty (R_LAST_OPEN lets him take an open tile then)."""
    if position.pile:
        if position.phase in ("land", "over"):
            yield facts(pile=position.pile.bit_count(), phase=position.phase)
    elif position.phase in ("start", "deal") or (position.phase == "choose" and not _may_finish(game, position)):
        yield facts(pile=0, phase=position.phase)


def _may_finish(game: FjordsGame, position: Position) -> bool:
    return position.set_aside and game.last_open != "end" and bool(game.open_places(position))


def _matching(game: FjordsGame, position: Position) -> Found:
    """I04: adjacent tiles show the same terrain on their common side."""
    shown = {p: game.tables.shown[t][turn] for p, t, turn in position.board}
    for place, border in shown.items():
        for slot, (side, beyond) in enumerate(game.tables.faces):
            other = shown.get(place + STEPS[side])
            if side < 3 and other is not None and other[beyond] != border[slot]:
                yield facts(cell=cell_text(place), beside=cell_text(place + STEPS[side]))
                break


def _growth(game: FjordsGame, position: Position) -> Found:
    """I05: the tiles can have been laid one after another, each touching two (R_TWO=at_least)."""
    if game.tables.two != "at_least":
        return
    laid = {place for place, _, _ in game.tables.opening}
    waiting = {place for place, _, _ in position.board} - laid
    while True:
        ready = {p for p in waiting if sum(p + step in laid for step in STEPS) >= 2}
        if not ready:
            break
        laid |= ready
        waiting -= ready
    if waiting:
        yield facts(cells=tuple(cell_text(p) for p in sorted(waiting)))


def _landmass(game: FjordsGame, position: Position) -> Found:
    """I06: the region shows one landmass (R_LAND=component)."""
    if game.tables.land == "component":
        masses = landmasses(position.board, game.tables)
        if len(masses) > 1:
            yield facts(landmasses=tuple(cell_text(mass[0][0]) for mass in masses))


def _tiles_in_order(game: FjordsGame, position: Position) -> Found:
    """I08: the region hangs together side by side."""
    laid = {place for place, _, _ in position.board}
    if not laid:
        return
    seen, todo = {min(laid)}, [min(laid)]
    while todo:
        place = todo.pop()
        for step in STEPS:
            if place + step in laid and place + step not in seen:
                seen.add(place + step)
                todo.append(place + step)
    if seen != laid:
        yield facts(apart=tuple(cell_text(p) for p in sorted(laid - seen)))


def _farms(game: FjordsGame, position: Position) -> Found:
    """I13: farms stand on farmland segments of ordinary tiles."""
    tiles = {p: game.tables.tiles[t] for p, t, _ in position.board}
    for key in (*position.farms[0], *position.farms[1]):
        place, number = divmod(key, act.SEGMENTS_PER_CELL)
        tile = tiles.get(place)
        if tile is None or tile.start or number >= len(tile.segments):
            yield facts(farm=act.segment_text(key))


def _farm_per_tile(game: FjordsGame, position: Position) -> Found:
    """I12: at most one farm stands on a tile, and none on the tile being decided about."""
    cells = [key // act.SEGMENTS_PER_CELL for key in (*position.farms[0], *position.farms[1])]
    for place in sorted({p for p in cells if cells.count(p) > 1 or p == position.last}):
        yield facts(cell=cell_text(place), farms=cells.count(place))


def _supplies(game: FjordsGame, position: Position) -> Found:
    """I14: nobody has more farms or fields on the table than his supply."""
    for seat, name in enumerate(act.SEATS):
        if len(position.farms[seat]) > game.law.farm_supply():
            yield facts(seat=name, farms=len(position.farms[seat]), supply=game.law.farm_supply())
        if position.fields[seat].bit_count() > game.field_limit:
            yield facts(seat=name, fields=position.fields[seat].bit_count(), supply=game.field_limit)


def _one_piece(game: FjordsGame, position: Position) -> Found:
    """I16: no segment holds two pieces (one a tile under R_MULTI=tile; fields one an area under R_SEGMENT=area)."""
    ground = position.ground
    farms = {n for seat in (0, 1) for key in position.farms[seat] if (n := ground.place(key)) >= 0}
    both = position.fields[0] & position.fields[1]
    for n in range(len(ground.keys)):
        bit = 1 << n
        pieces = [m for m in bits(ground.closes[n]) if (position.fields[0] | position.fields[1]) >> m & 1]
        crowded = (position.fields[0] | position.fields[1]) & bit and (n in farms or len(pieces) > 1)
        if both & bit or crowded or (pieces and n in farms):
            yield facts(segment=act.segment_text(ground.keys[n]))
    shared = set(position.farms[0]) & set(position.farms[1])
    yield from (facts(segment=act.segment_text(key)) for key in sorted(shared))


def _rooted(game: FjordsGame, position: Position) -> Found:
    """I20 (and I19, I24): each group of a player's fields is joined to one of his farms."""
    ground = position.ground
    for seat, name in enumerate(act.SEATS):
        edge = sum({1 << n for key in position.farms[seat] if (n := ground.place(key)) >= 0})
        left = position.fields[seat]
        while edge:
            grown = sum_near(ground.near, edge) & left
            left &= ~grown
            edge = grown
        if left:
            yield facts(seat=name, fields=tuple(act.segment_text(ground.keys[n]) for n in bits(left)))


def sum_near(near: tuple[int, ...], mask: int) -> int:
    """Return the union of the neighbours of each place in *mask*, as bits."""
    found = 0
    for n in bits(mask):
        found |= near[n]
    return found


def _points(game: FjordsGame, position: Position) -> Found:
    """I27: a round's points are the fields placed, at most the supply."""
    for number, pair in enumerate(position.points, 1):
        if not all(0 <= p <= min(game.field_limit, 1000) for p in pair):
            yield facts(round=number, points=pair)
    if position.phase == "over" and position.points:
        counts = tuple(f.bit_count() for f in position.fields)
        if tuple(position.points[-1]) != counts:
            yield facts(round=position.round, points=tuple(position.points[-1]), fields=counts)


def _first(game: FjordsGame, position: Position) -> Found:
    """I28: the first field belongs to who did not place the last tile (R_LAST_OPEN other than play_A)."""
    if position.phase != "land" or position.first < 0 or game.last_open == "play_A" or game.drawn_ruling == "switch":
        return
    due = 1 - position.placer if position.placer >= 0 else position.starter
    if position.first != due:
        yield facts(first=act.SEATS[position.first], due=act.SEATS[due])


_CHECKS: dict[str, Callable[..., Found]] = {
    "I01": _partition, "I03": _pile, "I04": _matching, "I05": _growth, "I06": _landmass,
    "I08": _tiles_in_order, "I12": _farm_per_tile, "I13": _farms, "I14": _supplies, "I16": _one_piece,
    "I20": _rooted, "I27": _points, "I28": _first, "I31": _starter, "I33": _phase, "I34": _turns,
}  # fmt: skip
IDS = tuple(_CHECKS)
TITLES = {name: (check.__doc__ or "").partition(": ")[2] for name, check in _CHECKS.items()}
