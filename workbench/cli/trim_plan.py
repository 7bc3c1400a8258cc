"""`workbench anonymise --plan`: what to expect of a trimmed release, from public facts alone.

No row is read: the session that is planned with holds a table without rows, whose columns have the names of the header.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
from pathlib import Path
from typing import Any

from workbench.anonymise.forecast import StepForecast, TrimForecast
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.cli.command_output import CommandOutput, trimming
from workbench.cli.ledgers import exactly
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate, percent, rounded_down, rounded_up
from workbench.core.usual_delta import delta_advice
from workbench.io.dialect import Dialect
from workbench.io.header import column_names
from workbench.query.ledger import Ledger
from workbench.session import Session


def open_header(session: Session, path: Path, dialect: Dialect | None) -> None:
    """Open a table with the columns of a file and none of its rows."""
    names = column_names(path, dialect)
    with tempfile.TemporaryDirectory() as folder:  # for its owner only
        header = Path(folder, "header.csv")
        with header.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerow(names)
        session.data.open(header, Dialect(encoding="utf-8"))


def planned(session: Session, options: argparse.Namespace) -> CommandOutput:
    """The output on what to expect of the release as the session is set."""
    found, promised = session.release.forecast(), session.release.trim_guarantee()
    left_out = [name for name in session.project.schema.names if name not in found.steps[0].levels]
    degrees = session.release.chain().degrees
    data: dict[str, Any] = {
        "mechanism": session.release.mechanism.value,
        "epsilon": found.epsilon,
        "delta": found.delta,
        **trimming(promised),
        "rows_per_person": promised.rows_per_person,
        "floor": promised.floor,
        "expected_rows": found.rows,
        "released_if_even": found.released,
        "left_out": left_out,
        "steps": [
            {**_of_step(step), **({"degree": degrees[place]} if degrees else {})}
            for place, step in enumerate(found.steps)
        ],
    }
    lines = in_words(found, promised, degrees, left_out)
    return _with_room(CommandOutput(data, tuple(lines)), session, promised, options.ledger)


def _with_room(answer: CommandOutput, session: Session, promised: TrimGuarantee, ledger: Path | None) -> CommandOutput:
    """The answer with what is left of the budget, where the file of the ledger was named: the rows would find it."""
    if ledger is None:
        return answer.also(
            "What is left of the budget of the data says workbench ledger, which finds it by its rows; where --ledger "
            "names it, it is said here.",
            remaining=None,
        )
    named = Ledger.of_file(ledger)
    left = named.remaining(promised.rows_per_person)
    if left is None:
        return answer.also(f"No budget is set in {ledger.name}.", remaining=None)
    words = f"Left in {ledger.name}: ε = {rounded_down(left.epsilon)}, δ = {rounded_down(left.delta)}."
    return answer.also(words, remaining={**exactly(left), "neighbours": left.neighbours})


def _of_step(step: StepForecast) -> dict[str, Any]:
    return {
        "levels": dict(step.levels),
        "epsilon": step.epsilon,
        "delta": step.delta,
        "mean_lost": step.mean_lost,
        "half_survive": step.half_survive,
        "always_survive": step.always_survive,
        "possible_groups": step.possible_groups,
        "released_if_even": step.released,
    }


def in_words(found: TrimForecast, promised: TrimGuarantee, degrees: tuple[str, ...], left_out: list[str]) -> list[str]:
    """The forecast in words for people; the cost last."""
    lines = ["From public facts alone: no row was read, and nothing was spent."]
    for place, step in enumerate(found.steps):
        named = f" ({degrees[place]})" if degrees else ""
        levels = ", ".join(f"{name} {level}" for name, level in step.levels.items())
        groups = "any number of groups is" if step.possible_groups is None else _groups(step.possible_groups)
        even = "" if step.released is None else f" About {percent(step.released)} of the rows if they lay evenly."
        lines.append(
            f"Step {place + 1} of {len(found.steps)}{named}: {levels}. {groups[:1].upper()}{groups[1:]} possible; a "
            f"group gives up {estimate(step.mean_lost)} rows on average, and one of {step.half_survive:,} rows "
            f"survives half of the time, one of {step.always_survive:,} always.{even}"
        )
    if len(found.steps) > 1:
        lines.append(promised.survival)
    if found.rows is None:
        lines.append("With --expect N, a guess or a public number of rows, it is also said how many would survive.")
    elif found.released is not None:
        lines.append(
            f"Of {found.rows:,} rows about {percent(found.released)} would be released if they lay evenly in all "
            "possible groups; real tables have larger groups, and more of their rows are released."
        )
    else:
        lines.append("How many rows would survive cannot be said, because a column without a hierarchy may have any.")
    if left_out:
        lines.append(
            f"Left out, because they have no hierarchy: {', '.join(left_out)}. One that is known to have few values "
            "can be released as it is with --group."
        )
    if advice := delta_advice(found.delta, found.rows):
        lines.append(advice)
    lines.append(f"It costs ε = {rounded_up(found.epsilon)}, δ = {rounded_up(found.delta)}.")
    return lines


def _groups(number: int) -> str:
    return "1 group is" if number == 1 else f"{number:,} groups are"


def refuse_to_plan(options: argparse.Namespace) -> None:
    """Say that only a trimmed release can be foreseen without its rows."""
    if options.model:
        raise WorkbenchError(
            "--plan is about (ε, δ) releases, and --model searches the rows themselves.",
            hint="Leave out --plan, or --model.",
            field="plan",
        )
