"""The number of rows that one person may have: what it costs, and what fewer would bring, from no row of the table."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from workbench.anonymise._trim_solving import rows_needed
from workbench.core.number_text import estimate
from workbench.core.schema import PrivacyUnit
from workbench.project.model import Project
from workbench.session.session import Session


def cost_of_rows(project: Project, rows: int) -> tuple[str, str]:
    """The cost of letting a person have several rows rather than one, in short and in full; "" for one.

    The noise of an answer grows with the rows that one person can change. The group that comes out half of the time,
    about one row more than a large group gives up on average, follows from ε and δ, here of one step: more
    steps share them, which changes little of how many times as large it is.
    """
    if rows == 1:
        return "", ""
    settings = project.anonymise.guarantee
    try:
        one, many = (rows_needed(settings.epsilon, settings.delta, each)[0] for each in (1, rows))
        times, lost = estimate(many / one, 2), estimate((many - 1) / (one - 1), 2)
    except (ArithmeticError, ValueError):  # no promise is made with such numbers, which are refused elsewhere
        return f"{rows:,} × the noise", f"{rows:,} rows rather than one cost {rows:,} × the noise in answers."
    return (
        f"{rows:,} × the noise, groups lose {lost} × as much",
        f"{rows:,} rows rather than one cost {rows:,} × the noise in answers. Each group of a release gives up about "
        f"{lost} × as many rows, and must be about {times} × as large to come out.",
    )


def protect(session: Session, unit: PrivacyUnit) -> None:
    """Say who is protected. Where one row of each person takes part since, or did before, other ones are expected."""
    before = _one_of_several(session.project.schema.unit)
    session.data.set_unit(unit)
    trim = session.project.anonymise.trim
    if _one_of_several(unit) is not before and trim.expected_rows is not None:
        session.release.set_trimming(replace(trim, expected_rows=None))


def _one_of_several(unit: PrivacyUnit) -> bool:
    """Whether one row takes part of each person, who may have more in the table."""
    return unit.rows_per_person == 1 and bool(unit.person_column)


def one_row_each(session: Session) -> None:
    """Let one row of each person take part, which the program sees to where a column says whose rows they are."""
    protect(session, replace(session.project.schema.unit, rows_per_person=1))


def people_expected(project: Project) -> tuple[int, int] | None:
    """How many people there are at the least and the most, if so many rows are expected of people with several.

    None where nobody said how many rows, a person has one, or no column says whose rows they are, so that nothing but
    the person's word limits them.
    """
    unit, rows = project.schema.unit, project.anonymise.trim.expected_rows
    if rows is None or unit.rows_per_person == 1 or not unit.person_column:
        return None
    return ceil(rows / unit.rows_per_person), rows
