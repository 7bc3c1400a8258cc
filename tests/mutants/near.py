"""Which tests are asked first where nothing is known of what they run: those whose imports lead to the changed module.

It takes no measuring beforehand, so it is the quicker way to try some mutants; what is found is a lower bound, since
tests that are far away may not be asked any more.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from .asking import Told, in_a_fork, run_tests
from .changes import ROOT, Mutant
from .covering import Package
from .standing_in import stand_in

_FILES = 4  # files of tests that are read at once
_FAR = 3  # imports of a module that is only found while the program runs
_LONGEST = 30.0  # seconds of processor time a test may take
_UNKNOWN = 0.05  # seconds a test is taken to need that nobody has run yet
_NO_FAULT = (2, 5)  # pytest's exit codes where it was stopped, and where no test was run
_OWN = ("workbench", "tests", "mutants", "__main__")


class Near:
    """The tests of a package, the nearest to a module first, and how many seconds may be spent on a mutant."""

    def __init__(self, package: Package, seconds: float) -> None:
        self._files = [path.relative_to(ROOT).as_posix() for path in package.files()]
        self._seconds = seconds
        self._needed: dict[str, float] = {}
        self._sound: set[str] = set()
        self._failing: set[str] = set()
        self._noticed = Counter[str]()

    def told(self, mutant: Mutant) -> Told:
        """Show a mutant to tests until one fails or the seconds are spent."""
        left, files = self._seconds, self.files(mutant.file, mutant.function)
        for some in _batched(files):
            told = self._asked(mutant, some, left)
            left -= told.notes.get("spent", 0.0)
            if told.code or left <= 0:
                for test in told.notes.get("failed", ()):
                    self.noticed(mutant.file, test)
                break
        return told

    def files(self, module: str, function: str = "") -> list[str]:
        """The files of tests: those that noticed a change of the module before, that name the function, by imports."""
        name = function.split(".")[-1]

        def order(file: str) -> tuple[int, bool, int, str]:
            named = bool(name) and not name.startswith("__") and name in _text_of(file)
            return -self._noticed[f"{module} {file}"], not named, _distance(file, module), file

        return sorted(self._files, key=order)

    def noticed(self, module: str, test: str) -> None:
        """Remember that a test noticed a change of a module."""
        self._noticed[f"{module} {test.split('::')[0]}"] += 1

    def _asked(self, mutant: Mutant, files: list[str], left: float) -> Told:
        while True:
            asked = _Asked(left, self._needed, self._failing)
            told = in_a_fork(partial(_shown, mutant, files, asked))
            self._needed |= told.notes.get("needed", {})
            for name in told.notes.get("modules", ()):
                with contextlib.suppress(Exception), contextlib.redirect_stderr(io.StringIO()):
                    importlib.import_module(name)
            failed = set(told.notes.get("failed", ())) - self._sound
            if all(self._passes(test) for test in failed):
                return told

    def _passes(self, test: str) -> bool:
        """Whether a test passes without any change."""
        passes = in_a_fork(lambda scratch: (run_tests([test], scratch, stop=True), {})).code == 0
        (self._sound if passes else self._failing).add(test)
        return passes


def _shown(mutant: Mutant, files: list[str], asked: _Asked, scratch: Path) -> tuple[int, dict[str, Any]]:
    before = set(sys.modules)
    stand_in(ROOT, mutant.file, mutant.source(), scratch)
    code = run_tests(files, scratch, asked, stop=True)
    modules = sorted(name for name in set(sys.modules) - before if name.split(".")[0] not in _OWN)
    spent = sum(asked.seconds.values())
    notes = {"failed": asked.failed, "needed": asked.seconds, "spent": spent, "modules": modules}
    return (code if asked.failed or code not in _NO_FAULT else 0), notes


class _Asked:
    """A plug-in that runs quick tests first, until the seconds are spent."""

    def __init__(self, left: float, needed: dict[str, float], failing: set[str]) -> None:
        self.failed: list[str] = []
        self.seconds: dict[str, float] = {}
        self._left, self._needed, self._failing = left, needed, failing

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Iterator[None]:
        yield
        kept = (item for item in items if item.nodeid not in self._failing)
        items[:] = sorted(kept, key=lambda item: self._needed.get(item.nodeid, _UNKNOWN))

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
                item.session.shouldstop = "the seconds are spent"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


def _batched(files: list[str]) -> Iterator[list[str]]:
    return (files[start : start + _FILES] for start in range(0, len(files), _FILES))


@cache
def _text_of(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


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
def _distance(file: str, module: str) -> int:
    """By how many imports a file leads to a module."""
    steps, reached, now = 0, {file}, {file}
    while now:
        if module in now:
            return steps
        now = {other for one in now for other in _imported(one)} - reached
        reached |= now
        steps += 1
    return _FAR
