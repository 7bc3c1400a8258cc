"""Reports as cells of a CSV and back, with errors that name the row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError

Rows = Sequence[Sequence[str]]
_ZERO = ord("0")


def bit_texts(bits: NDArray[np.bool_]) -> list[str]:
    """One text of 0 and 1 per row of a matrix, shape (rows, length)."""
    signs = np.ascontiguousarray(bits.astype(np.uint8) + np.uint8(_ZERO))
    return [row.decode("ascii") for row in signs.view(f"S{signs.shape[1]}").ravel().tolist()]


def bits_of(rows: Rows, column: int, length: int) -> NDArray[np.bool_]:
    """The matrix of bits, shape (rows, length), in a column of texts."""
    texts = column_of(rows, column)
    for number, text in enumerate(texts, 1):
        if len(text) != length or text.strip("01"):
            raise _wrong(number, text, f"a text of {length:,} digits 0 and 1")
    joined = np.frombuffer("".join(texts).encode("ascii"), dtype=np.uint8)
    return (joined.reshape(len(texts), length) - np.uint8(_ZERO)).astype(np.bool_)


def whole_numbers(rows: Rows, column: int, low: int, high: int) -> NDArray[np.int64]:
    """The integers in a column of texts, each in [low, high]."""
    texts = column_of(rows, column)
    numbers = np.empty(len(texts), dtype=np.int64)
    for index, text in enumerate(texts):
        numbers[index] = _number(text, index + 1, low, high)
    return numbers


def hexadecimals(rows: Rows, column: int, highest: int) -> NDArray[np.uint64]:
    """The hexadecimal integers in a column of texts, each in [0, highest]."""
    texts = column_of(rows, column)
    numbers = np.empty(len(texts), dtype=np.uint64)
    for index, text in enumerate(texts):
        try:
            number = int(text, 16)
        except ValueError:
            number = -1
        if not 0 <= number <= highest:
            raise _wrong(index + 1, text, f"a hexadecimal number up to {highest:x}")
        numbers[index] = number
    return numbers


def number_lists(rows: Rows, column: int, length: int, low: int, high: int) -> NDArray[np.int64]:
    """A matrix of integers, shape (rows, length), from a column of texts with spaces between the numbers."""
    texts = column_of(rows, column)
    numbers = np.empty((len(texts), length), dtype=np.int64)
    for index, text in enumerate(texts):
        parts = text.split()
        if len(parts) != length:
            raise _wrong(index + 1, text, f"{length:,} whole numbers")
        numbers[index] = [_number(part, index + 1, low, high) for part in parts]
    return numbers


def column_of(rows: Rows, column: int) -> list[str]:
    """The texts in one column."""
    texts = []
    for number, row in enumerate(rows, 1):
        if len(row) <= column:
            raise WorkbenchError(
                f"Report {number:,} has {len(row)} cells, at least {column + 1} are needed.",
                hint="Use the file of reports as it was written.",
                field="reports",
            )
        texts.append(row[column])
    return texts


def texts_of(numbers: NDArray[Any]) -> list[str]:
    """The numbers as texts."""
    return [str(number) for number in numbers.tolist()]


def _number(text: str, row: int, low: int, high: int) -> int:
    try:
        number = int(text)
    except ValueError:
        number = low - 1
    if not low <= number <= high:
        raise _wrong(row, text, f"a whole number from {low:,} to {high:,}")
    return number


def _wrong(row: int, text: str, wanted: str) -> WorkbenchError:
    shown = text if len(text) <= 40 else text[:40] + "…"
    return WorkbenchError(
        f"Report {row:,} is “{shown}”, not {wanted}, so another protocol or another domain made it.",
        hint="Aggregate reports with the public parameters they were made with.",
        field="reports",
    )
