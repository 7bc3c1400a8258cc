"""Suggested hierarchy builders for a column, and the specification each begins with."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import pairwise
from typing import Any

from workbench.core.building import BUILDERS, assess, specification
from workbench.core.closed_end import opened
from workbench.core.column_words import is_age, is_body_mass, is_small_count, is_year
from workbench.core.decimal_ends import end_after, multiple_below, one_digit, round_number
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.core.schema import ColumnSpec, Kind

SPELLING = "spelling"
"""The builder that groups nothing but ways to spell a value."""

IMPORTED = "table"
"""The builder that holds an imported hierarchy."""

_AMOUNT = re.compile(
    r"salary|salaries|wage|income|earning|price|cost|amount|charge|payment|revenue|turnover|\bpay\b|_pay\b|"
    r"[€$£]|(?<![A-Za-z])(?:eur|usd|gbp|chf|fees?|rents?|bonus|mieten?)(?![A-Za-z])|gebühr|beitrag|"
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
_AGES_WIDTH, _AGES_LEVELS, _AGES_SPAN = 5.0, 4, 200.0
"""Of ages that are known to lie within so many years: 5, 10, 20 and 40."""
_FINEST_PART = 200
"""Of amounts whose ends are public the finest intervals are a 200th of the range, rounded up to 1, 2 or 5."""
_FEW_PARTS, _FEWEST_PARTS = 10, 2
"""Where five times as wide would leave fewer of them than the first, they double; more than the second are left."""
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


class Suggested(Enum):
    """Ways in which a rule is suggested: as now, or as by earlier programs, whose rules saved projects have."""

    NOW = "now"
    SUMMED = "ends are sums of floating point, such as 1.4000000000000001"
    OPEN = "nor have intervals an upper end"
    FIRST = "nor an upper end, and the widths of amounts are 5, 10, 50, 100 and 500"

    @property
    def is_closed(self) -> bool:
        """Whether the last interval holds the number with which a range ends."""
        return self in (Suggested.NOW, Suggested.SUMMED)


def first_specification(
    builder: str, column: ColumnSpec, values: Sequence[str] = (), *, way: Suggested = Suggested.NOW
) -> dict[str, Any]:
    """Specification that a builder starts from.

    Parameters
    ----------
    values
        The values of the data, in the order in which lists of them start. A list made of them is data-derived.
    way
        Which program it is that starts so.
    """
    parameters, details = BUILDERS[builder].suggest(column)
    bounds = column.declared().bounds  # those of the data decide nothing
    if column.domain is None and builder == "categories":
        parameters, details = {"declared": False}, {"tree": list(values)}
    elif column.domain is None and builder == IMPORTED:
        parameters, details = {"declared": False, "top": True}, {"rows": [[value, value] for value in values]}
    elif column.domain is None and builder == "order" and values:
        # As many levels as say something below the top; the result is data-derived in any case.
        levels = max(1, (len(values) - 1).bit_length() - 1)
        details = {**details, "levels": details["levels"][:levels]}
    elif builder == "intervals":
        details = _bounded(details, column, bounds, way) if bounds is not None else _unbounded(details, column)
        details = details if way.is_closed else opened(details)
    return specification(builder, parameters, details, column=column)


def reach_helps(column: ColumnSpec) -> bool:
    """Whether the intervals for a column are made for its range where that is public.

    Those of body mass indices are not: 25 and 30 divide them, wherever they end.
    """
    numeric = column.kind.numeric and not is_body_mass(column.name)
    return numeric and suggested_builders(column)[0] == "intervals"


def _is_amount(column: ColumnSpec) -> bool:
    # Whose thousands are set apart reaches them.
    return column.kind is Kind.MONEY or bool(_AMOUNT.search(column.name) or column.format.thousands)


def _unbounded(details: dict[str, Any], column: ColumnSpec) -> dict[str, Any]:
    """Intervals for a column of which nobody says from where to where it reaches."""
    if _is_amount(column):
        return {**details, "intervals": [{"from": 0.0, "to": _AMOUNT_WIDTH}]}
    if is_body_mass(column.name):
        return _doubled(details, _MASS_WIDTH, _MASS_LEVELS)
    if column.kind is Kind.INTEGER:
        if is_small_count(column.name):
            return _doubled(details, _COUNT_WIDTH, _COUNT_LEVELS)
        if is_year(column.name):
            return _doubled(details, _YEARS_WIDTH, _YEARS_LEVELS)
    return details


def _bounded(
    details: dict[str, Any], column: ColumnSpec, bounds: tuple[float, float], way: Suggested
) -> dict[str, Any]:
    """Intervals for a column between public bounds."""
    span = bounds[1] - bounds[0]
    if is_age(column.name):
        fits = _AGES_WIDTH * 2 ** (_AGES_LEVELS - 1) < span <= _AGES_SPAN
        widths = [_AGES_WIDTH * 2**level for level in range(_AGES_LEVELS)] if fits else []
    else:
        whole = column.kind is Kind.INTEGER
        widths = _amount_widths(span, whole, first=way is Suggested.FIRST) if _is_amount(column) else []
    if not widths:
        return details if way is Suggested.NOW else {**details, "intervals": [_summed_interval(bounds, column)]}
    # Counted from an end of the widest, so that the ends of all are round.
    first, widest = details["levels"][0], _widest_round(widths)
    groups = [1, *(round(wider / width) for width, wider in pairwise(widths))]
    levels = [{**first, "group": group} for group in groups]
    if way is Suggested.NOW:
        start = multiple_below(bounds[0], widest)
        interval = {"from": start, "to": end_after(start, widths[0])}
    else:
        start = math.floor(bounds[0] / widest) * widest
        interval = {"from": start, "to": start + widths[0]}
    return {**details, "intervals": [interval], "levels": levels}


def _widest_round(widths: Sequence[float]) -> float:
    """The widest of the intervals that have round ends, as doubled ones need not have."""
    return next((one for one in reversed(widths) if math.isclose(round_number(*one_digit(one)), one)), widths[-1])


def _summed_interval(bounds: tuple[float, float], column: ColumnSpec) -> dict[str, float]:
    """The first interval of a column between bounds, as it was once computed."""
    low, high = bounds
    width = 1.0
    if 0 < (part := (high - low) / 20) < math.inf:
        power = 10.0 ** math.floor(math.log10(part))
        width = next(n * power for n in (1.0, 2.0, 5.0, 10.0) if n * power >= part * (1 - 1e-9))
        width = max(1.0, width) if column.kind is Kind.INTEGER else width
    start = math.floor(low / width) * width
    return {"from": start, "to": start + width}


def _amount_widths(span: float, whole: bool, *, first: bool) -> list[float]:
    """Ever wider intervals for amounts within a range, each an end of which is an end of all that are finer.

    From the finest on, twice or five times as wide, and twice where there are few: 5, 10, 50, 100, 200 and 400 of
    1,000. With `first`, as they were made once: 5, 10, 50, 100 and 500.
    """
    if not 0 < span < math.inf:
        return []
    digit, power = one_digit(span / _FINEST_PART)
    if whole and round_number(digit, power) < 2:
        digit, power = 2, 0  # one number by itself is no interval
    found = [round_number(digit, power)]
    while True:
        digit, power = (5, power) if digit == 1 else (1, power + 1)  # after 2 and after 5 comes 10
        wider = round_number(digit, power)
        if not first and wider * _FEW_PARTS > span:
            return [*found, *_doublings(found[-1], span)]
        if wider >= span:
            return found
        found.append(wider)


def _doublings(width: float, span: float) -> list[float]:
    """Twice, four times and so on as wide, as long as not nearly all can lie in one of two."""
    found = []
    while (width := 2 * width) * _FEWEST_PARTS < span:
        found.append(width)
    return found


def _doubled(details: dict[str, Any], width: float, levels: int) -> dict[str, Any]:
    """Intervals that begin at this width and are twice as wide at each level."""
    first, *others = details["levels"]
    doubled = [first, *(dict(others[0]) for _ in range(levels - 1))]
    return {**details, "intervals": [{"from": 0.0, "to": width}], "levels": doubled}


def public_specification(column: ColumnSpec, *, way: Suggested = Suggested.NOW) -> dict[str, Any]:
    """Specification of a hierarchy from the kind, name, bounds and domain of its column alone, so that it is public.

    The first builder that suits the column and needs no value of the data; if there is none, values are spelt alike or
    become `*`. What its rule does not cover, such as a word among numbers, becomes `*` as well. `way` is the
    program that makes it.
    """
    for builder in suggested_builders(column):
        found = first_specification(builder, column, way=way)
        try:
            public = assess(found, column).provenance is Provenance.PUBLIC
        except WorkbenchError:
            continue  # it says nothing without values, as a tree of groups does
        if public:
            return _covering(found)
    return _covering(first_specification(SPELLING, column))


def follows_publicly(specified: Mapping[str, Any], column: ColumnSpec) -> bool:
    """Whether a specification is what `public_specification` makes of a column, or made of it once."""
    return any(dict(specified) == public_specification(column, way=way) for way in Suggested)


def _covering(found: dict[str, Any]) -> dict[str, Any]:
    return {**found, "parameters": {**found["parameters"], "unlisted": "any"}}
