"""Sagas of Fire & Axe: completed, taken, turned up anew; Eras, and the tokens of the Final Rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from . import actions as act
from .position import WINTERING, Phase, Position, bits, put
from .turns import over, sits_out

if TYPE_CHECKING:
    from .game import FireAxeGame


def met(game: FireAxeGame, position: Position, among: int) -> int:
    """Return those of some Sagas whose requirements are met (FA-SAGA-03 to 05)."""
    goods = sum([1 << port for port, good in enumerate(position.goods) if good >= 0])
    settled = sum([1 << port for port, seat in enumerate(position.settlers) if seat >= 0])
    tables, law = game.tables, game.law
    return sum(
        1 << saga
        for saga in bits(among)
        if law.saga_met(tables.saga_task[saga], tables.saga_ports[saga], goods, position.towns, settled)
    )


def begun(game: FireAxeGame, position: Position, saga: int) -> bool:
    """Say whether one of the ports that a Saga names is done, but not all."""
    tables = game.tables
    task, ports = tables.saga_task[saga], bits(tables.saga_ports[saga])
    if task == "trade":
        done = [position.goods[port] >= 0 for port in ports]
    elif task == "raid":
        done = [not position.towns >> port & 1 for port in ports]
    else:
        done = [position.settlers[port] >= 0 for port in ports]
    return any(done) and not all(done)


def completing(game: FireAxeGame, position: Position, port: int) -> Position:
    """After a Task in a port: complete what it was the last step of (FA-SAGA-02, 06, 08); R_COLLECT says how."""
    done = met(game, position, position.face)
    if game.collect == "auto":
        return game.refill(taken(game, position, done)) if done else game.settled(position)
    if game.collect == "may_event":
        done &= sum(1 << saga for saga in bits(position.face) if game.tables.saga_ports[saga] >> port & 1)
    return game.settled(replace(position, offer=done))


def taken(game: FireAxeGame, position: Position, done: int) -> Position:
    """Give completed Sagas to the seat on turn, with their VP (FA-SAGA-06)."""
    seat = position.turn
    points = sum(game.law.saga_points(game.tables.saga_vp[saga]) for saga in bits(done))
    return replace(
        position,
        vp=put(position.vp, seat, position.vp[seat] + points),
        face=position.face & ~done,
        won=put(position.won, seat, position.won[seat] | game.law.sagas_taken(done)),
        offer=position.offer & ~done,
    )


def collects(game: FireAxeGame, position: Position) -> list[act.Action]:
    """Return the completed Sagas that the seat on turn may take though nothing was done just now (may_state)."""
    if game.collect != "may_state":
        return []
    return [game.tables.collects[saga] for saga in bits(met(game, position, position.face))]


def collect(game: FireAxeGame, position: Position, action: act.Collect) -> Position:
    """Take a completed Saga (R_COLLECT=may_state, may_event)."""
    return game.refill(taken(game, position, 1 << action.saga))


def decline(game: FireAxeGame, position: Position, action: act.Decline) -> Position:
    """Leave completed Sagas where they are."""
    return game.settled(replace(position, offer=0))


def refill(game: FireAxeGame, position: Position) -> Position:
    """Turn up the next Saga for an empty space, while there are any (FA-SAGA-01, 09, FA-SETUP-09)."""
    law = game.law
    setup = position.turn < 0
    if not setup and law.sagas_over(position.face, sum(position.left), position.holder >= 0):
        return over(position, "sagas")
    wanted = position.face.bit_count() < law.saga_spaces() and (setup or law.is_replaced())
    if wanted and sum(position.left):
        return replace(position, phase="flip", seat=-1)
    return game.deal_runes(position) if setup else game.settled(position)


def next_sagas(game: FireAxeGame, position: Position) -> int:
    """Return the Sagas that may come next, as bits: those of the draw pile's next Era that nobody has seen."""
    era = game.law.next_era(position.left)
    return position.unseen & game.tables.era_sagas[era] if era >= 0 else 0


def flip(game: FireAxeGame, position: Position, action: act.Flip) -> Position:
    """A Saga is turned up: it stays, or is discarded because it is met (FA-SAGA-10, 11); an Era may begin."""
    law, bit, card_era = game.law, 1 << action.saga, game.tables.saga_era[action.saga]
    done = bool(met(game, position, bit))
    stays = law.comes_into_play(done, begun(game, position, action.saga))
    era = law.new_era(position.era, card_era, stays, game.era_on_discard)
    left = put(position.left, card_era - 1, position.left[card_era - 1] - 1)
    after = replace(
        position,
        unseen=position.unseen & ~bit,
        left=left,
        face=position.face | bit if stays else position.face,
        discarded=position.discarded if stays else position.discarded | bit,
        era=era,
        second=position.second or era == 2,
    )
    if not sum(left) and position.holder < 0 and law.tokens_taken(0, stays, game.last_discarded):
        after = replace(after, holder=position.turn)
    return game.refill(after)


def settled(game: FireAxeGame, position: Position) -> Position:
    """Go on when nothing is left to be done by itself: the game ends, the turn ends, or it goes on."""
    law = game.law
    if law.sagas_over(position.face, sum(position.left), position.holder >= 0):
        return over(position, "sagas")
    if law.crews_over(tuple([sits_out(game, position, seat) for seat in range(game.players)])):
        return over(position, "crew")
    phase: Phase = "collect" if position.offer else "main"
    if phase == "main" and position.tasked and position.places[position.turn] == WINTERING:
        return game.end_turn(position)
    return replace(position, phase=phase, seat=position.turn)
