"""Equality monitors: along play, what the clauses of each topic leave is what the model does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lawspeaker.model.core.play import Picker, Rare, sensible, steps, uniform
from lawspeaker.model.core.records import CheckRow
from lawspeaker.model.core.rulings import Rulings
from lawspeaker.model.fjords.game import FjordsGame
from lawspeaker.solver.monitors import answers, checked, conditions_true, is_valid

from .seen import situations
from .topics import topics


@dataclass
class Tally:
    """What the monitors saw: questions asked by topic, clauses at work, and disagreements in words."""

    asked: Counter[str] = field(default_factory=Counter)
    at_work: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: dict[str, str] = field(default_factory=dict)
    seen: set[tuple[str, tuple[object, ...], object, Rulings]] = field(default_factory=set)


def policy_of(number: int) -> Picker:
    """Return the policy for the n-th game: uniform, rare and sensible play take turns."""
    return (uniform, Rare(), sensible)[number % 3]


def watch(game: FjordsGame, seed: int, policy: Picker, tally: Tally, rounds: int = 3) -> None:
    """Play so many rounds and ask at each decision and automatic step; the tally takes what comes out."""
    known = topics()
    for count, step in enumerate(steps(game, seed, policy)):
        if step.before.round > rounds:
            break
        for topic_id, situation, answer in situations(game, step):
            tally.asked[topic_id] += 1
            key = (topic_id, tuple(situation.values()), answer, game.rulings)
            if key in tally.seen:  # the clauses gave an answer to this very question before
                continue
            tally.seen.add(key)
            topic = known[topic_id]
            case = checked(topic, situation)
            tally.at_work.update((topic_id, clause) for clause in conditions_true(topic, case, game.rulings))
            said = answers(topic, case, game.rulings)
            if said != (answer,) or not is_valid(topic, case, game.rulings):
                where = f"seed {seed}, action {count} ({game.text(step.action)}), {game.rulings.text()}"
                left = "an assumption is broken" if said == (answer,) else f"the clauses leave {said}"
                tally.wrong.setdefault(topic_id, f"{where}: {case}: {left}, the model says {answer}")


def varied_games(game: FjordsGame) -> Iterator[FjordsGame]:
    """Yield the game under the default rulings and under each other value of each ruling."""
    for rulings in game.catalogue.book.singles():
        yield game.varied(rulings=rulings)


def run_monitors(game: FjordsGame, seeds: Iterable[int], rounds: int = 3) -> list[CheckRow]:
    """Return one row a topic; play under each value of each ruling is watched for each seed.

    The default rulings are watched over whole games, the others for so many *rounds*.

    A row passes if the clauses always left exactly the model's answer; it says which clauses of the
    topic never came to work.
    """
    tally = Tally()
    for seed in seeds:
        for number, each in enumerate(varied_games(game)):
            watch(each, seed, policy_of(number + seed), tally, rounds if number else 3)
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
