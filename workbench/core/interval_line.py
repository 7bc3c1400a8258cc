"""The line on which intervals lie, and the levels that join them, as a specification has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod

import numpy as np

from workbench.core.building import BuilderSettings, BuilderValues
from workbench.core.cells import IntervalCells, equal_cells, neighbours
from workbench.core.closed_end import INCLUDED
from workbench.core.details import Details
from workbench.core.errors import WorkbenchError
from workbench.core.level_functions import LABEL_ENTRIES, LevelFunction, LevelLabel

_WIDEST = 10**15


@dataclass(frozen=True)
class LineEnd:
    """One end of the line: numbers beyond `coding` share a label, numbers beyond `error` are refused.

    With `included` the number `coding` itself belongs to the interval beside it, whichever end intervals hold.
    """

    coding: float | None
    error: float | None
    label: str
    included: bool = False

    @classmethod
    def read(cls, entry: Details, *more: str) -> LineEnd:
        """The end that an entry of a specification describes, which may have more entries than every end has."""
        entry.only("coding", "error", "label", *more)
        return cls(entry.number("coding"), entry.number("error"), entry.text("label"), entry.flag(INCLUDED))


@dataclass(frozen=True)
class IntervalLevel:
    """One level: the sizes in which it joins groups of the one below, and its labels, of the data or not."""

    sizes: tuple[int, ...]
    label: LevelLabel
    of_data: bool


@dataclass(frozen=True)
class IntervalLine:
    """The base intervals, and its two ends.

    Parameters
    ----------
    cells
        The base intervals.
    lowest, highest
        Its ends.
    whole
        Whether the values are whole numbers.
    mark
        The decimal mark of labels.
    """

    cells: IntervalCells
    lowest: LineEnd
    highest: LineEnd
    whole: bool
    mark: str

    @property
    def closed_at(self) -> float | None:
        """The number on the upper end, where the interval below holds it although others hold their lower ends."""
        coding = self.highest.coding
        if coding is None or not (self.highest.included and self.cells.closed_low):
            return None
        return coding if self.cells.repeated or coding <= self.cells.edges[-1] else None

    def end(self, coding: float | None, edge: float, inner: Callable[[float, float], float]) -> float:
        """Where the coded end begins: at the bound, or where the cells stop if that comes first."""
        if coding is None:
            return edge
        return coding if self.cells.repeated else inner(coding, edge)


def interval_line(settings: BuilderSettings, material: BuilderValues) -> IntervalLine:
    """The line of a specification; where its ends are those of the data, of these values."""
    details = settings.details
    closed_low = settings["closed"] == "low"
    whole = bool(settings["whole"])
    if settings["source"] == "observed":
        numbers = material.numbers[material.by_number]
        if not len(numbers):
            raise WorkbenchError("No value is a number.", hint="Check how the column is read.", field="source")
        low, high = float(numbers[0]), float(numbers[-1])
        if whole:
            low, high = float(np.floor(low)), float(np.ceil(high))
            low, high = (low, high + 1) if closed_low else (low - 1, high)
        edges = equal_cells(low, high, settings["number"])
        if not whole:
            # The extreme value itself must lie in a cell.
            edges = (
                (*edges[:-1], float(np.nextafter(edges[-1], np.inf)))
                if closed_low
                else (float(np.nextafter(edges[0], -np.inf)), *edges[1:])
            )
        cells = IntervalCells(edges, False, closed_low)
    else:
        pairs = []
        for entry in details.entries("intervals", "interval"):
            entry.only("from", "to")
            pairs.append((entry.required_number("from"), entry.required_number("to")))
        cells = IntervalCells(neighbours(pairs), settings["repeat"], closed_low)
    lowest, highest = LineEnd.read(details.one("lowest")), LineEnd.read(details.one("highest"), INCLUDED)
    if lowest.coding is not None and highest.coding is not None and lowest.coding >= highest.coding:
        raise WorkbenchError(
            "The bound for low values is not below the one for high values.", hint="Swap them.", field="lowest"
        )
    written = material.column.format
    mark = written.decimal_mark if material.column.kind.numeric else "."
    return IntervalLine(cells, lowest, highest, whole, mark)


def interval_levels(settings: BuilderSettings) -> list[IntervalLevel]:
    """The levels of a specification, the finest first; the base intervals alone where it has none."""
    found = []
    for number, entry in enumerate(settings.details.entries("levels", "level"), start=1):
        entry.only("group", "of", *LABEL_ENTRIES)
        of = entry.text("of", "interval")
        if of not in ("interval", "data"):
            raise entry.wrong("of", "is neither “interval” nor “data”")
        if number == 1 and entry.sizes("group") != (1,):
            raise entry.wrong("group", "is not 1", "Level 1 is the base intervals themselves.")
        label = LevelLabel.read(entry, LevelFunction.INTERVAL)
        found.append(IntervalLevel(entry.sizes("group"), label, of == "data"))
    if prod(sum(level.sizes) for level in found) > _WIDEST:
        raise WorkbenchError(
            "The groups of the last level join more base intervals than can be counted.",
            hint="Join fewer at a time, or leave a level out.",
            field="levels",
        )
    return found or [IntervalLevel((1,), LevelLabel(LevelFunction.INTERVAL), False)]
