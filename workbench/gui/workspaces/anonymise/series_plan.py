"""Several releases like the present one, planned together: how many, what they cost so, and what one by one."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import counted, rounded_up
from workbench.core.progress import Progress
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.amount_fields import probability_field
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.calm_wheel import CalmWheel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.inputs import SpinBox
from workbench.gui.widgets.labels import label
from workbench.session.release.series import MOST_RELEASES, PlannedSeries

SERIES_JOB = "series"
_USUAL = 4


class SeriesPlan(QWidget):
    """Asks how many releases are to come and what δ all of them may have, and writes the plan into the ledger.

    What it asks is no setting of the project, and what it writes is spent: nothing of it is undone.
    """

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._priced: PlannedSeries | None = None
        self.releases = SpinBox("Releases like this one", 2, MOST_RELEASES, _USUAL)
        self.delta = probability_field("δ of all of them", placeholder="their sum")
        self.price = label(small=True, muted=True, wrap=True)
        self.plan = push_button("Plan them", self._plan, name="Plan them")
        self._wheel = CalmWheel(self)
        self._wheel.guard(self.releases)
        grid = form_grid()
        for row, (words, field) in enumerate((("Releases like this", self.releases), ("δ of all", self.delta))):
            grid.addWidget(label(words), row, 0)
            grid.addWidget(field, row, 1)
        boxes.column(
            label("Plan several", strong=True), grid, self.price, boxes.row(self.plan, 1), spacing="xs", inside=self
        )
        set_explain(self, "anonymise.series")
        self.releases.valueChanged.connect(self.refresh)
        self.delta.value_changed.connect(self.refresh)
        self.delta.cleared.connect(self.refresh)
        self.delta.validity_changed.connect(self.refresh)
        self._show(None, "")

    def refresh(self, *_: object) -> None:
        """Ask what the releases cost with the settings as they stand; it takes its time where they are many."""
        if not self._document.has_data or not self.isVisible():
            return
        if not self.delta.valid:
            self._show(None, self.delta.problem)
            return
        session, releases, delta = self._document.session.snapshot(), self.releases.value(), self.delta.value

        def work(_progress: Progress) -> PlannedSeries:
            return session.release.series.price(releases, delta)

        self._document.runner.start(
            "Pricing a plan", work, on_done=self._priced_at, on_failed=self._failed, key=SERIES_JOB, latest_wins=True
        )

    def showEvent(self, event: QShowEvent) -> None:
        """Nothing is priced until somebody sees it."""
        super().showEvent(event)
        self.refresh()

    def _priced_at(self, found: PlannedSeries) -> None:
        saves = rounded_up(found.epsilon) != rounded_up(found.added)
        together = f"ε {rounded_up(found.epsilon)}, δ {rounded_up(found.delta)}"
        one_by_one = "no less than one by one: allow more δ" if not saves else f"one by one ε {rounded_up(found.added)}"
        self._show(found, f"Together {together}; {one_by_one}.")

    def _failed(self, error: BaseException) -> bool:
        if not isinstance(error, WorkbenchError):
            return False
        self._show(None, str(error))
        return True

    def _show(self, found: PlannedSeries | None, words: str) -> None:
        self._priced = found
        self.price.setText(words)
        text = "Plan them"
        if found is not None:
            text = f"Plan {counted(found.releases, 'release')} · ε {rounded_up(found.epsilon)}"
        self.plan.setText(text)
        self.plan.setAccessibleName(text)
        self.plan.setEnabled(found is not None)

    def _plan(self) -> None:
        if self._priced is None:
            return
        try:
            planned = self._document.session.release.series.plan(self.releases.value(), self.delta.value)
        except WorkbenchError as error:
            self._document.failed.emit(error)
            return
        self._document.changed.emit("file")
        self._document.noted.emit("success", planned.words)
