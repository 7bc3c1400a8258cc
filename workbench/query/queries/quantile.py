"""Quantiles of a column."""

from __future__ import annotations

from fractions import Fraction

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType
from workbench.core.rationals import rational
from workbench.query.catalogue import NUMERIC, CheckedQuery, QueryKind
from workbench.query.mechanism import QueryMechanism
from workbench.query.partition import listed
from workbench.query.quantiles import Quantiles

_MOST = 100
_FINEST = 1_000_000


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    return Quantiles(asked.grid(), quantiles(asked["quantile"]), asked.budget, asked.rows_per_person)


def quantiles(text: str) -> tuple[Fraction, ...]:
    """Shares between 0 and 1 from text."""
    found = tuple(rational(one, "quantile") for one in listed(text, "quantile"))
    if not 1 <= len(found) <= _MOST or len(set(found)) < len(found):
        raise WorkbenchError(
            f"Give 1 to {_MOST} different quantiles.", hint="Such as 0.25, 0.5, 0.75.", field="quantile"
        )
    if any(not 0 <= share <= 1 or share.denominator > _FINEST for share in found):
        raise WorkbenchError(
            "A quantile must lie between 0 and 1, with at most six decimals.",
            hint="0.5 is the median, 0.9 the value that nine in ten do not exceed.",
            field="quantile",
        )
    return found


PLUGIN = QueryKind(
    "quantile",
    "Quantiles",
    "The quartiles, or values that other shares of rows do not exceed. Several of them share ε.",
    "A. Smith: Privacy-preserving statistical estimation with optimal convergence rates, STOC 2011.",
    (
        *NUMERIC,
        ParamSpec(
            "quantile", "Quantiles", ParamType.TEXT, "0.25, 0.5, 0.75", "Shares between 0 and 1, separated by commas."
        ),
    ),
    compile_query,
    tools=("quantile", "percentile"),
)
