"""The point of a chart that mouse or keys point at: a ring around it, and a note that says what it is."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFontMetricsF, QPainter
from PySide6.QtWidgets import QWidget

from workbench.gui import tokens
from workbench.gui.theme import colour, small_font
from workbench.plots.reading import ChartReading, ReadPoint

_RING = 5.0
_MOST_LINES = 6
_KEYS = {
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_End: (1 << 30, 0),
    Qt.Key.Key_Home: (-(1 << 30), 0),
}


class ChartPointer:
    """Points at one of the points that the picture of a chart has.

    Parameters
    ----------
    pane
        The widget that shows the picture, which is told to paint.
    """

    def __init__(self, pane: QWidget) -> None:
        self._pane = pane
        self.reading = ChartReading()
        self.index: int | None = None

    @property
    def point(self) -> ReadPoint | None:
        """Point that is pointed at."""
        return None if self.index is None else self.reading.points[self.index]

    @property
    def words(self) -> str:
        """Words for the point that is pointed at; "" for none."""
        return "" if self.point is None else self.point.words

    @property
    def looked_at(self) -> QPoint:
        """The middle of that point, or else of the axes."""
        if self.point is not None:
            return QPoint(*map(round, self.point.middle))
        if not self.reading.frames:
            return self._pane.rect().center()
        left, top, right, bottom = self.reading.frames[0]
        return QPoint(round((left + right) / 2), round((top + bottom) / 2))

    def show_reading(self, reading: ChartReading) -> None:
        """Another picture is shown; what was pointed at still is if that has it too."""
        before = self.point
        self.reading = reading
        self.index = None
        if before is not None:
            same = (before.series, before.place)
            self.index = next(
                (place for place, one in enumerate(reading.points) if (one.series, one.place) == same), None
            )

    def point_at(self, x: float, y: float) -> None:
        """Point at what is nearest to a place of the picture, or at nothing."""
        self._move(self.reading.nearest(x, y))

    def clear(self) -> None:
        """Point at nothing."""
        self._move(None)

    def walk(self, key: int) -> bool:
        """Go where a key leads, and tell screen readers what is there; whether the key leads anywhere."""
        step = _KEYS.get(Qt.Key(key))
        if step is None or not self.reading.points:
            return False
        self._move(self.reading.step(self.index, *step))
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._pane, self.words))
        return True

    def _move(self, index: int | None) -> None:
        if index != self.index:
            self.index = index
            self._pane.update()

    # Painting

    def paint(self, painter: QPainter) -> None:
        """Paint ring and note over the picture."""
        point = self.point
        if point is None:
            return
        x, y = point.middle
        left, top, right, bottom = point.box
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(colour("text"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if right - left > 1 or bottom - top > 1:
            painter.drawRect(QRectF(left, top, right - left, bottom - top))
            y = top
        else:
            painter.drawEllipse(QPointF(x, y), _RING, _RING)
        self._note(painter, x, y)

    def lines(self) -> tuple[str, list[str]]:
        """Lines of the note: the place, and below it what is pointed at, then what else is there."""
        point = self.point
        if point is None or self.index is None:
            return "", []
        here = [self.index, *(other for other in self.reading.beside(self.index) if other != self.index)]
        told = [self.reading.points[one] for one in here] if point.place else [point]
        alike = len({one.measure for one in told}) == 1
        lines = [
            " ".join(part for part in (one.series, "" if alike else one.measure, one.value) if part) for one in told
        ]
        head = " · ".join(part for part in (point.place, point.measure if alike else "") if part)
        return head, list(dict.fromkeys(lines))[:_MOST_LINES]

    def _note(self, painter: QPainter, x: float, y: float) -> None:
        place, lines = self.lines()
        plain, strong = small_font(), small_font()
        strong.setBold(True)
        texts = [(place, plain, "muted"), *((line, plain, "text") for line in lines)] if place else []
        texts = texts or [(line, plain, "text") for line in lines]
        first = 1 if place else 0
        texts[first] = (texts[first][0], strong, "text")
        height = QFontMetricsF(strong).height()
        room = self._pane.width() - 4.0 * tokens.SPACE_S
        wide = min(max(QFontMetricsF(font).horizontalAdvance(text) for text, font, _ in texts), room)
        size = QSizeF(wide + 2 * tokens.SPACE_S, height * len(texts) + 2 * tokens.SPACE_XS)
        left = x + tokens.SPACE_M if x + tokens.SPACE_M + size.width() < self._pane.width() else x - tokens.SPACE_M
        left = left if left > x else left - size.width()
        left = min(max(left, 1.0), max(self._pane.width() - size.width() - 1, 1.0))
        above = y - size.height() - tokens.SPACE_S
        # Over the axes, so that it leaves the legend alone.
        ceiling = min((frame[1] for frame in self.reading.frames), default=1.0)
        top = above if above >= ceiling else y + tokens.SPACE_M
        top = min(max(top, 1.0), max(self._pane.height() - size.height() - 1, 1.0))
        note = QRectF(QPointF(left, top), size)
        painter.setPen(colour("border"))
        painter.setBrush(colour("surface"))
        painter.drawRoundedRect(note, tokens.RADIUS, tokens.RADIUS)
        for row, (text, font, tone) in enumerate(texts):
            painter.setFont(font)
            painter.setPen(colour(tone))
            line = QRectF(left + tokens.SPACE_S, top + tokens.SPACE_XS + row * height, wide, height)
            shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, wide + 1)
            painter.drawText(line, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)
