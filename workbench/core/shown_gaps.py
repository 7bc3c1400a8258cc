"""Gaps between labels that are shown of a rule, as values that stand in for those of the data leave them out.

Values that only stand in are some of many, so the labels above them are some of many too. A rule is asked for what lies
between two of them: whoever reads 0-50 and 150-200 below each other must not think that there is nothing between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import numpy as np

from workbench.core.building import build_hierarchy
from workbench.core.dates import ways_to_write
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import file_text
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec, Kind

_PROBES = 8
"""Between two values. Two labels cover no more than two of nine equal parts, or are as wide as one that is missed."""
_EPOCH = datetime(1970, 1, 1)
_SECONDS = 86_400.0


def label_gaps(
    hierarchy: Hierarchy,
    plain: Mapping[str, Any],
    column: ColumnSpec,
    inside: Sequence[tuple[float, float]] | None = None,
) -> tuple[frozenset[int], ...]:
    """For each level the positions of labels after which the rule has others that are not shown.

    Parameters
    ----------
    hierarchy
        Over the values that stand in.
    plain
        The specification it was built by.
    column
        Its kind and format; of words nothing lies between two.
    inside
        The ranges outside which no number can occur, where somebody said so.
    """
    nothing = tuple(frozenset[int]() for _ in hierarchy.labels)
    if not (column.kind.numeric or column.kind.temporal):
        return nothing
    try:
        numbers = read_values(hierarchy.values, column)
        places = [place for place in np.argsort(numbers, kind="stable").tolist() if not np.isnan(numbers[place])]
        pairs = list(pairwise(places))
        if inside is not None:
            pairs = [(low, high) for low, high in pairs if _in_one(float(numbers[low]), float(numbers[high]), inside)]
        ends = [(float(numbers[low]), float(numbers[high])) for low, high in pairs]
        shares = np.arange(1, _PROBES + 1) / (_PROBES + 1)
        between = [_written((low + (high - low) * shares).tolist(), column) for low, high in ends]
        texts = tuple(dict.fromkeys(text for some in between for text in some))
        if not texts:
            return nothing
        probed = build_hierarchy(plain, texts, None, column)
    except (WorkbenchError, ValueError, OverflowError):
        return nothing  # a year before 1, or a rule that takes these values only
    if probed.height != hierarchy.height:
        return nothing
    place_of = {text: place for place, text in enumerate(probed.values)}
    found: list[set[int]] = [set() for _ in hierarchy.labels]
    for level in range(1, hierarchy.height + 1):
        shown, own = hierarchy.labels[level], hierarchy.maps[level]
        others, theirs = probed.labels[level], probed.maps[level]
        for (low, high), some in zip(pairs, between, strict=True):
            known = {shown[int(own[low])], shown[int(own[high])]}
            if any(others[int(theirs[place_of[text]])] not in known for text in some if text in place_of):
                found[level].add(int(own[low]))
    return tuple(map(frozenset, found))


def _in_one(low: float, high: float, ranges: Sequence[tuple[float, float]]) -> bool:
    return any(first <= low and high <= last for first, last in ranges)


def _written(numbers: Sequence[float], column: ColumnSpec) -> list[str]:
    """Numbers, or days and times as the column's kind counts them, as the column writes them."""
    if column.kind.temporal:
        pattern = ways_to_write(column.format.pattern)[0] or "%Y-%m-%d"
        unit = 1.0 if column.kind is Kind.DATETIME else _SECONDS
        return [(_EPOCH + timedelta(seconds=one * unit)).strftime(pattern) for one in numbers]
    whole = column.kind is Kind.INTEGER
    mark = column.format.decimal_mark
    return [file_text(float(round(one)) if whole else one, 6).replace(".", mark) for one in numbers]
