"""Writing moments as texts, and cutting time into calendar units; English names whatever the system's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np
from numpy.typing import NDArray

from workbench.core.dates import ways_to_write
from workbench.core.errors import WorkbenchError

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
UNITS = (
    "second",
    "minute",
    "hour",
    "hour-of-day",
    "day",
    "weekday",
    "week",
    "month",
    "month-of-year",
    "quarter",
    "quarter-of-year",
    "year",
    "decade",
    "century",
    "millennium",
)
"""Calendar units, the finer before the coarser; those “of” something return every day or year."""

_NEXT: Mapping[str, tuple[str, ...]] = {
    "second": ("minute",),
    "minute": ("hour",),
    "hour": ("day", "hour-of-day"),
    "hour-of-day": (),
    "day": ("week", "weekday", "month"),
    "weekday": (),
    "week": (),
    "month": ("quarter", "month-of-year"),
    "month-of-year": ("quarter-of-year",),
    "quarter": ("year", "quarter-of-year"),
    "quarter-of-year": (),
    "year": ("decade",),
    "decade": ("century",),
    "century": ("millennium",),
    "millennium": (),
}
YEARS_IN = {"year": 1, "decade": 10, "century": 100, "millennium": 1000}
"""The years of a unit that is made of whole ones."""
_DAY = 86400
_QUARTER_HOUR = 900
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_DIRECTIVES: Mapping[str, Callable[[datetime], str]] = {
    "Y": lambda t: f"{t.year:04}",
    "y": lambda t: f"{t.year % 100:02}",
    "m": lambda t: f"{t.month:02}",
    "d": lambda t: f"{t.day:02}",
    "H": lambda t: f"{t.hour:02}",
    "I": lambda t: f"{(t.hour - 1) % 12 + 1:02}",
    "M": lambda t: f"{t.minute:02}",
    "S": lambda t: f"{t.second:02}",
    "f": lambda t: f"{t.microsecond:06}",
    "p": lambda t: "AM" if t.hour < 12 else "PM",
    "b": lambda t: MONTHS[t.month - 1][:3],
    "B": lambda t: MONTHS[t.month - 1],
    "a": lambda t: WEEKDAYS[t.weekday()][:3],
    "A": lambda t: WEEKDAYS[t.weekday()],
    "u": lambda t: str(t.isoweekday()),
    "j": lambda t: f"{t.timetuple().tm_yday:03}",
    "V": lambda t: f"{t.isocalendar().week:02}",
    "G": lambda t: f"{t.isocalendar().year:04}",
    "q": lambda t: str((t.month + 2) // 3),
    "z": lambda t: "+0000",
    "%": lambda t: "%",
}


def writer(pattern: str) -> Callable[[float], str]:
    """A function from seconds since 1970 to the text of that moment by a pattern such as `%Y-%m`.

    The directives are those of `strftime` that mean the same everywhere, and `%q` for the quarter. Of several ways to
    write, the first is written.

    Raises
    ------
    WorkbenchError
        If the pattern has no directive or one that is not known.
    """
    parts: list[str | Callable[[datetime], str]] = []
    letters = iter(ways_to_write(pattern)[0])
    for letter in letters:
        if letter != "%":
            parts.append(letter)
            continue
        directive = next(letters, "")
        if directive not in _DIRECTIVES:
            raise WorkbenchError(
                f"“%{directive}” is no part of a date.",
                hint=f"Use {', '.join('%' + known for known in _DIRECTIVES)}.",
                field="format",
            )
        parts.append(_DIRECTIVES[directive])
    if not any(callable(part) for part in parts):
        raise WorkbenchError("The format has no part of a date.", hint="Give one such as %Y-%m.", field="format")

    def write(seconds: float) -> str:
        moment = _EPOCH + timedelta(seconds=seconds)
        return "".join(part if isinstance(part, str) else part(moment) for part in parts)

    return write


def as_text(seconds: float, pattern: str) -> str:
    """The text of one moment; see `writer`."""
    return writer(pattern or "%Y-%m-%d")(seconds)


def is_coarser(unit: str, than: str) -> bool:
    """Whether each `than` lies within one `unit`: a month within a year, but not a week within a month."""
    return unit == than or any(is_coarser(unit, following) for following in _NEXT[than])


def in_zone(seconds: NDArray[np.float64], zone: str) -> NDArray[np.float64]:
    """Universal times as the clocks of a place showed them.

    Raises
    ------
    WorkbenchError
        If the zone is not known.
    """
    try:
        place = ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise WorkbenchError(
            f"The time zone “{zone}” is not known on this machine.",
            hint="Give a name such as Europe/Paris or UTC.",
            field="zone",
        ) from error
    # Clocks change on the quarter of an hour, so few moments need to be asked about.
    asked, which = np.unique(np.floor(seconds / _QUARTER_HOUR).astype(np.int64), return_inverse=True)
    shifts = np.zeros(len(asked))
    for position, quarter in enumerate(asked.tolist()):
        try:
            offset = (_EPOCH + timedelta(seconds=quarter * _QUARTER_HOUR)).astimezone(place).utcoffset()
        except OverflowError:  # the first and last day of the calendar
            offset = None
        shifts[position] = offset.total_seconds() if offset else 0.0
    return seconds + shifts[which]


def unit_numbers(seconds: NDArray[np.int64], unit: str) -> NDArray[np.int64]:
    """Which unit each moment lies in, as a number; shape as `seconds`."""
    divide = np.floor_divide
    days: NDArray[np.int64] = divide(seconds, _DAY)
    months: NDArray[np.int64] = days.astype("M8[D]").astype("M8[M]").astype(np.int64)
    numbers: dict[str, Callable[[], NDArray[np.int64]]] = {
        "second": lambda: seconds,
        "minute": lambda: divide(seconds, 60),
        "hour": lambda: divide(seconds, 3600),
        "hour-of-day": lambda: divide(seconds, 3600) % 24,
        "day": lambda: days,
        "week": lambda: divide(days + 3, 7),  # 1970 began on a Thursday
        "weekday": lambda: (days + 3) % 7,
        "month": lambda: months,
        "month-of-year": lambda: months % 12,
        "quarter": lambda: divide(months, 3),
        "quarter-of-year": lambda: divide(months, 3) % 4,
    }
    if unit in numbers:
        return numbers[unit]()
    spans: NDArray[np.int64] = divide(divide(months, 12) + 1970, YEARS_IN[unit])
    return spans


def unit_title(unit: str) -> str:
    """Title of a calendar unit, such as `Month of the year`."""
    return unit.replace("-of-", " of the ").capitalize()


def unit_label(number: int, unit: str) -> str:
    """Label of a unit of `unit_numbers`, such as `2024-W05` or `1980-1989`."""
    if unit == "second":
        return as_text(number, "%Y-%m-%d %H:%M:%S")
    if unit == "minute":
        return as_text(number * 60, "%Y-%m-%d %H:%M")
    if unit == "hour":
        return as_text(number * 3600, "%Y-%m-%d %H:00")
    if unit == "hour-of-day":
        return f"{number:02}:00"
    if unit == "day":
        return as_text(number * _DAY, "%Y-%m-%d")
    if unit == "weekday":
        return WEEKDAYS[number]
    if unit == "week":
        return as_text(number * 7 * _DAY, "%G-W%V")  # its Thursday decides the year of a week
    if unit == "month":
        return f"{1970 + number // 12:04}-{number % 12 + 1:02}"
    if unit == "month-of-year":
        return MONTHS[number]
    if unit == "quarter":
        return f"{1970 + number // 4:04}-Q{number % 4 + 1}"
    if unit == "quarter-of-year":
        return f"Q{number + 1}"
    if unit == "year":
        return f"{number:04}"
    width = YEARS_IN[unit]
    return f"{number * width:04}-{number * width + width - 1:04}"
