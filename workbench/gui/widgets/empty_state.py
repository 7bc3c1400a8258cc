"""The empty state of a view: what belongs there, and the one action that fills it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.labels import IconLabel, label


class EmptyState(QWidget):
    """An icon, a heading, a sentence, one primary action and perhaps others.

    Signals
    -------
    primary()
        The primary action was pressed.
    secondary(int)
        The secondary action of that position was pressed.
    """

    primary = Signal()
    secondary = Signal(int)

    def __init__(
        self,
        icon_name: str,
        title: str,
        text: str = "",
        action: str = "",
        others: Sequence[str] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._title = title
        self.setAccessibleName(title)
        layout = boxes.column(2, margins="xl", spacing="s", inside=self)
        centre = Qt.AlignmentFlag.AlignHCenter
        layout.addWidget(IconLabel(icon_name, tokens.ICON_HERO, "control"), 0, centre)
        layout.addSpacing(tokens.SPACE_S)
        self.title = label(title, heading=2)
        layout.addWidget(self.title, 0, centre)
        self.words = label(text, muted=True, wrap=True)
        self.words.setAlignment(centre)
        self.words.setFixedWidth(tokens.EMPTY_TEXT_WIDTH)
        if not text:
            self.words.hide()
        # In a row of its own: aligned within the column, a wrapped label would lose its last line.
        line = boxes.row(1, self.words, 1)
        layout.addLayout(line)
        layout.addSpacing(tokens.SPACE_S)
        row = boxes.row(1, spacing="s")
        self.primary_button: QPushButton | None = None
        if action:
            self.primary_button = push_button(action, self._press_primary, name=action, primary=True)
            row.addWidget(self.primary_button)
        self.secondary_buttons: list[QPushButton] = []
        for other in others:
            button = push_button(other, self._press_secondary, name=other)
            self.secondary_buttons.append(button)
            row.addWidget(button)
        row.addStretch(1)
        layout.addLayout(row)
        layout.addStretch(3)

    def set_title(self, title: str) -> None:
        """Have another heading."""
        self._title = title
        self.title.setText(title)
        self.setAccessibleName(title)

    def set_text(self, text: str) -> None:
        """Say another sentence."""
        self.words.setText(text)
        self.words.setHidden(not text)

    def show_busy(self, words: str) -> None:
        """Say in its place what is under way, with nothing to press; "" says again what belongs there."""
        self.title.setText(words or self._title)
        self.setAccessibleName(words or self._title)
        self.words.setVisible(not words and bool(self.words.text()))
        for button in (self.primary_button, *self.secondary_buttons):
            if button is not None:
                button.setVisible(not words)

    def _press_primary(self) -> None:
        self.primary.emit()

    def _press_secondary(self) -> None:
        button = self.sender()
        if isinstance(button, QPushButton):
            self.secondary.emit(self.secondary_buttons.index(button))
