"""What is known of a file that was written and read back: nothing in it is about the data it was made from."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.io.export_format import ExportForm, ExportFormat
from workbench.report.page import bullets, section, table
from workbench.report.recheck import Rechecked, shown_value


@dataclass(frozen=True)
class FileFacts:
    """A released file.

    Parameters
    ----------
    name
        Its name without the folder.
    style
        How it is written.
    fingerprint, size
        The SHA-256 and the number of its bytes.
    neutralised
        How many different texts were made safe for spreadsheets.
    rechecked
        What was found when it was read back.
    parts
        Of how many files it consists, if it is a folder of parts; then the fingerprint is the SHA-256 of those of the
        parts, in hexadecimal and in the order of their names. 0 for one file.
    """

    name: str
    style: ExportFormat
    fingerprint: str
    size: int
    neutralised: int
    rechecked: Rechecked
    parts: int = 0


def file_section(file: FileFacts) -> str:
    """The file and what was read back from it, as HTML."""
    found = file.rechecked
    rows = [
        ("File", file.name) if not file.parts else ("Folder", f"{file.name}, of {file.parts:,} files"),
        (
            "SHA-256" if file.parts < 2 else "SHA-256 of the SHA-256 of each file, in the order of names",
            file.fingerprint,
        ),
        ("Written as", _style(file.style)),
        ("Rows, read back", f"{found.rows:,}"),
        ("Groups of alike rows", f"{found.classes:,}, of {found.smallest:,} to {found.largest:,} rows"),
    ]
    checks = [
        f"{check.choice.model.title}: {'holds' if check.found.holds else 'does not hold'}"
        + (f", {shown_value(check.found.value)} in the file" if check.found.public else "")
        + "."
        for check in found.models
    ]
    return section(
        "The file, read back and counted again",
        table(("", ""), rows) + (bullets([*checks, *found.faults]) if checks or found.faults else ""),
    )


def _style(style: ExportFormat) -> str:
    if style.form is not ExportForm.CSV:
        return {ExportForm.PARQUET: "Parquet", ExportForm.XLSX: "Excel workbook"}[style.form]
    named = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "pipe"}
    quotes = "every cell quoted" if style.quote_all else "cells quoted where needed"
    mark = "point" if style.decimal == "." else "comma"
    return (
        f"CSV, {named.get(style.delimiter, style.delimiter)} between cells, {style.encoding}, {quotes}, decimal {mark}"
    )
