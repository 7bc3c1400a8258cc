"""A form over declared settings: each field is made, shown, edited with undo and explained as its declaration says."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QLineEdit, QSizePolicy, QWidget

from workbench.core.amount_text import kept_text, read_amount
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import rounded
from workbench.core.params import ParamSpec, ParamType
from workbench.core.settings import Setting, declared
from workbench.gui.theme import set_look
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.epsilon_field import EpsilonField
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.inputs import ComboBox, SpinBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.numbers_edit import NumbersEdit
from workbench.gui.widgets.parameter_fields import LinesEdit

_PERCENT = 100
_MANY = 1e5
"""Between the ends of a range that is better walked through by powers of ten."""

_BUTTONS = 1000
"""Whole numbers of a longer range, and without a unit, are typed and not stepped to."""

_STEPS = 20
"""From one end of a range of numbers to the other."""


@dataclass(frozen=True)
class _Place:
    """Where a setting is: its declaration, and the field it is part of where that consists of several."""

    setting: Setting
    within: str = ""


class BoundForm(QObject):
    """The fields of some settings of a room; whoever makes it lays them out, with `grid` or one by one.

    Parameters
    ----------
    room
        Begins the keys of the help and of undo steps.
    settings
        Gives the settings in force.
    group
        The settings that are meant: those declared for this group.
    fields
        Fields of another kind than usual, by name: one for ε, or a line whose text counts with all its spaces.
    choices
        Pairs (title, value) by name, for settings whose choices depend on what is installed.

    Signals
    -------
    edited(str, object, str, str)
        The person gave the setting of that name another value; what undo calls the change, and a key under which
        consecutive changes are one step.
    """

    edited = Signal(str, object, str, str)

    def __init__(
        self,
        room: str,
        settings: Callable[[], Any],
        group: str,
        *,
        fields: Mapping[str, QWidget] | None = None,
        choices: Mapping[str, Sequence[tuple[str, object]]] | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._room, self._settings = room, settings
        self._given, self._choices = fields or {}, choices or {}
        self._places = dict(_places(type(settings()), group))
        self._showing = False
        self._labels: dict[str, QLabel] = {}
        self.fields: dict[str, QWidget] = {}
        for name, place in self._places.items():
            spec = place.setting.spec
            field = self.fields[name] = self._field(spec)
            set_explain(field, f"{room}.{spec.explain or name}")

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]

    @property
    def valid(self) -> bool:
        """Whether the fields that are offered show what is in force."""
        return all(
            field.valid or field.isHidden() or not field.isEnabled()
            for field in self.fields.values()
            if isinstance(field, NumberField | EpsilonField | NumbersEdit)
        )

    def grid(
        self, leave_out: Sequence[str] = (), into: QGridLayout | None = None, *, squeezed: bool = False
    ) -> QGridLayout:
        """The fields below each other: labels beside them, or above a long text; a box to tick has its own.

        Parameters
        ----------
        into
            A grid that they are added to.
        squeezed
            Whether the fields take the width that is there, however wide they would like to be.
        """
        grid = form_grid() if into is None else into
        for name, place in self._places.items():
            if name in leave_out:
                continue
            spec, field, row = place.setting.spec, self.fields[name], grid.rowCount()
            if squeezed:
                field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            if isinstance(field, QCheckBox):
                grid.addWidget(field, row, 0, 1, 2)
                continue
            words = self._labels[name] = label(spec.label or spec.title)
            words.setBuddy(field)  # screen readers would take what is chosen in a box for its name
            if isinstance(field, LinesEdit):
                grid.addWidget(words, row, 0, 1, 2)
                grid.addWidget(field, row + 1, 0, 1, 2)
            else:
                grid.addWidget(words, row, 0)
                grid.addWidget(field, row, 1)
        return grid

    def row(self, name: str) -> tuple[str, str, QWidget]:
        """A setting for a layout of another kind: its name, its label and its field."""
        spec = self._places[name].setting.spec
        return name, spec.label or spec.title, self.fields[name]

    def refresh(self) -> None:
        """Show the settings in force; a number or a text that is being typed is left alone."""
        self._showing = True
        try:
            for name, field in self.fields.items():
                self._show(name, field, self._value(name))
        finally:
            self._showing = False

    def offer(self, name: str, pairs: Sequence[tuple[str, object]], tips: Sequence[str] = ()) -> None:
        """Offer these choices, pairs (title, value), where they depend on other settings; `tips` say more of each."""
        combo = self.fields[name]
        assert isinstance(combo, ComboBox)
        if [(combo.itemText(row), combo.itemData(row)) for row in range(combo.count())] == list(pairs):
            return
        combo.clear()
        for title, value in pairs:
            combo.addItem(title, value)
        for row, tip in enumerate(tips):
            combo.setItemData(row, tip, Qt.ItemDataRole.ToolTipRole)

    def set_shown(self, name: str, shown: bool) -> None:
        """Show or hide a setting with its label, such as one that another choice makes pointless."""
        for widget in (self.fields[name], self._labels.get(name)):
            if widget is not None:
                widget.setVisible(shown)

    def point_at(self, name: str) -> None:
        """Put the focus where an error comes from."""
        if name in self.fields:
            self.fields[name].setFocus()

    def mark(self, wrong: str) -> None:
        """Mark the field that an error speaks of; with "" none."""
        for name, field in self.fields.items():
            set_look(field, invalid=name == wrong)

    def _value(self, name: str) -> Any:
        within = self._places[name].within
        settings = self._settings()
        return getattr(getattr(settings, within) if within else settings, name)

    def _show(self, name: str, field: QWidget, value: Any) -> None:
        if isinstance(field, EpsilonField):
            field.set_value(value)
        elif isinstance(field, NumberField) and isinstance(value, str):
            if not _means(field, value):
                field.edit.setText(value)
        elif isinstance(field, NumberField):
            shown = value if value is None else rounded(value * self._scale(name), 12)
            if field.value != shown and (field.valid or not field.edit.hasFocus()):
                field.set_value(shown)
        elif isinstance(field, SpinBox):
            field.setValue(value)
        elif isinstance(field, ComboBox):
            if value is None:
                field.setCurrentIndex(-1)
            field.choose(value)
        elif isinstance(field, QCheckBox):
            field.setChecked(value)
        elif isinstance(field, LinesEdit):
            field.show_text(value)
        elif isinstance(field, NumbersEdit):
            field.show_numbers(value)
        elif isinstance(field, QLineEdit) and field.text() != value and not (field.hasFocus() and field.isModified()):
            field.setText(value)

    def _field(self, spec: ParamSpec) -> QWidget:
        tell = partial(self._tell, spec.name)
        low, high = spec.offered or (spec.minimum, spec.maximum)
        given = self._given.get(spec.name)
        if isinstance(given, EpsilonField):
            given.value_changed.connect(tell)
            return given
        if isinstance(given, QLineEdit):
            given.setAccessibleName(spec.title)
            given.setPlaceholderText(spec.placeholder)
            given.editingFinished.connect(lambda: tell(given.text()))
            return given
        if spec.name in self._choices or spec.choices:
            pairs = self._choices.get(spec.name) or [(title, value) for value, title in spec.choices]
            combo = ElidingComboBox(spec.title, pairs)
            combo.setPlaceholderText(spec.placeholder)
            combo.activated.connect(lambda _row: tell(combo.chosen))
            return combo
        if spec.type is ParamType.SWITCH:
            box = QCheckBox(spec.title)
            box.setAccessibleName(spec.title)
            box.clicked.connect(lambda _checked: tell(box.isChecked()))  # Qt leaves out what a partial does not name
            return box
        if spec.type is ParamType.INTEGER and not spec.optional and (spec.unit or high - low < _BUTTONS):
            spin = SpinBox(spec.title, int(low), int(high), spec.default, spec.unit)
            spin.valueChanged.connect(tell)
            return spin
        if spec.type in (ParamType.INTEGER, ParamType.NUMBER) or spec.amount:
            number = NumberField(
                spec.title,
                minimum=low * self._scale(spec.name),
                maximum=high * self._scale(spec.name),
                open_minimum=spec.open_minimum and low == spec.minimum,
                integer=spec.type is ParamType.INTEGER,
                step=self._step(spec),
                logarithmic=spec.amount or (low > 0 and high / low >= _MANY),
                amount=spec.amount,
                optional=spec.optional,
                placeholder=spec.placeholder,
                unit=spec.unit,
                compact=True,
            )
            number.value_changed.connect(partial(self._tell_number, spec.name, number))
            number.cleared.connect(partial(tell, None))
            return number
        if spec.type is ParamType.LINES:
            lines = LinesEdit(spec.title)
            lines.setPlaceholderText(spec.placeholder)
            lines.typed.connect(lambda text: tell(text.strip("\n")))
            return lines
        if spec.type is ParamType.NUMBERS:
            numbers = NumbersEdit(spec.title, spec.placeholder)
            numbers.typed.connect(tell)
            return numbers
        edit = QLineEdit()
        edit.setAccessibleName(spec.title)
        edit.setPlaceholderText(spec.placeholder)
        edit.editingFinished.connect(partial(self._tell_text, spec.name, edit))
        return edit

    def _step(self, spec: ParamSpec) -> float:
        bounded = math.isfinite(spec.maximum - spec.minimum)
        if spec.type is ParamType.INTEGER or not bounded:
            return 1.0
        return (spec.maximum - spec.minimum) * self._scale(spec.name) / _STEPS

    def _scale(self, name: str) -> int:
        """What is shown for 1: a share is written in per cent."""
        return _PERCENT if self._places[name].setting.spec.unit == "%" else 1

    def _tell_number(self, name: str, field: NumberField, value: float) -> None:
        scale = self._scale(name)
        if self._places[name].setting.spec.type is ParamType.TEXT:
            # An amount that is kept as it was typed: as a number, 1/3 would become another one.
            self._tell(name, kept_text(field.edit.text()))
            return
        self._tell(name, value if scale == 1 else float((field.exact or Fraction(value)) / scale))

    def _tell_text(self, name: str, edit: QLineEdit) -> None:
        edit.setModified(False)  # from now on what is in force is shown again
        self._tell(name, edit.text().strip())

    def _tell(self, name: str, value: Any) -> None:
        place = self._places[name]
        if place.setting.spec.type is ParamType.INTEGER and value is not None:
            value = round(value)
        if self._showing or value == self._value(name):
            return
        # Qt keeps only the text of an enumeration.
        value = next((known for known, _ in place.setting.spec.choices if known == value), value)
        changed, words = name, place.setting.spec.changed_to(value)
        if place.within:
            changed, value = place.within, replace(getattr(self._settings(), place.within), **{name: value})
        # A text comes when it is finished; whatever comes while it is being changed is one step.
        whole = isinstance(self.fields[name], QLineEdit)
        self.edited.emit(changed, value, words, "" if whole else f"{self._room} {changed}")


def _means(field: NumberField, text: str) -> bool:
    """Whether what stands in the field is this amount; what is mistyped is left to be corrected."""
    if field.exact is None:
        return field.edit.hasFocus()
    try:
        return field.exact == read_amount(text)
    except WorkbenchError:
        return False


def _places(made: type[Any], group: str) -> list[tuple[str, _Place]]:
    found = []
    for name, one in declared(made).items():
        if one.spec.group != group:
            continue
        if one.stored.flat and one.made is not None:
            found += [(inner, _Place(two, name)) for inner, two in declared(one.made).items()]
        else:
            found.append((name, _Place(one)))
    return found
