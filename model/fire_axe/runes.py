"""Runes of Fire & Axe: when they may be used, on whom, and what each effect of the pack's vocabulary does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from . import actions as act
from . import pack as box
from .pack import RuneData
from .position import Position, bits, put
from .turns import next_in_window, sits_out
from .voyage import losses, may_gain_good, moved, sheltered, slots_free, spent

if TYPE_CHECKING:
    from .game import FireAxeGame


def bars(game: FireAxeGame, position: Position, seat: int, discarding: bool) -> bool:
    """Say whether a seat may use no rune now, whatever the card (FA-RUNE-02, FA-DRAW-06)."""
    return not game.law.may_use_runes(game.tables.is_home(position.places[seat]), discarding)


def may_discard(game: FireAxeGame, position: Position, seat: int) -> bool:
    """Say whether the seat that decides may discard runes now; the phase matters by R_RAID_RUNE, R_LOSS_TIMING."""
    phase = position.phase
    open_ = phase in ("main", "window") or (phase == "raid" and game.between) or (phase == "loss" and game.interrupts)
    return open_ and not bars(game, position, seat, True) and game.law.may_go_on(spent(position), position.days)


def moment_fits(game: FireAxeGame, position: Position, seat: int, rune: RuneData) -> bool:
    """Say whether the times and places printed on a rune let it be played now (FA-RUNE-09)."""
    phase, free = position.phase, rune.moment == "free"
    if free and ((phase == "raid" and not game.between) or (phase == "loss" and not game.interrupts)):
        return False
    stage = "free" if free else phase
    place_fits = game.tables.fits(rune.where, position.places[seat])
    turn_fits = rune.whose == "any" or seat == position.turn
    return bool(game.law.right_moment(rune.moment, stage, place_fits and turn_fits))


def uses(game: FireAxeGame, position: Position, seat: int) -> list[act.Action]:
    """Return the ways for the seat that decides to discard or play a rune now."""
    hand = position.hands[seat]
    if not hand:
        return []
    found: list[act.Action] = []
    cards = bits(hand)
    if may_discard(game, position, seat):
        for card in cards:
            found += game.discards[card]
    if bars(game, position, seat, False) or not game.law.may_go_on(spent(position), position.days):
        return found
    for card in cards:
        rune = game.tables.runes[card]
        if moment_fits(game, position, seat, rune):
            for target, good in choices(game, position, seat, card):
                found += game.plays(card, target, good)
    return found


# -- whom and what ---------------------------------------------------------------------------------------


def choices(game: FireAxeGame, position: Position, seat: int, card: int) -> list[tuple[int, int]]:
    """Return the other player and the good that a rune can be played with; -1 where it asks for none."""
    tables = game.tables
    targets = (-1,) if not tables.hits[card] else tuple(n for n in range(game.players) if n != seat)
    goods = (-1,) if not tables.asks[card] else (0, 1, 2)
    return [
        (target, good)
        for target in targets
        for good in goods
        if possible(game, position, seat, tables.runes[card], target, good)
    ]


def possible(game: FireAxeGame, position: Position, seat: int, rune: RuneData, target: int, good: int) -> bool:
    """Say whether the player that a rune hits and the good that it names are such as its effects need."""
    if target >= 0 and sits_out(game, position, target):
        return False
    return all(_effect_possible(game, position, seat, effect, target, good) for effect in rune.effects)


def _effect_possible(game: FireAxeGame, position: Position, seat: int, effect: Any, target: int, good: int) -> bool:
    match effect:
        case box.RobGood(where):
            return position.cargo[target][good] > 0 and game.tables.fits(where, position.places[target])
        case box.KillCrew(where):
            return position.crew[target] > 1 and game.tables.fits(where, position.places[target])
        case box.DropRune():
            return position.hands[target] != 0
        case box.GainGood(good=None):
            return may_gain_good(game, position, seat, good, _days_left(position, seat))
    return True


def _days_left(position: Position, seat: int) -> int:
    """Return the Days in which a ship may yet be loaded; another's turn has come to load seven more by then."""
    return position.days - spent(position) if seat == position.turn else 1


# -- using a rune ----------------------------------------------------------------------------------------


def discard(game: FireAxeGame, position: Position, action: act.Discard) -> Position:
    """Discard a rune and turn the dial or not (FA-RUNE-03, 06)."""
    seat = position.seat
    after = _out_of_hand(position, seat, action.rune)
    after = turned(game, after, action.turn)
    if game.law.rune_takes_effect(False):
        after = carried_out(game, after, seat, action.rune, -1, -1)
    return resumed(game, _piled(game, after, action.rune))


def play(game: FireAxeGame, position: Position, action: act.Play) -> Position:
    """Play a rune: turn the dial or not, then carry out what it says, then it goes to the pile (FA-RUNE-04, 07)."""
    seat, law = position.seat, game.law
    after = _out_of_hand(position, seat, action.rune)
    first = law.dial_turns_first()
    if first:
        after = turned(game, after, action.turn)
    if law.rune_takes_effect(True):
        after = carried_out(game, after, seat, action.rune, action.target, action.good)
        if not first and position.phase == "loss":
            after = sheltered(game, after)
    if not first:
        after = turned(game, after, action.turn)
    after = replace(after, back=position.phase, played=action.rune)
    if after.victim >= 0:
        return replace(after, phase="drop")
    return drawing(game, after)


def _out_of_hand(position: Position, seat: int, card: int) -> Position:
    return replace(position, hands=put(position.hands, seat, position.hands[seat] & ~(1 << card)))


def turned(game: FireAxeGame, position: Position, quarters: int) -> Position:
    """Turn the dial cover by quarters clockwise (FA-RUNE-05)."""
    return replace(position, dial=game.law.dial_after(position.dial, quarters)) if quarters else position


def _piled(game: FireAxeGame, position: Position, card: int) -> Position:
    """Put a rune on the pile (FA-RUNE-06); a deck used up is made anew of it (FA-DRAW-07)."""
    deck, pile = game.law.reshuffled(position.deck, game.law.pile_after(position.pile, 1 << card))
    return replace(position, deck=deck, pile=pile)


def drawing(game: FireAxeGame, position: Position) -> Position:
    """Draw the runes that a rune gave, while there are any and the hand takes them (FA-DRAW-04); then it is done."""
    hand = position.hands[position.seat].bit_count()
    if position.drawing and position.deck and hand < game.law.hand_limit():
        return replace(position, phase="deal")
    card = position.played
    after = replace(position, phase=position.back, drawing=0, played=-1, back="main")
    return resumed(game, _piled(game, after, card))


def resumed(game: FireAxeGame, position: Position) -> Position:
    """Go on where a rune came in between."""
    if position.phase == "loss":
        return losses(game, position)
    if position.phase == "window":
        return next_in_window(game, replace(position, passes=0))
    return position


def deal(game: FireAxeGame, position: Position, action: act.Deal) -> Position:
    """A rune comes to a hand: at setup, by the Action (FA-DRAW-02), or by a rune."""
    seat, bit = position.seat, 1 << action.rune
    hands = put(position.hands, seat, position.hands[seat] | bit)
    if position.turn < 0:
        return game.deal_runes(replace(position, deck=position.deck & ~bit, hands=hands))
    deck, pile = game.law.reshuffled(position.deck & ~bit, position.pile)
    after = replace(position, deck=deck, pile=pile, hands=hands)
    if position.played >= 0:
        return drawing(game, replace(after, drawing=position.drawing - 1))
    return game.open_window(replace(after, phase="main"))


def drop(game: FireAxeGame, position: Position, action: act.Drop) -> Position:
    """The victim of a rune loses one blindly; that turns no dial."""
    after = _piled(game, _out_of_hand(position, position.victim, action.rune), action.rune)
    return drawing(game, replace(after, victim=-1))


# -- effects ---------------------------------------------------------------------------------------------


def carried_out(game: FireAxeGame, position: Position, seat: int, card: int, target: int, good: int) -> Position:
    """Carry out all effects of a rune, in its order (FA-RUNE-01)."""
    for effect in game.tables.runes[card].effects:
        position = _EFFECTS[type(effect)](game, position, seat, effect, target, good)
    return position


def _good_of(named: str | None, chosen: int) -> int:
    return chosen if named is None else box.GOODS.index(named)


def _demand(game: FireAxeGame, p: Position, seat: int, effect: box.SetDemand, target: int, chosen: int) -> Position:
    """Another good comes into demand (FA-TRADE-03); R_DEMAND_TOKEN says what if no token is left to show it."""
    good = _good_of(effect.good, chosen)
    if good < 0 or (good == p.demand and p.token):
        return p
    left = p.stock[good] > 0
    if not left and game.demand_ruling == "no_token_no_change":
        return p
    stock = put(p.stock, p.demand, p.stock[p.demand] + 1) if p.token else p.stock
    if left:
        stock = put(stock, good, stock[good] - 1)
    shown = good if left or game.demand_ruling == "change_anyway" else -1
    return replace(p, stock=stock, demand=shown, token=left)


def _wind(game: FireAxeGame, p: Position, seat: int, effect: box.Wind, target: int, good: int) -> Position:
    return turned(game, p, effect.quarters)


def _gain_good(game: FireAxeGame, p: Position, seat: int, effect: box.GainGood, target: int, chosen: int) -> Position:
    good = _good_of(effect.good, chosen)
    if good < 0 or not may_gain_good(game, p, seat, good, _days_left(p, seat)):
        return p
    return moved(p, seat, good, 1)


def _gain_crew(game: FireAxeGame, p: Position, seat: int, effect: box.GainCrew, target: int, good: int) -> Position:
    count = max(0, min(effect.count, p.supply[seat], slots_free(game, p, seat)))
    return _crew(p, seat, count)


def _crew(p: Position, seat: int, count: int) -> Position:
    """Move crew from the supply aboard, or back if the count is negative."""
    return replace(p, crew=put(p.crew, seat, p.crew[seat] + count), supply=put(p.supply, seat, p.supply[seat] - count))


def _points(game: FireAxeGame, p: Position, seat: int, effect: box.GainPoints, target: int, good: int) -> Position:
    return replace(p, vp=put(p.vp, seat, p.vp[seat] + effect.count))


def _rob(game: FireAxeGame, p: Position, seat: int, effect: box.RobGood, target: int, good: int) -> Position:
    return moved(p, target, good, -1) if target >= 0 else p


def _strike(game: FireAxeGame, p: Position, seat: int, effect: box.KillCrew, target: int, good: int) -> Position:
    return _crew(p, target, -1) if target >= 0 else p


def _drop(game: FireAxeGame, p: Position, seat: int, effect: box.DropRune, target: int, good: int) -> Position:
    return replace(p, victim=target)


_EFFECTS: dict[type, Callable[..., Position]] = {
    box.SetDemand: _demand, box.Wind: _wind, box.GainGood: _gain_good, box.GainCrew: _gain_crew,
    box.ExtraDays: lambda game, p, seat, e, target, good: replace(p, days=p.days + e.count),
    box.Shelter: lambda game, p, seat, e, target, good: replace(p, shelter=p.shelter + e.count),
    box.Attack: lambda game, p, seat, e, target, good: replace(p, attack=p.attack + e.plus),
    box.Spare: lambda game, p, seat, e, target, good: replace(p, spare=p.spare + e.count),
    box.Reroll: lambda game, p, seat, e, target, good: replace(p, rolls=max(0, p.rolls - 1)),
    box.Double: lambda game, p, seat, e, target, good: replace(p, doubled=True),
    box.FreeSail: lambda game, p, seat, e, target, good: replace(p, free=p.free + e.count),
    box.GainPoints: _points,
    box.DrawRunes: lambda game, p, seat, e, target, good: replace(p, drawing=p.drawing + e.count),
    box.RobGood: _rob, box.KillCrew: _strike, box.DropRune: _drop,
}  # fmt: skip
"""What each effect of the vocabulary does; effects on the turn fall to the seat on turn, whose rune it is."""
