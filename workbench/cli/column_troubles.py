"""Oddities in the columns of a file, said with the option that mends them, before anything is made of them."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterable

from workbench.cli import column_options
from workbench.cli.printing import clear_progress, complain
from workbench.core.errors import WorkbenchError
from workbench.core.filtering import parse
from workbench.core.number_example import example_of
from workbench.io.column_troubles import ColumnTrouble
from workbench.session import Session
from workbench.session.file_preview import troubles_of


def refuse_unsure(
    session: Session, options: argparse.Namespace, asked: Iterable[str] | None = None, *, unseen: bool = False
) -> None:
    """Refuse numbers that can be read in two ways, until it is said how they are written.

    Parameters
    ----------
    asked
        The columns whose numbers are used, beside those of the filter of rows; None for all.
    unseen
        Whether no value may be told, because what is asked for is to promise something.

    Raises
    ------
    WorkbenchError
        If a column holds such numbers and no --format names it.
    """
    where = session.project.preparation.where
    filtered = parse(where, session.project.schema).columns if where.strip() else ()
    wanted = None if asked is None else {*asked, *filtered}
    for trouble in _found(session, options):
        if trouble.unsure and (wanted is None or trouble.column in wanted):
            said = f"“{trouble.column}”: {trouble.unseen}" if unseen else _read(trouble)
            raise WorkbenchError(said, hint=_hint(trouble, session), field=trouble.column)


def say(session: Session, options: argparse.Namespace, *, numbers: bool = False) -> None:
    """Say what is odd, one line for each trouble; nothing of what no option mends.

    Parameters
    ----------
    numbers
        Whether only numbers that can be read in two ways are named.
    """
    for trouble in _found(session, options):
        if numbers and not trouble.unsure:
            continue
        if hint := _hint(trouble, session):
            clear_progress()
            complain(f"{_read(trouble)} {hint}")


def _found(session: Session, options: argparse.Namespace) -> tuple[ColumnTrouble, ...]:
    """The troubles with the columns; how a column is written is not asked again where it was typed."""
    typed = column_options.given(options, "--format")
    return tuple(
        trouble
        for trouble in troubles_of(session.data.reading.table, session.project.schema.columns)
        if not trouble.harmless
        and (trouble.format is None or not any(one.startswith(f"{trouble.column}=") for one in typed))
    )


def _read(trouble: ColumnTrouble) -> str:
    return f"“{trouble.column}”: {trouble.words}"


def _hint(trouble: ColumnTrouble, session: Session) -> str:
    name = trouble.column
    if trouble.missing:
        flags = " ".join(_option("--missing-text", name, text) for text in trouble.missing if text)
        return f"If so, add {flags}." if flags else ""
    if trouble.unsure and trouble.format is not None:
        now = session.project.schema[name].format
        other, kept = (_option("--format", name, example_of(one)) for one in (trouble.format, now))
        return f"Say which: {other} reads thousands, {kept} decimals, as now."
    if trouble.kind is not None:
        return f"If so, add {_option('--kind', name, trouble.kind.value)}."
    if trouble.format is not None and trouble.format.pattern:
        return f"To read every way, add {_option('--format', name, trouble.format.pattern)}."
    return ""


def _option(flag: str, column: str, text: str) -> str:
    return f"{flag} {shlex.quote(f'{column}={text}')}"
