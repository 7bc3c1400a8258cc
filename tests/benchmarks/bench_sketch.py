"""What it costs to recognise data that is nearly the same, as a share of opening it; measured in pairs.

`open` reads a file as a person does, beside no other ledger. `recognise` is what comes on top where the ledger of last
month's file lies beside it: unsealing its sketch, bringing the columns together and passing over the rows. `keep` makes
and seals a sketch, once per table and when something is first released of it. In memory a million rows of nine columns
of few values, and of four columns of which three hardly ever repeat; in DuckDB the former.
"""

from __future__ import annotations

import os
import runpy
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from workbench.core.table import Table
from workbench.engines.duckdb_store import DuckStore
from workbench.project.loading import load
from workbench.query.ledger_file import FOLDER_VARIABLE
from workbench.query.near_ledgers import NearData

ROWS = 1_000_000
PAIRS = 5


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def recognise(table: Table, others: int) -> None:
    assert len(NearData(table, "rows1-next").near()) == others


def main() -> None:
    files = runpy.run_path(str(Path(__file__).with_name("bench_reading.py")))
    few_values, many_values = files["few_values"], files["many_values"]
    with tempfile.TemporaryDirectory() as folder, DuckStore() as duckdb:
        for make, store in ((few_values, None), (few_values, duckdb), (many_values, None)):
            path = Path(folder, "data.csv")
            make(path, ROWS)
            ratios, kept, opening = [], [], []
            for pair in range(PAIRS):
                os.environ[FOLDER_VARIABLE] = str(Path(folder, f"{make.__name__} {store is None} {pair}"))
                opened = seconds(partial(load, path, store=store))
                table = load(path, store=store).reading.table
                kept.append(seconds(NearData(table, "rows1-last").keep) / opened)
                ratios.append(seconds(partial(recognise, table, 1)) / opened)
                opening.append(opened)
            print(
                f"{ROWS:,} rows × {len(table.columns)}, {make.__name__}, {table.engine or 'memory'}: open "
                f"{statistics.median(opening):.2f} s; recognise {statistics.median(ratios):.1%} of it, keep "
                f"{statistics.median(kept):.1%}",
                flush=True,
            )


if __name__ == "__main__":
    main()
