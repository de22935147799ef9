"""Hypothesis strategies: boxes of Saga of the Northmen within all that the rulebook permits.

Everything is drawn first and then mended where the text demands it; nothing is drawn and thrown away.
Mending changes as little as it can, so that a failing pack shrinks to a plain one.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from lawspeaker.model.northmen.pack import (
    BULGARIA,
    FINLAND,
    GROUP,
    INLAND,
    SUIT,
    CardData,
    KingdomData,
    Mark,
    NorthmenPack,
    RegionData,
    RouteData,
)

MIDDLE = ("Saxons", "Magyars", "Eastmen", "Westmen", "Farmen")
"""Kingdoms between the first and the last of the chart; three names are made up."""
REGIONS = (FINLAND, BULGARIA, *INLAND, "Coastland", "Farland", "Highland", "Lowland", "Midland")
"""Regions of a complete pack; five names are made up."""
SYMBOLS = dict(zip("abcdefghi", ((1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3)), strict=True))
"""Soldiers and ships a card may show, by a letter; one letter a card is drawn."""
SUITS = ("abcdefghi", "abcdefghi", "acf", "bei")
"""Which of these a suit has: mostly any, sometimes soldiers or ships alone."""
MARKS: dict[str, Mark] = {"g": "3-4", "h": "4"}
"""Marks by letter; a card with another letter has none."""
BARE = ("", "ab", "abcdef")
"""Letters of cards that name no region: with none of them nearly all cards do, with the last ones few."""
ARMIES_MET = (4, 3, 2)
"""Armies that three players bring to the Holy Roman Empire in the example of a battle."""

Borders = dict[str, set[str]]


def packs(*, any_reading: bool = False) -> SearchStrategy[NorthmenPack]:
    """Return complete boxes in which the audit finds no fault.

    With *any_reading* they can also be played under every choice of rulings: where Bulgaria is a Kingdom
    enough other cards place a token, and no Kingdom borders Bulgaria alone.
    """
    return _packs(any_reading)


def small_packs(cards: int = 24, routes: int = 6) -> SearchStrategy[NorthmenPack]:
    """Return cuts of a box with so many cards and routes, on few Kingdoms and regions; ``complete`` is false.

    Under every choice of rulings each cube can leave its Kingdom, and with 15 or more cards a Rally Phase
    ends.  Two players need 15 cards for hands and row, three 21, four 27.
    """
    return _small_packs(cards, routes)


@st.composite
def _packs(draw: DrawFn, any_reading: bool) -> NorthmenPack:
    kingdoms = ("Normans", *draw(st.permutations(MIDDLE)), "Norwegians")
    regions = _coast(draw, tuple(draw(st.permutations(REGIONS))))
    names = [region.id for region in regions]
    borders = _borders(draw, kingdoms, names)
    drawn = _symbols(draw, [SUIT] * len(kingdoms))
    suits = dict(zip(kingdoms, drawn, strict=True))
    hired = draw(st.integers(0, SUIT - 1))  # the Saxons' card of the example
    suits["Saxons"][hired] = draw(st.sampled_from(((2, 0), (1, 1), (0, 2))))
    meeting = draw(st.permutations(kingdoms))[:3]
    for kingdom, armies in zip(meeting, ARMIES_MET, strict=True):
        borders[kingdom].add(INLAND[1])
        _arm(suits[kingdom], armies, keep=hired if kingdom == "Saxons" else -1)
    borders["Magyars"] |= {INLAND[0], BULGARIA}
    _fleet(suits["Magyars"])
    _settle(draw, borders, suits, regions, any_reading)
    fixed = kingdoms.index("Saxons") * SUIT + hired
    symbols = [(kingdom, *pair) for kingdom in kingdoms for pair in suits[kingdom]]
    cards = _cards(draw, symbols, names, {fixed: BULGARIA}, marked=True, bulgaria_counts=not any_reading)
    return _pack(draw, "generated", True, borders, regions, cards, 20)


@st.composite
def _small_packs(draw: DrawFn, number: int, routes: int) -> NorthmenPack:
    middle = draw(st.permutations(MIDDLE))[: draw(st.integers(0, 3))]
    kingdoms = ("Normans", *middle, *draw(st.sampled_from(((), ("Norwegians",)))))
    others = draw(st.permutations(REGIONS[1:]))[: draw(st.integers(0, 4))]
    regions = _coast(draw, (FINLAND, *others))
    names = [region.id for region in regions]
    borders = _borders(draw, kingdoms, names)
    sizes = [len(range(n, number, len(kingdoms))) for n in range(len(kingdoms))]
    suits = dict(zip(kingdoms, _symbols(draw, sizes), strict=True))
    _settle(draw, borders, suits, regions, True)
    symbols = [(kingdom, *pair) for kingdom in kingdoms for pair in suits[kingdom]]
    cards = _cards(draw, symbols, names, {}, marked=False, bulgaria_counts=False)
    return _pack(draw, "small", False, borders, regions, cards, routes)


# -- the map --------------------------------------------------------------------------------------


def _coast(draw: DrawFn, names: tuple[str, ...]) -> tuple[RegionData, ...]:
    """Draw which regions lie on the sea, of those of which the text says nothing."""
    dry = draw(st.lists(st.booleans(), min_size=len(names), max_size=len(names)))
    some = draw(st.sampled_from((False, True, True)))  # else only those that the text names are inland
    return tuple(
        RegionData(name, name == FINLAND or not (name in INLAND or (some and inland)))
        for name, inland in zip(names, dry, strict=True)
    )


def _borders(draw: DrawFn, kingdoms: tuple[str, ...], regions: list[str]) -> Borders:
    sets = draw(st.lists(st.sets(st.sampled_from(regions)), min_size=len(kingdoms), max_size=len(kingdoms)))
    return dict(zip(kingdoms, sets, strict=True))


def _settle(
    draw: DrawFn,
    borders: Borders,
    suits: dict[str, list[tuple[int, int]]],
    regions: tuple[RegionData, ...],
    any_reading: bool,
) -> None:
    """Give each Kingdom with soldiers a region, and each region one way for cubes to come."""
    armed = [kingdom for kingdom, suit in suits.items() if any(soldiers for soldiers, _ in suit)]
    sailing = any(ships for suit in suits.values() for _, ships in suit)
    refuge = [region.id for region in regions if not (any_reading and region.id == BULGARIA)]
    for kingdom in armed:
        if not borders[kingdom] & set(refuge):
            borders[kingdom].add(draw(st.sampled_from(refuge)))
    for region in regions:
        marching = any(region.id in borders[kingdom] for kingdom in armed)
        if armed and not marching and not (region.sea and sailing):
            borders[draw(st.sampled_from(armed))].add(region.id)


# -- the cards ------------------------------------------------------------------------------------


def _symbols(draw: DrawFn, sizes: list[int]) -> list[list[tuple[int, int]]]:
    """Draw soldiers and ships for suits of these sizes, each suit of one sort."""
    sorts = draw(st.lists(st.sampled_from(SUITS), min_size=len(sizes), max_size=len(sizes)))
    letters = iter(draw(st.text("abcdefghi", min_size=sum(sizes), max_size=sum(sizes))))
    return [
        [SYMBOLS[sort["abcdefghi".index(next(letters)) % len(sort)]] for _ in range(size)]
        for sort, size in zip(sorts, sizes, strict=True)
    ]


def _arm(suit: list[tuple[int, int]], armies: int, keep: int) -> None:
    """Turn cards of a suit, all but number *keep*, into soldiers until there are enough."""
    for n in range(len(suit)):
        if sum(soldiers for soldiers, _ in suit) >= armies:
            return
        if n != keep:
            suit[n] = (3, 0)


def _fleet(suit: list[tuple[int, int]]) -> None:
    """Turn cards of a suit into two soldiers and a ship until it has four soldiers and two ships."""
    for n in range(len(suit)):
        if sum(soldiers for soldiers, _ in suit) >= 4 and sum(ships for _, ships in suit) >= 2:
            return
        suit[n] = (2, 1)


def _cards(
    draw: DrawFn,
    symbols: list[tuple[str, int, int]],
    regions: list[str],
    fixed: dict[int, str],
    *,
    marked: bool,
    bulgaria_counts: bool,
) -> tuple[CardData, ...]:
    """Draw regions and marks; then 15 cards, or all if fewer, place a token at every number of players.

    *fixed* are cards whose region is demanded.  With *marked* one card has each mark; unless
    *bulgaria_counts* the fifteen name other regions than Bulgaria.
    """
    size = len(symbols)
    letters = draw(st.text("abcdefghi"[: len(regions)], min_size=size, max_size=size))
    kinds = draw(st.text("abcdefgh", min_size=size, max_size=size))
    bare = draw(st.sampled_from(BARE))
    marks: list[Mark] = [MARKS.get(x, "none") for x in kinds]
    named: list[str | None] = [regions["abcdefghi".index(x)] for x in letters]
    named = [None if kind in bare else region for kind, region in zip(kinds, named, strict=True)]
    free = [n for n in draw(st.permutations(range(size))) if n not in fixed]
    for n, region in fixed.items():
        named[n] = region
    fillers = [region for region in regions if bulgaria_counts or region != BULGARIA]
    for mark in ("3-4", "4") if marked else ():
        n = free.pop()
        named[n], marks[n] = named[n] or fillers[0], "3-4" if mark == "3-4" else "4"
    counted = {n for n in range(size) if named[n] in fillers and marks[n] == "none"}
    for n in free:
        if len(counted) >= GROUP:
            break
        if n not in counted:
            named[n] = named[n] if named[n] in fillers else fillers[n % len(fillers)]
            marks[n] = "none"
            counted.add(n)
    return tuple(CardData(f"C{n + 1:02}", *symbols[n], named[n], marks[n] if named[n] else "none") for n in range(size))


def _pack(
    draw: DrawFn,
    name: str,
    complete: bool,
    borders: Borders,
    regions: tuple[RegionData, ...],
    cards: tuple[CardData, ...],
    routes: int,
) -> NorthmenPack:
    ends = st.tuples(
        st.sampled_from(list(borders)), st.sampled_from([r.id for r in regions]), st.sampled_from((2, 0, 1, 3, 6, 40))
    )
    drawn = draw(st.lists(ends, min_size=routes, max_size=routes))
    order = [region.id for region in regions]
    return NorthmenPack(
        format="lawspeaker-pack/1",
        game="northmen",
        id=name,
        title="Saga of the Northmen, generated map and cards",
        complete=complete,
        kingdoms=tuple(KingdomData(k, tuple(sorted(near, key=order.index))) for k, near in borders.items()),
        regions=regions,
        cards=cards,
        routes=tuple(RouteData(f"T{n + 1:02}", *route) for n, route in enumerate(drawn)),
    )
