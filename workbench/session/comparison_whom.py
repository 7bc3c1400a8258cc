"""People whom the errors of a comparison are about: with one row each, with several, or unknown ones."""

from __future__ import annotations

from workbench.core.schema import UnitAnswer
from workbench.evaluate.result_reading import ONE_OF_EACH
from workbench.project.model import Project


def rows_drawn(project: Project) -> int:
    """How many rows of each person take part at most, drawn by chance; 0 where all do."""
    unit = project.schema.unit
    return unit.rows_per_person if unit.person_column and project.preparation.limit_rows else 0


def whom_words(project: Project) -> str:
    """Whom ε is about, where that is not one person with one row or nobody has said it yet; else ""."""
    unit, most = project.schema.unit, f"{project.schema.unit.rows_per_person:,}"
    if unit.rows_per_person > 1:
        return (
            f"ε is that of a person with up to {most} rows, and of a row it is ε/{most}. With one row of each "
            "person, as Data can leave it, Local errs less."
        )
    if rows_drawn(project):
        return ONE_OF_EACH
    if unit.protected is not UnitAnswer.UNSAID:
        return ""
    return "One row per person is assumed; with k rows, ε is k times."
