"""Profiles of the whole test suite: LAWSPEAKER_PROFILE is dev (default), ci or deep."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Games made up for tests, to be imported by all of them.
sys.path.insert(0, str(Path(__file__).parent / "toys"))

PROFILE = os.environ.get("LAWSPEAKER_PROFILE") or ("ci" if os.environ.get("CI") else "dev")

# No deadline: machines here drift by half. Derandomized: the same commit tests the same cases everywhere;
# only `deep` looks for new ones.
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", max_examples=25, derandomize=True, database=None, **_COMMON)
settings.register_profile("ci", max_examples=60, derandomize=True, database=None, **_COMMON)
settings.register_profile("deep", max_examples=2000, **_COMMON)
settings.load_profile(PROFILE)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the long ones out unless they are asked for."""
    if PROFILE == "deep":
        return
    skip = pytest.mark.skip(reason="deep: set LAWSPEAKER_PROFILE=deep")
    for item in items:
        if "deep" in item.keywords:
            item.add_marker(skip)
