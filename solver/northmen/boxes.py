"""Boxes and positions for claims: whole packs with cards as wanted, and records filled up to valid ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.pack import read_pack
from lawspeaker.model.northmen.room import CATALOGUE, ROOM
from lawspeaker.solver.asking import require

from .counts import CARDS, ROUTES, SUIT

KINGDOMS = ("Normans", "Rus", "Magyars", "Saxons", "Danes", "Byzantines", "Norwegians")
LANDS = ("Ireland", "Scotland", "Brittany", "Holy Roman Empire", "Bohemia", "Poland", "Finland", "Italy", "Bulgaria")
INLAND = ("Holy Roman Empire", "Bohemia", "Poland")
BORDERS: Mapping[str, tuple[str, ...]] = {
    "Normans": ("Brittany", "Holy Roman Empire"), "Rus": ("Poland", "Finland"),
    "Magyars": ("Holy Roman Empire", "Bohemia", "Poland", "Bulgaria"), "Saxons": ("Ireland", "Scotland"),
    "Danes": ("Holy Roman Empire", "Poland"), "Byzantines": ("Italy", "Bulgaria"),
    "Norwegians": ("Scotland", "Finland"),
}  # fmt: skip
SHORT = dict(zip(KINGDOMS, ("NM", "RU", "MA", "SA", "DA", "BY", "NO"), strict=True))
Symbols = tuple[int, int]
"""Soldiers and ships of a card."""


def card(kingdom: str, number: int) -> str:
    """Return the id of a card of these boxes; numbers from 1."""
    return f"{SHORT[kingdom]}{number}"


def box(
    *,
    symbols: Mapping[str, Sequence[Symbols]] | None = None,
    default: Symbols = (2, 1),
    placing: int = CARDS,
    named: Mapping[str, str] | None = None,
    only: bool = False,
    borders: Mapping[str, tuple[str, ...]] | None = None,
) -> dict[str, Any]:
    """Return a whole box of 56 cards.

    *symbols* gives the cards of some suits (others have *default* eight times); the first *placing* cards,
    one of each suit in turn, name a region (the lands in turn, unless *named* says which), or *only* those
    *named*; *borders* replaces neighbours of some Kingdoms.
    """
    given, lands, around = symbols or {}, named or {}, {**BORDERS, **(borders or {})}
    cards = []
    for k, kingdom in enumerate(KINGDOMS):
        for number in range(1, SUIT + 1):
            soldiers, ships = given[kingdom][number - 1] if kingdom in given else default
            turn = (number - 1) * len(KINGDOMS) + k
            name = card(kingdom, number)
            region = lands.get(name, LANDS[turn % len(LANDS)] if turn < placing and not only else None)
            cards.append({"id": name, "kingdom": kingdom, "soldiers": soldiers, "ships": ships, "region": region})
    routes = [
        {"id": f"T{n + 1:02}", "kingdom": KINGDOMS[n % 7], "region": LANDS[n % 9], "value": 3} for n in range(ROUTES)
    ]
    return {
        "format": "lawspeaker-pack/1", "game": "northmen", "id": "witness", "title": "a witness of the solver",
        "complete": True, "kingdoms": [{"id": k, "borders": list(around[k])} for k in KINGDOMS],
        "regions": [{"id": r, "sea": r not in INLAND} for r in LANDS], "cards": cards, "routes": routes,
    }  # fmt: skip


def game_of(pack: Mapping[str, Any], players: int = 2, **rulings: str) -> AnyGame:
    """Return the game with a box, under the default rulings with these others; raises BadInput if they rule it out."""
    return ROOM.build(read_pack(dict(pack), "witness"), CATALOGUE.book.choose(rulings), players)


def northmen(pack: Mapping[str, Any], players: int = 2, **rulings: str) -> NorthmenGame:
    """Return ``game_of`` as the game that it is."""
    game = game_of(pack, players, **rulings)
    assert isinstance(game, NorthmenGame)
    return game


def seated(game: AnyGame, whole: Mapping[str, Any]) -> Any:
    """Return the position of a record; raises AssertionError if it breaks an invariant of the game."""
    position = game.position(whole)
    broken = [breach.clause for breach in game.broken_invariants(position)]
    require(not broken, f"the witness is no valid position: {broken}")
    return position


def replayed(game: AnyGame, position: Any, actions: Iterable[str]) -> Any:
    """Return the position after actions given as texts, each of which must be legal."""
    for text in actions:
        legal = {game.text(action): action for action in game.legal(position)}
        if text not in legal:
            raise AssertionError(f"{text} is not among {sorted(legal)}")
        position = game.apply(position, legal[text])
    return position


def options(game: AnyGame, position: Any) -> list[str]:
    """Return the texts of the legal actions."""
    return [game.text(action) for action in game.legal(position)]


TOKEN_LANDS = (*["Ireland"] * 8, *["Scotland"] * 4, *["Brittany"] * 2, "Poland")
"""Where the fifteen token cards of ``token_box`` lead: sums of these make every number of tokens left over."""


def token_box() -> dict[str, Any]:
    """Return a box with fifteen token cards, so that each round they are played, and other rounds alike."""
    cards = [card(kingdom, number) for number in range(1, SUIT + 1) for kingdom in KINGDOMS]
    return box(named=dict(zip(cards, TOKEN_LANDS, strict=False)), only=True)


@cache
def left_over(number: int, rounds: int) -> tuple[int, ...]:
    """Return tokens by region of a ``token_box`` that are left over from so many rounds, the last included.

    In each region all of a round are left or none, and those of the last round lie above older ones.
    """
    each = [(land, TOKEN_LANDS.count(land)) for land in dict.fromkeys(TOKEN_LANDS)]
    ranges = [(0, *range(count, rounds * count + 1)) for _, count in each]
    found = next(amounts for amounts in product(*ranges) if sum(amounts) == number)
    tokens = dict(zip((land for land, _ in each), found, strict=True))
    return tuple(tokens.get(land, 0) for land in LANDS)
