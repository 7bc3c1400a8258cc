"""Columns that share the width of a table: smaller letters, then cells of some lines, before one must scroll."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics

from workbench.gui import tokens
from workbench.gui.widgets.column_widths import letters

_LEAST = tokens.COLUMN_MIN - tokens.SPACE_L
_READABLE = tokens.METER_WIDTH + 4 * tokens.SPACE_L
"""Narrower than this nobody reads a column: then one scrolls sideways."""
_MOST_LINES = 2
"""A cell that needs more is cut: for a rare long one not all rows grow."""
_DRAWN_WIDER = 1.06
"""Headings are drawn a little wider than they measure."""
_SAMPLE = 200
"""Letters of a cell that are measured."""
_HIGH = 10_000
_BREAK = re.compile(r"\s+|(?<=-)(?=[^\W\d])")


@dataclass(frozen=True)
class ColumnTexts:
    """The texts of a column.

    Parameters
    ----------
    cells
        Texts of some rows.
    mark
        Pixels of a mark beside each text, the heading's too.
    kept
        Whether it keeps one line and all of its width.
    """

    heading: str
    cells: Collection[str]
    mark: int = 0
    kept: bool = False


@dataclass(frozen=True)
class Fit:
    """Widths of columns and the letters in them.

    Parameters
    ----------
    widths
        In pixels, one for each.
    size
        Of letters: their font's pixels.
    lines, heading_lines
        Lines of text in a row and in the heading, at least 1.
    """

    widths: tuple[int, ...]
    size: int
    lines: int = 1
    heading_lines: int = 1


def fit(columns: Sequence[ColumnTexts], room: int, *, wraps: bool) -> Fit:
    """The largest letters and fewest lines with which all columns are whole and in sight.

    Where there are none, the widest give way, though not to less than can be read: then one scrolls sideways.

    Parameters
    ----------
    columns
        The first keeps its width.
    room
        Pixels.
    wraps
        Whether a cell can have more than one line.
    """
    for size in (tokens.FONT_BASE, tokens.FONT_SMALL):
        wanted = _Measures.of(size).whole(columns)
        if sum(wanted) <= room:
            return Fit(tuple(wanted), size)
    smallest = max(tokens.FONT_SMALL - 1, tokens.TEXT_SIZES[0])
    for size in (tokens.FONT_SMALL, smallest) if wraps else ():
        found = _in_lines(columns, _Measures.of(size), room)
        if found is not None:
            return found
    return _scrolled(_Measures.of(tokens.FONT_BASE).whole(columns), room)


def _in_lines(columns: Sequence[ColumnTexts], measures: _Measures, room: int) -> Fit | None:
    wanted, words = measures.whole(columns), measures.words(columns)
    if sum(words) > room:
        return None
    few = [measures.few_lines(*one) for one in zip(columns, words, wanted, strict=True)]
    low, high = (few, wanted) if sum(few) <= room else (words, few)
    lack = max(sum(high) - sum(low), 1)
    widths = [one + (room - sum(low)) * (more - one) // lack for one, more in zip(low, high, strict=True)]
    found = [measures.lines_of(one, width) for one, width in zip(columns, widths, strict=True)]
    lines, headings = (min(max(some), _MOST_LINES) for some in zip(*found, strict=True))
    return Fit(tuple(widths), measures.size, lines, headings)


def _scrolled(wanted: Sequence[int], room: int) -> Fit:
    limit = max(_shared(wanted, room), _READABLE)
    return Fit((*wanted[:1], *(min(width, limit, tokens.COLUMN_MAX) for width in wanted[1:])), tokens.FONT_BASE)


def _shared(wanted: Sequence[int], room: int) -> int:
    """The greatest width of a column with which all of them have room; the first keeps what it wants."""
    first, rest = wanted[:1], sorted(wanted[1:])
    left = room - sum(first)
    for place, width in enumerate(rest):
        share = left // (len(rest) - place)
        if width > share:
            return max(share, _LEAST)
        left -= width
    return tokens.COLUMN_MAX


@dataclass(frozen=True)
class _Measures:
    """Pixels of texts in letters of one size."""

    size: int
    cells: QFontMetrics
    headings: QFontMetrics
    around: int

    @classmethod
    def of(cls, size: int) -> _Measures:
        plain, bold = letters_of(size), letters_of(size)
        bold.setWeight(QFont.Weight.DemiBold)
        return cls(size, QFontMetrics(plain), QFontMetrics(bold), 2 * side_of(size) + tokens.SPACE_XS)

    def whole(self, columns: Sequence[ColumnTexts]) -> list[int]:
        """The widths with which nothing is cut."""
        return [self._width(one, [one.heading], one.cells) for one in columns]

    def words(self, columns: Sequence[ColumnTexts]) -> list[int]:
        """The widths with which no word is cut."""
        return [
            self._width(one, [one.heading], one.cells)
            if one.kept
            else self._width(one, _words(one.heading), {word for cell in one.cells for word in _words(cell)})
            for one in columns
        ]

    def _width(self, column: ColumnTexts, headings: Collection[str], cells: Collection[str]) -> int:
        title = max(map(self.headings.horizontalAdvance, headings), default=0)
        widest = max((self.cells.horizontalAdvance(cell[:_SAMPLE]) for cell in cells), default=0)
        return max(max(round(title * _DRAWN_WIDER), widest) + column.mark + self.around, tokens.COLUMN_MIN // 2)

    def lines_of(self, column: ColumnTexts, width: int) -> tuple[int, int]:
        """The most lines of a cell, and those of the heading."""
        if column.kept:
            return 1, 1
        room = width - self.around
        cells = max((_lines(self.cells, cell[:_SAMPLE], room) for cell in column.cells), default=1)
        return cells, _lines(self.headings, column.heading, round(room / _DRAWN_WIDER))

    def few_lines(self, column: ColumnTexts, least: int, most: int) -> int:
        """The least width from one to another with which no text has more lines than a row may have."""
        while least < most:
            middle = (least + most) // 2
            if max(self.lines_of(column, middle)) <= _MOST_LINES:
                most = middle
            else:
                least = middle + 1
        return most


def _words(cell: str) -> list[str]:
    return _BREAK.split(cell[:_SAMPLE])


def _lines(metrics: QFontMetrics, text: str, width: int) -> int:
    high = metrics.boundingRect(QRect(0, 0, width, _HIGH), int(Qt.TextFlag.TextWordWrap), text).height()
    return max(1, round(high / metrics.lineSpacing()))


def letters_of(size: int) -> QFont:
    """The font of values in letters of a size."""
    font = letters(small=False)
    font.setPixelSize(size)
    return font


def side_of(size: int) -> int:
    """Pixels beside the text of a cell: fewer where letters are smaller than usual."""
    return tokens.SPACE_S if size >= tokens.FONT_BASE else tokens.SPACE_XS
