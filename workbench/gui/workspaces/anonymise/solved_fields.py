"""Numbers of which one follows from the others: a field for each, and what is wrong with it below."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from workbench.anonymise.sample_guarantee import MAX_EPSILON
from workbench.core.errors import WorkbenchError
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets.amount_fields import amount_field
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.log_slider import LogSlider
from workbench.gui.widgets.number_field import NumberField

_EPSILON_SLIDER = (0.01, MAX_EPSILON)


def epsilon_field() -> NumberField:
    """A field for ε of a release."""
    return amount_field("ε", maximum=MAX_EPSILON)


def epsilon_slider(field: NumberField) -> LogSlider:
    """The slider below the field of ε."""
    made = LogSlider(
        field,
        minimum=_EPSILON_SLIDER[0],
        maximum=_EPSILON_SLIDER[1],
        low="better privacy",
        high="better accuracy",
    )
    set_explain(made, "anonymise.epsilon")
    return made


class SolvedFields(QWidget):
    """The fields and what is wrong with them; a subclass lays them out and knows the settings.

    Parameters
    ----------
    fields
        By name.
    others
        Further places, beside the fields, that an error can name.
    also
        Other names that errors have for one of the places.

    Signals
    -------
    validity_changed()
        A field holds no number any more, or holds one again.
    """

    validity_changed = Signal()

    def __init__(
        self,
        fields: Mapping[str, NumberField],
        others: Collection[str] = (),
        also: Mapping[str, str] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._showing = False
        self._also = also or {}
        self.fields = dict(fields)
        self.errors: dict[str, QLabel] = {name: _error_label() for name in (*fields, *others)}
        for name, field in fields.items():
            field.value_changed.connect(lambda value, name=name: self._changed(name, value))
            field.validity_changed.connect(self._tell_validity)

    # What a subclass says

    def asked(self, name: str) -> bool:
        """Whether a field matters as the settings stand."""
        raise NotImplementedError

    def number_typed(self, name: str, value: float) -> None:
        """The person gave one of the numbers."""

    def value_in_force(self, name: str) -> float | None:
        """Value that a field shows, given or computed; None if there is no such number."""
        raise NotImplementedError

    @property
    def valid(self) -> bool:
        """Whether every field that matters shows the number that is in force."""
        return all(field.valid for name, field in self.fields.items() if self.asked(name))

    # Showing

    def show_numbers(self, computed: Collection[str]) -> None:
        """Show all numbers; those that are computed cannot be typed."""
        was, self._showing = self._showing, True
        try:
            for name, field in self.fields.items():
                if self.asked(name):
                    field.edit.setReadOnly(name in computed)
                    _show_number(field, self.value_in_force(name))
        finally:
            self._showing = was

    def show_error(self, error: WorkbenchError | None, elsewhere: str = "") -> str:
        """Say what is wrong at the field that is to blame, or else at `elsewhere`, if that is said.

        Returns
        -------
        str
            The place at which something is said; "" if nothing is wrong.
        """
        blamed, said = "", ""
        if error is not None:
            blamed = self._also.get(error.field, error.field)
            blamed = blamed if blamed in self.errors else elsewhere
        for name, shown in self.errors.items():
            field = self.fields.get(name)
            text = ""
            if field is not None and self.asked(name) and not field.edit.isReadOnly() and not field.valid:
                text = field.error
            elif name == blamed and error is not None:
                text = str(error)
            shown.setText(text)
            shown.setVisible(bool(text))
            said = said or (name if text else "")
            if field is not None and field.valid:
                set_look(field.edit, invalid=name == blamed)
        return said

    def reset_invalid(self) -> None:
        """Put the number in force back into fields that hold none."""
        was, self._showing = self._showing, True
        try:
            for name, field in self.fields.items():
                if self.asked(name) and not field.valid:
                    field.set_value(self.value_in_force(name))
        finally:
            self._showing = was

    def _tell_validity(self, _valid: bool) -> None:
        if not self._showing:
            self.show_error(None)
            self.validity_changed.emit()

    def _changed(self, name: str, value: float) -> None:
        if not self._showing:
            self.number_typed(name, value)


def fields_grid() -> QGridLayout:
    """The grid of these forms: words in one column, fields in the next."""
    grid = QGridLayout()
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(tokens.SPACE_S)
    grid.setVerticalSpacing(tokens.SPACE_XS)
    grid.setColumnStretch(1, 1)
    return grid


def _show_number(field: NumberField, value: float | None) -> None:
    writing = field.edit.hasFocus() and field.edit.isModified() and not field.edit.isReadOnly()
    if writing and (not field.valid or field.value == value):
        return  # Nobody's half-typed number is taken away.
    if value is None:
        field.edit.clear()
        field.set_error("")
    elif field.value != value:
        field.set_value(value)


def _error_label() -> QLabel:
    made = label(small=True, wrap=True, selectable=True, tone="error")
    made.hide()
    return made
