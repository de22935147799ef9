"""Proposed wordings for Fjords: each is put in the place of a clause, and the analysis is done again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from lawspeaker.model.core.formula_parse import parse
from lawspeaker.model.core.formulas import BOOL
from lawspeaker.solver.asking import Claim, Outcome, require
from lawspeaker.solver.errata import erratum

from .topics import topics


@dataclass(frozen=True)
class Wording:
    """A clause in other words: the topic, the clause, the words, and its condition as a formula."""

    topic: str
    clause: str
    words: str
    condition: str


WORDINGS = (
    Wording("last_open", "FD-OPEN-04", "After drawing he may turn to an open tile while the pile lasts.", "false"),
    Wording("aside", "FD-TILE-12", "Who sees a place that the drawer overlooks must say so.", "false"),
)  # fmt: skip


def _ask(wording: Wording) -> Callable[[], Outcome]:
    def ask() -> Outcome:
        topic = topics()[wording.topic]
        old = topic.clause(wording.clause)
        node = parse(wording.condition, topic.scope, BOOL, f"wording of {wording.clause}")
        result = erratum(topic, replace(old, condition=node, text=wording.words))
        require(result.proved, f"{wording.clause}: gone {result.gone}, new {result.new}")
        return Outcome(
            "proven", f"“{wording.words}” leaves nothing of {', '.join(result.gone)}",
            f"every situation of topic {topic.id} ({topic.size} before assumptions)",
            "the topic was analysed again and shows nothing new", cases=topic.size,
        )  # fmt: skip

    return ask


CLAIMS = tuple(
    Claim(
        f"wording-{wording.clause.lower()}",
        f"would other words for {wording.clause} settle what comes of it in topic {wording.topic}",
        (wording.clause,),
        _ask(wording),
    )
    for wording in WORDINGS
)
