"""A preview of a specification on a column: the hierarchy, how it meets the data, or what is wrong."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from workbench.core.building import BUILDERS, BuilderSettings, BuilderValues, build_hierarchy, normalised
from workbench.core.column_facts import Coverage, coverage
from workbench.core.details import Details
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.hierarchy_checks import public_instead
from workbench.core.progress import Progress
from workbench.core.schema import ColumnSpec
from workbench.core.specification_edits import Specification, with_details
from workbench.core.table import Column
from workbench.core.tree_edits import sizes_of, values_in, without_empty
from workbench.core.trees import Faults, Tree, faults

_BY_NUMBER = ("number", "date")


@dataclass(frozen=True)
class HierarchyPreview:
    """A draft built over the data's values, or what is wrong with it.

    Parameters
    ----------
    specification
        The very specification it was made from.
    hierarchy, coverage
        The hierarchy and how it meets the data; None if it cannot be built.
    error
        Why it cannot be built.
    how_public
        What would make a data-derived one public; "" if it is public.
    sequence, tied
        For the builder of orders: the values in their order, and whether some share a place.
    faults
        For the builder of tables: what is wrong with its rows.
    repeated, sizes
        For the builder of categories: the values that are listed more than once, and `tree_edits.sizes_of`.
    values
        The distinct values of the data, the most frequent first.
    """

    specification: Specification
    hierarchy: Hierarchy | None = None
    coverage: Coverage | None = None
    error: WorkbenchError | None = None
    how_public: str = ""
    sequence: tuple[str, ...] = ()
    tied: bool = False
    faults: Faults | None = None
    repeated: tuple[str, ...] = ()
    sizes: Mapping[int, tuple[Tree, int]] = field(default_factory=dict)
    values: tuple[str, ...] = ()

    @property
    def is_begun(self) -> bool:
        """Whether there is anything to build: a tree that has no values yet is no mistake."""
        return self.hierarchy is not None or self.specification["details"].get("tree") != []


class ColumnMaterial:
    """The `BuilderValues` of one column, made on the first thread that asks and shared by all builds."""

    def __init__(self, column: Column, spec: ColumnSpec) -> None:
        self.column = column
        self.spec = spec
        self._lock = threading.Lock()
        self._made: BuilderValues | None = None
        self._ranked: tuple[str, ...] | None = None

    def serves(self, column: Column, spec: ColumnSpec) -> bool:
        return column is self.column and spec == self.spec

    @property
    def material(self) -> BuilderValues:
        with self._lock:
            if self._made is None:
                self._made = BuilderValues.of(self.column, self.spec)
            return self._made

    def natural_order(self) -> tuple[str, ...]:
        """The values that are not missing, `a2` before `a10`."""
        material = self.material
        ranks = material.text_ranks("natural")
        order = material.present[np.argsort(ranks[material.present])]
        return tuple([material.values[i] for i in order.tolist()])

    def by_frequency(self) -> tuple[str, ...]:
        """The values that are not missing, the most frequent first."""
        material = self.material
        with self._lock:
            if self._ranked is None:
                present, counts = material.present, material.counts
                order = present if counts is None else present[np.argsort(-counts[present], kind="stable")]
                self._ranked = tuple([material.values[i] for i in order.tolist()])
            return self._ranked


def build_preview(specification: Specification, source: ColumnMaterial, progress: Progress) -> HierarchyPreview:
    """Build what a draft says; its faults are told in the preview and not raised."""
    material = source.material
    progress(0.2)
    found: dict[str, Any] = {"values": source.by_frequency()}
    plain = specification
    if plain["builder"] == "categories":
        trees = plain["details"].get("tree", [])
        trees = trees if isinstance(trees, list) else [trees]
        # A group somebody has just made may wait for its values.
        plain = with_details(plain, tree=without_empty(trees))
        found["repeated"] = _repeated(list(values_in(trees)))
        found["sizes"] = sizes_of(trees)
    if plain["builder"] == "table":
        found["faults"] = faults(plain["details"].get("rows", []))
    progress(0.3)
    try:
        hierarchy = build_hierarchy(plain, material)
        progress(0.7)
        if plain["builder"] == "order":
            found |= _order_of(plain, material)
        hint = public_instead(hierarchy, source.spec)
    except WorkbenchError as error:
        return HierarchyPreview(specification, error=error, **found)
    progress(0.8)
    return HierarchyPreview(specification, hierarchy, coverage(hierarchy, source.column), None, hint, **found)


def _order_of(plain: Specification, material: BuilderValues) -> dict[str, Any]:
    """The values a builder of orders covers, in their order, and whether some share a place."""
    builder, complete = BUILDERS["order"], normalised(plain)
    settings = BuilderSettings(complete["parameters"], Details(complete["details"], "the specification"))
    listed = material.extended(builder.listed(settings, material.column))
    covered = builder.build(settings, listed).covered
    tied = False
    if settings["order"] in _BY_NUMBER:
        numbers = listed.numbers[covered]
        tied = bool((numbers[1:] == numbers[:-1]).any())
    return {"sequence": tuple([listed.values[i] for i in covered.tolist()]), "tied": tied}


def _repeated(values: Sequence[str]) -> tuple[str, ...]:
    if len(set(values)) == len(values):
        return ()
    seen: set[str] = set()
    again: dict[str, None] = {}
    for value in values:
        if value in seen:
            again[value] = None
        seen.add(value)
    return tuple(again)
