"""The same seed gives the same bytes: in this process and in others with other hash seeds.

``python -m lawspeaker.properties.repeat`` reads a request on standard input and prints its digests.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from lawspeaker.model.core.canonical import digest
from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.games import make_game, room
from lawspeaker.model.core.play import Picker, Rare, sensible, steps, uniform
from lawspeaker.model.core.records import CheckRow

TITLE = "The same seed gives the same game and the same views in processes with other hash seeds"
POLICIES = ("uniform", "rare", "sensible")


def _policy(name: str) -> Picker:
    return {"uniform": uniform, "sensible": sensible}.get(name) or Rare()


def game_digest(game: AnyGame, seed: int, policy: str = "uniform") -> str:
    """Return one digest over everything a seeded game shows: texts, records, views, effects, result."""
    seen: list[Any] = []
    for number, step in enumerate(steps(game, seed, _policy(policy))):
        seen.append(game.text(step.action))
        seen.append(list(game.touched(step.before, step.action, step.after)))
        if number % 10 == 0:
            seen.append([game.text(action) for action in game.legal(step.after)])
            seen.append([game.record(step.after), *(game.observe(step.after, n) for n in range(len(game.seats)))])
            seen.append(msgspec.to_builtins(game.result(step.after)))
    return digest(seen)


def digests(game: AnyGame, seeds: Iterable[int]) -> list[str]:
    """Return the digests of seeded games, the policies taking turns."""
    return [game_digest(game, seed, POLICIES[n % len(POLICIES)]) for n, seed in enumerate(seeds)]


def elsewhere(game: AnyGame, seeds: Sequence[int], hash_seed: int) -> list[str]:
    """Return the same digests from a new process with this ``PYTHONHASHSEED``.

    Raises RuntimeError with what the process wrote if it failed.
    """
    request = {
        "game": game.id,
        "pack": msgspec.to_builtins(game.pack),
        "rulings": dict(game.rulings),
        "players": len(game.seats),
        "seeds": list(seeds),
    }
    ran = subprocess.run(
        [sys.executable, "-m", "lawspeaker.properties.repeat"],
        input=json.dumps(request), capture_output=True, text=True, timeout=300,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
    )  # fmt: skip
    if ran.returncode:
        raise RuntimeError(f"the repeating process failed: {ran.stderr[-2000:]}")
    found: list[str] = json.loads(ran.stdout)
    return found


def repeatable(game: AnyGame, seeds: Sequence[int] = (1, 2, 3), hash_seeds: Sequence[int] = (0, 4711)) -> CheckRow:
    """Play seeded games here, again here, and in other processes; the row fails where a digest differs."""
    here = digests(game, seeds)
    others = {"again in this process": digests(game, seeds)}
    others |= {f"with hash seed {n}": elsewhere(game, seeds, n) for n in hash_seeds}
    for where, found in others.items():
        for seed, one, two in zip(seeds, here, found, strict=True):
            if one != two:
                return CheckRow(game.id, "repeatable", TITLE, "fail", len(others), f"seed {seed} differs {where}")
    return CheckRow(game.id, "repeatable", TITLE, "pass", len(others) * len(seeds))


def main() -> None:
    """Answer one request: read it from standard input, print the digests as JSON."""
    asked = json.load(sys.stdin)
    place = room(asked["game"])
    pack = place.read_pack(asked["pack"], "request")
    game = make_game(asked["game"], pack, place.catalogue.book.choose(asked["rulings"]), asked["players"])
    sys.stdout.write(json.dumps(digests(game, asked["seeds"])))


if __name__ == "__main__":
    main()
