"""The options of one curve: the parameters of its method and of its protocol, an ε of its own and a name."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QWidget

from workbench.evaluate.method import MethodChoice
from workbench.evaluate.method_list import own_params, protocol_of, with_protocol_value, with_value
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.labels import label
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
        self.epsilon = NumberField(
            "ε of this curve",
            minimum=0,
            open_minimum=True,
            logarithmic=True,
            amount=True,
            optional=True,
            compact=True,
            placeholder="as set below",
        )
        self.epsilon.value_changed.connect(self._set_epsilon)
        self.epsilon.cleared.connect(self._clear_epsilon)
        self.name = QLineEdit()
        self.name.setAccessibleName("Name of this curve")
        self.name.editingFinished.connect(self._set_name)
        grid = form_grid()
        self._epsilon_label: QLabel = label("Own ε")
        grid.addWidget(self._epsilon_label, 0, 0)
        grid.addWidget(self.epsilon, 0, 1)
        grid.addWidget(label("Name"), 1, 0)
        grid.addWidget(self.name, 1, 1)
        grid.setColumnMinimumWidth(0, tokens.METER_WIDTH)
        layout.addLayout(grid)
        self.epsilon.edit.setMinimumWidth(0)
        for form in (self.protocol, self.fields):
            if form is not None:
                _narrow(form)

    @property
    def valid(self) -> bool:
        """Whether every field shows the value that is in force."""
        return self.fields.valid and self.epsilon.valid and (self.protocol is None or self.protocol.valid)

    def show_choice(self, choice: MethodChoice, *, own_epsilon: bool) -> None:
        """Show the options of a curve; one of its own ε only where ε does not change along the axis."""
        self._choice = choice
        self.fields.show_values(choice.checked())
        protocol = protocol_of(choice)
        if self.protocol is not None and protocol is not None:
            self.protocol.show_values(protocol.checked())
        for widget in (self.epsilon, self._epsilon_label):
            widget.setVisible(own_epsilon)
        if self.epsilon.value != choice.epsilon and (self.epsilon.valid or not self.epsilon.edit.hasFocus()):
            self.epsilon.set_value(choice.epsilon)
        if not self.name.hasFocus():
            self.name.setText(choice.label)
        self.name.setPlaceholderText(replace(choice, label="").name)

    def _set_value(self, name: str, value: object) -> None:
        self._tell(with_value(self._choice, name, value), name)

    def _set_protocol(self, name: str, value: object) -> None:
        self._tell(with_protocol_value(self._choice, name, value), name)

    def _set_epsilon(self, value: float) -> None:
        self._tell(replace(self._choice, epsilon=value), "epsilon")

    def _clear_epsilon(self) -> None:
        self._tell(replace(self._choice, epsilon=None), "epsilon")

    def _set_name(self) -> None:
        self._tell(replace(self._choice, label=self.name.text().strip()), "label")

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
