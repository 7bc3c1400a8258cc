"""The pages on what is known of the collection, and which of them is in view when another project is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QWidget

from workbench.gui.document import Document
from workbench.gui.widgets.scrolled_tabs import ScrolledTabs


class PageTabs(ScrolledTabs):
    """Tabs that remember, for each project of this window, which page somebody left it on.

    Parameters
    ----------
    pages
        Each page and what its tab says; a project begins with the first.
    of_rows
        The pages that need rows of a table.
    """

    def __init__(
        self, document: Document, pages: Sequence[tuple[QWidget, str]], of_rows: Sequence[QWidget], name: str
    ) -> None:
        super().__init__()
        self._document, self._of_rows = document, of_rows
        self._first = pages[0][0]
        self._session, self._path = document.session, document.path
        self._left: dict[Path, QWidget] = {}
        for part in (self, self.tabBar()):
            part.setAccessibleName(name)
        for page, title in pages:
            self.add_page(page, title)

    def keep_place(self) -> None:
        """Begin another project on the page it was left on, and not on that of the one before."""
        before, self._path = self._path, self._document.path
        if self._document.session is self._session:
            return
        self._session = self._document.session
        if before is not None:
            self._left[before] = self.currentWidget()
        self.setCurrentWidget(self._first if self._path is None else self._left.get(self._path, self._first))

    def show_those_of_rows(self, shown: bool) -> None:
        """Offer the pages that need rows, or not; who was on one of them goes on with the first page."""
        if not shown and self.currentWidget() in self._of_rows:
            self.setCurrentWidget(self._first)
        for page in self._of_rows:
            self.setTabVisible(self.indexOf(page), shown)
