"""The words beside a tick."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractButton, QLabel

from workbench.core.visible import visible
from workbench.gui.widgets.labels import on_button


class SentenceLabel(QLabel):
    """A click on it ticks too.

    Parameters
    ----------
    text
        What is shown.
    strong, small
        As of `labels.label`.
    """

    def __init__(self, text: str, tick: QAbstractButton, *, strong: bool = False, small: bool = False) -> None:
        super().__init__(on_button(visible(text)))
        for name, wanted in (("strong", strong), ("small", small)):
            if wanted:
                self.setProperty(name, "true")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setBuddy(tick)
        self._tick = tick

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._tick.click()


class FirstPress(QObject):
    """Keeps the second press of a double click from what it is installed on: by then that may lie there anew.

    Signals
    -------
    pressed(bool)
        Something it is installed on is pressed, by the mouse or not.
    """

    pressed = Signal(bool)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.KeyPress):
            self.pressed.emit(event.type() == QEvent.Type.MouseButtonPress)
        return event.type() == QEvent.Type.MouseButtonDblClick
