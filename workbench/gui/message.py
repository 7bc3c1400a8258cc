"""One message: what happened, where, and what to do, on one line; the whole of it in a card that is asked for."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QFrame, QPlainTextEdit, QWidget

from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.later import Later
from workbench.gui.theme import dress, monospace_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button, tool_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.status import Status, status_icon, status_word

_LASTS_MS = 8_000
_PER_LETTER_MS = 60
"""Slow readers need about that much."""
_GLANCE_MS = 1_000
"""So long it takes to see that something was done; what leads to another room by itself says it just before."""
_DETAIL_LINES = 10


class Message(QFrame):
    """One message. `closed` is emitted when the person or the bar closes it.

    What only says that something was done, and asks for nothing, closes by itself after it could be read, unless the
    person points at it or has the focus in it. With `leads` its action asks for nothing: it shows what is spoken of.
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
        leads: bool = False,
        more: str = "",
        details: str = "",
        key: str = "",
        first: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.status = status
        self.first = first
        self.more = more
        self.text = text
        self.hint = hint
        self.details = details
        self.key = key
        self._actions = [
            (words, called) for words, called in ((action, callback), (other_action, other_callback)) if words
        ]
        self._asks = bool(self._actions) and not leads
        self._expiry = Later(self, self._expire, _LASTS_MS + _PER_LETTER_MS * len(text + hint + more))
        self._card: MessageCard | None = None
        self._seen, self._seen_ms = QElapsedTimer(), 0
        self.setProperty("message", status.value)
        self.setAccessibleName(f"{status_word(status)}: {text}")
        self.setAccessibleDescription(f"{hint} {more}".strip())
        self._line = ElidedLabel(f"{text} {hint}".strip())
        self._row = row = boxes.row(
            IconLabel(status_icon(status), tokens.ICON, status.value),
            (self._line, 1),
            margins="s 0 hair 0",
            spacing="s",
            inside=self,
        )
        for (words, _), act in zip(self._actions, (self._act, self._act_otherwise), strict=False):
            row.addWidget(push_button(words, act, name=words, quiet=True))
        self._whole = push_button("Details", name="Show the whole message", checkable=True, quiet=True)
        self._whole.toggled.connect(self._show_card)
        self._whole.hide()
        row.addWidget(self._whole)
        row.addWidget(tool_button(act=self.dismiss, name="Close this message", icon=icon("close"), tip="Close"))
        for button in self.findChildren(QAbstractButton):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a press takes nobody out of a field

    @property
    def passing(self) -> bool:
        """Whether it only says that something was done: nothing is wrong and nothing is asked."""
        return self.status in (Status.INFO, Status.SUCCESS) and not self._asks

    @property
    def mistake(self) -> bool:
        """Whether it says why something was refused, and asks nothing."""
        return self.status is Status.ERROR and not self._actions and not self.details

    def leave_room(self) -> None:
        """Close what was said of a room that is left, once it was in view for as long as it takes to be read.

        That something was done takes a glance. Errors stay, and what asks for something, has a state of its own under a
        key, or is for a report.
        """
        seen = self._seen_ms + (self._seen.elapsed() if self._seen.isValid() else 0)
        stays = self.status is Status.ERROR or self._asks or self.details or self.key
        enough = _GLANCE_MS if self.status is Status.SUCCESS else self._expiry.interval()
        if seen >= enough and not stays:
            self.dismiss()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._offer_whole()  # only now does the line know its width, if it was given while nobody saw it
        self._seen.start()
        if self.passing:
            self._expiry.start()

    def hideEvent(self, event: QHideEvent) -> None:
        if not self.window().isVisible():
            self._expiry.stop()  # otherwise another one lies over it, and its time goes on
        self._whole.setChecked(False)
        if self._seen.isValid():
            self._seen_ms += self._seen.elapsed()
            self._seen.invalidate()
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._offer_whole()
        if self._card is not None:
            self._card.place_below(self)

    def _offer_whole(self) -> None:
        """Say all of it where there is room, else what happened, with a button for the rest.

        The room is that beside the other parts, which does not change with what is chosen here: neither the button nor
        the words come and go by turns.
        """
        metrics, whole = self._line.fontMetrics(), f"{self.text} {self.hint}".strip()
        button = self._whole.sizeHint().width() + self._row.spacing()
        others = self._row.sizeHint().width() - self._line.sizeHint().width()
        room = self.width() - others + (0 if self._whole.isHidden() else button) - tokens.SPACE_XS
        always = bool(self.details or self.more)
        if always:
            room -= button
        fits = metrics.horizontalAdvance(whole) <= room
        cut = not fits and metrics.horizontalAdvance(self.text) > room - (0 if always else button)
        self._line.set_text(whole if fits or cut else self.text)
        self._whole.setVisible(always or not fits)

    def _expire(self) -> None:
        focus = QApplication.focusWidget()
        read = (self, self._card) if self._card is not None else (self,)
        if any(one.underMouse() or (focus is not None and one.isAncestorOf(focus)) for one in read):
            self._expiry.start()  # it is being read, copied or closed
        else:
            self.dismiss()

    def copy(self) -> None:
        """Put the message with its hint and details on the clipboard."""
        parts = [f"{status_word(self.status)}: {self.text}", self.hint, self.more, self.details]
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._card is not None:
            self._put_card_away()
        else:
            super().keyPressEvent(event)

    def _put_card_away(self) -> None:
        """The keyboard goes on where the card was opened, and not wherever its end leaves it."""
        self._whole.setFocus()
        self._whole.setChecked(False)

    def _show_card(self, wanted: bool) -> None:
        if self._card is not None:
            self._card.hide()
            self._card.deleteLater()
            self._card = None
        if wanted:
            self._card = MessageCard(self, self.window())
            self._card.closed.connect(self._put_card_away)
            self._card.place_below(self)
            self._card.show()


class MessageCard(QFrame):
    """The whole of a message, below its line, with what is technical of it; Escape puts it away.

    Signals
    -------
    closed()
        The person has read it.
    """

    closed = Signal()

    def __init__(self, message: Message, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("overlay", "true")
        self.setAccessibleName("The whole message")
        copy = push_button("Copy", message.copy, name="Copy this message", icon=icon("copy"))
        words = [label(message.text, wrap=True, selectable=True, strong=True)]
        words += [label(one, wrap=True, selectable=True) for one in (message.hint, message.more) if one]
        column = boxes.column(*words, margins="l", spacing="s", inside=self)
        if message.details:
            pane = QPlainTextEdit(message.details)
            pane.setReadOnly(True)
            pane.setFont(monospace_font())
            pane.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
            pane.setFixedHeight(_DETAIL_LINES * pane.fontMetrics().lineSpacing())
            pane.setAccessibleName("Details of the message")
            pane.setTabChangesFocus(True)
            column.addWidget(pane)
        column.addLayout(boxes.row(1, copy))
        dress(self)

    def place_below(self, line: QWidget) -> None:
        """Lie below a line of the same window, as wide as it is."""
        corner = line.mapTo(line.window(), QPoint(0, line.height() + tokens.SPACE_XS))
        layout = self.layout()
        height = layout.heightForWidth(line.width()) if layout is not None else 0
        self.setGeometry(corner.x(), corner.y(), line.width(), height)
        self.raise_()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
