"""Blocks of a file that are plain: cells are found by the places of the delimiters alone.

Most files hold no quotation mark at all, or few. Where a block of whole lines holds none, and every line has as many
cells as the heading, the cells are what stands between the delimiters, and numpy finds these a hundred times faster
than a reader that looks at every sign. What is plain is decided so that `workbench.io.rows` would find the same cells;
where that is not sure, the block is not plain.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.discreet import discreet
from workbench.io.dialect import Dialect
from workbench.io.word_table import PADDING

BYTE_BY_BYTE = frozenset(
    {"utf-8", "ascii", "cp437", "cp850", "cp852", "cp858", "koi8-r", "koi8-u", "mac-roman"}
    | {f"cp{number}" for number in range(1250, 1259)}
    | {f"iso8859-{number}" for number in range(1, 17) if number != 12}
)
"""Encodings in which a byte below 128 is always the letter that it is in ASCII, and cells can be decoded one by one."""

_LINE_FEED, _CARRIAGE_RETURN, _SPACE = 10, 13, 32


@discreet
@dataclass(frozen=True, eq=False)
class PlainBlock:
    """Whole lines, and where their cells are.

    Parameters
    ----------
    data
        The lines, with `PADDING` bytes after them.
    starts, lengths
        Where each cell begins and its bytes, of shape (columns, rows).
    encoding
        Of the cells; "ascii" where no byte is beyond it.
    """

    data: bytes
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    encoding: str

    @property
    def rows(self) -> int:
        return int(self.starts.shape[1])

    def first(self, rows: int) -> PlainBlock:
        """The block without the rows behind so many."""
        return PlainBlock(self.data, self.starts[:, :rows], self.lengths[:, :rows], self.encoding)


class PlainReader:
    """Tells which blocks of a file are plain, and where their cells are."""

    def __init__(self, dialect: Dialect) -> None:
        self._delimiter = dialect.delimiter.encode()
        self._quote = dialect.quote.encode()
        self._skip_spaces = dialect.skip_spaces
        self._encoding = codecs.lookup(dialect.encoding).name
        # In these a delimiter, a quotation mark and a line end are one byte each, which is part of no other letter.
        signs = len(self._delimiter) == 1 and len(self._quote) <= 1
        self.possible = signs and self._encoding in BYTE_BY_BYTE

    def block(self, lines: bytes, width: int) -> PlainBlock | None:
        """The cells of whole lines, each ended by a line feed; None if they are not plain.

        Parameters
        ----------
        width
            The cells every line must have.
        """
        if (self._quote and self._quote in lines) or b"\0" in lines:
            return None
        returns = b"\r" in lines
        if returns and lines.count(b"\r") != lines.count(b"\r\n"):
            return None
        encoding = "ascii"
        if not lines.isascii():
            encoding = self._encoding
            try:
                lines.decode(encoding)
            except UnicodeDecodeError:
                return None
        if width == 1 and b"\n\n" in lines:
            return None  # seen here already, because a packed file may be nothing else
        data = lines + bytes(PADDING)
        signs = np.frombuffer(data, np.uint8)
        found = signs == _LINE_FEED
        rows = int(np.count_nonzero(found))
        found |= signs == self._delimiter[0]
        ends = np.flatnonzero(found)
        if len(ends) != rows * width or not rows:
            return None
        ends = np.ascontiguousarray(ends.reshape(rows, width).T)
        if (signs[ends[-1]] != _LINE_FEED).any():
            return None
        starts = np.empty_like(ends)
        np.add(ends[:-1], 1, out=starts[1:])
        starts[0, 0] = 0
        np.add(ends[-1, :-1], 1, out=starts[0, 1:])
        lengths = ends - starts
        if returns:
            # A cell of nothing has the line end or the delimiter before it in front.
            lengths[-1] -= (signs[ends[-1] - 1] == _CARRIAGE_RETURN) & (lengths[-1] > 0)
        # A line with nothing on it is not a row, or only if a value comes below.
        if width == 1 and not lengths.all():
            return None
        if self._skip_spaces:
            _skip_spaces(signs, starts, lengths)
        return PlainBlock(data, starts, lengths, encoding)


def _skip_spaces(signs: NDArray[np.uint8], starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> None:
    """Let every cell begin behind the spaces at its start."""
    begin, length = starts.ravel(), lengths.ravel()
    left = np.flatnonzero((signs[begin] == _SPACE) & (length > 0))  # the last cell has a line end behind it
    while len(left):
        begin[left] += 1
        length[left] -= 1
        left = left[(signs[begin[left]] == _SPACE) & (length[left] > 0)]
