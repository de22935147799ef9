"""The checks of Fire & Axe beside the general ones: voyages on the map as graphs, by another reading."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lawspeaker.properties.watching import Check, Complaints, Moment, plainly

from .maps import Graph, clear_days, map_of, of_kind


def _map(game: Any) -> Graph:
    return map_of(game.pack, game.rulings["R_PORT_EDGES"])


def sailing(moment: Moment) -> Complaints:
    """The Sails offered are those to places beside the ship, ports with another ship left out."""
    plain, game = moment.record_after, moment.game
    if plain["phase"] != "main" or plain["places"][plain["turn"]] == "Wintering Zone":
        return
    graph, here = _map(game), plain["places"][plain["turn"]]
    left = plain["prep"] + plain["sailed"] < plain["days"] or plain["free"] > 0
    taken = set(plain["places"].values()) & of_kind(graph, "port")
    due = {f"sail {place}" for place in graph[here] if left and place not in taken}
    offered = {words for words in map(game.text, moment.legal_after) if words.startswith("sail ")}
    if due != offered:
        yield f"from {here}: {sorted(due ^ offered)[:4]} in one only of {len(due)} and {len(offered)}"


def weather(moment: Moment) -> Complaints:
    """After a Sail the skulls of the chart's column are covered, or the ship, unless empty, is asked for a loss."""
    before, plain, game = moment.record_before, moment.record_after, moment.game
    words = game.text(moment.action).partition(" ")
    if words[0] != "sail" or plain["turn"] != before["turn"] or before["free"]:
        return
    zone = _map(game).nodes[words[2]]["zone"]
    over = max(0, plain["sailed"] - clear_days(game.pack, plain["dial"])[zone])
    chart = game.pack.losses  # type: ignore[attr-defined]
    due = max(before["covered"], chart[min(over, len(chart) - 1)])
    covered = min(due, before["covered"] + before["shelter"])
    laden = plain["crew"][plain["turn"]] + sum(plain["cargo"][plain["turn"]]) > 0
    if plain["covered"] != covered or (plain["phase"] == "loss") != (laden and covered < due):
        yield f"{plain['covered']} skulls covered in phase {plain['phase']} after {words[2]}, {due} are due"


def _check(name: str, function: Callable[[Moment], Complaints], every: int) -> Check:
    return Check(name, (function.__doc__ or "").partition("\n")[0].rstrip("."), plainly(function), every)


CHECKS: tuple[Check, ...] = (_check("sailing", sailing, 3), _check("weather", weather, 1))
