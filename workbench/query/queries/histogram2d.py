"""A histogram over two columns."""

from __future__ import annotations

from workbench.core.errors import WorkbenchError
from workbench.query.catalogue import (
    BINS,
    CELLS,
    COLUMN,
    EDGES,
    KEYS,
    LOWER,
    POST,
    UPPER,
    CheckedQuery,
    QueryKind,
    second,
)
from workbench.query.counts import DisjointCounts
from workbench.query.mechanism import QueryMechanism
from workbench.query.partition import MOST_CELLS


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    axes = (asked.partition(), asked.partition("second_"))
    if axes[0].spec.name == axes[1].spec.name:
        raise WorkbenchError("Both columns are the same.", hint="Choose two columns.", field="second_column")
    cells = len(axes[0]) * len(axes[1])
    if cells > MOST_CELLS:
        raise WorkbenchError(
            f"{cells:,} cells are too many.", hint=f"Ask for at most {MOST_CELLS:,}.", field="second_bins"
        )
    return DisjointCounts(axes, asked.budget, asked.rows_per_person, asked["post"])


PLUGIN = QueryKind(
    "histogram2d",
    "2-D histogram",
    "How many rows lie in each pair of cells of two columns. The cells do not overlap, so ε is spent once.",
    "C. Dwork, F. McSherry, K. Nissim, A. Smith: Calibrating noise to sensitivity, TCC 2006.",
    (*CELLS, *map(second, (COLUMN, KEYS, LOWER, UPPER, BINS, EDGES)), POST),
    compile_query,
    tools=("histogram2d",),
)
