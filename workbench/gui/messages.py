"""Messages above the workspace, which never interrupt: what happened, where, and what to do."""

from __future__ import annotations

import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from workbench.core.errors import WorkbenchError
from workbench.core.visible import visible_lines
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.later import Later
from workbench.gui.theme import monospace_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button, tool_button
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.status import Status, status_icon, status_word

_MOST = 3
_LASTS_MS = 8_000
_PER_LETTER_MS = 60
"""Slow readers need about that much."""
_LEAST_DETAIL_LINES, _DETAIL_LINES = 4, 10


class Message(QFrame):
    """One message. `closed` is emitted when the person or the bar closes it.

    What only says that something was done, and asks for nothing, closes by itself after it could be read, unless the
    person points at it or has the focus in it.
    """

    closed = Signal(object)

    def __init__(
        self,
        status: Status,
        text: str,
        hint: str = "",
        *,
        action: str = "",
        callback: Callable[[], object] | None = None,
        other_action: str = "",
        other_callback: Callable[[], object] | None = None,
        details: str = "",
        key: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.status = status
        self.text = text
        self.hint = hint
        self.details = details
        self.key = key
        self._actions = [
            (words, called) for words, called in ((action, callback), (other_action, other_callback)) if words
        ]
        self._expiry = Later(self, self._expire, _LASTS_MS + _PER_LETTER_MS * len(text + hint))
        self.setProperty("message", status.value)
        word = status_word(status)
        self.setAccessibleName(f"{word}: {text}")
        self.setAccessibleDescription(hint)

        layout = QGridLayout(self)
        layout.setContentsMargins(tokens.SPACE_M, tokens.SPACE_S, tokens.SPACE_S, tokens.SPACE_S)
        layout.setHorizontalSpacing(tokens.SPACE_S)
        layout.setVerticalSpacing(tokens.SPACE_XS)
        layout.setColumnStretch(2, 1)
        top = Qt.AlignmentFlag.AlignTop
        mark = IconLabel(status_icon(status), tokens.ICON_LARGE, status.value)
        heading = label(word, strong=True)
        for widget in (mark, heading):
            widget.setFixedHeight(tokens.CONTROL_HEIGHT)
        layout.addWidget(mark, 0, 0, top)
        layout.addWidget(heading, 0, 1, top)
        words = QVBoxLayout()
        # The first line stands level with the word and the buttons.
        above = (tokens.CONTROL_HEIGHT - self.fontMetrics().lineSpacing()) // 2
        words.setContentsMargins(0, above, 0, tokens.SPACE_XS)
        words.setSpacing(tokens.SPACE_HAIR)
        words.addWidget(label(text, wrap=True, selectable=True))
        if hint:
            words.addWidget(label(hint, wrap=True, selectable=True, muted=True))
        words.addStretch(1)
        layout.addLayout(words, 0, 2)
        layout.addLayout(self._buttons(), 0, 3, top)
        self._pane = QPlainTextEdit(details)
        self._pane.setReadOnly(True)
        self._pane.setFont(monospace_font())
        self._pane.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        line = self._pane.fontMetrics().lineSpacing()
        self._pane.setMinimumHeight(_LEAST_DETAIL_LINES * line)
        self._pane.setMaximumHeight(_DETAIL_LINES * line)
        self._pane.setAccessibleName("Details of the message")
        self._pane.setTabChangesFocus(True)
        self._pane.hide()
        layout.addWidget(self._pane, 1, 1, 1, 3)

    @property
    def passing(self) -> bool:
        """Whether it only says that something was done: nothing is wrong and nothing is asked."""
        return self.status in (Status.INFO, Status.SUCCESS) and not self._actions

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.passing:
            self._expiry.start()

    def hideEvent(self, event: QHideEvent) -> None:
        self._expiry.stop()
        super().hideEvent(event)

    def _expire(self) -> None:
        focus = QApplication.focusWidget()
        if self.underMouse() or (focus is not None and self.isAncestorOf(focus)):
            self._expiry.start()  # it is being read, copied or closed
        else:
            self.dismiss()

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(tokens.SPACE_XS)
        for place, (words, _) in enumerate(self._actions):
            button = push_button(words, (self._act, self._act_otherwise)[place], name=words, quiet=place > 0)
            row.addWidget(button)
        if self.details:
            button = push_button("Details", name="Show technical details", checkable=True, quiet=True)
            button.toggled.connect(self._show_details)
            row.addWidget(button)
        for name, tip, slot in (
            ("copy", "Copy this message", self.copy),
            ("close", "Close this message", self.dismiss),
        ):
            tool = tool_button(act=slot, name=tip, icon=icon(name), tip=tip)
            row.addWidget(tool)
        return row

    def copy(self) -> None:
        """Put the message with its hint and details on the clipboard."""
        parts = [f"{status_word(self.status)}: {self.text}", self.hint, self.details]
        QGuiApplication.clipboard().setText("\n\n".join(part for part in parts if part))

    def dismiss(self) -> None:
        self.closed.emit(self)

    def _act(self) -> None:
        self._call(self._actions[0][1])

    def _act_otherwise(self) -> None:
        self._call(self._actions[-1][1])

    def _call(self, callback: Callable[[], object] | None) -> None:
        # Closed first: what the action does may show a message of its own under the same key.
        self.closed.emit(self)
        if callback is not None:
            callback()

    def _show_details(self, shown: bool) -> None:
        self._pane.setVisible(shown)


class MessageBar(QWidget):
    """Up to three messages, newest on top. It takes no room while there is none and never takes the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layout = boxes.column(margins="m s m 0", spacing="s", inside=self)
        self._messages: list[Message] = []
        self._ways: dict[str, tuple[str, Callable[[], object]]] = {}
        self.work_is_kept: Callable[[], bool] = lambda: False
        """Whether everything the person did would survive the end of the program."""
        self.setAccessibleName("Messages")
        self.hide()

    @property
    def messages(self) -> tuple[Message, ...]:
        """The messages shown, newest first."""
        return tuple(self._messages)

    def show_message(
        self,
        status: Status,
        text: str,
        hint: str = "",
        *,
        action: str = "",
        callback: Callable[[], object] | None = None,
        other_action: str = "",
        other_callback: Callable[[], object] | None = None,
        details: str = "",
        key: str = "",
    ) -> Message:
        """Show a message.

        Parameters
        ----------
        status
            One of success, info, warning and error.
        text, hint
            What happened and where; what to do about it.
        action, callback
            The words of an optional button and what it does. The message closes when it is pressed.
        other_action, other_callback
            The same for a second button.
        details
            Technical text behind a Details button.
        key
            A message takes the place of the one shown under the same key. Without a key, of one with the
            same text.
        """
        for shown in list(self._messages):
            if shown.key == key if key else (shown.text == text and shown.status is status):
                self._close(shown)
        message = Message(
            status,
            text,
            hint,
            action=action,
            callback=callback,
            other_action=other_action,
            other_callback=other_callback,
            details=details,
            key=key,
            parent=self,
        )
        message.closed.connect(self._close)
        self._messages.insert(0, message)
        self._layout.insertWidget(0, message)
        while len(self._messages) > _MOST:
            self._close(self._least_urgent())
        message.show()
        self.show()
        QAccessible.updateAccessibility(QAccessibleEvent(message, QAccessible.Event.Alert))
        return message

    def info(self, text: str, hint: str = "", **options: Any) -> Message:
        return self.show_message(Status.INFO, text, hint, **options)

    def success(self, text: str, hint: str = "", **options: Any) -> Message:
        return self.show_message(Status.SUCCESS, text, hint, **options)

    def warning(self, text: str, hint: str = "", **options: Any) -> Message:
        return self.show_message(Status.WARNING, text, hint, **options)

    def error(self, text: str, hint: str = "", **options: Any) -> Message:
        return self.show_message(Status.ERROR, text, hint, **options)

    def offer_way_out(self, field: str, words: str, callback: Callable[[], object]) -> None:
        """Put a button with these words beside errors about `field`, such as "memory"."""
        self._ways[field] = (words, callback)

    def show_error(self, error: BaseException) -> Message:
        """Show an exception: a `WorkbenchError` in its own words, anything else with the traceback behind Details."""
        if isinstance(error, WorkbenchError):
            action, callback = self._ways.get(error.field or "", ("", None))
            return self.error(error.message, error.hint, action=action, callback=callback)
        details = "".join(traceback.format_exception(error))
        if isinstance(error, MemoryError):
            return self.error(
                "There was not enough memory to finish this.",
                "Close other programs, or work with fewer columns or rows. Your project is unchanged.",
                details=details,
            )
        report = "If it happens again, please report it with the text behind Details."
        kept = "Your work is kept." if self.work_is_kept() else "Save your work before you go on."
        return self.error(
            f"Something unexpected happened: {type(error).__name__}.",
            f"{kept} {report}",
            details=details,
        )

    def dismiss(self, key: str) -> None:
        """Close the message shown under `key`, if any."""
        for message in list(self._messages):
            if message.key == key:
                self._close(message)

    def clear_passing(self) -> None:
        """Close what only says that something was done, because it is no longer so."""
        for message in list(self._messages):
            if message.passing:
                self._close(message)

    def clear(self) -> None:
        """Close all messages."""
        for message in list(self._messages):
            self._close(message)

    def _least_urgent(self) -> Message:
        """The oldest message that is not an error, else the oldest; never the newest."""
        older = self._messages[:0:-1]
        return next((message for message in older if message.status is not Status.ERROR), older[0])

    def _close(self, message: Message) -> None:
        if message in self._messages:
            self._messages.remove(message)
            self._layout.removeWidget(message)
            message.hide()
            message.deleteLater()
            self.setVisible(bool(self._messages))


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
