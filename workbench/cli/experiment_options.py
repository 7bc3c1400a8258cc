"""Shared parts of `workbench compare` and `workbench preset`: true values, and the files of figures."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from workbench.cli import column_options, column_troubles
from workbench.cli.command_output import progress
from workbench.cli.files import written_folder
from workbench.cli.reading import dialect
from workbench.core.errors import WorkbenchError
from workbench.core.schema import PrivacyUnit
from workbench.session import Session
from workbench.session.comparison_files import FORMATS

ANALYST = "Made from true values with a seed: for the analyst only, not to be published."
LOOKED = (
    "This was a look at the data, which is recorded: a later draw has (ε, δ) only for its choices as they are; what "
    "left before keeps its claim."
)


def add_out(parser: argparse.ArgumentParser) -> None:
    """Where the figures go, and in which formats."""
    parser.add_argument("--out", type=written_folder, metavar="DIR", help="folder for figures, CSV and JSON")
    parser.add_argument(
        "--formats", default=",".join(FORMATS), metavar="F,F", help=f"of the figures (default: {','.join(FORMATS)})"
    )


def opened(
    options: argparse.Namespace, column: str, typed: Callable[[Session], None] | None = None
) -> tuple[Session, Any]:
    """A session with the data, and the progress of what follows.

    Parameters
    ----------
    typed
        What is opened where no file is named.

    Raises
    ------
    WorkbenchError
        If it cannot be read, or the numbers of this column can be read in two ways.
    """
    session, told = Session(), progress()
    if options.file is None and typed is not None:
        typed(session)
    else:
        session.data.open(options.file, dialect(options, session), told.part(0.0, 0.3))
    column_options.carry_over(session, options)
    column_troubles.refuse_unsure(session, options, (column,))
    session.data.set_unit(PrivacyUnit(options.rows_per_person, ""))
    if options.ledger is not None:
        session.ledger.use_file(options.ledger)
    return session, told


def look(session: Session) -> None:
    """Record, before anything is computed, that true values are looked at; no project will remember it."""
    session.comparison.look(lasting=True)


def formats_of(options: argparse.Namespace) -> tuple[str, ...]:
    """The formats of the figures, as they were typed."""
    wanted = tuple(part.strip() for part in options.formats.split(",") if part.strip())
    unknown = [one for one in wanted if one not in FORMATS]
    if unknown:
        raise WorkbenchError(
            f"There is no format “{unknown[0]}”.", hint=f"Known are {', '.join(FORMATS)}.", field="formats"
        )
    return wanted
