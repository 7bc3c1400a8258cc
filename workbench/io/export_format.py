"""The format of an export: the kind of file and, for CSV, every choice that a reader must know."""

from __future__ import annotations

import codecs
import importlib.util
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any, BinaryIO, TypeAlias

from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.core.table import Table
from workbench.io.missing_package import missing_writer
from workbench.io.opening import FileContent

Blocks: TypeAlias = Iterable[list[NDArray[Any]]]
"""The codes of some rows of each column, a block after the other."""

DELIMITERS = (",", ";", "\t", "|")
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "cp1252", "iso8859-15")
"""Encodings that are offered; any other encoding of text may be named."""
DECIMAL_MARKS = (".", ",")


@dataclass(frozen=True)
class WriteReport:
    """A report of what was written: the number of rows, and how many different texts were neutralised."""

    rows: int
    neutralised: int


@dataclass(frozen=True)
class ReaderApart:
    """Reads files of a kind that anybody may have made, in a process of its own.

    Parameters
    ----------
    headings
        The names of the columns of each file.
    rows
        The rows of all files one after the other, as texts, without their headings.
    """

    headings: Callable[[Sequence[Path]], Sequence[Sequence[str]]]
    rows: Callable[[Sequence[Path], Progress], Iterator[Sequence[str]]]


@dataclass(frozen=True, eq=False)
class FileFormat:
    """A kind of file that a release can be written as: what writes it, and what reads it back to be counted.

    Parameters
    ----------
    identifier
        As notes and the command line name it.
    title
        As people see it in lists and statements.
    one, many
        A file of this kind at the beginning of a sentence, and several in the middle of one.
    suffixes
        Endings of names that stand for it, with their full stops; the first one is usual.
    write
        Writes a table with columns into an open file, or only some blocks of its codes, in texts that no spreadsheet
        runs (`workbench.io.writing.neutral`). Nothing may get into the file that is not in the rows, and the same table
        must give the same bytes.
    read_back
        The cells of a file that was just written, as texts, heading first. It must share no code with `write`: what
        both get wrong, nobody notices.
    apart
        Reads files that somebody else may have made, where their reader is not safe enough for this process; None if
        `read_back` is, being this program's own or Python's.
    recognised_as
        What such a file is taken for when it is opened as data.
    package
        The optional package that is needed, by the name it is imported by; "" if none is.
    delimited
        Whether the delimiter, the encoding, the quotation marks and the decimal mark of a style concern it.
    engines
        Whether engines read and write it by themselves, as what it is recognised as: lines of cells, or Parquet. Other
        files are written and counted by this program.
    in_parts
        Whether a release can be a folder of several such files.
    folds_names
        Whether engines take names of columns in its parts for one that differ in capital letters only.
    most_rows
        The most rows a file can have; None if there is no limit.
    """

    identifier: str
    title: str
    one: str
    many: str
    suffixes: tuple[str, ...]
    write: Callable[[Table, BinaryIO, ExportFormat, Progress, Blocks | None], WriteReport]
    read_back: Callable[[BinaryIO, ExportFormat], Iterator[Sequence[str]]]
    apart: ReaderApart | None = None
    recognised_as: FileContent = FileContent.CSV
    package: str = ""
    delimited: bool = False
    engines: bool = False
    in_parts: bool = True
    folds_names: bool = False
    most_rows: int | None = None

    @property
    def suffix(self) -> str:
        """The usual ending of a file's name."""
        return self.suffixes[0]

    @property
    def missing(self) -> WorkbenchError | None:
        """Why this kind cannot be written here: the package that is not installed. None if it can."""
        if not self.package or importlib.util.find_spec(self.package) is not None:
            return None
        return missing_writer(self.many, self.package.replace("_", "-"), "choose CSV.")


class _FileFormats(Mapping[str, FileFormat]):
    """The kinds of file by identifier, found in `workbench.io.formats` when they are first asked for."""

    @cached_property
    def _found(self) -> dict[str, FileFormat]:
        package = importlib.import_module("workbench.io.formats")
        names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
        formats = [importlib.import_module(f"{package.__name__}.{name}").FORMAT for name in names]
        return {one.identifier: one for one in formats}

    def __getitem__(self, identifier: str) -> FileFormat:
        return self._found[identifier]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def recognised(self, form: FileContent, name: str | PurePath) -> FileFormat:
        """The kind of a file that was opened: by what it is taken for and, among several such, by its name."""
        alike = [one for one in self.values() if one.recognised_as is form] or [self["csv"]]
        suffix = PurePath(name).suffix.lower()
        return next((one for one in alike if suffix in one.suffixes), alike[0])


FORMATS = _FileFormats()


@dataclass(frozen=True)
class ExportFormat:
    """One way to write a table. `delimiter`, `encoding`, `quote_all` and `decimal` concern delimited files only.

    Parameters
    ----------
    form
        Identifier of the kind of file.
    delimiter
        One character between cells.
    encoding
        Name of the encoding as Python knows it.
    quote_all
        Whether every cell is put in quotation marks, or only those that need them.
    decimal
        The decimal mark, "." or ",", of columns in which every value is a number.

    Raises
    ------
    WorkbenchError
        If a choice cannot be; `field` names it.
    """

    form: str = "csv"
    delimiter: str = ","
    encoding: str = "utf-8"
    quote_all: bool = False
    decimal: str = "."

    def __post_init__(self) -> None:
        if self.form not in FORMATS:
            raise WorkbenchError(
                f"“{self.form}” is no kind of file that is written.",
                hint=f"Known are: {', '.join(FORMATS)}.",
                field="form",
            )
        if len(self.delimiter) != 1 or self.delimiter in '"\r\n' or self.delimiter.isalnum():
            raise WorkbenchError(
                "The delimiter must be one character that is no letter, digit, quotation mark or line end.",
                hint="Common ones: , ; | and tab.",
                field="delimiter",
            )
        if self.decimal not in DECIMAL_MARKS:
            raise WorkbenchError("The decimal mark must be a point or a comma.", field="decimal")
        try:
            # Encodings that are no text, such as base64, are refused by the same means as unknown ones.
            known = codecs.lookup(self.encoding)
            readable = (
                known._is_text_encoding and self.delimiter.encode(known.name).decode(known.name) == self.delimiter
            )
        except (LookupError, UnicodeError):
            readable = False
        if not readable:
            raise WorkbenchError(
                f"“{self.encoding}” is no encoding this program can write, or does not have the delimiter.",
                hint="utf-8 is right almost everywhere; cp1252 is that of older Windows programs.",
                field="encoding",
            )

    @classmethod
    def of(cls, name: str | PurePath) -> ExportFormat:
        """The way a file of this name is written unless somebody says otherwise."""
        suffix = PurePath(name).suffix.lower()
        if suffix in (".tsv", ".tab"):
            return cls(delimiter="\t")
        return cls(next((one.identifier for one in FORMATS.values() if suffix in one.suffixes), "csv"))

    @property
    def kind(self) -> FileFormat:
        """The kind of file."""
        return FORMATS[self.form]

    def to_json(self) -> dict[str, Any]:
        """Settings that a reader needs to know; only those that concern this kind of file."""
        return dict(vars(self)) if self.kind.delimited else {"form": self.form}

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> ExportFormat:
        """Read what `to_json` wrote.

        Raises
        ------
        WorkbenchError, TypeError
            If it is something else.
        """
        return cls(**plain)


def not_read_back(error: Exception) -> WorkbenchError:
    """The error for a file that is not written as its style says."""
    return WorkbenchError(
        f"The file cannot be read back as it was written: {error}.",
        hint="Give --delimiter and --encoding as they are.",
        field="path",
    )
