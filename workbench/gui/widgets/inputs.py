"""Spin and combo boxes that do not change under a scrolling mouse wheel."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QSlider, QSpinBox, QStyleOptionComboBox, QWidget

from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.theme import tabular_font
from workbench.gui.widgets.shown_text import ShownText

_MOST_VISIBLE = 20
"""Choices that are seen at once, as far as the screen has room: a list that ends before the last one hides it."""


_NO_END = 2**31 - 1
_BREAK = re.compile(r"\s*[,;]?\s*[\t\n\v\f\r\x85\u2028\u2029]\s*")


class LongLine(QLineEdit):
    """A line that keeps all that is typed or pasted: whoever reads it says if that is too much.

    Qt ends a line after 32,767 characters without a word, which a code list has soon.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMaxLength(_NO_END)
        self.setText(text)


class ListLine(LongLine):
    """A line for entries with commas between them; of what is pasted one a line, each becomes an entry.

    Qt keeps ends of lines and shows them as spaces, so that nobody sees where an entry ends.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.textChanged.connect(self._part)

    def _part(self, text: str) -> None:
        if _BREAK.search(text) is None:
            return
        at = self.cursorPosition()
        before, after = (_BREAK.sub(", ", part) for part in (text[:at], text[at:]))
        if not after.strip(", "):
            before, after = before.rstrip(", "), ""
        self.setText(before + after)
        self.setCursorPosition(len(before))


class SpinBox(QSpinBox):
    """A whole number with arrows; the wheel turns it only while it has the focus."""

    def __init__(
        self,
        name: str,
        minimum: int,
        maximum: int,
        value: int,
        unit: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFont(tabular_font())
        self.setRange(minimum, maximum)
        self.setValue(value)
        if unit:
            self.setSuffix(f" {unit}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # Styled spin boxes ignore the left padding of the stylesheet.
        self.lineEdit().setTextMargins(tokens.SPACE_S - tokens.SPACE_HAIR, 0, 0, 0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class Slider(QSlider):
    """A slider that the wheel moves only while it has the focus."""

    def __init__(self, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class ComboBox(QComboBox):
    """A choice of one; the wheel turns it only while it has the focus.

    Qt keeps of a member of an enumeration only its text. `chosen` gives back what was put in, and is the only way to
    ask for it.

    Parameters
    ----------
    name
        For screen readers.
    choices
        Pairs of what is shown and what `chosen` returns for it.
    """

    def __init__(self, name: str, choices: Sequence[tuple[str, object]] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._members: dict[object, Enum] = {}
        self.from_list = False
        """Whether a choice comes from the open list, and not by a key that may go on to the next one."""
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMaxVisibleItems(_MOST_VISIBLE)
        for text, data in choices:
            self.addItem(text, data)

    def addItem(self, *given: Any) -> None:
        """As in Qt: an icon if there is one, the text, and the data."""
        if isinstance(given[-1], Enum):
            self._members[given[-1].value] = given[-1]
        super().addItem(*given)

    def showPopup(self) -> None:
        # Only now: the list of a combo box is a window, which most never need.
        if not isinstance(self.itemDelegate(), ShownText):
            self.setItemDelegate(ShownText(self))
        self.from_list = True
        # Made before the style is known, the list would have no bar, and hide that there is more.
        self.view().setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        super().showPopup()

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        option.currentText = visible(option.currentText)

    @property
    def chosen(self) -> Any:
        """The data of the current choice, as it was put in."""
        found = self.currentData()
        return self._members.get(found, found) if isinstance(found, str | int) else found

    def choose(self, data: object) -> None:
        """Select the entry with this data, if there is one."""
        for row in range(self.count()):
            if self.itemData(row) == data:
                self.setCurrentIndex(row)
                return

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
