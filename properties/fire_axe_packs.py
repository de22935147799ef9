"""Hypothesis strategies: boxes of Fire & Axe within all that the rulebook permits.

Everything is drawn first and then mended where the text demands it; nothing is drawn and thrown away.  The text
says little of the map, so the maps drawn are of any shape: seas in a ring or a line, zones in several pieces,
ports beside several waters, beside each other or beside a Homeland.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from lawspeaker.model.fire_axe.pack import (
    GOODS,
    Attack,
    DialData,
    Double,
    DrawRunes,
    DropRune,
    ExtraDays,
    FireAxePack,
    FreeSail,
    GainCrew,
    GainGood,
    GainPoints,
    HomeData,
    KillCrew,
    Moment,
    PortData,
    Reroll,
    RobGood,
    RuneData,
    SagaData,
    SetDemand,
    Shelter,
    Size,
    Spare,
    Task,
    TreasureData,
    WaterData,
    Where,
    Whose,
    Wind,
    Zone,
)

HOMES = ("Norway", "Sweden", "Denmark")
BORDER = ("Faeroes", "Shetland")
"""The two ports that the text names: they touch North and West and count as West."""
ALL: tuple[Zone, ...] = ("North", "South", "East", "West")
TASKS: tuple[Task, ...] = ("trade", "raid", "settle")
PLACES: tuple[Where, ...] = ("any", "sea", "port", "wintering")

_counts = st.sampled_from((1, 2, 1, 3))
_goods = st.sampled_from((None, *GOODS))
_spots = st.sampled_from(PLACES)
_ANY = st.one_of(
    st.builds(SetDemand, _goods), st.builds(Wind, st.integers(1, 3)), st.builds(GainGood, _goods),
    st.builds(GainCrew, _counts), st.builds(GainPoints, _counts), st.builds(RobGood, _spots),
    st.builds(KillCrew, _spots),
)  # fmt: skip
"""Effects that make sense on any turn."""
_OWN = st.one_of(
    _ANY, st.builds(ExtraDays, _counts), st.builds(Shelter, _counts), st.builds(Attack, _counts),
    st.builds(Spare, _counts), st.builds(Double), st.builds(FreeSail, _counts),
)  # fmt: skip
"""Effects on the own turn, at any moment of it."""
_RAID = st.one_of(_OWN, st.builds(Reroll))
_LAST: SearchStrategy[Any] = st.one_of(st.none(), st.none(), st.builds(DrawRunes, _counts), st.builds(DropRune))
_SORTS: tuple[tuple[Moment, Whose, SearchStrategy[Any], tuple[Where, ...]], ...] = (
    ("free", "own", _OWN, PLACES), ("free", "any", _ANY, PLACES), ("raid", "own", _RAID, ("any", "port")),
    ("loss", "own", _OWN, ("any", "port", "sea")),
)  # fmt: skip
"""Moments and turns of a rune, the effects that make sense then, and where the ship can be."""


class _Map(NamedTuple):
    """Places and edges as they grow."""

    homes: list[HomeData]
    waters: list[WaterData]
    ports: list[PortData]
    edges: set[tuple[str, str]]


def packs() -> SearchStrategy[FireAxePack]:
    """Return complete boxes in which the audit finds no fault."""
    return _packs()


def small_packs(sagas: int = 6, runes: int = 6) -> SearchStrategy[FireAxePack]:
    """Return cuts of a box with so many Sagas (4 at least) and runes, on few places; ``complete`` is false."""
    return _small_packs(sagas, runes)


@st.composite
def _packs(draw: DrawFn) -> FireAxePack:
    die = draw(st.sampled_from((6, 6, 4, 8)))
    grown = _waters(draw, draw(st.integers(4, 10)), HOMES)
    regions = draw(st.integers(0, 6))
    _ports(draw, grown, die, regions=regions, alone=max(15 - 3 * regions, 2) + draw(st.integers(3, 5)),
           small=12, large=3, named=True)  # fmt: skip
    sagas = _sagas(draw, grown, 27)
    conflicts = draw(st.sampled_from((9, 9, 0)))
    return _pack(draw, "generated", True, die, grown, sagas, _runes(draw, 24 + conflicts, conflicts))


@st.composite
def _small_packs(draw: DrawFn, sagas: int, runes: int) -> FireAxePack:
    die = draw(st.sampled_from((3, 2, 6)))
    grown = _waters(draw, draw(st.integers(1, 4)), HOMES[: draw(st.integers(1, 3))])
    regions, alone = draw(st.integers(0, 1)), draw(st.integers(1, 3))
    _ports(draw, grown, die, regions=regions, alone=alone, small=draw(st.integers(0, 2)),
           large=draw(st.integers(0, 1)), named=False)  # fmt: skip
    cards = _runes(draw, runes, draw(st.integers(0, runes)))
    return _pack(draw, "small", False, die, grown, _sagas(draw, grown, sagas), cards)


# -- the map --------------------------------------------------------------------------------------


def _waters(draw: DrawFn, count: int, homes: tuple[str, ...]) -> _Map:
    """Draw a sea in one piece and the Homelands on it; with four waters or more each zone has one."""
    more = max(0, count - len(ALL))
    zones = [*draw(st.permutations(ALL))[:count], *draw(st.lists(st.sampled_from(ALL), min_size=more, max_size=more))]
    waters = [WaterData(f"Sea {n + 1}", zone) for n, zone in enumerate(zones)]
    edges: set[tuple[str, str]] = set()
    for n in range(1, count):
        edges.add((waters[draw(st.integers(0, n - 1))].id, waters[n].id))
    numbers = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))
    for one, other in draw(st.lists(numbers, max_size=4)):
        if one < other:
            edges.add((waters[one].id, waters[other].id))
    grown = _Map([], waters, [], edges)
    for name in draw(st.permutations(homes)):
        zone = _moor(draw, grown, name)
        grown.homes.append(HomeData(name, zone))
    return grown


def _moor(draw: DrawFn, grown: _Map, name: str) -> Zone:
    """Put a place beside one water, or beside several of one zone; return the zone."""
    first = draw(st.sampled_from(grown.waters))
    same = [water for water in grown.waters if water.zone == first.zone and water != first]
    also = draw(st.sampled_from((None, None, None, *same)))
    for water in (first, also):
        if water is not None:
            grown.edges.add((name, water.id))
    return first.zone


def _ports(
    draw: DrawFn, grown: _Map, die: int, *, regions: int, alone: int, small: int, large: int, named: bool
) -> None:
    """Draw ports: of regions three each, and so many others; so many towns, as far as there are ports for them."""
    spots: list[str | None] = [f"Region {n // 3 + 1}" for n in range(3 * regions)] + [None] * alone
    free = [n for n, region in enumerate(spots) if region is None]
    towns: list[Size] = ["none"] * len(spots)
    for n in free[:large]:
        towns[n] = "large"
    rest = [n for n in draw(st.permutations(range(len(spots)))) if towns[n] == "none"]
    for n in rest[:small]:
        towns[n] = "small"
    border = iter(BORDER if named else ())
    values = draw(st.lists(st.integers(1, die), min_size=len(spots), max_size=len(spots)))
    for n in draw(st.permutations(range(len(spots)))):
        name = next(border, None) if towns[n] != "large" else None
        zone = _moor(draw, grown, f"Port {n + 1}") if name is None else _on_border(draw, grown, name)
        grown.ports.append(PortData(name or f"Port {n + 1}", values[n], zone, spots[n], towns[n]))
    others = [*(home.id for home in grown.homes), *(port.id for port in grown.ports)]
    for number, one in enumerate(draw(st.lists(st.sampled_from(grown.ports), max_size=3, unique=True))):
        other = others[(draw(st.integers(0, len(others) - 1)) + number) % len(others)]
        if one.id != other and (other, one.id) not in grown.edges:
            grown.edges.add((one.id, other))


def _on_border(draw: DrawFn, grown: _Map, name: str) -> Zone:
    sides: tuple[Zone, Zone] = ("North", "West")
    for zone in sides:
        water = draw(st.sampled_from([water.id for water in grown.waters if water.zone == zone]))
        grown.edges.add((name, water))
    return "West"


# -- the cards ------------------------------------------------------------------------------------


def _sagas(draw: DrawFn, grown: _Map, count: int) -> tuple[SagaData, ...]:
    """Draw Sagas, of each Era a third or so; each Homeland has one while there are enough."""
    towns = [port.id for port in grown.ports if port.town != "none"]
    ports = st.lists(st.sampled_from([port.id for port in grown.ports]), min_size=1, max_size=3, unique=True)
    tasks = st.sampled_from(TASKS if towns else ("trade", "settle"))
    homes = [home.id for home in grown.homes]
    found = []
    for n in range(count):
        task, goal = draw(tasks), draw(ports)
        if task == "raid" and not set(goal) & set(towns):
            goal[0] = draw(st.sampled_from(towns))
        home = homes[n] if n < len(homes) else draw(st.sampled_from(homes))
        vp = draw(st.sampled_from((0, 1, 2, 5)))
        found.append(SagaData(f"S{n + 1:02}", 1 + n * 3 // count, home, task, tuple(goal), vp))
    return tuple(found)


def _runes(draw: DrawFn, count: int, conflicts: int) -> tuple[RuneData, ...]:
    marked = set(draw(st.permutations(range(count)))[:conflicts])
    return tuple(_rune(draw, f"R{n + 1:02}", n in marked) for n in range(count))


def _rune(draw: DrawFn, name: str, conflict: bool) -> RuneData:
    moment, whose, effects, spots = draw(st.sampled_from(_SORTS))
    some, last = draw(st.lists(effects, max_size=2)), draw(_LAST)
    text = (*some, last) if last is not None else tuple(some)
    return RuneData(name, conflict, moment, draw(st.sampled_from(spots)), whose, text)


# -- all together -----------------------------------------------------------------------------------


def _pack(
    draw: DrawFn, name: str, complete: bool, die: int, grown: _Map, sagas: tuple[SagaData, ...],
    runes: tuple[RuneData, ...],
) -> FireAxePack:  # fmt: skip
    towns = [port.town for port in grown.ports]
    numbers: dict[Zone, tuple[int, int, int]] = {}
    for zone in ALL:
        best, normal, worst = sorted(draw(st.tuples(*[st.integers(0, 7)] * 3)), reverse=True)
        numbers[zone] = (7 if zone == "South" else best, normal, worst)
    order = draw(st.permutations(ALL))
    skulls = draw(st.lists(st.integers(0, 3), min_size=1, max_size=7))
    values = {size: draw(st.lists(st.integers(0, 12), min_size=towns.count(size), max_size=towns.count(size)))
              for size in ("small", "large")}  # fmt: skip
    return FireAxePack(
        format="lawspeaker-pack/1", game="fire_axe", id=name, title="Fire & Axe, generated map and cards",
        complete=complete, die=die, homelands=tuple(grown.homes), waters=tuple(grown.waters),
        ports=tuple(grown.ports), edges=tuple(sorted(grown.edges)),
        dial=DialData(tuple(order), numbers, draw(st.sampled_from((2, 1, 3)))),
        losses=tuple(sum(skulls[:n]) for n in range(len(skulls) + 1)),
        treasures=TreasureData(tuple(values["small"]), tuple(values["large"])), sagas=sagas, runes=runes,
    )  # fmt: skip
