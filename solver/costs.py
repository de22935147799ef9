"""What an ambiguity costs: in how many games two readings part, when, and by how many points.

Two games are played side by side, one under each reading, by the same policy with the same seed, as
long as positions and legal actions are the same; from where they part each goes on by itself.
What follows then brings other draws and other choices as well, so the points measure that too; where
readings part at once they only compare two games.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from lawspeaker.model.core.contract import CHANCE, OVER, AnyGame
from lawspeaker.model.core.play import pick_outcome, sensible
from lawspeaker.model.core.records import FindingRecord

FILE = "costs.json"
"""The file in a game's folder of witnesses."""


class Cost(msgspec.Struct, frozen=True):
    """What one value of a ruling costs against the default: games played, parted, and sums over the parted.

    ``actions`` sums the actions before they part, ``points`` by how much the final leads differ;
    ``winners`` counts the games with another winner.
    """

    ruling: str
    value: str
    default: str
    games: int
    parted: int
    actions: int
    points: int
    winners: int

    def words(self) -> str:
        """Return the cost in words."""
        against = f"{self.value} against {self.default}"
        if not self.parted:
            return f"{against}: the same in all of {self.games} games"
        when, lead = self.actions / self.parted, self.points / self.parted
        mean = f"after {when:.0f} actions, leads differ by {lead:.1f} points in the mean, other draws included"
        return f"{against}: other play in {self.parted} of {self.games} games, {mean}; {self.winners} other winners"


class _Costs(msgspec.Struct, frozen=True):
    pack_digest: str
    catalogue: int
    policy: str
    seeds: tuple[int, ...]
    costs: tuple[Cost, ...]
    players: int = 2


def side_by_side(one: AnyGame, two: AnyGame, seed: int) -> tuple[int, int, bool] | None:
    """Return when two readings part, by how much the final leads differ, and whether winners do.

    A lead is what the first seat is ahead of the best of the others.  None if they never part.
    """
    random = Random(seed)
    a, b = one.start(), two.start()
    count = 0
    while one.actor(a) == two.actor(b) and one.legal(a) == two.legal(b) and one.record(a) == two.record(b):
        if one.actor(a) == OVER:
            return None
        action = _pick(one, a, random)
        a, b, count = one.apply(a, action), two.apply(b, action), count + 1
    ends = [_finish(game, position, seed) for game, position in ((one, a), (two, b))]
    leads = [scores[0] - max(scores[1:]) for scores, _ in ends]
    return count, abs(leads[0] - leads[1]), ends[0][1] != ends[1][1]


def _pick(game: AnyGame, position: Any, random: Random) -> Any:
    actor, actions = game.actor(position), game.legal(position)
    if actor == CHANCE:
        return pick_outcome(game, position, actions, random)
    return sensible(game, game.observe(position, actor), actions, random)


def _finish(game: AnyGame, position: Any, seed: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    random = Random(seed + 1_000_000)
    while game.actor(position) != OVER:
        position = game.apply(position, _pick(game, position, random))
    result = game.result(position)
    return result.scores, result.winners


def costs(game: AnyGame, seeds: Iterable[int]) -> Iterator[Cost]:
    """Yield the cost of each other value of each ruling against its default."""
    played = tuple(seeds)
    book = game.catalogue.book
    default = game.varied(rulings=book.choose())
    for ruling in book.rulings:
        for value in ruling.values[1:]:
            other = game.varied(rulings=book.choose({ruling.id: value}))
            found = [each for seed in played if (each := side_by_side(default, other, seed)) is not None]
            yield Cost(
                ruling.id, value, ruling.default, len(played), len(found), sum(each[0] for each in found),
                sum(each[1] for each in found), sum(each[2] for each in found),
            )  # fmt: skip


def write_costs(game: AnyGame, seeds: Iterable[int], path: Path) -> None:
    """Play and store the costs with what they were measured on."""
    played = tuple(seeds)
    found = tuple(costs(game, played))
    whole = _Costs(game.pack.digest, game.catalogue.version, "sensible", played, found, len(game.seats))
    path.write_bytes(msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n")


def read_costs(game: AnyGame, path: Path) -> dict[str, str]:
    """Return the stored costs in words by ruling; none if they were measured on another pack or catalogue."""
    try:
        whole = msgspec.json.decode(path.read_bytes(), type=_Costs)
    except (OSError, msgspec.DecodeError):
        return {}
    if (whole.pack_digest, whole.catalogue) != (game.pack.digest, game.catalogue.version):
        return {}
    found: dict[str, list[str]] = {}
    for cost in whole.costs:
        found.setdefault(cost.ruling, []).append(cost.words())
    table = f" ({whole.players} players)" if whole.players > 2 else ""
    return {ruling: "; ".join(words) + table for ruling, words in found.items()}


def with_cost(finding: FindingRecord, known: dict[str, str]) -> FindingRecord:
    """Return a split with what its ruling costs in play added to the note."""
    if finding.kind != "split" or finding.ruling not in known:
        return finding
    return replace(finding, note="; ".join(filter(None, (finding.note, f"cost in play: {known[finding.ruling]}"))))
