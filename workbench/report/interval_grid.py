"""The ends of intervals as a note states them: where they begin and are cut, and which label each has by that."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from workbench.core.closed_end import INCLUDED
from workbench.core.number_text import file_text
from workbench.core.unsaid import interval_cell, interval_ends
from workbench.report.stated_facts import Facts

BEYOND = re.compile(r"([<≥>])(-?\d+(?:\.\d+)?)")
"""A label of what lies below or beyond all intervals, as the program writes it."""
DUST = 1e-6
"""Part of an interval by which numbers can be off that were added up."""
_KEYS = frozenset({"from", "lowest", "highest"})


def is_grid(grid: object) -> bool:
    """Whether these are the ends of intervals."""
    if not isinstance(grid, Mapping) or set(grid) - {INCLUDED} != _KEYS or grid["from"] is None:
        return False
    known = [one for one in (grid["from"], grid["lowest"], grid["highest"]) if one is not None]
    numbers = all(isinstance(one, (int, float)) and not isinstance(one, bool) and math.isfinite(one) for one in known)
    return numbers and (INCLUDED not in grid or (grid[INCLUDED] is True and grid["highest"] is not None))


def grid_closed_at(grid: Facts) -> float | None:
    """The number with which the last interval ends, if it holds it."""
    return float(grid["highest"]) if grid.get(INCLUDED) else None


def is_beyond(grid: Facts, label: str) -> bool:
    """Whether a label of what lies beyond all intervals names the end that is stated; so if it is none of these."""
    found = BEYOND.fullmatch(label)
    if found is None:
        return True
    end = grid["lowest" if found[1] == "<" else "highest"]
    held = found[1] == "<" or (found[1] == ">") is (grid_closed_at(grid) is not None)
    return held and end is not None and math.isclose(float(found[2]), end, rel_tol=DUST)


def is_near_cell(grid: Facts, ends: tuple[float, float], width: float) -> bool:
    """Whether these are the ends of an interval of a width, or of what is left of it, but for rounding."""
    begin, low, high = float(grid["from"]), grid["lowest"], grid["highest"]
    start = begin + math.floor((ends[0] - begin) / width + DUST) * width
    cell = (start if low is None else max(start, low), start + width if high is None else min(start + width, high))
    if grid_closed_at(grid) is not None and start >= high:  # no interval begins with a number that the last one holds
        return False
    return all(abs(one - other) <= DUST * width for one, other in zip(ends, cell, strict=True))


def cell_label(grid: Facts, cell: tuple[float, float], like: str) -> str:
    """The label of an interval as another is written."""
    return interval_cell(*cell, like, grid_closed_at(grid))


def label_within(grid: Facts, label: str, width: float, like: str) -> str:
    """The label of the interval of a width in which a label lies, as another is written."""
    closed = grid_closed_at(grid)
    if closed is not None and interval_ends(label) is None and float(label) > closed:
        return f">{file_text(closed)}"
    return cell_label(grid, cell_of(grid, label, width), like)


def is_cell(grid: Facts, label: str, width: float) -> bool:
    """Whether a label is that of a whole interval of a width, or of what the ends leave of it."""
    if interval_ends(label) is None:
        return False
    if grid_closed_at(grid) is None:
        return interval_ends(label) == cell_of(grid, label, width)
    return label == cell_label(grid, cell_of(grid, label, width), label)


def cell_of(grid: Facts, label: str, width: float) -> tuple[float, float]:
    """From where to below where the interval of a width runs in which a label begins; the last one up to its end."""
    ends, begin, closed = interval_ends(label), float(grid["from"]), grid_closed_at(grid)
    number = ends[0] if ends else float(label)
    if ends is None and number == closed:
        number = math.nextafter(number, -math.inf)
    start = begin + math.floor((number - begin) / width) * width
    low, high = grid["lowest"], grid["highest"]
    return start if low is None else max(start, low), start + width if high is None else min(start + width, high)
