"""Refusals as whoever calls the library sees them: the sentence, and their own line of code."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from workbench.core.errors import WorkbenchError

P = ParamSpec("P")
T = TypeVar("T")


def plainly(function: Callable[P, T]) -> Callable[P, T]:
    """Let a function refuse without the frames in which it found out.

    A notebook keeps what it shows of an error, and some ways to show one print every variable of every frame: in those
    within are values of the data.
    """

    @wraps(function)
    def called(*args: P.args, **named: P.kwargs) -> T:
        try:
            return function(*args, **named)
        except WorkbenchError as error:
            refused = error
        raise refused.with_traceback(None) from None

    return called
