"""What a draft would be, built off the GUI thread; the latest wins, and what is shown is what is applied."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from workbench.core.building import BUILDERS, Material, Settings, build_hierarchy, normalised
from workbench.core.checking import how_public
from workbench.core.details import Details
from workbench.core.errors import WorkbenchError
from workbench.core.facts import Coverage, coverage
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import Progress
from workbench.core.schema import ColumnSpec
from workbench.core.specification_edits import Specification, with_details
from workbench.core.table import Column
from workbench.core.tree_edits import sizes_of, values_in, without_empty
from workbench.core.trees import Faults, Tree, faults
from workbench.gui.later import Later
from workbench.gui.runner import Runner

BUILD_JOB = "hierarchies.build"

_WAIT_MS = 30
_BY_NUMBER = ("number", "date")


@dataclass(frozen=True)
class Preview:
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


class ColumnMaterial:
    """The `Material` of one column, made on the first thread that asks and shared by all builds."""

    def __init__(self, column: Column, spec: ColumnSpec) -> None:
        self.column = column
        self.spec = spec
        self._lock = threading.Lock()
        self._made: Material | None = None
        self._ranked: tuple[str, ...] | None = None

    def serves(self, column: Column, spec: ColumnSpec) -> bool:
        return column is self.column and spec == self.spec

    @property
    def material(self) -> Material:
        with self._lock:
            if self._made is None:
                self._made = Material.of(self.column, self.spec)
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


class Previewer(QObject):
    """Builds the draft of one column whenever it changes.

    Signals
    -------
    arrived(object)
        The `Preview` of the specification asked for last.
    waiting()
        A build is under way, so what was shown before is out of date.
    """

    arrived = Signal(object)
    waiting = Signal()

    def __init__(self, runner: Runner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._wanted: Specification | None = None
        self._source: ColumnMaterial | None = None
        self.latest: Preview | None = None
        self._later = Later(self, self._build, _WAIT_MS)

    @property
    def source(self) -> ColumnMaterial | None:
        """The column the drafts are built over."""
        return self._source

    @property
    def current(self) -> Preview | None:
        """The preview of what was asked for last, None while it is being built."""
        found = self.latest
        return found if found is not None and found.specification is self._wanted else None

    def set_column(self, column: Column, spec: ColumnSpec) -> None:
        """Build over another column, or over the same one described otherwise."""
        if self._source is None or not self._source.serves(column, spec):
            self._source = ColumnMaterial(column, spec)
            self._wanted = self.latest = None

    def show(self, specification: Specification) -> None:
        """Ask for the preview of a specification; nothing happens if it is there or under way."""
        if specification is self._wanted:
            return
        self._wanted = specification
        self.waiting.emit()
        self._later.start()

    def stop(self) -> None:
        """Forget what was asked for."""
        self._wanted = self.latest = None
        self._later.stop()

    def _build(self) -> None:
        if self._wanted is None or self._source is None:
            return
        self._runner.start(
            "Building the hierarchy",
            partial(build_preview, self._wanted, self._source),
            on_done=self._take,
            key=BUILD_JOB,
            latest_wins=True,
        )

    def _take(self, preview: Preview) -> None:
        if preview.specification is self._wanted:
            self.latest = preview
            self.arrived.emit(preview)


def build_preview(specification: Specification, source: ColumnMaterial, progress: Progress) -> Preview:
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
        hint = how_public(hierarchy, source.spec)
    except WorkbenchError as error:
        return Preview(specification, error=error, **found)
    progress(0.8)
    return Preview(specification, hierarchy, coverage(hierarchy, source.column), None, hint, **found)


def _order_of(plain: Specification, material: Material) -> dict[str, Any]:
    """The values a builder of orders covers, in their order, and whether some share a place."""
    builder, complete = BUILDERS["order"], normalised(plain)
    settings = Settings(complete["parameters"], Details(complete["details"], "the specification"))
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
