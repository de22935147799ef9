"""All claims about Fjords, and what they came to: asked anew, or as stored for an unchanged source."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from lawspeaker.model.core.games import make_game
from lawspeaker.model.core.records import FindingRecord, TopicRow
from lawspeaker.model.fjords.pack import read_pack
from lawspeaker.solver.answers import Store, results_of
from lawspeaker.solver.asking import Answer, Claim, answer

from . import claims_score, claims_shape, claims_tiles, claims_topics, reach, wordings

MODULES = (claims_tiles, claims_shape, claims_score, claims_topics, reach, wordings)
CLAIMS: tuple[Claim, ...] = tuple(claim for module in MODULES for claim in module.CLAIMS)


@cache
def asked(claim: Claim) -> Answer:
    """Ask a claim and return its finding, its row and the outcome (finding and outcome None: z3 gave up).

    A claim whose answer is not confirmed raises AssertionError.  Each is asked once a process.
    """
    return answer(claim, "fjords", "FD")


def results(store: Store, deep: bool = False) -> Iterator[tuple[FindingRecord | None, TopicRow]]:
    """Yield what each claim came to; heavy ones from the store unless *deep*, shown as stored."""
    return results_of(CLAIMS, asked, store, deep)


def packs() -> dict[str, dict[str, Any]]:
    """Return the small packs of the claims' positions, by finding id, for drawing them."""
    return {finding.id: pack for finding, pack in positions()}


def positions() -> Iterator[tuple[FindingRecord, dict[str, Any]]]:
    """Yield each finding of a claim that has a position, with the small pack it is played with."""
    for claim in claims_tiles.CLAIMS:
        finding, _, outcome = asked(claim)
        if finding is not None and outcome is not None and outcome.pack:
            yield finding, dict(outcome.pack)


def store_positions(folder: Path) -> None:
    """Write each such position with its pack and what it shows, as a file named after the finding.

    ``pack`` and ``position`` are what ``lawspeaker explain --pack`` takes; ``legal`` is what may be
    done there under the default rulings.
    """
    for finding, pack in positions():
        game = make_game("fjords", read_pack(pack, finding.id))
        assert finding.position is not None
        legal = [game.text(action) for action in game.legal(game.position(finding.position))]
        whole = {
            "finding": finding.id, "shows": finding.note, "situation": finding.situation,
            "pack": pack, "position": finding.position, "legal": legal,
        }  # fmt: skip
        text = json.dumps(whole, indent=1, ensure_ascii=False)
        (folder / f"{finding.id}.json").write_text(text + "\n", encoding="utf-8")
