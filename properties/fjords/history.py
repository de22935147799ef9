"""Invariants of Fjords that only a history shows, fed step by step (ids as in the reading, part E).

Each names the ruling values under which it is claimed.  What a round's farmland looks like, who could
still place a field, and where a tile had a place comes from ``Landscape``, not from the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.hexgrid import axial
from lawspeaker.model.fjords import actions as act
from lawspeaker.properties.watching import Check, Complaints, Moment, Watch

from .landscape import Landscape, Node, beside, segment_node

SEATS = act.SEATS


def neighbourhood(moment: Moment) -> Landscape:
    """Return the landscape of the tile that this step laid and of those beside it."""
    assert isinstance(moment.action, (act.Place, act.Open))
    ids = moment.game.tables.ids  # type: ignore[attr-defined]
    cell = axial(moment.action.cell)
    rows = [(*axial(place), ids[tile], turn) for place, tile, turn in moment.before.board]
    near = [row for row in rows if row[:2] in beside(cell)]
    return Landscape(moment.game.pack, [*near, (*cell, ids[moment.action.tile], moment.action.turn)])


class Round:
    """The log of the round being played: who laid what where, what each player did this turn."""

    def __init__(self) -> None:
        self.placers: dict[int, int] = {}
        self.tiles_this_turn = self.farms_this_turn = 0
        self.open_at_land: int | None = None


def begins(moment: Moment) -> bool:
    """Say whether a round ended with this step (its position after is the next round, or the end)."""
    return len(moment.after.points) > len(moment.before.points)


def logged(check: Callable[[Moment, Round], Iterator[str]]) -> Callable[[AnyGame], Watch]:
    """Make a watcher that keeps the round's log before asking *check*."""

    def make(game: AnyGame) -> Watch:
        kept = [Round()]

        def watch(moment: Moment) -> Complaints:
            log = kept[0]
            if isinstance(moment.action, (act.Place, act.Open)):
                log.placers[moment.action.cell] = moment.actor
                log.tiles_this_turn += 1
            elif isinstance(moment.action, act.Farm):
                log.farms_this_turn += 1
            if moment.after.phase == "land" and log.open_at_land is None:
                log.open_at_land = moment.after.open
            yield from check(moment, log)
            if begins(moment):
                kept[0] = Round()
            elif moment.after.seat != moment.before.seat or moment.after.phase == "land":
                log.tiles_this_turn = log.farms_this_turn = 0

        return watch

    return make


def _growing(moment: Moment, log: Round) -> Iterator[str]:
    """I02: the region has the start tiles and one more for each placement of the round."""
    if not begins(moment) or moment.after.phase == "over":
        expected = len(moment.game.tables.opening) + len(log.placers)  # type: ignore[attr-defined]
        if len(moment.after.board) != expected:
            yield f"{len(moment.after.board)} tiles lie after {len(log.placers)} placements"


def _touching(moment: Moment, log: Round) -> Iterator[str]:
    """I05: each tile touched at least two earlier ones when it was laid."""
    if isinstance(moment.action, (act.Place, act.Open)):
        q, r = axial(moment.action.cell)
        laid = {axial(place) for place, _, _ in moment.before.board}
        near = sum((q + a, r + b) in laid for a in (-1, 0, 1) for b in (-1, 0, 1) if a != b)
        if near < 2:
            yield f"laid beside {near} tiles"


def _staying(moment: Moment, log: Round) -> Iterator[str]:
    """I07: within a round laid tiles stay as they lie, so that land once joined stays joined."""
    if not begins(moment) and not set(moment.before.board) <= set(moment.after.board):
        yield f"moved: {sorted(set(moment.before.board) - set(moment.after.board))}"


def _landing(moment: Moment, log: Round) -> Iterator[str]:
    """I09: each tile laid meets earlier tiles with land on both sides somewhere."""
    if isinstance(moment.action, (act.Place, act.Open)):
        cell = axial(moment.action.cell)
        land = neighbourhood(moment).land()
        if not any(node[0] == cell != other[0] for node in land if node[0] == cell for other in land[node]):
            yield f"the tile on {cell} meets no land"


def _turns(moment: Moment, log: Round) -> Iterator[str]:
    """I11: at most one tile and one farm are placed a turn."""
    if log.tiles_this_turn > 1 or log.farms_this_turn > 1:
        yield f"{log.tiles_this_turn} tiles and {log.farms_this_turn} farms in one turn"


def _owners(moment: Moment, log: Round) -> Iterator[str]:
    """I12: a farm belongs to the player who laid its tile."""
    for seat in (0, 1):
        for key in moment.before.farms[seat]:
            if log.placers.get(key // act.SEGMENTS_PER_CELL) != seat:
                yield f"farm {act.segment_text(key)} of {SEATS[seat]} on a tile he did not lay"


def _seasons(moment: Moment, log: Round) -> Iterator[str]:
    """I15: farms change in discovery only, fields in land taking only."""
    before, after = moment.before, moment.after
    if begins(moment):
        return
    if before.phase == "land" and before.farms != after.farms:
        yield "farms changed in land taking"
    if before.phase != "land" and after.fields != (0, 0):
        yield "fields in discovery"


def _still(moment: Moment, log: Round) -> Iterator[str]:
    """I17: no tile is laid in land taking."""
    if moment.before.phase == "land" and not begins(moment) and moment.before.board != moment.after.board:
        yield "the region changed in land taking"


def _out(moment: Moment, log: Round) -> Iterator[str]:
    """I18: the open tiles stay out through land taking and are back in the pile of the next round."""
    if log.open_at_land is not None and moment.before.phase == "land" and moment.before.open != log.open_at_land:
        yield "the open tiles changed in land taking"
    if begins(moment) and moment.after.phase != "over":
        whole = sum(1 << tile for tile in moment.game.tables.pile)  # type: ignore[attr-defined]
        if moment.after.open or moment.after.pile != whole:
            yield "the next round does not start with all ordinary tiles in the pile"


def _length(moment: Moment, log: Round) -> Iterator[str]:
    """I29: discovery has at most as many placements as the pile had tiles."""
    if len(log.placers) > len(moment.game.tables.pile):  # type: ignore[attr-defined]
        yield f"{len(log.placers)} placements"


def _unplayable(moment: Moment, log: Round) -> Iterator[str]:
    """I30: a drawn tile that was set aside had no place under rules 1 to 3."""
    gone = moment.before.drawn if moment.before.phase in ("drawn", "window") else -1
    if gone < 0 or isinstance(moment.action, act.Place) or not (begins(moment) or moment.after.open >> gone & 1):
        return
    game = moment.game
    region = Landscape(game.pack, moment.record_before["board"])
    tile = game.tables.ids[gone]  # type: ignore[attr-defined]
    places = region.placements(tile, game.rulings)
    if places:
        yield f"{tile} was set aside, and had {len(places)} places, the first {places[0]}"


def _losers(moment: Moment, log: Round) -> Iterator[str]:
    """I31: who placed fewer fields in a round starts the next one."""
    if begins(moment) and moment.after.phase != "over":
        one, two = moment.after.points[-1]
        if one != two and moment.after.starter != (0 if one < two else 1):
            yield f"after {one}:{two} {moment.after.starter} starts"


def drowned(game: AnyGame) -> Watch:
    """I10: a cell that the sea encloses on six sides stays empty for the rest of the round."""
    shut: set[tuple[int, int]] = set()

    def watch(moment: Moment) -> Complaints:
        if begins(moment):
            shut.clear()
        elif isinstance(moment.action, (act.Place, act.Open)):
            if axial(moment.action.cell) in shut:
                yield f"{axial(moment.action.cell)} was filled"
            if len(moment.after.board) % 6 == 0:  # a look now and then finds each of them soon enough
                shut.update(Landscape(game.pack, moment.record_after["board"]).drowned())

    return watch


class Fields:
    """Land taking of one round on the landscape's own segments: what is taken, who can still place."""

    def __init__(self, game: AnyGame, plain: dict[str, Any]) -> None:
        self.graph = Landscape(game.pack, plain["board"]).segments()
        self.by_tile, self.limit = game.rulings["R_MULTI"] == "tile", game.rulings["R_SUPPLY"] == "stop"
        self.farms = [{segment_node(name) for name in plain["farms"][seat]} for seat in SEATS]
        self.fields: list[set[Node]] = [{segment_node(name) for name in plain["fields"][seat]} for seat in SEATS]
        self.blocked = [not self.can(seat) for seat in (0, 1)]

    def taken(self, node: Node) -> bool:
        """Say whether a segment can take no more piece."""
        pieces = self.farms[0] | self.farms[1] | self.fields[0] | self.fields[1]
        return node in pieces or (self.by_tile and node[0] in {cell for cell, _ in pieces})

    def near(self, node: Node, seat: int) -> bool:
        """Say whether a segment is directly adjacent to a piece of a player."""
        return any(other in self.farms[seat] or other in self.fields[seat] for other in self.graph[node])

    def can(self, seat: int) -> bool:
        """Say whether a player can place a field."""
        if self.limit and len(self.fields[seat]) >= 20:
            return False
        around = {o for piece in self.farms[seat] | self.fields[seat] if piece in self.graph for o in self.graph[piece]}
        return any(not self.taken(node) for node in around)

    def open_sum(self) -> int:
        """Theorem T1: the segments, farms taken off, of the areas that hold a farm."""
        farms = self.farms[0] | self.farms[1]
        areas = [area for area in nx.connected_components(self.graph) if area & farms]
        return sum(len(area) - len(area & farms) for area in areas)


def landed(check: Callable[[Moment, Fields, bool], Iterator[str]]) -> Callable[[AnyGame], Watch]:
    """Make a watcher that follows land taking; *check* gets the fields after the step, and whether it ended."""

    def make(game: AnyGame) -> Watch:
        kept: list[Fields] = []

        def watch(moment: Moment) -> Complaints:
            if moment.before.phase == "land" and isinstance(moment.action, act.Field):
                if not kept:  # play was joined in the middle of land taking
                    kept.append(Fields(game, moment.record_before))
                node = segment_node(act.segment_text(moment.action.segment))
                kept[0].fields[moment.before.seat].add(node)
                yield from check(moment, kept[0], begins(moment))
            elif begins(moment):
                yield from check(moment, Fields(game, _with_farm(moment)), True)
            if begins(moment):
                kept.clear()
            elif moment.after.phase == "land" and not kept:
                kept.append(Fields(game, moment.record_after))

        return watch

    return make


def _with_farm(moment: Moment) -> dict[str, Any]:
    """Return the record of a round that ended with discovery: the last action on the position before it."""
    plain = {**moment.record_before, "farms": {s: list(f) for s, f in moment.record_before["farms"].items()}}
    if isinstance(moment.action, act.Farm):
        plain["farms"][SEATS[moment.actor]].append(act.segment_text(moment.action.segment))
    elif isinstance(moment.action, (act.Place, act.Open)):
        name = moment.game.text(moment.action).split()[1]
        plain["board"] = [*plain["board"], [*axial(moment.action.cell), name, moment.action.turn]]
    return plain


def _first_field(moment: Moment, state: Fields, ended: bool) -> Iterator[str]:
    """I21: a player's first field is next to one of his farms."""
    if isinstance(moment.action, act.Field) and len(state.fields[moment.actor]) == 1:
        node = segment_node(act.segment_text(moment.action.segment))
        if not any(other in state.farms[moment.actor] for other in state.graph[node]):
            yield f"{moment.game.text(moment.action)} is next to no farm of {SEATS[moment.actor]}"


def _even(moment: Moment, state: Fields, ended: bool) -> Iterator[str]:
    """I22: the numbers of fields differ by at most one until somebody is blocked."""
    if not any(state.blocked) and abs(len(state.fields[0]) - len(state.fields[1])) > 1:
        yield f"{len(state.fields[0])} and {len(state.fields[1])} fields, and nobody was blocked"
    state.blocked = [not state.can(seat) for seat in (0, 1)]


def _blocked(moment: Moment, state: Fields, ended: bool) -> Iterator[str]:
    """I23: who can place no field stays so for the round (theorem T2, F-G13)."""
    now = [not state.can(seat) for seat in (0, 1)]
    for seat in (0, 1):
        if state.blocked[seat] and not now[seat]:
            yield f"{SEATS[seat]} was blocked and is not any more"
    state.blocked = now


def _all_filled(moment: Moment, state: Fields, ended: bool) -> Iterator[str]:
    """I25: unless supplies ran out, fields fill every area that holds a farm (theorem T1, F-G12)."""
    if ended and max(len(fields) for fields in state.fields) < 20:
        placed, due = sum(len(fields) for fields in state.fields), state.open_sum()
        if placed != due:
            yield f"{placed} fields where areas with farms have room for {due}"


def _nobody_can(moment: Moment, state: Fields, ended: bool) -> Iterator[str]:
    """I26: when a round ends nobody can place another field."""
    if ended:
        yield from (f"{SEATS[seat]} could still place a field" for seat in (0, 1) if state.can(seat))


def _points(moment: Moment, state: Fields, ended: bool) -> Iterator[str]:
    """I27: a round's points are the fields placed in it."""
    if ended and tuple(moment.after.points[-1]) != (len(state.fields[0]), len(state.fields[1])):
        yield f"points {moment.after.points[-1]} for {len(state.fields[0])} and {len(state.fields[1])} fields"


def unseen_order(game: AnyGame) -> Watch:
    """I32: what a player sees of the pile is which tiles are in it, listed as the pack lists them."""

    def watch(moment: Moment) -> Complaints:
        ids = [tile.id for tile in game.pack.tiles]  # type: ignore[attr-defined]
        for seat in (0, 1):
            view = game.observe(moment.after, seat)
            if [ids.index(tile) for tile in view["pile"]] != sorted(ids.index(tile) for tile in view["pile"]):
                yield f"the pile in the view of {SEATS[seat]} has an order"

    return watch


Claims = tuple[tuple[Callable[..., Iterator[str]], dict[str, tuple[str, ...]]], ...]

LOGGED: Claims = (
    (_growing, {}), (_touching, {}), (_staying, {}), (_landing, {"R_LAND": ("component", "tile")}), (_turns, {}),
    (_owners, {}), (_seasons, {}), (_still, {}), (_out, {}), (_length, {}),
    (_unplayable, {"R_PLAYABLE": ("objective",), "R_DRAWN": ("must",)}), (_losers, {}),
)  # fmt: skip
_TILE: dict[str, tuple[str, ...]] = {"R_SEGMENT": ("per_tile",)}
LANDED: Claims = (
    (_first_field, _TILE), (_even, _TILE), (_blocked, _TILE),
    (_all_filled, _TILE | {"R_MULTI": ("segment",), "R_BLOCKED": ("skip",)}),
    (_nobody_can, _TILE | {"R_BLOCKED": ("skip",)}), (_points, _TILE),
)  # fmt: skip


_FROM_START = (_growing, _owners, _length)
"""These need the log of the whole round; the others can join at any step."""


def _check(function: Callable[..., Any], watch: Callable[[AnyGame], Watch], holds: dict[str, tuple[str, ...]]) -> Check:
    name, _, title = (function.__doc__ or "").partition(": ")
    start = function in _FROM_START
    return Check(name, title.partition("\n")[0].rstrip("."), watch, history=True, from_start=start, holds=holds)


CHECKS: tuple[Check, ...] = (
    *(_check(function, logged(function), dict(holds)) for function, holds in LOGGED),
    _check(drowned, drowned, {}),
    *(_check(function, landed(function), dict(holds)) for function, holds in LANDED),
    Check("I32", (unseen_order.__doc__ or "").partition(": ")[2].rstrip("."), unseen_order, every=25),
)
