"""A box of Fire & Axe: the pack file, its strict reading, and what the text demands of it.

The rulebook shows the map, the dial, the Losses chart, the Sagas and the runes in pictures only; all of that is
here.  Places are known by number: the Wintering Zone is 0, then come Homelands, waters and ports in pack order.
Runes are described in a small vocabulary (``Rune``): when a card may be played, and what it does.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from lawspeaker.model.core.loading import convert, parse_yaml, read_text
from lawspeaker.model.core.packs import Complaint, Pack, Provenance

PLAYERS = (2, 3, 4, 5)
"""Numbers of players the box is for: five boards; the text gives no minimum (FA-OURS-SEATS)."""
GOODS = ("Tusks", "Fish", "Furs")
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


def read_pack(value: Any, where: str) -> FireAxePack:
    """Turn a plain value into a pack; raises BadInput with the path of the mistake."""
    return convert(value, FireAxePack, where)


def load_pack(path: Path) -> FireAxePack:
    """Read a pack file; raises BadInput with the place of any mistake."""
    return read_pack(parse_yaml(read_text(path), str(path)), str(path))


def audit(pack: FireAxePack) -> tuple[Complaint, ...]:
    """Return what in a well-formed pack does not fit the rulebook."""
    return ()
