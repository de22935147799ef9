"""Equality monitors: along play, what the clauses of each topic leave is what the model does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.formulas import Value
from lawspeaker.model.core.play import Picker, Step, steps
from lawspeaker.model.core.records import CheckRow, FindingRecord
from lawspeaker.model.core.traces import game_for, read_trace

from .frame import GameQuestions, default_pack
from .monitors import answers, checked, conditions_true, is_valid

WHOLE = 1_000
"""More rounds than any game has."""


@dataclass
class Tally:
    """What the monitors saw: questions asked by topic, clauses at work, and disagreements in words."""

    asked: Counter[str] = field(default_factory=Counter)
    at_work: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: dict[str, str] = field(default_factory=dict)
    seen: set[tuple[object, ...]] = field(default_factory=set)


def watch(
    questions: GameQuestions, game: AnyGame, seed: int, policy: Picker, tally: Tally, rounds: int = WHOLE
) -> None:
    """Play so many rounds and ask at each decision and automatic step; the tally takes what comes out."""
    for count, step in enumerate(steps(game, seed, policy)):
        if step.before.round > rounds:
            break
        compare(questions, game, step, f"seed {seed}, action {count}", tally)


def compare(questions: GameQuestions, game: AnyGame, step: Step, where: str, tally: Tally) -> None:
    """Ask everything that one step shows; *where* is for the message of a disagreement."""
    topics = questions.topics()
    for topic_id, situation, answer in questions.situations(game, step):
        tally.asked[topic_id] += 1
        topic = topics[topic_id]
        chosen = [game.rulings[name] for name in topic.ruling_names]
        key = (topic_id, *situation.values(), answer, *chosen)
        if key in tally.seen:  # the clauses gave an answer to this very question before
            continue
        tally.seen.add(key)
        case: Mapping[str, Value] = checked(topic, situation)
        tally.at_work.update((topic_id, clause) for clause in conditions_true(topic, case, game.rulings))
        said = answers(topic, case, game.rulings)
        if said != (answer,) or not is_valid(topic, case, game.rulings):
            left = "an assumption is broken" if said == (answer,) else f"the clauses leave {said}"
            words = f"{where} ({game.text(step.action)}), {game.rulings.text()}: {case}: {left}"
            tally.wrong.setdefault(topic_id, f"{words}, the model says {answer}")


def at_witnesses(questions: GameQuestions, findings: Iterable[FindingRecord], tally: Tally) -> None:
    """Ask at each carried witness under every value of its ruling that allows the position and the action."""
    asked = set()
    for finding in findings:
        if not finding.trace or not finding.ruling or finding.position is None:
            continue
        trace = read_trace(finding.trace, finding.id)
        if (trace.rulings, trace.entries, finding.ruling) in asked:
            continue  # the same game shows another finding of this ruling
        asked.add((trace.rulings, trace.entries, finding.ruling))
        game = game_for(trace, default_pack(questions.game))
        for value in game.catalogue.book[finding.ruling].values:
            chosen = game.catalogue.book.choose({**dict(trace.rulings), finding.ruling: value})
            varied = game.varied(rulings=chosen)
            position = varied.position(finding.position)
            action = varied.parse(trace.entries[-1].action)
            if varied.broken_invariants(position) or action not in varied.legal(position):
                continue
            step = Step(position, varied.actor(position), action, varied.apply(position, action))
            compare(questions, varied, step, f"witness of {finding.id}", tally)


def varied_games(questions: GameQuestions, game: AnyGame) -> Iterator[tuple[str, AnyGame]]:
    """Yield the game under the default rulings, then each other value of each ruling, named by the ruling.

    The numbers of players that the questions name take turns, beginning with the game's own.
    """
    book = game.catalogue.book
    first = questions.players.index(len(game.seats))
    order = (*questions.players[first:], *questions.players[:first])
    tables = [game if n == len(game.seats) else questions.make(players=n) for n in order]
    yield "", game.varied(rulings=book.choose())
    choices = [(ruling.id, value) for ruling in book.rulings for value in ruling.values[1:]]
    for number, (ruling, value) in enumerate(choices):
        yield ruling, tables[number % len(tables)].varied(rulings=book.choose({ruling: value}))


def run_monitors(
    questions: GameQuestions,
    game: AnyGame,
    seeds: Iterable[int],
    rounds: int = WHOLE,
    findings: Iterable[FindingRecord] = (),
) -> list[CheckRow]:
    """Return one row a topic; play under each value of each ruling is watched for each seed.

    The default rulings and the games that the questions name besides are watched over whole games, the
    others for so many *rounds*; and the carried witnesses of *findings*, under every value of their
    ruling.  A row passes if the clauses always left exactly the model's answer; it says which clauses of
    the topic never came to work.
    """
    tally = Tally()
    for seed in seeds:
        for ruling, each in varied_games(questions, game):
            watch(questions, each, seed, questions.policy_for(ruling, seed), tally, rounds if ruling else WHOLE)
        for other, policy in questions.besides(game):
            watch(questions, other, seed, policy, tally)
    at_witnesses(questions, findings, tally)
    return [
        _row(questions, topic_id, tally) for topic_id in questions.topics() if topic_id not in questions.out_of_play
    ]


def _row(questions: GameQuestions, topic_id: str, tally: Tally) -> CheckRow:
    topic = questions.topics()[topic_id]
    idle = [clause.id for clause in topic.clauses if not tally.at_work[topic_id, clause.id]]
    said = tally.wrong.get(topic_id, f"never at work: {', '.join(idle)}" if idle else "")
    asked = tally.asked[topic_id]
    return CheckRow(
        game=questions.game,
        id=f"monitor-{topic_id}",
        title=f"{topic.question}: the clauses leave what the model does",
        verdict="fail" if topic_id in tally.wrong or not asked else "pass",
        times=asked,
        said=said or ("" if asked else "never asked"),
    )
