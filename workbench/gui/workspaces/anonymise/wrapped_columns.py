"""Columns that share the width of a table: smaller letters, then cells of some lines, before one must scroll."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics

from workbench.gui import tokens
from workbench.gui.widgets.column_widths import halves_of, letters, words_of

_LEAST = tokens.COLUMN_MIN - tokens.SPACE_L
_READABLE = tokens.METER_WIDTH + 4 * tokens.SPACE_L
"""Narrower than this nobody reads a column: then one scrolls sideways."""
_DRAWN_WIDER = 1.06
"""Headings are drawn a little wider than they measure."""
_SAMPLE = 200
"""Letters of a cell that are measured."""


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
    least
        What of these texts is to be whole at the least; () for all of them.
    """

    heading: str
    cells: Collection[str]
    mark: int = 0
    kept: bool = False
    least: Collection[str] = ()


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
        Lines of text in a row, 1 to 3, and in the heading, 1 or 2.
    """

    widths: tuple[int, ...]
    size: int
    lines: int = 1
    heading_lines: int = 1


def fit(columns: Sequence[ColumnTexts], room: int) -> Fit:
    """The largest letters and fewest lines, at most three, with which all columns are whole and in sight.

    What need not be whole gives way before texts part into lines. Where nothing helps, the widest give way, though not
    to less than can be read: then one scrolls sideways.

    Parameters
    ----------
    columns
        The first keeps its width.
    room
        Pixels.
    """
    for size in (tokens.FONT_BASE, tokens.FONT_SMALL):
        wanted = _Measures(size).whole(columns)
        if sum(wanted) <= room:
            return Fit(tuple(wanted), size)
    smallest = max(tokens.FONT_SMALL - 1, tokens.TEXT_SIZES[0])
    least = [replace(one, cells=one.least) if one.least else one for one in columns]
    for size in (tokens.FONT_BASE, tokens.FONT_SMALL, smallest) if least != list(columns) else ():
        squeezed = _squeezed(columns, least, _Measures(size), room)
        if squeezed is not None:
            return squeezed
    for size in (tokens.FONT_SMALL, smallest):
        found = _in_lines(least, _Measures(size), room)
        if found is not None:
            return found
    measures = _Measures(tokens.FONT_BASE)
    return _scrolled(measures.whole(columns), measures.headings(columns), room)


def _squeezed(
    columns: Sequence[ColumnTexts], least: Sequence[ColumnTexts], measures: _Measures, room: int
) -> Fit | None:
    """Cells of one line with what is to be whole of them, and more of those that have most that is not."""
    low, wanted = measures.one_line(least), measures.whole(columns)
    if sum(low) > room:
        return None
    lack = max(sum(wanted) - sum(low), 1)
    more = min(room - sum(low), lack)
    widths = [one + more * (want - one) // lack for one, want in zip(low, wanted, strict=True)]
    headings = max(measures.lines_of(one, width)[1] for one, width in zip(columns, widths, strict=True))
    return Fit(tuple(widths), measures.size, 1, headings)


def _in_lines(columns: Sequence[ColumnTexts], measures: _Measures, room: int) -> Fit | None:
    wanted, words = measures.whole(columns), measures.words(columns)
    if sum(words) > room:
        return None
    halves = measures.halves(columns)
    low, high = (halves, wanted) if sum(halves) <= room else (words, halves)
    lack = max(sum(high) - sum(low), 1)
    widths = [one + (room - sum(low)) * (more - one) // lack for one, more in zip(low, high, strict=True)]
    found = [measures.lines_of(one, width) for one, width in zip(columns, widths, strict=True)]
    lines, headings = (max(some) for some in zip(*found, strict=True))
    narrow = [(one, width) for one, width, half in zip(columns, widths, halves, strict=True) if width < half]
    if any(measures.breaks_twice(one, width) for one, width in narrow):
        lines = 3  # rather than that a text is cut, or one scrolls
    return Fit(tuple(widths), measures.size, lines, headings)


def _scrolled(wanted: Sequence[int], headings: Sequence[int], room: int) -> Fit:
    """As wide as they share the room, but no heading is cut: where one scrolls there is room for it."""
    limit = max(_shared(wanted, room), _READABLE)
    pairs = zip(wanted[1:], headings[1:], strict=True)
    widths = (min(width, max(limit, heading), tokens.COLUMN_MAX) for width, heading in pairs)
    return Fit((*wanted[:1], *widths), tokens.FONT_BASE)


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

    @property
    def around(self) -> int:
        """Pixels of a cell beside its text."""
        return 2 * side_of(self.size) + tokens.SPACE_XS

    def cell(self, text: str) -> int:
        """Pixels of a text in a cell."""
        return _advance(self.size, False, text[:_SAMPLE])

    def heading(self, text: str) -> int:
        """Pixels of a text in a heading."""
        return round(_advance(self.size, True, text) * _DRAWN_WIDER)

    def whole(self, columns: Sequence[ColumnTexts]) -> list[int]:
        """The widths with which nothing is cut."""
        return self._widths(columns, lambda text, _: [text])

    def headings(self, columns: Sequence[ColumnTexts]) -> list[int]:
        """The widths with which no heading is cut."""
        return [self.heading(one.heading) + one.mark + self.around for one in columns]

    def one_line(self, columns: Sequence[ColumnTexts]) -> list[int]:
        """The widths with which no cell is cut, and no heading that has two lines."""
        halves = self._widths([replace(one, cells=()) for one in columns], halves_of)
        whole = self._widths([replace(one, heading="") for one in columns], lambda text, _: [text])
        return list(map(max, halves, whole))

    def words(self, columns: Sequence[ColumnTexts]) -> list[int]:
        """The widths with which no word is cut."""
        return self._widths(columns, lambda text, _: words_of(text))

    def halves(self, columns: Sequence[ColumnTexts]) -> list[int]:
        """The widths with which no text has more than two lines."""
        return self._widths(columns, halves_of)

    def _widths(
        self, columns: Sequence[ColumnTexts], parts: Callable[[str, Callable[[str], int]], Collection[str]]
    ) -> list[int]:
        found = []
        for one in columns:
            wide = 0
            for texts, width in (([one.heading], self.heading), (one.cells, self.cell)):
                shown = texts if one.kept else {part for text in texts for part in parts(text[:_SAMPLE], width)}
                wide = max(wide, max(map(width, shown), default=0))
            found.append(max(wide + one.mark + self.around, tokens.COLUMN_MIN // 2))
        return found

    def lines_of(self, column: ColumnTexts, width: int) -> tuple[int, int]:
        """The lines of the longest cell, 1 or 2, and those of the heading."""
        room = width - self.around - column.mark
        return 1 + any(self.cell(cell) > room for cell in column.cells), 1 + (self.heading(column.heading) > room)

    def breaks_twice(self, column: ColumnTexts, width: int) -> bool:
        """Whether a cell takes three lines, broken as it is drawn."""
        room, two = width - 2 * side_of(self.size) - column.mark, 2 * line_height(letters_of(self.size))
        return any(_height(self.size, room, cell[:_SAMPLE]) > two for cell in column.cells)


@lru_cache(maxsize=16_384)
def _height(size: int, room: int, text: str) -> int:
    """Pixels from the top of a text to its end that is broken to a width."""
    return _metrics(size, False).boundingRect(QRect(0, 0, room, 0), int(Qt.TextFlag.TextWordWrap), text).height()


@lru_cache(maxsize=16_384)
def _advance(size: int, bold: bool, text: str) -> int:
    """Pixels of a text; kept, as a table is fitted again with every pixel that its window grows."""
    return _metrics(size, bold).horizontalAdvance(text)


@lru_cache(maxsize=16)
def _metrics(size: int, bold: bool) -> QFontMetrics:
    font = letters_of(size)
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    return QFontMetrics(font)


def letters_of(size: int) -> QFont:
    """The font of values in letters of a size."""
    font = letters(small=False)
    font.setPixelSize(size)
    return font


def line_height(font: QFont) -> int:
    """Pixels of each of several lines below one another: at some sizes more than from one line to the next."""
    two = QFontMetrics(font).boundingRect(QRect(0, 0, tokens.EMPTY_TEXT_WIDTH, 0), 0, "y\ny").height()
    return (two + 1) // 2


def side_of(size: int) -> int:
    """Pixels beside the text of a cell: fewer where letters are smaller than usual."""
    return tokens.SPACE_S if size >= tokens.FONT_BASE else tokens.SPACE_XS
