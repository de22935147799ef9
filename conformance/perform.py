"""Doing what a plan says on both sides, and playing on by a policy where only the subject knows chance."""

from __future__ import annotations

from random import Random

from lawspeaker.model.core.contract import CHANCE, OVER
from lawspeaker.model.core.play import Rare

from .layers import Plan
from .match import UNKNOWN, Match, Op

_LIMIT = 5000


def perform(match: Match, plan: Plan, seed: int) -> None:
    """Play the plan's line, and a plan that is *online* to the end of the game; raises Diverged."""
    match.play(plan.line)
    if not plan.online:
        return
    random, rare, game = Random(f"{seed} online {plan.id}"), Rare(), match.game
    for _ in range(_LIMIT):
        now = match.now
        if now.actor == OVER:
            return
        if now.actor == CHANCE:
            match.do(Op("try", "chance", UNKNOWN))
            continue
        view = game.observe(now.position, now.actor)
        action = rare(game, view, game.legal(now.position), random)
        match.do(Op("try", now.actor_name, game.text(action)))
