"""Metamorphic properties of Fjords: a game and its image under a symmetry are played in step.

A symmetry turns or mirrors the plane, exchanges the colours, and renames and reorders the tiles.  The
box is carried over too, so that the image is a game of its own; every legal list and every record
of it must be the image of the original's.  Two ways to the same position are tried apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.play import steps
from lawspeaker.model.fjords.pack import FjordsPack, TileData

from .landscape import Cell, faces_of

SWAPPED = {"A": "B", "B": "A", None: None}


class Symmetry(msgspec.Struct, frozen=True):
    """Mirror (or not) along the line from west to east, then turn by sixths; swap colours; rename tiles."""

    turn: int = 0
    mirror: bool = False
    swap: bool = False
    shuffle: int = 0
    """Seed of another order and other names of the tiles; 0 leaves them."""

    def cell(self, cell: Sequence[int]) -> Cell:
        """Return the image of a cell."""
        q, r = cell
        if self.mirror:
            q, r = q + r, -r
        for _ in range(self.turn):
            q, r = q + r, -q
        return q, r

    def turned(self, turn: int) -> int:
        """Return the image of a tile's number of sixth turns."""
        return (self.turn + (-turn if self.mirror else turn)) % 6

    def seat(self, name: str | None) -> str | None:
        """Return the image of a seat."""
        return SWAPPED[name] if self.swap else name

    def slot(self, slot: int, slots: int) -> int:
        """Return the image of a slot of an unturned tile."""
        side, nth = divmod(slot, slots)
        return (-side % 6) * slots + slots - 1 - nth if self.mirror else slot


class Image:
    """A symmetry applied to one pack: the image of the pack, of actions and of records."""

    def __init__(self, symmetry: Symmetry, pack: FjordsPack) -> None:
        self.symmetry, self.source = symmetry, pack
        order = list(pack.tiles)
        names = [tile.id for tile in order]
        if symmetry.shuffle:
            Random(symmetry.shuffle).shuffle(order)
            names = [f"X{n}" for n in range(len(order))]
        self.names = {tile.id: name for tile, name in zip(order, names, strict=True)}
        tiles = tuple(self._tile(tile) for tile in order)
        arrangements = tuple(
            replace(one, tiles=tuple(self._laid(laid) for laid in one.tiles)) for one in pack.arrangements
        )
        self.pack = replace(pack, id=f"{pack.id} image", tiles=tiles, arrangements=arrangements)
        self.order = {tile.id: n for n, tile in enumerate(tiles)}

    def _laid(self, laid: Any) -> Any:
        q, r = self.symmetry.cell((laid.q, laid.r))
        return replace(laid, tile=self.names[laid.tile], q=q, r=r, turn=self.symmetry.turned(laid.turn))

    def _tile(self, tile: TileData) -> TileData:
        slots = self.source.slots
        sides = [""] * len(tile.sides)
        for n, letter in enumerate(tile.sides):
            sides[self.symmetry.slot(n, slots)] = letter
        return replace(
            tile, id=self.names[tile.id], sides="".join(sides), segments=self._parts(tile.segments),
            land=self._parts(tile.land),
        )  # fmt: skip

    def _parts(self, parts: tuple[tuple[int, ...], ...] | None) -> tuple[tuple[int, ...], ...] | None:
        if parts is None:
            return None
        return tuple(tuple(self.symmetry.slot(n, self.source.slots) for n in part) for part in parts)

    def _number(self, tile: str, number: int) -> int:
        """Return the number that a segment has on the image of its tile; one beyond stays beyond."""
        source, image = faces_of(self.source)[tile], faces_of(self.pack)[self.names[tile]]
        if number >= len(source.segments):
            return number
        part = sorted(self.symmetry.slot(n, self.source.slots) for n in source.segments[number])
        if not part:  # areas inside that reach no side are alike and keep their order
            return number
        return image.segments.index(part)

    def segment(self, name: str, board: Sequence[Any]) -> str:
        """Return the image of a segment's name; *board* are the rows of a record."""
        where, number = name.split("/")
        cell = tuple(int(n) for n in where.split(","))
        tile = next((row[2] for row in board if (row[0], row[1]) == cell), None)
        q, r = self.symmetry.cell(cell)
        return f"{q},{r}/{self._number(tile, int(number)) if tile else number}"

    def action(self, text: str, board: Sequence[Any]) -> str:
        """Return the image of an action's text."""
        verb, *words = text.split()
        if verb in ("farm", "field"):
            return f"{verb} {self.segment(words[0], board)}"
        if verb == "start":
            return f"start {self.symmetry.seat(words[0])}"
        return " ".join([verb, *(self._word(word) for word in words)])

    def _word(self, word: str) -> str:
        if word in self.names:
            return self.names[word]
        if "," in word:
            q, r = self.symmetry.cell([int(n) for n in word.split(",")])
            return f"{q},{r}"
        return f"r{self.symmetry.turned(int(word[1:]))}"

    def record(self, plain: dict[str, Any]) -> dict[str, Any]:
        """Return the image of a record."""
        seat, board = self.symmetry.seat, plain["board"]
        rows = sorted([*self.symmetry.cell(row[:2]), self.names[row[2]], self.symmetry.turned(row[3])] for row in board)
        image = {
            **plain,
            "board": rows,
            "pile": sorted((self.names[t] for t in plain["pile"]), key=self.order.__getitem__),
            "open": sorted((self.names[t] for t in plain["open"]), key=self.order.__getitem__),
            "drawn": self.names[plain["drawn"]] if plain["drawn"] else None,
            "last": list(self.symmetry.cell(plain["last"])) if plain["last"] else None,
            "points": [pair[::-1] if self.symmetry.swap else pair for pair in plain["points"]],
        }
        image |= {field: seat(plain[field]) for field in ("starter", "seat", "placer", "first")}
        for field in ("farms", "fields"):
            named = {seat(s): [self.segment(n, board) for n in names] for s, names in plain[field].items()}
            image[field] = {s: sorted(named[s], key=_segment_order) for s in ("A", "B")}
        return image


def _segment_order(name: str) -> tuple[int, ...]:
    where, number = name.split("/")
    return (*(int(n) for n in where.split(",")), int(number))


def symmetries() -> Iterator[Symmetry]:
    """Yield the twelve symmetries of the plane of hexagons, the swap of colours, a renaming, and all at once."""
    for mirror in (False, True):
        for turn in range(6):
            yield Symmetry(turn, mirror)
    yield Symmetry(swap=True)
    yield Symmetry(shuffle=7)
    yield Symmetry(turn=5, mirror=True, swap=True, shuffle=3)


def in_step(game: AnyGame, symmetry: Symmetry, seed: int, every: int = 1, limit: int = 100_000) -> Iterator[str]:
    """Play a seeded game and its image in step; yield each difference of records or legal lists.

    Not for R_SEGMENT=area, where fields are named by the least segment of an area, nor may R_FIRST
    name a seat when colours are swapped.
    """
    assert isinstance(game.pack, FjordsPack)
    image = Image(symmetry, game.pack)
    other = game.varied(pack=image.pack)
    position = other.start()
    for number, step in enumerate(steps(game, seed, limit=limit)):
        board = game.record(step.before)["board"] if number % every == 0 or _needs_board(step.action) else ()
        if number % every == 0:
            expected = {image.action(game.text(a), board) for a in game.legal(step.before)}
            found = {other.text(a) for a in other.legal(position)}
            if expected != found:
                yield f"step {number}: legal in one only: {sorted(expected ^ found)[:5]}"
        position = other.apply(position, other.parse(image.action(game.text(step.action), board)))
        if number % every == 0 and image.record(game.record(step.after)) != other.record(position):
            yield f"step {number}: the records differ after {game.text(step.action)}"


def _needs_board(action: Any) -> bool:
    return hasattr(action, "segment")


def transpositions(game: AnyGame, seed: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield pairs of records that must be equal: a player's turn and his next one in either order.

    Of each three turns in a row, the first and the third are exchanged; pairs come only where every
    action is legal in that order too.
    """
    turns: list[list[tuple[int, Any]]] = []
    starts: list[Any] = []
    for step in steps(game, seed):
        if step.before.phase in ("choose", "land") and not step.before.set_aside:
            turns.append([])
            starts.append(step.before)
        if turns:
            turns[-1].append((step.actor, step.action))
        if len(turns) > 2 and step.after.phase in ("choose", "land") and not step.after.set_aside:
            swapped = _replay(game, starts[-3], [*turns[-1], *turns[-2], *turns[-3]])
            if swapped is not None:
                yield game.record(step.after), game.record(swapped)


def _replay(game: AnyGame, position: Any, actions: Sequence[tuple[int, Any]]) -> Any:
    """Return the position after these actions, or None where one is not legal or another would act."""
    for actor, action in actions:
        if game.actor(position) != actor or action not in game.legal(position):
            return None
        position = game.apply(position, action)
    return position
