"""Public bounds of a numeric column: typed by the person, or, with a warning, read from the data."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QWidget

from workbench.core.column_facts import ColumnFacts
from workbench.core.number_text import bound, rounded
from workbench.core.schema import ColumnSpec
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.values_look import LOOK_FIRST
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.number_field import (
    NumberField,
)

_OUTSIDE = "Where a question needs bounds, a value outside counts as the nearest."
_DIGITS = 12
_GROUPED_FROM = 10_000


class PublicBoundsEditor(QWidget):
    """Two numbers that are known without the data.

    Signals
    -------
    changed(object, bool)
        New bounds as a pair of floats, or None if both fields were emptied; whether they were read from the data.
    """

    changed = Signal(object, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_explain(self, "data.bounds")
        self._shown: tuple[float, float] | None = None
        self._observed = False
        self._found: tuple[float, float] | None = None
        none = "not given"
        self.least = NumberField("Lowest possible value", optional=True, placeholder=none, compact=True)
        self.greatest = NumberField("Highest possible value", optional=True, placeholder=none, compact=True)
        for field in (self.least, self.greatest):
            field.edit.setMinimumWidth(tokens.COLUMN_MIN)
            field.edit.editingFinished.connect(self._edited)
        self._error = label(small=True, wrap=True)
        self._error.hide()
        self.read_button = push_button(
            "Read from the data…", self._ask, name="Read the bounds from the data", quiet=True
        )
        self._lay_out()

    def _lay_out(self) -> None:
        fields = QGridLayout()
        fields.setHorizontalSpacing(tokens.SPACE_S)
        fields.setVerticalSpacing(tokens.SPACE_XS)
        fields.addWidget(label("At least", small=True, muted=True), 0, 0)
        fields.addWidget(label("At most", small=True, muted=True), 0, 1)
        fields.addWidget(self.least, 1, 0)
        fields.addWidget(self.greatest, 1, 1)
        fields.setColumnStretch(0, 1)
        fields.setColumnStretch(1, 1)
        self.warning = QFrame()
        self.warning.setProperty("message", "warning")
        self._words = label(wrap=True, small=True)
        self.confirm = QPushButton("Use them anyway")
        self.cancel = QPushButton("Cancel")
        set_look(self.cancel, quiet=True)
        for button in (self.confirm, self.cancel):
            button.setAccessibleName(button.text())
        self.confirm.clicked.connect(self._use_found)
        self.cancel.clicked.connect(self._leave)
        top = boxes.row(
            (IconLabel("warning", tokens.ICON, "warning"), Qt.AlignmentFlag.AlignTop), (self._words, 1), spacing="s"
        )
        boxes.column(
            top, boxes.row(self.confirm, self.cancel, 1, spacing="s"), margins="s", spacing="s", inside=self.warning
        )
        self.warning.hide()
        boxes.column(
            fields, self._error, (self.read_button, Qt.AlignmentFlag.AlignLeft), self.warning, spacing="xs", inside=self
        )

    def show_column(self, spec: ColumnSpec, facts: ColumnFacts | None) -> None:
        """Show the bounds of a column, and know what the data would give."""
        self._shown = spec.bounds
        low, high = spec.bounds if spec.bounds is not None else (None, None)
        for field, value in ((self.least, low), (self.greatest, high)):
            if field.value != value or not field.valid:
                field.set_value(value)
        self._observed = "bounds" in spec.observed
        self._say_origin()
        self._found = None
        if facts is not None and math.isfinite(facts.least) and facts.least < facts.greatest:
            self._found = (rounded(facts.least, _DIGITS), rounded(facts.greatest, _DIGITS))
        self.read_button.setEnabled(self._found is not None)
        self.read_button.setToolTip("" if facts is not None else LOOK_FIRST)
        self._leave()

    def _edited(self) -> None:
        low, high = self.least.value, self.greatest.value
        if not (self.least.valid and self.greatest.valid):
            self._say(self.least.error or self.greatest.error)
            return
        if low is None and high is None:
            self._announce(None)
        elif low is None or high is None:
            self._say("Give both numbers, or neither.", tone="none")
        elif low >= high:
            self._say("The first number must be below the second.")
        else:
            # As long as one end is that of the data, bounds once read from it are not public.
            kept = self._found is None or low == self._found[0] or high == self._found[1]
            self._announce((low, high), observed=self._observed and kept)

    def _announce(self, bounds: tuple[float, float] | None, *, observed: bool = False) -> None:
        if bounds != self._shown:
            self._shown, self._observed = bounds, observed
            self.changed.emit(bounds, observed)
        self._say_origin()

    def _say_origin(self) -> None:
        if self._observed:
            self._say("Read from the data, so what is built from them supports no claim.", tone="warning")
        else:
            self._say(_OUTSIDE if self._shown is not None else "", tone="none")

    def _say(self, text: str, *, tone: str = "error") -> None:
        self._error.setText(text)
        set_look(self._error, tone=tone)
        self._error.setVisible(bool(text))

    def _ask(self) -> None:
        if self._found is None:
            return
        low, high = (bound(value) for value in self._found)
        self._words.setText(
            f"The data runs from {low} to {high} (analyst only). Bounds taken from it give away someone's true "
            "value. Better: what is publicly known, such as 0 to 120 for an age."
        )
        self.read_button.hide()
        self.warning.show()
        self.cancel.setFocus()

    def _use_found(self) -> None:
        if self._found is not None:
            low, high = self._found
            self.least.set_value(low)
            self.greatest.set_value(high)
            self._announce((low, high), observed=True)
        self._leave()
        self.least.setFocus()

    def _leave(self) -> None:
        self.warning.hide()
        self.read_button.show()
