"""How a release is written: the kind of file and, for CSV, every choice that a reader must know."""

from __future__ import annotations

import codecs
import importlib.util
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.io.missing_package import missing_writer

DELIMITERS = (",", ";", "\t", "|")
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "cp1252", "iso8859-15")
"""What is offered; any other encoding of text may be named."""
DECIMAL_MARKS = (".", ",")


class ExportForm(StrEnum):
    """Kinds of file a table can be written as."""

    CSV = "csv"
    PARQUET = "parquet"
    XLSX = "xlsx"

    @property
    def missing(self) -> WorkbenchError | None:
        """Why this kind cannot be written here: the package that is not installed. None if it can."""
        if self is ExportForm.PARQUET and importlib.util.find_spec("pyarrow") is None:
            return missing_writer("Parquet files", "pyarrow", "choose CSV.")
        if self is ExportForm.XLSX and importlib.util.find_spec("python_calamine") is None:
            # Written without it, but nothing leaves the house that was not read back.
            return missing_writer("Excel workbooks", "python-calamine", "choose CSV.")
        return None


@dataclass(frozen=True)
class ExportFormat:
    """One way to write a table. `delimiter`, `encoding`, `quote_all` and `decimal` concern CSV only.

    Parameters
    ----------
    form
        CSV, Parquet or Excel workbook.
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

    form: ExportForm = ExportForm.CSV
    delimiter: str = ","
    encoding: str = "utf-8"
    quote_all: bool = False
    decimal: str = "."

    def __post_init__(self) -> None:
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
        return cls({".parquet": ExportForm.PARQUET, ".xlsx": ExportForm.XLSX}.get(suffix, ExportForm.CSV))

    @property
    def suffix(self) -> str:
        """The usual ending of the file's name."""
        return f".{self.form.value}"

    def to_json(self) -> dict[str, Any]:
        """What a reader needs to know; only what concerns this kind of file."""
        if self.form is not ExportForm.CSV:
            return {"form": self.form.value}
        return {**vars(self), "form": self.form.value}

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> ExportFormat:
        """Read what `to_json` wrote.

        Raises
        ------
        WorkbenchError, ValueError, TypeError
            If it is something else.
        """
        return cls(**{**plain, "form": ExportForm(plain.get("form", "csv"))})
