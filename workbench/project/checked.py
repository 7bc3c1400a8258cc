"""Values from a project file, each checked to be what it should be. What is not raises TypeError or ValueError."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Any, TypeVar

T = TypeVar("T")


def typed(value: Any, wanted: type[T]) -> T:
    """The value, if it is of this type."""
    # bool is an int to Python but not to the person who edited the file by hand.
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
        raise TypeError(f"expected {wanted.__name__}")
    return value


def one_of(value: Any, choices: tuple[str, ...]) -> Any:
    """The value, if it is one of these."""
    if value not in choices:
        raise ValueError(f"expected one of {choices}")
    return value


def number(value: Any) -> float:
    """The value, if it is a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError("expected a finite number")
    return float(value)


def parameters(values: Any) -> MappingProxyType[str, Any]:
    """Values of parameters; whether a model takes them is asked when it is used, for it may not be installed."""
    for value in typed(values, dict).values():
        if isinstance(value, float):
            number(value)
        elif not isinstance(value, bool | int | str):
            raise TypeError("expected a number, a text or a truth value")
    return MappingProxyType(dict(values))
