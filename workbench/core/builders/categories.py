"""Values sorted into named groups by hand: a tree."""

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
from workbench.core.hierarchy import ANY, Provenance
from workbench.core.params import ParamSpec, ParamType
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import Column
from workbench.core.trees import tree_rows
from workbench.core.value_orders import distinct_or_refuse


def _build(settings: BuilderSettings, material: BuilderValues) -> Levels:
    rows = settings.once(_rows)
    index = {value: position for position, value in enumerate(material.values)}
    covered = np.array([index[row[0]] for row in rows], dtype=np.intp)
    made: list[Level] = []
    for level in range(1, len(rows[0])):
        column = Column.from_texts("", [row[level] for row in rows])
        made.append((column.codes, column.values))
    return Levels(covered, made, topped=len(rows[0]) > 1 and all(row[-1] == ANY for row in rows))


def _rows(settings: BuilderSettings) -> list[tuple[str, ...]]:
    trees = settings.details.plain.get("tree", [])
    rows = tree_rows(trees if isinstance(trees, list) else [trees])
    distinct_or_refuse([row[0] for row in rows], "The tree")
    return rows


def _listed(settings: BuilderSettings, column: ColumnSpec) -> Sequence[str]:
    return (*(row[0] for row in settings.once(_rows)), *(column.domain or ()))


def _assess(settings: BuilderSettings, column: ColumnSpec) -> ProvenanceAssessment:
    count = f"{len(settings.once(_rows)):,} values"
    if settings["declared"]:
        return ProvenanceAssessment(Provenance.PUBLIC, f"A tree of {count}, fixed without the data.")
    # Where its values come from is not known: it may be a file that was imported.
    return ProvenanceAssessment(
        Provenance.DERIVED,
        f"A tree of {count}, {NOT_DECLARED}",
        "It becomes public if its groups were fixed without looking at the data, and you say so.",
    )


def _suggest(column: ColumnSpec) -> tuple[dict[str, Any], dict[str, Any]]:
    values = list(column.domain or ("a", "b"))
    return {"declared": column.domain is not None}, {"tree": [{"label": ANY, "children": values}]}


PLUGIN = Builder(
    identifier="categories",
    title="Categories",
    help="Values sorted into named groups by hand.",
    parameters=(
        ParamSpec(
            "declared",
            "Fixed without the data",
            ParamType.SWITCH,
            False,
            "Say yes only if the groups were fixed without looking at the data, such as countries by continent.",
        ),
    ),
    details=("tree",),
    build=_build,
    assess=_assess,
    suggest=_suggest,
    listed=_listed,
    suits=lambda column: {Kind.CATEGORY: 2, Kind.ORDERED: 1}.get(column.kind, 0),
)
