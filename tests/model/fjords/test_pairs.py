"""Values of two rulings that meet: what each says alone holds for both together."""

from __future__ import annotations

from lawspeaker.model.core.games import make_game, room
from lawspeaker.model.core.play import steps, uniform
from lawspeaker.model.fjords import actions as act

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
