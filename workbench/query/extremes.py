"""Shared parts of questions about the ends of a column: how far from the end they look."""

from __future__ import annotations

from fractions import Fraction

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType
from workbench.core.rationals import rational
from workbench.query.catalogue import NUMERIC, CheckedQuery

_FINEST = 1_000_000

PARAMETERS = (
    *NUMERIC,
    ParamSpec(
        "share",
        "Share beyond",
        ParamType.TEXT,
        "0.01",
        "The share of the rows that may lie beyond the answer. The smaller, the closer to the end and the noisier.",
    ),
)


def end_share(asked: CheckedQuery) -> Fraction:
    """The share, checked."""
    share = rational(asked["share"], "share")
    if not 0 < share < Fraction(1, 2) or share.denominator > _FINEST:
        raise WorkbenchError(
            "The share beyond the answer must lie between 0 and 0.5, with at most six decimals.",
            hint="Such as 0.01.",
            field="share",
        )
    return share
