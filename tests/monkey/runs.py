"""One monkey in a process and a home of its own, and what is told of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HOMES = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "TMPDIR")
PATIENCE = 180.0
"""Seconds that starting and quitting may take together, where eight of them share two processors."""
TOUR = 600.0
"""Seconds that the tour may take which a long run begins with."""


@dataclass(frozen=True)
class Run:
    """What one monkey did, and what it found: texts with tracebacks, most often none."""

    seed: int
    told: dict[str, Any]
    findings: tuple[str, ...]

    def __str__(self) -> str:
        facts = ", ".join(f"{name} {value}" for name, value in self.told.items())
        lines = [f"seed {self.seed}: {facts}; findings {len(self.findings)}", *self.findings]
        return "\n".join(lines)


def one_run(seed: int, seconds: float, folder: Path, actions: int = 0) -> Run:
    """Let a monkey use the window, in a folder that is its home, and look at what it leaves.

    Parameters
    ----------
    seed
        What it does.
    seconds
        How long, or at most.
    folder
        An empty folder.
    actions
        How much it does, in the same way in every run; with 0 as much as it comes to, while much is under way.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WORKBENCH_")}
    for name in HOMES:
        home = folder / name.lower()
        home.mkdir(mode=0o700)
        environment[name] = str(home)
    # The cache of fonts is the machine's, not the program's: made once for all.
    environment.setdefault("MPLCONFIGDIR", str(folder / "matplotlib"))
    environment |= {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0", "QT_HASH_SEED": "0"}
    report = folder / "report.json"
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.monkey.window"]
    command += [str(seed), str(seconds), str(actions), str(folder)]
    try:
        ended = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=seconds + TOUR + PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        errors = late.stderr.decode(errors="replace") if isinstance(late.stderr, bytes) else late.stderr or ""
        return Run(seed, {}, (f"still there {TOUR + PATIENCE:.0f} s after its time\n{errors[-4000:]}",))
    told = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
    findings = list(told.pop("findings", ()))
    if ended.returncode != 0:
        findings.append(f"ended with {ended.returncode}\n{ended.stderr[-4000:]}")
    if "ended" not in told:
        findings.append(f"did not get as far as its report\n{ended.stderr[-4000:]}")
    findings += [f"left behind: {path.relative_to(folder)}" for path in _left(folder)]
    return Run(seed, told, tuple(findings))


def _left(folder: Path) -> list[Path]:
    """Files nobody needs any more: of writers that did not finish, of unsaved work that was given up, for scratch."""
    parts = [path for path in folder.rglob(".*.part") if path.is_file()]
    unsaved = [path for path in folder.rglob("*.wbench") if "recovery" in path.parts]
    scratch = [
        path
        for path in (folder / "tmpdir").rglob("*")
        if path.is_file() and "workbench" in str(path.relative_to(folder))
    ]
    return [*parts, *unsaved, *scratch]
