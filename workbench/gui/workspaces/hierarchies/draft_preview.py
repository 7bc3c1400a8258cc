"""Previews of a draft, built off the GUI thread; the latest wins, and what is shown is what is applied."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from workbench.core.hierarchy_preview import ColumnMaterial, HierarchyPreview, build_preview
from workbench.core.schema import ColumnSpec
from workbench.core.specification_edits import Specification
from workbench.core.table import Column
from workbench.gui.later import Later
from workbench.gui.runner import Runner

BUILD_JOB = "hierarchies.build"

_WAIT_MS = 30


class Previewer(QObject):
    """Builds the draft of one column whenever it changes.

    Signals
    -------
    arrived(object)
        The `HierarchyPreview` of the specification asked for last.
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
        self.latest: HierarchyPreview | None = None
        self._later = Later(self, self._build, _WAIT_MS)

    @property
    def source(self) -> ColumnMaterial | None:
        """The column the drafts are built over."""
        return self._source

    @property
    def current(self) -> HierarchyPreview | None:
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

    def _take(self, preview: HierarchyPreview) -> None:
        if preview.specification is self._wanted:
            self.latest = preview
            self.arrived.emit(preview)
