"""Values of JSON that somebody else wrote, each checked to be what it should be.

What is not raises TypeError or ValueError, in words that fit behind “This is no experiment:”.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

MOST_DIGITS = 1_000
"""Of a whole number. Longer ones are typing errors, and Python does not even write them out."""

_HALF_SIGN = re.compile(r"\\u[dD][89a-fA-F]")


def read_json(text: str) -> Any:
    """Value of a text in JSON that says the same to every reader and can be written again.

    Raises
    ------
    ValueError
        If it is no JSON, names something twice, is nested too deeply, or holds a number that is none, is infinite or
        has more than `MOST_DIGITS` digits, or half a sign, which no file can hold.
    """
    try:
        found = json.loads(
            text,
            object_pairs_hook=_once_each,
            parse_constant=_no_number,
            parse_float=_finite,
            parse_int=_short,
        )
        if _HALF_SIGN.search(text):
            json.dumps(found, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except UnicodeEncodeError:
        raise ValueError("it holds half a sign, such as \\ud800 without its other half") from None
    return found


def number(value: Any, what: str = "a value") -> float:
    """The value, if it is a finite number that a float can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{what} must be a number")
    try:
        found = float(value)
    except OverflowError:
        raise ValueError(f"{what} is larger than any number that can be computed with") from None
    if not math.isfinite(found):
        raise ValueError(f"{what} must be a finite number")
    return found


def whole(value: Any, what: str = "a value") -> int:
    """The value, if it is a whole number."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{what} must be a whole number")
    return value


def text(value: Any, what: str = "a value") -> str:
    """The value, if it is a text."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a text")
    return value


def truth(value: Any, what: str = "a value") -> bool:
    """The value, if it is true or false."""
    if not isinstance(value, bool):
        raise TypeError(f"{what} must be true or false")
    return value


def scalar(value: Any, what: str = "a value") -> bool | int | float | str:
    """The value, if it is a text, a truth value or a finite number, as parameters are."""
    if isinstance(value, bool | str):
        return value
    if not isinstance(value, int | float):
        raise TypeError(f"{what} must be a number, a text, or true or false")
    number(value, what)
    return value


def named(value: Any, what: str = "a value") -> Mapping[str, Any]:
    """The value, if it is an object of named entries."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{what} must be an object of named entries")
    return value


def listed(value: Any, what: str = "a value") -> Sequence[Any]:
    """The value, if it is a list. A text is none, though Python could take its letters for one."""
    if not isinstance(value, list | tuple):
        raise TypeError(f"{what} must be a list")
    return value


def texts(value: Any, what: str = "a value") -> tuple[str, ...]:
    """The value as a tuple, if it is a list of texts."""
    return tuple(text(one, f"each entry of {what}") for one in listed(value, what))


def numbers(value: Any, what: str = "a value") -> tuple[float, ...]:
    """The value as a tuple, if it is a list of finite numbers."""
    return tuple(number(one, f"each entry of {what}") for one in listed(value, what))


def two_numbers(value: Any, what: str = "a value") -> tuple[float, float]:
    """The value as a pair, if it is a list of two finite numbers."""
    found = numbers(value, what)
    if len(found) != 2:
        raise ValueError(f"{what} must be two numbers")
    return found[0], found[1]


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Names and values of an object in JSON; a name that occurs twice is refused, since readers differ on its value."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("it names something twice")
    return made


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


def _finite(digits: str) -> float:
    found = float(digits)
    if not math.isfinite(found):
        raise ValueError(f"{digits[:40]} is larger than any number that can be computed with")
    return found


def _short(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number has more than {MOST_DIGITS:,} digits")
    return int(digits)
