"""The topics of Fjords, read once from the files beside this module."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lawspeaker.model.fjords.room import CATALOGUE
from lawspeaker.solver.topic_files import load_topics
from lawspeaker.solver.topics import Topic

FILES = ("turn", "tiles", "land")


@cache
def topics() -> dict[str, Topic]:
    """Return every topic by id, in the order of the files."""
    here = Path(__file__).parent
    files = [load_topics(here / f"{name}.yaml", CATALOGUE) for name in FILES]
    return {topic.id: topic for file in files for topic in file.topics}


@cache
def idle_topics() -> dict[str, Topic]:
    """Return the topics that ask whether a supposed ruling is one (``idle.yaml``), by id."""
    file = load_topics(Path(__file__).parent / "idle.yaml", CATALOGUE)
    return {topic.id: topic for topic in file.topics}
