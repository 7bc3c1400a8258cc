"""Exact rational numbers: privacy parameters as they were typed, rounded to the safe side where they must be."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

from workbench.core.errors import WorkbenchError
from workbench.core.exact import LARGEST, parse_fraction


def rational(value: str | float | Fraction | Decimal, field: str = "") -> Fraction:
    """The number a person typed, exactly: “0.1” and the float 0.1 are 1/10, so that 0.1 + 0.2 is 0.3.

    Parameters
    ----------
    value
        Text as for `parse_fraction`, or a number. A float counts as the shortest decimal that reads as this float.
    field
        What an error is to point at.

    Raises
    ------
    WorkbenchError
        If it is no finite number.
    """
    if isinstance(value, Fraction):
        return value
    if not isinstance(value, str) and not math.isfinite(value):
        raise WorkbenchError(f"{value} is not a number.", hint="Write it like 0.1 or 1e-5.", field=field)
    if isinstance(value, int | float):  # only what is typed has a largest number
        return Fraction(repr(value) if isinstance(value, float) else value)
    return parse_fraction(str(value), field=field, largest=LARGEST)


def float_above(value: Fraction) -> float:
    """The smallest float that does not read as less than the number; 0.3 for 3/10, whatever its binary digits."""
    nearest = float(value)
    return nearest if rational(nearest) >= value else math.nextafter(nearest, math.inf)


def at_least(value: Fraction, digits: int) -> Fraction:
    """A positive number rounded up to so many significant decimal digits, or one more.

    Sums of many such numbers keep short denominators.
    """
    # The estimate of the power of ten may be one too small.
    power = (value.numerator.bit_length() - value.denominator.bit_length()) * 30103 // 100000
    unit = Fraction(10) ** (power - digits)
    return -(-value // unit) * unit
