"""What is declared of columns on the command line: kinds, how they are written, bounds, domains, roles."""

from __future__ import annotations

import argparse
import csv
import re
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import TypeVar

from workbench.cli.command_output import assignments
from workbench.core.errors import WorkbenchError
from workbench.core.schema import Format, Kind, Misfits, Role
from workbench.session import Session

_NUMBER = re.compile(
    r"(?P<before>[^\d.,'\s]*)\s?1(?P<thousands>[.,' ]?)234(?:(?P<mark>[.,])\d+)?\s?(?P<after>[^\d.,'\s]*)"
)
"""How one thousand two hundred and thirty-four is written, which shows how all numbers of a column are."""
_Word = TypeVar("_Word", bound=Enum)


def add(parser: argparse.ArgumentParser) -> None:
    """The options that describe columns; each may be given several times."""
    group = parser.add_argument_group("what is declared of columns, known without this data")
    for flag, metavar, text in (
        ("--kind", "COL=KIND", f"how its texts are to be read: {_any_of(Kind)}"),
        ("--role", "COL=ROLE", f"what it could do to a person's privacy: {_any_of(Role)}"),
        (
            "--format",
            "COL=EXAMPLE",
            "how it is written: 1.234,50 of numbers, 1.234,50 € of money, %%d.%%m.%%Y of dates",
        ),
        ("--missing-text", "COL=TEXT", "a text that stands for no value, beside the empty one"),
        ("--column-bounds", "COL=L,U", "its smallest and its largest possible number"),
        ("--domain", "COL=A,B,…", "every value that may occur, in order if they have one"),
        ("--unit", "COL=UNIT", "the unit of its numbers, such as kg"),
        ("--misfits", "COL=WHAT", f"what becomes of values that do not fit: {_any_of(Misfits)}"),
    ):
        group.add_argument(flag, action="append", default=[], metavar=metavar, help=text)


def typed(options: argparse.Namespace) -> bool:
    """Whether any of them was typed."""
    names = ("kind", "role", "format", "missing_text", "column_bounds", "domain", "unit", "misfits")
    return any(getattr(options, name) for name in names)


def carry_over(session: Session, options: argparse.Namespace) -> None:
    """Declare what was typed.

    Raises
    ------
    WorkbenchError
        If there is no such column, or what is declared of it contradicts itself.
    """
    desk, names = session.data, session.project.schema.names

    def each(typed: Sequence[str], flag: str) -> Iterator[tuple[str, str]]:
        return iter(assignments(typed, names, flag))

    for name, text in each(options.kind, "--kind"):
        kind = _word(Kind, text, "--kind", name)
        desk.set_kind([name], kind)
        if session.data.loaded is not None:
            desk.set_format(name, desk.proposed_format(name, kind))
    for name, text in each(options.format, "--format"):
        desk.set_format(name, format_of(text, session.project.schema[name].kind, name))
    absent: dict[str, list[str]] = {}
    for name, text in each(options.missing_text, "--missing-text"):
        absent.setdefault(name, [""]).append(text)
    for name, texts in absent.items():
        desk.set_missing([name], texts)
    for name, text in each(options.column_bounds, "--column-bounds"):
        desk.set_bounds(name, _bounds(text, name))
    for name, text in each(options.domain, "--domain"):
        desk.set_domain(name, next(csv.reader([text], skipinitialspace=True), ()))
    for name, text in each(options.unit, "--unit"):
        desk.set_unit_text(name, text)
    for name, text in each(options.misfits, "--misfits"):
        desk.set_misfits(name, text)
    for name, text in each(options.role, "--role"):
        desk.set_role([name], _word(Role, text, "--role", name))


def format_of(text: str, kind: Kind, column: str) -> Format:
    """How a column is written that has this example of a number, or this pattern of a date.

    Raises
    ------
    WorkbenchError
        If it is no such example.
    """
    if kind.temporal:
        return Format(pattern=text)
    found = _NUMBER.fullmatch(text.strip())
    if found is None or not kind.numeric:
        raise WorkbenchError(
            f"“{text}” does not say how “{column}” is written."
            if kind.numeric
            else f"“{column}” is of kind {kind.value}, whose values are texts as they stand.",
            hint="Write one thousand two hundred and thirty-four as the column would: 1234, 1,234.50 or 1.234,50 €."
            if kind.numeric
            else "Say first, with --kind, that it holds numbers or dates.",
            field=column,
        )
    mark, thousands = found["mark"], found["thousands"]
    if mark is None:
        mark = "," if thousands == "." else "."
    return Format(mark, thousands, found["before"] or found["after"])


def _bounds(text: str, column: str) -> tuple[float, float] | None:
    if text.strip() in ("", "none"):
        return None
    try:
        lower, upper = (float(part) for part in text.split(","))
    except ValueError:
        raise WorkbenchError(
            f"“{text}” are no bounds of “{column}”.",
            hint=f"Write --column-bounds {column}=0,120, or {column}=none for no bounds.",
            field=column,
        ) from None
    return lower, upper


def _word(made: type[_Word], text: str, flag: str, column: str) -> _Word:
    known = {str(one.value): one for one in made}
    if text not in known:
        raise WorkbenchError(
            f"{flag} {column}={text}: “{text}” is none of {', '.join(known)}.",
            hint=f"Write {flag} {column}={next(iter(known))}.",
            field=column,
        )
    return known[text]


def _any_of(made: type[Enum]) -> str:
    return ", ".join(str(one.value) for one in made)
