"""Roles of columns as somebody gives them, beside what Anonymise says of the same columns: the last word counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from workbench.anonymise.recipe import Treatment
from workbench.core.role_suggestions import SAID_SO, UNLISTED, Suggestion, Suggestions, before_looking
from workbench.core.role_words import role_to_generalise
from workbench.core.schema import Role, Schema
from workbench.session.session import Session


def suggested(session: Session, found: Suggestions) -> tuple[Suggestion, ...]:
    """The suggestions that may be followed now: before a look, those by which no row decides what takes part."""
    return found.found if session.looks.taken else before_looking(found, session.project.schema)


def seem_to_identify(session: Session) -> tuple[str, ...]:
    """The columns of the data that seem to identify people, by names and kinds alone, or whose values are not listed.

    No row is counted: a person more or less leaves the same columns out, but for a column of an engine that has just
    so many values as are listed (`docs/engines.md`).
    """
    found = _by_names(session, session.project.schema)
    return tuple(one.columns[0] for one in found if one.role is Role.IDENTIFYING)


def suggested_by_names(session: Session) -> tuple[Suggestion, ...]:
    """What is suggested for the columns by names and kinds alone, whatever roles they have; no row is counted."""
    schema = session.project.schema
    free = tuple(replace(spec, role=Role.INSENSITIVE) for spec in schema.columns)
    return _by_names(session, replace(schema, columns=free))


def _by_names(session: Session, schema: Schema) -> tuple[Suggestion, ...]:
    table = session.data.reading.table
    named = {name: UNLISTED for name in table.names if not table.lists(name)}
    named[schema.unit.person_column] = SAID_SO
    known = tuple(Suggestion((name,), Role.IDENTIFYING, reason) for name, reason in named.items())
    return before_looking(Suggestions({}, known, 0), schema)


def role_included(suggestion: Suggestion) -> Role:
    """The role of the column of a suggestion once somebody includes it, even if it is suggested to leave it out."""
    return role_to_generalise(suggestion.columns[0]) if suggestion.role is Role.IDENTIFYING else suggestion.role


def left_out(session: Session, name: str) -> bool:
    """Whether somebody said in Anonymise that a release has no such column, whatever its role."""
    said = session.project.anonymise.treatments.get(name)
    return said is Treatment.LEAVE_OUT and not session.syntactic.wanted


def role_in_force(session: Session, name: str) -> Role:
    """The role of a column, or that of whatever is left out where Anonymise leaves it out."""
    return Role.IDENTIFYING if left_out(session, name) else session.project.schema[name].role


def give_role(session: Session, names: Iterable[str], role: Role, *, undecided: bool = False) -> None:
    """Give columns a role; one that is not to be left out takes back that Anonymise leaves them out.

    Parameters
    ----------
    undecided
        Whether it is taken back that anybody said a role.
    """
    given = list(names)
    session.data.set_role(given, role, undecided=undecided)
    if role is not Role.IDENTIFYING:
        for name in given:
            if left_out(session, name):
                session.release.columns.set_treatment(name, None)
