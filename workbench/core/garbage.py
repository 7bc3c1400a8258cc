"""The moments and the thread at which Python looks for unreachable cycles of objects.

Python looks on whichever thread happens to make the next object. Where some objects belong to one thread, as those of a
window do, that must not be: to let one go it takes locks of Qt's while holding Python's, and the window's thread, which
takes them in the other order, waits for ever. So that thread does all the looking (`keep_to_this_thread`, `sweep`,
`look_at_all`).
"""

from __future__ import annotations

import contextlib
import gc
import sys
import threading
from collections.abc import Iterator

_YOUNG, _OLD = 0, 2
_GROWTH = 1.25
"""How many times as much there must be before all objects are looked through again, which takes long."""


class _Sweeping:
    """Which thread does all the looking (None: whichever makes the next object), and how much there was last time.

    What there is is counted in blocks of memory. A list of the objects would hold them, and a tuple that another thread
    is still filling must not be held by anybody: Python would refuse to finish it.
    """

    thread: int | None = None
    blocks = 0


_SWEEPING = _Sweeping()


def keep_to_this_thread() -> None:
    """From now on look on this thread alone, and only when it calls `sweep`."""
    gc.disable()
    _SWEEPING.thread = threading.get_ident()


def give_back() -> None:
    """Look again as Python does."""
    _SWEEPING.thread = None
    gc.enable()


def sweep() -> int:
    """Look through the youngest objects, and older ones when it is time, as Python does by itself.

    Returns
    -------
    int
        How many generations were looked through; 0 where too few objects were made since the last time.
    """
    counts = zip(gc.get_count(), gc.get_threshold(), strict=True)
    due = max((generation for generation, (count, most) in enumerate(counts) if count > most), default=None)
    if due is None:
        return 0
    if due == _OLD and sys.getallocatedblocks() < _GROWTH * _SWEEPING.blocks:
        due -= 1
    gc.collect(due)
    if due == _OLD:
        _SWEEPING.blocks = sys.getallocatedblocks()
    return due + 1


def look_at_all() -> None:
    """Look through all objects, about a tenth of a second long; `sweep` would put it off until there are many more."""
    if _SWEEPING.thread in (None, threading.get_ident()):
        gc.collect(_OLD)
        _SWEEPING.blocks = sys.getallocatedblocks()


def look_at_the_young() -> None:
    """Look through what was made last, so that it need not be looked at again; nothing where another thread looks."""
    if _SWEEPING.thread in (None, threading.get_ident()):
        gc.collect(_YOUNG)


@contextlib.contextmanager
def no_garbage_collection() -> Iterator[None]:
    """For work that makes no cycles, while every search for some would walk through all it has made so far."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on and _SWEEPING.thread is None:
            gc.enable()
