"""Settings below each other in a column that scrolls, in which what is opened is brought into view."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QScrollArea, QWidget

from workbench.gui.later import Later
from workbench.gui.widgets import boxes
from workbench.gui.widgets.disclosure import Disclosure


class SettingsColumn(QScrollArea):
    """The settings of a room.

    Parameters
    ----------
    parts
        From the top; those that fold are brought into view when they are opened.
    """

    def __init__(self, *parts: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        inside = QWidget()
        inside.setProperty("bare", "true")
        self.setWidget(inside)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        boxes.column(*parts, 1, margins="l s s l", spacing="m", inside=inside)
        self._wanted: QWidget | None = None
        self._later = Later(self, self._scroll)
        for part in parts:
            if isinstance(part, Disclosure):
                part.button.clicked.connect(partial(self.bring_up, part))

    def bring_up(self, part: QWidget, _checked: bool = False) -> None:
        """Scroll as little as shows all of a part, or else its beginning, once it has its place."""
        self._wanted = part
        self._later.start()

    def _scroll(self) -> None:
        part, self._wanted, inside = self._wanted, None, self.widget()
        if part is None or inside is None or not (inside.isAncestorOf(part) and part.isVisible()):
            return
        bar, seen = self.verticalScrollBar(), self.viewport().height()
        top = part.mapTo(inside, QPoint()).y()
        bottom = top + part.height()
        if top < bar.value() or bottom - top >= seen:
            bar.setValue(top)
        elif bottom > bar.value() + seen:
            bar.setValue(bottom - seen)
