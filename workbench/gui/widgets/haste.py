"""Controls that a double click presses once, as what stands under the pointer is another thing after the first."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QPointF
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

_Control = TypeVar("_Control", bound=QWidget)


class _Haste(QObject):
    """Event filter that lets the second half of a double click fall on nothing, whichever button has the first."""

    _last: tuple[int, QPointF] | None = None
    """When, in ms as events tell it, and where on the screen one of these buttons was clicked last."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and event.type() is QEvent.Type.MouseButtonDblClick:
            return True  # its first half fell on the same button, or on one that stood here
        if isinstance(event, QMouseEvent) and isinstance(watched, QAbstractButton):
            if event.type() is QEvent.Type.MouseButtonPress:
                return self._is_second_half(event)
            if event.type() is QEvent.Type.MouseButtonRelease and watched.isDown():
                _Haste._last = (event.timestamp(), event.globalPosition())
        return False

    @staticmethod
    def _is_second_half(event: QMouseEvent) -> bool:
        """Whether it follows at once, and at the same place, on a click of another of these buttons."""
        if _Haste._last is None:
            return False
        when, where = _Haste._last
        hasty = event.timestamp() - when < QApplication.doubleClickInterval()
        moved = (event.globalPosition() - where).manhattanLength()
        return hasty and moved < QApplication.startDragDistance()


def pressed_once(control: _Control) -> _Control:
    """The control, pressed once by a double click; keys press it as often as they like."""
    control.installEventFilter(_Haste(control))
    return control
