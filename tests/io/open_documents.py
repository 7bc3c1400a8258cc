"""Small OpenDocument spreadsheets, written by hand."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?><office:document-content '
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><office:body><office:spreadsheet>'
)
_MANIFEST = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
)


def row(*values: str | float) -> str:
    """A row of texts and numbers."""
    cells = (
        f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
        if isinstance(value, str) and value
        else "<table:table-cell/>"
        if value == ""
        else f'<table:table-cell office:value-type="float" office:value="{value}"/>'
        for value in values
    )
    return f"<table:table-row>{''.join(cells)}</table:table-row>"


def open_document(sheets: Mapping[str, str], content: bytes | None = None) -> bytes:
    """A spreadsheet with these rows by sheet, or with any content."""
    tables = "".join(f'<table:table table:name="{name}">{rows}</table:table>' for name, rows in sheets.items())
    whole = f"{_HEAD}{tables}</office:spreadsheet></office:body></office:document-content>"
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        archive.writestr("content.xml", whole.encode() if content is None else content)
        archive.writestr("META-INF/manifest.xml", _MANIFEST)
    return made.getvalue()
