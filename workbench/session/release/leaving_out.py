"""Leaving columns out, and what is gained by it: tried on copies of the settings alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial

from workbench.anonymise.balanced import Importance
from workbench.anonymise.recipe import Treatment
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.column_words import is_wanted
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import Role
from workbench.session.release.column_details import column_details
from workbench.session.release.forecast_changes import ForecastChanges, ShownForecast, changes_between
from workbench.session.release.prospect import expected_of
from workbench.session.release.said import said_of
from workbench.session.release.spread import listed_names
from workbench.session.release.wishes import least_of
from workbench.session.session import Session

STARRED = "Taken in, it would be * in every row"
"""Of a column that would say nothing if it stayed, and whose place no other takes."""
UNTICKED = f"{STARRED}, unless you tick it"
"""The same of one that says something in some row if it is ticked as what the release is for."""
_MANY = 4
"""So many columns are not named."""
_LONG = 30
"""Names that are longer together are not on a button."""


def leave_out(names: Iterable[str], session: Session) -> None:
    """Let columns not be in the file, and the typed steps be those of what is left."""
    for name in names:
        session.release.columns.set_treatment(name, Treatment.LEAVE_OUT)
    session.release.steps.mend()


def may_leave(session: Session, names: Iterable[str], *, silent: bool = False) -> list[str]:
    """Those that may be left out: what is kept longest or somehow fine is why the table is published.

    So is what is sensitive, unless it is `silent`, as it says nothing, and somebody said what matters more.
    """
    steps, schema = session.release.steps, session.project.schema
    told = silent and any(steps.importance(one) is Importance.KEEP for one in schema.names)
    return [
        one
        for one in names
        if (told or schema[one].role is not Role.SENSITIVE)
        and steps.importance(one) is not Importance.KEEP
        and least_of(session, one) is None
    ]


def in_short(names: Sequence[str]) -> str:
    """Columns by their names where these are short enough for a button, else one name and how many more there are.

    The one is what others want to learn, if one of them is: nobody is to leave that out unseen.
    """
    words = few(names)
    if len(names) < _MANY and len(words) <= _LONG:
        return words
    first = min(names, key=lambda one: not is_wanted(one), default="")
    if len(first) > _LONG:
        return "1 column" if len(names) == 1 else f"{len(names):,} columns"
    return f"{first} and {len(names) - 1:,} more"


def few(names: Sequence[str]) -> str:
    """Columns by their names, or how many they are."""
    if not names:
        return ""
    return listed_names(names) if len(names) < _MANY else f"{len(names):,} columns"


def foreseen(session: Session) -> ShownForecast | None:
    """The forecast for the settings of a session; None where nothing is known of its groups.

    Raises
    ------
    WorkbenchError
        If the settings have no solution.
    """
    promised, hierarchies = session.release.promise(), session.project.hierarchies
    forecast, outlook = expected_of(session, promised)
    if forecast is None or outlook is None or not isinstance(promised.release, TrimGuarantee):
        return None
    details = column_details(forecast, promised.release, hierarchies, said_of(session.project))
    return ShownForecast.of(outlook, details, hierarchies, said_of(session.project))


def foreseen_if_any(session: Session) -> ShownForecast | None:
    """The same; None too where the settings have no solution."""
    try:
        return foreseen(session)
    except WorkbenchError:
        return None


def gains_of_leaving_out(
    session: Session,
    answer: Callable[[Session, Collection[str]], object],
    spared: Collection[str],
    progress: Progress = SILENT,
    tick: Callable[[Session, str], object] | None = None,
) -> Mapping[str, str]:
    """By name, what is gained by not releasing a column, or what it would be, in a few words.

    It is "" where neither is a reason for it, as whoever left a column out needs none, and nothing of a column is there
    where nobody can tell.

    Parameters
    ----------
    answer
        Leaves these columns of a session out, and takes all others in.
    spared
        The columns that are to be left out.
    tick
        Ticks a column as what the release is for; without it, it only becomes `*` last.
    """
    found: dict[str, str] = {}
    now = _after(session, answer, frozenset(spared))
    for place, name in enumerate(spared):
        progress(place / len(spared))
        before = None if now is None else _after(session, answer, frozenset(spared) - {name})
        if before is not None and now is not None:
            words = _words(name, before, now)
            if words == STARRED:
                others, ticks = frozenset(spared) - {name}, tick or _keep
                ticked = _once_ticked(session, answer, others, partial(_tick, ticks, name))
                words = words if ticked is None or _is_silent(name, ticked) else UNTICKED
            found[name] = words
    return found


def changes_without(
    session: Session, leave: Callable[[Session], object], names: Collection[str]
) -> ForecastChanges | None:
    """What becomes of the others once `leave` has left these columns out; None where nobody can tell."""
    trial = session.snapshot()
    try:
        before = foreseen(session)
        leave(trial)
        now = foreseen(trial)
    except WorkbenchError:
        return None
    return None if before is None or now is None else changes_between(_without(names, before), now)


def _without(names: Collection[str], found: ShownForecast) -> ShownForecast:
    kept = tuple(one for one in found.details if one.column not in names)
    return ShownForecast(kept, found.hierarchies, found.rows, found.said)


def _words(name: str, before: ShownForecast, now: ShownForecast) -> str:
    others = _without((name,), before)
    changes = changes_between(others, now)
    if changes:
        return f"Leaving it out: {'; '.join(changes.parts)}"
    return STARRED if _is_silent(name, before) else ""


def _is_silent(name: str, found: ShownForecast) -> bool:
    return all(one.says_nothing or not max(one.rows) for one in found.lines(name))


def _once_ticked(
    session: Session,
    answer: Callable[[Session, Collection[str]], object],
    spared: Collection[str],
    tick: Callable[[Session], object],
) -> ShownForecast | None:
    """The forecast where a column is ticked as what the release is for."""

    def edit(trial: Session, left_out: Collection[str]) -> None:
        answer(trial, left_out)
        tick(trial)

    return _after(session, edit, spared)


def _tick(ticks: Callable[[Session, str], object], name: str, session: Session) -> None:
    ticks(session, name)


def _keep(session: Session, name: str) -> None:
    session.release.steps.set_importance(name, Importance.KEEP)


def _after(
    session: Session, answer: Callable[[Session, Collection[str]], object], spared: Collection[str]
) -> ShownForecast | None:
    trial = session.snapshot()
    try:
        answer(trial, spared)
        return foreseen(trial)
    except WorkbenchError:
        return None
