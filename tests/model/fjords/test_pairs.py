"""Values of two rulings that meet: what each says alone holds for both together."""

from __future__ import annotations

from pathlib import Path

from lawspeaker import scenarios
from lawspeaker.model.core.games import make_game, room
from lawspeaker.model.core.play import steps, uniform
from lawspeaker.model.fjords import actions as act
from lawspeaker.scenarios.fjords.fill import fill
from lawspeaker.scenarios.loader import load_cases

PER_CELL = act.SEGMENTS_PER_CELL


def test_an_area_with_a_farm_fills_each_of_its_tiles_where_a_tile_holds_one_piece() -> None:
    """R_SEGMENT=area says that a farm occupies all its area, R_MULTI=tile that a tile takes one piece."""
    book = room("fjords").catalogue.book
    game = make_game("fjords", None, book.parse(["R_SEGMENT=area", "R_MULTI=tile"]))
    farms = 0
    for seed in range(4):
        for step in steps(game, seed, uniform):
            if isinstance(step.action, act.Farm):
                areas = game.areas(step.before)  # type: ignore[attr-defined]
                with_farm = {areas[key] for seat in (0, 1) for key in step.before.farms[seat]}
                full = {key // PER_CELL for key, area in areas.items() if area in with_farm}
                assert step.action.segment // PER_CELL not in full
                farms += 1
    assert farms > 20


def test_nothing_is_contested_once_a_player_has_no_fields_left() -> None:
    """FD-FIELD-05 to 07: where the opponent cannot place, a segment is secured, so R_ORDER=duty leaves it free."""
    place = room("fjords")
    game = make_game(
        "fjords",
        place.load_pack(Path(scenarios.__path__[0]) / "fjords" / "packs" / "path30.yaml"),
        place.catalogue.book.choose({"R_ORDER": "duty"}),
    )
    case = next(c for c in load_cases("fjords") if c.data.id == "fjords.fields.11")
    given = case.data.given.position
    fields = {"A": given["fields"]["B"]}
    farms = {"A": ["14,0/0"], "B": ["8,1/0"]}
    record = fill(
        game, {"phase": "land", "seat": "B", "starter": "B", "board": given["board"], "farms": farms, "fields": fields}
    )
    position = game.position(record)
    assert [game.text(action) for action in game.legal(position)] == ["field 7,1/0", "field 9,1/0"]
