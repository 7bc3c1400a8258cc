"""Groups by heading and whitespace, not by boxes."""

from __future__ import annotations

from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget

from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.labels import label


class Section(QWidget):
    """A heading with an optional line below it and room for content; no frame.

    Parameters
    ----------
    title
        The heading; `level` 1 for a workspace, 2 within one.
    description
        A muted sentence below the heading.
    """

    def __init__(self, title: str, description: str = "", *, level: int = 2, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(title)
        self._title = label(title, heading=level)
        if not title:
            self._title.hide()
        self._description = label(description, muted=True, wrap=True)
        if not description:
            # Never shown from here: a widget without a parent would open a window of its own for a moment.
            self._description.hide()
        self._top = boxes.row(self._title, 1, spacing="s")
        words = boxes.column(self._top, self._description, spacing="xs")
        self.content = QVBoxLayout()
        self.content.setSpacing(tokens.SPACE_S)
        headed = (words, boxes.Gap("m")) if title or description else (words,)
        boxes.column(*headed, (self.content, 1), spacing=0, inside=self)

    def add(self, item: QWidget | QLayout, stretch: int = 0) -> None:
        """Put a widget or a layout below what is there."""
        if isinstance(item, QWidget):
            self.content.addWidget(item, stretch)
        else:
            self.content.addLayout(item, stretch)

    def add_action(self, widget: QWidget) -> None:
        """Put a button or badge at the right end of the heading."""
        self._top.addWidget(widget)

    def set_title(self, title: str) -> None:
        self._title.setText(title)
        self._title.setHidden(not title)
        self.setAccessibleName(title)

    def set_description(self, text: str) -> None:
        self._description.setText(text)
        self._description.setVisible(bool(text))
