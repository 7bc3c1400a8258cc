"""What a result cost: survival, summaries, pairs and questions on a million rows shaped like Adult."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from workbench.anonymise.compared import Compared
from workbench.anonymise.contingency import cross
from workbench.anonymise.query_error import answer, with_spread
from workbench.anonymise.questions import ReleaseQuestion, ReleaseStatistic
from workbench.anonymise.redraws import SampledDraws
from workbench.anonymise.sample_guarantee import guarantee
from workbench.anonymise.summary import summarise
from workbench.anonymise.survival import population_sizes, simulate
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.table import Column, Table

sys.path.insert(0, str(Path(__file__).parent))
from bench_search import ADULT_SIZES, synthetic

ROWS = 1_000_000


def timed(name: str, work: Callable[[], object]) -> None:
    start = time.perf_counter()
    work()
    print(f"{name}: {time.perf_counter() - start:.2f} s")


def main() -> None:
    table, hierarchies = synthetic(ROWS, ROWS // 2, ADULT_SIZES)
    levels = {name: min(1, hierarchy.height) for name, hierarchy in hierarchies.items()}
    promised = guarantee(epsilon=1.0, delta=1e-6)
    kept = np.flatnonzero(np.random.default_rng(1).random(ROWS) < promised.beta)
    columns = []
    for column in table.columns:
        codes = hierarchies[column.name].level_map(column, levels[column.name])[column.codes[kept]]
        columns.append(Column(column.name, codes, hierarchies[column.name].labels[levels[column.name]]))
    schema = Schema(tuple(ColumnSpec(name, Kind.INTEGER) for name in table.names))
    rows, draws = Table(tuple(columns)), SampledDraws(promised.k)
    compared = Compared(table, rows, schema, hierarchies, levels, beta=promised.beta, redraw=draws)
    found = population_sizes(table, hierarchies, levels)
    print(f"{ROWS:,} rows, {len(found):,} classes")
    timed("grouping the whole table", lambda: population_sizes(table, hierarchies, levels))
    timed("what survives, 25 β × 200 samples", lambda: simulate(found, promised))
    timed("summary of nine columns", lambda: summarise(compared))
    first, second = table.names[1], table.names[5]
    timed("pairs of two columns", lambda: cross(compared, first, second))
    asked = ReleaseQuestion(ReleaseStatistic.MEAN, first)
    timed("a question", lambda: answer(compared, asked))
    timed("its spread over 200 samples", lambda: with_spread(compared, answer(compared, asked)))


if __name__ == "__main__":
    main()
