"""Bins as people read them: all are shown alike; labels in files, and those of hierarchies, keep their spelling."""

from __future__ import annotations

import math
import re
from fractions import Fraction

_NUMBER = r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
_MOMENT = r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?"
_RANGE = re.compile(rf"\[({_NUMBER}|{_MOMENT}), ({_NUMBER}|{_MOMENT})([\])\[])")


def bin_name(label: str, *, whole: bool = False) -> str:
    """The label of a bin as it is shown: "[18, 25)" holds 18 and not 25. Any other text stays as it is.

    Parameters
    ----------
    label
        As a file or an answer has it: the end that is not in the bin may be marked by ")" or by "[".
    whole
        Whether all values are whole numbers; then the bin is named by its first and last one.

    >>> bin_name("[18, 25["), bin_name("[18, 25)"), bin_name("[90, 100]"), bin_name("[2020-01-01, 2020-02-01[")
    ('[18, 25)', '[18, 25)', '[90, 100]', '[2020-01-01, 2020-02-01)')
    >>> bin_name("[18, 25[", whole=True), bin_name("[90, 100]", whole=True), bin_name("[0, 1)", whole=True)
    ('18–24', '90–100', '0')
    >>> bin_name("[-20, -10[", whole=True), bin_name("[0, 2.5[", whole=True), bin_name("week of 2020-01-06")
    ('-20 to -11', '0–2', 'week of 2020-01-06')
    """
    found = _RANGE.fullmatch(label)
    if found is None:
        return label
    low, high, end = found.groups()
    first, last = _whole_numbers(low, high, closed=end == "]") if whole else (1, 0)
    if first > last:
        return f"[{low}, {high}{']' if end == ']' else ')'}"
    if first == last:
        return str(first)
    return f"{first}–{last}" if first >= 0 else f"{first} to {last}"


def end_name(label: str, *, low: bool = False, high: bool = False, whole: bool = False) -> str:
    """The label of a bin in which what lies beyond it counts too, below, above or on both sides, as it is shown.

    Any other text stays as it is, and so does a bin with nothing beyond it.

    >>> end_name("[18, 25)", low=True), end_name("[90, 100]", high=True), end_name("[0, 2.5)", low=True)
    ('< 25', '≥ 90', '< 2.5')
    >>> end_name("[18, 25)", low=True, whole=True), end_name("[89.5, 100]", high=True, whole=True)
    ('≤ 24', '≥ 90')
    >>> end_name("[0, 100]", low=True, high=True), end_name("[0, 1)"), end_name("other values", high=True)
    ('any', '[0, 1)', 'other values')
    """
    found = _RANGE.fullmatch(label)
    if found is None or not (low or high):
        return bin_name(label, whole=whole)
    if low and high:
        return "any"
    first, last, end = found.groups()
    smallest, largest = _whole_numbers(first, last, closed=end == "]") if whole else (1, 0)
    if low:
        return f"≤ {largest}" if smallest <= largest else f"{'≤' if end == ']' else '<'} {last}"
    return f"≥ {smallest}" if smallest <= largest else f"≥ {first}"


def _whole_numbers(low: str, high: str, *, closed: bool) -> tuple[int, int]:
    """The first and the last whole number of a bin; the first is larger where there is none, as of moments."""
    if not (re.fullmatch(_NUMBER, low) and re.fullmatch(_NUMBER, high)):
        return 1, 0
    last = Fraction(high)
    return math.ceil(Fraction(low)), math.floor(last) - (last.denominator == 1 and not closed)
