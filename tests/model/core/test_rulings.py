import pytest

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.rulings import Choice, Ruling, RulingBook, Rulings


def ruling(name: str, *values: str) -> Ruling:
    return Ruling(name, "?", "gap", (), tuple(Choice(v, v) for v in values), "")


BOOK = RulingBook((ruling("R_A", "one", "two", "three"), ruling("R_B", "yes", "no"), ruling("R_C", "x", "y")))


def test_what_nobody_chose_has_its_default() -> None:
    assert dict(BOOK.choose({"R_B": "no"})) == {"R_A": "one", "R_B": "no", "R_C": "x"}


def test_text_reads_back() -> None:
    chosen = BOOK.choose({"R_A": "three", "R_C": "y"})
    assert BOOK.parse(chosen.text().split()) == chosen


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["R_Z=x"], "unknown ruling 'R_Z'; known are R_A, R_B, R_C"),
        (["R_A=four"], "unknown value 'four' of R_A; its values are one, two, three"),
        (["R_A"], "'R_A' is no ruling; write R_NAME=value"),
    ],
)
def test_a_wrong_choice_is_answered_with_the_right_ones(words: list[str], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        BOOK.parse(words)


def test_singles_are_the_default_and_each_other_value_alone() -> None:
    changed = [{k: v for k, v in r.items() if v != BOOK[k].default} for r in BOOK.singles()]
    assert changed == [{}, {"R_A": "two"}, {"R_A": "three"}, {"R_B": "no"}, {"R_C": "y"}]


def test_pairs_are_each_pair_of_values_of_two_rulings_once() -> None:
    found = [tuple(sorted((k, v) for k, v in r.items() if v != BOOK[k].default)) for r in BOOK.pairs()]
    assert len(found) == len(set(found)) == 2 + 2 + 1
    assert all(len(pair) == 2 for pair in found)


def test_a_choice_cannot_be_changed_and_equal_ones_are_one_key() -> None:
    chosen = BOOK.choose()
    with pytest.raises(TypeError):
        chosen["R_A"] = "two"  # type: ignore[index]
    source = {"R_A": "one"}
    copy = Rulings(source)
    source["R_A"] = "two"
    assert copy["R_A"] == "one"
    assert {chosen: 1}[BOOK.choose()] == 1


def test_two_values_of_one_ruling_are_refused() -> None:
    with pytest.raises(BadInput, match="R_A is chosen twice"):
        BOOK.parse([f"{BOOK.rulings[0].id}={value}" for value in BOOK.rulings[0].values[:2]])
