"""The room of Fire & Axe: what the game offers to the rest of the house."""

from __future__ import annotations

from pathlib import Path

from lawspeaker.model.core.clauses import load_catalogue
from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import Room
from lawspeaker.model.core.law import law_of
from lawspeaker.model.core.packs import Complaint, Note, Pack
from lawspeaker.model.core.rulings import Rulings

from . import rules, rules_tasks
from .game import FireAxeGame
from .notes import notes
from .pack import PLAYERS, FireAxePack, load_pack, read_pack
from .pack_audit import audit

_HERE = Path(__file__).parent
CATALOGUE = load_catalogue(_HERE / "clauses.yaml")
LAW = law_of(rules, rules_tasks)


def build(pack: Pack, rulings: Rulings, players: int) -> AnyGame:
    """Return Fire & Axe under a pack and rulings; raises BadInput for another game's pack."""
    if not isinstance(pack, FireAxePack):
        raise BadInput(f"pack {pack.id} is for {pack.game}", hint="a pack of fire_axe is needed")
    return FireAxeGame(CATALOGUE, pack, rulings, LAW, players)


def _audit(pack: Pack) -> tuple[Complaint, ...]:
    assert isinstance(pack, FireAxePack)
    return audit(pack)


def _notes(pack: Pack) -> tuple[Note, ...]:
    assert isinstance(pack, FireAxePack)
    return notes(pack)


ROOM = Room(
    id="fire_axe",
    title="Fire & Axe",
    catalogue=CATALOGUE,
    players=PLAYERS,
    default_pack=_HERE / "packs" / "estimated.yaml",
    load_pack=load_pack,
    read_pack=read_pack,
    audit=_audit,
    notes=_notes,
    build=build,
)
