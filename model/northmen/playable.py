"""Which packs a choice of rulings rules out: no game is built or varied to such a pair."""

from __future__ import annotations

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.rulings import Rulings

from .maps import reach_of, stuck_kingdoms
from .pack import GROUP, NorthmenPack, token_cards


def refuse_unplayable(pack: NorthmenPack, rulings: Rulings, players: int) -> None:
    """Raise BadInput if the rulings demand of the pack what it does not keep.

    A cut of a box for one scene need not have cards for a whole Rally Phase.
    """
    tokens = token_cards(pack, players, rulings["R_MARK"], rulings["R_BULGARIA"])
    if pack.complete and rulings["R_NO_CARD"] == "reject" and tokens < GROUP:
        raise BadInput(
            f"pack {pack.id} has {tokens} cards that place a token with {players} players, {GROUP} are needed",
            hint="under R_NO_CARD=end the Rally Phase ends when nobody can play",
        )
    stuck = stuck_kingdoms(pack, reach_of(pack, rulings["R_LANDLOCK"], rulings["R_BULGARIA"]))
    if rulings["R_STUCK"] == "map_constraint" and rulings["R_MUST_MOVE"] == "must" and stuck:
        raise BadInput(
            f"pack {pack.id}: no region borders {', '.join(stuck)}, or none is on the sea; cubes there could not leave",
            hint="under R_STUCK=to_reserve or to_infamy such cubes are taken off",
        )
