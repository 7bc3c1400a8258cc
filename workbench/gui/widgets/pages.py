"""Pages of the window and of its rooms, of which one is seen at a time."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget

from workbench.gui import tokens


class Pages(QStackedWidget):
    """A stack of pages of which none keeps the window higher than a small screen is."""

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        return QSize(least.width(), min(least.height(), tokens.PAGE_MIN_HEIGHT))


class PagesAsShown(QStackedWidget):
    """A stack that asks for the height of the page that is seen, and for the width of the widest."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(self.updateGeometry)

    def minimumSizeHint(self) -> QSize:
        shown = self.currentWidget()
        least = super().minimumSizeHint()
        return least if shown is None else QSize(least.width(), shown.minimumSizeHint().height())
