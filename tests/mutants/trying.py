"""One mutant after the other: drawn by a seed, shown to the tests that run its lines, and counted."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import io
import json
import math
import multiprocessing
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from .asking import InOrder, Told, in_a_fork, run_tests
from .changes import ROOT, Mutant, mutants_of
from .covering import Covered, Noticed, Package, covered
from .near import Near
from .standing_in import stand_in
from .warm import Warm, with_tests_read

EQUAL = Path(__file__).with_name("equal.json")
KILLED, TIMED_OUT, EQUALS, SURVIVED = "killed", "killed by time", "equal", "survived"
# Tests of Spark are skipped where it is not installed, and take minutes where it is.
_UNTRIED = "workbench/engines/spark_"


@dataclass(frozen=True)
class Outcome:
    """What became of one mutant, and which test noticed it."""

    package: str
    file: str
    function: str
    kind: str
    line: int
    old: str
    new: str
    result: str
    by: str
    seconds: float


def mutants_in(package: Package) -> Iterator[Mutant]:
    """Give every change of a package's files."""
    for path in sorted({path for pattern in package.sources for path in ROOT.glob(pattern)}):
        if not path.relative_to(ROOT).as_posix().startswith(_UNTRIED):
            yield from mutants_of(path)


def drawn(package: Package, seed: int, count: int) -> list[Mutant]:
    """Draw mutants of a package, kind by kind in turn so that rare kinds are not lost among numbers.

    Each is drawn by a checksum of the seed and its own text: the same ones again, though other lines have changed.
    """

    def number(mutant: Mutant) -> bytes:
        return hashlib.sha256(json.dumps([seed, *mutant.name, mutant.again]).encode()).digest()

    kinds = defaultdict[str, list[Mutant]](list)
    for mutant in sorted(mutants_in(package), key=number, reverse=True):
        kinds[mutant.kind].append(mutant)
    found: list[Mutant] = []
    while any(kinds.values()):
        for kind in sorted(kind for kind in kinds if kinds[kind]):
            mutant = kinds[kind].pop()
            if len(found) == count:
                return found
            if mutant.is_another_program():
                found.append(mutant)
    return found


def tried(package: Package, mutants: Iterable[Mutant], patience: float, within: float = math.inf) -> Iterator[Outcome]:
    """Show mutants to the tests of their package; see `Covered.tests_of`.

    Those that are listed as changing nothing are not shown. Of the others first those that can be made in a process
    that has read all tests already. Each is shown to tests of so many seconds `within` which one must fail; so what
    survives may be noticed by a test that was left out.
    """
    known, equal, noticed = covered(package), equal_ones(), Noticed()
    _import_all(known.modules)
    left = dict.fromkeys(mutants)
    for mutant in [one for one in left if one.name in equal]:
        del left[mutant]
        yield _outcome(package, mutant, SURVIVED, "", equal, 0.0)
    for mutant, result, by, seconds in _tried_warm(package, list(left), known, patience, within):
        noticed.by(mutant, by)
        del left[mutant]
        yield _outcome(package, mutant, result, by, equal, seconds)
    for mutant in left:
        start = time.monotonic()
        result, by = _shown(mutant, _first_of(known.tests_of(mutant, patience, noticed), within))
        noticed.by(mutant, by)
        yield _outcome(package, mutant, result, by, equal, time.monotonic() - start)


def _tried_warm(
    package: Package, mutants: list[Mutant], known: Covered, patience: float, within: float
) -> Iterator[tuple[Mutant, str, str, float]]:
    """What became of those that a `Warm` process takes, with the seconds it took."""
    ours, its = multiprocessing.Pipe(duplex=False)
    files = [path.relative_to(ROOT).as_posix() for path in package.files()]
    child = os.fork()
    if child == 0:
        try:
            ours.close()
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            with tempfile.TemporaryDirectory(prefix="workbench-mutants-") as scratch:
                with_tests_read(
                    files, Path(scratch), lambda warm: _try_warm(warm, mutants, known, patience, within, its)
                )
            its.close()
        finally:
            os._exit(0)
    its.close()
    with contextlib.suppress(EOFError):
        while True:
            yield ours.recv()
    os.waitpid(child, 0)


def _try_warm(
    warm: Warm, mutants: list[Mutant], known: Covered, patience: float, within: float, told: Connection
) -> None:
    noticed = Noticed()
    for mutant in mutants:
        if known.runs_while_imported(mutant) or not warm.takes(mutant):
            continue
        start = time.monotonic()
        tests = _first_of(known.tests_of(mutant, patience, noticed), within)
        while True:
            result, by = _judged(warm.told(mutant, tests)) if tests else (SURVIVED, "no test runs it")
            if result != KILLED or not by or warm.passes(by):
                break
            del tests[by]  # it fails here without any change
        noticed.by(mutant, by)
        told.send((mutant, result, by, time.monotonic() - start))


def _first_of(tests: dict[str, float], within: float) -> dict[str, float]:
    """The tests that take so many seconds together, or the first alone; a long one is passed over for shorter ones."""
    chosen: dict[str, float] = {}
    for test, seconds in tests.items():
        if not chosen or seconds <= within:
            chosen[test] = seconds
            within -= seconds
    return chosen


def tried_near(package: Package, mutants: Iterable[Mutant], seconds: float) -> Iterator[Outcome]:
    """Show mutants to the tests whose imports are nearest, for so many seconds of processor time each."""
    near, equal = Near(package, seconds), equal_ones()
    for mutant in mutants:
        start = time.monotonic()
        yield _outcome(package, mutant, *_judged(near.told(mutant)), equal, time.monotonic() - start)


def _outcome(
    package: Package, mutant: Mutant, result: str, by: str, equal: dict[tuple[str, str, str, str], str], seconds: float
) -> Outcome:
    if result == SURVIVED and mutant.name in equal:
        result, by = EQUALS, equal[mutant.name]
    said = mutant.old, mutant.new, result, by, round(seconds, 1)
    return Outcome(package.name, mutant.file, mutant.function, mutant.kind, mutant.lines[0], *said)


def _shown(mutant: Mutant, tests: Mapping[str, float]) -> tuple[str, str]:
    if not tests:
        return SURVIVED, "no test runs it"
    files = sorted({test.split("::")[0] for test in tests})

    def work(scratch: Path) -> tuple[int, dict[str, Any]]:
        order = InOrder(tests)
        stand_in(ROOT, mutant.file, mutant.source(), scratch)
        return run_tests(files, scratch, order, stop=True), {"failed": order.failed}

    return _judged(in_a_fork(work))


def _judged(told: Told) -> tuple[str, str]:
    if told.code == 0:
        return SURVIVED, ""
    if told.code in (1, 2):  # a test failed; what they import failed
        return KILLED, next(iter(told.notes.get("failed", ())), "")
    if told.code < 0:
        return TIMED_OUT, f"signal {-told.code}"
    raise SystemExit(f"pytest ended with {told.code}:\n{told.output[-3000:]}")


def _import_all(modules: Sequence[str]) -> None:
    for name in modules:
        with contextlib.suppress(Exception), contextlib.redirect_stderr(io.StringIO()):
            importlib.import_module(name)


def equal_ones() -> dict[tuple[str, str, str, str], str]:
    """Give the mutants that change nothing anybody could see, with the reason."""
    listed = json.loads(EQUAL.read_text(encoding="utf-8"))
    return {(one["file"], one["function"], one["old"], one["new"]): one["why"] for one in listed}


def as_json(outcomes: Iterable[Outcome]) -> str:
    """Give outcomes as text that `--again` reads."""
    return json.dumps([asdict(outcome) for outcome in outcomes], indent=1, ensure_ascii=False)
