"""Labels in the few styles the window uses."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from workbench.gui.icons import paint_icon

NO_VALUE = "(empty)"
"""Text in place of an empty one, which nobody could see."""
_BEFORE_PERCENT = re.compile(r"(?<=\d) (?=%)")


def label(
    text: str = "",
    *,
    heading: int = 0,
    muted: bool = False,
    strong: bool = False,
    small: bool = False,
    wrap: bool = False,
    selectable: bool = False,
    tone: str = "",
) -> QLabel:
    """A label with plain text.

    Parameters
    ----------
    text
        Shown as it is: values from the data must never be read as markup.
    heading
        1 for the heading of a workspace, 2 for that of a section, 0 for text.
    muted, strong, small, wrap, selectable
        Secondary text; semibold; 12 px; breaks lines; can be selected with the mouse.
    tone
        "error", "warning" or "success" for text in that colour.
    """
    made = _Sentences() if wrap else QLabel()
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setText(text)
    if heading:
        made.setProperty("heading", str(heading))
    for name, wanted in (("muted", muted), ("strong", strong), ("small", small)):
        if wanted:
            made.setProperty(name, "true")
    if tone:
        made.setProperty("tone", tone)
    made.setWordWrap(wrap)
    if selectable:
        made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


class _Sentences(QLabel):
    """A text over several lines, none of which begins with the % of a number. What it says is the text as it was set:
    files, answers and settled texts have plain spaces, and only what is painted has none that breaks.
    """

    def __init__(self) -> None:
        super().__init__()
        self._said = ""

    def setText(self, text: str) -> None:
        self._said = text
        super().setText(_BEFORE_PERCENT.sub("\u00a0", text))

    def clear(self) -> None:
        self.setText("")

    def text(self) -> str:
        return self._said


def on_button(text: str) -> str:
    """A text of other people for a button, a menu, a tab or the label of a field, where & would mark a key unseen."""
    return text.replace("&", "&&")


class IconLabel(QWidget):
    """An icon in the colour of a theme token. Decoration only: the words beside it carry the meaning."""

    def __init__(self, name: str, size: int, token: str = "text", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._size = size
        self._token = token
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_icon(self, name: str, token: str = "text") -> None:
        if (name, token) != (self._name, self._token):
            self._name, self._token = name, token
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        left, top = (self.width() - self._size) // 2, (self.height() - self._size) // 2
        paint_icon(painter, QRect(left, top, self._size, self._size), self._name, self._token)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self.update()
        super().changeEvent(event)
