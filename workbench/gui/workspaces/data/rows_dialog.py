"""Choosing which rows take part: a filter with the rows it leaves, and a random research sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.filtering import FilterError, parse
from workbench.core.kinds import is_missing
from workbench.core.progress import Progress
from workbench.core.schema import Schema
from workbench.core.table import Table
from workbench.core.working_table import Preparation
from workbench.gui import tokens
from workbench.gui.runner import Runner
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.filter_edit import FilterEdit
from workbench.gui.widgets.kept_typing import keep_typing
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField

COUNT_JOB = "data.filter"

_WAIT_MS = 200
_OFFERED = 50
_LOOKED_AT = 1000
_TENTH = 10.0


class RowsDialog(QDialog):
    """Filter and research sample, with the number of rows the filter leaves.

    Signals
    -------
    chosen(object)
        The `Preparation` that was chosen.
    """

    chosen = Signal(object)

    def __init__(
        self,
        table: Table,
        schema: Schema,
        preparation: Preparation,
        runner: Runner,
        parent: QWidget | None = None,
        *,
        looked: bool = True,
    ) -> None:
        super().__init__(parent)
        self._looked = looked
        self._table, self._schema, self._before, self._runner = table, schema, preparation, runner
        self._wrong = False
        self.setWindowTitle("Which rows take part")
        set_explain(self, "data.rows")
        self.filter = FilterEdit(schema, self._values)
        self.filter.setPlainText(preparation.where)
        self.message = label(wrap=True)
        self.hint = label(wrap=True, small=True, muted=True)
        self.sampled = QCheckBox("Only a random &share of them:")
        self.sampled.setAccessibleName("Only a random share of the rows")
        self.sampled.setChecked(preparation.sample < 1)
        self.share = NumberField(
            "Share of the rows",
            minimum=0,
            maximum=100,
            open_minimum=True,
            value=100 * preparation.sample if preparation.sample < 1 else _TENTH,
            unit="%",
            compact=True,
        )
        self.share.setMaximumWidth(tokens.FIELD_WIDTH)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_WAIT_MS)
        self._lay_out()
        keep_typing(self)
        self._wait.timeout.connect(self._count)
        self.filter.textChanged.connect(self._changed)
        self.sampled.toggled.connect(self._show_share)
        self.share.validity_changed.connect(self._show_share)
        self._show_share()
        self._count()
        self.filter.setFocus()

    def _lay_out(self) -> None:
        words = label("&Filter", strong=True)
        words.setBuddy(self.filter)
        share = boxes.row(self.sampled, self.share, 1, spacing="s")
        answer = boxes.row((self.message, 1), spacing="s")
        self._badge = analyst_badge()
        answer.addWidget(self._badge)
        answer.addStrut(tokens.CONTROL_HEIGHT)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.apply = self.buttons.addButton("&Use these rows", QDialogButtonBox.ButtonRole.AcceptRole)
        set_look(self.apply, primary=True)
        self.clear = self.buttons.addButton("&Every row", QDialogButtonBox.ButtonRole.ResetRole)
        self.clear.clicked.connect(self._clear)
        self.buttons.accepted.connect(self._apply)
        self.buttons.rejected.connect(self.reject)
        boxes.column(
            words,
            label(
                (
                    "Compare columns with = != < <= > >=, in ('a', 'b'), contains 'a', starts with 'a', is missing; "
                    "join with and, or, not. Ctrl+Space offers what fits."
                ),
                small=True,
                muted=True,
                wrap=True,
            ),
            self.filter,
            answer,
            self.hint,
            boxes.Gap("s"),
            share,
            label(
                (
                    "Each row takes part with this chance, decided once by a coin of its own and before everything "
                    "else. The guarantee does not count on it."
                ),
                small=True,
                muted=True,
                wrap=True,
            ),
            1,
            self.buttons,
            margins="l",
            spacing="s",
            inside=self,
        )
        self.resize(2 * tokens.EXPLAIN_WIDTH + tokens.SPACE_XL, tokens.COLUMN_MAX + tokens.SPACE_XL)

    def _values(self, name: str) -> Sequence[str]:
        """The most frequent values of a column, for completion; before a look at the data its public ones."""
        if not self._looked:
            return () if "domain" in self._schema[name].observed else self._schema[name].domain or ()
        if not self._table.lists(name):
            return ()
        column, spec = self._table[name], self._schema[name]
        some = np.argsort(-column.counts[:_LOOKED_AT], kind="stable")[:_OFFERED]
        return [column.values[code] for code in some.tolist() if not is_missing(column.values[code], spec.missing)]

    def _changed(self) -> None:
        self.filter.mark(None)
        self._wait.start()

    def _count(self) -> None:
        self._wait.stop()
        text = self.filter.toPlainText().strip()
        if not text:
            self._say(f"Every row: {self._table.rows:,}" if self._looked else "Every row")
            return
        try:
            wanted = parse(self.filter.toPlainText(), self._schema)
        except WorkbenchError as error:
            self._refuse(error)
            return
        if not self._looked:
            self._say("The filter can be read. How many rows fit is seen after a look at the values.")
            return
        table, schema = self._table, self._schema

        def work(progress: Progress) -> tuple[str, int]:
            progress(0.0)
            return text, int(np.count_nonzero(wanted.mask(table, schema)))

        self._runner.start(
            "Counting rows", work, on_done=self._show, on_failed=self._fail, key=COUNT_JOB, latest_wins=True
        )

    def _show(self, counted: tuple[str, int]) -> None:
        text, rows = counted
        if text != self.filter.toPlainText().strip():
            return
        words = f"{rows:,} of {self._table.rows:,} rows fit"
        self._say(words, tone="none" if rows else "warning")

    def _fail(self, error: BaseException) -> bool:
        if isinstance(error, WorkbenchError):
            self._refuse(error)
            return True
        return False

    def _refuse(self, error: WorkbenchError) -> None:
        if isinstance(error, FilterError):
            self.filter.mark(error.position)
        self._say(error.message, error.hint or "", tone="error")

    def _say(self, text: str, hint: str = "", *, tone: str = "none") -> None:
        self.message.setText(text)
        self.hint.setText(hint)
        set_look(self.message, tone=tone)
        self._badge.setVisible(tone != "error")
        self._wrong = tone == "error"
        self._show_share()

    def _show_share(self, *_: object) -> None:
        self.share.setEnabled(self.sampled.isChecked())
        self.apply.setEnabled(not self._wrong and (self.share.valid or not self.sampled.isChecked()))

    def _clear(self) -> None:
        self.filter.clear()
        self.sampled.setChecked(False)
        self.filter.setFocus()

    def _apply(self) -> None:
        text = self.filter.toPlainText().strip()
        try:
            if text:
                parse(self.filter.toPlainText(), self._schema)
            share = (self.share.value or 0.0) / 100 if self.sampled.isChecked() else 1.0
            made = replace(self._before, where=text, sample=share)
        except WorkbenchError as error:
            self._refuse(error)
            return
        self.chosen.emit(made)
        self.accept()
