"""The one map from a declared parameter to its field, for the parameters of plug-ins and for the settings of rooms."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from enum import Enum, auto
from fractions import Fraction
from functools import partial
from typing import Any

from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from workbench.core.amount_text import kept_text, read_amount
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import rounded
from workbench.core.params import ParamSpec, ParamType
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.epsilon_field import EpsilonField
from workbench.gui.widgets.fraction_edit import FractionEdit
from workbench.gui.widgets.inputs import ComboBox, LongLine, SpinBox
from workbench.gui.widgets.lines_edit import LinesEdit
from workbench.gui.widgets.listed_values import ListedValues
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.numbers_edit import NumbersEdit

_PERCENT = 100
_LARGEST = 1 << 30
"""Beyond it there are no buttons to go up."""
_MANY = 1e5
"""Between the ends of a range that is better walked through by powers of ten."""
_BUTTONS = 1000
"""Whole numbers of a longer range, and without a unit, are typed and not stepped to."""
_STEPS = 20
"""From one end of a range of numbers to the other."""
_COMBO_LETTERS = 6
LINE = QLineEdit | ListedValues
"""Fields in which a text is typed that is no number."""


class Manner(Enum):
    """The kind of form that a field stands in."""

    ROOM = auto()
    """Settings of a room: whole numbers have buttons where they are few or have a unit."""
    NARROW = auto()
    """Parameters beside others: every number is typed, and the title of a switch is its label."""
    AMPLE = auto()
    """A page of its own: every whole number has buttons, and texts are told while they are typed."""


def spec_field(
    spec: ParamSpec,
    manner: Manner,
    tell: Callable[[Any], object],
    *,
    columns: Sequence[str] = (),
    choices: Sequence[tuple[str, object]] | None = None,
    several: bool = False,
) -> QWidget:
    """A field for one parameter.

    Parameters
    ----------
    tell
        Called with every value that is given; fractions and texts come as they were typed, and also while a value is
        shown, which is for the form to know.
    columns
        The columns that the parameter may name.
    choices
        Pairs (title, value) in place of those that are declared, where they depend on what is installed.
    several
        Whether the text is a list of values, which is shown whole.
    """
    if choices is not None or spec.choices or spec.type is ParamType.COLUMN:
        return _combo(spec, manner, tell, columns, choices)
    if spec.type is ParamType.SWITCH:
        box = QCheckBox("" if manner is Manner.NARROW else spec.title)
        box.setAccessibleName(spec.title)
        # Not `toggled`: a room may tick a box to show what follows from elsewhere, which nobody has said. Qt leaves out
        # of `clicked` what a partial function does not name.
        box.clicked.connect(lambda _checked: tell(box.isChecked()))
        return box
    if spec.type is ParamType.INTEGER and _stepped(spec, manner):
        return _spin(spec, manner, tell)
    if spec.type in (ParamType.INTEGER, ParamType.NUMBER) or spec.amount:
        return _number(spec, tell)
    if spec.type is ParamType.FRACTION:
        fraction = FractionEdit(spec)
        fraction.typed.connect(tell)
        return fraction
    if spec.type is ParamType.LINES:
        lines = LinesEdit(spec.title)
        lines.setPlaceholderText(spec.placeholder)
        lines.typed.connect(tell)
        return lines
    if spec.type is ParamType.NUMBERS:
        numbers = NumbersEdit(spec.title, spec.placeholder)
        numbers.typed.connect(tell)
        return numbers
    edit = ListedValues(spec.title) if several else LongLine()
    edit.setAccessibleName(spec.title)
    edit.setPlaceholderText(spec.placeholder)
    if manner is Manner.AMPLE:
        edit.textEdited.connect(lambda text: _tell_text(edit, text, tell))
    else:
        edit.editingFinished.connect(lambda: _tell_text(edit, edit.text().strip(), tell))
    return edit


def show_value(field: QWidget, spec: ParamSpec, value: Any) -> None:
    """Show a value in the field of its parameter; what is being typed is left alone if it means the same."""
    if isinstance(field, NumberField):
        _show_number(field, spec, value)
    elif isinstance(field, SpinBox):
        if value is not None and field.value() != value:
            field.setValue(int(value))
    elif isinstance(field, ComboBox):
        if value is None and spec.optional:
            field.setCurrentIndex(-1)
        field.choose(value)
    elif isinstance(field, QCheckBox):
        field.setChecked(bool(value))
    elif isinstance(field, LinesEdit):
        field.show_text(str(value or ""))
    elif isinstance(field, FractionEdit):
        field.show_text(str(value))
    elif isinstance(field, NumbersEdit):
        field.show_numbers(value)
    elif isinstance(field, LINE) and field.text() != value and not (field.hasFocus() and field.isModified()):
        field.setText(str(value or ""))
        if isinstance(field, QLineEdit) and not field.hasFocus():
            field.setCursorPosition(0)  # a long text shows its beginning


def all_valid(fields: Iterable[QWidget]) -> bool:
    """Whether the fields that are offered show what is in force."""
    return all(
        field.valid or field.isHidden() or not field.isEnabled()
        for field in fields
        if isinstance(field, NumberField | FractionEdit | NumbersEdit | EpsilonField)
    )


def _combo(
    spec: ParamSpec,
    manner: Manner,
    tell: Callable[[Any], object],
    columns: Sequence[str],
    choices: Sequence[tuple[str, object]] | None,
) -> ComboBox:
    pairs = [(title, value) for value, title in spec.choices] if choices is None else list(choices)
    if spec.type is ParamType.COLUMN:
        pairs = [("none", "")] if spec.default == "" else []
        pairs += [(name, name) for name in columns]
    combo = ElidingComboBox(spec.title, pairs)
    combo.setPlaceholderText(spec.placeholder)
    if manner is Manner.NARROW:
        combo.setMinimumContentsLength(_COMBO_LETTERS)
    combo.activated.connect(lambda _row: tell(combo.chosen))
    return combo


def _stepped(spec: ParamSpec, manner: Manner) -> bool:
    if manner is not Manner.ROOM:
        return manner is Manner.AMPLE
    low, high = _range(spec)
    return not spec.optional and bool(spec.unit or high - low < _BUTTONS)


def _spin(spec: ParamSpec, manner: Manner, tell: Callable[[Any], object]) -> SpinBox:
    low, high = (int(min(max(bound, -_LARGEST), _LARGEST)) for bound in _range(spec))
    said = manner is Manner.AMPLE and spec.unit.casefold() in spec.title.casefold()
    spin = SpinBox(spec.title, low, high, int(spec.default or low), "" if said else spec.unit)
    spin.valueChanged.connect(tell)
    return spin


def _number(spec: ParamSpec, tell: Callable[[Any], object]) -> NumberField:
    low, high = _range(spec)
    scale, whole = _scale(spec), spec.type is ParamType.INTEGER
    bounded = math.isfinite(spec.maximum - spec.minimum)
    field = NumberField(
        spec.title,
        minimum=low * scale,
        maximum=high * scale,
        open_minimum=spec.open_minimum and low == spec.minimum,
        open_maximum=spec.open_maximum and high == spec.maximum,
        integer=whole,
        step=1.0 if whole or not bounded else (spec.maximum - spec.minimum) * scale / _STEPS,
        logarithmic=spec.amount or (low > 0 and math.isfinite(high) and high / low >= _MANY),
        amount=spec.amount,
        chance=spec.chance,
        optional=spec.optional or spec.names_zero,
        placeholder=spec.placeholder,
        unit=spec.unit,
        compact=True,
    )
    field.cleared.connect(lambda: tell(None if spec.optional else spec.default))
    field.value_changed.connect(partial(_tell_number, field, spec, tell))
    return field


def _tell_number(field: NumberField, spec: ParamSpec, tell: Callable[[Any], object], value: float) -> None:
    if spec.type is ParamType.TEXT:
        # An amount that is kept as it was typed: as a number, 1/3 would become another one.
        tell(kept_text(field.edit.text()))
    elif spec.type is ParamType.INTEGER:
        tell(int(value))
    else:
        scale = _scale(spec)
        tell(value if scale == 1 else float((field.exact or Fraction(value)) / scale))


def _tell_text(edit: QLineEdit | ListedValues, text: str, tell: Callable[[Any], object]) -> None:
    edit.setModified(False)  # from now on what is in force is shown again
    tell(text)


def _show_number(field: NumberField, spec: ParamSpec, value: Any) -> None:
    if isinstance(value, str):
        if not _means(field, value):
            field.edit.setText(value)
        return
    if value is None and not spec.optional:
        return
    scale = _scale(spec)
    shown = None if value is None or (value == 0 and spec.names_zero) else value
    if shown is not None and scale != 1:
        shown = rounded(shown * scale, 12)
    field.follow(shown)


def _means(field: NumberField, text: str) -> bool:
    """Whether what stands in the field is this amount; what is mistyped is left to be corrected."""
    if field.exact is None:
        return field.edit.hasFocus()
    try:
        return field.exact == read_amount(text)
    except WorkbenchError:
        return False


def _range(spec: ParamSpec) -> tuple[float, float]:
    """The lowest and the highest number that are offered."""
    return spec.offered or (spec.minimum, spec.maximum)


def _scale(spec: ParamSpec) -> int:
    """Number that is shown for 1: a share is written in per cent."""
    return _PERCENT if spec.unit == "%" else 1
