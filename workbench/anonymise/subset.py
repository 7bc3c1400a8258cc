"""The subset of rows to be released, where a model names one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.privacy import ModelChoice
from workbench.core.errors import WorkbenchError
from workbench.core.table import Column, Table


@dataclass(frozen=True, eq=False)
class Subset:
    """The rows that have this code in this column."""

    column: Column
    code: int

    @property
    def rows(self) -> int:
        """How many they are."""
        return int(self.column.counts[self.code])

    @cached_property
    def mask(self) -> NDArray[np.bool_]:
        """Which rows they are, shape (rows of the table,)."""
        return np.asarray(self.column.codes == self.code)

    @property
    def mark(self) -> NDArray[np.int64]:
        """1 for the code of these rows, 0 for the others, shape (len(column.values),)."""
        mark = np.zeros(len(self.column.values), dtype=np.int64)
        mark[self.code] = 1
        return mark

    def take(self, rows: NDArray[np.intp]) -> Subset:
        """Those of them that are among the given rows."""
        return Subset(self.column.take(rows), self.code)


def subset_of(table: Table, models: Sequence[ModelChoice]) -> Subset | None:
    """The rows the models say are to be released, or None for all.

    Raises
    ------
    WorkbenchError
        If there is no such column or value.
    """
    for choice in models:
        if choice.subset is not None:
            name, value = choice.subset
            column = table[name]
            if value not in column.values:
                raise WorkbenchError(
                    f"No row has “{value}” in “{name}”, so none would be released.",
                    hint=f"Values of “{name}” are: {', '.join(column.values[:5])}.",
                    field="subset_value",
                )
            return Subset(column, column.values.index(value))
    return None


def rows_per_value(table: Table, column: Column, subset: Subset | None) -> NDArray[np.int64]:
    """Rows to be released per distinct value of a column of the table, shape (len(column.values),)."""
    if subset is None:
        return column.counts
    size = len(column.values)
    if table.in_memory:
        return np.bincount(column.codes[subset.mask], minlength=size).astype(np.int64)
    if column.name == subset.column.name:
        return np.asarray(column.counts * subset.mark)
    (codes, marks), counts = table.combinations({column.name: None, subset.column.name: subset.mark})
    rows = np.zeros(size, dtype=np.int64)
    rows[codes[marks == 1]] = counts[marks == 1]
    return rows
