"""Proposed wordings for Fjords: each is put in the place of a clause, and the analysis is done again."""

from __future__ import annotations

from lawspeaker.solver.wordings import Wording, claims_of

from .topics import topics

WORDINGS = (
    Wording("last_open", ("FD-OPEN-04",), "After drawing he may take an open tile while the pile lasts.", ("False",)),
    Wording("aside", ("FD-TILE-12",), "Who sees a place that the drawer overlooks must say so.", ("False",)),
)  # fmt: skip
CLAIMS = claims_of(WORDINGS, topics)
