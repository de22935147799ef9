"""Worked examples of topics, run against the ruled clauses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.formulas import Value
from lawspeaker.model.core.records import ChoiceOutcome, ScenarioResult, Verdict

from .monitors import answers, conditions_true, is_valid
from .questions import ENUMERABLE
from .topics import Example, Topic, answer_words


def run_example(example: Example, topic: Topic | None = None) -> ScenarioResult:
    """Run an example under every choice of rulings; what it does not give may be anything valid.

    *topic* is another version of the example's topic (an erratum).  An example in which nothing
    could be checked fails.
    """
    asked = topic or example.topic
    outcomes = tuple(_outcome(example, asked, choice) for choice in asked.choices)
    ran = [outcome for outcome in outcomes if outcome.verdict != "not applicable"]
    verdict: Verdict = "pass" if ran and all(outcome.verdict == "pass" for outcome in ran) else "fail"
    return ScenarioResult(
        game=asked.game,
        id=example.id,
        title=example.title or asked.question,
        clauses=_clauses(example, asked),
        verdict=verdict,
        outcomes=outcomes,
        worked_example=True,
    )


def completions(example: Example, topic: Topic) -> Iterator[dict[str, Value]]:
    """Yield every situation that agrees with what the example gives.

    Raises BadInput if these are too many to look at.
    """
    domains = [(example.given[n],) if n in example.given else topic.domain(n) for n in topic.situation]
    count = 1
    for domain in domains:
        count *= len(domain)
    if count > ENUMERABLE:
        raise BadInput(f"leaves {count} situations open", where=f"example {example.id}", hint="give more variables")
    for values in product(*domains):
        yield dict(zip(topic.situation, values, strict=True))


def _outcome(example: Example, topic: Topic, choice: Mapping[str, str]) -> ChoiceOutcome:
    words = " ".join(f"{name}={value}" for name, value in choice.items())
    wanted = next((want for some, want in example.expected if some.items() <= choice.items()), None)
    if wanted is None:
        return ChoiceOutcome(words, "not applicable", "nothing is expected under this choice")
    looked = 0
    for situation in completions(example, topic):
        if not is_valid(topic, situation, choice):
            continue
        looked += 1
        found = answers(topic, situation, choice)
        if found != (wanted,):
            said = f"expected {answer_words(topic, (wanted,))}; the clauses say: {answer_words(topic, found)}"
            return ChoiceOutcome(words, "fail", said)
    if not looked:
        return ChoiceOutcome(words, "not applicable", "no valid situation agrees with what is given")
    return ChoiceOutcome(words, "pass", answer_words(topic, (wanted,)))


def _clauses(example: Example, topic: Topic) -> tuple[str, ...]:
    """The clauses at work in the example's first valid situation, under the default rulings."""
    choice = topic.choices[0]
    for situation in completions(example, topic):
        if is_valid(topic, situation, choice):
            return conditions_true(topic, situation, choice)
    return ()
