"""Scenarios hold for any box with the same card ids, or bring the pack they speak of."""

from msgspec.structs import replace

from lawspeaker.conformance.scenario_cases import read_cases
from lawspeaker.model.northmen.pack import load_pack
from lawspeaker.model.northmen.room import CATALOGUE, ROOM
from lawspeaker.scenarios.runner import as_cases

PACK = load_pack(ROOM.default_pack)
REGIONS = [region.id for region in PACK.regions]


def moved(region: str | None) -> str | None:
    """Return the region after this one on the map."""
    return None if region is None else REGIONS[(REGIONS.index(region) + 1) % len(REGIONS)]


CARDS = tuple(replace(card, region=moved(card.region), mark="none") for card in PACK.cards)
OTHER = replace(PACK, id="other", cards=CARDS)
"""The default box, but each card names another region and none bears a mark."""


def test_scenarios_about_what_a_card_brings_hold_whatever_the_pack_of_the_run() -> None:
    cases = [c for c in read_cases(as_cases("northmen")) if c.id.startswith("northmen.rally.1")]
    game = ROOM.build(OTHER, CATALOGUE.book.choose(), 3)
    assert len({case.id for case in cases}) > 5
    assert {case.id: wrong for case in cases if (wrong := case.harness_error(case.game(game)))} == {}
