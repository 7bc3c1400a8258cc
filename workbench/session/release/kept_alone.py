"""Leaving out all columns that nobody marked as those that matter most, where these gain by it; no row is read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from workbench.anonymise.balanced import Importance
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.level_words import words_among
from workbench.session.release.column_details import DetailOutlook, rows_words
from workbench.session.release.forecast_changes import ShownForecast
from workbench.session.release.leaving_out import changes_without, few, foreseen, in_short, leave_out, may_leave
from workbench.session.release.outlook import Outlook
from workbench.session.release.prospect import expected_of
from workbench.session.release.spread import between, listed_names
from workbench.session.release.steps import LevelSource
from workbench.session.release.tried_remedy import COSTS, OutlookRemedy
from workbench.session.session import Session

KEEP_ONLY = "Keep only what is ticked"
_LONGEST = 62
"""Letters for which a button has room."""


def finer_alone(session: Session, found: Outlook) -> OutlookRemedy | None:
    """Leaving out all others, where what is kept longest is finer then from the first step on, in as many rows.

    Columns that are kept longest become `*` last; until then they become coarser, so that the others have a part.
    """
    kept, names = _parted(session, found)
    if not kept or not names:
        return None
    leave = partial(leave_out, names)
    trial = session.snapshot()
    try:
        before = session.release.chain().vectors[0]
        leave(trial)
        after = trial.release.chain().vectors[0]
        then = expected_of(trial, trial.release.promise())[1]
        shown = foreseen(trial)
    except WorkbenchError:
        return None
    finer = [name for name in kept if after[name] < before[name]]
    coarser = any(after[name] > before[name] for name in kept)
    if not finer or coarser or then is None or then.hopeful < found.hopeful - COSTS:
        return None
    if not {*then.starred, *then.often}.intersection(kept) <= {*found.starred, *found.often}:
        return None
    hierarchies = session.project.hierarchies
    first = _first_lines(shown, finer)
    new = {one.column: f"{one.words} in {rows_words(one.rows)} %" for one in first}  # in other rows coarser, or `*`
    turns = "; ".join(
        f"{name} from {_detail(hierarchies.get(name), before[name])} to "
        f"{new.get(name) or _detail(hierarchies.get(name), after[name])}"
        for name in finer
    )
    about = (
        f"{listed_names(names)} would not be in the file, and {listed_names(finer)} finer in it: {turns}, and "
        f"{between(then.fewest, then.hopeful)} rows are likely to come out."
    )
    words = _words(found, kept, names, several=1)  # it stands before the draw, whatever is left out
    return OutlookRemedy(words, leave, "", about, is_choice=True, gain=_gain(words, finer, first))


def more_rows_alone(session: Session, found: Outlook) -> OutlookRemedy | None:
    """Leaving out all others, where more rows come out for it and nothing else is told less.

    Where none of them says anything, leaving them out is offered for that.
    """
    kept, names = _parted(session, found)
    if not kept or set(names) <= set(found.dumb):
        return None
    leave = partial(leave_out, names)
    changes = changes_without(session, leave, names)
    if changes is None or changes.rows is None or not changes.only_gains:
        return None
    words = f"{_words(found, kept, names)}: {between(*(one / 100 for one in changes.rows[1]))}"
    about = f"{listed_names(names)} would not be in the file. Of the others: {'; '.join(changes.parts)}."
    return OutlookRemedy(words, leave, "", about, is_choice=True)


def _parted(session: Session, found: Outlook) -> tuple[list[str], list[str]]:
    """The columns that are kept longest, and those that may be left out; none where steps do not follow from that."""
    steps = session.release.steps
    if steps.source is not LevelSource.BALANCED:
        return [], []
    return [name for name in found.widest if steps.importance(name) is Importance.KEEP], may_leave(
        session, found.widest
    )


def _detail(hierarchy: Hierarchy | None, level: int) -> str:
    return words_among(hierarchy, level, (level,))


def _first_lines(shown: ShownForecast | None, names: Sequence[str]) -> list[DetailOutlook]:
    """The finest detail of each of these columns, as the table will have it."""
    lines = [] if shown is None else [shown.lines(name) for name in names]
    return [some[0] for some in lines if some]


def _gain(words: str, finer: Sequence[str], first: Sequence[DetailOutlook]) -> str:
    """What becomes finer, and in how many rows it is so, as far as a button with these words has room for it.

    More rows may come out: in the others it is coarser, or `*`.
    """
    if len(finer) == len(first) == 1:
        (line,) = first
        for gain in (f"{line.column} {line.words}, {rows_words(line.rows)} %", f"{line.column} {line.words}"):
            if len(words) + len(gain) <= _LONGEST:
                return gain
    return f"{few(tuple(finer))} finer"


def _words(found: Outlook, kept: Sequence[str], names: Sequence[str], *, several: int = 2) -> str:
    """For a button; from so many columns on these are not named."""
    if len(names) >= several and set(found.widest) == {*kept, *names}:
        return KEEP_ONLY  # its names stand beside their ticks, and may be long
    return f"Leave {in_short(names)} out"
