import copy

import pytest

from lawspeaker.model.core.errors import BadInput
from lawspeaker.scenarios.loader import load_cases


def spoiled(data, path, value):
    changed = copy.deepcopy(data)
    at = changed
    for key in path[:-1]:
        at = at.setdefault(key, {})
    at[path[-1]] = value
    return changed


MISTAKES = [
    (("colour",), "red", "$.cases[0]", "colour"),
    (("id",), "fjords.test", "$.cases[0]", "FAMILY.NUMBER"),
    (("id",), "northmen.test.1", "$.cases[0]", "FAMILY.NUMBER"),
    (("clauses",), ["FD-TILE-07", "FD-TILE-99"], "$.clauses[1]", "FD-TILE-99"),
    (("given", "rulings"), {"R_NOTHING": "x"}, "$.given", "R_NOTHING"),
    (("given", "rulings"), {"R_LAND": "island"}, "$.given", "component, tile, closed"),
    (("given", "pack"), "moor", "$.given.pack", "moor"),
    (("given", "pack"), {"id": "x"}, "$.given.pack", "format"),
    (("given", "players"), 3, "$.given", "2"),
    (("given", "start"), True, "$.given", "either a position or start"),
    (("given", "position", "colour"), "red", "$.given.position", "unknown field 'colour'"),
    (("given", "position", "drawn"), "Q7", "$.given.position", "Q7"),
    (("given", "position", "round"), 4, "$.given.position", "1, 2 or 3"),
    (("given", "position", "board"), [[1, -1, "F2"]], "$.given.position", "board"),
    (("given", "position", "board"), [[4, 4, "F2", 0]], "$.given.position", "I05"),
    (("given", "position", "pile"), "F2", "$.given.position", "pile"),
    (("given", "position", "farms"), ["1,-1/0"], "$.given.position", "farms"),
    (("given", "position", "farms"), {"C": []}, "$.given.position", "farms"),
    (("when",), ["place Q7 1,-1 r0"], "$.when[0]", "Q7"),
    (("when",), ["jump"], "$.when[0]", "jump"),
    (("when",), [{"do": "draw", "by": "C"}], "$.when[0]", "seats are A, B"),
    (("when",), [{"do": "draw", "why": "C"}], "$.cases[0].when[0]", "why"),
    (("then",), {}, "$.then", "expects nothing"),
    (("then", "colour"), "red", "$.then", "colour"),
    (("then", "count"), "many", "$.then $.count", "int"),
    (("then", "actor"), "C", "$.then.actor", "seats are A, B"),
    (("then", "winners"), ["C"], "$.then", "seats are A, B"),
    (("then", "view"), {"C": {}}, "$.then", "seats are A, B"),
    (("then", "position"), {"colour": 1}, "$.then.position", "colour"),
    (("then", "legal"), ["draw", "place F1 1,-1"], "$.then.legal[1]", "place F1 1,-1"),
    (("then", "refused"), [{"do": "draw", "clauses": ["FD-TILE-99"]}], "$.then.refused[0].clauses[0]", "FD-TILE-99"),
    (("then", "refused"), [{"do": "draw"}], "$.then $.refused[0]", "clauses"),
    (("then", "invariants"), ["I99"], "$.then.invariants", "I99"),
    (("per choice",), {"R_LAND=island": {"count": 1}}, "$.per choice[R_LAND=island]", "component, tile, closed"),
    (("per choice",), {"R_NOTHING=x": {"count": 1}}, "$.per choice[R_NOTHING=x]", "R_NOTHING"),
    (("per choice",), {"tile": {"count": 1}}, "$.per choice[tile]", "R_NAME=value"),
    (("per choice",), {"": {"count": 1}}, "$.per choice[]", "R_NAME=value"),
    (("per choice",), {"R_LAND=tile": {"colour": 1}}, "$.per choice[R_LAND=tile]", "colour"),
    (("per choice",), {"R_LAND=tile": {"when": ["jump"]}}, "$.per choice[R_LAND=tile] $.when[0]", "jump"),
]


@pytest.mark.parametrize(("path", "value", "where", "what"), MISTAKES, ids=lambda part: str(part)[:40])
def test_a_mistake_is_refused_with_its_place_and_what_is_wrong(data, read, path, value, where, what):
    with pytest.raises(BadInput) as caught:
        read(spoiled(data, path, value))
    said = str(caught.value)
    assert "cases.yaml" in said
    assert where in said
    assert what in said


def test_the_unspoiled_case_is_read(data, read):
    (case,) = read(data)
    assert case.id == "fjords.test.1"
    assert case.choices[0].record["pile"] == ["F2", "F3", "F4", "M1"]


@pytest.mark.parametrize(
    ("head", "what"),
    [({"format": "lawspeaker-scenarios/9"}, "format"), ({"game": "northmen"}, "northmen"), ({"colour": 1}, "colour")],
)
def test_a_file_of_another_kind_is_refused(data, read, head, what):
    with pytest.raises(BadInput, match=what):
        read(data, **head)


def test_an_id_used_twice_is_refused(data, read, tmp_path):
    read(data, data)
    with pytest.raises(BadInput, match=r"fjords\.test\.1 stands in .* already"):
        load_cases("fjords", tmp_path)


def test_a_game_without_scenarios_folder_has_none(tmp_path):
    assert load_cases("fjords", tmp_path / "none") == ()


def test_an_invalid_position_is_read_if_the_case_is_about_that(data, read):
    data["given"]["position"] = {"board": [[4, 4, "F2", 0]]}
    data["then"] = {"invariants": ["I05", "I06", "I08"]}
    assert read(data)[0].id == "fjords.test.1"


def test_what_differs_under_a_choice_is_laid_over_the_rest(data, read):
    data["per choice"] = {"R_LAND=tile R_TWO=exactly": {"count": 17}}
    (case,) = read(data)
    base, other = case.choices
    assert (base.expect.actor, base.expect.count) == ("A", 18)
    assert (other.expect.actor, other.expect.count) == ("A", 17)
    assert (other.rulings["R_LAND"], other.rulings["R_TWO"], other.rulings["R_HOLE"]) == ("tile", "exactly", "nothing")


def test_what_is_given_is_kept_and_the_rest_of_a_position_filled_in(data, read):
    data["given"]["position"] = {
        "phase": "land", "seat": "B", "round": 2, "board": [[1, -1, "F1", 3]], "placer": "B",
        "farms": {"B": ["1,-1/0"]},
    }  # fmt: skip
    data["then"] = {"actor": "B"}
    record = read(data)[0].choices[0].record
    assert record["board"] == [[0, 0, "S1", 0], [0, 1, "S3", 0], [1, 0, "S2", 0], [1, -1, "F1", 3]]
    assert (record["pile"], record["open"]) == ([], ["F2", "F3", "F4", "M1"])
    assert (record["first"], record["points"], record["starter"]) == ("A", [[0, 0]], "B")
