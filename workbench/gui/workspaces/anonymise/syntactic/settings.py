"""The left half in three steps: what is promised, at which levels, and how the best of them are found."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.core.number_text import percent
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.status import Status
from workbench.gui.widgets.steps import StepColumn
from workbench.gui.workspaces.anonymise.syntactic.column_levels import SyntacticColumns
from workbench.gui.workspaces.anonymise.syntactic.goal_section import GoalSection
from workbench.gui.workspaces.anonymise.syntactic.models_section import ModelsSection
from workbench.gui.workspaces.anonymise.syntactic.verbs import FIND, USE
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.syntactic.words import levels_in_words, models_in_words


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
        self.steps = StepColumn("Settings of the privacy models")
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
        levels = boxes.boxed(boxes.column(self.columns, boxes.row(self.recode, 1), spacing="m"))
        self.steps.add_step("promise", "Promise", self.models)
        self.steps.add_step("levels", "Levels", levels)
        self.steps.add_step("run", "Run", self.goal)
        self.steps.add_to_footer(self._why_not)
        self.steps.add_to_footer(self.search)
        boxes.column(self.steps, inside=self)

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
        self._show_summaries()
        self._show_buttons()

    def _show_summaries(self) -> None:
        project = self._document.project
        question, levels = project.anonymise.question, project.anonymise.levels
        wrong = Status.WARNING if not question.models or not self.models.valid else None
        self.steps.set_summary("promise", models_in_words(question.models) or "no model yet", wrong)
        grouped = [name for name in self._found.grouped if name in project.hierarchies]
        self.steps.set_summary("levels", levels_in_words({name: levels.get(name, 0) for name in grouped}))
        self.steps.set_summary("run", f"suppress at most {percent(question.suppression_limit, 4)}")

    def reach(self, field: str) -> bool:
        """Show a control by its name and put the focus there; whether there is one."""
        places: dict[str, tuple[str, QWidget]] = {
            "models": ("promise", self.models.add_button),
            "suppression_limit": ("run", self.goal.form["suppression_limit"]),
            "levels": ("levels", self.recode),
        }
        if field == "run":
            self.search.setFocus()
        elif field in places:
            self.steps.show_control(*places[field])
        return field == "run" or field in places

    def show_running(self, job: str, *, cancelling: bool = False) -> None:
        """Say what runs: "search", "recode" or ""; its button then cancels it."""
        self._running, self._cancelling = job, cancelling
        self._show_buttons()

    def _show_buttons(self) -> None:
        reason = "" if self._running else self.reason
        for button, job, words in (
            (self.search, "search", FIND),
            (self.recode, "recode", USE),
        ):
            runs = self._running == job
            button.setText("Cancel" if runs else words)
            button.setAccessibleName(button.text())
            button.setEnabled(not self._cancelling if runs else not self._running and not reason)
        self.search.setIcon(icon("stop" if self._running == "search" else "search", "on_accent"))
        self.search.setToolTip("Search all combinations of levels for the one that loses least")
        self.recode.setToolTip("Generalise to the levels set below and suppress what fails (Ctrl+Enter)")
        self._why_not.setText(reason)
        self._why_not.setVisible(bool(reason))

    def _search(self) -> None:
        (self.cancel_requested if self._running == "search" else self.search_requested).emit()

    def _recode(self) -> None:
        (self.cancel_requested if self._running == "recode" else self.recode_requested).emit()
