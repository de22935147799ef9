"""All claims about Northmen, and what they came to: asked anew, or as stored for an unchanged source."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from lawspeaker.model.core.records import FindingRecord, TopicRow
from lawspeaker.solver.answers import Store, results_of
from lawspeaker.solver.asking import Answer, Claim, answer

from . import claims_contest, claims_data, claims_end, claims_march, claims_rally, claims_routes, claims_supply
from .boxes import game_of, options

MODULES = (claims_rally, claims_contest, claims_march, claims_supply, claims_routes, claims_end, claims_data)
CLAIMS: tuple[Claim, ...] = tuple(claim for module in MODULES for claim in module.CLAIMS)
FOLDER = Path(__file__).parents[2] / "reports" / "findings" / "northmen"


@cache
def asked(claim: Claim) -> Answer:
    """Ask a claim and return its finding, its row and the outcome (finding and outcome None: z3 gave up).

    A claim whose answer is not confirmed raises AssertionError.  Each is asked once a process.
    """
    return answer(claim, "northmen", "SN")


def results(store: Store, deep: bool = False) -> Iterator[tuple[FindingRecord | None, TopicRow]]:
    """Yield what each claim came to; heavy ones from the store unless *deep*, shown as stored."""
    return results_of(CLAIMS, asked, store, deep)


def positions() -> Iterator[tuple[FindingRecord, dict[str, Any]]]:
    """Yield each finding of a claim that has a position, with the small pack it is played with."""
    for claim in CLAIMS:
        finding, _, outcome = asked(claim)
        if finding is not None and outcome is not None and outcome.pack and outcome.position:
            yield finding, dict(outcome.pack)


def packs() -> dict[str, dict[str, Any]]:
    """Return the packs of the claims' positions, by finding id, for drawing them: as they are stored."""
    stored = (json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("SN-C-*.json")))
    return {kept["finding"]: kept["pack"] for kept in stored}


def store_positions(folder: Path) -> None:
    """Write each such position with its pack and what it shows, as a file named after the finding.

    ``pack`` and ``position`` are what ``lawspeaker explain --pack`` takes; ``legal`` is what may be
    done there under the default rulings.
    """
    for finding, pack in positions():
        assert finding.position is not None
        game = game_of(pack, len(finding.position["hands"]))
        whole = {
            "finding": finding.id, "shows": finding.note, "situation": finding.situation,
            "pack": pack, "position": finding.position, "legal": options(game, game.position(finding.position)),
        }  # fmt: skip
        text = json.dumps(whole, indent=1, ensure_ascii=False)
        (folder / f"{finding.id}.json").write_text(text + "\n", encoding="utf-8")
