"""Claims about who controls a Kingdom and who wins a battle, asked of z3 over the pieces of one or two places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from typing import Any

import z3

from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.position import Position
from lawspeaker.model.northmen.room import LAW
from lawspeaker.solver.asking import Claim, Outcome, least, possible, require, solver

from .boxes import box, northmen, replayed
from .counts import CUBES, GROUP, HEROES, PLAYERS, SUIT, between
from .staged import Direction, Stage

NOBODY = -1
CLOCKS = ("from_leader", "to_leader")
_BOUNDS = "2 to 4 players, any Leader, 0 to 30 cubes and 0 to 3 Heroes each, both values of R_CLOCK"
_SMALL = "0 to 2 cubes (0 or 1 with 4 players) and 0 or 1 Hero each"


class Place:
    """The pieces of every seat in one place, and who wins a comparison there, all left to z3."""

    def __init__(self, name: str, players: int, leader: Any) -> None:
        self.players, self.leader = players, leader
        self.cubes = [z3.Int(f"{name}_cubes_{s}") for s in range(players)]
        self.heroes = [z3.Int(f"{name}_heroes_{s}") for s in range(players)]

    def bounds(self) -> list[Any]:
        """Say that the amounts are possible."""
        who = between([self.leader], 0, self.players - 1)
        return [*between(self.cubes, 0, CUBES), *between(self.heroes, 0, HEROES), *who]

    def distance(self, seat: int, clock: str) -> Any:
        """Return how far a seat is from the Leader, clockwise as R_CLOCK says."""
        way = seat - self.leader if clock == "from_leader" else self.leader - seat
        return z3.If(way < 0, way + self.players, way)

    def pieces(self, seat: int) -> Any:
        """Return the cubes and Heroes of a seat."""
        return self.cubes[seat] + self.heroes[seat]

    def wins(self, seat: int, clock: str) -> Any:
        """Say that a seat wins as the text has it: stage by stage, the tied ones going on to the next.

        Most pieces, of these most Heroes, of these the nearest to the Leader (SN-CTRL-01, 08, 09).
        """
        first = [self._tops(s, self.pieces, None) for s in range(self.players)]
        second = [self._tops(s, self.heroes.__getitem__, first) for s in range(self.players)]
        return self._tops(seat, lambda s: -self.distance(s, clock), second)

    def _tops(self, seat: int, amount: Any, among: Sequence[Any] | None) -> Any:
        """Say that a seat is among these and no other of them has more."""
        others = [s for s in range(self.players) if s != seat]
        best = [z3.Implies(True if among is None else among[s], amount(s) <= amount(seat)) for s in others]
        return z3.And(True if among is None else among[seat], *best)

    def colours(self) -> Any:
        """Return how many seats have a piece here."""
        return z3.Sum([z3.If(self.pieces(s) > 0, 1, 0) for s in range(self.players)])


def winner(cubes: Sequence[int], heroes: Sequence[int], leader: int, clock: str) -> int:
    """Return who wins, worked out in one comparison of triples: another way than the stages."""
    players = len(cubes)

    def rank(seat: int) -> tuple[int, int, int]:
        way = seat - leader if clock == "from_leader" else leader - seat
        return cubes[seat] + heroes[seat], heroes[seat], -(way % players)

    return max(range(players), key=rank)


def small_places(players: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield every way to have 0 to 2 cubes (0 or 1 with 4 players) and 0 or 1 Hero each."""
    for pieces in product(product(range(2 if players == 4 else 3), range(2)), repeat=players):
        yield tuple(c for c, _ in pieces), tuple(h for _, h in pieces)


def _one_winner() -> Outcome:
    cases = 0
    for players in PLAYERS:
        place = Place("k", players, z3.Int("leader"))
        for clock in CLOCKS:
            count = z3.Sum([z3.If(place.wins(s, clock), 1, 0) for s in range(players)])
            require(not possible(solver(*place.bounds(), count != 1)), "none or several win")
        cases += _agree_with_the_rules(players)
    return Outcome(
        "proven", "control and battles have exactly one winner wherever there is a piece", _BOUNDS,
        f"the triples and the rules of the model agree over {_SMALL}", cases=cases,
    )  # fmt: skip


def _agree_with_the_rules(players: int) -> int:
    """Compare stages for z3, triples and the model's rules; the stages only where z3 says it in one question."""
    cases = 0
    for cubes, heroes in small_places(players):
        colours = sum(c + h > 0 for c, h in zip(cubes, heroes, strict=True))
        for leader in range(players):
            for clock in CLOCKS:
                cases += 1
                wins = winner(cubes, heroes, leader, clock)
                if colours:
                    controls = LAW.controller(cubes, heroes, leader, clock, "none")
                    require(wins == controls == LAW.controller(cubes, heroes, leader, clock, "leader"), "control")
                if colours > 1:
                    require(wins == LAW.battle_winner(cubes, heroes, leader, clock), "battle")
    _stages_are_triples(players)
    return cases


def _stages_are_triples(players: int) -> None:
    """Prove that the stages of the text come to one comparison of triples."""
    place = Place("t", players, z3.Int("leader"))
    for clock in CLOCKS:
        for one in range(players):
            beats = []
            for two in (s for s in range(players) if s != one):
                pieces, heroes = place.pieces(one) - place.pieces(two), place.heroes[one] - place.heroes[two]
                nearer = place.distance(one, clock) < place.distance(two, clock)
                beats.append(z3.Or(pieces > 0, z3.And(pieces == 0, z3.Or(heroes > 0, z3.And(heroes == 0, nearer)))))
            require(not possible(solver(*place.bounds(), place.wins(one, clock) != z3.And(beats))), "stages, triples")


def _empty_kingdom() -> Outcome:
    for players in PLAYERS:
        place = Place("k", players, z3.Int("leader"))
        empty = [place.pieces(s) == 0 for s in range(players)]
        for clock in CLOCKS:
            for seat in range(players):
                said = [*place.bounds(), *empty, place.wins(seat, clock)]
                require(possible(solver(*said, place.leader == seat)), "the Leader wins it")
                require(not possible(solver(*said, place.leader != seat)), "nobody else does")
                none = (0,) * players
                require(LAW.controller(none, none, seat, clock, "leader") == seat, "the model under leader")
                require(LAW.controller(none, none, seat, clock, "none") == NOBODY, "the model under none")
    return Outcome(
        "witness", "taken literally the Leader controls a Kingdom that nobody entered: all tie at nothing", _BOUNDS,
        "the rules of the model under both values of R_EMPTY_KINGDOM", {"pieces": 0, "controller": "the Leader"},
        cases=sum(PLAYERS) * 2,
    )  # fmt: skip


def _clocks() -> Outcome:
    cases = 0
    for players in PLAYERS:
        place = Place("k", players, z3.Int("leader"))
        for one, two in combinations(range(players), 2):
            nearer = [place.distance(one, clock) < place.distance(two, clock) for clock in CLOCKS]
            leads = z3.Or(place.leader == one, place.leader == two)
            differ = nearer[0] != nearer[1]
            require(not possible(solver(*place.bounds(), differ == leads)), "they differ just if neither leads")
            require(possible(solver(*place.bounds(), differ)) == (players > 2), "with two players one always leads")
            for leader in range(players):
                cases += 1
                near = {_tied(one, two, leader, players, clock) for clock in CLOCKS}
                require((len(near) == 2) == (leader not in (one, two)), "the model's rule parts just these")
    return Outcome(
        "proven", "the values of R_CLOCK differ for every two tied seats of which neither leads, so with 3 and 4 "
        "players; never with 2", "2 to 4 players, any Leader", "the model's rule for every Leader and pair",
        {"players": 3, "Leader": "A", "tied": ["B", "C"]}, cases=cases,
    )  # fmt: skip


def _tied(one: int, two: int, leader: int, players: int, clock: str) -> int:
    """Return whom the model's rule prefers of two seats that tie at one cube each."""
    cubes = tuple(int(seat in (one, two)) for seat in range(players))
    return int(LAW.battle_winner(cubes, (0,) * players, leader, clock))


def _hero_only() -> Outcome:
    place = Place("r", 2, z3.Int("leader"))
    said = [*place.bounds(), place.cubes[0] == 0, place.cubes[1] > 0, place.wins(0, "from_leader")]
    asked = solver(*said)
    require(possible(asked), "there is one")
    hero, cube, leader = least(asked, [place.heroes[0], place.cubes[1], place.leader], range(CUBES + 1))
    heroes = (hero, least(asked, [place.heroes[1]], range(HEROES + 1))[0])
    cubes = (0, cube)
    require(LAW.battle_winner(cubes, heroes, leader, "from_leader") == 0, "the model's rule")
    pack, position = _hero_on_the_model()
    require(not possible(solver(*said, place.heroes[0] == 0)), "not without a Hero")
    return Outcome(
        "witness", f"{hero} Hero alone beats {cube} cube; the region then holds no cube, and the readings of R_COLLECT "
        "part over its tokens", _BOUNDS, "played on the model: the token there stays, or is taken, as R_COLLECT says",
        {"Heroes alone": hero, "cubes of the other": cube}, position, pack, 1,
    )  # fmt: skip


def _hero_on_the_model() -> tuple[dict[str, Any], dict[str, Any]]:
    """Play a Hero of seat A alone and a cube of seat B into Finland, where a token lies; return box and record.

    The record is that of the Normans' march, in which the Hero leaves his cube.
    """
    pack = box(symbols={"Normans": [(0, 1)] * SUIT, "Rus": [(0, 1)] * SUIT}, named={"RU1": "Finland"}, placing=GROUP)
    others = [one["id"] for one in pack["cards"] if one["kingdom"] not in ("Normans", "Rus")]
    whole: dict[str, Any] = {}
    for value in ("pieces", "cubes"):
        game = northmen(pack, R_COLLECT=value)
        stage = Stage(game, Direction(["NM1", "RU1", *others], ["NM1"], target="Italy"))
        marching = stage.until(lambda p: p.phase == "march" and p.kingdom == 0)
        whole = game.record(marching)
        parted = _marched(game, marching, "march Normans: Finland 0+1, Italy 1+0")
        rus = stage.until(lambda p: p.phase == "march" and p.kingdom == 1, parted)
        done = _marched(game, rus, "march Rus: Finland 1+0")
        done = stage.until(lambda p: p.phase in ("complete", "buy"), done)
        finland = game.tables.names.place["Finland"]
        require((done.cubes[finland], done.heroes[finland]) == ((0, 0), (1, 0)), "the Hero alone is left")
        tokens = done.tokens[finland - game.tables.k]
        require((tokens > 0) == (value == "cubes"), f"tokens under {value}")
    return pack, whole


def _marched(game: NorthmenGame, position: Position, text: str) -> Position:
    steps = game.expand(position, text)
    require(steps is not None, f"{text} can be read")
    return replayed(game, position, [game.text(step) for step in steps or ()])  # type: ignore[no-any-return]  # a Position


# -- the order of places does not matter --------------------------------------------------------------------


def _processed(place: Place, infamy: list[Any], clock: str) -> tuple[list[Any], list[Any]]:
    """Return cubes left in a place and Infamy after it is decided: losers' cubes go to their Infamy Cards."""
    wins = [place.wins(s, clock) for s in range(place.players)]
    left = [z3.If(w, c, 0) for w, c in zip(wins, place.cubes, strict=True)]
    gained = [z3.If(w, i, i + c) for w, i, c in zip(wins, infamy, place.cubes, strict=True)]
    return left, gained


def _order() -> Outcome:
    """Two neighbours in any order may be swapped, so every order comes to the same."""
    for players in PLAYERS:
        leader = z3.Int("leader")
        infamy = [z3.Int(f"infamy_{s}") for s in range(players)]
        one, two = Place("one", players, leader), Place("two", players, leader)
        for clock in CLOCKS:
            left_one, after_one = _processed(one, infamy, clock)
            left_two, there = _processed(two, after_one, clock)
            right_two, after_two = _processed(two, infamy, clock)
            right_one, back = _processed(one, after_two, clock)
            pairs = zip([*left_one, *left_two, *there], [*right_one, *right_two, *back], strict=True)
            differ = z3.Or([a != b for a, b in pairs])
            require(not possible(solver(*one.bounds(), *two.bounds(), differ)), "the order matters")
    cases = _orders_by_hand()
    return Outcome(
        "proven", "Kingdoms in step 1 and regions in step 4 can be decided in any order", _BOUNDS + ", two places",
        "three places with small amounts in every order, with the model's rules", cases=cases,
    )  # fmt: skip


def _orders_by_hand() -> int:
    small = [((0, 1), (0, 0)), ((2, 1), (0, 1)), ((1, 1), (1, 0)), ((3, 3), (0, 0)), ((0, 2), (1, 0))]
    cases = 0
    for places in product(small, repeat=3):
        for leader in (0, 1):
            cases += 1
            require(len({_decided(order, leader) for order in permutations(places)}) == 1, "an order matters")
    return cases


def _decided(places: Sequence[tuple[tuple[int, int], tuple[int, int]]], leader: int) -> tuple[Any, ...]:
    infamy, left = [0, 0], []
    for cubes, heroes in places:
        wins = LAW.controller(cubes, heroes, leader, "from_leader", "none")
        for seat in (0, 1):
            if seat != wins:
                infamy[seat] += LAW.taken_off(cubes[seat], heroes[seat])[0]
        left.append((cubes, heroes, wins))
    return tuple(infamy), tuple(sorted(left))


_CONTROL = ("SN-CTRL-01", "SN-CTRL-08", "SN-CTRL-09")
_BATTLE = ("SN-BATTLE-02", "SN-BATTLE-08", "SN-BATTLE-09")
CLAIMS = (
    Claim("one-winner", "have control and battles exactly one winner", (*_CONTROL, *_BATTLE), _one_winner),
    Claim("empty-kingdom", "who controls a Kingdom that nobody entered, literally", _CONTROL, _empty_kingdom,
          "R_EMPTY_KINGDOM"),
    Claim("clocks-differ", "where do the two ways to count clockwise differ", ("SN-CTRL-09", "SN-BATTLE-09"), _clocks,
          "R_CLOCK"),
    Claim("hero-alone-wins", "can a Hero alone beat cubes", ("SN-BATTLE-02", "SN-BATTLE-08", "SN-COLLECT-02",
          "SN-PLUNDER-03"), _hero_only, "R_COLLECT"),
    Claim("any-order", "does the order of places in steps 1 and 4 matter", ("SN-CTRL-07", "SN-CTRL-05", "SN-BATTLE-01",
          "SN-BATTLE-06"), _order),
)  # fmt: skip
