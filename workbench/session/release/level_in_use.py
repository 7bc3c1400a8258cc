"""The level at which a release has a column, where somebody has chosen what the release is for, or the levels."""

from __future__ import annotations

from workbench.anonymise.recipe import ReleaseMechanism, Treatment
from workbench.core.errors import WorkbenchError
from workbench.session.release.purpose import ticks
from workbench.session.release.steps import LevelSource
from workbench.session.session import Session


def level_in_use(session: Session, name: str) -> int | None:
    """The finest level that a release takes of a column's hierarchy; None while nobody chose anything of it.

    It follows from the settings, before a draw as after it. Levels that are drawn are none of them.
    """
    columns, steps = session.release.columns, session.release.steps
    chosen = name in session.project.hierarchies and columns.treatment(name) is Treatment.GENERALISE
    if not chosen or session.syntactic.wanted:
        return None
    if steps.mechanism is not ReleaseMechanism.TRIM:
        return session.project.anonymise.levels.get(name) if steps.source is LevelSource.HAND else None
    if steps.source is LevelSource.BALANCED and not any(ticks(session).values()):
        return None
    try:
        return next((line.levels.get(name) for line in steps.lines()), None)
    except WorkbenchError:  # the settings do not go together, as is said in Anonymise
        return None
