"""The card of a published figure: a small picture of it, number, title, and how many values agree."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from workbench.evaluate.method import Approach
from workbench.evaluate.published.entry import PublishedFigure
from workbench.gui.theme import colour
from workbench.gui.widgets import boxes
from workbench.gui.widgets.chart_look import chart_style
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.pressable_card import PressableCard
from workbench.gui.workspaces.compare.verdict_marks import verdict_marks
from workbench.plots.curve_hues import curve_colours
from workbench.session.published_figures import agreement_marks, agreement_words, said_in, thumbnail

_WIDTH, _HEIGHT = 116, 96


class FigureThumbnail(QWidget):
    """The recorded curves or bars of a figure, the boxes of a scheme, or the cells of a table."""

    def __init__(self, figure: PublishedFigure, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture = thumbnail(figure)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(_WIDTH, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        room = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        paints = {
            "curves": self._paint_curves,
            "bars": self._paint_bars,
            "cells": self._paint_cells,
            "boxes": self._paint_boxes,
        }
        for kind, paint in paints.items():
            if kind in self._picture:
                paint(painter, room.adjusted(4, 4, -4, -2))
        if "curves" in self._picture or "bars" in self._picture:
            painter.setPen(QPen(colour("border"), 1))
            painter.drawLine(room.bottomLeft(), room.bottomRight())
            painter.drawLine(room.bottomLeft(), room.topLeft())
        painter.end()

    def _inks(self) -> list[QColor]:
        """The colours that curves or bars have in the chart itself."""
        approaches = map(Approach, self._picture["approaches"])
        curves = list(zip(self._picture["names"], approaches, strict=True))
        return [QColor(one) for one in curve_colours(curves, chart_style())]

    def _paint_curves(self, painter: QPainter, room: QRectF) -> None:
        for curve, ink in zip(self._picture["curves"], self._inks(), strict=True):
            points = [QPointF(room.left() + room.width() * x, room.bottom() - room.height() * y) for x, y in curve]
            painter.setPen(QPen(ink, 1.6))
            painter.drawPolyline(QPolygonF(points))

    def _paint_bars(self, painter: QPainter, room: QRectF) -> None:
        groups = self._picture["bars"]
        width = room.width() / max(map(len, groups)) / (len(groups) + 0.5)
        painter.setPen(Qt.PenStyle.NoPen)
        for group, (heights, ink) in enumerate(zip(groups, self._inks(), strict=True)):
            painter.setBrush(ink)
            for place, high in enumerate(heights):
                left = room.left() + (place * (len(groups) + 0.5) + group) * width
                size = max(1.0, room.height() * high)
                painter.drawRect(QRectF(left, room.bottom() - size, width, size))

    def _paint_cells(self, painter: QPainter, room: QRectF) -> None:
        """A stroke for each text, as long as that is; the heading is darker."""
        rows = self._picture["cells"]
        painter.setPen(Qt.PenStyle.NoPen)
        for number, row in enumerate(rows):
            painter.setBrush(colour("muted" if number == 0 else "disabled"))
            for place, share in enumerate(row):
                wide = room.width() / len(row)
                across, up = room.left() + place * wide, room.top() + number * room.height() / len(rows)
                painter.drawRoundedRect(QRectF(across, up + 3, max(4.0, 0.85 * wide * share), 4), 2, 2)

    def _paint_boxes(self, painter: QPainter, room: QRectF) -> None:
        painter.setPen(QPen(colour("chart_global"), 1.4))
        for across, up in self._picture["boxes"]:
            middle = QPointF(room.left() + room.width() * across, room.bottom() - room.height() * up)
            painter.drawRoundedRect(QRectF(middle.x() - 9, middle.y() - 4, 18, 8), 2, 2)


class FigureCard(PressableCard):
    """A published figure, small."""

    def __init__(self, figure: PublishedFigure, parent: QWidget | None = None) -> None:
        self.figure = figure
        self.said = said_in(figure)
        said = agreement_words(figure)
        super().__init__(f"{figure.number}: {figure.title}, {said}", figure.caption, parent)
        self.setToolTip(f"{figure.title}: {said}.\n\n{figure.caption}\n\n{figure.source}")
        words = boxes.column(
            label(figure.number.removesuffix(" table"), strong=True, wrap=True),
            label(figure.title, wrap=True),
            verdict_marks(agreement_marks(figure)),
            1,
            spacing="hair",
        )
        boxes.row(FigureThumbnail(figure), (words, 1), margins="s", spacing="s", inside=self)
        # As wide as its column: all are equally wide, and none is cut off in a narrow window.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)


class LeftOutCard(QFrame):
    """The place of a figure that is not made again, and why."""

    def __init__(self, number: str, why: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self.setAccessibleName(f"{number} is left out: {why}")
        self.setToolTip(f"{number} is left out: {why}.")
        boxes.column(
            label(number, strong=True, muted=True),
            label(f"left out: {why}", muted=True, wrap=True),
            1,
            margins="s",
            spacing="hair",
            inside=self,
        )
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
