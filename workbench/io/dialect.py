"""The dialect of a CSV file: delimiter, encoding, quotation mark, heading, lines above it."""

from __future__ import annotations

import codecs
import os
from collections.abc import Mapping
from dataclasses import dataclass

from workbench.core.errors import WorkbenchError
from workbench.core.typed_fields import typed_fields
from workbench.io.opening import Source
from workbench.io.recognise import eight_bit_encoding, recognise, recognise_encoding

ASCII_SEARCH = 1 << 26
"""Bytes searched for a letter beyond ASCII when the beginning of a file has none."""

_BLOCK = 1 << 20


@dataclass(frozen=True)
@typed_fields
class Dialect:
    """The dialect of a CSV file, or the place of the table in a workbook or database.

    Parameters
    ----------
    delimiter
        One character between two cells.
    encoding
        Any text encoding of Python. A byte order mark at the start of the file is never part of a name.
    quote
        The character around cells that hold the delimiter; "" if quotation marks have no meaning.
    header
        Whether the first line of the table names the columns.
    skip_lines
        Lines above the table to be left out, counted as a text editor counts them.
    skip_spaces
        Whether spaces after a delimiter are no part of the cell, as in `39, Private, 77516`.
    sheet
        The sheet of a workbook, or the table of a database; "" for the first one with cells. Of the others, workbooks
        know only `header` and `skip_lines`, and databases none.
    query
        What to ask a database for in the place of a table, in its own SQL; "" for the table.
    labels
        Whether the values of SPSS and Stata files are read as their labels, where all of a column have one.

    Raises
    ------
    WorkbenchError
        If one of them cannot be; `field` names it.
    """

    delimiter: str = ","
    encoding: str = "utf-8"
    quote: str = '"'
    header: bool = True
    skip_lines: int = 0
    skip_spaces: bool = False
    sheet: str = ""
    query: str = ""
    labels: bool = True

    def __post_init__(self) -> None:
        if len(self.delimiter) != 1 or self.delimiter in "\r\n\0":
            raise WorkbenchError(
                "The delimiter must be one character.", hint="Common ones: , ; | and tab.", field="delimiter"
            )
        if len(self.quote) > 1 or self.quote in ("\r", "\n", "\0", self.delimiter):
            raise WorkbenchError(
                "The quotation mark must be one character other than the delimiter, or none.",
                hint='Usually it is ".',
                field="quote",
            )
        if self.skip_spaces and self.delimiter == " ":
            raise WorkbenchError(
                "Spaces cannot be skipped where a space is the delimiter.",
                hint="Choose another delimiter or keep the spaces.",
                field="skip_spaces",
            )
        if self.skip_lines < 0:
            raise WorkbenchError(
                "The number of skipped lines must not be negative.",
                hint="Give 0 or more.",
                field="skip_lines",
            )
        if not _is_text_encoding(self.encoding):
            raise WorkbenchError(
                f"There is no text encoding “{self.encoding}”.",
                hint="Common ones: utf-8, cp1252, latin-1, utf-16.",
                field="encoding",
            )

    def to_dict(self) -> dict[str, object]:
        """The dialect as plain values for a project file; what only some files have is there only if it is set."""
        plain: dict[str, object] = {
            "delimiter": self.delimiter,
            "encoding": self.encoding,
            "quote": self.quote,
            "header": self.header,
            "skip_lines": self.skip_lines,
        }
        if self.skip_spaces:
            plain["skip_spaces"] = True
        if self.sheet:
            plain["sheet"] = self.sheet
        if self.query:
            plain["query"] = self.query
        if not self.labels:
            plain["labels"] = False
        return plain

    @classmethod
    def from_dict(cls, plain: Mapping[str, object]) -> Dialect:
        """The dialect from what `to_dict` gave; a key that is missing gets its default.

        Raises
        ------
        WorkbenchError
            If a key is unknown or a value has the wrong type or cannot be.
        """
        defaults = cls()
        for key, value in plain.items():
            expected = type(getattr(defaults, key)) if key in cls.__dataclass_fields__ else None
            if expected is None or type(value) is not expected:
                raise WorkbenchError(
                    f"The dialect has an entry “{key}” that does not fit: {value!r}.",
                    hint="Choose the file's dialect again.",
                    field=key,
                )
        return cls(**plain)  # type: ignore[arg-type]


def sniff(path: str | os.PathLike[str]) -> Dialect:
    """Recognise how the file at `path` is written.

    Looks at its first 256 KiB; if those are pure ASCII, at the first 64 MiB for the encoding.

    Raises
    ------
    WorkbenchError
        If the file cannot be read or is no text.
    """
    with Source(path) as source:
        return recognise_dialect(source)


def recognise_dialect(source: Source) -> Dialect:
    """The dialect of a source nothing was read from yet. Only `source.head` may be used afterwards."""
    head = source.head
    encoding = recognise_encoding(head, source.path.name)
    if encoding == "utf-8" and head.isascii():
        encoding = _encoding_further_on(source)
    found = recognise(head, encoding)
    return Dialect(
        delimiter=found.delimiter,
        encoding=encoding,
        quote=found.quote,
        header=found.header,
        skip_lines=found.skip_lines,
        skip_spaces=found.skip_spaces,
    )


def _encoding_further_on(source: Source) -> str:
    searched = 0
    while searched < ASCII_SEARCH and (block := source.read(_BLOCK)):
        if not block.isascii():
            # One block more, so that a letter cut by the end of this one does not decide alone.
            return eight_bit_encoding(block + source.read(_BLOCK))
        searched += len(block)
    return "utf-8"


def _is_text_encoding(name: str) -> bool:
    try:
        info = codecs.lookup(name)
        # Encodings such as "base64" turn bytes into bytes; "idna" and others cannot decode piece by piece.
        return (
            bool(getattr(info, "_is_text_encoding", True))
            and info.incrementaldecoder is not None
            and info.name not in ("idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape")
        )
    except (LookupError, ValueError, TypeError):
        return False
