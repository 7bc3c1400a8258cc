"""Monkeys use the whole window, save after every edit and quit, and nothing breaks."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.monkey.runs import one_run
from tests.properties import is_whole

ASKED = os.environ.get("WORKBENCH_MONKEY")
"""Seconds that one monkey with a seed of its own has, as fast as it can, while much is under way.

Without it there are a few whose seeds are always the same, and who wait until nothing is under way any more: what they
do depends on the program alone, and neither on the machine nor on chance.
"""

CALM = (7, 6, 3, 2, 1, 5)
FEW = 1
SEEDS = [random.SystemRandom().randrange(100_000)] if ASKED else CALM if is_whole() else CALM[:FEW]
SECONDS = float(ASKED or 150)  # a slow machine may come to less
ACTIONS = 0 if ASKED else 150


@pytest.mark.properties
@pytest.mark.timeout(SECONDS + 120)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_monkey_breaks_nothing(tmp_path: Path, seed: int) -> None:
    run = one_run(seed, SECONDS, tmp_path, ACTIONS)
    assert not run.findings, str(run)
    assert run.told["actions"] > 20, str(run)


@pytest.mark.properties
@pytest.mark.skipif(ASKED is not None or not is_whole(), reason="two more starts, for those who try everything")
@pytest.mark.timeout(2 * SECONDS + 120)
def test_a_calm_monkey_does_the_same_again(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one, two = (one_run(5, SECONDS, tmp_path / name, 25) for name in ("one", "two"))
    assert one.told["path"] == two.told["path"], f"{one}\n{two}"
