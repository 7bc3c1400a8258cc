"""A statistic of a column whose values lie in a small part of wide bounds."""

from __future__ import annotations

from workbench.core.params import ParamSpec, ParamType
from workbench.query.catalogue import NUMERIC, CheckedQuery, QueryKind
from workbench.query.mechanism import QueryMechanism
from workbench.query.narrowed import Narrowed


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    return Narrowed(asked.grid(), asked["figure"], asked.budget, asked.rows_per_person)


PLUGIN = QueryKind(
    "narrowed",
    "Average, bounds found first",
    "A mean, a sum or a spread within narrower bounds, found with a quarter of ε; for wide bounds that hold hardly any "
    "values at one end.",
    "K. Amin, A. Kulesza, A. Muñoz Medina, S. Vassilvitskii: Bounding user contributions, ICML 2019.",
    (
        *NUMERIC,
        ParamSpec(
            "figure",
            "Statistic",
            ParamType.CHOICE,
            "mean",
            "What is asked within the bounds that are found.",
            choices=(
                ("mean", "mean"),
                ("sum", "sum"),
                ("variance", "variance"),
                ("standard-deviation", "standard deviation"),
            ),
        ),
    ),
    compile_query,
)
