"""The upper end of intervals that holds its own number: 0 to 100,000 ends with 90,000 to 100,000, and 100,000 is in it.

An interval holds its lower end and not its upper one, so that the largest number that is possible would begin one of
its own where a step ends with it. A rule may say that this number belongs to the interval below; what lies beyond has
one label, at every level. It follows from what somebody said to be possible, and from no row.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

Span = tuple[float, float]
INCLUDED = "included"
"""The entry of `highest` by which its number belongs to the interval below it."""


def closed_at(number: float) -> dict[str, Any]:
    """The entry `highest` of a rule whose last interval ends with a number and holds it."""
    return {"coding": number, INCLUDED: True}


def closed_end(details: Mapping[str, Any]) -> float | None:
    """The number with which the last interval of a rule ends, and which it holds; None of a rule without one."""
    end = details.get("highest") or {}
    return float(end["coding"]) if end.get(INCLUDED) and end.get("coding") is not None else None


def opened(details: Mapping[str, Any]) -> dict[str, Any]:
    """The details of a rule without its closed end, as earlier programs suggested them."""
    return {**details, "highest": {}} if closed_end(details) is not None else dict(details)


def within_closed(details: Mapping[str, Any], spans: Iterable[Span]) -> list[Span]:
    """Ranges, in which the number on the closed end is moved a hair below, so that it is found in its interval."""
    end = closed_end(details)
    if end is None:
        return list(spans)
    below = math.nextafter(end, -math.inf)
    return [(below if low == end else low, below if high == end else high) for low, high in spans]
