"""A form made from the declaration of parameters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QWidget

from workbench.core.params import ParamSpec
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets.form_grid import add_row
from workbench.gui.widgets.fraction_edit import FractionEdit
from workbench.gui.widgets.inputs import SpinBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.numbers_edit import NumbersEdit
from workbench.gui.widgets.spec_field import LINE, Manner, all_valid, show_value, spec_field

LABEL_WIDTH = tokens.FIELD_WIDTH - tokens.SPACE_S
"""Labels of ample forms are as wide, so that the fields of several stand below each other."""

LABELS = tokens.METER_WIDTH + tokens.SPACE_XL + tokens.SPACE_S
"""Labels of other forms are as wide."""

_MOST_BESIDE = 13
"""Letters of a choice that a field beside a label of `tokens.METER_WIDTH` shows whole."""


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
    lists
        Parameters for which lists are typed. If it is not None, labels are narrow, and lists and long choices stand
        below theirs, over the whole width: the form has little of it, and nothing in it may be cut.

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
        lists: Collection[str] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._lists = lists
        self._showing, self._ample = False, ample
        self._specs = {spec.name: spec for spec in specs}
        self._values: dict[str, Any] = {}
        """The values in force when they were last shown."""
        self._labels: dict[str, QLabel] = {}
        self.fields: dict[str, QWidget] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(tokens.SPACE_M if ample else tokens.SPACE_S)
        self._grid.setVerticalSpacing(tokens.SPACE_S if ample else tokens.SPACE_XS)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnMinimumWidth(0, LABEL_WIDTH if ample else LABELS if lists is None else tokens.METER_WIDTH)
        for spec in specs:
            self._add(spec, columns)

    @property
    def valid(self) -> bool:
        """Whether every field shows the value that is in force."""
        return all_valid(self.fields.values())

    @property
    def problem(self) -> str:
        """What is wrong with the first field that shows no value in force, in a sentence that names it; or nothing."""
        for field in self.fields.values():
            if not all_valid([field]) and isinstance(field, NumberField | FractionEdit | NumbersEdit):
                return field.problem
        return ""

    # Showing

    def show_values(self, values: Mapping[str, Any], *, keep_mistyped: bool = False) -> None:
        """Show these values; a number that is being typed is left alone if it means the same.

        Parameters
        ----------
        keep_mistyped
            Whether what is no value stays to be corrected until another one is in force.
        """
        self._showing = True
        try:
            for name, field in self.fields.items():
                kept = keep_mistyped and not all_valid([field]) and self._values.get(name) == values.get(name)
                if not kept:
                    show_value(field, self._specs[name], values.get(name))
        finally:
            self._showing = False
        self._values = dict(values)

    def set_shown(self, name: str, shown: bool) -> None:
        """Show or hide a line, such as one that another choice makes pointless."""
        if name in self.fields:
            self.fields[name].setVisible(shown)
            if name in self._labels:
                self._labels[name].setVisible(shown)

    def set_placeholder(self, name: str, text: str) -> None:
        """Set the text of an empty text field."""
        field = self.fields.get(name)
        if isinstance(field, LINE):
            field.setPlaceholderText(text)

    def set_zero_word(self, name: str, text: str) -> None:
        """Set the word for a whole number of 0 where it stands for something else."""
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
        manner = Manner.AMPLE if self._ample else Manner.NARROW
        several = self._lists is not None and spec.name in self._lists
        field = spec_field(spec, manner, partial(self._tell, spec.name), columns=columns, several=several)
        self.fields[spec.name] = field
        if isinstance(field, NumberField | FractionEdit):
            field.validity_changed.connect(self._tell_validity)
        field.setToolTip(spec.help)
        if self._ample:
            field.setAccessibleDescription(spec.help)
            if isinstance(field, QCheckBox):
                self._grid.addWidget(field, self._grid.rowCount(), 0, 1, 2, Qt.AlignmentFlag.AlignLeft)
                return
            field.setMinimumWidth(tokens.COLUMN_MIN)
        title = self._labels[spec.name] = label(spec.title, wrap=True)
        title.setToolTip(spec.help)
        if self._ample:
            title.setFixedWidth(LABEL_WIDTH)
            title.setBuddy(field)
        above = several or (self._lists is not None and _is_long(spec))
        if self._lists is not None and not above:
            title.setMaximumWidth(tokens.METER_WIDTH)
        add_row(self._grid, title, field, above=above)

    # Telling

    def _tell(self, name: str, value: object) -> None:
        if not self._showing:
            self.changed.emit(name, value)

    def _tell_validity(self, _valid: bool = True) -> None:
        self.validity_changed.emit()


def _is_long(spec: ParamSpec) -> bool:
    """Whether one of the choices of a parameter has too many letters to stand beside its label."""
    return any(len(words) > _MOST_BESIDE for _, words in spec.choices)
