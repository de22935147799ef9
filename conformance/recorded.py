"""Recorded games: those shipped with the project, and a folder of anybody's own, replayed on a subject.

``python -m lawspeaker.conformance.recorded`` makes the shipped ones anew: for each number of players a game
under the usual rulings, and others under their other choices, rich in clauses that seldom are at work.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import game_ids, make_game, room
from lawspeaker.model.core.loading import read_text
from lawspeaker.model.core.play import Step
from lawspeaker.model.core.rulings import Rulings
from lawspeaker.model.core.traces import trace_of, write_trace

from .explain import read_line
from .foreign import ForeignGame
from .sampling import Seen, weighted
from .scenario_cases import Expect, Probe, ScenarioCase

HOME = Path(__file__).resolve().parent / "recordings"
_SEEDS = 12
_STEPS = 900


def recorded(game: AnyGame, folder: Path | None = None) -> tuple[ScenarioCase, ...]:
    """Return the games shipped for this number of players and this pack, and those in a folder.

    Raises BadInput for a folder that cannot be read, holds no trace, or has one that cannot be replayed.
    """
    ours = game.id in game_ids() and not isinstance(game, ForeignGame)  # a foreign reference need not play like us
    shipped = sorted((HOME / game.id).glob("*.trace")) if ours else []
    usual = ours and game.pack.digest == _usual_pack(game.id)
    found = [case for path in shipped if usual for case in _read(path, path.stem, game)]
    if folder is not None:
        paths = sorted(folder.glob("*.trace")) if folder.is_dir() else []
        if not paths:
            raise BadInput("no folder with files *.trace", where=str(folder))
        found += [case for path in paths for case in _read(path, f"own-{path.stem}", game)]
    return tuple(found)


def _usual_pack(game_id: str) -> str:
    place = room(game_id)
    return place.load_pack(place.default_pack).digest


def _read(path: Path, name: str, game: AnyGame) -> Iterator[ScenarioCase]:
    """Yield the case of a trace; nothing if it is a game of another number of players."""
    text = read_text(path)
    if len(_players(text)) != len(game.seats):
        return
    played, line = read_line(text, str(path), game.pack, game)
    if played.id != game.id:
        raise BadInput(f"is a trace of {played.id}", where=str(path), hint=f"a trace of {game.id}")
    count = sum(op.kind == "try" for op in line.ops)
    legal = _legal_length(played, line.record, [(op.by, op.text) for op in line.ops if op.kind == "try"])
    tried = [op for op in line.ops if op.kind == "try"]
    yield ScenarioCase(
        id=name,
        title=f"answers a recorded game as it was played ({count} steps)",
        clauses=(),
        rulings=dict(played.rulings),
        record=line.record,
        actions=tuple((op.by, op.text) for op in tried[:legal]),
        expect=Expect(
            refused=tuple(Probe(op.text, op.by) for op in tried[legal : legal + 1]),
            views={op.by: {} for op in line.ops if op.kind == "view"},
        ),
        players=len(played.seats),
    )


def _players(text: str) -> tuple[str, ...]:
    found = next((line for line in text.splitlines() if line.startswith("players:")), "")
    return tuple(found.split()[1:])


def _legal_length(game: AnyGame, record: Any, tried: list[tuple[str, str]]) -> int:
    """Return how many of the tries are legal, before the first that is not."""
    position = game.start() if record is None else game.position(record)
    for number, (by, text) in enumerate(tried):
        found = {game.text(a): a for a in game.legal(position)} if by == game.actor_name(position) else {}
        if text not in found:
            return number
        position = game.apply(position, found[text])
    return len(tried)


# -- making those that are shipped --------------------------------------------------------------------


def choices(game_id: str) -> tuple[Rulings, ...]:
    """Return the usual choice of rulings, then as few others as there are until each value has come once."""
    book = room(game_id).catalogue.book
    most = max((len(ruling.values) for ruling in book.rulings), default=1)
    return tuple(
        book.choose({r.id: r.values[n] for r in book.rulings if 0 < n < len(r.values)}) for n in range(most)
    )


def made(game_id: str) -> Iterator[tuple[str, str]]:
    """Yield name and text of each recorded game: of some games that are tried, the one richest in rare clauses."""
    seen = Seen()
    for players in room(game_id).players:
        for number, rulings in enumerate(choices(game_id)):
            game = make_game(game_id, rulings=rulings, players=players)
            tried = [tuple(weighted(game, seed, Seen(), _STEPS)) for seed in range(_SEEDS)]
            best = max(tried, key=lambda played: _worth(game, played, seen))
            for step in best:
                seen.count(game, step)
            yield f"{players}p-{number}.trace", write_trace(trace_of(game, [step.action for step in best]))


def _worth(game: AnyGame, played: tuple[Step, ...], seen: Seen) -> float:
    clauses = {clause for step in played for clause in game.touched(step.before, step.action, step.after)}
    return sum(1 / (1 + seen.clauses[clause]) for clause in sorted(clauses))


def write(home: Path = HOME) -> None:
    """Make all recorded games anew."""
    for game_id in game_ids():
        (home / game_id).mkdir(parents=True, exist_ok=True)
        for name, text in made(game_id):
            (home / game_id / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
