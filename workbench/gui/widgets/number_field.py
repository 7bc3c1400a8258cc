"""Fields for exact numbers."""

from __future__ import annotations

import math
import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QSizePolicy, QWidget

from workbench.core.amount_text import float_amount, in_digits, read_amount, read_chance
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact, typed
from workbench.gui import tokens
from workbench.gui.theme import colour, set_look, tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.tips import in_lines

_MOST_POWER = 400
_WHOLE = "Whole numbers only"
_GROUPED = re.compile(r"[-+]?[0-9]{1,3}(?:([,.'’ \u00a0\u202f])[0-9]{3})(?:\1[0-9]{3})*")
"""Digits in groups of three, as the program itself writes 30,162."""
_PAUSE_MS = 1200
"""As long as nobody types a key, a number is taken to be whole."""


class NumberField(QWidget):
    """A line edit for one number, its unit inside, with a line below that gives the range or what is wrong.

    It takes `0.1` and `1e-5`; as a privacy `amount` also `0,1`, `1/3` and `ln 3`, which is rounded up, and as a
    `chance` `0,1`, `1/3` and `10 %`. A whole number may have its digits in groups, `30,162`; with points it is refused,
    as 1.000 may be one. Elsewhere a comma is refused with a word of why rather than guessed at: 1,5 means two very
    different things in two countries.
    While what is typed is no number within the bounds, `value` is None and no signal is sent, so nobody works with a
    number other than the one on the screen.

    Parameters
    ----------
    minimum, maximum
        Bounds of the number; `open_minimum`, `open_maximum` exclude the bound itself.
    integer
        Whole numbers only.
    unit
        Shown inside at the right.
    hint
        The line below; by default the range, or the digits of ln 3. With `compact` there is none: the tooltip says it.
    logarithmic
        The arrow keys go 1, 2, 5, 10 instead of adding `step`.
    amount
        It is an ε or a δ, read by `workbench.core.amount_text`.
    chance
        It is a probability, read there too.
    optional
        An empty field is valid and means "not given"; `placeholder` says what that does.

    Signals
    -------
    value_changed(float)
        After every change to a valid number, typed or set.
    cleared()
        After it became empty, if it is optional.
    committed(float)
        After Enter, or when the focus leaves a changed valid field.
    rested()
        Nobody has typed in it for a moment, or it was left or confirmed.
    """

    value_changed = Signal(float)
    cleared = Signal()
    committed = Signal(float)
    validity_changed = Signal(bool)
    rested = Signal()

    def __init__(
        self,
        name: str,
        *,
        minimum: float = -math.inf,
        maximum: float = math.inf,
        open_minimum: bool = False,
        open_maximum: bool = False,
        value: float | None = None,
        step: float = 1.0,
        logarithmic: bool = False,
        integer: bool = False,
        amount: bool = False,
        chance: bool = False,
        unit: str = "",
        hint: str = "",
        placeholder: str = "",
        optional: bool = False,
        compact: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.minimum, self.maximum = minimum, maximum
        self._open_minimum, self._open_maximum = open_minimum, open_maximum
        self._step, self._logarithmic, self._integer = step, logarithmic, integer
        self._optional, self._amount, self._chance = optional, amount, chance
        self._name = name
        self._hint = hint
        self._error = ""
        self._last: float | None = None
        self._committed: float | None = None
        self.typing = False
        """Whether it was typed in just now: whatever is in force, there may be more."""
        self._pause: QTimer | None = None

        self.edit = _UnitEdit()
        self.set_unit(unit)
        self.edit.setPlaceholderText(placeholder)
        self.edit.setFont(tabular_font())
        self.edit.setMinimumWidth(tokens.FIELD_WIDTH)
        self.edit.textChanged.connect(self._read)
        self.edit.textEdited.connect(self._typed)
        self.edit.editingFinished.connect(self._commit)
        self.edit.installEventFilter(self)
        self.setFocusProxy(self.edit)
        layout = boxes.column(self.edit, spacing="hair", inside=self)
        self._below: QLabel | None = None if compact else label(small=True, muted=True)
        if self._below is not None:
            # The words below must not widen the field when they change.
            self._below.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            layout.addWidget(self._below)
        if value is not None:
            self.edit.setText(typed(value))
            self._committed = value
        self._read()

    def set_name(self, name: str) -> None:
        """Call the number otherwise, for screen readers and where it is said to be wrong."""
        self._name = name
        self.edit.setAccessibleName(name)

    def set_unit(self, unit: str) -> None:
        """Show the number with another unit; what is typed stays."""
        self.edit.show_unit(unit)
        self.edit.setAccessibleName(f"{self._name}, {unit}" if unit else self._name)

    def read_amounts(self, wanted: bool) -> None:
        """Read an ε or a δ from now on, or else a plain number: what is typed stays."""
        self._amount = wanted
        self._read()

    @property
    def value(self) -> float | None:
        """The number shown, or None if it is empty or invalid."""
        return self._parse()[1]

    @property
    def exact(self) -> Fraction | None:
        """The number exactly as typed, for sums that must not be off by a rounding, such as budgets."""
        return self._parse()[0]

    @property
    def problem(self) -> str:
        """Why there is nothing to go on with, in a sentence that names the field; or nothing."""
        if self.valid:
            return ""
        text = self.edit.text().strip()
        if self._error == self._range():
            return f"“{self._name}” holds {text[:40]}; it takes {self._error}."
        if self._error == _WHOLE:
            return f"“{self._name}” holds {text[:40]}; it takes whole numbers."
        if _GROUPED.fullmatch(text):
            return f"“{self._name}” holds {text[:40]}. {self._error}."
        return f"“{self._name}” holds no number."

    @property
    def error(self) -> str:
        """Error in the text, or ""."""
        return self._error

    @property
    def valid(self) -> bool:
        return not self._error

    def set_value(self, value: float | None, written: str = "") -> None:
        """Show a number (None empties the field), perhaps as it is `written`; announces it if it is new."""
        self.edit.setText("" if value is None else written or typed(value))
        self._committed = self.value

    def follow(self, value: float | None, written: str = "") -> None:
        """Show the number in force, unless it stands there already or another is being typed; see `set_value`.

        What holds no number stays to be corrected as long as the number in force is the last that it held: of 30,16x
        nobody may find 30 in its place.
        """
        if self.value != value and (self.valid or not (self.edit.hasFocus() or value == self._last)):
            self.set_value(value, written)

    def set_bounds(self, minimum: float, maximum: float) -> None:
        """Change the bounds and judge the text anew."""
        self.minimum, self.maximum = minimum, maximum
        self._read()

    def set_error(self, text: str) -> None:
        """Show what another part found wrong with this number; the next change takes it away."""
        self._show(text)

    def step_by(self, steps: int) -> None:
        """Go up or down, as the arrow keys do."""
        current = self.value
        if current is None:
            return
        moved = current
        for _ in range(abs(steps)):
            moved = _next_nice(moved, steps > 0) if self._logarithmic else moved + math.copysign(self._step, steps)
        if self._integer:
            moved = round(moved)
        moved = min(max(moved, self.minimum), self.maximum)
        at_edge = (self._open_minimum and moved <= self.minimum) or (self._open_maximum and moved >= self.maximum)
        if not at_edge:
            self.edit.setText(typed(moved))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            steps = {
                Qt.Key.Key_Up: 1,
                Qt.Key.Key_Down: -1,
                Qt.Key.Key_PageUp: 3 if self._logarithmic else 10,
                Qt.Key.Key_PageDown: -3 if self._logarithmic else -10,
            }.get(Qt.Key(event.key()))
            if steps is not None:
                self.step_by(steps)
                return True
        return super().eventFilter(watched, event)

    def _parse(self) -> tuple[Fraction | None, float | None, str]:
        """The number exactly and as a float, if it is allowed, else what is wrong."""
        text = self.edit.text().strip().replace("−", "-")
        if not text:
            return None, None, "" if self._optional else "Type a number"
        read = _read_as_amount if self._amount else _read_as_chance if self._chance else _read_plainly
        if self._integer and not self._amount and _GROUPED.fullmatch(text):
            if "." in text:
                plain = text.replace(".", "")
                return None, None, f"Write {plain}, without points"
            text = re.sub(r"[^0-9+-]", "", text)
        number, value, error = read(text)
        if error or number is None or value is None:
            return None, None, error
        if self._integer and number.denominator != 1:
            return None, None, _WHOLE
        low = value <= self.minimum if self._open_minimum else value < self.minimum
        high = value >= self.maximum if self._open_maximum else value > self.maximum
        if low or high or not math.isfinite(value):
            return None, None, self._range()
        return number, value, ""

    def _range(self) -> str:
        low, high = _bound(self.minimum), _bound(self.maximum)
        if not low and not high:
            return "a number that is not too large"
        above = "more than {low}" if self._open_minimum else "at least {low}"
        below = "less than {high}" if self._open_maximum else "at most {high}"
        if not high:
            return above.format(low=low)
        if not low:
            return below.format(high=high)
        if not self._open_minimum and not self._open_maximum:
            return f"{low} to {high}"
        return f"{above.format(low=low)}, {below.format(high=high)}"

    def _read(self) -> None:
        was_wrong = self._error
        _, value, error = self._parse()
        self._show(error)
        if value is not None and value != self._last:
            self._last = value
            self.value_changed.emit(value)
        elif value is None and not error and self._last is not None:
            self._last = None
            self.cleared.emit()
        if self._error != was_wrong:  # also to another reason: what a page says of it changes
            self.validity_changed.emit(self.valid)

    def set_hint(self, hint: str) -> None:
        """Say this in place of the range; "" for the range."""
        if hint != self._hint:
            self._hint = hint
            self._show(self._error)

    def _show(self, error: str) -> None:
        self._error = error
        bounded = math.isfinite(self.minimum) or math.isfinite(self.maximum)
        hint = self._hint or (self._range() if bounded else "")
        set_look(self.edit, invalid=bool(error))
        self.edit.setAccessibleDescription(error or hint)
        self.edit.setToolTip(in_lines(error or hint))
        if self._below is not None:
            text = self.edit.text().replace("−", "-")
            digits = in_digits(text) if self._amount and text.strip() and not error else ""
            self._below.setText(error or digits or hint)
            set_look(self._below, tone="error" if error else "none")

    def _typed(self, _text: str) -> None:
        self.typing = True
        if self._pause is None:
            # Nothing is under way meanwhile, as it is where work was put off.
            self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
            self._pause.timeout.connect(self._rest)
        self._pause.start()

    def _rest(self) -> None:
        self.typing = False
        self.rested.emit()

    def _commit(self) -> None:
        if self._pause is not None:
            self._pause.stop()
        self._rest()
        value = self.value
        if value is not None and value != self._committed:
            self._committed = value
            self.committed.emit(value)


def _read_as_amount(text: str) -> tuple[Fraction | None, float | None, str]:
    try:
        return read_amount(text), float_amount(text), ""
    except WorkbenchError as error:
        return None, None, error.hint.removesuffix(".")


def _read_as_chance(text: str) -> tuple[Fraction | None, float | None, str]:
    try:
        number = read_chance(text)
    except WorkbenchError:
        return None, None, "Write 3/4, 0.75 or 75 %"
    return number, float(number), ""


def _read_plainly(text: str) -> tuple[Fraction | None, float | None, str]:
    if "," in text:
        return None, None, "Use a point: 0.1; no sign between thousands"
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or "_" in text:
        return None, None, "Not a number, e.g. 1e-5"
    if number and abs(number.adjusted()) > _MOST_POWER:
        # As a fraction it would fill the memory: beyond every bound, or nothing anybody means.
        return (Fraction(1), math.inf, "") if number.adjusted() > 0 else (None, None, "Not a number, e.g. 1e-5")
    return Fraction(number), float(number), ""


def _bound(value: float) -> str:
    return exact(value) if math.isfinite(value) else ""


def _next_nice(value: float, up: bool) -> float:
    """The next of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, … above or below a positive value."""
    if value <= 0:
        return value
    decade = math.floor(math.log10(value))
    nice = [m * 10.0**e for e in range(decade - 1, decade + 2) for m in (1, 2, 5)]
    tolerance = 1e-9 * value
    if up:
        return min(n for n in [*nice, 10.0 ** (decade + 2)] if n > value + tolerance)
    return max(n for n in nice if n < value - tolerance)


class _UnitEdit(QLineEdit):
    """A line edit that paints a unit at its right end."""

    _unit = ""

    def show_unit(self, unit: str) -> None:
        if unit != self._unit:
            self._unit = unit
            self.setTextMargins(0, 0, self.fontMetrics().horizontalAdvance(unit) + tokens.SPACE_S if unit else 0, 0)
            self.update()

    def sizeHint(self) -> QSize:
        return super().sizeHint().expandedTo(QSize(tokens.FIELD_WIDTH, tokens.CONTROL_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._unit:
            painter = QPainter(self)
            painter.setPen(colour("muted" if self.isEnabled() else "disabled"))
            inside = self.rect().adjusted(0, 0, -tokens.SPACE_M, 0)
            painter.drawText(QRect(inside), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._unit)
            painter.end()
