"""A line of tabs with something else in the rest of it, above pages that may stand elsewhere."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QSizePolicy, QStackedWidget, QTabBar, QWidget

from workbench.gui.widgets import boxes


class TabLine(QFrame):
    """Tabs, and one widget to their right: what is about all pages needs no line of its own, and stays where it is.

    `pages` is to be put somewhere below, with whatever is seen with each of them.
    """

    def __init__(self, name: str, beside: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("line", "bottom")
        self.bar, self.pages = QTabBar(), QStackedWidget()
        self.bar.setAccessibleName(name)
        self.bar.currentChanged.connect(self.pages.setCurrentIndex)
        # As wide as the tabs leave room for: no page becomes wider for what stands here.
        beside.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        boxes.row(self.bar, (beside, 1), spacing="m", inside=self)

    def add_page(self, page: QWidget, title: str) -> None:
        """Put a page behind those that are there."""
        self.pages.addWidget(page)
        self.bar.addTab(title)

    @property
    def shown(self) -> QWidget | None:
        """The page that is seen."""
        return self.pages.currentWidget()

    def show_page(self, page: QWidget) -> None:
        """Bring a page to the front."""
        self.bar.setCurrentIndex(self.pages.indexOf(page))
