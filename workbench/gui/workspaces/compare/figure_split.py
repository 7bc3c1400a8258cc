"""The pictures of a published figure above what is said of them, with a bar between that can be dragged."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from workbench.gui import tokens

_SWITCH, _HEADING = 52, tokens.ROW_HEIGHT
"""Height of the buttons above what is said, and of the heading of a table."""
_SHARE = 0.45
"""In a high window pictures have so much of the room, however many values there are."""
_LOWEST = 220
"""A picture that is dragged smaller can still be read."""


class FigureSplit(QSplitter):
    """As high as both parts need, until somebody drags the bar: then that height of the lower part is kept.

    Its sizes are those that somebody chose, which are remembered; while nobody did, there are none.
    """

    divided = Signal()
    """Both parts have another height: what was divided before was still in the room of an earlier page."""

    def __init__(self, above: QWidget, below: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.setObjectName("published figure")
        self.setAccessibleName("Pictures, and what is said of them")
        self.setChildrenCollapsible(False)
        self.addWidget(above)
        self.addWidget(below)
        above.setMinimumHeight(_LOWEST)
        below.setMinimumHeight(_SWITCH + _HEADING + 2 * tokens.ROW_HEIGHT)
        self._above, self._below = above, below
        self._chosen: list[int] = []
        self.splitterMoved.connect(self._choose)

    def sizes(self) -> list[int]:
        """Sizes that somebody chose; empty while nobody did."""
        return list(self._chosen)

    def setSizes(self, sizes: Sequence[int]) -> None:
        """Choose again what was chosen in an earlier window."""
        self._chosen = list(sizes)

    def sizeHint(self) -> QSize:
        """No higher than it must be; it takes what the page leaves."""
        return QSize(super().sizeHint().width(), self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().height() != event.oldSize().height():
            self.divided.emit()

    def _choose(self, *_: int) -> None:
        self._chosen = super().sizes()

    @property
    def said(self) -> int:
        """How high a table or a text in the lower part is."""
        return int(super().sizes()[1]) - _SWITCH

    def fits(self, room: int, pictures: int, least: int) -> bool:
        """Whether so much of both can be seen at once; the same as in `fit`."""
        return room >= pictures + self.handleWidth() + _SWITCH + least

    def fit(self, room: int, pictures: int, least: int, needed: int, *, ends: bool = False) -> None:
        """Divide what there is: the pictures are so high at least, what is said as high as it needs or there is room.

        Parameters
        ----------
        room
            How much of the page is left for both.
        pictures, least, needed
            The least height of the pictures, and of what is said the least and as much as it has.
        ends
            Whether the pictures are tables, which are no higher than their rows: what is said has the rest.
        """
        bar = self.handleWidth()
        seen = max(pictures, round(_SHARE * room))
        high = _SWITCH + max(least, min(needed, room - seen - bar - _SWITCH))
        whole = max(room, pictures + bar + high)
        if ends:
            high = whole - pictures - bar
        self._above.setMinimumHeight(min(_LOWEST, pictures))
        self.setMinimumHeight(whole)
        if self._chosen:
            high = max(self._below.minimumHeight(), min(self._chosen[1], whole - bar - _LOWEST))
        super().setSizes([whole - bar - high, high])
