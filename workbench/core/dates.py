"""Reading dates and times from texts, by `datetime.strptime` patterns but faster and the same everywhere.

The usual directives are turned into a regular expression, with English month and day names whatever the
language of the system; a pattern with another directive is left to `datetime.strptime`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

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
_WIDTHS = {"Y": 4, "m": 2, "d": 2, "H": 2, "M": 2, "S": 2}
_RANGES = {"Y": (1, 9999), "m": (1, 12), "d": (1, 31), "H": (0, 23), "M": (0, 59), "S": (0, 61)}
ALSO = " | "
"""Between the patterns of a column whose dates are written in several ways."""
_OR = " or "
"""The same in projects that were made from a DataFrame or from a file that says of itself what its columns are."""
DAY = "%Y-%m-%d"
MOMENT = ALSO.join((f"{DAY} %H:%M:%S", DAY, *(f"{DAY} %H:%M:%S{more}" for more in (".%f", "%z", ".%f%z"))))
"""How dates and moments are written that come from values with types: midnight without its hour."""

_EPOCH = datetime(1970, 1, 1).toordinal()
_DAY = 86400.0


def ways_to_write(pattern: str) -> tuple[str, ...]:
    """The patterns of which one fits each text: `%d.%m.%Y | %Y-%m-%d` names two, any other pattern itself.

    Each of them says the year; a bar in any other place is a sign like others.
    """
    ways = tuple(way.strip() for way in pattern.replace(_OR, ALSO).split(ALSO.strip()))
    return ways if len(ways) > 1 and all("%Y" in way or "%y" in way for way in ways) else (pattern,)


def seconds_reader(pattern: str) -> Callable[[str], float | None]:
    """A function from a text to seconds since 1970-01-01 00:00, or None where the text does not fit.

    Times without a zone are taken as they are, those with one are turned into UTC. Two-digit years are
    those of 1969 to 2068, as everywhere in Python. A text that two of several ways to write (`ways_to_write`) read as
    different moments, such as 03/04/2024 by `%d/%m/%Y | %m/%d/%Y`, does not fit: nobody knows which one is meant.
    """
    first, *others = map(_one_way, ways_to_write(pattern))
    if not others:
        return first

    def read(text: str) -> float | None:
        moments = {moment for way in (first, *others) if (moment := way(text)) is not None}
        return moments.pop() if len(moments) == 1 else None

    return read


def _one_way(pattern: str) -> Callable[[str], float | None]:
    compiled = _compiled(pattern)
    if compiled is None:
        return lambda text: _strptime(text, pattern)
    match = compiled.fullmatch

    def read(text: str) -> float | None:
        found = match(text)
        return None if found is None else _seconds(found.groupdict())

    return read


def seconds_at_once(texts: Sequence[str], pattern: str) -> NDArray[np.float64] | None:
    """The same as `seconds_reader` for many texts at once, where all are written out in full.

    That is, in a pattern of numbers alone, with every zero there: `03.01.2024`, not `3.1.2024`.

    Returns
    -------
    array or None
        Seconds of shape (len(texts),); None if they must be read one by one.
    """
    fields = None if len(ways_to_write(pattern)) > 1 else _fixed_fields(pattern)
    if fields is None or not texts:
        return None
    width, directives, signs = fields
    if set(map(len, texts)) != {width}:
        return None
    try:
        letters = np.frombuffer("".join(texts).encode("ascii"), np.uint8).reshape(len(texts), width)
    except UnicodeEncodeError:
        return None
    for place, sign in signs:
        if (letters[:, place] != sign).any():
            return None
    found: dict[str, NDArray[np.int64]] = {}
    for directive, place in directives:
        digits = letters[:, place : place + _WIDTHS[directive]].astype(np.int64) - ord("0")
        if (digits < 0).any() or (digits > 9).any():
            return None
        numbers = digits @ (10 ** np.arange(_WIDTHS[directive] - 1, -1, -1))
        low, high = _RANGES[directive]
        if (numbers < low).any() or (numbers > high).any():
            return None
        found[directive] = numbers
    months = 12 * (found["Y"] - 1970) + found.get("m", 1) - 1
    first = months.astype("M8[M]").astype("M8[D]").astype(np.int64)
    day = found.get("d", np.ones(1, np.int64))
    if (day > (months + 1).astype("M8[M]").astype("M8[D]").astype(np.int64) - first).any():
        return None
    seconds = (first + day - 1) * int(_DAY) + 3600 * found.get("H", 0) + 60 * found.get("M", 0) + found.get("S", 0)
    return np.asarray(seconds, dtype=np.float64)


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


@lru_cache(maxsize=256)
def _fixed_fields(pattern: str) -> tuple[int, list[tuple[str, int]], list[tuple[int, int]]] | None:
    """The width of a text in that pattern, where each number starts, and the signs between them."""
    directives: list[tuple[str, int]] = []
    signs: list[tuple[int, int]] = []
    width = 0
    letters = iter(pattern)
    for letter in letters:
        if letter == "%":
            directive = next(letters, "")
            if directive not in _WIDTHS or directive in dict(directives):
                return None
            directives.append((directive, width))
            width += _WIDTHS[directive]
        elif not letter.isascii():
            return None
        else:
            signs.append((width, ord(letter)))
            width += 1
    if "Y" not in dict(directives) or pattern != pattern.strip():
        return None
    return width, directives, signs


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
