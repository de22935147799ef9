"""Actions of Fire & Axe and their one canonical text each.

============================  ===================================================================
``flip S07``                  chance: the next Saga of the draw pile is turned up
``deal R05``                  chance: a rune goes to a hand; seen by its owner alone
``die 4``                     chance: a raid's die falls
``dice 2 4 5``                chance: the dice of a settling fall, in ascending order
``treasure 3``                chance: what lay hidden under a raided town
``drop R05``                  chance: the rune that a player loses blindly
``load crew``, ``load Furs``  bring a crewmember or a good aboard
``unload Furs``               put a good back (R_LOAD_TRAP=jettison)
``leave Norway``              go from the Wintering Zone to a Homeland
``draw``                      draw a rune
``sail North Sea``            sail to an adjacent place
``lose crew``, ``lose Furs``  cover a skull of the Losses chart
``trade Furs``                put a good into the port
``raid``, ``stop``            roll a die against the port's town; break the raid off
``settle 2``                  roll so many dice to settle the port
``convert``, ``waive``        make a crewmember the Settlement, or do not
``discard R05 left``          discard a rune, turning the dial a quarter left, right or (no word) not
``play R05 right B Furs``     play a rune: turn of the dial, the other player it hits, the good it names
``winter``                    move to the Wintering Zone and end the turn
``end``                       declare the turn over
``collect S07``, ``decline``  take a completed Saga, or leave it (R_COLLECT=may_state, may_event)
``pass``                      use no rune on another player's turn (R_RUNE_TURN=any)
============================  ===================================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import msgspec

from lawspeaker.model.core.errors import BadInput

from .pack import GOODS

SEATS = ("A", "B", "C", "D", "E")
CREW = "crew"
TURNS = {"left": -1, "right": 1}
"""Quarter-turns of the dial cover by word: right is clockwise."""
_TURN_WORDS = {-1: "left", 1: "right"}


class Flip(msgspec.Struct, frozen=True, gc=False, tag="flip"):
    """Chance: the Saga turned up."""

    saga: int


class Deal(msgspec.Struct, frozen=True, gc=False, tag="deal"):
    """Chance: the rune that goes to a hand."""

    rune: int


class Die(msgspec.Struct, frozen=True, gc=False, tag="die"):
    """Chance: a raid's die."""

    pips: int


class Dice(msgspec.Struct, frozen=True, gc=False, tag="dice"):
    """Chance: the dice of a settling, ascending."""

    pips: tuple[int, ...]


class Treasure(msgspec.Struct, frozen=True, gc=False, tag="treasure"):
    """Chance: the treasure under a town."""

    value: int


class Drop(msgspec.Struct, frozen=True, gc=False, tag="drop"):
    """Chance: the rune lost blindly."""

    rune: int


class Load(msgspec.Struct, frozen=True, gc=False, tag="load"):
    """Load a good, or (-1) a crewmember."""

    item: int


class Unload(msgspec.Struct, frozen=True, gc=False, tag="unload"):
    """Put a good back into the stock."""

    good: int


class Leave(msgspec.Struct, frozen=True, gc=False, tag="leave"):
    """Go from the Wintering Zone to a Homeland."""

    place: int


class Draw(msgspec.Struct, frozen=True, gc=False, tag="draw"):
    """Draw a rune."""


class Sail(msgspec.Struct, frozen=True, gc=False, tag="sail"):
    """Sail to an adjacent place."""

    place: int


class Lose(msgspec.Struct, frozen=True, gc=False, tag="lose"):
    """Cover a skull with a good, or (-1) a crewmember."""

    item: int


class Trade(msgspec.Struct, frozen=True, gc=False, tag="trade"):
    """Deliver a good."""

    good: int


class Raid(msgspec.Struct, frozen=True, gc=False, tag="raid"):
    """Roll a die against the town of the port."""


class Stop(msgspec.Struct, frozen=True, gc=False, tag="stop"):
    """Break a raid off."""


class Settle(msgspec.Struct, frozen=True, gc=False, tag="settle"):
    """Roll dice to settle the port."""

    dice: int


class Convert(msgspec.Struct, frozen=True, gc=False, tag="convert"):
    """Make a crewmember the Settlement."""


class Waive(msgspec.Struct, frozen=True, gc=False, tag="waive"):
    """Do not make the conversion."""


class Discard(msgspec.Struct, frozen=True, gc=False, tag="discard"):
    """Discard a rune; the dial turns by *turn* quarters clockwise (-1, 0, 1)."""

    rune: int
    turn: int


class Play(msgspec.Struct, frozen=True, gc=False, tag="play"):
    """Play a rune: the dial turns first, then come its effects, on a seat and with a good if it asks (-1: none)."""

    rune: int
    turn: int
    target: int
    good: int


class Winter(msgspec.Struct, frozen=True, gc=False, tag="winter"):
    """Move to the Wintering Zone and end the turn."""


class End(msgspec.Struct, frozen=True, gc=False, tag="end"):
    """Declare the turn over."""


class Collect(msgspec.Struct, frozen=True, gc=False, tag="collect"):
    """Take a face-up Saga that is completed."""

    saga: int


class Decline(msgspec.Struct, frozen=True, gc=False, tag="decline"):
    """Leave the completed Sagas where they are."""


class Pass(msgspec.Struct, frozen=True, gc=False, tag="pass"):
    """Use no rune now."""


Action = (
    Flip | Deal | Die | Dice | Treasure | Drop | Load | Unload | Leave | Draw | Sail | Lose | Trade | Raid | Stop
    | Settle | Convert | Waive | Discard | Play | Winter | End | Collect | Decline | Pass
)  # fmt: skip

DRAW, RAID, STOP, CONVERT, WAIVE, WINTER, END, DECLINE, PASS = (
    Draw(), Raid(), Stop(), Convert(), Waive(), Winter(), End(), Decline(), Pass()
)  # fmt: skip
_BARE: dict[str, Action] = {
    "draw": DRAW, "raid": RAID, "stop": STOP, "convert": CONVERT, "waive": WAIVE, "winter": WINTER, "end": END,
    "decline": DECLINE, "pass": PASS,
}  # fmt: skip
_BARE_TEXT = {type(action): text for text, action in _BARE.items()}
_ITEM = {CREW: -1, **{name: n for n, name in enumerate(GOODS)}}
_ITEM_TEXT = {n: name for name, n in _ITEM.items()}
_SEAT = {name: n for n, name in enumerate(SEATS)}
_GOOD = {name: n for n, name in enumerate(GOODS)}
OUTCOMES = (Flip, Deal, Die, Dice, Treasure, Drop)
HINT = (
    "one of: load crew|GOOD, unload GOOD, leave HOMELAND, draw, sail PLACE, lose crew|GOOD, trade GOOD, raid, stop, "
    "settle DICE, convert, waive, discard RUNE [left|right], play RUNE [left|right] [SEAT] [GOOD], winter, end, "
    "collect SAGA, decline, pass, flip SAGA, deal RUNE, die N, dice N N N, treasure VP, drop RUNE"
)
_NUMBER = r"(0|[1-9][0-9]?)"


class Names(msgspec.Struct, frozen=True):
    """The ids of a pack's places, Sagas and runes, by number, and back."""

    places: tuple[str, ...]
    sagas: tuple[str, ...]
    runes: tuple[str, ...]
    place: Mapping[str, int]
    saga: Mapping[str, int]
    rune: Mapping[str, int]


def names_of(places: tuple[str, ...], sagas: tuple[str, ...], runes: tuple[str, ...]) -> Names:
    """Return the names with their numbers."""
    place, saga, rune = ({name: n for n, name in enumerate(ids)} for ids in (places, sagas, runes))
    return Names(places, sagas, runes, place, saga, rune)


Reader = Callable[[str, Names, str], Action]
"""Reads what follows the verb; is also given the names and the whole text, for the message."""


def kind(action: Action) -> str:
    """Return the action's kind, one word."""
    return str(action.__struct_config__.tag)


def text(action: Action, names: Names) -> str:
    """Return an action's canonical text."""
    bare = _BARE_TEXT.get(type(action))
    if bare is not None:
        return bare
    match action:
        case Load(item) | Lose(item) | Trade(item) | Unload(item):
            return f"{kind(action)} {_ITEM_TEXT[item]}"
        case Leave(place) | Sail(place):
            return f"{kind(action)} {names.places[place]}"
        case Die(number) | Treasure(number) | Settle(number):
            return f"{kind(action)} {number}"
        case Dice(pips):
            return " ".join(("dice", *map(str, pips)))
        case Flip(saga) | Collect(saga):
            return f"{kind(action)} {names.sagas[saga]}"
        case Deal(rune) | Drop(rune):
            return f"{kind(action)} {names.runes[rune]}"
        case Discard(rune, turn):
            return " ".join(("discard", names.runes[rune], *_turned(turn)))
        case Play(rune, turn, target, good):
            more = (*_turned(turn), *((SEATS[target],) if target >= 0 else ()), *((GOODS[good],) if good >= 0 else ()))
            return " ".join(("play", names.runes[rune], *more))
    raise TypeError(f"no action: {action!r}")


def _turned(turn: int) -> tuple[str, ...]:
    return (_TURN_WORDS[turn],) if turn else ()


def parse(words: str, names: Names) -> Action:
    """Read an action's canonical text; raises BadInput."""
    bare = _BARE.get(words)
    if bare is not None:
        return bare
    verb, _, rest = words.partition(" ")
    reader = _READERS.get(verb)
    if reader is None or not rest:
        raise BadInput(f"{words!r} is no action", hint=HINT)
    return reader(rest, names, words)


def _known(name: str, numbers: Mapping[str, int], what: str, words: str) -> int:
    if name not in numbers:
        known = f"; known are {', '.join(numbers)}" if len(numbers) <= len(_ITEM) else ""
        raise BadInput(f"unknown {what} {name!r} in {words!r}", hint=f"{what}s are named as in the pack{known}")
    return numbers[name]


def _count(rest: str, words: str) -> int:
    if not re.fullmatch(_NUMBER, rest):
        raise BadInput(f"{rest!r} is no number in {words!r}", hint="0 to 99, without leading zeros")
    return int(rest)


def _load(rest: str, names: Names, words: str) -> Action:
    return Load(_known(rest, _ITEM, "item", words))


def _lose(rest: str, names: Names, words: str) -> Action:
    return Lose(_known(rest, _ITEM, "item", words))


def _good(kind_: type[Trade | Unload]) -> Reader:
    return lambda rest, names, words: kind_(_known(rest, _GOOD, "good", words))


def _place(kind_: type[Leave | Sail]) -> Reader:
    return lambda rest, names, words: kind_(_known(rest, names.place, "place", words))


def _saga(kind_: type[Flip | Collect]) -> Reader:
    return lambda rest, names, words: kind_(_known(rest, names.saga, "Saga", words))


def _rune(kind_: type[Deal | Drop]) -> Reader:
    return lambda rest, names, words: kind_(_known(rest, names.rune, "rune", words))


def _number(kind_: type[Die | Treasure | Settle]) -> Reader:
    return lambda rest, names, words: kind_(_count(rest, words))


def _dice(rest: str, names: Names, words: str) -> Action:
    pips = tuple(_count(word, words) for word in rest.split(" "))
    if list(pips) != sorted(pips):
        raise BadInput(f"{words!r} is not in order", hint="dice stand in ascending order")
    return Dice(pips)


def _discard(rest: str, names: Names, words: str) -> Action:
    card, *more = rest.split(" ")
    turn = TURNS.get(more[0]) if len(more) == 1 else 0 if not more else None
    if turn is None:
        raise BadInput(f"{words!r} is no action", hint="discard RUNE, discard RUNE left or discard RUNE right")
    return Discard(_known(card, names.rune, "rune", words), turn)


def _play(rest: str, names: Names, words: str) -> Action:
    card, *more = rest.split(" ")
    turn = TURNS[more.pop(0)] if more and more[0] in TURNS else 0
    target = _SEAT[more.pop(0)] if more and more[0] in _SEAT else -1
    good = _GOOD[more.pop(0)] if more and more[0] in _GOOD else -1
    if more:
        raise BadInput(f"{words!r} is no action", hint="play RUNE [left|right] [SEAT] [GOOD], in this order")
    return Play(_known(card, names.rune, "rune", words), turn, target, good)


_READERS: Mapping[str, Reader] = {
    "load": _load, "lose": _lose, "trade": _good(Trade), "unload": _good(Unload), "leave": _place(Leave),
    "sail": _place(Sail), "flip": _saga(Flip), "collect": _saga(Collect), "deal": _rune(Deal), "drop": _rune(Drop),
    "die": _number(Die), "treasure": _number(Treasure), "settle": _number(Settle), "dice": _dice,
    "discard": _discard, "play": _play,
}  # fmt: skip
