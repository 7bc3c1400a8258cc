"""The values of a column that occur in its rows, as formats with types want them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from workbench.core.table import Column

_EXACT = 1 << 53


class NumberKind(StrEnum):
    """The kind of number that every value of a column is, if all are numbers."""

    NONE = "text"
    WHOLE = "whole"
    DECIMAL = "decimal"


@dataclass(frozen=True, eq=False)
class OccurringValues:
    """A column without the values that no row has.

    Parameters
    ----------
    texts
        The distinct texts that occur, as they are written.
    places
        For each code of the column the index into `texts`, int64; 0 for values that do not occur.
    numbers
        What kind of numbers they are. Only numbers that read back as the very same text count, so 007 and 1.50 are
        texts; empty cells may be among them.
    """

    texts: tuple[str, ...]
    places: NDArray[np.int64]
    numbers: NumberKind

    @classmethod
    def of(cls, column: Column, written: Callable[[str], str] = str) -> OccurringValues:
        """The values as `written` spells them; no row is looked at."""
        used = np.flatnonzero(column.counts > 0)
        places = np.zeros(len(column.values), dtype=np.int64)
        places[used] = np.arange(len(used))
        texts = tuple(written(column.values[code]) for code in used.tolist())
        filled = [text for text in texts if text]
        numbers = NumberKind.NONE
        if filled and all(map(_is_whole, filled)):
            numbers = NumberKind.WHOLE
        elif filled and all(_is_whole(text) or _is_decimal(text) for text in filled):
            numbers = NumberKind.DECIMAL
        return cls(texts, places, numbers)

    def as_numbers(self) -> list[str | int | float | None]:
        """The distinct values in their type; None for an empty cell among numbers."""
        if self.numbers is NumberKind.NONE:
            return list(self.texts)
        made = int if self.numbers is NumberKind.WHOLE else float
        return [made(text) if text else None for text in self.texts]


def _is_whole(text: str) -> bool:
    digits = text.removeprefix("-")
    return (
        digits.isascii()
        and digits.isdigit()
        and len(digits) <= 16
        and str(int(text)) == text
        and abs(int(text)) < _EXACT
    )


def _is_decimal(text: str) -> bool:
    try:
        number = float(text)
    except ValueError:
        return False
    return math.isfinite(number) and not number.is_integer() and repr(number) == text
