"""The first count above a threshold."""

from __future__ import annotations

from dataclasses import replace

from workbench.core.errors import WorkbenchError
from workbench.core.filtering import parse
from workbench.core.params import ParamSpec, ParamType
from workbench.query.catalogue import CELLS, CheckedQuery, QueryKind
from workbench.query.mechanism import QueryMechanism
from workbench.query.selection import AboveThresholdQuery

_MOST = 10_000


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    lines = [line.strip() for line in asked["questions"].splitlines() if line.strip()]
    if bool(lines) == bool(asked["column"]):
        raise WorkbenchError(
            "Either a column or a list of filters says what is counted.",
            hint="Choose a column, whose cells are counted in their order, or write one filter per line.",
            field="questions",
        )
    if len(lines) > _MOST:
        raise WorkbenchError(f"More than {_MOST:,} filters.", hint="Ask fewer questions.", field="questions")
    threshold, persons = asked["threshold"], asked.rows_per_person
    if lines:
        schema = asked.declared
        filters = tuple(parse(line, schema) for line in lines)
        return AboveThresholdQuery(lines, threshold, asked.budget, persons, filters=filters, schema=schema)
    cells = asked.partition()
    return AboveThresholdQuery(cells.labels, threshold, asked.budget, persons, cells=cells)


PLUGIN = QueryKind(
    "above-threshold",
    "Above threshold",
    "Which of several counts is the first above a threshold, or none. However many are asked, ε is spent once.",
    "M. Lyu, D. Su, N. Li: Understanding the sparse vector technique, VLDB 2017.",
    (
        ParamSpec(
            "threshold", "Threshold", ParamType.INTEGER, 100, "A count above this many rows is wanted.", unit="rows"
        ),
        ParamSpec(
            "questions",
            "Filters",
            ParamType.LINES,
            "",
            "One filter per line; the rows that match each are counted, in this order. Instead of a column.",
        ),
        replace(CELLS[0], default="", help="The column whose cells are counted in their order. Instead of filters."),
        *CELLS[1:],
    ),
    compile_query,
)
