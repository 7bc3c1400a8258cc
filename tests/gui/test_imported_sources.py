"""Qt for Python is told of imported modules what it would find out, and nothing is kept of them."""

from __future__ import annotations

import inspect
import linecache
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.gui import imported_sources
from workbench.gui.imported_sources import spare_sources, speaks_of_qt

ROOT = Path(__file__).resolve().parents[2]
_KEPT = """
import linecache, sys
import workbench.gui.main_window
from workbench.gui.workspaces import ROOMS
known = sys.modules["shibokensupport.feature"].pyside_feature_dict
assert known["workbench.gui.icons"] == 0 and known["workbench.session.session"] == -1
print(sum(name.startswith(sys.argv[1]) for name in linecache.cache))
"""


def test_no_source_of_the_program_is_kept() -> None:
    run = subprocess.run([sys.executable, "-c", _KEPT, str(ROOT)], capture_output=True, text=True, cwd=ROOT, check=True)
    # Classes that are made by a decorator leave a line or two behind.
    assert int(run.stdout) < 10


def test_it_says_what_would_be_found() -> None:
    def found(name: str) -> bool:
        try:
            return "PySide6" in inspect.getsource(sys.modules[name])
        except (TypeError, OSError):
            return False

    asked = [name for name in sorted(sys.modules) if name.startswith(("workbench", "json", "numpy", "PySide6"))][::9]
    assert len(asked) > 20
    assert {name: speaks_of_qt(sys.modules[name]) for name in asked} == {name: found(name) for name in asked}
    linecache.clearcache()


def test_another_library_that_asks_differently_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imported_sources, "_ASKED", "asked_in_another_way")
    before = dict(vars(sys.modules["shibokensupport.feature"]))
    spare_sources()
    assert dict(vars(sys.modules["shibokensupport.feature"])) == before
