"""Intervals that can occur and no row says, by the labels that a file would have for them.

Between two numbers, as `core.unsaid` has it, is not where a label begins or ends: a reader who looked for it in the
file would not find it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from workbench.core.closed_end import INCLUDED
from workbench.core.number_text import file_text
from workbench.core.unsaid import interval_cell
from workbench.core.visible import quoted

_BETWEEN = re.compile(r"(-?\d+(?:\.\d+)?)(?:(-| to under | to )(-?\d+(?:\.\d+)?))?")
_TO = " … "
"""Between the first label and the last of more than two neighbours."""
_FEW = 2


def absent_cells(absent: Sequence[str], like: str, width: float, ends: Mapping[str, float | None]) -> list[str]:
    """The labels of intervals, of more than two neighbours the first and the last in one.

    Parameters
    ----------
    absent
        Between which numbers they lie: from `core.unsaid`.
    like
        A label of such an interval in the file, as whose the others are written.
    width
        How wide they are.
    ends
        Where one begins, at which numbers all are cut, and whether the last holds its own: `grid` of a note.
    """
    found: list[str] = []
    for one in absent:
        read = _BETWEEN.fullmatch(one)
        if read is None:
            found.append(one)
            continue
        low, high = float(read[1]), float(read[3] or read[1])
        begin = ends["from"] or 0.0
        first, last = (math.floor((end - begin) / width) for end in (low, high))
        # The far end counts for no interval that begins with it: few have just that.
        last -= last > first and begin + last * width == high
        some = list(dict.fromkeys(_label(number, like, width, ends) for number in _of(first, last)))
        found += some if last - first < _FEW else [_TO.join((some[0], some[-1]))]
    return found


def _of(first: int, last: int) -> tuple[int, ...]:
    return (first, last) if first < last else (first,)


def _label(number: int, like: str, width: float, ends: Mapping[str, float | None]) -> str:
    """The label of an interval, or of what lies beyond an end that cuts all, by its number."""
    start, lowest, highest = (ends["from"] or 0.0) + number * width, ends["lowest"], ends["highest"]
    closed = highest if ends.get(INCLUDED) else None
    if highest is not None and start >= highest:
        return f"{'≥' if closed is None else '>'}{file_text(highest)}"
    if lowest is not None and start + width <= lowest:
        return f"<{file_text(lowest)}"
    low = start if lowest is None else max(start, lowest)
    return interval_cell(low, start + width if highest is None else min(start + width, highest), like, closed)


def in_quotes(entry: str) -> str:
    """A label as a quotation, or the first and the last of several.

    >>> in_quotes("80-119"), in_quotes("80-119 … 200-239")
    ('“80-119”', '“80-119” to “200-239”')
    """
    return " to ".join(map(quoted, entry.split(_TO))) if entry.count(_TO) == 1 else quoted(entry)
