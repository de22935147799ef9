"""Complete a position of Fjords of which a scenario gives only the fields that matter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput

_LATE = ("land", "over")


def fill(game: AnyGame, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a complete record; what *fields* names stays as it is.

    The start tiles lie where the pack has them; tiles not mentioned are in the pile (out among the
    open tiles once discovery is over); seat A is on turn; who lost the round before began this one,
    else who is on turn; earlier rounds were 0:0.  Raises BadInput where a given field has not the form
    that completing it needs.
    """
    number = fields.get("round", 1)
    if not isinstance(number, int) or not 1 <= number <= 3:
        raise BadInput(f"round {number!r}", where="$.round", hint="1, 2 or 3")
    phase = fields.get("phase", "drawn" if fields.get("drawn") is not None else "choose")
    seat = fields.get("seat", None if phase in ("start", "over") else "A")
    starter = fields.get("starter", None if phase == "start" else _loser(fields) or seat or "A")
    placer = fields.get("placer", _placer(phase, seat, starter))
    first = starter if placer is None else "B" if placer == "A" else "A"
    record = {
        **game.record(game.start()), "round": number, "phase": phase, "seat": seat, "starter": starter,
        "placer": placer, "first": first if phase in _LATE else None,
        "points": [[0, 0]] * (number - (phase != "over")),
        **fields,
        "board": _board(game, fields),
        "farms": _by_seat(fields, "farms"), "fields": _by_seat(fields, "fields"),
    }  # fmt: skip
    _rest(game, record, fields, "open" if phase in _LATE else "pile")
    return record


def _loser(fields: Mapping[str, Any]) -> str | None:
    """Return who lost the round before, where the given points say so: he began this one."""
    points, number = fields.get("points"), fields.get("round", 1)
    before = points[number - 2] if isinstance(points, list) and 2 <= number <= len(points) + 1 else None
    if not isinstance(before, list) or len(before) != 2 or before[0] == before[1]:
        return None
    return "A" if before[0] < before[1] else "B"


def _placer(phase: Any, seat: Any, starter: Any) -> Any:
    """Return who laid the last tile: whoever decides about a farm, else the one who is not on turn."""
    if phase == "farm":
        return seat
    return None if phase in ("start", *_LATE) or seat == starter else starter


def _board(game: AnyGame, fields: Mapping[str, Any]) -> list[list[Any]]:
    laid = fields.get("board", [])
    if not isinstance(laid, list) or not all(isinstance(one, list) and len(one) == 4 for one in laid):
        raise BadInput("is no list of [q, r, tile, turn]", where="$.board")
    tiles = {one[2] for one in laid}
    opening = game.record(game.start())["board"]
    return [one for one in opening if one[2] not in tiles] + laid


def _by_seat(fields: Mapping[str, Any], field: str) -> dict[str, Any]:
    given = fields.get(field, {})
    if not isinstance(given, dict):
        raise BadInput("is no mapping of seats to segments", where=f"$.{field}")
    return {"A": [], "B": [], **given}


def _rest(game: AnyGame, record: dict[str, Any], fields: Mapping[str, Any], place: str) -> None:
    """Put every ordinary tile that nobody mentioned on *place*, unless that was given itself."""
    for field in ("pile", "open"):
        record[field] = fields.get(field, [])
        if not isinstance(record[field], list):
            raise BadInput("is no list of tiles", where=f"$.{field}")
    if place not in fields:
        named = {one[2] for one in record["board"]} | {*record["pile"], *record["open"], record["drawn"]}
        record[place] = [tile for tile in game.record(game.start())["pile"] if tile not in named]
