"""A table of texts whose cells can be shaded by how much they count."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.core.table import Column, Table
from workbench.gui import tokens
from workbench.gui.theme import colour
from workbench.gui.widgets.table_view import CodesTableModel, DataTableView, Index

_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_FOREGROUND = int(Qt.ItemDataRole.ForegroundRole)
_BACKGROUND = int(Qt.ItemDataRole.BackgroundRole)
_TOOLTIP = int(Qt.ItemDataRole.ToolTipRole)
_SEMIBOLD = 1.1
"""How much wider headings are than their font says."""
_SLACK = 3
"""Pixels by which a text may be measured wider than its letters together."""
_STRONGEST = 0.45
"""How far a cell is mixed with the colour; beyond that its text would be hard to read."""


class HeatModel(CodesTableModel):
    """A table of texts with a shade per cell."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(None, parent)
        self._heat: NDArray[np.float64] | None = None
        self._inked: tuple[int, tuple[str, ...]] = (-1, ())

    def set_heat(self, heat: NDArray[np.float64] | None) -> None:
        """How strongly each cell is shaded, 0 to 1, shape (rows, columns); None for not at all."""
        self._heat = heat
        self._repaint()

    def set_inked(self, column: int, inks: Sequence[str]) -> None:
        """Write the cells of a column in these colours of the theme, "" in the usual one; no column is −1."""
        self._inked = column, tuple(inks)
        self._repaint()

    def data(self, index: Index, role: int = _DISPLAY) -> object:
        if role == _TOOLTIP:
            return super().data(index, _DISPLAY)  # Long texts are cut off in the cell.
        if role == _FOREGROUND and index.column() == self._inked[0]:
            ink = self._inked[1][index.row()]
            return QBrush(colour(ink)) if ink else super().data(index, role)
        if role == _BACKGROUND and self._heat is not None:
            strength = float(self._heat[index.row(), index.column()])
            if strength > 0:
                return QBrush(mixed("surface", "chart_global", _STRONGEST * strength))
        return super().data(index, role)


class HeatTable(DataTableView):
    """Shows rows of texts; cells can be copied with Ctrl+C."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._cells = HeatModel(self)
        self._left = 1
        self._figures: list[bool] | None = None
        self.wanted_width = 0
        """How wide it is where nothing is cut and nothing wraps."""
        self.setModel(self._cells)
        self.verticalHeader().hide()

    def show_rows(
        self,
        headings: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        left: int = 1,
        numbers: Sequence[bool] | None = None,
        heat: NDArray[np.float64] | None = None,
        bands: NDArray[np.bool_] | None = None,
    ) -> None:
        """Show these texts.

        Parameters
        ----------
        headings
            One per column; equal ones are told apart by spaces.
        left
            So many columns are aligned to the left, the others, which are numbers, to the right.
        numbers
            Which columns are numbers, where they do not come after the others.
        heat
            Shades, shape (rows, columns).
        bands
            Rows with another ground, shape (rows,).
        """
        names: list[str] = []
        for heading in headings:
            name = heading
            while name in names:
                name += " "
            names.append(name)
        self._left, self._figures = left, None if numbers is None else list(numbers)
        self._cells.set_heat(None)
        self._cells.set_inked(-1, ())
        columns = [Column.from_texts(name, [row[place] for row in rows]) for place, name in enumerate(names)]
        self.show_table(Table(tuple(columns)))
        right = self._figures or [place >= left for place in range(len(names))]
        self._cells.set_numeric([name for name, one in zip(names, right, strict=True) if one])
        self._cells.set_shaded(bands)
        self._cells.set_heat(heat)

    def ink_column(self, column: int, inks: Sequence[str]) -> None:
        """Write the cells of a column in these colours of the theme, one per row; "" is the usual one."""
        self._cells.set_inked(column, inks)

    def minimumSizeHint(self) -> QSize:
        return QSize(tokens.FIELD_WIDTH, tokens.CONTROL_HEIGHT + tokens.ROW_HEIGHT)

    @property
    def head_height(self) -> int:
        """How high the headings are."""
        return self.horizontalHeader().minimumHeight()

    def break_heads(self) -> None:
        """Headings in as many lines as it takes where they are wider than their columns, which would cut both ends.

        They are broken between words; what is too long for a line of its own ends in ….
        """
        header = self.horizontalHeader()
        self.ensurePolished()
        line = header.fontMetrics().lineSpacing()
        tall = line
        for place, column in enumerate(self._cells.table.columns):
            # Headings are semibold, and have padding, into which no letter is drawn.
            room = QRect(0, 0, max(round((self.columnWidth(place) - 2 * tokens.SPACE_S) / _SEMIBOLD), 1), 0)
            found = header.fontMetrics().boundingRect(room, int(Qt.TextFlag.TextWordWrap), column.name)
            tall = max(tall, found.height())
        several = tall > line
        self._cells.heads_in_lines = several
        header.setTextElideMode(Qt.TextElideMode.ElideNone if several else Qt.TextElideMode.ElideRight)
        header.setFixedHeight(max(tokens.CONTROL_HEIGHT, tall + 2 * tokens.SPACE_XS + 1))

    def fit_columns(self) -> None:
        """As wide as the texts; where that is too wide, long ones are cut off, and the tooltip has all of them."""
        self.ensurePolished()
        cells, head = self.fontMetrics(), self.horizontalHeader().fontMetrics()
        widths, whole, numbers = [], [], []
        for column in self._cells.table.columns:
            short = [cells.horizontalAdvance(text) for text in column.values if text.replace(",", "").isdigit()]
            numbers.append(max(tokens.METER_WIDTH, max(short, default=0) + 3 * tokens.SPACE_S))
            widest = max([head.horizontalAdvance(column.name) * 1.1, *map(cells.horizontalAdvance, column.values)])
            whole.append(max(round(widest) + 3 * tokens.SPACE_S, tokens.COLUMN_MIN // 2))
            widths.append(min(whole[-1], tokens.COLUMN_MAX))
        self.wanted_width = sum(widths) + 2 * self.frameWidth()
        if self._figures is not None:
            widths = whole if sum(whole) <= self.viewport().width() else self._shared(widths, self._figures)
        elif sum(widths) > self.viewport().width():
            # Long texts among numbers must not push the last column out of sight; a number is never cut off.
            most = [tokens.FIELD_WIDTH if place < self._left else number for place, number in enumerate(numbers)]
            widths = [min(width, limit) for width, limit in zip(widths, most, strict=True)]
        for place, width in enumerate(widths):
            self.setColumnWidth(place, width)
        if self._figures is not None:
            self._fit_rows([place for place, number in enumerate(self._figures) if not number])

    def _shared(self, widths: Sequence[int], numbers: Sequence[bool]) -> list[int]:
        """Numbers as wide as they are; of what they leave, columns of words have equal shares where all is too wide."""
        found, room = list(widths), self.viewport().width()
        room -= sum(width for width, number in zip(widths, numbers, strict=True) if number)
        words = sorted((width, place) for place, width in enumerate(widths) if not numbers[place])
        for done, (width, place) in enumerate(words):
            found[place] = max(min(width, room // (len(words) - done)), tokens.COLUMN_MIN // 2)
            room -= found[place]
        return found

    def _fit_rows(self, words: Sequence[int]) -> None:
        """As high as what stands in these columns needs, line below line; a text as wide as its column is one line."""
        self.setWordWrap(True)
        usual, metrics = self.verticalHeader().defaultSectionSize(), self.fontMetrics()
        wrap = Qt.TextFlag.TextWordWrap.value
        for row, cells in enumerate(self.texts()):
            high = []
            for one in words:
                room = self.columnWidth(one) - 3 * tokens.SPACE_S
                room += _SLACK if metrics.horizontalAdvance(cells[one]) <= room else 0
                high.append(metrics.boundingRect(0, 0, room, 10_000, wrap, cells[one]))
            # Whole lines: a letter of another font may be a pixel higher.
            lines = max((round(box.height() / metrics.lineSpacing()) for box in high), default=1)
            self.setRowHeight(row, usual + max(lines - 1, 0) * metrics.lineSpacing())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit_columns()

    def texts(self) -> list[tuple[str, ...]]:
        """The rows as they are shown."""
        return [self._cells.table.row(row) for row in range(self._cells.table.rows)]


def mixed(first: str, second: str, share: float) -> QColor:
    """A colour between two tokens of the theme: `share` of the second."""
    ground, other = colour(first), colour(second)
    parts = ((ground.redF(), other.redF()), (ground.greenF(), other.greenF()), (ground.blueF(), other.blueF()))
    return QColor.fromRgbF(*(a + (b - a) * share for a, b in parts))
