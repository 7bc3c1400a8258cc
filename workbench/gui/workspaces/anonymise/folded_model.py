"""The folded release for Qt: a line for every kind of row, its rows below it once it is unfolded."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QRect, Qt
from PySide6.QtGui import QBrush, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from workbench.core.schema import Role
from workbench.core.table import Column
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.theme import colour, tabular_font
from workbench.gui.widgets.labels import NO_VALUE
from workbench.gui.widgets.table_view import MOST_ROWS, Index
from workbench.session.folded import FoldedTable

ROWS_COLUMN = 0
BEFORE = int(Qt.ItemDataRole.UserRole) + 1
"""Text of a cell before, "" where it is as it was."""
AFTER = BEFORE + 1
BELOW = AFTER + 1
"""Whether it is a row below its line, which says already what it became."""

_ARROW = " → "
_FEWEST = "000…"
"""So much of what a cell was is worth its room."""
_NAMED, _LISTED, _COUNTED = 3, 20, 2_000
_DIRECT = 20_000
_NO_PARENT = QModelIndex()
_SAMPLE = 40
_REMEMBERED = 20_000

# Plain integers: comparing Qt's enumerations costs more than finding the cell.
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_FOREGROUND = int(Qt.ItemDataRole.ForegroundRole)
_BACKGROUND = int(Qt.ItemDataRole.BackgroundRole)
_FONT = int(Qt.ItemDataRole.FontRole)
_TOOLTIP = int(Qt.ItemDataRole.ToolTipRole)
_DECORATION = int(Qt.ItemDataRole.DecorationRole)
_ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)
_MARKED = QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_HasFocus | QStyle.StateFlag.State_MouseOver
"""States that the style draws; cells without them have but a ground."""
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_IN_LINES = int(_LEFT) | int(Qt.TextFlag.TextWordWrap)


@dataclass(frozen=True)
class Place:
    """A line, or one of the rows behind it by its position among them; -1 for the line itself."""

    line: int
    row: int = -1


@dataclass(frozen=True)
class SeenCell:
    """All that is drawn of a cell, found in one go: a page of them is painted within the time of a frame or two."""

    before: str
    after: str
    below: bool
    shaded: bool
    quiet: bool
    dropped: bool


class FoldedModel(QAbstractTableModel):
    """Counts, labels and steps of the lines; nothing is worked out for a cell that nobody sees."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folded: FoldedTable | None = None
        self._columns: list[Column] = []
        self._befores: list[Column | None] = []
        self._roles: dict[str, Role] = {}
        self._lines = 0
        self._below = 0
        self._rows: tuple[NDArray[np.intp], NDArray[np.int64]] | None = None
        self._one_by_one = False
        self._open: list[int] = []
        self._starts: list[int] = []
        self._known: dict[tuple[int, int], tuple[str, str]] = {}
        self.heads_in_lines = False
        self.italic = tabular_font()
        self.italic.setItalic(True)

    def show(
        self,
        folded: FoldedTable | None,
        roles: dict[str, Role],
        hidden: frozenset[str] = frozenset(),
        *,
        with_dropped: bool = True,
        one_by_one: bool = False,
    ) -> None:
        """Show another table, or this one in another way.

        Parameters
        ----------
        hidden
            Columns that are not shown.
        one_by_one
            The rows in the order of the file instead of the lines.
        """
        self.beginResetModel()
        if folded is not self._folded:
            self._open, self._starts = [], []
        self._known.clear()
        self._folded, self._roles = folded, roles
        self._columns = [column for column in folded.lines.columns if column.name not in hidden] if folded else []
        before = folded.behind.table if folded is not None and folded.behind is not None else None
        self._befores = [
            before[one.name] if before is not None and one.name in before else None for one in self._columns
        ]
        self._one_by_one = one_by_one and before is not None
        self._lines = 0 if folded is None else len(folded.sizes) if with_dropped else folded.released
        self._rows = self._listed(with_dropped)
        while self._open and self._open[-1] >= self._lines:
            self._open.pop()
        self._place_open()
        self.endResetModel()

    def _listed(self, with_dropped: bool) -> tuple[NDArray[np.intp], NDArray[np.int64]] | None:
        if not self._one_by_one or self._folded is None or self._folded.behind is None:
            return None
        numbers, line_of = self._folded.behind.in_order
        if with_dropped:
            return numbers, line_of
        kept = line_of < self._folded.released
        return numbers[kept], line_of[kept]

    # Lines and the rows below them

    def place(self, row: int) -> Place:
        """Place that stands in a row of the view."""
        if self._rows is not None:
            return Place(int(self._rows[1][row]), row)
        opened = bisect_left(self._starts, row) - 1
        if opened < 0:
            return Place(row)
        below = row - self._starts[opened] - 1
        if below < self._size(self._open[opened]):
            return Place(self._open[opened], below)
        return Place(row - self._above(opened + 1))

    @property
    def _mark(self) -> str:
        """Heading of the last column, which tells the step or the pass of a line."""
        return self._marks.name if self._marks is not None else ""

    @property
    def _marks(self) -> Column | None:
        """Column that marks each line, shown last; None of a release as a reader gets it, which has no such column."""
        return self._folded.steps if self._folded is not None and self._folded.behind is not None else None

    def is_open(self, line: int) -> bool:
        """Whether the rows of a line are shown."""
        at = bisect_left(self._open, line)
        return at < len(self._open) and self._open[at] == line

    def toggle(self, row: int) -> int:
        """Unfold the line in a row of the view, or fold it again; the row in which it stands now."""
        place = self.place(row)
        if self._folded is None or self._rows is not None:
            return row
        line = place.line
        first = bisect_left(self._open, line)
        top = line + self._above(first)
        size = self._size(line)
        if self.is_open(line):
            self.beginRemoveRows(_NO_PARENT, top + 1, top + size)
            self._open.pop(first)
            self._place_open()
            self.endRemoveRows()
        elif size > 1 and self.rowCount() + size <= MOST_ROWS:
            self.beginInsertRows(_NO_PARENT, top + 1, top + size)
            self._open.insert(first, line)
            self._place_open()
            self.endInsertRows()
        self.dataChanged.emit(self.index(top, 0), self.index(top, 0))
        return top

    def _place_open(self) -> None:
        above, self._starts = 0, []
        for line in self._open:
            self._starts.append(line + above)
            above += self._size(line)
        self._below = above

    def _above(self, opened: int) -> int:
        """Rows below the first so many unfolded lines."""
        if opened >= len(self._open):
            return self._below
        return self._starts[opened] - self._open[opened]

    def _size(self, line: int) -> int:
        return int(self._folded.sizes[line]) if self._folded is not None else 0

    # What Qt asks

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        if parent.isValid() or self._folded is None:
            return 0
        return min(len(self._rows[0]) if self._rows is not None else self._lines + self._below, MOST_ROWS)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        if parent.isValid() or self._folded is None:
            return 0
        return 1 + len(self._columns) + (self._marks is not None)

    def name(self, column: int) -> str:
        """The column of the release, "" for those beside it."""
        return self._columns[column - 1].name if 1 <= column <= len(self._columns) else ""

    def data(self, index: Index, role: int = _DISPLAY) -> object:
        column, place = index.column(), self.place(index.row())
        if role == _DISPLAY:
            before, after = self.cell(place, column)
            return f"{before}{_ARROW}{after}" if before else after
        if role in (BEFORE, AFTER):
            return self.cell(place, column)[role == AFTER]
        if role == BELOW:
            return place.row >= 0 and self._rows is None
        if role == _ALIGNMENT:
            return _RIGHT if column == ROWS_COLUMN else _LEFT
        if role == _BACKGROUND:
            shaded = self._folded.shaded if self._folded is not None and self._rows is None else None
            return QBrush(colour("band")) if shaded is not None and shaded[place.line] else None
        if role == _FOREGROUND and self._is_quiet(place, column):
            return QBrush(colour("muted"))
        if role == _FONT and self.is_dropped(place.line):
            return QFont(self.italic)
        if role == _DECORATION and column == ROWS_COLUMN and self.foldable(place):
            return icon("chevron-down" if self.is_open(place.line) else "chevron-right", "muted")
        if role == _TOOLTIP:
            return self._tip(place, column)
        return None

    def seen(self, row: int, column: int) -> SeenCell:
        """Cell as it is drawn."""
        place = self.place(row)
        shaded = self._folded.shaded if self._folded is not None and self._rows is None else None
        return SeenCell(
            *self.cell(place, column),
            below=place.row >= 0 and self._rows is None,
            shaded=shaded is not None and bool(shaded[place.line]),
            quiet=self._is_quiet(place, column),
            dropped=self.is_dropped(place.line),
        )

    def foldable(self, place: Place) -> bool:
        """Whether there are rows to unfold."""
        return self._rows is None and place.row < 0 and self._size(place.line) > 1

    def is_dropped(self, line: int) -> bool:
        return self._folded is not None and line >= self._folded.released

    def _is_quiet(self, place: Place, column: int) -> bool:
        below = place.row >= 0 and self._rows is None
        empty = 0 < column <= len(self._columns) and self.cell(place, column) == ("", NO_VALUE)
        return column > len(self._columns) or below or empty or self.is_dropped(place.line)

    def cell(self, place: Place, column: int) -> tuple[str, str]:
        """Text of a cell before and after; "" for the first where it is as it was, or nobody knows."""
        assert self._folded is not None
        if column == ROWS_COLUMN:
            return "", self._count(place)
        if column > len(self._columns):
            return "", self._marks.text(place.line) if self._marks is not None else ""
        key = (place.line if place.row < 0 or self._behind(place) is None else -1 - self._number(place), column)
        found = self._known.get(key)
        if found is None:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            found = self._known[key] = self._worked_out(place, column)
        return found

    def _worked_out(self, place: Place, column: int) -> tuple[str, str]:
        after = visible(self._columns[column - 1].text(place.line)) or NO_VALUE
        values, whole = self._before(place, column)
        if len(values) <= _NAMED:
            before = ", ".join(visible(one) or NO_VALUE for one in values)
        else:
            before = f"{len(values):,} values" if whole else "many values"
        return ("" if before == after else before), after

    def _before(self, place: Place, column: int) -> tuple[list[str], bool]:
        """Earlier values of the rows of a place, the most frequent first, and whether all of them were looked at."""
        behind, source = self._behind(place), self._befores[column - 1]
        if behind is None or source is None:
            return [], True
        numbers = behind[:_COUNTED] if place.row < 0 else np.array([self._number(place)])
        codes = source.codes[numbers]
        if len(source.values) <= _DIRECT:
            counts = np.bincount(codes)
            kinds = np.flatnonzero(counts)
            kinds = kinds[np.argsort(-counts[kinds], kind="stable")]
        else:
            kinds = np.unique(codes)
        return [source.values[code] for code in kinds.tolist()], place.row >= 0 or len(behind) <= _COUNTED

    def _behind(self, place: Place) -> NDArray[np.intp] | None:
        behind = self._folded.behind if self._folded is not None else None
        return behind.of(place.line) if behind is not None else None

    def _number(self, place: Place) -> int:
        """The row number in the table of a row behind a line."""
        if self._rows is not None:
            return int(self._rows[0][place.row])
        behind = self._behind(place)
        return int(behind[place.row]) if behind is not None else place.row

    def _count(self, place: Place) -> str:
        if place.row < 0:
            return f"{self._size(place.line):,}"
        return f"row {self._number(place) + 1:,}" if self._behind(place) is not None else ""

    def _tip(self, place: Place, column: int) -> str:
        assert self._folded is not None
        if column == ROWS_COLUMN:
            return self.about(place)
        if column > len(self._columns):
            return self._folded.about_steps
        before, after = self.cell(place, column)
        if not before:
            return after
        listed, _ = self._before(place, column)
        words = ", ".join(map(visible, listed[:_LISTED])) + (" …" if len(listed) > _LISTED else "")
        return f"{words}{_ARROW}{after}"

    def about(self, place: Place) -> str:
        """A line in words."""
        assert self._folded is not None
        size, dropped = self._size(place.line), self.is_dropped(place.line)
        words = [f"{size:,} rows alike" if size > 1 else "1 row"]
        if self._folded.group_sizes is not None and not dropped:
            words.append(f"in a group of {int(self._folded.group_sizes[place.line]):,}")
        if self._folded.steps is not None and self._marks is None:
            words.append(f"released at {self._folded.steps.name.casefold()} {self._folded.steps.text(place.line)}")
        if dropped:
            words.append(self._folded.dropped)
        return ", ".join(words)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> object:
        if orientation == Qt.Orientation.Vertical or self._folded is None or not 0 <= section < self.columnCount():
            return None
        name = self.name(section)
        if role == _DISPLAY:
            return visible(name) if name else "Rows" if section == ROWS_COLUMN else self._mark
        if role == _ALIGNMENT:
            return _RIGHT if section == ROWS_COLUMN else _IN_LINES if self.heads_in_lines else _LEFT
        if role in (_TOOLTIP, _ACCESSIBLE):
            if section == ROWS_COLUMN:
                return "How many rows are alike"
            words = [name, self._roles[name].words] if name in self._roles else [name or self._folded.about_steps]
            return ("\n" if role == _TOOLTIP else ", ").join(words)
        return None

    def samples(self, column: int) -> list[tuple[str, str]]:
        """Cells of some rows spread over the view."""
        rows = self.rowCount()
        chosen = range(rows) if rows <= _SAMPLE else np.linspace(0, rows - 1, _SAMPLE).astype(int)
        return [self.cell(self.place(int(row)), column) for row in chosen]


class BeforeOverAfter(QStyledItemDelegate):
    """Draws `39 → 30–39`: what a cell was in a quiet colour, and shortened before what it became is.

    Of the rows below a line it is the other way round, because the line says what they became. What has no room in a
    line stands in several, where rows are high enough.
    """

    side = tokens.SPACE_S
    """Pixels beside the text of a cell."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        if index.column() == ROWS_COLUMN or not isinstance(model, FoldedModel):
            super().paint(painter, option, index)
            return
        seen = model.seen(index.row(), index.column())
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if option.state & _MARKED:
            shown = QStyleOptionViewItem(option)
            self.initStyleOption(shown, index)
            shown.text = ""
            shown.widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, shown, painter, shown.widget)
        elif seen.shaded:
            painter.fillRect(option.rect, colour("band"))
        font, metrics = option.font, option.fontMetrics
        if seen.dropped:
            font = model.italic
            metrics = QFontMetrics(font)
        painter.setFont(font)
        before, after = seen.before, seen.after
        room = option.rect.adjusted(self.side, 0, -self.side, 0)
        quiet = 0
        if before:
            arrow = metrics.horizontalAdvance(_ARROW)
            rest = room.width() - metrics.horizontalAdvance(after) - arrow
            if seen.below and rest < metrics.horizontalAdvance(before):
                after, rest = "", room.width() - arrow
            first = metrics.elidedText(before, Qt.TextElideMode.ElideRight, max(rest, 0))
            if first == before or rest >= metrics.horizontalAdvance(_FEWEST):
                quiet = metrics.horizontalAdvance(first) + arrow
                painter.setPen(colour("on_selection" if selected else "muted"))
                painter.drawText(room, int(_LEFT), f"{first}{_ARROW}")
        painter.setPen(colour("on_selection" if selected else "muted" if seen.quiet else "text"))
        left = QRect(room.left() + quiet, room.top(), room.width() - quiet, room.height())
        if quiet == 0 and metrics.horizontalAdvance(after) > left.width() and _has_room(metrics, left, after):
            painter.drawText(left, _IN_LINES, after)
        else:
            painter.drawText(left, int(_LEFT), metrics.elidedText(after, Qt.TextElideMode.ElideRight, left.width()))
        painter.restore()


def _has_room(metrics: QFontMetrics, room: QRect, text: str) -> bool:
    """Whether a text parted into lines is whole in a room."""
    if room.height() < 2 * metrics.lineSpacing():
        return False
    taken = metrics.boundingRect(QRect(0, 0, room.width(), room.height()), _IN_LINES, text)
    return taken.width() <= room.width() and taken.height() <= room.height()
