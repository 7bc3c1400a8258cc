"""`python3 tests/mutants`: make small mistakes in the program and count those that its tests notice.

Each mistake is made in a copy in memory and shown to the tests of its own package. At least 95 % of those that change
what the program does must be noticed; `equal.json` lists those that change nothing, with the reason.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[0] = str(HERE.parent)
from mutants import PACKAGES  # noqa: E402 - found beside the tests, whose other folders are not meant to be found

sys.path[0] = str(ROOT)

GOAL = 0.95
PATIENCE = 10.0  # seconds for tests that are not known to run what was changed, after all that are


def main(words: list[str]) -> int:
    """Draw, try, tell; return 1 if fewer than 95 % are noticed."""
    asked = _asked(words)
    os.chdir(ROOT)
    _prepare_environment()
    from mutants.covering import package_of
    from mutants.trying import SURVIVED, Outcome, as_json, drawn, mutants_in, tried, tried_near

    start, outcomes = time.monotonic(), list[Outcome]()
    again = {tuple(one[key] for key in ("file", "function", "old", "new")) for one in _missed(asked.again)}
    for at, name in enumerate(asked.package):
        package = package_of(name)
        if asked.again:
            chosen = [mutant for mutant in mutants_in(package) if mutant.name in again]
        else:
            chosen = drawn(package, asked.seed, (asked.count + at) // len(asked.package))
        if asked.of:
            chosen = [mutant for mutant in mutants_in(package) if mutant.file in asked.of]
        if not chosen:
            continue
        patience = math.inf if asked.again else PATIENCE
        for outcome in (
            tried_near(package, chosen, asked.near) if asked.near else tried(package, chosen, patience, asked.within)
        ):
            outcomes.append(outcome)
            if outcome.result == SURVIVED:
                print(f"{outcome.file}:{outcome.line} {outcome.function}: {outcome.old}  ->  {outcome.new}", flush=True)
            if asked.json:
                asked.json.write_text(as_json(outcomes), encoding="utf-8")
    return _told(outcomes, time.monotonic() - start)


def _asked(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python3 tests/mutants", description=__doc__.splitlines()[2])
    parser.add_argument("--seed", type=int, default=7, help="which mutants are drawn (7)")
    parser.add_argument("--count", type=int, default=200, help="how many, shared among the packages (200)")
    parser.add_argument("--package", action="append", choices=PACKAGES, help="draw from this one; may be repeated")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what became of each to this file")
    parser.add_argument("--again", type=Path, metavar="FILE", help="try the survivors of an earlier --json once more")
    parser.add_argument("--of", action="append", metavar="FILE", help="try all of a source file; may be repeated")
    parser.add_argument(
        "--near", type=float, metavar="SECONDS", help="measure nothing: ask the tests nearest by import"
    )
    parser.add_argument(
        "--within", type=float, metavar="SECONDS", default=math.inf, help="show each to so many seconds of tests only"
    )
    asked = parser.parse_args(words)
    asked.package = asked.package or list(PACKAGES)
    return asked


def _missed(path: Path | None) -> list[dict[str, str]]:
    if path is None:
        return []
    return [one for one in json.loads(path.read_text(encoding="utf-8")) if one["result"] == "survived"]


def _prepare_environment() -> None:
    """Share one cache of fonts among all runs, and one processor among numpy's threads."""
    from workbench.bootstrap import prepare

    prepare("test")
    import importlib.util
    import tempfile

    if importlib.util.find_spec("coverage") is None:
        raise SystemExit("coverage is missing; it comes with: python3 -m pip install --editable '.[dev]'")

    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["WORKBENCH_PROPERTIES"] = "whole"  # a mistake counts as noticed by all the examples there are
    shared = Path(tempfile.gettempdir(), f"workbench-mutants-{os.getuid()}")
    shared.mkdir(mode=0o700, exist_ok=True)
    os.environ["WORKBENCH_TEST_SESSION"] = str(shared)
    os.environ["MPLCONFIGDIR"] = str(shared / "matplotlib")


def _told(outcomes: list, seconds: float) -> int:
    from mutants.trying import EQUALS, KILLED, SURVIVED, TIMED_OUT

    results = (KILLED, TIMED_OUT, EQUALS, SURVIVED)
    print(f"\n{'package':12}{'mutants':>9}" + "".join(f"{result:>16}" for result in results))
    counts = Counter((outcome.package, outcome.result) for outcome in outcomes)
    for name in (*dict.fromkeys(outcome.package for outcome in outcomes), "together"):
        row = [sum(counts[p, r] for p, r in counts if r == result and name in (p, "together")) for result in results]
        print(f"{name:12}{sum(row):9}" + "".join(f"{number:16}" for number in row))
    differing = [outcome for outcome in outcomes if outcome.result != EQUALS]
    missed = sum(outcome.result == SURVIVED for outcome in differing)
    share = 1 - missed / len(differing) if differing else 1.0
    print(
        f"\n{share:.1%} of those that change behaviour were noticed, in {seconds:.0f} s. Spark's modules were left out."
    )
    return int(share < GOAL)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
