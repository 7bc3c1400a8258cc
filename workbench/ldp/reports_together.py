"""Files of reports that are counted together, and what may not be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.trust import doubt_of
from workbench.ldp.participation import Attendance
from workbench.ldp.report_file import ONE_FILE as ONE_FILE
from workbench.ldp.report_file import Announcement, Received

TRIALS = "with_trials"
"""The field of the error where some reports are of a trial and may be counted all the same."""

_DIFFERENT = {
    "randomiser": "made by different protocols, parameters or matrices",
    "domain": "about different values",
    "bounds": "about different bounds",
    "column": "answers to different questions",
    "none": "of everybody and of some people only",
}
_NAMED = 5
"""So many files are named that do not fit."""


def together(
    received: Iterable[Received],
    *,
    one_file_per_person: bool = False,
    with_trials: bool = False,
    names: Sequence[str] = (),
) -> Received:
    """Reports of several collections as one.

    Whether a person reported in more than one of them is not known, so what a person may have reported adds up.

    Parameters
    ----------
    one_file_per_person
        Whoever counts asserts that nobody did, as where everybody sends a file of their own. What they assert is said.
    with_trials
        Whether reports of a trial are counted with others all the same.
    names
        Of the files, to say which does not fit.

    Raises
    ------
    WorkbenchError
        If there is none, one is there twice, some are of a trial, or they were made by different protocols, parameters,
        matrices or about different domains.
    """
    parts = list(received)
    if not parts:
        raise WorkbenchError("There are no reports.", hint="Name at least one file.", field="reports")
    known = [part.announcement.collection for part in parts if part.announcement.collection]
    if len(set(known)) < len(known):
        raise WorkbenchError(
            "Two of these files hold the reports of the same collection, which would count twice.",
            hint="Name every file once.",
            field="reports",
        )
    if not with_trials:
        _refuse_trials([part.announcement for part in parts], names)
    _refuse_different([part.announcement for part in parts], names)
    first = parts[0].announcement
    support = parts[0].support
    for part in parts[1:]:
        support = support + part.support
    each = [part.announcement.reports_per_person for part in parts]
    cautions = [caution for part in parts for caution in part.announcement.cautions]
    if one_file_per_person and len(parts) > 1:
        cautions.append(ONE_FILE)
    whole = Announcement(
        first.randomiser,
        first.column,
        first.domain,
        first.bounds,
        first.declared and all(part.announcement.declared for part in parts),
        support.reports,
        max(each) if one_file_per_person else sum(each),
        any(part.announcement.simulated for part in parts),
        tuple(dict.fromkeys(cautions)),
        attended=_least([part.announcement.attended for part in parts]),
        plugin=next((part.announcement.plugin for part in parts if doubt_of(part.announcement.plugin)), first.plugin),
        trial=any(part.announcement.trial for part in parts),
    )
    return Received(whole, support)


def _refuse_different(announced: Sequence[Announcement], names: Sequence[str]) -> None:
    """That all say the same of their collection but how many reports there are; else which do not fit most others."""
    facts = [{**one.to_json(), "randomiser": one.randomiser.shared(), "none": one.none} for one in announced]
    for what, named in _DIFFERENT.items():
        kinds: list[Any] = []
        for one in facts:
            if one[what] not in kinds:
                kinds.append(one[what])
        if len(kinds) == 1:
            continue
        number, usual = max(((sum(one[what] == kind for one in facts), kind) for kind in kinds), key=itemgetter(0))
        other = [name for name, one in zip(names, facts, strict=False) if one[what] != usual]
        raise WorkbenchError(
            f"These files hold reports {named}, which cannot be counted together.",
            hint=f"Not like {'the first' if number == 1 else 'most'}: {_listed(other)}. Leave out what does not belong "
            "here, or aggregate the files one by one."
            if other
            else "Aggregate them one by one.",
            field="reports",
        )


def _refuse_trials(announced: Sequence[Announcement], names: Sequence[str]) -> None:
    """That all reports are of people, or none is: answers that nobody gave shift what people are said to have said."""
    trials = [one.trial for one in announced]
    if all(trials) or not any(trials):
        return
    which = [name for name, trial in zip(names, trials, strict=False) if trial]
    raise WorkbenchError(
        "Some of these reports are of a trial: nobody gave these answers.",
        hint=f"Leave out {_listed(which)}." if which else "Leave those out.",
        field=TRIALS,
    )


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:_NAMED])}{' and others' if len(names) > _NAMED else ''}"


def _least(attended: Sequence[Attendance | None]) -> Attendance | None:
    """Who reported in several collections: hidden only if it is in all of them."""
    return next((one for one in attended if one is None or not one.hidden), attended[0])
