"""What a step shows of planning, of what a round leaves, and of the end."""

from __future__ import annotations

from collections.abc import Iterator

from lawspeaker.model.core.formulas import Value
from lawspeaker.model.core.play import Step
from lawspeaker.model.northmen import actions as act
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.position import PLANNING, Position, bits
from lawspeaker.solver.frame import Seen

from .moments import marching
from .seen_contest import from_leader, to_leader


def planning(game: NorthmenGame, step: Step) -> Iterator[Seen]:
    """Yield what a step of the Planning Phase shows, and what follows the round."""
    before, after = step.before, step.after
    if before.phase in ("buy", "hold"):
        yield from _offers(game, before)
    if isinstance(step.action, act.Keep):
        yield from _drawn(step)
    if isinstance(step.action, act.Done):
        yield from _hand(step)
        if after.phase == "buy":
            yield from _turn(game, after, from_leader(before, before.seat) + 1)
    if before.phase not in PLANNING and after.phase in PLANNING:
        yield from _turn(game, after, 0)
    if after.round > before.round or (after.phase == "over" and before.phase != "over"):
        yield from _round_over(game, step)
    if after.phase == "over":
        yield from _end(game, after)


def _offers(game: NorthmenGame, before: Position) -> Iterator[Seen]:
    legal, seat = game.legal(before), before.seat
    later = [card for card in bits(before.hands[seat]) if card >= before.held.bit_length()]
    infamy = before.infamy[seat]
    yield "hold", {"infamy": infamy, "cards_left": len(later)}, any(isinstance(a, act.Hold) for a in legal)
    batch = game.rulings["R_ROUTE_BATCH"] == "batch"
    if before.phase == "hold" and (before.held or not batch):
        return  # once he holds cards he buys no more: an order of our own
    known = {"infamy": infamy, "deck": before.route_deck.bit_count() + len(before.route_bottom)}
    for pairs in range(1, 11):
        yield "buy", {"pairs": pairs, **known, "bought_before": before.phase == "hold"}, act.Buy(pairs) in legal


def _drawn(step: Step) -> Iterator[Seen]:
    before, after, seat = step.before, step.after, step.before.seat
    kept = before.kept | 1 << step.action.route
    if kept.bit_count() < before.pairs:
        return
    beneath = {route for route, _ in after.route_bottom}
    for route in bits(before.drawn):
        in_hand = after.route_hands[seat] >> route & 1
        answer = "hand" if in_hand else "beneath_the_deck" if route in beneath else "?"
        yield "route_drawn", {"chosen": bool(kept >> route & 1)}, answer


def _hand(step: Step) -> Iterator[Seen]:
    before, after, seat = step.before, step.after, step.before.seat
    for card in bits(before.hands[seat]):
        known: dict[str, Value] = {"paid_for": bool(before.held >> card & 1), "holds_some": before.held != 0}
        yield "kept_card", known, "kept" if after.hands[seat] >> card & 1 else "discarded"


def _turn(game: NorthmenGame, after: Position, last: int) -> Iterator[Seen]:
    known: dict[str, Value] = {"phase": "planning", "players": game.players, "last": last}
    yield "turns", known, from_leader(after, after.seat) + 1


def _round_over(game: NorthmenGame, step: Step) -> Iterator[Seen]:
    before, after = step.before, step.after
    over = after.phase == "over"
    answer = "planning_then_end" if over else "planning_then_next_round"
    if marching(before):
        answer = "end" if over else "next_round"
    yield "third_round", {"round": before.round}, answer
    if not over:
        known = {"players": game.players, "leader": before.leader + 1}
        yield "next_leader", known, after.leader + 1
    if any(after.tokens):
        kept = "stay_for_the_next_round" if marching(before) or after.tokens == before.tokens else "?"
        counted = sum(line.points for line in game.result(after).lines if line.clause == "SN-SCORE-01")
        at_end = "count_for_nobody" if counted == sum(after.taken) else "count_for_somebody"
        yield "leftover", {"round": before.round}, at_end if over else kept


def _end(game: NorthmenGame, after: Position) -> Iterator[Seen]:
    result, n = game.result(after), game.players
    best = max(result.scores)
    tied = [seat for seat in range(n) if result.scores[seat] == best]
    most = max(after.infamy[seat] for seat in tied)
    full = [seat for seat in tied if after.infamy[seat] == most]
    distance = from_leader if game.rulings["R_CLOCK"] == "from_leader" else to_leader
    nearest = min(full, key=lambda seat: distance(after, seat))
    for seat in range(n):
        routes = after.routes_done[seat].bit_count()
        bonus = sum(line.points for line in result.lines if (line.seat, line.clause) == (seat, "SN-END-02"))
        others = max(after.infamy[s] for s in range(n) if s != seat)
        yield "bonus", {"own": after.infamy[seat], "others_most": others, "routes": routes}, bonus
        yield from _parts(game, after, seat, bonus, result.scores[seat])
        among = len(tied) > 1 and seat in tied
        infamy = "less_infamy" if seat not in full else "most_alone" if len(full) == 1 else "most_with_others"
        yield "winner", {
            "score": "best_with_others" if among else "best_alone" if seat in tied else "less",
            "infamy_of_the_tied": infamy if among else "most_alone",
            "nearest_to_leader": among and infamy == "most_with_others" and seat == nearest,
        }, seat in result.winners  # fmt: skip


def _parts(game: NorthmenGame, after: Position, seat: int, bonus: int, score: int) -> Iterator[Seen]:
    """Yield which parts make up a score: those the text names, if they come to just that."""
    values = [game.tables.pack.routes[route].value for route in bits(after.routes_done[seat])]
    waiting = [game.tables.pack.routes[route].value for route in bits(after.route_hands[seat])]
    fits = score == after.taken[seat] + sum(values) + bonus
    counted = {"tokens_collected": after.taken[seat], "completed_route": sum(values), "bonus": bonus}
    for part, points in counted.items():
        if points:
            yield "score", {"part": part}, fits
    for part, points in (("uncompleted_route", sum(waiting)), ("unused_infamy", after.infamy[seat])):
        if points:
            yield "score", {"part": part}, not fits
