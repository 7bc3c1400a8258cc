"""Rules that are made anew, finer, in the place of those that are attached, and what wishes for levels mean then."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial

from workbench.core.hierarchy import Hierarchy
from workbench.core.level_words import interval_width
from workbench.session.release.kept_fine import as_fine_as_before
from workbench.session.release.wishes import telling_levels
from workbench.session.session import Session


def take_finer(session: Session, made: Mapping[str, Hierarchy]) -> None:
    """Attach finer rules. Wishes for levels go on to mean intervals of about the same width.

    Where a column was to be no finer than some width, it is at least as wide; where it was to be no coarser, it is as
    near as the new rule comes, and where no width is known it still must not become `*`. What matters most is no
    coarser by it than was likely before.
    """
    as_fine_as_before(session, partial(_take, made))


def _take(made: Mapping[str, Hierarchy], session: Session) -> None:
    for name, finer in made.items():
        before = session.project.hierarchies[name]
        limits = session.project.anonymise.level_choice.limits.get(name)
        session.data.attach_hierarchies({name: finer})
        if limits is None or (finer.height == before.height and not any(map(partial(interval_width, finer), limits))):
            continue  # the same levels, written otherwise
        low, high = _at_least(finer, interval_width(before, limits[0])), finer.height
        if limits[1] < before.height:
            high = _nearest(finer, interval_width(before, limits[1]))
        low = min(low, high)
        session.release.columns.limit_levels(name, None if (low, high) == (0, finer.height) else (low, high))
    session.release.steps.mend()


def _at_least(hierarchy: Hierarchy, width: float | None) -> int:
    """The finest level with intervals at least as wide; 0 where that says nothing."""
    if width is None:
        return 0
    found = ((level, interval_width(hierarchy, level)) for level in telling_levels(hierarchy))
    return next((level for level, one in found if one is not None and one >= width), 0)


def _nearest(hierarchy: Hierarchy, width: float | None) -> int:
    """The level whose intervals are nearest in width, by their ratio; else the coarsest that says something."""
    levels = telling_levels(hierarchy)
    found = [(level, one) for level in levels if (one := interval_width(hierarchy, level)) is not None]
    if width is None or not found:
        return max(levels, default=hierarchy.height)
    return min(found, key=lambda one: (abs(math.log(one[1] / width)), one[0]))[0]
