"""One table of what people wait for: ours, a peer that does nearly the same, the ratio, and the most memory of each.

Every figure is processor seconds of a process of its own without what it takes to start and to make the data, the
least of several runs that take turns with the peer's. Memory is the most the whole process had. Peers neither check
nor count again what they write, and draw from generators that can be repeated. Where a peer is not installed, the
column is empty. The last run stands in docs/performance.md. Words choose jobs, and a number says how many rows are the
most, a million unless given: `bench_peers.py read write 10000000`.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
TURNS = 2
SIZES = {"10 k": 10_000, "100 k": 100_000, "1 M": 1_000_000, "10 M": 10_000_000, "30 M": 30_000_000}
USUAL = 1_000_000
PAY = {"column": "pay", "lower": "0", "upper": "100000", "resolution": "0.01"}


def data(path: Path, rows: int) -> Path:
    """A file of nine columns, about 42 bytes a row."""
    from tests.benchmarks.bench_engines import write_table

    if not path.exists():
        write_table(path, rows)
    return path


def read_ours(folder: Path, rows: int) -> Callable[[], object]:
    from workbench.io.reading import read_table

    path = data(folder / f"{rows}.csv", rows)
    return lambda: read_table(path)


def read_pandas(folder: Path, rows: int) -> Callable[[], object]:
    import pandas as pd

    path = data(folder / f"{rows}.csv", rows)
    return lambda: pd.read_csv(path, dtype="category")


def released(rows: int) -> Any:
    """A release of seven columns with about 1,100 different rows."""
    from workbench.core.table import Column, Table

    rng = np.random.default_rng(1)
    sizes = (8, 2, 20, 5, 4, 3, 6)
    pick = rng.integers(0, 1142, rows)
    columns = []
    for place, size in enumerate(sizes):
        codes = rng.integers(0, size, 1142)[pick].astype(np.uint8)
        columns.append(Column(f"c{place}", codes, tuple(map(str, range(100, 100 + size)))))
    return Table(tuple(columns))


def write_ours(folder: Path, rows: int) -> Callable[[], object]:
    from workbench.io.export_format import ExportFormat
    from workbench.io.exporting import write_table
    from workbench.report.recheck import Stated, recheck
    from workbench.report.recheck_files import read_back

    table, style = released(rows), ExportFormat()

    def work() -> None:
        stated = Stated(models=(), hierarchies={})
        path = folder / "ours.csv"
        write_table(table, path, style, check=lambda file, _: recheck(read_back(file, style), stated))

    return work


def write_pandas(folder: Path, rows: int) -> Callable[[], object]:
    import pandas as pd

    frame = pd.DataFrame({column.name: column.texts() for column in released(rows).columns})
    return lambda: frame.to_csv(folder / "peer.csv", index=False)


def asked(kind: str) -> Callable[[Path, int], Callable[[], object]]:
    """A second question about a million numbers of which hardly two are alike."""

    def prepared(folder: Path, rows: int) -> Callable[[], object]:
        from tests.benchmarks.bench_query import SCHEMA, table
        from workbench.core.randomness import SecureSource
        from workbench.query.catalogue import QueryDraft
        from workbench.query.draws import ExactDraws
        from workbench.query.plans import plan
        from workbench.query.rows import Rows

        values, draws = table(rows), ExactDraws(SecureSource())
        by = {"by_column": "area", "statistic": "mean"} if kind == "group-by" else {}
        mechanism = plan(QueryDraft(kind, "0.5", {**PAY, **by}), SCHEMA).mechanism

        def work() -> object:
            return mechanism.release(mechanism.measure(Rows.of(values, SCHEMA, None)), draws)

        work()
        return work

    return prepared


def asked_diffprivlib(tool: str) -> Callable[[Path, int], Callable[[], object]]:
    def prepared(folder: Path, rows: int) -> Callable[[], object]:
        from diffprivlib import tools

        pay = np.random.default_rng(1).lognormal(10, 0.5, rows)
        return lambda: getattr(tools, tool)(pay, epsilon=0.5, bounds=(0, 100_000))

    return prepared


def oue_ours(folder: Path, rows: int) -> Callable[[], object]:
    from workbench.core.randomness import SecureSource
    from workbench.ldp.choice import ProtocolChoice

    oue, source = ProtocolChoice("oue").frequency(1024, 1.0), SecureSource()
    values = np.random.default_rng(1).integers(0, 1024, rows)

    def work() -> None:
        for start in range(0, rows, 8192):
            oue.accumulate(oue.perturb(values[start : start + 8192], source))

    return work


def oue_numpy(folder: Path, rows: int) -> Callable[[], object]:
    """A float of numpy's generator for every coin, which cannot be repeated by nobody: not private, and not exact."""
    rng = np.random.default_rng(2)
    values = rng.integers(0, 1024, rows)

    def work() -> None:
        for start in range(0, rows, 8192):
            some = values[start : start + 8192]
            bits = rng.random((len(some), 1024), dtype=np.float32) < 0.2689
            bits[np.arange(len(some)), some] = rng.random(len(some)) < 0.5
            bits.sum(axis=0)

    return work


def searched(limit: float, distinct: bool = False) -> Callable[[Path, int], Callable[[], object]]:
    """The best levels for k = 5 of a table shaped like Adult, half as many tuples as rows, or of hardly two alike."""

    def prepared(folder: Path, rows: int) -> Callable[[], object]:
        from tests.benchmarks.bench_search import ADULT_SIZES, nearly_all_distinct, synthetic
        from workbench.anonymise.goal import Goal
        from workbench.anonymise.privacy import ModelChoice
        from workbench.anonymise.search import optimise

        table, hierarchies = nearly_all_distinct(rows) if distinct else synthetic(rows, rows // 2, ADULT_SIZES)
        models = [ModelChoice.parse("k=5")]
        return lambda: optimise(table, hierarchies, Goal(models, suppression_limit=limit))

    return prepared


def trimmed_ours(folder: Path, rows: int) -> Callable[[], object]:
    """The whole command, from the CSV to a trimmed release in a Parquet file, counted again."""
    from tests.benchmarks.bench_engines import save_project
    from workbench.cli.main import main
    from workbench.session import Session

    path, place = data(folder / f"{rows}.csv", rows), Path(tempfile.mkdtemp(dir=folder))
    os.environ["WORKBENCH_LEDGERS"] = str(place / "ledgers")
    Session()
    words = ["run", str(save_project(place)), "--data", str(path), "--engine", "duckdb", "--out", str(place / "out")]
    return lambda: main([*words, "--out-format", "parquet"])


def trimmed_sql(folder: Path, rows: int) -> Callable[[], object]:
    """SQL by hand that trims: no checks, no ledger, a generator that can be repeated, and a count of what it wrote."""
    import duckdb

    from tests.benchmarks.bench_engines import LEVELS, hierarchies

    path, out = data(folder / f"{rows}.csv", rows), folder / "by_hand.parquet"
    joins, labels = [], []
    base = duckdb.connect()
    for name, level in LEVELS.items():
        hierarchy = hierarchies()[name]
        base.execute(f"CREATE TABLE of_{name} ({name} VARCHAR, label VARCHAR)")
        pairs = zip(hierarchy.values, hierarchy.maps[level].tolist(), strict=True)
        base.executemany(
            f"INSERT INTO of_{name} VALUES (?, ?)", [(text, hierarchy.labels[level][code]) for text, code in pairs]
        )
        joins.append(f"JOIN of_{name} USING ({name})")
        labels.append(f"of_{name}.label AS {name}")
    grouped = (
        f"SELECT {', '.join(labels)}, count(*) - 40 - floor(random() * 2)::INT AS n "
        f"FROM read_csv('{path}', all_varchar = true) {' '.join(joins)} GROUP BY ALL"
    )
    columns = ", ".join(LEVELS)

    def work() -> None:
        base.execute(
            f"COPY (SELECT {columns} FROM (SELECT {columns}, unnest(range(greatest(n, 0)::BIGINT)) FROM ({grouped})) "
            f"ORDER BY random()) TO '{out}' (FORMAT parquet)"
        )
        base.execute(f"SELECT {columns}, count(*) FROM '{out}' GROUP BY ALL").fetchall()

    return work


Prepared = Callable[[Path, int], Callable[[], object]]
JOBS: dict[str, tuple[Prepared, str, Prepared | None]] = {
    "read a CSV into codes": (read_ours, "pandas, categories", read_pandas),
    "write a release and count it again": (write_ours, "pandas to_csv alone", write_pandas),
    "mean, second question": (asked("mean"), "diffprivlib", asked_diffprivlib("mean")),
    "variance, second question": (asked("variance"), "diffprivlib", asked_diffprivlib("var")),
    "median, second question": (asked("median"), "diffprivlib", asked_diffprivlib("median")),
    "mean by 50 groups, second question": (asked("group-by"), "", None),
    "search, skewed, nothing suppressed": (searched(0.0), "", None),
    "search, skewed, 4 % suppressed": (searched(0.04), "", None),
    "search, skewed, any suppressed": (searched(1.0), "", None),
    "search, nearly all distinct, nothing suppressed": (searched(0.0, distinct=True), "", None),
    "CSV to a trimmed release, DuckDB": (trimmed_ours, "SQL by hand that trims", trimmed_sql),
    "OUE, 1,024 values, secure": (oue_ours, "numpy, a float a coin", oue_numpy),
}


def run_apart(*words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, __file__, *words], env=environment, capture_output=True, text=True, check=False
    )


def measured(job: str, ours: bool, folder: Path, rows: int) -> tuple[float, float]:
    """Processor seconds and MB of one run in a process of its own."""
    run = run_apart("--one", job, "ours" if ours else "peer", str(folder), str(rows))
    if run.returncode:
        return float("nan"), float("nan")
    seconds, memory = json.loads(run.stdout.splitlines()[-1])
    return float(seconds), float(memory)


def one(job: str, whose: str, folder: str, rows: str) -> None:
    ours, _, peer = JOBS[job]
    work = (ours if whose == "ours" or peer is None else peer)(Path(folder), int(rows))
    before = resource.getrusage(resource.RUSAGE_SELF)
    work()
    after = resource.getrusage(resource.RUSAGE_SELF)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(json.dumps([seconds, after.ru_maxrss / 1024]))


def main(words: list[str] | None = None) -> None:
    words = list(words or ())
    most = max((int(word) for word in words if word.isdecimal()), default=USUAL)
    words = [word for word in words if not word.isdecimal()]
    print("| job | rows | ours, s | peer, s | ours / peer | ours, MB | peer, MB | peer |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for job, (_, peer, _) in JOBS.items():
            if words and not any(word in job for word in words):
                continue
            for size, rows in SIZES.items():
                if rows > most:
                    break
                # In a process of its own: what a process starts inherits the most memory it had.
                run_apart("--data", folder, str(rows))
                runs = [
                    (
                        measured(job, True, Path(folder), rows),
                        measured(job, False, Path(folder), rows) if peer else (float("nan"), float("nan")),
                    )
                    for _ in range(TURNS)
                ]
                (ours, mine), (theirs, its) = (min(run[side] for run in runs) for side in (0, 1))
                said = (
                    (f"{theirs:.3f}", f"{ours / theirs:.2f}", f"{its:.0f}") if peer and theirs == theirs else ("",) * 3
                )
                line = (job, size, f"{ours:.3f}", *said[:2], f"{mine:.0f}", said[2], peer)
                print(f"| {' | '.join(line)} |", flush=True)


if __name__ == "__main__":
    if "--one" in sys.argv[1:2]:
        one(*sys.argv[2:])
    elif "--data" in sys.argv[1:2]:
        data(Path(sys.argv[2], f"{sys.argv[3]}.csv"), int(sys.argv[3]))
    else:
        main(sys.argv[1:])
