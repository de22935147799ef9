"""What a step shows of the topics of setup and rally."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lawspeaker.model.core.games import room
from lawspeaker.model.core.play import Step
from lawspeaker.model.northmen import actions as act
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.pack import BULGARIA
from lawspeaker.model.northmen.position import Position, bits
from lawspeaker.solver.frame import Seen

from .moments import fifteen_placed, hand_sizes, marching, played, rallying, token_brought, token_step

_MARKS = {"none": "none", "3-4": "three_or_four", "4": "four"}


def setup(game: NorthmenGame, step: Step) -> Iterator[Seen]:
    """Yield what the beginning of a game shows."""
    before = step.before
    if before.round > 1 or before.phase != "deal" or any(before.hands):
        return
    for number in range(1, 7):
        yield "players", {"number": number}, number in room(game.id).players
    for seat in range(game.players):
        place = (seat - before.leader) % game.players + 1
        yield "starting_infamy", {"number": game.players, "place": place}, before.infamy[seat]


# -- one turn ------------------------------------------------------------------------------------------


def rally(game: NorthmenGame, step: Step) -> Iterator[Seen]:
    """Yield what a step of a Rally turn shows."""
    before, action = step.before, step.action
    if isinstance(action, act.Play):
        yield from _card(game, step)
    if token_step(step):
        yield from _token(game, step)
    if before.phase == "draw":
        legal = game.legal(before)
        known = {"row": before.row.bit_count(), "deck_left": before.deck != 0}
        yield "draw", {"source": "face_up", **known}, any(isinstance(a, act.Take) for a in legal)
        yield "draw", {"source": "top_of_deck", **known}, act.DRAW in legal
    if isinstance(action, act.Take) and not fifteen_placed(game, before.group, sum(before.tokens)):
        filled, over = step.after.phase == "turn", marching(step.after)
        answer = "place_filled" if filled else "phase_over" if over else "place_stays_empty"
        yield "refill", {"deck_left": before.deck != 0}, answer
    if before.phase == "play" and before.group % 5 == 0:
        yield from shown(game, before, ((before.seat + 1) % game.players,))


def _card(game: NorthmenGame, step: Step) -> Iterator[Seen]:
    """Yield how many cubes a card has brought, and whether a Hero may follow."""
    before, after, seat = step.before, step.after, step.before.seat
    if marching(after) and game.rulings["R_STUCK"] == "to_reserve":
        return  # the reserve may have changed for another reason
    card = game.tables.pack.cards[step.action.card]
    brought = before.reserve[seat] - after.reserve[seat]
    yield "cubes", {"value": card.soldiers + card.ships, "reserve": before.reserve[seat]}, brought
    known = {"placed": brought, "infamy": before.infamy[seat], "supply": before.supply[seat]}
    yield "hero", known, after.phase == "hire"


def _token(game: NorthmenGame, step: Step) -> Iterator[Seen]:
    """Yield whether the card brings a token, and what comes of that."""
    before, after = step.before, step.after
    card = game.tables.pack.cards[played(step)]
    named = "nothing" if card.region is None else "bulgaria" if card.region == BULGARIA else "region"
    brought = token_brought(step)
    yield "token", {"named": named, "mark": _MARKS[card.mark], "number": game.players}, brought
    on_board = sum(before.tokens) + brought
    last = fifteen_placed(game, after.group, on_board)
    row, deck_left = before.row.bit_count(), before.deck != 0
    if row or deck_left:
        if brought and game.rulings["R_RALLY_END"] == "immediate":
            yield "rally_end", {"group_left": after.group, "on_board": on_board}, marching(after)
        yield "draw_or_end", {"fifteen_placed": last}, "he_draws" if after.phase == "draw" else "marching_phase"
    if not last and (any(after.hands) or after.phase == "draw"):
        answer = "he_draws" if after.phase == "draw" else "phase_over" if marching(after) else "he_draws_nothing"
        yield "nothing_to_draw", {"row": row, "deck_left": deck_left}, answer


# -- from turn to turn -----------------------------------------------------------------------------------


def turns(game: NorthmenGame, step: Step) -> Iterator[Seen]:
    """Yield who plays next, and whether the tokens or an empty hand end the phase instead."""
    before, after = step.before, step.after
    begins = not rallying(before) and (rallying(after) or marching(after))
    if not begins and not _turn_over(step):
        return
    n = game.players
    last = 0 if begins else (before.seat - before.leader) % n + 1
    due = (before.leader + last) % n
    hand = hand_sizes(after)[due]
    group, on_board = after.group, sum(after.tokens) + sum(after.taken) - sum(before.taken)
    enough = fifteen_placed(game, group, on_board)
    if (begins or game.rulings["R_RALLY_END"] == "finish_turn") and (after.phase == "play" or enough):
        yield "rally_end", {"group_left": group, "on_board": on_board}, marching(after)
    if enough or _deck_gave_out(game, step):
        return
    yield "no_card", {"hand": hand}, "phase_over" if marching(after) else "he_plays_a_card"
    if hand:
        seat = (after.seat - after.leader) % n + 1
        yield "turns", {"phase": "rally", "players": n, "last": last}, seat


def _turn_over(step: Step) -> bool:
    """Say whether a Rally turn ended in this step."""
    before, after = step.before, step.after
    return rallying(before) and (
        marching(after)
        or (after.phase == "play" and before.phase != "play")
        or (before.phase == "play" and after.phase == "play")
    )


def _deck_gave_out(game: NorthmenGame, step: Step) -> bool:
    """Say whether the phase ended because a card was due that is not there (R_DECK_EMPTY=end)."""
    return game.rulings["R_DECK_EMPTY"] == "end" and marching(step.after) and not step.before.deck


# -- covered cards -----------------------------------------------------------------------------------------


def shown(game: NorthmenGame, position: Position, owners: Iterable[int]) -> Iterator[Seen]:
    """Yield whether the cards in front of these seats are shown to the next one."""
    for owner in owners:
        if not position.piles[owner]:
            continue
        view = game.observe(position, (owner + 1) % game.players)["piles"][game.seats[owner]]
        for card in bits(position.piles[owner]):
            known = {"covered": card != position.tops[owner], "revealed": _revealed(game, position, owner, card)}
            yield "shown", known, game.tables.pack.cards[card].id in view


def _revealed(game: NorthmenGame, position: Position, owner: int, card: int) -> bool:
    """Say whether a card's Kingdom is the owner's and has begun to move."""
    kingdom = game.tables.suit[card]
    if not marching(position) or position.control[kingdom] != owner:
        return False
    if position.phase == "complete":
        return True
    reached = kingdom < position.kingdom or (kingdom == position.kingdom and position.phase == "march")
    return reached if (kingdom in position.times) == position.second_pass else position.second_pass
