import pytest

from lawspeaker.scenarios.loader import load_cases
from lawspeaker.scenarios.runner import run

CASES = load_cases("northmen")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_case_comes_out_as_expected_under_each_of_its_choices(case):
    result = run(case)
    wrong = [f"{o.rulings or 'as given'}: {o.said}" for o in result.outcomes if o.verdict != "pass"]
    assert result.verdict == ("expected failure" if case.data.finding else "pass"), wrong
