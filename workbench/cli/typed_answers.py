"""The possible answers as they are typed, where a survey is planned, or ways compared, and no file is named."""

from __future__ import annotations

import argparse

from workbench.core import flags
from workbench.core.errors import WorkbenchError
from workbench.evaluate.experiment import Experiment
from workbench.ldp.encoding import EncodingChoice
from workbench.session import Session
from workbench.session.collection.typed_answers import as_read
from workbench.session.comparison_typed import possible_values


def open_typed(session: Session, options: argparse.Namespace) -> None:
    """Open a table that has each typed answer once, or the two bounds, as a file of them would.

    Raises
    ------
    WorkbenchError
        If what is asked needs the rows of a file, or the answers or the number of people are not typed.
    """
    trial = options.trial and options.reports is not None
    if options.reports is not None and not (options.predict or trial):
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
    if not trial and options.users is None:
        raise WorkbenchError(
            "Without a file nobody knows how many people are asked.", hint="Write --users 1000.", field="users"
        )
    session.data.adopt(as_read(options.column, answers))


def open_shape(session: Session, experiment: Experiment) -> None:
    """Open a table that has each possible value of an experiment once, or the two bounds, where no file is named.

    Raises
    ------
    WorkbenchError
        If it needs true values, or does not say which values are possible.
    """
    if not experiment.basis.public:
        raise WorkbenchError(
            "No data is named, so there are no true values.",
            hint='Name the file with --data, or compare on a public shape with "basis": "either" and "users": 1000.',
            field="file",
        )
    values = possible_values(experiment.question)
    if not values:
        raise WorkbenchError(
            "Without a file nobody knows which values are possible.",
            hint='Write "bounds": [0, 100] into the encoding of the question, or "domain": ["yes", "no"].',
            field="domain",
        )
    session.data.adopt(as_read(experiment.question.column, values))
