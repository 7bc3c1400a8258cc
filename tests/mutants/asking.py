"""Pytest in a forked process, and what it tells its parent.

The parent has imported what the tests need from elsewhere, so that a run costs its tests and little more.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 900.0  # seconds in which a run must end, however busy the machine is
_ALLOWANCE = 6.0  # seconds of processor time a test may take, besides
_TIMES = 10  # this many times what it took before


@dataclass(frozen=True)
class Told:
    """How a run ended: pytest's exit code, or minus the signal, and what the run noted."""

    code: int
    notes: dict[str, Any]
    output: str


def in_a_fork(work: Callable[[Path], tuple[int, dict[str, Any]]], patience: float = PATIENCE) -> Told:
    """Run `work` in a copy of this process, with a folder that is gone afterwards; it gives a code and notes."""
    scratch = Path(tempfile.mkdtemp(prefix="workbench-mutant-"))
    child = os.fork()
    if child == 0:
        _be_the_child(work, scratch)
    try:
        code = _ended(child, patience)
        notes, output = scratch / "notes.json", scratch / "output.txt"
        return Told(
            code,
            json.loads(notes.read_text(encoding="utf-8")) if notes.exists() else {},
            output.read_text(encoding="utf-8", errors="replace") if output.exists() else "",
        )
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # whatever it started
        shutil.rmtree(scratch, ignore_errors=True)


def _be_the_child(work: Callable[[Path], tuple[int, dict[str, Any]]], scratch: Path) -> None:
    code = 70
    try:
        os.setpgid(0, 0)  # no session of its own: a system shares processors among sessions
        output = os.open(scratch / "output.txt", os.O_WRONLY | os.O_CREAT)
        for stream in (1, 2):
            os.dup2(output, stream)
        os.environ["TMPDIR"] = str(scratch)
        tempfile.tempdir = None
        code, notes = work(scratch)
        part = scratch / "notes.part"
        part.write_text(json.dumps(notes), encoding="utf-8")
        part.replace(scratch / "notes.json")
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _ended(child: int, patience: float) -> int:
    until = time.monotonic() + patience
    pause = 0.005
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(pause)
        pause = min(2 * pause, 0.1)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -signal.SIGKILL


def run_tests(files: Sequence[str], scratch: Path, *plugins: object, stop: bool, shown: bool = False) -> int:
    """Run pytest in this process, without whatever differs between two runs, and give its exit code."""
    plain = [
        "-q",
        "--assert=plain",
        "--no-header",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
        "-m",
        "not spark",
    ]
    steady = ["--hypothesis-seed=0", f"--basetemp={scratch / 'tests'}", "-o", f"timeout={PATIENCE:.0f}"]
    return int(
        pytest.main(
            [*plain, *steady, *(["-x"] if stop else []), *(["-s"] if shown else []), *files], plugins=[*plugins]
        )
    )


class InOrder:
    """A plug-in that runs the given tests only, in the given order, each within its time, and notes what fails."""

    def __init__(self, seconds: Mapping[str, float]) -> None:
        self.seconds = seconds
        self.failed: list[str] = []

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Iterator[None]:
        yield
        place = {name: at for at, name in enumerate(self.seconds)}
        items[:] = sorted((item for item in items if item.nodeid in place), key=lambda item: place[item.nodeid])

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        # The signal ends the process: nothing catches it, neither Python nor what is written in C.
        signal.setitimer(signal.ITIMER_PROF, _ALLOWANCE + _TIMES * self.seconds[item.nodeid])
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            print(report.longreprtext, flush=True)
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)
