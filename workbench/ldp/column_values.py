"""Counts of a column's rows from its distinct values: missing ones, wrong ones, and all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.first_few import first_few
from workbench.core.kinds import is_missing
from workbench.core.schema import ColumnSpec
from workbench.core.table import Column

_NAMED = 5


def rows_per_place(places: NDArray[np.integer], counts: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Rows in each of `size` places from the rows of each distinct value; values in -1 are in none."""
    found = np.zeros(size, dtype=np.int64)
    np.add.at(found, places[places >= 0], counts[places >= 0])
    return found


def absent_values(column: Column, spec: ColumnSpec) -> NDArray[np.bool_]:
    """Which of the distinct values stand for "no value", shape (len(column.values),)."""
    missing = frozenset(spec.missing)
    return np.fromiter((is_missing(value, missing) for value in column.values), np.bool_, len(column.values))


def refuse(column: Column, spec: ColumnSpec, wrong: NDArray[np.bool_], what: str, remedy: str, flags: str = "") -> None:
    """Raise an error if any value is wrong; which they are is told to the analyst."""
    found = np.flatnonzero(wrong & (column.counts > 0))
    if not len(found):
        return
    shown = first_few([column.values[i] for i in found.tolist()], _NAMED, quoted=True)
    raise _of_the_rows(f"a value {what}", f"{shown} {what}", column, remedy, flags)


def refuse_missing(column: Column, spec: ColumnSpec, absent: NDArray[np.bool_]) -> None:
    """Raise an error if a row has no value, where everybody must have one."""
    rows = int(column.counts[absent].sum())
    if rows:
        have = "row has" if rows == 1 else "rows have"
        need = "and everybody must have one"
        remedy = "Correct such rows; or let these people not answer, or answer that."
        raise _of_the_rows(
            f"a row has no value, {need}", f"{rows:,} {have} no value, {need}", column, remedy, "--missing"
        )


def _of_the_rows(words: str, for_analyst: str, column: Column, remedy: str, flags: str) -> WorkbenchError:
    where = f"In column “{column.name}”"
    told = WorkbenchError(f"{where} {for_analyst}.", hint=remedy, field="domain", flags=flags)
    return WorkbenchError(f"{where} {words}.", hint=remedy, field="domain", flags=flags, analyst=told)


def mean_of(values: NDArray[np.float64], weights: NDArray[np.integer]) -> float:
    """The mean of the values, each as often as its weight; 0 if none has any."""
    used = weights > 0
    return float(np.average(values[used], weights=weights[used])) if used.any() else 0.0
