"""Equality monitors: along play, what the clauses of each topic leave is what the model does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lawspeaker.model.core.play import Picker, Step, steps
from lawspeaker.model.core.records import CheckRow, FindingRecord
from lawspeaker.model.core.rulings import Rulings
from lawspeaker.model.core.traces import read_trace
from lawspeaker.model.fjords.game import FjordsGame
from lawspeaker.solver.monitors import answers, checked, conditions_true, is_valid

from .policies import farmless, policy_for
from .seen import situations
from .topics import topics


@dataclass
class Tally:
    """What the monitors saw: questions asked by topic, clauses at work, and disagreements in words."""

    asked: Counter[str] = field(default_factory=Counter)
    at_work: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: dict[str, str] = field(default_factory=dict)
    seen: set[tuple[str, tuple[object, ...], object, Rulings]] = field(default_factory=set)


def watch(game: FjordsGame, seed: int, policy: Picker, tally: Tally, rounds: int = 3) -> None:
    """Play so many rounds and ask at each decision and automatic step; the tally takes what comes out."""
    for count, step in enumerate(steps(game, seed, policy)):
        if step.before.round > rounds:
            break
        compare(game, step, f"seed {seed}, action {count}", tally)


def compare(game: FjordsGame, step: Step, where: str, tally: Tally) -> None:
    """Ask everything that one step shows; *where* is for the message of a disagreement."""
    for topic_id, situation, answer in situations(game, step):
        tally.asked[topic_id] += 1
        key = (topic_id, tuple(situation.values()), answer, game.rulings)
        if key in tally.seen:  # the clauses gave an answer to this very question before
            continue
        tally.seen.add(key)
        topic = topics()[topic_id]
        case = checked(topic, situation)
        tally.at_work.update((topic_id, clause) for clause in conditions_true(topic, case, game.rulings))
        said = answers(topic, case, game.rulings)
        if said != (answer,) or not is_valid(topic, case, game.rulings):
            left = "an assumption is broken" if said == (answer,) else f"the clauses leave {said}"
            words = f"{where} ({game.text(step.action)}), {game.rulings.text()}: {case}: {left}"
            tally.wrong.setdefault(topic_id, f"{words}, the model says {answer}")


def at_witnesses(game: FjordsGame, findings: Iterable[FindingRecord], tally: Tally) -> None:
    """Ask at each carried witness under every value of its ruling that allows the position and the action."""
    book = game.catalogue.book
    for finding in findings:
        if not finding.trace or not finding.ruling or finding.position is None:
            continue
        trace = read_trace(finding.trace, finding.id)
        for value in book[finding.ruling].values:
            varied = game.varied(rulings=book.choose({**dict(trace.rulings), finding.ruling: value}))
            position = varied.position(finding.position)
            action = varied.parse(trace.entries[-1].action)
            if varied.broken_invariants(position) or action not in varied.legal(position):
                continue
            step = Step(position, varied.actor(position), action, varied.apply(position, action))
            compare(varied, step, f"witness of {finding.id}", tally)


def varied_games(game: FjordsGame) -> Iterator[tuple[str, FjordsGame]]:
    """Yield the game under the default rulings, then each other value of each ruling, named by the ruling."""
    book = game.catalogue.book
    yield "", game.varied(rulings=book.choose())
    for ruling in book.rulings:
        for value in ruling.values[1:]:
            yield ruling.id, game.varied(rulings=book.choose({ruling.id: value}))


def run_monitors(
    game: FjordsGame, seeds: Iterable[int], rounds: int = 3, findings: Iterable[FindingRecord] = ()
) -> list[CheckRow]:
    """Return one row a topic; play under each value of each ruling is watched for each seed.

    The default rulings are watched over whole games, the others for so many *rounds*; and the carried
    witnesses of *findings*, under every value of their ruling.  A row passes if the clauses always
    left exactly the model's answer; it says which clauses of the topic never came to work.
    """
    tally = Tally()
    for seed in seeds:
        for ruling, each in varied_games(game):
            watch(each, seed, policy_for(ruling, seed), tally, rounds if ruling else 3)
        watch(game, seed, farmless, tally)  # three tied rounds: a shared victory
    at_witnesses(game, findings, tally)
    return [_row(game, topic_id, tally) for topic_id in topics()]


def _row(game: FjordsGame, topic_id: str, tally: Tally) -> CheckRow:
    topic = topics()[topic_id]
    idle = [clause.id for clause in topic.clauses if not tally.at_work[topic_id, clause.id]]
    said = tally.wrong.get(topic_id, f"never at work: {', '.join(idle)}" if idle else "")
    asked = tally.asked[topic_id]
    return CheckRow(
        game=game.id,
        id=f"monitor-{topic_id}",
        title=f"{topic.question}: the clauses leave what the model does",
        verdict="fail" if topic_id in tally.wrong or not asked else "pass",
        times=asked,
        said=said or ("" if asked else "never asked"),
    )
