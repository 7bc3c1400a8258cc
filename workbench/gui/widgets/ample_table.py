"""A table that cuts nothing: its columns are as wide as their texts, and the last takes what is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from workbench.gui import tokens
from workbench.gui.widgets.heat_table import HeatTable

_LAST, _NAME = tokens.FIELD_WIDTH + 8 * tokens.SPACE_S, tokens.FIELD_WIDTH
"""Width of the last column at least where there is little room, and the least width of the first one."""
_MARGIN, _SLACK, _TRIED = 3 * tokens.SPACE_S, 3, 4
"""Space in a cell beside its text, tolerance for a text measured wider, and number of widths that are tried."""


class AmpleTable(HeatTable):
    """Shows few rows of texts, which its page makes as high as there is room for.

    Signals
    -------
    fitted()
        It is as wide as its room now, so that rows may need another height.
    """

    fitted = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrap(True)
        self._hidden_room = 0
        self._spare = ""

    def show_texts(
        self, headings: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[str] = (), spare: str = ""
    ) -> None:
        """Show these; columns named as numbers are aligned to the right, and `spare` is seen only if it has room."""
        self._spare = spare
        self.show_rows(headings, rows, left=len(headings))
        self._cells.set_numeric(list(numbers))
        self.horizontalHeader().setStretchLastSection(True)
        self.fit_columns()
        self.scrollToTop()

    def fit_columns(self) -> None:
        self.ensurePolished()
        most, wanted = tokens.COLUMN_MAX + tokens.FIELD_WIDTH, dict[int, int]()
        texts = self.texts()
        for column in range(self.model().columnCount() - 1):
            self.setColumnHidden(column, False)
            longest = max((self._advance(row[column]) for row in texts), default=0) + _MARGIN
            wide = max(longest, self.horizontalHeader().sectionSizeHint(column) + tokens.SPACE_S)
            self.setColumnWidth(column, min(wide, most))
            wanted[column] = wide
        # What the last column does not need goes to those that are cut.
        cut = {column: wide for column, wide in wanted.items() if wide > most}
        last = self.model().columnCount() - 1
        taken = sum(self.columnWidth(column) for column in range(last))
        spare = self._room - taken - max(self.sizeHintForColumn(last) + tokens.SPACE_M, _LAST) if cut else 0
        for column, wide in cut.items():
            more = min(wide - most, max(spare, 0))
            self.setColumnWidth(column, most + more)
            spare -= more
        # Names give way to what the last column says, as far as they can be told apart.
        before = sum(self.columnWidth(column) for column in range(self.model().columnCount() - 1))
        over = before + _LAST - self._room
        if over > 0 and before:
            over -= self._narrow(0, over, min(self.columnWidth(0), _NAME))
            names = [one.name for one in self._cells.table.columns]
            if over > 0 and self._spare in names:
                over -= wanted.pop(spared := names.index(self._spare))
                self.setColumnHidden(spared, True)
            for column in wanted:
                if over > 0 and column:
                    over -= self._narrow(column, over, self._narrowest(column))
        self._share_lines(list(wanted))
        self._fit_rows([column for column, wide in wanted.items() if self.columnWidth(column) < wide])

    def _share_lines(self, columns: Sequence[int]) -> None:
        """Break texts of other columns where that saves more lines of the last one than it costs."""
        texts = self.texts()
        widths = {column: self.columnWidth(column) for column in columns}

        def lines(tried: Mapping[int, int]) -> int:
            """Of all rows together."""
            last = self._room - sum(tried.values())
            return sum(max(self._lines(row[one], tried.get(one, last)) for one in (*tried, -1)) for row in texts)

        fewest = lines(widths)
        if not widths or fewest == len(texts):
            return
        for column in columns:
            words = [row[column] for row in texts if " " in row[column]]
            least = max(self._narrowest(column), tokens.COLUMN_MIN)
            found = {max(self._advance(text) + _MARGIN + _SLACK, least) for text in words} | {least for _ in words}
            tries = sorted((wide for wide in found if wide < widths[column]), reverse=True)
            for wide in tries[:: max(1, -(-len(tries) // _TRIED))]:
                needed = lines(widths | {column: wide})
                if needed < fewest:
                    widths, fewest = widths | {column: wide}, needed
        for column, wide in widths.items():
            self.setColumnWidth(column, wide)

    def _advance(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text)

    def _lines(self, text: str, width: int) -> int:
        """In how many lines a text stands in a column that is so wide."""
        room, metrics = width - _MARGIN, self.fontMetrics()
        if self._advance(text) <= room:
            return 1
        high = metrics.boundingRect(0, 0, max(room, 1), 10_000, Qt.TextFlag.TextWordWrap.value, text).height()
        return max(round(high / metrics.lineSpacing()), 1)

    def _narrow(self, column: int, over: int, least: int) -> int:
        """Take so much of a column's width, as far as it is wider than it must be; say how much that was."""
        wide = self.columnWidth(column)
        self.setColumnWidth(column, max(wide - over, min(wide, least)))
        return wide - self.columnWidth(column)

    def _narrowest(self, column: int) -> int:
        """How narrow a column can be whose texts break between words: as its heading, and its longest word."""
        words = [word for row in self.texts() for word in row[column].split(" ")]
        longest = max(map(self._advance, words), default=0) + _MARGIN
        return max(longest, self.horizontalHeader().sectionSizeHint(column) + tokens.SPACE_S)

    @property
    def _room(self) -> int:
        """How wide it is, or will be when it is shown."""
        return self.viewport().width() if self.isVisible() or not self._hidden_room else self._hidden_room

    def _fit_rows(self, cut: Sequence[int]) -> None:
        """As high as what they say needs, where these columns or the last are too narrow for one line."""
        usual, last = self.verticalHeader().defaultSectionSize(), self.model().columnCount() - 1
        room = self._room - sum(self.columnWidth(column) for column in range(last))
        widths = {column: self.columnWidth(column) for column in cut} | {last: room}
        for row, cells in enumerate(self.texts()):
            most = max(self._lines(cells[column], width) for column, width in widths.items())
            self.setRowHeight(row, usual + (most - 1) * self.fontMetrics().lineSpacing())

    def showEvent(self, event: QShowEvent) -> None:
        """While it was hidden its room was guessed, without the bar that scrolls it."""
        super().showEvent(event)
        self.fit_columns()
        self.fitted.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Rows that scroll are scrolled to their end, and the page below them stays."""
        super().wheelEvent(event)
        if self.verticalScrollBar().maximum():
            event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fitted.emit()

    def whole_height(self, width: int) -> int:
        """How high it is with all its rows; while it is hidden, its width is not known and given."""
        if not self.isVisible():
            self._hidden_room = width
            self.fit_columns()
        head = self.horizontalHeader().sizeHint().height()
        return head + self.verticalHeader().length() + tokens.SPACE_S
