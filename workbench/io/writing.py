"""Writing a table as CSV, fast and harmless to open in a spreadsheet."""

from __future__ import annotations

import codecs
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import mul
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Column, Table
from workbench.io.atomic import atomic_write
from workbench.io.export_format import ExportFormat, WriteReport

_ROWS = 1 << 14
_MOST = 1 << 16
"""Different lines that are remembered at a time."""
_ROOM = 1 << 62
_REPORT_EVERY = 0.05  # seconds
_NUMBER = re.compile(r"[+-]?[$€£¥]?(?:[0-9][0-9.,'\u00a0\u202f ]*|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?\s?[%$€£¥]?")
_PARTED = re.compile(r"([,;|]|\t)")
_BEGINS = re.compile(r"(?<=[,;|])[=+\-@＝＋－＠]")
_HYPHENS = re.compile(r"-+")
_DECIMAL = re.compile(r"[+-]?[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?")
# The full-width forms are taken for the plain ones by spreadsheets in some languages.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
# Every common delimiter is quoted, not only the one in use, so that no reader guesses a wrong one.
_NEEDS_QUOTES = re.compile(r'[,;\t|"\r\n\ufeff]|^sep=|^\s|\s$', re.IGNORECASE)


def neutral(text: str) -> str:
    """The text with an apostrophe before it if a spreadsheet would run it as a formula.

    That is a text that starts with = + - @ or a control character. Numbers and cells of nothing but
    hyphens cannot be formulas and stay as they are.
    """
    if not text.startswith(_FORMULA) or _NUMBER.fullmatch(text) or _HYPHENS.fullmatch(text):
        return text
    return f"'{text}"


def neutral_line(text: str) -> str:
    """A line of words in a table, such as a note that begins with #, of which no cell is run as a formula either.

    A spreadsheet parts it at every comma, semicolon and tab, so that a name with one may begin a cell.
    """
    first, *others = _PARTED.split(text)  # the first begins with # where it is a note
    return first + "".join(sign + _neutral_part(part) for sign, part in zip(others[::2], others[1::2], strict=True))


def neutral_json(text: str) -> str:
    """The same for JSON in one line, as `json.dumps` parts it: read again it is what it was.

    >>> neutral_json('{"a,=b": "c, =d"}')
    '{"a,\\\\u003db": "c, =d"}'
    """
    return _BEGINS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _neutral_part(part: str) -> str:
    quote = '"' * part.startswith('"')
    return quote + neutral(part[len(quote) :])


def write_csv(
    table: Table,
    path: str | os.PathLike[str],
    *,
    delimiter: str = ",",
    protected: Iterable[str | os.PathLike[str]] = (),
    progress: Progress = SILENT,
    neutralise: bool = True,
    before: Callable[[], object] | None = None,
) -> WriteReport:
    """Write `table` in UTF-8 with a heading; the old file survives untouched if anything goes wrong.

    Parameters
    ----------
    protected
        Files that must not be overwritten, such as the one the data was read from.
    neutralise
        Whether texts that a spreadsheet would run as a formula get an apostrophe (see `neutral`).
    before
        Called when all is written, before the file takes its place. If it raises, the file does not appear.

    Returns
    -------
    WriteReport
        Counts only texts that occur in a row or a heading.

    Raises
    ------
    WorkbenchError
        If the table has no column, the delimiter cannot be one, or the file cannot be written.
    Cancelled
        If the person pressed Cancel; nothing is changed then.
    """
    style = ExportFormat(delimiter=delimiter)
    require_columns(table)
    with atomic_write(path, protected=protected) as file:
        report = csv_into(table, file, style, neutralise=neutralise, progress=progress)
        if before is not None:
            file.flush()
            before()
    return report


def csv_into(
    table: Table, file: BinaryIO, style: ExportFormat, *, neutralise: bool = True, progress: Progress = SILENT
) -> WriteReport:
    """Write the heading and the rows of a table with columns into an open file.

    Raises
    ------
    WorkbenchError
        If a text has a character that the encoding does not.
    Cancelled
        If the person pressed Cancel.
    """
    progress(0.0, "Writing the file")
    cells = CsvCells.of(table, style, neutralise=neutralise, progress=progress)
    last = time.monotonic()

    def texts() -> Iterator[str]:
        nonlocal last
        yield f"{cells.heading}\n"
        done = 0
        lines = RepeatedRows(cells, style.delimiter)
        for codes in table.blocks(table.names, _ROWS):
            yield "".join(lines.of(codes))
            done += len(codes[0])
            now = time.monotonic()
            if now - last >= _REPORT_EVERY:
                progress(done / table.rows, f"{done:,} rows written")
                last = now

    for piece in encoded(texts(), style.encoding):
        file.write(piece)
    progress(1.0, f"{table.rows:,} rows written")
    return WriteReport(table.rows, cells.neutralised)


@dataclass(frozen=True)
class CsvCells:
    """The cells of a CSV file: the heading, and for each column the cell of each of its distinct values.

    `neutralised` counts the different texts that were made safe. Values that no row has have no cell: "".
    """

    heading: str
    columns: tuple[list[str], ...]
    neutralised: int

    @classmethod
    def of(cls, table: Table, style: ExportFormat, *, neutralise: bool = True, progress: Progress = SILENT) -> CsvCells:
        """The cells of a table with columns; no row is looked at."""
        lonely = len(table.columns) == 1
        changed: set[str] = set()
        cells: list[list[str]] = []
        for column in table.columns:
            used = (column.counts > 0).tolist()
            texts = with_decimal_mark(column, style.decimal)
            cells.append(
                [
                    _cell(text, style, lonely, neutralise, changed) if occurs else ""
                    for text, occurs in zip(texts, used, strict=True)
                ]
            )
            progress(0.0)
        heading = [_cell(name, style, lonely, neutralise, changed) for name in table.names]
        return cls(style.delimiter.join(heading), tuple(cells), len(changed))


class RepeatedRows:
    """Makes lines of codes; one that came before, as nearly all do in an anonymised table, is looked up."""

    def __init__(self, cells: CsvCells, delimiter: str) -> None:
        self._cells, self._delimiter = cells, delimiter
        self._known: dict[int, str] = {}
        self._factors: list[int] | None = list(accumulate((len(c) for c in cells.columns[:-1]), mul, initial=1))
        if self._factors[-1] * len(cells.columns[-1]) >= _ROOM:
            self._factors = None  # rows have no numbers then

    def of(self, codes: Sequence[NDArray[Any]]) -> Iterable[str]:
        """The lines of some rows, each with its end."""
        if self._factors is None:
            return self._made(codes)
        rows: NDArray[np.int64] = np.zeros(len(codes[0]), np.int64)
        for factor, some in zip(self._factors, codes, strict=True):
            rows += some * np.int64(factor)
        numbers = rows.tolist()
        different = set(numbers)
        if 2 * len(different) > len(numbers) + 2:
            return self._made(codes)
        if len(self._known) > _MOST:
            self._known.clear()
        fresh = list(different.difference(self._known))
        which = np.array(fresh, dtype=np.int64)
        sizes = [max(len(column), 1) for column in self._cells.columns]
        made = self._made([which // factor % size for factor, size in zip(self._factors, sizes, strict=True)])
        self._known.update(zip(fresh, made, strict=True))
        return map(self._known.__getitem__, numbers)

    def _made(self, codes: Sequence[NDArray[Any]]) -> Iterable[str]:
        columns = zip(self._cells.columns, codes, strict=True)
        chosen = (map(known.__getitem__, some.tolist()) for known, some in columns)
        return (f"{line}\n" for line in map(self._delimiter.join, zip(*chosen, strict=True)))


def encoded(texts: Iterable[str], encoding: str) -> Iterator[bytes]:
    """Texts that follow one another, as bytes of one file.

    Raises
    ------
    WorkbenchError
        If one of them has a character that the encoding does not.
    """
    # A mark at the beginning is written once, so the encoder must remember where it is.
    errors = "replace" if codecs.lookup(encoding).name.startswith("utf") else "strict"
    encoder = codecs.getincrementalencoder(encoding)(errors)
    try:
        for text in texts:
            yield encoder.encode(text)
        yield encoder.encode("", True)
    except UnicodeEncodeError as error:
        raise WorkbenchError(
            f"The encoding {encoding} has no “{error.object[error.start]}”, which occurs in the table.",
            hint="Choose UTF-8.",
            field="encoding",
        ) from None


def require_columns(table: Table) -> None:
    """Refuse a table without columns."""
    if not table.columns:
        raise WorkbenchError("There is no column to write.", hint="Keep at least one column.")


def with_decimal_mark(column: Column, mark: str) -> Sequence[str]:
    """The distinct texts of a column, with this decimal mark if all that occur are numbers (or empty, or `*`)."""
    if mark == ".":
        return column.values
    occurring = [text for text, count in zip(column.values, column.counts.tolist(), strict=True) if count]
    if not all(_DECIMAL.fullmatch(text) or text in ("", "*") for text in occurring):
        return column.values
    return [text.replace(".", mark) if _DECIMAL.fullmatch(text) else text for text in column.values]


def neutralised_texts(table: Table) -> int:
    """How many different texts `write_csv` would neutralise, headings included."""
    texts = set(table.names)
    for column in table.columns:
        used = (column.counts > 0).tolist()
        texts.update(text for text, occurs in zip(column.values, used, strict=True) if occurs)
    return sum(neutral(text) != text for text in texts)


def _cell(text: str, style: ExportFormat, lonely: bool, neutralise: bool, changed: set[str]) -> str:
    safe = neutral(text) if neutralise else text
    if safe != text:
        changed.add(text)
    if style.quote_all or _NEEDS_QUOTES.search(safe) or style.delimiter in safe:
        return '"' + safe.replace('"', '""') + '"'
    # In a table of one column an empty cell would be a blank line, which may be taken for no row.
    return '""' if lonely and not safe else safe
