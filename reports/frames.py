"""From play to the plain frames of a stepper: each action, who took it, what it did in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.packs import Pack

from .html import Frame


def frames_of(game: AnyGame, actions: Iterable[Any], start: Any = None) -> tuple[Frame, ...]:
    """Return the frames of *actions*, applied one after the other from *start* (default: the beginning).

    The actions must be legal; positions are taken to their records.
    """
    position = game.start() if start is None else start
    frames = [Frame("", "", (), game.record(position))]
    for action in actions:
        by = game.actor_name(position)
        words = tuple(dict.fromkeys(game.words(effect) for effect in game.effects(position, action)))
        position = game.apply(position, action)
        frames.append(Frame(game.text(action), by, words, game.record(position)))
    return tuple(frames)


def pack_record(pack: Pack) -> dict[str, Any]:
    """Return a pack as the plain record that pictures are drawn with."""
    record: dict[str, Any] = msgspec.to_builtins(pack)
    return record
