"""The lattice as a small map: one square per combination of levels, in bands of the same sum of levels."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from workbench.gui import tokens
from workbench.gui.theme import colour
from workbench.gui.workspaces.anonymise.syntactic.lattice_cells import (
    SMALLEST,
    inner,
    paint_best,
    paint_cell,
    paint_current,
)
from workbench.session.syntactic.lattice_bands import LatticeBands, Levels, Square
from workbench.session.syntactic.words import levels_in_words, node_in_words

_LARGEST = tokens.COLUMN_MIN
_WITH_TEXT = tokens.CONTROL_HEIGHT + tokens.SPACE_XS


class LatticeMap(QWidget):
    """Draws the squares, and lets one be chosen with the mouse or the keys.

    Signals
    -------
    chosen(object)
        Another node was chosen: its levels.
    added(object)
        A node is to be compared with the chosen one.
    taken(object)
        The levels of a node are wanted.
    arranged()
        The squares have other places.
    """

    chosen = Signal(object)
    added = Signal(object)
    taken = Signal(object)
    arranged = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._data: LatticeBands | None = None
        self._lines: list[tuple[int | None, float, list[Square]]] = []
        self._places: dict[Levels, QRectF] = {}
        self._size = float(SMALLEST)
        self._current: Levels | None = None
        self._selected: Levels | None = None
        self._other: Levels | None = None
        self._room = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Map of the combinations")

    @property
    def selected(self) -> Levels | None:
        """The chosen node, None if nothing is shown."""
        return self._selected

    @property
    def cell_size(self) -> float:
        """Width of a square in pixels."""
        return self._size

    def place(self, levels: Levels) -> QRectF | None:
        """Where a node is drawn."""
        return self._places.get(levels)

    def cell(self, levels: Levels | None) -> Square | None:
        """Square with what is known of a node; None if it is not shown."""
        if self._data is None or levels is None:
            return None
        return next((cell for _, cells in self._data.bands for cell in cells if cell.levels == levels), None)

    def set_map(self, data: LatticeBands | None) -> None:
        """Show other combinations; the best one is chosen."""
        self._data = data
        self._selected = data.best if data is not None else None
        self._other = None
        self._arrange()

    def set_current(self, levels: Levels | None) -> None:
        """Mark the levels in force."""
        if levels != self._current:
            self._current = levels
            self.update()

    def select(self, levels: Levels, other: Levels | None = None) -> None:
        """Choose a node without telling anybody, and perhaps one that it is compared with."""
        if (levels, other) != (self._selected, self._other):
            self._selected, self._other = levels, other
            self.update()

    def set_room(self, height: int) -> None:
        """How high the map may be before it must be scrolled."""
        if height != self._room:
            self._room = height
            self._arrange()

    # Places

    def _arrange(self) -> None:
        """Give every square its place, as large as lets all of them be seen at once."""
        self._lines, self._places = [], {}
        if self._data is None:
            self.setMinimumHeight(0)
            self.update()
            return
        left = float(self.fontMetrics().horizontalAdvance("000") + tokens.SPACE_S)
        width = max(self.width() - left - tokens.SPACE_S, float(SMALLEST))
        size = next((s for s in range(_LARGEST, SMALLEST, -1) if self._height(s, width) <= self._room), SMALLEST)
        self._size = float(size)
        per_line = max(int(width // size), 1)
        top = float(tokens.SPACE_XS)
        for total, cells in self._data.bands:
            for start in range(0, len(cells), per_line):
                line = list(cells[start : start + per_line])
                self._lines.append((total if not start else None, top, line))
                for place, cell in enumerate(line):
                    self._places[cell.levels] = QRectF(left + place * size, top, size, size)
                top += size
            top += tokens.SPACE_XS
        self.setMinimumHeight(math.ceil(top))
        self.update()

    def _height(self, size: int, width: float) -> float:
        assert self._data is not None
        per_line = max(int(width // size), 1)
        lines = sum(math.ceil(len(cells) / per_line) for _, cells in self._data.bands)
        return lines * size + (len(self._data.bands) + 1) * tokens.SPACE_XS

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._arrange()
        self.arranged.emit()

    def sizeHint(self) -> QSize:
        return QSize(2 * tokens.EXPLAIN_WIDTH, self.minimumHeight())

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), colour("surface"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        visible = QRectF(event.rect())
        height = self.fontMetrics().height()
        for total, top, line in self._lines:
            if top > visible.bottom() or top + self._size < visible.top():
                continue
            if total is not None:
                painter.setPen(colour("muted"))
                label = QRectF(0, top + (self._size - height) / 2, self._places[line[0].levels].left(), height)
                right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                painter.drawText(label.adjusted(0, 0, -tokens.SPACE_S, 0), right, f"{total}")
            for cell in line:
                self._paint(painter, cell)
        self._paint_marks(painter)
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.setPen(colour("focus"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def _paint(self, painter: QPainter, cell: Square) -> None:
        rect = inner(self._places[cell.levels])
        paint_cell(painter, rect, cell)
        if self._size >= _WITH_TEXT:
            text = "".join(map(str, cell.levels)) if max(cell.levels) < 10 else "·".join(map(str, cell.levels))
            if self.fontMetrics().horizontalAdvance(text) < rect.width() - tokens.SPACE_XS:
                strong = cell.node is not None and cell.node.feasible and cell.strength > 0.5
                painter.setPen(colour("surface" if strong else "text"))
                painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), text)

    def _paint_marks(self, painter: QPainter) -> None:
        if self._data is None:
            return
        for levels, mark in ((self._current, paint_current), (self._data.best, paint_best)):
            place = self._places.get(levels) if levels is not None else None
            if place is not None:
                mark(painter, inner(place))
        for levels, style in ((self._other, Qt.PenStyle.DashLine), (self._selected, Qt.PenStyle.SolidLine)):
            place = self._places.get(levels) if levels is not None else None
            if place is not None:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(colour("focus"), tokens.SPACE_HAIR, style))
                painter.drawRoundedRect(place.adjusted(-1, -1, 1, 1), tokens.RADIUS_SMALL, tokens.RADIUS_SMALL)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._arrange()
        elif event.type() == QEvent.Type.PaletteChange:
            self.update()
        super().changeEvent(event)

    # Choosing

    def _at(self, point: QPointF) -> Levels | None:
        return next((levels for levels, place in self._places.items() if place.contains(point)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        levels = self._at(event.position())
        if levels is None or event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.added.emit(levels)
        else:
            self._choose(levels)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        levels = self._at(event.position())
        if levels is not None and event.button() == Qt.MouseButton.LeftButton:
            self.taken.emit(levels)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, data = event.key(), self._data
        if data is None or self._selected is None:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.taken.emit(self._selected)
        elif key == Qt.Key.Key_Space:
            self.added.emit(self._selected)
        elif key == Qt.Key.Key_Home:
            self._choose(data.best)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._choose(self._neighbour(self._selected, Qt.Key(key)))
        else:
            super().keyPressEvent(event)

    def _neighbour(self, levels: Levels, key: Qt.Key) -> Levels:
        """The square beside, or the nearest in the line above or below; itself at the edge."""
        row = next(place for place, (_, _, line) in enumerate(self._lines) if any(c.levels == levels for c in line))
        line = self._lines[row][2]
        column = next(place for place, cell in enumerate(line) if cell.levels == levels)
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            column += 1 if key == Qt.Key.Key_Right else -1
        else:
            row += 1 if key == Qt.Key.Key_Down else -1
        if not 0 <= row < len(self._lines):
            return levels
        line = self._lines[row][2]
        return line[min(max(column, 0), len(line) - 1)].levels

    def _choose(self, levels: Levels) -> None:
        self._selected, self._other = levels, None
        self.update()
        self.chosen.emit(levels)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            levels = self._at(QPointF(event.pos()))
            words = self.words(levels)
            if words:
                QToolTip.showText(event.globalPos(), words, self)
            else:
                QToolTip.hideText()
                event.ignore()
            return True
        return super().event(event)

    def words(self, levels: Levels | None) -> str:
        """A node in words, "" if it is not shown."""
        cell = self.cell(levels)
        if cell is None or self._data is None:
            return ""
        named = levels_in_words(dict(zip(self._data.names, cell.levels, strict=True)))
        return f"{named}\n{self.cost_in_words(levels)}"

    def cost_in_words(self, levels: Levels | None) -> str:
        """Cost of a node in words, "" if it is not shown."""
        cell = self.cell(levels)
        if cell is None or self._data is None:
            return ""
        if cell.node is None:
            return "fails, as a more general combination shows" if cell.doomed else "not looked at"
        return node_in_words(cell.node, self._data.rows)
