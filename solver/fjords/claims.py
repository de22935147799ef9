"""All claims about Fjords, and what they came to: asked anew, or as stored for an unchanged source.

An answer is stored only with the digest of the code that asked and z3's version; with any other
digest it is asked again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
import z3
from msgspec.structs import replace

from lawspeaker.model.core.records import FindingRecord, TopicRow

from . import claims_score, claims_shape, claims_tiles, claims_topics, reach
from .asking import Claim, GaveUp, Outcome, records

MODULES = (claims_tiles, claims_shape, claims_score, claims_topics, reach)
CLAIMS: tuple[Claim, ...] = tuple(claim for module in MODULES for claim in module.CLAIMS)
STORE = Path(__file__).parent / "stored.json"


def source_digest() -> str:
    """Return the digest of what the claims' answers depend on: their code, the topics, z3's version."""
    here = Path(__file__).parent
    model = here.parent.parent / "model" / "fjords"
    code = sorted([*here.glob("*.py"), *here.glob("*.yaml"), *model.glob("*.py"), *model.glob("*.yaml")])
    whole = sha256(z3.get_version_string().encode())
    for path in code:
        whole.update(path.name.encode() + path.read_bytes())
    return whole.hexdigest()


def asked(claim: Claim) -> tuple[FindingRecord, TopicRow, Outcome | None]:
    """Ask a claim and return its finding, its row and the outcome (None: z3 gave up).

    A claim whose answer is not confirmed raises AssertionError.
    """
    try:
        outcome = claim.ask()
    except GaveUp as error:
        row = TopicRow("fjords", claim.id, claim.question, claim.form, "unknown", f"z3 gave up: {error}")
        finding = FindingRecord("fjords", f"FD-C-{claim.id}", "silent", claim.id, claim.question, claim.core)
        return finding, row, None
    finding, row = records(claim, outcome)
    return finding, row, outcome


def results(deep: bool = False, store: Path = STORE) -> Iterator[tuple[FindingRecord | None, TopicRow]]:
    """Yield what each claim came to; heavy ones from the store unless *deep*, shown as stored.

    A heavy claim that is not stored for this source is asked all the same.
    """
    kept = read_store(store)
    for claim in CLAIMS:
        if claim.deep and not deep and claim.id in kept:
            finding, row = kept[claim.id]
            yield finding, replace(row, said=f"{row.said} (stored)")
            continue
        began = perf_counter()
        finding, row, outcome = asked(claim)
        spent = round(1000 * (perf_counter() - began))
        yield (finding if outcome else None), replace(row, milliseconds=spent)


def read_store(store: Path = STORE) -> dict[str, tuple[FindingRecord, TopicRow]]:
    """Return the stored answers by claim; empty if there are none or the source has changed."""
    if not store.exists():
        return {}
    kept: Any = json.loads(store.read_text(encoding="utf-8"))
    if kept["digest"] != source_digest():
        return {}
    return {
        name: (msgspec.convert(both["finding"], FindingRecord), msgspec.convert(both["row"], TopicRow))
        for name, both in kept["claims"].items()
    }


def write_store(claims: Iterable[Claim] = CLAIMS, store: Path = STORE) -> None:
    """Ask the heavy claims and store their answers."""
    kept: dict[str, Any] = {}
    for claim in claims:
        if claim.deep:
            finding, row, outcome = asked(claim)
            if outcome:
                kept[claim.id] = {"finding": msgspec.to_builtins(finding), "row": msgspec.to_builtins(row)}
    text = json.dumps({"digest": source_digest(), "claims": kept}, indent=1, sort_keys=True)
    store.write_text(text + "\n", encoding="utf-8")


def packs() -> dict[str, dict[str, Any]]:
    """Return the small packs of the claims' positions, by finding id, for drawing them."""
    found = {}
    for claim in claims_tiles.CLAIMS:
        _, _, outcome = asked(claim)
        if outcome and outcome.pack:
            found[f"FD-C-{claim.id}"] = dict(outcome.pack)
    return found
