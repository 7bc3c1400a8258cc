"""Figures in words."""

from __future__ import annotations

import math

NONE = "–"
_PERCENT = 100
_LARGE = 10_000


def number(value: float) -> str:
    """A number with four significant digits, large ones whole; a dash for none."""
    if not math.isfinite(value):
        return NONE
    if abs(value) >= _LARGE or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.4g}"


def percent(share: float, digits: int = 3) -> str:
    """A share of 1 in percent; a dash for none."""
    return f"{_PERCENT * share:.{digits}g} %" if math.isfinite(share) else NONE


def change(before: float, after: float) -> str:
    """How much larger the second is, in percent of the first."""
    if not (math.isfinite(before) and math.isfinite(after)):
        return NONE
    if before == after:
        return "0 %"
    return f"{_PERCENT * (after - before) / abs(before):+.3g} %" if before else NONE


def points(before: float, after: float) -> str:
    """The difference of two shares, in percentage points."""
    if not (math.isfinite(before) and math.isfinite(after)):
        return NONE
    return f"{_PERCENT * (after - before):+.3g} pp" if before != after else "0 pp"
