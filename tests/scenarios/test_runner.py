import copy
import json

import msgspec
import pytest

from lawspeaker.cli import main
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import make_game, room
from lawspeaker.model.core.records import Finished, Progress, ScenarioResult, Started
from lawspeaker.model.core.rulings import Rulings
from lawspeaker.scenarios.loader import load_cases
from lawspeaker.scenarios.runner import as_cases, run, run_all

RIGHT = {
    "actor": "A",
    "count": 18,
    "kinds": ["place"],
    "legal_includes": ["place F1 1,-1 r0"],
    "legal_excludes": ["place F1 2,0 r0"],
    "position": {"phase": "drawn", "farms": {"A": []}, "board": [[0, 0, "S1", 0], [0, 1, "S3", 0], [1, 0, "S2", 0]]},
    "view": {"B": {"you": "B", "drawn": "F1"}},
    "refused": [{"do": "place F1 2,0 r0", "clauses": ["FD-TILE-02"], "facts": {"contacts": 1}}],
    "unreadable": ["jump"],
    "score": {"sums": {"A": 0, "B": 0}, "lines": []},
    "winners": [],
    "reason": "",
    "invariants": [],
    "complaints": [],
}
WRONG = {
    "actor": "B",
    "count": 17,
    "kinds": ["place", "aside"],
    "legal": ["place F1 1,-1 r0"],
    "legal_includes": ["place F1 2,0 r0"],
    "legal_excludes": ["place F1 1,-1 r0"],
    "position": {"farms": {"A": ["1,-1/0"]}},
    "view": {"B": {"drawn": "F2"}},
    "unreadable": ["draw"],
    "score": {"sums": {"A": 1, "B": 0}},
    "winners": ["A"],
    "reason": "FD-END-03",
    "invariants": ["I04"],
    "complaints": ["FD-COMP-01"],
}
REFUSED = [
    {"do": "place F1 1,-1 r0", "clauses": ["FD-TILE-02"]},
    {"do": "place F1 2,0 r0", "clauses": ["FD-TILE-01"]},
    {"do": "place F1 2,0 r0", "clauses": ["FD-TILE-02", "FD-TILE-01"]},
    {"do": "place F1 2,0 r0", "clauses": []},
    {"do": "place F1 2,0 r0", "clauses": ["FD-TILE-02"], "facts": {"contacts": 2}},
    {"do": "place F1 2,0 r0", "clauses": ["FD-TILE-02"], "facts": {"colour": 2}},
    {"do": "place F1 2,0 r0", "by": "B", "clauses": ["FD-TILE-02"]},
]


def test_each_kind_of_expectation_can_be_met(data, read):
    result = run(read(data | {"then": RIGHT})[0])
    assert [(o.verdict, o.said) for o in result.outcomes] == [("pass", "")]


@pytest.mark.parametrize("field", sorted(WRONG))
def test_a_mutated_expectation_fails_and_says_what_differs(data, read, field):
    result = run(read(data | {"then": RIGHT | {field: WRONG[field]}})[0])
    assert result.verdict == "fail"
    assert result.outcomes[0].said


@pytest.mark.parametrize("refusal", REFUSED, ids=str)
def test_a_refusal_that_is_not_exactly_so_fails(data, read, refusal):
    assert run(read(data | {"then": {"refused": [refusal]}})[0]).verdict == "fail"


def test_each_line_of_a_score_is_compared(data, read):
    data["given"]["position"] = {"round": 2, "points": [[3, 2]], "drawn": "F1"}
    lines = [
        {"seat": s, "label": "fields in round 1", "points": p, "clause": "FD-SCORE-03"} for s, p in (("A", 3), ("B", 2))
    ]
    data["then"] = {"score": {"sums": {"A": 3, "B": 2}, "lines": lines}}
    assert run(read(data)[0]).verdict == "pass"
    lines[1]["clause"] = "FD-PLAY-05"
    assert run(read(data)[0]).verdict == "fail"


def test_an_action_that_is_refused_on_the_way_fails_with_its_clause(data, read):
    data["when"] = ["place F1 1,-1 r0", "draw"]
    result = run(read(data)[0])
    assert result.verdict == "fail"
    assert "action 2 (draw) is refused: FD-OPEN-05" in result.outcomes[0].said


def test_an_action_by_the_wrong_seat_fails(data, read):
    data["when"] = [{"by": "B", "do": "place F1 1,-1 r0"}]
    assert "FD-DISC-01" in run(read(data)[0]).outcomes[0].said


def test_one_choice_that_fails_fails_the_case_and_is_named(data, read):
    data["per choice"] = {"R_LAND=tile": {"count": 18}, "R_TWO=exactly": {"count": 17}}
    result = run(read(data)[0])
    assert result.verdict == "fail"
    assert [(o.rulings, o.verdict) for o in result.outcomes] == [
        ("", "pass"),
        ("R_LAND=tile", "pass"),
        ("R_TWO=exactly", "fail"),
    ]


def test_a_case_with_a_finding_must_fail_under_every_choice(data, read):
    data["finding"] = "FJ-1"
    assert run(read(data)[0]).verdict == "unexpected pass"
    data["then"] = {"count": 1}
    assert run(read(data)[0]).verdict == "expected failure"
    data["per choice"] = {"R_LAND=tile": {"count": 18}}
    assert run(read(data)[0]).verdict == "unexpected pass"


def test_a_choice_that_the_pack_cannot_show_is_refused_before_it_runs(data, read):
    data["per choice"] = {"R_START=line": {"count": 24}}
    data["given"]["pack"] = copy.deepcopy(msgspec.to_builtins(load_named("ridge")))
    data["given"]["position"] = {"drawn": "Y"}
    with pytest.raises(BadInput, match="no arrangement 'line'"):
        read(data)


def load_named(name):
    return next(case.pack for case in load_cases("fjords") if case.pack.id == name)


def test_run_judges_the_game_it_is_given(data, read):
    (case,) = read(data)
    game = make_game("fjords")
    assert run(case, game).verdict == "pass"
    assert run(case, game.varied(law=game.law.without(["FD-TILE-07"]))).verdict == "fail"


def test_results_are_the_same_twice_and_emitted_in_order():
    seen = []
    first = run_all("fjords", seen.append)
    assert first == run_all("fjords")
    assert [e for e in seen if isinstance(e, ScenarioResult)] == list(first)
    assert isinstance(seen[0], Started)
    assert seen[0].total == len(first)
    assert [e.done for e in seen if isinstance(e, Progress)] == list(range(1, len(first) + 1))
    assert isinstance(seen[-1], Finished)


def test_cases_can_be_chosen_by_id_family_and_ruling():
    assert [r.id for r in run_all("fjords", ids=["fjords.witness.1"])] == ["fjords.witness.1"]
    assert {r.id.split(".")[1] for r in run_all("fjords", ids=["fjords.farms"])} == {"farms"}
    chosen = run_all("fjords", rulings=["R_LAND=tile"])
    assert {"R_LAND=tile"} <= {o.rulings for r in chosen for o in r.outcomes}
    assert "R_LAND=closed" not in {o.rulings for r in chosen for o in r.outcomes}


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ({"ids": ["fjords.witness.99"]}, "fjords.witness.99"),
        ({"rulings": ["R_LAND=island"]}, "component, tile, closed"),
        ({"rulings": ["R_LAND"]}, "R_NAME=value"),
    ],
)
def test_a_wrong_selection_is_refused(arguments, what):
    with pytest.raises(BadInput, match=what):
        run_all("fjords", **arguments)


def test_plain_cases_can_be_sent_as_json_and_played_by_somebody_else():
    cases = as_cases("fjords")
    assert json.loads(json.dumps(cases)) == json.loads(json.dumps(as_cases("fjords")))
    assert len({case["id"] for case in cases}) == len(cases)
    place = room("fjords")
    for case in cases:
        pack = place.read_pack(case["pack"], case["id"]) if case["pack"] else None
        game = make_game("fjords", pack, Rulings(case["rulings"]))
        position = game.position(case["record"]) if case["record"] else game.start()
        for by, text in case["actions"]:
            assert game.actor_name(position) == by
            position = game.apply(position, game.parse(text))
        expect = case["expect"]
        assert expect, case["id"]
        texts = {game.text(a) for a in game.legal(position)}
        assert texts == set(expect.get("legal", texts))
        assert set(expect.get("includes", ())) <= texts
        assert not set(expect.get("excludes", ())) & texts
        assert expect.get("actor", game.actor_name(position)) == game.actor_name(position)


def test_the_command_prints_what_came_out(capsys):
    assert main(["scenarios", "fjords", "fjords.example"]) == 0
    out = capsys.readouterr().out
    assert "fjords.example.1 (worked example)" in out
    assert "0 not as expected" in out


def test_the_command_prints_json_and_the_deciding_cases(capsys):
    assert main(["scenarios", "fjords", "fjords.witness.1", "--ruling", "R_LAND=closed", "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)
    assert [o["rulings"] for o in result["outcomes"]] == ["R_LAND=closed"]
    assert main(["scenarios", "fjords", "--decisive"]) == 0
    assert "FD-END-04    fjords.scores.6" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["chess"], ["fjords", "fjords.nothing.1"], ["fjords", "--ruling", "R_X=y"]])
def test_wrong_use_of_the_command_ends_with_one_message_and_code_2(arguments, capsys):
    assert main(["scenarios", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.strip().splitlines()) == 1
