"""All checks of Fjords beside the general ones."""

from __future__ import annotations

from collections import Counter

from lawspeaker.properties.watching import Check, Complaints, Moment, plainly

from . import graphs, history


def conservation(moment: Moment) -> Complaints:
    """Each tile of the box is in one place, and nobody has more pieces on the table than he owns."""
    plain, rulings = moment.record_after, moment.game.rulings
    where = Counter([*plain["pile"], *plain["open"], *(row[2] for row in plain["board"])])
    where.update([plain["drawn"]] if plain["drawn"] else [])
    box = {tile.id for tile in moment.game.pack.tiles}  # type: ignore[attr-defined]
    if set(where) != box or set(where.values()) != {1}:
        yield f"tiles missing or twice: {sorted(box ^ set(where) | {t for t, n in where.items() if n > 1})}"
    for seat in ("A", "B"):
        if len(plain["farms"][seat]) > 4:
            yield f"{seat} has {len(plain['farms'][seat])} farms"
        if rulings["R_SUPPLY"] == "stop" and len(plain["fields"][seat]) > 20:
            yield f"{seat} has {len(plain['fields'][seat])} fields"


_CONSERVATION = Check("conservation", (conservation.__doc__ or "").rstrip("."), plainly(conservation), every=5)

CHECKS: tuple[Check, ...] = (_CONSERVATION, *history.CHECKS, *graphs.CHECKS)
