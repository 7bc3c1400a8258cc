"""Mouse wheels that scroll the page and change nothing on the way."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget


class CalmWheel(QObject):
    """Keeps the mouse wheel from changing a control that merely scrolled under the pointer."""

    def guard(self, *controls: QWidget) -> None:
        """Let the wheel act on these controls only while they have the focus."""
        for control in controls:
            control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            control.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return False
