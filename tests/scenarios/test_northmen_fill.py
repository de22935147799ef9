from random import Random

import pytest

from lawspeaker.model.core.contract import OVER
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import make_game, room
from lawspeaker.scenarios.loader import load_cases
from lawspeaker.scenarios.northmen.fill import fill

FEW = next(case.pack for case in load_cases("northmen") if case.pack.id == "few")


def game(players=2, pack=None, **rulings):
    return make_game("northmen", pack, room("northmen").catalogue.book.choose(rulings), players)


def filled(fields, players=2, pack=None, **rulings):
    """Fill in, and check that the whole is valid, reads back the same, and keeps what was given."""
    made = game(players, pack, **rulings)
    record = fill(made, fields)
    position = made.position(record)
    assert [made.words(broken) for broken in made.broken_invariants(position)] == []
    assert made.record(position) == record
    kept(fields, record)
    return record


def kept(given, found):
    for name, value in given.items():
        if isinstance(value, dict):
            kept(value, found[name])
        elif isinstance(value, list) and value and isinstance(value[0], str):
            assert set(value) <= set(found[name])
        else:
            assert [list(v) if isinstance(v, tuple) else v for v in [found[name]]] == [value]


def row(players, *pieces):
    """Pieces of the first seats, none of the others."""
    return [*([c, h] for c, h in pieces), *([0, 0] for _ in range(players - len(pieces)))]


PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])


@PLAYERS
@pytest.mark.parametrize("number", [1, 2, 3])
def test_nothing_given_is_the_beginning_of_a_rally_phase(players, number):
    record = filled({"round": number}, players)
    leader = "ABCD"[(number - 1) % players]
    assert (record["phase"], record["leader"], record["seat"], record["group"]) == ("play", leader, leader, 15)
    assert [len(hand) for hand in record["hands"].values()] == [6] * players
    assert len(record["deck"]) == 53 - 6 * players


@PLAYERS
def test_cubes_in_a_kingdom_are_explained_by_cards_of_its_suit(players):
    record = filled({"kingdoms": {"Normans": row(players, (3, 0), (3, 0))}, "group": 1}, players)
    made = game(players)
    for seat in "AB":
        pile = made.position(record).piles[made.seat(seat)]
        assert sum(made.tables.symbols(pile, 0)) == 3
    assert sum(record["tokens"].values()) == 14
    assert sum(len(pile) for pile in record["piles"].values()) >= 14


@PLAYERS
@pytest.mark.parametrize("phase", ["hire", "draw", "drawn", "turn"])
def test_a_card_being_played_lies_on_top_and_has_brought_its_cubes(players, phase):
    record = filled(
        {"phase": phase, "card": "SX3", "seat": "B", "kingdoms": {"Saxons": row(players, (0, 0), (4, 0))}}, players
    )
    assert (record["tops"]["B"], record["placed"]) == ("SX3", 2)
    assert "SX3" in record["piles"]["B"]
    assert len(record["hands"]["B"]) == (6 if phase == "turn" else 5)
    assert len(record["row"]) == (2 if phase == "turn" else 3)
    assert record["tokens"]["Bulgaria"] >= (phase != "hire")


@PLAYERS
@pytest.mark.parametrize("seat", "ABCD")
@pytest.mark.parametrize("group", [1, 8, 15])
def test_turns_are_as_many_as_seat_and_group_ask_for(players, seat, group):
    if seat in "ABCD"[:players]:
        record = filled({"seat": seat, "group": group}, players)
        assert (record["seat"], sum(record["tokens"].values())) == (seat, 15 - group)


@PLAYERS
def test_heroes_have_a_card_each_and_are_paid_for(players):
    record = filled({"kingdoms": {"Rus": row(players, (0, 0), (2, 1))}}, players)
    assert record["heroes"]["B"] == 2
    assert record["infamy"]["B"] == {2: 3, 3: 0, 4: 1}[players]


def test_a_reserve_given_makes_infamy_of_the_rest():
    record = filled({"round": 2, "reserve": {"A": 1}})
    assert record["reserve"]["A"] + record["infamy"]["A"] == 30
    assert sum(record["taken"].values()) == 15


@PLAYERS
def test_a_march_in_the_middle_of_the_box_is_explained(players):
    fields = {
        "phase": "march", "round": 3, "kingdom": "Magyars", "region": "Bulgaria", "armies": 3, "led": 1,
        "kingdoms": {"Magyars": row(players, (3, 1))}, "regions": {"Poland": row(players, (3, 1))},
        "piles": {"A": ["MG7", "MG8"]},
    }  # fmt: skip
    record = filled(fields, players)
    assert record["control"]["Magyars"] == record["seat"] == "A"
    assert record["group"] == 0


@PLAYERS
def test_cubes_in_regions_come_from_kingdoms_of_their_player(players):
    fields = {
        "phase": "complete",
        "control": {"Magyars": "A"},
        "regions": {"Poland": row(players, (3, 1)), "Finland": row(players, (2, 0))},
    }
    made = game(players)
    record = filled(fields, players)
    soldiers, ships = made.tables.symbols(made.position(record).piles[0], 2)
    assert soldiers >= 3
    assert ships >= 2
    assert record["tokens"]["Poland"] == record["tokens"]["Finland"] == 0
    assert record["taken"]["A"] > 0


@PLAYERS
def test_who_has_planned_has_discarded(players):
    record = filled({"phase": "buy", "seat": "B", "hands": {"A": ["NM1"]}}, players)
    assert record["hands"]["A"] == ["NM1"]
    assert len(record["discard"]) == (4 if players == 2 else 5)
    record = filled({"phase": "buy", "seat": "B"}, players, R_DISCARD="only_if_hold")
    assert record["discard"] == []


@PLAYERS
def test_tokens_that_nobody_took_lie_on_the_map(players):
    record = filled({"phase": "over", "round": 3, "taken": dict.fromkeys("ABCD"[:players], 10)}, players)
    assert sum(record["tokens"].values()) == 45 - 10 * players


def test_routes_bought_have_sent_others_beneath_the_deck():
    record = filled({"round": 2, "route_hands": {"A": ["T01", "T02", "T03", "T04"]}})
    assert [owner for _, owner in record["route_bottom"]] == ["A", "A"]
    assert [len(hand) for hand in record["route_hands"].values()] == [4, 2]


def test_a_deck_used_up_asks_for_many_turns():
    record = filled({"phase": "draw", "card": "NO8", "seat": "B", "deck": [], "group": 2}, 4)
    assert sum(len(pile) for pile in record["piles"].values()) == 30
    assert len(record["row"]) == 3


def test_a_cut_box_with_few_cards_has_what_is_given_and_no_more():
    record = filled({"piles": {"B": ["M1"]}, "hands": {"A": ["N1"]}}, pack=FEW)
    assert record["piles"] == {"A": [], "B": ["M1"]}
    assert record["hands"] == {"A": ["N1"], "B": []}
    assert record["kingdoms"]["Magyars"] == [[0, 0], [1, 0]]


def test_what_has_been_sent_is_no_longer_in_the_kingdom():
    fields = {
        "phase": "march", "round": 3, "kingdom": "Magyars", "region": "Italy", "armies": 3, "control": {"Magyars": "A"},
        "piles": {"A": ["MG7", "MG8"]}, "regions": {"Poland": [[3, 0], [0, 0]]},
    }  # fmt: skip
    assert filled(fields)["kingdoms"]["Magyars"] == [[3, 0], [0, 0]]


def test_a_delay_has_been_paid_for():
    fields = {
        "phase": "march", "second_pass": True, "kingdom": "Normans", "region": "Holy Roman Empire",
        "control": {"Normans": "B", "Magyars": None, "Danes": None, "Norwegians": None}, "times": {"B": "Normans"},
        "piles": {"B": ["N1"]},
    }  # fmt: skip
    assert filled(fields, pack=FEW)["infamy"] == {"A": 3, "B": 1}


def test_origins_are_kept_only_where_they_count():
    fields = {
        "phase": "complete", "control": {"Normans": "A", "Magyars": None, "Danes": None, "Norwegians": None},
        "piles": {"A": ["N1"]}, "regions": {"Poland": [[2, 0], [0, 0]]}, "route_hands": {"A": ["R1"]},
    }  # fmt: skip
    assert filled(fields, pack=FEW)["origins"]["Normans"] == []
    assert filled(fields, pack=FEW, R_ROUTE_ORIGIN="from_kingdom")["origins"]["Normans"] == ["Poland"]


WRONG = [
    ({"kingdoms": {"Normans": [[25, 0], [0, 0]]}}, "no cards explain"),
    ({"kingdoms": {"Normans": [[1, 3], [0, 0]]}}, "no cards explain"),
    ({"kingdoms": {"Normans": [[1, 0]]}}, "1 pairs"),
    ({"kingdoms": {"Atlantis": [[1, 0], [0, 0]]}}, "Atlantis"),
    ({"tokens": {"Poland": 9}}, "no cards explain"),
    ({"tokens": {"Atlantis": 1}}, "Atlantis"),
    ({"phase": "complete", "regions": {"Poland": [[3, 0], [0, 0]]}}, "no cards explain"),
    ({"phase": "complete", "control": {"Saxons": "A"}, "regions": {"Poland": [[3, 0], [0, 0]]}}, "no cards explain"),
    ({"piles": {"A": ["DN2"]}, "tokens": {"Poland": 0}}, "no cards explain"),
    ({"round": 2, "infamy": {"A": 29}, "group": 1}, "no cards explain"),
    ({"hands": {"A": ["XX1"]}}, "XX1"),
    ({"hands": {"C": ["NM1"]}}, "unknown seat 'C'"),
    ({"hands": ["NM1"]}, "hands"),
    ({"round": 4}, "round 4"),
    ({"round": 2, "reserve": {"A": 31}}, "31 in reserve"),
    ({"round": 2, "infamy": {"A": 31}}, "no cards explain|31 Infamy"),
    ({"round": 2, "taken": {"A": 9, "B": 9}}, "tokens left over"),
    ({"colour": "red"}, "colour"),
    ({"control": {"Normans": "C"}}, "unknown seat 'C'"),
    ({"routes_done": {"A": ["T99"]}}, "T99"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "what"), WRONG, ids=lambda part: str(part)[:50])
def test_what_cannot_be_completed_is_refused_and_named(fields, what):
    with pytest.raises(BadInput, match=what):
        fill(game(), fields)


@pytest.mark.parametrize(
    "case", [case for case in load_cases("northmen") if case.data.given.position], ids=lambda case: case.id
)
def test_positions_of_cases_are_filled_in_the_same_each_time(case):
    made = make_game(
        "northmen", case.pack, room("northmen").catalogue.book.choose(case.data.given.rulings), case.data.given.players
    )
    first = fill(made, case.data.given.position)
    assert fill(made, case.data.given.position) == first


SHOWN = {
    "rally": ("round", "phase", "seat", "group", "card"),
    "march": ("round", "phase", "seat", "group", "kingdoms", "regions", "control", "times", "kingdom", "second_pass",
              "region", "armies", "fleets", "either", "led", "piles", "infamy", "tokens"),
    "planning": ("round", "phase", "seat", "infamy", "held", "drawn", "kept", "pairs"),
}  # fmt: skip
PART = {
    "play": "rally", "hire": "rally", "draw": "rally", "delay": "march", "march": "march", "buy": "planning",
    "keep": "planning", "hold": "planning",
}  # fmt: skip


@PLAYERS
@pytest.mark.parametrize("seed", range(4))
def test_positions_of_play_are_completed_again_from_what_matters(players, seed):
    made, random = game(players), Random(seed)
    position, seen = made.start(), set()
    while made.actor(position) != OVER:
        plenty = min(position.reserve) >= 3  # with less, cards may have brought less than they show
        if plenty and position.phase in PART and random.random() < 0.1:
            record = made.record(position)
            fields = {name: record[name] for name in SHOWN[PART[position.phase]]}
            if PART[position.phase] == "rally":
                fields["kingdoms"] = {
                    name: record["kingdoms"][name] for name in random.sample(sorted(record["kingdoms"]), 2)
                }
            if PART[position.phase] == "planning":
                planned = [
                    (n - position.leader) % players < (position.seat - position.leader) % players
                    for n in range(players)
                ]
                fields["hands"] = {
                    name: record["hands"][name] for name, done in zip(made.seats, planned, strict=True) if done
                }
                fields["hands"][record["seat"]] = record["held"]
            again = made.position(fill(made, fields))
            assert [b.clause for b in made.broken_invariants(again)] == [], fields
            seen.add(PART[position.phase])
        position = made.apply(position, random.choice(made.legal(position)))
    assert seen == set(SHOWN)
