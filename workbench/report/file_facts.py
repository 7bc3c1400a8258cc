"""Facts about a file that was written and read back: nothing in it is about the data it was made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.anonymise.privacy import MODELS
from workbench.io.export_format import ExportFormat
from workbench.report.page import bullets, section, table, today
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
    day
        When it was written.
    """

    name: str
    style: ExportFormat
    fingerprint: str
    size: int
    neutralised: int
    rechecked: Rechecked
    parts: int = 0
    day: str = field(default_factory=today)

    def to_json(self) -> dict[str, Any]:
        """As a note holds it, without what was read back."""
        return {
            "name": self.name,
            "sha256": self.fingerprint,
            "bytes": self.size,
            **({"parts": self.parts} if self.parts else {}),
            "written": self.style.to_json(),
            "texts_made_safe_for_spreadsheets": self.neutralised,
        }


def file_section(file: Mapping[str, Any], found: Mapping[str, Any], *, safe: bool = False) -> str:
    """The file and what was read back from it, as HTML, from the facts a note holds of both.

    `safe` is whether the section says how many texts were made safe for spreadsheets, if any were.
    """
    parts = file.get("parts", 0)
    rows = [
        ("File", str(file["name"])) if not parts else ("Folder", f"{file['name']}, of {parts:,} files"),
        (
            "SHA-256" if parts < 2 else "SHA-256 of the SHA-256 of each file, in the order of names",
            str(file["sha256"]),
        ),
        ("Written as", _style(ExportFormat.from_json(dict(file["written"])))),
        ("Rows, read back", f"{found['rows']:,}"),
        (
            "Groups of alike rows",
            f"{found['classes']:,}, of {found['smallest_class']:,} to {found['largest_class']:,} rows",
        ),
    ]
    neutralised = file["texts_made_safe_for_spreadsheets"]
    if safe and neutralised:
        rows.append(("Safe for spreadsheets", f"{neutralised:,} different cell texts begin with an apostrophe"))
    checks = [
        f"{MODELS[check['model']].title}: {'holds' if check['holds'] else 'does not hold'}"
        + (f", {shown_value(check['value'])} in the file" if check["in_the_file"] else "")
        + "."
        for check in found["models"]
    ]
    said = [*checks, *map(str, found["faults"])]
    return section("The file, read back and counted again", table(("", ""), rows) + (bullets(said) if said else ""))


def _style(style: ExportFormat) -> str:
    if not style.kind.delimited:
        return style.kind.title
    named = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "pipe"}
    quotes = "every cell quoted" if style.quote_all else "cells quoted where needed"
    mark = "point" if style.decimal == "." else "comma"
    between = named.get(style.delimiter, style.delimiter)
    return f"{style.kind.title}, {between} between cells, {style.encoding}, {quotes}, decimal {mark}"
