"""The truncated geometric mechanism with α chosen by hand."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType
from workbench.core.rationals import at_least
from workbench.query.amounts import epsilon_of
from workbench.query.answer import ReleasedAnswer
from workbench.query.catalogue import CheckedQuery, QueryKind
from workbench.query.counts import DisjointCounts
from workbench.query.draws import Draws
from workbench.query.exact_sums import whole
from workbench.query.mechanism import Expected, Floats, QueryMechanism, StatisticValues

_DIGITS = 15
LARGEST_ALPHA = Fraction(99_999, 100_000)
"""Drawing the noise takes about 1/(1 − α) coins."""


class TruncatedGeometric(DisjointCounts):
    """A count with noise P(z) = (1 − α)/(1 + α)·α^|z|, cut to 0 … n. ε = −c·ln α, rounded up."""

    def __init__(self, alpha: Fraction, largest: int, rows_per_person: int) -> None:
        super().__init__((), epsilon_of(cost(alpha) * rows_per_person, "alpha"), rows_per_person)
        self.alpha, self.largest = alpha, largest

    def release(self, statistic: StatisticValues, draws: Draws) -> ReleasedAnswer:
        # α is the rational number that was typed, so the noise is drawn by it and not by the rounded ε.
        noisy = int(statistic["count"][0]) + draws.two_sided_power(self.alpha)
        return self.published({"count": whole([min(max(noisy, 0), self.largest)])})

    def finish(self, noisy: Mapping[str, Floats]) -> Floats:
        return np.clip(noisy["count"], 0.0, float(self.largest))

    def between(self, noisy: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        # The count, cut in the same way as the answer, lies between these.
        low, high = super().between(noisy)
        return np.minimum(low, float(self.largest)), np.minimum(high, float(self.largest))

    def error_law(self, statistic: StatisticValues) -> None:
        return None  # what is cut depends on the count

    def expected(self, statistic: StatisticValues) -> Expected:
        found = QueryMechanism.expected(self, statistic)
        return Expected(found.error, float(self.reach(self.parts[0])), closed=False)


def cost(alpha: Fraction) -> Fraction:
    """−ln α, rounded up."""
    with localcontext() as context:
        context.prec = 60
        exact = -(Decimal(alpha.numerator) / Decimal(alpha.denominator)).ln()
    return at_least(Fraction(exact) * (1 + Fraction(1, 10**50)), _DIGITS)


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    if asked["alpha"] > LARGEST_ALPHA:
        raise WorkbenchError(
            f"α must be at most {float(LARGEST_ALPHA)}: noise nearer to 1 is far larger than any count.",
            hint="Usual values lie between 0.3 and 0.99.",
            field="alpha",
        )
    return TruncatedGeometric(asked["alpha"], asked["largest"], asked.rows_per_person)


PLUGIN = QueryKind(
    "truncated-geometric",
    "Truncated geometric by hand",
    "A count with two-sided geometric noise of a ratio α chosen by hand, cut to 0 … n; ε = −ln α follows.",
    "A. Ghosh, T. Roughgarden, M. Sundararajan: Universally utility-maximizing privacy mechanisms, STOC 2009.",
    (
        ParamSpec(
            "alpha",
            "α",
            ParamType.FRACTION,
            Fraction(1, 2),
            "How much less likely noise is with every step away from 0. Between 0 and 1; 1/2 is ε = ln 2.",
            minimum=0,
            maximum=1,
            open_minimum=True,
            open_maximum=True,
        ),
        ParamSpec("largest", "Largest answer n", ParamType.INTEGER, 1_000_000, "Known without this data.", minimum=1),
    ),
    compile_query,
    needs_epsilon=False,
)
