"""Work on the levels of a hierarchy, off the GUI thread: the tree of its groups, and the values that a text finds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.core.column_facts import Coverage
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import Progress
from workbench.gui.widgets.level_tree import Branches
from workbench.gui.workspaces.hierarchies.values_model import matching_values


def is_drawn(drawn: tuple[Hierarchy, Coverage | None] | None, wanted: tuple[Hierarchy, Coverage | None]) -> bool:
    """Whether the tree of the same labels and counts was drawn already."""
    return drawn is not None and drawn[0].maps is wanted[0].maps and drawn[1] is wanted[1]


def branches(hierarchy: Hierarchy, coverage: Coverage | None, progress: Progress) -> Branches:
    """The groups as the tree shows them, with the rows of each if they were counted."""
    progress(0.1)
    rows = None
    if coverage is not None:
        rows = tuple(coverage.rows_per_label(hierarchy, level) for level in range(hierarchy.height + 1))
    return Branches.of(hierarchy, rows)


def found_values(hierarchy: Hierarchy, text: str, progress: Progress) -> tuple[Hierarchy, NDArray[np.intp] | None]:
    """The hierarchy, and the positions of values that have the text; None without a text, which is all of them."""
    return hierarchy, matching_values(hierarchy, text, progress) if text else None


def first_level(hierarchy: Hierarchy, in_use: int | None, *, few: bool) -> int:
    """The level that is shown first: the one that a release has, else the first above the values.

    Parameters
    ----------
    few
        Whether levels that say the same as the one below are not shown.
    """
    hidden = repeating(hierarchy) if few else frozenset()
    if in_use is not None and in_use <= hierarchy.height and in_use not in hidden:
        return in_use
    return next(one for one in range(1, hierarchy.height + 2) if one not in hidden)


def repeating(hierarchy: Hierarchy) -> frozenset[int]:
    """The levels, other than the last, that join no values which the level before keeps apart."""
    groups = hierarchy.groups()
    return frozenset(level for level in range(1, hierarchy.height) if groups[level] == groups[level - 1])
