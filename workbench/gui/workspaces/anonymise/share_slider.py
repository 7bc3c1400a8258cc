"""One slider for β: keep rarer groups, or keep more rows."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from workbench.core.number_text import rounded
from workbench.gui import tokens
from workbench.gui.widgets.inputs import Slider
from workbench.gui.widgets.labels import label

_STEPS = 1000
_LOWEST, _HIGHEST = 0.01, 0.99


class ShareSlider(QWidget):
    """Moves β between the value that lets the rarest groups survive and nearly all rows.

    Signals
    -------
    moved(float)
        The person chose this β.
    """

    moved = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lowest = _LOWEST
        self._share = _LOWEST
        self._showing = False
        self.slider = Slider()
        self.slider.setRange(0, _STEPS)
        self.slider.setSingleStep(_STEPS // 100)
        self.slider.setPageStep(_STEPS // 10)
        low, high = "keep rarer groups", "keep more rows"
        self.slider.setAccessibleName(f"β: {low} – {high}")
        self.slider.valueChanged.connect(self._slid)
        self.setFocusProxy(self.slider)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(tokens.SPACE_S)
        layout.setVerticalSpacing(0)
        layout.addWidget(self.slider, 0, 0, 1, 2)
        layout.addWidget(label(low, small=True, muted=True), 1, 0)
        layout.addWidget(label(high, small=True, muted=True), 1, 1, Qt.AlignmentFlag.AlignRight)

    def set_share(self, share: float) -> None:
        """Show a β; beyond the ends the handle stays at the end."""
        self._share = share
        position = (share - self._lowest) / (_HIGHEST - self._lowest)
        self._showing = True
        try:
            self.slider.setValue(round(min(max(position, 0.0), 1.0) * _STEPS))
        finally:
            self._showing = False

    def set_lowest(self, best: float | None) -> None:
        """The β at the left end."""
        self._lowest = min(max(best if best is not None else _LOWEST, _LOWEST), _HIGHEST - _LOWEST)
        self.set_share(self._share)

    def _slid(self, position: int) -> None:
        if self._showing:
            return
        value = self._lowest + position / _STEPS * (_HIGHEST - self._lowest)
        self._share = rounded(value, 3)
        self.moved.emit(self._share)
