"""The files made from the protocol itself: JSON Schemas, and golden transcripts of the reference.

A transcript is a file of lines, a request and its answer in turns, as they go over the pipe.  Its name begins
with the game; what the reference offers in it is what its first answer to ``hello`` says.
"""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from lawspeaker.model.core.games import game_ids, make_game, room

from . import messages as m
from .schemas import schemas, text
from .session import FULL, Session

HOME = Path(__file__).resolve().parent
VERSION = "1.0"


def answers(game_id: str, requests: list[bytes], offered: m.Capabilities = FULL) -> list[bytes]:
    """Return what the reference of a game, offering *offered*, answers to these lines."""
    session = Session(make_game(game_id), room(game_id), offered=offered, version=VERSION)
    return [session.answer(line) for line in requests]


def refreshed(name: str, lines: list[bytes]) -> list[bytes]:
    """Return a transcript with the same requests and the answers that the reference gives now."""
    game_id = next(game for game in game_ids() if name.startswith(game))
    requests = lines[::2]
    given = answers(game_id, requests, _offered(lines))
    return [line for pair in zip(requests, given, strict=True) for line in pair]


def _offered(lines: list[bytes]) -> m.Capabilities:
    """Return the capabilities of the first answer to hello, all of them where there is none yet."""
    for line in lines[1::2]:
        result = json.loads(line).get("result", {})
        if "capabilities" in result:
            return msgspec.convert(result["capabilities"], m.Capabilities)
    return FULL


def write(home: Path = HOME) -> None:
    """Write all schemas, and all transcripts that there are, anew."""
    for name, schema in schemas().items():
        (home / "schemas" / name).write_text(text(schema), encoding="utf-8")
    for path in sorted((home / "transcripts").glob("*.jsonl")):
        path.write_bytes(b"".join(refreshed(path.name, path.read_bytes().splitlines(keepends=True))))


if __name__ == "__main__":
    write()
