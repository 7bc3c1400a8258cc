"""A page inside an area that scrolls, one part of which ends where the area does."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtWidgets import QScrollArea, QWidget


class FittedPart(Protocol):
    """A part that can be lower where there is little room."""

    def fit(self, room: int) -> None: ...

    def isVisible(self) -> bool: ...

    def mapTo(self, parent: QWidget, pos: QPoint) -> QPoint: ...


class FittedPage(QWidget):
    """Tells a part how many pixels of the area are below its upper edge, whenever that may have changed."""

    # Of the class too: Qt lays a page out while it is being made.
    _fitted: tuple[QScrollArea, FittedPart] | None = None

    def fit_in(self, area: QScrollArea, part: FittedPart) -> None:
        """Fit this part, inside the page, to the area in which the page is."""
        self._fitted = area, part
        area.viewport().installEventFilter(self)  # a page that is higher stays as it is when that changes

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        done = super().eventFilter(watched, event)
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return done

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self._fit()
        return done

    def _fit(self) -> None:
        if self._fitted is not None and self._fitted[1].isVisible():
            area, part = self._fitted
            part.fit(area.viewport().height() - part.mapTo(self, QPoint()).y())
