"""A count for each group, where nobody says which groups there are."""

from __future__ import annotations

from workbench.core.amount_text import read_amount
from workbench.core.params import ParamSpec, ParamType
from workbench.query.catalogue import COLUMN, CheckedQuery, QueryKind
from workbench.query.mechanism import QueryMechanism
from workbench.query.undeclared import UndeclaredGroups, delta_of


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    delta = delta_of(asked["delta"], read_amount(asked["delta"], "delta"))
    return UndeclaredGroups(asked.column().declared(), asked.budget, delta, asked.rows_per_person)


PLUGIN = QueryKind(
    "undeclared-groups",
    "Group by unknown values",
    "How many rows each value has, where nobody says which values there are. Values that enough rows have appear, with "
    "fewer rows than they have; rare ones do not. That costs a δ beside ε.",
    "D. Desfontaines, J. Voss, B. Gipson, C. Mandayam: Differentially private partition selection, PoPETs 2022(1).",
    (
        COLUMN,
        ParamSpec(
            "delta",
            "δ",
            ParamType.TEXT,
            "1e-5",
            "The most that the chance may be with which a value appears that a single person has. At most 1 "
            "divided by a hundred times the number of people: 1e-5 is for up to 1,000.",
        ),
    ),
    compile_query,
    examples=({"column": "town", "delta": "0.1"}, {"column": "age", "delta": "0.05"}),
)
