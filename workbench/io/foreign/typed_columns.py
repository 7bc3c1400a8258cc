"""Sending the columns of files that say of themselves what their columns are.

In turn: `INFO` with the names, pieces of `COLUMN`, and `NOTES` with what each column holds, which some files do not
tell before their last row.
"""

from __future__ import annotations

import datetime
import decimal
import itertools
import json
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from workbench.io.arrow_texts import bytes_as_text, number_as_text
from workbench.io.foreign import frames

MOST_PROBLEMS = 1000
BATCH = 1 << 14
"""Rows that are sent at once."""
_PLAIN = (str, int)
"""Of these, what is equal is written alike; a float and a whole number, or two moments, may be equal only in Python."""
_MOST_TEXT = 1 << 22
"""Characters of new values in a piece of a column, after which it is sent in smaller ones."""


class ColumnWriter:
    """Sends one column after the other, and remembers what sorts of values each had.

    Sorts are "integer", "decimal", "truth", "date", "moment" and "text".
    """

    def __init__(self, out: frames.FrameWriter, names: Sequence[str], rows: int = 0, **info: Any) -> None:
        self._out = out
        self.names = list(names)
        self.sorts: list[set[str]] = [set() for _ in names]
        self.sent = 0
        """Bytes of columns so far."""
        out.tell(frames.INFO, names=self.names, rows=max(rows, 0), **info)

    def send(self, columns: Sequence[Sequence[Any]]) -> None:
        """Send some rows, column by column."""
        rows = len(columns[0]) if columns else 0
        pieces = [self._piece(values, sorts) for values, sorts in zip(columns, self.sorts, strict=True)]
        if rows > 1 and any(sum(map(len, texts)) > _MOST_TEXT for texts, _ in pieces):
            for half in (slice(0, rows // 2), slice(rows // 2, rows)):
                self.send([column[half] for column in columns])
            return
        for texts, codes in pieces:
            told = json.dumps(texts).encode()
            payload = frames.LENGTHS.pack(rows, len(told)) + told + codes.tobytes()
            self._out.send(frames.COLUMN, payload)
            self.sent += len(payload)

    def send_rows(self, rows: Iterable[Sequence[Any]]) -> None:
        """Send rows of values."""
        waiting: list[Sequence[Any]] = []
        length = 0
        for row in rows:
            waiting.append(row)
            length += sum(len(value) for value in row if isinstance(value, str | bytes))
            if len(waiting) >= BATCH or length > _MOST_TEXT:
                self.send(list(zip(*waiting, strict=True)))
                waiting, length = [], 0
        if waiting:
            self.send(list(zip(*waiting, strict=True)))

    def end(self, notes: Sequence[dict[str, Any]] | None = None, problems: Problems | None = None) -> None:
        """Tell what the columns hold, as the values said or as `notes` say better, and what could not be read."""
        known = notes or [{} for _ in self.sorts]
        told = [{"sorts": sorted(sorts), **better} for sorts, better in zip(self.sorts, known, strict=True)]
        found = problems or Problems()
        counted = {"problem_count": found.count, "skipped": found.skipped}
        self._out.tell(frames.NOTES, columns=told, problems=found.listed, **counted)

    def _piece(self, values: Sequence[Any], sorts: set[str]) -> tuple[list[str], Any]:
        index: dict[str, int] = {}
        known: dict[Hashable, int] = {}
        codes = []
        for value in values:
            sort_of = type(value)
            key = value if sort_of in _PLAIN else (sort_of, value if sort_of is float else str(value))
            code = known.get(key)
            if code is None:
                text, sort = text_of(value)
                code = -1 if sort == "" else index.setdefault(text, len(index))
                if sort:
                    sorts.add(sort)
                known[key] = code
            codes.append(code)
        return list(index), np.array(codes, dtype="<i4")


def text_of(value: Any) -> tuple[str, str]:
    """The text of a value, and what sort it is: "" for no value."""
    if value is None:
        return "", ""
    if isinstance(value, LiteralNumber):
        whole = value.lstrip("-").isdigit()
        return str(value), "integer" if whole else "decimal"
    if isinstance(value, str):
        return value, "text"
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false", "truth"
    if isinstance(value, int | np.integer):
        return str(value), "integer"
    if isinstance(value, float | np.floating):
        text = number_as_text(float(value))
        whole = text.lstrip("-").isdigit()
        return text, ("integer" if whole else "decimal") if text else ""
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            return ("", "") if value.is_nan() else (str(value), "decimal")
        text = format(value, "f")
        return text, "integer" if text.lstrip("-").isdigit() else "decimal"
    if isinstance(value, datetime.datetime):
        return value.isoformat(sep=" "), "moment"
    if isinstance(value, datetime.date):
        return value.isoformat(), "date"
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes_as_text(bytes(value)), "text"
    if isinstance(value, list | dict | tuple):
        return json.dumps(value, ensure_ascii=False, default=str), "text"
    return str(value), "text"


class LiteralNumber(str):
    """A number as a text writes it, digit by digit."""

    __slots__ = ()


class Problems:
    """Values that could not be read as they stand: the first of them, and how many in all."""

    def __init__(self) -> None:
        self.listed: list[dict[str, Any]] = []
        self.count = self.skipped = 0

    def add(self, line: int, reason: str, text: str = "", *, kept: bool = False) -> None:
        """Count one, and list it while there is room."""
        self.count += 1
        self.skipped += not kept
        if len(self.listed) < MOST_PROBLEMS:
            self.listed.append({"line": line, "reason": reason, "text": text[:80], "kept": kept})


def limited(rows: Iterable[Any], limit: int | None) -> Iterator[Any]:
    """The first of some rows; all without a limit."""
    return iter(rows) if limit is None else itertools.islice(rows, limit)
