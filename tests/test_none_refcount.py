"""Some releases of PySide6 return references to None that they never took, until the process dies of it."""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject

_CALLS = 1_000
_NOISE = 50


def test_void_calls_leave_the_reference_count_of_none_alone() -> None:
    thing = QObject()
    thing.setObjectName("warm")
    before = sys.getrefcount(None)
    for _ in range(_CALLS):
        thing.setObjectName("name")
    assert sys.getrefcount(None) > before - _NOISE
