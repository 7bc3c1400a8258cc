"""A histogram."""

from __future__ import annotations

from workbench.query.catalogue import CELLS, POST, Asked, QueryKind
from workbench.query.counting import Counts
from workbench.query.mechanism import Mechanism


def compile_query(asked: Asked) -> Mechanism:
    return Counts((asked.partition(),), asked.budget, asked.rows_per_person, asked["post"])


PLUGIN = QueryKind(
    "histogram",
    "Histogram",
    "How many rows have each value, or lie in each range. The cells do not overlap, so ε is spent once.",
    "C. Dwork, F. McSherry, K. Nissim, A. Smith: Calibrating noise to sensitivity, TCC 2006.",
    (*CELLS, POST),
    compile_query,
    tools=("histogram",),
)
