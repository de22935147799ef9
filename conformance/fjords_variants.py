"""Faulty variants of Fjords made by hand: mistakes that a change of one token in a rule does not make.

Each class plays Fjords but for one thing, which its docstring tells.  They stand here to be caught.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from msgspec.structs import replace

from lawspeaker.model.core.contract import Result
from lawspeaker.model.core.hexgrid import STEPS, axial
from lawspeaker.model.fjords import actions as act
from lawspeaker.model.fjords.actions import Action, Farm, Field, Open, Place
from lawspeaker.model.fjords.game import FjordsGame, Spot
from lawspeaker.model.fjords.position import Position, bits
from lawspeaker.model.fjords.tables import Tables

from . import messages as m
from .session import Session

# -- placing tiles ----------------------------------------------------------------------------------


class FarmBeside(FjordsGame):
    """A farm may also go on a tile beside the one just placed."""

    def farm_segments(self, position: Position) -> list[int]:
        """Add the segments of one laid neighbour."""
        found = super().farm_segments(position)
        taken = position.farms[0] + position.farms[1]
        for step in STEPS if found else ():
            at = bisect_left(position.board, (position.last + step,))
            if at < len(position.board) and position.board[at][0] == position.last + step:
                tile = self.tables.tiles[position.board[at][1]]
                if not tile.start and tile.segments:
                    key = act.segment_key(position.last + step, 0)
                    return sorted({*found, key} - set(taken))
        return found


class OneTurn(FjordsGame):
    """Of the turns in which a tile fits a cell only the first is offered."""

    def places(self, position: Position, tile: int) -> tuple[Spot, ...]:
        """Keep one turn for each cell."""
        first: dict[int, int] = {}
        for place, turn in super().places(position, tile):
            first.setdefault(place, turn)
        return tuple(first.items())


class NoHoleFilled(FjordsGame):
    """A cell enclosed on all six sides is not offered."""

    def places(self, position: Position, tile: int) -> tuple[Spot, ...]:
        """Leave out cells with six neighbours."""
        laid = {p for p, _, _ in position.board}
        return tuple(s for s in super().places(position, tile) if not all(s[0] + step in laid for step in STEPS))


class SmallTable(FjordsGame):
    """The table ends four cells from the middle."""

    def places(self, position: Position, tile: int) -> tuple[Spot, ...]:
        """Leave out cells further away."""
        return tuple(spot for spot in super().places(position, tile) if _distance(*axial(spot[0])) <= 4)


def _distance(q: int, r: int) -> int:
    return max(abs(q), abs(r), abs(q + r))


class OpenAnywhere(FjordsGame):
    """Open tiles are checked for terrain and two sides, not for the landmass."""

    def open_places(self, position: Position) -> list[Action]:
        """Leave out the landmass rule on this way of placing."""
        found: list[Action] = []
        for tile in bits(position.open):
            for place, pattern in position.spots:
                facing = self.tables.facing(pattern)
                if self.tables.contacts(facing) >= 2:
                    turns = enumerate(self.tables.shown[tile])
                    found += [Open(tile, place, n) for n, shown in turns if self.law.terrains_match(shown, facing)]
        return found


class OpenOneSide(FjordsGame):
    """An open tile may touch one side only."""

    def open_places(self, position: Position) -> list[Action]:
        """Ask only for one contact on this way of placing, if nothing else is possible."""
        found = super().open_places(position)
        for tile in bits(position.open):
            for place, pattern in position.spots:
                facing = self.tables.facing(pattern)
                for turn in range(6):
                    parts = self.tables.parts[tile][turn]
                    if (
                        self.tables.contacts(facing) == 1
                        and self.law.terrains_match(self.tables.shown[tile][turn], facing)
                        and self.law.joins_landmass(parts, facing, self.tables.land)
                    ):
                        found.append(Open(tile, place, turn))
        return sorted(found, key=lambda a: (a.tile, a.cell, a.turn))  # type: ignore[union-attr]


class _OtherTables(FjordsGame):
    tables_kind: type[Tables] = Tables

    def __init__(self, catalogue: Any, pack: Any, rulings: Any, law: Any) -> None:
        super().__init__(catalogue, pack, rulings, law)
        self.tables = self.tables_kind(pack, rulings, law)


class _Forgetful(Tables):
    def spots_after(
        self, spots: tuple[tuple[int, int], ...], laid: set[int], place: int, tile: int, turn: int
    ) -> tuple[tuple[int, int], ...]:
        right, old = dict(super().spots_after(spots, laid, place, tile, turn)), dict(spots)
        beside = place + STEPS[5]
        if beside in right and beside in old:
            right[beside] = old[beside]
        return tuple(sorted(right.items()))


class StaleSpot(_OtherTables):
    """What the south-eastern neighbour of a new tile faces is not brought up to date."""

    tables_kind = _Forgetful


class _Twisted(Tables):
    def _face(self, patterns: dict[int, int], laid: set[int], place: int, border: tuple[int, ...]) -> None:
        steps = (STEPS[1], STEPS[0], *STEPS[2:])
        for side, step in enumerate(steps):
            if place + step not in laid:
                pattern = patterns.get(place + step, 0)
                for slot in range(side * self.slots, (side + 1) * self.slots):
                    pattern |= border[slot] << 2 * self.faces[slot][1]
                patterns[place + step] = pattern


class TwistedSteps(_OtherTables):
    """Two of the six directions are taken for each other."""

    tables_kind = _Twisted


class StaleFlag(FjordsGame):
    """That a tile was set aside is remembered into the other player's turn."""

    def _next_turn(self, position: Position) -> Position:
        return replace(super()._next_turn(position), set_aside=position.set_aside)


class OpenStays(FjordsGame):
    """A tile placed from the open choices stays among them."""

    def _open(self, position: Position, action: Open) -> Position:
        after = super()._open(position, action)
        return replace(after, open=after.open | 1 << action.tile) if after.phase == "farm" else after


class AsideToPile(FjordsGame):
    """A tile that is set aside goes back under the pile."""

    def _lay_aside(self, position: Position) -> Position:
        after = super()._lay_aside(position)
        tile = 1 << position.drawn
        return replace(after, open=after.open & ~tile, pile=after.pile | tile) if after.phase == "choose" else after


class NoFarmAfterOpen(FjordsGame):
    """After a tile from the open choices no farm may follow."""

    def _open(self, position: Position, action: Open) -> Position:
        after = super()._open(position, action)
        return self._turn_over(after) if after.phase == "farm" else after


class AutoFarm(FjordsGame):
    """Where only one farm is possible it is placed without asking."""

    def _place(self, position: Position, action: Place) -> Position:
        after = super()._place(position, action)
        if after.phase != "farm":
            return after
        farms = self.farm_segments(after)
        return self._farm(after, Farm(farms[0])) if len(farms) == 1 and position.farms[position.seat] else after


class FarmToOther(FjordsGame):
    """A farm on a tile from the open choices becomes the opponent's."""

    def _farm(self, position: Position, action: Farm) -> Position:
        if position.from_pile:
            return super()._farm(position, action)
        turned = super()._farm(replace(position, farms=(position.farms[1], position.farms[0])), action)
        return turned if turned.phase != "choose" else replace(turned, farms=(turned.farms[1], turned.farms[0]))


class EndsWhenAsked(FjordsGame):
    """The end of discovery is noticed after a drawn tile only, not after an open one."""

    def _turn_over(self, position: Position) -> Position:
        if not position.from_pile and position.open and self.open_places(position):
            return self._next_turn(position)
        return super()._turn_over(position)


# -- land taking, rounds, scores --------------------------------------------------------------------


class AcrossTile(FjordsGame):
    """Two segments of one tile count as adjacent."""

    def with_ground(self, position: Position) -> Position:
        """Join the segments of each tile."""
        right = super().with_ground(position)
        keys, cells = right.ground.keys, act.SEGMENTS_PER_CELL
        mates = [sum(1 << o for o, k in enumerate(keys) if k // cells == key // cells and k != key) for key in keys]
        ground = replace(right.ground, near=tuple(n | mate for n, mate in zip(right.ground.near, mates, strict=True)))
        near = list(right.near)
        for seat in (0, 1):
            for key in right.farms[seat]:
                near[seat] |= mates[ground.place(key)]
        return replace(right, ground=ground, near=(near[0], near[1]))


class OneWay(FjordsGame):
    """Adjacency of segments is stored for one of the two tiles only."""

    def with_ground(self, position: Position) -> Position:
        """Cut each pair from the side of its second segment, but for what farms reach."""
        right = super().with_ground(position)
        near = tuple(mask & ~((1 << n) - 1) for n, mask in enumerate(right.ground.near))
        return replace(right, ground=replace(right.ground, near=near))


class StaleReach(FjordsGame):
    """What a new field reaches is not added while the player has a farm left to grow from."""

    def _field(self, position: Position, action: Field) -> Position:
        after = super()._field(position, action)
        if after.phase != "land" or position.fields[position.seat]:
            return after
        near = list(after.near)
        near[position.seat] = position.near[position.seat]
        return replace(after, near=(near[0], near[1]))


class NoStockForB(FjordsGame):
    """The stock of fields is tested for seat A only."""

    def field_mask(self, position: Position, seat: int) -> int:
        """Leave out the test for B."""
        limit, self.field_limit = self.field_limit, self.field_limit if seat == 0 else 10_000
        try:
            return super().field_mask(position, seat)
        finally:
            self.field_limit = limit


class FieldsKept(FjordsGame):
    """Fields of earlier rounds are not given back: from round 3 on the stock is what round 1 left, and ten."""

    def field_mask(self, position: Position, seat: int) -> int:
        """Test a smaller stock."""
        left = 30 - position.points[0][seat] if position.round == 3 else 10_000
        return super().field_mask(position, seat) if position.fields[seat].bit_count() < left else 0


class TwiceOnTile(FjordsGame):
    """Two own fields on one tile count as three."""

    def _end_round(self, position: Position) -> Position:
        after = super()._end_round(position)
        extra = [0, 0]
        for seat in (0, 1):
            cells = [position.ground.keys[n] // act.SEGMENTS_PER_CELL for n in bits(position.fields[seat])]
            extra[seat] = len(cells) - len(set(cells))
        a, b = after.points[-1]
        return replace(after, points=(*after.points[:-1], (a + extra[0], b + extra[1])))


class CountedTwice(FjordsGame):
    """A round that ends by the move of the second player is entered twice for its last field."""

    def _end_round(self, position: Position) -> Position:
        after = super()._end_round(position)
        if position.seat != 1 or not any(position.fields):
            return after
        a, b = after.points[-1]
        return replace(after, points=(*after.points[:-1], (a, b + 1)))


class EndsWhenDecided(FjordsGame):
    """The game is over after two rounds if one player won both."""

    def _end_round(self, position: Position) -> Position:
        after = super()._end_round(position)
        pairs = after.points
        both = len(pairs) == 2 and (all(a > b for a, b in pairs) or all(a < b for a, b in pairs))
        if not both:
            return after
        return replace(position, phase="over", seat=-1, points=pairs)


class BlockedEnds(FjordsGame):
    """Land taking ends when the first player is blocked, but not when the second is."""

    def _settle(self, position: Position) -> Position:
        if any(position.fields) and not self.field_mask(position, 0):
            return self._end_round(position)
        return super()._settle(position)


class FirstSeatStarts(FjordsGame):
    """Seat A starts every round but the first."""

    def _begin_round(self, number: int, starter: int, points: Any, left_open: int) -> Position:
        return super()._begin_round(number, 0 if number > 1 and starter >= 0 else starter, points, left_open)


class FirstFieldStarts(FjordsGame):
    """Who opened land taking starts the next round, whoever lost."""

    def _end_round(self, position: Position) -> Position:
        after = super()._end_round(position)
        return after if after.phase != "choose" else replace(after, starter=position.first, seat=position.first)


class WinnerTakes(FjordsGame):
    """Totals count only the rounds a player won."""

    def result(self, position: Position) -> Result:
        """Leave out points of lost rounds."""
        return super().result(replace(position, points=tuple((a * (a > b), b * (b > a)) for a, b in position.points)))


class AsksAlways(FjordsGame):
    """The opponent may object also where every place is seen."""

    def _deal(self, position: Position, action: act.Deal) -> Position:
        after = super()._deal(position, action)
        return replace(after, phase="window") if not after.pile and self.places(after, after.drawn) else after


class StarterByTotals(FjordsGame):
    """Who starts the next round is read off the totals so far, this round among them, not off this round."""

    def _end_round(self, position: Position) -> Position:
        after = super()._end_round(position)
        totals = [sum(pair[seat] for pair in after.points) for seat in (0, 1)]
        if after.phase != "choose" or totals[0] == totals[1]:
            return after
        loser = 1 if totals[0] > totals[1] else 0
        return replace(after, starter=loser, seat=loser)


class StarterZero(FjordsGame):
    """Seat A as starter is taken for no starter."""

    def _begin_round(self, number: int, starter: int, points: Any, left_open: int) -> Position:
        after = super()._begin_round(number, starter, points, left_open)
        return replace(after, phase="choose" if starter > 0 else "start", starter=starter or -1, seat=starter or -1)


# -- views --------------------------------------------------------------------------------------------


class ShowsNext(FjordsGame):
    """The view names the tile that lies on top of the pile."""

    def observe(self, position: Position, seat: int) -> dict[str, Any]:
        """Add what nobody may see."""
        top = self.tables.ids[min(bits(position.pile))] if position.pile else None
        return {**super().observe(position, seat), "next": top}


class PileInOrder(FjordsGame):
    """The view lists the pile in the order in which it will be drawn."""

    def observe(self, position: Position, seat: int) -> dict[str, Any]:
        """Shuffle the list the way the pile lies (here: backwards)."""
        view = super().observe(position, seat)
        return {**view, "pile": view["pile"][::-1]}


class OwnFarmsLost(FjordsGame):
    """The view of seat B lacks its own farms."""

    def observe(self, position: Position, seat: int) -> dict[str, Any]:
        """Leave out own information."""
        view = super().observe(position, seat)
        return {**view, "farms": {**view["farms"], "B": []}} if seat == 1 else view


class WrongYou(FjordsGame):
    """In land taking the view calls the player on turn ``you``, whoever looks."""

    def observe(self, position: Position, seat: int) -> dict[str, Any]:
        """Name the wrong seat."""
        return super().observe(position, position.seat if position.phase == "land" else seat)


class Canary(FjordsGame):
    """The canary: the last legal action is never offered.  It must be caught in every run."""

    def legal(self, position: Position) -> tuple[Action, ...]:
        """Leave out the last of several."""
        right = super().legal(position)
        return right[:-1] if len(right) > 1 else right


# -- what lies around the game: lists, undo, saved games, chance ------------------------------------------


class ListsStop(Session):
    """The list offers to stop while tiles are left; the executor refuses it."""

    def _shown_legal(self, actor: int) -> tuple[str, ...]:
        shown = super()._shown_legal(actor)
        return (*shown, "stop") if "draw" in shown and "stop" not in shown else shown


class ListsTwice(Session):
    """An action that leads to the same picture from two ways stands in the list twice."""

    def _shown_legal(self, actor: int) -> tuple[str, ...]:
        shown = super()._shown_legal(actor)
        return (*shown, shown[0]) if len(shown) > 20 else shown


class AcceptsAside(Session):
    """The executor takes ``aside`` for a tile that has a place; the list does not offer it."""

    def _refuse_action(self, text: str | None) -> m.Report:
        if text == "aside" and self.position.phase == "drawn":
            self._push(self.game.apply(self.position, act.ASIDE))
            return self._report(("legal", "digest", "result"))
        return super()._refuse_action(text)


class ListsAtEnd(Session):
    """When the game is over the list still has the last field."""

    def _shown_legal(self, actor: int) -> tuple[str, ...]:
        shown = super()._shown_legal(actor)
        return shown if actor != -2 else ("field 0,0/0",)


class UndoKeepsOpen(Session):
    """Taking back leaves the open choices as they were after."""

    def _undo(self, message: m.Undo) -> m.Report:
        later = self.position
        super()._undo(m.Undo(message.count, ()))
        self.history[-1] = replace(self.history[-1], open=later.open, pile=self.history[-1].pile & ~later.open)
        return self._report(message.want)


class UndoOneOnly(Session):
    """Taking back several steps forgets who is on turn."""

    def _undo(self, message: m.Undo) -> m.Report:
        super()._undo(m.Undo(message.count, ()))
        if message.count > 2 and self.position.phase == "land":
            self.history[-1] = replace(self.position, seat=1 - self.position.seat)
        return self._report(message.want)


class SaveLosesFlag(Session):
    """A saved game does not say that a tile was set aside this turn."""

    def _save(self, message: m.Save) -> m.SaveReply:
        self.history[-1], kept = replace(self.position, set_aside=False), self.position
        reply = super()._save(message)
        self.history[-1] = kept
        return reply


class SaveLosesOrigin(Session):
    """A saved game does not say whether the tile just placed came from the pile."""

    def _save(self, message: m.Save) -> m.SaveReply:
        self.history[-1], kept = replace(self.position, from_pile=False), self.position
        reply = super()._save(message)
        self.history[-1] = kept
        return reply


class OwnDice(Session):
    """An outcome of chance that is dictated is ignored; the first possible one is taken."""

    def _options_now(self) -> dict[str, Any]:
        right = super()._options_now()
        if self.game.actor(self.position) != -1:
            return right
        first = next(iter(right.values()))
        return dict.fromkeys(right, first)
