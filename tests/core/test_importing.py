"""What is imported some modules at a time is what one import would bring, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_BROUGHT = """
import itertools, json, sys, time
from importlib import import_module
if sys.argv[2] == "slow":
    time.thread_time = itertools.count().__next__  # a second between any two looks at the clock
from workbench.core.importing import import_some
name, steps = sys.argv[1], 0
if sys.argv[2] == "whole":
    import_module(name)
else:
    while not import_some(name):
        steps += 1
        assert name not in sys.modules and steps < 2000
print(json.dumps([steps, sorted(one for one in sys.modules if one.startswith("workbench"))]))
"""


@pytest.mark.parametrize("name", ["workbench.session.reports", "workbench.gui.workspaces.anonymise"])
def test_steps_bring_what_one_import_brings(name: str) -> None:
    steps, whole = (_brought(name, way) for way in ("steps", "whole"))
    assert steps[1] == whole[1]
    assert steps[0] > 3, "a step is a hundredth of a second, and this takes several"


def test_where_every_look_takes_too_long_each_step_still_brings_a_module() -> None:
    name = "workbench.session.reports"
    slow, whole = (_brought(name, way) for way in ("slow", "whole"))
    assert slow[1] == whole[1]
    assert 3 < slow[0] <= len(whole[1])


def _brought(name: str, way: str) -> tuple[int, list[str]]:
    run = subprocess.run(
        [sys.executable, "-c", _BROUGHT, name, way], capture_output=True, text=True, cwd=ROOT, check=True
    )
    steps, modules = json.loads(run.stdout)
    return steps, modules
