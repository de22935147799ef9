"""What a pack, rulings and law give once and for all: tiles ready for play, and remembered fits.

Whether a tile fits a place depends only on the terrain that its cell faces (its *pattern*), so each
answer of the law is remembered by pattern.  The memory changes speed, never an answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from lawspeaker.model.core.hexgrid import STEPS, cell
from lawspeaker.model.core.law import Law
from lawspeaker.model.core.rulings import Rulings

from .pack import FjordsPack, facing_slot, tiles_of, turned, turned_parts
from .rules import terrains_match

Laid = tuple[int, int, int]


class Tables:
    """Precomputed data of one game; nothing in it changes but the memory of fits."""

    def __init__(self, pack: FjordsPack, rulings: Rulings, law: Law) -> None:
        self.law, self.slots = law, pack.slots
        self.two, self.land = rulings["R_TWO"], rulings["R_LAND"]
        self.tiles = tiles_of(pack)
        self.ids = tuple(tile.id for tile in self.tiles)
        self.numbers = {tile: n for n, tile in enumerate(self.ids)}
        self.shown = tuple(tuple(turned(t, turn, pack.slots) for turn in range(6)) for t in self.tiles)
        self.parts = tuple(tuple(turned_parts(t.land, turn, pack.slots) for turn in range(6)) for t in self.tiles)
        starts = tuple(
            sorted((cell(a.q, a.r), self.numbers[a.tile], a.turn) for a in pack.arrangement(rulings["R_START"]).tiles)
        )
        self.opening: tuple[Laid, ...] = law.opening(starts)
        self.pile = tuple(t.number for t in self.tiles if not t.start)
        self.faces = tuple(facing_slot(slot, pack.slots) for slot in range(6 * pack.slots))
        self.segments = tuple(
            tuple(turned_parts(t.segments, turn, pack.slots) for turn in range(6)) for t in self.tiles
        )
        self.owners = tuple(tuple(self._owner(parts) for parts in turns) for turns in self.segments)
        self.meets = tuple(tuple(bool(law.farmland_meets(a, b)) for b in range(4)) for a in range(4))
        self._showing = self._showing_sets()
        self._fits: dict[int, dict[int, tuple[int, ...]]] = {}
        self._masks: dict[int, int] = {}

    def _owner(self, parts: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
        """Return for each slot the number of the segment that reaches it, or -1."""
        found = [-1] * len(self.faces)
        for number, part in enumerate(parts):
            for slot in part:
                found[slot] = number
        return tuple(found)

    def facing(self, pattern: int) -> tuple[int, ...]:
        """Return the terrain faced at each slot of a cell: 0 where nothing lies."""
        return tuple(pattern >> 2 * slot & 3 for slot in range(len(self.faces)))

    def contacts(self, facing: tuple[int, ...]) -> int:
        """Return how many sides of the cell touch a laid tile."""
        return sum(1 for side in range(6) if facing[side * self.slots])

    def fits(self, tile: int, pattern: int) -> tuple[int, ...]:
        """Return the turns in which a tile may lie on a cell, as far as the cell's own sides tell."""
        by_tile = self._fits.get(pattern)
        if by_tile is None:
            by_tile = self._judge(pattern)
        return by_tile.get(tile, ())

    def fitting(self, pattern: int) -> int:
        """Return the tiles that fit a cell in some turn, as bits."""
        mask = self._masks.get(pattern)
        if mask is None:
            self._judge(pattern)
            mask = self._masks[pattern]
        return mask

    def _judge(self, pattern: int) -> dict[int, tuple[int, ...]]:
        """Ask the law about every tile and turn on a cell that faces *pattern*, and remember."""
        facing, law = self.facing(pattern), self.law
        found: dict[int, list[int]] = {}
        if law.touches_two(self.contacts(facing), self.two):
            for tile, turn in self._matching(facing):
                if law.joins_landmass(self.parts[tile][turn], facing, self.land) and law.areas_allowed(
                    self.shown[tile][turn], facing
                ):
                    found.setdefault(tile, []).append(turn)
        self._masks[pattern] = sum(1 << tile for tile in found)
        self._fits[pattern] = fits = {tile: tuple(turns) for tile, turns in found.items()}
        return fits

    def _matching(self, facing: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        """Yield each tile and turn whose terrain agrees with the faced one, by tile and turn.

        The unvaried rule is asked by intersecting bit sets, which a property compares with asking it
        tile by tile; a varied one is asked itself.
        """
        if self.law.terrains_match is not terrains_match:
            for tile, turns in enumerate(self.shown):
                yield from ((tile, turn) for turn in range(6) if self.law.terrains_match(turns[turn], facing))
            return
        mask = (1 << 6 * len(self.tiles)) - 1
        for slot, terrain in enumerate(facing):
            if terrain:
                mask &= self._showing[slot][terrain]
        while mask:
            low = mask & -mask
            yield divmod(low.bit_length() - 1, 6)
            mask ^= low

    def _showing_sets(self) -> tuple[tuple[int, ...], ...]:
        """Return for each slot and terrain the (tile, turn) pairs that show it there, as bits."""
        sets = [[0, 0, 0, 0] for _ in self.faces]
        for tile, turns in enumerate(self.shown):
            for turn, border in enumerate(turns):
                for slot, terrain in enumerate(border):
                    sets[slot][terrain] |= 1 << 6 * tile + turn
        return tuple(tuple(one) for one in sets)

    def spots_of(self, board: tuple[Laid, ...]) -> tuple[tuple[int, int], ...]:
        """Return the empty cells beside the region with their patterns, sorted by cell."""
        laid = {place for place, _, _ in board}
        patterns: dict[int, int] = {}
        for place, tile, turn in board:
            self._face(patterns, laid, place, self.shown[tile][turn])
        return tuple(sorted(patterns.items()))

    def spots_after(
        self, spots: tuple[tuple[int, int], ...], laid: set[int], place: int, tile: int, turn: int
    ) -> tuple[tuple[int, int], ...]:
        """Return the spots after a tile was laid; *laid* are the cells of the region with it."""
        patterns = dict(spots)
        patterns.pop(place, None)
        self._face(patterns, laid, place, self.shown[tile][turn])
        return tuple(sorted(patterns.items()))

    def fitting_spots(self, tile: int, spots: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
        """Return each (cell, turn) of *spots* where a tile may lie, sorted as the spots are."""
        masks, bit = self._masks, 1 << tile
        found = []
        for place, pattern in spots:
            mask = masks.get(pattern)
            if (self.fitting(pattern) if mask is None else mask) & bit:
                found += [(place, turn) for turn in self._fits[pattern][tile]]
        return found

    def fitting_tiles(self, tiles: int, spots: tuple[tuple[int, int], ...]) -> int:
        """Return which of *tiles* (bits) fit on some of *spots*."""
        masks, found = self._masks, 0
        for _, pattern in spots:
            mask = masks.get(pattern)
            found |= self.fitting(pattern) if mask is None else mask
        return found & tiles

    def _face(self, patterns: dict[int, int], laid: set[int], place: int, border: tuple[int, ...]) -> None:
        slots = self.slots
        for side in range(6):
            beyond = place + STEPS[side]
            if beyond in laid:
                continue
            pattern = patterns.get(beyond, 0)
            for slot in range(side * slots, side * slots + slots):
                pattern |= border[slot] << 2 * self.faces[slot][1]
            patterns[beyond] = pattern
