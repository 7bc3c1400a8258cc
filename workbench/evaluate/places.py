"""Places on an axis: rounded numbers of a lattice whose finer versions hold the coarser ones.

So a longer or denser axis keeps the places that were run already.
"""

from __future__ import annotations

import math
from enum import StrEnum

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import rounded
from workbench.evaluate.experiment import Axis

_STEPS = {
    "few": (1.0, 2.0, 5.0),
    "some": (1.0, 1.5, 2.0, 3.0, 5.0, 7.0),
    "many": (1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0),
}


class Density(StrEnum):
    """The closeness of the places along the axis."""

    FEW = "few"
    SOME = "some"
    MANY = "many"
    OWN = "own"


def lattice(low: float, high: float, density: Density, axis: Axis) -> tuple[float, ...]:
    """Both ends, and the rounded numbers between them.

    Raises
    ------
    WorkbenchError
        If the ends are no rising pair of positive numbers.
    """
    if not 0 < low <= high < math.inf:
        raise WorkbenchError("The axis must begin below its end.", hint="Exchange the numbers.", field="places")
    whole = axis is not Axis.EPSILON
    found = {low, high}
    for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1):
        for step in _STEPS[density.value]:
            place = rounded(step * 10.0**power, 12)
            if low < place < high and (not whole or place == int(place)):
                found.add(place)
    return tuple(sorted(found))


def density_of(places: tuple[float, ...], axis: Axis) -> Density:
    """How close these lie, `OWN` if they are none of a lattice."""
    for density in (Density.FEW, Density.SOME, Density.MANY):
        if lattice(places[0], places[-1], density, axis) == places:
            return density
    return Density.OWN


def parse_places(text: str) -> tuple[float, ...]:
    """Numbers with commas or spaces between them, in rising order, each once.

    Raises
    ------
    WorkbenchError
        If one of them is no number.
    """
    parts = text.replace(";", " ").replace(",", " ").split()
    try:
        return tuple(sorted({float(part) for part in parts}))
    except ValueError:
        raise WorkbenchError(
            f"“{text}” is no list of numbers.", hint="Such as 0.1, 0.5, 1, 2.", field="places"
        ) from None
