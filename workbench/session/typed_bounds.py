"""Bounds that somebody typed for a column in one room, for the others to offer."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.core.number_text import exact
from workbench.project.model import Project
from workbench.session.bought_bounds import typed_bounds

Bounds = tuple[float, float]


def bounds_typed(project: Project, column: str) -> tuple[Bounds, str] | None:
    """The bounds of a column as they were typed in Compare, Collect or Query, and in which of them; None if in none.

    They are the person's own words, said to be public when they were typed: nothing here is read from the data.
    """
    return next(_typed(project, column), None)


def bounds_words(bounds: Bounds) -> str:
    """Bounds in few words."""
    return f"{exact(bounds[0])} to {exact(bounds[1])}"


def _typed(project: Project, column: str) -> Iterator[tuple[Bounds, str]]:
    for document in project.comparing.documents:
        question = document.experiment.question
        if question.column == column and question.encoding.bounds is not None:
            yield question.encoding.bounds, "Compare"
    if project.collect.column == column and project.collect.encoding.bounds is not None:
        yield project.collect.encoding.bounds, "Collect"
    asked = typed_bounds(project.queries.draft, project.schema)
    if asked is not None and asked[0] == column:
        yield asked[1:], "Query"
