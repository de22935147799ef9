"""Cases about a box of which no game can be built under some ruling."""

import msgspec

from lawspeaker.model.core.games import make_game
from lawspeaker.scenarios.loader import load_cases
from lawspeaker.scenarios.runner import as_cases, run, told_apart


def with_ridge(data, said):
    """A case of a box that has its start tiles in one arrangement only."""
    ridge = next(case.pack for case in load_cases("fjords") if case.pack.id == "ridge")
    given = {"pack": msgspec.to_builtins(ridge), "position": {"drawn": "Y"}}
    return data | {"given": given, "then": {"actor": "A"}, "per choice": {"R_START=line": {"unbuildable": said}}}


def test_a_refusal_with_the_expected_words_passes(data, read):
    result = run(read(with_ridge(data, "no arrangement 'line'"))[0])
    assert [(o.rulings, o.verdict) for o in result.outcomes] == [("", "pass"), ("R_START=line", "pass")]


def test_a_refusal_for_another_reason_fails_and_says_why(data, read):
    result = run(read(with_ridge(data, "no arrangement 'bent'"))[0])
    assert result.verdict == "fail"
    assert "no arrangement 'line'" in result.outcomes[1].said


def test_a_box_that_is_not_refused_fails(data, read):
    data["then"] = {"unbuildable": "no arrangement"}
    result = run(read(data)[0])
    assert (result.verdict, result.outcomes[0].said) == ("fail", "can be built, not refused with 'no arrangement'")


def test_the_law_has_no_say_in_what_can_be_built(data, read):
    game = make_game("fjords")
    (case,) = read(with_ridge(data, "no arrangement 'line'"))
    assert run(case, game.varied(law=game.law.without(["FD-OPEN-04"]))).verdict == "pass"


def test_values_of_which_one_refuses_the_box_are_told_apart_both_ways(data, read):
    found = told_apart("fjords", read(with_ridge(data, "no arrangement 'line'")))
    assert found["R_START=line not triangle"] == found["R_START=triangle not line"] == "fjords.test.1"
    assert {case for pair, case in found.items() if not pair.startswith("R_START")} == {""}


def test_such_choices_are_not_sent_to_programs():
    cases = {case.id: case for case in load_cases("northmen")}
    refused = {
        f"{case.id} {choice.words}".strip()
        for case in cases.values()
        for choice in case.choices
        if choice.expect.unbuildable is not None
    }
    assert "northmen.rulings.1" in refused
    assert not refused & {case["id"] for case in as_cases("northmen")}
