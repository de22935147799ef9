from pathlib import Path

import pytest
import yaml

from lawspeaker.model.core.games import room
from lawspeaker.scenarios.loader import read_file

PACKS = Path(__file__).parents[2] / "scenarios" / "fjords" / "packs"


@pytest.fixture
def data():
    """A small correct case; tests spoil it."""
    return {
        "id": "fjords.test.1",
        "title": "A drawn tile of farmland has eighteen places beside the start tiles",
        "heading": "Drawing And Placing Tiles",
        "clauses": ["FD-TILE-07"],
        "given": {"pack": "meadow", "position": {"drawn": "F1"}},
        "then": {"actor": "A", "count": 18},
    }


@pytest.fixture
def read(tmp_path):
    """Write cases to a file and read them back."""

    def reader(*cases, **head):
        (tmp_path / "packs").mkdir(exist_ok=True)
        (tmp_path / "packs" / "meadow.yaml").write_text((PACKS / "meadow.yaml").read_text())
        path = tmp_path / "cases.yaml"
        whole = {"format": "lawspeaker-scenarios/1", "game": "fjords", "cases": list(cases)} | head
        path.write_text(yaml.safe_dump(whole))
        return read_file(path, room("fjords"))

    return reader
