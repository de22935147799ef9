"""The catalogue of Northmen: which clauses there are, how they hang together, and what their words need."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from string import Formatter

import pytest

import lawspeaker.model as model
from lawspeaker.model.core.clauses import Clause, load_catalogue
from lawspeaker.model.core.rulings import Ruling

CATALOGUE = load_catalogue(Path(model.__path__[0]) / "northmen" / "clauses.yaml")

FAMILIES = {
    "CONTENTS": 9, "MAP": 6, "CHART": 4, "CARD": 6, "INFAMY": 2, "ROUTE": 4, "CUBE": 3, "HERO": 2, "TIME": 3,
    "PLUNDER": 3, "LEADER": 2, "SETUP": 14, "ROUND": 3, "RALLY": 20, "MARCH": 3, "CTRL": 9, "MOVE": 15, "DELAY": 5,
    "BATTLE": 9, "COLLECT": 3, "TRADE": 5, "CLEAN": 2, "PLAN": 7, "RESET": 7, "END": 3, "SCORE": 3,
}  # fmt: skip
OURS = ("CHANCE", "ORDER", "LEFTOVER", "SKIP", "STUCK", "SEATS")

VALUES = {
    "R_BULGARIA": "neutral kingdom",
    "R_CONTROL_SPAN": "frozen present present_tie",
    "R_NO_CARD": "reject end",
    "R_DECK_EMPTY": "shrink end",
    "R_EMPTY_KINGDOM": "none leader",
    "R_COLLECT": "cubes pieces",
    "R_ROUTE_PIECE": "cubes pieces",
    "R_MUST_MOVE": "must may",
    "R_HERO_STAY": "must may",
    "R_DISCARD": "always only_if_hold",
    "R_PARTIAL": "partial all_or_nothing",
    "R_HERO_ZERO": "needs_cube card_kingdom",
    "R_CLOCK": "from_leader to_leader",
    "R_R3_PLAN": "played skipped",
    "R_BONUS_ZERO": "pay nothing",
    "R_ROUTE_BATCH": "sequential batch",
    "R_ROUTE_SHORT": "refuse take_one",
    "R_ROUTE_ORIGIN": "any from_kingdom",
    "R_STUCK": "map_constraint to_reserve to_infamy",
    "R_MARK": "suppress enable",
    "R_LANDLOCK": "exhaustive examples",
    "R_COVERED": "mask history",
    "R_RALLY_END": "immediate finish_turn",
    "R_FIFTEEN": "group board",
    "R_FINAL_TIE": "shared leader",
}

GROUPS = (
    "CHART-02 MOVE-01 MOVE-14 MOVE-15",
    "CARD-03 CUBE-01 RALLY-06",
    "CARD-06 PLUNDER-01 RALLY-11",
    "CUBE-03 INFAMY-01",
    "ROUTE-02 SCORE-01",
    "ROUTE-03 TRADE-01",
    "ROUTE-04 TRADE-03",
    "HERO-01 RALLY-09",
    "TIME-01 MOVE-03",
    "TIME-02 MOVE-04",
    "TIME-03 MOVE-05",
    "PLUNDER-02 RALLY-13 RALLY-20",
    "PLUNDER-03 COLLECT-02",
    "LEADER-01 RALLY-01 RALLY-19",
    "SETUP-08 SETUP-09",
    "ROUND-01 END-01",
    "ROUND-02 ROUND-03 RESET-07",
    "RALLY-04 RALLY-05",
    "MOVE-09 MOVE-10",
    "DELAY-03 DELAY-04",
)
"""Clauses that say the same thing; all others stand alone."""

STEP = {"seat", "round", "leader"}
STEPS = {
    "play": {"card", "kingdom", "value", "placed", "reserve", "infamy", "region", "group"},
    "hire": {"card", "kingdom", "infamy", "heroes", "region", "group"},
    "march": {"kingdom", "region", "cubes", "heroes_sent", "armies_on_cards", "fleets_on_cards"},
    "delay": {"kingdom", "infamy"},
    "route": {"route", "kingdom", "region", "infamy"},
    "hold": {"card", "infamy", "held"},
    "settled": {"controls", "battles", "collected", "leader_next"},
    "end": {"scores", "infamies", "bonuses"},
}
"""Facts of an effect by kind of step; a template draws on one kind only, so that its facts are there."""
ATTEMPT = {
    "by", "turn", "action", "phase", "card", "infamy", "price", "region", "kingdom", "cubes", "heroes", "soldiers",
    "ships", "route", "deck", "row",
}  # fmt: skip
"""Facts of a breach; hands are not among them, since anybody may read it."""

ALL = tuple(CATALOGUE)
BOOK = tuple(clause for clause in ALL if not clause.id.startswith("SN-OURS-"))


def family(clause_id: str) -> str:
    """The part of the book an id belongs to."""
    return clause_id.split("-")[1]


def facts_of(template: str) -> set[str]:
    """The names of the facts a template needs; it uses plain names only."""
    named = [(name, spec, how) for _, name, spec, how in Formatter().parse(template) if name is not None]
    assert all(re.fullmatch("[a-z_]+", name) and not spec and not how for name, spec, how in named), template
    return {name for name, _, _ in named}


def test_the_header_names_the_game() -> None:
    assert (CATALOGUE.game, CATALOGUE.title, CATALOGUE.version) == ("northmen", "Saga of the Northmen", 1)


def test_the_book_has_152_clauses_in_26_families_each_counted_through() -> None:
    expected = [f"SN-{name}-{n:02}" for name, count in FAMILIES.items() for n in range(1, count + 1)]
    assert len(expected) == 152
    assert Counter(clause.id for clause in BOOK) == Counter(expected)
    for name, count in FAMILIES.items():
        assert [c.id for c in BOOK if family(c.id) == name] == [f"SN-{name}-{n:02}" for n in range(1, count + 1)]


def test_own_clauses_come_last_and_are_marked_as_ours() -> None:
    assert [clause.id for clause in ALL[len(BOOK) :]] == [f"SN-OURS-{name}" for name in OURS]
    assert {c.id for c in ALL if c.kind == "ours"} == {f"SN-OURS-{name}" for name in OURS}


def test_kinds_are_as_the_book_uses_its_statements() -> None:
    assert Counter(clause.kind for clause in BOOK) == {"rule": 121, "component": 19, "definition": 11, "advice": 1}
    assert [clause.id for clause in BOOK if clause.kind == "advice"] == ["SN-MARCH-02"]
    assert {c.kind for c in BOOK if family(c.id) == "CONTENTS"} == {"component"}


@pytest.mark.parametrize("clause", ALL, ids=lambda clause: clause.id)
def test_only_what_play_cannot_show_has_a_reason_to_stay_unchecked(clause: Clause) -> None:
    assert bool(clause.unchecked) == (clause.kind in ("component", "advice", "ours"))
    assert clause.text.endswith(".") and clause.heading


def test_reasons_refer_to_clauses_and_rulings_that_exist() -> None:
    known = {clause.id for clause in ALL} | set(VALUES)
    texts = [c.unchecked for c in ALL] + [r.reason for r in CATALOGUE.rulings]
    texts += [choice.means for r in CATALOGUE.rulings for choice in r.choices]
    named = {word for text in texts for word in re.findall(r"\bSN-[A-Z]+-\d\d|\bR_[A-Z0-9_]*[A-Z0-9]", text)}
    assert "SN-SETUP-02" in named and "R_CLOCK" in named
    assert named <= known


def test_restatements_link_exactly_what_says_the_same() -> None:
    groups = {CATALOGUE.group(clause.id) for clause in ALL}
    linked = {group for group in groups if len(group) > 1}
    assert linked == {frozenset(f"SN-{name}" for name in group.split()) for group in GROUPS}


def test_no_group_mixes_kinds_or_control_with_battle() -> None:
    for clause in ALL:
        group = CATALOGUE.group(clause.id)
        assert len({CATALOGUE[other].kind for other in group}) == 1, sorted(group)
        assert not {"CTRL", "BATTLE"} <= {family(other) for other in group}, sorted(group)


def test_the_rulings_have_the_values_that_the_model_reads_default_first() -> None:
    assert {r.id: " ".join(r.values) for r in CATALOGUE.rulings} == VALUES
    assert [r.id for r in CATALOGUE.rulings] == list(VALUES)
    assert CATALOGUE.book.choose()["R_CONTROL_SPAN"] == "frozen"


@pytest.mark.parametrize("ruling", CATALOGUE.rulings, ids=lambda ruling: ruling.id)
def test_a_ruling_is_a_question_about_clauses_with_reasons(ruling: Ruling) -> None:
    assert ruling.kind in ("gap", "ambiguity", "contradiction")
    assert ruling.question.endswith("?") and ruling.reason.endswith(".")
    assert ruling.clauses and len(set(ruling.clauses)) == len(ruling.clauses)
    assert all(clause in CATALOGUE for clause in ruling.clauses)
    assert any(CATALOGUE[clause].kind == "rule" for clause in ruling.clauses)
    means = [choice.means for choice in ruling.choices]
    assert all(means) and len(set(means)) == len(means)
    numbers = [int(name.removeprefix("I")) for name in ruling.changes_invariants]
    assert numbers == sorted(set(numbers)) and all(1 <= n <= 34 for n in numbers)
    assert list(ruling.changes_invariants) == [f"I{n:02}" for n in numbers]


def test_a_contradiction_is_between_two_clauses_at_least() -> None:
    assert all(len(r.clauses) > 1 for r in CATALOGUE.rulings if r.kind == "contradiction")


def test_every_rule_says_how_it_is_at_work() -> None:
    assert not [clause.id for clause in ALL if clause.kind == "rule" and not clause.effect]


@pytest.mark.parametrize("clause", [c for c in ALL if c.effect], ids=lambda clause: clause.id)
def test_an_effect_uses_facts_of_one_kind_of_step(clause: Clause) -> None:
    needed = facts_of(clause.effect) - STEP
    assert any(needed <= offered for offered in STEPS.values()), needed


@pytest.mark.parametrize("clause", [c for c in ALL if c.breach], ids=lambda clause: clause.id)
def test_a_breach_says_what_was_wrong_with_facts_of_the_attempt(clause: Clause) -> None:
    assert clause.kind in ("rule", "ours")
    assert facts_of(clause.breach) and facts_of(clause.breach) <= ATTEMPT
