"""The format of a column's numbers or dates, with an example as it is then read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFormLayout, QWidget

from workbench.core.dates import ALSO, ways_to_write
from workbench.core.errors import WorkbenchError
from workbench.core.kinds import parse
from workbench.core.schema import ColumnSpec, Format, Kind
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox, LongLine
from workbench.gui.widgets.labels import label
from workbench.gui.workspaces.data.as_read import value_text
from workbench.gui.workspaces.data.date_letters import letters_of, pattern_of

_PATTERNS = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d %b %Y", "%Y-%m", "%m/%Y")
_MIXED = ("%d.%m.%Y | %Y-%m-%d",)
_OR = " or "
_TIMES = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%d.%m.%Y %H:%M", "%d/%m/%Y %H:%M", "%m/%d/%Y %I:%M %p")
_SHORT = 5
"""Characters that a choice shows where there is little room."""
_CODES = (
    "Type such as DD/MM/YYYY, with “or” between several ways to write; or a code of %Y year, %y short year, %m month, "
    "%b Jan, %B January, %d day, %H hour, %M minute, %S second"
)
_EXAMPLE = datetime(2026, 12, 31, 13, 45)


class FormatEditor(QWidget):
    """Decimal mark, thousands separator and symbol of numbers, or the pattern of dates.

    Signals
    -------
    changed(object)
        The `Format` the person chose.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_explain(self, "data.format")
        self._spec: ColumnSpec | None = None
        self._examples: Sequence[str] = ()
        self._two_ways = ""
        self.decimal = ComboBox("Decimal mark", [("point  1.5", "."), ("comma  1,5", ",")])
        self.thousands = ComboBox(
            "Thousands separator",
            [
                ("none  1234", ""),
                ("comma  1,234", ","),
                ("point  1.234", "."),
                ("space  1 234", " "),
                ("apostrophe  1'234", "'"),
            ],
        )
        self.symbol = LongLine()
        self.symbol.setAccessibleName("Symbol before or after the numbers")
        self.symbol.setPlaceholderText("none, or such as $ or EUR")
        self.pattern = ComboBox("Pattern of the dates")
        self.pattern.setEditable(True)
        self.pattern.setInsertPolicy(ComboBox.InsertPolicy.NoInsert)
        for combo in (self.decimal, self.thousands, self.pattern):
            combo.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            combo.setMinimumContentsLength(_SHORT)
        # Where its place is narrow, the list of patterns is as wide as they are, and the field begins at their start.
        self.pattern.view().setTextElideMode(Qt.TextElideMode.ElideNone)
        self.pattern.setToolTip(_CODES)
        self.example = label(small=True, muted=True, wrap=True)
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(tokens.SPACE_M)
        self._form.setVerticalSpacing(tokens.SPACE_XS)
        self._form.addRow("Decimals", self.decimal)
        self._form.addRow("Thousands", self.thousands)
        self._form.addRow("Symbol", self.symbol)
        self._pattern_title = label("Pattern")  # above its field, which needs the whole width
        self._pattern_title.setBuddy(self.pattern)
        self._form.addRow(self._pattern_title)
        self._form.addRow(self.pattern)
        boxes.column(self._form, self.example, spacing="xs", inside=self)
        for combo in (self.decimal, self.thousands, self.pattern):
            combo.activated.connect(self._tell)
        edit = self.pattern.lineEdit()
        assert edit is not None
        for field in (edit, self.symbol):
            field.textEdited.connect(self._show_example)
            field.editingFinished.connect(self._tell)

    def show_column(self, spec: ColumnSpec, examples: Sequence[str], two_ways: str = "") -> None:
        """Show how a numeric or temporal column is written; `examples` are some of its texts, `two_ways` a warning."""
        self._spec, self._examples, self._two_ways = spec, examples, two_ways
        written, temporal = spec.format, spec.kind.temporal
        for row in (self.decimal, self.thousands):
            self._form.setRowVisible(row, not temporal and (row is self.thousands or spec.kind is not Kind.INTEGER))
        self._form.setRowVisible(self.symbol, spec.kind is Kind.MONEY)
        for part in (self._pattern_title, self.pattern):
            self._form.setRowVisible(part, temporal)
        if temporal:
            patterns = (*_PATTERNS, *_MIXED) if spec.kind is Kind.DATE else _TIMES
            if [self.pattern.itemData(i) for i in range(self.pattern.count())] != list(patterns):
                self.pattern.clear()
                for pattern in patterns:
                    self.pattern.addItem(self._in_words(pattern), pattern)
                    self.pattern.setItemData(self.pattern.count() - 1, pattern, Qt.ItemDataRole.ToolTipRole)
                self._widen_list()
            if self._pattern() != written.pattern or written.pattern in patterns:
                self.pattern.setEditText(self._in_words(written.pattern))
                edit = self.pattern.lineEdit()
                if edit is not None and not edit.hasFocus():
                    edit.setCursorPosition(0)
        self.decimal.choose(written.decimal_mark)
        self.thousands.choose(written.thousands)
        if self.symbol.text() != written.symbol:
            self.symbol.setText(written.symbol)
        self._show_example()

    def written(self) -> Format:
        """The format as the fields stand."""
        assert self._spec is not None
        if self._spec.kind.temporal:
            return replace(self._spec.format, pattern=self._pattern())
        return replace(
            self._spec.format,
            decimal_mark=str(self.decimal.chosen),
            thousands=str(self.thousands.chosen),
            symbol=self.symbol.text().strip() if self._spec.kind is Kind.MONEY else self._spec.format.symbol,
        )

    def _widen_list(self) -> None:
        view = self.pattern.view()
        view.setMinimumWidth(view.sizeHintForColumn(0) + 2 * tokens.SPACE_L)

    def _in_words(self, pattern: str) -> str:
        """A pattern as people write it, with an example; several without, and what letters cannot say as its code."""
        said = letters_of(pattern)
        if said == pattern or len(ways_to_write(pattern)) > 1:
            return said
        return f"{_EXAMPLE.strftime(pattern)}  {said}"  # the example first: where there is little room, it is seen

    def _pattern(self) -> str:
        """The pattern as the field stands: a choice of the list, or what was typed."""
        typed = self.pattern.currentText().strip()
        row = self.pattern.findText(typed)
        if row >= 0:
            return str(self.pattern.itemData(row))
        # A usual pattern may be typed as its example or in letters, and several with “or” between them.
        own = () if self._spec is None else (self._spec.format.pattern,)
        if own and typed == self._in_words(own[0]):
            return own[0]
        known = {said: one for one in (*_PATTERNS, *_TIMES) for said in self._in_words(one).split("  ")}
        return ALSO.join(known.get(way.strip(), pattern_of(way)) for way in typed.replace(ALSO, _OR).split(_OR))

    def _explain_pattern(self) -> None:
        """Say beside the field which code it stands for; commands and files have it so."""
        self.pattern.setToolTip(f"Code: {self._pattern()}\n{_CODES}" if self._pattern() else _CODES)

    def _show_example(self, *_: object) -> None:
        """Say how the first text that can be read is read, or that none can."""
        if self._spec is None:
            return
        if self._spec.kind.temporal:
            self._explain_pattern()
        spec = replace(self._spec, format=self.written())
        try:
            numbers = parse(list(self._examples), spec)
        except WorkbenchError as error:
            self._say(str(error), "error")
            return
        for text, number in zip(self._examples, numbers.tolist(), strict=True):
            if math.isfinite(number):
                read = value_text(number, spec)
                unsure = self._two_ways and spec == self._spec
                self._say(self._two_ways if unsure else f"“{text}” is read as {read}", "warning" if unsure else "none")
                return
        if self._examples:
            self._say(f"“{self._examples[0]}” cannot be read like this", "warning")
        else:
            self._say("There is no value to try it on", "none")

    def _say(self, text: str, tone: str) -> None:
        self.example.setText(text)
        set_look(self.example, tone=tone, muted=tone == "none")

    def _tell(self, *_: object) -> None:
        self._show_example()
        if self._spec is None:
            return
        written = self.written()
        if written != self._spec.format:
            self.changed.emit(written)
