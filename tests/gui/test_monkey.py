"""A monkey uses the whole window for a moment, saves after every edit and quits, and nothing breaks."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.monkey.runs import one_run

ASKED = os.environ.get("WORKBENCH_MONKEY")
"""Seconds that a monkey with a seed of its own has; without it one with a seed that is always the same has a few."""


SECONDS = float(ASKED or 12)
SEED = random.SystemRandom().randrange(100_000) if ASKED else 7


@pytest.mark.timeout(SECONDS + 120)
def test_a_monkey_breaks_nothing(tmp_path: Path) -> None:
    run = one_run(SEED, SECONDS, tmp_path)
    assert not run.findings, str(run)
    assert run.told["actions"] > 20, str(run)
