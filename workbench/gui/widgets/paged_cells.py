"""The cells of a table whose rows are in an engine: brought page by page, on another thread, as they are looked at."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from workbench.core.progress import Progress
from workbench.core.table import Table
from workbench.gui.later import Later
from workbench.gui.runner import Runner

PAGE = 256
_KEPT = 128
"""Pages in memory; those farthest from what is seen are forgotten first."""
_WANTED = 3
"""Pages somebody waits for. While the bar is dragged, what has gone by is not worth bringing any more."""

_Row = tuple[str, ...]
_Page = tuple[int, list[_Row]]


class PagedCells(QObject):
    """Texts by place on the screen; a page that is not there yet is brought, with the ones beside it.

    Parameters
    ----------
    order
        Row numbers in the order shown; None for all rows as they come.

    Signals
    -------
    arrived(int, int)
        Rows that can be shown now: the first and the one behind the last.
    """

    arrived = Signal(int, int)

    def __init__(self, table: Table, order: NDArray[np.intp] | None, runner: Runner, parent: QObject) -> None:
        super().__init__(parent)
        self._table, self._order, self._runner = table, order, runner
        self._rows = table.rows if order is None else len(order)
        self._pages: dict[int, list[_Row]] = {}
        self._wanted: list[int] = []
        self._beside: list[int] = []
        self._loading: int | None = None
        self._later = Later(self, self._load)

    def text(self, row: int, column: int) -> str | None:
        """The text of a cell; None while it is being brought."""
        page = self._pages.get(row // PAGE)
        if page is None:
            self._want(row // PAGE)
            return None
        return page[row % PAGE][column]

    def texts(self, first: int, last: int, progress: Progress) -> list[_Row]:
        """The rows from `first` up to `last`; on any thread but that of the window."""
        found: list[_Row] = []
        for start in range(first, last, PAGE):
            progress((start - first) / max(last - first, 1))
            found += self._brought(start, min(start + PAGE, last))
        return found

    def _brought(self, start: int, stop: int) -> list[_Row]:
        if self._order is None:
            return self._table.page(start, stop - start)
        return self._table.pick(self._order[start:stop].tolist())

    def _want(self, page: int) -> None:
        if page == self._loading:
            return
        if page in self._wanted:
            self._wanted.remove(page)
        self._wanted.append(page)
        del self._wanted[:-_WANTED]
        if self._loading is None and not self._later.isActive():
            self._later.start()

    def _load(self) -> None:
        """Bring what is waited for most, and then what lies beside it."""
        while self._loading is None and (self._wanted or self._beside):
            ahead = not self._wanted
            page = (self._beside if ahead else self._wanted).pop()
            if page in self._pages or not 0 <= page * PAGE < self._rows:
                continue
            self._loading = page
            if not ahead:
                self._beside = [page - 1, page + 1]
            self._runner.start(
                "Bringing rows",
                partial(_bring, self._brought, page, self._rows),
                on_done=self._take,
                on_failed=self._fail,
                owner=self,
                aside=True,
            )

    def _take(self, brought: _Page) -> None:
        page, rows = brought
        self._loading = None
        self._pages[page] = rows
        while len(self._pages) > _KEPT:
            del self._pages[max(self._pages, key=partial(_far, page))]
        self.arrived.emit(page * PAGE, page * PAGE + len(rows))
        self._load()

    def _fail(self, _error: BaseException) -> None:
        # Not tried again by itself: whoever looks there again asks for it again.
        self._loading = None
        self._wanted.clear()
        self._beside.clear()


def _bring(brought: Callable[[int, int], list[_Row]], page: int, rows: int, _progress: Progress) -> _Page:
    return page, brought(page * PAGE, min((page + 1) * PAGE, rows))


def _far(page: int, other: int) -> int:
    return abs(page - other)
