"""The topics of Northmen, read once from the files beside this module."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lawspeaker.model.northmen.room import CATALOGUE
from lawspeaker.solver.topic_files import load_topics
from lawspeaker.solver.topics import Example, Topic, TopicFile

FILES = ("rally", "marching", "planning", "ending")


@cache
def files() -> tuple[TopicFile, ...]:
    """Return the files of topics, read."""
    here = Path(__file__).parent
    return tuple(load_topics(here / f"{name}.yaml", CATALOGUE) for name in FILES)


@cache
def topics() -> dict[str, Topic]:
    """Return every topic by id, in the order of the files."""
    return {topic.id: topic for file in files() for topic in file.topics}


def examples() -> tuple[Example, ...]:
    """Return the book's worked examples as far as topics cover them."""
    return tuple(example for file in files() for example in file.examples)


@cache
def idle_topics() -> dict[str, Topic]:
    """Return the topics that ask whether a supposed ruling is one (``idle.yaml``), by id."""
    file = load_topics(Path(__file__).parent / "idle.yaml", CATALOGUE)
    return {topic.id: topic for topic in file.topics}
