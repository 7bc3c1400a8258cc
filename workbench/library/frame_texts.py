"""The texts that the values of a DataFrame become, each from that value alone.

Only what is known to be a number, a date or a text is written: the text of any other object is what its class makes of
it, such as a place in memory, and may be other the next time.
"""

from __future__ import annotations

import datetime as dt
import enum
import numbers
import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np

from workbench.core.dates import DAY
from workbench.core.errors import WorkbenchError

_WHOLE = 1e15
"""Larger floats are not written as whole numbers: they may not be exactly what they look like."""
_DIGITS = 4_300
"""As many digits Python writes of a whole number."""
_PLAIN_YEARS = (np.datetime64("1000-01-01"), np.datetime64("9999-12-31"))
_SINGLE = (numbers.Number, np.generic, dt.date, dt.time, dt.timedelta, uuid.UUID, enum.Enum)


def texts_of(name: str, values: Any) -> list[str]:
    """The texts of the different values of a column: an array or an index, without missing ones.

    Raises
    ------
    WorkbenchError
        If one of them is no single number, date or text.
    """
    kind = values.dtype if isinstance(values.dtype, np.dtype) else None
    if kind is not None and kind.kind in "iu":
        return list(map(str, values.tolist()))
    if kind == np.float64:
        found = np.asarray(values)
        if bool((np.abs(found) < _WHOLE).all() and (np.floor(found) == found).all()):
            return list(map(str, found.astype(np.int64).tolist()))
        return _floats(found)
    if kind is not None and kind.kind == "f":
        # An index gives Python's floats; the shortest way to write one depends on how wide it was.
        return list(map(writer(name), np.asarray(values)))
    if kind is not None and kind.kind == "M" and (texts := _moments(np.asarray(values))) is not None:
        return texts
    if getattr(values.dtype, "name", "") in ("str", "string"):
        plain: list[str] = values.tolist()
        if "".join(plain).isprintable():  # as nearly always, and then each of them is as it is
            return plain
    return list(map(writer(name), values))


def _moments(values: Any) -> list[str] | None:
    """Moments without a zone, all at once; None where a fraction of a second or a year asks for more care."""
    low, high = _PLAIN_YEARS
    days, seconds = values.astype("datetime64[D]"), values.astype("datetime64[s]")
    if not len(values) or (days < low).any() or (days > high).any() or (seconds != values).any():
        return None
    if (days == values).all():
        texts: list[str] = np.datetime_as_string(days).tolist()
        return texts
    written = np.datetime_as_string(seconds).tolist()
    return [text[:10] if text.endswith("T00:00:00") else text.replace("T", " ") for text in written]


def _floats(values: Any) -> list[str]:
    """The shortest texts, all at once; those that are whole without a point."""
    texts = list(map(str, values.tolist()))
    for place in np.flatnonzero((np.abs(values) < _WHOLE) & (np.floor(values) == values)).tolist():
        texts[place] = str(int(values[place]))
    return texts


def writer(name: str) -> Callable[[Any], str]:
    """Writes one value of a column after the other."""

    def written(value: Any) -> str:
        if isinstance(value, str):
            # As where a file is read: what is no text, and NUL, which ends it for others.
            plain = value.replace("\0", "�")
            return plain if plain.isprintable() else plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if isinstance(value, float | np.floating):
            number = float(value)
            return str(int(number)) if abs(number) < _WHOLE and number.is_integer() else str(value)
        if isinstance(value, Decimal):
            if value.is_finite() and abs(value.adjusted()) > _DIGITS:
                raise _too_long(name)
            return format(value, "f")
        if isinstance(value, dt.datetime):
            at_midnight = (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0)
            plain_year = 1 <= value.year <= 9999  # pandas has others, and writes them in no other way
            return value.strftime(DAY) if at_midnight and value.tzinfo is None and plain_year else value.isoformat(" ")
        if isinstance(value, enum.Enum):
            return written(value.value)
        if isinstance(value, np.bytes_ | np.void) or not (isinstance(value, _SINGLE) or _of_pandas(value)):
            raise no_value(name)
        try:
            return str(value)
        except ValueError:
            raise _too_long(name) from None

    return written


def _of_pandas(value: object) -> bool:
    """Whether a value is one of pandas' own, such as a period or an interval."""
    return type(value).__module__.startswith("pandas.")


def _too_long(name: str) -> WorkbenchError:
    return WorkbenchError(
        f"“{name}” holds a number of more than {_DIGITS:,} digits.",
        hint="Leave the column out, or turn it into text first.",
        field=name,
    )


def no_value(name: str) -> WorkbenchError:
    """The error for a column that holds something else than single values."""
    return WorkbenchError(
        f"“{name}” holds something that is no single number, date or text.",
        hint="Leave the column out, or turn it into text first.",
        field=name,
    )
