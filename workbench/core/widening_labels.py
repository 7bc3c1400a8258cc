"""The labels of intervals that widen: they are few, so that all that can occur are listed, whatever the rows are."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from workbench.core.building import build_hierarchy
from workbench.core.closed_end import closed_end, within_closed
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import typed
from workbench.core.occurring import Entries, ranges_of
from workbench.core.schema import Kind
from workbench.core.widening import cells_within, level_ends


def widening_labels(plain: Mapping[str, Any], levels: Sequence[int], entries: Entries) -> list[tuple[str, ...]]:
    """Those that what was said reaches, each with the labels of the same interval at the other levels.

    With them is what lies below and beyond all intervals, which a column can have whatever was said.

    Parameters
    ----------
    plain
        The specification of a rule.
    levels
        Of these the labels are wanted.
    entries
        As from `entries_of`; where they say nothing that can be read, all intervals count.

    Returns
    -------
    list of tuple of str
        From the lowest interval to the highest; none where intervals do not widen, or values are kept at a level.
    """
    ends = level_ends(plain, 1)
    if not ends or 0 in levels:
        return []
    try:
        spans = ranges_of(entries)
    except WorkbenchError:  # the hierarchy was exchanged since
        spans = []
    closed = closed_end(plain["details"])
    within = cells_within(ends, within_closed(plain["details"], spans) or [(ends[0], ends[-1])])
    cells = [-1, *sorted(within - {-1, len(ends) - 1}), len(ends) - 1]
    least = _least(plain, ends)
    firsts = [max(ends[cell], least) if cell >= 0 else ends[0] - 1 for cell in cells]
    if closed is not None:  # that number itself is in the last interval
        firsts[-1] = max(ends[-1], closed) + 1
    numbers = dict.fromkeys(map(typed, firsts))
    made = build_hierarchy(_without_errors(plain), list(numbers))
    paths = (tuple(made.labels[level][made.maps[level][place]] for level in levels) for place in range(len(numbers)))
    return list(dict.fromkeys(paths))


def _without_errors(plain: Mapping[str, Any]) -> dict[str, Any]:
    """The rule without bounds beyond which a number is an error: of its intervals labels are wanted all the same."""
    details = dict(plain["details"])
    for end in ("lowest", "highest"):
        details[end] = {name: one for name, one in (details.get(end) or {}).items() if name != "error"}
    return {**plain, "details": details}


def _least(plain: Mapping[str, Any], ends: Sequence[float]) -> float:
    """The lowest number of the first interval, which a rule cuts where its range begins."""
    cut = plain["details"].get("lowest", {}).get("coding")
    least = ends[0] if cut is None else float(cut)
    return math.ceil(least) if plain.get("column", {}).get("kind") == Kind.INTEGER.value else least


def no_widening(
    plain: Mapping[str, Any], level: int, labels: Collection[str], entries: Entries
) -> tuple[str, ...] | None:
    """Intervals of a level that can occur and no label names, the lowest first; None where none widen.

    Of what lies below and beyond all intervals it is told only where somebody said that it occurs; and not where that
    ends with the number with which it begins, as few have just that.
    """
    listed = [path[0] for path in widening_labels(plain, (level,), entries)]
    if not listed:
        return None
    ends, spans, closed = level_ends(plain, 1), ranges_of(entries), closed_end(plain["details"])
    last = ends[-1] if closed is None else min(ends[-1], closed)
    below, beyond = any(low < ends[0] for low, _ in spans), any(high > last for _, high in spans)
    told = listed[0 if below else 1 : None if beyond else -1]
    return tuple(label for label in told if label not in labels)
