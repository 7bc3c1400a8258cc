"""The numbers of an answer as they are written, with how far each may be off: one source for all that shows them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import estimate, margin_up, within_margin
from workbench.core.unit_words import PEOPLE, ROWS
from workbench.query.answer import AnswerForm, ReleasedAnswer

_WHOLE = 100.0
_DUST = 1e-9


def reaches(released: ReleasedAnswer) -> list[float]:
    """How far each number of an answer may be off, on the longer side of its interval; none without one.

    From the number as it is written, which is rounded: what is within ± of that must be all of the interval.
    """
    if released.interval is None or released.form not in (AnswerForm.NUMBER, AnswerForm.LIST):
        return []
    alone = released.form is AnswerForm.NUMBER
    kept, released = released, adding_up(released)
    values, lows, highs = ([one] if alone else one for one in (kept.value, *(kept.interval or ())))
    said = [released.value] if alone else released.value
    try:
        found = []
        for value, one, low, high in zip(values, said, lows, highs, strict=True):
            reach = max(value - low, high - value)
            if math.isfinite(reach):
                shown = float(within_margin(one, low, high)[0].replace(",", ""))
                # What is said of the number itself, as before it was asked for, where that covers the rounding too.
                rounded = max(shown - low, high - shown)
                plain = float(margin_up(reach, 3).replace(",", ""))
                reach = reach if reach >= _WHOLE and rounded <= plain else max(reach, rounded)
            found.append(reach)
    except TypeError:
        return []  # no numbers
    return found if all(map(math.isfinite, found)) else []


def margins(released: ReleasedAnswer) -> list[str]:
    """“± 0.3” of each number of an answer, as `reaches`; none without an interval."""
    return [margin_text(one) for one in reaches(released)]


def margin_text(reach: float) -> str:
    """Three digits where that is a whole number, as the value beside it has no decimals then; else two."""
    return f"± {margin_up(reach, 3 if reach >= _WHOLE else 2)}"


def rounded_cells(released: ReleasedAnswer) -> list[tuple[str, ...]]:
    """Each number of a list with the ends of its interval, if it has one, written as far as its margin lets it be read.

    That is to the second digit of the margin; counts that were made to agree with their total add up to it as written.
    """
    released = adding_up(released)
    if released.interval is None:
        return [(estimate(value),) for value in released.value]
    return [within_margin(*parts) for parts in zip(released.value, *released.interval, strict=True)]


def rounded_values(released: ReleasedAnswer) -> tuple[str, ...]:
    """The numbers of a list alone, written the same way."""
    return tuple(one[0] for one in rounded_cells(released))


def rounded_pairs(released: ReleasedAnswer, rows: int, columns: int) -> list[list[str]]:
    """The same of the first rows and columns of a table, each number with its margin."""
    released = adding_up(released)
    sides = (released.value,) if released.interval is None else (released.value, *released.interval)
    found = []
    for parts in zip(*(side[:rows] for side in sides), strict=True):
        value, *ends = (one[:columns] for one in parts)
        # Only some cells of what adds up as a whole: they are as they are to be written.
        row = replace(released, form=AnswerForm.LIST, value=value, interval=tuple(ends) or None, noisy={})
        both = zip(rounded_values(row), margins(row) or [""] * len(value), strict=True)
        found.append([" ".join(one).rstrip() for one in both])
    return found


def adding_up(released: ReleasedAnswer) -> ReleasedAnswer:
    """The same with counts as they are to be written, so that these add up to what the counts do.

    Counts that were made to agree with their total have decimals. Each by itself rounded, they may come to one more or
    less than the total that stands beside them; so those with the largest remainders are rounded up, as many as it
    takes. It is post-processing: the total is that of the released counts.

    All are rounded to the same place, that of the one with the widest margin. None is moved by more than one of its
    digits, and none that is 0.
    """
    if released.unit not in (ROWS, PEOPLE) or released.form not in (AnswerForm.LIST, AnswerForm.TABLE):
        return released
    if released.noisy.keys() != {"count"}:
        return released  # values of a column with such a unit do not add up
    if released.interval is None:
        return released
    values, low, high = (np.asarray(one, dtype=np.float64) for one in (released.value, *released.interval))
    wide = _widest(values, low, high)
    if np.all(values == np.round(values)) or not (math.isfinite(wide) and wide > 0):
        return released
    places = _places(wide)
    while True:
        found = _by_largest_remainders(values, places)
        # Moved by a digit, the widest margin may have one digit more before the point.
        fewer = _places(_widest(found, low, high))
        if fewer >= places:
            return replace(released, value=found.tolist())
        places = fewer


def _widest(values: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]) -> float:
    return float(np.maximum(values - low, high - values).max(initial=0.0))


def _places(margin: float) -> int:
    """Decimals to the second digit of a margin."""
    return max(1 - math.floor(math.log10(margin)), 0)


def _by_largest_remainders(values: NDArray[np.float64], places: int) -> NDArray[np.float64]:
    scaled = values.ravel() * 10.0**places
    found = np.floor(scaled + _DUST)
    more = round(math.fsum(scaled.tolist()) - math.fsum(found.tolist()))
    found[np.argsort(found - scaled, kind="stable")[: max(more, 0)]] += 1
    return np.asarray(found / 10.0**places).reshape(values.shape)
