"""A hierarchy drawn as a tree that opens and closes, readable at any size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from workbench.core.hierarchy import Hierarchy
from workbench.gui import tokens
from workbench.gui.icons import paint_icon
from workbench.gui.theme import colour, tabular_font
from workbench.gui.widgets.labels import NO_VALUE

_LINE = tokens.ROW_HEIGHT
_FIRST_SHOWN = 40
_MORE_SHOWN = 100
_OPENED_AT_FIRST = 24
_WIDEST_LABEL = tokens.COLUMN_MAX // 2 + tokens.SPACE_XL
_GAP = 2 * tokens.SPACE_M + tokens.SPACE_S

Node = tuple[int, int]
"""A group: its level, and its place among the labels of that level."""


@dataclass(frozen=True)
class Branches:
    """The branches below each group of a hierarchy.

    Parameters
    ----------
    labels
        The labels of each level.
    below
        For each level but the lowest, the groups of the level under it, sorted by the group they lie in, and where
        each group's begin; int arrays of shape (labels of the level under it,) and (labels of the level + 1,).
    rows
        Rows of the data per label and level, if they were counted.
    """

    labels: tuple[Sequence[str], ...]
    below: tuple[tuple[NDArray[np.intp], NDArray[np.intp]], ...]
    rows: tuple[NDArray[np.int64], ...] | None = None

    @classmethod
    def of(cls, hierarchy: Hierarchy, rows: tuple[NDArray[np.int64], ...] | None = None) -> Branches:
        """Sort the groups of every level by the group above them; takes a moment for many values."""
        below = []
        for level in range(1, hierarchy.height + 1):
            above = np.zeros(len(hierarchy.labels[level - 1]), dtype=np.intp)
            above[hierarchy.maps[level - 1]] = hierarchy.maps[level]
            ends = np.cumsum(np.bincount(above, minlength=len(hierarchy.labels[level])))
            below.append((np.argsort(above, kind="stable"), np.r_[0, ends]))
        return cls(hierarchy.labels, tuple(below), rows)

    @property
    def top(self) -> int:
        return len(self.labels) - 1

    def children(self, node: Node) -> NDArray[np.intp]:
        """The groups of the level below that lie in a group."""
        level, group = node
        if level == 0:
            return np.zeros(0, dtype=np.intp)
        order, starts = self.below[level - 1]
        return order[starts[group] : starts[group + 1]]


@dataclass
class _Place:
    """A node on the screen: its line, and the lines of everything below it."""

    node: Node | None
    parent: _Place | None
    first: int
    last: int = 0
    opened: bool = False
    hidden: int = 0
    children: list[_Place] = field(default_factory=list)

    @property
    def depth(self) -> int:
        return 0 if self.parent is None else self.parent.depth + 1


class LevelTree(QAbstractScrollArea):
    """The tree, its root at the left. A group opens by a click, Enter or the right arrow.

    Only what is in view is painted, and the label of a group stays in view while a part of it is.

    Signals
    -------
    level_shown(int)
        The level of the group that was chosen.
    """

    level_shown = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._branches: Branches | None = None
        self._opened: set[Node] = set()
        self._shown: dict[Node, int] = {}
        self._places: list[_Place] = []
        self._roots: list[_Place] = []
        self._lines = 0
        self._lefts: list[int] = [tokens.SPACE_XS]
        self._chosen: Node | None = None
        self.setFont(tabular_font())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setAutoFillBackground(False)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName("Tree of the hierarchy")

    def show_branches(self, branches: Branches | None) -> None:
        """Show a hierarchy; groups of the same place stay open while the labels of their level are the same."""
        old, self._branches = self._branches, branches
        if branches is None or old is None or [*map(len, old.labels)] != [*map(len, branches.labels)]:
            self._shown.clear()
            self._chosen = None
            self._opened = self._first_opened() if branches is not None else set()
        self._arrange()

    @property
    def chosen(self) -> Node | None:
        return self._chosen

    @property
    def visible_labels(self) -> list[str]:
        """The labels that are drawn, each group before what lies in it."""
        return [self._label(place) for place in self._places]

    def open(self, node: Node, opened: bool = True) -> None:
        """Open or close a group."""
        if opened:
            self._opened.add(node)
        else:
            self._opened.discard(node)
        self._arrange()

    def choose(self, node: Node) -> None:
        """Choose a group and bring it into view."""
        self._chosen = node
        place = self._place_of(node)
        if place is not None:
            self._scroll_to(place)
            self.setAccessibleDescription(self._words(place))
            self.level_shown.emit(node[0])
        self.viewport().update()

    # Arranging

    def _first_opened(self) -> set[Node]:
        """Open from the top as long as everything fits on about one screen."""
        branches = self._branches
        opened: set[Node] = set()
        if branches is None:
            return opened
        for level in range(branches.top, 0, -1):
            if len(branches.labels[level - 1]) > _OPENED_AT_FIRST and opened:
                break
            opened |= {(level, group) for group in range(min(len(branches.labels[level]), _FIRST_SHOWN))}
        return opened

    def _arrange(self) -> None:
        self._places, self._roots, self._lines = [], [], 0
        branches = self._branches
        if branches is not None:
            top = branches.top
            self._roots = self._add(None, np.arange(len(branches.labels[top])), top, (top + 1, 0))
        self._lefts = [tokens.SPACE_XS]
        for width in self._widths():
            self._lefts.append(self._lefts[-1] + width + _GAP)
        self._measure()
        self.viewport().update()

    def _add(self, parent: _Place | None, groups: NDArray[np.intp], level: int, key: Node) -> list[_Place]:
        branches = self._branches
        assert branches is not None
        limit = self._shown.get(key, _FIRST_SHOWN)
        shown = groups if len(groups) <= limit + 1 else groups[:limit]
        added = []
        for group in shown.tolist():
            place = _Place((level, group), parent, self._lines)
            self._places.append(place)
            added.append(place)
            if level and (level, group) in self._opened:
                place.opened = True
                place.children = self._add(place, branches.children((level, group)), level - 1, (level, group))
            else:
                self._lines += 1
            place.last = self._lines
        if len(shown) < len(groups):
            more = _Place(None, parent, self._lines, self._lines + 1, hidden=len(groups) - len(shown))
            self._lines += 1
            self._places.append(more)
            added.append(more)
        return added

    def _widths(self) -> list[int]:
        """The width of the labels at each depth, as far as they are arranged."""
        branches = self._branches
        widths = [tokens.COLUMN_MIN] * (1 if branches is None else branches.top + 1)
        for place in self._places[:2000]:
            widths[place.depth] = max(widths[place.depth], self._box_width(place))
        return widths

    def _box_width(self, place: _Place) -> int:
        metrics = self.fontMetrics()
        text = min(metrics.horizontalAdvance(self._label(place)), _WIDEST_LABEL)
        note = self._note(place)
        width = text + 2 * tokens.SPACE_S
        if note:
            width += metrics.horizontalAdvance(note) + tokens.SPACE_S
        return width + (tokens.ICON_SMALL if self._opens(place) else 0)

    def _opens(self, place: _Place) -> bool:
        return place.node is not None and place.node[0] > 0

    def _label(self, place: _Place) -> str:
        if place.node is None or self._branches is None:
            return f"… {place.hidden:,} more"
        return self._branches.labels[place.node[0]][place.node[1]] or NO_VALUE

    def _note(self, place: _Place) -> str:
        rows = self._branches.rows if self._branches is not None else None
        if place.node is None or rows is None:
            return ""
        return f"{int(rows[place.node[0]][place.node[1]]):,}"

    def _words(self, place: _Place) -> str:
        if place.node is None or self._branches is None:
            return self._label(place)
        words = f"{self._label(place)}, level {place.node[0]}"
        if self._opens(place):
            count = len(self._branches.children(place.node))
            words += ", " + "{n} below, {state}".format(n=f"{count:,}", state="open" if place.opened else "closed")
        note = self._note(place)
        return words + (", " + f"{note} rows" if note else "")

    def _place_of(self, node: Node) -> _Place | None:
        return next((place for place in self._places if place.node == node), None)

    def _middle(self, place: _Place) -> float:
        """The height of a label: the middle of what lies below it, as far as that is in view."""
        top, bottom = place.first * _LINE, place.last * _LINE
        offset = self.verticalScrollBar().value()
        seen_top, seen_bottom = max(top, offset), min(bottom, offset + self.viewport().height())
        return min(max((seen_top + seen_bottom) / 2, top + _LINE / 2), bottom - _LINE / 2)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(-self.horizontalScrollBar().value(), -self.verticalScrollBar().value())
        offset, height = self.verticalScrollBar().value(), self.viewport().height()
        seen = [p for p in self._places if p.first * _LINE < offset + height and p.last * _LINE > offset]
        for place in seen:
            if place.parent is not None:
                self._paint_line(painter, place)
        for place in seen:
            self._paint_box(painter, place)
        painter.end()

    def _box(self, place: _Place) -> QRectF:
        top = self._middle(place) - _LINE / 2 + tokens.SPACE_HAIR
        return QRectF(self._lefts[place.depth], top, self._box_width(place), _LINE - 2 * tokens.SPACE_HAIR)

    def _paint_line(self, painter: QPainter, place: _Place) -> None:
        assert place.parent is not None
        above, below = self._box(place.parent), self._box(place)
        start = QPoint(round(above.right()), round(above.center().y()))
        end = QPoint(round(below.left()), round(below.center().y()))
        bend = (self._lefts[place.depth] - _GAP / 2, self._lefts[place.depth] - _GAP / 2)
        path = QPainterPath(start)
        path.lineTo(max(bend[0] - _GAP / 2, start.x()), start.y())
        path.cubicTo(bend[0], start.y(), bend[1], end.y(), end.x(), end.y())
        painter.setPen(colour("control"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)

    def _paint_box(self, painter: QPainter, place: _Place) -> None:
        box = self._box(place)
        chosen = place.node is not None and place.node == self._chosen
        group = self._opens(place)
        if chosen or group:
            painter.setPen(colour("focus" if chosen and self.hasFocus() else "border"))
            painter.setBrush(colour("selection" if chosen else "neutral_soft"))
            painter.drawRoundedRect(box, tokens.RADIUS_SMALL, tokens.RADIUS_SMALL)
        inside = box.adjusted(tokens.SPACE_S, 0, -tokens.SPACE_S, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        if group:
            mark = QRectF(inside.right() - tokens.ICON_SMALL + tokens.SPACE_XS, 0, tokens.ICON_SMALL, tokens.ICON_SMALL)
            mark.moveTop(box.center().y() - tokens.ICON_SMALL / 2)
            paint_icon(painter, mark.toRect(), "chevron-down" if place.opened else "chevron-right", "muted")
            inside.setRight(inside.right() - tokens.ICON_SMALL)
        note = self._note(place)
        if note:
            painter.setPen(colour("on_selection" if chosen else "muted"))
            painter.drawText(inside, middle | Qt.AlignmentFlag.AlignRight, note)
            inside.setRight(inside.right() - painter.fontMetrics().horizontalAdvance(note) - tokens.SPACE_S)
        painter.setPen(colour("on_selection" if chosen else "link" if place.node is None else "text"))
        text = painter.fontMetrics().elidedText(
            self._label(place), Qt.TextElideMode.ElideMiddle, round(inside.width()) + 1
        )
        painter.drawText(inside, middle | Qt.AlignmentFlag.AlignLeft, text)

    # Acting

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self._at(event.position().toPoint())
        if place is None or event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self._act(place)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self._at(event.position().toPoint())
        hand = place is not None and (place.node is None or self._opens(place))
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)
        super().mouseMoveEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            place = self._at(event.pos())
            if place is not None:
                QToolTip.showText(event.globalPos(), self._words(place), self)
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        place = self._place_of(self._chosen) if self._chosen is not None else None
        key = event.key()
        arrows = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right)
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif place is None and key in arrows and self._roots and self._roots[0].node is not None:
            self.choose(self._roots[0].node)
        elif place is None:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._act(place)
        elif key in arrows:
            self._walk(place, Qt.Key(key))
        else:
            super().keyPressEvent(event)

    def _walk(self, place: _Place, key: Qt.Key) -> None:
        if key == Qt.Key.Key_Right:
            if self._opens(place) and not place.opened:
                self._act(place)
            elif place.children and place.children[0].node is not None:
                self.choose(place.children[0].node)
        elif key == Qt.Key.Key_Left:
            if place.opened and place.node is not None:
                self.open(place.node, False)
                self.choose(place.node)
            elif place.parent is not None and place.parent.node is not None:
                self.choose(place.parent.node)
        else:
            same = [one for one in self._places if one.depth == place.depth]
            position = same.index(place) + (1 if key == Qt.Key.Key_Down else -1)
            if 0 <= position < len(same):
                other = same[position]
                if other.node is None:
                    self._act(other)
                else:
                    self.choose(other.node)

    def _act(self, place: _Place) -> None:
        """Choose a group and open or close it, or show more of what a group holds."""
        if place.node is None:
            key = place.parent.node if place.parent is not None else None
            top = self._branches.top if self._branches is not None else 0
            group = key if key is not None else (top + 1, 0)
            self._shown[group] = self._shown.get(group, _FIRST_SHOWN) + _MORE_SHOWN
            self._arrange()
            return
        if self._opens(place):
            self.open(place.node, not place.opened)
        self.choose(place.node)

    def _at(self, point: QPoint) -> _Place | None:
        moved = point + QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        for place in self._places:
            inside = place.first * _LINE <= moved.y() < place.last * _LINE
            if inside and self._box(place).contains(moved):
                return place
        return None

    def _scroll_to(self, place: _Place) -> None:
        bar, height = self.verticalScrollBar(), self.viewport().height()
        top, bottom = place.first * _LINE, place.last * _LINE
        if bottom <= bar.value() + _LINE or top >= bar.value() + height - _LINE:
            bar.setValue(max(0, min(top - height // 3, bar.maximum())))
        across, left = self.horizontalScrollBar(), self._lefts[place.depth]
        right = left + self._box_width(place) + tokens.SPACE_S
        if right > across.value() + self.viewport().width() or left < across.value():
            across.setValue(max(0, min(left - tokens.SPACE_S, across.maximum())))

    def _measure(self) -> None:
        bar, across = self.verticalScrollBar(), self.horizontalScrollBar()
        height, width = self.viewport().height(), self.viewport().width()
        bar.setSingleStep(_LINE)
        bar.setPageStep(height)
        bar.setRange(0, max(0, self._lines * _LINE + tokens.SPACE_XS - height))
        depth = max((place.depth for place in self._places), default=0)
        needed = self._lefts[min(depth + 1, len(self._lefts) - 1)] - _GAP + tokens.SPACE_S
        across.setSingleStep(_LINE)
        across.setPageStep(width)
        across.setRange(0, max(0, needed - width))

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
        elif event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._arrange()
        super().changeEvent(event)
