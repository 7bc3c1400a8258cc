"""The lines of files from which the rows of a table were read."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from workbench.core.discreet import discreet


@discreet
@dataclass(frozen=True, eq=False)
class LineMap:
    """The lines of a file at which the rows of a table start.

    From `rows[i]` on, up to the next one, row r starts in line `lines[i] + r - rows[i]`. `parts` says which files the
    rows are in and with which row each of them starts, if there are several.
    """

    rows: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    lines: NDArray[np.int64] = field(default_factory=lambda: np.ones(1, dtype=np.int64))
    parts: tuple[tuple[str, int], ...] = ()

    def line_of(self, row: int) -> int:
        """The line, from 1, in which a row, from 0, starts."""
        place = int(np.searchsorted(self.rows, row, side="right")) - 1
        return int(self.lines[place]) + row - int(self.rows[place])

    def place_of(self, row: int) -> str:
        """Where a row starts, in words."""
        part = next((name for name, first in reversed(self.parts) if first <= row), "")
        return place_in_words(self.line_of(row), part)


def place_in_words(line: int, part: str) -> str:
    """A line, and the file it is in unless that goes without saying."""
    return f"line {line:,}" + (f" of “{part}”" if part else "")


class LineCounter:
    """Makes a `LineMap`: in most files one entry is all it takes."""

    def __init__(self) -> None:
        self._rows: list[NDArray[np.int64]] = []
        self._lines: list[NDArray[np.int64]] = []
        self._parts: list[tuple[str, int]] = []
        self._expected = -1

    def begin_part(self, name: str, row: int) -> None:
        """Rows from `row` on are in another file."""
        self._parts.append((name, row))
        self._expected = -1

    def add(self, row: int, starts: Sequence[int]) -> None:
        """Rows from `row` on start in these lines."""
        if isinstance(starts, range) and starts.step == 1 and starts.start == self._expected:
            self._expected = starts.stop
            return
        lines = np.asarray(starts, dtype=np.int64)
        jumps = np.flatnonzero(np.diff(lines, prepend=self._expected - 1) != 1)
        if len(jumps):
            self._rows.append(jumps + row)
            self._lines.append(lines[jumps])
        self._expected = int(lines[-1]) + 1

    def result(self) -> LineMap:
        if not self._rows:
            return LineMap()
        return LineMap(np.concatenate(self._rows), np.concatenate(self._lines), tuple(self._parts))


class LineRuns:
    """Line numbers of which most follow upon each other, in little room: a packed file may hold any number of them."""

    def __init__(self) -> None:
        self._ends = array("q")  # of each run its first line, and the one after its last

    def __bool__(self) -> bool:
        return bool(self._ends)

    def add(self, lines: Iterable[int]) -> None:
        """Append lines, which come after all that were added before."""
        for line in lines:
            if self._ends and self._ends[-1] == line:
                self._ends[-1] += 1
            else:
                self._ends.extend((line, line + 1))

    def taken(self, at_once: int) -> Iterator[range]:
        """All of them in turn, at most so many at once; this object is empty afterwards."""
        ends, self._ends = self._ends, array("q")
        for first, stop in zip(ends[::2], ends[1::2], strict=True):
            for line in range(first, stop, at_once):
                yield range(line, min(line + at_once, stop))
