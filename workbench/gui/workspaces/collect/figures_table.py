"""A table of protocols and their figures."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from workbench.gui import tokens
from workbench.gui.widgets.column_widths import halves_of
from workbench.gui.widgets.heat_table import HeatTable

_DIGIT, _POINT = "\u2007", "\u2008"
"""Spaces as wide as a digit and as a decimal point."""
_BESIDE = re.compile(r" ± | \(")
"""What parts two numbers of a cell."""
_BOLD = 1.1
"""How much wider a heading is than the same words in a cell."""


class FiguresTable(HeatTable):
    """Numbers stand with their decimal points below each other; Enter or a double click takes a row.

    Where it is narrow headings have two lines, then names are written in a shorter way, or cut; they are said in full
    where one points at them.
    Columns that have no room even so are reached by scrolling, and none is seen in part.

    Signals
    -------
    chosen(int)
        A row was taken.
    """

    chosen = Signal(int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.setSelectionBehavior(self.SelectionBehavior.SelectRows)
        self.setHorizontalScrollMode(self.ScrollMode.ScrollPerItem)
        self.setItemDelegate(_InLine(self))
        self.doubleClicked.connect(self._enter)
        self._shown: list[list[str]] = []
        self._short: Mapping[str, Sequence[str]] = {}

    def shown(self, row: int, column: int) -> str:
        """The text of a cell with the spaces that bring its digits in line with those above and below.

        A name that has no room is the longest of its shorter ones that has.
        """
        text = self._shown[column][row]
        if column or not self._short.get(text):
            return text
        measure, room = self.fontMetrics().horizontalAdvance, self.columnWidth(0) - 2 * tokens.SPACE_M
        ways = (text, *self._short[text])
        return next((one for one in ways if measure(one) <= room), ways[-1])

    def shorten(self, names: Mapping[str, Sequence[str]]) -> None:
        """Write these names of the first column in a shorter way where they have no room; all is in the tooltip."""
        self._short = names

    def explain_headings(self, tips: Mapping[str, str]) -> None:
        """Say more of these headings where one points at them."""
        self._cells.set_header_tips(tips)

    def fit_columns(self) -> None:
        self.ensurePolished()
        names = list(self._cells.table.names)
        columns = list(zip(*self.texts(), strict=True)) if self.texts() else [()] * len(names)
        numbers = self._figures or [place >= self._left for place in range(len(names))]
        measure = self.fontMetrics().horizontalAdvance
        self._shown = [
            in_line(cells, measure) if number else list(cells) for cells, number in zip(columns, numbers, strict=True)
        ]
        if not names:
            return
        heads, halves = (
            [round(_BOLD * max(map(measure, split(name.strip())))) + tokens.SPACE_S for name in names]
            for split in (lambda name: (name,), lambda name: halves_of(name, measure))
        )
        cells = [max(map(measure, shown), default=0) for shown in self._shown]
        usual, least = (
            [max(pair) + 2 * tokens.SPACE_M for pair in zip(one, cells, strict=True)] for one in (heads, halves)
        )
        whole = usual[0]
        for widths in (usual, least):  # what is very long, as why a protocol cannot be used, is cut in any case
            for place, number in enumerate(numbers):
                widths[place] = widths[place] if number else min(widths[place], tokens.EXPLAIN_WIDTH)
        self.wanted_width = sum(usual) + 2 * self.frameWidth()
        room = self.viewport().width()
        self._show_heads_in_lines(sum(usual) > room)
        widths = usual if sum(usual) <= room else least
        found = _in_whole(widths, room)
        found[0] += max(min(whole - found[0], room - sum(found)), 0)  # names have the room that numbers leave
        for place, width in enumerate(found):
            self.setColumnWidth(place, width)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def _enter(self, index: Any) -> None:
        self.chosen.emit(index.row())


class _InLine(QStyledItemDelegate):
    """Writes the cells of a `FiguresTable`."""

    def __init__(self, table: FiguresTable) -> None:
        super().__init__(table)
        self._table = table

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        shown: Any = option  # whose attributes the stubs of Qt do not know
        shown.text = self._table.shown(index.row(), index.column())


def in_line(texts: Sequence[str], width: Callable[[str], int] = len) -> list[str]:
    """Numbers with spaces in the place of the digits that others of their column have more.

    What stands behind a ± or in brackets is in line, too.

    Parameters
    ----------
    width
        Of a text as it is drawn.

    >>> [text.replace(_DIGIT, "_").replace(_POINT, ":") for text in in_line(["12.5 ± 1.25", "0.125 ± 10", "–"])]
    ['12.5__ ± _1.25', '0.125 ± 10:__', '–:___   __:__']
    """
    parts = [_BESIDE.split(text, 1) for text in texts]
    marks = [found[0] if (found := _BESIDE.findall(text)) else "" for text in texts]
    ahead = _padded([part[0] for part in parts])
    if not any(marks):
        return ahead
    behind = _padded([part[1] if part[1:] else "" for part in parts], left=True)
    blank = " " * round(max(map(width, marks)) / width(" "))
    return [f"{one}{mark or blank}{other}" for one, mark, other in zip(ahead, marks, behind, strict=True)]


def _padded(numbers: Sequence[str], *, left: bool = False) -> list[str]:
    """The same with as much room behind the point as the longest takes, and before it as the widest where `left`."""
    pieces = [number.partition(".") for number in numbers]
    most = max((len(rest) for _, _, rest in pieces), default=0)
    widest = max((len(whole) for whole, _, _ in pieces), default=0) if left else 0
    return [
        f"{whole.rjust(widest, _DIGIT)}{point or _POINT * (most > 0)}{rest.ljust(most, _DIGIT)}"
        for whole, point, rest in pieces
    ]


def _in_whole(widths: Sequence[int], room: int) -> list[int]:
    """Widths with which all columns are seen, or as many as can be, and none in part; for that the first is cut."""
    found = list(widths)
    if sum(found) <= room:
        return found
    found[0] = min(found[0], tokens.FIELD_WIDTH)
    reached = list(accumulate(found))
    found[0] += room - max((end for end in reached if end <= room), default=room)
    return found
