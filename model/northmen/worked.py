"""Worked facts of a step: what its effects are put into words with (see the head of ``clauses.yaml``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawspeaker.model.core.contract import Fact, facts

from . import actions as act
from . import contests, march, scoring
from .actions import SEATS
from .contests import Contest, board, placed
from .position import Position, listed

if TYPE_CHECKING:
    from .game import NorthmenGame

_BY = {"most": "", "heroes": " by Heroes", "seat": " by seat"}


def facts_of(game: NorthmenGame, position: Position, action: act.Action, after: Position) -> tuple[Fact, ...]:
    """Return the facts of a legal action that leads to *after*, and of all it settles."""
    actor = game.actor(position)
    leader = after.leader if after.phase == "play" else position.leader
    found = facts(seat=SEATS[actor] if actor >= 0 else "chance", round=position.round, leader=SEATS[leader])
    return found + _own(game, position, action) + _settled(game, position, action, after)


def _own(game: NorthmenGame, position: Position, action: act.Action) -> tuple[Fact, ...]:
    names, tables, seat = game.tables.names, game.tables, position.seat
    match action:
        case act.Play(card):
            return facts(
                card=names.cards[card], value=tables.value[card], placed=placed(game, position, card),
                reserve=position.reserve[seat], infamy=position.infamy[seat],
            ) + _token(game, position, action, card)  # fmt: skip
        case act.Hire() | act.NoHire():
            more = facts(infamy=position.infamy[seat], heroes=position.supply[seat])
            return facts(card=names.cards[position.card]) + more + _token(game, position, action, position.card)
        case act.Delay() | act.NoDelay():
            return facts(kingdom=names.places[position.kingdom], infamy=position.infamy[seat])
        case act.Send(place, cubes, heroes):
            soldiers, ships = march.strength(game, position)
            return facts(
                kingdom=names.places[position.kingdom], region=names.places[place], cubes=cubes, heroes_sent=heroes,
                armies_on_cards=soldiers, fleets_on_cards=ships,
            )  # fmt: skip
        case act.Complete(route) | act.Withhold(route) | act.Keep(route) | act.Route(route):
            kingdom, region = tables.route_kingdom[route], tables.route_region[route]
            purse = facts(infamy=position.infamy[seat])
            return purse + facts(
                route=names.routes[route], kingdom=names.places[kingdom], region=tables.regions[region]
            )
        case act.Hold(card):
            held = tuple(listed(position.held, names.cards))
            return facts(card=names.cards[card], infamy=position.infamy[seat], held=held)
        case act.Deal(card) | act.Turn(card) | act.Take(card):
            return facts(card=names.cards[card])
    return ()


def _token(game: NorthmenGame, position: Position, action: act.Action, card: int) -> tuple[Fact, ...]:
    """Return the Kingdom of a card, where it brings a token, and what is left of the group then."""
    region = game.tables.token[card]
    return facts(
        kingdom=game.tables.kingdoms[game.tables.suit[card]],
        region=game.tables.regions[region] if region >= 0 else None,
        group=board(game, position, action).group,
    )


def _settled(game: NorthmenGame, position: Position, action: act.Action, after: Position) -> tuple[Fact, ...]:
    here = board(game, position, action)
    found: tuple[Fact, ...] = ()
    over = contests.crossed(position, after)
    if contests.RALLY in over:
        settled = [_contest(game, contest) for contest in contests.controls(game, here) if contest.winner >= 0]
        found += facts(controls=tuple(settled))
    if contests.MARCH in over:
        fights = tuple(_contest(game, fight) for fight in contests.battles(game, here))
        rest = march.collect(game, march.battles(game, here))
        taken = [
            f"{SEATS[seat]} {count} in {game.tables.regions[region]}"
            for seat, region, count in contests.collected(game, here, rest)
        ]
        found += facts(battles=fights, collected=tuple(taken))
    if after.round > position.round:
        found += facts(leader_next=SEATS[after.leader])
    return found + _end(game, after) if after.phase == "over" else found


def _contest(game: NorthmenGame, contest: Contest) -> str:
    """Return a contest in words: place, winner, how, and each seat's cubes and Heroes."""
    sums = " : ".join(f"{SEATS[seat]} {contest.cubes[seat]}+{contest.heroes[seat]}" for seat in contest.present())
    place = game.tables.names.places[contest.place]
    return f"{place} to {SEATS[contest.winner]}{_BY[contest.how]} ({sums or 'empty'})"


def _end(game: NorthmenGame, after: Position) -> tuple[Fact, ...]:
    result, bonuses = scoring.result(game, after), scoring.bonuses(game, after)
    scores = [
        f"{SEATS[seat]} {score} = {' + '.join(str(line.points) for line in result.lines if line.seat == seat)}"
        for seat, score in enumerate(result.scores)
    ]
    return facts(
        scores=tuple(scores),
        infamies=tuple(f"{SEATS[seat]} {own}" for seat, own in enumerate(after.infamy)),
        bonuses=tuple(f"{SEATS[seat]} {bonus}" for seat, bonus in enumerate(bonuses) if bonus),
    )
