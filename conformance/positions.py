"""Positions from a file: set-up records to play from, with counts of sequences that somebody published."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec

from lawspeaker.model.core.contract import OVER, AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.loading import load_yaml
from lawspeaker.model.core.play import steps, uniform
from lawspeaker.model.core.traces import valid_position

from .layers import Placed, Sample


class Given(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position: its id and its record (None: the game's own beginning).

    ``nodes`` says how many sequences of one, two, three and more actions it has, as far as that is known.
    """

    id: str
    record: dict[str, Any] | None = None
    nodes: tuple[int, ...] = ()
    source: str = ""


class Positions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file of positions of one game."""

    format: Literal["lawspeaker-positions/1"]
    game: str
    positions: tuple[Given, ...]


def read_positions(path: Path, game_id: str) -> tuple[Given, ...]:
    """Read a file of positions; raises BadInput with the place of any mistake."""
    found = load_yaml(path, Positions)
    if found.game != game_id:
        raise BadInput(f"has positions of {found.game}", where=str(path), hint=f"say {found.game}, not {game_id}")
    for n, given in enumerate(found.positions):
        if not given.id or not given.id.isprintable() or " " in given.id:
            raise BadInput(f"{given.id!r} is no id", where=f"{path}, position {n + 1}", hint="one word")
        if any(other.id == given.id for other in found.positions[:n]):
            raise BadInput(f"{given.id!r} stands twice", where=f"{path}, position {n + 1}")
    return found.positions


def placed(game: AnyGame, positions: Iterable[Given], seed: int, follow: int) -> tuple[Placed, ...]:
    """Return each position with some seeded play from it.

    Raises BadInput for a record that is malformed or breaks an invariant, and where the game is over.
    """
    found = []
    for given in positions:
        where = f"position {given.id}"
        position = game.start() if given.record is None else valid_position(game, given.record, where)
        if game.actor(position) == OVER:
            raise BadInput("the game is over", where=where, hint="there is nothing to play from here")
        played = tuple(steps(game, seed, uniform, position, follow))
        found.append(Placed(given.id, Sample(game, played, 0), given.nodes, given.record is None))
    return tuple(found)
