"""A form made from declared parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QLineEdit, QWidget

from workbench.core.params import ParamSpec, ParamType
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.inputs import SpinBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField

LABEL_WIDTH = tokens.FIELD_WIDTH - tokens.SPACE_S
"""Labels of all forms are as wide, so that the fields stand below each other."""

_LARGEST = 1 << 30


class ParameterForm(QWidget):
    """One line per parameter: its title and a field, or for a switch a box with its title.

    Signals
    -------
    changed(str, object)
        The name of a parameter and the value the person gave it; never a value that is not allowed.
    """

    changed = Signal(str, object)

    def __init__(self, specs: Sequence[ParamSpec], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._specs = {spec.name: spec for spec in specs}
        self._labels: dict[str, QLabel] = {}
        self.fields: dict[str, QWidget] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(tokens.SPACE_M)
        self._grid.setVerticalSpacing(tokens.SPACE_S)
        self._grid.setColumnMinimumWidth(0, LABEL_WIDTH)
        self._grid.setColumnStretch(1, 1)
        for row, spec in enumerate(specs):
            self._add(row, spec)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._specs)

    def set_values(self, values: Mapping[str, Any]) -> None:
        """Show values without announcing them; a field that says the same already keeps its text and cursor."""
        for name, field in self.fields.items():
            value = values.get(name, self._specs[name].default)
            blocked = field.blockSignals(True)
            if isinstance(field, QCheckBox):
                field.setChecked(bool(value))
            elif isinstance(field, ElidingComboBox):
                field.choose(value)
            elif isinstance(field, SpinBox):
                if field.value() != value:
                    field.setValue(int(value))
            elif isinstance(field, NumberField):
                if field.value != value:
                    field.set_value(value)
            elif isinstance(field, QLineEdit) and field.text() != value:
                field.setText(str(value))
            field.blockSignals(blocked)

    def set_shown(self, name: str, shown: bool) -> None:
        """Show or hide a line, such as one that another choice makes pointless."""
        if name in self.fields:
            self.fields[name].setVisible(shown)
            if name in self._labels:
                self._labels[name].setVisible(shown)

    def set_placeholder(self, name: str, text: str) -> None:
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
            help_text = self._specs[known].help
            set_look(field, invalid=wrong)
            field.setToolTip(message if wrong else help_text)
            field.setAccessibleDescription(message if wrong else help_text)

    def _add(self, row: int, spec: ParamSpec) -> None:
        field = self.fields[spec.name] = self._field(spec)
        field.setAccessibleName(spec.title)
        field.setAccessibleDescription(spec.help)
        field.setToolTip(spec.help)
        if spec.type is ParamType.SWITCH:
            self._grid.addWidget(field, row, 0, 1, 2, Qt.AlignmentFlag.AlignLeft)
            return
        field.setMinimumWidth(tokens.COLUMN_MIN)
        words = self._labels[spec.name] = label(spec.title, wrap=True)
        words.setFixedWidth(LABEL_WIDTH)
        words.setBuddy(field)
        words.setToolTip(spec.help)
        self._grid.addWidget(words, row, 0)
        self._grid.addWidget(field, row, 1)

    def _field(self, spec: ParamSpec) -> QWidget:
        announce = partial(self._announce, spec.name)
        if spec.type is ParamType.SWITCH:
            box = QCheckBox(spec.title)
            box.toggled.connect(announce)
            return box
        if spec.type is ParamType.CHOICE:
            combo = ElidingComboBox(spec.title, [(title, value) for value, title in spec.choices])
            combo.currentIndexChanged.connect(partial(self._announce_choice, spec.name))
            return combo
        if spec.type is ParamType.INTEGER:
            unit = "" if spec.unit.casefold() in spec.title.casefold() else spec.unit
            low, high = (int(min(max(bound, -_LARGEST), _LARGEST)) for bound in (spec.minimum, spec.maximum))
            spin = SpinBox(spec.title, low, high, int(spec.default or low), unit)
            spin.valueChanged.connect(announce)
            return spin
        if spec.type is ParamType.NUMBER:
            field = NumberField(
                spec.title,
                minimum=spec.minimum,
                maximum=spec.maximum,
                open_minimum=spec.open_minimum,
                open_maximum=spec.open_maximum,
                value=spec.default,
                unit=spec.unit,
                compact=True,
            )
            field.value_changed.connect(announce)
            return field
        edit = QLineEdit()
        edit.textEdited.connect(announce)
        return edit

    def _announce(self, name: str, value: object) -> None:
        self.changed.emit(name, value)

    def _announce_choice(self, name: str, _index: int) -> None:
        field = self.fields[name]
        if isinstance(field, ElidingComboBox):
            self.changed.emit(name, field.chosen)
