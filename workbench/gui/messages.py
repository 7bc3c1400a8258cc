"""The messages of the window, which never interrupt and never move the page."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from workbench.core.errors import WorkbenchError
from workbench.gui.message import Message
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.status import Status

_MOST = 3


class MessageBar(QWidget):
    """Up to three messages on one line: the newest is seen, a button leads through the others.

    Its place in the window is reserved, so that nothing moves when a message comes or goes. It never takes the focus.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages = QStackedWidget()
        self._more = push_button(act=self.show_next, quiet=True)
        self._more.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a press takes nobody out of a field
        boxes.row((self._pages, 1), self._more, spacing="xs", inside=self)
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
        leads: bool = False,
        more: str = "",
        details: str = "",
        key: str = "",
        first: bool = False,
        yields: bool = False,
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
        leads
            Whether the action only shows what the message is about: then it goes by itself like one without.
        more
            What else is to be known, in sentences that have no room in a line, behind a Details button.
        details
            Technical text there.
        key
            A message takes the place of the one shown under the same key. Without a key, of one with the
            same text.
        first
            Whether warnings that come later stand behind it, and none of them takes its place.
        yields
            Whether it stands behind such a one, as warnings do.
        """
        for shown in list(self._messages):
            # What failed before this succeeded is no news any more, and would come back when this goes.
            overtaken = status is Status.SUCCESS and shown.mistake
            if overtaken or (shown.key == key if key else (shown.text == text and shown.status is status)):
                self._close(shown)
        message = Message(
            status,
            text,
            hint,
            action=action,
            callback=callback,
            other_action=other_action,
            other_callback=other_callback,
            leads=leads,
            more=more,
            details=details,
            key=key,
            first=first,
            parent=self,
        )
        message.closed.connect(self._close)
        self._pages.addWidget(message)
        behind = sum(one.first for one in self._messages) if (yields or status is Status.WARNING) and not first else 0
        self._messages.insert(behind, message)
        while len(self._messages) > _MOST:
            self._close(self._least_urgent())
        self._show_first()
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

    def withdraw(self, text: str) -> None:
        """Close the messages of this text."""
        for message in list(self._messages):
            if message.text == text:
                self._close(message)

    def clear_passing(self) -> None:
        """Close what only says that something was done, because it is no longer so."""
        for message in list(self._messages):
            if message.passing and not message.key:  # what has a state of its own goes when it was read
                self._close(message)

    def leave_room(self) -> None:
        """Close what was said of a room that is left: it would be read as said of the one that is shown."""
        for message in list(self._messages):
            message.leave_room()

    def clear(self) -> None:
        """Close all messages."""
        for message in list(self._messages):
            self._close(message)

    def _least_urgent(self) -> Message:
        """The oldest message that is no error and need not be first, else the oldest; never the one in front."""
        older = self._messages[:0:-1]
        return next((one for one in older if one.status is not Status.ERROR and not one.first), older[0])

    def show_next(self) -> None:
        """Put the message in view behind the others."""
        if self._messages:
            self._messages.append(self._messages.pop(0))
            self._show_first()

    def _show_first(self) -> None:
        if self._messages:
            self._pages.setCurrentWidget(self._messages[0])
        others = len(self._messages) - 1
        self._more.setVisible(others > 0)
        self._more.setText(f"{others} more")
        self._more.setAccessibleName(f"Show the next of {others + 1} messages")
        self.setVisible(bool(self._messages))

    def _close(self, message: Message) -> None:
        if message in self._messages:
            self._messages.remove(message)
            self._pages.removeWidget(message)
            message.hide()
            message.deleteLater()
            self._show_first()
