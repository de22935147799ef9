"""Finding games: each game is a package below ``lawspeaker.model`` with a module ``room``."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import msgspec

import lawspeaker.model

from .clauses import Catalogue
from .contract import AnyGame
from .errors import BadInput
from .packs import Complaint, Note, Pack
from .rulings import Rulings


def no_notes(pack: Pack) -> tuple[Note, ...]:
    """Return nothing: for games in which nothing of note can be worked out of a pack."""
    return ()


class Room(msgspec.Struct, frozen=True):
    """What a game's package offers: its catalogue, its pack format, and the way to build a game."""

    id: str
    title: str
    catalogue: Catalogue
    players: tuple[int, ...]
    default_pack: Path
    load_pack: Callable[[Path], Pack]
    read_pack: Callable[[Any, str], Pack]
    """Turn a plain value into a pack (strictly); the text says where it came from."""
    audit: Callable[[Pack], tuple[Complaint, ...]]
    """What in a well-formed pack does not fit the rulebook; empty for a permitted pack."""
    build: Callable[[Pack, Rulings, int], AnyGame]
    notes: Callable[[Pack], tuple[Note, ...]] = no_notes
    """What can be worked out of a pack and is worth knowing: figures that the box does not print."""


def game_ids() -> tuple[str, ...]:
    """Return the ids of all games there are, sorted."""
    found = (m.name for m in iter_modules(lawspeaker.model.__path__) if m.ispkg and m.name != "core")
    return tuple(sorted(found))


def room(game: str) -> Room:
    """Return the room of a game; raises BadInput for an unknown one."""
    if game not in game_ids():
        raise BadInput(f"unknown game {game!r}", hint=f"known are {', '.join(game_ids())}")
    found: Room = import_module(f"lawspeaker.model.{game}.room").ROOM
    return found


def make_game(
    game: str, pack: Pack | None = None, rulings: Rulings | None = None, players: int | None = None
) -> AnyGame:
    """Build a game; default pack, default rulings and smallest number of players where not given.

    Raises BadInput for an unknown game or a number of players it does not take.
    """
    place = room(game)
    count = place.players[0] if players is None else players
    if count not in place.players:
        allowed = ", ".join(str(n) for n in place.players)
        raise BadInput(f"{game} is not for {count} players", hint=f"it takes {allowed}")
    return place.build(
        pack if pack is not None else place.load_pack(place.default_pack),
        rulings if rulings is not None else place.catalogue.book.choose(),
        count,
    )
