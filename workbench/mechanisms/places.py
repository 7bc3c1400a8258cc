"""Distances between the inputs of a channel, where their names are more than a number.

An input has data, which a person may change, and may have public parts, such as a threshold, which nobody can. Inputs
whose public parts differ are never neighbours, however near they stand in a list.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

_EXACT = 2.0**53
"""Whole numbers below it are floats as they are."""

Distances = NDArray[np.float64]
Numbers = NDArray[np.intp]


class InputPlaces(Protocol):
    """The places where the inputs stand."""

    def apart(self, first: Numbers, second: Numbers) -> Distances:
        """The distances between pairs of inputs, rounded down so that no neighbour is lost by the rounding of a number.

        Infinite where no change of data leads from one to the other.
        """
        ...

    @property
    def words(self) -> str:
        """Description of the distance and of what must be equal; "" if the inputs are numbers."""
        ...


@dataclass(frozen=True, eq=False)
class InputLine:
    """Inputs that are numbers, or else stand in a list.

    Parameters
    ----------
    numbers
        Shape (inputs,); their places in the list if None.
    """

    numbers: Distances | None = None

    def apart(self, first: Numbers, second: Numbers) -> Distances:
        if self.numbers is None:
            return np.asarray(np.abs(first - second), dtype=np.float64)
        return _gaps(self.numbers[first], self.numbers[second])

    @property
    def words(self) -> str:
        return "" if self.numbers is not None else "by place in the list of inputs"


@dataclass(frozen=True, eq=False)
class Parts:
    """Inputs with several numbers of data each, such as a stream of answers, and with public parts.

    Parameters
    ----------
    data
        float64, shape (inputs, numbers). The distance is the largest change of any of them.
    public
        What of each input is public, as whole numbers, shape (inputs,).
    single
        Whether only one of the numbers may change.
    named
        What is public, in a word; "" if nothing is.
    """

    data: Distances
    public: NDArray[np.int64]
    single: bool = False
    named: str = ""

    @classmethod
    def of(
        cls,
        data: Sequence[Sequence[int | Fraction]],
        public: Sequence[Hashable] = (),
        *,
        single: bool = False,
        named: str = "",
    ) -> Parts:
        """From the data of each input, and what of each is public."""
        codes = {part: code for code, part in enumerate(dict.fromkeys(public))}
        numbers = np.array([codes[part] for part in public] or [0] * len(data), dtype=np.int64)
        return cls(np.array([[float(number) for number in row] for row in data]), numbers, single, named)

    def apart(self, first: Numbers, second: Numbers) -> Distances:
        gaps = np.abs(self.data[first] - self.data[second])
        distances = np.asarray(_gaps(self.data[first], self.data[second]).max(axis=1))
        never = self.public[first] != self.public[second]
        if self.single:
            never |= (gaps > 0).sum(axis=1) > 1
        return np.where(never, np.inf, distances)

    @property
    def words(self) -> str:
        which = "in one number of the data" if self.single else "in each number of the data"
        data = "in the data" if self.data.shape[1] == 1 else which
        return f"{data}, equal {self.named}" if self.named else data


def _gaps(one: Distances, other: Distances) -> Distances:
    """|x − x′|, of numbers that no float holds exactly less what their rounding may have added: 2024.4 − 2024.3 > 0.1.

    Each of the two is off by half a unit in its last place at most, and so is their difference.
    """
    gaps, larger = np.abs(one - other), np.maximum(np.abs(one), np.abs(other))
    whole = (one == np.floor(one)) & (other == np.floor(other)) & (larger < _EXACT)
    return np.asarray(np.where(whole, gaps, np.maximum(gaps - 2 * np.spacing(larger), 0.0)))


@dataclass(frozen=True)
class AdjacentPairs:
    """Pairs of inputs, first by first; one of the two may change.

    Parameters
    ----------
    first, second
        Where the inputs of each stand.
    width
        How many inputs the second has.
    """

    first: InputPlaces
    second: InputPlaces
    width: int

    def apart(self, first: Numbers, second: Numbers) -> Distances:
        a, b = first // self.width, second // self.width
        c, d = first % self.width, second % self.width
        one, other = self.first.apart(a, b), self.second.apart(c, d)
        return np.where(a == b, other, np.where(c == d, one, np.inf))

    @property
    def words(self) -> str:
        words = " and ".join(dict.fromkeys(words for words in (self.first.words, self.second.words) if words))
        return f"in one of the inputs{f', {words}' if words else ''}"
