"""Opening a file a person pointed at: refuse what is no text, unpack what is compressed, fingerprint it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, cast

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.io.addresses import is_address, is_other_address, no_address
from workbench.io.file_stamps import FileStamp, check_same
from workbench.io.foreign.unpacked import Unpacked
from workbench.io.zip_names import is_spreadsheet, is_workbook

HEAD = 1 << 18
"""Bytes at the beginning of a file from which its dialect is recognised."""

_BLOCK = 1 << 20
_AS_CSV = "Save or export it as CSV with the program it came from, then open that file."
_GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"
_EMPTY_ZIP = b"PK\x05\x06"
_PARQUET = b"PAR1"
_SQLITE = b"SQLite format 3\x00"
_SPSS = (b"$FL2", b"$FL3")
_SPSS_PORTABLE = b"SPSSPORT"
_STATA = b"<stata_dta>"
_OLD_STATA = (range(102, 116), b"\x01\x02")
"""The first byte of files of Stata 4 to 12, their version, and what the second can be, the order of their bytes."""
_SAS = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")
_SAS_TRANSPORT = b"HEADER RECORD*******LIB"
_JSON_LINES = (".jsonl", ".ndjson")
_BEGINNING = 600
"""Bytes from which the form of a file is known."""

_NOT_TEXT: tuple[tuple[bytes, str], ...] = (
    (_PARQUET, "a Parquet file"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "an image (PNG)"),
    (b"\xff\xd8\xff", "an image (JPEG)"),
    (b"GIF8", "an image (GIF)"),
    (b"II*\x00", "an image (TIFF)"),
    (b"MM\x00*", "an image (TIFF)"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file (such as .xls)"),
    (_SQLITE, "an SQLite database"),
    (b"ARROW1\x00", "an Arrow file"),
    (b"FEA1", "a Feather file"),
    (b"ORC\x0a", "an ORC file"),
    (b"Obj\x01", "an Avro file"),
    (b"\x89HDF", "an HDF5 file"),
    (b"$FL2@(#)", "an SPSS file"),
    (b"$FL3@(#)", "an SPSS file"),
    (b"<stata_dta>", "a Stata file"),
    (b"RDX3\n", "an R workspace"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"\x7fELF", "a program"),
    (b"\x93NUMPY", "a NumPy array"),
)
_PAGES = (b"<!doctype html", b"<html", b"<?xml")


class FileContent(StrEnum):
    """The kind of a file by its content and not by its name; or that it is no file but a database on a server."""

    CSV = "csv"
    EXCEL = "excel"
    ODS = "ods"
    PARQUET = "parquet"
    SPSS = "spss"
    STATA = "stata"
    SAS = "sas"
    JSON_LINES = "json lines"
    SQLITE = "sqlite"
    DATABASE = "database"

    @property
    def one(self) -> str:
        """Name of one such file."""
        return _WORDS[self][0]

    @property
    def many(self) -> str:
        """Name of several such files."""
        return _WORDS[self][1]

    @property
    def for_engines(self) -> bool:
        """Whether engines read it, also several as the parts of one table; the others are read in memory only."""
        return self in (FileContent.CSV, FileContent.PARQUET)

    @property
    def sheets(self) -> bool:
        """Whether it is a workbook: tables in sheets, with lines above them."""
        return self in (FileContent.EXCEL, FileContent.ODS)

    @property
    def database(self) -> bool:
        """Whether it holds tables that are named or asked for by a query."""
        return self in (FileContent.SQLITE, FileContent.DATABASE)

    @property
    def typed(self) -> bool:
        """Whether it says of itself what its columns are, so that nothing is proposed by their texts."""
        return self in _TYPED

    @property
    def labelled(self) -> bool:
        """Whether its values may have labels."""
        return self in (FileContent.SPSS, FileContent.STATA)


_WORDS = {
    FileContent.CSV: ("a CSV file", "CSV files"),
    FileContent.EXCEL: ("an Excel workbook", "Excel workbooks"),
    FileContent.ODS: ("an OpenDocument spreadsheet", "OpenDocument spreadsheets"),
    FileContent.PARQUET: ("a Parquet file", "Parquet files"),
    FileContent.SPSS: ("an SPSS file", "SPSS files"),
    FileContent.STATA: ("a Stata file", "Stata files"),
    FileContent.SAS: ("a SAS file", "SAS files"),
    FileContent.JSON_LINES: ("a file of JSON lines", "files of JSON lines"),
    FileContent.SQLITE: ("an SQLite database", "SQLite databases"),
    FileContent.DATABASE: ("a PostgreSQL database", "PostgreSQL databases"),
}
_TYPED = frozenset(FileContent) - {FileContent.CSV, FileContent.EXCEL, FileContent.ODS, FileContent.PARQUET}


def form_of(path: str | os.PathLike[str]) -> FileContent:
    """Form of a file; CSV also where it is none of those, which `Source` then explains.

    Raises
    ------
    WorkbenchError
        If there is no such file or it may not be read.
    """
    if is_address(path):
        return FileContent.DATABASE
    with explained(Path(path)), _ordinary_file(Path(path)) as file:
        start = _read_fully(file, _BEGINNING)
        if start.startswith(_ZIP):
            return _packed_form(start, file)
    return _plain_form(start, Path(path).suffix.lower())


def _packed_form(start: bytes, file: BinaryIO) -> FileContent:
    if is_spreadsheet(start):
        return FileContent.ODS
    return FileContent.EXCEL if is_workbook(file) else FileContent.CSV


def _plain_form(start: bytes, ending: str) -> FileContent:
    versions, orders = _OLD_STATA
    old = ending == ".dta" and start[:1] and start[0] in versions and start[1:2] in (orders[:1], orders[1:])
    for form, found in (
        (FileContent.PARQUET, start.startswith(_PARQUET)),
        (FileContent.SQLITE, start.startswith(_SQLITE)),
        (FileContent.SPSS, start.startswith(_SPSS) or _SPSS_PORTABLE in start),
        (FileContent.STATA, start.startswith(_STATA) or old),
        (FileContent.SAS, start.startswith((_SAS, _SAS_TRANSPORT))),
        (FileContent.JSON_LINES, ending in _JSON_LINES and start.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{"),
    ):
        if found:
            return form
    return FileContent.CSV


def file_fingerprint(path: Path, progress: Progress = SILENT) -> str:
    """SHA-256 of a file as it lies on the disk, in hexadecimal.

    Raises
    ------
    WorkbenchError
        If it cannot be read, or changes meanwhile.
    """
    with explained(path), _ordinary_file(path) as file:
        watched = _Watched(file)
        while watched.read(_BLOCK):
            progress(watched.seen / max(watched.size, 1))
        check_same(path, watched.stamp)
        return watched.digest.hexdigest()


class Source:
    """The decompressed bytes of one file, read once from start to end.

    Parameters
    ----------
    path
        An ordinary file; `.gz` and `.zip` archives of exactly one file are recognised by their content, and unpacked by
        a process of their own.
    progress
        Asked while that process is waited for, so that Cancel ends it.

    Raises
    ------
    WorkbenchError
        If there is no such file, it may not be read, it is empty, or it is something else than text.
    """

    def __init__(self, path: str | os.PathLike[str], progress: Progress = SILENT) -> None:
        self.path = Path(path)
        self._stack = contextlib.ExitStack()
        with explained(self.path), contextlib.ExitStack() as stack:
            self._raw = _Watched(stack.enter_context(_ordinary_file(self.path)))
            start = self._raw.peek(8)
            self._unpacked: Unpacked | None = None
            if start.startswith((_GZIP, _ZIP, _EMPTY_ZIP)):
                self._unpacked = stack.enter_context(Unpacked(self.path, progress))
            self.head = _read_fully(self._unpacked or self._raw, HEAD)
            self._refuse_other_formats()
            self._stack = stack.pop_all()
        self._unread_head: bytes = self.head
        self._given = 0

    def read(self, size: int) -> bytes:
        """The next bytes, at most `size`; b"" at the end."""
        if self._unread_head:
            data, self._unread_head = self._unread_head[:size], self._unread_head[size:]
        else:
            with explained(self.path):
                data = (self._unpacked or self._raw).read(size)
        self._given += len(data)
        return data

    @property
    def fraction(self) -> float:
        """How much of the file was read, in [0, 1]."""
        if self._unpacked is not None:
            return self._unpacked.fraction
        return min(1.0, self._given / max(self._raw.size, 1))

    def fingerprint(self, progress: Progress = SILENT) -> str:
        """SHA-256 of the file as it lies on the disk, in hexadecimal. Reads what was not read yet.

        Raises
        ------
        WorkbenchError
            If it cannot be read, or is not the file any more that was opened, as it was then.
        """
        with explained(self.path):
            while self._raw.read(_BLOCK):
                progress(self._raw.seen / max(self._raw.size, 1))
        check_same(self.path, self._raw.stamp)
        return self._raw.digest.hexdigest()

    def close(self) -> None:
        self._stack.close()

    def __enter__(self) -> Source:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _refuse_other_formats(self) -> None:
        head, name = self.head, self.path.name
        if not head:
            raise WorkbenchError(f"“{name}” is empty.", hint="Choose a file that holds a table.", field="path")
        found = next((what for magic, what in _NOT_TEXT if head.startswith(magic)), "")
        if not found and self._unpacked is not None and head.startswith((_ZIP, _GZIP)):
            found = "an archive inside an archive"
        start = head[:256].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
        if not found and start.startswith(_PAGES):
            found = "a web page or XML document"
        if not found and self.path.suffix.lower() in (".json", ".jsonl", ".geojson") and start[:1] in b"[{":
            found = "a JSON file"
        if found:
            raise WorkbenchError(f"“{name}” is not a CSV but {found}.", hint=_AS_CSV, field="path")


class _Watched:
    """A file that hashes and counts what is read from it."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.stamp = FileStamp.of(os.fstat(file.fileno()))
        self.size = self.stamp.size
        self.restart()

    def restart(self) -> None:
        self.file.seek(0)
        self.seen = 0
        self.digest = hashlib.sha256()

    def peek(self, size: int) -> bytes:
        data = _read_fully(self.file, size)
        self.file.seek(0)
        return data

    def read(self, size: int = -1) -> bytes:
        data = self.file.read(size)
        self.digest.update(data)
        self.seen += len(data)
        return data


def _ordinary_file(path: Path) -> BinaryIO:
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise WorkbenchError(f"“{path.name}” is a folder.", hint="Choose one file inside it.", field="path")
    if not stat.S_ISREG(mode):
        raise WorkbenchError(
            f"“{path.name}” is a device or pipe, not an ordinary file.",
            hint="Save the data to a file first.",
            field="path",
        )
    return cast(BinaryIO, path.open("rb", buffering=0))


def _read_fully(file: BinaryIO | _Watched | Unpacked, size: int) -> bytes:
    """`size` bytes or all there are; a single read may return fewer."""
    parts: list[bytes] = []
    while size > 0 and (data := file.read(size)):
        parts.append(data)
        size -= len(data)
    return b"".join(parts)


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what may go wrong with a file into words a person can act on."""
    name = path.name or str(path)
    try:
        yield
    except FileNotFoundError as error:
        if is_other_address(path):
            raise no_address() from None  # a password may stand in it
        raise WorkbenchError(
            f"There is no file “{path}”.", hint="It may have been moved or renamed.", field="path"
        ) from error
    except PermissionError as error:
        raise WorkbenchError(
            f"“{name}” may not be read.", hint="Change its permissions or copy it.", field="path"
        ) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise WorkbenchError(
            f"“{name}” cannot be read: {reason}.", hint="Check the path and the disk.", field="path"
        ) from error
