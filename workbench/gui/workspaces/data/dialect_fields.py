"""The fields that say how a file is written, or where in a workbook or database the table is."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLineEdit, QWidget

from workbench.gui import tokens
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.number_field import NumberField
from workbench.io.dialect import Dialect
from workbench.io.dialect_words import delimiter_word, encoding_word
from workbench.io.opening import FileContent

_MOST_SKIPPED = 100_000
_DELIMITERS = (",", ";", "\t", "|", " ")
_ENCODINGS = ("utf-8", "cp1252", "latin-1", "utf-16", "cp1250", "cp1251", "cp932", "gb18030")
_QUOTES = ('"', "'", "")


class DialectFields(QWidget):
    """Sheet or table, delimiter, encoding, quotation mark, lines to skip, heading: those of them that the file has.

    Signals
    -------
    changed()
        The person changed a field.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._showing = self._typed = False
        self._asked = ""
        self._form = QFormLayout(self)
        self._make()
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(tokens.SPACE_M)
        self._form.setVerticalSpacing(tokens.SPACE_S)
        self._form.addRow("S&heet", self.sheet)
        self._form.addRow("&Table", self.table)
        self._form.addRow("or &query", self.query)
        self._form.addRow("&Delimiter", self.delimiter)
        self._form.addRow("&Encoding", self.encoding)
        self._form.addRow("&Quotation mark", self.quote)
        self._form.addRow("&Skip lines", self.skip)
        self._form.addRow(self.header)
        self._form.addRow(self.spaces)
        self._form.addRow(self.labels)
        for row in (self.sheet, self.table, self.query, self.labels):
            self._form.setRowVisible(row, False)

    def _make(self) -> None:
        self.sheet = ComboBox("Sheet")
        self.sheet.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.table = ComboBox("Table of the database")
        self.table.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.query = QLineEdit()
        self.query.setAccessibleName("Query in the place of a table")
        self.query.setPlaceholderText("SELECT …")
        self.query.editingFinished.connect(self._ask)
        self.labels = QCheckBox("La&bels in the place of codes")
        self.delimiter = ComboBox("Delimiter")
        for mark in _DELIMITERS:
            self.delimiter.addItem(delimiter_word(mark), mark)
        self.encoding = ComboBox("Encoding")
        for name in _ENCODINGS:
            self.encoding.addItem(encoding_word(name), name)
        set_explain(self.query, "data.query")
        set_explain(self.labels, "data.labels")
        for combo in (self.delimiter, self.encoding):
            combo.setEditable(True)
            combo.setInsertPolicy(ComboBox.InsertPolicy.NoInsert)
            edit = combo.lineEdit()
            assert edit is not None
            edit.textEdited.connect(self._tell)
        self.quote = ComboBox("Quotation mark")
        words = ('double "', "single '", "none")
        for mark, word in zip(_QUOTES, words, strict=True):
            self.quote.addItem(word, mark)
        self.header = QCheckBox("&First line names the columns")
        self.spaces = QCheckBox("&Ignore spaces after a delimiter")
        self.skip = NumberField(
            "Lines to skip at the top", minimum=0, maximum=_MOST_SKIPPED, value=0, integer=True, compact=True
        )
        for combo in (self.sheet, self.delimiter, self.encoding, self.quote):
            combo.activated.connect(self._tell)
        self.table.activated.connect(self._take_table)
        self.labels.toggled.connect(self._tell)
        self.header.toggled.connect(self._tell)
        self.spaces.toggled.connect(self._tell)
        self.skip.value_changed.connect(self._tell)
        for box in (self.header, self.spaces, self.labels):
            box.setAccessibleName(box.text().replace("&", ""))

    def show_form(self, form: FileContent, sheets: tuple[str, ...]) -> None:
        """Show the fields that a file of this form has."""
        for row in (self.delimiter, self.encoding, self.quote, self.spaces):
            self._form.setRowVisible(row, form is FileContent.CSV)
        self._typed = form.typed
        self._form.setRowVisible(self.sheet, form.sheets)
        self._form.setRowVisible(self.table, form.database)
        self._form.setRowVisible(self.query, form.database)
        self._form.setRowVisible(self.labels, form.labelled)
        for field in (self.skip, self.header):
            self._form.setRowVisible(field, form is FileContent.CSV or form.sheets)
        if form.database and [self.table.itemText(i) for i in range(self.table.count())] != list(sheets):
            self.table.clear()
            self.table.addItems(sheets)
        if form.sheets and [self.sheet.itemText(i) for i in range(self.sheet.count())] != list(sheets):
            self.sheet.clear()
            self.sheet.addItems(sheets)

    def show_dialect(self, dialect: Dialect) -> None:
        """Show a dialect in the fields."""
        self._showing = True
        _choose(self.delimiter, dialect.delimiter, delimiter_word(dialect.delimiter))
        _choose(self.encoding, dialect.encoding, encoding_word(dialect.encoding))
        _choose(self.quote, dialect.quote, dialect.quote)
        self.sheet.setCurrentIndex(self.sheet.findText(dialect.sheet))
        self.table.setCurrentIndex(self.table.findText(dialect.sheet))
        self.query.setText(dialect.query)
        self._asked = dialect.query
        self.labels.setChecked(dialect.labels)
        self.header.setChecked(dialect.header)
        self.spaces.setChecked(dialect.skip_spaces)
        self.skip.set_value(dialect.skip_lines)
        self._showing = False

    def dialect(self) -> Dialect:
        """The dialect the fields stand for.

        Raises
        ------
        WorkbenchError
            If there can be no such dialect.
        """
        if self._typed:
            query = self.query.text().strip()
            return Dialect(sheet="" if query else self.table.currentText(), query=query, labels=self.labels.isChecked())
        shown = Dialect(header=self.header.isChecked(), skip_lines=round(self.skip.value or 0))
        if self._form.isRowVisible(self.sheet):
            return replace(shown, sheet=self.sheet.currentText())
        return replace(
            shown,
            delimiter=_value(self.delimiter),
            encoding=_value(self.encoding),
            quote=str(self.quote.chosen),
            skip_spaces=self.spaces.isChecked(),
        )

    def _take_table(self, *_: object) -> None:
        """A table that was chosen takes the place of a query."""
        self.query.clear()
        self._asked = ""
        self._tell()

    def _ask(self) -> None:
        """A query is asked when it was typed to its end, and only if it is another one."""
        if self.query.text().strip() != self._asked:
            self._asked = self.query.text().strip()
            self._tell()

    def _tell(self, *_: object) -> None:
        if not self._showing:
            self.changed.emit()


def _choose(combo: ComboBox, value: str, word: str) -> None:
    index = combo.findData(value)
    combo.setCurrentIndex(index)
    if index < 0:
        combo.setEditText(word.strip("“”"))
    edit = combo.lineEdit()
    if edit is not None:
        edit.setCursorPosition(0)  # what does not fit is cut off at its end, not at its beginning


def _value(combo: ComboBox) -> str:
    """Value of an editable list: the data of the entry of that text, or the text itself."""
    text = combo.currentText()
    index = combo.findText(text)
    return str(combo.itemData(index)) if index >= 0 else text
