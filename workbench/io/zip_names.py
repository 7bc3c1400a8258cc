"""Names in an archive by its list alone: nothing is unpacked, and no more is kept than one name.

`zipfile` would make an object of every entry, and whoever made the archive says how many there are.
Source: PKWARE's APPNOTE 6.3.10, sections 4.3.12 to 4.3.16.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO

_END = struct.Struct("<4s4H2LH")
_END_64 = struct.Struct("<4sQ2H2L4Q")
_PLACE_64 = struct.Struct("<4sLQL")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_SPREADSHEET = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
_LONGEST_COMMENT = 1 << 16
_MOST = 1 << 16
"""Entries that are looked at."""


def is_workbook(file: BinaryIO) -> bool:
    """Whether an archive holds the parts of an Excel workbook."""
    return any(name.startswith(b"xl/") for name in names_in(file))


def is_spreadsheet(start: bytes) -> bool:
    """Whether an archive that begins like this is an OpenDocument spreadsheet, as its first member says."""
    return start[30 : 30 + len(_SPREADSHEET)] == _SPREADSHEET


def names_in(file: BinaryIO) -> Iterator[bytes]:
    """The names in the list at the end of an archive, as far as it is one."""
    size = file.seek(0, 2)
    tail = _at(file, max(size - _LONGEST_COMMENT - _END.size, 0), _LONGEST_COMMENT + _END.size)
    found = tail.rfind(b"PK\x05\x06")
    if found < 0 or len(tail) - found < _END.size:
        return
    end = size - len(tail) + found
    *_, length, _, _ = _END.unpack_from(tail, found)
    before = _at(file, max(end - _PLACE_64.size, 0), _PLACE_64.size)
    if len(before) == _PLACE_64.size and before.startswith(b"PK\x06\x07"):
        end -= _PLACE_64.size + _END_64.size
        *_, length, _ = _END_64.unpack(_at(file, max(end, 0), _END_64.size).ljust(_END_64.size, b"\0"))
    place = end - length
    for _ in range(_MOST):
        head = _at(file, place, _ENTRY.size) if 0 <= place < end else b""
        if len(head) < _ENTRY.size or not head.startswith(b"PK\x01\x02"):
            return
        named, further, comment = _ENTRY.unpack(head)[10:13]
        yield _at(file, place + _ENTRY.size, named)
        place += _ENTRY.size + named + further + comment


def _at(file: BinaryIO, place: int, size: int) -> bytes:
    file.seek(place)
    parts: list[bytes] = []
    while size > 0 and (data := file.read(size)):
        parts.append(data)
        size -= len(data)
    return b"".join(parts)
