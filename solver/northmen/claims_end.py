"""Claims about scores and the end of the game: bonus, ties, spending in the last round, tokens that nobody takes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

import z3
from msgspec.structs import replace

from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.pack import chart_number, read_pack
from lawspeaker.model.northmen.position import Position
from lawspeaker.solver.asking import Claim, Outcome, least, possible, require, solver

from .boxes import box, card, left_over, northmen, options, replayed, seated, token_box
from .counts import (
    CUBES,
    GROUP,
    HERO_PRICE,
    HEROES,
    INFAMY,
    PLAYERS,
    ROUNDS,
    ROUTES,
    START_ROUTES,
    SUIT,
    VALUES,
    between,
)
from .staged import Direction, Stage

VALUE = 3
"""Plunder Value of every Trade Route in the boxes of these claims."""
_MOST = 60


class Final:
    """The end of a game, left to z3: tokens, completed routes and Infamy of each seat."""

    def __init__(self, players: int, name: str = "") -> None:
        self.seats = range(players)
        self.taken, self.routes, self.infamy = (
            [z3.Int(f"{what}{name}_{s}") for s in self.seats] for what in ("taken", "routes", "infamy")
        )

    def bounds(self) -> list[Any]:
        """Say that the amounts are possible."""
        return [
            *between(self.taken, 0, GROUP * ROUNDS), z3.Sum(self.taken) <= GROUP * ROUNDS,
            *between(self.routes, 0, ROUTES), z3.Sum(self.routes) <= ROUTES, *between(self.infamy, 0, CUBES),
        ]  # fmt: skip

    def scores(self, bonus_zero: str) -> list[Any]:
        """Return the scores under a value of R_BONUS_ZERO (SN-END-02, 03, SN-SCORE-01)."""
        scores = []
        for s in self.seats:
            most = z3.And([self.infamy[s] >= other for other in self.infamy])
            pays = most if bonus_zero == "pay" else z3.And(most, self.infamy[s] > 0)
            scores.append(self.taken[s] + VALUE * self.routes[s] + z3.If(pays, 1 + self.routes[s], 0))
        return scores

    def ahead(self, one: int, two: int, bonus_zero: str) -> Any:
        """Say that a seat is ahead of another: score, then Infamy (SN-SCORE-02, 03)."""
        scores = self.scores(bonus_zero)
        tied = z3.And(scores[one] == scores[two], self.infamy[one] > self.infamy[two])
        return z3.Or(scores[one] > scores[two], tied)

    def wins(self, seat: int, bonus_zero: str) -> Any:
        """Say that nobody is ahead of a seat."""
        return z3.And([z3.Not(self.ahead(other, seat, bonus_zero)) for other in self.seats if other != seat])


@cache
def _finished(players: int, phase: str) -> Position:
    """Return a position of round 3: the first planning turn, or the end of the game."""
    stage = Stage(northmen(token_box(), players), Direction())
    return stage.until(lambda p: p.round == ROUNDS and p.phase == phase)


@cache
def _game(players: int, **rulings: str) -> NorthmenGame:
    return northmen(token_box(), players, **rulings)


def scored(phase: str, taken: Sequence[int], routes: Sequence[int], infamy: Sequence[int]) -> Position:
    """Return such a position with these tokens taken, routes completed and Infamy.

    Who has completed less than two routes has the rest in hand; for each other one has gone under the deck.
    """
    done, hands, under, first = [], [], [], 0
    for seat, number in enumerate(routes):
        had = max(number, START_ROUTES)
        done.append(((1 << number) - 1) << first)
        hands.append(((1 << had - number) - 1) << first + number)
        under += [(first + had + n, seat) for n in range(had - START_ROUTES)]
        first += 2 * had - START_ROUTES
    return replace(
        _finished(len(taken), phase), taken=tuple(taken), tokens=left_over(GROUP * ROUNDS - sum(taken), ROUNDS),
        infamy=tuple(infamy), reserve=tuple(CUBES - own for own in infamy), routes_done=tuple(done),
        route_hands=tuple(hands), route_bottom=tuple(under), route_deck=(1 << ROUTES) - (1 << first),
    )  # fmt: skip


def judged(taken: Sequence[int], routes: Sequence[int], infamy: Sequence[int], **rulings: str) -> tuple[Any, Any]:
    """Return the model's scores and winners of a finished game."""
    game = _game(len(taken), **rulings)
    end = scored("over", taken, routes, infamy)
    seated(game, game.record(end))
    result = game.result(end)
    return result.scores, result.winners


# -- spending in the last round --------------------------------------------------------------------


def _last_spending() -> Outcome:
    for players in PLAYERS:
        before, after = Final(players), Final(players, "_after")
        spent = z3.Int("spent")
        same = [a == b for a, b in zip(before.taken + before.routes, after.taken + after.routes, strict=True)]
        same += [a == b for a, b in zip(before.infamy[1:], after.infamy[1:], strict=True)]
        said = [
            *before.bounds(),
            *same,
            spent >= 1,
            spent <= before.infamy[0],
            after.infamy[0] == before.infamy[0] - spent,
        ]
        for bonus_zero in ("pay", "nothing"):
            for other in range(1, players):
                gained = z3.And(after.ahead(0, other, bonus_zero), z3.Not(before.ahead(0, other, bonus_zero)))
                caught = z3.And(z3.Not(after.ahead(other, 0, bonus_zero)), before.ahead(other, 0, bonus_zero))
                require(not possible(solver(*said, z3.Or(gained, caught))), "it passes or catches somebody")
    cases = _spending_judged()
    before, after = Final(2), Final(2, "_after")
    lost, pack, position = _spending_that_loses()
    return Outcome(
        "proven", "what a player spends in the Planning Phase of round 3 never lets him pass or catch anybody; it can "
        f"cost him the game: {lost['before']} before, {lost['after']} after", "2 to 4 players, any tokens, routes and "
        "Infamy, the others' choices fixed, both values of R_BONUS_ZERO",
        "the model's scores of two players with small amounts, each possible spending; one game played on",
        lost, position, pack, cases,
    )  # fmt: skip


def _spending_judged() -> int:
    cases = 0
    for taken, routes, infamy in product(
        product((0, 1), repeat=2), product((0, 1), repeat=2), ((1, 0), (1, 1), (2, 1))
    ):
        for bonus_zero in ("pay", "nothing"):
            _, before = judged(taken, routes, infamy, R_BONUS_ZERO=bonus_zero)
            for left in range(infamy[0]):
                cases += 1
                _, after = judged(taken, routes, (left, infamy[1]), R_BONUS_ZERO=bonus_zero)
                require(_standing(after) <= _standing(before), "the model says that spending helped")
    return cases


def _standing(winners: tuple[int, ...]) -> int:
    """Return how well seat A stands: 2 wins alone, 1 shares, 0 loses."""
    return 2 if winners == (0,) else int(0 in winners)


def _spending_that_loses() -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Find the least case in which seat A wins alone, spends a point to hold a card, and loses; play it."""
    before, after = Final(2), Final(2, "_after")
    same = [a == b for a, b in zip(before.taken + before.routes, after.taken + after.routes, strict=True)]
    spent = [after.infamy[0] == before.infamy[0] - 1, after.infamy[1] == before.infamy[1]]
    worse = [z3.Not(before.wins(1, "pay")), z3.Not(after.wins(0, "pay"))]
    asked = solver(*before.bounds(), *same, *spent, before.infamy[0] >= 1, *worse)
    require(possible(asked), "spending can lose the game")
    terms = [*before.infamy, *before.routes, *before.taken]
    infamy_a, infamy_b, *rest = least(asked, terms, range(_MOST))
    routes, taken = rest[:2], rest[2:]
    game = northmen(token_box())
    start = scored("buy", taken, routes, (infamy_a, infamy_b))
    seated(game, game.record(start))
    saved = replayed(game, start, ["done", "done"])
    first = next(text for text in options(game, start) if text.startswith("hold"))
    lost = replayed(game, start, [first, "done", "done"])
    require(game.result(saved).winners == (0,) and game.result(lost).winners == (1,), "the model says so too")
    told = {"Infamy": [infamy_a, infamy_b], "routes": routes, "tokens": taken, "spent": 1,
            "before": _words(game.result(saved).scores), "after": _words(game.result(lost).scores)}  # fmt: skip
    return told, token_box(), game.record(start)


def _words(scores: tuple[int, ...]) -> str:
    return ":".join(str(score) for score in scores)


# -- ties and the bonus at nothing -----------------------------------------------------------------


def _final_tie() -> Outcome:
    cases = 0
    for players in PLAYERS:
        final = Final(players)
        two = [final.wins(s, "pay") for s in (0, 1)]
        asked = solver(*final.bounds(), *two)
        require(possible(asked), "two can be level in score and Infamy")
        equal = z3.And(final.scores("pay")[0] == final.scores("pay")[1], final.infamy[0] == final.infamy[1])
        require(not possible(asked, z3.Not(equal)), "only with equal score and equal Infamy")
        values = least(asked, [*final.taken, *final.routes, *final.infamy], range(_MOST))
        parts = [values[n * players : (n + 1) * players] for n in range(3)]
        scores, shared = judged(*parts)
        _, one = judged(*parts, R_FINAL_TIE="leader")
        require(len(set(scores)) == 1 and shared == tuple(range(players)) and len(one) == 1, "the model's winners")
        cases += 1
    return Outcome(
        "witness", "with equal score and equal Infamy no clause parts the tied players; least: nobody has anything",
        "2 to 4 players, any tokens, routes and Infamy", "the model's winners under both values of R_FINAL_TIE",
        {"tokens": 0, "routes": 0, "Infamy": 0}, cases=cases,
    )  # fmt: skip


def _bonus_at_nothing() -> Outcome:
    final = Final(2)
    differ = z3.Or([one != two for one, two in zip(final.scores("pay"), final.scores("nothing"), strict=True)])
    nothing = z3.And([infamy == 0 for infamy in final.infamy])
    require(not possible(solver(*final.bounds(), differ != nothing)), "the readings differ just if nobody has Infamy")
    loses = [final.ahead(0, 1, "nothing"), final.ahead(1, 0, "pay")]
    asked = solver(*final.bounds(), *loses)
    require(possible(asked), "another winner")
    values = least(asked, [*final.infamy, *final.routes, *final.taken], range(_MOST))
    infamy, routes, taken = values[:2], values[2:4], values[4:]
    paid, nobody = (judged(taken, routes, infamy, R_BONUS_ZERO=value) for value in ("pay", "nothing"))
    require((paid[1], nobody[1]) == ((1,), (0,)), "the model's winners")
    return Outcome(
        "witness", f"the readings of the bonus differ just if nobody has Infamy, and can then have other winners: "
        f"{_words(paid[0])} or {_words(nobody[0])}", "2 players, any tokens, routes of value 3 and Infamy",
        "the model's scores and winners under both values", {"routes": routes, "tokens": taken, "Infamy": infamy},
        cases=1,
    )  # fmt: skip


# -- tokens that nobody takes ----------------------------------------------------------------------


def _tokens_taken() -> Outcome:
    """By rounds: fifteen come, some of those on the map are taken, the rest stays."""
    left, taken = [z3.IntVal(0)], z3.IntVal(0)
    said = []
    for number in range(ROUNDS):
        here = left[-1] + GROUP
        took = z3.Int(f"took_{number}")
        said += [took >= 0, took <= here]
        left.append(here - took)
        taken = taken + took
        require(not possible(solver(*said, left[-1] + taken != GROUP * (number + 1))), "none appears or is lost")
    require(not possible(solver(*said, taken > GROUP * ROUNDS)), "more than 45")
    asked = solver(*said)
    totals = [total for total in range(GROUP * ROUNDS + 1) if possible(asked, taken == total)]
    require(totals == list(range(GROUP * ROUNDS + 1)), "every total from 0 to 45")
    require(_whole_game("Italy") == (0, 45) and _whole_game("Finland") == (45, 0), "both ends on the model")
    return Outcome(
        "witness", "the tokens taken in a game can be any number from 0 to 45: what lies where nobody has cubes in "
        "round 3 counts for nobody", "three rounds of 15 tokens, R_NO_CARD=reject and R_DECK_EMPTY=shrink",
        "a game played on the model in which all are taken, and one in which none is", {"taken": 0, "left": 45},
        cases=len(totals),
    )  # fmt: skip


def _whole_game(land: str) -> tuple[int, int]:
    """Play a game whose tokens all lie in *land* and whose pieces all go to Finland; return tokens taken and left."""
    ids = [one["id"] for one in box()["cards"]]
    game = northmen(box(named=dict.fromkeys(ids, land)))
    end = Stage(game, Direction()).until(lambda p: p.phase == "over")
    require(sum(game.result(end).scores) >= sum(end.taken), "scores count what was taken")
    return sum(end.taken), sum(end.tokens)


# -- the number on the chart -----------------------------------------------------------------------


def _chart_number() -> Outcome:
    values = [z3.Int(f"value_{n}") for n in range(SUIT)]
    own = [z3.Bool(f"own_{n}") for n in range(SUIT)]
    cubes, heroes, infamy = z3.Ints("cubes heroes infamy")
    number = z3.Sum(values)
    shown = z3.Sum([z3.If(mine, value, 0) for mine, value in zip(own, values, strict=True)])
    said = [*between(values, VALUES[0], VALUES[-1]), cubes >= 0, cubes <= shown, *between([heroes], 0, HEROES),
            HERO_PRICE * heroes <= infamy, *between([infamy], 0, CUBES)]  # fmt: skip
    require(not possible(solver(*said, cubes > number)), "cubes alone never exceed it")
    above = [cubes + heroes == number + more for more in range(HEROES + 2)]
    most = max(more for more, exceeds in enumerate(above) if possible(solver(*said, exceeds)))
    first = {
        str(n): max(m for m, exceeds in enumerate(above) if possible(solver(*said, infamy <= max(INFAMY[n]), exceeds)))
        for n in PLAYERS
    }
    require(most == HEROES and first == {"2": 2, "3": 1, "4": 2}, "by as many Heroes as can be paid")
    sent, pack, position = _sent_above_the_chart()
    require(sent == (SUIT, SUIT + HEROES), "the model sends them all")
    return Outcome(
        "witness", f"a Kingdom's pieces can exceed its number on the chart by {most}, the Heroes; in round 1 by 1 with "
        "3 players and by 2 else; its cubes never do", "any suit (8 to 24 symbols), any Infamy",
        f"played on the model: a chart number of {sent[0]}, {sent[1]} pieces sent",
        {"chart number": sent[0], "pieces": sent[1]}, position, pack, 1,
    )  # fmt: skip


def _sent_above_the_chart() -> tuple[tuple[int, int], dict[str, Any], dict[str, Any]]:
    """March with all eight cards of a suit of value 1 and three Heroes; return chart number and pieces, box, record.

    Seat B wins back Infamy in round 1, leads in round 2 and plays the suit alone there.
    """
    pack = box(symbols={"Rus": [(0, 1)] * SUIT})
    own = [card("Rus", n + 1) for n in range(SUIT)]
    others = [one["id"] for one in pack["cards"] if one["kingdom"] != "Rus"]
    game = northmen(pack)
    first = Stage(game, Direction(others))
    second = Stage(game, Direction([one for pair in zip(own, others, strict=False) for one in pair], own[:HEROES]))
    begun = first.until(lambda p: p.round == 2 and p.phase == "deal")
    require(begun.infamy[1] >= HERO_PRICE * HEROES and begun.leader == 1, "seat B leads and can pay for three Heroes")
    ready = second.until(lambda p: p.phase in ("delay", "march") and p.kingdom == 1, begun)
    while ready.phase == "delay" or game.record(ready)["region"] != "Finland":
        ready = game.apply(ready, second.choose(ready))
    whole = game.record(ready)
    seated(game, whole)
    pieces = [text.split()[-1].split("+") for text in options(game, ready)]
    most = max(int(cubes) + int(heroes) for cubes, heroes in pieces)
    return (chart_number(read_pack(pack, "witness"), "Rus"), most), pack, whole


CLAIMS = (
    Claim("last-spending", "does spending in the Planning Phase of round 3 ever help", ("SN-ROUND-02", "SN-END-02",
          "SN-SCORE-02", "SN-SCORE-03", "SN-PLAN-03", "SN-PLAN-06"), _last_spending, "R_R3_PLAN"),
    Claim("final-tie", "can a game end in a tie that no clause parts", ("SN-SCORE-02", "SN-SCORE-03"), _final_tie,
          "R_FINAL_TIE"),
    Claim("bonus-at-nothing", "when do the readings of the bonus at nothing differ", ("SN-END-02", "SN-END-03"),
          _bonus_at_nothing, "R_BONUS_ZERO"),
    Claim("tokens-taken", "how many tokens are taken in a game", ("SN-COLLECT-03", "SN-OURS-LEFTOVER", "SN-SCORE-01"),
          _tokens_taken, form="reachability"),
    Claim("chart-exceeded", "can a Kingdom's forces exceed its number on the chart", ("SN-CHART-04", "SN-RALLY-09",
          "SN-HERO-01"), _chart_number),
)  # fmt: skip
