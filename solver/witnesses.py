"""Carrying witnesses: from a situation to a game in which it arises; stored, and replayed from there.

The search takes seeded games under each value of each ruling and keeps, for each finding, the game
in which its witness arises after the fewest actions.  The stored file is the trace up to and
including the step at which it arises; ``replay_stored`` plays it again and asks again.  What only a
pack of its own shows is stored as that pack, the position, and the action.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import room
from lawspeaker.model.core.play import Picker, Step, steps
from lawspeaker.model.core.records import Carried as HowFar
from lawspeaker.model.core.records import CheckRow, FindingRecord
from lawspeaker.model.core.traces import (
    actions_of,
    game_for,
    read_trace,
    refuse_illegal,
    replay,
    trace_of,
    write_trace,
)

from .analysis import analyse, is_witness
from .frame import GameQuestions, default_pack


@dataclass(frozen=True)
class Carried:
    """A finding's witness in play: what was seen there, the position, and the trace that reaches it.

    With a pack of its own it has that, and no trace.
    """

    situation: dict[str, Any]
    position: dict[str, Any]
    trace: str = ""
    own: PackCase | None = None


class PackCase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A witness that needs a pack of its own: the step that shows it begins at ``position``."""

    finding: str
    situation: dict[str, Any]
    pack: dict[str, Any]
    players: int
    rulings: dict[str, str]
    position: dict[str, Any]
    action: str

    def step(self, game_id: str) -> tuple[AnyGame, Step]:
        """Return the game and the step; raises BadInput for what cannot be."""
        place = room(game_id)
        game = place.build(
            place.read_pack(self.pack, self.finding), place.catalogue.book.choose(self.rulings), self.players
        )
        position = game.position(self.position)
        if broken := game.broken_invariants(position):
            raise BadInput(f"the position breaks {broken[0].clause}", where=self.finding)
        action = game.parse(self.action)
        refuse_illegal(game, position, action, self.finding)
        return game, Step(position, game.actor(position), action, game.apply(position, action))


Known = dict[tuple[str, tuple[Any, ...]], list[str]]
Best = dict[str, tuple[int, AnyGame, list[Any]]]

# -- searching --------------------------------------------------------------------------------------


def search(
    questions: GameQuestions,
    findings: Iterable[FindingRecord],
    seeds: Iterable[int],
    games: Iterable[AnyGame] | None = None,
    players: tuple[Picker, ...] = (),
) -> dict[str, Carried]:
    """Return for each finding with a witness the shortest game that shows it, where one was found.

    Played in *games*, by default under each value of each ruling at each number of players; what the
    text itself settles is left out.
    """
    wanted = [f for f in findings if f.situation and f.topic in questions.topics() and f.kind != "overridden"]
    best: Best = {}
    known: Known = {}
    played = tuple(games or single_games(questions))
    for seed in seeds:
        for game in played:
            for policy in players or questions.policies():
                _watch(questions, game, seed, policy, wanted, known, best)
    found = {}
    for finding in wanted:
        if finding.id in best:
            _, game, actions = best[finding.id]
            found[finding.id] = _carried(questions, finding, game, actions)
    return found


def single_games(questions: GameQuestions) -> Iterator[AnyGame]:
    """Yield the game at each number of players under each value of each ruling."""
    for number in questions.players:
        game = questions.make(players=number)
        for rulings in game.catalogue.book.singles():
            yield game.varied(rulings=rulings)


def _watch(
    questions: GameQuestions, game: AnyGame, seed: int, policy: Picker, wanted: list[FindingRecord],
    known: Known, best: Best,
) -> None:  # fmt: skip
    actions: list[Any] = []
    for step in steps(game, seed, policy):
        actions.append(step.action)
        for topic, situation, _ in questions.situations(game, step):
            key = (topic, tuple(situation.values()))
            if key not in known:
                mine = [f for f in wanted if f.topic == topic]
                known[key] = [f.id for f in mine if is_witness(f, questions.topics()[topic], situation)]
            for finding in known[key]:
                if finding not in best or best[finding][0] > len(actions):
                    best[finding] = (len(actions), game, list(actions))


def _carried(questions: GameQuestions, finding: FindingRecord, game: AnyGame, actions: list[Any]) -> Carried:
    position = game.start()
    for action in actions[:-1]:
        position = game.apply(position, action)
    step = Step(position, game.actor(position), actions[-1], game.apply(position, actions[-1]))
    seen = _shown(questions, finding, game, step)
    if seen is None:
        raise BadInput("does not show its finding", where=finding.id)
    if game.pack.digest == questions.make(players=len(game.seats)).pack.digest:
        return Carried(seen, game.record(position), write_trace(trace_of(game, actions)))
    record, text, rulings = game.record(position), game.text(actions[-1]), dict(game.rulings)
    own = PackCase(finding.id, seen, msgspec.to_builtins(game.pack), len(game.seats), rulings, record, text)
    return Carried(seen, record, own=own)


def _shown(questions: GameQuestions, finding: FindingRecord, game: AnyGame, step: Step) -> dict[str, Any] | None:
    """Return the situation of the step that shows the finding, or None."""
    topic = questions.topics()[finding.topic]
    for topic_id, situation, _ in questions.situations(game, step):
        if topic_id == finding.topic and is_witness(finding, topic, situation):
            return dict(situation)
    return None


def all_findings(questions: GameQuestions) -> list[FindingRecord]:
    """Return the findings of all topics of a game."""
    return [finding for topic in questions.topics().values() for finding in analyse(topic).findings]


def replace_stored(carried: dict[str, Carried], folder: Path) -> None:
    """Store these games in the place of all that were stored.

    For when the estimated pack, the rules or the topics have changed.
    """
    for path in [*folder.glob("*.trace"), *folder.glob("*-F-*.json")]:
        path.unlink()
    store(carried, folder)


def store(carried: dict[str, Carried], folder: Path) -> None:
    """Write each witness as a file named after its finding: a trace, or a position with its pack."""
    folder.mkdir(parents=True, exist_ok=True)
    for finding, found in sorted(carried.items()):
        if found.own is not None:
            whole = msgspec.json.format(msgspec.json.encode(found.own), indent=1)
            (folder / f"{finding}.json").write_bytes(whole + b"\n")
            continue
        shown = ", ".join(f"{name}={value}" for name, value in found.situation.items())
        head, _, rest = found.trace.partition("\n")
        text = f"{head}\n# {finding}: the last action of this trace shows it\n# {shown}\n{rest}"
        (folder / f"{finding}.trace").write_text(text, encoding="utf-8")


# -- replaying --------------------------------------------------------------------------------------


def stored(
    questions: GameQuestions, finding: FindingRecord, folder: Path | None = None, same: bool = False
) -> Carried | None:
    """Return a finding's stored witness, replayed; None if there is none.

    With *same* the finding comes from a kept analysis that has shown its situation to be a witness
    already, and the game has to show that very situation.  Raises BadInput if the file cannot be
    replayed or does not show the finding.
    """
    path = (folder or questions.folder) / f"{finding.id}.trace"
    own = path.with_suffix(".json")
    if path.exists():
        text = path.read_text(encoding="utf-8")
        game, step = _last_step(questions, text, str(path))
    elif own.exists():
        text = ""
        game, step = _read_case(own).step(questions.game)
    else:
        return None
    seen = _again(questions, finding, game, step) if same else _shown(questions, finding, game, step)
    if seen is None:
        raise BadInput(f"its last action does not show {finding.id}", where=str(path if text else own))
    return Carried(seen, game.record(step.before), text, None if text else _read_case(own))


def _last_step(questions: GameQuestions, text: str, where: str) -> tuple[AnyGame, Step]:
    """Return the game of a trace and its last step; one that shows several findings is played once."""
    played = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    if played not in _REPLAYED:
        trace = read_trace(text, where)
        game = game_for(trace, default_pack(questions.game))
        positions = replay(trace, game)
        last = actions_of(trace, game)[-1]
        _REPLAYED[played] = game, Step(positions[-2], game.actor(positions[-2]), last, positions[-1])
    return _REPLAYED[played]


_REPLAYED: dict[str, tuple[AnyGame, Step]] = {}


def _read_case(path: Path) -> PackCase:
    try:
        return msgspec.json.decode(path.read_bytes(), type=PackCase)
    except msgspec.DecodeError as error:
        raise BadInput(str(error), where=str(path)) from None


def packs(questions: GameQuestions) -> dict[str, dict[str, Any]]:
    """Return the packs of stored witnesses that need their own, by finding id."""
    ids = {finding.id for finding in all_findings(questions)}
    files = sorted(path for path in questions.folder.glob("*.json") if path.stem in ids)
    return {path.stem: _read_case(path).pack for path in files}


def _again(questions: GameQuestions, finding: FindingRecord, game: AnyGame, step: Step) -> dict[str, Any] | None:
    """Return the finding's own situation if the step shows it."""
    seen = questions.situations(game, step)
    shown = any(topic == finding.topic and case == finding.situation for topic, case, _ in seen)
    return dict(finding.situation) if shown else None


def replay_all(
    questions: GameQuestions, findings: Iterable[FindingRecord], folder: Path | None = None, same: bool = False
) -> Iterator[tuple[FindingRecord, CheckRow | None]]:
    """Yield each finding, carried as far as its stored game takes it, with the row of the replay if there is one."""
    for finding in findings:
        said, carried = "", None
        try:
            carried = stored(questions, finding, folder, same and finding.carried != "situation")
        except BadInput as error:
            said = str(error)
        if carried is None and not said:
            yield finding, None
            continue
        title = f"the stored game shows: {finding.title}"
        row = CheckRow(questions.game, f"witness-{finding.id}", title, "fail" if said else "pass", 1, said)
        yield (_with(finding, carried) if carried else replace(finding, carried="situation")), row


def replay_stored(questions: GameQuestions, folder: Path | None = None) -> list[CheckRow]:
    """Return one row for each stored witness, replayed and asked anew whether it shows its finding.

    A file that belongs to no finding fails: the finding has gone, or was never one.
    """
    findings = all_findings(questions)
    rows = [row for _, row in replay_all(questions, findings, folder) if row is not None]
    known = {finding.id for finding in findings}
    files = [*(folder or questions.folder).glob("*.trace"), *(folder or questions.folder).glob("*-F-*.json")]
    stray = sorted(path.name for path in files if path.stem not in known)
    said = "of no finding"
    return rows + [CheckRow(questions.game, f"witness-{n}", "a stored witness", "fail", 1, said) for n in stray]


def _with(finding: FindingRecord, carried: Carried) -> FindingRecord:
    how: HowFar = "game" if carried.trace else "position"
    return replace(finding, carried=how, situation=carried.situation, position=carried.position, trace=carried.trace)
