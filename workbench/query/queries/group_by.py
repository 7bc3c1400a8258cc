"""A count, sum or mean for each group."""

from __future__ import annotations

from dataclasses import replace

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType
from workbench.query.averages import Averages
from workbench.query.catalogue import (
    ALIKE,
    BINS,
    COLUMN,
    EDGES,
    KEYS,
    LOWER,
    MISSING,
    OTHER,
    OUTSIDE,
    POST,
    RESOLUTION,
    UPPER,
    CheckedQuery,
    QueryKind,
)
from workbench.query.counts import DisjointCounts
from workbench.query.mechanism import QueryMechanism
from workbench.query.numeric import Sums


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    groups = asked.partition("by_")
    if asked["statistic"] == "count":
        return DisjointCounts((groups,), asked.budget, asked.rows_per_person, asked["post"])
    if not asked["column"]:
        raise WorkbenchError(
            f"The column whose {asked['statistic']} is wanted is missing.", hint="Choose one.", field="column"
        )
    what = Sums if asked["statistic"] == "sum" else Averages
    return what(asked.grid(), groups, asked.budget, asked.rows_per_person)


def _by(spec: ParamSpec) -> ParamSpec:
    return replace(spec, name=f"by_{spec.name}", title=f"Groups: {spec.title}")


PLUGIN = QueryKind(
    "group-by",
    "Group by",
    "A count, sum or mean for each public group. A row is in one group only, so ε is spent once.",
    "F. McSherry: Privacy integrated queries, SIGMOD 2009 (partition by public keys).",
    (
        replace(COLUMN, name="by_column", title="Groups of", help="The column whose values or ranges are the groups."),
        *map(_by, (KEYS, LOWER, UPPER, BINS, EDGES)),
        OUTSIDE,
        OTHER,
        ALIKE,
        ParamSpec(
            "statistic",
            "Of each group",
            ParamType.CHOICE,
            "count",
            "What is computed for each group.",
            choices=(("count", "count"), ("sum", "sum"), ("mean", "mean")),
        ),
        replace(COLUMN, default="", help="The column that is added up or averaged."),
        LOWER,
        UPPER,
        RESOLUTION,
        MISSING,
        POST,
    ),
    compile_query,
)
