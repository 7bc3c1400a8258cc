"""Any chance drawn with one ordinary die: rolled a few times, by a table that says which faces end it and how.

Each face of a roll is a digit to the base 6, and who rolls compares them with those of the chance, the first one first.
So one roll is enough five times out of six, and the chance is met to 6⁻ⁿ of n lines at most, on the side that is asked
for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from workbench.core.errors import WorkbenchError

_SIDES = 6
_FINEST = 10**6
"""A chance is met to one over this at least: what estimates are off by that is far less than chance moves them."""
HIT, MISSED = "A", "B"
"""What a table calls that the chance has come, and that it has not."""


@dataclass(frozen=True)
class DieRoll:
    """One line of a table: the faces after which it is over, and the one, if any, after which the next line counts."""

    hit: tuple[int, ...]
    missed: tuple[int, ...]
    again: int | None

    @property
    def cells(self) -> tuple[str, str, str]:
        """The faces of A, of B, and of another roll, as they are printed."""
        return _faces(self.hit), _faces(self.missed), _faces(() if self.again is None else (self.again,))


@dataclass(frozen=True)
class DieTable:
    """A table by which a chance is drawn with a die.

    Parameters
    ----------
    rolls
        Line by line; the last one always ends it.
    """

    rolls: tuple[DieRoll, ...]

    @property
    def chance(self) -> Fraction:
        """The chance of A, exactly, as it follows from the lines."""
        found, reached = Fraction(0), Fraction(1)
        for one in self.rolls:
            found += reached * Fraction(len(one.hit), _SIDES)
            reached *= Fraction(int(one.again is not None), _SIDES)
        return found


def die_table(number: int, of: int, *, up: bool = False) -> DieTable:
    """The table of a chance of so many out of so many, with as many lines as it takes to tell it finely.

    Parameters
    ----------
    up
        Whether the chance may be more, and not less, than that; by less than 1 ÷ `of`, and than 10⁻⁶.

    >>> [one.cells for one in die_table(3, 4).rolls]
    [('1–4', '6', '5'), ('1–3', '4–6', '–')]

    Raises
    ------
    WorkbenchError
        If it is none, or all, as a chance so near to 0 or 1 becomes.
    """
    if not 0 < number < of:
        raise WorkbenchError(
            f"A chance so near to {min(max(number, 0), 1)} cannot be drawn with a die.",
            hint="Choose chances further from 0 and 1.",
        )
    lines = next(count for count in range(1, 99) if _SIDES**count >= max(of, _FINEST))
    while True:
        all_of = _SIDES**lines
        exactly = Fraction(number * all_of, of)
        parts = math.ceil(exactly) if up else math.floor(exactly)
        if 0 < parts < all_of:
            break
        lines += 1  # of a chance that is nearly none or all
    rolls = list[DieRoll]()
    while parts:
        all_of //= _SIDES
        digit, parts = divmod(parts, all_of)
        again = digit + 1 if parts else None
        rolls.append(
            DieRoll(tuple(range(1, digit + 1)), tuple(range(digit + (1 if again is None else 2), _SIDES + 1)), again)
        )
    return DieTable(tuple(rolls))


def _faces(faces: tuple[int, ...]) -> str:
    if not faces:
        return "–"
    return str(faces[0]) if len(faces) == 1 else f"{faces[0]}–{faces[-1]}"
