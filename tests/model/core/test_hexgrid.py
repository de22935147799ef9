from hypothesis import given
from hypothesis import strategies as st

from lawspeaker.model.core.hexgrid import (
    AXIAL_STEPS,
    LIMIT,
    SIDES,
    STEPS,
    axial,
    cell,
    cell_text,
    distance,
    opposite,
)

coordinate = st.integers(-LIMIT, LIMIT)
place = st.builds(cell, coordinate, coordinate)


@given(coordinate, coordinate)
def test_cell_and_axial_undo_each_other(q: int, r: int) -> None:
    assert axial(cell(q, r)) == (q, r)
    assert cell_text(cell(q, r)) == f"{q},{r}"


@given(coordinate, coordinate, coordinate, coordinate)
def test_integer_order_is_the_order_of_coordinates(q: int, r: int, s: int, t: int) -> None:
    assert (cell(q, r) < cell(s, t)) == ((q, r) < (s, t))


@given(coordinate, coordinate, st.integers(0, 5))
def test_a_step_goes_to_the_neighbour_and_the_opposite_step_back(q: int, r: int, side: int) -> None:
    here = cell(q, r)
    there = here + STEPS[side]
    dq, dr = AXIAL_STEPS[side]
    assert axial(there) == (q + dq, r + dr)
    assert there + STEPS[opposite(side)] == here
    assert distance(here, there) == 1


def test_sides_go_round_counter_clockwise_in_sixth_turns() -> None:
    assert len(SIDES) == 6
    for side, (q, r) in enumerate(AXIAL_STEPS):
        # a sixth turn counter-clockwise of (q, r), with s = -q - r, is (-s, -q)
        assert AXIAL_STEPS[(side + 1) % 6] == (q + r, -q)


@given(place, place, place)
def test_distance_is_a_metric(a: int, b: int, c: int) -> None:
    assert distance(a, b) == distance(b, a)
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)
