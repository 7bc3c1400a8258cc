"""The next finer detail of numbers that matter most and come out in very few intervals, offered with what it costs.

What a release is for may say next to nothing in three intervals. Balanced steps count rows and labels alike, and choose
the coarser ones where these leave a few more rows. Who needs the finer ones has them in one press, where a third of the
rows is likely to come out with them however they lie, and no other column that matters most says less for it. Both
details stay beside each other with what each gives, whichever was chosen. Public facts alone decide, and no row is
read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from workbench.core.errors import WorkbenchError
from workbench.core.level_words import words_among
from workbench.core.public_sizes import public_sizes
from workbench.session.release.column_details import DetailOutlook, by_words
from workbench.session.release.forecast_changes import ShownForecast, changes_between
from workbench.session.release.knowledge import say_matters_most
from workbench.session.release.leaving_out import foreseen, foreseen_if_any
from workbench.session.release.outlook import Outlook
from workbench.session.release.said import said_of
from workbench.session.release.spread import between
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

_FEW = 4
"""So many intervals say next to nothing of what a release is for."""
_USEFUL = 33
"""So many of 100 rows have to be likely to come out, however they lie."""


@dataclass(frozen=True)
class FineChoice:
    """A column at one of two details, each in words with the rows that come out with it, and the edit that chooses it.

    Parameters
    ----------
    column
        Its name.
    coarse, fine
        What both are, such as “by 40” and “by 20”.
    rows
        How many of 100 rows are likely to come out with the coarser one, and with the finer one.
    is_fine
        Whether the settings stand for the finer one.
    choose_coarse, choose_fine
        The edits.
    about
        What each is and costs besides, in sentences.
    """

    column: str
    coarse: str
    fine: str
    rows: tuple[tuple[int, int], tuple[int, int]]
    is_fine: bool
    choose_coarse: Callable[[Session], object]
    choose_fine: Callable[[Session], object]
    about: tuple[str, str]


def fine_choice(session: Session, found: Outlook) -> FineChoice | None:
    """One column that could be finer, the one with most labels first; None where none could, or nothing is ticked.

    A detail that somebody chose elsewhere is left as it is, and so is one that is a guess until it is said what occurs.
    Once the finer one was chosen, both stay beside each other.
    """
    now, most = foreseen_if_any(session), ranked(session, found.widest)
    if now is None or not found.typed:
        return None
    lines = (_coarse(session, now, name) for name in most)
    offers = (_finer(session, now, line, most) for line in lines if line is not None)
    free = next((one for one in offers if one is not None), None)
    return free or next((one for one in (_taken(session, now, name, most) for name in most) if one is not None), None)


def _taken(session: Session, now: ShownForecast, name: str, most: tuple[str, ...]) -> FineChoice | None:
    """The choice of a column of which the finer detail was chosen; None where it is not what would be offered without.

    The way back is what ticking the columns makes of them, if the finer detail follows from that: then no wish is left
    that came with it. Otherwise it is what leads to the finer detail, with as few wishes for others as can be.
    """
    level, limits = enough_of(session, name), dict(session.project.anonymise.level_choice.limits)
    if not level or least_of(session, name) != level:
        return None
    coarser = next((one for one in telling_levels(session.project.hierarchies.get(name)) if one > level), None)
    ways = [partial(_tick_anew, name)]
    ways += [partial(_free, name, least, others) for others in (most, ()) for least in (coarser, None)]
    for edit in ways:
        trial = session.snapshot()
        try:
            edit(trial)
            before = foreseen(trial)
            line = None if before is None else _coarse(trial, before, name)
            offer = None if before is None or line is None else _finer(trial, before, line, most, chosen=True)
            if offer is None:
                continue
            offer.choose_fine(trial)
        except WorkbenchError:
            continue
        if dict(trial.project.anonymise.level_choice.limits) == limits:
            return replace(offer, is_fine=True, choose_coarse=edit, choose_fine=_as_it_stands)
    return None


def _as_it_stands(_session: Session) -> None:
    """Change nothing."""


def _free(name: str, least: int | None, others: Iterable[str], session: Session) -> None:
    """Leave a column to the program again, no coarser than some level, and let others become as coarse as they may."""
    wish_exactly(session, name, None)
    wish_least(session, name, least)
    for one in others:
        if one != name and least_of(session, one) is not None and not enough_of(session, one):
            wish_least(session, one, None)


def _tick_anew(name: str, session: Session) -> None:
    """The same as if the column had just been ticked."""
    wish_exactly(session, name, None)
    say_matters_most(session, name, most=True)


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


def _finer(
    session: Session, now: ShownForecast, line: DetailOutlook, most: tuple[str, ...], *, chosen: bool = False
) -> FineChoice | None:
    """The next finer detail with more labels than that of a line; None where too little would come out with it.

    What was `chosen` stays beside the other one, whatever became of the numbers since.
    """
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
    if then is None or (not chosen and (then.rows[0] < _USEFUL or _costs_others(now, then, name, most))):
        return None
    is_now, comes = (between(*(end / 100 for end in one.rows)) for one in (now, then))
    details = [words_among(hierarchy, one, offered) for one in (line.level, level)]
    others = replace(changes_between(_without(now, name), _without(then, name)), rows=None).parts
    told = f" Of the others: {'; '.join(others)}." if others else ""
    coarse, fine = map(by_words, details)
    return FineChoice(
        name,
        coarse,
        fine,
        (now.rows, then.rows),
        False,
        _as_it_stands,
        edit,
        (_about(details[0], is_now), f"{_about(details[1], comes)}{told}"),
    )


def _about(detail: str, rows: str) -> str:
    return f"{detail[:1].upper()}{detail[1:]}: {rows} rows are likely to come out."


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
