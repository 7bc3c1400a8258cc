"""An explicit table: one row per value, such as an imported file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from workbench.core.building import (
    NOT_DECLARED,
    Builder,
    BuilderSettings,
    BuilderValues,
    Level,
    Levels,
    ProvenanceAssessment,
)
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Provenance
from workbench.core.params import ParamSpec, ParamType
from workbench.core.schema import ColumnSpec
from workbench.core.table import Column
from workbench.core.trees import faults

_NAMED = 3


def _build(settings: BuilderSettings, material: BuilderValues) -> Levels:
    rows = _rows(settings)
    index = {value: position for position, value in enumerate(material.values)}
    covered = np.array([index[row[0]] for row in rows], dtype=np.intp)
    made: list[Level] = []
    for level in range(1, len(rows[0])):
        column = Column.from_texts("", [row[level] for row in rows])
        made.append((column.codes, column.values))
    return Levels(covered, made, topped=len(rows[0]) > 1 and all(row[-1] == ANY for row in rows))


def _rows(settings: BuilderSettings) -> list[tuple[str, ...]]:
    rows = list(dict.fromkeys(settings.details.rows("rows")))
    if not rows or not all(rows):
        raise WorkbenchError(
            "The table is empty or has an empty row.",
            hint="It needs one row for each value: the value, then its labels.",
            field="rows",
        )
    if len({len(row) for row in rows}) > 1 or len({row[0] for row in rows}) < len(rows):
        found = faults(rows)
        what, values = ("listed twice", found.duplicates) if found.duplicates else ("of another length", found.uneven)
        shown = ", ".join(f"“{value}”" for value in values[:_NAMED])
        raise WorkbenchError(
            f"Rows of the table are {what}: {shown}{' and more' if len(values) > _NAMED else ''}.",
            hint="Keep one row for each value, all with the same number of levels.",
            field="rows",
        )
    return rows


def _listed(settings: BuilderSettings, column: ColumnSpec) -> Sequence[str]:
    return (*(row[0] for row in _rows(settings)), *(column.domain or ()))


def _assess(settings: BuilderSettings, column: ColumnSpec) -> ProvenanceAssessment:
    count = f"{len(_rows(settings)):,} values"
    source = f" from {settings['source']}" if settings["source"] else ""
    if settings["declared"]:
        return ProvenanceAssessment(
            Provenance.PUBLIC, f"A table of {count}{source}, declared to be fixed without the data."
        )
    return ProvenanceAssessment(
        Provenance.DERIVED,
        f"A table of {count}{source}, {NOT_DECLARED}",
        "It becomes public if it was fixed without looking at the data, and you say so.",
    )


def _suggest(column: ColumnSpec) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"top": False}, {"rows": [[value, value] for value in column.domain or ("a", "b")]}


PLUGIN = Builder(
    identifier="table",
    title="Table",
    help="One row for each value, typed or imported.",
    parameters=(
        ParamSpec(
            "declared",
            "Fixed without the data",
            ParamType.SWITCH,
            False,
            "Say yes only if the table was fixed without looking at the data.",
        ),
        ParamSpec("source", "From", ParamType.TEXT, "", "Where the table came from, such as the name of a file."),
    ),
    details=("rows",),
    build=_build,
    assess=_assess,
    suggest=_suggest,
    listed=_listed,
)
