"""From a CSV to a released Parquet file where the rows stay in an engine: seconds, and the most memory the process had.

A table like Adult (nine columns, about 42 bytes a row) of one, three, ten and thirty million rows, a project with a
hierarchy for each of six columns, and the command `workbench run` on DuckDB, in a process of its own. Then the same in
memory and on Spark for a million rows, and `workbench profile` for ten. Last, trimming beside SQL that a person wrote
for one table. One of these parts alone: `python3 tests/benchmarks/bench_engines.py curve|profile|memory|spark|hand`.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv

from workbench.anonymise.recipe import ReleaseMechanism
from workbench.core.hierarchy import Hierarchy
from workbench.project.model import GuaranteeSettings
from workbench.project.trim_settings import StepsBy, TrimSettings
from workbench.session import Session

MILLION = 1_000_000
CURVE = (MILLION, 3 * MILLION, 10 * MILLION, 30 * MILLION)
AIMS = {10 * MILLION: "aim 12 s, 1,229 MiB", 30 * MILLION: "aim 1,536 MiB"}
PAIRS = 3
HAND_ROWS = (2 * MILLION, 10 * MILLION)
_BATCH = 500_000

COLUMNS: dict[str, tuple[str, ...]] = {
    "age": tuple(str(age) for age in range(17, 91)),
    "sex": ("Female", "Male"),
    "zip": tuple(str(number) for number in range(10_000, 12_000)),
    "education": tuple(f"edu {number}" for number in range(16)),
    "marital": tuple(f"m {number}" for number in range(7)),
    "race": tuple(f"r {number}" for number in range(5)),
    "job": tuple(f"job {number}" for number in range(15)),
    "country": tuple(f"c {number}" for number in range(41)),
    "salary": ("0", "1"),
}
LEVELS = {"age": 2, "zip": 3, "education": 1, "marital": 1, "race": 1, "job": 2, "country": 2}
_HAND_WORDS = (str(list(COLUMNS)), str(list(LEVELS)), "20")


@dataclass(frozen=True)
class Spent:
    """What a process needed: seconds, seconds of all its processors together, and MiB at the most."""

    seconds: float
    processor: float
    memory: float

    def __str__(self) -> str:
        return f"{self.seconds:6.1f} s ({self.processor:.1f} s of processors), at most {self.memory:,.0f} MiB"


def write_table(path: Path, rows: int) -> None:
    """Rows drawn evenly and independently, in batches whose number is their seed."""
    options = arrow_csv.WriteOptions(quoting_style="none", include_header=False)
    with path.open("wb") as file:
        file.write((",".join(COLUMNS) + "\n").encode())
        for start in range(0, rows, _BATCH):
            rng, count = np.random.default_rng(start), min(_BATCH, rows - start)
            arrays = [
                pa.DictionaryArray.from_arrays(
                    rng.integers(0, len(values), count, dtype=np.int32), pa.array(values)
                ).cast(pa.string())
                for values in COLUMNS.values()
            ]
            arrow_csv.write_csv(pa.table(arrays, names=list(COLUMNS)), file, options)


def hierarchies() -> dict[str, Hierarchy]:
    """Intervals, masks and groups, which say nothing of the data."""

    def groups(name: str, *widths: int) -> Hierarchy:
        rows = (
            (text, *(f"{name} {place // width}" for width in widths), "*") for place, text in enumerate(COLUMNS[name])
        )
        return Hierarchy.from_rows(rows)

    return {
        "age": groups("age", 5, 20),
        "zip": Hierarchy.from_rows((z, z[:4] + "*", z[:3] + "**", z[:2] + "***", "*") for z in COLUMNS["zip"]),
        "education": groups("education", 4),
        "marital": groups("marital", 3),
        "race": groups("race", 3),
        "job": groups("job", 3, 6),
        "country": groups("country", 7, 21),
    }


def save_project(folder: Path, *, trimmed: bool = False) -> Path:
    """A project that was made with a small first file and runs on the next ones; it samples unless it trims."""
    first = folder / "first.csv"
    write_table(first, 5_000)
    session = Session()
    session.data.open(first)
    for name, hierarchy in hierarchies().items():
        session.data.attach_hierarchy(name, hierarchy)
        session.release.columns.set_level(name, LEVELS[name])
    session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-9))
    if trimmed:
        session.release.set_mechanism(ReleaseMechanism.TRIM)
        session.release.set_trimming(TrimSettings(steps=StepsBy.ONE))
    path = folder / ("trimmed.wbench" if trimmed else "project.wbench")
    session.save(path)
    return path


def save_labels(folder: Path) -> Path:
    """The labels of all values at the levels of the release, as somebody would have them in a file."""
    labels = folder / "labels.csv"
    with labels.open("w", encoding="utf-8") as file:
        file.write("name,value,label\n")
        for name, hierarchy in hierarchies().items():
            file.writelines(f"{name},{row[0]},{row[LEVELS[name]]}\n" for row in hierarchy.rows())
    return labels


def spent(arguments: list[str], folder: Path) -> Spent:
    """Run a command of the program in a process of its own, with a ledger of its own.

    Raises
    ------
    SystemExit
        If it failed.
    """
    return measured([sys.executable, "-m", "workbench", *arguments], folder)


def measured(command: list[str], folder: Path) -> Spent:
    """Run a process, with a ledger of its own.

    Raises
    ------
    SystemExit
        If it failed.
    """
    log = folder / "log.txt"
    environment = {**os.environ, "WORKBENCH_LEDGERS": tempfile.mkdtemp(dir=folder)}
    with log.open("wb") as output:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=output, env=environment)
        # Its own use and that of the processes it waited for, such as a Java virtual machine.
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command[:4])} failed:\n{log.read_text(encoding='utf-8')[-2000:]}")
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Spent(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / unit)


def release(project: Path, data: Path, engine: str, folder: Path) -> Spent:
    """`workbench run`, to a Parquet file."""
    out = Path(tempfile.mkdtemp(dir=folder))
    command = ["run", str(project), "--data", str(data), "--engine", engine, "--out", str(out)]
    return spent([*command, "--out-format", "parquet"], folder)


def curve(folder: Path, project: Path) -> None:
    """Releases of ever more rows on DuckDB."""
    for rows in CURVE:
        data = table_of(folder, rows)
        needed = release(project, data, "duckdb", folder)
        aim = f" ({AIMS[rows]})" if rows in AIMS else ""
        rate, size = needed.seconds * MILLION / rows, data.stat().st_size / 2**20
        print(
            f"release on DuckDB, {rows:>10,} × {len(COLUMNS)}, {size:5,.0f} MiB of CSV: {needed}{aim}; "
            f"{rate:.2f} s per million rows",
            flush=True,
        )
        if rows not in (MILLION, 10 * MILLION):
            data.unlink()


def profile(folder: Path, project: Path) -> None:
    """What ten million rows contain."""
    del project
    data = table_of(folder, 10 * MILLION)
    needed = spent(["profile", str(data), "--engine", "duckdb", "--json"], folder)
    print(f"profile on DuckDB, {10 * MILLION:,} rows: {needed} (aim 15 s)", flush=True)


def memory(folder: Path, project: Path) -> None:
    """DuckDB and memory by turns, because the machine is not equally quick at all times."""
    data = table_of(folder, MILLION)
    ratios, most = [], [0.0, 0.0]
    for _ in range(PAIRS):
        pair = [release(project, data, engine, folder) for engine in ("memory", "duckdb")]
        ratios.append(pair[0].seconds / pair[1].seconds)
        most = [max(sofar, one.memory) for sofar, one in zip(most, pair, strict=True)]
    print(
        f"release of {MILLION:,} rows in memory: {statistics.median(ratios):.2f} times as long as on DuckDB (median of "
        f"{PAIRS} pairs), at most {most[0]:,.0f} MiB, on DuckDB {most[1]:,.0f} MiB",
        flush=True,
    )


HAND_SPARK = """
import sys
from pyspark import SparkContext
from pyspark.sql import SparkSession, functions as F
data, labels, out, names, released, span = sys.argv[1], sys.argv[2], sys.argv[3], *map(eval, sys.argv[4:7])
spark = SparkSession.builder.master("local[2]").config("spark.sql.shuffle.partitions", "2")
spark = spark.config("spark.ui.enabled", "false").getOrCreate()
rows = spark.read.csv(data, header=True, schema=", ".join(f"{name} STRING" for name in names))
known = spark.read.csv(labels, header=True, schema="name STRING, value STRING, label STRING").cache()
for name in released:
    one = known.filter(F.col("name") == name).select(F.col("value").alias(name), F.col("label").alias(f"l_{name}"))
    rows = rows.join(F.broadcast(one), name)
groups = rows.groupBy(*(F.col(f"l_{name}").alias(name) for name in released)).count()
# Two-sided geometric noise by the logarithm of a float, cut at its span; what stays above it is released.
noise = F.round(F.log(F.rand()) - F.log(F.rand())).cast("long")
kept = groups.withColumn("n", F.least(F.col("count"), F.col("count") - span + noise)).filter("n > 0").cache()
many = F.explode(F.sequence(F.lit(1), F.col("n").cast("int")))
kept.select(*released, many).drop("col").orderBy(*released).write.parquet(out)
assert spark.read.parquet(out).groupBy(*released).count().count() == kept.count()
java = SparkContext._gateway.proc
spark.stop()
SparkContext._gateway.shutdown()
java.stdin.close()
java.wait()  # its processor time counts
"""
"""As `HAND`, with Spark."""


def spark(folder: Path, project: Path) -> None:
    """Trimming in one step with Spark on two processors here, by the program and by hand in turn.

    Smaller tables tell apart what it needs anyway.
    """
    project, labels, script = save_project(folder, trimmed=True), save_labels(folder), folder / "hand_spark.py"
    script.write_text(HAND_SPARK, encoding="utf-8")
    for rows in (MILLION // 50, MILLION // 5, MILLION):
        data, out = table_of(folder, rows), folder / f"hand{rows}"
        theirs = measured([sys.executable, str(script), str(data), str(labels), str(out), *_HAND_WORDS], folder)
        print(f"release on Spark local[2], {rows:>9,} rows, by hand: {theirs} (of the largest process)", flush=True)
        needed = release(project, data, "local[2]", folder)
        print(f"release on Spark local[2], {rows:>9,} rows: {needed} (of the largest process)", flush=True)


HAND = """
import sys
import duckdb
data, labels, out, names, released, span = sys.argv[1], sys.argv[2], sys.argv[3], *map(eval, sys.argv[4:7])
db = duckdb.connect()
db.execute("SET threads = 2")
db.execute(f"CREATE TABLE labels AS SELECT * FROM read_csv('{labels}', header = true, all_varchar = true)")
for name in released:
    db.execute(f"CREATE TABLE l_{name} AS SELECT value AS k, label AS v FROM labels WHERE name = '{name}'")
columns = "{" + ", ".join(f"'{name}': 'VARCHAR'" for name in names) + "}"
joins = " ".join(f"JOIN l_{name} ON d.{name} = l_{name}.k" for name in released)
chosen = ", ".join(f"l_{name}.v AS {name}" for name in released)
# Two-sided geometric noise by the logarithm of a float, cut at its span; what stays above it is released.
noise = "CAST(round((ln(random()) - ln(random()))) AS BIGINT)"
db.execute(
    f"CREATE TABLE kept AS SELECT * FROM (SELECT {', '.join(released)}, least(n, n - {span} + {noise}) AS n FROM "
    f"(SELECT {chosen}, count(*) AS n FROM read_csv('{data}', auto_detect = false, header = true, columns = {columns}) "
    f"AS d {joins} GROUP BY ALL)) WHERE n > 0"
)
rows = f"SELECT {', '.join(released)} FROM (SELECT *, unnest(range(n)) FROM kept ORDER BY ALL)"
db.execute(f"COPY ({rows}) TO '{out}' (FORMAT parquet)")
again = db.execute(f"SELECT count(*) FROM (SELECT {', '.join(released)}, count(*) FROM '{out}' GROUP BY ALL)")
assert again.fetchone() == db.execute("SELECT count(*) FROM kept").fetchone()
"""
"""Nothing is checked, what it draws is not exact, and it holds for one table whose columns are known."""


def hand(folder: Path, project: Path) -> None:
    """Trimming in one step on DuckDB, by the program and by hand in turn: from CSV to Parquet, counted again."""
    project, labels = save_project(folder, trimmed=True), save_labels(folder)
    script = folder / "hand.py"
    script.write_text(HAND, encoding="utf-8")
    for rows in HAND_ROWS:
        data = table_of(folder, rows)
        for turn in range(PAIRS):
            ours = release(project, data, "duckdb", folder)
            out = folder / f"hand{rows}-{turn}.parquet"
            theirs = measured([sys.executable, str(script), str(data), str(labels), str(out), *_HAND_WORDS], folder)
            print(
                f"trimming {rows:,} rows on DuckDB: {ours}; by hand {theirs}; {ours.processor / theirs.processor:.2f} "
                "times its processor time",
                flush=True,
            )


def table_of(folder: Path, rows: int) -> Path:
    """The table of so many rows, made if it is not there yet."""
    path = folder / f"{rows}.csv"
    if not path.exists():
        write_table(path, rows)
    return path


PARTS: dict[str, Callable[[Path, Path], None]] = {
    "curve": curve,
    "profile": profile,
    "memory": memory,
    "spark": spark,
    "hand": hand,
}


def main(words: list[str] | None = None) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project = save_project(folder)
        for part, work in PARTS.items():
            if not words or part in words:
                work(folder, project)


if __name__ == "__main__":
    main(sys.argv[1:])
