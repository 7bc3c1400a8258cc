"""Scaling of a numeric column to [−1, 1], for protocols that estimate means."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec
from workbench.core.table import Column
from workbench.ldp.column_values import absent_values, refuse, refuse_missing
from workbench.ldp.crowd import Crowd, Headcount, Persons
from workbench.ldp.encoding import Absent, EncodingChoice, Outside, public_bounds


@dataclass(frozen=True, eq=False)
class Numbers:
    """A numeric column scaled from its public bounds to [−1, 1], for protocols that estimate means.

    Parameters
    ----------
    column
        The rows that are asked.
    places
        The scaled number of each distinct value of the column, in [−1, 1]; nan for those whose rows do not answer.
    bounds
        What −1 and 1 stand for.
    declared
        False if the bounds were read from the data and are only assumed to be public.
    clipped, absent
        Rows outside the bounds, and rows without a number.
    """

    column: Column
    places: NDArray[np.float64]
    bounds: tuple[float, float]
    declared: bool
    clipped: int
    absent: int

    def __len__(self) -> int:
        """How many rows answer."""
        return int(self.column.counts[self.answering].sum())

    @property
    def answering(self) -> NDArray[np.bool_]:
        """Which of the distinct values have rows that answer."""
        found: NDArray[np.bool_] = ~np.isnan(self.places)
        return found

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """Which rows of the column answer, rising."""
        return np.flatnonzero(self.answering[self.column.codes])

    @cached_property
    def scaled(self) -> NDArray[np.float64]:
        """The scaled number of each row that answers."""
        found: NDArray[np.float64] = self.places[self.column.codes[self.rows]]
        return found

    @property
    def people(self) -> Crowd:
        """Everybody's scaled number; only counted where the rows are not in memory."""
        if self.column.in_memory:
            return Persons(self.scaled)
        return Headcount(self.places[self.answering], self.column.counts[self.answering])

    @property
    def mean(self) -> float:
        """The true mean of the clipped numbers, in units of the column; nan if there is none."""
        people = self.people
        return float(self.unscaled(people.mean)) if len(people) else float("nan")

    def unscaled(self, value: float) -> float:
        """A number of [−1, 1] in units of the column."""
        low, high = self.bounds
        return (low + high) / 2 + value * (high - low) / 2

    def of(self, column: Column) -> Numbers:
        """The same for some of the rows only: a column with the same distinct values."""
        return replace(self, column=column)


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
    if choice.absent is Absent.STOP:
        refuse_missing(column, spec, absent)
    numbers = read_values(column.values, spec)
    refuse(column, spec, np.isnan(numbers) & ~absent, "is no number", "Correct such values, or let them be missing.")
    (low, high), declared = public_bounds(choice, column, spec)
    outside = ~absent & ((numbers < low) | (numbers > high))
    if choice.outside is Outside.STOP:
        refuse(
            column,
            spec,
            outside,
            "lies outside the public bounds",
            "Widen the bounds, or let such values be clipped.",
            "--clip",
        )
    scaled = np.clip((np.clip(numbers, low, high) - (low + high) / 2) / ((high - low) / 2), -1.0, 1.0)
    return Numbers(
        column,
        np.where(absent, np.nan, scaled),
        (low, high),
        declared,
        int(column.counts[outside].sum()),
        int(column.counts[absent].sum()),
    )
