"""A table and what was released of it, and what a released label stands for. From true rows: analyst only."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.core.discreet import discreet
from workbench.core.filtering import Filter
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.kinds import is_missing, parse_numbers
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.table import Column, Table
from workbench.io.infer import propose_format

Floats = NDArray[np.float64]

_BRACKETS = "[]() "
_BETWEEN = ("; ", ", ", " to ", " – ", " - ", "–", "..", ";")


@discreet
@dataclass(frozen=True, eq=False)
class RedrawnCells:
    """Cells of alike rows, and how many rows of each another draw would have released.

    Parameters
    ----------
    columns
        The labels of each cell in the columns asked for, each of shape (cells,).
    draw
        Simulates one draw: released rows per cell, float64 of shape (cells,).
    """

    columns: tuple[Column, ...]
    draw: Callable[[np.random.Generator], Floats]


class OtherDraws(ABC):
    """Other ways in which a release might have come out with the same settings."""

    @abstractmethod
    def cells(self, compared: Compared, names: Sequence[str]) -> RedrawnCells:
        """Cells in which rows are alike in these columns, "" for one that is not looked at."""


@discreet
@dataclass(frozen=True, eq=False)
class Compared:
    """A table and what was released of it.

    Parameters
    ----------
    table
        The working table.
    released
        What was released of it; its columns are a part of those of `table`.
    schema
        How the columns of `table` are read.
    hierarchies, levels
        Those of the generalised columns; where a chain of levels was released, those of its first step. A label of
        another level than the one given is recognised too.
    rows
        Row numbers of `table` that were to be released, shape (rows,); None for all of them.
    kept
        Which rows of `released` went out, shape (released.rows,); None for all of them.
    beta
        The probability with which each row was sampled; 1 if none was.
    redraw
        How the release might have come out otherwise; None if nothing in it is random.
    """

    table: Table
    released: Table
    schema: Schema
    hierarchies: Mapping[str, Hierarchy]
    levels: Mapping[str, int]
    rows: NDArray[np.intp] | None = None
    kept: NDArray[np.bool_] | None = None
    beta: float = 1.0
    redraw: OtherDraws | None = None
    _taken: dict[tuple[str, str], Column] = field(default_factory=dict, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The released columns."""
        return self.released.names

    @property
    def rows_before(self) -> int:
        return self.table.rows if self.rows is None else len(self.rows)

    @cached_property
    def rows_after(self) -> int:
        return self.released.rows if self.kept is None else int(self.kept.sum())

    def before(self, name: str) -> Column:
        """A column of the rows that were to be released, as it was read.

        Raises
        ------
        WorkbenchError
            If there is no such column.
        """
        return self._part("before", self.table[name], self.rows)

    def after(self, name: str) -> Column:
        """A column of the rows that went out, as it was released.

        Raises
        ------
        WorkbenchError
            If there is no such column.
        """
        return self._part("after", self.released[name], self.kept)

    def grouped(self, name: str) -> Column:
        """A column of the rows that were to be released, at the level of the release."""
        column, meaning = self.before(name), self.meaning(name)
        if meaning.hierarchy is None:
            return column
        labels_of = meaning.hierarchy.level_map(column, meaning.level)
        return Column(name, labels_of[column.codes], meaning.hierarchy.labels[meaning.level])

    def meaning(self, name: str) -> Meaning:
        """Meaning of the labels of a column."""
        return Meaning(self.schema[name], self.hierarchies.get(name), self.levels.get(name, 0))

    def _part(self, which: str, column: Column, rows: NDArray[np.intp] | NDArray[np.bool_] | None) -> Column:
        if rows is None:
            return column
        if (which, column.name) not in self._taken:
            self._taken[which, column.name] = column.take(rows)
        return self._taken[which, column.name]


@dataclass(frozen=True, eq=False)
class Meaning:
    """The meaning of one column's labels for somebody who knows its hierarchy and nothing else of the data.

    A label stands for the values its hierarchy lists under it, each as likely as the others. As a number it is
    the number it reads as, else the middle of the interval it names, else the middle between the smallest and the
    largest value under it; `*` is no number.

    Parameters
    ----------
    spec
        How the column is read.
    hierarchy
        None if the values were released as they are.
    level
        The level that was released.
    """

    spec: ColumnSpec
    hierarchy: Hierarchy | None
    level: int

    def numbers(self, labels: Sequence[str], among: NDArray[np.bool_] | None = None) -> Floats:
        """The number each label stands for, shape (len(labels),), nan if it stands for none.

        Parameters
        ----------
        among
            Which values of the hierarchy are meant, shape (values,); None for all. A label that covers others too
            stands for the middle of those that are meant.
        """
        if not self.spec.kind.numeric:
            return np.full(len(labels), np.nan)
        found = _read(labels, self.spec)
        if self.hierarchy is None:
            return found
        open_ones = [i for i in np.flatnonzero(np.isnan(found)).tolist() if not self._says_nothing(labels[i])]
        if among is None:
            _fill_middles(found, open_ones, labels, self.spec)
            open_ones = [position for position in open_ones if np.isnan(found[position])]
        if open_ones:
            ground = read_values(self.hierarchy.values, self.spec)
            if among is not None:
                ground = np.where(among, ground, np.nan)
            for level, positions, codes in self._at_levels(labels, open_ones):
                size = len(self.hierarchy.labels[level])
                known = np.isfinite(ground)
                least, most = np.full(size, np.inf), np.full(size, -np.inf)
                np.minimum.at(least, self.hierarchy.maps[level][known], ground[known])
                np.maximum.at(most, self.hierarchy.maps[level][known], ground[known])
                with np.errstate(invalid="ignore"):
                    found[positions] = np.where(least <= most, (least + most) / 2, np.nan)[codes]
        return found

    def holds(self, rule: Filter) -> NDArray[np.bool_] | None:
        """Which values of the hierarchy a filter on this column says yes to, shape (values,)."""
        return None if self.hierarchy is None else _judged(self.spec, self.hierarchy.values, rule)

    def shares(self, labels: Sequence[str], rule: Filter) -> Floats:
        """Of the values each label stands for, the share that a filter on this column says yes to."""
        found = _judged(self.spec, labels, rule).astype(np.float64)
        if self.hierarchy is None:
            return found
        holds = _judged(self.spec, self.hierarchy.values, rule).astype(np.float64)
        for level, positions, codes in self._at_levels(labels, range(len(labels))):
            found[positions] = self._averaged(holds, level)[codes]
        return found

    def spread(
        self, labels: Sequence[str], weights: Floats, among: NDArray[np.bool_] | None = None
    ) -> dict[str, float]:
        """The weight of each label, divided evenly among the values it stands for: weight by value.

        Parameters
        ----------
        weights
            Shape (len(labels),).
        among
            Which values of the hierarchy are meant; a label without any of them counts as itself.
        """
        if self.hierarchy is None:
            return {label: weight for label, weight in zip(labels, weights.tolist(), strict=True) if weight}
        values = self.hierarchy.values
        meant = np.ones(len(values)) if among is None else among.astype(np.float64)
        divided = np.zeros(len(values))
        placed = np.zeros(len(labels), dtype=np.bool_)
        for level, positions, codes in self._at_levels(labels, range(len(labels))):
            maps = self.hierarchy.maps[level]
            size = len(self.hierarchy.labels[level])
            members = np.bincount(maps, weights=meant, minlength=size)
            per_label = np.bincount(codes, weights=weights[positions], minlength=size)
            per_member = np.divide(per_label, members, out=np.zeros(size), where=members > 0)
            divided += per_member[maps] * meant
            placed[positions] = members[codes] > 0
        found = {value: weight for value, weight in zip(values, divided.tolist(), strict=True) if weight}
        for position in np.flatnonzero(~placed).tolist():
            if weights[position]:
                found[labels[position]] = found.get(labels[position], 0.0) + float(weights[position])
        return found

    def no_value(self, labels: Sequence[str]) -> NDArray[np.bool_]:
        """Which labels stand for a missing value, shape (len(labels),)."""
        absent = frozenset(self.spec.missing)
        return np.fromiter((is_missing(label, absent) for label in labels), np.bool_, len(labels))

    def nothing_said(self, labels: Sequence[str]) -> NDArray[np.bool_]:
        """Which labels are the `*` that says nothing, shape (len(labels),)."""
        return np.fromiter((self._says_nothing(label) for label in labels), np.bool_, len(labels))

    def order(self, labels: Sequence[str], counts: NDArray[np.integer]) -> NDArray[np.intp]:
        """The labels by their number, or of a column without numbers the most frequent first."""
        return _ordered(labels, counts, self.spec, self.numbers(labels))

    def _says_nothing(self, label: str) -> bool:
        return label == ANY and self.hierarchy is not None

    def _averaged(self, of_values: Floats, level: int) -> Floats:
        assert self.hierarchy is not None
        codes, size = self.hierarchy.maps[level], len(self.hierarchy.labels[level])
        members = np.bincount(codes, minlength=size)
        return np.asarray(np.bincount(codes, weights=of_values, minlength=size) / np.maximum(members, 1))

    def _at_levels(
        self, labels: Sequence[str], positions: Sequence[int]
    ) -> list[tuple[int, NDArray[np.intp], NDArray[np.intp]]]:
        """The labels at these positions by the level they are of: level, positions, numbers of the labels there."""
        assert self.hierarchy is not None
        others = [level for level in range(self.hierarchy.height + 1) if level != self.level]
        found, left = [], list(positions)
        for level in (self.level, *others):
            if not left:
                break
            index = {text: code for code, text in enumerate(self.hierarchy.labels[level])}
            here = [position for position in left if labels[position] in index]
            if here:
                codes = [index[labels[position]] for position in here]
                found.append((level, np.array(here, dtype=np.intp), np.array(codes, dtype=np.intp)))
                left = [position for position in left if labels[position] not in index]
        return found


def order_of_labels(labels: Sequence[str], counts: NDArray[np.integer], spec: ColumnSpec) -> NDArray[np.intp]:
    """Labels in an order that was declared, by the number or interval they say themselves, or the most frequent first.

    Nothing but the labels, their counts and a declared order is asked. What a hierarchy lists under a label may be
    values of the data; and what the column is taken for was proposed from all of its values, so that one row which was
    not released can change it. Labels that tie stay in their order.
    """
    column = Column(spec.name, np.arange(len(labels)), tuple(labels))
    said = ColumnSpec(spec.name, Kind.DECIMAL, format=propose_format(column, Kind.DECIMAL))
    numbers = _read(labels, said)
    _fill_middles(numbers, np.flatnonzero(np.isnan(numbers)).tolist(), labels, said)
    if 2 * counts[~np.isnan(numbers)].sum() < counts.sum():
        numbers = np.full(len(labels), np.nan)  # words, some of which happen to be numbers
    return _ordered(labels, counts, spec.declared(), numbers)


def _ordered(labels: Sequence[str], counts: NDArray[np.integer], spec: ColumnSpec, numbers: Floats) -> NDArray[np.intp]:
    if spec.kind is Kind.ORDERED and spec.domain is not None:
        places = {value: place for place, value in reversed(list(enumerate(spec.domain)))}
        numbers = np.array([float(places.get(label, np.nan)) for label in labels])
    return np.lexsort((-counts, np.where(np.isnan(numbers), np.inf, numbers)))


def _fill_middles(numbers: Floats, positions: Sequence[int], labels: Sequence[str], spec: ColumnSpec) -> None:
    """Write the middles of labels that are intervals to their places."""
    for position in positions:
        numbers[position] = _middle_of_interval(labels[position], spec)


def _judged(spec: ColumnSpec, texts: Sequence[str], rule: Filter) -> NDArray[np.bool_]:
    """Mask of the texts that satisfy a filter on one column."""
    one_each = Column(spec.name, np.arange(len(texts)), tuple(texts))
    return rule.mask(Table((one_each,)), Schema((spec,)))


def _read(texts: Sequence[str], spec: ColumnSpec) -> Floats:
    """The texts as numbers, in the way of the column or plainly."""
    found = read_values(texts, spec)
    rest = np.flatnonzero(np.isnan(found)).tolist()
    if rest:
        decimal = parse_numbers([texts[i] for i in rest], Kind.DECIMAL, spec.format, spec.missing)
        found[rest] = decimal
    return found


def _middle_of_interval(label: str, spec: ColumnSpec) -> float:
    """The middle of a label such as `[20, 30[` or `20-29`, nan if it is none."""
    inside = label.strip(_BRACKETS)
    for between in _BETWEEN:
        low, found, high = inside.partition(between)
        if found:
            ends = _read((low.strip(), high.strip()), spec)
            if np.isfinite(ends).all():
                return float(ends.mean())
    for place, letter in enumerate(inside):
        # The dash between two numbers follows a digit; one at the beginning is a sign.
        if letter == "-" and place and inside[place - 1].isdigit():
            ends = _read((inside[:place].strip(), inside[place + 1 :].strip()), spec)
            if np.isfinite(ends).all():
                return float(ends.mean())
    return float("nan")
