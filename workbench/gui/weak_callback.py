"""Callbacks that keep no part of the window alive, and are not called when it is gone."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import shiboken6
from PySide6.QtCore import QObject


def held_weakly(callback: Callable[[Any], object] | None) -> Callable[[], Callable[[Any], object] | None]:
    """How to get at the callback later: weakly for methods of a QObject, and only while it lives."""
    if callback is None:
        return _nobody
    receiver = getattr(callback, "__self__", None) or _enclosed(callback)
    if not isinstance(receiver, QObject):
        return lambda: callback
    if not hasattr(callback, "__func__"):
        # A method of Qt itself, such as a signal's emit, or a closure, cannot be held weakly.
        return lambda: callback if shiboken6.isValid(receiver) else None
    method = weakref.WeakMethod(callback)

    def living() -> Callable[[Any], object] | None:
        found: Any = method()
        return found if found is not None and shiboken6.isValid(found.__self__) else None

    return living


def _enclosed(callback: Callable[[Any], object]) -> object:
    """The `self` of the method in which a closure was made; None of anything else."""
    code, cells = getattr(callback, "__code__", None), getattr(callback, "__closure__", None)
    if code is None or not cells or "self" not in code.co_freevars:
        return None
    return cells[code.co_freevars.index("self")].cell_contents


def _nobody() -> None:
    return None
