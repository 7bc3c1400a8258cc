"""Byte accounts: a check that an engine's own reader has read CSV files as the program reads them.

Quick readers are lenient: they drop a cell too many if it is empty, spaces after a quotation mark, and even rows where
line ends of two sorts are mixed. What they have read is therefore compared with the files byte by byte, by sort: the
delimiters must be those between cells and those within them, and all bytes that are no sign of the format must be in
the cells. Files for which this does not come out even are read by the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from workbench.core.progress import SILENT, Progress
from workbench.engines.store import Store
from workbench.io.opening import explained

_BLOCK = 1 << 22
_BOM = b"\xef\xbb\xbf"
_NEWLINE, _RETURN = b"\n", b"\r"
_LINE_ENDS = ("\n", "\r")


@dataclass(frozen=True)
class ByteCounts:
    """The bytes below the headings of some files, by sort.

    Parameters
    ----------
    delimiters, quotes, nothings
        Signs of the format, and NUL characters, which are no text.
    others
        All bytes but those, line feeds and carriage returns.
    even_lines
        Whether the lines of each file all end alike, also those within cells and above the values: by a line feed, or
        by a carriage return and a line feed.
    """

    delimiters: int
    quotes: int
    nothings: int
    others: int
    even_lines: bool


def counted(files: Iterable[tuple[Path, int]], delimiter: str, quote: str, progress: Progress = SILENT) -> ByteCounts:
    """Count the bytes of files, each without so many lines at its beginning."""
    listed = list(files)
    delimiters = quotes = nothings = others = 0
    even = True
    for place, (path, above) in enumerate(listed):
        part = progress.part(place / len(listed), (place + 1) / len(listed))
        ends, read, missing = _LineEnds(), 0, above
        with explained(path), path.open("rb", buffering=0) as file, ThreadPoolExecutor(1) as beside:
            size = max(path.stat().st_size, 1)
            while block := file.read(_BLOCK):
                part(min(read / size, 1.0), "Checking what was read")
                below, missing = _below(block.removeprefix(b"" if read else _BOM), missing)
                read += len(block)
                between = beside.submit(_often, below, delimiter)
                feeds = _often(below, "\n")
                ends.add(block, feeds + block[: len(block) - len(below)].count(_NEWLINE))
                signs = between.result(), below.count(quote.encode()) if quote else 0, below.count(0)
                delimiters, quotes, nothings = delimiters + signs[0], quotes + signs[1], nothings + signs[2]
                others += len(below) - sum(signs) - feeds - below.count(_RETURN)
        even = even and ends.even and not missing
    return ByteCounts(delimiters, quotes, nothings, others, even)


def _often(block: bytes, sign: str) -> int:
    """How often a sign comes that comes often, which `bytes.count` is slow with."""
    return int(np.count_nonzero(np.frombuffer(block, dtype=np.uint8) == ord(sign)))


def _below(block: bytes, lines: int) -> tuple[bytes, int]:
    """Rest of a block without `lines` lines at its beginning, and the number of those that are not in it."""
    while lines and block:
        _, newline, block = block.partition(_NEWLINE)
        lines -= len(newline)
    return block, lines


class _LineEnds:
    """Counts the line ends of a file, by sort."""

    def __init__(self) -> None:
        self._feeds = self._returns = self._pairs = 0
        self._last = b""

    def add(self, block: bytes, feeds: int) -> None:
        """Count those of a further block, in which there are so many line feeds."""
        self._feeds += feeds
        if returns := block.count(_RETURN):
            self._returns += returns
            self._pairs += block.count(_RETURN + _NEWLINE)
        self._pairs += self._last == _RETURN and block[:1] == _NEWLINE
        self._last = block[-1:]

    @property
    def even(self) -> bool:
        """Whether all are the same."""
        return not self._returns or self._feeds == self._returns == self._pairs


def accounted(
    store: Store,
    relation: str,
    columns: Sequence[tuple[str, Sequence[str] | None]],
    counts: ByteCounts,
    delimiter: str,
    quote: str,
    progress: Progress = SILENT,
) -> bool:
    """Whether the cells of a relation are what files with such bytes hold.

    Parameters
    ----------
    columns
        The columns of the relation; with the values of each code where a column holds codes, with None where it holds
        texts.
    """
    if counts.nothings or not counts.even_lines:
        return False
    # Nothing but a cell in quotation marks can hold signs of the format.
    signs = (delimiter, quote, *_LINE_ENDS) if counts.quotes else ()
    delimiters = store.count(relation) * (len(columns) - 1)
    others = 0
    for place, (column, values) in enumerate(columns):
        part = progress.part(place / len(columns), (place + 1) / len(columns))
        if values is None:
            held, plain = _of_texts(store, relation, column, delimiter, signs, part)
        else:
            held, plain = _of_codes(store, relation, column, values, delimiter, signs, part)
        delimiters, others = delimiters + held, others + plain
    return (delimiters, others) == (counts.delimiters, counts.others)


def _of_codes(
    store: Store,
    relation: str,
    column: str,
    values: Sequence[str],
    delimiter: str,
    signs: Sequence[str],
    progress: Progress,
) -> tuple[int, int]:
    """The delimiters in the cells of a column, and the bytes in them that are no sign of the format."""
    codes, rows = store.fetch(f"SELECT {column} AS k, count(*) AS n FROM {relation} GROUP BY {column}", progress)
    held = plain = 0
    for code, number in zip(codes.tolist(), rows.tolist(), strict=True):
        value = values[int(code)]
        held += number * value.count(delimiter)
        plain += number * (len(value.encode()) - sum(map(value.count, signs)))
    return held, plain


def _of_texts(
    store: Store, relation: str, column: str, delimiter: str, signs: Sequence[str], progress: Progress
) -> tuple[int, int]:
    """The same, of a column of texts."""
    literal = store.dialect.literal
    if not signs:
        return 0, int(store.rows(f"SELECT coalesce(sum(strlen({column})), 0) FROM {relation}", progress)[0][0])
    plain = "v"
    for sign in signs:
        plain = f"replace({plain}, {literal(sign)}, '')"
    held = f"strlen(v) - strlen(replace(v, {literal(delimiter)}, ''))"
    values = f"SELECT {column} AS v, count(*) AS n FROM {relation} GROUP BY {column}"
    sums = f"coalesce(sum(n * ({held})), 0), coalesce(sum(n * strlen({plain})), 0)"
    found = store.rows(f"SELECT {sums} FROM ({values}) AS x", progress)[0]
    return int(found[0]), int(found[1])
