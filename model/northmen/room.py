"""The room of Northmen: what the game offers to the rest of the house."""

from __future__ import annotations

from pathlib import Path

from lawspeaker.model.core.clauses import load_catalogue
from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import Room
from lawspeaker.model.core.law import law_of
from lawspeaker.model.core.packs import Complaint, Note, Pack
from lawspeaker.model.core.rulings import Rulings

from . import pack as packs
from . import rules, rules_march
from .game import NorthmenGame
from .maps import reach_of, stuck_kingdoms
from .notes import notes
from .pack import GROUP, PLAYERS, NorthmenPack, load_pack, read_pack, token_cards

_HERE = Path(__file__).parent
CATALOGUE = load_catalogue(_HERE / "clauses.yaml")
LAW = law_of(rules, rules_march)


def build(pack: Pack, rulings: Rulings, players: int) -> AnyGame:
    """Return Northmen under a pack and rulings.

    Raises BadInput for another game's pack, and for a pack that R_NO_CARD=reject or R_STUCK=map_constraint
    rules out.
    """
    if not isinstance(pack, NorthmenPack):
        raise BadInput(f"pack {pack.id} is for {pack.game}", hint="a pack of northmen is needed")
    refuse_unplayable(pack, rulings, players)
    return NorthmenGame(CATALOGUE, pack, rulings, LAW, players)


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


def _audit(pack: Pack) -> tuple[Complaint, ...]:
    assert isinstance(pack, NorthmenPack)
    return packs.audit(pack)


def _notes(pack: Pack) -> tuple[Note, ...]:
    assert isinstance(pack, NorthmenPack)
    return notes(pack)


ROOM = Room(
    id="northmen",
    title="Saga of the Northmen",
    catalogue=CATALOGUE,
    players=PLAYERS,
    default_pack=_HERE / "packs" / "estimated.yaml",
    load_pack=load_pack,
    read_pack=read_pack,
    audit=_audit,
    notes=_notes,
    build=build,
)
