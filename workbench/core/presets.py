"""Specifications of hierarchies that one click applies."""

from __future__ import annotations

from typing import Any

from workbench.core.building import specification
from workbench.core.schema import ColumnSpec


def pairs_of_means(column: ColumnSpec, *, levels: int = 7) -> dict[str, Any]:
    """The preset for salaries: distinct values sorted, pairs joined again and again, each group its mean.

    Parameters
    ----------
    levels
        Levels above the ground; the last is `*`, the others arithmetic means rounded to cents. The result is
        data-derived, whatever the column.
    """
    means = [{"group": 2, "function": "mean", "decimals": 2} for _ in range(levels - 1)]
    return specification("order", {"order": "number"}, {"levels": means}, column=column)
