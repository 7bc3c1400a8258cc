"""Intervals that are narrow at the low end of a range and widen, for amounts of which most are small.

Of equal ones the first holds nearly all charges from 0 to 100,000 of which half are below 500. Those that widen end at
0, 100, 200, 500, 1,000 and so on: the first is about a thousandth of the range, and each end is the next of 1, 2, 5, 10
times that. A level above they are joined to tens, 0, 100, 1,000, 10,000, 100,000, and then two by two as long as there
are two. All follows from the range and the kind of the numbers; numbers beyond the last end share one label, as those
below the first do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from workbench.core.building import BUILDERS, specification
from workbench.core.closed_end import closed_end, opened
from workbench.core.column_words import is_age, is_body_mass, is_place_or_date, is_skewed
from workbench.core.decimal_ends import one_digit, round_number
from workbench.core.number_text import counted, exact
from workbench.core.schema import ColumnSpec, Kind

WIDENING_TO = ", widening to "
"""Words by which a level of intervals that widen is told from all others."""
_FINEST_PART = 1000
"""The first interval is so small a part of the range, rounded up to 1, 2 or 5, but no narrower than 1."""
_LEAST_SPAN = 20.0
_LARGEST = 1e15
_FAR = 20
"""From a number to so many times that, intervals are as if from 0; otherwise they begin at that number."""
_DUST = 1e-6
_DIGITS = (1, 2, 5)
_FROM_WHICH_BY_NAME = 1000.0
"""Amounts whose name says that most are small widen unasked where they reach so far."""
_WIDE = 1000.0
_TWO = 2
_NAMED = 5
"""So many ends are named in a sentence."""

Span = tuple[float, float]


def can_widen(column: ColumnSpec, span: Span) -> bool:
    """Whether intervals that widen make sense for numbers of a range: not for few of them, nor for ages or years.

    Of a range that begins below 0 nobody knows that most lie at its low end, and of years and ages they do not.
    """
    low, high = span
    if not column.kind.numeric or is_age(column.name) or is_body_mass(column.name) or is_place_or_date(column.name):
        return False
    return low >= 0 and high - low >= _LEAST_SPAN and high < _LARGEST


def widens_by_name(column: ColumnSpec, span: Span) -> bool:
    """Whether they widen unless somebody says otherwise, by the name of the column and its range alone."""
    return can_widen(column, span) and is_skewed(column.name) and span[0] == 0 and span[1] >= _FROM_WHICH_BY_NAME


def widening_specification(column: ColumnSpec, span: Span, *, is_open: bool = False) -> dict[str, Any]:
    """Specification of intervals that widen for a column whose numbers lie in a range, which `can_widen` allows.

    With `is_open`, without an end that is closed, as earlier programs made it.
    """
    parameters, details = BUILDERS["intervals"].suggest(replace(column, bounds=span, observed=frozenset()))
    made = widened(details, span, whole=column.kind is Kind.INTEGER)
    parameters = {**parameters, "repeat": False, "unlisted": "any"}
    return specification("intervals", parameters, opened(made) if is_open else made, column=column)


def widened(details: Mapping[str, Any], span: Span, *, whole: bool) -> dict[str, Any]:
    """The details of a rule for intervals with those that widen in the place of its own; labels stay as they are."""
    low, high = span
    least = max((high - low) / _FINEST_PART, 1 + whole)  # one whole number by itself is no interval
    if 0 < low * _FAR <= high:  # as if from 0, with ends as round, of which the first lies beyond the lowest number
        least = max(least, math.nextafter(low, math.inf) * (1 + _DUST))
    digit, power = one_digit(least)
    start = math.floor(low / round_number(digit, power)) * round_number(digit, power)
    ends = [0.0]
    while start + ends[-1] < high:
        ends.append(round_number(digit, power))
        digit, power = _next(digit, power)
    return _with_ends(details, [start + end for end in ends])


def is_widening(plain: Mapping[str, Any] | None) -> bool:
    """Whether a specification is of intervals that widen as this module makes them, of whatever range."""
    if plain is None or plain["builder"] != "intervals":
        return False
    details, parameters = plain["details"], plain["parameters"]
    if parameters.get("repeat", True) or parameters.get("source") == "observed" or not details.get("levels"):
        return False
    ends = _ends(details)
    if len(ends) <= _TWO or not _are_in_row([end - ends[0] for end in ends[1:]]):
        return False
    return all(entry.get("of", "interval") == "interval" for entry in details["levels"]) and (
        [entry.get("group", 1) for entry in details["levels"]] == _groups(ends)
    )


def widening_words(plain: Mapping[str, Any] | None, level: int) -> str:
    """A level of intervals that widen in a few words: how many there are and how wide the last is; "" of others."""
    ends = level_ends(plain, level)
    return f"{counted(len(ends) - 1, 'interval')}{WIDENING_TO}{exact(ends[-1] - ends[-2])}" if ends else ""


def widening_sentence(plain: Mapping[str, Any] | None) -> str:
    """Sentence on what a rule makes of numbers if its intervals widen; "" of others."""
    ends = cut_ends(plain, 1)
    if plain is None or not ends:
        return ""
    fewer = "; then fewer" * (len(plain["details"]["levels"]) > 1)
    return f"Numbers become intervals that widen, between {_few(ends)}{fewer}, then *."


def level_ends(plain: Mapping[str, Any] | None, level: int) -> list[float]:
    """The ends of the intervals of a level, where they widen, the lowest first; none of all other rules."""
    if plain is None or not is_widening(plain) or not 0 < level <= len(plain["details"]["levels"]):
        return []
    ends = _ends(plain["details"])
    for entry in plain["details"]["levels"][1:level]:
        places = [0]
        for size in entry["group"]:
            places.append(places[-1] + size)
        ends = [ends[place] for place in places]
    return ends


def cut_ends(plain: Mapping[str, Any] | None, level: int) -> list[float]:
    """The same, the last one where the rule says that its last interval ends."""
    ends = level_ends(plain, level)
    closed = closed_end(plain["details"]) if plain is not None and ends else None
    return ends if closed is None else [*ends[:-1], min(ends[-1], closed)]


def cells_within(ends: Sequence[float], spans: Sequence[Span]) -> frozenset[int]:
    """Which intervals between ends the ranges reach into; -1 is what lies below all, and the last what lies beyond.

    As of equal ones, the far end of a range does not count where an interval begins with it: few have just that.
    """
    found: set[int] = set()
    for low, high in spans if ends else ():
        first, last = _place(ends, low), _place(ends, high)
        if last > first and high == ends[last]:
            last -= 1
        found.update(range(first, last + 1))
    return frozenset(found)


def may_hold_nearly_all(ends: Sequence[float], spans: Sequence[Span]) -> bool:
    """Whether two intervals hold all of the ranges, and one of them is wide, so that it may hold nearly all."""
    cells = cells_within(ends, spans)
    return len(cells) == _TWO and max(b - a for a, b in pairwise(ends)) >= _WIDE


def _place(ends: Sequence[float], number: float) -> int:
    return sum(end <= number for end in ends) - 1


def _ends(details: Mapping[str, Any]) -> list[float]:
    base = details.get("intervals") or ()
    return [float(base[0]["from"]), *(float(one["to"]) for one in base)] if base else []


def _with_ends(details: Mapping[str, Any], ends: Sequence[float]) -> dict[str, Any]:
    label = {key: value for key, value in details["levels"][0].items() if key != "group"}
    return {
        **details,
        "intervals": [{"from": low, "to": high} for low, high in pairwise(ends)],
        "levels": [{"group": group, **label} for group in _groups(ends)],
    }


def _groups(ends: Sequence[float]) -> list[int | list[int]]:
    """How many intervals each level joins, for those between these ends."""
    widths = [end - ends[0] for end in ends[1:]]
    tens, size, ten = [], 0, widths[0]
    for place, width in enumerate(widths, 1):
        size += 1
        if math.isclose(width, ten) or place == len(widths):
            tens.append(size)
            size, ten = 0, ten * 10
    groups: list[int | list[int]] = [1]
    many = len(widths)
    for sizes in (tens, _by_two(len(tens)), _by_two(len(_by_two(len(tens))))):
        if 1 < len(sizes) < many:
            groups.append(sizes)
            many = len(sizes)
    return groups


def _by_two(many: int) -> list[int]:
    """Two neighbours each, of which the last may be one."""
    return [2] * (many // 2) + [1] * (many % 2)


def _are_in_row(widths: Sequence[float]) -> bool:
    """Whether these are neighbours among 1, 2, 5, 10, 20 and so on."""
    if widths[0] < 1:
        return False
    digit, power = one_digit(widths[0])
    for width in widths:
        if width != round_number(digit, power):
            return False
        digit, power = _next(digit, power)
    return True


def _few(ends: Sequence[float]) -> str:
    named = [exact(end) for end in ends]
    shown = named[:-1] if len(named) <= _NAMED else [*named[: _NAMED - 1], "…"]
    return f"{', '.join(shown)} and {named[-1]}"


def _next(digit: int, power: int) -> tuple[int, int]:
    return (1, power + 1) if digit == _DIGITS[-1] else (_DIGITS[_DIGITS.index(digit) + 1], power)
