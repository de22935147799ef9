"""Carrying witnesses: from a situation to a game in which it arises; stored, and replayed from there.

The search takes seeded games under each value of each ruling and keeps, for each finding, the game
in which its witness arises after the fewest actions.  The stored file is the trace up to and
including the step at which it arises; ``replay_stored`` plays it again and asks again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from lawspeaker import solver
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import make_game
from lawspeaker.model.core.play import Picker, Step, steps
from lawspeaker.model.core.records import CheckRow, FindingRecord
from lawspeaker.model.core.rulings import Rulings
from lawspeaker.model.core.traces import actions_of, game_for, read_trace, replay, trace_of, write_trace
from lawspeaker.model.fjords.game import FjordsGame
from lawspeaker.solver.analysis import analyse, is_witness

from .policies import hoarding, policies
from .seen import situations
from .topics import topics

FOLDER = Path(solver.__path__[0]).parent / "reports" / "findings" / "fjords"
"""The reports' folder is found by its place beside this package; nothing of the reports is imported."""


@dataclass(frozen=True)
class Carried:
    """A finding's witness in play: what was seen there, the position, and the trace that reaches it."""

    situation: dict[str, Any]
    position: dict[str, Any]
    trace: str


# -- searching --------------------------------------------------------------------------------------


def search(
    findings: Iterable[FindingRecord],
    seeds: Iterable[int],
    choices: Iterable[Rulings] | None = None,
    players: tuple[Picker, ...] = (),
) -> dict[str, Carried]:
    """Return for each finding with a witness the shortest game that shows it, where one was found.

    Played under *choices*, by default each value of each ruling; what the text itself settles is left out.
    """
    wanted = [f for f in findings if f.situation and f.topic in topics() and f.kind != "overridden"]
    best: dict[str, tuple[int, FjordsGame, list[Any]]] = {}
    known: dict[tuple[str, tuple[Any, ...]], list[str]] = {}
    played = tuple(choices or make_game("fjords").catalogue.book.singles())
    for seed in seeds:
        for rulings in played:
            for policy in players or policies():
                _watch(_game(rulings), seed, policy, wanted, known, best)
    found = {}
    for finding in wanted:
        if finding.id in best:
            _, game, actions = best[finding.id]
            found[finding.id] = _carried(finding, game, actions)
    return found


def _game(rulings: Rulings) -> FjordsGame:
    game = make_game("fjords", rulings=rulings)
    assert isinstance(game, FjordsGame)
    return game


def _watch(
    game: FjordsGame, seed: int, policy: Picker, wanted: list[FindingRecord],
    known: dict[tuple[str, tuple[Any, ...]], list[str]], best: dict[str, tuple[int, FjordsGame, list[Any]]],
) -> None:  # fmt: skip
    actions: list[Any] = []
    for step in steps(game, seed, policy):
        actions.append(step.action)
        for topic, situation, _ in situations(game, step):
            key = (topic, tuple(situation.values()))
            if key not in known:
                mine = [f for f in wanted if f.topic == topic]
                known[key] = [f.id for f in mine if is_witness(f, topics()[topic], situation)]
            for finding in known[key]:
                if finding not in best or best[finding][0] > len(actions):
                    best[finding] = (len(actions), game, list(actions))


def _carried(finding: FindingRecord, game: FjordsGame, actions: list[Any]) -> Carried:
    position = game.start()
    for action in actions[:-1]:
        position = game.apply(position, action)
    step = Step(position, game.actor(position), actions[-1], game.apply(position, actions[-1]))
    seen = _shown(finding, game, step)
    if seen is None:
        raise BadInput("does not show its finding", where=finding.id)
    return Carried(seen, game.record(position), write_trace(trace_of(game, actions)))


def _shown(finding: FindingRecord, game: FjordsGame, step: Step) -> dict[str, Any] | None:
    """Return the situation of the step that shows the finding, or None."""
    topic = topics()[finding.topic]
    for topic_id, situation, _ in situations(game, step):
        if topic_id == finding.topic and is_witness(finding, topic, situation):
            return dict(situation)
    return None


def carry_all(seeds: Iterable[int] = (1, 2), last_seeds: Iterable[int] = range(1, 60), folder: Path = FOLDER) -> None:
    """Search all findings of all topics anew and store the games; takes minutes.

    For when the estimated pack, the rules or the topics have changed.  What needs the last tile set
    aside and an open one taken is rare and gets more seeds.
    """
    findings = [finding for topic in topics().values() for finding in analyse(topic).findings]
    carried = search(findings, seeds)
    rare = [f for f in findings if f.id not in carried and f.ruling == "R_LAST_OPEN"]
    last = make_game("fjords").catalogue.book.choose({"R_LAST_OPEN": "play_B"})
    carried |= search(rare, last_seeds, (last,), (hoarding,))
    for path in folder.glob("*.trace"):
        path.unlink()
    store(carried, folder)


def store(carried: dict[str, Carried], folder: Path = FOLDER) -> None:
    """Write each witness as a trace file named after its finding."""
    folder.mkdir(parents=True, exist_ok=True)
    for finding, found in sorted(carried.items()):
        shown = ", ".join(f"{name}={value}" for name, value in found.situation.items())
        head, _, rest = found.trace.partition("\n")
        text = f"{head}\n# {finding}: the last action of this trace shows it\n# {shown}\n{rest}"
        (folder / f"{finding}.trace").write_text(text, encoding="utf-8")


# -- replaying --------------------------------------------------------------------------------------


def stored(finding: FindingRecord, folder: Path = FOLDER, same: bool = False) -> Carried | None:
    """Return a finding's stored witness, replayed; None if there is none.

    With *same* the finding comes from a kept analysis that has shown its situation to be a witness
    already, and the game has to show that very situation.  Raises BadInput if the file cannot be
    replayed or does not show the finding.
    """
    path = folder / f"{finding.id}.trace"
    if not path.exists():
        return None
    text = path.read_text(encoding="utf-8")
    trace = read_trace(text, str(path))
    game = game_for(trace)
    assert isinstance(game, FjordsGame)
    positions = replay(trace, game)
    last = actions_of(trace, game)[-1]
    step = Step(positions[-2], game.actor(positions[-2]), last, positions[-1])
    seen = _again(finding, game, step) if same else _shown(finding, game, step)
    if seen is None:
        raise BadInput(f"its last action does not show {finding.id}", where=str(path))
    return Carried(seen, game.record(positions[-2]), text)


def _again(finding: FindingRecord, game: FjordsGame, step: Step) -> dict[str, Any] | None:
    """Return the finding's own situation if the step shows it."""
    shown = any(topic == finding.topic and case == finding.situation for topic, case, _ in situations(game, step))
    return dict(finding.situation) if shown else None


def replay_all(
    findings: Iterable[FindingRecord], folder: Path = FOLDER, same: bool = False
) -> Iterator[tuple[FindingRecord, CheckRow | None]]:
    """Yield each finding, carried as far as its stored game takes it, with the row of the replay if there is one."""
    for finding in findings:
        said, carried = "", None
        try:
            carried = stored(finding, folder, same and finding.carried == "game")
        except BadInput as error:
            said = str(error)
        if carried is None and not said:
            yield finding, None
            continue
        title = f"the stored game shows: {finding.title}"
        row = CheckRow("fjords", f"witness-{finding.id}", title, "fail" if said else "pass", 1, said)
        yield (_with(finding, carried) if carried else replace(finding, carried="situation")), row


def replay_stored(game_id: str = "fjords", folder: Path = FOLDER) -> list[CheckRow]:
    """Return one row for each stored witness, replayed and asked anew whether it shows its finding.

    A file that belongs to no finding fails: the finding has gone, or was never one.
    """
    findings = [finding for topic in topics().values() for finding in analyse(topic).findings]
    rows = [row for _, row in replay_all(findings, folder) if row is not None]
    known = {f"{finding.id}.trace" for finding in findings}
    stray = sorted(path.name for path in folder.glob("*.trace") if path.name not in known)
    return rows + [CheckRow(game_id, f"witness-{n}", "a stored witness", "fail", 1, "of no finding") for n in stray]


def _with(finding: FindingRecord, carried: Carried) -> FindingRecord:
    return replace(finding, carried="game", situation=carried.situation, position=carried.position, trace=carried.trace)
