"""Patterns of dates as people write them, such as DD/MM/YYYY, and back."""

from __future__ import annotations

import re
from collections.abc import Iterable

from workbench.core.dates import ALSO, ways_to_write
from workbench.core.schema import ColumnSpec
from workbench.core.visible import visible

_OR = " or "
_LETTERS = {
    "%Y": "YYYY",
    "%y": "YY",
    "%m": "MM",
    "%d": "DD",
    "%b": "Mon",
    "%B": "Month",
    "%H": "HH",
    "%I": "HH",
    "%M": "MM",
    "%S": "SS",
    "%p": "am/pm",
}
_CODES = {
    "YYYY": "%Y",
    "YY": "%y",
    "MMMM": "%B",
    "MMM": "%b",
    "MM": "%m",
    "DD": "%d",
    "HH": "%H",
    "SS": "%S",
    "am/pm": "%p",
    "Month": "%B",
    "Mon": "%b",
    "month": "%m",
    "year": "%Y",
    "day": "%d",
    "hour": "%H",
    "minute": "%M",
    "second": "%S",
}
_CODES |= {letters.lower(): code for letters, code in _CODES.items() if letters.isupper()}
_DIRECTIVE = re.compile("%.")
_WORD = re.compile("|".join(sorted(map(re.escape, _CODES), key=len, reverse=True)))
_MONTH_OF_CLOCK = re.compile("(%[HI]:)%m")
_CLOCK_T = re.compile("(?<=%d)T(?=%[HI])")


def letters_of(pattern: str) -> str:
    """A pattern, or several, in letters; the pattern itself where letters would not say the same.

    >>> letters_of("%d/%m/%Y"), letters_of("%d.%m.%y | %Y-%m-%d"), letters_of("%m/%d/%Y %I:%M %p"), letters_of("%Y-%j")
    ('DD/MM/YYYY', 'DD.MM.YY or YYYY-MM-DD', 'MM/DD/YYYY HH:MM am/pm', '%Y-%j')
    """
    said = _OR.join(_DIRECTIVE.sub(lambda one: _LETTERS.get(one[0], one[0]), way) for way in ways_to_write(pattern))
    return said if pattern_of(said) == pattern else pattern


def mixed_dates(columns: Iterable[ColumnSpec]) -> str:
    """The columns whose dates are written in several ways, and how, without counts; "" for none."""
    mixed = [spec for spec in columns if spec.kind.temporal and len(ways_to_write(spec.format.pattern)) > 1]
    # In the order of their letters: which of them is met more often is not said.
    ways = {spec.name: _OR.join(sorted(map(letters_of, ways_to_write(spec.format.pattern)))) for spec in mixed}
    return "; ".join(f"“{visible(name)}” as {written}" for name, written in ways.items())


def pattern_of(letters: str) -> str:
    """The pattern, or several, that letters or words stand for; what is neither stays as it is.

    >>> pattern_of("DD/MM/YYYY"), pattern_of("dd.mm.yy or year-month-day"), pattern_of("YYYY-MM-DD HH:MM:SS")
    ('%d/%m/%Y', '%d.%m.%y | %Y-%m-%d', '%Y-%m-%d %H:%M:%S')
    >>> pattern_of("MM/DD/YYYY HH:MM am/pm"), pattern_of("%d/%m/%Y"), pattern_of("the 4th")
    ('%m/%d/%Y %I:%M %p', '%d/%m/%Y', 'the 4th')
    """
    return ALSO.join(map(_way, letters.replace(ALSO, _OR).split(_OR)))


def _way(letters: str) -> str:
    if "%" in letters:
        return letters.strip()
    found = _WORD.sub(lambda one: _CODES[one[0]], letters.strip())
    found = _MONTH_OF_CLOCK.sub(r"\1%M", found)  # MM after hours are minutes
    if "%p" in found:
        found = found.replace("%H", "%I")
    # Letters that are left say that these were words of another kind.
    left = _DIRECTIVE.sub("", _CLOCK_T.sub("", found))
    return letters.strip() if any(sign.isalpha() for sign in left) else found
