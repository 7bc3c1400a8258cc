"""Amounts that matter most keep the finest of their intervals that widen, before others that matter most are finer.

Of such amounts most lie at the low end: where the ends are joined to tens, one interval holds nearly all of them, and
the column tells next to nothing, however many labels it has. Balanced steps know how many labels there are and not how
values lie. So the finest intervals are kept, and the other columns are coarser first, unless clearly fewer rows would
come out for it, or another column that matters most would say nothing. Public facts alone decide, and no row is read.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.anonymise.balanced import Importance
from workbench.core.widening import is_widening
from workbench.session.release.forecast_changes import ShownForecast
from workbench.session.release.leaving_out import foreseen_if_any
from workbench.session.release.steps import LevelSource
from workbench.session.release.wishes import enough_of, least_of, never_star, ranked, wish_least
from workbench.session.session import Session

_FINEST = 1
"""The level of the narrowest intervals, about ten of them whatever the range is."""
_FEWER, _LEAST = 10, 40
"""So many of 100 rows fewer, in the middle, are clearly fewer, as each end is a guess; and so many have to come out.

Half of it counts of rows that say something of all that matters most."""


def preferred(session: Session) -> frozenset[str]:
    """The amounts that matter most and keep the finest of their intervals that widen."""
    return frozenset(name for name in _amounts(session) if least_of(session, name) == _FINEST)


def prefer_fine_amounts(session: Session) -> None:
    """Let amounts keep their finest intervals, where the others that matter most can give way for it."""
    for name in _amounts(session):
        if name not in preferred(session) and not enough_of(session, name):  # one detail is the person's own wish
            _prefer(session, name)


def _amounts(session: Session) -> tuple[str, ...]:
    """What matters most and has intervals that widen, where balanced steps decide how fine it is."""
    steps, hierarchies = session.release.steps, session.project.hierarchies
    if steps.source is not LevelSource.BALANCED:
        return ()
    names = ranked(session, session.release.columns.quasi_identifiers())
    return tuple(name for name in names if name in hierarchies and is_widening(hierarchies[name].specification))


def _prefer(session: Session, name: str) -> None:
    kept = [one for one in session.project.schema.names if session.release.steps.importance(one) is Importance.KEEP]
    before = foreseen_if_any(session)
    if before is None or session.project.anonymise.trim.expected_rows is None or not _is_coarser(before, name):
        return
    for edit in (_keep, _keep_all, _keep_before_all):  # if possible none is told what it must not become
        trial = session.snapshot()
        edit(trial, name, kept)
        after = foreseen_if_any(trial)
        if after is not None and _is_no_worse(before, after, name, kept):
            edit(session, name, kept)
            return


def _keep(session: Session, name: str, _kept: Sequence[str]) -> None:
    wish_least(session, name, _FINEST)


def _keep_all(session: Session, name: str, kept: Sequence[str]) -> None:
    """The others never become `*`."""
    wish_least(session, name, _FINEST)
    never_star(session, kept)


def _keep_before_all(session: Session, name: str, kept: Sequence[str]) -> None:
    """The same, and what they keep by a tick gives way; but for amounts that are preferred like this one."""
    for one in kept:
        if one not in preferred(session) and not enough_of(session, one):
            wish_least(session, one, None)
    _keep_all(session, name, kept)


def _is_coarser(found: ShownForecast, name: str) -> bool:
    return any(one.level > _FINEST and max(one.rows) for one in found.lines(name))


def _is_no_worse(before: ShownForecast, after: ShownForecast, name: str, kept: Sequence[str]) -> bool:
    """Whether about as many rows come out, and about as many say something of all that matters most."""
    if after.rows[0] < _LEAST or _is_coarser(after, name):
        return False
    newly = after.starred - before.starred
    fewer, fewer_told = sum(before.rows) - sum(after.rows), _told(before, kept) - _told(after, kept)
    return newly.isdisjoint(kept) and fewer < 2 * _FEWER and fewer_told <= _FEWER


def _told(found: ShownForecast, names: Sequence[str]) -> int:
    """In how many of 200 rows each of these columns says something: 100 at either end of the forecast."""
    telling = [[one.rows for one in found.lines(name) if not (one.says_nothing or one.halved)] for name in names]
    return sum(min(found.rows[end], *(sum(rows[end] for rows in one) for one in telling)) for end in (0, 1))
