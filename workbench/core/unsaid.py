"""Labels of a release, held against what somebody said can occur in their column; no row is read for it."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import Any

from workbench.core.closed_end import closed_at
from workbench.core.covering import intervals_within
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.level_functions import UNDER, LevelFunction
from workbench.core.moments import YEARS_IN, unit_label
from workbench.core.number_text import file_text
from workbench.core.occurring import Entries, are_numbers, codes_of, parted, ranges_of, years_of
from workbench.core.spelling import as_written
from workbench.core.widening_labels import no_widening

_MOST_CELLS = 100_000
_BEYOND = ("<", "≤", "≥", ">")
_WHOLE = re.compile(r"-?\d+-\d+")
_ENDS = re.compile(r"(?:above )?(-?\d+(?:\.\d+)?)(-| to under | to )(-?\d+(?:\.\d+)?)")
"""A label of an interval as the program writes it, where the rule has none of its own."""
_UNDER_TO, _CLOSED_TO = " to under ", " to "
_WIDTH = re.compile(r"intervals of ([0-9][0-9,.]*)")
_FIRST_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
"""Columns with a decimal comma have it in their labels, too."""


def not_among(hierarchy: Hierarchy, level: int, labels: Collection[str], entries: Entries) -> tuple[str, ...] | None:
    """What the entries say can occur and no label says, of a rule that keeps words, beginnings of codes or years.

    Parameters
    ----------
    level, labels
        Labels of that level, such as those that were released.
    entries
        As from `entries_of`.

    Returns
    -------
    tuple of str
        Entries, labels under which they lie, or numbers between which; None where that does not follow from both.
    """
    rule = hierarchy.specification
    if rule is None or not entries or hierarchy.provenance is not Provenance.PUBLIC:
        return None
    if rule["builder"] == "spelling":
        found = {as_written(label).casefold() for label in labels}
        return tuple(entry for entry in parted(entries) if as_written(entry).casefold() not in found)
    if rule["builder"] == "intervals":
        if rule["parameters"].get("closed") == "high":  # a number on the upper end is of the interval below it
            return None
        absent = no_widening(rule, level, labels, entries) if level else _no_number(labels, entries)
        return _no_interval(rule["details"], level, labels, entries) if absent is None else absent
    if rule["builder"] == "dates":
        return _no_years(rule["details"], level, labels, entries)
    how = rule["parameters"]
    if rule["builder"] != "masking" or (how["side"], how["align"]) != ("right", "left"):
        return None
    hidden = min(level * how["step"], how["length"])
    return no_beginning(how["length"] - hidden, how["mask"] * hidden, labels, entries)


def no_beginning(kept: int, hidden: str, labels: Collection[str], entries: Entries) -> tuple[str, ...] | None:
    """Beginnings of codes that can occur and no label has; None where the entries are none.

    Parameters
    ----------
    kept, hidden
        How many letters of a code are kept, and what stands for the others.
    """
    try:
        codes = [code for entry in parted(entries) for code in codes_of(entry)]
    except WorkbenchError:  # the hierarchy was exchanged since
        return None
    begins = {label[:kept] for label in labels}
    absent = [
        f"{code[:kept]}{hidden}" if len(code) >= kept else code
        for code in codes
        if not (code[:kept] in begins if len(code) >= kept else any(one.startswith(code) for one in begins))
    ]
    return tuple(dict.fromkeys(absent))


def not_said(hierarchy: Hierarchy, labels: Collection[str], entries: Entries) -> tuple[str, ...]:
    """Labels that stand for nothing that the entries say can occur, of a rule that keeps words, in order.

    Parameters
    ----------
    labels
        Such as those that were released, without `*` and what stands for no value.
    """
    rule = hierarchy.specification
    if rule is None or not entries or rule["builder"] != "spelling":
        return ()
    said = {as_written(entry).casefold() for entry in parted(entries)}
    return tuple(sorted(label for label in labels if as_written(label).casefold() not in said))


def not_among_stated(words: str, labels: Collection[str], entries: Entries) -> tuple[str, ...]:
    """The same of intervals or years by the labels alone, for whoever has a file and what is stated of its levels.

    Where intervals of one width begin is seen from any of them. Where a label is another than the program writes by
    itself, there may be others of its kind, so that nothing is said to be missing.

    Parameters
    ----------
    words
        The level as it is stated: “intervals of 40”, “decade”.
    labels
        All of the file, without `*` and what stands for no value.
    entries
        What is stated to occur; anything may stand in it.
    """
    width = _WIDTH.fullmatch(words)
    if not labels or not entries or (width is None and words not in YEARS_IN):
        return ()
    try:
        if width is None:
            return _no_stated_years(words, labels, entries)
        return _no_stated_interval(float(width[1].replace(",", "")), labels, entries)
    except (WorkbenchError, ArithmeticError, ValueError):  # entries that no rule reads, or numbers beyond all
        return ()


def _no_stated_years(unit: str, labels: Collection[str], entries: Entries) -> tuple[str, ...]:
    years = (_FIRST_NUMBER.match(label) for label in labels)
    made = {unit_label(int(one[0]) // YEARS_IN[unit], unit) for one in years if one}
    return within_years(unit, labels, entries) if made == set(labels) else ()


def _no_stated_interval(width: float, labels: Collection[str], entries: Entries) -> tuple[str, ...]:
    ends = [interval_ends(label) for label in labels]
    starts = [one[0] for one in ends if one is not None and one[1] - one[0] == width]
    if len(starts) < len(labels) or any((one - starts[0]) % width for one in starts):
        return ()
    return within_grid(min(starts), width, labels, entries)


def begins_with_its_end(level: Mapping[str, Any]) -> bool:
    """Whether the first number of each label of a level is the lower end of its interval; of others it is not known.

    Parameters
    ----------
    level
        An entry of `levels` in the details of a rule for intervals.
    """
    function = level.get("function") or LevelFunction.INTERVAL
    bounds = function in (LevelFunction.INTERVAL, LevelFunction.BOUNDS)
    of_ends = bounds or (function == LevelFunction.PATTERN and level.get("text") == UNDER)
    return of_ends and not level.get("labels") and level.get("of") != "data"


def are_intervals(words: str) -> bool:
    """Whether these are the words for a level of intervals of one width."""
    return _WIDTH.fullmatch(words) is not None


def width_of(words: str) -> float:
    """How wide the intervals of a level are by the words for it; 0 where these are of no intervals."""
    found = _WIDTH.fullmatch(words)
    return float(found[1].replace(",", "")) if found else 0.0


def within_grid(
    begin: float, width: float, labels: Collection[str], entries: Entries, closed: float | None = None
) -> tuple[str, ...]:
    """What lies in intervals that can occur and none of the labels stands for, as `not_among` has it of a rule.

    Parameters
    ----------
    begin, width
        Where one of the intervals begins, and how wide all are.
    closed
        The number with which the last one ends, if it holds it.
    """
    try:
        if _cells(width, entries) > _MOST_CELLS:
            return ()
    except WorkbenchError:  # no ranges of numbers
        return ()
    details: dict[str, Any] = {"intervals": [{"from": begin, "to": begin + width}], "levels": [{"group": 1}]}
    details |= {} if closed is None else {"highest": closed_at(closed)}
    return _no_interval(details, 1, labels, entries) or ()


def within_years(unit: str, labels: Collection[str], entries: Entries) -> tuple[str, ...]:
    """Years, decades or what is longer that can occur and no label says."""
    return _no_years({"levels": [{"unit": unit}]}, 1, labels, entries) or ()


def in_widest(words: Sequence[str], labels: Collection[str]) -> dict[str, str]:
    """Labels of intervals of several widths, each with the widest in which it lies; nothing if that is not seen.

    Parameters
    ----------
    words
        The levels as they are stated, such as “intervals of 20” and “intervals of 40”.
    labels
        All of the file, without `*` and what stands for no value, of which one at least must be as wide as any can be.
    """
    try:
        return _in_widest(words, sorted(labels))
    except (ArithmeticError, ValueError):  # no such widths are stated by this program
        return {}


def _in_widest(words: Sequence[str], labels: Sequence[str]) -> dict[str, str]:
    widths = [float(told[1].replace(",", "")) for one in words if (told := _WIDTH.fullmatch(one))]
    ends = {label: one for label in labels if (one := interval_ends(label)) is not None}
    widest = {one[0]: label for label, one in ends.items() if one[1] - one[0] == max(widths, default=0)}
    if len(widths) < len(words) or len(ends) < len(labels) or not widest:
        return {}
    width, (start, like) = max(widths), next(iter(sorted(widest.items())))
    found = {}
    for label, (low, high) in ends.items():
        first = start + math.floor((low - start) / width) * width
        if high - low not in widths or high > first + width:
            return {}
        found[label] = widest.get(first) or interval_cell(first, first + width, like)
    return found


def interval_ends(label: str) -> tuple[float, float] | None:
    """From where to below where an interval runs, by its label as the program writes it; None of another one."""
    found = _ENDS.fullmatch(label)
    return None if found is None else (float(found[1]), float(found[3]) + (found[2] == "-"))


def interval_readings(label: str) -> tuple[tuple[float, float], ...]:
    """From where to below where an interval may run, by its label: its second number may belong to it, of whole ones.

    >>> interval_readings("-20 to -11"), interval_readings("0-10"), interval_readings("0 to under 10")
    (((-20.0, -10.0), (-20.0, -11.0)), ((0.0, 11.0), (0.0, 10.0)), ((0.0, 10.0),))
    """
    found = _ENDS.fullmatch(label)
    if found is None:
        return ()
    low, high = float(found[1]), float(found[3])
    return ((low, high),) if "under" in found[2] else ((low, high + 1), (low, high))


def interval_cell(low: float, high: float, like: str, closed: float | None = None) -> str:
    """The label of an interval from one number to below another, written as another label is.

    Parameters
    ----------
    closed
        The number with which the last interval ends, if it holds it: only the label of that one names it as its own.
    """
    found = _ENDS.fullmatch(like)
    assert found is not None
    before, joins = like[: found.start(1)], found[2]
    holds = closed is not None and high == closed
    if closed is not None and joins != "-":
        joins = _CLOSED_TO if holds else _UNDER_TO
    return f"{before}{file_text(low)}{joins}{file_text(high - (joins == '-' and not holds))}"


def _cells(width: float, entries: Entries) -> float:
    """About how many intervals ranges reach into, each counted for every range."""
    return sum((high - low) / width + 1 for low, high in ranges_of(entries))


def _no_number(labels: Collection[str], entries: Entries) -> tuple[str, ...] | None:
    """Numbers that were listed and no label is; None where none were, or labels cannot be read as some of them."""
    numbers = [_FIRST_NUMBER.findall(label) for label in labels]
    if not are_numbers(entries) or any(len(some) != 1 for some in numbers):
        return None
    told = {float(some[0].replace(",", ".")) for some in numbers}
    listed = {entry: float(entry) for entry in entries}
    return tuple(entry for entry in entries if listed[entry] not in told) if told <= set(listed.values()) else None


def _no_interval(
    details: Mapping[str, Any], level: int, labels: Collection[str], entries: Entries
) -> tuple[str, ...] | None:
    """What lies in intervals that can occur and no label stands for, as their labels are not made here; None if unread.

    It ends where what can occur ends, that end included where no label holds it. What lies beyond an end of the rule
    has one label, whose number is that of the end and not of an interval.
    """
    made, ends = details.get("levels", ()), [details.get(name) or {} for name in ("lowest", "highest")]
    known = not 0 < level <= len(made) or begins_with_its_end(made[level - 1])
    if not known or any(end.get("label") for end in ends) or any(label[:1] in _BEYOND for label in labels):
        return None
    try:
        within = intervals_within(details, level, entries)
    except WorkbenchError:  # the hierarchy was exchanged since
        return None
    numbers = [_FIRST_NUMBER.search(label) for label in labels]
    if within is None or not all(numbers):
        return None
    firsts = [float(one[0].replace(",", ".")) for one in numbers if one]
    found = {math.floor((one - within.start) / within.width) for one in firsts}
    if len(found) < len(labels):
        return None
    absent = sorted(within.numbers - found)
    # Neighbours, each one more than the one before, are told of at once.
    runs = [[number for _, number in some] for _, some in groupby(enumerate(absent), lambda one: one[1] - one[0])]
    ranges, told = ranges_of(entries), []
    whole = all(map(_WHOLE.fullmatch, labels))
    for run in runs:
        start, stop = (within.start + number * within.width for number in (run[0], run[-1] + 1))
        low, high = _said_between(start, stop, within.width, ranges)
        joins = "-" if whole else " to "
        if high is None or (high == stop and run[-1] + 1 in found):
            high, joins = (stop - 1, "-") if whole else (stop, " to under ")  # as labels are written
        told.append(f"{file_text(low)}{joins}{file_text(high)}" if high > low else file_text(low))
    return tuple(told)


def _said_between(
    start: float, stop: float, width: float, ranges: Collection[tuple[float, float]]
) -> tuple[float, float | None]:
    """Between which numbers of neighbouring intervals something can occur; None where it goes on beyond them."""
    lows = [low for low, _ in ranges if start <= low < start + width]
    highs = [high for _, high in ranges if stop - width <= high <= stop]
    before = any(low < start < high for low, high in ranges) or not lows
    beyond = any(low < stop < high for low, high in ranges) or not highs
    return start if before else min(lows), None if beyond else max(highs)


def _no_years(
    details: Mapping[str, Any], level: int, labels: Collection[str], entries: Entries
) -> tuple[str, ...] | None:
    """Years, decades or what is longer that no label says; None of shorter units, and where ends have own labels."""
    levels = details.get("levels", ())
    unit = levels[level - 1].get("unit", "") if 0 < level <= len(levels) else ""
    ends = (details.get(name) or {} for name in ("lowest", "highest"))
    if unit not in YEARS_IN or any(end.get("coding") for end in ends):
        return None
    try:
        numbers = {year // YEARS_IN[unit] for year in years_of(entries)}
    except WorkbenchError:  # the hierarchy was exchanged since
        return None
    return tuple(one for number in sorted(numbers) if (one := unit_label(number, unit)) not in labels)
