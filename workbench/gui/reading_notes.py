"""Notes after a file was read: what differs from the project, and what could not be read."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.core.schema import UnitAnswer
from workbench.core.visible import visible
from workbench.evaluate.experiment_edits import USUAL_PEOPLE
from workbench.io.reading import Reading
from workbench.project.differences import Differences
from workbench.project.loading import Loaded
from workbench.project.model import Project
from workbench.session.loaded_data import no_rows


def reading_notes(loaded: Loaded, differences: Differences) -> Iterator[str]:
    """Warnings in sentences, the most important one last."""
    if differences:
        yield (
            f"{loaded.reading.path.name} is not what the project describes. The Data workspace lists the differences."
        )
    if not loaded.reading.table.rows:
        yield no_rows(loaded)
    if loaded.reading.problem_count:
        yield _problems(loaded.reading)


def carried_notes(project: Project, before: str, name: str) -> Iterator[str]:
    """What was said of another table and counts for this one of the same columns: it is the publisher's word."""
    experiments = (one.experiment for one in project.comparing.documents)
    people = dict.fromkeys(
        one.users for one in experiments if one.basis.public and one.users not in (None, USUAL_PEOPLE)
    )
    if people:
        several = " and ".join(f"{one:,}" for one in people)
        yield visible(f"People in Compare are still {several}, as typed for {before}. Type how many {name} has.")
    if project.schema.unit.protected is UnitAnswer.SAID:
        yield visible(
            f"What you said of {before} counts for {name}, too: who is protected, roles, what occurs, how many people. "
            "Check it in Data, or begin anew with File ▸ New."
        )


def _problems(reading: Reading) -> str:
    """How many lines were left out or else repaired, and where the first of them is."""
    left_out = reading.skipped
    first = next((one for one in reading.problems if one.kept is not bool(left_out)), reading.problems[0])
    count = left_out or reading.problem_count
    if count == 1:
        words = (
            "Line {line} could not be read and is not in the table: {reason}."
            if left_out
            else "Line {line} was not as it should be; its row is kept: {reason}."
        )
    elif left_out:
        words = "{count} lines could not be read and are not in the table. The first is line {line}: {reason}."
    else:
        words = "{count} lines were not as they should be; their rows are kept. The first is line {line}: {reason}."
    return words.format(count=f"{count:,}", line=f"{first.line:,}", reason=first.reason.rstrip("."))
