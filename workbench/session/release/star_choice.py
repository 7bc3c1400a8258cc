"""The ways for columns that matter most: that they may become `*`, or never do and rows are given up for it.

Which of both is wanted decides what a release is good for, so it is asked before a draw, with what each is likely to
give. Where both give little, numbers among them that are coarser may spare it: that is the third way. Public facts
alone decide, and no row is read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from workbench.anonymise.balanced import Importance
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY
from workbench.core.level_words import words_among
from workbench.core.public_sizes import public_sizes
from workbench.session.release.column_details import by_words, rows_words
from workbench.session.release.finest_free import keep_as_fine_as_free
from workbench.session.release.forecast_changes import ShownForecast
from workbench.session.release.kept_fine import as_fine_as_before
from workbench.session.release.leaving_out import few, foreseen, foreseen_if_any
from workbench.session.release.outlook import Outlook
from workbench.session.release.remedies import never_star_offered
from workbench.session.release.said import said_of
from workbench.session.release.steps import LevelSource
from workbench.session.release.tried_remedy import COSTS, OutlookRemedy, outlook_after
from workbench.session.release.wishes import (
    enough_of,
    least_of,
    never_star,
    telling_levels,
    wish_exactly,
    wish_least,
)
from workbench.session.session import Session

_ALIKE, _MANY = 5, 40
"""So many of 100 rows fewer are about as many; and so many have to come out, of columns however they lie."""
_FAR_MORE, _FEWEST = 20, 3
"""So many of 100 rows more are worth coarser intervals, of which so many have to be left."""


def _nothing(_session: Session) -> None:
    """Change nothing."""


@dataclass(frozen=True)
class StarChoice:
    """Both ways, each in words with what it is likely to give, and the edit that chooses it.

    Parameters
    ----------
    may, never
        The words for both.
    is_never
        Whether the settings stand so that the columns never become `*`.
    choose_may, choose_never
        The edits.
    alike
        Whether both come to the same as the settings stand.
    coarser, choose_coarser
        The words for the third way, and the edit that chooses it; "" where it spares nothing.
    tells_more
        Whether all of the columns are told together in more rows where they never become `*`, and in many: what a step
        spends on rows in which one is `*` is lost for those in which none is.
    """

    may: str
    never: str
    is_never: bool
    choose_may: Callable[[Session], object]
    choose_never: Callable[[Session], object]
    tells_more: bool = False
    alike: bool = False
    coarser: str = ""
    choose_coarser: Callable[[Session], object] = _nothing


def prefer_told(session: Session) -> None:
    """Let columns that matter most never become `*` where more rows tell all of them so: that is what it is for.

    Public facts alone decide; it can be chosen otherwise afterwards.
    """
    found = outlook_after(session, OutlookRemedy("", lambda _: None))
    choice = None if found is None else star_choice(session, found)
    if choice is not None and not choice.is_never and choice.tells_more:
        choice.choose_never(session)


def star_choice(session: Session, found: Outlook) -> StarChoice | None:
    """The choice, where columns that matter most are often `*`, or never are and rows are given up for it."""
    steps = session.release.steps
    if steps.source is not LevelSource.BALANCED or not found.typed:
        return None
    kept = [one for one in found.widest if steps.importance(one) is Importance.KEEP and one not in found.silent]
    offered = never_star_offered(session, found)
    if offered is not None:
        names, after = offered
        if after.fewest >= found.fewest - COSTS:
            return None
        choice = _choice(session, kept, False, _loose(names), partial(keep_as_fine_as_free, names, after))
        return choice if choice is None or choice.tells_more else _with_coarser(session, kept, choice, after)
    bound = [one for one in kept if least_of(session, one) is not None]
    # What was chosen stays in sight with what it was chosen against, whatever became of the numbers since.
    return _choice(session, kept, True, _loose(bound), _nothing) if bound else None


def _with_coarser(session: Session, names: Sequence[str], choice: StarChoice, after: Outlook) -> StarChoice:
    """The same with the third way: the finest of coarser intervals with which far more rows come out, and none is `*`.

    Of several columns of numbers, the one with most labels: that one parts the rows into most groups.
    """
    hierarchies, said = session.project.hierarchies, said_of(session.project)
    labels = {
        name: public_sizes(hierarchies[name], said.get(name, ())).labels
        for name in names
        if name in hierarchies
        and (hierarchies[name].specification or {}).get("builder") == "intervals"
        and not enough_of(session, name)
    }
    now = foreseen_if_any(session)
    if now is None or not labels:
        return choice
    finest = {name: min((one.level for one in now.lines(name) if max(one.rows)), default=0) for name in labels}
    name = max(labels, key=lambda one: labels[one][finest[one]])
    offered = telling_levels(hierarchies[name])
    for level in (one for one in offered if one > finest[name] and labels[name][one] >= _FEWEST):
        edit, trial = partial(_coarser, name, level, names), session.snapshot()
        try:
            edit(trial)
            then = foreseen(trial)
        except WorkbenchError:
            continue
        if then is None or then.starred.intersection(names):
            continue
        if then.rows[0] >= max(_MANY, round(after.fewest * 100) + _FAR_MORE):
            detail = by_words(words_among(hierarchies[name], level, offered))
            words = f"{name[:1].upper()}{name[1:]} {detail} and never {ANY}: {rows_words(then.rows)} % of rows come out"
            return replace(choice, coarser=words, choose_coarser=edit)
    return choice


def _coarser(name: str, level: int, names: Sequence[str], session: Session) -> None:
    """Give a column one detail, and let none of the others become `*`."""
    wish_exactly(session, name, level)
    never_star(session, names)


def _loose(names: Sequence[str]) -> Callable[[Session], object]:
    """Let columns become `*` again, none of them coarser by it where it is not."""

    def edit(session: Session) -> None:
        as_fine_as_before(session, partial(_let_star, names), stars=False)

    return edit


def _let_star(names: Sequence[str], session: Session) -> None:
    for name in names:
        wish_least(session, name, None)


def _choice(
    session: Session,
    names: Sequence[str],
    is_never: bool,
    may: Callable[[Session], object],
    never: Callable[[Session], object],
) -> StarChoice | None:
    names = [name for name in session.project.schema.names if name in names]  # as they stand in the table above
    forecasts = []
    for edit in (may, never):
        trial = session.snapshot()
        try:
            if edit is (never if is_never else may):
                forecasts.append(foreseen(trial))  # as the settings stand
            else:
                edit(trial)
                forecasts.append(foreseen(trial))
        except WorkbenchError:
            return None
    first, second = forecasts
    if first is None or second is None:
        return None
    starred = {one.column for one in first.details if one.words == ANY and max(one.rows)}
    lost = [name for name in names if name in starred]
    if not lost and not is_never:
        return None
    told = {name: _told(first, name) for name in lost}
    still = " and ".join(f"{rows_words(told[name])} % still say {name}" for name in lost)
    low, high = second.rows
    alike = not lost and first.rows == second.rows
    comes = "makes no difference now" if alike else f"{rows_words(first.rows)} % of rows come out"
    return StarChoice(
        f"Write {ANY} for rare values of {few(lost or names)}: {comes}{still and f', but only {still}'}",
        f"Never {ANY} in {few(names)}: {rows_words(second.rows)} % of rows come out",
        is_never,
        may,
        never,
        bool(told)
        and low >= _MANY
        and all(low >= least + _ALIKE and high >= most - _ALIKE for least, most in told.values()),
        alike,
    )


def _told(found: ShownForecast, name: str) -> tuple[int, int]:
    """In how many of 100 rows a column says something."""
    lines = [one.rows for one in found.lines(name) if one.words != ANY]
    return sum(low for low, _ in lines), min(sum(high for _, high in lines), found.rows[1])
