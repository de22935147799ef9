"""Actions of Northmen and their one canonical text each.

========================  =======================================================================
``deal NM1``              chance: the next card goes to a hand; seen by its owner alone
``turn NM1``              chance: the next card is turned face up into the row
``route T07``             chance: a Trade Route goes to a hand, or is drawn in a purchase
``play NM1``              play a card; its cubes are placed
``hire``, ``nohire``      pay for a Hero in the Kingdom of the card, or do not
``take NM1``              take a face-up card
``draw``                  take the top card of the face-down deck
``delay``, ``nodelay``    put the Time Token on the Kingdom whose turn it is, or let it march
``send Poland 3+1``       march: this many cubes and Heroes to the region that is next in map order
``complete T07``          commit to playing a completed Trade Route
``withhold T07``          commit to keeping it in hand
``buy 1``                 pay for this many pairs of Trade Routes
``keep T07``              keep this one of the routes drawn
``hold NM1``              pay to keep this card for the next round
``done``                  end the planning turn
========================  =======================================================================

Compound forms stand for series of these: ``march Magyars: Poland 3+1, Finland 2+1``, ``routes T05 T07``
and ``holds NM1 NM5`` (``none`` for no route, no card).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from lawspeaker.model.core.errors import BadInput

SEATS = ("A", "B", "C", "D")


class Deal(msgspec.Struct, frozen=True, gc=False, tag="deal"):
    """Chance: the card that goes to a hand."""

    card: int


class Turn(msgspec.Struct, frozen=True, gc=False, tag="turn"):
    """Chance: the card turned face up into the row."""

    card: int


class Route(msgspec.Struct, frozen=True, gc=False, tag="route"):
    """Chance: the Trade Route dealt or drawn."""

    route: int


class Play(msgspec.Struct, frozen=True, gc=False, tag="play"):
    """Play an Influence Card from hand."""

    card: int


class Hire(msgspec.Struct, frozen=True, gc=False, tag="hire"):
    """Hire a Hero."""


class NoHire(msgspec.Struct, frozen=True, gc=False, tag="nohire"):
    """Hire no Hero."""


class Take(msgspec.Struct, frozen=True, gc=False, tag="take"):
    """Take a face-up card."""

    card: int


class Draw(msgspec.Struct, frozen=True, gc=False, tag="draw"):
    """Take the top card of the face-down deck."""


class Delay(msgspec.Struct, frozen=True, gc=False, tag="delay"):
    """Delay the Kingdom whose turn it is."""


class NoDelay(msgspec.Struct, frozen=True, gc=False, tag="nodelay"):
    """Let the Kingdom march now."""


class Send(msgspec.Struct, frozen=True, gc=False, tag="send"):
    """Send cubes and Heroes of the marching Kingdom to a place (Kingdoms come before regions)."""

    place: int
    cubes: int
    heroes: int


class Complete(msgspec.Struct, frozen=True, gc=False, tag="complete"):
    """Commit to playing a completed Trade Route."""

    route: int


class Withhold(msgspec.Struct, frozen=True, gc=False, tag="withhold"):
    """Commit to keeping a Trade Route in hand."""

    route: int


class Buy(msgspec.Struct, frozen=True, gc=False, tag="buy"):
    """Pay for pairs of Trade Routes."""

    pairs: int


class Keep(msgspec.Struct, frozen=True, gc=False, tag="keep"):
    """Keep one of the Trade Routes drawn."""

    route: int


class Hold(msgspec.Struct, frozen=True, gc=False, tag="hold"):
    """Pay to keep a card of the hand."""

    card: int


class Done(msgspec.Struct, frozen=True, gc=False, tag="done"):
    """End the planning turn."""


Action = (
    Deal | Turn | Route | Play | Hire | NoHire | Take | Draw | Delay | NoDelay | Send
    | Complete | Withhold | Buy | Keep | Hold | Done
)  # fmt: skip

HIRE, NO_HIRE, DRAW, DELAY, NO_DELAY, DONE = Hire(), NoHire(), Draw(), Delay(), NoDelay(), Done()
_BARE: dict[str, Action] = {
    "hire": HIRE, "nohire": NO_HIRE, "draw": DRAW, "delay": DELAY, "nodelay": NO_DELAY, "done": DONE,
}  # fmt: skip
_BARE_TEXT = {type(action): text for text, action in _BARE.items()}
OF_CARD: dict[str, type[Deal | Turn | Play | Take | Hold]] = {
    "deal": Deal, "turn": Turn, "play": Play, "take": Take, "hold": Hold,
}  # fmt: skip
OF_ROUTE: dict[str, type[Route | Complete | Withhold | Keep]] = {
    "route": Route, "complete": Complete, "withhold": Withhold, "keep": Keep,
}  # fmt: skip

MOST = 99
"""The largest number of pieces or pairs that a text can name."""
HINT = (
    "one of: play CARD, hire, nohire, take CARD, draw, delay, nodelay, send PLACE CUBES+HEROES, complete ROUTE, "
    "withhold ROUTE, buy PAIRS, keep ROUTE, hold CARD, done, deal CARD, turn CARD, route ROUTE"
)
_REMEMBERED = 4096
"""So many sets a listing remembers: a position differs in few of them from the one before."""
_NUMBER = r"(0|[1-9][0-9]?)"
_SEND = re.compile(rf"(\S+(?: \S+)*) {_NUMBER}\+{_NUMBER}")


class Listing:
    """Turns sets, as bits, into lists of ids in pack order, eight bits at a time; remembers the newest."""

    def __init__(self, ids: tuple[str, ...]) -> None:
        self._parts = [
            [[name for n, name in enumerate(ids[first : first + 8]) if byte >> n & 1] for byte in range(256)]
            for first in range(0, len(ids), 8)
        ]
        self._known: dict[int, list[str]] = {}

    def __call__(self, mask: int) -> list[str]:
        """Return the ids of a set, in a list of the caller's own."""
        known = self._known.get(mask)
        if known is not None:
            return known[:]
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        found: list[str] = []
        rest = mask
        for part in self._parts:
            if rest & 255:
                found += part[rest & 255]
            rest >>= 8
        self._known[mask] = found
        return found[:]


class Names(msgspec.Struct, frozen=True):
    """The ids of a pack's cards, routes and places (Kingdoms, then regions), by number, and back."""

    cards: tuple[str, ...]
    routes: tuple[str, ...]
    places: tuple[str, ...]
    card: Mapping[str, int]
    route: Mapping[str, int]
    place: Mapping[str, int]
    card_list: Listing
    route_list: Listing
    place_list: Listing


def names_of(cards: tuple[str, ...], routes: tuple[str, ...], places: tuple[str, ...]) -> Names:
    """Return the names with their numbers."""
    card, route, place = ({name: n for n, name in enumerate(ids)} for ids in (cards, routes, places))
    return Names(cards, routes, places, card, route, place, Listing(cards), Listing(routes), Listing(places))


def kind(action: Action) -> str:
    """Return the action's kind, one word."""
    return str(action.__struct_config__.tag)


def text(action: Action, names: Names) -> str:
    """Return an action's canonical text."""
    bare = _BARE_TEXT.get(type(action))
    if bare is not None:
        return bare
    match action:
        case Deal(card) | Turn(card) | Play(card) | Take(card) | Hold(card):
            return f"{kind(action)} {names.cards[card]}"
        case Route(route) | Complete(route) | Withhold(route) | Keep(route):
            return f"{kind(action)} {names.routes[route]}"
        case Send(place, cubes, heroes):
            return f"send {names.places[place]} {cubes}+{heroes}"
        case Buy(pairs):
            return f"buy {pairs}"
    raise TypeError(f"no action: {action!r}")


def parse(words: str, names: Names) -> Action:
    """Read an action's canonical text; raises BadInput."""
    bare = _BARE.get(words)
    if bare is not None:
        return bare
    verb, _, rest = words.partition(" ")
    if verb in OF_CARD:
        return OF_CARD[verb](_known(rest, names.card, "card", words))
    if verb in OF_ROUTE:
        return OF_ROUTE[verb](_known(rest, names.route, "route", words))
    if verb == "send":
        found = _SEND.fullmatch(rest)
        if found:
            return Send(_known(found[1], names.place, "place", words), int(found[2]), int(found[3]))
    if verb == "buy" and re.fullmatch("[1-9][0-9]?", rest):
        return Buy(int(rest))
    raise BadInput(f"{words!r} is no action", hint=HINT)


def _known(name: str, numbers: Mapping[str, int], what: str, words: str) -> int:
    if name not in numbers:
        raise BadInput(f"unknown {what} {name!r} in {words!r}", hint=f"{what}s are named as in the pack")
    return numbers[name]
