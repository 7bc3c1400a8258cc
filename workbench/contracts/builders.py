"""Contracts of hierarchy builders: a specification makes the same again, and public means what it says."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence

import numpy as np

from workbench.contracts.contract import Contract, Untried, demand
from workbench.core.building import BUILDERS, Builder, BuilderValues, assess, build_hierarchy, normalised, specification
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.schema import ColumnSpec, Format, Kind
from workbench.core.trust import TRUST

COLUMNS: tuple[ColumnSpec, ...] = (
    ColumnSpec("", Kind.INTEGER),
    ColumnSpec("", Kind.DECIMAL),
    ColumnSpec("", Kind.MONEY),
    ColumnSpec("", Kind.TEXT),
    ColumnSpec("", Kind.CATEGORY, domain=("1", "7", "12", "30")),
    ColumnSpec("", Kind.DATE, format=Format(pattern="%Y-%m-%d")),
    ColumnSpec("", Kind.INTEGER, bounds=(0, 90)),
)
_NUMBERS, _DATES = ("1", "7", "12", "30"), ("2024-01-05", "2024-01-19", "2024-03-02", "2025-03-02")


def starts(builder: Builder) -> Iterator[tuple[dict[str, object], ColumnSpec, Sequence[str]]]:
    """Specifications that the builder itself suggests and that work, with their column and values."""
    for column in COLUMNS:
        values = _DATES if column.kind.temporal else _NUMBERS
        try:
            parameters, details = builder.suggest(column)
            plain = specification(builder.identifier, parameters, details, column=column)
            build_hierarchy(plain, values, np.ones(len(values), dtype=np.int64), column)
        except WorkbenchError:
            continue
        yield plain, column, values


def made_again(hierarchy: Hierarchy, column: ColumnSpec) -> None:
    """`Broken` unless the specification of a hierarchy survives JSON and builds the same over the same values."""
    plain = hierarchy.specification
    if plain is None:
        demand(False, "the hierarchy does not know its specification.")
        return
    demand(plain == normalised(json.loads(json.dumps(plain))), "its specification does not survive JSON.")
    counts = np.ones(len(hierarchy.values), dtype=np.int64)
    again = build_hierarchy(plain, BuilderValues(hierarchy.values, counts, column))
    demand(sorted(again.rows()) == sorted(hierarchy.rows()), "built again, the hierarchy is another one.")
    demand(
        (again.provenance, again.origin) == (hierarchy.provenance, hierarchy.origin),
        "built again, it is said to come from elsewhere.",
    )


def labels_follow_from_values(plain: dict[str, object], column: ColumnSpec, values: Sequence[str]) -> None:
    """`Broken` if the label of a value, or the height, depends on which other values occur and how often."""
    listed: dict[str, tuple[str, ...]] = {}
    for size in range(1, len(values) + 1):
        for subset in itertools.combinations(values, size):
            counts = np.arange(1, size + 1, dtype=np.int64) ** 3
            try:
                rows = build_hierarchy(plain, subset, counts, column).rows()
            except WorkbenchError as error:
                demand(False, f"it says it is public, and cannot be built over {', '.join(subset)}: {error.message}")
            for row in rows:
                known = listed.setdefault(row[0], row)
                demand(
                    known == row,
                    f"it says it is public, and “{row[0]}” is {' → '.join(known)} or {' → '.join(row)} depending on "
                    "which other values occur.",
                )


def _specified(builder: Builder) -> str:
    tried = 0
    for plain, column, values in starts(builder):
        made_again(build_hierarchy(plain, values, np.ones(len(values), dtype=np.int64), column), column)
        tried += 1
    demand(tried > 0, "what it suggests to start from works for no column.")
    return f"{tried} suggestions build, and build the same again."


def _public(builder: Builder) -> str:
    tried = 0
    for plain, column, values in starts(builder):
        if _says_public(plain, column):
            labels_follow_from_values(plain, column, values)
            tried += 1
    if not tried:
        raise Untried("it calls nothing that it suggests public.")
    return f"{tried} suggestions, over every choice of values: labels follow from the value alone."


def _says_public(plain: dict[str, object], column: ColumnSpec) -> bool:
    """Whether the builder calls the hierarchy public, be it trusted or not."""
    with TRUST.within((BUILDERS.origin(str(plain["builder"])),)):
        return assess(plain, column).provenance is Provenance.PUBLIC


CONTRACTS: tuple[Contract[Builder], ...] = (
    Contract("specification", _specified),
    Contract("public means public", _public),
)
