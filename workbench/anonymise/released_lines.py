"""The output of all steps of a trimmed release, in canonical form: a function of released counts alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.trim_axes import TrimAxis
from workbench.anonymise.trim_counts import TrimmedStep, grouped
from workbench.core.canonical import canonical_labels
from workbench.core.discreet import discreet
from workbench.core.table import Column, Table


@discreet
@dataclass(frozen=True, eq=False)
class ReleasedLines:
    """The released rows in canonical form: one line for each group, ascending by its labels.

    Parameters
    ----------
    names
        The columns.
    labels
        Per column the labels that occur, in their natural order.
    codes
        Per column the label of each line, in the smallest whole numbers that hold it, shape (lines,).
    sizes
        Rows that each line stands for, int64 of shape (lines,), all ≥ 1.
    """

    names: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    codes: tuple[NDArray[np.integer], ...]
    sizes: NDArray[np.int64]

    @property
    def rows(self) -> int:
        return int(self.sizes.sum())

    def counted(self, name: str) -> Table:
        """One line per group, with a column of this name that says how many rows it stands for."""
        texts = [str(size) for size in self.sizes.tolist()]
        labels, places = canonical_labels(texts, np.ones(len(texts), dtype=np.int64))
        return Table((*self._columns(None), Column(name, places, labels)))

    def expanded(self) -> Table:
        """As many rows of each line as it stands for."""
        return Table(self._columns(np.repeat(np.arange(len(self.sizes)), self.sizes)))

    def _columns(self, lines: NDArray[np.intp] | None) -> tuple[Column, ...]:
        return tuple(
            Column(name, codes if lines is None else codes[lines], labels)
            for name, labels, codes in zip(self.names, self.labels, self.codes, strict=True)
        )


def along_chain(axis: TrimAxis, digits: Sequence[NDArray[np.integer]]) -> Column:
    """Labels of a column at all steps, one step after the other; `digits` are their numbers by step."""
    before = np.cumsum([0, *(len(labels) for labels in axis.labels)]).tolist()
    codes = np.concatenate([first + numbers for first, numbers in zip(before, digits, strict=False)]).astype(np.intp)
    return Column(axis.name, codes, tuple(text for labels in axis.labels for text in labels))


def _raised(axis: TrimAxis, step: int, digits: NDArray[np.integer], to: int) -> NDArray[np.integer]:
    """Numbers of the labels of one step at a later one."""
    for up in axis.ups[step:to]:
        digits = up[digits]
    return digits


def released_lines(
    axes: Sequence[TrimAxis],
    steps: Sequence[TrimmedStep],
    step_column: str = "",
    *,
    left_out: Collection[str] = (),
    one_level: int = 0,
) -> tuple[ReleasedLines, tuple[NDArray[np.int64], ...]]:
    """Lines that the steps release together, in canonical form, and for each step the line of each group, -1 for none.

    Parameters
    ----------
    step_column
        Name of a column that tells the step; "" adds up what several steps released with the same labels.
    left_out, one_level
        See `AfterDraw`; no step after `one_level` may have released a row.
    """
    shown = [np.flatnonzero(step.released) for step in steps]
    sizes = np.concatenate([step.released[groups] for step, groups in zip(steps, shown, strict=True)])
    names, labels, columns = [], [], []
    for place, axis in enumerate(axes):
        if axis.name in left_out:
            continue
        digits = [step.groups.digits[place][groups] for step, groups in zip(steps, shown, strict=True)]
        if one_level:
            raised = [_raised(axis, step, found, one_level - 1) for step, found in enumerate(digits[:one_level])]
            column = Column(axis.name, np.concatenate(raised).astype(np.intp), axis.labels[one_level - 1])
        else:
            column = along_chain(axis, digits)
        occurring, places = canonical_labels(column.values, column.counts)
        names.append(axis.name)
        labels.append(occurring)
        columns.append(places[column.codes])
    if step_column:
        texts = [str(number) for number in range(1, len(steps) + 1)]
        codes = np.repeat(np.arange(len(steps)), [len(groups) for groups in shown])
        occurring, places = canonical_labels(texts, np.bincount(codes, minlength=len(texts)))
        names.append(step_column)
        labels.append(occurring)
        columns.append(places[codes])
    lines, of_line = grouped(columns, [max(len(texts), 1) for texts in labels], len(sizes))
    total = np.bincount(of_line, weights=sizes, minlength=len(lines)).astype(np.int64)
    line_of = []
    for step, groups, found in zip(
        steps, shown, np.split(of_line, np.cumsum([len(groups) for groups in shown])[:-1]), strict=True
    ):
        line_of.append(np.full(len(step.groups), -1, dtype=np.int64))
        line_of[-1][groups] = found
    return ReleasedLines(tuple(names), tuple(labels), lines.digits, total), tuple(line_of)
