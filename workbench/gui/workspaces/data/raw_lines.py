"""The first lines of a file as they stand in it."""

from __future__ import annotations

from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from workbench.gui.theme import colour, monospace_font
from workbench.io.dialect import Dialect


class RawLines(QPlainTextEdit):
    """Lines with their numbers; skipped ones are pale, tabs are seen as arrows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFont(monospace_font())
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setAccessibleName("First lines of the file as they are written")

    def show_lines(self, lines: tuple[str, ...], dialect: Dialect) -> None:
        """Show the lines; those above the table are told apart."""
        self.clear()
        cursor = QTextCursor(self.document())
        usual, pale = QTextCharFormat(), QTextCharFormat()
        usual.setForeground(colour("text"))
        pale.setForeground(colour("muted"))
        width = len(str(len(lines)))
        for number, line in enumerate(lines, start=1):
            if number > 1:
                cursor.insertBlock(QTextBlockFormat())
            cursor.insertText(f"{number:>{width}}  ", pale)
            shown = line.rstrip("\r\n").replace("\t", "→\t")
            cursor.insertText(shown, pale if number <= dialect.skip_lines else usual)
        self.moveCursor(QTextCursor.MoveOperation.Start)
