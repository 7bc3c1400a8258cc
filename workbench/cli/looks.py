"""Commands that look at the true rows of a project: attacks, what would survive, what levels cost. Analyst only.

A look is recorded before anything is computed, in the ledger of the data and in the project, whatever becomes of it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from workbench.cli import near_data
from workbench.cli.command_output import CommandOutput, with_unread
from workbench.cli.engines import add_engine, store_of
from workbench.cli.files import data_path, read_file
from workbench.cli.ledgers import add_ledger
from workbench.cli.outside import opened
from workbench.core.progress import Progress
from workbench.session import Session
from workbench.session.saved_project import remember

LOOKED = (
    "For the analyst only. This was a look at the data, which is recorded: a later draw has (ε, δ) only for its "
    "choices as they are; what left before keeps its claim."
)

UNRECORDED = (
    "For the analyst only: this was found in the true rows. Who chooses by it what to release cannot say that it was "
    "chosen without looking."
)
"""The warning where values were seen and there is no project whose claims would follow from a record."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The project, and where its data is."""
    parser.add_argument("project", type=read_file, metavar="PROJECT.wbench")
    parser.add_argument(
        "--data", type=data_path, metavar="FILE_OR_PATTERN", help="the data (default: where the project found it)"
    )
    add_engine(parser)
    add_ledger(parser)


def looked(options: argparse.Namespace, at: str, told: Progress) -> Session:
    """The project with its data, once it is recorded that the true rows are looked at.

    Parameters
    ----------
    at
        What is looked at, as a code of records.

    Raises
    ------
    WorkbenchError
        If the data cannot be read, or the look cannot be recorded.
    """
    session = opened(options.project, options.data, options.ledger, told, lambda wanted: store_of(options, wanted))
    near_data.answer(session, options)
    session.looks.take(at, lasting=True)
    return session


def answered(
    session: Session, options: argparse.Namespace, data: dict[str, object], lines: Sequence[str]
) -> CommandOutput:
    """The answer, with whether the project remembers that somebody looked, and with what was not read."""
    return with_unread(remembered(session, options, CommandOutput(data, tuple(lines))), session)


def remembered(session: Session, options: argparse.Namespace, answer: CommandOutput) -> CommandOutput:
    """The answer, with whether the project remembers that somebody looked."""
    problem = remember(session, options.project)
    answer = answer.also(LOOKED, recorded=not problem)
    if problem:
        answer = answer.also(f"That it was seen could not be recorded in the project: {problem}")
    return answer
