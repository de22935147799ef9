"""The game of Fjords: the contract's methods over the position, calling the law for every rule."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from msgspec.structs import replace

from lawspeaker.model.core.clauses import Catalogue
from lawspeaker.model.core.contract import CHANCE, OVER, Breach, Effect, Game, Result
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.law import Law
from lawspeaker.model.core.packs import Pack
from lawspeaker.model.core.rulings import Rulings

from . import actions as act
from . import alphabet, breaches, effects, invariants, policy, scoring
from .actions import SEATS, Action, Aside, Deal, Draw, Farm, Field, NoFarm, Object, Open, Place, Silent, Start, Stop
from .ground import NO_GROUND, areas_of, contacts_of, contested_of, ground_of
from .pack import FjordsPack
from .position import FIELDS, Position, bare_position, bits, check_record, exchanged, to_record
from .region import makes_hole, sealed
from .tables import Tables

Spot = tuple[int, int]


@cache
def _even(count: int) -> tuple[Fraction, ...]:
    return (Fraction(1, count),) * count


class FjordsGame(Game[Position, Action]):
    """Fjords for two, under a pack, a complete choice of rulings, and a law."""

    id = "fjords"
    seats = SEATS
    fields = FIELDS
    invariants = invariants.IDS

    def __init__(self, catalogue: Catalogue, pack: FjordsPack, rulings: Rulings, law: Law) -> None:
        self.catalogue, self.pack, self.rulings, self.law = catalogue, pack, rulings, law
        self.bare: breaches.Bare | None = None
        self.tables = Tables(pack, rulings, law)
        self.playable, self.drawn_ruling = rulings["R_PLAYABLE"], rulings["R_DRAWN"]
        self.last_open, self.blocked = rulings["R_LAST_OPEN"], rulings["R_BLOCKED"]
        self.order, self.segment, self.multi = rulings["R_ORDER"], rulings["R_SEGMENT"], rulings["R_MULTI"]
        self.field_limit: int = law.field_supply(rulings["R_SUPPLY"])
        self.whole_region = rulings["R_LAND"] == "closed" or not law.holes_allowed()
        self._texts: dict[Action, str] = {}
        self._deals = [(1 << t, Deal(t)) for t in range(len(self.tables.tiles))]
        self._moves: dict[type, Callable[..., Position]] = {
            Start: self._start, Draw: self._draw, Deal: self._deal, Place: self._place, Open: self._open,
            Aside: self._aside, Object: self._object, Silent: self._silent, Stop: self._stop,
            Farm: self._farm, NoFarm: self._no_farm, Field: self._field,
        }  # fmt: skip
        self._options: dict[str, Callable[[Position], tuple[Action, ...]]] = {
            "start": self._legal_start, "choose": self._legal_choose, "deal": self._legal_deal,
            "drawn": self._legal_drawn, "window": self._legal_window, "farm": self._legal_farm,
            "land": self._legal_land, "over": self._legal_over,
        }  # fmt: skip

    def varied(self, *, pack: Pack | None = None, rulings: Rulings | None = None, law: Law | None = None) -> FjordsGame:
        """Return the same game with another pack, choice of rulings, or law."""
        box = self.pack if pack is None else pack
        assert isinstance(box, FjordsPack)
        return type(self)(self.catalogue, box, rulings or self.rulings, law or self.law)

    # -- play ---------------------------------------------------------------------------------

    def start(self) -> Position:
        """Return the position before the first turn of the first round."""
        starter = -1 if self.rulings["R_FIRST"] == "chance" else 0
        return self._begin_round(1, starter, (), 0)

    def actor(self, position: Position) -> int:
        """Return who decides next; in a window it is the opponent of the player on turn."""
        phase = position.phase
        if phase in ("land", "choose", "drawn", "farm"):
            return position.seat
        if phase == "window":
            return 1 - position.seat
        return OVER if phase == "over" else CHANCE

    def legal(self, position: Position) -> tuple[Action, ...]:
        """Return all legal actions, sorted by kind, cell and turn."""
        return self._options[position.phase](position)

    def odds(self, position: Position) -> tuple[Fraction, ...]:
        """Return equal probabilities: a fair lot, a shuffled pile."""
        return _even(2 if position.phase == "start" else position.pile.bit_count())

    def apply(self, position: Position, action: Action) -> Position:
        """Return the position after a legal action, automatic steps included."""
        return self._moves[type(action)](position, action)

    # -- legal actions by phase ---------------------------------------------------------------

    def _legal_start(self, position: Position) -> tuple[Action, ...]:
        return Start(0), Start(1)

    def _legal_choose(self, position: Position) -> tuple[Action, ...]:
        pile_left = position.pile != 0
        found: list[Action] = []
        opens = self.open_places(position) if position.open else []
        if self.law.may_draw(pile_left, bool(opens)):
            found.append(act.DRAW)
        if opens and self.may_take_open(position):
            found += opens
        if not pile_left:
            found.append(act.STOP)
        return tuple(found)

    def _legal_deal(self, position: Position) -> tuple[Action, ...]:
        pile = position.pile
        return tuple([deal for bit, deal in self._deals if pile & bit])

    def _legal_drawn(self, position: Position) -> tuple[Action, ...]:
        tile = position.drawn
        places = self.places(position, tile)
        found: list[Action] = [Place(tile, place, turn) for place, turn in places]
        told = position.told and self.law.told_must_place()
        if (
            self.drawn_ruling == "switch"
            and places
            and not told
            and self.law.may_take_open(True, position.pile != 0, self.last_open)
        ):
            found += self.open_places(position)
        if self.law.may_set_aside(len(places), told, self.playable):
            found.append(act.ASIDE)
        return tuple(found)

    def _legal_window(self, position: Position) -> tuple[Action, ...]:
        places = self.places(position, position.drawn)
        return (*(Object(place, turn) for place, turn in places), act.SILENT)

    def _legal_farm(self, position: Position) -> tuple[Action, ...]:
        farms = [Farm(key) for key in self.farm_segments(position)]
        if farms and not self.law.may_decline_farm():
            return tuple(farms)
        return (*farms, act.NO_FARM)

    def _legal_land(self, position: Position) -> tuple[Action, ...]:
        actions = position.ground.actions
        mask = self.field_mask(position, position.seat)
        found = []
        while mask:
            low = mask & -mask
            found.append(actions[low.bit_length() - 1])
            mask ^= low
        return tuple(found)

    def _legal_over(self, position: Position) -> tuple[Action, ...]:
        return ()

    # -- what the rules allow here ---------------------------------------------------------------

    def places(self, position: Position, tile: int) -> tuple[Spot, ...]:
        """Return each legal (cell, turn) of a tile under rules 1 to 3, sorted (FD-TILE-01 to 07)."""
        found = self.tables.fitting_spots(tile, position.spots)
        if self.whole_region:
            found = [spot for spot in found if self.region_allows(position.board, tile, *spot)]
        chosen: tuple[Spot, ...] = self.law.free_choice(tuple(found))
        return chosen

    def region_allows(self, board: tuple[tuple[int, int, int], ...], tile: int, place: int, turn: int) -> bool:
        """Say whether the region as a whole allows a placement (R_LAND=closed, FD-TILE-09)."""
        if not self.law.holes_allowed() and makes_hole({p for p, _, _ in board}, place):
            return False
        if self.rulings["R_LAND"] != "closed":
            return True
        after = tuple(sorted((*board, (place, tile, turn))))
        return bool(self.law.no_landmass_sealed(*sealed(after, self.tables, place, self.rulings["R_HOLE"])))

    def open_places(self, position: Position) -> list[Action]:
        """Return every placement of an open tile that rules 1 to 3 allow, by tile, cell, turn."""
        hits = self.tables.fitting_tiles(position.open, position.spots)
        if not hits:
            return []
        return [Open(t, place, turn) for t in bits(hits) for place, turn in self.places(position, t)]

    def may_take_open(self, position: Position) -> bool:
        """Say whether the player on turn may place an open tile now (FD-OPEN-01, 04; R_LAST_OPEN)."""
        pile_left = position.pile != 0
        if self.law.may_take_open(position.set_aside, pile_left, self.last_open):
            return True
        return not pile_left and not self.law.discovery_over(False, True)

    def farm_segments(self, position: Position) -> list[int]:
        """Return the keys of the segments that may get a farm now (FD-FARM-01 to 06)."""
        law, seat = self.law, position.seat
        if not law.may_place_farm(law.farm_supply() - len(position.farms[seat])):
            return []
        board, tiles = position.board, self.tables.tiles
        taken = position.farms[0] + position.farms[1]
        found: list[int] = []
        for place in law.farm_cells(board, position.last):
            tile = tiles[board[bisect_left(board, (place,))][1]]
            if law.farmable(tile.start):
                keys = [act.segment_key(place, n) for n in range(law.farm_places(len(tile.segments)))]
                found += [key for key in keys if key not in taken] if taken else keys
        if found and self.multi == "tile":
            used = {key // act.SEGMENTS_PER_CELL for key in taken}
            found = [key for key in found if key // act.SEGMENTS_PER_CELL not in used]
        if found and self.segment == "area":
            found = self._free_areas(position, found)
        return found

    def _free_areas(self, position: Position, keys: list[int]) -> list[int]:
        areas = self.areas(position)
        used = {areas.get(key) for seat in (0, 1) for key in position.farms[seat]}
        full = self.full_cells(areas, used)
        return [
            key
            for key in keys
            if (key not in areas or areas[key] not in used) and key // act.SEGMENTS_PER_CELL not in full
        ]

    def full_cells(self, areas: dict[int, int], used: set[int | None]) -> set[int]:
        """Return the cells that can hold no more piece as an area there has one (R_SEGMENT=area, R_MULTI=tile)."""
        if self.multi != "tile":
            return set()
        return {key // act.SEGMENTS_PER_CELL for key, area in areas.items() if area in used}

    def areas(self, position: Position) -> dict[int, int]:
        """Return the farmland area of each segment by its least key (R_SEGMENT=area)."""
        return areas_of(contacts_of(position.board, self.tables))

    def field_mask(self, position: Position, seat: int) -> int:
        """Return the places where a seat may put a field now, as bits of the ground."""
        own = position.fields[seat]
        if own.bit_count() >= self.field_limit:
            return 0
        law = self.law
        reach = law.field_reach(position.near[seat], (1 << len(position.ground.keys)) - 1, own == 0)
        mask: int = law.field_places(reach, position.taken)
        if mask and self.order == "duty":
            mask = law.field_order(mask, self.contested(position), self.order)
        return mask

    def contested(self, position: Position) -> int:
        """Return the empty places that both seats can still reach, as bits (FD-FIELD-05 to 07).

        Nothing is contested once a seat has no fields left: it cannot place where the other has secured.
        """
        if any(own.bit_count() >= self.field_limit for own in position.fields):
            return 0
        return contested_of(position.ground, position.fields, self._farm_masks(position), position.taken)

    def _farm_masks(self, position: Position) -> tuple[int, int]:
        ground = position.ground
        one, two = (sum({1 << n for key in position.farms[seat] if (n := ground.place(key)) >= 0}) for seat in (0, 1))
        return one, two

    # -- applying: rounds and discovery --------------------------------------------------------

    def _begin_round(self, number: int, starter: int, points: tuple[tuple[int, int], ...], left_open: int) -> Position:
        pile = sum(1 << t for t in self.law.tiles_for_round(self.tables.pile, bits(left_open)))
        opening = self.tables.opening
        return Position(
            round=number, phase="choose" if starter >= 0 else "start", starter=starter, seat=starter,
            pile=pile, open=0, drawn=-1, set_aside=False, told=False, board=opening,
            spots=self.tables.spots_of(opening), last=-1, from_pile=False, farms=((), ()), placer=-1,
            first=-1, ground=NO_GROUND, fields=(0, 0), taken=0, near=(0, 0), points=points,
        )  # fmt: skip

    def _start(self, position: Position, action: Start) -> Position:
        return replace(position, phase="choose", starter=action.seat, seat=action.seat)

    def _draw(self, position: Position, action: Draw) -> Position:
        return replace(position, phase="deal")

    def _deal(self, position: Position, action: Deal) -> Position:
        return replace(position, phase="drawn", pile=position.pile & ~(1 << action.tile), drawn=action.tile)

    def _aside(self, position: Position, action: Aside) -> Position:
        asks = self.playable == "subjective" and not position.told
        if asks and self.law.may_object(len(self.places(position, position.drawn))):
            return replace(position, phase="window")
        return self._lay_aside(position)

    def _object(self, position: Position, action: Object) -> Position:
        return replace(position, phase="drawn", told=True)

    def _silent(self, position: Position, action: Silent) -> Position:
        return self._lay_aside(position)

    def _lay_aside(self, position: Position) -> Position:
        after = replace(
            position, phase="choose", open=position.open | 1 << position.drawn, drawn=-1, set_aside=True, told=False
        )
        if after.pile and self.law.draws_again():
            return after
        if after.pile:
            return self._next_turn(after)
        playable = bool(self.open_places(after))
        if playable and self.may_take_open(after):
            return after
        return self._end_discovery(after, placed_drawn=False, placed_open=False)

    def _stop(self, position: Position, action: Stop) -> Position:
        return self._end_discovery(position, placed_drawn=False, placed_open=False)

    def _place(self, position: Position, action: Place) -> Position:
        return self._lay(position, action.tile, action.cell, action.turn, position.open, True)

    def _open(self, position: Position, action: Open) -> Position:
        left = position.open & ~(1 << action.tile)
        if position.drawn >= 0:  # R_DRAWN=switch: the drawn tile goes aside instead
            left |= 1 << position.drawn
            position = replace(position, set_aside=True)
        return self._lay(position, action.tile, action.cell, action.turn, left, False)

    def _lay(self, position: Position, tile: int, place: int, turn: int, left_open: int, from_pile: bool) -> Position:
        board = list(position.board)
        insort(board, (place, tile, turn))
        laid = {p for p, _, _ in board}
        after = replace(
            position, phase="farm", open=left_open, drawn=-1, told=False, board=tuple(board),
            spots=self.tables.spots_after(position.spots, laid, place, tile, turn),
            last=place, from_pile=from_pile, placer=position.seat,
        )  # fmt: skip
        return after if self.farm_segments(after) else self._turn_over(after)

    def _farm(self, position: Position, action: Farm) -> Position:
        seat = position.seat
        own = tuple(sorted((*position.farms[seat], action.segment)))
        farms = (own, position.farms[1]) if seat == 0 else (position.farms[0], own)
        return self._turn_over(replace(position, farms=farms))

    def _no_farm(self, position: Position, action: NoFarm) -> Position:
        return self._turn_over(position)

    def _turn_over(self, position: Position) -> Position:
        if not position.pile:
            playable = bool(position.open) and bool(self.open_places(position))
            if self.law.discovery_over(False, playable):
                return self._end_discovery(
                    position, placed_drawn=position.from_pile, placed_open=not position.from_pile
                )
        return self._next_turn(position)

    def _next_turn(self, position: Position) -> Position:
        seat = position.seat
        if self.law.one_tile_a_turn() or position.last < 0:
            seat = self.law.next_player(seat)
        return replace(
            position, phase="choose", seat=seat, drawn=-1, set_aside=False, told=False, last=-1, from_pile=False
        )

    # -- applying: land taking and the end -----------------------------------------------------

    def _end_discovery(self, position: Position, *, placed_drawn: bool, placed_open: bool) -> Position:
        first = self.law.first_field(position.seat, placed_drawn, placed_open, self.last_open)
        position = replace(
            position, phase="land", seat=first, first=first, drawn=-1, set_aside=False, told=False, last=-1,
            from_pile=False,
        )  # fmt: skip
        if not self.law.has_land_taking():
            return self._end_round(position)
        return self._settle(self.with_ground(position))

    def with_ground(self, position: Position) -> Position:
        """Return the position with its ground, and with what farms take and reach on it."""
        ground = ground_of(position.board, self.tables, self.segment, self.multi)
        with_it = replace(position, ground=ground)
        farms = self._farm_masks(with_it)
        taken, near = 0, [0, 0]
        for seat in (0, 1):
            for n in bits(farms[seat] | position.fields[seat]):
                taken |= ground.closes[n]
                near[seat] |= ground.near[n]
        return replace(with_it, taken=taken, near=(near[0], near[1]))

    def _field(self, position: Position, action: Field) -> Position:
        ground, seat = position.ground, position.seat
        n = ground.numbered(action.segment)
        (mine, yours), (near, other_near) = position.fields, position.near
        if seat == 0:
            fields, reach = (mine | 1 << n, yours), (near | ground.near[n], other_near)
        else:
            fields, reach = (mine, yours | 1 << n), (near, other_near | ground.near[n])
        return self._settle(
            replace(
                position,
                fields=fields,
                near=reach,
                taken=position.taken | ground.closes[n],
                seat=self.law.next_field_player(seat),
            )
        )

    def _settle(self, position: Position) -> Position:
        """Skip a blocked player, or end the round (FD-FIELD-07, FD-FIELD-08, R_BLOCKED)."""
        seat = position.seat
        can = (bool(self.field_mask(position, 0)), bool(self.field_mask(position, 1)))
        if not any(can) or self.law.land_taking_over(can, seat, self.blocked, lambda: bool(self.contested(position))):
            return self._end_round(position)
        return position if can[seat] else replace(position, seat=1 - seat)

    def _end_round(self, position: Position) -> Position:
        counts = (position.fields[0].bit_count(), position.fields[1].bit_count())
        pair = tuple(self.law.round_points(counts[s], len(position.farms[s])) for s in (0, 1))
        points = (*position.points, (pair[0], pair[1]))
        if position.round >= self.law.rounds():
            return replace(position, phase="over", seat=-1, points=points)
        winner = self.law.round_winner(counts)
        starter = self.law.next_starter(winner) if winner is not None else self.starter_after_tie(position)
        return self._begin_round(position.round + 1, starter, points, position.open)

    def starter_after_tie(self, position: Position) -> int:
        """Return who starts after a tied round (R_TIED_ROUND), -1 for a lot; the book names only a loser."""
        ruling = self.rulings["R_TIED_ROUND"]
        if ruling == "chance":
            return -1
        return position.starter if ruling == "same" else 1 - position.starter

    # -- the rest of the contract, told elsewhere ----------------------------------------------

    def breaches(self, position: Position, action: Action, by: int | None = None) -> tuple[Breach, ...]:
        """Return each clause the action would break; empty exactly for legal actions."""
        return breaches.breaches(self, position, action, by)

    def effects(self, position: Position, action: Action) -> tuple[Effect, ...]:
        """Return the clauses at work in a legal action, with their worked facts."""
        return effects.effects(self, position, action)

    def touched(self, position: Position, action: Action, after: Position) -> tuple[str, ...]:
        """Return the ids of ``effects``, fast."""
        return effects.touched(self, position, action, after)

    def alphabet(self, position: Position) -> Iterable[Action]:
        """Yield every action somebody could try: each tile in reach, cell, turn and segment."""
        return alphabet.alphabet(self, position)

    def observe(self, position: Position, seat: int) -> dict[str, Any]:
        """Return the record with ``you``: only the order of the pile is hidden, and no position has one."""
        return {"you": SEATS[seat], **self.record(position)}

    def permuted(self, position: Position, order: Sequence[int]) -> Position | None:
        """Return the position with both seats exchanged: once it has begun nothing in the rules tells them apart."""
        return exchanged(position) if tuple(order) == (1, 0) else position

    def permuted_action(self, action: Action, order: Sequence[int]) -> Action:
        """Return the action; only a lot names a seat."""
        return act.Start(order[action.seat]) if isinstance(action, act.Start) else action

    def result(self, position: Position) -> Result:
        """Return points with their breakdown, and the winners once the game is over."""
        return scoring.result(self, position)

    def appeal(self, view: Mapping[str, Any], actions: Sequence[Action]) -> Sequence[float]:
        """Return how good each action looks from a view."""
        return policy.appeal(self, view, actions)

    def text(self, action: Action) -> str:
        """Return the action's canonical text."""
        known = self._texts.get(action)
        if known is None:
            known = self._texts[action] = act.text(action, self.tables.ids)
        return known

    def parse(self, text: str) -> Action:
        """Read an action's canonical text; raises BadInput."""
        return act.parse(text, self.tables.numbers)

    def kind(self, action: Action) -> str:
        """Return the action's kind."""
        return act.kind(action)

    def sees(self, position: Position, action: Action) -> tuple[int, ...]:
        """Return both seats: lots, drawn tiles and all that a player does lie open."""
        return 0, 1

    def record(self, position: Position) -> dict[str, Any]:
        """Return the position as plain JSON values."""
        return to_record(position, self.tables.ids)

    def position(self, record: Mapping[str, Any]) -> Position:
        """Read a record; raises BadInput with the path of a malformed field."""
        checked = check_record(record)
        position, field_keys = bare_position(checked, self.tables.numbers)
        position = replace(position, spots=self.tables.spots_of(position.board))
        if position.phase not in ("land", "over"):
            if any(field_keys):
                raise BadInput("fields before land taking", where="position $.fields", hint="empty lists")
            return position
        ground = ground_of(position.board, self.tables, self.segment, self.multi)
        masks = []
        for seat, keys in zip(SEATS, field_keys, strict=True):
            for key in keys:
                if ground.numbered(key) < 0:
                    raise BadInput(
                        f"no farmland segment {act.segment_text(key)}", where=f"position $.fields.{seat}",
                        hint="segments are named cell/number; under R_SEGMENT=area by the least of the area",
                    )  # fmt: skip
            masks.append(sum(1 << ground.numbered(key) for key in keys))
        return self.with_ground(replace(position, fields=(masks[0], masks[1])))

    def broken_invariants(self, position: Position) -> tuple[Breach, ...]:
        """Return the invariants this position breaks; empty for a valid one."""
        return invariants.broken(self, position)
