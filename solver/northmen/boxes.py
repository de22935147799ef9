"""Boxes and positions for claims: whole packs with cards as wanted, and records filled up to valid ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.northmen.pack import read_pack
from lawspeaker.model.northmen.room import CATALOGUE, ROOM

from .counts import CARDS, CUBES, GROUP, HAND, HEROES, ROUTES, ROW, START_ROUTES, SUIT

KINGDOMS = ("Normans", "Rus", "Magyars", "Saxons", "Danes", "Byzantines", "Norwegians")
LANDS = ("Ireland", "Scotland", "Brittany", "Holy Roman Empire", "Bohemia", "Poland", "Finland", "Italy", "Bulgaria")
INLAND = ("Holy Roman Empire", "Bohemia", "Poland")
BORDERS: Mapping[str, tuple[str, ...]] = {
    "Normans": ("Brittany", "Holy Roman Empire"), "Rus": ("Poland", "Finland"),
    "Magyars": ("Holy Roman Empire", "Bohemia", "Poland", "Bulgaria"), "Saxons": ("Ireland", "Scotland"),
    "Danes": ("Holy Roman Empire", "Poland"), "Byzantines": ("Italy", "Bulgaria"),
    "Norwegians": ("Scotland", "Finland"),
}  # fmt: skip
NO_TOKENS = dict.fromkeys(LANDS, 0)
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


def record(
    pack: Mapping[str, Any],
    players: int,
    *,
    piles: Mapping[str, Sequence[str]] | None = None,
    hands: Mapping[str, Sequence[str]] | None = None,
    kingdoms: Mapping[str, Mapping[str, Sequence[int]]] | None = None,
    regions: Mapping[str, Mapping[str, Sequence[int]]] | None = None,
    infamy: Mapping[str, int] | None = None,
    **fields: Any,
) -> dict[str, Any]:
    """Return a whole record: a Rally turn of seat A in round 1, with what is given, the rest made to fit.

    Pieces are given by place and seat as [cubes, Heroes].  Hands are filled up to six with cards that
    are nowhere yet (not those given whole), three lie in the row, the other cards in the deck; cubes and
    Heroes that are nowhere are in the reserve and the supply.  *fields* replaces whole fields at the end.
    """
    seats = "ABCD"[:players]
    played = {seat: list((piles or {}).get(seat, ())) for seat in seats}
    held = {seat: list((hands or {}).get(seat, ())) for seat in seats}
    free = _free([one["id"] for one in pack["cards"]], [*played.values(), *held.values()])
    for seat in seats:
        while seat not in (hands or {}) and len(held[seat]) < HAND and free:
            held[seat].append(free.pop(0))
    board = {place: _pieces(seats, (kingdoms or {}).get(place, {})) for place in KINGDOMS}
    lands = {place: _pieces(seats, (regions or {}).get(place, {})) for place in LANDS}
    points = {seat: (infamy or {}).get(seat, 0) for seat in seats}
    everywhere = [*board.values(), *lands.values()]
    reserve = {s: CUBES - points[s] - sum(place[n][0] for place in everywhere) for n, s in enumerate(seats)}
    supply = {s: HEROES - sum(place[n][1] for place in everywhere) for n, s in enumerate(seats)}
    routes = [one["id"] for one in pack["routes"]]
    routed = {seat: [routes.pop(0) for _ in range(START_ROUTES)] for seat in seats}
    order = [one["id"] for one in pack["cards"]]
    whole: dict[str, Any] = {
        "round": 1, "phase": "play", "leader": "A", "seat": "A", "deck": free[ROW:], "row": free[:ROW],
        "hands": {s: _sorted(held[s], order) for s in seats}, "piles": {s: _sorted(played[s], order) for s in seats},
        "tops": {s: played[s][-1] if played[s] else None for s in seats}, "discard": [], "kingdoms": board,
        "regions": lands, "tokens": dict.fromkeys(LANDS, 0), "reserve": reserve, "infamy": points, "heroes": supply,
        "taken": dict.fromkeys(seats, 0), "group": GROUP, "unplaced": 0, "card": None, "placed": 0,
        "control": dict.fromkeys(KINGDOMS), "times": dict.fromkeys(seats), "kingdom": None, "second_pass": False,
        "region": None, "armies": 0, "fleets": 0, "either": 0, "led": 0, "origins": {k: [] for k in KINGDOMS},
        "route_deck": routes, "route_bottom": [], "route_hands": routed, "routes_done": {s: [] for s in seats},
        "chosen": {s: [] for s in seats}, "asked": None, "drawn": [], "kept": [], "pairs": 0, "held": [],
    }  # fmt: skip
    return _with_tokens({**whole, **fields}, pack, fields)


def _free(cards: Sequence[str], used: Sequence[Sequence[str]]) -> list[str]:
    somewhere = {one for group in used for one in group}
    return [one for one in cards if one not in somewhere]


def _sorted(cards: Iterable[str], order: Sequence[str]) -> list[str]:
    return sorted(cards, key=order.index)


def _pieces(seats: str, given: Mapping[str, Sequence[int]]) -> list[list[int]]:
    return [list(given.get(seat, (0, 0))) for seat in seats]


def _with_tokens(whole: dict[str, Any], pack: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Put a token for each card played that names a region, unless the fields say otherwise."""
    if "tokens" in given:
        return whole
    names = {one["id"]: one.get("region") for one in pack["cards"]}
    for pile in whole["piles"].values():
        for one in pile:
            if names[one]:
                whole["tokens"][names[one]] += 1
    whole["group"] = given.get("group", GROUP - sum(whole["tokens"].values()))
    return whole
