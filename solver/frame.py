"""What a game's package tells the shared frame: its topics, how they are seen in play, how to play them out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lawspeaker import solver
from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.formulas import Value
from lawspeaker.model.core.games import make_game, room
from lawspeaker.model.core.packs import Pack
from lawspeaker.model.core.play import Picker, Step
from lawspeaker.model.core.records import CheckRow, FindingRecord, TopicRow
from lawspeaker.model.core.rulings import Rulings

from .answers import Store
from .topics import Topic

Seen = tuple[str, Mapping[str, Value], Value]
"""A topic's id, its situation in a step of play, and the model's answer there."""


@dataclass(frozen=True)
class GameQuestions:
    """All that the frame needs of a game.

    ``situations`` reads off a step what it shows of each topic; ``policies`` are those of the search for
    witnesses; ``policy_for`` suits a ruling chosen otherwise than by default ("" for none) and a seed;
    ``besides`` yields more games worth watching with a seed, each with its policy.  ``results`` yields
    what the claims came to (anew if told so), ``store_positions`` writes those that have positions.
    """

    game: str
    topics: Callable[[], Mapping[str, Topic]]
    situations: Callable[[AnyGame, Step], Iterator[Seen]]
    policies: Callable[[], tuple[Picker, ...]]
    policy_for: Callable[[str, int], Picker]
    besides: Callable[[AnyGame], Iterator[tuple[AnyGame, Picker]]]
    results: Callable[[Store, bool], Iterator[tuple[FindingRecord | None, TopicRow]]]
    store_positions: Callable[[Path], None]
    audits: Callable[[AnyGame, Iterable[int]], list[CheckRow]]
    players: tuple[int, ...] = (2,)
    """Numbers of players of the games watched, taken in turn."""
    out_of_play: frozenset[str] = frozenset()
    """Topics that no step of play shows anything of."""

    @property
    def folder(self) -> Path:
        """Where witnesses and costs are stored: found by its place beside this package, nothing is imported."""
        return Path(solver.__path__[0]).parent / "reports" / "findings" / self.game

    def make(self, rulings: Rulings | None = None, players: int | None = None) -> AnyGame:
        """Return the game with its default pack."""
        return make_game(self.game, default_pack(self.game), rulings, players or self.players[0])


@cache
def default_pack(game: str) -> Pack:
    """Return a game's default pack, read once."""
    place = room(game)
    return place.load_pack(place.default_pack)
