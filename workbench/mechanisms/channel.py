"""A discrete mechanism as a matrix: for every input the probability of every output."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.exact import fraction_text
from workbench.core.number_text import estimate, exact, file_text
from workbench.mechanisms.places import InputLine, InputPlaces

_LONGEST = 20
"""Signs of a fraction in a message."""

ROUNDING = 1e-9
"""How far a row of floating-point numbers may be from summing to 1."""

Rows = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, eq=False)
class Channel:
    """A stochastic matrix with names; made by `of_fractions` or `of_floats`, which check it.

    Parameters
    ----------
    inputs, outputs
        Names of the rows and of the columns, each without repetition.
    exact
        P(output | input) as fractions, one tuple per input; None if it is known in floating point only.
    floats
        The same in floating point, float64 of shape (inputs, outputs), read-only.
    parts
        How far the inputs are from each other; None if they are numbers or else only have a place in the list.
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    exact: Rows | None
    floats: NDArray[np.float64]
    parts: InputPlaces | None = None

    @classmethod
    def of_fractions(cls, inputs: Sequence[str], outputs: Sequence[str], rows: Sequence[Sequence[Fraction]]) -> Channel:
        """A channel in exact fractions.

        Raises
        ------
        WorkbenchError
            If names are missing or repeated, or a row is no probability distribution.
        """
        _check_names(inputs, outputs)
        exact = tuple(tuple(row) for row in rows)
        if len(exact) != len(inputs):
            raise WorkbenchError(f"{len(inputs)} inputs have {len(exact)} rows.", hint="Give one row per input.")
        for name, row in zip(inputs, exact, strict=True):
            _check_width(name, len(row), len(outputs))
            negative = next((value for value in row if value < 0), None)
            if negative is not None:
                raise _negative(name, fraction_text(negative, _LONGEST))
            total = sum(row, Fraction(0))
            if total != 1:
                raise _wrong_sum(name, fraction_text(total, _LONGEST))
        floats = np.array([[float(value) for value in row] for row in exact])
        floats.flags.writeable = False
        return cls(tuple(inputs), tuple(outputs), exact, floats)

    @classmethod
    def of_floats(cls, inputs: Sequence[str], outputs: Sequence[str], rows: ArrayLike) -> Channel:
        """A channel in floating point; rows may miss 1 by a rounding.

        Raises
        ------
        WorkbenchError
            If names are missing or repeated, or a row is no probability distribution.
        """
        _check_names(inputs, outputs)
        floats = np.array(rows, dtype=np.float64)
        if floats.shape != (len(inputs), len(outputs)):
            raise WorkbenchError(
                f"{len(inputs)} inputs and {len(outputs)} outputs have a table of shape {floats.shape}.",
                hint="Give one row per input and one number per output.",
            )
        bad = ~np.isfinite(floats) | (floats < 0)
        if bad.any():
            row, column = (int(place) for place in np.argwhere(bad)[0])
            raise _negative(inputs[row], exact(floats[row, column]))
        sums = floats.sum(axis=1)
        off = np.flatnonzero(np.abs(sums - 1) > ROUNDING)
        if len(off):
            raise _wrong_sum(inputs[int(off[0])], file_text(sums[off[0]]))
        floats.flags.writeable = False
        return cls(tuple(inputs), tuple(outputs), None, floats)

    @cached_property
    def whole(self) -> tuple[int, tuple[tuple[int, ...], ...]]:
        """The exact matrix as whole numbers over one denominator: the denominator and the rows.

        Comparing products of whole numbers is many times faster than comparing fractions.
        """
        if self.exact is None:
            raise ValueError("the channel is not known exactly")
        common = math.lcm(*{value.denominator for row in self.exact for value in row})
        return common, tuple(
            tuple(value.numerator * (common // value.denominator) for value in row) for row in self.exact
        )

    @cached_property
    def input_numbers(self) -> NDArray[np.float64] | None:
        """The inputs as numbers if all of them are, else None."""
        return _numbers(self.inputs)

    def placed(self, parts: InputPlaces | None) -> Channel:
        """The same with this said of where its inputs stand."""
        return replace(self, parts=parts)

    @cached_property
    def places(self) -> InputPlaces:
        """Where the inputs stand: as the mechanism says, by their numbers, or by their place in the list."""
        return self.parts if self.parts is not None else InputLine(self.input_numbers)

    @cached_property
    def output_numbers(self) -> NDArray[np.float64] | None:
        """The outputs as numbers if all of them are, else None."""
        return _numbers(self.outputs)

    def input_index(self, name: str, *, field: str = "input") -> int:
        """The row of an input.

        Raises
        ------
        WorkbenchError
            If there is no input of that name.
        """
        if name not in self._positions:
            known = ", ".join(self.inputs[:12]) + (", …" if len(self.inputs) > 12 else "")
            raise WorkbenchError(f"There is no input “{name}”.", hint=f"The inputs are: {known}.", field=field)
        return self._positions[name]

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self.inputs)}

    def text(self, row: int, column: int) -> str:
        """One entry as a person reads it: the fraction, or four significant digits."""
        return fraction_text(self.exact[row][column]) if self.exact is not None else estimate(self.floats[row, column])


def _numbers(names: Sequence[str]) -> NDArray[np.float64] | None:
    try:
        found = np.array([float(name) for name in names])
    except ValueError:
        return None
    return found if np.isfinite(found).all() else None


def _check_names(inputs: Sequence[str], outputs: Sequence[str]) -> None:
    for names, what in ((inputs, "input"), (outputs, "output")):
        if not names:
            raise WorkbenchError(f"A channel needs at least one {what}.", hint="Name its inputs and its outputs.")
        seen: set[str] = set()
        for name in names:
            if name in seen:
                raise WorkbenchError(
                    f"Two {what}s are called “{name}”.", hint=f"Give every {what} a name of its own.", field=name
                )
            seen.add(name)


def _check_width(name: str, width: int, outputs: int) -> None:
    if width != outputs:
        raise WorkbenchError(
            f"The row of input “{name}” has {width} probabilities, and there are {outputs} outputs.",
            hint="Give one number per output; write 0 where an output cannot happen.",
            field=name,
        )


def _negative(name: str, value: str) -> WorkbenchError:
    return WorkbenchError(
        f"The row of input “{name}” holds {value}, which is no probability.",
        hint="Probabilities lie between 0 and 1.",
        field=name,
    )


def _wrong_sum(name: str, total: str) -> WorkbenchError:
    return WorkbenchError(
        f"The row of input “{name}” sums to {total} instead of 1.",
        hint="Write fractions such as 1/3 where a decimal number would be rounded.",
        field=name,
    )
