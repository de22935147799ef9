"""The rules of Fjords as labelled functions: each states the clauses it is marked with.

``without`` says what the game does if the clause were not in the book; see ``model.core.law``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lawspeaker.model.core.law import rule

from .pack import FARMLAND, MOUNTAIN

Parts = tuple[tuple[int, ...], ...]

UNLIMITED = 10_000

# -- rounds and supplies ------------------------------------------------------------------------


@rule("FD-PLAY-01", "FD-END-01", without=1)
def rounds() -> int:
    """Three rounds make a game, each with a new region (FD-PLAY-01, FD-END-01)."""
    return 3


@rule("FD-PLAY-02", without=False)
def has_land_taking() -> bool:
    """A round has two parts: after discovery comes land taking (FD-PLAY-02)."""
    return True


@rule("FD-SETUP-03", without=lambda laid: laid[:1])
def opening(laid: tuple[tuple[int, int, int], ...]) -> tuple[tuple[int, int, int], ...]:
    """The region starts with the three start tiles, face up in the middle (FD-SETUP-03)."""
    return laid


@rule("FD-SETUP-01", "FD-FARM-01", without=UNLIMITED)
def farm_supply() -> int:
    """Each player has four farms a round (FD-SETUP-01, FD-FARM-01)."""
    return 4


@rule("FD-SETUP-01", without=UNLIMITED)
def field_supply(supply: str) -> int:
    """Each player has twenty fields a round (FD-SETUP-01); R_SUPPLY=substitute lifts the limit."""
    return 20 if supply == "stop" else UNLIMITED


@rule("FD-SCORE-04", without=lambda pile, left: tuple(t for t in pile if t not in left))
def tiles_for_round(pile: tuple[int, ...], left: tuple[int, ...]) -> tuple[int, ...]:
    """Every round starts with all ordinary tiles face down, those set aside before included (FD-SCORE-04)."""
    return pile


# -- the turn in discovery ------------------------------------------------------------------------


@rule("FD-DISC-01", without=lambda seat: seat)
def next_player(seat: int) -> int:
    """In discovery the players take turns alternately (FD-DISC-01)."""
    return 1 - seat


@rule("FD-OPEN-02", "FD-OPEN-03", without=lambda pile_left, open_playable: pile_left and not open_playable)
def may_draw(pile_left: bool, open_playable: bool) -> bool:
    """A player may draw even when an open tile could be placed; none is ever forced (FD-OPEN-02, 03)."""
    return pile_left


@rule(
    "FD-OPEN-01",
    "FD-OPEN-04",
    without=False,
    each={
        "FD-OPEN-01": lambda set_aside, pile_left, last_open: set_aside and (pile_left or last_open != "end"),
        "FD-OPEN-04": lambda set_aside, pile_left, last_open: not set_aside,
    },
)
def may_take_open(set_aside: bool, pile_left: bool, last_open: str) -> bool:
    """A player may place an open tile instead of drawing (FD-OPEN-01), or after setting tiles aside (FD-OPEN-04).

    After the last face-down tile was set aside R_LAST_OPEN decides: ``end`` follows FD-LAND-01.
    """
    return pile_left or (set_aside and last_open != "end")


@rule(
    "FD-DISC-02",
    "FD-TILE-08",
    without=lambda places, told, playable: not told,
    each={
        "FD-DISC-02": lambda places, told, playable: not told,
        "FD-TILE-08": lambda places, told, playable: not told and (playable == "subjective" or places <= 1),
    },
)
def may_set_aside(places: int, told: bool, playable: str) -> bool:
    """A drawn tile that has a place must be placed (FD-DISC-02, FD-TILE-08), else it is set aside.

    Under R_PLAYABLE=subjective the drawer may say that he sees no place, unless he was told of one.
    """
    return not told and (playable == "subjective" or places == 0)


@rule("FD-DISC-03", "FD-TILE-10", "FD-TILE-11", without=False)
def draws_again() -> bool:
    """Who set a tile aside goes on drawing until one can be placed (FD-DISC-03, FD-TILE-10, FD-TILE-11)."""
    return True


@rule("FD-TILE-12", without=False)
def may_object(places: int) -> bool:
    """The opponent may tell the drawer of a place he does not see, and need not (FD-TILE-12)."""
    return places > 0


@rule("FD-TILE-13", without=False)
def told_must_place() -> bool:
    """A drawer who was told of a place must place the tile (FD-TILE-13)."""
    return True


@rule("FD-OPEN-05", "FD-OPEN-06", without=False)
def one_tile_a_turn() -> bool:
    """The turn ends after one tile, drawn or open, and its optional farm (FD-OPEN-05, FD-OPEN-06)."""
    return True


@rule(
    "FD-LAND-01",
    "FD-LAND-02",
    "FD-LAND-03",
    without=lambda pile_left, open_playable: not pile_left and not open_playable,
)
def discovery_over(pile_left: bool, open_playable: bool) -> bool:
    """Discovery ends with the last face-down tile (FD-LAND-01); open tiles are out, playable or not (02, 03)."""
    return not pile_left


# -- placing a tile -------------------------------------------------------------------------------


@rule("FD-TILE-01", without=True)
def terrains_match(shown: Sequence[int], facing: Sequence[int]) -> bool:
    """Where tiles touch, terrain must agree (FD-TILE-01); 0 in *facing* is an empty place."""
    return all(f in (0, s) for s, f in zip(shown, facing, strict=True))


@rule("FD-TILE-02", without=lambda contacts, two: contacts >= 1)
def touches_two(contacts: int, two: str) -> bool:
    """A new tile touches two sides of laid tiles (FD-TILE-02): at least, or exactly, as R_TWO says."""
    return contacts >= 2 if two == "at_least" else contacts == 2


@rule("FD-TILE-03", "FD-TILE-04", "FD-TILE-05", without=True)
def joins_landmass(parts: Parts, facing: Sequence[int], land: str) -> bool:
    """The region shows one landmass at all times (FD-TILE-03 to 05), as R_LAND reads it.

    ``component``: each land part of the new tile meets laid land.  ``tile``: one part is enough.
    ``closed`` is judged over the whole region by ``no_landmass_sealed``.
    """
    joined = [any(facing[slot] in (MOUNTAIN, FARMLAND) for slot in part) for part in parts]
    if land == "component":
        return all(joined)
    return any(joined) if land == "tile" else True


@rule("FD-TILE-03", "FD-TILE-04", "FD-TILE-05", without=True)
def no_landmass_sealed(landmasses: int, sealed: bool) -> bool:
    """Under R_LAND=closed only a landmass that can never be joined is separate (FD-TILE-03 to 05).

    *sealed*: a landmass with a part of the new tile has no land side towards an empty cell.
    """
    return landmasses <= 1 or not sealed


@rule(
    "FD-TILE-06",
    without=lambda shown, facing: all(
        any(s == kind == f for s, f in zip(shown, facing, strict=True)) for kind in {MOUNTAIN, FARMLAND} & set(shown)
    ),
)
def areas_allowed(shown: Sequence[int], facing: Sequence[int]) -> bool:
    """Any number of farmland and mountain areas may arise (FD-TILE-06)."""
    return True


@rule("FD-TILE-07", without=lambda places: places[:1])
def free_choice(places: tuple[object, ...]) -> tuple[object, ...]:
    """Among several legal places the player chooses freely (FD-TILE-07)."""
    return places


@rule("FD-TILE-09", without=False)
def holes_allowed() -> bool:
    """A placement may leave an empty space inside the region (FD-TILE-09)."""
    return True


# -- farms ----------------------------------------------------------------------------------------


@rule("FD-DISC-04", "FD-FARM-02", without=False)
def may_place_farm(farms_left: int) -> bool:
    """After placing a tile a player may put one of his farms on it (FD-DISC-04, FD-FARM-02)."""
    return farms_left > 0


@rule("FD-FARM-07", without=False)
def may_decline_farm() -> bool:
    """A player may leave farms unplaced (FD-FARM-07)."""
    return True


@rule("FD-FARM-03", without=lambda board, last: tuple(cell for cell, _, _ in board))
def farm_cells(board: tuple[tuple[int, int, int], ...], last: int) -> tuple[int, ...]:
    """A farm goes on the tile just placed, never on an earlier one (FD-FARM-03)."""
    return (last,)


@rule("FD-FARM-04", "FD-FARM-06", without=lambda segments: segments + 1)
def farm_places(segments: int) -> int:
    """A farm goes on a farmland segment only (FD-FARM-04), so never on the tile of mountains (FD-FARM-06)."""
    return segments


@rule("FD-FARM-06", without=lambda start: True)
def farmable(start: bool) -> bool:
    """A start tile never gets a farm (FD-FARM-06)."""
    return not start


# -- land taking ----------------------------------------------------------------------------------


@rule(
    "FD-LAND-05",
    "FD-LAND-06",
    without=0,
    each={
        "FD-LAND-05": lambda drawer, placed_drawn, placed_open, last_open: drawer,
        "FD-LAND-06": lambda drawer, placed_drawn, placed_open, last_open: 1 - drawer,
    },
)
def first_field(drawer: int, placed_drawn: bool, placed_open: bool, last_open: str) -> int:
    """Who placed the last drawn tile goes second (FD-LAND-05); who set it aside goes first (FD-LAND-06).

    If the drawer set it aside and then placed an open tile, R_LAST_OPEN decides.
    """
    if placed_drawn:
        return 1 - drawer
    return 1 - drawer if placed_open and last_open == "play_B" else drawer


@rule("FD-LAND-04", without=lambda seat: seat)
def next_field_player(seat: int) -> int:
    """In land taking the players place fields alternately (FD-LAND-04)."""
    return 1 - seat


@rule(
    "FD-LAND-07",
    "FD-LAND-08",
    "FD-FIELD-03",
    without=lambda near_own, anywhere, first: anywhere,
    each={
        "FD-LAND-07": lambda near_own, anywhere, first: anywhere if first else near_own,
        "FD-LAND-08": lambda near_own, anywhere, first: near_own if first else anywhere,
        "FD-FIELD-03": lambda near_own, anywhere, first: anywhere,
    },
)
def field_reach(near_own: int, anywhere: int, first: bool) -> int:
    """A field goes next to an own farm (the first: FD-LAND-07) or own piece (later: 08), directly (FD-FIELD-03).

    Segments are bits: *near_own* those adjacent to own pieces, *anywhere* all of them.
    """
    return near_own


@rule("FD-FIELD-01", "FD-FIELD-02", without=lambda reach, taken: reach)
def field_places(reach: int, taken: int) -> int:
    """A field goes on an empty farmland segment only, never on mountain or sea (FD-FIELD-01, FD-FIELD-02)."""
    return reach & ~taken


@rule("FD-FIELD-04", without=True)
def farmland_meets(terrain: int, beyond: int) -> bool:
    """Neighbouring farmland is adjacent only where farmland meets, not across mountain or sea (FD-FIELD-04)."""
    return terrain == FARMLAND and beyond == FARMLAND


@rule("FD-FIELD-06", without=lambda mine, contested, order: mine)
def field_order(mine: int, contested: int, order: str) -> int:
    """Contested segments come before secured ones only if R_ORDER makes that a duty (FD-FIELD-06, 07)."""
    return mine & contested if order == "duty" and contested else mine


@rule(
    "FD-FIELD-07",
    "FD-FIELD-08",
    without=lambda can, mover, blocked, contested_left: not contested_left() or not (can[0] or can[1]),
)
def land_taking_over(can: tuple[bool, bool], mover: int, blocked: str, contested_left: Callable[[], bool]) -> bool:
    """Land taking ends when the fields that can be placed are placed (FD-FIELD-07, FD-FIELD-08).

    R_BLOCKED=skip: a blocked player misses his turn and the other goes on; ``end``: it ends at once.
    """
    return not (can[0] or can[1]) if blocked == "skip" else not can[mover]


# -- scoring --------------------------------------------------------------------------------------


@rule(
    "FD-PLAY-05",
    "FD-SCORE-03",
    "FD-SCORE-02",
    without=lambda fields, farms: 0,
    each={"FD-SCORE-02": lambda fields, farms: fields + farms},
)
def round_points(fields: int, farms: int) -> int:
    """Each placed field is a point (FD-PLAY-05, FD-SCORE-03); farms do not count (FD-SCORE-02)."""
    return fields


@rule("FD-SCORE-01", without=None)
def round_winner(fields: tuple[int, int]) -> int | None:
    """Who placed more fields wins the round (FD-SCORE-01); nobody when they placed equally many."""
    if fields[0] == fields[1]:
        return None
    return 0 if fields[0] > fields[1] else 1


@rule("FD-SCORE-05", without=lambda winner: winner)
def next_starter(winner: int) -> int:
    """The loser of a round starts the next one (FD-SCORE-05)."""
    return 1 - winner


@rule("FD-END-02", without=lambda points: points[-1] if points else 0)
def total(points: tuple[int, ...]) -> int:
    """The points of the rounds are added (FD-END-02)."""
    return sum(points)


@rule("FD-PLAY-06", "FD-END-03", without=lambda totals: (0, 1))
def leaders(totals: tuple[int, int]) -> tuple[int, ...]:
    """Most points wins (FD-PLAY-06, FD-END-03); both lead when totals are equal."""
    best = max(totals)
    return tuple(seat for seat in (0, 1) if totals[seat] == best)


@rule("FD-END-04", without=None)
def tie_winner(won: tuple[int, int]) -> int | None:
    """On equal totals the player who won two rounds wins (FD-END-04)."""
    return next((seat for seat in (0, 1) if won[seat] == 2), None)


@rule("FD-END-05", without=())
def shared_victory() -> tuple[int, ...]:
    """If nobody won two rounds, both win (FD-END-05)."""
    return (0, 1)
