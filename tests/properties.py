"""The number of examples with which a property is tried: few while working, all of them in `.ci/run`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

VARIABLE = "WORKBENCH_PROPERTIES"
WHOLE = "whole"

_FEWEST = 10
Case = TypeVar("Case")
_SHARE = 4


def is_whole() -> bool:
    """Whether all examples are wanted."""
    return os.environ.get(VARIABLE, "") == WHOLE


def some(cases: Iterable[Case], share: int = _SHARE) -> list[Case]:
    """All cases where the variable asks for them, otherwise one of so many, evenly spread; for `properties` only."""
    return list(cases)[:: 1 if is_whole() else share]


def examples(whole: int) -> int:
    """All `whole` examples where the variable asks for them, otherwise an eighth, but never fewer than 10 of them.

    Examples are drawn anew in every run by hand, so what an eighth misses today it tries tomorrow.
    """
    if is_whole():
        return whole
    return min(whole, max(_FEWEST, whole // (2 * _SHARE)))
