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
from .notes import notes
from .pack import PLAYERS, NorthmenPack, load_pack, read_pack
from .playable import refuse_unplayable

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
