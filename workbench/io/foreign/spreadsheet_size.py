"""The size of an OpenDocument spreadsheet, found before a reader takes in all its sheets.

A cell and a row can say that they stand for a million like them, and a file of a kilobyte so for any number of cells.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterable
from itertools import chain
from typing import BinaryIO

from workbench.io.foreign.sheet_size import SheetSize, Unseen, unpacked, whole_tags

_TAG = re.compile(rb"<(/?)(?:[\w.-]+:)?(table|table-row|table-cell|covered-table-cell)(?=[\s/>])([^>]*)>")
_TIMES = re.compile(rb"""number-(?:rows|columns)-repeated\s*=\s*["']([0-9]{1,9})["']""")
_FILLED = re.compile(rb"(?:^|\s|:)value-type\s*=")


def size_of_all(file: BinaryIO, most: int, going_on: Callable[[], object]) -> SheetSize:
    """How large all sheets are together: the rows of all, the most columns of one, and the cells of all.

    Parameters
    ----------
    most
        Cells after which it is large enough.
    going_on
        Called now and then.

    Raises
    ------
    Unseen, zipfile.BadZipFile, zlib.error, EOFError
        If that cannot be found out.
    """
    with zipfile.ZipFile(file) as archive:
        members = [member for member in archive.infolist() if member.filename == "content.xml"]
        if len(members) != 1:
            raise Unseen
        return _scanned(unpacked(file, members[0]), most, going_on)


def _scanned(blocks: Iterable[bytes], most: int, going_on: Callable[[], object]) -> SheetSize:
    waiting = iter(blocks)
    first = next(waiting, b"")
    if b"\0" in first[:4] or first[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise Unseen
    scan = _Scan()
    for piece in whole_tags(chain((first,), waiting), going_on):
        scan.add(piece)
        if scan.cells > most:
            break
    return SheetSize(scan.rows, scan.columns, scan.cells)


class _Scan:
    """Rows and cells as they come. Rows that hold nothing count only where one follows that does."""

    def __init__(self) -> None:
        self.rows = self.columns = self.cells = 0
        self._empty_rows = self._at = self._reach = self._filled = 0
        self._times = 1

    def add(self, text: bytes) -> None:
        for closing, tag, attributes in _TAG.findall(text):
            times = min(int(found[1]) if (found := _TIMES.search(attributes)) else 1, 1 << 30)
            if tag == b"table":
                self._empty_rows = 0
            elif tag == b"table-row":
                if not closing:
                    self._begin(times)
                if closing or attributes.endswith(b"/"):
                    self._end()
            elif not closing:
                self._at += times
                if _FILLED.search(attributes) or not attributes.endswith(b"/"):
                    self._reach, self._filled = self._at, self._filled + times

    def _begin(self, times: int) -> None:
        self._times, self._at, self._reach, self._filled = times, 0, 0, 0

    def _end(self) -> None:
        if not self._filled:
            self._empty_rows += self._times
            return
        self.rows += self._empty_rows + self._times
        self.columns = max(self.columns, self._reach)
        self.cells += self._filled * self._times
        self._empty_rows = 0
