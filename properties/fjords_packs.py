"""Hypothesis strategies: boxes of Fjords within all that the rulebook permits.

Everything is drawn so that it fits; nothing is drawn and thrown away.  A tile's inner areas come from
one string of decisions, so that a failing pack shrinks to plain tiles.
"""

from __future__ import annotations

from itertools import combinations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from lawspeaker.model.core.hexgrid import AXIAL_STEPS, STEPS, cell
from lawspeaker.model.fjords.pack import Arrangement, FjordsPack, Laid, Terrain, TileData, facing_slot

SHAPE_TURNS = {"triangle": (0, 1), "line": (0, 3), "bent": (0, 2)}
"""The sides of the first start tile on which the other two lie."""

Parts = tuple[tuple[int, ...], ...]
Slot = tuple[int, int]  # number of a start tile and slot of its border


def packs() -> SearchStrategy[FjordsPack]:
    """Return complete boxes: 3 start tiles, 36 that can bear a farm, 1 of mountains; audit finds no fault."""
    return _packs(36, complete=True)


def small_packs(n: int) -> SearchStrategy[FjordsPack]:
    """Return cuts of a box: 3 start tiles and *n* others, all able to bear a farm; ``complete`` is false."""
    return _packs(n, complete=False)


@st.composite
def _packs(draw: DrawFn, farmable: int, complete: bool) -> FjordsPack:
    slots = draw(st.sampled_from((1, 1, 1, 2)))
    arrangements = tuple(draw(_arrangement(name)) for name in SHAPE_TURNS)
    starts = draw(_start_tiles(arrangements, slots))
    pile = draw(_pile(farmable, slots))
    if complete:
        bare = TileData(f"T{farmable + 1:02}", "M" * 6 * slots, "M")
        pile.insert(draw(st.integers(0, farmable)), bare)
    return FjordsPack(
        format="lawspeaker-pack/1",
        game="fjords",
        id="generated",
        title="Fjords, generated tiles",
        complete=complete,
        tiles=(*starts, *pile),
        arrangements=arrangements,
        slots=slots,
    )


# -- start tiles ----------------------------------------------------------------------------------


@st.composite
def _arrangement(draw: DrawFn, name: str) -> Arrangement:
    """Lay three start tiles in the named shape: any order, direction, place near the middle, turns."""
    spin = draw(st.integers(0, 5))
    sides = [(side + spin) % 6 for side in SHAPE_TURNS[name]]
    cells = [(0, 0), *(AXIAL_STEPS[side] for side in sides)]
    order = draw(st.permutations((0, 1, 2)))
    turns = draw(st.tuples(*[st.integers(0, 5)] * 3))
    return Arrangement(
        name, tuple(Laid(f"S{n + 1}", *cells[place], turns[n]) for n, place in enumerate(order))
    )


@st.composite
def _start_tiles(draw: DrawFn, arrangements: tuple[Arrangement, ...], slots: int) -> list[TileData]:
    """Draw one terrain for all slots that meet in some arrangement, and land where tiles must join.

    Each start tile has one land part: at an end of the line a second part would have nothing to join.
    """
    size = 6 * slots
    heads: dict[Slot, Slot] = {(tile, slot): (tile, slot) for tile in range(3) for slot in range(size)}
    joints: set[Slot] = set()
    for one in arrangements:
        for meeting in _contacts(one, slots):
            for near, far in meeting:
                _merge(heads, near, far)
            joints.add(meeting[0][0])
    must_be_land = {_head(heads, slot) for slot in joints}
    drawn = draw(st.text("FMS", min_size=3 * size, max_size=3 * size))
    letters = dict(zip(heads, drawn, strict=True))
    for slot in must_be_land:
        letters[slot] = "F" if letters[slot] == "S" else letters[slot]
    centres: list[Terrain] = draw(st.lists(st.sampled_from(("F", "M")), min_size=3, max_size=3))
    borders = ["".join(letters[_head(heads, (tile, slot))] for slot in range(size)) for tile in range(3)]
    return [TileData(f"S{n + 1}", borders[n], centres[n], start=True) for n in range(3)]


def _contacts(one: Arrangement, slots: int) -> list[list[tuple[Slot, Slot]]]:
    """Return, for each two tiles of an arrangement that touch, which slots of theirs meet."""
    found = []
    for (n, a), (m, b) in combinations(enumerate(one.tiles), 2):
        step = cell(b.q, b.r) - cell(a.q, a.r)
        if step not in STEPS:
            continue
        side, size = STEPS.index(step), 6 * slots
        here = range(side * slots, side * slots + slots)
        found.append(
            [
                ((n, (i - a.turn * slots) % size), (m, (facing_slot(i, slots)[1] - b.turn * slots) % size))
                for i in here
            ]
        )
    return found


def _head(heads: dict[Slot, Slot], slot: Slot) -> Slot:
    while heads[slot] != slot:
        slot = heads[slot]
    return slot


def _merge(heads: dict[Slot, Slot], one: Slot, two: Slot) -> None:
    low, high = sorted((_head(heads, one), _head(heads, two)))
    heads[high] = low


# -- tiles of the pile ----------------------------------------------------------------------------


@st.composite
def _pile(draw: DrawFn, count: int, slots: int) -> list[TileData]:
    """Draw tiles that each have a segment of farmland; a fourth of them list their areas explicitly."""
    size = 6 * slots
    borders = draw(st.text("FMS", min_size=count * size, max_size=count * size))
    centres = draw(st.text("FMS", min_size=count, max_size=count))
    explicit = draw(st.text("abcy", min_size=count, max_size=count))
    tiles = []
    for n in range(count):
        name, sides = f"T{n + 1:02}", borders[n * size : n * size + size]
        centre = _terrain(centres[n])
        if explicit[n] == "y":
            tiles.append(draw(_areas(name, sides, centre)))
        else:
            tiles.append(TileData(name, sides, centre if "F" in sides else "F"))
    return tiles


def _terrain(letter: str) -> Terrain:
    return "F" if letter == "F" else "M" if letter == "M" else "S"


@st.composite
def _areas(draw: DrawFn, name: str, sides: str, centre: Terrain) -> TileData:
    """Draw a tile with farmland and its inner areas: land parts that do not cross, and segments inside them."""
    decisions = draw(st.text("0nm1234", min_size=2 * len(sides), max_size=2 * len(sides)))
    interior = draw(st.sampled_from((*[""] * 6, "F", "L")))
    land = _uncrossed([i for i, s in enumerate(sides) if s != "S"], decisions)
    segments: Parts = ()
    for part in land:
        farmland = [i for i in part if sides[i] == "F"]
        segments += _uncrossed(farmland, decisions[len(sides) :])
    if interior == "F" or not segments:
        segments += ((),)
    if interior == "L" or not land:
        land += ((),)
    return TileData(name, sides, centre, segments, land)


def _uncrossed(slots: list[int], decisions: str) -> Parts:
    """Split slots into parts that do not cross: each slot opens a part or joins one that is still open.

    A digit says how many open parts to close before joining; closing them keeps parts from crossing.
    """
    closed: list[list[int]] = []
    opened: list[list[int]] = []
    for slot in slots:
        choice = decisions[slot]
        if choice.isdigit():
            for _ in range(min(int(choice), len(opened) - 1)):
                closed.append(opened.pop())
        if not (choice.isdigit() and opened):
            opened.append([])
        opened[-1].append(slot)
    return tuple(sorted(tuple(part) for part in closed + opened))
