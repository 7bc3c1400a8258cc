"""One drawing at a time, and the fonts that drawings open."""

from __future__ import annotations

import sys
import threading
from types import TracebackType

_MOST_FONTS = 8
"""Fonts that the charts of one thread need; beyond it somebody has drawn on other threads before."""


class DrawingAlone:
    """A lock that everything holds while it draws, since matplotlib shares fonts and caches between figures.

    matplotlib opens its fonts anew for each thread, keeps up to 64 of them with two files each, and some more with the
    formulas it has set. Where work runs on ever new threads, as in the window, those of threads that have ended would
    never be used again; so they are let go once there are many.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if threading.current_thread() is not threading.main_thread():
                _let_go_of_fonts()
        finally:
            self._lock.release()


def _let_go_of_fonts() -> None:
    """Close them where there are many. A matplotlib that has these caches of its own no more keeps what it has."""
    opened = getattr(sys.modules.get("matplotlib.font_manager"), "_get_font", None)
    if opened is None or opened.cache_info().currsize <= _MOST_FONTS:
        return
    parser = getattr(sys.modules.get("matplotlib.mathtext"), "MathTextParser", None)
    formulas = getattr(parser, "_parse_cached", None)
    if formulas is not None:
        formulas.cache_clear()
    opened.cache_clear()
