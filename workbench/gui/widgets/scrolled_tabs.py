"""Tabs that stay in view while the page below them scrolls, each page by itself."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QScrollArea, QTabWidget, QWidget

from workbench.gui.widgets import boxes

_LAID_OUT_MS = 300
"""Within this, what came with a part that is revealed has its place, in several passes."""


class ScrolledTabs(QTabWidget):
    """Tabs whose pages scroll below them where the window is low; it is asked for pages, as other tabs are."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._revealed: QWidget | None = None
        self._until = QTimer(self, singleShot=True, interval=_LAID_OUT_MS)
        self._until.timeout.connect(self._let_go)

    def add_page(self, page: QWidget, title: str) -> None:
        """Add a page below a tab of its own, which scrolls by itself."""
        area = boxes.scrolled(page)
        area.verticalScrollBar().rangeChanged.connect(self._follow)
        self.addTab(area, title)

    def currentWidget(self) -> QWidget:
        return self.widget(self.currentIndex())

    def setCurrentWidget(self, page: QWidget) -> None:
        self.setCurrentIndex(self.indexOf(page))

    def widget(self, index: int) -> QWidget:
        area = super().widget(index)
        assert isinstance(area, QScrollArea)  # as `add_page` made it
        page = area.widget()
        assert page is not None
        return page

    def reveal(self, part: QWidget) -> None:
        """Scroll to a part of the page that is seen, also where words that come above it now push it down."""
        self._revealed = part
        self._until.start()
        self._follow()

    def _follow(self, _least: int = 0, _most: int = 0) -> None:
        area, part = super().currentWidget(), self._revealed
        if part is not None and isinstance(area, QScrollArea) and area.isAncestorOf(part):
            area.ensureWidgetVisible(part)

    def _let_go(self) -> None:
        self._revealed = None

    def indexOf(self, page: QWidget) -> int:
        return next((place for place in range(self.count()) if self.widget(place) is page), -1)
