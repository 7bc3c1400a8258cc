"""Results of a function that are kept, as long as all of them together are not too large."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_OF_AN_ENTRY = 1_000
"""Bytes that an entry takes beside its result, so that tiny ones are not kept without end either."""


def kept_within(most: int, size: Callable[[R], int]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorator of a function whose last results are kept, as `functools.lru_cache` does by their number.

    Parameters
    ----------
    most
        Bytes of all that is kept; the last result is kept whatever its size is.
    size
        Gives the bytes of a result, roughly.
    """

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        kept: OrderedDict[Hashable, tuple[R, int]] = OrderedDict()
        total, lock = 0, threading.Lock()

        @wraps(function)
        def remembering(*args: P.args, **kwargs: P.kwargs) -> R:
            nonlocal total
            key = args, tuple(sorted(kwargs.items()))
            with lock:
                if key in kept:
                    kept.move_to_end(key)
                    return kept[key][0]
            found = function(*args, **kwargs)
            with lock:
                if key in kept:  # another thread was faster
                    return kept[key][0]
                kept[key] = found, size(found) + _OF_AN_ENTRY
                total += kept[key][1]
                while len(kept) > 1 and total > most:
                    total -= kept.popitem(last=False)[1][1]
            return found

        return remembering

    return decorated
