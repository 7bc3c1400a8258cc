"""How the file is to be read, with the first rows as they then come out."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled, Progress
from workbench.core.table import Column, Table
from workbench.gui import tokens
from workbench.gui.runner import Runner
from workbench.gui.theme import set_look
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.table_view import DataTableView
from workbench.gui.workspaces.data.words import delimiter_word, encoding_word
from workbench.io.dialect import Dialect
from workbench.io.reading import Preview, preview

PREVIEW_JOB = "data.preview"

_ROWS = 30
_WAIT_MS = 150
_MOST_SKIPPED = 100_000
_DELIMITERS = (",", ";", "\t", "|", " ")
_ENCODINGS = ("utf-8", "cp1252", "latin-1", "utf-16", "cp1250", "cp1251", "cp932", "gb18030")
_QUOTES = ('"', "'", "")


class ReadingOptions(QDialog):
    """Delimiter, encoding, quotation mark, heading and lines to skip, with a live preview.

    Signals
    -------
    applied(object)
        The `Dialect` to read the file with.
    """

    applied = Signal(object)

    def __init__(self, path: Path, dialect: Dialect, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._runner = runner
        self._showing = False
        self.dialect: Dialect | None = dialect
        self.setWindowTitle(self.tr("How {name} is read").format(name=path.name))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "data.preview")
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_WAIT_MS)
        self._wait.timeout.connect(self._preview)
        self._make_fields()
        self.table = DataTableView(self.tr("First rows of the file"))
        self.table.show_table(Table(()))
        self.summary = label(small=True, muted=True, wrap=True)
        self._lay_out()
        self.show_dialect(dialect)
        self._preview()

    def _make_fields(self) -> None:
        self.delimiter = ComboBox(self.tr("Delimiter"))
        for mark in _DELIMITERS:
            self.delimiter.addItem(delimiter_word(mark), mark)
        self.encoding = ComboBox(self.tr("Encoding"))
        for name in _ENCODINGS:
            self.encoding.addItem(encoding_word(name), name)
        for combo in (self.delimiter, self.encoding):
            combo.setEditable(True)
            combo.setInsertPolicy(ComboBox.InsertPolicy.NoInsert)
            edit = combo.lineEdit()
            assert edit is not None
            edit.textEdited.connect(self._changed)
        self.quote = ComboBox(self.tr("Quotation mark"))
        words = (self.tr('double "'), self.tr("single '"), self.tr("none"))
        for mark, word in zip(_QUOTES, words, strict=True):
            self.quote.addItem(word, mark)
        self.header = QCheckBox(self.tr("&First line names the columns"))
        self.spaces = QCheckBox(self.tr("&Ignore spaces after a delimiter"))
        self.skip = NumberField(
            self.tr("Lines to skip at the top"), minimum=0, maximum=_MOST_SKIPPED, value=0, integer=True, compact=True
        )
        for combo in (self.delimiter, self.encoding, self.quote):
            combo.activated.connect(self._changed)
        self.header.toggled.connect(self._changed)
        self.spaces.toggled.connect(self._changed)
        self.skip.value_changed.connect(self._changed)
        for widget, name in (
            (self.header, self.tr("First line names the columns")),
            (self.spaces, self.tr("Ignore spaces after a delimiter")),
        ):
            widget.setAccessibleName(name)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(tokens.SPACE_M)
        form.setVerticalSpacing(tokens.SPACE_S)
        form.addRow(self.tr("&Delimiter"), self.delimiter)
        form.addRow(self.tr("&Encoding"), self.encoding)
        form.addRow(self.tr("&Quotation mark"), self.quote)
        form.addRow(self.tr("&Skip lines"), self.skip)
        form.addRow(self.header)
        form.addRow(self.spaces)
        self.recognise = QPushButton(self.tr("&Recognise again"))
        self.recognise.setAccessibleName(self.tr("Recognise how the file is written"))
        self.recognise.clicked.connect(self._recognise)
        left = QVBoxLayout()
        left.setSpacing(tokens.SPACE_M)
        left.addLayout(form)
        left.addWidget(self.recognise, 0, Qt.AlignmentFlag.AlignLeft)
        left.addStretch(1)
        right = QVBoxLayout()
        right.setSpacing(tokens.SPACE_XS)
        right.addWidget(self.table, 1)
        right.addWidget(self.summary)
        across = QHBoxLayout()
        across.setSpacing(tokens.SPACE_L)
        across.addLayout(left)
        across.addLayout(right, 1)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.apply = self.buttons.addButton(self.tr("&Open like this"), QDialogButtonBox.ButtonRole.AcceptRole)
        set_look(self.apply, primary=True)
        self.buttons.accepted.connect(self._apply)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_L, tokens.SPACE_L, tokens.SPACE_L, tokens.SPACE_L)
        layout.setSpacing(tokens.SPACE_M)
        layout.addLayout(across, 1)
        layout.addWidget(self.buttons)
        self.resize(3 * tokens.EXPLAIN_WIDTH, 3 * tokens.EXPLAIN_WIDTH // 2)

    def show_dialect(self, dialect: Dialect) -> None:
        """Show a dialect in the fields."""
        self._showing = True
        _choose(self.delimiter, dialect.delimiter, delimiter_word(dialect.delimiter))
        _choose(self.encoding, dialect.encoding, encoding_word(dialect.encoding))
        _choose(self.quote, dialect.quote, dialect.quote)
        self.header.setChecked(dialect.header)
        self.spaces.setChecked(dialect.skip_spaces)
        self.skip.set_value(dialect.skip_lines)
        self.dialect = dialect
        self._showing = False

    def _changed(self, *_: object) -> None:
        if not self._showing:
            self._wait.start()

    def _chosen(self) -> Dialect:
        return Dialect(
            delimiter=_value(self.delimiter),
            encoding=_value(self.encoding),
            quote=str(self.quote.currentData()),
            header=self.header.isChecked(),
            skip_lines=round(self.skip.value or 0),
            skip_spaces=self.spaces.isChecked(),
        )

    def _preview(self) -> None:
        try:
            self.dialect = self._chosen()
        except WorkbenchError as error:
            self._refuse(error)
            return
        self._start(self.dialect)

    def _recognise(self) -> None:
        self._start(None)

    def _start(self, dialect: Dialect | None) -> None:
        self._runner.start(
            self.tr("Previewing {name}").format(name=self._path.name),
            partial(_read, self._path, dialect),
            on_done=self._show,
            on_failed=self._failed,
            key=PREVIEW_JOB,
            latest_wins=True,
        )

    def _show(self, seen: Preview) -> None:
        if seen.dialect != self.dialect:
            self.show_dialect(seen.dialect)
        columns = zip(*seen.rows, strict=True) if seen.rows else ([] for _ in seen.names)
        table = Table(tuple(Column.from_texts(n, list(c)) for n, c in zip(seen.names, columns, strict=True)))
        self.table.show_table(table)
        words = self.tr("{columns} columns; the first {rows} rows are shown.").format(
            columns=len(seen.names), rows=len(seen.rows)
        )
        if seen.problems:
            first = seen.problems[0]
            words += " " + self.tr("Line {line}: {reason}.").format(line=f"{first.line:,}", reason=first.reason)
        self.summary.setText(words)
        set_look(self.summary, tone="warning" if seen.problems else "none", muted=not seen.problems)
        self.apply.setEnabled(True)

    def _failed(self, error: BaseException) -> bool:
        if isinstance(error, WorkbenchError):
            self._refuse(error)
            return True
        return isinstance(error, Cancelled)

    def _refuse(self, error: WorkbenchError) -> None:
        self.dialect = None
        self.table.show_table(Table(()))
        self.summary.setText(str(error))
        set_look(self.summary, tone="error", muted=False)
        self.apply.setEnabled(False)

    def _apply(self) -> None:
        try:
            dialect = self._chosen()
        except WorkbenchError as error:
            self._refuse(error)
            return
        self.applied.emit(dialect)
        self.accept()


def _read(path: Path, dialect: Dialect | None, progress: Progress) -> Preview:
    seen = preview(path, dialect, rows=_ROWS)
    progress(1.0)
    return seen


def _choose(combo: ComboBox, value: str, word: str) -> None:
    index = combo.findData(value)
    combo.setCurrentIndex(index)
    if index < 0:
        combo.setEditText(word.strip("“”"))


def _value(combo: ComboBox) -> str:
    """What an editable list stands for: the entry of that text, else the text itself."""
    text = combo.currentText()
    index = combo.findText(text)
    return str(combo.itemData(index)) if index >= 0 else text
