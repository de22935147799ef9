"""The layers of a conformance run: their order, what a subject must offer for each, and who makes their plans."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from lawspeaker.model.core.contract import AnyGame

from . import messages as m
from . import plays, refusals, seats, triples, wholes
from .plan import BUDGETS, DEEP, DEFAULT, SMALL, Budget, Context, Placed, Plan, Sample, policy, tries
from .sampling import sample

__all__ = [
    "BUDGETS", "DEEP", "DEFAULT", "LAYERS", "NOTHING", "PLANNED", "SMALL", "Budget", "Context", "Placed", "Plan",
    "Sample", "lacking", "layers_for", "plans", "policy", "sample", "tries",
]  # fmt: skip

LAYERS = (
    "pack", "scenarios", "thresholds", "seats", "perft", "setup", "play", "refusals", "views", "undo", "save",
    "two-ways", "compound", "recorded",
)  # fmt: skip
"""All layers in the order in which they run."""


def lacking(layer: str, caps: m.Capabilities, mode: m.ChanceMode) -> str:
    """Return what a subject lacks for a layer; empty if it applies."""
    needs: dict[str, tuple[str, ...]] = {
        "setup": ("setup",), "views": ("view",), "undo": ("undo",), "save": ("save",), "two-ways": ("state", "setup"),
        "compound": ("compound",), "perft": ("legal",), "seats": ("setup",),
        "thresholds": ("setup",),
    }  # fmt: skip
    missing = [name for name in needs.get(layer, ()) if not getattr(caps, name)]
    if missing:
        return f"{' and '.join(missing)} not offered"
    if layer == "perft" and not (caps.undo or caps.setup):
        return "neither undo nor setup offered"
    if layer == "perft" and mode != "dictated":
        return "dictated chance not offered"
    if layer == "two-ways" and caps.fields is not None:
        return "only part of the state is reported"
    if layer not in ("pack", "play", "scenarios", "recorded") and mode == "reported" and not caps.setup:
        return "chance is only reported and setup not offered, so no position can be reached at will"
    return ""


def layers_for(game: AnyGame, layers: Sequence[str]) -> tuple[str, ...]:
    """Return the layers to run: of all there are, without the one for compound texts where a game has none."""
    if tuple(layers) != LAYERS or game.has_compounds():
        return tuple(layers)
    return tuple(layer for layer in layers if layer != "compound")


NOTHING = {
    "scenarios": "no scenarios were given",
    "recorded": "no game is recorded for so many players with this pack",
    "seats": "at no position drawn is the game the same for seats in another order",
    "thresholds": "no rule compares what positions near those drawn could change",
}
"""Why a layer that applies may have nothing to ask."""


# -- plans by layer -------------------------------------------------------------------------------


def plans(layer: str, context: Context) -> Iterator[Plan]:
    """Yield the plans of a layer (scenarios come from outside and are not among them)."""
    yield from _MAKERS[layer](context)


_MAKERS: dict[str, Callable[[Context], Iterator[Plan]]] = {
    "setup": plays.setup, "play": plays.play, "perft": plays.perft, "refusals": refusals.refusals,
    "views": plays.views, "undo": plays.undo, "save": plays.save, "two-ways": plays.two_ways,
    "compound": wholes.compound, "seats": seats.seats,
    "thresholds": triples.thresholds,
}  # fmt: skip
PLANNED = frozenset(_MAKERS)
"""The layers that are made of plans; the others have cases of their own."""
