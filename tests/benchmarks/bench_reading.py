"""From a file to a session ready to work with: time, peak memory, and the longest time other threads had to wait.

A table like Adult (nine columns of few values) of 200,000, a million and ten million rows, and one of a million
rows whose columns are nearly all different. `load` is everything that happens when a person opens a file: dialect,
reading, kinds, suggested roles. Then its working table with a filter and a limit of rows per person, and writing.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from workbench.core.schema import PrivacyUnit
from workbench.core.working_table import Preparation
from workbench.io.reading import preview
from workbench.io.writing import write_csv
from workbench.project.loading import load
from workbench.session import Session

SIZES = (200_000, 1_000_000, 10_000_000)
_DISTINCT = (2, 73, 5, 7, 16, 41, 8, 14, 2)
_BLOCK = 10_000
_TICK = 0.001


def few_values(path: Path, rows: int) -> None:
    """A file like Adult: nine columns of few values, about 80 bytes a row."""
    rng = random.Random(1)
    values = [[f"value {number} of {count}" for number in range(count)] for count in _DISTINCT]
    block = "".join(";".join(map(rng.choice, values)) + "\n" for _ in range(_BLOCK))
    with path.open("w", encoding="utf-8") as file:
        file.write(";".join(f"column {number}" for number in range(len(_DISTINCT))) + "\n")
        for _ in range(rows // _BLOCK):
            file.write(block)


def many_values(path: Path, rows: int) -> None:
    """A file of record numbers, amounts, texts and times that hardly ever repeat."""
    rng = random.Random(2)
    with path.open("w", encoding="utf-8") as file:
        file.write("id,amount,text,time\n")
        for row in range(rows):
            clock = f"{1950 + row % 70}-{1 + row % 12:02}-{1 + row % 28:02} {row % 24:02}:{row % 60:02}:{row % 59:02}"
            file.write(f"{row},{rng.random() * 1e6:.2f},name {rng.random():.9f} x,{clock}\n")


def peak() -> float:
    """The most memory this process has used, in MB."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def timed(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """What `work` gives, its seconds, and the longest time in ms in which another thread could not run."""
    longest, stop = 0.0, threading.Event()

    def watch() -> None:
        nonlocal longest
        last = time.perf_counter()
        while not stop.is_set():
            time.sleep(_TICK)
            now = time.perf_counter()
            longest, last = max(longest, now - last - _TICK), now

    watcher = threading.Thread(target=watch)
    watcher.start()
    start = time.perf_counter()
    try:
        result = work()
    finally:
        seconds = time.perf_counter() - start
        stop.set()
        watcher.join()
    return result, seconds, 1000 * longest


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "data.csv")
        for make, rows, person, where in (
            *((few_values, rows, "column 1", "\"column 0\" != 'value 0 of 2'") for rows in SIZES),
            (many_values, 1_000_000, "amount", "amount > 1000 and time < 2000-01-01"),
        ):
            make(path, rows)
            _, seen, _ = timed(partial(preview, path))
            loaded, ready, stalled = timed(partial(load, path))
            memory = peak()
            session = Session()
            session.data.adopt(loaded)
            session.data.set_unit(PrivacyUnit(2, person))
            session.data.set_preparation(Preparation(where, 0.5, True))
            made, prepared, waited = timed(session.data.preparer())
            table = loaded.reading.table
            print(
                f"{rows:>10,} rows × {len(table.columns)}, {make.__name__}: preview {seen:.2f} s; load {ready:.2f} s, "
                f"peak {memory:.0f} MB, longest stall {stalled:.0f} ms; working table of "
                f"{made.prepared.table.rows:,} rows {prepared:.2f} s, stall {waited:.0f} ms",
                flush=True,
            )
            if rows <= SIZES[1]:
                _, written, _ = timed(partial(write_csv, table, Path(folder, "out.csv")))
                print(f"{'':>10} write {written:.2f} s", flush=True)


if __name__ == "__main__":
    main()
