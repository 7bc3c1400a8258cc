"""One row of each person instead of several, offered where that brings more of a release."""

from __future__ import annotations

from dataclasses import replace

from workbench.core.number_text import count
from workbench.session.release.outlook import Outlook
from workbench.session.release.rows_of_person import one_row_each, people_expected
from workbench.session.release.spread import between
from workbench.session.release.tried_remedy import OutlookRemedy, outlook_after
from workbench.session.session import Session

_MORE = 1.1
"""So much more is told where fewer rows per person are worth losing the others."""


def one_row_offer(session: Session, found: Outlook) -> tuple[OutlookRemedy, float] | None:
    """One row of each person instead of several, with what it would give, where much is lost and this brings more.

    How many people there are follows from the rows that are expected only between two ends, and so does what it
    gives. Nothing is assumed of them afterwards: it is asked anew how many are expected.
    """
    expected = people_expected(session.project)
    if expected is None or not (found.wanting or found.starred or found.often):
        return None
    ends = [_with_one_row(session, people) for people in expected]
    least, most = ends
    if least is None or most is None:
        return None
    told = (least.told + most.told) / 2
    if told < _MORE * found.told:
        return None
    gives = between(least.fewest, most.hopeful)
    fewest, rows = map(count, expected)
    about = (
        f"Of each person one row, chosen at random, takes part: groups give up far fewer rows. Of {fewest} to {rows} "
        f"people, as your {rows} rows may be, {gives} are likely to come out. How many people you expect is asked then."
    )
    return OutlookRemedy(f"One row per person: {gives}", one_row_each, "", about), told


def _with_one_row(session: Session, people: int) -> Outlook | None:
    """The outlook for one row of each of `people` people."""

    def edit(trial: Session) -> None:
        one_row_each(trial)
        trial.release.set_trimming(replace(trial.project.anonymise.trim, expected_rows=people))

    return outlook_after(session, OutlookRemedy("", edit))
