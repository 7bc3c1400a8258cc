"""A field for a list with commas that grows by lines, so that all of it is seen."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QResizeEvent, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from workbench.gui import tokens


class ListedValues(QPlainTextEdit):
    """Holds a text as a line edit does, and shows it in as many lines as it needs.

    Signals
    -------
    textEdited(str)
        The person typed or pasted something.
    editingFinished()
        The person goes elsewhere.
    """

    fewest = 1
    """Lines that it takes at least, so that what is below it stays where it is while one types as many."""

    most = 5
    """Lines that are seen at once; of more the field is scrolled."""

    textEdited = Signal(str)
    editingFinished = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setProperty("field", "true")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # A space at the end of a line goes beyond the edge, and would move all the others out of view.
        self.horizontalScrollBar().valueChanged.connect(lambda _value: self.horizontalScrollBar().setValue(0))
        self._lines = self.fewest
        self._showing = False
        self.textChanged.connect(self._changed)

    def text(self) -> str:
        """What is typed."""
        return self.toPlainText()

    def setText(self, text: str) -> None:
        """Show a text that nobody types here."""
        self._showing = True
        self.setPlainText(text)
        self._showing = False
        self.document().setModified(False)

    def isModified(self) -> bool:
        """Whether something was typed since a text was shown or sent."""
        return self.document().isModified()

    def setModified(self, modified: bool) -> None:
        """Say whether something was."""
        self.document().setModified(modified)

    def sizeHint(self) -> QSize:
        further = min(self._lines, self.most) - 1
        return QSize(tokens.FIELD_WIDTH, tokens.CONTROL_HEIGHT + math.ceil(further * self._line_height))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._grow()
        if self._lines <= self.most:
            self.verticalScrollBar().setValue(0)  # it had to scroll before it grew

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._grow()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.editingFinished.emit()

    @property
    def _line_height(self) -> float:
        """As lines are laid out, which is more than the font says of itself."""
        first = self.document().firstBlock()
        lines = max(first.layout().lineCount(), 1)
        return max(self.blockBoundingRect(first).height() / lines, self.fontMetrics().lineSpacing())

    def _changed(self) -> None:
        self._grow()
        if not self._showing:
            self.textEdited.emit(self.text())

    def _grow(self) -> None:
        """Take as many lines as the text has at this width."""
        lines = max(int(self.document().size().height()), self.fewest)  # of a plain text in lines
        if lines != self._lines:
            self._lines = lines
            off, on = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAlwaysOn
            self.setVerticalScrollBarPolicy(on if lines > self.most else off)
            self.updateGeometry()
