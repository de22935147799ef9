"""Compound texts: a whole march, the Trade Routes a seat plays, the cards it holds, each in one line.

``march Magyars: Poland 3+1, Finland 2+1`` (regions that get nothing are left out; ``none`` for a march in
which all stay), ``routes T05 T07``, ``holds NM1 NM5`` (``none`` for no route, no card).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lawspeaker.model.core.contract import CHANCE, OVER
from lawspeaker.model.core.errors import BadInput

from . import actions as act
from . import march
from .position import Position

if TYPE_CHECKING:
    from .game import NorthmenGame

_FORMS = ("march", "routes", "holds")
_PART = re.compile(r"(\S+(?: \S+)*) (0|[1-9][0-9]?)\+(0|[1-9][0-9]?)")


def inside(game: NorthmenGame, position: Position) -> bool:
    """Tell whether a march, a choice of Trade Routes, or of held cards goes on here."""
    if position.phase == "march":
        return position.region != first_region(game, position)
    if position.phase == "complete":
        return bool(position.route_hands[position.seat] & ((1 << position.asked) - 1))
    return position.phase == "hold" and position.held != 0


def first_region(game: NorthmenGame, position: Position) -> int:
    """Return the region that a march was asked about first: as it is asked with all pieces still at home."""
    cubes, heroes = march.pieces(position)
    all_cubes = cubes + position.armies + position.fleets + position.either
    soldiers, ships = game.strength(position)
    free = (soldiers, ships, soldiers + ships)
    for region in range(game.tables.r):
        options = game.tables.sends(position.kingdom, region, all_cubes, heroes + position.led, free, game.must)
        if len(options) > 1 or (options and (options[0].cubes or options[0].heroes)):
            return region
    return position.region


def series_over(game: NorthmenGame, before: Position, after: Position) -> bool:
    """Tell whether the compound decision that *before* belongs to is over in *after*."""
    return not (game.actor(after) == before.seat and after.phase == _phase_inside(before) and inside(game, after))


def _phase_inside(before: Position) -> str:
    return "hold" if before.phase == "buy" else before.phase


def form(game: NorthmenGame, position: Position) -> str | None:
    """Return the compound form that can begin here: march, routes, holds; None if there is none."""
    if game.actor(position) in (CHANCE, OVER) or inside(game, position):
        return None
    return {"march": "march", "complete": "routes", "buy": "holds", "hold": "holds"}.get(position.phase)


def expand(game: NorthmenGame, position: Position, text: str) -> tuple[act.Action, ...] | None:
    """Return the series that a compound text stands for, up to a part that is not legal; None if it is none.

    Raises BadInput if the text is malformed, or names what does not come up in the decision at hand.
    """
    verb, _, rest = text.partition(" ")
    if verb not in _FORMS:
        return None
    if form(game, position) != verb:
        raise BadInput(f"{text!r} is not possible here", hint=f"now is {position.phase}")
    wanted = _read_march(game, position, rest, text) if verb == "march" else _read_ids(game, rest, verb, text)
    left, series, here = set(wanted), list[act.Action](), position
    while True:
        action = _next(game, here, wanted)
        series.append(action)
        left.discard(_subject(action))
        if action not in game.legal(here):
            return tuple(series)
        after = game.apply(here, action)
        if series_over(game, here, after):
            break
        here = after
    if left:
        names = game.tables.names
        ids = {"march": names.places, "routes": names.routes, "holds": names.cards}[verb]
        raise BadInput(f"{text!r} names {ids[min(left)]}, which does not come up", hint="name only what can be chosen")
    return tuple(series)


def _subject(action: act.Action) -> int:
    """Return the place, route or card that a part of a compound decision is about, -1 for none."""
    if isinstance(action, act.Send):
        return action.place
    if isinstance(action, act.Complete):
        return action.route
    return action.card if isinstance(action, act.Hold) else -1


def _read_march(game: NorthmenGame, position: Position, rest: str, text: str) -> dict[int, tuple[int, int]]:
    kingdom, _, parts = rest.partition(": ")
    here = game.tables.kingdoms[position.kingdom]
    if kingdom != here:
        raise BadInput(f"{text!r} does not name the Kingdom that moves", hint=f"write march {here}: ...")
    wanted: dict[int, tuple[int, int]] = {}
    for part in parts.split(", ") if parts != "none" else []:
        found = _PART.fullmatch(part)
        if not found or found[1] not in game.tables.regions:
            raise BadInput(f"cannot read {part!r} in {text!r}", hint="write REGION CUBES+HEROES, ...")
        wanted[game.tables.names.place[found[1]]] = int(found[2]), int(found[3])
    return wanted


def _read_ids(game: NorthmenGame, rest: str, verb: str, text: str) -> dict[int, tuple[int, int]]:
    known = game.tables.names.card if verb == "holds" else game.tables.names.route
    wanted = {}
    for name in rest.split(" ") if rest != "none" else []:
        if name not in known:
            raise BadInput(f"unknown {name!r} in {text!r}", hint="name ids of the pack, or none")
        wanted[known[name]] = (1, 0)
    return wanted


def _next(game: NorthmenGame, here: Position, wanted: dict[int, tuple[int, int]]) -> act.Action:
    """Return the next action of the series: what *wanted* says about the place, route or card in question."""
    if here.phase == "march":
        place = game.tables.k + here.region
        return act.Send(place, *wanted.get(place, (0, 0)))
    if here.phase == "complete":
        return act.Complete(here.asked) if here.asked in wanted else act.Withhold(here.asked)
    left = [card for card in sorted(wanted) if card >= here.held.bit_length()]
    return act.Hold(left[0]) if left else act.DONE


def compound(game: NorthmenGame, position: Position, actions: Sequence[act.Action]) -> str | None:
    """Return the compound text of a whole series from *position* on; None if it is none."""
    verb = form(game, position)
    if verb is None or not actions:
        return None
    here = position
    for number, action in enumerate(actions):
        if action not in game.legal(here) or isinstance(action, act.Buy):
            return None
        after = game.apply(here, action)
        if series_over(game, here, after) != (number == len(actions) - 1):
            return None
        here = after
    return _text(game, position, verb, actions)


def _text(game: NorthmenGame, position: Position, verb: str, actions: Sequence[act.Action]) -> str:
    names = game.tables.names
    if verb == "march":
        parts = [
            f"{names.places[a.place]} {a.cubes}+{a.heroes}"
            for a in actions
            if isinstance(a, act.Send) and (a.cubes or a.heroes)
        ]
        return f"march {names.places[position.kingdom]}: {', '.join(parts) or 'none'}"
    ids = [names.routes[a.route] for a in actions if isinstance(a, act.Complete)]
    ids += [names.cards[a.card] for a in actions if isinstance(a, act.Hold)]
    return f"{verb} {' '.join(ids) or 'none'}"
