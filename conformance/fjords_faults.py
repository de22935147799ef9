"""The faults planted in Fjords: mechanical mutants of its rules and methods, and variants made by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from typing import Any

from msgspec.structs import replace

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.games import make_game
from lawspeaker.model.core.play import Rare, Step, steps, uniform
from lawspeaker.model.fjords.game import FjordsGame
from lawspeaker.model.fjords.position import Position

from . import fjords_variants as v
from .faults import Fault
from .match import Line
from .planting import as_kind, kind_faults, mechanical_faults, ops, plays_by, session_faults, with_rule
from .session import Session

RULE_CLASSES = {
    "rounds": "END", "has_land_taking": "END", "opening": "DATA", "farm_supply": "SUP", "field_supply": "SUP",
    "tiles_for_round": "SUP", "next_player": "ORD", "may_draw": "LEG-", "may_take_open": "PATH",
    "may_set_aside": "LEG+", "draws_again": "ORD", "may_object": "TRG", "told_must_place": "OMIT",
    "one_tile_a_turn": "ORD", "discovery_over": "END", "terrains_match": "LEG+", "touches_two": "THR",
    "joins_landmass": "GEO", "no_landmass_sealed": "GEO", "areas_allowed": "OMIT", "holes_allowed": "OMIT",
    "may_place_farm": "SUP", "may_decline_farm": "LEG-", "farmable": "OMIT", "first_field": "TGT",
    "next_field_player": "ORD", "field_places": "LEG+", "farmland_meets": "GEO", "field_order": "OMIT",
    "land_taking_over": "END", "round_winner": "TIE", "next_starter": "TGT", "total": "SCR", "leaders": "SCR",
    "tie_winner": "TIE", "shared_victory": "TIE",
}  # fmt: skip
"""The class of fault that a mistake in a rule is, by the rule's name."""

METHODS: dict[str, tuple[str, str]] = {
    "_begin_round": ("FD-SCORE-04", "STA"), "_start": ("FD-DISC-01", "ORD"), "_deal": ("FD-DISC-02", "SUP"),
    "_aside": ("FD-TILE-12", "TRG"), "_object": ("FD-TILE-13", "STA"), "_lay_aside": ("FD-DISC-03", "STA"),
    "_open": ("FD-OPEN-01", "SUP"), "_lay": ("FD-OPEN-05", "STA"), "_farm": ("FD-FARM-03", "TGT"),
    "_turn_over": ("FD-LAND-01", "END"), "_next_turn": ("FD-OPEN-06", "STA"), "_end_discovery": ("FD-LAND-05", "STA"),
    "with_ground": ("FD-FIELD-03", "STA"), "_field": ("FD-LAND-08", "STA"), "_settle": ("FD-FIELD-07", "END"),
    "_end_round": ("FD-SCORE-03", "MUL"), "starter_after_tie": ("FD-SCORE-05", "AMB"),
    "_legal_choose": ("FD-OPEN-02", "LEG-"), "_legal_drawn": ("FD-TILE-08", "LEG+"),
    "_legal_farm": ("FD-FARM-07", "LEG-"), "farm_segments": ("FD-FARM-04", "LEG+"),
    "may_take_open": ("FD-OPEN-04", "PATH"), "field_mask": ("FD-FIELD-01", "LEG+"),
}  # fmt: skip
"""Methods of the game that are changed, with the clause each serves and the class of a mistake in it."""


# -- mechanical -------------------------------------------------------------------------------------


@cache
def mechanical() -> tuple[Fault, ...]:
    """Return every mechanical mutant of the labelled rules and of the listed methods."""
    return mechanical_faults(make_game("fjords"), RULE_CLASSES, METHODS)


# -- by hand ----------------------------------------------------------------------------------------


def _sides(tile: str, sides: str) -> Callable[[AnyGame], AnyGame]:
    def build(game: AnyGame) -> AnyGame:
        pack: Any = game.pack
        tiles = tuple(replace(t, sides=sides, segments=None, land=None) if t.id == tile else t for t in pack.tiles)
        return game.varied(pack=replace(pack, tiles=tiles))

    return build


def _without_tile(tile: str) -> Callable[[AnyGame], AnyGame]:
    return lambda game: game.varied(
        pack=replace(game.pack, tiles=tuple(t for t in game.pack.tiles if t.id != tile))  # type: ignore[attr-defined]
    )


def _twice(tile: str) -> Callable[[AnyGame], AnyGame]:
    def build(game: AnyGame) -> AnyGame:
        pack: Any = game.pack
        again = next(t for t in pack.tiles if t.id == tile)
        return game.varied(pack=replace(pack, tiles=(*pack.tiles, replace(again, id=f"{tile}b"))))

    return build


def _turned_start(game: AnyGame) -> AnyGame:
    pack: Any = game.pack
    turned = tuple(
        replace(a, tiles=(replace(a.tiles[0], turn=(a.tiles[0].turn + 1) % 6), *a.tiles[1:])) for a in pack.arrangements
    )
    return game.varied(pack=replace(pack, arrangements=turned))


_KINDS: tuple[tuple[str, str, str, type[FjordsGame]], ...] = (
    ("M02", "LEG+", "FD-FARM-03", v.FarmBeside), ("M06", "LEG-", "FD-TILE-07", v.OneTurn),
    ("M05", "LEG-", "FD-TILE-09", v.NoHoleFilled), ("M07", "LEG-", "FD-FARM-07", v.AutoFarm),
    ("M53", "GEO", "FD-TILE-07", v.SmallTable), ("M52", "GEO", "FD-TILE-01", v.TwistedSteps),
    ("M55", "GEO", "FD-FIELD-03", v.OneWay), ("M55", "GEO", "FD-FIELD-04", v.AcrossTile),
    ("M57", "PATH", "FD-TILE-04", v.OpenAnywhere), ("M57", "PATH", "FD-TILE-02", v.OpenOneSide),
    ("M08", "STA", "FD-TILE-01", v.StaleSpot), ("M09", "STA", "FD-OPEN-04", v.StaleFlag),
    ("M08", "STA", "FD-LAND-08", v.StaleReach), ("M22", "SUP", "FD-OPEN-01", v.OpenStays),
    ("M23", "SUP", "FD-DISC-03", v.AsideToPile), ("M21", "SUP", "FD-SETUP-01", v.NoStockForB),
    ("M22", "SUP", "FD-SETUP-01", v.FieldsKept), ("M46", "TRG", "FD-DISC-04", v.NoFarmAfterOpen),
    ("M45", "TRG", "FD-TILE-12", v.AsksAlways), ("M61", "TGT", "FD-FARM-02", v.FarmToOther),
    ("M12", "END", "FD-LAND-01", v.EndsWhenAsked), ("M14", "END", "FD-END-01", v.EndsWhenDecided),
    ("M13", "END", "FD-FIELD-07", v.BlockedEnds), ("M16", "ORD", "FD-SCORE-05", v.FirstSeatStarts),
    ("M17", "ORD", "FD-SCORE-05", v.FirstFieldStarts), ("M37", "MUL", "FD-SCORE-03", v.TwiceOnTile),
    ("M38", "MUL", "FD-SCORE-03", v.CountedTwice), ("M35", "SCR", "FD-END-02", v.WinnerTakes),
    ("M68", "RES", "FD-SCORE-05", v.StarterByTotals), ("M72", "THR", "FD-DISC-01", v.StarterZero),
    ("M30", "HID", "FD-DISC-02", v.ShowsNext),
    ("M32", "HID", "FD-DISC-02", v.PileInOrder), ("M33", "HID", "FD-FARM-01", v.OwnFarmsLost),
    ("M62", "HID", "FD-LAND-04", v.WrongYou),
)  # fmt: skip

_SESSIONS: tuple[tuple[str, str, str, type[Session]], ...] = (
    ("M74", "ENUM", "FD-DISC-02", v.ListsStop), ("M76", "ENUM", "FD-TILE-07", v.ListsTwice),
    ("M75", "ENUM", "FD-TILE-08", v.AcceptsAside), ("M77", "ENUM", "FD-END-01", v.ListsAtEnd),
    ("M41", "UND", "FD-OPEN-01", v.UndoKeepsOpen), ("M41", "UND", "FD-LAND-04", v.UndoOneOnly),
    ("M43", "UND", "FD-OPEN-04", v.SaveLosesFlag), ("M43", "UND", "FD-LAND-05", v.SaveLosesOrigin),
    ("M78", "RNG", "FD-OURS-CHANCE", v.OwnDice),
)  # fmt: skip

_OTHERS: tuple[tuple[str, str, str, str, str, Callable[[AnyGame], AnyGame]], ...] = (
    ("amb-two", "M25", "AMB", "FD-TILE-02", "plays R_TWO=exactly whatever it is told", plays_by(R_TWO="exactly")),
    ("amb-last", "M25", "AMB", "FD-LAND-02", "plays R_LAST_OPEN=play_A whatever it is told",
     plays_by(R_LAST_OPEN="play_A")),
    ("amb-tied", "M25", "AMB", "FD-SCORE-05", "plays R_TIED_ROUND=same whatever it is told",
     plays_by(R_TIED_ROUND="same")),
    ("amb-supply", "M25", "AMB", "FD-SETUP-01", "plays R_SUPPLY=substitute whatever it is told",
     plays_by(R_SUPPLY="substitute")),
    ("leg-one-side", "M01", "LEG+", "FD-TILE-02", "one side touching laid tiles is enough",
     with_rule("touches_two", lambda contacts, two: contacts >= 1)),
    ("thr-farms", "M69", "THR", "FD-FARM-01", "each player has five farms", with_rule("farm_supply", lambda: 5)),
    ("thr-fields", "M69", "THR", "FD-SETUP-01", "each player has twenty-one fields",
     with_rule("field_supply", lambda supply: 21 if supply == "stop" else 10_000)),
    ("data-edge", "M26", "DATA", "FD-COMP-01", "one side of tile T09 is another terrain", _sides("T09", "FFFSSM")),
    ("data-missing", "M28", "DATA", "FD-COMP-01", "tile T20 is missing", _without_tile("T20")),
    ("data-twice", "M28", "DATA", "FD-COMP-01", "tile T05 is there twice", _twice("T05")),
    ("data-start", "M26", "DATA", "FD-SETUP-03", "a start tile lies turned", _turned_start),
    ("geo-across", "M54", "GEO", "FD-FIELD-04", "farmland is joined across mountains",
     with_rule("farmland_meets", lambda terrain, beyond: terrain in (2, 3) and beyond in (2, 3))),
    ("scr-farms", "M34", "SCR", "FD-SCORE-02", "farms count as points",
     with_rule("round_points", lambda fields, farms: fields + farms)),
    ("scr-best", "M36", "SCR", "FD-END-02", "the best round counts, not the sum",
     with_rule("total", lambda points: max(points, default=0))),
    ("tie-one", "M50", "TIE", "FD-END-04", "on equal totals one round won is enough",
     with_rule("tie_winner", lambda won: next((seat for seat in (0, 1) if won[seat] >= 1), None))),
    ("tie-first", "M49", "TIE", "FD-END-05", "a shared victory goes to seat A",
     with_rule("shared_victory", lambda: (0,))),
    ("omit-told", "M59", "OMIT", "FD-TILE-13", "who was told of a place need not use it",
     with_rule("told_must_place", lambda: False)),
    ("omit-decline", "M59", "OMIT", "FD-FARM-07", "a farm must be placed where one can be",
     with_rule("may_decline_farm", lambda: False)),
    ("tgt-first", "M64", "TGT", "FD-LAND-06", "who set the last tile aside goes second",
     with_rule("first_field", lambda drawer, placed_drawn, placed_open, last_open: 1 - drawer)),
    ("sup-left", "M22", "SUP", "FD-SCORE-04", "tiles left open do not return to the pile",
     with_rule("tiles_for_round", lambda pile, left: tuple(t for t in pile if t not in left))),
)  # fmt: skip

CANARY = Fault("canary", "M01", "LEG-", "FD-TILE-07", "the last legal action is never offered", as_kind(v.Canary))
"""Takes part in every run and must be caught."""


def by_hand() -> tuple[Fault, ...]:
    """Return the variants made by hand, the canary first."""
    found = [CANARY, *kind_faults(_KINDS), *session_faults(_SESSIONS)]
    found += [Fault(name, code, kind, clause, said, build) for name, code, kind, clause, said, build in _OTHERS]
    return tuple(found)


# -- crafted positions ------------------------------------------------------------------------------


def fixtures(game: AnyGame, seed: int, games: int = 4) -> Iterator[Line]:
    """Yield positions at the edges of the rules, with play from there to the next edge.

    Ends of discovery with and without open tiles; the last fields of the last round with points that
    make totals equal or nearly so, for every share of rounds won; supplies at their last piece.
    """
    ends: list[tuple[tuple[Step, ...], int]] = []
    for n in range(games):
        played = tuple(steps(game, seed * 977 + n, Rare() if n % 2 else uniform, limit=3000))
        ends += [(played, at) for at in _edges(game, played)]
        yield from _tallies(game, played)
    for played, at in ends:
        yield Line(game.record(played[at].before), ops(game, played[at : at + 5]))
        yield from _last_tile(game, played[at].before, seed + at)


def _last_tile(game: AnyGame, before: Position, seed: int) -> Iterator[Line]:
    """Yield the position as if the whole pile had been set aside but for the tile just drawn."""
    if before.phase != "drawn":
        return
    position = replace(before, pile=0, open=before.open | before.pile)
    if not game.broken_invariants(position):
        yield Line(game.record(position), ops(game, steps(game, seed, Rare(), position, 5)))


def _edges(game: AnyGame, played: tuple[Step, ...]) -> Iterator[int]:
    """Name the steps just before something rare can go wrong, a few of each sort."""
    seen: dict[str, int] = {}
    for at, step in enumerate(played):
        sort = _sort(game, step.before, step.after)
        if sort and seen.get(sort, 0) < 3:
            seen[sort] = seen.get(sort, 0) + 1
            yield at


def _sort(game: AnyGame, before: Position, after: Position) -> str:
    if before.round != after.round or after.phase == "over":
        return "round"
    if before.phase == "drawn" and before.open and before.pile:
        return f"drawn {bool(game.places(before, before.drawn))} {before.pile.bit_count() // 12}"  # type: ignore[attr-defined]
    if before.phase != "land":
        if not before.pile:
            return f"last tile {before.phase} {bool(before.open)} {after.phase}"
        return "farms" if before.phase == "farm" and len(before.farms[before.seat]) >= 3 else ""
    if after.seat == before.seat:
        return "blocked"
    return "stock" if max(f.bit_count() for f in before.fields) >= 18 else ""


def _tallies(game: AnyGame, played: tuple[Step, ...]) -> Iterator[Line]:
    """Yield the last fields of round 3 with earlier points such that totals are equal or one apart."""
    last = next((n for n, s in enumerate(played) if s.before.round == 3 and s.before.phase == "land"), None)
    if last is None or not played[-1].after.points:
        return
    at = max(last, len(played) - 2)
    final = played[-1].after.points[-1]
    for first, second in _points(final):
        position = replace(played[at].before, points=(first, second))
        if not game.broken_invariants(position):
            yield Line(game.record(position), ops(game, played[at:]))


def _points(final: tuple[int, int]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield points of two rounds: for each share of rounds won and each gap from -1 to 1 the first that fits."""
    seen = set()
    for a, b, c, d in product((5, 9, 10, 11, 12, 15, 20), repeat=4):
        gap = a + c + final[0] - b - d - final[1]
        won = (a > b) + (c > d) + (final[0] > final[1]), (a < b) + (c < d) + (final[0] < final[1])
        if abs(gap) <= 1 and (gap, won) not in seen:
            seen.add((gap, won))
            yield (a, b), (c, d)


# -- domains ----------------------------------------------------------------------------------------

_BOOL, _SEAT = (False, True), (0, 1)
_LAST = ("end", "play_A", "play_B")
_TERRAINS = (1, 2, 3)

DOMAINS: dict[str, Callable[[], Iterable[tuple[Any, ...]]]] = {
    "rounds": lambda: [()], "has_land_taking": lambda: [()], "farm_supply": lambda: [()],
    "field_supply": lambda: product(("stop", "substitute")), "next_player": lambda: product(_SEAT),
    "may_draw": lambda: product(_BOOL, _BOOL), "may_take_open": lambda: product(_BOOL, _BOOL, _LAST),
    "draws_again": lambda: [()], "told_must_place": lambda: [()], "one_tile_a_turn": lambda: [()],
    "discovery_over": lambda: product(_BOOL, _BOOL), "may_decline_farm": lambda: [()], "holes_allowed": lambda: [()],
    "touches_two": lambda: product(range(7), ("at_least", "exactly")), "farmable": lambda: product(_BOOL),
    "may_place_farm": lambda: product(range(5)), "next_field_player": lambda: product(_SEAT),
    "first_field": lambda: [
        (seat, drawn, opened, last) for seat, drawn, opened, last in product(_SEAT, _BOOL, _BOOL, _LAST)
        if not (drawn and opened)
    ],
    "farmland_meets": lambda: ((terrain, terrain) for terrain in _TERRAINS), "next_starter": lambda: product(_SEAT),
    "round_winner": lambda: (((a, b),) for a, b in product(range(112), repeat=2)),
    "tie_winner": lambda: (((a, b),) for a, b in product(range(4), repeat=2) if a + b <= 3),
    "leaders": lambda: (((a, b),) for a, b in product(range(61), repeat=2)),
    "shared_victory": lambda: [()],
}  # fmt: skip
"""Every input that a rule can have, where these are finitely many; proofs of equivalence enumerate them.

Two of them rest on invariants: sides that touch show the same terrain (I04), so ``farmland_meets`` is only
heeded where both are equal; a tile that was drawn and placed was not open (``first_field``).
"""

REASONS: dict[str, str] = {
    "_aside: 'and' turned into its opposite in 'self.playable == 'subjective' and (not position.told)'":
        "who was told may not set aside, and under the other reading a tile set aside has no place to be told of",
    "_open: 'position.drawn >= 0' becomes 'position.drawn > 0'":
        "tile 0 is a start tile, which nobody draws",
    "_turn_over: drops 'bool(position.open)' from 'bool(position.open) and bool(self.open_places(position))'":
        "no open tiles have no places either",
    "_legal_choose: 'and' turned into its opposite in 'opens and self.may_take_open(position)'":
        "with an empty pile a turn goes on only where an open tile may be taken, and no places add nothing",
    "_legal_farm: drops 'farms' from 'farms and (not self.law.may_decline_farm())'":
        "the law lets every farm be declined",
    "farm_segments: drops 'found' from 'found and self.segment == 'area''":
        "of no segments none is left out",
    "may_take_open: drops 'not pile_left' from 'not pile_left and (not self.law.discovery_over(False, True))'":
        "by the law discovery is over with the last tile of the pile",
}
"""Why a mutant cannot differ, by what is wrong with it; said beside what was counted."""
