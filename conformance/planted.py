"""The games that have planted faults; and one faulty copy as a program of its own.

``python -m lawspeaker.conformance.planted GAME FAULT [PLAYERS]`` answers the protocol on its standard streams.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import make_game, room

from . import fjords_faults, northmen_faults
from .faults import Fault, draw
from .second_order import draw_pairs, named
from .server import serve

GAMES: dict[str, ModuleType] = {
    "fjords": fjords_faults,
    "northmen": northmen_faults,
}
"""The modules with the faults of each game that has some."""
SAMPLE: dict[str, tuple[str, ...]] = {
    "fjords": ("canary", "joins_landmass-00", "save-loses-flag"),
    "northmen": ("canary", "ships-twice", "undo-keeps-infamy"),
}
"""The faults that are played over a real pipe too, to see that nothing changes."""


def module_of(game: str) -> Any:
    """Return the module of a game's faults; raises BadInput where there is none."""
    room(game)
    if game not in GAMES:
        raise BadInput(f"no faults are written down for {game}", hint=f"there are some for {', '.join(GAMES)}")
    return GAMES[game]


def chosen(game: str, seed: int, count: int | None, pairs: int) -> tuple[Fault, ...]:
    """Return all variants made by hand, so many mechanical mutants (None: as many), and so many pairs of them."""
    hand = module_of(game).by_hand()
    single = (*hand, *draw(GAMES[game].mechanical(), seed, len(hand) if count is None else count))
    return (*single, *draw_pairs(single, seed, pairs))


def fault_named(game: str, name: str) -> Fault:
    """Return a fault, or two of them (``ONE+TWO``), by its id; raises BadInput."""
    place = module_of(game)
    return named({fault.id: fault for fault in (*place.by_hand(), *place.mechanical())}, name)


def main(words: Sequence[str]) -> None:
    """Serve the faulty copy that the words name."""
    game = make_game(words[0], players=int(words[2]) if len(words) > 2 else None)
    fault = fault_named(game.id, words[1])
    serve(fault.session(fault.build(game), name=fault.id), sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main(sys.argv[1:])
