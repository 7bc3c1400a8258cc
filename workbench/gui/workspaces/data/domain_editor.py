"""The public domain of a column: every value that could occur, typed by the person."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from workbench.core.kinds import is_missing
from workbench.core.occurring import entries_of
from workbench.core.occurring_listed import listing_of
from workbench.core.progress import Progress
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import Column
from workbench.gui import tokens
from workbench.gui.runner import Runner
from workbench.gui.theme import set_look
from workbench.gui.values_look import LOOK_FIRST
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.kept_typing import keep_typing
from workbench.gui.widgets.labels import IconLabel, label
from workbench.session.table_rows import counted_values

DOMAIN_JOB = "data.domain"

MOST_READ = 5000
"""Values that are read from the data at most: nobody checks a longer list by eye."""

_NAMED = 4


_UNSAID = "List what could occur, from a questionnaire or law. Never copy examples: they are people’s own."


class DomainEditor(QWidget):
    """The values that could occur, as far as they are known, and the button that changes them.

    Where none are known a few are typed at once, in `line`; the button is for a long list.

    Signals
    -------
    edit_wanted()
        The person wants to type or change the values.
    typed(object)
        The values that were typed in the line, as a tuple.
    """

    edit_wanted = Signal()
    typed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_explain(self, "data.domain")
        self._column = ""
        self.words = label(small=True, muted=True, wrap=True)
        self.edit = push_button("Edit values…", self.edit_wanted, name="Edit the public values")
        self.line = QLineEdit()
        self.line.setPlaceholderText("A, B, C")
        self.line.setAccessibleName("Values that could occur, with commas between them")
        self.line.editingFinished.connect(self._take_line)
        boxes.column(self.words, self.line, (self.edit, Qt.AlignmentFlag.AlignLeft), spacing="xs", inside=self)

    def show_column(self, spec: ColumnSpec) -> None:
        """Say which values were declared."""
        if spec.domain is None:
            words = _UNSAID
            if spec.kind is Kind.ORDERED:
                words = "Not given. List the values in their order, the lowest first."
        else:
            shown = listing_of(spec.domain[:_NAMED]) + (", …" if len(spec.domain) > _NAMED else "")
            count = "1 value" if len(spec.domain) == 1 else "{n} values"
            words = f"{count.format(n=f'{len(spec.domain):,}')}: {shown}"
        observed = "domain" in spec.observed
        if observed:
            words += "\n" + "Read from the data, so what is built from it supports no claim."
        self.words.setText(words)
        self.line.setVisible(spec.domain is None)
        if spec.name != self._column or spec.domain is not None:
            self.line.clear()  # what was typed is of another column, or is said above by now
        self._column = spec.name
        set_look(self.words, tone="warning" if observed else "none", muted=not observed)

    def _take_line(self) -> None:
        if values := entries_of(self.line.text()):
            self.typed.emit(values)


class DomainDialog(QDialog):
    """One value per line, typed or pasted; reading them from the data is offered and says that it leaks.

    Signals
    -------
    chosen(object, bool)
        The values as a tuple, or None for no domain; whether they were read from the data.
    """

    chosen = Signal(object, bool)

    def __init__(
        self, spec: ColumnSpec, column: Column, runner: Runner, parent: QWidget | None = None, *, looked: bool = True
    ) -> None:
        super().__init__(parent)
        self._spec, self._column, self._runner = spec, column, runner
        self._observed = "domain" in spec.observed
        self.setWindowTitle(f"Values of {spec.name} that could occur")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "data.domain")
        self.edit = QPlainTextEdit("\n".join(spec.domain or ()))
        self.edit.setAccessibleName("Values, one per line")
        self.edit.setTabChangesFocus(True)
        self.edit.setPlaceholderText("one value per line")
        self.count = label(small=True, muted=True, wrap=True)
        self.read_button = push_button("Read from the data…", self._ask, quiet=True)
        self.read_button.setEnabled(looked)
        self.read_button.setToolTip("" if looked else LOOK_FIRST)
        self._lay_out()
        keep_typing(self)
        self.edit.textChanged.connect(self._judge)
        self._judge()

    def _lay_out(self) -> None:
        self.warning = QFrame()
        set_look(self.warning, message="warning")
        self.confirm = QPushButton("Read them anyway")
        self.confirm.clicked.connect(self._read)
        self.cancel = push_button("Do not", self._leave, quiet=True)
        words = label(
            (
                "That a value occurs can give away somebody who has it. What is built from such a list is made from "
                "the data, and no claim holds for it."
            ),
            wrap=True,
            small=True,
        )
        said = boxes.row(
            (IconLabel("warning", tokens.ICON, "warning"), Qt.AlignmentFlag.AlignTop), (words, 1), spacing="s"
        )
        boxes.column(
            said, boxes.row(self.confirm, self.cancel, 1, spacing="s"), margins="s", spacing="s", inside=self.warning
        )
        self.warning.hide()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.apply = self.buttons.addButton("&Use these values", QDialogButtonBox.ButtonRole.AcceptRole)
        set_look(self.apply, primary=True)
        self.buttons.accepted.connect(self._apply)
        self.buttons.rejected.connect(self.reject)
        below = boxes.row((self.count, 1), spacing="s")
        self._badge = analyst_badge()
        below.addWidget(self._badge)
        below.addWidget(self.read_button)
        intro = "One value per line, as it stands in the file. An empty list means that none are declared."
        if self._spec.kind is Kind.ORDERED:
            intro = "One value per line, as it stands in the file, the lowest first."
        boxes.column(
            label(intro, wrap=True),
            (self.edit, 1),
            below,
            self.warning,
            self.buttons,
            margins="l",
            spacing="s",
            inside=self,
        )
        self.resize(tokens.EMPTY_TEXT_WIDTH, tokens.EMPTY_TEXT_WIDTH)

    def values(self) -> tuple[str, ...]:
        """The values as typed; blank lines do not count, and nothing counts twice."""
        return tuple(dict.fromkeys(line for line in self.edit.toPlainText().split("\n") if line.strip()))

    def _judge(self) -> None:
        values = self.values()
        if not values:
            self._observed = False
        count = "1 value" if len(values) == 1 else f"{len(values):,} values"
        self.count.setText(count)
        self._badge.setVisible(self._observed)

    def _ask(self) -> None:
        self.warning.show()
        self.read_button.setEnabled(False)
        self.cancel.setFocus()

    def _leave(self) -> None:
        self.warning.hide()
        self.read_button.setEnabled(True)
        self.edit.setFocus()

    def _read(self) -> None:
        column, spec = self._column, self._spec

        def work(progress: Progress) -> list[str]:
            progress(0.0)
            codes = counted_values(column, spec, by_value=True)
            found = (column.values[code] for code in codes.tolist())
            return [value for value in found if not is_missing(value, spec.missing)]

        self._leave()
        self._runner.start("Reading values", work, on_done=self._take, key=DOMAIN_JOB, latest_wins=True, owner=self)

    def _take(self, values: list[str]) -> None:
        if len(values) > MOST_READ:
            self.count.setText(
                f"{len(values):,} values occur, too many for a list: type ranges or a rule in a hierarchy instead."
            )
            return
        self.edit.setPlainText("\n".join(values))
        self._observed = True
        self._judge()

    def _apply(self) -> None:
        values = self.values()
        self.chosen.emit(values or None, self._observed and bool(values))
        self.accept()
