import types

import pytest

from lawspeaker.model.core.law import Law, law_of, rule


@rule("T-1", without=True)
def may_move(distance: int) -> bool:
    """A piece moves one step."""
    return distance == 1


@rule("T-2", "T-3", each={"T-2": lambda points: points, "T-3": 0})
def score(points: int) -> int:
    """Points count twice (T-2), and count at all (T-3)."""
    return 2 * points


def a_law() -> Law:
    return law_of(types.SimpleNamespace(may_move=may_move, score=score, helper=len))


def test_a_law_holds_the_labelled_functions_and_says_what_they_state() -> None:
    law = a_law()
    assert law.stated() == {"T-1", "T-2", "T-3"}
    assert law.may_move(1) and not law.may_move(2)
    with pytest.raises(AttributeError, match="helper"):
        law.helper  # noqa: B018


def test_without_a_clause_its_replacement_applies_and_the_law_itself_stays() -> None:
    law = a_law()
    assert law.without(["T-1"]).may_move(5) is True
    assert law.without(["T-2"]).score(3) == 3
    assert law.without(["T-3"]).score(3) == 0
    assert law.without(["T-1", "T-2"]).score(3) == 3
    assert not law.may_move(5) and law.score(3) == 6


def test_replacements_add_up() -> None:
    law = a_law().replace(score=lambda points: -points).without(["T-1"])
    assert law.score(2) == -2 and law.may_move(9)


def test_unknown_names_are_refused_and_nothing_can_be_assigned() -> None:
    law = a_law()
    with pytest.raises(KeyError):
        law.without(["T-9"])
    with pytest.raises(KeyError):
        law.replace(nothing=len)
    with pytest.raises(AttributeError, match="immutable"):
        law.score = len  # type: ignore[assignment]
