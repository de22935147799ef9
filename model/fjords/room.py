"""The room of Fjords: what the game offers to the rest of the house."""

from __future__ import annotations

from pathlib import Path

from lawspeaker.model.core.clauses import load_catalogue
from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import Room
from lawspeaker.model.core.law import law_of
from lawspeaker.model.core.packs import Note, Pack
from lawspeaker.model.core.rulings import Rulings

from . import rules
from .game import FjordsGame
from .pack import FjordsPack, audit, load_pack, notes, read_pack

_HERE = Path(__file__).parent
CATALOGUE = load_catalogue(_HERE / "clauses.yaml")
LAW = law_of(rules)


def build(pack: Pack, rulings: Rulings, players: int) -> AnyGame:
    """Return Fjords under a pack and rulings; raises BadInput for another game's pack."""
    if not isinstance(pack, FjordsPack):
        raise BadInput(f"pack {pack.id} is for {pack.game}", hint="a pack of fjords is needed")
    return FjordsGame(CATALOGUE, pack, rulings, LAW)


def _audit(pack: Pack) -> tuple:  # type: ignore[type-arg]  # of Complaint
    assert isinstance(pack, FjordsPack)
    return audit(pack)


def _notes(pack: Pack) -> tuple[Note, ...]:
    assert isinstance(pack, FjordsPack)
    return notes(pack)


ROOM = Room(
    id="fjords",
    title="Fjords",
    catalogue=CATALOGUE,
    players=(2,),
    default_pack=_HERE / "packs" / "estimated.yaml",
    load_pack=load_pack,
    read_pack=read_pack,
    audit=_audit,
    build=build,
    notes=_notes,
)
