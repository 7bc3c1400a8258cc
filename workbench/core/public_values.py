"""A hierarchy as it can be shown without the data: over what is listed, over public bounds, or over made-up examples.

One that was built by a rule lists the values that occur in the data, so whoever reads it learns which rows there are.
What a rule does is seen as well on values that follow from the rule and from what was declared of the column alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import pairwise
from math import ceil, floor, isfinite, isnan, log10

import numpy as np

from workbench.core.building import build_hierarchy, listed_by
from workbench.core.column_words import is_age, is_birth, is_body_mass, is_small_count, is_year
from workbench.core.dates import ways_to_write
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.number_text import file_text
from workbench.core.occurring import are_numbers, parted, ranges_of, span_of, years_between, years_of
from workbench.core.postcodes import part_of
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.shown_gaps import label_gaps
from workbench.core.widening import is_widening, level_ends

_SHOWN = 120
"""Values that are made up at most, or taken from between bounds."""
_LAST_DAY, _DAYS_APART, _DAYS_OF_LIVES = datetime(2025, 4, 22, 8, 30), 47, 231
"""Made-up days reach over fifteen years, those of births over a life."""
_LETTERS, _DIGITS = 5, "0123456789"
_ENDS = ("1234", "1235", "1249", "1306", "2007")
"""Of codes that have their first characters in common, so that one sees what masking joins."""
_POSTCODES = (
    "ab11aa",
    "z9z 2zz",
    *(
        f"{district} {sector}{unit}"
        for district in ("AB1", "AB10", "Z1", "Z9Z")
        for sector in (1, 2)
        for unit in ("AA", "ZZ")
    ),
)
"""Some that have much in common, two of them not in capitals."""
_POSTCODE_ENDS = ("1 1AA", "1 1ZZ", "1 2AA", "10 1AA")
_WORDS = ("example a", "Example A", "EXAMPLE A", "example b", "Example  B", "Example B", "example c", "Example C")
"""Words that say themselves that they are of no file, in spellings that a rule may join."""
_IN_EACH = 7
"""Of intervals that widen so many numbers are shown of each."""
_FEW = 60
"""To so much what is counted one by one, such as days, is shown."""
_OLDEST = 100
_CALENDAR = 1930, 2030
_MASSES = 10, 50
_AMOUNTS = (*range(0, 100, 10), *range(100, 1000, 150), *range(1000, 10_000, 1500), *range(10_000, 100_000, 2500))
"""Some at every scale, for intervals of any width."""
_LARGEST, _EXACT = 1e15, 15
_CODES = re.compile(r"(\d{1,15})\s*[-–]\s*(\d{1,15})", re.ASCII)
"""Codes of digits from one to another, such as post codes."""
_DAY_OR_MONTH = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?|(\d{1,2})[./-](\d{1,2})[./-](\d{4})", re.ASCII)
_LISTING = frozenset({"categories", "order", "priority", "table"})
"""Builders by which somebody sorts values that are there; made-up ones would be of no use to them."""


class ShownValues(StrEnum):
    """The values that stand in for those of the data."""

    LISTED = "As listed, whether they occur or not"
    BOUNDED = "Some between public bounds, occurring or not"
    SAID = "Examples of what you said can occur"
    SPELT = "What you listed, and an example of another spelling"
    MADE_UP = "Made-up examples, none from your file"


@dataclass(frozen=True)
class PublicView:
    """A hierarchy over values that nobody's row decided, and which these are.

    `gaps` are for each level the positions of labels after which there are others that are not shown.
    """

    hierarchy: Hierarchy
    values: ShownValues
    gaps: tuple[frozenset[int], ...] = ()


def public_view(hierarchy: Hierarchy, column: ColumnSpec, said: Sequence[str] = ()) -> PublicView | None:
    """View of a column's hierarchy before anybody looks at the data, which is the same whatever the rows are.

    Parameters
    ----------
    hierarchy
        As it is attached, over values of the data perhaps.
    column
        Its kind, format and public bounds; bounds and values that were read from the data count for nothing.
    said
        What somebody says can occur of it (`core.occurring`).

    Returns
    -------
    PublicView or None
        None where nothing is public of it: it was built from the data, or its rule cannot be tried on anything.
    """
    plain = hierarchy.specification
    if plain is None:
        return _without_added(hierarchy)
    if hierarchy.provenance is not Provenance.PUBLIC:
        return None
    try:
        listed = listed_by(plain)
        length = plain["parameters"].get("length")
        places = length if isinstance(length, int) else _LETTERS
        found = stand_in_values(column, str(plain["builder"]), places, said)
        texts, shown = (listed, ShownValues.LISTED) if listed else found
        if shown in (ShownValues.SAID, ShownValues.BOUNDED) and is_widening(plain):
            texts = _in_each(level_ends(plain, 1), texts, column)
        if not texts:
            return None
        made = build_hierarchy(plain, texts, None, column)
        inside = None if shown is not ShownValues.SAID or not column.kind.numeric else ranges_of(said)
        gaps = () if shown is ShownValues.LISTED else label_gaps(made, plain, column, inside)
        return PublicView(made, shown, gaps)
    except WorkbenchError:
        return None


def stand_in_values(
    column: ColumnSpec, builder: str, length: int = _LETTERS, said: Sequence[str] = ()
) -> tuple[tuple[str, ...], ShownValues]:
    """Values to try a builder on before anybody looks at the data.

    The public values, else such as somebody says can occur, else codes of so many characters for a mask, else some
    between the public bounds, else made-up ones of the column's kind; none where they would have to be the very values
    that occur.
    """
    if column.domain and "domain" not in column.observed:
        return column.domain, ShownValues.LISTED
    if builder in _LISTING:
        return (), ShownValues.LISTED
    absent = column.missing[:1]  # so that one sees what missing values become
    if such := _said(column, builder, length, said):
        if builder == "spelling":  # which shows nothing of a word that is written as it is to be
            return tuple(dict.fromkeys((*such, _otherwise(such[0])))), ShownValues.SPELT
        if column.kind.numeric and builder != "masking" and are_numbers(said):
            return such, ShownValues.LISTED
        return (*such, *absent), ShownValues.SAID
    if builder == "postcodes":
        return (*_POSTCODES, *absent), ShownValues.MADE_UP
    if builder == "masking" and (column.bounds is None or "bounds" in column.observed):
        # Numbers have no 0 before them.
        firsts = _DIGITS[1:] if column.kind.numeric else _DIGITS[:-1]
        between = (_DIGITS * (length // len(_DIGITS) + 1))[: max(length - _LETTERS, 0)]
        ends = [end[len(end) - min(max(length - 1, 0), len(end)) :] for end in _ENDS]
        codes = (f"{first}{between}{end}" for first in firsts for end in ends)
        return (*dict.fromkeys(codes), *absent), ShownValues.MADE_UP
    if column.kind.numeric:
        if column.bounds is not None and "bounds" not in column.observed:
            return (*_written(_evenly(*column.bounds, _SHOWN, column), column), *absent), ShownValues.BOUNDED
        amounts: Iterable[int] = _AMOUNTS
        if is_small_count(column.name):
            amounts = range(_FEW + 1)
        elif is_age(column.name):
            amounts = range(_OLDEST + 1)
        elif is_year(column.name):
            amounts = range(*_CALENDAR)
        elif is_body_mass(column.name):
            amounts = range(*_MASSES)
        return (*_written(amounts, column), *absent), ShownValues.MADE_UP
    if column.kind.temporal or builder == "dates":
        apart = _DAYS_OF_LIVES if is_birth(column.name) else _DAYS_APART
        days = (_LAST_DAY - timedelta(days=apart * place) for place in range(_SHOWN))
        return (*dict.fromkeys(_dated(days, column)), *absent), ShownValues.MADE_UP
    return (*_WORDS, *absent), ShownValues.MADE_UP


def _said(column: ColumnSpec, builder: str, length: int, said: Sequence[str]) -> tuple[str, ...]:
    """Values as somebody says that they can occur: words, codes that begin so, codes, numbers and days between ends."""
    if builder == "postcodes":
        parts = [part for one in said if (part := part_of(one)[0])]
        return tuple(dict.fromkeys(_postcode(part, end) for part in parts for end in _POSTCODE_ENDS))[:_SHOWN]
    if builder == "masking":
        ranged = [found for found in map(_CODES.fullmatch, said) if found is not None]
        whole = {found.string for found in ranged}
        begins = [one.rstrip("*") for one in parted([one for one in said if one not in whole])]
        codes = [*_codes(ranged), *(_code(one, end, length) for one in begins for end in _ENDS)]
        return tuple(dict.fromkeys(codes))[:_SHOWN]
    if builder == "spelling":
        return () if _has_range(said) else parted(said)[:_SHOWN]
    try:
        if column.kind.numeric:
            spans = ranges_of(said)
            if are_numbers(said):
                return tuple(one.replace(".", column.format.decimal_mark) for one in said)
            each = max(_SHOWN // max(len(spans), 1), 2)
            numbers = [one for low, high in spans for one in _evenly(low, high, each, column)]
            return _written(numbers, column) if all(high < _LARGEST for _, high in spans) else ()
        if column.kind.temporal or builder == "dates":
            return tuple(dict.fromkeys(_dated(_days_said(said, column), column)))
    except WorkbenchError:  # it is said where it is typed that it cannot be read, or in two ways
        pass
    return ()


def _has_range(said: Sequence[str]) -> bool:
    try:
        return any(span_of(one) is not None for one in said)
    except WorkbenchError:
        return True


def _days_said(said: Sequence[str], column: ColumnSpec) -> Iterable[datetime]:
    """Some days between the ends of what somebody says can occur: years, days, or ranges of them."""
    before_day = column.format.pattern.partition("%d")[0]
    month_first = "%m" in before_day and "%Y" not in before_day
    each = max(_SHOWN // max(len(said), 1), 2)
    for entry in said:
        low, high = _first_and_last(entry, month_first=month_first)
        for place in range(each):
            yield low + (high - low) * place / (each - 1)


def _first_and_last(entry: str, *, month_first: bool) -> tuple[datetime, datetime]:
    """The first and the last day of an entry; of whole years where it cannot be read to the day."""
    years = years_of((entry,))
    whole = datetime(max(min(years), 1), 1, 1), datetime(max(years), 12, 31)
    ends = list(_DAY_OR_MONTH.finditer(entry)) if years_between(entry) is not None else []
    try:
        days = [_in_month(end, month_first=month_first) for end in ends]
    except ValueError:  # no such day
        return whole
    return (days[0][0], days[-1][1]) if days and days[0][0] <= days[-1][1] else whole


def _in_month(end: re.Match[str], *, month_first: bool) -> tuple[datetime, datetime]:
    """The day, twice, or the first and the last one of a month."""
    year, month, day, *parts = (int(part) if part else 0 for part in end.groups())
    if not year:
        (month, day), year = (parts[:2] if month_first else parts[1::-1]), parts[2]
    first = datetime(year, month, day or 1)
    return first, first if day else datetime(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)


def _otherwise(word: str) -> str:
    """The word in other letters, as far as it has any."""
    return word.lower() if word.isupper() else word.upper()


def _codes(ranged: Sequence[re.Match[str]]) -> Iterable[str]:
    """Codes of digits between the ends of ranges, with as many digits as the first end has."""
    each = max(_SHOWN // max(len(ranged), 1), 2)
    for one in ranged:
        low, high = one.groups()
        for place in range(each if int(low) <= int(high) else 0):
            yield str(int(low) + (int(high) - int(low)) * place // (each - 1)).zfill(len(low))


def _code(begins: str, end: str, length: int) -> str:
    """A code of so many characters that begins and ends so, as far as there is room."""
    free = max(length - len(begins), 0)
    between = (_DIGITS * (free // len(_DIGITS) + 1))[: max(free - len(end), 0)]
    return f"{begins}{between}{end[len(end) - min(free, len(end)) :]}"


def _postcode(part: str, end: str) -> str:
    """A whole postcode from a part of one, with as much of a district, a sector and a unit as it lacks."""
    if part.isalpha():
        return f"{part}{end}"
    outward, _, inward = part.partition(" ")
    return f"{outward} {inward}{end.partition(' ')[2][len(inward) :]}"


def _in_each(ends: Sequence[float], texts: Sequence[str], column: ColumnSpec) -> tuple[str, ...]:
    """Round numbers of each interval between ends, as far as these texts reach, and what else they are.

    Evenly over the whole range, none would be in the narrow ones, where most of the data is.
    """
    numbers = read_values(texts, column)
    reached = numbers[~np.isnan(numbers)]
    if not reached.size:
        return tuple(texts)
    lowest, highest = float(reached.min()), float(reached.max())
    each = max(min(_SHOWN // len(ends), _IN_EACH), 2)
    found = {lowest, highest}
    for low, high in pairwise(ends):
        found.update(number for number in _evenly(low, high, each, column) if lowest <= number <= highest)
    others = (text for text, number in zip(texts, numbers.tolist(), strict=True) if isnan(number))
    return (*_written(sorted(found), column), *others)


def _dated(days: Iterable[datetime], column: ColumnSpec) -> list[str]:
    """Days as the column writes them."""
    pattern = ways_to_write(column.format.pattern)[0] or "%Y-%m-%d"
    return [day.strftime(pattern) for day in days]


def _without_added(hierarchy: Hierarchy) -> PublicView | None:
    """A list that was given, without the values of the data that were added to it since."""
    if not hierarchy.added:
        return PublicView(hierarchy, ShownValues.LISTED)
    rows = hierarchy.rows()[: -hierarchy.added]
    if not rows:
        return None
    own = Hierarchy.from_rows(rows, provenance=hierarchy.provenance, origin=hierarchy.origin)
    return PublicView(own, ShownValues.LISTED)


def _evenly(low: float, high: float, most: int, column: ColumnSpec) -> list[float]:
    """At most so many numbers between two ends, and these: round ones, which nobody takes for measured.

    Whole ones where the column has no others.
    """
    whole = column.kind is Kind.INTEGER
    low, high = (float(round(low)), float(round(high))) if whole else (low, high)
    if high <= low:
        return [low]
    if not isfinite(high - low):
        return [low, high]
    least = (high - low) / max(most - 2, 1)  # the ends are beside the round ones
    power = 10.0 ** floor(log10(least))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= least)
    step = max(step, 1.0) if whole else step
    return [low, *(place * step for place in range(floor(low / step) + 1, ceil(high / step))), high]


def _written(numbers: Iterable[float], column: ColumnSpec) -> tuple[str, ...]:
    """Numbers as the column writes them."""
    mark = column.format.decimal_mark
    return tuple(dict.fromkeys(file_text(float(number), _EXACT).replace(".", mark) for number in numbers))
