"""Columns that nobody decided about, which a promise leaves out: which they are, and the step that is due of them."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.number_text import counted
from workbench.core.schema import Role
from workbench.core.visible import visible
from workbench.session import Session
from workbench.session.given_roles import left_out

_NAMED, _LETTERS = 2, 24
"""Columns, and letters of them, that the next step names: it has two short lines."""


def undecided_columns(session: Session) -> tuple[str, ...]:
    """The columns of which nobody said what they are: unless one gets a hierarchy, a release leaves it out."""
    schema, hierarchies = session.project.schema, session.project.hierarchies
    free = (spec for spec in schema.columns if spec.name not in (schema.unit.person_column, *hierarchies))
    open_ = (spec for spec in free if spec.undecided and spec.role is Role.INSENSITIVE)
    return tuple(spec.name for spec in open_ if not left_out(session, spec.name))


def step_of(names: Sequence[str]) -> str:
    """The step that is due while nobody decided about these columns; "" where there are none."""
    listed = visible(" and ".join(names))
    short = len(names) <= _NAMED and len(listed) <= _LETTERS
    return f"Decide about {listed if short else counted(len(names), 'column')}" if names else ""
