"""A window is laid out before it is painted because something that lay over it went away."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QWidget


class _LaidOutFirst(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The system may ask for it between a change of words and their layout, as when a dialog was closed: words that
        # are longer now would be cut until the events that wait are seen to.
        if event.type() == QEvent.Type.Expose:
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        return super().eventFilter(watched, event)


def lay_out_first(window: QWidget) -> None:
    """From now on lay this window, which is on the screen, out before the system has it painted."""
    handle = window.windowHandle()
    if handle is not None and window.findChild(_LaidOutFirst) is None:
        handle.installEventFilter(_LaidOutFirst(window))
