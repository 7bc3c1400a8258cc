"""The options of one curve: the parameters of its method and of its protocol, an ε of its own and a name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from workbench.evaluate.method import MethodChoice
from workbench.evaluate.method_list import own_params, protocol_of, with_protocol_value, with_value
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.bound_form import BoundForm
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.parameter_fields import ParameterFields


class MethodOptions(QWidget):
    """Fields below the line of a curve.

    Signals
    -------
    changed(object, str)
        The curve became this `MethodChoice`; the text tells which field did it.
    """

    changed = Signal(object, str)

    def __init__(self, choice: MethodChoice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choice = choice
        layout = boxes.column(margins="0 0 0 s", spacing="xs", inside=self)
        protocol = protocol_of(choice)
        self.protocol: ParameterFields | None = None
        if protocol is not None and protocol.protocol.params:
            self.protocol = ParameterFields(protocol.protocol.params)
            self.protocol.changed.connect(self._set_protocol)
            layout.addWidget(self.protocol)
        self.fields = ParameterFields(own_params(choice))
        self.fields.changed.connect(self._set_value)
        layout.addWidget(self.fields)
        self.form = BoundForm("compare", lambda: self._choice, "curve", parent=self)
        self.form.edited.connect(self._edit)
        self.epsilon, self.name = self.form["epsilon"], self.form["label"]
        layout.addLayout(self.form.grid())
        self.epsilon.edit.setMinimumWidth(0)
        for form in (self.protocol, self.fields):
            if form is not None:
                _narrow(form)

    @property
    def valid(self) -> bool:
        """Whether every field shows the value that is in force."""
        return self.fields.valid and self.form.valid and (self.protocol is None or self.protocol.valid)

    def show_choice(self, choice: MethodChoice, *, own_epsilon: bool) -> None:
        """Show the options of a curve; one of its own ε only where ε does not change along the axis."""
        self._choice = choice
        self.fields.show_values(choice.checked())
        protocol = protocol_of(choice)
        if self.protocol is not None and protocol is not None:
            self.protocol.show_values(protocol.checked())
        self.form.set_shown("epsilon", own_epsilon)
        self.form.refresh()
        self.name.setPlaceholderText(replace(choice, label="").name)

    def _set_value(self, name: str, value: object) -> None:
        self._tell(with_value(self._choice, name, value), name)

    def _set_protocol(self, name: str, value: object) -> None:
        self._tell(with_protocol_value(self._choice, name, value), name)

    def _edit(self, name: str, value: Any, _words: str, _merge: str) -> None:
        self._tell(replace(self._choice, **{name: value}), name)

    def _tell(self, choice: MethodChoice, field: str) -> None:
        if choice != self._choice:
            self.changed.emit(choice, field)


def _narrow(form: ParameterFields) -> None:
    """The column of settings has less room than a form usually has."""
    grid = form.layout()
    if isinstance(grid, QGridLayout):
        grid.setColumnMinimumWidth(0, tokens.METER_WIDTH)
    for field in form.fields.values():
        if isinstance(field, NumberField):
            field.edit.setMinimumWidth(0)
