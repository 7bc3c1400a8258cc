"""Recognising how a file is written from its first bytes: encoding, delimiter, preamble, heading.

Every candidate delimiter is tried on the sample and scored by how consistently it cuts the lines into the
same number of cells and how few of those cells still hold another delimiter outside a number. The latter
tells `1,5;2,5` (two decimal commas) from a comma-separated line.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from workbench.core.errors import WorkbenchError

DELIMITERS = (",", ";", "\t", "|")

_SAMPLE_ROWS = 400
_MAX_PREAMBLE = 40
_FEW_CONTROLS = 4
_LONGEST_VALUE = 60
_END = "\0"
_ONE_COLUMN = 0.5
_PREAMBLE = 0.7
_RUNAWAY = 0.8
_PLAIN_QUOTE = 0.9
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_UNDEFINED_IN_CP1252 = b"\x81\x8d\x8f\x90\x9d"
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\v\x1a\x1b")) + b"\x7f"

_NUMBER = re.compile(
    r"[(+\-−]?\s?[$€£¥]?\s?[+\-]?(?:[0-9][0-9.,'\u00a0\u202f ]*|[.,][0-9]+)"
    r"(?:[eE][+\-]?[0-9]+)?\s?[%$€£¥]?\)?"
)
_DATE = re.compile(r"[0-9]{1,4}([-/.])[0-9]{1,2}\1[0-9]{1,4}(?:[T ][0-9:.]+.*)?|[0-9]{1,2}:[0-9]{2}(?::[0-9.]+)?")
_YEAR = re.compile(r"(?:1[89]|2[01])[0-9]{2}")
_NO_VALUE = frozenset({"na", "n/a", "nan", "null", "none", "-", ".", "?"})
_DECLARED = re.compile(r"\s*sep=(.)\r?\n?", re.IGNORECASE)
_SINGLE_QUOTED = re.compile(r"(?:^|[,;\t|])'[^'\r\n]*'(?=[,;\t|\r\n]|$)", re.MULTILINE)


@dataclass(frozen=True)
class Recognised:
    """The dialect that a sample seems to have; the fields are those of `Dialect`."""

    delimiter: str
    quote: str
    header: bool
    skip_lines: int
    skip_spaces: bool


@dataclass(frozen=True)
class _Cut:
    """The sample cut by one delimiter and quotation mark."""

    delimiter: str
    quote: str
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    width: int
    score: float


def recognise_encoding(head: bytes, name: str) -> str:
    """The encoding of the file `name` that starts with `head`.

    Byte order mark, else the pattern of NUL bytes that UTF-16 leaves, else `eight_bit_encoding`.

    Raises
    ------
    WorkbenchError
        If the bytes are no text in any of them.
    """
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            return encoding
    wide = _utf16_without_mark(head)
    if wide:
        return wide
    controls = len(head) - len(head.translate(None, _CONTROLS))
    if controls > max(_FEW_CONTROLS, 0.1 * len(head)):
        raise WorkbenchError(
            f"“{name}” is not a text file.",
            hint="Save or export it as CSV with the program it came from, then open that file.",
            field="path",
        )
    return eight_bit_encoding(head)


def eight_bit_encoding(data: bytes) -> str:
    """UTF-8 if the bytes are (apart from rare damage), else Windows-1252, else Latin-1."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
        damaged = text.count("\ufffd")
        sound = sum(1 for letter in text if letter > "\x7f") - damaged
        if sound >= 10 * damaged:
            return "utf-8"
        return "cp1252" if not any(byte in data for byte in _UNDEFINED_IN_CP1252) else "latin-1"
    return "utf-8"


def recognise(head: bytes, encoding: str) -> Recognised:
    """The rest of the dialect from the first bytes of a file."""
    text = codecs.getincrementaldecoder(encoding)("replace").decode(head).removeprefix("\ufeff")
    lines = io.StringIO(text, newline="").readlines()
    if len(lines) > 1 and not text.endswith(("\n", "\r")):
        lines.pop()  # The last line of a sample may be cut.
    return recognise_lines(lines[: 4 * _SAMPLE_ROWS])


def recognise_lines(lines: Sequence[str]) -> Recognised:
    """The dialect of lines that keep their line ends."""
    declared = _DECLARED.fullmatch(lines[0]) if lines else None
    if declared:
        cuts = [_cut(lines[1:], declared[1], '"')]
        above = 1
    else:
        cuts = _cuts(lines)
        above = 0
    best = max(cuts, key=lambda cut: cut.score)
    first, preamble = _table_start(best)
    rows = [row for _, row in best.rows[first:]]
    return Recognised(
        delimiter=best.delimiter,
        quote=best.quote,
        header=has_header(rows),
        skip_lines=above + preamble,
        skip_spaces=_spaces_follow(rows),
    )


def recognise_rows(rows: Sequence[tuple[int, Sequence[str]]]) -> tuple[bool, int]:
    """Whether cells that are cut already have a heading, and how many lines stand above the table.

    Parameters
    ----------
    rows
        The line of each row, from 0, and its cells; rows without any text left out.
    """
    if not rows:
        return True, 0
    # A title alone in its row says nothing about which columns there are.
    tables = [row for _, row in rows if _filled(row) > 1] or [row for _, row in rows]
    places = [
        place for place in range(max(map(len, tables))) if any("".join(r[place : place + 1]).strip() for r in tables)
    ]
    cells = [(line, tuple("".join(row[place : place + 1]) for place in places)) for line, row in rows]
    first = 0
    for position, (line, row) in enumerate(cells[: min(len(cells) - 1, _MAX_PREAMBLE)]):
        full = any(_filled(below) == len(places) for _, below in cells[position + 1 : position + 4])
        # In a table of two columns a single name is a title only if nothing follows right below it.
        apart = len(places) > 2 or cells[position + 1][0] > line + 1
        if _filled(row) > 1 or len(places) == 1 or (_filled(row) and not (full and apart)):
            break
        first = position + 1
    return has_header([row for _, row in cells[first:]]), cells[first][0] if first else 0


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns rather than being a row of values.

    A name is no number, date or "no value", and does not turn up again among the values below it. Without
    any evidence a heading is assumed, because most files have one.
    """
    if not rows:
        return True
    head, body = rows[0], rows[1:]
    votes = 0.0
    for position, raw in enumerate(head):
        name = raw.strip()
        below = [row[position].strip() for row in body if position < len(row)]
        below = [value for value in below if value and value.casefold() not in _NO_VALUE]
        numbers = sum(map(_is_value, below))
        if not name:
            continue
        if name.casefold() in _NO_VALUE:
            votes -= 0.5
        elif _is_value(name):
            years = _YEAR.fullmatch(name) and not all(map(_YEAR.fullmatch, below))
            votes += 0.0 if years else -1.0
        elif below and numbers >= 0.9 * len(below):
            votes += 1.0
        elif name in below:
            votes -= 1.0
    return votes >= 0


def _utf16_without_mark(head: bytes) -> str:
    pairs = len(head) // 2
    if pairs < 2:
        return ""
    even, odd = head[0 : 2 * pairs : 2].count(0), head[1 : 2 * pairs : 2].count(0)
    if max(even, odd) < 0.05 * pairs or min(even, odd) > 0.02 * max(even, odd):
        return ""
    encoding = "utf-16-le" if odd > even else "utf-16-be"
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(head)
    except UnicodeDecodeError:
        return ""
    return encoding if "\n" in text or "\r" in text or max(even, odd) > 0.5 * pairs else ""


def _cuts(lines: Sequence[str]) -> list[_Cut]:
    text = "".join(lines)
    quotes = ['"']
    if '"' not in text and _SINGLE_QUOTED.search(text):
        quotes.append("'")
    cuts = []
    for quote in quotes:
        cuts += [_cut(lines, delimiter, quote) for delimiter in DELIMITERS]
    if '"' in text:
        # A quotation mark that only means itself (inches, ditto) makes cells run over many lines. Reading
        # it as a plain letter must be clearly better before it is preferred.
        for delimiter in DELIMITERS:
            plain = _cut(lines, delimiter, "")
            cuts.append(_Cut(delimiter, "", plain.rows, plain.width, _PLAIN_QUOTE * plain.score))
    return cuts


def _cut(lines: Sequence[str], delimiter: str, quote: str) -> _Cut:
    reader = csv.reader(
        chain(lines, (f"{_END}{delimiter}{_END}",)),
        delimiter=delimiter,
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
    )
    rows: list[tuple[int, tuple[str, ...]]] = []
    line, closed = 0, False
    for row in reader:
        if row == [_END, _END]:
            closed = True
        elif any(cell.strip() for cell in row):
            rows.append((line, tuple(row)))
        line = reader.line_num
        if len(rows) >= _SAMPLE_ROWS:
            closed = True
            break
    if not closed and len(rows) > 1:
        rows.pop()
    widths = Counter(len(row) for _, row in rows)
    if not widths:
        return _Cut(delimiter, quote, (), 1, 0.0)
    width = max(widths, key=lambda w: (widths[w], w))
    # Consistency counts from where the table starts: a preamble must not cost the right delimiter its lead.
    start = _first_of_width(rows, width)
    table = [row for _, row in rows[start:]]
    share = sum(len(row) == width for row in table) / len(table)
    score = share**2 * _cleanness(table, delimiter)
    if start:
        # A delimiter that explains every line is better than one that must leave lines out.
        score *= _PREAMBLE
    if width == 1:
        # "Everything is one column" is perfectly consistent under any delimiter that does not occur.
        score *= _ONE_COLUMN
    if not closed or len(table) < line / 4:
        # A quotation mark that runs away swallows lines; many-line cells do so only in moderation.
        score *= _RUNAWAY
    return _Cut(delimiter, quote, tuple(rows), width, score + 1e-4 * min(width, 50))


def _cleanness(rows: Sequence[Sequence[str]], delimiter: str) -> float:
    """Share of cells that look like one value: no other delimiter, no quotation marks around them or torn apart.

    A delimiter before a space ("Smith, John") is punctuation more often than not and counts half.
    """
    others = "".join(other for other in DELIMITERS if other != delimiter)
    torn_tight, torn = re.compile(f"[{others}](?! )"), re.compile(f"[{others}]")
    cells, unclean = 0, 0.0
    for row in rows:
        unclean += _torn_apart(row)
        for cell in row:
            text = cell.strip()
            if not text:
                continue
            cells += 1
            if len(text) > 1 and text[0] in "\"'" and text[0] == text[-1]:
                unclean += 1
            elif torn.search(text) and not _NUMBER.fullmatch(text):
                unclean += 1 if torn_tight.search(text) else 0.5
    return 1.0 - 0.9 * unclean / max(cells, 1)


def _torn_apart(row: Sequence[str]) -> int:
    """How many cells are parts of quoted ones that were cut, as those of "$10,600.00" at the comma."""
    torn, opened = 0, -1
    for place, cell in enumerate(row):
        text = cell.strip()
        starts, ends = text[:1] == '"', len(text) > 1 and text[-1] == '"'
        if starts and not ends:
            opened = place if len(text) > 1 else -1
        elif ends and not starts and opened >= 0:
            torn, opened = torn + place - opened + 1, -1
    return torn


def _first_of_width(rows: Sequence[tuple[int, tuple[str, ...]]], width: int) -> int:
    found = next((i for i, (_, row) in enumerate(rows[:_MAX_PREAMBLE]) if len(row) == width), 0)
    # One cell less is no preamble but a heading without the name of the row numbers, or without the
    # delimiter that ends every other line.
    if found and width > 2 and len(rows[found - 1][1]) == width - 1:
        below = [row for _, row in rows[found:]]
        return found if _evident(below) else found - 1
    return found


def _table_start(cut: _Cut) -> tuple[int, int]:
    """Index of the first row of the table, and the number of lines above it."""
    rows = cut.rows
    if not rows:
        return 0, 0
    first = _first_of_width(rows, cut.width)
    # Spreadsheets pad the title above a table with empty cells: one filled cell above a full row.
    for position in range(first, min(len(rows) - 1, _MAX_PREAMBLE)):
        if cut.width < 3 or _filled(rows[position][1]) > 1:
            break
        if any(_filled(row) == cut.width for _, row in rows[position + 1 : position + 4]):
            first = position + 1
    return (first, rows[first][0]) if first else (0, 0)


def _filled(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _evident(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row stands out: words above numbers."""
    head, body = rows[0], rows[1:]
    return any(
        not _is_value(name) and body and all(_is_value(row[i]) for row in body if i < len(row) and row[i].strip())
        for i, name in enumerate(head)
        if name.strip()
    )


def _spaces_follow(rows: Sequence[Sequence[str]]) -> bool:
    later = [cell for row in rows for cell in row[1:] if cell]
    return bool(later) and sum(cell[0] == " " for cell in later) >= 0.95 * len(later)


def _is_value(text: str) -> bool:
    stripped = text.strip()
    if len(stripped) > _LONGEST_VALUE:
        return False
    return bool(_NUMBER.fullmatch(stripped) or _DATE.fullmatch(stripped))
