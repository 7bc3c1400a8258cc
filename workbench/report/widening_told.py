"""The words for a level of intervals that widen: how many there are, and from where to where they run.

Notes say how wide the last is, which read as if numbers ended there. Where they run is told by the labels of what lies
below and beyond all of them, which a note lists.
"""

from __future__ import annotations

import re

from workbench.core.number_text import exact
from workbench.core.widening import WIDENING_TO
from workbench.report.stated_facts import Facts

_WIDENING = re.compile(rf"(\d+) intervals?{re.escape(WIDENING_TO)}(.+)")
_BELOW, _BEYOND = (re.compile(rf"{sign}(-?\d{{1,15}}(?:\.\d+)?)") for sign in ("<", "[≥>]"))


def from_where_to_where(column: Facts, words: str) -> str:
    """The words for a level of a column, in which intervals that widen have their ends; others as they are.

    Parameters
    ----------
    column
        As a note describes it.
    words
        As the note has them.
    """
    found = _WIDENING.fullmatch(words)
    if found is None:
        return words
    listed = column["hierarchy"].get("listed")
    paths = listed if isinstance(listed, list) else []
    low, high = (_end(pattern, [label for path in paths for label in path]) for pattern in (_BELOW, _BEYOND))
    ends = f"from {low} to {high}" if low and high else f", of which the last is {found[2]} wide"
    return f"{found[1]} widening intervals{' ' * bool(low and high)}{ends}"


def _end(pattern: re.Pattern[str], labels: list[str]) -> str:
    return next((exact(float(end[1])) for label in labels if (end := pattern.fullmatch(label))), "")
