"""Refusals as whoever calls the library sees them: the sentence, and their own line of code."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from traceback import extract_tb
from types import TracebackType
from typing import ParamSpec, TypeVar

import workbench
from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled

P = ParamSpec("P")
T = TypeVar("T")

_HOME = Path(workbench.__file__).parent


def plainly(function: Callable[P, T]) -> Callable[P, T]:
    """Let a function refuse without the frames in which it found out.

    A notebook keeps what it shows of an error, and some ways to show one print every variable of every frame: in those
    within are values of the data. So are they in the messages of errors that nobody foresaw, of which only the kind and
    the place are told; `WORKBENCH_DEBUG=1` shows them as they are.
    """

    @wraps(function)
    def called(*args: P.args, **named: P.kwargs) -> T:
        error: BaseException
        try:
            return function(*args, **named)
        except WorkbenchError as refused:
            refused = refused.unnamed or refused
            error = refused.with_traceback(None)
            refused.analyst = None  # nor does what a notebook keeps of the error itself
        except (KeyboardInterrupt, Cancelled):
            error = KeyboardInterrupt("It was stopped. What was charged by then stands in the ledger.")
        except Exception as unforeseen:
            if os.environ.get("WORKBENCH_DEBUG") or _is_of_the_call(unforeseen.__traceback__):
                raise
            error = _unforeseen(unforeseen)
        # Neither do the arguments stay in the one frame that is left.
        del args, named
        error.__context__ = None
        raise error from None

    return called


def _is_of_the_call(trace: TracebackType | None) -> bool:
    """Whether an error was raised by calling the function at all, as where it has no such parameter."""
    return trace is None or trace.tb_next is None


def _unforeseen(error: Exception) -> WorkbenchError:
    last = extract_tb(error.__traceback__)[-1]
    place = Path(last.filename)
    where = place.relative_to(_HOME).as_posix() if place.is_relative_to(_HOME) else place.name
    return WorkbenchError(
        f"Something failed that nobody foresaw: {type(error).__name__} in {where}, line {last.lineno}.",
        hint="Please report it. What exactly it was may name values of the data; WORKBENCH_DEBUG=1 shows it.",
    )
