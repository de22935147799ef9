import re

import pytest

from lawspeaker.model.core.games import room
from lawspeaker.scenarios.loader import load_cases
from lawspeaker.scenarios.runner import as_cases, decisive, run, told_apart

CASES = load_cases("northmen")


@pytest.fixture(scope="module")
def decided():
    return decisive("northmen", CASES)


def test_each_normative_clause_or_its_group_is_decisive_in_some_case(decided):
    assert set(decided) == {clause.id for clause in room("northmen").catalogue.normative()}
    assert [clause for clause, case in decided.items() if not case] == []


def test_the_deciding_case_is_one_that_cites_the_clause_or_a_restatement_of_it(decided):
    by_id = {case.id: case for case in CASES}
    catalogue = room("northmen").catalogue
    strangers = {
        clause: case for clause, case in decided.items() if not catalogue.group(clause) & set(by_id[case].data.clauses)
    }
    assert strangers == {}


def test_each_rule_is_cited_by_some_case():
    cited = {clause for case in CASES for clause in case.data.clauses}
    catalogue = room("northmen").catalogue
    assert [c.id for c in catalogue.normative() if not catalogue.group(c.id) & cited] == []


def test_any_two_values_of_each_ruling_are_told_apart_by_some_case():
    found = told_apart("northmen", CASES)
    assert len(found) == 58
    assert [pair for pair, case in found.items() if not case] == []


def test_a_demand_on_packs_is_told_apart_by_a_box_that_is_refused_under_one_value_alone():
    few = tuple(case for case in CASES if case.id in ("northmen.rulings.1", "northmen.rulings.2"))
    found = told_apart("northmen", few)
    assert found["R_NO_CARD=reject not end"] == found["R_NO_CARD=end not reject"] == "northmen.rulings.1"
    assert found["R_STUCK=map_constraint not to_infamy"] == found["R_STUCK=to_reserve not map_constraint"]
    assert found["R_CLOCK=from_leader not to_leader"] == ""


def test_the_five_examples_and_nine_numbers_of_the_book_are_told():
    worked = [run(case) for case in CASES if case.data.worked_example]
    assert [re.findall("SN-EX-0[0-9]", result.title) for result in worked] == [[f"SN-EX-0{n}"] for n in range(1, 6)]
    assert {result.verdict for result in worked} == {"pass"}
    told = {number for case in CASES for number in re.findall("SN-NI-0[0-9]", case.data.title)}
    assert sorted(told) == [f"SN-NI-0{n}" for n in range(1, 10)]


def test_two_three_and_four_players_are_at_the_table():
    tables = {case.data.given.players for case in CASES}
    assert tables == {2, 3, 4}


def test_cases_about_boxes_alone_are_not_sent_to_programs():
    sent = {case["id"] for case in as_cases("northmen")}
    assert "northmen.rulings.1" not in sent
    assert {"northmen.rulings.1 R_NO_CARD=end", "northmen.example.3 R_BULGARIA=kingdom"} <= sent
