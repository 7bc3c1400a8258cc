"""Rules that are made anew, finer, in the place of those that are attached, and what wishes for levels mean then."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.core.hierarchy import Hierarchy
from workbench.core.level_words import level_words
from workbench.session.release.wishes import telling_levels
from workbench.session.session import Session


def take_finer(session: Session, made: Mapping[str, Hierarchy]) -> None:
    """Attach finer rules. A wish for a level goes on to mean the same intervals, and never as fine as others happen.

    Where a column must not become `*`, and the new rule has no such intervals, it still must not; it may be as coarse
    then as says something.
    """
    for name, finer in made.items():
        before = session.project.hierarchies[name]
        limits = session.project.anonymise.level_choice.limits.get(name)
        session.data.attach_hierarchies({name: finer})
        if limits is None:
            continue
        low, high = (_same(before, level, finer) for level in limits)
        if high is None:
            high = max(telling_levels(finer), default=finer.height)
        low = min(low or 0, high)
        session.release.columns.limit_levels(name, None if (low, high) == (0, finer.height) else (low, high))
    session.release.steps.mend()


def _same(before: Hierarchy, level: int, after: Hierarchy) -> int | None:
    """The level of another hierarchy that has the words of this one; None without any."""
    if level in (0, before.height):
        return 0 if level == 0 else after.height
    words = level_words(before, level, example=False)
    return next((at for at in telling_levels(after) if level_words(after, at, example=False) == words), None)
