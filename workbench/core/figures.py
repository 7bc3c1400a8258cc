"""Figures as people read them, rounded to the side that promises less."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction

_DIGITS = 4


def rounded_up(value: float | Fraction) -> str:
    """Four significant digits, never below the value: a stated ε or δ may be too large but never too small."""
    return _shown(value, ROUND_CEILING)


def rounded_down(value: float | Fraction) -> str:
    """Four significant digits, never above the value: what is left of a budget."""
    return _shown(value, ROUND_FLOOR)


def _shown(value: float | Fraction, rounding: str) -> str:
    if value == 0:
        return "0"
    if isinstance(value, Fraction):
        with localcontext(prec=50, rounding=rounding):
            exact = Decimal(value.numerator) / Decimal(value.denominator)
    else:
        exact = Decimal(repr(value))
    digits = exact.quantize(Decimal(1).scaleb(exact.adjusted() - _DIGITS + 1), rounding=rounding)
    return f"{float(digits):.{_DIGITS}g}".replace("e-0", "e-").replace("e+0", "e+")
