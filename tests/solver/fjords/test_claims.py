"""The claims about Fjords: what they come to, against other ways to work it out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
import z3

from lawspeaker.model.core.games import make_game
from lawspeaker.model.core.play import playout, sensible
from lawspeaker.model.fjords.pack import read_pack
from lawspeaker.solver import answers, asking, costs, wordings
from lawspeaker.solver.fjords import (
    QUESTIONS,
    audits,
    claims,
    claims_score,
    claims_shape,
    layouts,
    reach,
)
from lawspeaker.solver.fjords.policies import lopsided
from lawspeaker.solver.fjords.topics import topics

FOLDER = QUESTIONS.folder

EXPECTED = {
    "one-place-forbidden": "witness", "forced-placement": "witness", "sea-contacts": "proven",
    "third-contact": "witness", "landmass-component-tile": "witness", "landmass-component-closed": "witness",
    "landmass-tile-closed": "witness", "shape-squares": "proven", "shape-triangles": "proven",
    "shape-hexagons": "witness", "hole-from-triangle": "witness", "hole-from-line": "witness",
    "hole-from-bent": "witness", "tie-break": "proven", "shared-victory": "proven", "supply-of-twenty": "witness",
    "blocked-stays-blocked": "proven", "blocked-winner": "witness", "place-is-no-ruling": "proven",
    "hole-only-when-closed": "proven", "areas-never-meet": "proven", "turn-has-action": "proven",
    "first-field-end": "proven", "first-field-play_A": "refuted", "first-field-play_B": "proven",
    "wording-fd-open-04": "proven", "wording-fd-tile-12": "proven",
}  # fmt: skip


@pytest.mark.parametrize("claim", claims.CLAIMS, ids=lambda claim: claim.id)
def test_each_claim_comes_out_and_says_how_far_it_speaks(claim: asking.Claim) -> None:
    finding, row, _ = claims.asked(claim)
    assert row.verdict == EXPECTED[claim.id]
    assert finding is not None and finding.bounds and set(claim.core) <= {c.id for c in make_game("fjords").catalogue}


def test_a_claim_z3_gives_up_on_is_unknown_and_no_finding() -> None:
    def give_up() -> asking.Outcome:
        raise asking.GaveUp("canceled")

    finding, row, _ = claims.asked(asking.Claim("hard", "is it so", ("FD-TILE-01",), give_up))
    assert finding is None and row.verdict == "unknown"


def test_a_wording_that_opens_something_else_is_not_proven() -> None:
    other = wordings.Wording("next_field", ("FD-LAND-04",), "Players alternate as long as both can.", ("due_can",))
    with pytest.raises(AssertionError, match=r"new \('FD-F-next_field-silent"):
        wordings.ask(other, topics)


def test_a_result_that_is_not_confirmed_stops() -> None:
    with pytest.raises(AssertionError, match="not confirmed"):
        asking.require(False, "two ways to count")


def test_tied_totals_by_enumeration_of_all_small_points() -> None:
    by_solver = {pair for pair, points in claims_score.equal_total_pairs().items() if points is not None}
    assert by_solver == claims_score.brute_pairs(3) == {(0, 0), (1, 1), (1, 2), (2, 1)}


def test_the_smallest_hole_and_that_a_ring_is_one() -> None:
    size, cells, _ = claims_shape.smallest_hole(claims_shape._STARTS["line"], 14)
    assert size == len(cells) == 11 and claims_shape.encloses(cells)
    ring = list(layouts.beside((0, 0)))
    assert claims_shape.encloses(ring) and not claims_shape.encloses(ring[:5])


def test_no_hole_within_too_few_tiles_is_said() -> None:
    with pytest.raises(AssertionError, match="no hole"):
        claims_shape.smallest_hole(claims_shape._STARTS["line"], 10)


def test_closure_does_not_depend_on_the_order_of_placing() -> None:
    start = ((0, 0), (0, 2), (2, 0))
    laid = set(start)
    while True:
        ready = [
            c for c in ((x, y) for x in range(-1, 4) for y in range(-1, 4))
            if c not in laid and sum(o in laid for o in claims_shape.squares(c)) >= 2
        ]  # fmt: skip
        if not ready:
            break
        laid.add(ready[-1])  # one at a time, and the last one first
    assert laid == set(claims_shape.closure(start, claims_shape.squares))


def test_shapes_are_the_same_turned_and_mirrored() -> None:
    cells = ((0, 0), (1, 0), (0, 1), (2, 0))
    turned = tuple((-r, q + r) for q, r in cells)
    mirrored = tuple((r, q) for q, r in cells)
    assert layouts.shape(cells) == layouts.shape(turned) == layouts.shape(mirrored)
    assert layouts.shape(cells) != layouts.shape(((0, 0), (1, 0), (2, 0), (3, 0)))


def test_blocked_readings_agree_where_nobody_is_left_behind() -> None:
    assert claims_score.alone(3, 3, "skip") == claims_score.alone(3, 3, "end") == (3, 3)
    assert claims_score.alone(1, 3, "skip") == (1, 3) and claims_score.alone(1, 3, "end") == (1, 1)


def test_play_is_within_the_abstraction() -> None:
    (row,) = audits.abstraction_rows(make_game("fjords"), [4])  # type: ignore[arg-type]
    assert row.verdict == "pass" and row.times > 50


def test_an_abstraction_that_forgets_a_step_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = reach.successors

    def without_aside(now: reach.Abstract, starter: int, last_open: str) -> list[reach.Abstract]:
        return [then for then in whole(now, starter, last_open) if not then.aside]

    monkeypatch.setattr(audits, "successors", without_aside)
    (row,) = audits.abstraction_rows(make_game("fjords"), [4])  # type: ignore[arg-type]
    assert row.verdict == "fail"


def test_kept_answers_are_used_only_for_the_same_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    claim = next(c for c in claims.CLAIMS if c.id == "hole-from-line")
    monkeypatch.setattr(claims, "CLAIMS", (claim,))
    store = answers.Store("fjords", tmp_path / "answers.json")
    ((_, fresh),) = claims.results(store)
    store.save()
    ((_, kept),) = claims.results(answers.Store("fjords", tmp_path / "answers.json"))
    assert kept.said == f"{fresh.said} (stored)"
    monkeypatch.setattr(answers, "source_digest", lambda game: "another")
    ((_, asked_again),) = claims.results(answers.Store("fjords", tmp_path / "answers.json"))
    assert asked_again.said == fresh.said


def test_a_damaged_file_of_answers_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "answers.json").write_text("{")
    assert answers.Store("fjords", tmp_path / "answers.json").get("claim hole-from-line") is None


def test_lopsided_play_leaves_one_player_without_points() -> None:
    last, _ = playout(make_game("fjords"), 1, lopsided)
    assert max(max(pair) for pair in last.points) > 12
    assert min(min(pair) for pair in last.points) == 0
    assert playout(make_game("fjords"), 1, sensible)[0].points != last.points


# -- stored positions, and small domains by brute force ----------------------------------------------


def test_the_stored_positions_are_those_of_the_claims(tmp_path: Path) -> None:
    claims.store_positions(tmp_path)
    made = {path.name: path.read_text() for path in tmp_path.glob("*.json")}
    assert made and {name: (FOLDER / name).read_text() for name in made} == made


@pytest.mark.parametrize("path", sorted(FOLDER.glob("FD-C-*.json")), ids=lambda path: path.stem)
def test_a_stored_position_is_valid_and_leaves_what_it_says(path: Path) -> None:
    kept = json.loads(path.read_text())
    game = make_game("fjords", read_pack(kept["pack"], path.name))
    position = game.position(kept["position"])
    assert not game.broken_invariants(position)
    assert [game.text(action) for action in game.legal(position)] == kept["legal"]


REGIONS = {  # sides of three start tiles, E NE NW W SW SE
    "with sea": ("FSSSMF", "SSSFFM", "MFFMSS"),
    "all farmland": ("FFFFFF", "FFFFFF", "FFFFFF"),
    "one sea notch": ("FFFFFF", "FSFFFF", "FFFFFF"),
}


@pytest.mark.parametrize("name", REGIONS)
def test_z3_and_brute_force_agree_which_tiles_have_one_place_that_rule_3_forbids(name: str) -> None:
    region = layouts.Symbolic(layouts.TRIANGLE)
    fixed = [
        side == ".SMF".index(letter)
        for cell, word in zip(layouts.TRIANGLE, REGIONS[name], strict=True)
        for side, letter in zip(region.sides[cell], word, strict=True)
    ]
    by_solver = set()
    for spot in region.spots:
        only = [region.agrees(spot), *(z3.Not(region.agrees(other)) for other in region.spots if other != spot)]
        sea = z3.Not(region.touches_land(spot))
        asked = asking.solver(*region.well_formed(), *region.one_part(), *fixed, *only, sea)
        while asking.possible(asked):
            tile = tuple(asked.model().eval(side, model_completion=True).as_long() for side in region.tile)
            by_solver.add((tile, spot))
            asked.add(z3.Or([side != value for side, value in zip(region.tile, tile, strict=True)]))
    assert by_solver == set(_by_brute_force(REGIONS[name]))


def _by_brute_force(words: tuple[str, ...]) -> Iterator[tuple[tuple[int, ...], tuple[layouts.Cell, int]]]:
    laid = {cell: [".SMF".index(x) for x in word] for cell, word in zip(layouts.TRIANGLE, words, strict=True)}
    for tile in product((1, 2, 3), repeat=6):
        fits = []
        for cell in layouts.rim(layouts.TRIANGLE):
            for turn in range(6):
                met = [
                    (tile[(side - turn) % 6], laid[other][(side + 3) % 6])
                    for side, other in enumerate(layouts.beside(cell))
                    if other in laid
                ]
                if all(own == theirs for own, theirs in met):
                    fits.append(((cell, turn), all(own == 1 for own, _ in met)))
        if len(fits) == 1 and fits[0][1]:
            yield tile, fits[0][0]


# -- the cost of an ambiguity -----------------------------------------------------------------------


def test_a_reading_costs_nothing_against_itself_and_something_against_another() -> None:
    game = make_game("fjords")
    other = game.varied(rulings=game.catalogue.book.choose({"R_BLOCKED": "end"}))
    assert costs.side_by_side(game, game, 3) is None
    found = costs.side_by_side(game, other, 3)
    assert found is not None and found[0] > 50


def test_stored_costs_are_used_only_for_their_pack(tmp_path: Path) -> None:
    game = make_game("fjords")
    path = tmp_path / "costs.json"
    whole = json.loads((FOLDER / costs.FILE).read_text())
    whole["pack_digest"] = game.pack.digest
    whole["catalogue"] = game.catalogue.version
    path.write_text(json.dumps(whole))
    assert "games" in costs.read_costs(game, path)["R_BLOCKED"]
    whole["pack_digest"] = "sha256:of-another"
    path.write_text(json.dumps(whole))
    assert costs.read_costs(game, path) == {}
