"""Rules that are made anew, finer, in the place of those that are attached, and what wishes for levels mean then."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial

from workbench.core.hierarchy import Hierarchy
from workbench.core.level_words import interval_width
from workbench.core.public_sizes import public_sizes
from workbench.core.widening import is_widening
from workbench.session.release.kept_fine import as_fine_as_before
from workbench.session.release.preferred_fine import prefer_fine_amounts
from workbench.session.release.said import said_of
from workbench.session.release.wishes import telling_levels
from workbench.session.session import Session


def take_finer(session: Session, made: Mapping[str, Hierarchy]) -> None:
    """Attach finer rules. Wishes for levels go on to mean intervals of about the same width.

    Where a column was to be no finer than some width, it is at least as wide; where it was to be no coarser, it is as
    near as the new rule comes, and where no width is known it still must not become `*`. Beside intervals that widen,
    how many there are counts in the place of how wide they are. What matters most is no coarser by it than was likely
    before, but for amounts whose finest intervals are preferred.
    """
    as_fine_as_before(session, partial(_take, made))
    prefer_fine_amounts(session)


def _take(made: Mapping[str, Hierarchy], session: Session) -> None:
    for name, finer in made.items():
        before = session.project.hierarchies[name]
        limits = session.project.anonymise.level_choice.limits.get(name)
        session.data.attach_hierarchies({name: finer})
        widens = [is_widening(one.specification) for one in (before, finer)]
        alike = finer.height == before.height and not any(map(partial(interval_width, finer), limits or ()))
        if limits is None or (alike and widens[0] is widens[1]):
            continue  # the same levels, written otherwise
        low, high = _as_many(session, name, before, limits) if any(widens) else _as_wide(before, finer, limits)
        session.release.columns.limit_levels(name, None if (low, high) == (0, finer.height) else (low, high))
    session.release.steps.mend()


def _as_wide(before: Hierarchy, finer: Hierarchy, limits: tuple[int, int]) -> tuple[int, int]:
    """The limits at which intervals are about as wide as they were."""
    low, high = _at_least(finer, interval_width(before, limits[0])), finer.height
    if limits[1] < before.height:
        high = _nearest(finer, interval_width(before, limits[1]))
    return min(low, high), high


def _as_many(session: Session, name: str, before: Hierarchy, limits: tuple[int, int]) -> tuple[int, int]:
    """The limits at which a column has about as many labels as it had; `*` and the values stay what they are."""
    now, said = session.project.hierarchies[name], said_of(session.project).get(name, ())
    levels = [level for level in telling_levels(now) if level] or [now.height]
    old, new = (public_sizes(one, said).labels for one in (before, now))

    def nearest(level: int) -> int:
        if level in (0, before.height):
            return now.height if level else 0
        return min(levels, key=lambda one: (abs(math.log(new[one] / old[level])), one))

    low, high = map(nearest, limits)
    return min(low, high), high


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
