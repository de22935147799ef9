"""Say why an action is illegal at a position, or what it does if it is legal."""

from __future__ import annotations

from typing import Any

import click

from lawspeaker.commands._common import as_json, pack_option, players_option, position_from, ruling_option
from lawspeaker.model.core.contract import CHANCE, AnyGame, Breach, Effect
from lawspeaker.model.core.errors import BadInput


@click.command()
@click.argument("game")
@click.argument("position")
@click.argument("action")
@click.option("--by", metavar="SEAT", help="Who tries it; default: whoever is next.")
@players_option
@ruling_option
@pack_option
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
def command(
    game: str,
    position: str,
    action: str,
    by: str | None,
    players: int | None,
    rulings: tuple[str, ...],
    pack: str | None,
    json_: bool,
) -> None:
    """Say why ACTION is illegal at POSITION, or what it does.

    POSITION is a file with a position's record (JSON or YAML) or a trace; FILE:STEP is the position
    of a trace after that many lines of actions.  ACTION is canonical text, such as "place T07 1,-1 r3".
    """
    played, here = position_from(game, position, rulings, pack, players)
    parts = explain_text(played, here, action, by)
    if json_:
        click.echo(as_json(parts[0] if len(parts) == 1 else parts))
    else:
        click.echo("\n".join(as_text(said) for said in parts))


def explain_text(game: AnyGame, position: Any, text: str, by: str | None = None) -> list[dict[str, Any]]:
    """Explain an action, or each part of a compound one up to the first that is not legal.

    Raises BadInput as ``explain`` does, and for a compound text that cannot be read.
    """
    series = game.expand(position, text) if by in (None, game.actor_name(position)) else None
    if series is None:
        return [explain(game, position, text, by)]
    parts = []
    for action in series:
        parts.append(explain(game, position, game.text(action), by))
        if not parts[-1]["legal"]:
            break
        position = game.apply(position, action)
    return parts


def explain(game: AnyGame, position: Any, text: str, by: str | None = None) -> dict[str, Any]:
    """Return everything there is to say about an action as plain values.

    Raises BadInput for an action that does not parse and for an unknown seat.
    """
    if by is not None and by not in game.seats:
        raise BadInput(f"unknown seat {by!r}", where="--by", hint=f"seats are {', '.join(game.seats)}")
    action = game.parse(text)
    broken = game.breaches(position, action, None if by is None else game.seat(by))
    book = game.catalogue.book
    said: dict[str, Any] = {
        "game": game.id,
        "pack": game.pack.id,
        "provenance": game.pack.provenance,
        "rulings": dict(game.rulings),
        "chosen": {name: value for name, value in game.rulings.items() if value != book[name].default},
        "actor": game.actor_name(position),
        "by": by or game.actor_name(position),
        "action": game.text(action),
        "legal": not broken,
        "breaches": [_item(game, b) for b in broken],
        "effects": [],
    }
    if not broken:
        after = game.apply(position, action)
        said["effects"] = [_item(game, e) for e in game.effects(position, action)]
        said["next"] = game.actor_name(after)
        seen = [game.seats[seat] for seat in game.sees(position, action)]
        if game.actor(position) == CHANCE or len(seen) < len(game.seats):
            said["seen_by"] = seen
    return said


def _item(game: AnyGame, item: Breach | Effect) -> dict[str, Any]:
    known = item.clause in game.catalogue
    return {
        "clause": item.clause,
        "heading": game.catalogue[item.clause].heading if known else "",
        "facts": {fact.name: fact.value for fact in item.facts},
        "words": game.words(item),
    }


def as_text(said: dict[str, Any]) -> str:
    """Return what ``explain`` found out as lines for a reader."""
    by = said["by"]
    if said["legal"]:
        lines = [f"{said['action']} by {by} is legal."]
        lines += [f"  {n}. {_line(item)}" for n, item in enumerate(said["effects"], 1)]
        lines.append(f"  Next: {said['next']}.")
    else:
        count = len(said["breaches"])
        lines = [f"{said['action']} by {by} is not legal; it breaks {count} clause{'s' if count > 1 else ''}:"]
        lines += [f"  {_line(item)}" for item in said["breaches"]]
    chosen = " ".join(f"{name}={value}" for name, value in said["chosen"].items())
    lines.append(f"Pack {said['pack']} ({said['provenance']} data), rulings: {chosen or 'all as by default'}.")
    return "\n".join(lines)


def _line(item: dict[str, Any]) -> str:
    heading = f" ({item['heading'].strip('()')})" if item["heading"] else ""
    return f"{item['clause']}{heading}: {item['words']}"
