"""The groups of one level with the rows each holds, as bars."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from workbench.gui import tokens
from workbench.gui.theme import colour, tabular_font
from workbench.gui.widgets.labels import NO_VALUE

_LINE = tokens.SPARK_HEIGHT
GAP = "…"
"""Stands for groups that are not shown."""


class GroupBars(QAbstractScrollArea):
    """One line per group: label, bar, rows. Only the lines in view are painted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._labels: Sequence[str] = ()
        self._rows: NDArray[np.int64] | None = None
        self.setFont(tabular_font())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName("Rows per group")

    @property
    def lines(self) -> tuple[str, ...]:
        """What stands below each other."""
        return tuple(label or NO_VALUE for label in self._labels)

    def show_groups(
        self, labels: Sequence[str], rows: NDArray[np.int64] | None, *, gaps_after: Collection[int] = ()
    ) -> None:
        """Show groups in their order; without rows only their names.

        Parameters
        ----------
        gaps_after
            Positions of groups, without rows, after which there are others that are not shown.
        """
        if gaps_after:
            labels = [one for at, label in enumerate(labels) for one in (label, *([GAP] if at in gaps_after else []))]
        self._labels = labels
        self._rows = rows
        first = list(self.lines[:10])
        if rows is not None:
            first = [f"{label}: {count:,}" for label, count in zip(first, rows.tolist(), strict=False)]
        self.setAccessibleDescription("; ".join(first))
        self._measure()
        self.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(tokens.EXPLAIN_WIDTH, 8 * _LINE)

    def minimumSizeHint(self) -> QSize:
        return QSize(tokens.FIELD_WIDTH, 3 * _LINE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self.viewport().update()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not len(self._labels):
            return
        painter = QPainter(self.viewport())
        metrics = self.fontMetrics()
        width, offset = self.viewport().width() - tokens.SPACE_XS, self.verticalScrollBar().value()
        most = int(self._rows.max()) if self._rows is not None and len(self._rows) else 0
        right = metrics.horizontalAdvance(f"{most:,}") + tokens.SPACE_S if self._rows is not None else 0
        room = max(width - right, 1)
        first = offset // _LINE
        last = min(len(self._labels), (offset + self.viewport().height()) // _LINE + 1)
        middle = Qt.AlignmentFlag.AlignVCenter
        for position in range(first, last):
            line = QRect(0, position * _LINE - offset, width, _LINE)
            count = int(self._rows[position]) if self._rows is not None else 0
            if most and count:
                bar = QRectF(0, line.top() + 1, max(1.0, room * count / most), _LINE - 2)
                painter.fillRect(bar, colour("selection"))
            inside = QRect(tokens.SPACE_XS, line.top(), room - tokens.SPACE_S, _LINE)
            plain = count or (self._rows is None and self._labels[position] != GAP)
            painter.setPen(colour("text" if plain else "muted"))
            text = metrics.elidedText(self._labels[position] or NO_VALUE, Qt.TextElideMode.ElideRight, inside.width())
            painter.drawText(inside, middle | Qt.AlignmentFlag.AlignLeft, text)
            if self._rows is not None:
                painter.setPen(colour("muted"))
                painter.drawText(line, middle | Qt.AlignmentFlag.AlignRight, f"{count:,}")
        painter.end()

    def _measure(self) -> None:
        bar = self.verticalScrollBar()
        height = self.viewport().height()
        bar.setSingleStep(_LINE)
        bar.setPageStep(height)
        bar.setRange(0, max(0, len(self._labels) * _LINE - height))
