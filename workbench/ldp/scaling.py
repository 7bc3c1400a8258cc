"""From a numeric column to numbers in [−1, 1], for protocols that estimate means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec
from workbench.core.table import Column
from workbench.ldp.encoding import EncodingChoice, Outside, absent_values, public_bounds, refuse


@dataclass(frozen=True, eq=False)
class Numbers:
    """A numeric column scaled from its public bounds to [−1, 1], for protocols that estimate means.

    Parameters
    ----------
    scaled
        float64 of shape (m,), each in [−1, 1].
    rows
        Which rows these are, rising.
    bounds
        What −1 and 1 stand for.
    declared
        False if the bounds were read from the data and are only assumed to be public.
    clipped, absent
        Rows outside the bounds, and rows without a number.
    """

    scaled: NDArray[np.float64]
    rows: NDArray[np.intp]
    bounds: tuple[float, float]
    declared: bool
    clipped: int
    absent: int

    @property
    def mean(self) -> float:
        """The true mean of the clipped numbers, in units of the column; nan if there is none."""
        return float(self.unscaled(self.scaled.mean())) if len(self.scaled) else float("nan")

    def unscaled(self, value: float) -> float:
        """A number of [−1, 1] in units of the column."""
        low, high = self.bounds
        return (low + high) / 2 + value * (high - low) / 2

    def only(self, rows: NDArray[np.intp]) -> Numbers:
        """The same restricted to some of the table's rows."""
        kept = np.isin(self.rows, rows, assume_unique=True)
        return Numbers(self.scaled[kept], self.rows[kept], self.bounds, self.declared, self.clipped, self.absent)


def encode_numbers(choice: EncodingChoice, column: Column, spec: ColumnSpec) -> Numbers:
    """Scale a numeric column to [−1, 1] by its public bounds.

    Raises
    ------
    WorkbenchError
        If the column is not numeric, no bounds are declared, or a number lies outside them and is not to be clipped.
    """
    if not spec.kind.numeric:
        raise WorkbenchError(
            f"“{column.name}” holds no numbers, so it has no mean.",
            hint="Choose a protocol for categories, or a column of numbers.",
            field="column",
        )
    absent = absent_values(column, spec)
    numbers = read_values(column.values, spec)
    refuse(column, spec, np.isnan(numbers) & ~absent, "is no number", "Correct such values, or let them be missing.")
    (low, high), declared = public_bounds(choice, column, spec)
    outside = ~absent & ((numbers < low) | (numbers > high))
    if choice.outside is Outside.STOP:
        refuse(
            column, spec, outside, "lies outside the public bounds", "Widen the bounds, or let such values be clipped."
        )
    scaled = np.clip((np.clip(numbers, low, high) - (low + high) / 2) / ((high - low) / 2), -1.0, 1.0)
    rows = np.flatnonzero(~absent[column.codes])
    return Numbers(
        scaled[column.codes[rows]],
        rows,
        (low, high),
        declared,
        int(column.counts[outside].sum()),
        int(column.counts[absent].sum()),
    )
