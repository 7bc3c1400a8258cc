"""A form made from the declaration of parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLineEdit, QWidget

from workbench.core.params import ParamSpec, ParamType
from workbench.gui import tokens
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField

_COMBO_LETTERS = 10
_STEPS = 20


class ParameterFields(QWidget):
    """One line per parameter: its title and a field for its kind, the help as tooltip.

    Parameters
    ----------
    specs
        The parameters.
    columns
        The columns a parameter may name.

    Signals
    -------
    changed(str, object)
        The person gave the parameter of that name another value.
    validity_changed()
        A field holds no number any more, or holds one again.
    """

    changed = Signal(str, object)
    validity_changed = Signal()

    def __init__(self, specs: Sequence[ParamSpec], columns: Sequence[str] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._showing = False
        self.fields: dict[str, QWidget] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(tokens.SPACE_S)
        grid.setVerticalSpacing(tokens.SPACE_XS)
        grid.setColumnStretch(1, 1)
        for row, spec in enumerate(specs):
            field = self._field(spec, columns)
            self.fields[spec.name] = field
            title = label(spec.title, wrap=True)
            for widget in (title, field):
                widget.setToolTip(spec.help)
            grid.addWidget(title, row, 0)
            grid.addWidget(field, row, 1)
        grid.setColumnMinimumWidth(0, tokens.METER_WIDTH + tokens.SPACE_XL + tokens.SPACE_S)

    @property
    def valid(self) -> bool:
        """Whether every field shows the value that is in force."""
        return all(field.valid for field in self.fields.values() if isinstance(field, NumberField))

    def show_values(self, values: Mapping[str, Any]) -> None:
        """Show these values; a number that is being typed is left alone if it means the same."""
        self._showing = True
        try:
            for name, field in self.fields.items():
                value = values.get(name)
                if isinstance(field, NumberField):
                    if value is not None and field.value != value and (field.valid or not field.edit.hasFocus()):
                        field.set_value(value)
                elif isinstance(field, ComboBox):
                    field.choose(value)
                elif isinstance(field, QCheckBox):
                    field.setChecked(bool(value))
                elif isinstance(field, QLineEdit) and field.text() != value:
                    field.setText(str(value or ""))
        finally:
            self._showing = False

    def _field(self, spec: ParamSpec, columns: Sequence[str]) -> QWidget:
        if spec.type in (ParamType.INTEGER, ParamType.NUMBER):
            return self._number(spec)
        if spec.type in (ParamType.CHOICE, ParamType.COLUMN):
            return self._combo(spec, columns)
        if spec.type is ParamType.SWITCH:
            box = QCheckBox()
            box.setAccessibleName(spec.title)
            box.clicked.connect(partial(self._tell, spec.name))
            return box
        edit = QLineEdit()
        edit.setAccessibleName(spec.title)
        edit.editingFinished.connect(partial(self._tell_text, spec.name, edit))
        return edit

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
            step=1.0 if whole or not bounded else (spec.maximum - spec.minimum) / _STEPS,
            unit=spec.unit,
            compact=True,
        )
        field.value_changed.connect(partial(self._tell_number, spec))
        field.validity_changed.connect(self._tell_validity)
        return field

    def _combo(self, spec: ParamSpec, columns: Sequence[str]) -> ComboBox:
        choices: list[tuple[str, object]] = [(title, value) for value, title in spec.choices]
        if spec.type is ParamType.COLUMN:
            choices = [(self.tr("none"), "")] if spec.default == "" else []
            choices += [(name, name) for name in columns]
        combo = ComboBox(spec.title, choices)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(_COMBO_LETTERS)
        combo.activated.connect(partial(self._tell_chosen, spec.name, combo))
        return combo

    def _tell_number(self, spec: ParamSpec, value: float) -> None:
        self._tell(spec.name, int(value) if spec.type is ParamType.INTEGER else value)

    def _tell_chosen(self, name: str, combo: ComboBox, _row: int) -> None:
        self._tell(name, combo.chosen)

    def _tell_text(self, name: str, edit: QLineEdit) -> None:
        self._tell(name, edit.text().strip())

    def _tell(self, name: str, value: object) -> None:
        if not self._showing:
            self.changed.emit(name, value)

    def _tell_validity(self, _valid: bool) -> None:
        self.validity_changed.emit()
