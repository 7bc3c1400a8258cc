"""The pages of the window."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget

from workbench.gui import tokens


class Pages(QStackedWidget):
    """A stack of pages of which none keeps the window higher than a small screen is."""

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        return QSize(least.width(), min(least.height(), tokens.PAGE_MIN_HEIGHT))
