"""Figures as people read them, rounded to the side that promises less."""

from __future__ import annotations

from decimal import ROUND_CEILING, Decimal

_DIGITS = 4


def rounded_up(value: float) -> str:
    """Four significant digits, never below the value: a stated ε or δ may be too large but never too small."""
    exact = Decimal(repr(value))
    if exact == 0:
        return "0"
    digits = exact.quantize(Decimal(1).scaleb(exact.adjusted() - _DIGITS + 1), rounding=ROUND_CEILING)
    return f"{float(digits):.{_DIGITS}g}".replace("e-0", "e-").replace("e+0", "e+")
