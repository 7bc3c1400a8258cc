"""A short attack with kills; CONTRIBUTING says how to make a long one (or `WORKBENCH_KILLS=50` here)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KILLS = int(os.environ.get("WORKBENCH_KILLS", "4"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("kind", ["save", "autosave", "anonymise", "query", "run", "notebook", "pseudonyms"])
def test_kills_leave_nothing_wrong(kind: str) -> None:
    words = [sys.executable, "-m", "tests.attacks.kills", kind, "--seed", "5", "--kills", str(KILLS), "--rows", "3000"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, cwd=ROOT, env=environment, timeout=55 + 3 * KILLS
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["kills"] > 0, "nothing was killed while it lived, so nothing was tried"
    if kind not in ("save", "autosave"):
        assert found["aimed"] > 0, "nothing was killed after its charge"
