"""A form made from the declaration of parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLabel, QLineEdit, QPlainTextEdit, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType
from workbench.gui import tokens
from workbench.gui.later import Later
from workbench.gui.theme import monospace_font, set_look
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.inputs import ComboBox, SpinBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField

LABEL_WIDTH = tokens.FIELD_WIDTH - tokens.SPACE_S
"""Labels of ample forms are as wide, so that the fields of several stand below each other."""

LABELS = tokens.METER_WIDTH + tokens.SPACE_XL + tokens.SPACE_S
"""Labels of other forms are as wide."""
_LARGEST = 1 << 30
_COMBO_LETTERS = 6
_STEPS = 20
_LINES = 5
_SETTLE_MS = 300
_MOST_LETTERS = 100_000
_BETWEEN = "\t;,"
"""What may stand between values that were copied in one line, the surest first."""


class ParameterFields(QWidget):
    """One line per parameter: its title and a field for its kind, the help as tooltip.

    Parameters
    ----------
    specs
        The parameters.
    columns
        The columns a parameter may name.
    ample
        On a page of its own, as builders of hierarchies have: labels of `LABEL_WIDTH`, whole numbers with buttons, a
        switch with its title beside it, and texts that are sent while they are typed.

    Signals
    -------
    changed(str, object)
        The person gave the parameter of that name another value; fractions and texts come as they were typed.
    validity_changed()
        A field holds no number any more, or holds one again.
    """

    changed = Signal(str, object)
    validity_changed = Signal()

    def __init__(
        self,
        specs: Sequence[ParamSpec],
        columns: Sequence[str] = (),
        *,
        ample: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._showing, self._ample = False, ample
        self._specs = {spec.name: spec for spec in specs}
        self._labels: dict[str, QLabel] = {}
        self.fields: dict[str, QWidget] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(tokens.SPACE_M if ample else tokens.SPACE_S)
        self._grid.setVerticalSpacing(tokens.SPACE_S if ample else tokens.SPACE_XS)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnMinimumWidth(0, LABEL_WIDTH if ample else LABELS)
        for spec in specs:
            self._add(spec, columns)

    @property
    def valid(self) -> bool:
        """Whether every field shows the value that is in force."""
        return all(field.valid for field in self.fields.values() if isinstance(field, NumberField | FractionEdit))

    # Showing

    def show_values(self, values: Mapping[str, Any]) -> None:
        """Show these values; a number that is being typed is left alone if it means the same."""
        self._showing = True
        try:
            for name, field in self.fields.items():
                value = values.get(name)
                if isinstance(field, NumberField):
                    if value == 0 and _named_zero(self._specs[name]):
                        if field.value is not None:
                            field.set_value(None)
                    elif value is not None and field.value != value and (field.valid or not field.edit.hasFocus()):
                        field.set_value(value)
                elif isinstance(field, SpinBox):
                    if value is not None and field.value() != value:
                        field.setValue(int(value))
                elif isinstance(field, ComboBox):
                    field.choose(value)
                elif isinstance(field, QCheckBox):
                    field.setChecked(bool(value))
                elif isinstance(field, LinesEdit):
                    field.show_text(str(value or ""))
                elif isinstance(field, FractionEdit):
                    field.show_text(str(value))
                elif isinstance(field, QLineEdit) and field.text() != value:
                    field.setText(str(value or ""))
                    if not field.hasFocus():
                        field.setCursorPosition(0)  # a long text shows its beginning
        finally:
            self._showing = False

    def set_shown(self, name: str, shown: bool) -> None:
        """Show or hide a line, such as one that another choice makes pointless."""
        if name in self.fields:
            self.fields[name].setVisible(shown)
            if name in self._labels:
                self._labels[name].setVisible(shown)

    def set_placeholder(self, name: str, text: str) -> None:
        """What an empty text field shows."""
        field = self.fields.get(name)
        if isinstance(field, QLineEdit):
            field.setPlaceholderText(text)

    def set_zero_word(self, name: str, text: str) -> None:
        """What a whole number of 0 is called where it stands for something else."""
        field = self.fields.get(name)
        if isinstance(field, SpinBox):
            field.setSpecialValueText(text)

    def mark(self, name: str, message: str) -> None:
        """Mark the field of that name as wrong, and no other; with "" none is."""
        for known, field in self.fields.items():
            wrong = known == name
            words = message if wrong else self._specs[known].help
            set_look(field, invalid=wrong)
            field.setToolTip(words)
            field.setAccessibleDescription(words)

    def follow(self, before: QWidget) -> QWidget:
        """Let Tab lead from `before` through the fields, and give the widget it is in at the end."""
        for field in self.fields.values():
            # The widget inside that takes the focus: given the outer one, Qt leaves that where it was.
            inner = field.focusProxy() or field
            QWidget.setTabOrder(before, inner)
            before = inner
        return before

    def retire(self) -> None:
        """Go for good, without a word.

        Hiding takes the focus from a field, which then tells what is typed in it: by now to somebody who asks for
        other parameters.
        """
        self.blockSignals(True)
        self.hide()
        self.deleteLater()

    # Building

    def _add(self, spec: ParamSpec, columns: Sequence[str]) -> None:
        field = self.fields[spec.name] = self._field(spec, columns)
        row = self._grid.rowCount()
        field.setToolTip(spec.help)
        if self._ample:
            field.setAccessibleDescription(spec.help)
            if isinstance(field, QCheckBox):
                self._grid.addWidget(field, row, 0, 1, 2, Qt.AlignmentFlag.AlignLeft)
                return
            field.setMinimumWidth(tokens.COLUMN_MIN)
        title = self._labels[spec.name] = label(spec.title, wrap=True)
        title.setToolTip(spec.help)
        if self._ample:
            title.setFixedWidth(LABEL_WIDTH)
            title.setBuddy(field)
        if isinstance(field, LinesEdit):
            self._grid.addWidget(title, row, 0, 1, 2)
            self._grid.addWidget(field, row + 1, 0, 1, 2)
        else:
            self._grid.addWidget(title, row, 0)
            self._grid.addWidget(field, row, 1)

    def _field(self, spec: ParamSpec, columns: Sequence[str]) -> QWidget:
        tell = partial(self._tell, spec.name)
        if spec.type is ParamType.INTEGER and self._ample:
            return self._spin(spec)
        if spec.type in (ParamType.INTEGER, ParamType.NUMBER):
            return self._number(spec)
        if spec.type in (ParamType.CHOICE, ParamType.COLUMN):
            return self._combo(spec, columns)
        if spec.type is ParamType.SWITCH:
            box = QCheckBox(spec.title if self._ample else "")
            box.setAccessibleName(spec.title)
            # Not `clicked`: through a partial function its state would not arrive.
            box.toggled.connect(tell)
            return box
        if spec.type is ParamType.FRACTION:
            fraction = FractionEdit(spec)
            fraction.typed.connect(tell)
            fraction.validity_changed.connect(self.validity_changed)
            return fraction
        if spec.type is ParamType.LINES:
            lines = LinesEdit(spec.title)
            lines.typed.connect(tell)
            return lines
        edit = QLineEdit()
        edit.setAccessibleName(spec.title)
        if self._ample:
            edit.textEdited.connect(tell)
        else:
            edit.editingFinished.connect(lambda: tell(edit.text().strip()))
        return edit

    def _spin(self, spec: ParamSpec) -> SpinBox:
        unit = "" if spec.unit.casefold() in spec.title.casefold() else spec.unit
        low, high = (int(min(max(bound, -_LARGEST), _LARGEST)) for bound in (spec.minimum, spec.maximum))
        spin = SpinBox(spec.title, low, high, int(spec.default or low), unit)
        spin.valueChanged.connect(partial(self._tell, spec.name))
        return spin

    def _number(self, spec: ParamSpec) -> NumberField:
        whole = spec.type is ParamType.INTEGER
        bounded = math.isfinite(spec.minimum) and math.isfinite(spec.maximum)
        field = NumberField(
            spec.title,
            minimum=spec.minimum,
            maximum=spec.maximum,
            open_minimum=spec.open_minimum,
            open_maximum=spec.open_maximum,
            integer=whole,
            amount=spec.amount,
            value=spec.default if self._ample else None,
            step=1.0 if whole or not bounded else (spec.maximum - spec.minimum) / _STEPS,
            unit=spec.unit,
            placeholder=spec.placeholder,
            optional=_named_zero(spec),
            compact=True,
        )
        field.cleared.connect(lambda: self._tell(spec.name, spec.default))
        field.value_changed.connect(partial(self._tell_number, spec))
        field.validity_changed.connect(self._tell_validity)
        return field

    def _combo(self, spec: ParamSpec, columns: Sequence[str]) -> ComboBox:
        choices: list[tuple[str, object]] = [(title, value) for value, title in spec.choices]
        if spec.type is ParamType.COLUMN:
            choices = [("none", "")] if spec.default == "" else []
            choices += [(name, name) for name in columns]
        combo = ElidingComboBox(spec.title, choices) if self._ample else ComboBox(spec.title, choices)
        if not self._ample:
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            combo.setMinimumContentsLength(_COMBO_LETTERS)
        combo.activated.connect(partial(self._tell_chosen, spec.name, combo))
        return combo

    # Telling

    def _tell_number(self, spec: ParamSpec, value: float) -> None:
        self._tell(spec.name, int(value) if spec.type is ParamType.INTEGER else value)

    def _tell_chosen(self, name: str, combo: ComboBox, _row: int) -> None:
        self._tell(name, combo.chosen)

    def _tell(self, name: str, value: object) -> None:
        if not self._showing:
            self.changed.emit(name, value)

    def _tell_validity(self, _valid: bool) -> None:
        self.validity_changed.emit()


def _named_zero(spec: ParamSpec) -> bool:
    """Whether 0 stands for something that an empty field says in words."""
    return bool(spec.placeholder) and spec.default == 0


class FractionEdit(QLineEdit):
    """A fraction such as 1/3 or 0.25, kept as it is typed; what is none is marked and not sent.

    Signals
    -------
    typed(str)
        Another valid fraction, as text.
    validity_changed()
        It holds no allowed fraction any more, or holds one again.
    """

    typed = Signal(str)
    validity_changed = Signal()

    def __init__(self, spec: ParamSpec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spec = spec
        self.valid = True
        self.setAccessibleName(spec.title)
        self.textEdited.connect(self._read)

    def show_text(self, text: str) -> None:
        """Show a value, unless the person is typing one that means the same."""
        if self.text() == text or (self.hasFocus() and self._value(self.text()) == self._value(text)):
            return
        self.setText(text)
        self._judge(True)

    def _read(self, text: str) -> None:
        valid = self._value(text) is not None
        self._judge(valid)
        if valid:
            self.typed.emit(text.strip())

    def _value(self, text: str) -> object:
        try:
            return self._spec.parse(text)
        except WorkbenchError as error:
            self._why = error.message
            return None

    def _judge(self, valid: bool) -> None:
        changed, self.valid = valid != self.valid, valid
        set_look(self, invalid=not valid)
        self.setToolTip(self._spec.help if valid else self._why)
        if changed:
            self.validity_changed.emit()


class LinesEdit(QPlainTextEdit):
    """A small table or another text of several lines; sent a moment after the last key.

    Signals
    -------
    typed(str)
        The text became another one.
    """

    typed = Signal(str)

    splits_pasted = False
    """Whether one pasted line of several, as from a sheet or a list with commas, becomes a line for each."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFont(monospace_font())
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._told = ""
        self._wait = Later(self, self.tell, _SETTLE_MS)
        self.textChanged.connect(self._wait.start)

    def show_text(self, text: str) -> None:
        """Show a text, unless the person is typing another one."""
        if self._told == text or self._wait.isActive():
            return
        if self.toPlainText().rstrip() == text.rstrip() and not self.isReadOnly():
            return  # an empty line at the end is where the next one is typed
        self._told = text
        # Laying out millions of letters takes seconds, and nobody edits them here.
        too_long = len(text) > _MOST_LETTERS
        self.setReadOnly(too_long)
        shown = f"{len(text):,} letters, not shown" if too_long else text
        if self.toPlainText() != shown:
            at = self.textCursor().position() if self.hasFocus() else 0
            self.setPlainText(shown)
            caret = self.textCursor()
            caret.setPosition(min(at, len(shown)))
            self.setTextCursor(caret)
        self._wait.stop()

    def insertFromMimeData(self, source: QMimeData) -> None:
        text = source.text()
        mark = next((one for one in _BETWEEN if one in text), "")
        if not (self.splits_pasted and mark) or "\n" in text.strip():
            super().insertFromMimeData(source)
            return
        parts = (part.strip() for part in text.split(mark))
        self.insertPlainText("\n".join(part for part in parts if part))

    def sizeHint(self) -> QSize:
        return QSize(tokens.FIELD_WIDTH, _LINES * self.fontMetrics().lineSpacing() + 2 * tokens.SPACE_S)

    def minimumSizeHint(self) -> QSize:
        return QSize(tokens.FIELD_WIDTH // 2, self.sizeHint().height() // 2)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.tell()

    def hideEvent(self, event: QEvent) -> None:
        self.tell()

    def tell(self) -> None:
        """Send what is typed now, without waiting."""
        self._wait.stop()
        text = self.toPlainText()
        if text != self._told and not self.isReadOnly():
            self._told = text
            self.typed.emit(text)
