"""Refusals: the law clause by clause against the legal list, and by name what the book's sentences refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from lawspeaker.model.core.contract import CHANCE, OVER, Breach
from lawspeaker.model.northmen import actions as act
from lawspeaker.model.northmen.pack import NorthmenPack
from lawspeaker.model.northmen.position import Position
from lawspeaker.model.northmen.room import CATALOGUE, ROOM
from lawspeaker.properties.northmen_packs import packs

PACK = ROOM.load_pack(ROOM.default_pack)
SINGLES = list(CATALOGUE.book.singles())
BEARING = (
    "SN-RALLY-03", "SN-RALLY-09", "SN-RALLY-16", "SN-RALLY-17", "SN-SETUP-02", "SN-MARCH-01", "SN-MOVE-02",
    "SN-MOVE-03", "SN-MOVE-04", "SN-MOVE-06", "SN-MOVE-07", "SN-MOVE-09", "SN-MOVE-10", "SN-MOVE-11", "SN-MOVE-12",
    "SN-MOVE-13", "SN-DELAY-03", "SN-DELAY-05", "SN-TRADE-03", "SN-PLAN-03", "SN-PLAN-05", "SN-PLAN-06",
)  # fmt: skip
"""Clauses without which other actions are legal."""
WHO = {"action", "phase", "by", "turn", "kingdom"}
"""What a seat that is not to act is told: its own attempt, and who acts, for which Kingdom."""
A, B = 0, 1


@cache
def build(players: int = 2, **chosen: str) -> Any:
    """Northmen with the estimated pack under these values and defaults."""
    return ROOM.build(PACK, CATALOGUE.book.choose(chosen), players)


def playout(game: Any, seed: int) -> Iterator[Position]:
    """Each position of a random game."""
    random, position = Random(seed), game.start()
    yield position
    while game.actor(position) != OVER:
        position = game.apply(position, random.choice(game.legal(position)))
        yield position


def sampled(game: Any, seed: int, every: int) -> Iterator[Position]:
    """Of each phase of a random game the first position and one in so many of the others."""
    met: dict[str, int] = {}
    for position in playout(game, seed):
        number = met[position.phase] = met.get(position.phase, -1) + 1
        if number % every == 0:
            yield position


def agree(game: Any, position: Position) -> set[str]:
    """Compare law and legal list over the whole alphabet; return the clauses that refused something."""
    tried, legal = list(game.alphabet(position)), set(game.legal(position))
    assert len(set(tried)) == len(tried) and legal <= set(tried)
    cited = set()
    for action in tried:
        broken = game.breaches(position, action)
        told = f"{game.text(action)} in phase {position.phase}: {broken}"
        assert (not broken) == (action in legal), told
        for breach in broken:
            assert game.words(breach)
            cited.add(breach.clause)
    return cited


# -- agreement ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", ROOM.players)
def test_law_and_legal_list_agree_under_every_ruling_by_itself(players: int) -> None:
    cited = set()
    for number, rulings in enumerate(SINGLES):
        game = ROOM.build(PACK, rulings, players)
        for position in sampled(game, 100 * players + number, 25):
            cited |= agree(game, position)
    for clause in ("RALLY-03", "RALLY-17", "MOVE-09", "MOVE-10", "MOVE-11", "MOVE-12", "MOVE-13", "DELAY-05"):
        assert f"SN-{clause}" in cited
    for clause in ("TRADE-02", "PLAN-03", "PLAN-04", "PLAN-06", "ROUND-02", "OURS-ORDER", "OURS-CHANCE"):
        assert f"SN-{clause}" in cited


@pytest.mark.parametrize("clause", BEARING)
def test_law_and_legal_list_agree_when_a_clause_is_dropped(clause: str) -> None:
    game = build()
    for position in sampled(game.varied(law=game.law.without([clause])), 7, 20):
        agree(game.varied(law=game.law.without([clause])), position)


def test_law_and_legal_list_agree_under_rulings_drawn_together() -> None:
    random = Random(11)
    for seed in range(12):
        chosen = {ruling.id: random.choice(ruling.values) for ruling in CATALOGUE.rulings}
        game = ROOM.build(PACK, CATALOGUE.book.choose(chosen | {"R_STUCK": "to_infamy", "R_NO_CARD": "end"}), 4)
        for position in sampled(game, seed, 25):
            agree(game, position)


MARCHES = [{}, {"R_MUST_MOVE": "may"}, {"R_HERO_STAY": "may"}, {"R_LANDLOCK": "examples"}, {"R_BULGARIA": "kingdom"}]
"""Rulings that bear on where pieces may go."""


@given(data=st.data(), pack=packs(any_reading=True), chosen=st.sampled_from(MARCHES))
def test_law_and_legal_list_agree_on_marches_over_drawn_maps(
    data: st.DataObject, pack: NorthmenPack, chosen: dict[str, str]
) -> None:
    game: Any = ROOM.build(pack, CATALOGUE.book.choose(chosen), 2)
    kingdom = data.draw(st.integers(0, 6))
    suit = [n for n, card in enumerate(pack.cards) if card.kingdom == pack.kingdoms[kingdom].id]
    pile = data.draw(st.sets(st.sampled_from(suit), min_size=1, max_size=4))
    symbols = sum(pack.cards[n].value for n in pile)
    more = 2 if "R_MUST_MOVE" in chosen else 0  # cubes that stayed in the round before
    cubes, heroes = data.draw(st.integers(1, symbols + more)), data.draw(st.integers(0, 2))
    position = replace(
        game.start(), phase="delay", seat=A, kingdom=kingdom, piles=(sum(1 << n for n in pile), 0),
        cubes=placed(kingdom, cubes), heroes=placed(kingdom, heroes),
        control=tuple(A if n == kingdom else -1 for n in range(7)),
    )  # fmt: skip
    position = game.begin_march(position)
    while position.phase == "march" and position.kingdom == kingdom:
        legal = game.legal(position)
        for action in game.alphabet(position):
            if isinstance(action, act.Send):
                assert (action in legal) == (not game.breaches(position, action)), game.text(action)
        position = game.apply(position, data.draw(st.sampled_from(legal)))


def placed(place: int, pieces: int) -> tuple[tuple[int, int], ...]:
    """So many pieces of seat A at one of the 16 places, none elsewhere."""
    return tuple((pieces if n == place else 0, 0) for n in range(16))


def test_a_wrong_table_shows_as_a_disagreement() -> None:
    game = build(3).varied()
    reach = game.tables.reach
    game.tables.reach = type(reach)(reach.armies, (511,) * 7, (511,) * 7, reach.neutral)  # Fleets get inland
    with pytest.raises(AssertionError, match="send"):
        for position in playout(game, 5):
            if position.phase == "march":
                agree(game, position)


def test_the_alphabet_is_small_and_the_same_each_time() -> None:
    game, sizes = build(4), []
    for position in sampled(game, 3, 10):
        tried = list(game.alphabet(position))
        assert tried == list(game.alphabet(position))
        sizes.append(len(tried))
    assert sum(sizes) / len(sizes) < 400


# -- secrets ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", ROOM.players)
def test_who_is_not_to_act_is_told_who_is_and_nothing_else(players: int) -> None:
    game = build(players)
    for position in sampled(game, players, 30):
        actor = game.actor(position)
        for by in {CHANCE, *range(players)} - {actor}:
            for action in game.alphabet(position):
                broken = game.breaches(position, action, by)
                assert broken
                assert actor == OVER or {f.name for b in broken for f in b.facts} <= WHO


@pytest.mark.parametrize("players", ROOM.players)
def test_refusals_are_the_same_in_worlds_that_a_seat_cannot_tell_apart(players: int) -> None:
    game, random, differing = build(players), Random(1), 0
    for position in sampled(game, 40 + players, 20):
        for seat in range(players):
            world = game.worlds(position, seat, random)
            differing += world != position
            for action in game.alphabet(position):
                assert game.breaches(position, action, seat) == game.breaches(world, action, seat), game.text(action)
    assert differing > 20


# -- named refusals -------------------------------------------------------------------------------------


def refused(game: Any, position: Position, text: str, by: int | None = None) -> dict[str, Breach]:
    """What an attempt breaks, by clause."""
    return {breach.clause: breach for breach in game.breaches(position, game.parse(text), by)}


def facts_of(breach: Breach) -> dict[str, Any]:
    return {fact.name: fact.value for fact in breach.facts}


def at(game: Any, phase: str, where: Callable[[Position], bool] = lambda p: True) -> Position:
    """The first position of this phase in random games that is as wanted."""
    for number in range(30):
        for position in playout(game, number):
            if position.phase == phase and where(position):
                return position
    raise AssertionError(f"no position of phase {phase}")


def card_in(game: Any, cards: int) -> str:
    return str(game.tables.names.cards[cards.bit_length() - 1])


def magyars(game: Any, next_region: str, cubes: int = 6, heroes: int = 2, **more: Any) -> Position:
    """The example of the march: four Armies, two Fleets and two Heroes of seat A; *next_region* is asked about."""
    names = game.tables.names
    pile = sum(1 << names.card[card] for card in ("MG4", "MG5", "MG6"))
    start: Position = game.start()
    return replace(
        start, phase="march", seat=A, kingdom=2, control=(-1, -1, A, -1, B, -1, -1), cubes=placed(2, cubes),
        heroes=placed(2, heroes), piles=(pile, 0), region=names.place[next_region] - 7, **more,
    )  # fmt: skip


def test_turns_pass_to_the_left_in_rally() -> None:
    game = build(3)
    first = at(game, "play")
    assert set(refused(game, first, "hire", B)) == {"SN-RALLY-01", "SN-LEADER-01"}
    second = at(game, "play", where=lambda p: p.seat == B)
    passed = refused(game, second, "draw", A)
    assert set(passed) == {"SN-RALLY-01", "SN-RALLY-19"}
    assert passed["SN-RALLY-19"].fact("by") == "A" and passed["SN-RALLY-19"].fact("turn") == "B"
    assert set(refused(game, second, "draw", 2)) == {"SN-RALLY-01"}


def test_only_cards_of_the_hand_are_played_and_the_refusal_hides_where_a_card_is() -> None:
    game = build()
    position = at(game, "play")
    for elsewhere in (position.hands[1 - position.seat], position.deck, position.row):
        card = card_in(game, elsewhere)
        broken = refused(game, position, f"play {card}")
        assert set(broken) == {"SN-RALLY-03"}
        assert facts_of(broken["SN-RALLY-03"]) == {"by": "A", "card": card}


def test_steps_of_a_turn_come_in_order() -> None:
    game = build()
    position = at(game, "play")
    assert set(refused(game, position, "draw")) == {"SN-RALLY-02"}
    assert set(refused(game, position, "hire")) == {"SN-RALLY-02"}
    assert set(refused(game, position, "buy 1")) == {"SN-ROUND-02"}
    assert set(refused(game, position, "complete T01")) == {"SN-ROUND-02", "SN-ROUTE-03"}
    assert set(refused(game, position, "deal NM1")) == {"SN-OURS-CHANCE"}


def test_a_hero_takes_three_infamy_a_hero_and_cubes_just_placed() -> None:
    game = build()
    position = at(game, "hire")
    assert not refused(game, position, "hire")
    poor = refused(game, replace(position, infamy=(2, 2)), "hire")
    assert set(poor) == {"SN-RALLY-09"}
    assert facts_of(poor["SN-RALLY-09"]) | {"price": 3, "infamy": 2, "heroes": 3} == facts_of(poor["SN-RALLY-09"])
    assert set(refused(game, replace(position, supply=(0, 0)), "hire")) == {"SN-SETUP-02"}
    bare = replace(position, placed=0)
    assert set(refused(game, bare, "hire")) == {"SN-HERO-01"}
    assert refused(game, bare, "hire")["SN-HERO-01"].fact("cubes") == 0
    assert not refused(build(R_HERO_ZERO="card_kingdom"), bare, "hire")
    late = at(game, "draw", where=lambda p: p.infamy[p.seat] < 3)
    assert set(refused(game, late, "hire")) == {"SN-RALLY-02", "SN-RALLY-09"}


def test_cards_are_drawn_from_the_row_or_from_a_deck_that_has_some() -> None:
    game = build()
    position = at(game, "draw")
    card = card_in(game, position.hands[position.seat])
    broken = refused(game, position, f"take {card}")["SN-RALLY-17"]
    row = tuple(name for n, name in enumerate(game.tables.names.cards) if position.row >> n & 1)
    assert facts_of(broken) == {"card": card, "row": row} and len(row) == 3
    empty = refused(game, replace(position, deck=0), "draw")
    assert set(empty) == {"SN-RALLY-16"} and empty["SN-RALLY-16"].fact("deck") == 0


def test_chance_deals_what_is_in_the_deck_and_makes_no_decision() -> None:
    game = build()
    position = at(game, "deal", where=lambda p: p.hands[A] != 0)
    assert set(refused(game, position, f"deal {card_in(game, position.hands[A])}")) == {"SN-OURS-CHANCE"}
    assert set(refused(game, position, f"turn {card_in(game, position.deck)}")) == {"SN-OURS-CHANCE"}
    assert set(refused(game, position, "done", A)) == {"SN-OURS-CHANCE"}
    assert set(refused(game, at(game, "play"), "draw", CHANCE)) == {"SN-OURS-CHANCE"}
    under = replace(at(game, "buying"), route_deck=0, route_bottom=((4, A), (2, B)))
    assert not refused(game, under, "route T05")
    assert set(refused(game, under, "route T03")) == {"SN-OURS-CHANCE"}


def test_armies_go_where_the_kingdom_borders_and_fleets_to_the_sea() -> None:
    game = build()
    poland = refused(game, magyars(game, "Poland"), "send Poland 5+0")
    assert set(poland) == {"SN-MOVE-09", "SN-MOVE-13"}
    assert facts_of(poland["SN-MOVE-09"])["soldiers"] == 4 and poland["SN-MOVE-09"].fact("cubes") == 5
    ireland = refused(game, magyars(game, "Ireland"), "send Ireland 3+0")
    assert set(ireland) == {"SN-MOVE-10", "SN-MOVE-11"}
    assert facts_of(ireland["SN-MOVE-11"]) | {"ships": 2, "region": "Ireland"} == facts_of(ireland["SN-MOVE-11"])
    assert not refused(game, magyars(game, "Bulgaria"), "send Bulgaria 6+2")
    assert set(refused(game, magyars(game, "Bulgaria"), "send Bulgaria 7+2")) >= {"SN-CUBE-02", "SN-MOVE-09"}


def test_symbols_used_before_are_not_free_again() -> None:
    game = build()
    later = magyars(game, "Finland", cubes=2, heroes=0, armies=3, either=1)
    assert not refused(game, later, "send Finland 2+0")
    used = magyars(game, "Finland", cubes=2, heroes=0, armies=3, fleets=1)
    assert refused(game, used, "send Finland 2+0")["SN-MOVE-11"].fact("ships") == 1
    may = build(R_MUST_MOVE="may")  # two cubes have stayed before, and one symbol is left for all of them
    last = magyars(may, "Finland", cubes=3, heroes=0, either=5)
    assert not refused(may, last, "send Finland 1+0")
    assert refused(may, last, "send Finland 2+0")["SN-MOVE-11"].fact("ships") == 1
    assert (
        refused(may, magyars(may, "Poland", cubes=3, either=5), "send Poland 2+0")["SN-MOVE-09"].fact("soldiers") == 1
    )


def test_heroes_need_no_symbol_but_there_must_be_as_many() -> None:
    game = build()
    assert not refused(game, magyars(game, "Bulgaria"), "send Bulgaria 4+2")
    assert set(refused(game, magyars(game, "Bulgaria"), "send Bulgaria 4+3")) == {"SN-MOVE-12"}
    saxons = replace(magyars(game, "Poland"), kingdom=3)
    host = replace(saxons, heroes=(*saxons.heroes[:3], (2, 0), *saxons.heroes[4:]))
    assert set(refused(game, host, "send Poland 0+1")) == {"SN-MOVE-12"}


def test_the_way_of_the_example_is_free_and_each_step_of_it_legal() -> None:
    game, position = build(), magyars(build(), "Ireland")
    for text in ("Ireland 0+0", "Scotland 0+0", "Brittany 0+0", "Holy Roman Empire 0+0", "Bohemia 0+0"):
        position = game.apply(position, game.parse(f"send {text}"))
    for text in ("Poland 3+1", "Italy 0+0", "Bulgaria 1+0", "Finland 2+1"):
        agree(game, position)
        assert not refused(game, position, f"send {text}")
        position = game.apply(position, game.parse(f"send {text}"))
    assert position.phase != "march"


def test_nothing_goes_to_a_kingdom() -> None:
    game = build()
    rus = refused(game, magyars(game, "Bulgaria"), "send Rus 1+0")
    assert set(rus) == {"SN-DELAY-05", "SN-OURS-ORDER"}
    assert rus["SN-DELAY-05"].fact("region") == "Rus" and rus["SN-OURS-ORDER"].fact("next") == "Bulgaria"
    kingdom = build(R_BULGARIA="kingdom")
    assert set(refused(kingdom, magyars(kingdom, "Bulgaria"), "send Bulgaria 1+0")) == {"SN-DELAY-05"}


def test_nothing_stays_in_a_kingdom() -> None:
    game = build()
    bulgaria = magyars(game, "Bulgaria")
    for sent in range(4):  # what is left has two ships for Finland
        stuck = refused(game, bulgaria, f"send Bulgaria {sent}+0")
        assert set(stuck) == {"SN-DELAY-03", "SN-DELAY-04"}
    assert stuck["SN-DELAY-03"].fact("cubes") == 3
    assert not refused(game, bulgaria, "send Bulgaria 4+0")
    finland = magyars(game, "Finland", cubes=2, either=4)
    assert set(refused(game, finland, "send Finland 2+1")) == {"SN-DELAY-04"}
    assert not refused(build(R_HERO_STAY="may"), finland, "send Finland 2+1")
    assert not refused(build(R_MUST_MOVE="may"), bulgaria, "send Bulgaria 0+0")


def test_regions_come_in_map_order() -> None:
    game = build()
    assert set(refused(game, magyars(game, "Poland"), "send Finland 1+0")) == {"SN-OURS-ORDER"}
    assert "SN-MOVE-09" in refused(game, magyars(game, "Poland"), "send Bohemia 9+0")


def test_the_controller_moves_a_kingdom_when_its_turn_comes() -> None:
    game = build()
    position = magyars(game, "Poland")
    broken = refused(game, position, "send Poland 1+0", B)
    assert set(broken) == {"SN-MOVE-02", "SN-MOVE-01", "SN-CHART-02"}  # B has another Kingdom, not due
    assert broken["SN-MOVE-02"].fact("kingdom") == "Magyars" and broken["SN-MOVE-02"].fact("turn") == "A"
    alone = replace(position, control=(-1, -1, A, -1, -1, -1, -1))
    assert set(refused(game, alone, "send Poland 1+0", B)) == {"SN-MOVE-02"}
    card = card_in(game, position.deck)
    assert set(refused(game, position, f"play {card}")) == {"SN-ROUND-02", "SN-MARCH-01"}


def test_a_delay_takes_five_infamy_and_the_time_token_when_the_turn_begins() -> None:
    game = build()
    position = at(game, "delay")
    seat = position.seat
    assert not refused(game, position, "delay")
    poor = refused(game, replace(position, infamy=(4, 4)), "delay")
    assert set(poor) == {"SN-MOVE-04", "SN-TIME-01"}
    assert facts_of(poor["SN-MOVE-04"])["price"] == 5 and poor["SN-MOVE-04"].fact("infamy") == 4
    gone = replace(position, times=tuple(0 if n == seat else -1 for n in range(2)))
    assert set(refused(game, gone, "delay")) == {"SN-MOVE-06"}
    begun = magyars(game, "Poland", infamy=(9, 9))
    assert set(refused(game, begun, "delay")) == {"SN-MOVE-03"}
    assert set(refused(game, replace(begun, second_pass=True), "nodelay")) == {"SN-DELAY-02"}
    assert set(refused(game, position, "send Poland 1+0")) == {"SN-MARCH-03"}


def commitment(game: Any, cubes: int, heroes: int, holder: int, origin: int = 0) -> Position:
    """Seat A is asked about T07, Magyars to Bohemia, with T08 and T10 in hand too."""
    hand = 1 << 6 | 1 << 7 | 1 << 9
    start: Position = game.start()
    return replace(
        start, phase="complete", seat=A, asked=6, route_hands=(hand, 1), cubes=placed(11, cubes),
        heroes=placed(11, heroes), control=(-1, -1, holder, -1, -1, -1, -1), origins=(0, 0, origin, 0, 0, 0, 0),
    )  # fmt: skip


def test_a_route_takes_control_of_its_kingdom_and_cubes_in_its_region() -> None:
    game, clauses = build(), {"SN-TRADE-02", "SN-TRADE-03", "SN-ROUTE-04"}
    assert not refused(game, commitment(game, 1, 0, A), "complete T07")
    bare = refused(game, commitment(game, 0, 1, A), "complete T07")
    assert set(bare) == clauses
    assert facts_of(bare["SN-TRADE-03"]) == {
        "route": "T07", "kingdom": "Magyars", "region": "Bohemia", "by": "A", "control": "A", "cubes": 0, "heroes": 1,
    }  # fmt: skip
    assert not refused(build(R_ROUTE_PIECE="pieces"), commitment(game, 0, 1, A), "complete T07")
    lost = refused(game, commitment(game, 2, 0, B), "complete T07")
    assert set(lost) == clauses and lost["SN-TRADE-02"].fact("control") == "B"
    present = refused(build(R_CONTROL_SPAN="present"), commitment(game, 2, 0, A), "complete T07")
    assert set(present) == clauses and present["SN-TRADE-03"].fact("control") is None
    assert not refused(build(R_CONTROL_SPAN="present_tie"), commitment(game, 2, 0, B), "complete T07")
    origin = build(R_ROUTE_ORIGIN="from_kingdom")
    assert set(refused(origin, commitment(game, 2, 0, A), "complete T07")) == clauses
    assert not refused(origin, commitment(game, 2, 0, A, origin=1 << 4), "complete T07")


def test_routes_are_asked_about_one_by_one() -> None:
    game = build()
    position = commitment(game, 1, 0, A)
    assert not refused(game, position, "withhold T07")
    for route in ("T08", "T01", "T20"):  # of the own hand, of another, of the deck: all the same
        broken = refused(game, position, f"withhold {route}")
        assert set(broken) == {"SN-OURS-ORDER"} and broken["SN-OURS-ORDER"].fact("asked") == "T07"
    assert set(refused(game, position, "withhold T07", B)) == {"SN-TRADE-01"}
    assert set(refused(game, position, "delay")) == {"SN-MARCH-03"}


def planning(game: Any, phase: str, infamy: int, **more: Any) -> Position:
    """Seat A plans with the cards NM1 to NM6 in hand and so much Infamy."""
    usual: dict[str, Any] = {"phase": phase, "seat": A, "hands": (63, 0), "infamy": (infamy, 0)}
    start: Position = game.start()
    return replace(start, **(usual | more))


def test_a_pair_of_routes_takes_three_infamy_and_two_routes_in_the_deck() -> None:
    game, batch = build(), build(R_ROUTE_BATCH="batch")
    poor = refused(game, planning(game, "buy", 2), "buy 1")
    assert set(poor) == {"SN-PLAN-03"}
    assert facts_of(poor["SN-PLAN-03"]) | {"by": "A", "price": 3, "infamy": 2} == facts_of(poor["SN-PLAN-03"])
    short = planning(game, "buy", 9, route_deck=0, route_bottom=((4, B),))
    assert refused(game, short, "buy 1")["SN-PLAN-03"].fact("deck") == 1
    assert not refused(build(R_ROUTE_SHORT="take_one"), short, "buy 1")
    assert set(refused(game, planning(game, "buy", 9), "buy 2")) == {"SN-OURS-ORDER"}
    assert not refused(batch, planning(game, "buy", 9), "buy 3")
    assert set(refused(batch, planning(game, "buy", 9), "buy 4")) == {"SN-PLAN-03"}
    assert set(refused(batch, planning(game, "hold", 9), "buy 1")) == {"SN-PLAN-02"}
    assert set(refused(game, planning(game, "hold", 9, held=1), "buy 1")) == {"SN-OURS-ORDER"}


def test_routes_are_kept_from_those_drawn_in_card_order() -> None:
    game = build(R_ROUTE_BATCH="batch")
    position = planning(game, "keep", 0, drawn=0b11110, pairs=2)
    assert set(refused(game, position, "keep T01")) == {"SN-PLAN-04"}
    assert set(refused(game, position, "keep T05")) == {"SN-OURS-ORDER"}  # no second one would be left
    once = replace(position, kept=0b100)
    assert set(refused(game, once, "keep T02")) == set(refused(game, once, "keep T03")) == {"SN-OURS-ORDER"}
    assert not refused(game, once, "keep T05")
    assert set(refused(game, once, "done")) == {"SN-PLAN-02"}
    assert set(refused(game, planning(game, "buy", 9), "keep T01")) == {"SN-PLAN-04"}


def test_a_card_is_held_for_one_infamy_in_card_order() -> None:
    game = build()
    poor = refused(game, planning(game, "buy", 0), "hold NM1")
    assert set(poor) == {"SN-PLAN-06"}
    assert facts_of(poor["SN-PLAN-06"]) == {"by": "A", "card": "NM1", "price": 1, "infamy": 0}
    assert set(refused(game, planning(game, "buy", 5), "hold RU1")) == {"SN-PLAN-06"}
    held = planning(game, "hold", 5, held=0b100)
    assert set(refused(game, held, "hold NM2")) == set(refused(game, held, "hold NM3")) == {"SN-OURS-ORDER"}
    assert not refused(game, held, "hold NM4") and not refused(game, held, "done")
    assert set(refused(game, held, "done", B)) == {"SN-PLAN-01"}
    assert set(refused(game, held, "play NM1")) == {"SN-ROUND-02"}


def test_nothing_is_possible_when_the_game_is_over() -> None:
    game = build()
    position = at(game, "over")
    assert not game.legal(position)
    for text, by in (("done", A), ("draw", B), ("deal NM1", CHANCE)):
        broken = refused(game, position, text, by)
        assert set(broken) == {"SN-ROUND-01", "SN-END-01"} and broken["SN-END-01"].fact("action") == text


def test_a_kind_of_action_is_refused_in_every_phase_but_its_own() -> None:
    game = build()
    phases = {"delay": "delay", "hire": "hire", "buy 1": "buy", "play NM1": "play", "withhold T01": "complete"}
    met = set()
    for position in sampled(game, 2, 40):
        met.add(position.phase)
        for text, phase in phases.items():
            assert position.phase == phase or game.breaches(position, game.parse(text)), (text, position.phase)
    assert met >= set(phases.values())
