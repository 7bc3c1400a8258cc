"""Columns that matter most are no coarser after something was said than they were likely to be before.

Whoever says what can occur in a column, or that it matters most, wants more of it. Labels are counted anew then, and
balanced steps may find that coarser ones leave more rows; what was asked for was not that. Such a column keeps the
detail it had, as long as half of the rows may come out with it. Public facts alone decide, and no row is read.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from workbench.anonymise.balanced import Importance
from workbench.core.level_words import interval_width
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.forecast_changes import ShownForecast
from workbench.session.release.leaving_out import foreseen_if_any
from workbench.session.release.steps import LevelSource
from workbench.session.release.wishes import enough_of, least_of, telling_levels, wish_exactly, wish_least
from workbench.session.session import Session

_ENOUGH = 50
"""So many of 100 rows must be able to come out: a detail of which hardly anything is left is not kept."""
_HALF = 0.5


def as_fine_as_before(session: Session, edit: Callable[[Session], object], *, stars: bool = True) -> None:
    """Make an edit, and let what matters most be no coarser by it; without `stars` it may become `*` in most rows."""
    before = foreseen_if_any(session) if session.release.steps.source is LevelSource.BALANCED else None
    edit(session)
    if before is None or foreseen_if_any(session) is None:
        return
    held: list[str] = []
    while found := next(((one, level) for one, level in _coarser(session, before, stars) if one not in held), None):
        name, level = found
        wish_least(session, name, max(level, enough_of(session, name)))
        held.append(name)
    after = foreseen_if_any(session)
    if held and (after is None or after.rows[1] < _ENOUGH):
        for name in held:
            wish_least(session, name, None)


def let_loose(session: Session, name: str) -> None:
    """Leave a column that no longer matters most to the program again, with whatever detail there is room for."""
    session.release.steps.set_importance(name, Importance.NORMAL)
    if least_of(session, name) is not None:
        wish_exactly(session, name, None)


def _coarser(session: Session, before: ShownForecast, stars: bool) -> list[tuple[str, int]]:
    """The columns that matter most and are coarser than before, each with the level that is as fine as it was."""
    now, found = foreseen_if_any(session), []
    for name in () if now is None else now.names:
        was = _in_most_rows(before.lines(name))
        kept = session.release.steps.importance(name) is Importance.KEEP and least_of(session, name) is None
        if now is None or was is None or not kept:
            continue
        same = before.hierarchies.get(name) is now.hierarchies.get(name)
        level = was.level if same else _as_fine(before, now, was)
        here = _in_most_rows(now.lines(name))
        if level is not None and (stars if here is None else here.level > level):
            found.append((name, level))
    return found


def _in_most_rows(lines: tuple[DetailOutlook, ...]) -> DetailOutlook | None:
    """The finest line such that at least half of the rows that come out have its detail or a finer one."""
    middle = [sum(one.rows) for one in lines]
    told = 0
    for one, rows in zip(lines, middle, strict=True):
        told += rows
        if not one.says_nothing and told >= _HALF * sum(middle) > 0:
            return one
    return None


def _as_fine(before: ShownForecast, now: ShownForecast, was: DetailOutlook) -> int | None:
    """The coarsest level of a new rule with intervals no wider than before; None where these cannot be compared."""
    hierarchy = now.hierarchies[was.column]
    width = interval_width(before.hierarchies[was.column], was.level) if was.level else 0.0
    if width is None:
        return None
    own = {level: interval_width(hierarchy, level) for level in telling_levels(hierarchy) if level}
    return max((level for level, one in own.items() if (one or math.inf) <= width), default=None)
