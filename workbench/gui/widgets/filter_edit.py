"""A field for a row filter: completes names and values, and underlines where it cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QCompleter, QPlainTextEdit, QTextEdit, QWidget

from workbench.core.filter_example import example_filter, text_example
from workbench.core.filter_words import FilterError, TokenKind, Word, words_of
from workbench.core.filtering import written_name
from workbench.core.schema import Schema
from workbench.gui import tokens
from workbench.gui.theme import colour, monospace_font
from workbench.gui.widgets.shown_text import show_as_text

_LINES = 3
_COMPLETING = "abcdefghijklmnopqrstuvwxyz"
_AFTER_VALUE = ("and", "or")
_AFTER_NAME = ("=", "!=", "<", "<=", ">", ">=", "in (", "not in (", "contains", "starts with", "is missing")


class FilterEdit(QPlainTextEdit):
    """Ctrl+Space offers what can stand at the cursor; names of columns are offered while they are typed.

    Parameters
    ----------
    schema
        The columns that can be named.
    values_of
        A few values of a column, for completion.
    """

    def __init__(
        self, schema: Schema, values_of: Callable[[str], Sequence[str]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._schema = schema
        self._values_of = values_of
        self._names = {written_name(column): column.name for column in schema.columns}
        self.setAccessibleName("Filter")
        self.setFont(monospace_font())
        self.setTabChangesFocus(True)
        self.setFixedHeight(_LINES * self.fontMetrics().lineSpacing() + 2 * tokens.SPACE_M)
        examples = dict.fromkeys(filter(None, (example_filter(schema), text_example(schema))))
        self.setPlaceholderText("\n".join(("every row, or for example:", *examples)))
        self._offers = QStringListModel(self)
        self.completer = QCompleter(self._offers, self)
        self.completer.setWidget(self)
        self.completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.completer.activated.connect(self._complete)
        show_as_text(self.completer)
        popup = self.completer.popup()
        assert popup is not None
        self.popup = popup

    def mark(self, position: int | None) -> None:
        """Underline the word at a position, or nothing."""
        marks = []
        if position is not None:
            cursor = QTextCursor(self.document())
            length = len(self.toPlainText())
            at = max(min(position, length - 1), 0)
            cursor.setPosition(at)
            cursor.setPosition(min(_end_of_word(self.toPlainText(), at), length), QTextCursor.MoveMode.KeepAnchor)
            wrong = QTextCharFormat()
            wrong.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            wrong.setUnderlineColor(colour("error"))
            wrong.setBackground(colour("error_soft"))
            mark = QTextEdit.ExtraSelection()
            mark.cursor, mark.format = cursor, wrong
            marks.append(mark)
        self.setExtraSelections(marks)

    @property
    def marked(self) -> str:
        """The text that is underlined."""
        return " ".join(mark.cursor.selectedText() for mark in self.extraSelections())

    def offers(self) -> tuple[list[str], str]:
        """Completions at the cursor, and the part of the word that was typed already."""
        before = self.toPlainText()[: self.textCursor().position()]
        words, prefix = _words_before(before)
        last = words[-1] if words else None
        column = self._compared_column(words)
        if column is not None:
            values = ["'" + value.replace("'", "''") + "'" for value in self._values_of(column)]
            spec = self._schema[column]
            if spec.kind.numeric or spec.kind.temporal:
                values = [value.strip("'") for value in values]
            return values, prefix
        if last is not None and last.sort in (TokenKind.NAME, TokenKind.QUOTED):
            return list(_AFTER_NAME), prefix
        if last is not None and (
            last.sort in (TokenKind.TEXT, TokenKind.NUMBER, TokenKind.DATE) or last.text in (")", "missing")
        ):
            return list(_AFTER_VALUE), prefix
        return [*self._names, "not"], prefix

    def _compared_column(self, words: Sequence[Word]) -> str | None:
        """The column that the value at the cursor is compared with."""
        place = len(words) - 1
        while place >= 0 and (
            words[place].text in ("(", ",") or (words[place].sort in (TokenKind.TEXT, TokenKind.NUMBER, TokenKind.DATE))
        ):
            if words[place].text not in ("(", ",") and (place + 1 >= len(words) or words[place + 1].text != ","):
                return None
            place -= 1
        if place < 1 or not (
            words[place].sort is TokenKind.COMPARISON or words[place].text in ("in", "contains", "with")
        ):
            return None
        while place >= 0 and words[place].sort not in (TokenKind.NAME, TokenKind.QUOTED):
            place -= 1
        name = words[place].text if place >= 0 else ""
        return name if name in self._schema.names else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.popup.isVisible() and event.key() in (
            Qt.Key.Key_Return,
            Qt.Key.Key_Enter,
            Qt.Key.Key_Escape,
            Qt.Key.Key_Tab,
            Qt.Key.Key_Backtab,
        ):
            event.ignore()  # the list of the completer takes it
            return
        asked = event.key() == Qt.Key.Key_Space and event.modifiers() == Qt.KeyboardModifier.ControlModifier
        if not asked:
            super().keyPressEvent(event)
        typed = event.text().casefold()
        if asked or (typed and typed in _COMPLETING) or self.popup.isVisible():
            self._offer(asked=asked)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.completer.setWidget(self)
        super().focusInEvent(event)

    def _offer(self, *, asked: bool) -> None:
        offers, prefix = self.offers()
        self._offers.setStringList(offers)
        self.completer.setCompletionPrefix(prefix)
        found = self.completer.completionCount()
        only_itself = found == 1 and self.completer.currentCompletion().casefold() == prefix.casefold()
        if not found or only_itself or not (prefix or asked):
            self.popup.hide()
            return
        self.popup.setCurrentIndex(self.completer.completionModel().index(0, 0))
        spot = self.cursorRect()
        spot.setWidth(tokens.COLUMN_MAX)
        self.completer.complete(spot)

    def _complete(self, text: str) -> None:
        cursor = self.textCursor()
        cursor.movePosition(
            QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, len(self.completer.completionPrefix())
        )
        cursor.insertText(text if text.endswith("(") else f"{text} ")
        self.setTextCursor(cursor)


def _words_before(text: str) -> tuple[list[Word], str]:
    """The finished words before the cursor, and the beginning of the word it stands in."""
    words: list[Word] = []
    try:
        for word in words_of(text):
            if word.sort is TokenKind.END:
                break
            words.append(word)
    except FilterError as error:
        return words, text[error.position :]  # a quotation mark that is not closed yet
    if (
        words
        and not text[-1:].isspace()
        and words[-1].sort in (TokenKind.NAME, TokenKind.KEYWORD, TokenKind.NUMBER, TokenKind.DATE)
    ):
        last = words.pop()
        return words, text[last.position :]
    return words, ""


def _end_of_word(text: str, start: int) -> int:
    end = start + 1
    while end < len(text) and not text[end].isspace() and text[end] not in "(),":
        end += 1
    return end
