"""The options that declare columns on the command line: kinds, how they are written, bounds, domains, roles."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import Any, TypeVar

from workbench.cli.command_output import assignments
from workbench.core.errors import WorkbenchError
from workbench.core.number_example import WANTED, format_shown
from workbench.core.schema import Format, Kind, Misfits, Role
from workbench.session import Session

_Word = TypeVar("_Word", bound=Enum)


def _any_of(made: type[Enum]) -> str:
    return ", ".join(str(one.value) for one in made)


_READ = (
    ("--kind", "COL=KIND", f"how its texts are to be read: {_any_of(Kind)}"),
    (
        "--format",
        "COL=EXAMPLE",
        "how it is written: 1.234,50 of numbers, 1.234,50 € of money, %%d.%%m.%%Y of dates",
    ),
    ("--missing-text", "COL=TEXT", "a text that stands for no value, beside the empty one"),
)
_DECLARED = (
    ("--role", "COL=ROLE", f"what it could do to a person's privacy: {_any_of(Role)}"),
    ("--column-bounds", "COL=L,U", "its smallest and its largest possible number"),
    ("--domain", "COL=A,B,…", "every value that may occur, in order if they have one"),
    ("--unit", "COL=UNIT", "the unit of its numbers, such as kg"),
    ("--misfits", "COL=WHAT", f"what becomes of values that do not fit: {_any_of(Misfits)}"),
)


def add(parser: argparse.ArgumentParser) -> None:
    """The options that describe columns; each may be given several times."""
    group = parser.add_argument_group("what is declared of columns, known without this data")
    _declare(group, (*_READ, *_DECLARED))


def add_read(parser: argparse.ArgumentParser, *declared: str) -> None:
    """Only those that say how columns are read, and which of what is declared; each may be given several times."""
    words = "how columns are read, where the guess is wrong"
    group = parser.add_argument_group(f"{words}; what is known without this data" if declared else words)
    _declare(group, (*_READ, *(one for one in _DECLARED if one[0] in declared)))


def _declare(group: Any, options: Iterable[tuple[str, str, str]]) -> None:
    for flag, metavar, text in options:
        group.add_argument(flag, dest=_place(flag), action="append", default=[], metavar=metavar, help=text)


def _place(flag: str) -> str:
    """Where argparse keeps it: some commands have a --domain, or a kind, of their own."""
    return f"column_{flag.removeprefix('--').replace('-', '_')}"


def given(options: argparse.Namespace, flag: str) -> Sequence[str]:
    """The values that were typed for one of these options; none where a command does not have it."""
    found: Sequence[str] = getattr(options, _place(flag), ())
    return found


def typed(options: argparse.Namespace) -> bool:
    """Whether any of them was typed."""
    return any(given(options, flag) for flag, _, _ in (*_READ, *_DECLARED))


def carry_over(session: Session, options: argparse.Namespace) -> None:
    """Declare what was typed.

    Raises
    ------
    WorkbenchError
        If there is no such column, or what is declared of it contradicts itself.
    """
    desk, names = session.data, session.project.schema.names

    def each(flag: str) -> Iterator[tuple[str, str]]:
        return iter(assignments(given(options, flag), names, flag))

    for name, text in each("--kind"):
        kind = _word(Kind, text, "--kind", name)
        desk.set_kind([name], kind)
        if session.data.loaded is not None:
            desk.set_format(name, desk.proposed_format(name, kind))
    for name, text in each("--format"):
        desk.set_format(name, format_of(text, session.project.schema[name].kind, name))
    absent: dict[str, list[str]] = {}
    for name, text in each("--missing-text"):
        absent.setdefault(name, [""]).append(text)
    for name, texts in absent.items():
        desk.set_missing([name], texts)
    for name, text in each("--column-bounds"):
        desk.set_bounds(name, _bounds(text, name))
    for name, text in each("--domain"):
        desk.set_domain(name, next(csv.reader([text], skipinitialspace=True), ()))
    for name, text in each("--unit"):
        desk.set_unit_text(name, text)
    for name, text in each("--misfits"):
        desk.set_misfits(name, text)
    for name, text in each("--role"):
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
    found = format_shown(text) if kind.numeric else None
    if found is None:
        raise WorkbenchError(
            f"“{text}” does not say how “{column}” is written."
            if kind.numeric
            else f"“{column}” is of kind {kind.value}, whose values are texts as they stand.",
            hint=WANTED if kind.numeric else "Say first, with --kind, that it holds numbers or dates.",
            field=column,
        )
    return found


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
