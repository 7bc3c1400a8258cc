"""The layers hold: who may import whom, checked on the import graph of the whole program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_every_import_contract_is_kept() -> None:
    # A process of its own: the linter puts folders on sys.path and keeps state of its own.
    command = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    result = subprocess.run(
        [sys.executable, "-c", command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_what_runs_before_the_installation_needs_nothing_installed() -> None:
    command = (
        "import sys, workbench.__main__, workbench.bootstrap, workbench.requirements; "
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    result = subprocess.run([sys.executable, "-S", "-c", command], cwd=ROOT, capture_output=True, text=True, check=True)
    strangers = set(result.stdout.split()) - set(sys.stdlib_module_names) - {"workbench", "__main__"}
    assert not strangers
