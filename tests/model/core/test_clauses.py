from pathlib import Path

import pytest

from lawspeaker.model.core.clauses import Catalogue, Clause, load_catalogue
from lawspeaker.model.core.errors import BadInput

HEAD = "format: lawspeaker-clauses/1\ngame: toy\ntitle: Toy\nversion: 1\n"


def clause(name: str, *restates: str, kind: str = "rule") -> Clause:
    return Clause(name, "H", kind, "text", restates)  # type: ignore[arg-type]


def catalogue(*clauses: Clause) -> Catalogue:
    return Catalogue("lawspeaker-clauses/1", "toy", "Toy", 1, clauses)


def test_a_group_holds_everything_linked_by_restating_in_either_direction() -> None:
    book = catalogue(clause("A"), clause("B", "A"), clause("C", "B"), clause("D", "A"), clause("E"))
    for name in "ABCD":
        assert book.group(name) == {"A", "B", "C", "D"}
    assert book.group("E") == {"E"}


def test_only_rules_are_normative() -> None:
    book = catalogue(clause("A"), clause("B", kind="advice"), clause("C", kind="definition"))
    assert [c.id for c in book.normative()] == ["A"]


def test_clauses_are_found_by_id() -> None:
    book = catalogue(clause("A"), clause("B"))
    assert book["B"].id == "B" and "A" in book and "Z" not in book and [c.id for c in book] == ["A", "B"]
    with pytest.raises(BadInput, match="unknown clause 'Z'"):
        book["Z"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "clauses: [{id: A, heading: H, kind: rule, text: t}, {id: A, heading: H, kind: rule, text: t}]",
            "A stands twice",
        ),
        ("clauses: [{id: A, heading: H, kind: rule, text: t, restates: [B]}]", "A restates unknown clause B"),
        ("clauses: [{id: A, heading: H, kind: law, text: t}]", r"\$\.clauses\[0\]\.kind"),
        ("clauses: [{id: A, heading: H, kind: rule, text: t, colour: red}]", "unknown field `colour`"),
        (
            "clauses: []\nrulings: [{id: R, question: q, kind: gap, clauses: [A], choices: [], reason: r}]",
            "R names unknown clause A",
        ),
    ],
)
def test_a_wrong_catalogue_is_refused_with_the_place(tmp_path: Path, body: str, said: str) -> None:
    path = tmp_path / "clauses.yaml"
    path.write_text(HEAD + body)
    with pytest.raises(BadInput, match=said) as caught:
        load_catalogue(path)
    assert str(path) in str(caught.value)
