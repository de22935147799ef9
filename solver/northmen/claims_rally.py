"""Claims about the Rally Phase over every distribution of the cards: whether it ends, when, and what runs short."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import z3
from msgspec.structs import replace

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.northmen.pack import read_pack, token_cards
from lawspeaker.model.northmen.position import Position
from lawspeaker.solver.asking import Claim, Outcome, least, possible, require, solver

from .boxes import box, game_of, left_over, northmen, seated, token_box
from .counts import CARDS, GROUP, INFAMY, PLAYERS, CardCounts, between, deck_size, own_turns
from .reach import Rally, Rules, Symbols, holds, inductive, play_out, reached, worst_rally
from .staged import Direction, Stage, worst_course

_ALL = "every distribution of the cards (seven suits of eight, a region or none, any mark), 2 to 4 players"
_BY = "induction by z3 over Rally turns; the worst order of the cards is played out for every number of token cards"


# -- how many cards place a token -----------------------------------------------------------------------


def _numbers() -> Outcome:
    cards = CardCounts()
    two, three, four = (cards.placing(n) for n in PLAYERS)
    require(not possible(solver(*cards.well_formed(), z3.Or(two < three, three < four))), "marks only take tokens away")
    enabled = [cards.placing(n, "enable") for n in PLAYERS]
    wrong = z3.Or(enabled[0] > enabled[1], enabled[1] > enabled[2])
    require(not possible(solver(*cards.well_formed(), wrong)), "under enable they only add some")
    for triple in ((56, 56, 56), (40, 34, 30), (20, 16, 14), (3, 2, 1), (0, 0, 0)):
        said = [term == value for term, value in zip((two, three, four), triple, strict=True)]
        require(possible(solver(*cards.well_formed(), *said)), f"{triple} can be had")
    for placing in range(CARDS + 1):
        pack = read_pack(box(placing=placing), "a box")
        tokens = {token_cards(pack, players, "suppress", "neutral") for players in PLAYERS}
        require(tokens == {placing}, f"a box with {placing} token cards")
    bad = [*cards.well_formed(), two >= GROUP, four < GROUP]
    asked = solver(*bad)
    require(possible(asked), "a box can do for two players and not for four")
    shown = dict(zip(("2", "3", "4"), least(asked, [two, three, four], range(CARDS + 1)), strict=True))
    return Outcome(
        "proven", "under suppress more players never mean more token cards (under enable never fewer); nothing in the "
        "text keeps them at 15: a box can do for two players and not for four", _ALL,
        "the order proven by z3; a box of each number made and counted by the model",
        {"token cards by players": shown}, cases=CARDS + 1,
    )  # fmt: skip


# -- the deadlock ------------------------------------------------------------------------------------------


def stuck(now: Symbols) -> Any:
    """Say that the seat to play has no card while tokens are still to place."""
    return z3.And(now.hands[0] == 0, now.tokens < GROUP)


def deadlock_limit(players: int) -> int:
    """Return the largest number of token cards with which a Rally Phase can get stuck, found by z3."""
    inductive(players)
    now, placing = Symbols("now", players), z3.Int("placing")
    cards = z3.And(placing >= 0, placing <= CARDS)
    said = [cards, holds(now, placing), stuck(now)]
    best = _largest(said, placing)
    require(not possible(solver(*said, now.turns != CARDS)), "stuck means that all cards are played")
    return best


def _largest(said: list[Any], term: Any) -> int:
    """Return the largest value a term takes, by bisection with a model below and a proof above."""
    low, high = -1, CARDS + 1  # a model is known for low (after the first step), none for high
    while high - low > 1:
        middle = (low + high) // 2
        asked = solver(*said, term >= middle)
        if possible(asked):
            low = int(asked.model().eval(term, model_completion=True).as_long())
        else:
            high = middle
    require(low < 0 or possible(solver(*said, term == low)), "the largest value is taken")
    require(not possible(solver(*said, term > low)), "and no larger one")
    return low


def _deadlock() -> Outcome:
    cases = 0
    for players in PLAYERS:
        require(deadlock_limit(players) == GROUP - 1, "stuck from 14 token cards downwards")
        for placing in range(CARDS + 1):
            cases += 1
            out = worst_rally(players, placing)
            require(out.ended == (placing >= GROUP), "played out it gets stuck just then")
            require(out.ended or out.total == CARDS, "and it does so after all cards")
        for placing in (0, GROUP - 1, GROUP):
            ends = {moment.moment for moment in reached(players, placing, Rules())} & {"over", "stuck"}
            require(ends == ({"stuck"} if placing < GROUP else {"over"}), "plain search: always, or never")
        _deadlock_on_the_model(players)
    return Outcome(
        "witness", f"with {GROUP - 1} token cards or fewer every Rally Phase gets stuck on turn {CARDS + 1}, all cards "
        f"being played; with {GROUP} or more none does", _ALL, _BY + "; plain search agrees; played on the model",
        {"token cards": GROUP - 1, "turn": CARDS + 1, "tokens placed": GROUP - 1}, cases=cases,
    )  # fmt: skip


def _deadlock_on_the_model(players: int) -> None:
    """The model refuses a box with 14 token cards, or ends the phase when all cards are played, as R_NO_CARD says."""
    pack = box(placing=GROUP - 1)
    refused = False
    try:
        game_of(pack, players)
    except BadInput as error:
        refused = "R_NO_CARD" in (error.hint or "")
    require(refused, "under reject the box is refused")
    course = worst_course(northmen(pack, players, R_NO_CARD="end"))
    require(course.turns == CARDS, "under end the phase ends after all cards")
    require(worst_course(northmen(box(placing=GROUP), players)).turns == CARDS, "with 15 it ends by itself")


# -- how long it lasts -----------------------------------------------------------------------------------


def _length() -> Outcome:
    cases = 0
    for players in PLAYERS:
        inductive(players)
        now, placing = Symbols("now", players), z3.Int("placing")
        last = [holds(now, placing), placing >= GROUP, placing <= CARDS, now.tokens == GROUP - 1, now.hands[0] > 0]
        turns = now.turns + 1
        outside = z3.Or(turns < GROUP, turns > CARDS + GROUP - placing)
        require(not possible(solver(*last, outside)), "between 15 and 71 - P turns")
        for placed in range(GROUP, CARDS + 1):
            longest = worst_rally(players, placed)
            shortest = play_out(players, [True] * placed + [False] * (CARDS - placed))
            require((shortest.total, longest.total) == (GROUP, CARDS + GROUP - placed), "both ends are played")
            _shares(players, longest.turns)
            _shares(players, shortest.turns)
            for extra in range(CARDS - placed + 1):
                order = [False] * extra + [True] * placed + [False] * (CARDS - placed - extra)
                require(play_out(players, order).total == GROUP + extra, "and every length between")
                cases += 1
    first = {n: [own_turns(seat, GROUP, n) for seat in range(n)] for n in PLAYERS}
    return Outcome(
        "proven", "a Rally Phase with P token cards has 15 to 71 - P turns, each number possible; the turns of two "
        "seats differ by one at most, earlier seats have the more", _ALL, _BY,
        {"turns by seat in the shortest": {str(n): turns for n, turns in first.items()}}, cases=cases,
    )  # fmt: skip


def _shares(players: int, turns: tuple[int, ...]) -> None:
    total = sum(turns)
    require(turns == tuple(own_turns(seat, total, players) for seat in range(players)), "turns by seat")
    require(list(turns) == sorted(turns, reverse=True) and turns[0] - turns[-1] <= 1, "evenly")


# -- the deck runs out -------------------------------------------------------------------------------------


def exhausted(now: Symbols, placing: Any, rally_end: str, wholly: bool) -> list[Any]:
    """Say that a card is due now that the deck cannot give: for the row, or *wholly*: none is left at all."""
    token = z3.Bool("token")
    after = now.tokens + z3.If(token, 1, 0)
    can = z3.If(token, now.tokens < placing, now.plain < CARDS - placing)
    draws = after < GROUP if rally_end == "immediate" else after <= GROUP
    nothing = now.deck + now.row == 0 if wholly else now.deck == 0
    return [can, draws, nothing, now.hands[0] > 0]


def exhaustion_limit(players: int, rally_end: str, wholly: bool) -> int:
    """Return the largest number of token cards with which the deck can fail, found by z3."""
    inductive(players)
    now, placing = Symbols("now", players), z3.Int("placing")
    cards = z3.And(placing >= 0, placing <= CARDS)
    return _largest([cards, holds(now, placing), *exhausted(now, placing, rally_end, wholly)], placing)


def found_by_search(players: int, placing: int, rally_end: str, wholly: bool) -> bool:
    """Say whether plain search of the abstraction comes to such a moment."""
    return any(_fails(now, rally_end, wholly) for now in reached(players, placing, Rules(rally_end=rally_end)))


def _fails(now: Rally, rally_end: str, wholly: bool) -> bool:
    if not wholly:
        return now.moment == "draw" and now.deck == 0
    goes_on = bool(now.plain_cards) or bool(now.token_cards and (now.left > 1 or rally_end == "finish_turn"))
    return now.moment == "play" and now.deck + now.row == 0 and goes_on


def _exhaustion(rally_end: str, wholly: bool) -> Outcome:
    limits: dict[str, int] = {}
    cases, shown = 0, None
    for players in PLAYERS:
        limit = exhaustion_limit(players, rally_end, wholly)
        for placing in range(CARDS + 1):
            cases += 1
            out = worst_rally(players, placing, rally_end)
            happens = out.no_draw if wholly else out.short_row or out.no_draw
            require(bool(happens) == (placing <= limit), f"played out with {placing} token cards")
        for placing in (limit, limit + 1):
            course = worst_course(northmen(box(placing=placing), players, R_RALLY_END=rally_end))
            out = worst_rally(players, placing, rally_end)
            found = course.turns, course.short_row, course.no_draw
            require(found == (out.total, out.short_row, out.no_draw), f"on the model with {placing} token cards")
            if (rally_end, wholly, placing) == ("immediate", False, limit):
                shown = course.shown  # in the end that of 4 players
        limits[str(players)] = limit
    base = limits["2"] - 12
    require(all(limits[str(n)] == base + 6 * n for n in PLAYERS), "one formula for all")
    what = "no card at all can be drawn" if wholly else "the row cannot be refilled"
    turns = {str(n): deck_size(n) + (4 if wholly else 1) for n in PLAYERS}
    return Outcome(
        "witness", f"{what} in some play just if P <= {base} + 6n token cards: "
        + ", ".join(f"{limit} with {n} players" for n, limit in limits.items()),
        f"{_ALL}, R_RALLY_END={rally_end}, R_DECK_EMPTY=shrink",
        _BY + "; z3 finds the limits by bisection; played on the model on both sides of each",
        {"largest P": limits, "on turn": turns}, shown, box(placing=limits["4"]), cases,
    )  # fmt: skip


def _exhaustion_by_search() -> Outcome:
    """The same limits by plain search of the abstraction, on both sides of each."""
    cases = 0
    for players in PLAYERS:
        for rally_end in ("immediate", "finish_turn"):
            for wholly in (False, True):
                limit = exhaustion_limit(players, rally_end, wholly)
                require(found_by_search(players, limit, rally_end, wholly), "at the limit")
                require(not found_by_search(players, limit + 1, rally_end, wholly), "above the limit")
                cases += 2
    return Outcome(
        "proven", "plain search of every Rally Phase comes to the same limits for row and deck",
        "every play and draw, 2 to 4 players, one number of token cards on each side of each limit",
        "an independent way to the limits that z3 finds", cases=cases,
    )  # fmt: skip


# -- hands -------------------------------------------------------------------------------------------------


def _hands() -> Outcome:
    cases = 0
    for players in PLAYERS:
        inductive(players)
        now, placing = Symbols("now", players), z3.Int("placing")
        full = z3.And(now.row == 3, *[hand == 6 for hand in now.hands])
        before = [holds(now, placing), placing >= 0, placing <= CARDS, now.turns <= deck_size(players)]
        require(not possible(solver(*before, z3.Not(full))), "full hands and a full row")
        for moment in reached(players, 16 + 6 * players, Rules()):
            cases += 1
            if moment.moment == "play":
                require(max(moment.hands) - min(moment.hands) <= 1, "plain search: hands differ by one at most")
                require(moment.row == 3 or moment.deck == 0, "plain search: the row is full while there is a deck")
    return Outcome(
        "proven", "while there is a deck every seat begins its turn with six cards and three lie face up; after that "
        "hands differ by one card at most, and nobody is without cards before all 56 are played", _ALL,
        "induction by z3; plain search agrees", cases=cases,
    )  # fmt: skip


# -- who leads ---------------------------------------------------------------------------------------------


def _leaders() -> Outcome:
    leading: dict[str, list[int]] = {}
    for players in PLAYERS:
        number, seat = z3.Ints("round leader")
        leads = [*between([number], 1, 3), *between([seat], 0, players - 1), (number - 1 - seat) % players == 0]
        leading[str(players)] = [s for s in range(players) if possible(solver(*leads, seat == s))]
        require(leading[str(players)] == sorted({r % players for r in range(3)}), "counting round by round")
    never = [seat for seat in range(4) if seat not in leading["4"]]
    require(never == [3] and INFAMY[4][3] == max(INFAMY[4]), "the fourth seat has most Infamy at the start")
    return Outcome(
        "proven", "with 4 players the fourth seat never leads (and starts with the most Infamy); with 3 each leads "
        "once; with 2 the first leads twice", "three rounds, 2 to 4 players", "counted round by round",
        {"seats that lead": leading}, cases=len(PLAYERS) * 3,
    )  # fmt: skip


# -- tokens left over ------------------------------------------------------------------------------------


def _before_any_turn() -> Outcome:
    left, placed, group = z3.Ints("left placed group")
    told = [*between([left], 0, GROUP), placed == 0, group == GROUP - placed]
    require(possible(solver(*told, left + placed >= GROUP)), "under board it can end at once")
    require(not possible(solver(*told, (left + placed >= GROUP) != (left == GROUP))), "just if all 15 were left over")
    require(not possible(solver(*told, group == 0)), "under group a turn is always due")
    # what is left over never grows past 15 under board, so the case is the same in every round
    more, taken = z3.Ints("more taken")
    step = [*between([left], 0, GROUP), left + more == GROUP, more >= 0, taken >= 0, taken <= GROUP]
    require(not possible(solver(*step, z3.Or(GROUP - taken < 0, GROUP - taken > GROUP))), "0 to 15 are left again")
    for number in range(GROUP + 1):
        for fifteen in ("board", "group"):
            ended = _first_decision(number, fifteen) != "play"
            require(ended == (fifteen == "board" and number == GROUP), f"{number} left over under {fifteen}")
    return Outcome(
        "witness", "under R_FIFTEEN=board a Rally Phase ends before any turn just if no token of the round before was "
        "taken (all 15 left over); under group never", "0 to 15 tokens left over, rounds 2 and 3",
        "played on the model with every number left over", {"left over": GROUP, "turns": 0}, cases=2 * (GROUP + 1),
    )  # fmt: skip


@cache
def _round_over() -> Position:
    """Return the position of the last planning turn of round 1."""
    return Stage(northmen(token_box()), Direction()).until(lambda p: p.phase == "buy" and p.seat == 1)


def _first_decision(left: int, fifteen: str) -> str:
    """Return the phase of the first decision of round 2 on the model with so many tokens left over."""
    game = northmen(token_box(), R_FIFTEEN=fifteen)
    last = replace(_round_over(), tokens=left_over(left, 1), taken=(GROUP - left, 0))
    seated(game, game.record(last))
    return str(Stage(game, Direction()).until(lambda p: p.round == 2 and p.phase not in ("deal", "turn"), last).phase)


_DECK = ("SN-RALLY-16", "SN-RALLY-17", "SN-RALLY-18", "SN-PLUNDER-02")
CLAIMS = (
    Claim("token-cards", "does the text keep enough cards that place a token", ("SN-CARD-05", "SN-RALLY-14",
          "SN-RALLY-15", "SN-PLUNDER-02"), _numbers, "R_NO_CARD"),
    Claim("rally-deadlock", "can a Rally Phase get stuck with tokens still to place", ("SN-PLUNDER-02", "SN-RALLY-03",
          "SN-RALLY-20", "SN-CARD-05"), _deadlock, "R_NO_CARD", "reachability"),
    Claim("rally-length", "how many turns has a Rally Phase", ("SN-RALLY-13", "SN-RALLY-19", "SN-RALLY-20"), _length,
          form="reachability"),
    *(
        Claim(f"{name}-{end}", f"{what} ({end})", _DECK, partial(_exhaustion, end, wholly), "R_DECK_EMPTY",
              "reachability")
        for end in ("immediate", "finish_turn")
        for name, what, wholly in (("row-short", "when can the row not be refilled", False),
                                   ("no-draw", "when is there no card left to draw", True))
    ),
    Claim("deck-limits-by-search", "does plain search come to the same limits", _DECK, _exhaustion_by_search,
          "R_DECK_EMPTY", "reachability", deep=True),
    Claim("hands-level", "do hands stay level through a Rally Phase", ("SN-RALLY-16", "SN-RALLY-18", "SN-RALLY-19"),
          _hands, "R_DECK_EMPTY", "reachability"),
    Claim("who-leads", "does every seat lead", ("SN-ROUND-01", "SN-RESET-06", "SN-SETUP-13"), _leaders),
    Claim("rally-before-any-turn", "can a Rally Phase end before any turn", ("SN-PLUNDER-02", "SN-RALLY-12",
          "SN-RALLY-13", "SN-COLLECT-03"), _before_any_turn, "R_FIFTEEN"),
)  # fmt: skip
