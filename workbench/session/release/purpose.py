"""What a release is for: what is ticked is in the file, and the others only where somebody wants them too.

Whoever ticks what a release is for has said what is needed; the rest would cost detail, and tell of people without a
purpose. So with the first tick the others are left out, each other tick takes its column in, and without any all of
them are released again. Names and settings alone decide; no row is read.
"""

from __future__ import annotations

from workbench.anonymise.recipe import Treatment
from workbench.core.errors import WorkbenchError
from workbench.core.schema import Role
from workbench.session.release.knowledge import matters_most, say_matters_most, take_in, with_it
from workbench.session.release.leaving_out import leave_out
from workbench.session.release.wishes import offers_details
from workbench.session.session import Session


def left_out(session: Session) -> tuple[str, ...]:
    """The columns that are not in the file and could be ticked; not those that must never leave."""
    project = session.project
    spared = (
        one.name
        for one in project.schema.columns
        if project.anonymise.treatments.get(one.name) is Treatment.LEAVE_OUT and one.role is not Role.IDENTIFYING
    )
    return tuple(name for name in spared if _can_be_ticked(session, name))


def ticks(session: Session) -> dict[str, bool]:
    """By name, whether a column is ticked; those are not there of which that is not asked."""
    spared = left_out(session)
    found: dict[str, bool] = {}
    for name in session.project.schema.names:
        most = False if name in spared else matters_most(session, name)
        if most is not None:
            found[name] = most
    return found


def others(session: Session) -> tuple[str, ...]:
    """The columns that are in the file though others are ticked and they are not; none while nothing is ticked."""
    found, spared = ticks(session), left_out(session)
    return tuple(name for name, most in found.items() if not most and name not in spared) if any(found.values()) else ()


def tick(session: Session, name: str, *, ticked: bool) -> None:
    """Tick a column as what the release is for, or take its tick away.

    Others that somebody wants too stay, and so does then the column whose tick is taken away.
    """
    wanted = bool(others(session))
    if ticked:
        take_in(session, name)
        if not wanted:
            leave_out([one for one in _released(session) if one != name], session)
        say_matters_most(session, name, most=True)
        return
    say_matters_most(session, name, most=False)
    if not any(ticks(session).values()):
        want_others(session, wanted=True)
    elif not wanted:
        leave_out((name,), session)


def want_others(session: Session, *, wanted: bool) -> None:
    """Let what is not ticked be in the file too, as far as it goes beside what is, or leave it out again."""
    if not wanted:
        leave_out(_released(session), session)
        return
    for name in left_out(session):
        take_in(session, name)
    session.release.steps.mend()


def _released(session: Session) -> list[str]:
    """What is in the file, could be ticked and is not."""
    return [name for name in session.release.columns.quasi_identifiers() if matters_most(session, name) is False]


def _can_be_ticked(session: Session, name: str) -> bool:
    try:
        return offers_details(with_it(session, name), name)
    except WorkbenchError:
        return False
