"""Two players of Fire & Axe who get somewhere: they load, sail to where there is something to do, and do it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from lawspeaker.model.fire_axe import actions as act

_WEIGHTS: Mapping[str, float] = {
    "trade": 30, "raid": 40, "settle": 25, "load": 4, "leave": 1, "sail": 6, "end": 0.1, "winter": 0.15,
    "discard": 0.15, "play": 1.5, "draw": 0.8, "convert": 2, "waive": 0.2, "stop": 0.3,
}  # fmt: skip


class Eager:
    """Picks kinds of action by weight, and of the Sails those that lead to a port with a Task."""

    weights: Mapping[str, float] = _WEIGHTS
    straight = 12.0
    """How much more a Sail towards a Task is worth than another."""

    def __call__(self, game: Any, view: Any, actions: tuple[Any, ...], random: Random) -> Any:
        """Pick one of the actions."""
        kinds = [game.kind(a) for a in actions]
        count = Counter(kinds)
        weights = [self.weights.get(kind, 1.0) / count[kind] for kind in kinds]
        if "sail" in count:
            near = _distances(game, wanted(game, view))
            here = near.get(game.tables.names.place[view["places"][view["you"]]], 99)
            for n, action in enumerate(actions):
                if isinstance(action, act.Sail) and near.get(action.place, 99) < here:
                    weights[n] *= self.straight
        if "leave" in count:
            ready = view["prep"] > 2 and view["crew"][view["you"]] > 1
            weights = [w * (8.0 if ready else 0.2) if k == "leave" else w for w, k in zip(weights, kinds, strict=True)]
        return random.choices(actions, weights)[0]


class Reckless(Eager):
    """Uses runes, loses ships, and goes wherever the wind blows."""

    weights: Mapping[str, float] = {**_WEIGHTS, "play": 12, "discard": 1, "draw": 4, "winter": 0.4, "waive": 1}
    straight = 4.0


def wanted(game: Any, view: Mapping[str, Any]) -> list[int]:
    """Return the ports, as numbers of places, in which the seat that looks could do a Task now."""
    tables, towns = game.tables, set(view["towns"])
    names = tables.names.places[tables.first_port :]
    standing = sum(1 << n for n, name in enumerate(names) if name in towns)
    cargo = any(view["cargo"][view["you"]])
    found = []
    for port, name in enumerate(names):
        if name in view["tasked"]:
            continue
        settle = view["settlers"][name] is None and not standing & (tables.region[port] | 1 << port)
        if standing >> port & 1 or settle or (cargo and view["goods"][name] is None):
            found.append(tables.first_port + port)
    return found


def _distances(game: Any, goals: Sequence[int]) -> dict[int, int]:
    """Return the fewest Sails from each place to one of the goals."""
    found, edge = dict.fromkeys(goals, 0), list(goals)
    while edge:
        edge = [to for here in edge for to in game.tables.neighbours[here]
                if to not in found and found.setdefault(to, found[here] + 1)]  # fmt: skip
    return found
