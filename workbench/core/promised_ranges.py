"""Ranges of ε, δ and the rows of a person in which promises are computed, and the words for what lies beyond."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact

MAX_EPSILON = 10.0
MIN_EPSILON = 1e-9
MIN_DELTA = 1e-300
MAX_ROWS_PER_PERSON = 1_000_000


def checked_epsilon(epsilon: object) -> float:
    """ε as a float in [1e-9, 10]."""
    return number_within(
        epsilon,
        "epsilon",
        lambda number: MIN_EPSILON <= number <= MAX_EPSILON,
        f"ε must be a number above 0 and at most {exact(MAX_EPSILON)}",
        "Usual values are 0.1 to 3: the smaller, the stronger the protection. "
        f"Below {exact(MIN_EPSILON)} nothing is computed.",
    )


def checked_delta(delta: object) -> float:
    """δ as a float in [1e-300, 1)."""
    return number_within(
        delta,
        "delta",
        lambda number: MIN_DELTA <= number < 1,
        f"δ must be a number above 0 and below 1 (at least {exact(MIN_DELTA)})",
        "Choose at most 1 divided by a hundred times the number of people, such as 1e-6 for 10,000.",
    )


def checked_rows(rows: object) -> int:
    """Rows per person as an int in 1 … 1,000,000."""
    message = f"The number of rows per person must be a whole number from 1 to {MAX_ROWS_PER_PERSON:,}"
    hint = "It is 1 if every person has one row."
    return whole_within(rows, "rows_per_person", MAX_ROWS_PER_PERSON, message, hint)


def number_within(value: object, name: str, valid: Callable[[float], bool], message: str, hint: str) -> float:
    """A real number that is valid, as a float; otherwise an error with this message and hint."""
    # A boolean is a number to Python; to a person it is a mistake.
    if not isinstance(value, bool) and isinstance(value, numbers.Real):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isfinite(number) and valid(number):
            return number
    raise WorkbenchError(f"{message}, not {value}.", hint=hint, field=name)


def whole_within(value: object, name: str, largest: int, message: str, hint: str) -> int:
    """A whole number from 1 to the largest; otherwise an error with this message and hint."""
    if not isinstance(value, bool) and isinstance(value, numbers.Integral) and 1 <= int(value) <= largest:
        return int(value)
    raise WorkbenchError(f"{message}, not {value}.", hint=hint, field=name)
