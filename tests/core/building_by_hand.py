"""Hierarchies that are built from what a test types, and how they are read."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.core.building import build_hierarchy, specification
from workbench.core.hierarchy import Hierarchy
from workbench.core.schema import ColumnSpec, Format, Kind

WHOLE = ColumnSpec("", Kind.INTEGER)
DECIMAL = ColumnSpec("", Kind.DECIMAL)
TEXT = ColumnSpec("", Kind.TEXT)
DATE = ColumnSpec("", Kind.DATE, format=Format(pattern="%Y-%m-%d"))
BASE = [{"from": 0, "to": 10}]


def built(
    builder: str,
    values: str | list[str],
    parameters: dict[str, Any] | None = None,
    details: dict[str, Any] | None = None,
    column: ColumnSpec = TEXT,
    counts: list[int] | None = None,
) -> Hierarchy:
    listed = values.split() if isinstance(values, str) else values
    numbers = None if counts is None else np.array(counts)
    return build_hierarchy(specification(builder, parameters, details), listed, numbers, column)


def table(hierarchy: Hierarchy) -> list[str]:
    return [";".join(row) for row in hierarchy.rows()]


def levels(*functions: str, group: int = 2, **more: Any) -> list[dict[str, Any]]:
    return [{"group": group if place else 1, "function": name, **more} for place, name in enumerate(functions)]
