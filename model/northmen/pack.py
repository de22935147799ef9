"""A box of Saga of the Northmen: the pack file, its strict reading, and what the text demands of it.

Kingdoms stand in the order of the Kingdom Chart, regions in map order; cards and routes are known by
their number in the pack.  What the rulebook shows only in pictures (the map, the cards, the routes) is here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, Literal

import msgspec

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.loading import convert, parse_yaml, read_text
from lawspeaker.model.core.packs import Complaint, Pack, Provenance

PLAYERS = (2, 3, 4)
"""Numbers of players the box is for (SN-OURS-SEATS)."""
HAND, ROW, GROUP = 6, 3, 15
"""Cards of a hand, cards of the row, Plunder Tokens of one round."""
MAX_KINGDOMS, MAX_REGIONS, MAX_CARDS, MAX_ROUTES, MAX_VALUE = 7, 9, 64, 32, 999
"""Upper limits of what a pack can be read with."""
BULGARIA, FINLAND = "Bulgaria", "Finland"
INLAND = ("Poland", "Holy Roman Empire")
"""The regions that the text itself calls landlocked (SN-MOVE-13)."""
SUIT = 8
"""Cards of each suit in a complete pack (SN-CARD-01)."""

Mark = Literal["none", "3-4", "4"]


class KingdomData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Kingdom and the Neutral Regions beside it by land."""

    id: str
    borders: tuple[str, ...]
    provenance: Provenance = "estimated"


class RegionData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Neutral Region; ``sea`` says whether the map draws it on the sea."""

    id: str
    sea: bool
    provenance: Provenance = "estimated"


class CardData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An Influence Card: suit, symbols, the region named at its foot (or none) and the mark beside that."""

    id: str
    kingdom: str
    soldiers: int
    ships: int
    region: str | None = None
    mark: Mark = "none"
    provenance: Provenance = "estimated"

    @property
    def value(self) -> int:
        """Number of symbols, 1 to 3 (SN-CARD-02)."""
        return self.soldiers + self.ships


class RouteData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Trade Route Card: the Kingdom at the top, the region at the foot, the Plunder Value."""

    id: str
    kingdom: str
    region: str
    value: int
    provenance: Provenance = "estimated"


class NorthmenPack(Pack, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A box of Saga of the Northmen, or with ``complete: false`` a cut of one."""

    format: Literal["lawspeaker-pack/1"]
    game: Literal["northmen"]
    kingdoms: tuple[KingdomData, ...]
    regions: tuple[RegionData, ...]
    cards: tuple[CardData, ...] = ()
    routes: tuple[RouteData, ...] = ()


# -- reading --------------------------------------------------------------------------------------


def read_pack(value: Any, where: str) -> NorthmenPack:
    """Turn a plain value into a pack; raises BadInput with the path of the mistake."""
    pack = convert(value, NorthmenPack, where)
    _check_number(len(pack.kingdoms), 1, MAX_KINGDOMS, "kingdoms", where)
    _check_number(len(pack.regions), 1, MAX_REGIONS, "regions", where)
    _check_number(len(pack.cards), 0, MAX_CARDS, "cards", where)
    _check_number(len(pack.routes), 0, MAX_ROUTES, "routes", where)
    _check_places(pack, where)
    _check_ids("cards", (card.id for card in pack.cards), where)
    _check_ids("routes", (route.id for route in pack.routes), where)
    for number, card in enumerate(pack.cards):
        _check_card(card, pack, f"{where} $.cards[{number}] ({card.id})")
    for number, route in enumerate(pack.routes):
        place = f"{where} $.routes[{number}] ({route.id})"
        _check_known("kingdom", route.kingdom, [k.id for k in pack.kingdoms], place)
        _check_known("region", route.region, [r.id for r in pack.regions], place)
        if not 0 <= route.value <= MAX_VALUE:
            raise BadInput(f"value {route.value}", where=place, hint=f"0 to {MAX_VALUE} are possible")
    return pack


def load_pack(path: Path) -> NorthmenPack:
    """Read a pack file; raises BadInput with the place of any mistake."""
    return read_pack(parse_yaml(read_text(path), str(path)), str(path))


def _check_number(number: int, least: int, most: int, name: str, where: str) -> None:
    if not least <= number <= most:
        raise BadInput(f"{number} {name}", where=f"{where} $.{name}", hint=f"{least} to {most} are possible")


def _check_places(pack: NorthmenPack, where: str) -> None:
    """Check that places have names of their own, and that borders lead to regions, each once."""
    known: set[str] = set()
    regions = [region.id for region in pack.regions]
    places = (("kingdoms", [kingdom.id for kingdom in pack.kingdoms]), ("regions", regions))
    for name, ids in places:
        for number, one in enumerate(ids):
            if one in known or not re.fullmatch(r"(?=.{1,40}\Z)[A-Za-z0-9]+( [A-Za-z0-9]+)*", one):
                raise BadInput(
                    "a place's id must be unique, of words of letters and digits with single spaces",
                    where=f"{where} $.{name}[{number}] ({one})",
                    hint="for instance: Holy Roman Empire",
                )
            known.add(one)
    for number, kingdom in enumerate(pack.kingdoms):
        place = f"{where} $.kingdoms[{number}] ({kingdom.id})"
        for region in kingdom.borders:
            _check_known("region", region, regions, place)
        if len(set(kingdom.borders)) != len(kingdom.borders):
            raise BadInput("borders a region twice", where=place, hint="each neighbour stands once")


def _check_ids(name: str, ids: Iterable[str], where: str) -> None:
    """Check ids of cards or routes; ``none`` is kept for texts that say that there is none."""
    known: set[str] = set()
    for number, one in enumerate(ids):
        if one in known or one == "none" or not re.fullmatch(r"[A-Za-z0-9]{1,20}", one):
            raise BadInput(
                f"the id of each of the {name} must be unique, of letters and digits, and not `none`",
                where=f"{where} $.{name}[{number}] ({one})",
                hint="for instance: NM1",
            )
        known.add(one)


def _check_known(kind: str, name: str, known: list[str], where: str) -> None:
    if name not in known:
        raise BadInput(f"unknown {kind} {name!r}", where=where, hint=f"known are {', '.join(known)}")


def _check_card(card: CardData, pack: NorthmenPack, where: str) -> None:
    _check_known("kingdom", card.kingdom, [k.id for k in pack.kingdoms], where)
    if card.region is not None:
        _check_known("region", card.region, [r.id for r in pack.regions], where)
    if card.soldiers < 0 or card.ships < 0 or not 1 <= card.value <= 3:
        raise BadInput(
            f"{card.soldiers} soldiers and {card.ships} ships",
            where=where,
            hint="1 to 3 symbols in all are possible",
        )


# -- what the model asks ---------------------------------------------------------------------------


def token_card(card: CardData, players: int, mark_ruling: str, bulgaria_ruling: str) -> bool:
    """Say whether playing the card places a Plunder Token (SN-RALLY-11, SN-RALLY-14, SN-RALLY-15).

    *mark_ruling* is the value of R_MARK: under ``suppress`` a marked card places none at the numbers of
    players its mark names, under ``enable`` only at those.  Under R_BULGARIA ``kingdom`` (*bulgaria_ruling*)
    Bulgaria is no Neutral Region, and a card that names it places none.
    """
    if card.region is None or (bulgaria_ruling == "kingdom" and card.region == BULGARIA):
        return False
    if card.mark == "none":
        return True
    named = players >= 3 if card.mark == "3-4" else players == 4
    return named if mark_ruling == "enable" else not named


def token_cards(pack: NorthmenPack, players: int, mark_ruling: str, bulgaria_ruling: str) -> int:
    """Return how many cards place a Plunder Token when played."""
    return sum(token_card(card, players, mark_ruling, bulgaria_ruling) for card in pack.cards)


def sea_regions(pack: NorthmenPack, landlock: str) -> tuple[int, ...]:
    """Return the numbers of the regions on the sea under a value of R_LANDLOCK (SN-MOVE-11, SN-MOVE-13).

    Under ``exhaustive`` only the two regions that the text names are landlocked; under ``examples`` the
    map decides.
    """
    if landlock == "exhaustive":
        return tuple(n for n, region in enumerate(pack.regions) if region.id not in INLAND)
    return tuple(n for n, region in enumerate(pack.regions) if region.sea)


def chart_number(pack: NorthmenPack, kingdom: str) -> int:
    """Return the number printed beside a Kingdom: all symbols of its suit (SN-CHART-03)."""
    return sum(card.value for card in pack.cards if card.kingdom == kingdom)


def neighbours(pack: NorthmenPack, region: str) -> tuple[str, ...]:
    """Return the Kingdoms beside a region by land, in chart order."""
    return tuple(kingdom.id for kingdom in pack.kingdoms if region in kingdom.borders)


def soldiers_of(pack: NorthmenPack, kingdom: str) -> int:
    """Return the number of soldiers on all cards of a suit."""
    return sum(card.soldiers for card in pack.cards if card.kingdom == kingdom)


def ships_of(pack: NorthmenPack, kingdom: str) -> int:
    """Return the number of ships on all cards of a suit."""
    return sum(card.ships for card in pack.cards if card.kingdom == kingdom)


# -- what the text demands -------------------------------------------------------------------------


def audit(pack: NorthmenPack) -> tuple[Complaint, ...]:
    """Return what in a well-formed pack does not fit the rulebook.

    A cut of a box need only not contradict the text in what it has; a complete one must have all of it.
    """
    found = [*_audit_chart(pack), *_audit_coast(pack), *_audit_marks(pack)]
    if pack.complete:
        for part in (_audit_counts, _audit_names, _audit_land, _audit_tokens, _audit_examples):
            found.extend(part(pack))
    return tuple(found)


def _audit_chart(pack: NorthmenPack) -> Iterator[Complaint]:
    ids = [kingdom.id for kingdom in pack.kingdoms]
    if "Normans" in ids and ids[0] != "Normans":
        yield Complaint("SN-CHART-02", "kingdoms", f"{ids[0]} stand first", "the chart begins with the Normans")
    if "Norwegians" in ids and ids[-1] != "Norwegians":
        yield Complaint("SN-CHART-02", "kingdoms", f"{ids[-1]} stand last", "the chart ends with the Norwegians")


def _audit_coast(pack: NorthmenPack) -> Iterator[Complaint]:
    for region in pack.regions:
        if region.id in INLAND and region.sea:
            yield Complaint("SN-MOVE-13", region.id, "lies on the sea", "the text calls it landlocked")
        if region.id == FINLAND and not region.sea:
            yield Complaint("SN-MOVE-11", region.id, "lies inland", "Fleets sail there in the example of moving")


def _audit_marks(pack: NorthmenPack) -> Iterator[Complaint]:
    for card in pack.cards:
        if card.mark != "none" and card.region is None:
            clause = "SN-RALLY-14" if card.mark == "3-4" else "SN-RALLY-15"
            yield Complaint(clause, card.id, "is marked but names no region", "the mark stands beside a region")


def _audit_counts(pack: NorthmenPack) -> Iterator[Complaint]:
    for clause, name, number, right in (
        ("SN-MAP-01", "kingdoms", len(pack.kingdoms), 7),
        ("SN-MAP-01", "regions", len(pack.regions), 9),
        ("SN-CONTENTS-02", "cards", len(pack.cards), 56),
        ("SN-CONTENTS-04", "routes", len(pack.routes), 20),
    ):
        if number != right:
            yield Complaint(clause, name, f"{number} {name}", f"{right} in all")
    for kingdom in pack.kingdoms:
        number = sum(card.kingdom == kingdom.id for card in pack.cards)
        if number != SUIT:
            yield Complaint("SN-CARD-01", kingdom.id, f"{number} cards", f"each suit has {SUIT}")


def _audit_names(pack: NorthmenPack) -> Iterator[Complaint]:
    kingdoms = {kingdom.id for kingdom in pack.kingdoms}
    for clause, name in (
        ("SN-CHART-02", "Normans"),
        ("SN-CHART-02", "Norwegians"),
        ("SN-RALLY-09", "Saxons"),
        ("SN-MOVE-08", "Magyars"),
    ):
        if name not in kingdoms:
            yield Complaint(clause, "kingdoms", f"no Kingdom {name}", "the text names it")
    regions = {region.id for region in pack.regions}
    for clause, name in (
        ("SN-RALLY-11", BULGARIA),
        ("SN-MOVE-13", INLAND[0]),
        ("SN-MOVE-13", INLAND[1]),
        ("SN-MOVE-11", FINLAND),
    ):
        if name not in regions:
            yield Complaint(clause, "regions", f"no region {name}", "the text names it")


def _audit_land(pack: NorthmenPack) -> Iterator[Complaint]:
    """Check that cubes can leave every Kingdom and come to every region, and every route be completed."""
    for kingdom in pack.kingdoms:
        if not kingdom.borders and soldiers_of(pack, kingdom.id):
            yield Complaint(
                "SN-DELAY-03",
                kingdom.id,
                "its suit has soldiers, but it borders no region",
                "every cube must be able to leave its Kingdom",
            )
    sailing = any(card.ships for card in pack.cards)
    for region in pack.regions:
        marching = any(soldiers_of(pack, kingdom) for kingdom in neighbours(pack, region.id))
        if marching or (region.sea and sailing):
            continue
        yield Complaint(
            "SN-COLLECT-02",
            region.id,
            "no cube can come there, so its tokens can never be taken",
            "it needs a Kingdom with soldiers beside it, or the sea and a suit with ships",
        )
        for route in pack.routes:
            if route.region == region.id:
                yield Complaint("SN-TRADE-03", route.id, f"cannot be completed: no cube comes to {region.id}")


def _audit_tokens(pack: NorthmenPack) -> Iterator[Complaint]:
    if not any(card.region for card in pack.cards):
        yield Complaint("SN-CARD-05", "cards", "no card names a region", "many do")
    for clause, mark in (("SN-RALLY-14", "3-4"), ("SN-RALLY-15", "4")):
        if not any(card.mark == mark for card in pack.cards):
            yield Complaint(clause, "cards", f"no card is marked {mark}", "some are")
    for players in PLAYERS:
        number = token_cards(pack, players, "suppress", "neutral")
        if number < GROUP:
            yield Complaint(
                "SN-RALLY-20",
                "cards",
                f"{number} place a token with {players} players, so a Rally Phase need not end",
                f"{GROUP} are needed",
            )


def _audit_examples(pack: NorthmenPack) -> Iterator[Complaint]:
    """Check that the rulebook's worked examples can be played."""
    borders = {kingdom.id: kingdom.borders for kingdom in pack.kingdoms}
    for region in (INLAND[0], BULGARIA):
        if region not in borders.get("Magyars", (region,)):
            yield Complaint("SN-MOVE-09", "Magyars", f"do not border {region}", "Armies go there in the example")
    soldiers, ships = soldiers_of(pack, "Magyars"), ships_of(pack, "Magyars")
    if soldiers < 4 or ships < 2:
        what = f"{soldiers} soldiers and {ships} ships in the suit"
        yield Complaint("SN-MOVE-08", "Magyars", what, "the example of moving shows 4 and 2")
    if chart_number(pack, "Normans") < 6:
        what = f"{chart_number(pack, 'Normans')} symbols in the suit"
        yield Complaint("SN-CHART-04", "Normans", what, "two players have 3 cubes each there in the example")
    if not any(c.kingdom == "Saxons" and c.value == 2 and c.region == BULGARIA for c in pack.cards):
        yield Complaint(
            "SN-RALLY-09",
            "Saxons",
            f"no card with two symbols that names {BULGARIA}",
            "one is played in the example of hiring",
        )
    yield from _audit_battle(pack)


def _audit_battle(pack: NorthmenPack) -> Iterator[Complaint]:
    """Check that three players can meet in the Holy Roman Empire with 2, 4 and 3 Armies.

    A Kingdom has one controller, so each of the three needs Kingdoms of his own beside the region.
    """
    beside = [soldiers_of(pack, kingdom) for kingdom in neighbours(pack, INLAND[1])]
    if len(beside) < 3:
        yield Complaint(
            "SN-MOVE-13",
            INLAND[1],
            f"{len(beside)} Kingdoms border it",
            "three players fight there in the example, each from a Kingdom of his own",
        )
    if not any(_all_there(beside, owners, (2, 4, 3)) for owners in product(range(3), repeat=len(beside))):
        yield Complaint(
            "SN-BATTLE-02",
            INLAND[1],
            f"the Kingdoms beside it have {' + '.join(map(str, beside)) or 'no'} soldiers",
            "three players come there with 2, 4 and 3 Armies in the example",
        )


def _all_there(soldiers: list[int], owners: tuple[int, ...], needed: tuple[int, ...]) -> bool:
    """Say whether each owner's Kingdoms together have the soldiers he needs."""
    return all(
        sum(n for n, owner in zip(soldiers, owners, strict=True) if owner == player) >= number
        for player, number in enumerate(needed)
    )
