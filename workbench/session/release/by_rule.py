"""Decisions of a release by a public rule, where anything else of the program may stop and say what it found.

That a release is refused, and why, is something that its readers learn. So whether there is one must not follow from
the rows: of a person nobody counts the rows, but no more than declared take part; and a value that must not be there
is taken for a missing one. Both look at one row, or at the rows of one person, and at nothing else.
"""

from __future__ import annotations

from dataclasses import replace

from workbench.core.filter_rules import And
from workbench.core.filtering import Filter, parse
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import ColumnSpec, Misfits
from workbench.core.table import Table
from workbench.core.working_table import Preparation, PreparedTable
from workbench.engines.dispatch import engine_of
from workbench.project.model import Project
from workbench.session.state import SessionState
from workbench.session.working_table import preparation_source, working_table


def limits_rows(project: Project) -> bool:
    """Whether of each person no more rows take part in a release than were declared; see `Preparation.limits`."""
    return project.preparation.limits(project.schema)


def without_stops(project: Project) -> Project:
    """The project in which a value that does not fit its column is missing where it would stop everything."""
    strict = [column.name for column in project.schema.columns if column.misfits is Misfits.STOP]
    if not strict:
        return project
    schema = project.schema.changed(strict, lambda column: replace(column, misfits=Misfits.MISSING))
    return replace(project, schema=schema)


def fitting_table(state: SessionState, progress: Progress = SILENT) -> PreparedTable:
    """The working table, in which what would stop everything is missing; made now if it is not there."""
    project = without_stops(state.project)
    return working_table(state if project is state.project else replace(state, project=project), progress)


def release_table(state: SessionState, progress: Progress = SILENT) -> PreparedTable:
    """The working table of a release: no person has more rows in it than were declared."""
    made, project = fitting_table(state, progress.part(0.0, 0.7)), state.project
    if project.preparation.limit_rows or not limits_rows(project):
        return made
    engine, fitting = engine_of(made.table), project.schema.changed(project.schema.names, _as_it_is)
    source = preparation_source(project.anonymise.seed)
    limited = engine.prepare(fitting, Preparation(limit_rows=True), source, progress.part(0.7, 1.0))
    return replace(made, table=limited.table, without_person=limited.without_person, over_limit=limited.over_limit)


def matching_table(state: SessionState, where: Filter, progress: Progress = SILENT) -> Table:
    """The working table of limited rows with a further filter, which comes before rows are drawn.

    Where it came after the draw, whoever has a row that matches would often be missed. One person more or less changes
    the rows of that person alone, which are no more than were declared, in either order. Chance is fresh, a research
    sample's too: of no two answers it is said that they are of the same draw.

    Parameters
    ----------
    where
        The filter of a question.
    """
    project = without_stops(state.project)
    schema, preparation = project.schema, project.preparation
    if preparation.where.strip():
        where = Filter(And((parse(preparation.where, schema).rule, where.rule)))
    engine, source = engine_of(state.opened.reading.table), preparation_source(project.anonymise.seed)
    return engine.prepare(schema, replace(preparation, where=str(where)), source, progress).table


def judged_table(state: SessionState) -> PreparedTable:
    """The rows that a claim is judged by, which stops at nothing and makes nothing that takes its time."""
    if without_stops(state.project) is state.project:
        return working_table(state)
    table = state.opened.reading.table
    return PreparedTable(table, table, table.rows)


def _as_it_is(column: ColumnSpec) -> ColumnSpec:
    return replace(column, misfits=Misfits.KEEP)
