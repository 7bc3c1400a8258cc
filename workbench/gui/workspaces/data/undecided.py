"""The fate of the columns by their roles: how many take part, which nobody decided about, and the step due of them."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.number_text import counted
from workbench.core.schema import ColumnSpec, Role
from workbench.core.visible import visible
from workbench.session import Session
from workbench.session.given_roles import left_out, role_in_force

_NAMED, _LETTERS = 3, 24
"""Columns, and letters of them, that the next step names: it has three short lines."""
_KEPT_TOGETHER = "\N{NO-BREAK SPACE}"
"""Within a name, which no line of the next step breaks."""


def undecided_columns(session: Session) -> tuple[str, ...]:
    """The columns of which nobody said what they are: unless one gets a hierarchy, a release leaves it out."""
    schema, hierarchies = session.project.schema, session.project.hierarchies
    free = (spec for spec in schema.columns if spec.name not in (schema.unit.person_column, *hierarchies))
    open_ = (spec for spec in free if spec.undecided and spec.role is Role.INSENSITIVE)
    return tuple(spec.name for spec in open_ if not left_out(session, spec.name))


def fates_in_words(session: Session) -> str:
    """How many of the columns a release has, and of how many nobody decided, by their roles alone."""
    specs, some = session.project.schema.columns, len(undecided_columns(session))
    out = sum(_is_left_out(session, spec) for spec in specs)
    words = f"{len(specs) - out - some:,} of {len(specs):,} in a release"
    return f"{words}, {some:,} not decided" if some else words


def _is_left_out(session: Session, spec: ColumnSpec) -> bool:
    """Whether its role leaves it out; one that only lacks a hierarchy gets it on the way."""
    role = role_in_force(session, spec.name)
    if role is Role.INSENSITIVE and not spec.undecided and not session.syntactic.wanted:
        return session.release.columns.is_left_out(spec.name)
    return role is Role.IDENTIFYING


def step_of(names: Sequence[str], *, asked: bool = False) -> str:
    """The step that is due while nobody decided about these columns; "" where there are none.

    Parameters
    ----------
    asked
        Whether nothing is suggested for them, so that the step is the likely answer, and to go on.
    """
    if not names:
        return ""
    whole = [name.replace(" ", _KEPT_TOGETHER) for name in map(visible, names)]
    listed = " and ".join(filter(None, (", ".join(whole[:-1]), whole[-1])))
    short = len(names) <= _NAMED and len(listed) <= _LETTERS
    which = listed if short else counted(len(names), "column")
    # They are included by it, which publishes nothing: what the release is for is asked in Anonymise.
    return f"Include {which} and go on" if asked else f"Decide about {which}"
