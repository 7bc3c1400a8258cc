"""Re-identification risk, from the sizes of classes. Computed from true rows: analyst only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.grouping import classes
from workbench.anonymise.row_counter import sizes_of_classes
from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.table import Table


@dataclass(frozen=True)
class AttackerRisk:
    """The chance that one kind of attacker is right.

    Parameters
    ----------
    highest, average
        Chance to be right about the most exposed row, and about a row on average; 0 if there are no rows.
    at_risk
        Share of the rows whose chance is above the threshold.
    """

    highest: float
    average: float
    at_risk: float


@discreet
@dataclass(frozen=True)
class Risk:
    """The risk of a set of classes.

    Parameters
    ----------
    rows, classes
        How many there are.
    threshold
        The chance above which a row counts as at risk.
    prosecutor
        The attacker knows that a certain person is among the rows: 1/size of the class.
    journalist
        The attacker knows only that the person is in the population: 1/size of the class there. The same as
        `prosecutor` if the population is not known, which is then the upper bound.
    marketer
        Share of the rows an attacker who wants to link them all gets right: average of the journalist's chance.
    uniques
        Share of the rows that are alone in their class.
    smallest, largest
        Rows of the smallest and the largest class, 0 if there is none.
    """

    rows: int
    classes: int
    threshold: float
    prosecutor: AttackerRisk
    journalist: AttackerRisk
    marketer: float
    uniques: float
    smallest: int
    largest: int


def assess_risk(
    sizes: NDArray[np.integer], threshold: float = 0.2, population: NDArray[np.integer] | None = None
) -> Risk:
    """The risk of classes of these sizes.

    Parameters
    ----------
    sizes
        Released rows per class, shape (classes,); classes without rows are left out.
    threshold
        A row is at risk if the attacker's chance is above it, 0 to 1.
    population
        People of the population per class, shape (classes,), none smaller than the size of its class.

    Raises
    ------
    WorkbenchError
        If the threshold is not between 0 and 1, or a class has fewer people than rows.
    """
    if not 0 <= threshold <= 1:
        raise WorkbenchError(
            f"The threshold of risk must lie between 0 and 1, not {threshold}.", hint="0.2 is usual.", field="threshold"
        )
    occupied = np.flatnonzero(np.asarray(sizes) > 0)
    rows_in = np.asarray(sizes)[occupied].astype(np.int64)
    people = rows_in if population is None else np.asarray(population)[occupied].astype(np.int64)
    if np.any(people < rows_in):
        raise WorkbenchError(
            "A class has more rows than there are people in the population who share its labels.",
            hint="Check that the population is the table the rows were taken from.",
            field="population",
        )
    rows = int(rows_in.sum())
    journalist = _attacker(rows_in, people, threshold)
    return Risk(
        rows,
        len(rows_in),
        threshold,
        _attacker(rows_in, rows_in, threshold),
        journalist,
        journalist.average,
        float((rows_in == 1).sum() / rows) if rows else 0.0,
        int(rows_in.min()) if rows else 0,
        int(rows_in.max()) if rows else 0,
    )


def class_sizes(table: Table, names: Sequence[str]) -> NDArray[np.int64]:
    """Rows per combination of values of the named columns that occurs, shape (classes,).

    Raises
    ------
    WorkbenchError
        If there is no such column.
    """
    columns = [table[name] for name in names]
    if not table.in_memory:
        sizes = [len(column.values) for column in columns]
        return sizes_of_classes(table, [(n, np.arange(size), size) for n, size in zip(names, sizes, strict=True)])
    return classes([(column.codes, max(len(column.values), 1)) for column in columns], table.rows).sizes


def _attacker(rows: NDArray[np.int64], among: NDArray[np.int64], threshold: float) -> AttackerRisk:
    total = int(rows.sum())
    if not total:
        return AttackerRisk(0.0, 0.0, 0.0)
    # 1/size > threshold, written so that 1/5 > 0.2 is not decided by rounding.
    exposed = among * threshold < 1 - 1e-12
    return AttackerRisk(
        float(1.0 / among.min()), float((rows / among).sum() / total), float(rows[exposed].sum() / total)
    )
