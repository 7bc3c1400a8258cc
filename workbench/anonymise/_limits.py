"""Limits of the guarantee's arguments: ranges, their messages, and numbers rounded so that a hint is true."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from decimal import Decimal, localcontext
from enum import StrEnum

from workbench.anonymise._tails import exponential
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate, exact, rounded_down, rounded_up

MAX_EPSILON = 10.0
MIN_EPSILON = 1e-9
MIN_BETA = 1e-10
MAX_BETA = math.nextafter(1.0, 0.0)
MIN_DELTA = 1e-300
MAX_K = 100_000
MAX_ROWS_PER_PERSON = 1_000_000


class Accounting(StrEnum):
    """How δ is computed from ε, β and k."""

    EXACT = "exact"
    CLASSICAL = "classical"


def checked_epsilon(epsilon: object) -> float:
    """ε as a float in [1e-9, 10]."""
    return _number(
        epsilon,
        "epsilon",
        lambda number: MIN_EPSILON <= number <= MAX_EPSILON,
        f"ε must be a number above 0 and at most {exact(MAX_EPSILON)}",
        "Usual values are 0.1 to 3: the smaller, the stronger the protection. "
        f"Below {exact(MIN_EPSILON)} nothing is computed.",
    )


def checked_delta(delta: object) -> float:
    """δ as a float in [1e-300, 1)."""
    return _number(
        delta,
        "delta",
        lambda number: MIN_DELTA <= number < 1,
        f"δ must be a number above 0 and below 1 (at least {exact(MIN_DELTA)})",
        "Choose it well below one divided by the number of rows, for example 1e-6.",
    )


def checked_beta(beta: object) -> float:
    """β as a float in [1e-10, 1)."""
    return _number(
        beta,
        "beta",
        lambda number: MIN_BETA <= number < 1,
        f"The sampling probability β must be above 0 and below 1 (at least {exact(MIN_BETA)})",
        "Without sampling (β = 1) there is no guarantee; try 0.5.",
    )


def checked_k(k: object) -> int:
    """k as an int in 1 … 100,000."""
    message = f"k must be a whole number from 1 to {MAX_K:,}"
    return _whole(k, "k", MAX_K, message, "Usual values are 15 to 100.")


def checked_rows(rows: object) -> int:
    """Rows per person as an int in 1 … 1,000,000."""
    message = f"The number of rows per person must be a whole number from 1 to {MAX_ROWS_PER_PERSON:,}"
    hint = "It is 1 if every person has one row."
    return _whole(rows, "rows_per_person", MAX_ROWS_PER_PERSON, message, hint)


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


def _number(value: object, name: str, valid: Callable[[float], bool], message: str, hint: str) -> float:
    # A boolean is a number to Python; to a person it is a mistake.
    if not isinstance(value, bool) and isinstance(value, numbers.Real):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isfinite(number) and valid(number):
            return number
    raise WorkbenchError(f"{message}, not {value}.", hint=hint, field=name)


def _whole(value: object, name: str, largest: int, message: str, hint: str) -> int:
    if not isinstance(value, bool) and isinstance(value, numbers.Integral) and 1 <= int(value) <= largest:
        return int(value)
    raise WorkbenchError(f"{message}, not {value}.", hint=hint, field=name)
