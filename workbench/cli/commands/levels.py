"""`workbench levels`: what levels cost, several of them side by side. Analyst only."""

from __future__ import annotations

import argparse
from typing import Any

from workbench.anonymise.outcome import NodeFacts
from workbench.anonymise.search import evaluate
from workbench.cli import looks
from workbench.cli.command_output import CommandOutput, assignments, progress, whole
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    looks.declare(parser)
    parser.add_argument(
        "--at",
        action="append",
        default=[],
        metavar="COL=N,COL=N",
        help="levels to try; may be given several times, and columns that are not named keep those of the project, "
        "which are tried too",
    )


def run(options: argparse.Namespace) -> CommandOutput:
    """Compare what levels cost under the privacy models of a project."""
    told = progress()
    session = looks.looked(options, "levels", told.part(0.0, 0.4))
    question, names = session.syntactic.question(), session.project.schema.names
    table = session.data.prepared_table(told.part(0.4, 0.5)).table
    grouped = session.release.columns.grouping(table, question.ungrouped)
    own = {name: session.release.columns.level(name) for name in grouped}
    tried = [own]
    for text in options.at:
        said = {name: whole(level, name) for name, level in assignments(text.split(","), names, "--at")}
        for name, level in said.items():
            if name not in grouped or not 0 <= level <= grouped[name].height:
                raise WorkbenchError(
                    f"“{name}” has no level {level} here.",
                    hint="Give it a hierarchy that has, or name another level.",
                    field=name,
                )
        tried.append(own | said)
    problem = question.problem(table, grouped, told.part(0.5, 0.8))
    found = [evaluate(problem, levels) for levels in tried]
    told(1.0)
    data = {"rows_in": problem.rows, "metric": question.metric.identifier, "levels": [_described(one) for one in found]}
    return looks.answered(session, options, data, _lines(found, problem.rows))


def _described(one: NodeFacts) -> dict[str, Any]:
    return {
        "levels": dict(one.levels),
        "loss": one.score,
        "losses": dict(one.losses),
        "holds": one.feasible,
        "suppressed": one.suppressed,
        "groups": one.classes,
        "smallest": int(one.sizes.min()) if len(one.sizes) else 0,
        "why": one.why,
    }


def _lines(found: list[NodeFacts], rows: int) -> list[str]:
    lines = []
    for one in found:
        levels = ", ".join(f"{name} {level}" for name, level in one.levels.items())
        holds = "the models hold" if one.feasible else f"the models do not hold: {one.why}"
        lines.append(
            f"{levels}: loss {estimate(one.score)}, {one.suppressed:,} of {rows:,} rows suppressed, {one.classes:,} "
            f"groups; {holds}."
        )
    return lines
