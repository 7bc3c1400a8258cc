"""Controls that a double click presses once, as what stands under the pointer is another thing after the first."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QPointF, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

_Control = TypeVar("_Control", bound=QWidget)
_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)


class _Haste(QObject):
    """Event filter that lets the second half of a double click fall on nothing, whichever button has the first."""

    _last: tuple[int, QPointF] | None = None
    """When, in ms as events tell it, and where on the screen one of these buttons was clicked last."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and event.type() is QEvent.Type.MouseButtonDblClick:
            return True  # its first half fell on the same button, or on one that stood here
        if isinstance(event, QMouseEvent) and isinstance(watched, QAbstractButton):
            if event.type() is QEvent.Type.MouseButtonPress:
                return _Haste._last is not None and _is_second_half(event, *_Haste._last)
            if event.type() is QEvent.Type.MouseButtonRelease and watched.isDown():
                _Haste._last = (event.timestamp(), event.globalPosition())
        return False


class _Leading(QObject):
    """Event filter of what leads to another window, or another page: the second half falls on nothing there either."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and event.type() is QEvent.Type.MouseButtonDblClick:
            return True
        if isinstance(event, QMouseEvent) and event.type() is QEvent.Type.MouseButtonRelease:
            program = QApplication.instance()
            if program is not None and isinstance(watched, QWidget):
                program.installEventFilter(_Rest(watched.window(), event))
        return False


class _Rest(QObject):
    """Event filter of the whole program, for as long as the second half of a double click can come."""

    def __init__(self, window: QWidget, first: QMouseEvent) -> None:
        super().__init__(window)
        self._first = (first.timestamp(), first.globalPosition())
        ends = QTimer(self, singleShot=True, interval=QApplication.doubleClickInterval())
        ends.timeout.connect(self.deleteLater)
        ends.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and event.type() in _PRESSES:
            return _is_second_half(event, *self._first)
        return False


def _is_second_half(event: QMouseEvent, when: int, where: QPointF) -> bool:
    """Whether a press follows at once, and at the same place, on a click."""
    hasty = event.timestamp() - when < QApplication.doubleClickInterval()
    moved = (event.globalPosition() - where).manhattanLength()
    return hasty and moved < QApplication.startDragDistance()


def pressed_once(control: _Control) -> _Control:
    """The control, pressed once by a double click; keys press it as often as they like."""
    control.installEventFilter(_Haste(control))
    return control


def leads_once(control: _Control) -> _Control:
    """The same of a control that leads to another window or page, in which a press at its place means another thing."""
    control.installEventFilter(_Leading(control))
    return control
