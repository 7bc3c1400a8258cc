"""The words of the Data workspace for what the core knows by symbols."""

from __future__ import annotations

import codecs

from PySide6.QtCore import QCoreApplication

from workbench.core.schema import Kind, Role
from workbench.io.dialect import Dialect


def kind_word(kind: Kind) -> str:
    """The word for a kind of column."""
    words = {
        Kind.INTEGER: QCoreApplication.translate("Kind", "Whole number"),
        Kind.DECIMAL: QCoreApplication.translate("Kind", "Decimal number"),
        Kind.MONEY: QCoreApplication.translate("Kind", "Money"),
        Kind.PERCENT: QCoreApplication.translate("Kind", "Percent"),
        Kind.DATE: QCoreApplication.translate("Kind", "Date"),
        Kind.DATETIME: QCoreApplication.translate("Kind", "Date and time"),
        Kind.ORDERED: QCoreApplication.translate("Kind", "Ordered categories"),
        Kind.CATEGORY: QCoreApplication.translate("Kind", "Categories"),
        Kind.TEXT: QCoreApplication.translate("Kind", "Text"),
    }
    return words[kind]


def role_meaning(role: Role) -> str:
    """What a role means and what follows from it, in one line."""
    words = {
        Role.IDENTIFYING: QCoreApplication.translate("Role", "Names a person; is left out."),
        Role.QUASI: QCoreApplication.translate("Role", "Points to a person with the others."),
        Role.SENSITIVE: QCoreApplication.translate("Role", "Must not be learnt about a person."),
        Role.INSENSITIVE: QCoreApplication.translate("Role", "Harmless even if it is known."),
    }
    return words[role]


def delimiter_word(delimiter: str) -> str:
    """The name of a delimiter."""
    words = {
        ",": QCoreApplication.translate("Dialect", "comma"),
        ";": QCoreApplication.translate("Dialect", "semicolon"),
        "\t": QCoreApplication.translate("Dialect", "tab"),
        "|": QCoreApplication.translate("Dialect", "vertical bar"),
        " ": QCoreApplication.translate("Dialect", "space"),
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
        parts.append(QCoreApplication.translate("Dialect", "header"))
    else:
        parts.append(QCoreApplication.translate("Dialect", "no header"))
    if dialect.quote == "'":
        parts.append(QCoreApplication.translate("Dialect", "single quotes"))
    elif not dialect.quote:
        parts.append(QCoreApplication.translate("Dialect", "no quotes"))
    if dialect.skip_lines:
        skipped = QCoreApplication.translate("Dialect", "{count} lines above skipped")
        parts.append(skipped.format(count=f"{dialect.skip_lines:,}"))
    return ", ".join(parts)
