"""Brings what nobody caught to the messages of the window."""

from __future__ import annotations

import sys
import threading
import traceback
from collections import deque
from types import TracebackType
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal

from workbench.core.visible import visible_lines
from workbench.gui.messages import MessageBar


class ExceptionCatcher(QObject):
    """Brings exceptions nobody caught, of any thread, to the message bar.

    Qt hands exceptions of slots to `sys.excepthook` on the thread that raised them, so they are posted to the
    GUI thread from there. What the hooks did before still happens; where that is printing the traceback, it is printed
    as text, for a message may quote a file.
    """

    _posted = Signal()

    def __init__(self, bar: MessageBar) -> None:
        super().__init__(bar)
        self._bar = bar
        self._errors: deque[BaseException] = deque(maxlen=20)
        self._before: tuple[Any, Any] | None = None
        self._posted.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Start catching; the application's end stops it."""
        if self._before is None:
            self._before = (sys.excepthook, threading.excepthook)
            sys.excepthook = self._uncaught
            threading.excepthook = self._uncaught_in_thread
            app = QCoreApplication.instance()
            if app is not None:
                app.aboutToQuit.connect(self.remove)

    def remove(self) -> None:
        """Stop catching and put the former hooks back."""
        if self._before is not None:
            sys.excepthook, threading.excepthook = self._before
            self._before = None

    def _uncaught(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        before = self._before[0] if self._before else sys.__excepthook__
        if before is sys.__excepthook__:
            _print(error)
        else:
            before(kind, error, trace)
        if issubclass(kind, Exception):
            self._errors.append(error)
            self._posted.emit()

    def _uncaught_in_thread(self, arguments: threading.ExceptHookArgs) -> None:
        before = self._before[1] if self._before else threading.__excepthook__
        if before is threading.__excepthook__ and arguments.exc_value is not None:
            _print(arguments.exc_value)
        else:
            before(arguments)
        if isinstance(arguments.exc_value, Exception):
            self._errors.append(arguments.exc_value)
            self._posted.emit()

    def _show(self) -> None:
        if not self._errors:
            return
        error = self._errors.popleft()
        try:
            self._bar.show_error(error)
        except Exception as second:
            _print(second)  # raised from here it would come back for ever


def _print(error: BaseException) -> None:
    """Print a traceback for whoever looks into it, its control signs spelled out."""
    print(visible_lines("".join(traceback.format_exception(error))), end="", file=sys.stderr)


def install_excepthook(bar: MessageBar) -> ExceptionCatcher:
    """Show every uncaught exception on the bar; `remove()` of what is returned undoes it."""
    catcher = ExceptionCatcher(bar)
    catcher.install()
    return catcher
