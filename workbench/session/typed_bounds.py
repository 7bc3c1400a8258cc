"""Bounds, values and numbers of people that somebody typed in one room, for the others to offer."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact, file_text
from workbench.core.occurring import Entries, parted, ranges_of
from workbench.core.occurring_listed import saved_entries
from workbench.evaluate.experiment_edits import USUAL_PEOPLE
from workbench.evaluate.question import UNNAMED
from workbench.ldp.encoding import EncodingChoice
from workbench.project.experiments import CompareSettings
from workbench.project.model import Project
from workbench.query.catalogue import QUERIES, QueryDraft
from workbench.query.partition import listed, listing
from workbench.query.relevance import (
    PREFIXES,
    column_of,
    columns_without_bounds,
    columns_without_values,
    is_measured,
)
from workbench.session.bought_bounds import typed_bounds
from workbench.session.comparison_typed import typed_schema

Bounds = tuple[float, float]


def bounds_typed(project: Project, column: str) -> tuple[Bounds, str] | None:
    """The bounds of a column as typed in Anonymise, Compare, Collect or Query, and in which; None if in none.

    They are the person's own words, said to be public when they were typed: nothing here is read from the data.
    """
    return next(_typed(project, column), None)


def values_typed(project: Project, column: str) -> tuple[tuple[str, ...], str] | None:
    """The possible values of a column as typed in Anonymise, Compare or Collect, and in which; None if in none.

    Like bounds, they are the person's own words. One alone is a list that was only begun.
    """
    said = parted(_said(project, column, "spelling", numeric=False))
    if len(said) > 1:
        return said, "Anonymise"
    asked = [one.experiment.question for one in project.comparing.documents]
    typed = [(one.column, one.encoding.domain, "Compare") for one in asked]
    for name, domain, room in (*typed, (project.collect.column, project.collect.encoding.domain, "Collect")):
        if name == column and domain is not None and len(domain) > 1:
            return domain, room
    return None


def values_counted(project: Project, column: str) -> tuple[str, ...]:
    """The values of a column that are listed in Query, to be counted; () where fewer than two are, or numbers.

    They are the person's own words, too, but may be a part of what is possible.
    """
    draft = project.queries.draft
    if column not in project.schema.names or is_measured(project.schema[column]):
        return ()
    for prefix in PREFIXES:
        if draft.values.get(f"{prefix}column") == column:
            with contextlib.suppress(WorkbenchError):  # it is told where it was typed
                typed = listed(str(draft.values.get(f"{prefix}keys") or ""), f"{prefix}keys")
                return typed if len(set(typed)) == len(typed) > 1 else ()
    return ()


def typed_elsewhere(project: Project, column: str, besides: EncodingChoice, *, counted: bool = False) -> EncodingChoice:
    """What was typed of a column here, with the bounds or values of another room where there are none.

    Those of a question in hand are public as well: whoever typed them said so. What is declared needs none.

    Parameters
    ----------
    besides
        What was typed here.
    counted
        Whether a list to be counted in Query is taken, where no other room has one.
    """
    if column not in project.schema.names:
        return besides
    public = project.schema[column].declared()
    if public.kind.numeric and (public.bounds, besides.bounds) == (None, None):
        bounds = bounds_typed(project, column)
        return besides if bounds is None else replace(besides, bounds=bounds[0])
    if not public.kind.numeric and (public.domain, besides.domain) == (None, None):
        values = values_typed(project, column)
        found = values[0] if values is not None else values_counted(project, column) if counted else ()
        return replace(besides, domain=found) if found else besides
    return besides


def carried_to_query(project: Project, draft: QueryDraft) -> QueryDraft:
    """A question about another column with what was typed of it in another room, where it lacks bounds or values.

    As if it were typed here once more: what is vouched for and charged is what it would be then, and nothing is
    declared by it.
    """
    before = project.queries.draft
    values = dict(draft.values)
    for prefix, column in columns_without_bounds(draft, project.schema):
        known = bounds_typed(project, column)
        if known is not None and before.values.get(f"{prefix}column") != column:
            values |= {f"{prefix}{end}": file_text(at) for end, at in zip(("lower", "upper"), known[0], strict=True)}
    for prefix, column in columns_without_values(draft, project.schema):
        said = values_typed(project, column)
        text = listing(said[0]) if said is not None and before.values.get(f"{prefix}column") != column else ""
        if text:
            values[f"{prefix}keys"] = text
    return draft if values == dict(draft.values) else replace(draft, values=MappingProxyType(values))


def people_typed(project: Project, besides: str, *, looked: bool = False) -> tuple[int, str] | None:
    """How many people were typed in Compare, in Query or in Collect, but not in `besides`, and where; None if in none.

    Rows of Query are people where each has one, and no filter leaves some out; after a look they may be those counted.
    """
    comparing, collect, draft = project.comparing, project.collect, project.queries.draft
    if besides != "Compare" and 0 <= comparing.current < len(comparing.documents):
        people = comparing.documents[comparing.current].experiment.users
        # What an experiment begins with was typed by nobody.
        if people not in (None, USUAL_PEOPLE):
            return people, "Compare"
    alike = not looked and project.schema.unit.rows_per_person == 1 and not draft.where.strip()
    if besides != "Query" and draft.rows_typed and draft.assumed_rows > 0 and alike:
        return draft.assumed_rows, "Query"
    return None if besides == "Collect" or collect.users is None else (collect.users, "Collect")


def rows_for_query(project: Project, *, looked: bool) -> tuple[int, str] | None:
    """How many people were typed in another room, for Query to take as rows, and where; None if none were.

    After a look a number may be that of the rows, and where a person has several it is another one.
    """
    if looked or project.schema.unit.rows_per_person != 1 or project.queries.draft.says_rows:
        return None
    if _compares_another(project):
        return people_typed(replace(project, comparing=CompareSettings()), "Query")
    return people_typed(project, "Query")


def _compares_another(project: Project) -> bool:
    """Whether what is compared has no name, and cannot be the question of Query: words for numbers, or the reverse.

    It was typed without a table, and hardly of this one; numbers for numbers it may have been.
    """
    comparing, draft = project.comparing, project.queries.draft
    if not 0 <= comparing.current < len(comparing.documents) or draft.kind not in QUERIES:
        return False
    question, spec = comparing.documents[comparing.current].experiment.question, column_of(draft, project.schema)
    if question.column not in ("", UNNAMED) or spec is None:
        return False
    return typed_schema(question).columns[0].kind.numeric is not spec.kind.numeric


def bounds_for_query(project: Project) -> tuple[str, Bounds, str] | None:
    """The bounds typed in another room for the column of the question in Query, where it lacks bounds.

    The column, its bounds, and the room; None if nothing is lacking or nothing was typed.
    """
    draft = project.queries.draft
    for prefix, column in columns_without_bounds(draft, project.schema):
        known = next((one for one in _typed(project, column) if one[1] != "Query" or prefix), None)
        if known is not None:
            return column, *known
    return None


def values_for_query(project: Project) -> tuple[str, tuple[str, ...], str] | None:
    """The possible values typed in another room for a column of the question in Query, where it lacks them.

    The column, its values, and the room; None if nothing is lacking or nothing was typed. What is listed in Query
    itself may be a part of what is possible, and is offered to nobody.
    """
    for _, column in columns_without_values(project.queries.draft, project.schema):
        known = values_typed(project, column)
        if known is not None:
            return column, *known
    return None


def bounds_words(bounds: Bounds) -> str:
    """Bounds in few words."""
    return f"{exact(bounds[0])} to {exact(bounds[1])}"


def _said(project: Project, column: str, builder: str, *, numeric: bool) -> Entries:
    """What was typed for a release that can occur in a column of numbers or words, with such a rule or none.

    Of codes it is typed how they begin, which is neither a bound nor a value.
    """
    typed, hierarchy = project.anonymise.trim.occurring.get(column, ""), project.hierarchies.get(column)
    if not typed or column not in project.schema.names:
        return ()
    kind, rule = project.schema[column].kind, None if hierarchy is None else hierarchy.specification
    fits = hierarchy is None or (rule is not None and rule["builder"] == builder)
    return saved_entries(typed) if fits and not kind.temporal and kind.numeric is numeric else ()


def _range_said(project: Project, column: str) -> Bounds | None:
    """From the least to the greatest number that was said to occur; None where that is no range."""
    try:
        ends = [end for span in ranges_of(_said(project, column, "intervals", numeric=True)) for end in span]
    except WorkbenchError:  # it is told where it was typed
        return None
    # Of one number it was hardly meant that nothing else occurs.
    return (min(ends), max(ends)) if ends and min(ends) < max(ends) else None


def _typed(project: Project, column: str) -> Iterator[tuple[Bounds, str]]:
    said = _range_said(project, column)
    if said is not None:
        yield said, "Anonymise"
    for document in project.comparing.documents:
        question = document.experiment.question
        if question.column == column and question.encoding.bounds is not None:
            yield question.encoding.bounds, "Compare"
    if project.collect.column == column and project.collect.encoding.bounds is not None:
        yield project.collect.encoding.bounds, "Collect"
    asked = typed_bounds(project.queries.draft, project.schema)
    if asked is not None and asked[0] == column:
        yield asked[1:], "Query"
