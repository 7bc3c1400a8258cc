"""A logarithmic slider beside a field for a number."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from workbench.core.number_text import rounded
from workbench.gui import tokens
from workbench.gui.widgets.inputs import Slider
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField

_SLIDER_STEPS = 1000
_SLIDER_DIGITS = 3


class LogSlider(QWidget):
    """A slider over orders of magnitude that moves with a `NumberField`, with a word at both ends.

    Where there is hardly any room it is gone, and the field is there.

    Parameters
    ----------
    field
        The exact number. The slider covers `minimum` to `maximum`, both positive, and rounds to three digits;
        a number typed beyond its ends stays as typed, with the slider at its end.
    low, high
        What the two ends mean, such as "better privacy" and "better accuracy".
    """

    def __init__(
        self,
        field: NumberField,
        *,
        minimum: float,
        maximum: float,
        low: str = "",
        high: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        if not 0 < minimum < maximum:
            raise ValueError("a logarithmic slider needs 0 < minimum < maximum")
        self._field = field
        self._low, self._high = math.log(minimum), math.log(maximum)
        self._minimum, self._maximum = minimum, maximum
        self._moving = False
        self.slider = Slider()
        self.slider.setRange(0, _SLIDER_STEPS)
        self.slider.setSingleStep(_SLIDER_STEPS // 100)
        self.slider.setPageStep(_SLIDER_STEPS // 10)
        self.slider.setAccessibleName(f"{field.edit.accessibleName()}: {low} – {high}")
        self.slider.valueChanged.connect(self._slid)
        self.setFocusProxy(self.slider)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setVerticalSpacing(0)
        layout.addWidget(self.slider, 0, 0, 1, 2)
        self._words = [label(words, small=True, muted=True) for words in (low, high) if low or high]
        for column, words in enumerate(self._words):
            kept = words.sizePolicy()
            kept.setHorizontalPolicy(QSizePolicy.Policy.Ignored)  # they are gone rather than cut, and so take no width
            words.setSizePolicy(kept)
            words.setAlignment(Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft)
            layout.addWidget(words, 1, column)
        field.value_changed.connect(self._follow)
        if field.value is not None:
            self._follow(field.value)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        whole = self.width() >= 2 * max((words.sizeHint().width() for words in self._words), default=0)
        for words in self._words:
            words.setVisible(whole)
        self.slider.setVisible(self.width() >= tokens.METER_WIDTH)  # of a stub no number can be chosen

    def _slid(self, position: int) -> None:
        if self._moving:
            return
        share = position / _SLIDER_STEPS
        value = rounded(math.exp(self._low + share * (self._high - self._low)), _SLIDER_DIGITS)
        self._moving = True
        try:
            self._field.set_value(min(max(value, self._minimum), self._maximum))
        finally:
            self._moving = False

    def _follow(self, value: float) -> None:
        if self._moving or value <= 0:
            return
        share = (math.log(value) - self._low) / (self._high - self._low)
        self._moving = True
        try:
            self.slider.setValue(round(min(max(share, 0.0), 1.0) * _SLIDER_STEPS))
        finally:
            self._moving = False
