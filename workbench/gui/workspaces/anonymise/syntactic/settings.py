"""The left half: models, what to preserve, columns, and the two buttons."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.workspaces.anonymise.syntactic.column_levels import SyntacticColumns
from workbench.gui.workspaces.anonymise.syntactic.goal_section import GoalSection
from workbench.gui.workspaces.anonymise.syntactic.models_section import ModelsSection
from workbench.session.release.assessment import PromiseAssessment


class SyntacticSettings(QWidget):
    """Shows and edits the question.

    Signals
    -------
    search_requested(), recode_requested(), cancel_requested()
        The person wants the best levels, the table at the present levels, or what runs to stop.
    """

    search_requested = Signal()
    recode_requested = Signal()
    cancel_requested = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._found = PromiseAssessment()
        self._running = ""
        self._cancelling = False
        self.models = ModelsSection(document)
        self.goal = GoalSection(document)
        self.columns = SyntacticColumns(document)
        self.search = push_button(explain="anonymise.search", primary=True)
        self.recode = QPushButton()
        set_explain(self.recode, "anonymise.search")
        self._why_not = label(small=True, wrap=True, tone="warning")
        self._lay_out()
        for section in (self.models, self.goal):
            section.validity_changed.connect(self._show_buttons)
        self.search.clicked.connect(self._search)
        self.recode.clicked.connect(self._recode)

    def _lay_out(self) -> None:
        inside = boxes.column(self.models, self.goal, self.columns, 1, margins="l l s l", spacing="xl")
        scroll = boxes.scrolled(inside)
        foot = QFrame()
        foot.setProperty("line", "top")
        rows = boxes.column(margins="l s m m", spacing="xs", inside=foot)
        buttons = boxes.row(self.search, self.recode, spacing="s")
        rows.addWidget(self._why_not)
        rows.addLayout(buttons)
        boxes.column((scroll, 1), foot, spacing=0, inside=self)

    @property
    def ready(self) -> bool:
        """Whether the question can be asked as it stands."""
        return not self.reason

    @property
    def reason(self) -> str:
        """Why the question cannot be asked, or ""."""
        found = self._found
        if not self._document.project.anonymise.question.models:
            return "No privacy model is chosen."
        if not (self.models.valid and self.goal.valid and self.columns.valid):
            return "A field holds no number."
        if not found.grouped and found.error is not None:
            return found.error.message  # The working table cannot be made, such as for its filter.
        if not set(found.grouped) - self._document.session.syntactic.question().ungrouped:
            return "No column takes part in the grouping."
        missed = [name for name in found.uncovered if name not in self._document.session.syntactic.question().ungrouped]
        if missed:
            return f"Hierarchies miss values: {', '.join(missed)}."
        return ""

    def show_assessment(self, found: PromiseAssessment) -> None:
        """Show the question as it stands."""
        self._found = found
        self.models.refresh()
        self.goal.refresh()
        self.columns.show_assessment(found)
        self._show_buttons()

    def show_running(self, job: str, *, cancelling: bool = False) -> None:
        """Say what runs: "search", "recode" or ""; its button then cancels it."""
        self._running, self._cancelling = job, cancelling
        self._show_buttons()

    def _show_buttons(self) -> None:
        reason = "" if self._running else self.reason
        for button, job, words in (
            (self.search, "search", "Find best levels"),
            (self.recode, "recode", "Use levels as set"),
        ):
            runs = self._running == job
            button.setText("Cancel" if runs else words)
            button.setAccessibleName(button.text())
            button.setEnabled(not self._cancelling if runs else not self._running and not reason)
        self.search.setIcon(icon("stop" if self._running == "search" else "search", "on_accent"))
        self.search.setToolTip("Search all combinations of levels for the one that loses least")
        self.recode.setToolTip("Generalise to the levels set below and suppress what fails (F5)")
        self._why_not.setText(reason)
        self._why_not.setVisible(bool(reason))

    def _search(self) -> None:
        (self.cancel_requested if self._running == "search" else self.search_requested).emit()

    def _recode(self) -> None:
        (self.cancel_requested if self._running == "recode" else self.recode_requested).emit()
