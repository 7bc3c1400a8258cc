"""Ways to share detail among columns: which of them say something in most rows, and how many rows come out then.

Balanced steps coarsen whatever has most labels left; what is to become `*` last gets the room of the others. Which of
these are kept is tried for one, two and three columns at a time on copies of the settings, from public facts alone, and
of what comes of it a few ways are offered of which none is as good as another in every column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations, islice
from math import log

from workbench.anonymise.balanced import Importance
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.public_sizes import public_sizes
from workbench.session.release.column_details import DetailOutlook, rows_words
from workbench.session.release.forecast_changes import ShownForecast
from workbench.session.release.leaving_out import foreseen
from workbench.session.release.said import said_of
from workbench.session.release.wishes import offers_details
from workbench.session.session import Session

_MOST = 5
"""So many ways are offered beside the present one."""
_TRIED = 80
"""So many are tried at most, which takes a few seconds."""
_TOGETHER = 3
_MOSTLY, _PARTLY = 0.75, 0.1
"""From these parts of the rows that come out on a column says something in most of them, and in part of them."""
_INTERVALS = "intervals of "
_ALIKE = 0.02
"""A smaller part less of what a column tells is as good."""


@dataclass(frozen=True)
class SharedDetail:
    """One way to share detail.

    Parameters
    ----------
    kept
        The columns that become `*` last.
    edit
        What makes it so.
    mostly, partly, never
        Columns with their details that say something in most of the rows that come out, in part of them, and in hardly
        one.
    rows
        Of 100 rows, how many are likely to come out, from one way in which they can lie to another.
    is_now
        Whether the settings stand so.
    """

    kept: tuple[str, ...]
    edit: Callable[[Session], object]
    mostly: tuple[str, ...]
    partly: tuple[str, ...]
    never: tuple[str, ...]
    rows: tuple[int, int]
    is_now: bool = False

    @property
    def rows_words(self) -> str:
        """How many of 100 rows, as a table says it."""
        return rows_words(self.rows)


@dataclass(frozen=True)
class _Tried:
    kept: tuple[str, ...]
    forecast: ShownForecast
    tells: tuple[float, ...]
    parts: tuple[float, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """How each column is told of: in most rows, in part of them, or never.

        What is said to be perhaps `*` in many rows is not told in most of them, as the table beside it has it.
        """
        starred = [name in self.forecast.starred for name in self.forecast.names]
        return tuple(
            2 if part < _PARTLY else 0 if part >= _MOSTLY and not star else 1
            for part, star in zip(self.parts, starred, strict=True)
        )

    @property
    def pairs(self) -> frozenset[tuple[int, int]]:
        """The places of the columns that say something in the same file."""
        return frozenset(combinations([place for place, one in enumerate(self.shape) if one < 2], 2))

    @property
    def score(self) -> float:
        """How many columns say something, in how many rows."""
        return sum(min(part / _MOSTLY, 1.0) for part in self.parts) * sum(self.forecast.rows) / 200


def offers_ways(session: Session) -> bool:
    """Whether there is a choice: two columns at least that balanced steps decide about."""
    return len(_columns(session)) > 1


def ways(session: Session, progress: Progress = SILENT) -> tuple[SharedDetail, ...]:
    """The present way first, then up to five others; nothing where no forecast can be made.

    Every other one says more in some column, or lets more rows come out, than any that is offered.
    """
    names = _columns(session)
    now = _tried(session, None)
    if now is None or len(names) < 2:
        return ()
    steps = session.release.steps
    free = [name for name in names if steps.importance(name) is not Importance.GIVE_UP]
    several = list(islice(_subsets(free), _TRIED))
    found: dict[tuple[object, ...], _Tried] = {}
    for place, kept in enumerate(several):
        progress(place / len(several))
        one = _tried(session, kept)
        if one is not None:
            found.setdefault((one.forecast.details, one.forecast.rows), one)
    found.pop((now.forecast.details, now.forecast.rows), None)
    others = [one for one in found.values() if not any(_beats(other, one) for other in (now, *found.values()))]
    chosen = [now]
    while others and len(chosen) <= _MOST:
        seen = frozenset[tuple[int, int]]().union(*(one.pairs for one in chosen))
        best = max(others, key=lambda one: one.score + len(one.pairs - seen) / 2)
        others = [one for one in others if one.shape != best.shape]
        chosen.append(best)
    return tuple(_way(session, one, is_now=one is now) for one in chosen)


def keep_last(kept: Sequence[str], session: Session) -> None:
    """Let these columns become `*` last, and no other; what is to become `*` first stays so."""
    steps = session.release.steps
    for name in _columns(session):
        if name in kept:
            steps.set_importance(name, Importance.KEEP)
        elif steps.importance(name) is Importance.KEEP:
            steps.set_importance(name, Importance.NORMAL)


def _columns(session: Session) -> tuple[str, ...]:
    """The columns of which one can be kept."""
    return tuple(name for name in session.release.columns.quasi_identifiers() if offers_details(session, name))


def _subsets(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """None of them, and each alone, then pairs and threes."""
    return chain.from_iterable(combinations(names, size) for size in range(_TOGETHER + 1))


def _tried(session: Session, kept: tuple[str, ...] | None) -> _Tried | None:
    """What comes of keeping columns; with None of the settings as they stand."""
    trial, steps = session.snapshot(), session.release.steps
    try:
        if kept is not None:
            keep_last(kept, trial)
        found = foreseen(trial)
    except WorkbenchError:
        return None
    if found is None:
        return None
    last = tuple(name for name in _columns(session) if steps.importance(name) is Importance.KEEP)
    tells, parts = [], []
    for name in found.names:
        lines = found.lines(name)
        hierarchy = session.project.hierarchies.get(name)
        sizes = public_sizes(hierarchy, said_of(session.project).get(name, ())).labels
        tells.append(sum(_middle(one) * log(max(sizes[one.level], 1)) for one in lines if not one.says_nothing))
        whole = sum(map(_middle, lines))
        parts.append(sum(_middle(one) for one in lines if not one.says_nothing) / whole if whole else 0.0)
    return _Tried(last if kept is None else kept, found, tuple(tells), tuple(parts))


def _middle(one: DetailOutlook) -> float:
    return sum(one.rows) / 200


def _beats(one: _Tried, other: _Tried) -> bool:
    """Whether one tells as much in every column, in as many rows, and more somewhere."""
    pairs = [*zip(one.tells, other.tells, strict=True), (sum(one.forecast.rows) / 200, sum(other.forecast.rows) / 200)]
    as_good = all(mine >= theirs - _ALIKE * max(theirs, 1.0) for mine, theirs in pairs)
    return as_good and any(mine > theirs + _ALIKE * max(theirs, 1.0) for mine, theirs in pairs)


def _way(session: Session, one: _Tried, *, is_now: bool) -> SharedDetail:
    named: tuple[list[str], ...] = ([], [], [])
    for name, place in zip(one.forecast.names, one.shape, strict=True):
        named[place].append(name if place == 2 else f"{name} ({_details(one.forecast.lines(name))})")
    mostly, partly, never = map(tuple, named)
    return SharedDetail(one.kept, partial(keep_last, one.kept), mostly, partly, never, one.forecast.rows, is_now)


def _details(lines: Sequence[DetailOutlook]) -> str:
    """The details of a column that are likely in more than a few rows, such as “intervals of 10 or 20”."""
    whole = sum(map(_middle, lines))
    first, *others = (one.words for one in lines if not one.says_nothing and _middle(one) >= _PARTLY * whole)
    return " or ".join((first, *(words.removeprefix(_INTERVALS) for words in others)))
