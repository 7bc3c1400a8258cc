"""Options of a series: several releases that are planned before the first of them is drawn."""

from __future__ import annotations

import argparse

from workbench.cli.command_output import CommandOutput
from workbench.cli.ledgers import exactly
from workbench.cli.privacy_options import amount
from workbench.core.errors import WorkbenchError
from workbench.session import Session
from workbench.session.release.series import PlannedSeries


def add(parser: argparse.ArgumentParser) -> None:
    """How many releases are planned, and their δ."""
    parser.add_argument(
        "--releases",
        type=int,
        metavar="N",
        help="write a plan of N releases like this one into the ledger before this one is drawn: whichever of them are "
        "made, they cost less together than one by one. Later runs with the same ε and δ are paid by it",
    )
    parser.add_argument(
        "--releases-delta",
        type=amount,
        metavar="D",
        help="δ of all of them together (default: the sum); more makes their ε smaller",
    )


def refuse_with_models(options: argparse.Namespace) -> None:
    """Say that privacy models spend no ε that could be planned.

    Raises
    ------
    WorkbenchError
        If a plan is asked for.
    """
    if options.releases is not None or options.releases_delta is not None:
        raise WorkbenchError(
            "--releases plans (ε, δ) releases, and privacy models make none.",
            hint="Leave it out.",
            field="releases",
        )


def plan(session: Session, options: argparse.Namespace) -> PlannedSeries | None:
    """Write the plan that was asked for into the ledger, or say what it would cost where nothing is to be drawn."""
    if options.releases is None:
        if options.releases_delta is not None:
            raise WorkbenchError(
                "--releases-delta is the δ of a plan, and --releases does not say how many releases it has.",
                hint="Give --releases N, or leave it out.",
                field="releases",
            )
        return None
    series = session.release.series
    only_priced = getattr(options, "plan", False)
    return (series.price if only_priced else series.plan)(options.releases, options.releases_delta)


def with_plan(answer: CommandOutput, planned: PlannedSeries | None) -> CommandOutput:
    """The answer with what the releases cost together."""
    if planned is None:
        return answer
    told = {"releases": planned.releases, "entry": planned.entry or None, **exactly(planned)}
    return answer.also(planned.words, planned=told)
