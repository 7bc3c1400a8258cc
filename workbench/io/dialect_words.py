"""The dialect of a file, in words."""

from __future__ import annotations

import codecs

from workbench.io.dialect import Dialect


def delimiter_word(delimiter: str) -> str:
    """The name of a delimiter."""
    words = {
        ",": "comma",
        ";": "semicolon",
        "\t": "tab",
        "|": "vertical bar",
        " ": "space",
    }
    return words.get(delimiter, f"“{delimiter}”")


def encoding_word(encoding: str) -> str:
    """The usual name of an encoding."""
    known = {
        "utf-8": "UTF-8",
        "cp1252": "Windows-1252",
        "iso8859-1": "Latin-1",
        "utf-16": "UTF-16",
        "utf-16-le": "UTF-16 LE",
        "utf-16-be": "UTF-16 BE",
    }
    try:
        return known.get(codecs.lookup(encoding).name, encoding)
    except LookupError:
        return encoding


def dialect_words(dialect: Dialect) -> str:
    """How a file is written, such as "comma, UTF-8, header"."""
    parts = [delimiter_word(dialect.delimiter), encoding_word(dialect.encoding)]
    if dialect.header:
        parts.append("header")
    else:
        parts.append("no header")
    if dialect.quote == "'":
        parts.append("single quotes")
    elif not dialect.quote:
        parts.append("no quotes")
    if dialect.skip_lines:
        skipped = "{count} lines above skipped"
        parts.append(skipped.format(count=f"{dialect.skip_lines:,}"))
    return ", ".join(parts)
