"""Claims about the topics themselves: readings that make no difference, or only together with another."""

from __future__ import annotations

from lawspeaker.model.core.formulas import And, Compare, Const, Iff, Node, Not, Ruling, disjunction, substitute
from lawspeaker.solver.analysis import analyse
from lawspeaker.solver.asking import Claim, Outcome, require
from lawspeaker.solver.questions import Asker
from lawspeaker.solver.systems import system, valid
from lawspeaker.solver.topics import Topic

from .topics import idle_topics, topics


def differ(topic: Topic, ruling: str, one: str, two: str) -> Node:
    """Say that a situation is valid under both values of a ruling and they leave different answers."""
    law = system(topic, "ruled")
    sides = [[substitute(law.holds(answer), {ruling: value}) for answer in topic.answers] for value in (one, two)]
    both = [substitute(valid(topic), {ruling: value}) for value in (one, two)]
    return And((*both, disjunction([Not(Iff(a, b)) for a, b in zip(*sides, strict=True)])))


def _is(ruling: str, value: str) -> Node:
    return Compare("==", Ruling(ruling), Const(value))


def _bounds(topic: Topic) -> str:
    return f"every situation of topic {topic.id} ({topic.size} before assumptions)"


def _place() -> Outcome:
    topic = idle_topics()["place"]
    report = analyse(topic, cross_check=True)
    proofs = [f for f in report.findings if f.kind == "proven" and f.ruling == "R_PLACE"]
    require(len(proofs) == 1, "the values of R_PLACE differ somewhere")
    said = "a place taken as a cell or as a cell with a turn leaves the same placements, so it is no ruling"
    return Outcome("proven", said, _bounds(topic), "enumeration of all situations agrees", cases=report.row.situations)


def _hole() -> Outcome:
    topic = topics()["placement"]
    asker = Asker(topic, cross_check=True)
    parts = differ(topic, "R_HOLE", "nothing", "sea")
    for value in ("component", "tile"):
        require(asker.never(And((_is("R_LAND", value), parts))), f"R_HOLE matters under {value}")
    witness = asker.least(And((_is("R_LAND", "closed"), parts)), everywhere=True)
    require(witness is not None, "R_HOLE never matters")
    shown = {name: value for name, value in (witness or {}).items() if name in topic.situation}
    said = "whether a hole counts as sea matters under R_LAND=closed only"
    return Outcome("proven", said, _bounds(topic), "enumeration of all situations agrees", shown, cases=topic.size)


def _area() -> Outcome:
    topic = topics()["adjacency"]
    asker = Asker(topic, cross_check=True)
    literal = system(topic, "excepted")
    never = asker.never(And((_is("R_SEGMENT", "area"), literal.holds(True))))
    sometimes = asker.least(And((_is("R_SEGMENT", "per_tile"), literal.holds(True))))
    require(never and sometimes is not None, "two areas are adjacent, or no two segments are")
    said = "taken literally, no two areas are ever adjacent, so no field could be placed; two segments of tiles can be"
    return Outcome("proven", said, _bounds(topic), "enumeration of all situations agrees", cases=topic.size)


CLAIMS = (
    Claim("place-is-no-ruling", "does it matter whether a place is a cell or a cell with a turn",
          ("FD-TILE-07", "FD-TILE-08"), _place, "R_PLACE"),
    Claim("hole-only-when-closed", "when does it matter whether a hole counts as sea",
          ("FD-TILE-03", "FD-TILE-05", "FD-TILE-09"), _hole, "R_HOLE"),
    Claim("areas-never-meet", "can whole areas be adjacent as the text has it", ("FD-FIELD-03", "FD-FIELD-04"), _area,
          "R_SEGMENT"),
)  # fmt: skip
