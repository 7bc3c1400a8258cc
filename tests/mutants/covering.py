"""Which test of a package runs which lines, and how long it takes; remembered for as long as the files are the same."""

from __future__ import annotations

import ast
import hashlib
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import pytest
from platformdirs import user_cache_path

from . import PACKAGES
from .asking import in_a_fork, run_tests
from .changes import ROOT, Mutant

_STARTING = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec"})
_ELSEWHERE = ("workbench", "tests", "mutants", "__main__", "coverage")
_WHILE_IMPORTED = ""
_STARTED = 0.02  # seconds that any test takes besides
_OF_CORE = ("trim_law", "trim_weights", "promised_ranges")


@dataclass(frozen=True)
class Package:
    """Source files, and the folder of the tests that are to notice each change of them.

    Tests that stand beside the folders, since they go through several packages, belong to those they import from.
    """

    name: str
    sources: tuple[str, ...]
    tests: str

    def files(self) -> list[Path]:
        """Give the modules of tests, in the order of their names."""
        tests = ROOT / "tests"
        beside = [
            *tests.glob("test_*.py"),
            *(tests / "contracts").glob("test_*.py"),
            *(tests / "core").glob("test_*.py"),
        ]
        of_core = {Path(one).stem for one in self.sources if one.startswith("workbench/core/")}
        about = {path for path in beside if {self.name, *of_core} & _packages_imported(path)}
        return sorted({*(ROOT / self.tests).rglob("test_*.py"), *about})


@dataclass(frozen=True)
class Covered:
    """What the tests of one package run.

    Attributes
    ----------
    seconds
        By test.
    starting
        Tests that start other processes, whose lines are not known.
    failed
        Tests that fail without any change.
    lines
        By file and line, the tests that run it; "" among them where it runs while modules are imported.
    modules
        What the tests import besides the project.
    """

    seconds: dict[str, float]
    starting: list[str]
    failed: list[str]
    lines: dict[str, dict[str, list[str]]]
    modules: list[str]

    def tests_of(self, mutant: Mutant, patience: float, noticed: Noticed | None = None) -> dict[str, float]:
        """Give the tests that may notice a change, with their seconds, in the order in which they are asked.

        First those that run the statement and those that start other processes: the fastest first, and sooner if they
        noticed changes of the file. Then those that run anything of the file, since what is made once for several
        tests is noted for the first of them. A change of what runs while modules are imported may be noticed by any
        test of the package, so it is shown to all.

        Parameters
        ----------
        patience
            Seconds that tests may take together that run the file and are not known to run the statement.
        """
        noticed = noticed or Noticed()
        lines, direct = self.lines.get(mutant.file, {}), self._running(mutant)
        if not direct:
            return self._timed(noticed.soonest_first(self, mutant, set(self.starting)))
        near = {test for tests in lines.values() for test in tests}
        rest = set[str]()
        if _WHILE_IMPORTED in direct:
            rest, patience = set(self.seconds), math.inf
        order = self._timed(noticed.soonest_first(self, mutant, direct))
        for tests in (set(self.starting), near, rest):
            for test in noticed.soonest_first(self, mutant, tests - set(order)):
                patience -= self.seconds[test]
                if patience >= 0:
                    order[test] = self.seconds[test]
        return order

    def runs_while_imported(self, mutant: Mutant) -> bool:
        """Whether the statement runs while modules are imported."""
        return _WHILE_IMPORTED in self._running(mutant)

    def _running(self, mutant: Mutant) -> set[str]:
        lines = self.lines.get(mutant.file, {})
        first, last = mutant.lines
        return {test for line in range(first, last + 1) for test in lines.get(str(line), ())}

    def _timed(self, tests: list[str]) -> dict[str, float]:
        return {test: self.seconds[test] for test in tests}

    def only(self, files: set[str]) -> Covered:
        """Give what is known of the tests in these files."""
        here = {test for test in self.seconds if test.split("::")[0] in files}
        return Covered(
            {test: self.seconds[test] for test in self.seconds if test in here},
            [test for test in self.starting if test in here],
            [test for test in self.failed if test in here],
            {
                file: {line: [test for test in tests if test in here or not test] for line, tests in lines.items()}
                for file, lines in self.lines.items()
            },
            self.modules,
        )

    def with_more(self, other: Covered) -> Covered:
        """Give what is known together with that of other tests."""
        lines = {file: dict(of_file) for file, of_file in self.lines.items()}
        for file, of_file in other.lines.items():
            for line, tests in of_file.items():
                there = lines.setdefault(file, {})
                there[line] = sorted({*there.get(line, ()), *tests})
        return Covered(
            {**self.seconds, **other.seconds},
            [*self.starting, *other.starting],
            [*self.failed, *other.failed],
            lines,
            sorted({*self.modules, *other.modules}),
        )


class Noticed:
    """Which tests noticed changes of a file so far: these are asked sooner than their seconds say."""

    def __init__(self) -> None:
        self._times = Counter[tuple[str, str]]()

    def by(self, mutant: Mutant, test: str) -> None:
        """Remember that this test noticed a change."""
        self._times[mutant.file, test] += 1

    def soonest_first(self, known: Covered, mutant: Mutant, tests: set[str]) -> list[str]:
        """Give those of some tests that are known to pass, in the order in which they are asked."""

        def order(test: str) -> tuple[float, str]:
            return (known.seconds[test] + _STARTED) / (1 + 5 * self._times[mutant.file, test]), test

        return sorted(tests & set(known.seconds) - set(known.failed), key=order)


def _packages_imported(path: Path) -> set[str]:
    """The packages of the project that a file imports from, and the modules of the core."""
    names = set[str]()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {f"{node.module}.{name.name}" for name in node.names}
    parts = [name.split(".") for name in names if name.startswith("workbench.")]
    return {part[2] if part[1] == "core" and len(part) > 2 else part[1] for part in parts}


def package_of(name: str) -> Package:
    """Give the package with one of the names in `PACKAGES`."""
    sources = "workbench/report/recheck*.py" if name == "report" else f"workbench/{name}/**/*.py"
    # What releases promise rests on these, wherever they are.
    of_core = tuple(f"workbench/core/{one}.py" for one in _OF_CORE) if name == "anonymise" else ()
    return Package(name, (sources, *of_core), f"tests/{name}")


def covered(package: Package) -> Covered:
    """Give what the tests of a package run; only those are run for it whose file has changed since the last time.

    It is kept outside of the project. Where a source file has changed since, the lines of then are looked for in it. So
    which tests run a line can be told too small, by what other files have come to call, and never wrong: whether a test
    notices a change is always seen.
    """
    files = {path.relative_to(ROOT).as_posix() for path in package.files()}
    place = user_cache_path("anonymisation-workbench-mutants") / f"{package.name}.json"
    kept = json.loads(place.read_text(encoding="utf-8")) if place.exists() else {"tests": {}, "sources": {}}
    same = {file for file, digest in kept["tests"].items() if _digest_of(ROOT / file) == digest}
    known = Covered({}, [], [], {}, [])
    if "known" in kept:
        known = Covered(**kept["known"]).only(same)
        known = replace(
            known, lines={file: _moved(of, kept["sources"][file], file) for file, of in known.lines.items()}
        )
    if missing := sorted(files - same):
        # All tests of a part take long on a busy machine.
        told = in_a_fork(lambda scratch: _measured(missing, scratch), math.inf)
        if told.code not in (0, 1):
            raise SystemExit(f"the tests of {package.tests} do not run:\n{told.output[-2000:]}")
        known = known.with_more(Covered(**told.notes))
    sources = {file: (ROOT / file).read_text(encoding="utf-8") for file in known.lines if (ROOT / file).exists()}
    tests = {file: _digest_of(ROOT / file) for file in sorted(same | files)}
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps({"tests": tests, "sources": sources, "known": asdict(known)}), encoding="utf-8")
    return known.only(files)


def _moved(lines: dict[str, list[str]], then: str, file: str) -> dict[str, list[str]]:
    """The tests by line where the lines stand now; a new line is run by those that run the one before it."""
    now = (ROOT / file).read_text(encoding="utf-8") if (ROOT / file).exists() else ""
    if now == then:
        return lines
    pairs = SequenceMatcher(None, then.splitlines(), now.splitlines(), autojunk=False).get_matching_blocks()
    place = {new + step + 1: old + step + 1 for old, new, size in pairs for step in range(size)}
    found: dict[str, list[str]] = {}
    before: list[str] = []
    for line in range(1, len(now.splitlines()) + 1):
        if line in place:
            tests = lines.get(str(place[line]), [])
            before = tests or before
        else:
            tests = [test for test in before if test != _WHILE_IMPORTED]
        if tests:
            found[str(line)] = tests
    return found


def _digest_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes() if path.exists() else b"").hexdigest()


def _measured(files: list[str], scratch: Path) -> tuple[int, dict[str, Any]]:
    import coverage

    sources = sorted({path for name in PACKAGES for pattern in package_of(name).sources for path in ROOT.glob(pattern)})
    measure = coverage.Coverage(data_file=None, config_file=False, include=[str(path) for path in sources])
    observer = _Observer(measure)
    measure.start()
    code = run_tests(files, scratch, observer, stop=False)
    measure.stop()
    data = measure.get_data()
    lines = {
        path.relative_to(ROOT).as_posix(): {
            str(line): sorted(tests) for line, tests in data.contexts_by_lineno(str(path)).items()
        }
        for path in sources
    }
    modules = sorted(name for name in sys.modules if name.split(".")[0] not in _ELSEWHERE)
    return code, {
        "seconds": observer.seconds,
        "starting": sorted(observer.starting),
        "failed": sorted(observer.failed),
        "lines": lines,
        "modules": modules,
    }


class _Observer:
    def __init__(self, measure: Any) -> None:
        self.seconds: dict[str, float] = {}
        self.starting: set[str] = set()
        self.failed: set[str] = set()
        self._measure = measure
        self._running = ""
        sys.addaudithook(self._look)

    def _look(self, event: str, _: tuple[object, ...]) -> None:
        if event in _STARTING and self._running:
            self.starting.add(self._running)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._running, start = item.nodeid, time.process_time()
        self._measure.switch_context(item.nodeid)
        try:
            return (yield)
        finally:
            self._measure.switch_context(_WHILE_IMPORTED)
            self.seconds[item.nodeid], self._running = time.process_time() - start, ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid)
