"""The Laplace mechanism with a scale chosen by hand."""

from __future__ import annotations

from dataclasses import replace

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType
from workbench.core.rationals import rational
from workbench.query.amounts import epsilon_of
from workbench.query.catalogue import NUMERIC, CheckedQuery, QueryKind
from workbench.query.counts import DisjointCounts
from workbench.query.mechanism import QueryMechanism
from workbench.query.numeric import Sums


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    scale = rational(asked["scale"], "scale")
    if scale <= 0:
        raise WorkbenchError("The scale must be above 0.", hint="Such as 10.", field="scale")
    if asked["statistic"] == "count":
        return DisjointCounts((), epsilon_of(asked.rows_per_person / scale, "scale"), asked.rows_per_person)
    if not asked["column"]:
        raise WorkbenchError("The column to add up is missing.", hint="Choose one.", field="column")
    grid = asked.grid()
    largest = max(abs(grid.lower), abs(grid.upper))
    return Sums(grid, None, epsilon_of(asked.rows_per_person * largest / scale, "scale"), asked.rows_per_person)


PLUGIN = QueryKind(
    "laplace",
    "Laplace by hand",
    "A count or sum with noise of a scale b chosen by hand; ε = Δ/b follows. The noise is the Laplace distribution on "
    "the public grid, because a continuous one leaks through the last digits of a floating-point number.",
    "C. Dwork, F. McSherry, K. Nissim, A. Smith: Calibrating noise to sensitivity, TCC 2006.",
    (
        ParamSpec("scale", "Scale b", ParamType.TEXT, "10", "The mean size of the noise, in units of the answer."),
        ParamSpec(
            "statistic",
            "Of",
            ParamType.CHOICE,
            "count",
            "What gets the noise.",
            choices=(("count", "the count"), ("sum", "the sum of a column")),
        ),
        replace(NUMERIC[0], default=""),
        *NUMERIC[1:],
    ),
    compile_query,
    needs_epsilon=False,
)
