"""Public cells: the bars of a histogram, the groups of a table, the candidates of a choice."""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.bin_names import bin_name, end_name
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import shown
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec, Kind
from workbench.query.grid import bounds_of
from workbench.query.readings import Readings, number_of, present_values

MOST_CELLS = 1_000_000
OTHER = "other values"
FOR_A_DELTA = "Or ask “Group by unknown values”, which finds the frequent ones for a δ."
"""What is offered to who does not know which values there are, unless there is no δ to be spent."""


@dataclass(frozen=True)
class Partition:
    """Cells that do not overlap. Which cell a row is in follows from its value in one column.

    Parameters
    ----------
    spec
        The column, as it was declared.
    labels
        The name of every cell; the last one is `OTHER` if there is a cell for everything else.
    keys
        The values of the cells, if each stands for one value.
    edges
        The edges of the cells, rising, if they are ranges: lower ≤ x < upper, the last one with its upper edge.
    clip
        Whether numbers beyond the edges count in the first and last cell, or not at all.
    other
        Whether there is a cell for present values that are none of the keys.
    alike
        Whether texts count as the key that they are equal to without white space at their ends and with case folded
        as by Unicode, by which ß is ss.
    """

    spec: ColumnSpec
    labels: tuple[str, ...]
    keys: tuple[str, ...] = ()
    edges: tuple[Fraction, ...] = ()
    clip: bool = True
    other: bool = False
    alike: bool = False

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def positions(self) -> tuple[float, ...] | None:
        """The middle of every range, to measure distances along; None for cells without an order."""
        if not self.edges:
            return None
        return tuple(float((low + high) / 2) for low, high in itertools.pairwise(self.edges))

    def place(self, values: Sequence[str]) -> NDArray[np.int64]:
        """The cell of every distinct value, shape (values,); -1 for those in none."""
        if self.edges:
            return self._range(values)
        if self.spec.kind.numeric or self.spec.kind.temporal:
            found = self._by_number(values)
        else:
            index = {key: cell for cell, key in enumerate(self.keys)}
            alike = self._alike()
            cells = (index.get(value, alike.get(_folded(value), -1) if alike else -1) for value in values)
            found = np.fromiter(cells, np.int64, len(values))
            # Whether a text stands for "no value" was said of the column; a key cannot bring it back.
        present = present_values(values, self.spec)
        found[~present] = -1
        if self.other:
            found[(found < 0) & present] = len(self.keys)
        return found

    def _alike(self) -> dict[str, int]:
        """The cell of each key as it is compared; none of keys that are alike, which only count as written.

        It follows from the keys alone, so that a row's cell still hangs on that row and on nothing else.
        """
        if not self.alike:
            return {}
        folded = [_folded(key) for key in self.keys]
        once = Counter(folded)
        return {text: cell for cell, text in enumerate(folded) if once[text] == 1}

    def _range(self, values: Sequence[str]) -> NDArray[np.int64]:
        readings = Readings.of(values, self.spec)
        above = readings.between(self.edges)
        last = len(self.edges) - 1
        cells = above - 1
        at_top = [i for i in np.flatnonzero(above == last + 1).tolist() if readings.exactly(i) == self.edges[-1]]
        cells[at_top] = last - 1
        outside = (above == 0) | (cells == last)
        cells = np.clip(cells, 0, last - 1)
        if not self.clip:
            cells[outside] = -1
        cells[above < 0] = -1
        return cells

    def _by_number(self, values: Sequence[str]) -> NDArray[np.int64]:
        wanted = read_values(self.keys, self.spec)
        order = np.argsort(wanted)
        numbers = read_values(values, self.spec)
        found = np.full(len(values), -1, dtype=np.int64)
        known = np.flatnonzero(~np.isnan(numbers))
        near = np.minimum(np.searchsorted(wanted[order], numbers[known]), len(wanted) - 1)
        same = wanted[order][near] == numbers[known]
        found[known[same]] = order[near[same]]
        return found

    @property
    def uneven(self) -> str:
        """Which ranges of whole numbers hold more or fewer of them than the others; "" if all hold as many."""
        return uneven_ranges(self.edges) if self.spec.kind is Kind.INTEGER else ""

    @property
    def public(self) -> dict[str, Any]:
        """The public facts that are written down about it beside an answer."""
        if self.edges:
            return {"column": self.spec.name, "edges": [str(edge) for edge in self.edges], "clip": self.clip}
        alike = {"alike": True} if self.alike else {}
        return {"column": self.spec.name, "keys": list(self.keys), "other": self.other, **alike}

    @property
    def in_words(self) -> str:
        """The same for a person."""
        if not self.edges:
            listed = f"{len(self.keys):,} listed values" + (" and all others" if self.other else ", others left out")
            return f"{listed}, spaces and capitals ignored" if self.alike else listed
        low, high = (shown(float(edge), self.spec) for edge in (self.edges[0], self.edges[-1]))
        return f"{len(self.edges) - 1:,} ranges from {low} to {high}" + ("" if self.clip else ", others left out")


@dataclass(frozen=True)
class Beyond(Partition):
    """Two cells: numbers below the first edge, and numbers above the last. Those in between are in none."""

    @property
    def positions(self) -> None:
        return None

    @property
    def uneven(self) -> str:
        return ""

    def place(self, values: Sequence[str]) -> NDArray[np.int64]:
        readings = Readings.of(values, self.spec)
        above = readings.between(self.edges)
        found = np.full(len(values), -1, dtype=np.int64)
        found[above == 0] = 0
        found[[i for i in np.flatnonzero(above == 2).tolist() if readings.exactly(i) > self.edges[-1]]] = 1
        return found

    @property
    def public(self) -> dict[str, Any]:
        return {"column": self.spec.name, "beyond": [str(edge) for edge in self.edges]}

    @property
    def in_words(self) -> str:
        low, high = (shown(float(edge), self.spec) for edge in self.edges)
        return f"{low} to {high}"


def beyond(spec: ColumnSpec, lower: Fraction, upper: Fraction) -> Beyond:
    """The two sides outside the bounds."""
    low, high = (shown(float(edge), spec) for edge in (lower, upper))
    return Beyond(spec, (f"below {low}", f"above {high}"), edges=(lower, upper))


def listed(text: str, field: str) -> tuple[str, ...]:
    """Values separated by commas, or one per line; one that holds a comma stands in "double quotes"."""
    try:
        rows = list(csv.reader(io.StringIO(text.strip()), skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise WorkbenchError(
            "The list of values cannot be read.",
            hint='Separate them by commas; write one that holds a comma in "double quotes".',
            field=field,
        ) from error
    return tuple(value.strip() for row in rows for value in row if value.strip())


def listing(values: Sequence[str]) -> str:
    """The values as `listed` reads them, in one line; "" if it would read others."""
    text = ", ".join(_in_quotes(one) for one in values)
    with contextlib.suppress(WorkbenchError):  # of a sign that no list has
        return text if listed(text, "") == tuple(values) else ""
    return ""


def _in_quotes(value: str) -> str:
    """A value, in quotes if it holds a sign that means something in a list."""
    held = any(sign in value for sign in ',"\r\n')
    return '"' + value.replace('"', '""') + '"' if held else value


def _folded(text: str) -> str:
    return text.strip().casefold()


def keys_of(
    spec: ColumnSpec, typed: str, *, other: bool = False, alike: bool = False, field: str = "keys"
) -> Partition:
    """One cell per public value: those that were typed, else the declared domain of the column.

    Raises
    ------
    WorkbenchError
        If there are no values that were not read from the data, one is listed twice, or one cannot occur.
    """
    keys = listed(typed, field) if typed.strip() else spec.declared().domain or ()
    if not keys:
        read = spec.domain is not None
        raise WorkbenchError(
            f"The values of “{spec.name}” were read from the data, so that one of them occurs would be given away."
            if read
            else f"Which values “{spec.name}” may have is missing; reading them from the data would tell who is in it.",
            hint="Type the values that are to be counted, known without this data, or declare them as the domain of "
            f"the column. {FOR_A_DELTA}",
            field=field,
        )
    if len(keys) > MOST_CELLS:
        raise _too_many(len(keys), field)
    if any(not known for known in present_values(keys, spec).tolist()):
        raise WorkbenchError(
            "One of the values stands for a missing value.", hint="Take it out of the list.", field=field
        )
    if spec.kind.numeric or spec.kind.temporal:
        numbers = read_values(keys, spec)
        wrong = next((key for key, number in zip(keys, numbers.tolist(), strict=True) if number != number), None)
        if wrong is not None:
            raise WorkbenchError(
                f"“{wrong}” is not a value of “{spec.name}” as its numbers or dates are written.",
                hint="Write the values as they stand in the file.",
                field=field,
            )
        twice = len(np.unique(numbers)) < len(keys)
    else:
        twice = len(set(keys)) < len(keys)
    if twice:
        raise WorkbenchError("A value is listed twice.", hint="List every value once.", field=field)
    of_text = not (spec.kind.numeric or spec.kind.temporal)
    return Partition(spec, (*keys, OTHER) if other else keys, keys, other=other, alike=alike and of_text)


def ranges_of(
    spec: ColumnSpec,
    *,
    lower: str = "",
    upper: str = "",
    bins: int = 10,
    edges: str = "",
    clip: bool = True,
    prefix: str = "",
) -> Partition:
    """Ranges of equal width between public bounds, or between edges that were typed.

    Raises
    ------
    WorkbenchError
        If there are no public bounds, or the edges do not rise.
    """
    if edges.strip():
        bounds_of(spec, "0", "1", prefix) if spec.kind.numeric else bounds_of(spec, "1970-01-01", "1970-01-02", prefix)
        marks = tuple(number_of(text, spec, f"{prefix}edges") for text in listed(edges, f"{prefix}edges"))
        if len(marks) < 2 or any(one >= two for one, two in itertools.pairwise(marks)):
            raise WorkbenchError(
                "The edges must be at least two numbers that rise.", hint="Such as 0, 10, 20.", field=f"{prefix}edges"
            )
    else:
        low, high = bounds_of(spec, lower, upper, prefix, "they say where the bins begin and end")
        if not 1 <= bins <= MOST_CELLS:
            raise _too_many(bins, f"{prefix}bins")
        marks = tuple(low + (high - low) * part / bins for part in range(bins + 1))
    return Partition(spec, _range_labels(spec, marks), edges=marks, clip=clip)


def _range_labels(spec: ColumnSpec, edges: Sequence[Fraction]) -> tuple[str, ...]:
    texts = [shown(float(edge), spec, 6, grouped=False) for edge in edges]
    if len(set(texts)) < len(texts):
        texts = [shown(float(edge), spec, 15, grouped=False) for edge in edges]
    if spec.kind is Kind.DATETIME and len(set(texts)) < len(texts):
        texts = [str(float(edge)) for edge in edges]
    last = len(texts) - 2
    return tuple(f"[{a}, {b}{']' if place == last else ')'}" for place, (a, b) in enumerate(itertools.pairwise(texts)))


def cell_names(labels: Sequence[Sequence[str]], question: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    """The labels of each axis as they are shown: ranges of a column of whole numbers as 18–24.

    Where numbers beyond the edges count in the first and last range, those are named by the side on which they are
    bounded: ≤ 24 and ≥ 90.

    Parameters
    ----------
    labels
        As an answer has them.
    question
        Its public parameters, as they stand in the ledger, whichever version wrote them.
    """
    axes = _axes(question)
    return tuple(
        _names(axis, *axes[place]) if place < len(axes) else tuple(map(bin_name, axis))
        for place, axis in enumerate(labels)
    )


def _names(labels: Sequence[str], axis: Mapping[str, Any], whole: bool) -> tuple[str, ...]:
    last = len(labels) - 1
    beyond = holds_beyond(axis)
    return tuple(
        end_name(label, low=beyond and not place, high=beyond and place == last, whole=whole)
        for place, label in enumerate(labels)
    )


def holds_beyond(axis: Mapping[str, Any]) -> bool:
    """Whether numbers beyond the edges of an axis, as it was written down, count in its first and last range."""
    return bool(axis.get("edges")) and axis.get("clip") is True


def beyond_words(question: Mapping[str, Any]) -> str:
    """That the first and last range hold what lies beyond them too; "" where they do not."""
    if not any(holds_beyond(axis) for axis, _ in _axes(question)):
        return ""
    return "numbers beyond the edges count in the first and the last range"


def uneven_cells(question: Mapping[str, Any]) -> tuple[str, ...]:
    """The remarks of `Partition.uneven` on the axes of an answer, from its public parameters, where there are any."""
    said = []
    for axis, integer in _axes(question):
        with contextlib.suppress(ValueError, ZeroDivisionError, TypeError):
            said.append(uneven_ranges([Fraction(edge) for edge in axis.get("edges", ())]) if integer else "")
    return tuple(filter(None, said))


def uneven_ranges(edges: Sequence[Fraction]) -> str:
    """Which ranges between rising edges hold more or fewer whole numbers than the others; "" if all hold as many."""
    ends = [math.ceil(edge) for edge in edges[:-1]] + [math.floor(edge) + 1 for edge in edges[-1:]]
    sizes = [high - low for low, high in itertools.pairwise(ends)]
    if len(set(sizes)) < 2:
        return ""
    usual = max(set(sizes), key=sizes.count)
    others = [place for place, size in enumerate(sizes) if size != usual]
    if len(others) > 1 or len(sizes) < 3:
        return f"The bins hold {min(sizes):,} to {max(sizes):,} whole numbers each."
    low, high = ends[others[0]], ends[others[0] + 1] - 1
    name = bin_name(f"[{low}, {high}]", whole=True)
    return f"{name} holds {sizes[others[0]]:,} whole numbers, every other bin {usual:,}."


def _axes(question: Mapping[str, Any]) -> list[tuple[Mapping[str, Any], bool]]:
    """The cells along each axis as they were written down, and whether they are of whole numbers."""
    frames, columns = question.get("frames"), question.get("columns")
    axes = [one for one in frames if isinstance(one, Mapping) and {"edges", "keys"} & one.keys()] if frames else []
    integers = {
        name
        for name, read in (columns.items() if isinstance(columns, Mapping) else ())
        if isinstance(read, Mapping) and read.get("kind") == Kind.INTEGER.value
    }
    return [(axis, axis.get("column") in integers) for axis in axes]


def partition_of(
    spec: ColumnSpec,
    *,
    keys: str = "",
    lower: str = "",
    upper: str = "",
    bins: int = 10,
    edges: str = "",
    clip: bool = True,
    other: bool = False,
    alike: bool = False,
    prefix: str = "",
) -> Partition:
    """Ranges for numbers and dates unless values were typed; otherwise one cell per value."""
    if (spec.kind.numeric or spec.kind.temporal) and not keys.strip():
        return ranges_of(spec, lower=lower, upper=upper, bins=bins, edges=edges, clip=clip, prefix=prefix)
    return keys_of(spec, keys, other=other, alike=alike, field=f"{prefix}keys")


def _too_many(cells: int, field: str) -> WorkbenchError:
    return WorkbenchError(f"{cells:,} cells are not possible.", hint=f"Ask for 1 to {MOST_CELLS:,} cells.", field=field)
