"""Memory that is free again but kept by the C library, given back to the system.

glibc keeps what was freed in each thread's pool, in case it is wanted again. A program whose work runs on
ever new threads holds on to a hundred megabytes that way after a minute, and to more after half an hour.
"""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable
from functools import cache

_EVERY_SECONDS = 20.0
_M_ARENA_MAX = -8


class _Done:
    """When it was done last, by a clock's seconds."""

    last = -_EVERY_SECONDS


_DONE = _Done()
_LOCK = threading.Lock()


def give_back(now: float | None = None) -> bool:
    """Give back whole pages that are free; takes some milliseconds.

    Parameters
    ----------
    now
        A clock's seconds; those of the system unless given. Infinity asks for it at once.

    Returns
    -------
    bool
        Whether it was done: not where it was done a moment ago, nor where the C library cannot.
    """
    now = time.monotonic() if now is None else now
    with _LOCK:
        if now - _DONE.last < _EVERY_SECONDS:
            return False
        # Of infinity nothing would ever be a while after.
        _DONE.last = now if math.isfinite(now) else time.monotonic()
    trim = _of_the_c_library("malloc_trim")
    return trim is not None and bool(trim(0))


def share_one_pool() -> bool:
    """Let all threads that begin from now on take memory from one pool, where what one has freed serves the next.

    Returns
    -------
    bool
        Whether it was done: not where the C library cannot.
    """
    choose = _of_the_c_library("mallopt")
    return choose is not None and bool(choose(_M_ARENA_MAX, 1))


@cache
def _of_the_c_library(name: str) -> Callable[..., int] | None:
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    # Other C libraries for Linux have no such functions.
    return getattr(ctypes.CDLL(None), name, None)
