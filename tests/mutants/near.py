"""Which tests are asked first where nothing is known of what they run: those whose imports lead to the changed module.

It takes no measuring beforehand, so it is the quicker way to try some mutants; what is found is a lower bound, since
tests that are far away may not be asked any more.
"""

from __future__ import annotations

import ast
import signal
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from .asking import Told, in_a_fork, run_tests
from .changes import ROOT, Mutant
from .covering import Package
from .standing_in import stand_in

_LONGEST = 30.0  # seconds of processor time a test may take
_UNKNOWN = 0.05  # seconds a test is taken to need that nobody has run yet


class Near:
    """The tests of a package by their distance to a module, in seconds of processor time that may be spent on them."""

    def __init__(self, package: Package, seconds: float) -> None:
        self._files = [path.relative_to(ROOT).as_posix() for path in package.files()]
        self._seconds = seconds
        self._needed: dict[str, float] = {}
        self._failing: set[str] = set()
        self._sound: set[str] = set()

    def told(self, mutant: Mutant) -> Told:
        """Show a mutant to tests, the nearest files first, until one fails or the time is spent."""
        left = self._seconds
        while True:
            round_ = _Round(left, self._needed, self._failing)
            told = in_a_fork(lambda scratch, one=round_: self._shown(mutant, one, scratch))  # type: ignore[misc]
            self._needed |= told.notes.get("needed", {})
            failed = set(told.notes.get("failed", ())) - self._sound
            unsound = {test for test in failed if not self._passes(test)}
            if not unsound:
                return told
            self._failing |= unsound

    def files(self, module: str) -> list[str]:
        """The files of tests, those whose imports lead to a module by the fewest steps first; others are left out."""
        distances = {file: _distance(file, module) for file in self._files}
        return sorted((file for file in distances if distances[file] is not None), key=lambda file: distances[file])

    def _shown(self, mutant: Mutant, round_: _Round, scratch: Path) -> tuple[int, dict[str, object]]:
        stand_in(ROOT, mutant.file, mutant.source(), scratch)
        files = self.files(mutant.file)
        round_.files = {file: place for place, file in enumerate(files)}
        code = run_tests(files, scratch, round_, stop=True) if files else 0
        return 0 if code == 5 else code, {"failed": round_.failed, "needed": round_.seconds}

    def _passes(self, test: str) -> bool:
        """Whether a test passes without any change."""
        passed = in_a_fork(lambda scratch: (run_tests([test], scratch, stop=True), {})).code == 0
        if passed:
            self._sound.add(test)
        return passed


class _Round:
    """A plug-in that runs tests in the order of their files, quick ones first, until the time is spent."""

    def __init__(self, left: float, needed: dict[str, float], failing: set[str]) -> None:
        self.files: dict[str, int] = {}
        self.failed: list[str] = []
        self.seconds: dict[str, float] = {}
        self._left, self._needed, self._failing = left, needed, failing

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Iterator[None]:
        yield

        def order(item: pytest.Item) -> tuple[int, float]:
            seconds = self._needed.get(item.nodeid, _UNKNOWN)
            # A test of a near file that takes long waits until quick ones of others were asked.
            return self.files[item.nodeid.split("::")[0]] + int(20 * seconds), seconds

        items[:] = sorted((item for item in items if item.nodeid not in self._failing), key=order)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, _LONGEST)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self.seconds[item.nodeid] = time.process_time() - start
            self._left -= self.seconds[item.nodeid]
            if self._left <= 0:
                item.session.shouldstop = "the time is spent"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


@cache
def _imported(file: str) -> frozenset[str]:
    """The files of the project that a file imports from."""
    names = set[str]()
    for node in ast.walk(ast.parse((ROOT / file).read_bytes())):
        if isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    there = (f"{name.replace('.', '/')}.py" for name in names if name.startswith(("workbench.", "tests.")))
    return frozenset(file for file in there if (ROOT / file).exists())


@cache
def _distance(file: str, module: str) -> int | None:
    """By how many imports a file leads to a module; None if it never does."""
    steps, reached, now = 0, {file}, {file}
    while now:
        if module in now:
            return steps
        now = {other for one in now for other in _imported(one)} - reached
        reached |= now
        steps += 1
    return None
