import pytest

from lawspeaker.model.core.games import room
from lawspeaker.scenarios.loader import load_cases
from lawspeaker.scenarios.runner import decisive, run, told_apart

CASES = load_cases("fjords")


@pytest.fixture(scope="module")
def decided():
    return decisive("fjords", CASES)


def test_each_normative_clause_or_its_group_is_decisive_in_some_case(decided):
    assert set(decided) == {clause.id for clause in room("fjords").catalogue.normative()}
    assert [clause for clause, case in decided.items() if not case] == []


def test_the_deciding_case_is_one_that_cites_the_clause(decided):
    by_id = {case.id: case for case in CASES}
    catalogue = room("fjords").catalogue
    strangers = {
        clause: case for clause, case in decided.items() if not catalogue.group(clause) & set(by_id[case].data.clauses)
    }
    assert strangers == {}


def test_a_clause_that_no_case_exercises_is_named_as_undecided():
    few = tuple(case for case in CASES if case.id == "fjords.example.1")
    found = decisive("fjords", few)
    assert found["FD-LAND-05"] == "fjords.example.1"
    assert found["FD-END-04"] == ""


def test_any_two_values_of_each_ruling_are_told_apart_by_some_case():
    assert [pair for pair, case in told_apart("fjords", CASES).items() if not case] == []


def test_values_are_not_told_apart_by_cases_that_say_nothing_of_them():
    few = tuple(case for case in CASES if case.id == "fjords.scores.5")
    assert set(told_apart("fjords", few).values()) == {""}


def test_the_two_cases_of_the_book_are_marked_and_come_out():
    worked = [run(case) for case in CASES if case.data.worked_example]
    assert [name for r in worked for name in ("FD-EX-01", "FD-EX-02") if name in r.title] == ["FD-EX-01", "FD-EX-02"]
    assert {r.verdict for r in worked} == {"pass"}
