"""Advice on the approach that answers the question best, in a sentence with numbers and limits."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate
from workbench.core.progress import Cancelled
from workbench.evaluate.advice import Advice
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.look_question import LookQuestion
from workbench.gui.tracked import TrackedJob
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.heat_table import HeatTable
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.result_state import ResultState
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.compare.draft import ExperimentDraft

ADVICE_JOB = "compare.advice"


class AdvicePage(QWidget):
    """An ε, a number of people, a button; then the sentence, the ranking and the limits."""

    def __init__(self, document: Document, draft: ExperimentDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._draft = draft
        self._job = TrackedJob(document.runner, self)
        self._asked = ""
        self._key = ""
        self.found: Advice | None = None
        self.epsilon = NumberField(
            "ε to be spent", minimum=0, open_minimum=True, value=1, logarithmic=True, amount=True, compact=True
        )
        self.users = NumberField(
            "Users that take part",
            minimum=1,
            maximum=10_000_000,
            integer=True,
            optional=True,
            logarithmic=True,
            compact=True,
            placeholder="all rows",
        )
        self.button = QPushButton("Advise")
        self.button.clicked.connect(self.ask_or_cancel)
        self.first_look = LookQuestion(document, "advise")
        self.first_look.agreed.connect(self.ask)
        self.state = ResultState("Advise again")
        self.state.run_requested.connect(self.ask)
        self.sentence = label(wrap=True, selectable=True)
        self.table = HeatTable("Approaches, the best first")
        self.limits = label(small=True, wrap=True, selectable=True)
        self.limits.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.copy = push_button("Copy advice", self.copy_advice, icon=icon("copy", "link"), quiet=True)
        for field in (self.epsilon, self.users):
            field.edit.setMinimumWidth(0)
            field.setFixedWidth(tokens.METER_WIDTH)
            field.validity_changed.connect(self._judge)
            field.value_changed.connect(self._judge)
        self.users.cleared.connect(self._judge)
        self._lay_out()
        set_explain(self, "compare.advice")
        self._job.ended.connect(self._judge)
        self._judge()

    def _lay_out(self) -> None:
        top = boxes.row(label("At ε"), self.epsilon, label("for users"), self.users, self.button, 1, spacing="s")
        self.state.add_mark(self.copy)
        inside = boxes.column(self.sentence, self.table, self.limits, 1, margins="0 0 s 0", spacing="m")
        boxes.column(
            top, self.first_look, self.state, (boxes.scrolled(inside), 1), margins="0 s 0 0", spacing="s", inside=self
        )

    def refresh(self) -> None:
        """Bring the state up to date after a change of the experiment or the data."""
        self.first_look.follow()
        self._judge()

    def clear(self) -> None:
        """Forget the advice, because the data is another."""
        self._job.cancel()
        self.found = None
        self._judge()

    # Asking

    def ask_or_cancel(self) -> None:
        """What the button does."""
        if self._job.running:
            self._job.cancel()
            self._judge()
        else:
            self.ask()

    def ask(self) -> None:
        """Try the usual methods of every approach on the question as it stands."""
        experiment, epsilon = self._draft.experiment, self.epsilon.value
        if self._job.running or experiment is None or epsilon is None or not self.users.valid:
            return
        if self.first_look.needed:
            self.first_look.ask()
            return
        users = self.users.value
        try:
            work = self._draft.desk.adviser(experiment.question, epsilon, None if users is None else int(users))
        except WorkbenchError as error:
            self._document.failed.emit(error)
            return
        self._asked = self._now()
        self._job.start("Finding the best approach", work, on_done=self._take, on_failed=self._refuse, key=ADVICE_JOB)
        self._judge()

    def _now(self) -> str:
        """Everything the advice depends on."""
        experiment = self._draft.experiment
        if experiment is None or not self._document.has_data:
            return ""
        return f"{self._draft.question_key()} {self.epsilon.value} {self.users.value}"

    def _take(self, advice: Advice) -> None:
        self.found, self._key = advice, self._asked

    def _refuse(self, error: BaseException) -> bool:
        if isinstance(error, Cancelled):
            return True
        if not isinstance(error, WorkbenchError):
            return False
        self.found = None
        self._document.failed.emit(error)
        return True

    # Showing

    def _judge(self, _value: object = None) -> None:
        running = self._job.running
        words = "Cancel" if running else "Advise"
        self.button.setText(words)
        self.button.setAccessibleName(words)
        ready = self.epsilon.valid and self.users.valid and self._draft.experiment is not None
        self.button.setEnabled(running or ready)
        found = self.found
        self.copy.setEnabled(found is not None)
        if running:
            self.state.show_state(Status.INFO, "Trying the usual methods of every approach…")
        elif found is None:
            self.state.show_state(Status.NEUTRAL, "Ask which approach answers this question best. Nothing is charged.")
        elif self._key != self._now():
            self.state.show_state(Status.WARNING, "Out of date: the question changed.", offer_run=ready)
        else:
            times = f"{found.findings.experiment.repetitions:,}"
            self.state.show_state(Status.SUCCESS, f"Measured on these rows, {times} times each.")
        self._show(found)

    def _show(self, found: Advice | None) -> None:
        for widget in (self.sentence, self.table, self.limits):
            widget.setVisible(found is not None)
        if found is None:
            return
        self.sentence.setText(found.sentence)
        percent = any(math.isfinite(one.percent) for one in found.ranked)
        unit = f", {found.findings.unit}" if found.findings.unit else ""
        headings = [
            "Approach",
            "Method",
            f"Error{unit}",
            *(["Percent"] if percent else []),
        ]
        rows = [
            [
                one.approach.value.capitalize(),
                one.name,
                estimate(one.error),
                *([estimate(one.percent)] if percent else []),
            ]
            for one in found.ranked
        ]
        self.table.show_rows(headings, rows, left=2)
        self.table.fit_columns()
        self.table.setColumnWidth(1, tokens.RAIL_WIDTH)
        self.table.setFixedHeight(tokens.CONTROL_HEIGHT + tokens.SPACE_M + len(rows) * tokens.ROW_HEIGHT)
        self.limits.setText("\n".join(f"• {one}" for one in found.limits))

    def copy_advice(self) -> None:
        """Put the sentence and its limits on the clipboard."""
        if self.found is not None:
            QGuiApplication.clipboard().setText("\n".join((self.found.sentence, "", *self.found.limits)))
            self._document.noted.emit("success", "The advice was copied.")
