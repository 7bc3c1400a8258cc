"""The dialog that says where data is worked on, and how much of it may be in memory."""

from __future__ import annotations

import math
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLineEdit,
    QRadioButton,
    QWidget,
)

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled, Progress
from workbench.engines.budget import LEAST, in_words, memory_in_use, memory_of_machine, usual_limit
from workbench.engines.choice import DUCKDB, EngineChoice
from workbench.engines.store import Store
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.engines import missing_package
from workbench.gui.runner import Job
from workbench.gui.theme import monospace_font, set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField

TEST_JOB = "engine.test"
_GIGABYTE = 1e9
_EXAMPLE = "local[2]"


class EngineDialog(QDialog):
    """Memory, DuckDB or Spark, with a test of the connection; and the memory budget.

    Signals
    -------
    engine_chosen(object)
        Another `EngineChoice` than the data that is open is in.
    """

    engine_chosen = Signal(object)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._before = document.engine if document.has_data else document.engines.wanted
        self._job: Job | None = None
        self._tested: Store | None = None
        """Kept at work until the dialog closes, so that opening data need not start it again."""
        self.setWindowTitle("Data engine and memory")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "engine.choice")
        self.memory = QRadioButton("In &memory")
        self.duckdb = QRadioButton("&DuckDB")
        self.spark = QRadioButton("&Spark")
        choice = QButtonGroup(self)
        for button in (self.memory, self.duckdb, self.spark):
            button.setAccessibleName(button.text().replace("&", ""))
            choice.addButton(button)
        self.connection = QLineEdit(self._before.name if self._before.spark else document.engines.spark)
        self.connection.setPlaceholderText(_EXAMPLE)
        self.connection.setFont(monospace_font())
        self.connection.setAccessibleName("Connection to Spark")
        set_explain(self.connection, "engine.spark")
        self.test = push_button("&Test connection", name="Test connection", explain="engine.spark")
        self.answer = label(wrap=True, small=True, selectable=True)
        self.budget = NumberField(
            "Memory that data may use",
            minimum=math.ceil(LEAST / _GIGABYTE * 100) / 100,
            value=round(document.engines.limit / _GIGABYTE, 2),
            step=0.5,
            unit="GB",
            hint=self._around(),
        )
        set_explain(self.budget, "engine.budget")
        self.problem = label(wrap=True, selectable=True, tone="error")
        self.problem.hide()
        self._lay_out()
        self._show_engine(self._before)
        for button in (self.memory, self.duckdb, self.spark):
            button.toggled.connect(self._judge)
        self.connection.textChanged.connect(self._edited)
        self.test.clicked.connect(self._test)
        self.budget.validity_changed.connect(self._judge)
        self._judge()
        self._fit()

    @property
    def engine(self) -> EngineChoice:
        """Engine that is chosen.

        Raises
        ------
        WorkbenchError
            If the connection to Spark cannot be understood, or holds credentials.
        """
        if self.spark.isChecked():
            text = self.connection.text().strip() or _EXAMPLE
            choice = EngineChoice(text)
            if not choice.spark:
                raise WorkbenchError(
                    f"“{text}” is no connection to Spark.",
                    hint="Give local[2] for this computer, spark://host:7077, or sc://host:15002.",
                    field="engine",
                )
            return choice
        return EngineChoice(DUCKDB) if self.duckdb.isChecked() else EngineChoice()

    def _lay_out(self) -> None:
        engines = QGridLayout()
        engines.setHorizontalSpacing(tokens.SPACE_L)
        engines.setVerticalSpacing(tokens.SPACE_XS)
        engines.setColumnStretch(1, 1)
        words = (
            (self.memory, "Quickest for tables that fit."),
            (self.duckdb, "On this computer, for tables larger than memory. Rows wait in a private folder."),
            (self.spark, "For a cluster, or several processes on this computer. Needs Java 17."),
        )
        for row, (button, what) in enumerate(words):
            engines.addWidget(button, row, 0)
            engines.addWidget(label(what, muted=True, wrap=True), row, 1)
        connection = boxes.row((self.connection, 1), self.test, spacing="s")
        engines.addLayout(connection, len(words), 1)
        engines.addWidget(self.answer, len(words) + 1, 1)
        memory = QGridLayout()
        memory.setHorizontalSpacing(tokens.SPACE_L)
        memory.setColumnStretch(2, 1)
        words_before = label("Data &may use")
        words_before.setBuddy(self.budget)
        words_before.setFixedHeight(tokens.CONTROL_HEIGHT)
        self.budget.setFixedWidth(tokens.EXPLAIN_WIDTH)
        memory.addWidget(words_before, 0, 0, Qt.AlignmentFlag.AlignTop)
        memory.addWidget(self.budget, 0, 1)
        used = memory_in_use()
        if used is not None:
            now = f"This program holds {in_words(used)} now, the data included."
            memory.addWidget(label(now, muted=True, wrap=True), 1, 1, 1, 2)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.apply = self.buttons.addButton("&Apply", QDialogButtonBox.ButtonRole.AcceptRole)
        set_look(self.apply, primary=True)
        self.apply.setDefault(True)
        self.buttons.accepted.connect(self._apply)
        self.buttons.rejected.connect(self.reject)
        boxes.column(
            label("Where the data is worked on", heading=2),
            engines,
            boxes.Gap("s"),
            label("Memory", heading=2),
            memory,
            1,
            self.problem,
            self.buttons,
            margins="l",
            spacing="m",
            inside=self,
        )
        self.setMinimumWidth(2 * tokens.EXPLAIN_WIDTH + 4 * tokens.SPACE_XL)

    def _fit(self) -> None:
        """Room for what is said, and never less than the person has given it."""
        layout = self.layout()
        assert layout is not None
        needed = layout.totalHeightForWidth(max(self.width(), self.minimumWidth()))
        if needed > self.height():
            self.resize(max(self.width(), self.minimumWidth()), needed)

    def _around(self) -> str:
        whole = memory_of_machine()
        usual = f"{in_words(usual_limit())} is usual here"
        return usual if whole is None else f"{usual}; there are {in_words(whole)}"

    def _show_engine(self, engine: EngineChoice) -> None:
        chosen = self.spark if engine.spark else self.memory if engine.in_memory else self.duckdb
        chosen.setChecked(True)
        chosen.setFocus()

    # What is chosen

    def _edited(self, _text: str) -> None:
        self.spark.setChecked(True)
        self._stop()
        self._say("", "none")
        self._judge()

    def _judge(self, _on: bool = True) -> None:
        """Say what the button does, and whether it can."""
        self.problem.hide()
        self.connection.setEnabled(self._job is None)
        try:
            engine = self.engine
        except WorkbenchError as error:
            self._refuse(error)
            self.apply.setEnabled(False)
            self.test.setEnabled(False)
            return
        missing = missing_package(engine)
        if missing:
            self._refuse(WorkbenchError(missing))
        self.test.setEnabled(self.spark.isChecked() and not missing)
        moves = self._document.has_data and engine != self._before
        self.apply.setText("&Open the data there" if moves else "&Apply")
        self.apply.setEnabled(self.budget.valid and not missing)

    def _refuse(self, error: WorkbenchError) -> None:
        self.problem.setText("\n".join(filter(None, (error.message, error.hint))))
        self.problem.show()
        self._fit()

    def _apply(self) -> None:
        engines, budget = self._document.engines, self.budget.value
        if budget is None:
            return
        if round(engines.limit / _GIGABYTE, 2) == budget:
            self._take()
            return
        self.apply.setEnabled(False)
        self._document.runner.start(
            "Changing the memory budget",
            partial(engines.keep_to, round(budget * _GIGABYTE)),
            on_done=self._limited,
            on_failed=self._not_limited,
            key="engine.budget",
            owner=self,
            keep_late_result=True,
        )

    def _limited(self, _nothing: None) -> None:
        self._document.engines.remember_limit()
        self._take()

    def _not_limited(self, error: BaseException) -> bool:
        self._judge()
        if isinstance(error, WorkbenchError):
            self._refuse(error)
            return True
        return False

    def _take(self) -> None:
        try:
            engine = self.engine
        except WorkbenchError as error:  # typed while the budget was changed
            self._refuse(error)
            return
        self._document.engines.remember(engine)
        if engine != self._before:
            self.engine_chosen.emit(engine)
        self.accept()

    # The connection

    def _test(self) -> None:
        if self._job is not None:
            self._stop()
            return
        try:
            engine = self.engine
        except WorkbenchError as error:
            self._refuse(error)
            return
        engines = self._document.engines

        def work(progress: Progress) -> Store:
            store = engines.start(engine, progress)
            assert store is not None
            store.rows("SELECT 1", progress)
            return store

        self._say(f"Asking {engine.title}…", "none")
        self.test.setText("&Stop")
        self._job = self._document.runner.start(
            "Testing the connection",
            work,
            on_done=self._answered,
            on_failed=self._failed,
            key=TEST_JOB,
            latest_wins=True,
            owner=self,
        )
        self._judge()

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _ended(self) -> None:
        self._job = None
        self.test.setText("&Test connection")
        self._judge()

    def _answered(self, store: Store) -> None:
        self._tested = store
        self._ended()
        self._say(f"✓ {store.title} answers.", "success")

    def _failed(self, error: BaseException) -> bool:
        self._ended()
        if isinstance(error, Cancelled):
            self._say("Stopped.", "none")
            return True
        if isinstance(error, WorkbenchError):
            self._say(str(error), "error")
            return True
        self._say("", "none")
        return False

    def _say(self, text: str, tone: str) -> None:
        self.answer.setText(text)
        set_look(self.answer, tone=tone, muted=tone == "none")
        self._fit()

    def done(self, result: int) -> None:
        self._stop()
        self._tested = None
        super().done(result)
