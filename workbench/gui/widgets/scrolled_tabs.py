"""Tabs that stay in view while the page below them scrolls, each page by itself."""

from __future__ import annotations

from PySide6.QtWidgets import QScrollArea, QTabWidget, QWidget

from workbench.gui.widgets import boxes


class ScrolledTabs(QTabWidget):
    """Tabs whose pages scroll below them where the window is low; it is asked for pages, as other tabs are."""

    def add_page(self, page: QWidget, title: str) -> None:
        """Add a page below a tab of its own, which scrolls by itself."""
        self.addTab(boxes.scrolled(page), title)

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
        """Scroll to a part of the page that is seen."""
        area = super().currentWidget()
        if isinstance(area, QScrollArea) and area.isAncestorOf(part):
            area.ensureWidgetVisible(part)

    def indexOf(self, page: QWidget) -> int:
        return next((place for place in range(self.count()) if self.widget(place) is page), -1)
