"""Suggested hierarchy builders for a column, and the specification each begins with."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from workbench.core.building import BUILDERS, assess, specification
from workbench.core.column_words import is_body_mass, is_small_count, is_year
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.core.schema import ColumnSpec, Kind

SPELLING = "spelling"
"""The builder that groups nothing but ways to spell a value."""

IMPORTED = "table"
"""The builder that holds an imported hierarchy."""

_AMOUNT = re.compile(
    r"salary|salaries|wage|income|earning|price|cost|amount|charge|payment|revenue|turnover|\bpay\b|_pay\b|"
    r"gehalt|lohn|einkommen|verdienst|preis|betrag|umsatz|salaire|revenu|montant|sueldo|salario|ingreso|stipendio",
    re.IGNORECASE,
)
_AMOUNT_WIDTH = 10_000.0
_COUNT_WIDTH, _COUNT_LEVELS = 2.0, 4
"""Of what is counted one by one, such as days and children: 0-1, 0-3, 0-7, 0-15."""
_YEARS_WIDTH, _YEARS_LEVELS = 5.0, 3
"""Of calendar years: 5, 10 and 20, as those of a school or a staff lie within a few decades."""
_MASS_WIDTH, _MASS_LEVELS = 2.5, 3
"""Of body mass indices: 2.5, 5 and 10, with ends at 25 and 30, where they are usually divided."""
_USUAL_ORDER = (
    "intervals",
    "order",
    "dates",
    "ends",
    "categories",
    "spelling",
    "masking",
    "postcodes",
    "priority",
    "redaction",
)
_MOST = 2


def suggested_builders(column: ColumnSpec) -> tuple[str, ...]:
    """The builders that suit a column by its kind and its name, the best first; no data is looked at."""
    ranked = sorted(BUILDERS, key=lambda builder: -builder.suits(column))
    return tuple(builder.identifier for builder in ranked if builder.suits(column) > 0)[:_MOST]


def ordered_builders(column: ColumnSpec) -> tuple[str, ...]:
    """All builders, those that suit the column first; the table of an imported file last."""
    known = [builder.identifier for builder in BUILDERS]
    wanted = [*suggested_builders(column), *_USUAL_ORDER, *(name for name in known if name != IMPORTED), IMPORTED]
    return tuple(dict.fromkeys(wanted))


def first_specification(builder: str, column: ColumnSpec, values: Sequence[str] = ()) -> dict[str, Any]:
    """Specification that a builder starts from.

    Parameters
    ----------
    values
        The values of the data, in the order in which lists of them start. A list made of them is data-derived.
    """
    parameters, details = BUILDERS[builder].suggest(column)
    if column.domain is None and builder == "categories":
        parameters, details = {"declared": False}, {"tree": list(values)}
    elif column.domain is None and builder == IMPORTED:
        parameters, details = {"declared": False, "top": True}, {"rows": [[value, value] for value in values]}
    elif column.domain is None and builder == "order" and values:
        # As many levels as say something below the top; the result is data-derived in any case.
        levels = max(1, (len(values) - 1).bit_length() - 1)
        details = {**details, "levels": details["levels"][:levels]}
    elif builder == "intervals" and column.bounds is None and (_AMOUNT.search(column.name) or column.format.thousands):
        # Whose thousands are set apart reaches them.
        details = {**details, "intervals": [{"from": 0.0, "to": _AMOUNT_WIDTH}]}
    elif builder == "intervals" and column.bounds is None and is_body_mass(column.name):
        details = _doubled(details, _MASS_WIDTH, _MASS_LEVELS)
    elif builder == "intervals" and column.bounds is None and column.kind is Kind.INTEGER:
        if is_small_count(column.name):
            details = _doubled(details, _COUNT_WIDTH, _COUNT_LEVELS)
        elif is_year(column.name):
            details = _doubled(details, _YEARS_WIDTH, _YEARS_LEVELS)
    return specification(builder, parameters, details, column=column)


def _doubled(details: dict[str, Any], width: float, levels: int) -> dict[str, Any]:
    """Intervals that begin at this width and are twice as wide at each level."""
    first, *others = details["levels"]
    doubled = [first, *(dict(others[0]) for _ in range(levels - 1))]
    return {**details, "intervals": [{"from": 0.0, "to": width}], "levels": doubled}


def public_specification(column: ColumnSpec) -> dict[str, Any]:
    """Specification of a hierarchy from the kind, name, bounds and domain of its column alone, so that it is public.

    The first builder that suits the column and needs no value of the data; if there is none, values are spelt alike or
    become `*`. What its rule does not cover, such as a word among numbers, becomes `*` as well.
    """
    for builder in suggested_builders(column):
        found = first_specification(builder, column)
        try:
            public = assess(found, column).provenance is Provenance.PUBLIC
        except WorkbenchError:
            continue  # it says nothing without values, as a tree of groups does
        if public:
            return _covering(found)
    return _covering(first_specification(SPELLING, column))


def follows_publicly(specified: Mapping[str, Any], column: ColumnSpec) -> bool:
    """Whether a specification is what `public_specification` makes of a column."""
    return dict(specified) == public_specification(column)


def _covering(found: dict[str, Any]) -> dict[str, Any]:
    return {**found, "parameters": {**found["parameters"], "unlisted": "any"}}
