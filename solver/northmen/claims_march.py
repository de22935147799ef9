"""Claims about movement: when a march is possible, that its form is right, and that it is asked without gaps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import z3

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.maps import Reach, march_possible
from lawspeaker.model.northmen.room import CATALOGUE, ROOM
from lawspeaker.solver.asking import Claim, Outcome, least, possible, require, solver

from .boxes import BORDERS, INLAND, LANDS, box, card, game_of, northmen
from .counts import REGIONS, SUIT, between
from .staged import Direction, Stage

Counts = tuple[int, ...]


class Kingdom:
    """A Kingdom that marches, left to z3: its map, its symbols, its cubes, and a split into Armies and Fleets."""

    def __init__(self, regions: int, most: int) -> None:
        self.regions = range(regions)
        self.land = [z3.Bool(f"land_{r}") for r in self.regions]
        self.sea = [z3.Bool(f"sea_{r}") for r in self.regions]
        self.soldiers, self.ships, self.cubes = z3.Ints("soldiers ships cubes")
        self.armies = [z3.Int(f"armies_{r}") for r in self.regions]
        self.fleets = [z3.Int(f"fleets_{r}") for r in self.regions]
        self.most = most

    def bounds(self) -> list[Any]:
        """Say that there are no more cubes than symbols, and amounts are possible (SN-RALLY-06)."""
        amounts = between([self.soldiers, self.ships, self.cubes], 0, self.most)
        return [*amounts, self.cubes <= self.soldiers + self.ships]

    def legal(self, armies: list[Any], fleets: list[Any]) -> list[Any]:
        """Say that these Armies and Fleets can go as assigned (SN-MOVE-09 to 11, SN-MOVE-13)."""
        said = [amount >= 0 for amount in (*armies, *fleets)]
        said += [z3.Implies(a > 0, here) for a, here in zip(armies, self.land, strict=True)]
        said += [z3.Implies(f > 0, here) for f, here in zip(fleets, self.sea, strict=True)]
        return [*said, z3.Sum(armies) <= self.soldiers, z3.Sum(fleets) <= self.ships]

    def closed_form(self, cubes: list[Any]) -> Any:
        """Say the same of cubes by region alone: no kind is short where only it comes, nor both together."""
        kinds = list(zip(self.land, self.sea, cubes, strict=True))
        only_land = z3.Sum([z3.If(z3.And(land, z3.Not(sea)), x, 0) for land, sea, x in kinds])
        only_sea = z3.Sum([z3.If(z3.And(sea, z3.Not(land)), x, 0) for land, sea, x in kinds])
        reached = [z3.Implies(x > 0, z3.Or(land, sea)) for land, sea, x in kinds]
        total = z3.Sum(cubes)
        enough = z3.And(only_land <= self.soldiers, only_sea <= self.ships, total <= self.soldiers + self.ships)
        return z3.And(*[x >= 0 for x in cubes], *reached, enough)


# -- must move ----------------------------------------------------------------------------------------------


def _must_move() -> Outcome:
    kingdom = Kingdom(REGIONS, 24)
    lands, seas = z3.Or(kingdom.land), z3.Or(kingdom.sea)
    free = [*kingdom.bounds(), *kingdom.legal(kingdom.armies, kingdom.fleets)]
    all_go = z3.Sum([*kingdom.armies, *kingdom.fleets]) == kingdom.cubes
    require(not possible(solver(*free, all_go, z3.Not(lands), kingdom.cubes > kingdom.ships)), "stuck without land")
    armies, fleets = _all_to_the_first(kingdom)
    fits = z3.And(*kingdom.legal(armies, fleets), z3.Sum([*armies, *fleets]) == kingdom.cubes)
    can = z3.Or(lands, kingdom.cubes <= kingdom.ships)
    require(not possible(solver(*kingdom.bounds(), seas, can, z3.Not(fits))), "else all can go somewhere")
    asked = solver(*kingdom.bounds(), seas, z3.Not(lands), kingdom.cubes > kingdom.ships)
    require(possible(asked), "the stuck case exists")
    stuck = least(asked, [kingdom.cubes, kingdom.soldiers, kingdom.ships], range(25))
    no_sea = solver(*free, all_go, z3.Not(seas), lands, kingdom.cubes > kingdom.soldiers)
    require(not possible(no_sea), "without any sea, Fleets would be stuck: it rests on a region on the sea")
    _stuck_on_the_model()
    return Outcome(
        "proven", "cubes that must leave cannot just if no region borders their Kingdom and they are more than its "
        f"ships; least: {stuck[0]} cube, {stuck[1]} soldier, {stuck[2]} ships", "any map of nine regions, one at least "
        "on the sea, up to 24 symbols and cubes", "replayed on the model: map_constraint refuses the box, the other "
        "values of R_STUCK take the cube off", {"cubes": stuck[0], "soldiers": stuck[1], "ships": stuck[2]},
    )  # fmt: skip


def _all_to_the_first(kingdom: Kingdom) -> tuple[list[Any], list[Any]]:
    """Send as many Armies as possible to the first region beside the Kingdom, the rest by sea to the first there."""
    armies = z3.If(kingdom.cubes <= kingdom.soldiers, kingdom.cubes, kingdom.soldiers)
    by_land = z3.If(z3.Or(kingdom.land), armies, 0)

    def first(here: list[Any]) -> list[Any]:
        return [z3.And(one, *[z3.Not(other) for other in here[:n]]) for n, one in enumerate(here)]

    to_land = [z3.If(one, by_land, 0) for one in first(kingdom.land)]
    return to_land, [z3.If(one, kingdom.cubes - by_land, 0) for one in first(kingdom.sea)]


def _stuck_on_the_model() -> None:
    """Play the least case: one Army in a Kingdom without neighbours."""
    pack = box(symbols={"Normans": [(1, 0)] * SUIT}, borders={"Normans": ()})
    require("Normans" in _refused(pack), "map_constraint refuses the box")
    by_bulgaria = box(borders={"Rus": ("Bulgaria",)})
    require("Rus" in _refused(by_bulgaria, R_BULGARIA="kingdom"), "Bulgaria as a Kingdom is no neighbour")
    require(not _refused(by_bulgaria), "as a Neutral Region it is")
    ends = []
    for value in ("to_reserve", "to_infamy"):
        game = northmen(pack, R_STUCK=value)
        order = ["NM1", *[one["id"] for one in pack["cards"] if one["kingdom"] != "Normans"]]
        position = Stage(game, Direction(order)).until(lambda p: p.phase in ("delay", "march", "complete"))
        require(position.control[0] == 0 and not any(position.cubes[0]), "A controls the Normans, none are left there")
        ends.append((position.reserve[0], position.infamy[0]))
    require((ends[0][0] - ends[1][0], ends[1][1] - ends[0][1]) == (1, 1), "one cube goes where R_STUCK says")


def _refused(pack: dict[str, Any], **rulings: str) -> str:
    """Return why a box is refused, or nothing."""
    try:
        game_of(pack, 2, **rulings)
    except BadInput as error:
        return error.what
    return ""


# -- the closed form ----------------------------------------------------------------------------------------


def _closed_form() -> Outcome:
    kingdom = Kingdom(4, 6)
    cubes = [a + f for a, f in zip(kingdom.armies, kingdom.fleets, strict=True)]
    split = kingdom.legal(kingdom.armies, kingdom.fleets)
    require(not possible(solver(*kingdom.bounds(), *split, z3.Not(kingdom.closed_form(cubes)))), "every march fits")
    sent = [z3.Int(f"sent_{r}") for r in kingdom.regions]
    armies, fleets = _armies_first(kingdom, sent)
    fits = kingdom.closed_form(sent)
    require(possible(solver(*kingdom.bounds(), fits, z3.Sum(sent) > 3)), "there are marches")
    require(not possible(solver(*kingdom.bounds(), fits, z3.Not(z3.And(kingdom.legal(armies, fleets))))), "it suffices")
    cases = sum(1 for _ in _compared())
    return Outcome(
        "proven", "a march of so many cubes to each region is possible just if Armies suffice where only they come, "
        "Fleets where only they come, and both together for all",
        "4 regions, any map, up to 6 soldiers, ships and cubes",
        "every march to 3 regions with up to 2 soldiers, 2 ships and 2 cubes each: splits tried out, the model's form",
        cases=cases,
    )  # fmt: skip


def _armies_first(kingdom: Kingdom, sent: list[Any]) -> tuple[list[Any], list[Any]]:
    """Split cubes region by region: only Armies or only Fleets where it must be so, else Armies while there are any."""
    kinds = list(zip(kingdom.land, kingdom.sea, sent, strict=True))
    needed = z3.Sum([z3.If(z3.And(land, z3.Not(sea)), x, 0) for land, sea, x in kinds])
    left, armies, fleets = kingdom.soldiers - needed, [], []
    for land, sea, x in kinds:
        free = z3.If(x <= left, x, left)
        by_land = z3.If(z3.And(land, sea), free, z3.If(land, x, 0))
        armies.append(by_land)
        fleets.append(x - by_land)
        left = left - z3.If(z3.And(land, sea), free, 0)
    return armies, fleets


KINDS = ((False, False), (True, False), (False, True), (True, True))
"""Whether a region is reached by land, and by sea."""


def _reach(kinds: tuple[tuple[bool, bool], ...]) -> Reach:
    land = sum(1 << r for r, (by_land, _) in enumerate(kinds) if by_land)
    sea = sum(1 << r for r, (_, by_sea) in enumerate(kinds) if by_sea)
    return Reach((land,), (sea,), (land | sea,), (1 << len(kinds)) - 1)


def _compared() -> Iterator[None]:
    """Compare the model's form with trying every split of every small march."""
    for kinds in product(KINDS, repeat=3):
        reach = _reach(kinds)
        for soldiers, ships in product(range(3), repeat=2):
            for cubes in product(range(3), repeat=3):
                said = march_possible(reach, 0, soldiers, ships, cubes, (0, 0, 0))
                require(said == splits_exist(kinds, soldiers, ships, cubes), f"{kinds} {soldiers} {ships} {cubes}")
                yield


def splits_exist(kinds: tuple[tuple[bool, bool], ...], soldiers: int, ships: int, cubes: Counts) -> bool:
    """Say whether cubes can be told Army or Fleet one region after the other, by trying."""
    if not cubes:
        return True
    (land, sea), most = kinds[0], cubes[0]
    return any(
        (land or not armies) and (sea or armies == most)
        and splits_exist(kinds[1:], soldiers - armies, ships - most + armies, cubes[1:])
        for armies in range(max(0, most - ships), min(most, soldiers) + 1)
    )  # fmt: skip


# -- asked region by region -----------------------------------------------------------------------------------


def _small_game(kinds: tuple[tuple[bool, bool], ...], **rulings: str) -> NorthmenGame:
    """Return a game with one Kingdom and as many regions, reached as said."""
    names = [f"R{n}" for n in range(len(kinds))]
    pack = {
        "format": "lawspeaker-pack/1", "game": "northmen", "id": "small", "title": "small", "complete": False,
        "kingdoms": [{"id": "K", "borders": [n for n, (land, _) in zip(names, kinds, strict=True) if land]}],
        "regions": [{"id": n, "sea": sea} for n, (_, sea) in zip(names, kinds, strict=True)],
    }  # fmt: skip
    chosen = CATALOGUE.book.choose({"R_LANDLOCK": "examples", "R_STUCK": "to_reserve", **rulings})
    game = ROOM.build(ROOM.read_pack(pack, "small"), chosen, 2)
    assert isinstance(game, NorthmenGame)
    return game


def paths(game: NorthmenGame, cubes: int, heroes: int, symbols: tuple[int, int]) -> Iterator[tuple[Counts, Counts]]:
    """Yield the outcome of every way to answer the model's questions, region by region."""
    room = (*symbols, sum(symbols))
    todo: list[tuple[int, int, int, tuple[int, int, int], Counts, Counts]] = [(0, cubes, heroes, room, (), ())]
    while todo:
        region, left, led, free, sent, went = todo.pop()
        if region == game.tables.r:
            yield sent, went
            continue
        for step in game.tables.sends(0, region, left, led, free, game.must):
            after = game.tables.room_after(0, region, step.cubes, free)
            grown = (*sent, step.cubes), (*went, step.heroes)
            todo.append((region + 1, left - step.cubes, led - step.heroes, after, *grown))


def marches(
    kinds: tuple[tuple[bool, bool], ...], cubes: int, heroes: int, symbols: tuple[int, int], must: tuple[bool, bool]
) -> set[tuple[Counts, Counts]]:
    """Return every march by trying all splits: Armies by land, Fleets by sea, Heroes by either."""
    found = set()
    for sent in product(range(cubes + 1), repeat=len(kinds)):
        if sum(sent) > cubes or (must[0] and sum(sent) < cubes) or not splits_exist(kinds, *symbols, sent):
            continue
        for went in product(range(heroes + 1), repeat=len(kinds)):
            whole = sum(went) == heroes if must[1] else sum(went) <= heroes
            if whole and all(any(kind) or not hero for kind, hero in zip(kinds, went, strict=True)):
                found.add((sent, went))
    return found


def _asked_once() -> Outcome:
    cases = 0
    for kinds in product(KINDS, repeat=3):
        for cubes_must, heroes_must in product(("must", "may"), repeat=2):
            game = _small_game(kinds, R_MUST_MOVE=cubes_must, R_HERO_STAY=heroes_must)
            for soldiers, ships, cubes, heroes in ((2, 1, 3, 1), (1, 2, 2, 0), (2, 0, 1, 1), (0, 2, 2, 1)):
                asked = list(paths(game, cubes, heroes, (soldiers, ships)))
                wanted = marches(kinds, cubes, heroes, (soldiers, ships), game.must)
                require(len(asked) == len(set(asked)), "a march is asked for twice")
                require(set(asked) == wanted, f"{kinds} {soldiers}+{ships}: another set of marches")
                cases += 1
    whole = _asked_once_in_a_game()
    return Outcome(
        "proven", "asked region by region, each possible march is offered exactly once, and no answer leads nowhere",
        "every map of 3 regions, 4 small forces, R_MUST_MOVE and R_HERO_STAY; one force on the map of 9 regions",
        "the model's questions against all splits tried out", {"marches of one force on nine regions": whole},
        cases=cases,
    )  # fmt: skip


def _asked_once_in_a_game() -> int:
    """Play out every march of 2 soldiers, 1 ship and 1 Hero of the Magyars; return how many there are."""
    pack = box(symbols={"Magyars": [(2, 0), (0, 1), *[(1, 0)] * 6]})
    game = northmen(pack, R_LANDLOCK="examples")
    stage = Stage(game, Direction(_alone(pack, "Magyars", 2), ["MA1"]))
    ends = list(stage.marches(stage.moves("Magyars")))
    require(len({game.digest(end) for end in ends}) == len(ends), "each march comes to another position")
    kinds = tuple((name in BORDERS["Magyars"], name not in INLAND) for name in LANDS)
    expected = sum(1 for sent in _sums(3, REGIONS) if splits_exist(kinds, 2, 1, sent)) * REGIONS
    require(len(ends) == expected, "as many marches as splits and places for the Hero")
    return len(ends)


def _alone(pack: dict[str, Any], kingdom: str, number: int) -> list[str]:
    """Return an order in which seat A alone plays the first cards of a Kingdom's suit, and nobody others of it."""
    own = [card(kingdom, n + 1) for n in range(number)]
    others = [one["id"] for one in pack["cards"] if one["kingdom"] != kingdom]
    return [one for pair in zip(own, others, strict=False) for one in pair] + others[number:]


def _sums(total: int, parts: int) -> Iterator[Counts]:
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _sums(total - first, parts - 1):
            yield (first, *rest)


# -- landlocked regions ------------------------------------------------------------------------------------------


def _three_colours(degree: int, colours: int) -> list[Any]:
    """Say that so many seats have pieces in a landlocked region with *degree* neighbours.

    Each neighbour has at most one controller, and only its pieces come here.
    """
    control = [z3.Int(f"control_{k}") for k in range(degree)]
    sent = [z3.Int(f"sent_{k}") for k in range(degree)]
    said = [*between(control, 0, 3), *between(sent, 0, 27)]
    there = [z3.Sum([z3.If(c == seat, s, 0) for c, s in zip(control, sent, strict=True)]) for seat in range(4)]
    return [*said, z3.Sum([z3.If(amount > 0, 1, 0) for amount in there]) >= colours]


def _battle_of_three() -> Outcome:
    for degree in range(1, 5):
        for colours in range(1, 5):
            found = possible(solver(*_three_colours(degree, colours)))
            require(found == (colours <= degree), "as many colours as neighbours")
            tried = max(len(set(who)) for who in product(range(4), repeat=degree))
            require(found == (colours <= tried), "every control tried out")
    return Outcome(
        "proven", "so many colours can fight over a landlocked region as Kingdoms border it: the example's "
        "three need three",
        "1 to 4 neighbours, 1 to 4 colours, any control", "every control tried out", {"colours": 3, "neighbours": 3},
        cases=16,
    )  # fmt: skip


def _landlocked() -> Outcome:
    kingdom = Kingdom(4, 6)
    inland = z3.And(z3.Not(kingdom.sea[0]), kingdom.armies[0] + kingdom.fleets[0] > 0)
    free = [*kingdom.bounds(), *kingdom.legal(kingdom.armies, kingdom.fleets), inland]
    require(not possible(solver(*free, kingdom.fleets[0] > 0)), "a Fleet gets inland")
    require(not possible(solver(*free, kingdom.soldiers == 0)), "cubes get there without a soldier")
    require(not possible(solver(*free, z3.Not(kingdom.land[0]))), "or from elsewhere")
    require(not possible(solver(*free, kingdom.armies[0] > kingdom.soldiers)), "or more than there are soldiers")
    require(possible(solver(*free)), "with a soldier they do")
    pack = box(symbols={"Magyars": [(0, 2)] * 8, "Saxons": [(2, 0)] * 8})
    for name in ("Magyars", "Saxons"):
        for landlock in ("exhaustive", "examples"):
            require(_sent_to("Poland", pack, name, landlock) == {0}, f"the model lets {name} into Poland")
    by_land = box(symbols={"Magyars": [(2, 0)] * 8})
    require(_sent_to("Poland", by_land, "Magyars", "exhaustive") == {0, 1, 2}, "soldiers come there")
    return Outcome(
        "proven", "no cube comes to a landlocked region but as an Army from beside it",
        "4 regions, any map, up to 6 symbols",
        "the model offers none by ship, none from elsewhere, and some by land", cases=5,
    )  # fmt: skip


def _sent_to(land: str, pack: dict[str, Any], kingdom: str, landlock: str) -> set[int]:
    """Return how many of two cubes the model lets a Kingdom send to a region, every march tried."""
    game = northmen(pack, R_LANDLOCK=landlock)
    stage = Stage(game, Direction(_alone(pack, kingdom, 1)))
    place = game.tables.names.place[land]
    ready = stage.moves(kingdom)
    require(ready.cubes[game.tables.names.place[kingdom]] == (2, 0), "two cubes are to move")
    return {after.cubes[place][0] - ready.cubes[place][0] for after in stage.marches(ready)}


CLAIMS = (
    Claim("must-move", "when can cubes that must leave a Kingdom not do so", ("SN-DELAY-03", "SN-MOVE-09", "SN-MOVE-10",
          "SN-MOVE-11"), _must_move, "R_STUCK"),
    Claim("march-form", "is the closed form of a march right", ("SN-MOVE-09", "SN-MOVE-10", "SN-MOVE-11", "SN-MOVE-13"),
          _closed_form),
    Claim("march-once", "is every march offered exactly once", ("SN-MOVE-09", "SN-MOVE-11", "SN-DELAY-03",
          "SN-OURS-ORDER"), _asked_once, "R_MUST_MOVE"),
    Claim("battle-of-three", "how many Kingdoms must border a landlocked region for a battle of three",
          ("SN-MOVE-10", "SN-MOVE-13", "SN-CTRL-07", "SN-BATTLE-01"), _battle_of_three),
    Claim("no-fleet-inland", "does a Fleet ever come to a landlocked region", ("SN-MOVE-10", "SN-MOVE-11",
          "SN-MOVE-13"), _landlocked, "R_LANDLOCK"),
)  # fmt: skip
