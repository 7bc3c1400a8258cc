"""How many values lie beyond bounds."""

from __future__ import annotations

from workbench.query.catalogue import COLUMN, LOWER, UPPER, Asked, QueryKind
from workbench.query.counting import Counts
from workbench.query.grid import bounds_of
from workbench.query.mechanism import Mechanism
from workbench.query.partition import beyond


def compile_query(asked: Asked) -> Mechanism:
    spec = asked.column()
    bounds = bounds_of(spec, asked["lower"], asked["upper"])
    return Counts((beyond(spec, *bounds),), asked.budget, asked.rows_per_person)


PLUGIN = QueryKind(
    "limited",
    "Values beyond bounds",
    "How many values lie below and above bounds, where other questions count them as the bound. A value is on one side "
    "only, so ε is spent once.",
    "A. Ghosh, T. Roughgarden, M. Sundararajan: Universally utility-maximizing privacy mechanisms, STOC 2009.",
    (COLUMN, LOWER, UPPER),
    compile_query,
)
