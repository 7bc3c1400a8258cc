"""Reading the values of a column as exact numbers, once per distinct value.

What a row contributes to an answer follows from its own values and from public parameters alone; that is what bounds
one person's influence. Here a value is turned into a whole number of steps of a public grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.core.dates import seconds_reader
from workbench.core.errors import WorkbenchError
from workbench.core.exact import refuse_smaller
from workbench.core.kinds import is_missing
from workbench.core.quick_reading import read_values
from workbench.core.rationals import rational
from workbench.core.schema import ColumnSpec, Kind

_CLOSE = 1e-7
"""Values this close to the edge of a step, in steps, are placed by exact arithmetic."""
_DAY = 86_400
_MOMENTS = tuple(seconds_reader(f"%Y-%m-%d{clock}") for clock in ("", "T%H:%M", "T%H:%M:%S", "T%H:%M:%S.%f"))


@dataclass(frozen=True, eq=False)
class Readings:
    """The distinct values of a column as numbers.

    Parameters
    ----------
    values
        The texts.
    spec
        How they are read.
    numbers
        Their numbers (dates: days, date-times: seconds since 1970), the nearest float of each, shape (values,);
        nan where a text is no number or stands for "no value".
    """

    values: Sequence[str]
    spec: ColumnSpec
    numbers: NDArray[np.float64]

    @classmethod
    def of(cls, values: Sequence[str], spec: ColumnSpec) -> Readings:
        return cls(values, spec, read_values(values, spec))

    def exactly(self, position: int) -> Fraction:
        """The number that is written, which the float only comes near to."""
        number = float(self.numbers[position])
        if self.spec.kind.temporal or number.is_integer():
            return Fraction(number)
        exact = written_number(self.values[position], self.spec)
        # What was read is what counts, should the two ever disagree.
        return exact if exact is not None and float(exact) == number else Fraction(number)

    def steps(self, start: Fraction, width: Fraction, most: int) -> NDArray[np.int64]:
        """⌊(x − start)/width⌋ of every number, cut to 0 … most, exactly; -1 where there is no number."""
        with np.errstate(invalid="ignore", over="ignore"):
            places = (self.numbers - float(start)) / float(width)
            nearest = np.round(places)
            # The float of a number and the arithmetic above are off by a few units in the last place of their size.
            size = (np.abs(self.numbers) + abs(float(start))) / float(width) + np.abs(places)
            doubt = np.abs(places - nearest) <= _CLOSE + 8 * np.finfo(np.float64).eps * size
        present = ~np.isnan(self.numbers)
        found = np.full(len(places), -1, dtype=np.int64)
        found[present] = np.clip(np.floor(places[present]), 0, most).astype(np.int64)
        for position in np.flatnonzero(present & doubt & (places > -1) & (places < most + 1.0)).tolist():
            found[position] = min(max((self.exactly(position) - start) // width, 0), most)
        return found

    def between(self, edges: Sequence[Fraction]) -> NDArray[np.int64]:
        """How many edges do not exceed each number, exactly; -1 where there is no number."""
        rough = np.array([float(edge) for edge in edges])
        present = ~np.isnan(self.numbers)
        found = np.full(len(self.numbers), -1, dtype=np.int64)
        found[present] = np.searchsorted(rough, self.numbers[present], side="right")
        lower = np.searchsorted(rough, self.numbers[present], side="left")
        # Only where the float of a number equals the float of an edge can the exact order be another one.
        for position in np.flatnonzero(present)[lower != found[present]].tolist():
            exact = self.exactly(position)
            found[position] = sum(edge <= exact for edge in edges)
        return found


def written_number(text: str, spec: ColumnSpec) -> Fraction | None:
    """The number a text that was recognised as one writes, as a fraction."""
    plain = text.strip()
    symbol = spec.format.symbol or ("%" if spec.kind is Kind.PERCENT else "")
    if symbol:
        plain = plain.replace(symbol, "", 1).strip()
    negative = plain.startswith("(") and plain.endswith(")")
    plain = plain.strip("()").replace("−", "-")
    mark = spec.format.decimal_mark if spec.kind.numeric else "."
    kept = "".join(sign for sign in plain if sign in "0123456789+-eE" or sign == mark)
    try:
        number = Fraction(kept.replace(mark, "."))
    except (ValueError, ZeroDivisionError):
        return None
    return -number if negative else number


def present_values(values: Sequence[str], spec: ColumnSpec) -> NDArray[np.bool_]:
    """Which texts do not stand for "no value", shape (values,)."""
    missing = frozenset(spec.missing)
    return np.fromiter((not is_missing(value, missing) for value in values), np.bool_, len(values))


def number_of(text: str, spec: ColumnSpec, field: str) -> Fraction:
    """A number or date a person typed as a public parameter of a column.

    Raises
    ------
    WorkbenchError
        If it is neither a number nor, for a column of dates, a date such as 2020-01-31.
    """
    if spec.kind.temporal:
        for read in _MOMENTS:
            seconds = read(text.strip().replace(" ", "T", 1))
            if seconds is not None:
                whole = Fraction(seconds)
                return Fraction(whole // _DAY) if spec.kind is Kind.DATE else whole
        raise WorkbenchError(f"“{text}” is not a date.", hint="Write it like 2020-01-31.", field=field)
    return refuse_smaller(rational(text, field), text, field)
