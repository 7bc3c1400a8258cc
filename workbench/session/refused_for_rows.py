"""Refusals of an engine for the number of its rows or groups: they cost nothing, so each counts as a look.

Otherwise, asked with one memory budget after another, it would tell these numbers and leave no trace.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from workbench.core.table import TooManyGroups
from workbench.engines.budget import BeyondMemory
from workbench.session.looking import LookDesk
from workbench.session.state import SessionState

_AT = "values"


@contextmanager
def refusals_recorded(state: SessionState) -> Iterator[None]:
    """A context in which a refusal that follows from the rows is recorded as a look at them before it is said.

    Raises
    ------
    WorkbenchError
        The refusal, which says so; or why it cannot be recorded, which then tells nothing of the rows.
    """
    try:
        yield
    except (BeyondMemory, TooManyGroups) as error:
        LookDesk(state).take(_AT, lasting=True)
        raise error.also("That is recorded as a look at the data.") from error
