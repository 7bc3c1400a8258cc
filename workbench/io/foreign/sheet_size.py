"""The size of a sheet, found by reading its XML as a stream before a reader makes room for its cells.

A reader takes memory for the whole rectangle around the cells: one stray cell at XFD1048576 stands for 17 billion.
What the sheet itself says of its size is not asked, since it may say anything.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO

MOST_BYTES = 1 << 31
"""No sheet of as many cells as can be read is longer."""
_BLOCK = 1 << 20
_LONGEST_TAG = 1 << 16
_COLUMNS = re.compile(rb'<c r="([A-Z]{1,3})(?=[0-9]{1,7}"[^>/]*+>)')
_ROWS = re.compile(rb'<c r="[A-Z]{1,3}([0-9]{1,7})"[^>/]*+>')
_EMPTY = re.compile(rb'<c r="[A-Z]{1,3}[0-9]{1,7}"[^>/]*+/>')
_ROW_TAG = re.compile(rb'<row r="([0-9]{1,7})"')
_TAG = re.compile(rb"<(?:[^\s<>/:=\"']+:)?(row|c)(?=[\s/>])([^>]*)")
_PLACE = re.compile(rb"""(?:^|\s)r\s*=\s*["']([A-Za-z]{0,7})([0-9]{0,9})""")
_ATTRIBUTE = re.compile(rb"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_SHEET = re.compile(rb"<(?:\w+:)?sheet\s([^>]*)>")
_RELATION = re.compile(rb"<(?:\w+:)?Relationship\s([^>]*)>")


class Unseen(Exception):
    """The sheet is written in a way that cannot be looked into, or too long for any sheet."""


@dataclass(frozen=True)
class SheetSize:
    """The last row and the last column with a cell, and how many cells there are."""

    rows: int = 0
    columns: int = 0
    cells: int = 0

    @property
    def places(self) -> int:
        return self.rows * self.columns

    def or_larger(self, other: SheetSize) -> SheetSize:
        return SheetSize(max(self.rows, other.rows), max(self.columns, other.columns), max(self.cells, other.cells))


def size_of(file: BinaryIO, sheet: int, most: int, going_on: Callable[[], object]) -> SheetSize:
    """How large the sheet is that stands at a place, from 0, among those the workbook lists.

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
        largest = SheetSize()
        for member in _parts(archive, file, sheet):
            blocks = unpacked(file, member)
            largest = largest.or_larger(_scanned(blocks, most, going_on))
        return largest


def beside_sheets(file: BinaryIO, most: int) -> int:
    """The bytes that everything but the sheets unpacks to; counted no further than `most`."""
    total = 0
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            if not member.filename.lower().startswith("xl/worksheets/"):
                for block in unpacked(file, member):
                    total += len(block)
                    if total > most:
                        return total
    return total


def unpacked(file: BinaryIO, member: zipfile.ZipInfo) -> Iterator[bytes]:
    """All that a member unpacks to, whatever the archive says of its size."""
    file.seek(member.header_offset)
    head = file.read(30)
    if len(head) < 30 or head[:4] != b"PK\x03\x04":
        raise zipfile.BadZipFile(member.filename)
    file.seek(int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little"), 1)
    left, given = member.compress_size, 0
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise Unseen
    deflated = zlib.decompressobj(-15) if member.compress_type == zipfile.ZIP_DEFLATED else None
    while left > 0 and (data := file.read(min(left, _BLOCK >> 3))):
        left -= len(data)
        if deflated is None:
            yield data
            continue
        while data:
            place = file.tell()  # who listens may read elsewhere in the file
            block = deflated.decompress(data, _BLOCK)
            given += len(block)
            if given > MOST_BYTES:
                raise Unseen
            yield block
            file.seek(place)
            data = deflated.unconsumed_tail


def _parts(archive: zipfile.ZipFile, file: BinaryIO, sheet: int) -> list[zipfile.ZipInfo]:
    """Where the cells of a sheet stand; everywhere they could, if the workbook's own list is not understood."""
    by_name: dict[str, list[zipfile.ZipInfo]] = {}
    for member in archive.infolist():
        by_name.setdefault(member.filename.lower(), []).append(member)

    def text(name: str) -> bytes:
        return b"".join(block for member in by_name.get(name, ())[:1] for block in unpacked(file, member))

    listed = [_attributes(tag) for tag in _SHEET.findall(text("xl/workbook.xml"))]
    targets = {}
    for tag in _RELATION.findall(text("xl/_rels/workbook.xml.rels")):
        said = _attributes(tag)
        targets[said.get("Id", "")] = said.get("Target", "")
    if sheet < len(listed):
        key = next((value for name, value in listed[sheet].items() if name.partition(":")[2] == "id"), "")
        target = targets.get(key, "").lower()
        target = target[1:] if target.startswith("/") else target if target.startswith("xl/") else f"xl/{target}"
        if target in by_name:
            return by_name[target]
    return [member for members in by_name.values() for member in members if member.filename.endswith((".xml", ".bin"))]


def _attributes(tag: bytes) -> dict[str, str]:
    return {name.decode(): (one or two).decode("utf-8", "replace") for name, one, two in _ATTRIBUTE.findall(tag)}


def _scanned(blocks: Iterable[bytes], most: int, going_on: Callable[[], object]) -> SheetSize:
    waiting = iter(blocks)
    first = next(waiting, b"")
    if first[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in first[:4].lstrip(b"\xef\xbb\xbf"):
        return _scanned_records(first, waiting, most, going_on)
    scan = _Scan()
    for piece in whole_tags(chain((first,), waiting), going_on):
        scan.add(piece)
        if scan.size.cells > most:
            break
    return scan.size


def whole_tags(blocks: Iterable[bytes], going_on: Callable[[], object]) -> Iterator[bytes]:
    """XML in pieces that end where a tag begins, whatever the blocks are cut through."""
    rest = b""
    for block in blocks:
        going_on()
        data = rest + block
        cut = data.rfind(b"<")
        rest = data[cut:] if cut >= 0 and len(data) - cut < _LONGEST_TAG else b""
        yield data[: len(data) - len(rest)]
    yield rest


class _Scan:
    """Where the last cell was, and how far they reach."""

    def __init__(self) -> None:
        self._row = self._column = 0
        self._known: set[bytes] = set()
        self.size = SheetSize()

    def add(self, text: bytes) -> None:
        """Look at a piece of XML that ends where a tag begins."""
        letters, digits = _COLUMNS.findall(text), _ROWS.findall(text)
        # Nearly all workbooks name the place of each cell in this one way; then a few searches tell everything.
        tags = text.count(b"<c") - text.count(b"<co") - text.count(b"<cf")
        named = _ROW_TAG.findall(text)
        plain = b":c" not in text and b":row" not in text
        plain = plain and len(named) == text.count(b"<row") - text.count(b"<rowB")
        if not plain or (tags != len(letters) and tags != len(letters) + len(_EMPTY.findall(text))):
            self._one_by_one(text)
            return
        columns, rows = set(letters) - self._known, set(digits)
        self._known |= columns
        self._count(max(map(int, rows), default=0), max(map(_number, columns), default=0), len(letters))
        if named or digits:
            self._row, self._column = int((named or digits)[-1]), _number(letters[-1]) if letters else 0

    def _one_by_one(self, text: bytes) -> None:
        row, column, rows, columns, cells = self._row, self._column, 0, 0, 0
        for tag, attributes in _TAG.findall(text):
            place = _PLACE.search(attributes) if attributes else None
            if tag == b"row":
                row, column = int(place[2]) if place and place[2] else row + 1, 0
                continue
            column = _number(place[1]) if place and place[1] else column + 1
            row = int(place[2]) if place and place[2] else max(row, 1)
            if not attributes.endswith(b"/"):  # a cell that holds nothing takes no room
                rows, columns, cells = max(rows, row), max(columns, column), cells + 1
        self._row, self._column = row, column
        self._count(rows, columns, cells)

    def _count(self, row: int, column: int, cells: int) -> None:
        size = self.size
        self.size = SheetSize(max(size.rows, row), max(size.columns, column), size.cells + cells)


def _number(letters: bytes) -> int:
    """1 for A, 27 for AA."""
    number = 0
    for letter in letters.upper():
        number = 26 * number + letter - 64
    return number


_ROW_RECORD = 0
_CELL_RECORDS = frozenset((*range(1, 12), 62))


def _scanned_records(first: bytes, others: Iterator[bytes], most: int, going_on: Callable[[], object]) -> SheetSize:
    """The size of a sheet of an .xlsb workbook: records of a kind, a length, and so many bytes ([MS-XLSB] 2.1.4)."""
    if first[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise Unseen
    rows = columns = cells = 0
    rest = b""
    for block in chain((first,), others):
        going_on()
        data, at = rest + block, 0
        while (head := _record(data, at)) is not None:
            kind, start, end = head
            if end > len(data):
                break
            number = int.from_bytes(data[start : start + 4], "little") + 1
            if kind == _ROW_RECORD:
                rows = max(rows, number)
            elif kind in _CELL_RECORDS:
                columns, cells = max(columns, number), cells + 1
            at = end
        rest = data[at:]
        if cells > most:
            break
        if len(rest) > 4 * _BLOCK:
            raise Unseen
    return SheetSize(rows, columns, cells)


def _record(data: Sequence[int], at: int) -> tuple[int, int, int] | None:
    """The kind of a record, and where what it holds starts and ends; None if its head is not all there."""
    if at + 6 > len(data):
        # The last record of a sheet holds nothing, so nothing is missed.
        return None
    kind = data[at]
    at += 1
    if kind & 0x80:
        kind = (kind & 0x7F) | (data[at] & 0x7F) << 7
        at += 1
    length = 0
    for place in range(4):
        byte = data[at]
        at += 1
        length |= (byte & 0x7F) << (7 * place)
        if not byte & 0x80:
            break
    return kind, at, at + length
