"""Writing a table as CSV, fast and harmless to open in a spreadsheet."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table
from workbench.io.atomic import atomic_write

_ROWS = 4096
_REPORT_EVERY = 0.05  # seconds
_NUMBER = re.compile(r"[+-]?[$€£¥]?(?:[0-9][0-9.,'\u00a0\u202f ]*|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?\s?[%$€£¥]?")
_HYPHENS = re.compile(r"-+")
# The full-width forms are taken for the plain ones by spreadsheets in some languages.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
# Every common delimiter is quoted, not only the one in use, so that no reader guesses a wrong one.
_NEEDS_QUOTES = re.compile(r'[,;\t|"\r\n\ufeff]|^sep=|^\s|\s$', re.IGNORECASE)


@dataclass(frozen=True)
class WriteReport:
    """What was written: the number of rows, and how many different texts were neutralised."""

    rows: int
    neutralised: int


def neutral(text: str) -> str:
    """The text with an apostrophe before it if a spreadsheet would run it as a formula.

    That is a text that starts with = + - @ or a control character. Numbers and cells of nothing but
    hyphens cannot be formulas and stay as they are.
    """
    if not text.startswith(_FORMULA) or _NUMBER.fullmatch(text) or _HYPHENS.fullmatch(text):
        return text
    return f"'{text}"


def write_csv(
    table: Table,
    path: str | os.PathLike[str],
    *,
    delimiter: str = ",",
    protected: Iterable[str | os.PathLike[str]] = (),
    progress: Progress = SILENT,
    neutralise: bool = True,
) -> WriteReport:
    """Write `table` in UTF-8 with a heading; the old file survives untouched if anything goes wrong.

    Parameters
    ----------
    protected
        Files that must not be overwritten, such as the one the data was read from.
    neutralise
        Whether texts that a spreadsheet would run as a formula get an apostrophe (see `neutral`).

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
    if not table.columns:
        raise WorkbenchError("There is no column to write.", hint="Keep at least one column.")
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise WorkbenchError(
            "The delimiter must be one character.", hint="Common ones: , ; | and tab.", field="delimiter"
        )
    lonely = len(table.columns) == 1
    changed: set[str] = set()
    cells: list[list[str]] = []
    progress(0.0, "Writing the file")
    for column in table.columns:
        used = (column.counts > 0).tolist()
        cells.append(
            [
                _cell(text, delimiter, lonely, neutralise, changed) if occurs else ""
                for text, occurs in zip(column.values, used, strict=True)
            ]
        )
        progress(0.0)
    heading = [_cell(name, delimiter, lonely, neutralise, changed) for name in table.names]
    last = time.monotonic()
    with atomic_write(path, protected=protected) as file:
        file.write((delimiter.join(heading) + "\n").encode("utf-8", "replace"))
        for start in range(0, table.rows, _ROWS):
            stop = min(start + _ROWS, table.rows)
            columns = (
                map(texts.__getitem__, column.codes[start:stop].tolist())
                for texts, column in zip(cells, table.columns, strict=True)
            )
            lines = map(delimiter.join, zip(*columns, strict=True))
            file.write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
            now = time.monotonic()
            if now - last >= _REPORT_EVERY:
                progress(stop / table.rows, f"{stop:,} rows written")
                last = now
        progress(1.0, f"{table.rows:,} rows written")
    return WriteReport(table.rows, len(changed))


def neutralised_texts(table: Table) -> int:
    """How many different texts `write_csv` would neutralise, headings included."""
    texts = set(table.names)
    for column in table.columns:
        used = (column.counts > 0).tolist()
        texts.update(text for text, occurs in zip(column.values, used, strict=True) if occurs)
    return sum(neutral(text) != text for text in texts)


def _cell(text: str, delimiter: str, lonely: bool, neutralise: bool, changed: set[str]) -> str:
    safe = neutral(text) if neutralise else text
    if safe != text:
        changed.add(text)
    if _NEEDS_QUOTES.search(safe) or delimiter in safe:
        return '"' + safe.replace('"', '""') + '"'
    # In a table of one column an empty cell would be a blank line, which may be taken for no row.
    return '""' if lonely and not safe else safe
