"""Facts about a hierarchy and how it covers a column, for a preview, a report or a command line."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from workbench.core.building import assess, specification
from workbench.core.column_facts import coverage
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.interval_labels import misplaced
from workbench.core.schema import ColumnSpec
from workbench.core.table import Column
from workbench.core.trees import as_table, rows_tree


@dataclass(frozen=True)
class CheckReport:
    """A hierarchy beside a column. Everything counted from the column is for the analyst only.

    Parameters
    ----------
    levels, values
        Levels above the ground, and ground values.
    groups
        Labels per level from the ground up.
    rows, uncovered_rows
        Rows of the column, and how many of them hold a value the hierarchy misses; None without a column.
    uncovered
        Those values.
    smallest_groups
        Rows of the smallest label of each level that occurs; None without a column.
    duplicates, not_nested
        Values listed more than once, and groups torn apart by a higher level with the values of their smaller
        parts. A finished hierarchy has neither; rows that are still being edited may.
    nested
        Whether every level is coarser than the one before.
    misplaced
        Labels that read as intervals of numbers, with the level and the listed numbers that they do not hold. It is
        said, and keeps nobody from using the hierarchy.
    provenance, origin, how_public
        Whether it is public, how it was made, and how it could be public if it is not.
    """

    levels: int
    values: int
    groups: tuple[int, ...]
    rows: int | None
    uncovered: tuple[str, ...]
    uncovered_rows: int | None
    smallest_groups: tuple[int, ...] | None
    duplicates: tuple[str, ...]
    nested: bool
    not_nested: tuple[dict[str, Any], ...]
    provenance: str
    origin: str
    how_public: str
    misplaced: tuple[dict[str, Any], ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The same as JSON would hold it."""
        plain = asdict(self)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in plain.items()}


def check(hierarchy: Hierarchy, column: Column | None = None, spec: ColumnSpec | None = None) -> CheckReport:
    """Describe a hierarchy, and if a column is given how it meets it."""
    met = None if column is None else coverage(hierarchy, column)
    smallest = None
    if met is not None:
        totals = [met.rows_per_label(hierarchy, level) for level in range(hierarchy.height + 1)]
        smallest = tuple(int(total[total > 0].min(initial=len(column or ()))) for total in totals)
    return CheckReport(
        levels=hierarchy.height,
        values=len(hierarchy.values),
        groups=hierarchy.groups(),
        rows=None if column is None else len(column),
        uncovered=() if met is None else met.uncovered,
        uncovered_rows=None if met is None else met.uncovered_rows,
        smallest_groups=smallest,
        duplicates=(),
        nested=True,
        not_nested=(),
        provenance=hierarchy.provenance.value,
        origin=hierarchy.origin,
        how_public=public_instead(hierarchy, spec),
        misplaced=tuple({**asdict(one), "values": list(one.values)} for one in misplaced(hierarchy)),
    )


def public_instead(hierarchy: Hierarchy, spec: ColumnSpec | None = None) -> str:
    """Advice on what to declare so that a data-derived hierarchy would be public; "" if it is public."""
    if hierarchy.provenance is Provenance.PUBLIC:
        return ""
    if hierarchy.specification is not None:
        hint = assess(hierarchy.specification, spec).how_public
        if hint:
            return hint
    return "Build it from declared bounds, a declared domain or a list that was fixed without looking at the data."


def reopened(hierarchy: Hierarchy) -> dict[str, Any]:
    """The specification a hierarchy re-opens with: its own, or for an imported one the tree it amounts to."""
    if hierarchy.specification is not None:
        return dict(hierarchy.specification)
    return as_categories(hierarchy)


def as_categories(hierarchy: Hierarchy) -> dict[str, Any]:
    """The tree of categories with the same labels, to go on by hand from any hierarchy.

    A public hierarchy gives a tree declared to be fixed without the data, any other one a tree that is not.
    """
    declared = hierarchy.provenance is Provenance.PUBLIC
    if hierarchy.height == 0:
        return specification("table", {"top": False, "declared": declared}, {"rows": as_table(hierarchy)})
    return specification("categories", {"top": False, "declared": declared}, {"tree": rows_tree(hierarchy.rows())})
