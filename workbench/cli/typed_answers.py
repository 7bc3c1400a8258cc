"""A survey that is planned before anybody answered: the possible answers as they are typed, in the place of a file."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.core import flags
from workbench.core.content import fingerprints
from workbench.core.errors import WorkbenchError
from workbench.core.table import Column, Table
from workbench.io.dialect import Dialect
from workbench.io.reading import Reading
from workbench.ldp.encoding import EncodingChoice
from workbench.project.loading import loaded_from
from workbench.session import Session


def open_typed(session: Session, options: argparse.Namespace) -> None:
    """Open a table that has each typed answer once, or the two bounds, as a file of them would.

    Raises
    ------
    WorkbenchError
        If what is asked needs the rows of a file, or the answers or the number of people are not typed.
    """
    trial = options.trial and options.reports is not None
    if not (options.predict or trial):
        raise WorkbenchError(
            "No data is named, so nobody answers.",
            hint="Name the file, or plan with --predict, or write a trial with --trial --reports FILE.csv.",
            field="file",
        )
    typed = flags.given(EncodingChoice, options)
    ends = str(typed.get("bounds", "")).split(",")
    answers = tuple(typed.get("domain") or ()) or tuple(end.strip() for end in ends)
    if answers == ("",):
        raise WorkbenchError(
            "Without a file nobody knows which answers there are.",
            hint='Write --domain "yes,no,no answer", or --bounds 0,100 for numbers.',
            field="domain",
        )
    if options.predict and options.users is None:
        raise WorkbenchError(
            "Without a file nobody knows how many people are asked.", hint="Write --users 1000.", field="users"
        )
    table = Table((Column.from_texts(options.column, answers),))
    prints = fingerprints(table)
    reading = Reading(table, Dialect(), (), 0, 0, prints.rows, Path("answers as typed"))
    session.data.adopt(loaded_from(reading, prints))
