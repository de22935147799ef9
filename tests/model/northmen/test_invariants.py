"""Records that no play of Northmen leads to are refused, each by its invariant; those from play are not."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.play import Rare, steps, uniform
from lawspeaker.model.northmen import automaton, invariants
from lawspeaker.model.northmen.pack import NorthmenPack
from lawspeaker.model.northmen.room import CATALOGUE, ROOM, build
from lawspeaker.properties.northmen_packs import packs, small_packs

BOOK = CATALOGUE.book
PACK = ROOM.load_pack(ROOM.default_pack)
Record = dict[str, Any]
Change = Callable[[Record], object]


@cache
def northmen(ruling: str = "", players: int = 3) -> AnyGame:
    return build(PACK, BOOK.parse(ruling.split()), players)


Test = Callable[[Any], bool]


@cache
def _play(ruling: str, seed: int) -> tuple[Any, ...]:
    game = northmen(ruling)
    policy = Rare() if seed % 2 else uniform
    return (game.start(), *(step.after for step in steps(game, seed, policy)))


def found(test: Test, ruling: str = "") -> Record:
    """The record of the first position along play that a test holds for."""
    for seed in range(40):
        for position in _play(ruling, seed):
            if test(position):
                return northmen(ruling).record(position)
    raise AssertionError("no such position")


def broken(plain: Record, ruling: str = "") -> set[str]:
    game = northmen(ruling)
    return {breach.clause for breach in game.broken_invariants(game.position(plain))}


def at(phase: str, number: int = 1) -> Test:
    return lambda p: p.phase == phase and p.round == number


def in_march(p: Any) -> bool:
    """A march in which cubes have been sent and some are left."""
    return p.phase == "march" and bool(p.armies + p.fleets + p.either)


def held(p: Any) -> bool:
    return p.phase == "complete" and p.round == 1 and any(p.taken) and any(p.tokens)


def bought(p: Any) -> bool:
    return p.phase == "buy" and p.round == 2 and bool(p.route_bottom) and bool(p.route_deck)


def both(*changes: Change) -> Change:
    def change(plain: Record) -> None:
        for one in changes:
            one(plain)

    return change


def move(source: list[Any], target: list[Any]) -> None:
    target.append(source.pop())
    target.sort()


def first(amounts: dict[str, Any], test: Callable[[Any], Any] = bool) -> str:
    return next(key for key, value in amounts.items() if test(value))


def add(plain: Record, field: str, key: str, more: int) -> None:
    plain[field][key] += more


def cube(plain: Record, field: str, place: str, seat: str, more: int = 1) -> None:
    """Move cubes of a seat between its reserve and a place."""
    plain[field][place][list(plain["hands"]).index(seat)][0] += more
    plain["reserve"][seat] -= more


def hero(plain: Record, field: str, place: str, seat: str) -> None:
    plain[field][place][list(plain["hands"]).index(seat)][1] += 1
    plain["heroes"][seat] -= 1


def empty_region(plain: Record) -> str:
    return first(plain["regions"], lambda rows: not any(map(any, rows)))


def owned(plain: Record) -> str:
    return first(plain["control"], lambda seat: seat is not None)


def swap_hands(plain: Record) -> None:
    seat = plain["seat"]
    other = next(s for s in plain["hands"] if s != seat)
    move(plain["hands"][seat], plain["hands"][other])


def wrong_top(plain: Record) -> None:
    seat = first(plain["tops"])
    plain["tops"][seat] = plain["deck"][0]


def someone_else(plain: Record) -> str:
    seats: list[str] = list(plain["hands"])
    return seats[(seats.index(plain["seat"]) + 1) % len(seats)]


def foreign_cube(plain: Record) -> None:
    """Put a cube of another seat into the Kingdom whose turn it is."""
    cube(plain, "kingdoms", plain["kingdom"], someone_else(plain))


def other_holder(plain: Record) -> None:
    region = first(plain["regions"], lambda rows: any(row[0] for row in rows))
    seat = next(s for s, row in zip(plain["hands"], plain["regions"][region], strict=True) if not any(row))
    cube(plain, "regions", region, seat)


def leave_tokens(plain: Record) -> None:
    region = first(plain["regions"], lambda rows: any(row[0] for row in rows))
    seat = first(plain["taken"])
    plain["taken"][seat] -= 1
    plain["tokens"][region] += 1


def stranger_route(plain: Record) -> None:
    plain["asked"] = plain["route_deck"][0]


def chosen_early(plain: Record) -> None:
    seat = someone_else(plain)
    plain["chosen"][seat] = plain["route_hands"][seat][:1]


def token_elsewhere(plain: Record) -> None:
    region = first(plain["tokens"])
    other = next(name for name in plain["tokens"] if name != region)
    plain["tokens"][region] -= 1
    plain["tokens"][other] += 1


def give_route(plain: Record) -> None:
    plain["route_hands"]["A"].append(plain["route_deck"].pop())


def kept_back(plain: Record) -> None:
    """A card of the row goes back under the deck."""
    move(plain["row"], plain["deck"])


def one_draw_more(plain: Record) -> None:
    move(plain["deck"], plain["hands"][plain["seat"]])


def infamy_for_cube(plain: Record) -> None:
    plain["infamy"]["A"] += 1
    plain["reserve"]["A"] -= 1


def time_on_another(plain: Record) -> None:
    kingdom = first(plain["control"], lambda seat: seat is not None)
    other = next(seat for seat in plain["hands"] if seat != plain["control"][kingdom])
    plain["times"] = {seat: kingdom if seat == other else None for seat in plain["hands"]}


def controls_without_card(plain: Record) -> None:
    suits = {card.id: card.kingdom for card in PACK.cards}  # type: ignore[attr-defined]
    for kingdom, seat in plain["control"].items():
        strangers = [s for s in plain["hands"] if not any(suits[c] == kingdom for c in plain["piles"][s])]
        if seat is None and strangers:
            plain["control"][kingdom] = strangers[0]
            return
    raise AssertionError("no Kingdom without a controller")


def too_many_sent(plain: Record) -> None:
    plain["fleets"] += 9


def reserve_was_full(plain: Record) -> None:
    kingdom = first(plain["kingdoms"], lambda rows: rows[0][0])
    cube(plain, "kingdoms", kingdom, "A", -1)


def unhired(plain: Record) -> None:
    kingdom = first(plain["kingdoms"], lambda rows: not rows[0][0])
    hero(plain, "kingdoms", kingdom, "A")


def ended_early(plain: Record) -> None:
    """A token that was placed goes back, and so does its card."""
    names = {card.id: card.region for card in PACK.cards}  # type: ignore[attr-defined]
    for seat, pile in plain["piles"].items():
        for card in pile:
            region = names[card]
            if region and plain["tokens"][region] and card != plain["tops"][seat]:
                plain["tokens"][region] -= 1
                plain["group"] += 1
                pile.remove(card)
                plain["deck"] = sorted([*plain["deck"], card])
                return
    raise AssertionError("no token to take back")


def nobody_left(plain: Record) -> None:
    """The Kingdoms that have marched have left no trace."""
    for rows in plain["regions"].values():
        for seat, row in zip(plain["hands"], rows, strict=True):
            plain["reserve"][seat] += row[0]
            plain["heroes"][seat] += row[1]
            row[:] = [0, 0]


def no_reserve(plain: Record) -> None:
    seat = first(plain["times"])
    plain["infamy"][seat] += plain["reserve"][seat]
    plain["reserve"][seat] = 0


def sure_in_march(p: Any) -> bool:
    """A march of the first round in which a seat has many cubes left, some of them on the board."""
    return bool(p.phase == "march" and p.round == 1 and p.reserve[p.seat] > 17)


def pay_in(plain: Record, kind: int) -> None:
    """Exchange a cube of the seat on turn between its reserve and its Infamy, or the board."""
    seat, index = plain["seat"], list(plain["hands"]).index(plain["seat"])
    plain["reserve"][seat] += 1
    if kind:
        plain["infamy"][seat] -= 1
    else:
        plain["kingdoms"][plain["kingdom"]][index][0] -= 1


def sure_loser(p: Any) -> bool:
    return p.phase == "delay" and p.round == 1 and min(p.reserve) > 16 and bool(_weaker(northmen().record(p)))


def _weaker(plain: Record) -> list[tuple[str, str]]:
    """Kingdoms to march with a seat that has fewer symbols there than the controller."""
    data = {card.id: card for card in PACK.cards}  # type: ignore[attr-defined]
    found = []
    for kingdom, owner in plain["control"].items():
        worth = {
            seat: sum(data[c].soldiers + data[c].ships for c in pile if data[c].kingdom == kingdom)
            for seat, pile in plain["piles"].items()
        }
        weak = [seat for seat, value in worth.items() if owner and 0 < value < worth[owner]]
        waits = any(map(any, plain["kingdoms"][kingdom]))
        found += [(kingdom, seat) for seat in weak if waits and kingdom != plain["kingdom"]]
    return found


def the_weaker_controls(plain: Record) -> None:
    kingdom, seat = _weaker(plain)[0]
    owner, index = plain["control"][kingdom], list(plain["hands"]).index(seat)
    back = plain["kingdoms"][kingdom][list(plain["hands"]).index(owner)]
    plain["infamy"][owner] += back[0]
    plain["heroes"][owner] += back[1]
    back[:] = [0, 0]
    plain["control"][kingdom] = seat
    plain["kingdoms"][kingdom][index][0] += 1
    plain["infamy"][seat] -= 1


MARCHED = "R_ROUTE_ORIGIN=from_kingdom"
IMPOSSIBLE: dict[str, tuple[str, Test, Change, str]] = {
    "a cube too many": ("I01", at("play"), lambda r: add(r, "reserve", "A", 1), ""),
    "a Hero too few": ("I02", at("play"), lambda r: add(r, "heroes", "B", -1), ""),
    "a token too many": ("I03", at("play", 2), lambda r: add(r, "taken", "A", 1), ""),
    "a card lost": ("I04", at("play"), lambda r: r["deck"].pop(), ""),
    "a card twice": ("I04", at("play"), lambda r: r["row"].__setitem__(0, r["deck"][0]), ""),
    "a route lost": ("I05", at("play"), lambda r: r["route_deck"].pop(), ""),
    "two cards face up": ("I06", at("play"), kept_back, ""),
    "a short hand at the start": ("I07", at("play"), lambda r: move(r["hands"]["B"], r["deck"]), ""),
    "a card drawn too early": ("I08", at("hire"), one_draw_more, ""),
    "a card in another hand": ("I08", at("play", 2), swap_hands, ""),
    "a token of no card": (
        "I09", at("draw"), both(lambda r: r.update(group=r["group"] - 1), lambda r: add(r, "tokens", "Poland", 1)), "",
    ),
    "the last token lies": (
        "I10", at("draw", 2), both(lambda r: add(r, "tokens", "Poland", r["group"]), lambda r: r.update(group=0)), "",
    ),
    "a cube without a symbol": ("I11", at("draw"), lambda r: cube(r, "kingdoms", first(r["kingdoms"]), "A", 9), ""),
    "a symbol without a cube": ("I11", lambda p: p.phase == "play" and p.cubes[0][0] > 0, reserve_was_full, ""),
    "a Hero without a card": ("I12", at("draw"), unhired, ""),
    "a cube marched in Rally": ("I13", at("draw"), lambda r: cube(r, "regions", "Poland", "A"), ""),
    "a stranger in a Kingdom": ("I15", at("delay", 2), foreign_cube, ""),
    "control without pieces": ("I15", at("complete"), lambda r: cube(r, "kingdoms", owned(r), "A"), ""),
    "cubes where no march led": ("I20", at("complete"), lambda r: cube(r, "regions", empty_region(r), "A", 20), ""),
    "more cubes than ships": ("I21", at("complete"), lambda r: cube(r, "regions", empty_region(r), "A", 20), ""),
    "two colours after battles": ("I22", at("complete"), other_holder, ""),
    "tokens not collected": ("I24", held, leave_tokens, ""),
    "a cube left behind": ("I25", at("buy"), lambda r: cube(r, "regions", "Poland", "A"), ""),
    "a cube left in a Kingdom": ("I25", at("deal", 2), lambda r: cube(r, "kingdoms", first(r["kingdoms"]), "A"), ""),
    "a Time Token on another's": ("I26", at("complete"), time_on_another, ""),
    "a card too many shuffled in": ("I30", at("play", 2), lambda r: move(r["hands"]["A"], r["deck"]), ""),
    "a third route for nothing": ("I32", at("play"), give_route, ""),
    "control without a card": ("I33", at("complete"), controls_without_card, ""),
    "a route asked about in Rally": ("I35", at("play"), lambda r: r.update(asked=r["route_hands"]["A"][0]), ""),
    "nobody on turn": ("I35", at("play"), lambda r: r.update(seat=None), ""),
    "a fourth round": ("I35", at("play", 3), lambda r: r.update(round=4), ""),
    "the end in round 2": ("I35", at("over", 3), lambda r: r.update(round=2), ""),
    "planning that is left out": ("I35", at("buy", 2), lambda r: r.update(round=3), "R_R3_PLAN=skipped"),
    "the Leader Token not passed": ("I36", at("play", 2), lambda r: r.update(leader="A"), ""),
    "out of turn": ("I36", at("play", 2), lambda r: r.update(seat=someone_else(r)), ""),
    "dealt out of turn": ("I36", at("deal", 2), lambda r: r.update(seat="A"), ""),
    "two turns in a row": ("I37", at("play", 2), lambda r: move(r["deck"], r["piles"]["A"]), ""),
    "a top card of no pile": ("I38", at("complete"), wrong_top, ""),
    "routes before the row": ("I39", at("routes"), kept_back, ""),
    "a card on no pile": ("I40", at("hire"), lambda r: r.update(card=r["deck"][0]), ""),
    "cubes short of a full reserve": ("I40", at("draw"), lambda r: r.update(placed=0), ""),
    "a Hero for nothing": (
        "I40", at("hire"), both(lambda r: add(r, "infamy", r["seat"], -3), lambda r: add(r, "reserve", r["seat"], 3)),
        "",
    ),
    "a delay not paid for": ("I41", at("delay", 2), lambda r: r["times"].update({r["seat"]: r["kingdom"]}), ""),
    "a second pass without a token": ("I41", in_march, lambda r: r.update(second_pass=True), ""),
    "more Fleets than ships": ("I42", in_march, too_many_sent, ""),
    "a march with nothing to decide": (
        "I42", in_march, lambda r: r.update(region="Poland" if r["region"] != "Poland" else "Finland"), "",
    ),
    "a march that left no trace": ("I43", lambda p: p.phase == "delay" and any(map(any, p.cubes[7:])), nobody_left, ""),
    "cubes of no origin": (
        "I44", at("complete"), lambda r: r["origins"].update({k: [] for k in r["origins"]}), MARCHED,
    ),
    "another's route asked about": ("I45", at("complete"), stranger_route, ""),
    "a choice before the question": ("I45", at("complete"), chosen_early, ""),
    "one route for a pair": ("I46", at("keep"), lambda r: move(r["drawn"], r["route_deck"]), ""),
    "a held card of another": ("I46", at("hold"), lambda r: r.update(held=[r["deck"][0]]), ""),
    "a discard before the turn": ("I47", at("buy"), lambda r: move(r["hands"][r["seat"]], r["discard"]), ""),
    "a purchase without a rest": ("I48", bought, lambda r: move_bottom(r), ""),
    "a token in another region": ("I49", lambda p: p.phase == "draw" and any(p.tokens), token_elsewhere, ""),
    "plunder before battles": (
        "I50", lambda p: p.round == 1 and p.phase == "draw" and any(p.tokens), lambda r: add(r, "taken", "A", 1), "",
    ),
    "Infamy before battles": ("I50", at("play"), infamy_for_cube, ""),
    "plunder of another": ("I51", held, lambda r: add(r, "taken", first(r["taken"]), -1), ""),
    "tokens out of the game": (
        "I52", at("play", 2), both(lambda r: r.update(unplaced=1), lambda r: add(r, "taken", first(r["taken"]), -1)),
        "",
    ),
    "a Rally Phase cut short": ("I52", at("delay"), ended_early, ""),
    "a delay for nothing": ("I26", lambda p: p.phase == "march" and max(p.times) >= 0, no_reserve, ""),
    "Infamy out of nowhere": ("I50", sure_in_march, lambda r: pay_in(r, 1), ""),
    "cubes lost on the march": ("I53", sure_in_march, lambda r: pay_in(r, 0), ""),
    "the weaker controls": ("I54", sure_loser, the_weaker_controls, ""),
}  # fmt: skip


def move_bottom(plain: Record) -> None:
    plain["route_deck"] = sorted([*plain["route_deck"], plain["route_bottom"].pop()[0]])


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_position_that_cannot_be_is_named(name: str) -> None:
    invariant, test, change, ruling = IMPOSSIBLE[name]
    plain = found(test, ruling)
    assert broken(plain, ruling) == set()
    change(plain)
    assert invariant in broken(plain, ruling)


def test_each_invariant_is_provoked_and_has_a_title() -> None:
    provoked = {invariant for invariant, _, _, _ in IMPOSSIBLE.values()}
    assert provoked == set(invariants.IDS) - {"I14"}
    assert set(invariants.TITLES) == set(invariants.IDS) and all(invariants.TITLES.values())
    assert set(automaton.CHECKS) < set(invariants.IDS)


def test_no_amount_is_negative() -> None:
    """A record cannot say so; a rule that pays out more than there is can."""
    game = northmen()
    faulty = game.varied(law=game.law.replace(hero_price=lambda: 30))
    seen = {b.clause for s in steps(faulty, 0, Rare(), limit=200) for b in faulty.broken_invariants(s.after)}
    assert "I14" in seen


# -- positions from play --------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_play_breaks_none_under_any_ruling(players: int) -> None:
    for number, choice in enumerate((*BOOK.singles(), *list(BOOK.pairs())[players::29])):
        game = build(PACK, choice, players)
        policy = Rare() if number % 2 else uniform
        for n, step in enumerate(steps(game, number, policy)):
            if (n + number) % 4 == 0:
                said = [game.words(breach) for breach in game.broken_invariants(step.after)]
                assert said == [], f"{choice.text()}: step {n}, {game.text(step.action)}"


@given(
    pack=st.one_of(small_packs(), small_packs(10, 3), small_packs(15, 4), small_packs(30, 9), packs(any_reading=True)),
    players=st.integers(2, 4),
    seed=st.integers(0, 10**6),
)
def test_play_with_any_box_breaks_none(pack: NorthmenPack, players: int, seed: int) -> None:
    random = Random(seed)
    chosen = {name: random.choice(BOOK[name].values) for name in BOOK.choose() if random.random() < 0.3}
    game = build(pack, BOOK.choose(chosen), players)
    for step in steps(game, seed):
        said = [game.words(breach) for breach in game.broken_invariants(step.after)]
        assert said == [], f"{chosen}: {game.text(step.action)}"
