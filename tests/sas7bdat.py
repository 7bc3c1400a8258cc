"""Makes small tables of SAS (`.sas7bdat`), which no library at hand writes: one page, not packed, 32 bits.

Where what stands was found out by others: M. Shotwell, C. Cummins: SAS7BDAT Database Binary Format, 2013. What nobody
knows the meaning of is zero here, as readers let it be.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

MAGIC = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")
_HEADER, _PAGE, _PAGE_HEAD, _POINTER = 1024, 8192, 24, 12
_MIXED = 0x0200  # a page of descriptions and rows
_ROW_SIZE, _COLUMN_SIZE, _COUNTS = 0xF7F7F7F7, 0xF6F6F6F6, 0xFFFFFC00
_TEXT, _NAMES, _ATTRIBUTES, _FORMAT = 0xFFFFFFFD, 0xFFFFFFFF, 0xFFFFFFFC, 0xFFFFFBFE
_NUMBER, _CHARACTERS = 1, 2
_ENCODINGS = {"utf-8": 20, "windows-1252": 62}


@dataclass(frozen=True)
class SasColumn:
    """One column: numbers if `width` is 0, else texts of so many bytes.

    In numbers, None is the missing value `.`, and a letter the missing value of that letter, such as `.A`.
    """

    name: str
    values: Sequence[float | str | None]
    width: int = 0
    label: str = ""
    display: str = ""


def sas_table(columns: Sequence[SasColumn], *, encoding: str = "utf-8", claimed_rows: int | None = None) -> bytes:
    """Give the bytes of a file; `claimed_rows` lets it say that it holds more rows than it does."""
    widths = [column.width or 8 for column in columns]
    rows = list(zip(*(column.values for column in columns), strict=True))
    data = b"".join(
        _cell(value, column.width, encoding) for row in rows for column, value in zip(columns, row, strict=True)
    )
    said = len(rows) if claimed_rows is None else claimed_rows
    return _header(encoding) + _page(_descriptions(columns, widths, said, encoding), data, said)


def _cell(value: float | str | None, width: int, encoding: str) -> bytes:
    if width:
        return str(value or "").encode(encoding).ljust(width)
    if value is None:
        return _missing(1)
    return _missing(ord(value) - ord("A") + 2) if isinstance(value, str) else struct.pack("<d", value)


def _missing(number: int) -> bytes:
    """A number that is none: its third highest byte tells which missing value is meant."""
    return struct.pack("<Q", (0xFFFF << 48) | ((0xFF - number) << 40))


def _header(encoding: str) -> bytes:
    header = bytearray(_HEADER)
    header[: len(MAGIC)] = MAGIC
    header[32:40] = bytes([0x22, 0x22, 0, 0x22, 0x22, 1, 2, ord("1")])  # 32 bits, the lowest byte first, from Unix
    header[70] = _ENCODINGS[encoding]
    header[84:92], header[92:124], header[156:164] = b"SAS FILE", b"SURVEY".ljust(32), b"DATA".ljust(8)
    struct.pack_into("<IIII", header, 196, _HEADER, _PAGE, 1, 0)
    header[216:224] = b"9.0401M3"
    return bytes(header)


def _page(parts: Sequence[bytes], data: bytes, rows: int) -> bytes:
    """Where the parts stand, the rows, and the parts themselves from the end of the page towards its middle."""
    page, end = bytearray(_PAGE), _PAGE
    struct.pack_into("<HHHH", page, 16, _MIXED, rows & 0xFFFF, len(parts), 0)
    for place, part in enumerate(parts):
        end -= -(-len(part) // 4) * 4
        page[end : end + len(part)] = part
        struct.pack_into("<II", page, _PAGE_HEAD + place * _POINTER, end, len(part))
    start = -(-(_PAGE_HEAD + len(parts) * _POINTER) // 8) * 8
    assert start + len(data) <= end, "more than one page"
    page[start : start + len(data)] = data
    return bytes(page)


def _descriptions(columns: Sequence[SasColumn], widths: Sequence[int], rows: int, encoding: str) -> list[bytes]:
    texts = _Texts(encoding)
    names = b"".join(texts.place(column.name) + bytes(2) for column in columns)
    formats = [
        struct.pack("<I30x", _FORMAT) + texts.place(column.display) + texts.place(column.label) + bytes(6)
        for column in columns
    ]
    starts = [sum(widths[:place]) for place in range(len(widths))]
    attributes = b"".join(
        struct.pack("<IIHBx", start, width, 4, _CHARACTERS if column.width else _NUMBER)
        for column, start, width in zip(columns, starts, widths, strict=True)
    )
    sizes = bytearray(480)
    struct.pack_into("<I", sizes, 0, _ROW_SIZE)
    struct.pack_into("<II", sizes, 20, sum(widths), rows)
    struct.pack_into("<I", sizes, 60, rows)
    return [
        bytes(sizes),
        struct.pack("<III", _COLUMN_SIZE, len(columns), 0),
        struct.pack("<I", _COUNTS) + bytes(296),
        texts.part(),
        _listed(_NAMES, names),
        _listed(_ATTRIBUTES, attributes),
        *formats,
    ]


def _listed(signature: int, entries: bytes) -> bytes:
    """A list of entries of one kind: what it is, how long the rest is, the entries, and room behind them."""
    length = 20 + len(entries)
    return struct.pack("<IH6x", signature, length - 12) + entries + bytes(8)


class _Texts:
    """All names, labels and forms of numbers, one behind the other; others say where theirs stands."""

    _START = 28  # before it, how the rows are packed: not at all, if blank

    def __init__(self, encoding: str) -> None:
        self._encoding, self._all = encoding, b""

    def place(self, text: str) -> bytes:
        encoded = text.encode(self._encoding)
        found = struct.pack("<HHH", 0, self._START + len(self._all), len(encoded))
        self._all += encoded + bytes(-len(encoded) % 4)
        return found

    def part(self) -> bytes:
        length = 4 + self._START + len(self._all)
        return struct.pack("<IH10x", _TEXT, length - 12) + b" " * (self._START - 12) + self._all
