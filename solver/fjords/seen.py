"""What a step of play shows of each topic: the situation, and what the model answers there.

Everything that can be is worked out here from board and tiles again, not taken from the values that
the model carries along.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.formulas import Value
from lawspeaker.model.core.hexgrid import STEPS, axial
from lawspeaker.model.core.play import Step
from lawspeaker.model.fjords import actions as act
from lawspeaker.model.fjords.game import FjordsGame
from lawspeaker.model.fjords.position import Position
from lawspeaker.solver.frame import Seen

from . import seen_places

SEATS = act.SEATS
_KINDS = {"draw": "draw", "place": "place_drawn", "open": "place_open", "farm": "place_farm", "nofarm": "no_farm"}


def situations(game: AnyGame, step: Step) -> Iterator[Seen]:
    """Yield (topic id, situation, the model's answer) for a decision and for what followed by itself."""
    assert isinstance(game, FjordsGame)
    before = step.before
    if before.phase in ("choose", "drawn", "farm") and (before.pile or before.phase != "choose"):
        yield from _turn(game, before)
    if before.phase == "drawn":
        yield from _aside(game, before)
        yield from seen_places.placements(game, before)
    if before.phase == "window":
        yield from _telling(game, before)
    yield from _farms(game, step)
    yield from _ends(game, step)
    yield from _rounds(game, step)
    if before.phase == "land":
        yield from seen_places.fields(game, before)


def _turn(game: FjordsGame, position: Position) -> Iterator[Seen]:
    offered = {_KINDS.get(game.kind(action)) for action in game.legal(position)}
    moments = {"choose": "aside_done" if position.set_aside else "turn_start", "drawn": "tile_in_hand"}
    places = len(game.places(position, position.drawn)) if position.drawn >= 0 else 0
    known: dict[str, Value] = {
        "pile_left": bool(position.pile), "places": min(2, places),
        "open_playable": bool(game.open_places(position)), "told": position.told,
    }  # fmt: skip
    for act_name in _KINDS.values():
        situation = {"moment": moments.get(position.phase, "tile_down"), "act": act_name, **known}
        yield "turn", situation, act_name in offered


def _aside(game: FjordsGame, position: Position) -> Iterator[Seen]:
    places = min(2, len(game.places(position, position.drawn)))
    yield "aside", {"places": places, "told": position.told}, act.ASIDE in game.legal(position)


def _telling(game: FjordsGame, position: Position) -> Iterator[Seen]:
    legal = game.legal(position)
    yield "telling", {"act": "tell"}, any(isinstance(a, act.Object) for a in legal)
    yield "telling", {"act": "keep_silent"}, act.SILENT in legal


def _farms(game: FjordsGame, step: Step) -> Iterator[Seen]:
    """At the decision about a farm, and where it is left out because no farm can go there."""
    position, action = step.before, step.action
    if position.phase == "farm":
        legal = {a.segment for a in game.legal(position) if isinstance(a, act.Farm)}
        yield from seen_places.farms(game, position, position.last, legal)
    elif isinstance(action, (act.Place, act.Open)) and step.after.phase != "farm":
        yield from seen_places.farms(game, _with_tile(position, action), action.cell, set())


def _with_tile(position: Position, action: act.Place | act.Open) -> Position:
    board = tuple(sorted((*position.board, (action.cell, action.tile, action.turn))))
    return replace(position, board=board)


# -- how discovery ends, who goes on -----------------------------------------------------------


def _ends(game: FjordsGame, step: Step) -> Iterator[Seen]:
    before, after, action = step.before, step.after, step.action
    discovery = before.phase in ("choose", "drawn", "window", "farm")
    laid_aside = isinstance(action, (act.Aside, act.Silent)) and after.phase != "window"
    if laid_aside and not before.pile:
        known = replace(before, open=before.open | 1 << before.drawn)
        stays = after.phase == "choose" and after.round == before.round
        playable = bool(game.open_places(known))
        yield "last_open", {"open_playable": playable}, "choice_of_open_tile" if stays else "land_taking"
    over = after.phase in ("land", "over") or after.round != before.round
    if discovery and over:
        how = _how_it_ended(before, action)
        drawer = SEATS[before.seat]
        if after.first >= 0:
            yield "first_field", {"drawer": drawer, "last_tile": how}, SEATS[after.first]
        due = game.law.first_field(before.seat, how == "was_placed", how == "open_tile_instead", game.last_open)
        yield from _next(game, _settling(game, before, action), due, after, before.round)
    elif before.phase == "land":
        yield from _next(game, _settling(game, before, action), 1 - before.seat, after, before.round)


def _how_it_ended(before: Position, action: act.Action) -> str:
    if isinstance(action, (act.Aside, act.Silent, act.Stop)):
        return "stayed_aside"
    from_pile = isinstance(action, act.Place) or (before.phase == "farm" and before.from_pile)
    return "was_placed" if from_pile else "open_tile_instead"


def _settling(game: FjordsGame, before: Position, action: act.Action) -> Position:
    """Return the position after the action itself, before anything follows from it."""
    position = before
    if isinstance(action, (act.Place, act.Open)):
        position = _with_tile(before, action)
    if isinstance(action, act.Farm):
        farms = [before.farms[0], before.farms[1]]
        farms[before.seat] = tuple(sorted((*farms[before.seat], action.segment)))
        position = replace(before, farms=(farms[0], farms[1]))
    if isinstance(action, act.Field):
        fields = [before.fields[0], before.fields[1]]
        fields[before.seat] |= 1 << before.ground.numbered(action.segment)
        position = replace(before, fields=(fields[0], fields[1]))
        return seen_places.with_near(position)
    return game.with_ground(position)


def _next(game: FjordsGame, landed: Position, due: int, after: Position, number: int) -> Iterator[Seen]:
    reach = [landed.near[seat] & ~landed.taken for seat in (0, 1)]
    counts = [mask.bit_count() for mask in landed.fields]
    can = [bool(reach[seat]) and counts[seat] < game.field_limit for seat in (0, 1)]
    goes_on = after.phase == "land" and after.round == number
    answer = SEATS[after.seat] if goes_on else "nobody"
    yield "next_field", {"due": SEATS[due], "a_can": can[0], "b_can": can[1]}, answer
    for seat in (0, 1):
        situation = {"placed": min(24, counts[seat]), "reachable": bool(reach[seat])}
        yield "supply", situation, bool(game.field_mask(landed, seat))


# -- rounds and the end ------------------------------------------------------------------------


def _rounds(game: FjordsGame, step: Step) -> Iterator[Seen]:
    before, after = step.before, step.after
    if _begins(game, before):
        nobody: dict[str, Value] = {"last_winner": "no_round", "last_starter": "nobody"}
        yield "starter", nobody, "lot" if before.phase == "start" else SEATS[before.starter]
        yield "start_tiles", {"round": 1}, _shape(before)
    if len(after.points) == len(before.points):
        return
    won = [sum(pair[seat] > pair[1 - seat] for pair in after.points) for seat in (0, 1)]
    yield from _round_over(game, before, after)
    if after.phase == "over":
        totals = [sum(pair[seat] for pair in after.points) for seat in (0, 1)]
        winners = game.result(after).winners
        answer = "both" if len(winners) == 2 else SEATS[winners[0]]
        situation = {"more_points": _more(totals), "rounds_a": won[0], "rounds_b": won[1]}
        yield "winner", situation, answer


def _begins(game: FjordsGame, position: Position) -> bool:
    """Say whether this is where the game begins: a lot is due, or the first draw where there is no lot."""
    due = "start" if game.rulings["R_FIRST"] == "chance" else "choose"
    full = position.pile.bit_count() == len(game.tables.pile)
    return position.round == 1 and position.phase == due and full and not position.set_aside


def _round_over(game: FjordsGame, before: Position, after: Position) -> Iterator[Seen]:
    pair = after.points[-1]
    farms = [len(keys) for keys in before.farms]
    decided = game.law.round_winner(pair)
    named = {"more_fields": _more(pair), "more_farms": _more(farms)}
    yield "round_winner", named, "nobody" if decided is None else SEATS[decided]
    if after.phase != "over":
        tied = {"equal": "tied"}
        last = {"last_winner": tied.get(_more(pair), _more(pair)), "last_starter": SEATS[before.starter]}
        yield "starter", last, "lot" if after.phase == "start" else SEATS[after.starter]
        yield "start_tiles", {"round": after.round}, _shape(after)


def _more(pair: Iterable[int]) -> str:
    one, two = pair
    return "equal" if one == two else "A" if one > two else "B"


def _shape(position: Position) -> str:
    """Name how the three start tiles lie."""
    cells = [place for place, _, _ in position.board]
    joins = sum(one + step in cells for one in cells for step in STEPS) // 2
    if len(cells) != 3 or joins < 2:
        return "apart"
    if joins == 3:
        return "triangle"
    middle = next(c for c in cells if sum(c + step in cells for step in STEPS) == 2)
    ends = [axial(c) for c in cells if c != middle]
    opposite = all(a + b == 2 * m for a, b, m in zip(*ends, axial(middle), strict=True))
    return "line" if opposite else "bent"
