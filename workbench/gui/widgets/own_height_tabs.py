"""Tabs that are as high as the page that is seen, and not as the highest of all pages."""

from __future__ import annotations

from PySide6.QtWidgets import QSizePolicy, QTabWidget, QWidget


class OwnHeightTabs(QTabWidget):
    """A page that is not seen makes none higher: where a window is low, axes would lie below its edge."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.currentChanged.connect(self._fit)

    def tabInserted(self, index: int) -> None:
        super().tabInserted(index)
        self._fit()

    def heightForWidth(self, width: int) -> int:
        page = self.currentWidget()
        if not self.count():
            return super().heightForWidth(width)
        own = page.heightForWidth(width) if page.hasHeightForWidth() else page.sizeHint().height()
        return max(own + self.tabBar().sizeHint().height(), self.minimumSizeHint().height())

    def _fit(self, _shown: int = 0) -> None:
        for page in filter(None, map(self.widget, range(self.count()))):
            policy, seen = page.sizePolicy(), page is self.currentWidget()
            policy.setVerticalPolicy(QSizePolicy.Policy.Preferred if seen else QSizePolicy.Policy.Ignored)
            page.setSizePolicy(policy)
        self.updateGeometry()
