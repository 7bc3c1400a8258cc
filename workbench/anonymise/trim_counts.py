"""Trimming as arithmetic on counts: what each group gives up, and how what is left goes on to the next step.

Rows of a group are identical once generalised, so a release is one count per group. A group of m rows that have not
been released gives up Z of them and releases max(0, m − Z); what it does not release, that and what a floor held
back, is counted again in the coarser group of the next step. Nothing here draws or reads rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.grouping import classes
from workbench.core.discreet import discreet

Counts = NDArray[np.int64]

Draw = Callable[[int, int], Counts]
"""Rows that each group gives up: the number of the step, from 0, and how many groups it has; shape (groups,), ≥ 0."""


@discreet
@dataclass(frozen=True, eq=False)
class LabelGroups:
    """Groups of rows: the numbers of their labels, ascending by the first column, then the second, ….

    Parameters
    ----------
    digits
        Per column the number of each group's label, shape (groups,).
    radices
        Per column how many labels there are.
    """

    digits: tuple[NDArray[np.integer], ...]
    radices: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.digits[0])

    def rolled_up(
        self, up: Sequence[NDArray[np.integer]], radices: Sequence[int]
    ) -> tuple[LabelGroups, NDArray[np.int64]]:
        """The groups at coarser labels, and which of them each of these falls into, shape (groups,).

        Parameters
        ----------
        up
            Per column what each label becomes, shape (its radix,).
        radices
            Per column how many coarser labels there are.
        """
        coarser = [above[digits] for above, digits in zip(up, self.digits, strict=True)]
        return grouped(coarser, radices, len(self))


def grouped(
    columns: Sequence[NDArray[np.integer]], radices: Sequence[int], rows: int
) -> tuple[LabelGroups, NDArray[np.int64]]:
    """The groups that rows with these label numbers form, and the group of each row."""
    found = classes(list(zip(columns, radices, strict=True)), rows)
    member = np.zeros(len(found.sizes), dtype=np.intp)
    member[found.ids] = np.arange(rows)
    return LabelGroups(tuple(column[member] for column in columns), tuple(radices)), found.ids


@discreet
@dataclass(frozen=True, eq=False)
class TrimmedStep:
    """One step as it was carried out. Everything but `released` is computed from the true rows: analyst only.

    Parameters
    ----------
    groups
        The groups, some of which may have no row left.
    counts
        Their rows that no step before has released, int64 of shape (groups,).
    released
        How many of those this step releases, never more.
    """

    groups: LabelGroups
    counts: Counts
    released: Counts

    @property
    def rests(self) -> Counts:
        """Rows of each group that go on to the next step."""
        return self.counts - self.released


def trimmed(counts: Counts, lost: Counts, floor: int = 1) -> Counts:
    """Rows that groups of `counts` rows release: max(0, m − Z), and none if that is below the floor."""
    left = np.maximum(counts - lost, 0)
    return np.where(left < floor, 0, left)


def cascade(
    first: LabelGroups,
    counts: Counts,
    ups: Sequence[tuple[Sequence[NDArray[np.integer]], Sequence[int]]],
    draw: Draw,
    floor: int = 1,
) -> tuple[tuple[TrimmedStep, ...], tuple[NDArray[np.int64], ...]]:
    """Carry out all steps.

    Parameters
    ----------
    first, counts
        The groups of the first step and their rows.
    ups
        For each further step what the labels become and how many there are then, as of `LabelGroups.rolled_up`.
    draw
        Called once per step, in their order.

    Returns
    -------
    steps, parents
        The steps; and, for each but the last, the group of the next one that each group falls into.
    """
    steps = [TrimmedStep(first, counts, trimmed(counts, draw(0, len(first)), floor))]
    parents = []
    for number, (up, radices) in enumerate(ups, start=1):
        groups, parent = steps[-1].groups.rolled_up(up, radices)
        left = np.bincount(parent, weights=steps[-1].rests, minlength=len(groups)).astype(np.int64)
        steps.append(TrimmedStep(groups, left, trimmed(left, draw(number, len(groups)), floor)))
        parents.append(parent)
    return tuple(steps), tuple(parents)
