"""Leaving out all columns that nobody marked as those that matter most, where these gain by it; no row is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from workbench.anonymise.balanced import Importance
from workbench.core.errors import WorkbenchError
from workbench.core.level_words import words_among
from workbench.session.release.leaving_out import changes_without, few, in_short, leave_out, may_leave
from workbench.session.release.outlook import Outlook
from workbench.session.release.prospect import expected_of
from workbench.session.release.spread import between, listed_names
from workbench.session.release.steps import LevelSource
from workbench.session.release.tried_remedy import COSTS, OutlookRemedy
from workbench.session.session import Session

_GROUPS, _WIDE = " groups", "intervals of "


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
    except WorkbenchError:
        return None
    finer = [name for name in kept if after[name] < before[name]]
    coarser = any(after[name] > before[name] for name in kept)
    if not finer or coarser or then is None or then.hopeful < found.hopeful - COSTS:
        return None
    if not {*then.starred, *then.often}.intersection(kept) <= {*found.starred, *found.often}:
        return None
    about = f"{listed_names(names)} would not be in the file, and {listed_names(finer)} finer in it."
    gain = f"{_finer_words(session, finer, before, after)}, {between(then.fewest, then.hopeful)}"
    return OutlookRemedy(_words(found, kept, names), leave, "", about, is_choice=True, gain=gain)


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


def _finer_words(session: Session, finer: Sequence[str], before: Mapping[str, int], after: Mapping[str, int]) -> str:
    """From which detail to which the first step goes, of one column; of more, that they are finer."""
    if len(finer) > 1:
        return f"{few(finer)} finer"
    (name,) = finer
    hierarchy = session.project.hierarchies.get(name)
    old, new = (words_among(hierarchy, level, (level,)) for level in (before[name], after[name]))
    # “5 → 16 groups” is read faster than the word twice.
    if old.endswith(_GROUPS) and new.endswith(_GROUPS):
        old = old.removesuffix(_GROUPS)
    if old.startswith(_WIDE) and new.startswith(_WIDE):
        new = new.removeprefix(_WIDE)
    return f"{name} {old} → {new}"


def _words(found: Outlook, kept: Sequence[str], names: Sequence[str]) -> str:
    """For a button."""
    if len(names) > 1 and set(found.widest) == {*kept, *names}:
        return f"Keep only {in_short(kept)}"
    return f"Leave {in_short(names)} out"
