"""Ticks of what a release is for: what is ticked is in the file, the others only where somebody wants them too.

Whoever ticks what a release is for has said what is needed; the rest would cost detail, and tell of people without a
purpose. So with the first tick the others are left out, each other tick takes its column in, and without any all of
them are released again. Names and settings alone decide; no row is read.
"""

from __future__ import annotations

from workbench.anonymise.recipe import Treatment
from workbench.core.column_words import is_place_or_date
from workbench.core.schema import Role
from workbench.session.release.knowledge import matters_most, say_matters_most, take_in
from workbench.session.release.leaving_out import foreseen_if_any, leave_out
from workbench.session.release.spread import listed_names
from workbench.session.release.wishes import has_details
from workbench.session.session import Session

_MANY = 40
"""Of more columns than these a forecast takes a moment, which a tick is not to take."""

_NAMED = 3
"""As many columns are named."""


def left_out(session: Session) -> tuple[str, ...]:
    """The columns that are not in the file and could be ticked; not those that must never leave."""
    project = session.project
    return tuple(
        one.name
        for one in project.schema.columns
        if project.anonymise.treatments.get(one.name) is Treatment.LEAVE_OUT
        and one.role is not Role.IDENTIFYING
        and has_details(session, one.name)
    )


def not_ticked(session: Session) -> tuple[str, ...]:
    """The columns that are not in the file as others are ticked, and they are not."""
    return left_out(session) if any(ticks(session).values()) else ()


def ticks(session: Session) -> dict[str, bool]:
    """By name, whether a column is ticked; those are not there of which that is not asked."""
    spared = frozenset(left_out(session))
    said = {name: name not in spared and matters_most(session, name) for name in session.project.schema.names}
    return {name: most for name, most in said.items() if most is not None}


def others(session: Session) -> tuple[str, ...]:
    """The columns that are in the file though others are ticked and they are not; none while nothing is ticked."""
    return tuple(_released(session)) if any(ticks(session).values()) else ()


def others_tell(session: Session) -> bool:
    """Whether one of the columns that are not ticked is likely to say something in a row if all are in the file too.

    Tried on a copy of the settings; of very many it is not foretold.
    """
    spared, wanted = left_out(session), others(session)
    if not spared or not any(ticks(session).values()) or len(spared) > _MANY:
        return bool(spared or wanted)
    trial = session.snapshot()
    want_others(trial, wanted=True)
    found = foreseen_if_any(trial)
    tells = (line for name in spared for line in (() if found is None else found.lines(name)))
    return found is None or any(max(line.rows) and not line.says_nothing for line in tells)


def tick(session: Session, name: str, *, ticked: bool) -> None:
    """Tick a column as what the release is for, or take its tick away.

    Others that somebody wants too stay, and so does then the column whose tick is taken away.
    """
    wanted = bool(others(session))
    if ticked:
        take_in(session, name)
        if not wanted:
            leave_out([one for one in _released(session) if one != name], session)
    elif not wanted and sum(ticks(session).values()) > 1:
        leave_out((name,), session)
    elif not wanted:
        want_others(session, wanted=True)
    # Once the columns are those of the file: what is ticked is shared among them, whatever was there before.
    say_matters_most(session, name, most=ticked)


def want_others(session: Session, *, wanted: bool) -> None:
    """Let what is not ticked be in the file too, as far as it goes beside what is, or leave it out again."""
    if not wanted:
        leave_out(_released(session), session)
        return
    for name in left_out(session):
        take_in(session, name)
    session.release.steps.mend()


def means_words(session: Session) -> str:
    """That no mean is to be had from the release of numbers in it, in a sentence; "" where it is for none.

    Said before ε is spent, by kinds and names alone: rows with rare numbers, often the large ones, are missing most.
    """
    schema, asked = session.project.schema, ticks(session)
    wanted = [name for name, most in asked.items() if most] or _released(session)
    numbers = [name for name in wanted if schema[name].kind.numeric and not is_place_or_date(name)]
    if not numbers:
        return ""
    named = listed_names(numbers) if len(numbers) <= _NAMED else "these numbers"
    return f"Means of {named} from it would be wrong: ask for them in Query."


def _released(session: Session) -> list[str]:
    """What is in the file, could be ticked and is not."""
    return [name for name in session.release.columns.quasi_identifiers() if matters_most(session, name) is False]
