"""Ends of intervals as the decimal numbers they are written as: 0.7 and 0.05 more are 0.75, without dust.

In floating point 14 times 0.05 is not 0.7, and 0.7 / 0.05 is below 14, so that a range from 0.7 would begin a whole
interval below and each label have sixteen digits.
"""

from __future__ import annotations

import math
from fractions import Fraction


def multiple_below(number: float, width: float) -> float:
    """The largest multiple of a width that is no more than a number.

    >>> multiple_below(0.7, 0.05), multiple_below(-3.5, 0.5), multiple_below(17, 5)
    (0.7, -3.5, 15.0)
    """
    step = _decimal(width)
    return float(math.floor(_decimal(number) / step) * step)


def end_after(start: float, width: float) -> float:
    """Where an interval ends that begins at a number.

    >>> end_after(0.65, 0.05), end_after(-0.3, 0.1)
    (0.7, -0.2)
    """
    return float(_decimal(start) + _decimal(width))


def one_digit(least: float) -> tuple[int, int]:
    """The smallest 1, 2 or 5, and its power of ten, that is no less than a number above 0.

    >>> one_digit(0.035), one_digit(700)
    ((5, -2), (1, 3))
    """
    power = math.floor(math.log10(least))
    ways = ((1, power), (2, power), (5, power), (1, power + 1))
    return next(one for one in ways if round_number(*one) >= least * (1 - 1e-9))


def round_number(digit: int, power: int) -> float:
    """One digit and zeros.

    >>> round_number(5, -6), round_number(2, 3)
    (5e-06, 2000.0)
    """
    return float(f"{digit}e{power}")


def _decimal(number: float) -> Fraction:
    return Fraction(repr(float(number)))
