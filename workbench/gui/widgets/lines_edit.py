"""A field for a text of several lines, such as a small table."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QSize, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from workbench.gui import tokens
from workbench.gui.later import Later
from workbench.gui.theme import monospace_font

_LINES = 5
_SETTLE_MS = 300
_MOST_LETTERS = 100_000
_BETWEEN = "\t;,"
"""Separators that may stand between values that were copied in one line, the surest first."""


class LinesEdit(QPlainTextEdit):
    """A small table or another text of several lines; sent a moment after the last key.

    Signals
    -------
    typed(str)
        The text became another one.
    """

    typed = Signal(str)
    edited = Signal()
    """Somebody is typing, so that what is sent may be half of it."""
    left = Signal()
    """Who typed went elsewhere, and all of it is sent."""

    splits_pasted = False
    """Whether one pasted line of several, as from a sheet or a list with commas, becomes a line for each."""
    splits_typed = False
    """Whether one that was typed is read so, and shown so once the field is left: where one value makes no sense."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFont(monospace_font())
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._told = ""
        self._wait = Later(self, self.tell, _SETTLE_MS)
        self.textChanged.connect(self._wait.start)
        self.textChanged.connect(self._say_edited)

    def show_text(self, text: str) -> None:
        """Show a text, unless the person is typing another one."""
        if self._told == text or self._wait.isActive():
            return
        if self.toPlainText().rstrip() == text.rstrip() and not self.isReadOnly():
            return  # an empty line at the end is where the next one is typed
        if self.splits_typed and self.hasFocus() and _lines_of(self.toPlainText()) == text:
            return  # who types in one line goes on in it
        self._told = text
        # Laying out millions of letters takes seconds, and nobody edits them here.
        too_long = len(text) > _MOST_LETTERS
        self.setReadOnly(too_long)
        shown = f"{len(text):,} letters, not shown" if too_long else text
        if self.toPlainText() != shown:
            at = self.textCursor().position() if self.hasFocus() else 0
            self.setPlainText(shown)
            caret = self.textCursor()
            caret.setPosition(min(at, len(shown)))
            self.setTextCursor(caret)
        self._wait.stop()

    def insertFromMimeData(self, source: QMimeData) -> None:
        if lines := _lines_of(source.text()) if self.splits_pasted else "":
            self.insertPlainText(lines)
        else:
            super().insertFromMimeData(source)

    def sizeHint(self) -> QSize:
        return QSize(tokens.FIELD_WIDTH, _LINES * self.fontMetrics().lineSpacing() + 2 * tokens.SPACE_S)

    def minimumSizeHint(self) -> QSize:
        return QSize(tokens.FIELD_WIDTH // 2, self.sizeHint().height() // 2)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.splits_typed and (lines := _lines_of(self.toPlainText())):
            self.setPlainText(lines)
        self.tell()
        self.left.emit()

    def _say_edited(self) -> None:
        if self.hasFocus() and self._wait.isActive():
            self.edited.emit()

    def hideEvent(self, event: QEvent) -> None:
        self.tell()

    def tell(self) -> None:
        """Send what is typed now, without waiting."""
        self._wait.stop()
        text = self.toPlainText()
        if text != self._told and not self.isReadOnly():
            self._told = text
            self.typed.emit((_lines_of(text) if self.splits_typed else "") or text)


def _lines_of(text: str) -> str:
    """A line for each of several values in one line; "" where it is none such."""
    mark = next((one for one in _BETWEEN if one in text), "")
    return "\n".join(filter(None, map(str.strip, text.split(mark)))) if mark and "\n" not in text.strip() else ""
