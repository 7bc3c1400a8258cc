"""Labels that hold all that can occur in a column: they tell as little as `*`, though they look like a value.

Who is told that everybody was born from 2000 to under 2020, where only 2001 to 2019 was ever said to occur, has learnt
nothing. It follows from the hierarchy and from what somebody said can occur; no row is read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.core.closed_end import within_closed
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy, Provenance
from workbench.core.occurring import Entries, occurring_labels, occurring_places, ranges_of
from workbench.core.widening import cells_within, level_ends, may_hold_nearly_all

_WIDE = 1000
_TWO = 2
_MOST = 100_000


@dataclass(frozen=True)
class Intervals:
    """Intervals of one width.

    Parameters
    ----------
    start, width
        Interval 0 reaches from the start to below start + width.
    numbers
        Which of them are meant.
    """

    start: float
    width: float
    numbers: frozenset[int]


def intervals_within(
    details: Mapping[str, Any], level: int, said: Entries, *, far_ends: bool = False
) -> Intervals | None:
    """The intervals of a level that ranges of numbers reach into; None where they are not all as wide.

    The far end of a range counts only with `far_ends`: few of those from 0 to 200,000 have just 200,000.

    Raises
    ------
    WorkbenchError
        If an entry is no range of numbers.
    """
    base, levels = details.get("intervals", ()), details.get("levels", ())
    wider = [one.get("group", 1) for one in levels[:level]]
    if len(base) != 1 or not 0 < level <= len(levels) or not all(isinstance(one, int) for one in wider):
        return None
    start = float(base[0]["from"])
    width = (float(base[0]["to"]) - start) * math.prod(wider)
    if width <= 0:
        return None
    numbers: set[int] = set()
    for low, high in within_closed(details, ranges_of(said)):
        first, last = math.floor((low - start) / width), math.floor((high - start) / width)
        if last > first and high == start + last * width and not far_ends:
            last -= 1
        if last - first > _MOST:
            return None
        numbers.update(range(first, last + 1))
    return Intervals(start, width, frozenset(numbers))


def covers_all(hierarchy: Hierarchy | None, level: int, said: Entries = ()) -> bool:
    """Whether all that can occur has one label at a level, which is not `*`.

    Only where it is known what can occur: a list, or what somebody says (`core.occurring`). The far end of a range of
    numbers does not count, as from 10 to 40 few have just 40; so it is all, or nearly all.

    Parameters
    ----------
    hierarchy
        None of a column that is declared to have few public values.
    """
    if hierarchy is None:
        return level == 0 and len(said) == 1
    if hierarchy.provenance is not Provenance.PUBLIC or not 0 <= level <= hierarchy.height:
        return False
    if hierarchy.says_nothing(level):
        return False
    places = occurring_places(hierarchy, said)
    if places is not None:
        return _one({hierarchy.labels[level][code] for code in hierarchy.maps[level][list(places)].tolist()})
    rule = hierarchy.specification
    if rule is None or not said:
        return False
    try:
        if ends := level_ends(rule, level):
            return len(cells_within(ends, within_closed(rule["details"], ranges_of(said)))) == 1
        if rule["builder"] == "intervals":
            cells = intervals_within(rule["details"], level, said)
            return cells is not None and len(cells.numbers) == 1
        found = occurring_labels(hierarchy, said)
    except WorkbenchError:  # the hierarchy was exchanged since
        return False
    return found is not None and found[level] == 1


def begun_by_ends(hierarchy: Hierarchy | None, level: int, said: Entries) -> int:
    """How many intervals of a level hold of all that somebody said can occur the far end of a range alone.

    So is 100 to 119 among intervals of 20 where 0 to 100 can occur; 0 where intervals are not all as wide.
    """
    rule = None if hierarchy is None else hierarchy.specification
    if hierarchy is None or rule is None or not said or rule["builder"] != "intervals":
        return 0
    if hierarchy.provenance is not Provenance.PUBLIC:
        return 0
    try:
        found = (intervals_within(rule["details"], level, said, far_ends=far) for far in (False, True))
        within, reached = found
    except WorkbenchError:  # the hierarchy was exchanged since
        return 0
    return 0 if within is None or reached is None else len(reached.numbers) - len(within.numbers)


def may_hold_all(hierarchy: Hierarchy | None, level: int, said: Entries = ()) -> bool:
    """Whether one wide interval of a level may hold all, as nobody said how far the numbers reach; no row is read.

    Of narrow ones, as of ages or hours, the name of a column tells about how many there are; of amounts nothing does.
    """
    if hierarchy is None or said:
        return False
    width = numbered_width(hierarchy, level)
    return width is not None and is_wide(width)


def is_wide(width: float) -> bool:
    """Whether intervals are as wide as those of amounts, of which one may hold all."""
    return width >= _WIDE


def numbered_width(hierarchy: Hierarchy, level: int) -> float | None:
    """The width of the intervals of a level, in the unit of the numbers, where a public rule makes all of one width.

    None of the numbers themselves, of `*`, and of whatever else.
    """
    rule = hierarchy.specification
    if rule is None or rule["builder"] != "intervals" or not 0 < level <= hierarchy.height:
        return None
    if hierarchy.provenance is not Provenance.PUBLIC or hierarchy.says_nothing(level):
        return None
    base, levels = rule["details"].get("intervals", ()), rule["details"].get("levels", ())
    wider = [one.get("group", 1) for one in levels[:level]]
    if len(base) != 1 or not all(isinstance(one, int) for one in wider):
        return None
    width: float = (float(base[0]["to"]) - float(base[0]["from"])) * math.prod(wider)
    return width


def one_of_two(hierarchy: Hierarchy | None, level: int, said: Entries = ()) -> bool:
    """Whether two wide intervals of a level hold all that somebody said can occur, so that one may hold nearly all.

    Amounts lie together more often than not, and most of them far below the largest that can occur. No row is read.
    """
    rule = None if hierarchy is None else hierarchy.specification
    if hierarchy is None or rule is None or not said or rule["builder"] != "intervals":
        return False
    if hierarchy.provenance is not Provenance.PUBLIC or hierarchy.says_nothing(level):
        return False
    try:
        if ends := level_ends(rule, level):
            return may_hold_nearly_all(ends, within_closed(rule["details"], ranges_of(said)))
        cells = intervals_within(rule["details"], level, said)
    except WorkbenchError:  # the hierarchy was exchanged since
        return False
    return cells is not None and len(cells.numbers) == _TWO and cells.width >= _WIDE


def _one(labels: set[str]) -> bool:
    return len(labels) == 1 and ANY not in labels
