"""A box of Fire & Axe: the pack file, its strict reading, and what the text demands of it.

The rulebook shows the map, the dial, the Losses chart, the Sagas and the runes in pictures only; all of that is
here.  Places are known by number: the Wintering Zone is 0, then come Homelands, waters and ports in pack order.
Runes are described in a small vocabulary (``Rune``): when a card may be played, and what it does.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import msgspec

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.loading import convert, parse_yaml, read_text
from lawspeaker.model.core.packs import Pack, Provenance

PLAYERS = (2, 3, 4, 5)
"""Numbers of players the box is for: five boards; the text gives no minimum (FA-OURS-SEATS)."""
GOODS = ("Tusks", "Fish", "Furs")
GOODS_EACH = 11
"""Tokens of each good (FA-COMP-12)."""
ZONES = ("North", "South", "East", "West")
Zone = Literal["North", "South", "East", "West"]
Size = Literal["none", "small", "large"]
Task = Literal["trade", "raid", "settle"]
Moment = Literal["free", "raid", "loss"]
Where = Literal["any", "sea", "port", "wintering"]
Whose = Literal["own", "any"]


class WaterData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A water space and its Weather Zone (FA-WEA-01)."""

    id: str
    zone: Zone
    provenance: Provenance = "estimated"


class HomeData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Homeland and the zone it counts to (FA-WEA-02)."""

    id: str
    zone: Zone
    provenance: Provenance = "estimated"


class PortData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A port: value, region (null: gray or large), the town that starts there, zone.

    A large town makes the port a large one (FA-COMP-03, FA-SETUP-02); any town marks it as starred.
    """

    id: str
    value: int
    zone: Zone
    region: str | None = None
    town: Size = "none"
    provenance: Provenance = "estimated"


class DialData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The Wind Dial: zones clockwise, the three numbers of each (best, normal, worst), and the red hole.

    ``red`` says how many quarter-turns clockwise of the blue hole the red one is (FA-COMP-15).
    """

    order: tuple[Zone, ...]
    numbers: dict[Zone, tuple[int, int, int]]
    red: int = 2
    start: Zone = "South"
    provenance: Provenance = "estimated"


class TreasureData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The values of the treasure tokens by size of town (FA-COMP-18)."""

    small: tuple[int, ...]
    large: tuple[int, ...]
    provenance: Provenance = "estimated"


class SagaData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Saga card: Era 1 to 3, Homeland, type, the ports it names, VP paid on completion (FA-COMP-07, 08)."""

    id: str
    era: int
    homeland: str
    type: Task
    ports: tuple[str, ...]
    vp: int = 0
    provenance: Provenance = "estimated"


class SetDemand(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="demand"):
    """Make a good the one in demand: the one named, or (null) one that the player names."""

    good: str | None = None


class Wind(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="wind"):
    """Turn the dial so many quarter-turns clockwise, beside the one that any rune allows."""

    quarters: int


class GainGood(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="good"):
    """Take one good from the stock aboard: the one named, or (null) one that the player names."""

    good: str | None = None


class GainCrew(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="crew"):
    """Take up to so many crew from the own supply aboard, while slots are free."""

    count: int = 1


class ExtraDays(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="days"):
    """The turn has so many Days more."""

    count: int = 1


class Shelter(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="shelter"):
    """The next so many losses of this turn cost nothing; their skulls count as covered."""

    count: int = 1


class Attack(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="attack"):
    """Every die of the next attack (raid or settling, FA-RAID-13) this turn counts so much more."""

    plus: int = 1


class Spare(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="spare"):
    """The next so many failed dice of this turn cost no crewmember."""

    count: int = 1


class Reroll(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="reroll"):
    """The raid's last roll does not count as one of its three; the crewmember that it cost stays lost."""


class Double(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="double"):
    """The next treasure revealed this turn pays twice."""


class FreeSail(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="sail"):
    """The next so many Sails of this turn move no slider, and so are never tested against the weather."""

    count: int = 1


class GainPoints(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="points"):
    """Take VP."""

    count: int = 1


class DrawRunes(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="draw"):
    """Draw up to so many runes, never more than the hand takes (FA-DRAW-04)."""

    count: int = 1


class RobGood(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="rob"):
    """Another ship, where it must be, loses a good that the player names."""

    where: Where = "any"


class KillCrew(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="strike"):
    """Another ship, where it must be, loses a crewmember, but never its last."""

    where: Where = "any"


class DropRune(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="drop"):
    """Another player discards a rune, drawn blindly; that turns no dial."""


RuneEffect = (
    SetDemand | Wind | GainGood | GainCrew | ExtraDays | Shelter | Attack | Spare | Reroll | Double | FreeSail
    | GainPoints | DrawRunes | RobGood | KillCrew | DropRune
)  # fmt: skip


class RuneData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rune: whether it shows the conflict symbol, when and where it may be played, what it does.

    ``moment``: ``free`` at any time a rune may be played, ``raid`` only between two rolls of a raid, ``loss``
    only while losses are due.  ``where``: where the own ship must be.  ``whose``: on which turns, where
    R_RUNE_TURN lets runes be played on others' turns at all.
    """

    id: str
    conflict: bool = False
    moment: Moment = "free"
    where: Where = "any"
    whose: Whose = "own"
    effects: tuple[RuneEffect, ...] = ()
    provenance: Provenance = "estimated"


class FireAxePack(Pack, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A box of Fire & Axe, or with ``complete: false`` a cut of one."""

    format: Literal["lawspeaker-pack/1"]
    game: Literal["fire_axe"]
    die: int = 6
    homelands: tuple[HomeData, ...]
    waters: tuple[WaterData, ...]
    ports: tuple[PortData, ...]
    edges: tuple[tuple[str, str], ...]
    dial: DialData
    losses: tuple[int, ...]
    treasures: TreasureData
    sagas: tuple[SagaData, ...] = ()
    runes: tuple[RuneData, ...] = ()


# -- reading ---------------------------------------------------------------------------------------------

MAX_PLACES, MAX_CARDS, MAX_FACES, MAX_VALUE = 60, 60, 20, 20
_ID = r"(?=.{1,40}\Z)[A-Za-z0-9]+( [A-Za-z0-9]+)*"
_CARD = r"[A-Za-z0-9]{1,20}"
_WORDS = frozenset({"crew", "left", "right", *GOODS, "A", "B", "C", "D", "E"})
"""Words that stand in texts of actions, so no card may be called so."""
_WINTERING = "Wintering Zone"
_LEAST_SAGAS = 4
"""Three lie face up at once; one at least has to be turned up in play (FA-SETUP-09, FA-FINAL-01)."""
CHANCE_EFFECTS = (DrawRunes, DropRune)
TURN_EFFECTS = (ExtraDays, Shelter, Attack, Spare, Reroll, Double, FreeSail)
"""Effects on the turn that goes on, so on the own one."""
_SPOTS: dict[Moment, tuple[Where, ...]] = {
    "free": ("any", "sea", "port", "wintering"), "raid": ("any", "port"), "loss": ("any", "sea", "port"),
}  # fmt: skip
"""Where a ship can be at each moment."""


def read_pack(value: Any, where: str) -> FireAxePack:
    """Turn a plain value into a pack; raises BadInput with the path of the mistake."""
    pack = convert(value, FireAxePack, where)
    for name, count, least in (
        ("homelands", len(pack.homelands), 1), ("waters", len(pack.waters), 1), ("ports", len(pack.ports), 1),
        ("sagas", len(pack.sagas), _LEAST_SAGAS), ("runes", len(pack.runes), 0),
    ):  # fmt: skip
        most = MAX_CARDS if name in ("sagas", "runes") else MAX_PLACES
        _check_range(count, least, most, name, f"{where} $.{name}")
    _check_range(pack.die, 2, MAX_FACES, "faces of a die", f"{where} $.die")
    _check_places(pack, where)
    _check_dial(pack.dial, f"{where} $.dial")
    _check_losses(pack.losses, f"{where} $.losses")
    _check_treasures(pack, where)
    _check_cards("sagas", [saga.id for saga in pack.sagas], where)
    _check_cards("runes", [rune.id for rune in pack.runes], where)
    for number, saga in enumerate(pack.sagas):
        _check_saga(saga, pack, f"{where} $.sagas[{number}] ({saga.id})")
    for number, rune in enumerate(pack.runes):
        _check_rune(rune, f"{where} $.runes[{number}] ({rune.id})")
    return pack


def load_pack(path: Path) -> FireAxePack:
    """Read a pack file; raises BadInput with the place of any mistake."""
    return read_pack(parse_yaml(read_text(path), str(path)), str(path))


def _check_range(number: int, least: int, most: int, name: str, where: str) -> None:
    if not least <= number <= most:
        raise BadInput(f"{number} {name}", where=where, hint=f"{least} to {most} are possible")


def _check_places(pack: FireAxePack, where: str) -> None:
    """Check that places have names of their own, that edges join them once, and what ports say of themselves."""
    known: set[str] = {_WINTERING}
    for name, ids in (
        ("homelands", [h.id for h in pack.homelands]), ("waters", [w.id for w in pack.waters]),
        ("ports", [p.id for p in pack.ports]),
    ):  # fmt: skip
        for number, one in enumerate(ids):
            if one in known or not re.fullmatch(_ID, one):
                raise BadInput(
                    "a place's id must be unique, of words of letters and digits with single spaces",
                    where=f"{where} $.{name}[{number}] ({one})", hint="for instance: North Sea",
                )  # fmt: skip
            known.add(one)
    pairs: set[frozenset[str]] = set()
    for number, edge in enumerate(pack.edges):
        for end in edge:
            _check_known("place", end, sorted(known - {_WINTERING}), f"{where} $.edges[{number}]")
        if edge[0] == edge[1] or frozenset(edge) in pairs:
            raise BadInput(
                f"{edge[0]} and {edge[1]} are joined to themselves or twice", where=f"{where} $.edges[{number}]",
                hint="each pair of different places that lie side by side stands once",
            )  # fmt: skip
        pairs.add(frozenset(edge))
    for number, port in enumerate(pack.ports):
        place = f"{where} $.ports[{number}] ({port.id})"
        _check_range(port.value, 0, MAX_VALUE, "is the value of the port", place)
        if port.town == "large" and port.region is not None:
            raise BadInput("a large port in a region", where=place, hint="large ports are in no region (FA-COMP-03)")


def _check_known(kind: str, name: str, known: list[str], where: str) -> None:
    if name not in known:
        raise BadInput(f"unknown {kind} {name!r}", where=where, hint=f"known are {', '.join(known)}")


def _check_dial(dial: DialData, where: str) -> None:
    if sorted(dial.order) != sorted(ZONES) or set(dial.numbers) != set(ZONES):
        raise BadInput("the dial lacks a zone or has one twice", where=where, hint=f"each once: {', '.join(ZONES)}")
    _check_range(dial.red, 1, 3, "quarter-turns from blue to red", f"{where}.red")
    for zone, (best, normal, worst) in dial.numbers.items():
        if not MAX_VALUE >= best >= normal >= worst >= 0:
            raise BadInput(
                f"{best}, {normal}, {worst}", where=f"{where}.numbers.{zone}",
                hint="best, normal and worst number of Clear Weather Days, none negative (FA-COMP-15)",
            )  # fmt: skip


def _check_losses(losses: tuple[int, ...], where: str) -> None:
    grows = all(a <= b for a, b in pairwise(losses))
    if len(losses) < 2 or losses[0] != 0 or not grows or losses[-1] > MAX_PLACES:
        raise BadInput(
            f"{list(losses)} is no Losses chart", where=where,
            hint="skulls to be covered by excess: 0 for none, then never fewer (FA-LOSS-04)",
        )  # fmt: skip


def _check_treasures(pack: FireAxePack, where: str) -> None:
    for size, values in (("small", pack.treasures.small), ("large", pack.treasures.large)):
        towns = sum(port.town == size for port in pack.ports)
        if len(values) != towns or any(not 0 <= value < 100 for value in values):
            raise BadInput(
                f"{len(values)} treasures {list(values)} for {towns} {size} towns",
                where=f"{where} $.treasures.{size}", hint="a treasure of 0 to 99 VP under each town (FA-COMP-19)",
            )  # fmt: skip


def _check_cards(name: str, ids: list[str], where: str) -> None:
    known: set[str] = set()
    for number, one in enumerate(ids):
        if one in known or one in _WORDS or not re.fullmatch(_CARD, one):
            raise BadInput(
                f"the id of each of the {name} must be unique, of letters and digits, and no word of actions",
                where=f"{where} $.{name}[{number}] ({one})", hint="for instance: S07; not crew, left, right, Furs, A",
            )  # fmt: skip
        known.add(one)


def _check_saga(saga: SagaData, pack: FireAxePack, where: str) -> None:
    _check_range(saga.era, 1, 3, "is the Era", where)
    _check_range(saga.vp, 0, MAX_VALUE, "VP on completion", where)
    _check_known("homeland", saga.homeland, [home.id for home in pack.homelands], where)
    ports = {port.id: port for port in pack.ports}
    for name in saga.ports:
        _check_known("port", name, list(ports), where)
    if not saga.ports or len(set(saga.ports)) < len(saga.ports):
        raise BadInput("no port, or one twice", where=where, hint="the ports that the Saga names, each once")
    if saga.type == "raid" and all(ports[name].town == "none" for name in saga.ports):
        raise BadInput("is met from the start", where=where, hint="a Raid Saga names a port with a town (FA-SAGA-04)")


def _check_rune(rune: RuneData, where: str) -> None:
    """Check that a rune's text can be carried out when it may be played."""
    for effect in rune.effects:
        for name in ("count", "plus"):
            _check_range(getattr(effect, name, 1), 1, 9, f"in `{name}`", where)
        if isinstance(effect, Wind):
            _check_range(effect.quarters, 1, 3, "quarter-turns clockwise", where)
        good = getattr(effect, "good", None)
        if good is not None:
            _check_known("good", good, list(GOODS), where)
    if any(isinstance(effect, CHANCE_EFFECTS) for effect in rune.effects[:-1]):
        raise BadInput("draws or drops runes before its end", where=where, hint="one such effect a card, the last")
    if rune.whose == "any" and any(isinstance(effect, TURN_EFFECTS) for effect in rune.effects):
        raise BadInput("changes the turn of somebody else", where=where, hint="such effects need `whose: own`")
    if rune.whose == "any" and rune.moment != "free":
        raise BadInput(f"{rune.moment} on any turn", where=where, hint="raids and losses are on the own turn")
    if rune.where not in _SPOTS[rune.moment]:
        raise BadInput(
            f"moment {rune.moment}, where {rune.where}: the ship is never there then", where=where,
            hint=f"in a {rune.moment} it can be: {', '.join(_SPOTS[rune.moment])}",
        )  # fmt: skip
    if rune.moment != "raid" and any(isinstance(effect, Reroll) for effect in rune.effects):
        raise BadInput("rolls again outside a raid", where=where, hint="that effect needs `moment: raid`")
