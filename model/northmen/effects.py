"""Which clauses are at work when a legal action is applied, and their worked facts.

``touched`` runs at every step of a measured playout: an ordinary step costs a few look-ups that end in constants.
Only a step that ends a phase works out once more what it settled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from lawspeaker.model.core.contract import Effect

from . import actions as act
from . import march, scoring, worked
from .contests import COMPLETE, MARCH, PLAN, RALLY, STAGE, Contest, battles, board, controls, crossed, placed
from .position import Position

if TYPE_CHECKING:
    from .game import NorthmenGame

Ids = tuple[str, ...]


def _ids(text: str) -> Ids:
    return tuple(f"SN-{word}" for word in text.split())


def touched(game: NorthmenGame, position: Position, action: act.Action, after: Position) -> Ids:
    """Return the ids of the clauses whose condition was true in this step, automatic steps included."""
    own = _OWN[type(action)](game, position, action, after)
    if STAGE[after.phase] == STAGE[position.phase] and after.round == position.round:
        return own
    return tuple(dict.fromkeys(own + _settled(game, position, action, after)))


def effects(game: NorthmenGame, position: Position, action: act.Action) -> tuple[Effect, ...]:
    """Return each clause at work with the facts of the step."""
    after = game.apply(position, action)
    named = worked.facts_of(game, position, action, after)
    return tuple(Effect(clause, named) for clause in touched(game, position, action, after))


# -- dealing and rally --------------------------------------------------------------------------------

_LEADS = _ids("RALLY-01 LEADER-01")
_PASSES = _ids("RALLY-01 RALLY-19 LEADER-01")
_DEALT, _DEALT_AGAIN, _DRAWN = _ids("SETUP-03 SETUP-07"), _ids("RESET-03 SETUP-07"), _ids("SETUP-07")
_DRAWN_PASSES = _DRAWN + _PASSES
_FIRST_DEALT = {
    players: _DEALT + _ids(f"SETUP-02 SETUP-08 SETUP-09 SETUP-10 SETUP-14 SETUP-{9 + players}") for players in (2, 3, 4)
}
_ROW, _ROW_AGAIN, _REFILLED = _ids("SETUP-04"), _ids("RESET-04"), _ids("RALLY-18")
_ROW_AGAIN_LEADS, _REFILLED_PASSES = _ROW_AGAIN + _LEADS, _REFILLED + _PASSES
_ROUTES, _ROUTES_LAST, _ROUTES_DRAWN = _ids("SETUP-05 SETUP-07"), _ids("SETUP-06"), _ids("PLAN-03 SETUP-07")
_PLAYED, _COVERED = _ids("RALLY-02 RALLY-03 RALLY-04"), _ids("RALLY-02 RALLY-03 RALLY-04 RALLY-05")
_CUBES = _ids("RALLY-06 CARD-03 CUBE-01")
_PLAYED_CUBES, _COVERED_CUBES = _PLAYED + _CUBES, _COVERED + _CUBES
_TOKEN = _ids("CARD-06 RALLY-11 PLUNDER-01 RALLY-12")
_MARKED = {"3-4": _ids("RALLY-14"), "4": _ids("RALLY-15"), "none": ()}
_SPENT = _ids("INFAMY-02 RALLY-10")
_NOT_HIRED = _ids("RALLY-02 RALLY-09 HERO-01")
_HIRED = _NOT_HIRED + _SPENT
_DRAWS = _ids("RALLY-02 RALLY-16 RALLY-17")
_DRAWS_PASSES = _DRAWS + _PASSES


def _deal(game: NorthmenGame, position: Position, action: act.Deal, after: Position) -> Ids:
    passes = after.phase == "play"
    if position.phase == "drawn":
        return _DRAWN_PASSES if passes else _DRAWN
    if position.round > 1:
        return _DEALT_AGAIN + _LEADS if passes else _DEALT_AGAIN
    found = _FIRST_DEALT[game.players] if position.deck == game.tables.all_cards else _DEALT
    return found + _LEADS if passes else found


def _turn(game: NorthmenGame, position: Position, action: act.Turn, after: Position) -> Ids:
    passes = after.phase == "play"
    if position.card >= 0:
        return _REFILLED_PASSES if passes else _REFILLED
    if position.round > 1:
        return _ROW_AGAIN_LEADS if passes else _ROW_AGAIN
    return _ROW + _LEADS if passes else _ROW


def _route(game: NorthmenGame, position: Position, action: act.Route, after: Position) -> Ids:
    if position.phase == "buying":
        return _ROUTES_DRAWN
    if after.phase == "routes":
        return _ROUTES
    return _ROUTES + _ROUTES_LAST + (_LEADS if after.phase == "play" else ())


def _play(game: NorthmenGame, position: Position, action: act.Play, after: Position) -> Ids:
    seat, card = position.seat, action.card
    covers = position.tops[seat] >= 0
    if position.reserve[seat] >= game.tables.value[card]:
        found = _COVERED_CUBES if covers else _PLAYED_CUBES
    else:
        found = (_COVERED if covers else _PLAYED) + _too_few(game, position, card)
    return found if after.phase == "hire" else found + _token(game, position, card, after)


def _too_few(game: NorthmenGame, position: Position, card: int) -> Ids:
    found = _ids("RALLY-07 RALLY-08") if position.infamy[position.seat] else _ids("RALLY-07")
    return _CUBES + found if placed(game, position, card) else found


def _token(game: NorthmenGame, position: Position, card: int, after: Position) -> Ids:
    """Return the clauses of step 4, and of the turn's passing where nothing can be drawn."""
    tables, found = game.tables, _TOKEN
    if tables.token[card] < 0:
        found = _MARKED[tables.pack.cards[card].mark] if tables.names_region[card] else ()
    elif position.group <= 0:
        found = ()
    return found + _PASSES if after.phase == "play" else found


def _hire(game: NorthmenGame, position: Position, action: act.Hire, after: Position) -> Ids:
    return _HIRED + _token(game, position, position.card, after)


def _no_hire(game: NorthmenGame, position: Position, action: act.NoHire, after: Position) -> Ids:
    return _NOT_HIRED + _token(game, position, position.card, after)


def _take(game: NorthmenGame, position: Position, action: act.Take, after: Position) -> Ids:
    return _DRAWS_PASSES if after.phase == "play" else _DRAWS


# -- marching -----------------------------------------------------------------------------------------

_MAY_DELAY = _ids("MOVE-02 MOVE-03 TIME-01")
_DELAYED = _MAY_DELAY + _ids("MOVE-04 TIME-02 MOVE-05 MOVE-06") + _SPENT
_SHOWN = _ids("MOVE-07")
_NEXT, _NEXT_DELAYED = _ids("MOVE-01 CHART-02"), _ids("DELAY-01 TIME-03")
_SENT = _ids("MOVE-02 MOVE-08")
_SEND_FLAGS = _ids("DELAY-02 MOVE-09 MOVE-11 MOVE-12 MOVE-10 MOVE-13")
_SENDS = tuple(
    _SENT + tuple(clause for bit, clause in enumerate(_SEND_FLAGS) if flags >> bit & 1) + rest
    for flags in range(1 << len(_SEND_FLAGS))
    for rest in ((), _ids("DELAY-05"), _ids("DELAY-05 DELAY-03 DELAY-04"))
)
"""By three times the flags, plus 1 if there are cubes to send, 2 if they have to leave."""


def _send(game: NorthmenGame, position: Position, action: act.Send, after: Position) -> Ids:
    kingdom, region = position.kingdom, position.region
    reach = game.tables.reach
    land, sea = reach.armies[kingdom] >> region & 1, reach.fleets[kingdom] >> region & 1
    soldiers, ships = march.strength(game, position)
    flags = 1 if position.second_pass else 0
    if action.cubes:
        flags |= (2 if land and soldiers else 0) | (4 if sea and ships else 0)
    if action.heroes:
        flags |= 8
    if soldiers and not land:
        flags |= 16
    if ships and not sea:
        flags |= 32
    rest = (2 if game.must[0] else 1) if position.cubes[kingdom][position.seat] else 0
    found = _SENDS[3 * flags + rest]
    if after.phase == "march" and after.kingdom == kingdom:
        return found
    if STAGE[after.phase] == MARCH:
        found += _ids("MOVE-14")
    return found + _turns(position, after, position.control, kingdom + 1)


def _delay(game: NorthmenGame, position: Position, action: act.Delay, after: Position) -> Ids:
    return _DELAYED + _turns(position, after, position.control, position.kingdom + 1)


def _no_delay(game: NorthmenGame, position: Position, action: act.NoDelay, after: Position) -> Ids:
    if after.phase == "march" and after.kingdom == position.kingdom:
        return _MAY_DELAY + _SHOWN
    return _MAY_DELAY + _turns(position, after, position.control, position.kingdom + 1)


def _turns(position: Position, after: Position, control: tuple[int, ...], start: int) -> Ids:
    """Return the clauses of Kingdoms' turns: those missed from *start* on, and that of the next one to move."""
    found: Ids = ()
    marching = STAGE[after.phase] == MARCH
    if not position.second_pass:
        over = after.second_pass or not marching
        if -1 in (control[start:] if over else control[start : after.kingdom]):
            found += _ids("OURS-SKIP")
        if over:
            found += _ids("MOVE-15")
    if marching:
        found += _NEXT_DELAYED if after.second_pass else _NEXT
        found += _SHOWN if after.phase == "march" else ()
    return found


_DECIDES = _ids("TRADE-01 ROUTE-03")
_DECIDES_COMPLETED = _DECIDES + _ids("TRADE-03 ROUTE-04")
_DECIDES_NOTHING = _DECIDES + _ids("TRADE-02")


def _commit(game: NorthmenGame, position: Position, action: act.Complete | act.Withhold, after: Position) -> Ids:
    if isinstance(action, act.Complete) or march.completed(game, position, position.seat, action.route):
        return _DECIDES_COMPLETED
    return _DECIDES_NOTHING


# -- planning -----------------------------------------------------------------------------------------

_BOUGHT, _HELD = _ids("PLAN-02 PLAN-03 PLAN-05") + _SPENT, _ids("PLAN-02 PLAN-06") + _SPENT
_KEPT, _KEPT_LAST = _ids("PLAN-03"), _ids("PLAN-03 PLAN-04")


def _keep(game: NorthmenGame, position: Position, action: act.Keep, after: Position) -> Ids:
    kept = (position.kept | 1 << action.route).bit_count()
    under = kept == position.pairs and position.drawn.bit_count() > kept
    return _KEPT_LAST if under else _KEPT


def _done(game: NorthmenGame, position: Position, action: act.Done, after: Position) -> Ids:
    found = _ids("PLAN-02")
    hand = position.hands[position.seat]
    if hand & ~game.law.kept_hand(hand, position.held, game.rulings["R_DISCARD"]):
        found += _ids("PLAN-07")
    return found + _ids("PLAN-01") if STAGE[after.phase] == PLAN else found


def _constant(ids: Ids) -> Callable[..., Ids]:
    return lambda game, position, action, after: ids


_OWN: dict[type, Callable[..., Ids]] = {
    act.Deal: _deal, act.Turn: _turn, act.Route: _route, act.Play: _play, act.Hire: _hire, act.NoHire: _no_hire,
    act.Take: _take, act.Draw: _take, act.Delay: _delay, act.NoDelay: _no_delay, act.Send: _send,
    act.Complete: _commit, act.Withhold: _commit, act.Buy: _constant(_BOUGHT), act.Keep: _keep,
    act.Hold: _constant(_HELD), act.Done: _done,
}  # fmt: skip


# -- what a step settles by itself ----------------------------------------------------------------------


def _settled(game: NorthmenGame, position: Position, action: act.Action, after: Position) -> Ids:
    """Return the clauses of all that happened between the stretch of play before and the one after."""
    found: Ids = ()
    here = board(game, position, action)
    for stage in crossed(position, after):
        if stage == RALLY:
            settled = controls(game, here)
            here = replace(here, control=tuple(contest.winner for contest in settled))
            found += _control(game, here, settled) + _turns(here, after, here.control, 0)
        elif stage == MARCH:
            rest = march.collect(game, march.battles(game, here))
            found += _fought(game, here, battles(game, here), rest)
            here = rest
        elif stage == COMPLETE:
            found += _cleaned(game, here, after)
        elif stage == PLAN:
            found += _over(game, after) if after.phase == "over" else _NEW_ROUND
    return found


def _control(game: NorthmenGame, here: Position, contests: list[Contest]) -> Ids:
    """The Rally Phase is over, and control is settled."""
    found = _ids("ROUND-02 MARCH-01 MARCH-03 CTRL-07")
    if game.law.rally_over(here.group, sum(here.tokens), game.fifteen):
        found += _ids("PLUNDER-02 RALLY-20") + (_ids("RALLY-13") if here.group == 0 else ())
    settled = [contest for contest in contests if contest.winner >= 0]
    if not settled:
        return found
    found += _ids("CTRL-01")
    if any(contest.winner in contest.present() for contest in settled):
        found += _ids("CTRL-02")
    return found + _lost(settled, _ids("CTRL-03 CTRL-04 CTRL-05")) + _ties(settled, "CTRL")


def _fought(game: NorthmenGame, here: Position, fights: list[Contest], rest: Position) -> Ids:
    """Movement is over: battles are fought and plunder is collected."""
    found = _ids("MARCH-03 COLLECT-01")
    if fights:
        found += _ids("BATTLE-01 BATTLE-02")
        found += _ids("BATTLE-03") if any(fight.cubes[fight.winner] for fight in fights) else ()
        found += _lost(fights, _ids("BATTLE-04 BATTLE-05 BATTLE-06")) + _ties(fights, "BATTLE")
    if rest.taken != here.taken:
        found += _ids("COLLECT-02 PLUNDER-03")
    if any(rest.tokens):
        found += _ids("COLLECT-03")
    return found + (_ids("TRADE-05") if _outlived(game, here) else ())


def _outlived(game: NorthmenGame, here: Position) -> bool:
    """Say whether a Trade Route was played by a seat that no longer controls its Kingdom (SN-TRADE-05)."""
    if not any(here.routes_done):
        return False
    owners = [march.in_control(game, here, kingdom) for kingdom in game.tables.route_kingdom]
    return any(
        routes >> route & 1 and owner != seat
        for seat, routes in enumerate(here.routes_done)
        for route, owner in enumerate(owners)
    )


def _lost(contests: list[Contest], ids: Ids) -> Ids:
    """Return which of the clauses are at work: pieces, Heroes, cubes are taken off."""
    beaten = [(contest, seat) for contest in contests for seat in contest.losers()]
    heroes = any(contest.heroes[seat] for contest, seat in beaten)
    cubes = any(contest.cubes[seat] for contest, seat in beaten)
    return tuple(clause for clause, true in zip(ids, (bool(beaten), heroes, cubes), strict=True) if true)


def _ties(contests: list[Contest], family: str) -> Ids:
    ways = {contest.how for contest in contests}
    found = _ids(f"{family}-08") if "heroes" in ways else ()
    return found + _ids(f"{family}-09 LEADER-02") if "seat" in ways else found


def _cleaned(game: NorthmenGame, here: Position, after: Position) -> Ids:
    """Trade Routes are shown, the board is emptied, planning begins if it does."""
    found = _ids("MARCH-03")
    if after.routes_done != here.routes_done:
        found += _ids("TRADE-04")
    if any(map(any, here.cubes[game.tables.k :])) or any(map(any, here.heroes[game.tables.k :])):
        found += _ids("CLEAN-01")
    if max(here.times) >= 0:
        found += _ids("CLEAN-02")
    return found + _ids("ROUND-02 PLAN-01") if STAGE[after.phase] == PLAN else found


_NEW_ROUND = _ids("ROUND-02 ROUND-03 RESET-01 RESET-02 RESET-05 RESET-06 RESET-07")


def _over(game: NorthmenGame, after: Position) -> Ids:
    """The game is over: the bonus is paid, and the scores are compared."""
    found = _ids("ROUND-01 ROUND-03 END-01 SCORE-01 SCORE-02")
    found += _ids("ROUTE-02") if any(after.routes_done) else ()
    found += _ids("OURS-LEFTOVER") if any(after.tokens) else ()
    paid = sum(bonus > 0 for bonus in scoring.bonuses(game, after))
    found += _ids("END-02") if paid else ()
    found += _ids("END-03") if paid > 1 else ()
    return found + _final_tie(game, after)


def _final_tie(game: NorthmenGame, after: Position) -> Ids:
    """Return what parts seats with equal scores: unspent Infamy, then under R_FINAL_TIE=leader the Leader Token."""
    result = scoring.result(game, after)
    tied = [seat for seat, score in enumerate(result.scores) if score == max(result.scores)]
    purses = [after.infamy[seat] for seat in tied]
    found = _ids("SCORE-03") if min(purses) < max(purses) else ()
    return found + _ids("LEADER-02") if result.reason == "SN-LEADER-02" else found
