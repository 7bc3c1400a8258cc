"""Limits of the guarantee's arguments: ranges, their messages, and numbers rounded so that a hint is true."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from enum import StrEnum

from workbench.anonymise._sample_tails import exponential
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate, exact, rounded_down, rounded_up
from workbench.core.promised_ranges import number_within, whole_within

MIN_BETA = 1e-10
MAX_BETA = math.nextafter(1.0, 0.0)
MAX_K = 100_000


class Accounting(StrEnum):
    """The way in which δ is computed from ε, β and k."""

    EXACT = "exact"
    CLASSICAL = "classical"


def checked_beta(beta: object) -> float:
    """β as a float in [1e-10, 1)."""
    return number_within(
        beta,
        "beta",
        lambda number: MIN_BETA <= number < 1,
        f"The sampling probability β must be above 0 and below 1 (at least {exact(MIN_BETA)})",
        "Without sampling (β = 1) there is no guarantee; try 0.5.",
    )


def checked_k(k: object) -> int:
    """k as an int in 1 … 100,000."""
    message = f"k must be a whole number from 1 to {MAX_K:,}"
    return whole_within(k, "k", MAX_K, message, "Usual values are 15 to 100.")


def checked_accounting(accounting: object) -> Accounting:
    """The accounting, also by its name."""
    try:
        return Accounting(str(accounting))
    except ValueError:
        raise WorkbenchError(
            f"There is no accounting called “{accounting}”.",
            hint="Use “exact” or “classical”.",
            field="accounting",
        ) from None


def beta_limit(epsilon: float) -> float:
    """1 − e^−ε, rounded down."""
    with localcontext(prec=50):
        limit = 1 - 1 / exponential(epsilon)
        beta = float(limit)
        return math.nextafter(beta, 0.0) if Decimal(beta) > limit else beta


def classical_applies(row_epsilon: float, beta: float) -> bool:
    """ε ≥ −ln(1−β), forgiving a few units in the last place: ln 2 as a float goes with β = ½.

    Soundness does not hang on it: `classical_log_delta` includes the divergence of removing a row.
    """
    with localcontext(prec=50):
        limit = 1 - 1 / exponential(row_epsilon)
        return Decimal(beta) <= limit * (1 + Decimal(2.0**-50))


def require_classical(row_epsilon: float, beta: float) -> None:
    """Raise unless the classical theorem covers β at this ε of a row."""
    if not classical_applies(row_epsilon, beta):
        raise WorkbenchError(
            f"The classical theorem does not cover β = {estimate(beta, 6)} at ε = {estimate(row_epsilon, 6)} per row.",
            hint=f"Choose exact accounting, a β of at most {rounded_down(beta_limit(row_epsilon))}, "
            f"or an ε of at least {rounded_up(-math.log1p(-beta))} per row.",
            field="accounting",
        )
