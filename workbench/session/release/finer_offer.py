"""The next finer detail of numbers that matter most and come out in very few intervals, offered with what it costs.

What a release is for may say next to nothing in three intervals. Balanced steps count rows and labels alike, and choose
the coarser ones where these leave a few more rows. Who needs the finer ones has them in one press, where a third of the
rows is likely to come out with them however they lie, and no other column that matters most says less for it. Public
facts alone decide, and no row is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from workbench.core.errors import WorkbenchError
from workbench.core.level_words import words_among
from workbench.core.public_sizes import public_sizes
from workbench.session.release.column_details import DetailOutlook, rows_words
from workbench.session.release.forecast_changes import ShownForecast, changes_between
from workbench.session.release.leaving_out import foreseen, foreseen_if_any
from workbench.session.release.outlook import Outlook
from workbench.session.release.said import said_of
from workbench.session.release.spread import between
from workbench.session.release.tried_remedy import OutlookRemedy
from workbench.session.release.wishes import (
    enough_of,
    least_of,
    offers_details,
    ranked,
    telling_levels,
    wish_exactly,
    wish_least,
)
from workbench.session.session import Session

FINER = "finer"
"""The field of the remedy, as it is offered apart from others: above what makes the release."""
_FEW = 4
"""So many intervals say next to nothing of what a release is for."""
_USEFUL = 33
"""So many of 100 rows have to be likely to come out, however they lie."""
_INTERVALS = "intervals of "


def finer_offer(session: Session, found: Outlook) -> OutlookRemedy | None:
    """One column that could be finer, the one with most labels first; None where none could, or nothing is ticked.

    A detail that somebody chose is left as it is, and so is one that is a guess until it is said what occurs.
    """
    now, most = foreseen_if_any(session), ranked(session, found.widest)
    if now is None or not found.typed:
        return None
    lines = (_coarse(session, now, name) for name in most)
    offers = (_finer(session, now, line, most) for line in lines if line is not None)
    return next((one for one in offers if one is not None), None)


def _coarse(session: Session, now: ShownForecast, name: str) -> DetailOutlook | None:
    """The line of a column that comes out in very few intervals at best, as far as what occurs is known."""
    hierarchy = session.project.hierarchies.get(name)
    first = next((one for one in now.lines(name) if max(one.rows)), None)
    if hierarchy is None or first is None or first.says_nothing or first.unknown or first.guessed:
        return None
    is_ruled = (hierarchy.specification or {}).get("builder") == "intervals"
    if not is_ruled or not offers_details(session, name) or enough_of(session, name):
        return None
    sizes = public_sizes(hierarchy, said_of(session.project).get(name, ()))
    return first if sizes.labels[first.level] <= _FEW else None


def _finer(session: Session, now: ShownForecast, line: DetailOutlook, most: tuple[str, ...]) -> OutlookRemedy | None:
    """The next finer detail with more labels than that of a line; None where too little would come out with it."""
    name, hierarchy = line.column, session.project.hierarchies[line.column]
    labels = public_sizes(hierarchy, said_of(session.project).get(name, ())).labels
    offered = telling_levels(hierarchy)
    level = next((one for one in reversed(offered) if one < line.level and labels[one] > labels[line.level]), None)
    if level is None:
        return None
    held = {other: _coarsest(now, other) for other in most if other != name and least_of(session, other) is None}
    trial, edit = session.snapshot(), partial(_make_finer, name, level, held)
    try:
        edit(trial)
        then = foreseen(trial)
    except WorkbenchError:
        return None
    if then is None or then.rows[0] < _USEFUL or _costs_others(now, then, name, most):
        return None
    detail = words_among(hierarchy, level, offered)
    by = f"by {detail.removeprefix(_INTERVALS)}" if detail.startswith(_INTERVALS) else f"in {detail}"
    is_now, comes = (between(*(end / 100 for end in one.rows)) for one in (now, then))
    about = f"{detail[:1].upper()}{detail[1:]} in every row: {comes} rows are likely to come out, {is_now} as it is."
    others = replace(changes_between(_without(now, name), _without(then, name)), rows=None).parts
    about += f" Of the others: {'; '.join(others)}." if others else ""
    return OutlookRemedy(f"Finer: {name} {by}, {rows_words(then.rows)} % of rows", edit, FINER, about, is_choice=True)


def _coarsest(now: ShownForecast, name: str) -> int | None:
    """The coarsest level that a column comes out at; None where it is `*` in some rows as it is."""
    lines = [one for one in now.lines(name) if max(one.rows)]
    return None if not lines or any(one.says_nothing for one in lines) else lines[-1].level


def _make_finer(name: str, level: int, held: Mapping[str, int | None], session: Session) -> None:
    """Give a column one detail, and let none of the others that matter most be coarser than it is for that."""
    wish_exactly(session, name, level)
    for other, least in held.items():
        if least is not None:
            wish_least(session, other, least)


def _costs_others(now: ShownForecast, then: ShownForecast, name: str, most: tuple[str, ...]) -> bool:
    """Whether another column that matters most says less where it comes out, or is `*` in more rows."""
    changes = changes_between(_without(now, name), _without(then, name))
    less = {one for one, change in changes.columns.items() if change.turn.tone == "warning"}
    return not (less | (then.starred - now.starred)).isdisjoint(most)


def _without(found: ShownForecast, name: str) -> ShownForecast:
    kept = tuple(one for one in found.details if one.column != name)
    return ShownForecast(kept, found.hierarchies, found.rows, found.said, found.starred)
