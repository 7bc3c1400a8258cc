"""An immutable table whose columns are integer codes into their distinct values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError


@dataclass(frozen=True, eq=False)
class Column:
    """One column: `values[codes[i]]` is the text of row i.

    Parameters
    ----------
    name
        The heading, unique within its table.
    codes
        Integer array of shape (rows,), read-only; every code is a valid index into `values`.
    values
        The distinct texts. The order carries no meaning. A value may be listed that no row uses.
    """

    name: str
    codes: NDArray[np.integer]
    values: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.codes.flags.writeable:
            # A read-only view costs nothing; the array itself may still be filled by its owner's base.
            view = self.codes.view()
            view.flags.writeable = False
            object.__setattr__(self, "codes", view)

    @classmethod
    def from_texts(cls, name: str, texts: Sequence[str]) -> Column:
        """Encode `texts` in order of first appearance."""
        index: dict[str, int] = {}
        codes = np.fromiter((index.setdefault(text, len(index)) for text in texts), dtype=np.int32, count=len(texts))
        return cls(name, codes, tuple(index))

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Rows per distinct value, shape (len(values),)."""
        return np.bincount(self.codes, minlength=len(self.values)).astype(np.int64)

    def text(self, row: int) -> str:
        return self.values[int(self.codes[row])]

    def texts(self) -> list[str]:
        """All rows as text. For small tables, writing and tests; costs one string reference per row."""
        values = self.values
        return [values[code] for code in self.codes.tolist()]

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Column:
        """The column restricted to the given row numbers or mask, in that order."""
        return Column(self.name, self.codes[rows], self.values)


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length with distinct names."""

    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        if len(set(names)) != len(names):
            repeated = sorted({name for name in names if names.count(name) > 1})
            raise WorkbenchError(f"Two columns have the same name: {', '.join(repeated)}.", hint="Rename one of them.")
        if len({len(column) for column in self.columns}) > 1:
            raise ValueError("columns of different lengths")

    @property
    def rows(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def __contains__(self, name: str) -> bool:
        return any(column.name == name for column in self.columns)

    def __getitem__(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise WorkbenchError(
            f"There is no column “{name}”.",
            hint=f"The columns are: {', '.join(self.names)}.",
            field=name,
        )

    def row(self, index: int) -> tuple[str, ...]:
        return tuple(column.text(index) for column in self.columns)

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Table:
        """The table restricted to the given row numbers or mask, in that order."""
        return Table(tuple(column.take(rows) for column in self.columns))
