"""The law of Fjords clause by clause: which clauses an attempted action would break, with facts.

Everything here is worked out from the bare position (board, farms, fields), not from the derived
values the fast path carries, so that a stale cache shows as a disagreement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from lawspeaker.model.core.contract import CHANCE, OVER, Breach, Fact, facts
from lawspeaker.model.core.hexgrid import SIDES, STEPS, cell_text

from . import actions as act
from .pack import TERRAINS
from .position import Position, bits
from .region import makes_hole, sealed

if TYPE_CHECKING:
    from .game import FjordsGame

TERRAIN_NAMES = {".": "nothing", "S": "sea", "M": "mountain", "F": "farmland"}


class Bare:
    """What follows from one bare position, worked out once for all actions tried on it."""

    def __init__(self, game: FjordsGame, position: Position) -> None:
        self.game, self.position = game, position
        self.laid = {p: game.tables.shown[t][n] for p, t, n in position.board}
        self._places: dict[int, list[tuple[int, int, int]]] = {}

    @cached_property
    def grounded(self) -> Position:
        """The position with its ground, and with what farms and fields take and reach, made anew."""
        return self.game.with_ground(self.position)

    def places(self, tile: int) -> list[tuple[int, int, int]]:
        """Return every (tile, cell, turn) of a tile that rules 1 to 3 allow."""
        if tile not in self._places:
            cells = sorted({p + step for p in self.laid for step in STEPS} - set(self.laid))
            fitting = tuple(
                (place, turn)
                for place in cells
                for turn in range(6)
                if next(_fit(self.game, self, tile, place, turn), None) is None
            )
            self._places[tile] = [(tile, *spot) for spot in self.game.law.free_choice(fitting)]
        return self._places[tile]


def bare(game: FjordsGame, position: Position) -> Bare:
    """Return the bare view of a position; the last one asked for is remembered."""
    last: Bare | None = game.bare
    if last is None or last.position is not position:
        last = game.bare = Bare(game, position)
    return last


def breaches(game: FjordsGame, position: Position, action: act.Action, by: int | None) -> tuple[Breach, ...]:
    """Return each broken clause; empty exactly for a legal action of the right actor."""
    actor = game.actor(position)
    if actor == OVER:
        return (Breach("FD-PLAY-01", facts(action=act.kind(action), part="the end", phase="over")),)
    found = list(_turn(game, position, action, actor, actor if by is None else by))
    if found:
        return tuple(found)
    return tuple(_CHECKS[type(action)](game, position, action))


def _turn(game: FjordsGame, position: Position, action: act.Action, actor: int, by: int) -> Iterator[Breach]:
    """Judge who acts, and whether this kind of action belongs to this moment."""
    chance = isinstance(action, (act.Start, act.Deal))
    if by != actor:
        clause = "FD-LAND-04" if position.phase == "land" else "FD-DISC-01"
        turn = "chance" if actor == CHANCE else act.SEATS[actor]
        yield Breach(clause, facts(by="chance" if by == CHANCE else act.SEATS[by], turn=turn))
    elif chance != (actor == CHANCE):
        yield Breach("FD-OURS-CHANCE", facts(action=act.kind(action), phase=position.phase))
    elif type(action) not in _PHASES[position.phase]:
        yield Breach(*_wrong_moment(position, action))


def _wrong_moment(position: Position, action: act.Action) -> tuple[str, tuple[Fact, ...]]:
    name, phase = act.kind(action), position.phase
    what = facts(action=name, phase=phase)
    if (phase == "land") != isinstance(action, act.Field):
        return "FD-PLAY-02", what
    if isinstance(action, (act.Farm, act.NoFarm)):
        return "FD-DISC-04", what
    if isinstance(action, (act.Object, act.Silent)):
        return "FD-TILE-12", what
    if phase == "farm":
        return "FD-OPEN-05" if isinstance(action, (act.Place, act.Open, act.Draw)) else "FD-FARM-02", what
    if isinstance(action, act.Draw):
        return "FD-DISC-03", what
    if isinstance(action, act.Open):
        return "FD-OPEN-04", what
    return "FD-DISC-02", what


_PHASES: dict[str, tuple[type, ...]] = {
    "start": (act.Start,),
    "choose": (act.Draw, act.Open, act.Stop),
    "deal": (act.Deal,),
    "drawn": (act.Place, act.Open, act.Aside),
    "window": (act.Object, act.Silent),
    "farm": (act.Farm, act.NoFarm),
    "land": (act.Field,),
    "over": (),
}


def _start(game: FjordsGame, position: Position, action: act.Start) -> Iterator[Breach]:
    return iter(())


def _deal(game: FjordsGame, position: Position, action: act.Deal) -> Iterator[Breach]:
    if not position.pile >> action.tile & 1:
        yield Breach("FD-COMP-05", facts(tile=game.tables.ids[action.tile], pile=position.pile.bit_count()))


def _draw(game: FjordsGame, position: Position, action: act.Draw) -> Iterator[Breach]:
    if not position.pile:
        yield Breach("FD-LAND-01", facts(pile=0))
    elif not game.law.may_draw(True, bool(all_places(game, position, bits(position.open)))):
        yield Breach("FD-OPEN-03", facts(pile=position.pile.bit_count()))


def _stop(game: FjordsGame, position: Position, action: act.Stop) -> Iterator[Breach]:
    if position.pile:
        yield Breach("FD-DISC-02", facts(action="stop", phase=position.phase))


def _aside(game: FjordsGame, position: Position, action: act.Aside) -> Iterator[Breach]:
    places = all_places(game, position, (position.drawn,))
    told = position.told and game.law.told_must_place()
    if game.law.may_set_aside(len(places), told, game.playable):
        return
    named = facts(
        tile=game.tables.ids[position.drawn], places=len(places),
        place=f"{cell_text(places[0][1])} r{places[0][2]}" if places else None, action="aside",
        phase="the drawn tile has a place",
    )  # fmt: skip
    if told:
        yield Breach("FD-TILE-13", named)
    if game.playable == "objective" and places:
        yield Breach("FD-DISC-02", named)
        if len(places) == 1:
            yield Breach("FD-TILE-08", named)


def _place(game: FjordsGame, position: Position, action: act.Place) -> Iterator[Breach]:
    if action.tile != position.drawn:
        yield Breach(
            "FD-DISC-02",
            facts(action=f"place {game.tables.ids[action.tile]}", phase=f"{game.tables.ids[position.drawn]} drawn"),
        )
    yield from placement(game, position, action.tile, action.cell, action.turn)


def _open(game: FjordsGame, position: Position, action: act.Open) -> Iterator[Breach]:
    name = game.tables.ids[action.tile]
    if not position.open >> action.tile & 1:
        yield Breach("FD-OPEN-01", facts(tile=name, open=tuple(game.tables.ids[t] for t in bits(position.open))))
    if position.drawn >= 0:
        yield from _switch(game, position, name)
    elif not game.may_take_open(position):
        clause = "FD-LAND-01" if not position.pile else "FD-OPEN-04" if position.set_aside else "FD-OPEN-01"
        yield Breach(clause, facts(tile=name, pile=position.pile.bit_count(), open=(), action="open", phase="choose"))
    yield from placement(game, position, action.tile, action.cell, action.turn)


def _switch(game: FjordsGame, position: Position, name: str) -> Iterator[Breach]:
    """Judge taking an open tile while a drawn one is in hand (R_DRAWN)."""
    drawn = game.tables.ids[position.drawn]
    places = len(all_places(game, position, (position.drawn,)))
    told = position.told and game.law.told_must_place()
    if game.drawn_ruling != "switch" or not places or told:
        yield Breach("FD-OPEN-04", facts(tile=name, drawn=drawn, places=places, action="open", phase="drawn"))
    elif not game.law.may_take_open(True, position.pile != 0, game.last_open):
        yield Breach("FD-LAND-01", facts(tile=name, pile=0, open=()))


def placement(game: FjordsGame, position: Position, tile: int, place: int, turn: int) -> Iterator[Breach]:
    """Judge laying a tile on a cell under rules 1 to 3, and under the choice rule (FD-TILE-01 to 09)."""
    found = list(_fit(game, bare(game, position), tile, place, turn))
    yield from found
    if not found and (tile, place, turn) not in all_places(game, position, (tile,)):
        yield Breach("FD-TILE-07", facts(tile=game.tables.ids[tile], cell=cell_text(place), turn=turn))


def _fit(game: FjordsGame, view: Bare, tile: int, place: int, turn: int) -> Iterator[Breach]:
    tables, law = game.tables, game.law
    base = facts(tile=tables.ids[tile], cell=cell_text(place), turn=turn)
    laid, position = view.laid, view.position
    if place in laid:
        yield Breach("FD-OURS-CELL", base)
        return
    facing = facing_of(game, laid, place)
    shown, contacts = tables.shown[tile][turn], tables.contacts(facing)
    if not law.touches_two(contacts, tables.two):
        need = "at least 2" if tables.two == "at_least" else "exactly 2"
        yield Breach("FD-TILE-02", base + facts(contacts=contacts, need=need))
    if not law.terrains_match(shown, facing):
        yield Breach("FD-TILE-01", base + facts(clashes=_clashes(game, shown, facing)))
    if contacts and not law.joins_landmass(tables.parts[tile][turn], facing, tables.land):
        yield Breach("FD-TILE-04", base + facts(separate=_separate(game, tile, turn, facing)))
    if not law.areas_allowed(shown, facing):
        yield Breach("FD-TILE-06", base)
    if not law.holes_allowed() and makes_hole(set(laid), place):
        yield Breach("FD-TILE-09", base)
    if tables.land == "closed" and contacts:
        after = tuple(sorted((*position.board, (place, tile, turn))))
        count, shut = sealed(after, tables, place, game.rulings["R_HOLE"])
        if not law.no_landmass_sealed(count, shut):
            yield Breach("FD-TILE-04", base + facts(separate=(f"one of {count} landmasses, sealed off",)))


def facing_of(game: FjordsGame, laid: dict[int, tuple[int, ...]], place: int) -> tuple[int, ...]:
    """Return the terrain that a cell faces at each slot, from what the laid tiles show."""
    found = []
    for side, beyond in game.tables.faces:
        border = laid.get(place + STEPS[side])
        found.append(border[beyond] if border is not None else 0)
    return tuple(found)


def _clashes(game: FjordsGame, shown: tuple[int, ...], facing: tuple[int, ...]) -> tuple[str, ...]:
    name = [TERRAIN_NAMES[letter] for letter in TERRAINS]
    return tuple(
        f"{name[s]} against {name[f]} on side {SIDES[slot // game.tables.slots]}"
        for slot, (s, f) in enumerate(zip(shown, facing, strict=True))
        if f not in (0, s)
    )


def _separate(game: FjordsGame, tile: int, turn: int, facing: tuple[int, ...]) -> tuple[str, ...]:
    slots = game.tables.slots
    return tuple(
        "/".join(dict.fromkeys(SIDES[slot // slots] for slot in part)) or "the middle"
        for part in game.tables.parts[tile][turn]
        if not any(facing[slot] in (2, 3) for slot in part)
    )


def all_places(game: FjordsGame, position: Position, tiles: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """Return every (tile, cell, turn) that rules 1 to 3 allow, found from the bare board."""
    view = bare(game, position)
    return [spot for tile in tiles for spot in view.places(tile)]


def _object(game: FjordsGame, position: Position, action: act.Object) -> Iterator[Breach]:
    yield from placement(game, position, position.drawn, action.cell, action.turn)


def _silent(game: FjordsGame, position: Position, action: act.Silent) -> Iterator[Breach]:
    return iter(())


def _farm(game: FjordsGame, position: Position, action: act.Farm) -> Iterator[Breach]:
    law, seat = game.law, position.seat
    place, number = divmod(action.segment, act.SEGMENTS_PER_CELL)
    base = facts(segment=act.segment_text(action.segment), cell=cell_text(place))
    placed = len(position.farms[seat])
    if not law.may_place_farm(law.farm_supply() - placed):
        yield Breach("FD-FARM-01", base + facts(placed=placed, supply=law.farm_supply()))
    turns = {p: t for p, t, _ in position.board}
    tile = game.tables.tiles[turns[place]] if place in turns else None
    if place not in law.farm_cells(position.board, position.last):
        yield Breach("FD-FARM-03", base + facts(last=cell_text(position.last)))
    if tile is not None and not law.farmable(tile.start):
        yield Breach("FD-FARM-06", base + facts(tile=tile.id))
    if number >= (law.farm_places(len(tile.segments)) if tile is not None else 0):
        yield Breach("FD-FARM-04", base + facts(segments=len(tile.segments) if tile is not None else 0))
    yield from _farm_space(game, position, action.segment, base)


def _farm_space(game: FjordsGame, position: Position, key: int, base: tuple[Fact, ...]) -> Iterator[Breach]:
    taken = position.farms[0] + position.farms[1]
    place = key // act.SEGMENTS_PER_CELL
    shares = key in taken
    if game.multi == "tile":
        shares = shares or place in {other // act.SEGMENTS_PER_CELL for other in taken}
    if game.segment == "area":
        areas = game.areas(position)
        used = {areas.get(other) for other in taken}
        shares = shares or (key in areas and areas[key] in used) or place in game.full_cells(areas, used)
    if shares:
        yield Breach("FD-OURS-PIECE", base)


def _no_farm(game: FjordsGame, position: Position, action: act.NoFarm) -> Iterator[Breach]:
    if not game.law.may_decline_farm() and game.farm_segments(position):
        yield Breach("FD-FARM-07", facts(cell=cell_text(position.last)))


def _field(game: FjordsGame, position: Position, action: act.Field) -> Iterator[Breach]:
    law, seat = game.law, position.seat
    anew = bare(game, position).grounded  # from the board, not from what the position carries along
    ground, number = anew.ground, anew.ground.numbered(action.segment)
    base = facts(segment=act.segment_text(action.segment), seat=act.SEATS[seat])
    own = position.fields[seat].bit_count()
    if own >= game.field_limit:
        yield Breach("FD-SETUP-01", base + facts(placed=own, supply=game.field_limit))
    if number < 0:
        yield Breach("FD-FIELD-02", base)
        return
    bit, anywhere = 1 << number, (1 << len(ground.keys)) - 1
    if not law.field_places(bit, anew.taken):
        yield Breach("FD-FIELD-01", base)
    if not law.field_reach(anew.near[seat], anywhere, own == 0) & bit:
        clause = "FD-LAND-07" if own == 0 else "FD-LAND-08"
        yield Breach(clause, base + facts(fields=own, farms=len(position.farms[seat])))
        yield Breach("FD-FIELD-03", base)
        if _across(game, anew, seat, action.segment):
            yield Breach("FD-FIELD-04", base)
    elif game.order == "duty" and not law.field_order(bit, game.contested(anew), "duty") and not anew.taken & bit:
        left = tuple(act.segment_text(ground.keys[n]) for n in bits(game.contested(anew)))
        yield Breach("FD-FIELD-07", base + facts(contested=left))


def _across(game: FjordsGame, position: Position, seat: int, key: int) -> bool:
    """Say whether a neighbouring tile holds an own piece, though its farmland does not meet this segment."""
    own = {k // act.SEGMENTS_PER_CELL for k in position.farms[seat]}
    own |= {position.ground.keys[n] // act.SEGMENTS_PER_CELL for n in bits(position.fields[seat])}
    place = key // act.SEGMENTS_PER_CELL
    return any(place + step in own for step in STEPS)


_CHECKS: dict[type, Callable[..., Iterator[Breach]]] = {
    act.Start: _start, act.Deal: _deal, act.Draw: _draw, act.Stop: _stop, act.Aside: _aside,
    act.Place: _place, act.Open: _open, act.Object: _object, act.Silent: _silent, act.Farm: _farm,
    act.NoFarm: _no_farm, act.Field: _field,
}  # fmt: skip
