"""Claims about what the worked examples say of the box: which cards and which map make them true, and how many do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Any

import z3

from lawspeaker.solver.asking import Claim, Outcome, least, possible, require, solver

from .boxes import KINGDOMS, box, northmen, options, replayed
from .claims_march import Kingdom
from .counts import HERO_PRICE, MARKS, PLAYERS, SUIT, VALUES, between, places
from .staged import Direction, Stage

KINDS: tuple[tuple[int, int], ...] = ((1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3))
"""Soldiers and ships that a card can show (SN-CARD-02)."""
Counts = tuple[int, ...]


class Suit:
    """How many cards of each kind a suit has, and how many of them somebody has played, left to z3."""

    def __init__(self) -> None:
        self.cards = [z3.Int(f"cards_{s}_{f}") for s, f in KINDS]
        self.played = [z3.Int(f"played_{s}_{f}") for s, f in KINDS]

    def bounds(self) -> list[Any]:
        """Say that there are eight cards, and no more played than there are."""
        pairs = zip(self.cards, self.played, strict=True)
        return [*[z3.And(p >= 0, p <= c) for c, p in pairs], z3.Sum(self.cards) == SUIT]

    @staticmethod
    def symbols(cards: list[Any]) -> tuple[Any, Any]:
        """Return soldiers and ships on these cards."""
        soldiers = z3.Sum([n * s for n, (s, _) in zip(cards, KINDS, strict=True)])
        return soldiers, z3.Sum([n * f for n, (_, f) in zip(cards, KINDS, strict=True)])


def suits(kinds: int) -> Iterator[Counts]:
    """Yield how many cards of each of so many kinds a suit of eight can have."""
    for cards in combinations_with_replacement(range(kinds), SUIT):
        yield tuple(cards.count(kind) for kind in range(kinds))


def ways(soldiers: int, ships: int, kinds: int = len(KINDS)) -> Iterator[Counts]:
    """Yield every choice of cards by kind that shows just these symbols."""
    if kinds == 0:
        if soldiers == ships == 0:
            yield ()
        return
    s, f = KINDS[kinds - 1]
    number = 0
    while number * s <= soldiers and number * f <= ships:
        for rest in ways(soldiers - number * s, ships - number * f, kinds - 1):
            yield (*rest, number)
        number += 1


def holds_cards(suit: Counts, cards: Counts) -> bool:
    """Say whether a suit has these cards."""
    return all(want <= have for want, have in zip(cards, suit, strict=True))


# -- the example of moving ----------------------------------------------------------------------------


def _magyars() -> Outcome:
    suit = Suit()
    all_soldiers, all_ships = suit.symbols(suit.cards)
    soldiers, ships = suit.symbols(suit.played)
    shown = [*suit.bounds(), soldiers == 4, ships == 2]
    require(not possible(solver(*shown, z3.Or(all_soldiers < 4, all_ships < 2))), "at least four and two")
    low = least(solver(*shown), [z3.simplify(all_soldiers + all_ships), all_soldiers, all_ships], range(25))
    choices = list(ways(4, 2))
    true = [one for one in suits(len(KINDS)) if any(holds_cards(one, cards) for cards in choices)]
    totals = {_totals(one) for one in true}
    every = {(s, f) for s in range(25) for f in range(25) if SUIT <= s + f <= 3 * SUIT and s >= 4 and f >= 2}
    require(totals == every, "every total with four soldiers and two ships can be had")
    require((low[1], low[2]) == min(totals, key=lambda t: (sum(t), t)), "z3's least total")
    enough = [one for one in suits(len(KINDS)) if _totals(one)[0] >= 4 and _totals(one)[1] >= 2]
    require(set(true) < set(enough), "four soldiers and two ships in the suit are not enough")
    missing = min(set(enough) - set(true), key=_totals)
    for said in (missing, true[0]):
        require(_z3_fits(said) == (said in true), "z3 about one suit")
    return Outcome(
        "proven", "the example of moving needs 4 soldiers and 2 ships in the suit of the Magyars, on cards that "
        "show just "
        f"these: {len(true)} of {len(enough)} suits with so many have them, so it fixes no suit",
        "all 12870 suits of eight cards of 1 to 3 symbols", "every suit tried out; z3 has the same least totals",
        {"least soldiers and ships": low[1:], "totals that fit": len(totals)}, cases=12870,
    )  # fmt: skip


def _totals(suit: Counts) -> tuple[int, int]:
    return (
        sum(n * s for n, (s, _) in zip(suit, KINDS, strict=True)),
        sum(n * f for n, (_, f) in zip(suit, KINDS, strict=True)),
    )


def _z3_fits(suit: Counts) -> bool:
    asked = Suit()
    soldiers, ships = asked.symbols(asked.played)
    fixed = [have == n for have, n in zip(asked.cards, suit, strict=True)]
    return possible(solver(*asked.bounds(), *fixed, soldiers == 4, ships == 2))


def _magyars_map() -> Outcome:
    """Poland, Bulgaria, Finland get 3, 1 and 2 cubes; with and without the words Army and Fleet."""
    kingdom = Kingdom(3, 6)
    sent = [a + f == n for a, f, n in zip(kingdom.armies, kingdom.fleets, (3, 1, 2), strict=True)]
    text = [*kingdom.legal(kingdom.armies, kingdom.fleets), *sent, kingdom.soldiers == 4, kingdom.ships == 2,
            z3.Not(kingdom.sea[0])]  # fmt: skip
    words = [kingdom.armies[1] == 1, kingdom.fleets[2] == 2]
    facts = {"Magyars border Poland": kingdom.land[0], "Magyars border Bulgaria": kingdom.land[1],
             "Finland is on the sea": kingdom.sea[2], "Bulgaria is on the sea": kingdom.sea[1],
             "Magyars border Finland": kingdom.land[2]}  # fmt: skip
    require(possible(solver(*text, *words)), "the example can be true")
    counts = [name for name, fact in facts.items() if not possible(solver(*text, z3.Not(fact)))]
    said = [name for name, fact in facts.items() if not possible(solver(*text, *words, z3.Not(fact)))]
    require(set(counts) == {"Magyars border Poland", "Finland is on the sea"}, "what the numbers force")
    require(said == list(facts)[:3], "what the words force")
    for chosen in product((False, True), repeat=len(facts)):
        true = dict(zip(facts, chosen, strict=True))
        by_words = true["Magyars border Poland"] and true["Magyars border Bulgaria"] and true["Finland is on the sea"]
        fixed = [fact == value for fact, value in zip(facts.values(), chosen, strict=True)]
        require(possible(solver(*text, *words, *fixed)) == by_words, "every map tried")
    _magyars_played()
    return Outcome(
        "proven", "the example's numbers alone make the Magyars border Poland and put Finland on the sea; the "
        "word Army adds "
        "that they border Bulgaria; no other fact of the map follows", "three regions, any map, Poland inland",
        "all 32 maps tried, and the example played on the model", {"forced": said}, cases=32,
    )  # fmt: skip


def _magyars_played() -> None:
    """Play the example of moving on a map with just the borders that it needs: seat B, who can pay for two Heroes."""
    pack = box(symbols={"Magyars": [(2, 1)] * SUIT}, borders={"Magyars": ("Poland", "Bulgaria")})
    others = [one["id"] for one in pack["cards"] if one["kingdom"] != "Magyars"]
    order = [others[0], "MA1", others[1], "MA2", *others[2:]]
    game = northmen(pack)
    ready = Stage(game, Direction(order, ["MA1", "MA2"])).moves("Magyars")
    require((ready.cubes[2], ready.heroes[2]) == ((0, 6), (0, 2)), "six cubes and two Heroes of seat B")
    march = "march Magyars: Poland 3+1, Bulgaria 1+0, Finland 2+1"
    steps = game.expand(ready if ready.phase == "march" else replayed(game, ready, ["nodelay"]), march)
    require(steps is not None, "the march can be read")
    position = ready if ready.phase == "march" else replayed(game, ready, ["nodelay"])
    position = replayed(game, position, [game.text(step) for step in steps or ()])
    require(not any(position.cubes[2]) and not any(position.heroes[2]), "all six cubes and both Heroes have gone")


# -- the example of a tie for control ------------------------------------------------------------------


def _normans() -> Outcome:
    fits: list[Counts] = []
    fails: list[Counts] = []
    for suit in suits(3):
        fixed = dict(zip(VALUES, suit, strict=True))
        ours = {v: z3.Int(f"ours_{v}") for v in VALUES}
        theirs = {v: z3.Int(f"theirs_{v}") for v in VALUES}
        said = [z3.And(ours[v] >= 0, theirs[v] >= 0, ours[v] + theirs[v] <= fixed[v]) for v in VALUES]
        three = [z3.Sum([v * side[v] for v in VALUES]) == 3 for side in (ours, theirs)]
        found = possible(solver(*said, *three))
        require(found == _two_threes(suit), f"{suit} tried out")
        (fits if found else fails).append(suit)
    require(fails == [s for s in suits(3) if s in {(0, 8, 0), (1, 7, 0), (0, 7, 1)}], "which suits fail")
    return Outcome(
        "proven", "the example of a tie with 3 cubes each asks nothing of the number on the chart, which is 8 at "
        "least, "
        f"but excludes {len(fails)} of {len(fits) + len(fails)} suits of the Normans: eight cards of value 2, or "
        "seven and "
        "one other", "every suit by the values of its cards, whole cards placed", "every choice of cards tried out",
        {"excluded, by cards of value 1, 2, 3": [list(suit) for suit in fails]}, cases=len(fits) + len(fails),
    )  # fmt: skip


def _two_threes(suit: Counts) -> bool:
    """Say whether two players can have three symbols each, by trying all choices of cards of value 1 to 3."""
    threes = [
        c for c in product(range(4), range(2), range(2)) if sum(v * n for v, n in zip(VALUES, c, strict=True)) == 3
    ]
    return any(
        all(a + b <= have for a, b, have in zip(one, two, suit, strict=True)) for one in threes for two in threes
    )


# -- the example of a battle -----------------------------------------------------------------------------


def _empire() -> Outcome:
    """2, 4 and 3 cubes come to a landlocked region from Kingdoms that each have one controller."""
    needed = (2, 4, 3)
    found: dict[str, Any] = {}
    for degree in range(1, len(KINGDOMS) + 1):
        soldiers = [z3.Int(f"soldiers_{k}") for k in range(degree)]
        control = [z3.Int(f"control_{k}") for k in range(degree)]
        said = [*between(soldiers, 0, 24), *between(control, 0, 2)]
        for seat, cubes in enumerate(needed):
            own = [z3.If(c == seat, s, 0) for c, s in zip(control, soldiers, strict=True)]
            said.append(z3.Sum(own) >= cubes)
        total = z3.Sum(soldiers)
        can = possible(solver(*said))
        require(can == (degree >= 3), "three Kingdoms at least")
        if can:
            require(not possible(solver(*said, total < sum(needed))), "nine soldiers at least")
            require(possible(solver(*said, total == sum(needed))), "nine are enough")
            require(possible(solver(*said, total == 24 * degree)), "and any more will do")
    three = sorted({tuple(sorted(s)) for s in product(range(10), repeat=3) if sum(s) == 9 and _serves(s)})
    require(three == [(2, 3, 4)], "with three Kingdoms: 2, 3 and 4")
    found = {"Kingdoms": 3, "soldiers": list(three[0])}
    return Outcome(
        "proven", "the example of a battle needs three Kingdoms beside the Holy Roman Empire, with nine soldiers "
        "in their "
        "suits at least (three Kingdoms: 2, 3 and 4 or more); it fixes nothing else", "1 to 7 Kingdoms beside the "
        "region, up "
        "to 24 soldiers each", "three Kingdoms with nine soldiers tried out", found, cases=len(KINGDOMS),
    )  # fmt: skip


def _serves(soldiers: Counts) -> bool:
    return any(
        all(sum(s for s, owner in zip(soldiers, owners, strict=True) if owner == seat) >= cubes
            for seat, cubes in enumerate((2, 4, 3)))
        for owners in product(range(3), repeat=len(soldiers))
    )  # fmt: skip


# -- the example of hiring ------------------------------------------------------------------------------------


def _saxons() -> Outcome:
    true: dict[str, list[str]] = {str(n): [] for n in PLAYERS}
    cases = 0
    value, names, mark = z3.Int("value"), z3.Bool("names_bulgaria"), z3.Int("mark")
    for players in PLAYERS:
        silent = [mark == n for n, one in enumerate(MARKS) if not places(one, players, "suppress")]
        example = [value == 2, names, z3.Not(z3.Or(silent)), *between([mark], 0, 2)]
        for n, one in enumerate(MARKS):
            said = possible(solver(*example, mark == n))
            for symbols in ((2, 0), (1, 1), (0, 2)):
                cases += 1
                require(_hired(players, symbols, one) == said, f"the model with a card marked {one}, {players} players")
            if said:
                true[str(players)].append(one)
    return Outcome(
        "proven", "the example of hiring needs a Saxons card with two symbols that names Bulgaria, without a mark "
        "for the "
        "number of players; soldiers or ships, and the number of players, are left open", "2 to 4 players, any "
        "two symbols, "
        "any mark", "each played on the model", {"marks that fit, by players": true}, cases=cases,
    )  # fmt: skip


def _hired(players: int, symbols: tuple[int, int], mark: str) -> bool:
    """Play the example on the model; say whether it comes out as told."""
    pack = box(symbols={"Saxons": [symbols] * SUIT}, named={"SA1": "Bulgaria"})
    next(one for one in pack["cards"] if one["id"] == "SA1")["mark"] = mark
    game = northmen(pack, players)
    before = game.record(Stage(game, Direction(["SA1"])).turn(1))
    after = game.record(replayed(game, game.position(before), ["play SA1", "hire"]))
    require(after["kingdoms"]["Saxons"][0] == [2, 1] and after["heroes"]["A"] == 2, "two cubes and a Hero")
    require(after["infamy"]["A"] == before["infamy"]["A"] - HERO_PRICE, "paid from the Infamy Card")
    require(after["reserve"]["A"] == before["reserve"]["A"] - 2 + HERO_PRICE, "back to the reserve")
    require("draw" in options(game, game.position(after)), "then a card is drawn")
    return bool(after["tokens"]["Bulgaria"] == 1)


CLAIMS = (
    Claim("example-moving", "which suits of the Magyars make the example of moving true", ("SN-MOVE-08", "SN-CARD-02"),
          _magyars),
    Claim("example-moving-map", "what does the example of moving say of the map", ("SN-MOVE-09", "SN-MOVE-10",
          "SN-MOVE-11", "SN-MOVE-13"), _magyars_map, "R_BULGARIA"),
    Claim("example-tie", "which suits of the Normans make the example of a tie true", ("SN-CTRL-09", "SN-RALLY-06",
          "SN-CHART-04"), _normans),
    Claim("example-battle", "what does the example of a battle say of map and cards", ("SN-BATTLE-08", "SN-MOVE-13",
          "SN-MOVE-10"), _empire),
    Claim("example-hiring", "which card of the Saxons makes the example of hiring true", ("SN-RALLY-06", "SN-RALLY-09",
          "SN-RALLY-11", "SN-RALLY-14", "SN-RALLY-15"), _saxons, "R_BULGARIA"),
)  # fmt: skip
