"""Reading dates and times from texts, by `datetime.strptime` patterns but faster and the same everywhere.

The usual directives are turned into a regular expression, with English month and day names whatever the
language of the system; a pattern with another directive is left to `datetime.strptime`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache

_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTH_NUMBERS = {name[:length]: i for i, name in enumerate(_MONTHS, 1) for length in (3, len(name))}
_MONTH_NUMBERS["sept"] = 9
_DIRECTIVES = {
    "Y": r"(?P<Y>[0-9]{4})",
    "y": r"(?P<y>[0-9]{2})",
    "m": r"(?P<m>1[0-2]|0?[1-9])",
    "d": r"(?P<d>3[01]|[12][0-9]|0?[1-9])",
    "H": r"(?P<H>2[0-3]|[01]?[0-9])",
    "I": r"(?P<I>1[0-2]|0?[1-9])",
    "M": r"(?P<M>[0-5]?[0-9])",
    "S": r"(?P<S>6[01]|[0-5]?[0-9])",
    "f": r"(?P<f>[0-9]{1,9})",
    "p": r"(?P<p>[AaPp]\.?[Mm]\.?)",
    "z": r"(?P<z>Z|[+-][0-9]{2}:?[0-9]{2})",
    "b": rf"(?P<b>{'|'.join(name[:3] for name in _MONTHS)}|sept)\.?",
    "B": rf"(?P<b>{'|'.join(_MONTHS)})",
    "%": "%",
}
_EPOCH = datetime(1970, 1, 1).toordinal()
_DAY = 86400.0


def seconds_reader(pattern: str) -> Callable[[str], float | None]:
    """A function from a text to seconds since 1970-01-01 00:00, or None where the text does not fit.

    Times without a zone are taken as they are, those with one are turned into UTC. Two-digit years are
    those of 1969 to 2068, as everywhere in Python.
    """
    compiled = _compiled(pattern)
    if compiled is None:
        return lambda text: _strptime(text, pattern)
    match = compiled.fullmatch

    def read(text: str) -> float | None:
        found = match(text)
        return None if found is None else _seconds(found.groupdict())

    return read


def to_days(seconds: float) -> float:
    """Whole days since 1970-01-01 of a time in seconds."""
    return seconds // _DAY


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    parts: list[str] = []
    seen: set[str] = set()
    letters = iter(pattern)
    for letter in letters:
        if letter != "%":
            parts.append(r"\s+" if letter.isspace() else re.escape(letter))
            continue
        directive = next(letters, "")
        group = "b" if directive == "B" else directive
        if directive not in _DIRECTIVES or (group in seen and directive != "%"):
            return None
        seen.add(group)
        parts.append(_DIRECTIVES[directive])
    if not seen & {"Y", "y"}:
        return None
    return re.compile("".join(parts), re.IGNORECASE)


def _seconds(found: dict[str, str | None]) -> float | None:
    year = int(found.get("Y") or 0)
    if not year:
        if (short := found.get("y")) is None:
            return None
        year = int(short) + (1900 if int(short) >= 69 else 2000)
    name = found.get("b")
    month = _MONTH_NUMBERS[name.lower()] if name else int(found.get("m") or 1)
    hour = int(found.get("H") or 0)
    if twelve := found.get("I"):
        after_noon = (found.get("p") or "a").lower().startswith("p")
        hour = int(twelve) % 12 + (12 if after_noon else 0)
    try:
        days = datetime(year, month, int(found.get("d") or 1)).toordinal() - _EPOCH
    except ValueError:  # such as 30 February
        return None
    seconds = days * _DAY + hour * 3600 + int(found.get("M") or 0) * 60 + int(found.get("S") or 0)
    if part := found.get("f"):
        seconds += int(part) / 10 ** len(part)
    zone = found.get("z")
    if zone and zone not in "Zz":
        offset = int(zone[1:3]) * 3600 + int(zone[-2:]) * 60
        seconds -= offset if zone[0] == "+" else -offset
    return seconds


def _strptime(text: str, pattern: str) -> float | None:
    try:
        moment = datetime.strptime(text, pattern)
    except (ValueError, re.error):
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
