"""The card of a published figure: a small picture of its printed values, number, title, and how many values agree."""

from __future__ import annotations

import math
from itertools import groupby

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.evaluate.published.agreement import PublishedValue
from workbench.evaluate.published.entry import PublishedFigure
from workbench.gui.theme import colour
from workbench.gui.widgets import boxes
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.pressable_card import PressableCard
from workbench.session.published_figures import agreement_marks, agreement_words

_COLOURS = ("chart_local", "chart_global", "chart_anonymised", "muted")
_WIDTH, _HEIGHT = 116, 84
_LINES = 3


class FigureThumbnail(QWidget):
    """Lines through the printed values of each curve, bars of them, the lines of a table, or two lines that cross."""

    def __init__(self, figure: PublishedFigure, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        drawn = sorted((value for value in figure.values if value.curve), key=lambda one: (one.curve, one.place))
        self._curves = [list(points) for _, points in groupby(drawn, lambda value: value.curve)]
        self._curves = [points for points in self._curves if len(points) > 1]
        self._bars = not self._curves and len(figure.values) > 2 and not figure.number.startswith("Table")
        self._open = not figure.values and not figure.number.startswith(("Table", "Figure"))
        self._values = figure.values
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(_WIDTH, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        room = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        if self._curves:
            self._paint_curves(painter, room.adjusted(4, 4, -4, -4))
        elif self._bars:
            self._paint_bars(painter, room.adjusted(4, 4, -4, -1))
        elif self._open:
            self._paint_crossing(painter, room.adjusted(4, 4, -4, -4))
        else:
            self._paint_table(painter, room)
        painter.setPen(QPen(colour("border"), 1))
        painter.drawLine(room.bottomLeft(), room.bottomRight())
        painter.drawLine(room.bottomLeft(), room.topLeft())
        painter.end()

    def _paint_curves(self, painter: QPainter, room: QRectF) -> None:
        values = [one for curve in self._curves for one in curve]
        highs = [_height(one) for one in values]
        low, high = min(highs), max(highs)
        places = sorted({one.place for one in values})
        for number, curve in enumerate(self._curves):
            line = QPolygonF(
                [
                    QPointF(
                        room.left() + room.width() * places.index(one.place) / max(len(places) - 1, 1),
                        room.bottom() - room.height() * (_height(one) - low) / ((high - low) or 1.0),
                    )
                    for one in curve
                ]
            )
            painter.setPen(QPen(colour(_COLOURS[number % len(_COLOURS)]), 1.6))
            painter.drawPolyline(line)

    def _paint_bars(self, painter: QPainter, room: QRectF) -> None:
        sizes = [abs(value.value) for value in self._values]
        width = room.width() / len(sizes)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("chart_global"))
        for number, size in enumerate(sizes):
            height = max(1.0, room.height() * size / (max(sizes) or 1.0))
            painter.drawRect(QRectF(room.left() + number * width, room.bottom() - height, width - 1, height))

    def _paint_crossing(self, painter: QPainter, room: QRectF) -> None:
        """Of a question without printed values: two ways, of which now one is better and now the other."""
        for name, start, stop in ((_COLOURS[0], 0.1, 0.9), (_COLOURS[1], 0.35, 0.6)):
            painter.setPen(QPen(colour(name), 1.6))
            painter.drawLine(
                QPointF(room.left(), room.top() + start * room.height()),
                QPointF(room.right(), room.top() + stop * room.height()),
            )

    def _paint_table(self, painter: QPainter, room: QRectF) -> None:
        painter.setPen(QPen(colour("muted"), 1.2))
        for number in range(1, _LINES + 1):
            high = room.top() + room.height() * number / (_LINES + 1)
            painter.drawLine(QPointF(room.left() + 8, high), QPointF(room.left() + 28, high))
            painter.drawLine(QPointF(room.left() + 36, high), QPointF(room.right() - 8, high))


def _height(value: PublishedValue) -> float:
    return math.log1p(max(value.value, 0.0))


class FigureCard(PressableCard):
    """A published figure, small."""

    def __init__(self, figure: PublishedFigure, parent: QWidget | None = None) -> None:
        said = agreement_words(figure)
        super().__init__(f"{figure.number}: {figure.title}, {said}", figure.caption, parent)
        self.setToolTip(f"{figure.title}: {said}.\n\n{figure.caption}\n\n{figure.source}")
        words = boxes.column(
            ElidedLabel(figure.number, strong=True),
            label(figure.title, wrap=True),
            ElidedLabel(agreement_marks(figure), muted=True),
            1,
            spacing="hair",
        )
        boxes.row(FigureThumbnail(figure), (words, 1), margins="s", spacing="s", inside=self)
