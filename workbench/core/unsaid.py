"""Labels of a release, held against what somebody said can occur in their column; no row is read for it."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from itertools import groupby
from typing import Any

from workbench.core.covering import intervals_within
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.moments import YEARS_IN, unit_label
from workbench.core.number_text import file_text
from workbench.core.occurring import Entries, codes_of, parted, ranges_of, years_of
from workbench.core.spelling import as_written

_BEYOND = ("<", "≤", "≥", ">")
_WHOLE = re.compile(r"-?\d+-\d+")
_FIRST_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


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
        return _no_interval(rule["details"], level, labels, entries)
    if rule["builder"] == "dates":
        return _no_years(rule["details"], level, labels, entries)
    how = rule["parameters"]
    if rule["builder"] != "masking" or (how["side"], how["align"]) != ("right", "left"):
        return None
    try:
        codes = [code for entry in parted(entries) for code in codes_of(entry)]
    except WorkbenchError:  # the hierarchy was exchanged since
        return None
    hidden = min(level * how["step"], how["length"])
    kept = how["length"] - hidden
    begins = {label[:kept] for label in labels}
    absent = [
        f"{code[:kept]}{how['mask'] * hidden}" if len(code) >= kept else code
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


def _no_interval(
    details: Mapping[str, Any], level: int, labels: Collection[str], entries: Entries
) -> tuple[str, ...] | None:
    """What lies in intervals that can occur and no label stands for, as their labels are not made here; None if unread.

    It ends where what can occur ends, that end included where no label holds it. What lies beyond an end of the rule
    has one label, whose number is that of the end and not of an interval.
    """
    own = [details["levels"][level - 1].get("labels") if 0 < level <= len(details.get("levels", ())) else None]
    own += [(details.get(name) or {}).get("label") for name in ("lowest", "highest")]
    if any(own) or any(label[:1] in _BEYOND for label in labels):
        return None
    try:
        within = intervals_within(details, level, entries)
    except WorkbenchError:  # the hierarchy was exchanged since
        return None
    numbers = [_FIRST_NUMBER.search(label) for label in labels]
    if within is None or not all(numbers):
        return None
    found = {math.floor((float(one[0]) - within.start) / within.width) for one in numbers if one}
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
