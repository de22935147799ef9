"""Claims about placing a tile, asked of z3 over the start triangle with up to two more tiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import z3

from lawspeaker.model.core.hexgrid import axial
from lawspeaker.model.fjords import actions as act
from lawspeaker.model.fjords.pack import FARMLAND, MOUNTAIN, SEA
from lawspeaker.solver.asking import Claim, Outcome, least, possible, require, solver

from .layouts import Concrete, Symbolic, default_rulings, layouts

Spot = tuple[tuple[int, int], int]
TERRAIN = (FARMLAND, MOUNTAIN, SEA)
_BOUNDS = "start triangle with up to {} more tiles, each with land in its middle, every border; a tile of any border"


def _count(extra: int) -> int:
    return sum(len(layouts(n)) for n in range(extra + 1))


def _witness(region: Symbolic, said: Sequence[Any]) -> Concrete | None:
    asked = solver(*region.well_formed(), *said)
    if not possible(asked):
        return None
    values = least(asked, region.terms(), (0, *TERRAIN))
    return Concrete(region, values)


def _has_farmland(region: Symbolic) -> Any:
    return z3.Or([side == FARMLAND for side in region.tile])


def _judged(found: Concrete, **rulings: str) -> tuple[dict[Spot, set[str]], list[str], Any]:
    """Return the broken clauses of each spot, the legal actions, and the position, all by the model."""
    game = found.game(default_rulings(**rulings))
    position = game.position(found.record())
    broken_rules = [game.words(one) for one in game.broken_invariants(position)]
    require(not broken_rules, f"the witness is no valid position: {broken_rules}")
    broken: dict[Spot, set[str]] = {}
    for action in game.alphabet(position):
        if isinstance(action, act.Place) and game.text(action).startswith("place T "):
            clauses = {breach.clause for breach in game.breaches(position, action)}
            broken[(axial(action.cell), action.turn)] = clauses
    return broken, [game.text(action) for action in game.legal(position)], game.record(position)


def _forced_then_forbidden() -> Outcome:
    region = Symbolic(layouts(0)[0])
    for spot in region.spots:
        only = [region.agrees(spot), *(z3.Not(region.agrees(s)) for s in region.spots if s != spot)]
        apart = z3.Not(region.touches_land(spot))
        found = _witness(region, [*region.one_part(), _has_farmland(region), *only, apart])
        if found is None:
            continue
        broken, legal, record = _judged(found)
        fits = [s for s, clauses in broken.items() if not clauses & {"FD-TILE-01", "FD-TILE-02", "FD-OURS-CELL"}]
        require(fits == [spot] and "FD-TILE-04" in broken[spot], "rules 1 and 2 leave this place only, rule 3 bars it")
        require(legal == ["aside"], "the tile is set aside")
        shown = {"tile": found.tile, "cell": list(spot[0]), "turn": spot[1]}
        said = f"tile {found.tile} fits {spot[0]} with {spot[1]} turns and nowhere else; all its contacts there are sea"
        return Outcome("witness", said, _BOUNDS.format(0), "replayed on the model: only setting it aside is legal",
                       shown, record, found.pack, _count(0))  # fmt: skip
    return Outcome("refuted", "there is none", _BOUNDS.format(0), "z3 found no model", cases=_count(0))


def _forced() -> Outcome:
    region = Symbolic(layouts(0)[0])
    for spot in region.spots:
        legal_at = [z3.And(region.agrees(s), region.touches_land(s)) for s in region.spots]
        only = [one if s == spot else z3.Not(one) for s, one in zip(region.spots, legal_at, strict=True)]
        found = _witness(region, [*region.one_part(), _has_farmland(region), *only])
        if found is None:
            continue
        _, legal, record = _judged(found)
        require(legal == [f"place T {spot[0][0]},{spot[0][1]} r{spot[1]}"], "one placement only")
        shown = {"tile": found.tile, "cell": list(spot[0]), "turn": spot[1]}
        return Outcome("witness", f"tile {found.tile} has one cell and one turn", _BOUNDS.format(0),
                       "replayed on the model: nothing else is legal", shown, record,
                       found.pack, _count(0))  # fmt: skip
    return Outcome("refuted", "no placement is ever forced", _BOUNDS.format(0), "z3 found no model", cases=_count(0))


def _sea_only() -> Outcome:
    """Prove it with land on the tile, and show that it fails without: it rests on what tiles there are."""
    cases = 0
    for extra in range(3):
        for cells in layouts(extra):
            region = Symbolic(cells)
            for spot in region.spots[::6]:  # the tile is any tile, so one turn stands for all six
                cases += 1
                parts = [z3.Implies(region.has_part(p), region.touches_land(spot, p)) for p in (0, 1)]
                legal = [region.agrees(spot), *parts, z3.Not(region.touches_land(spot))]
                asked = solver(*region.well_formed(), *legal)
                land = z3.Or([side != SEA for side in region.tile])
                require(not possible(asked, land), "a tile with land would join nothing")
                require(possible(asked, z3.Not(land)), "a tile of sea only would do")
    return Outcome(
        "proven", "no placement is legal with sea contacts only (R_LAND=component)", _BOUNDS.format(2),
        "the same question is satisfiable for a tile of sea alone, so it rests on FD-FARM-05 and FD-FARM-06",
        cases=cases,
    )  # fmt: skip


def _third_contact() -> Outcome:
    for extra in range(4):
        for cells in layouts(extra):
            region = Symbolic(cells)
            for spot in region.spots:
                if len(list(region.contacts(spot))) < 3:
                    continue
                said = [*region.one_part(), _has_farmland(region), region.agrees(spot), region.touches_land(spot)]
                found = _witness(region, said)
                if found is None:
                    continue
                many, _, record = _judged(found)
                two, _, _ = _judged(found, R_TWO="exactly")
                require(not many[spot] and two[spot] == {"FD-TILE-02"}, "the readings part over this cell")
                shown = {"tile": found.tile, "cell": list(spot[0]), "turn": spot[1], "contacts": 3}
                return Outcome("witness", f"a cell with three contacts first arises with {extra} tiles laid",
                               _BOUNDS.format(extra), "replayed on the model under both values", shown, record,
                               found.pack, _count(extra))  # fmt: skip
    return Outcome("refuted", "no cell has a third contact", _BOUNDS.format(3), "by enumeration of shapes")


def _legal(region: Symbolic, spot: Spot, land: str) -> Any:
    """Say that a spot is legal under a value of R_LAND (the region before is one landmass)."""
    joined = [region.touches_land(spot, part) for part in (0, 1)]
    there = [region.has_part(part) for part in (0, 1)]
    if land == "component":
        rule = z3.And([z3.Implies(h, j) for h, j in zip(there, joined, strict=True)])
    elif land == "tile":
        rule = z3.Or([z3.And(h, j) for h, j in zip(there, joined, strict=True)])
    else:
        opens = [region.open_side(spot, part) for part in (0, 1)]
        rule = z3.And([z3.Implies(h, z3.Or(j, o)) for h, j, o in zip(there, joined, opens, strict=True)])
        rule = z3.And(rule, z3.Or([z3.And(j, o) for j, o in zip(joined, opens, strict=True)] + [z3.Not(z3.Or(joined))]))
    return z3.And(region.agrees(spot), rule)


def _landmass(one: str, two: str) -> Callable[[], Outcome]:
    """Ask for a channel tile that is legal under *two* and not under *one*."""

    def ask() -> Outcome:
        region = Symbolic(layouts(0)[0])
        for spot in region.spots[::6]:
            said = [*region.channel(), _has_farmland(region), _legal(region, spot, two)]
            found = _witness(region, [*said, z3.Not(_legal(region, spot, one))])
            if found is None:
                continue
            barred, _, record = _judged(found, R_LAND=one)
            free, _, _ = _judged(found, R_LAND=two)
            require(not free[spot] and bool(barred[spot] & {"FD-TILE-03", "FD-TILE-04"}), f"{one} bars, {two} allows")
            shown = {"tile": found.tile, "cell": list(spot[0]), "turn": spot[1]}
            return Outcome("witness", f"channel tile {found.tile}: legal under {two}, not under {one}",
                           _BOUNDS.format(0), "replayed on the model under both values", shown, record, found.pack,
                           _count(0))  # fmt: skip
        return Outcome("refuted", "no channel tile tells them apart", _BOUNDS.format(0), "z3 found no model")

    return ask


_RULE_3 = ("FD-TILE-03", "FD-TILE-04", "FD-TILE-05")
CLAIMS = (
    Claim("one-place-forbidden", "can rules 1 and 2 leave one place for a tile that rule 3 then forbids",
          ("FD-TILE-01", "FD-TILE-02", "FD-TILE-03", "FD-TILE-08"), _forced_then_forbidden),
    Claim("forced-placement", "can a placement be forced: one cell, one turn", ("FD-TILE-08",), _forced),
    Claim("sea-contacts", "is a placement never legal with sea contacts only", (*_RULE_3, "FD-FARM-05", "FD-FARM-06"),
          _sea_only, "R_LAND"),
    Claim("third-contact", "do at least two sides and exactly two sides differ in play", ("FD-TILE-02",),
          _third_contact, "R_TWO"),
    Claim("landmass-component-tile", "does a channel tile tell R_LAND=component from tile", _RULE_3,
          _landmass("component", "tile"), "R_LAND"),
    Claim("landmass-component-closed", "does a channel tile tell R_LAND=component from closed", _RULE_3,
          _landmass("component", "closed"), "R_LAND"),
    Claim("landmass-tile-closed", "does a channel tile tell R_LAND=tile from closed", _RULE_3,
          _landmass("tile", "closed"), "R_LAND"),
)  # fmt: skip
