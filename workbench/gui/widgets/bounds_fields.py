"""Two public bounds: numbers, or dates as the column writes them."""

from __future__ import annotations

import math

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QBoxLayout, QLineEdit, QVBoxLayout, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.kinds import parse
from workbench.core.moments import as_text
from workbench.core.schema import ColumnSpec, Kind
from workbench.gui import tokens
from workbench.gui.later import Later
from workbench.gui.theme import set_look
from workbench.gui.widgets.number_field import NumberField

_DAY = 86_400.0
_SETTLE_MS = 400


class BoundsFields(QWidget):
    """The smallest and the largest possible value: numbers side by side, dates, which are longer, one below the other.

    Signals
    -------
    changed(object)
        The pair of bounds; dates as days, date-times as seconds since 1970.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spec: ColumnSpec | None = None
        self._shown: tuple[float, float] | None = None
        # A number counts once it stands there for a moment; waiting for Return would leave it seen and not in force.
        self._later = Later(self, self._tell_typed, _SETTLE_MS)
        names = ("Smallest possible value", "Largest possible value")
        self.numbers = tuple(NumberField(name, optional=True, compact=True) for name in names)
        self.dates = tuple(QLineEdit() for _ in names)
        for number, date, name in zip(self.numbers, self.dates, names, strict=True):
            number.edit.setMinimumWidth(tokens.COLUMN_MIN)
            number.edit.editingFinished.connect(self._tell)
            number.edit.textEdited.connect(self._later.start)
            date.setAccessibleName(name)
            date.setMinimumWidth(tokens.COLUMN_MIN)
            date.editingFinished.connect(self._tell)
        self._pages = (QWidget(), QWidget())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        ways = (QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom)
        for page, fields, way in zip(self._pages, (self.numbers, self.dates), ways, strict=True):
            line = QBoxLayout(way, page)
            line.setContentsMargins(0, 0, 0, 0)
            line.setSpacing(tokens.SPACE_XS)
            for field in fields:
                line.addWidget(field)
            layout.addWidget(page)
        self._pages[1].hide()
        self.setFocusProxy(self.numbers[0])

    def show_bounds(self, spec: ColumnSpec, bounds: tuple[float, float] | None) -> None:
        """Show the bounds of a column."""
        fresh = self._spec is None or self._spec.name != spec.name or bounds != self._shown
        self._spec, self._shown = spec, bounds
        temporal = spec.kind.temporal
        for page, wanted in zip(self._pages, (not temporal, temporal), strict=True):
            page.setVisible(wanted)
        self.setFocusProxy(self.dates[0] if temporal else self.numbers[0])
        if not fresh:
            return
        for place in range(2):
            value = None if bounds is None else bounds[place]
            if not temporal:
                if self.numbers[place].value != value:
                    self.numbers[place].set_value(value)
            else:
                self.dates[place].setText("" if value is None else _as_date(value, spec))
                self.dates[place].setPlaceholderText(_as_date(0.0, spec))
                set_look(self.dates[place], invalid=False)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._later.stop()

    def _tell_typed(self) -> None:
        """Tell what is typed so far if it may be meant: nobody means 1 while 100 is on its way below 16."""
        found = self._read()
        if found is not None and found[0] < found[1]:
            self._tell()

    def _tell(self) -> None:
        self._later.stop()
        found = self._read()
        if found is not None and found != self._shown:
            self._shown = found
            self.changed.emit(found)

    def _read(self) -> tuple[float, float] | None:
        spec = self._spec
        if spec is None:
            return None
        if spec.kind.temporal:
            texts = [field.text().strip() for field in self.dates]
            try:
                values = parse(texts, spec).tolist()
            except WorkbenchError:  # no pattern yet, which the Data workspace asks for
                return None
            for field, text, value in zip(self.dates, texts, values, strict=True):
                set_look(field, invalid=bool(text) and math.isnan(value))
            return None if any(math.isnan(value) for value in values) else (values[0], values[1])
        low, high = (field.value for field in self.numbers)
        return None if low is None or high is None else (low, high)


def _as_date(value: float, spec: ColumnSpec) -> str:
    """A bound as dates of the column are written; nothing where that was not said yet, which the Data room asks for."""
    try:
        return as_text(value * _DAY if spec.kind is Kind.DATE else value, spec.format.pattern)
    except WorkbenchError:
        return ""
