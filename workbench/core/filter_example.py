"""A filter to show how one is written, from how columns are described alone and never from a row."""

from __future__ import annotations

from workbench.core.column_words import is_age, is_place_or_date, is_year
from workbench.core.filtering import written_name
from workbench.core.number_text import rounded, typed
from workbench.core.role_words import numbers_people
from workbench.core.schema import ColumnSpec, Role, Schema


def example_filter(schema: Schema) -> str:
    """A condition on a quantity, or else on what can be compared at all; codes and numbers of people are neither.

    >>> from workbench.core.schema import Kind
    >>> example_filter(Schema((ColumnSpec("zip", Kind.INTEGER), ColumnSpec("wage", Kind.INTEGER))))
    'wage > 0'
    """
    if not schema.columns:
        return "age >= 18"
    columns = _telling(schema)
    amounts = [one for one in columns if one.kind.numeric and not is_place_or_date(one.name)]
    for found in (
        next((one for one in amounts if is_age(one.name)), None),
        next((one for one in amounts if one.bounds), None),
        *amounts[:1],
        next((one for one in columns if one.kind.temporal or (one.kind.numeric and is_year(one.name))), None),
        next((one for one in columns if one.domain and not one.kind.numeric), None),
    ):
        if found is not None:
            return f"{written_name(found)} {_condition(found)}"
    return f"{written_name((columns or schema.columns)[0])} is not missing"


def text_example(schema: Schema) -> str:
    """The same on a column of texts, which stand in quotes: a declared one, or just “value”; "" without such a column.

    >>> from workbench.core.schema import Kind
    >>> text_example(Schema((ColumnSpec("wage", Kind.MONEY), ColumnSpec("diagnosis", Kind.TEXT))))
    "diagnosis = 'value'"
    """
    texts = [one for one in _telling(schema) if not (one.kind.numeric or one.kind.temporal)]
    found = next((one for one in texts if one.domain), next(iter(texts), None))
    return "" if found is None else f"{written_name(found)} {_condition(found)}"


def _telling(schema: Schema) -> list[ColumnSpec]:
    """The columns that do not tell one person from all others, as they are declared."""
    named = schema.unit.person_column
    return [
        one.declared()
        for one in schema.columns
        if one.role is not Role.IDENTIFYING and one.name != named and not numbers_people(one.name)
    ]


def _condition(column: ColumnSpec) -> str:
    if column.kind.temporal:
        return ">= 2000-01-01"
    if not column.kind.numeric:
        return "= '" + (column.domain or ("value",))[0].replace("'", "''") + "'"
    if is_age(column.name):
        return ">= 18"
    if column.bounds:
        return f">= {typed(rounded(sum(column.bounds) / 2, 2))}"
    return ">= 2000" if is_year(column.name) else "> 0"
