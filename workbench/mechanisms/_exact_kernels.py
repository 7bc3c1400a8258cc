"""The audit's inner loops in whole numbers, over one common denominator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from workbench.core.progress import SILENT, Progress
from workbench.mechanisms._float_kernels import Place
from workbench.mechanisms.neighbours import Pairs

Whole = Sequence[Sequence[int]]
_TOLD_EVERY = 64


def largest_ratio(table: Whole, pairs: Pairs | None, progress: Progress = SILENT) -> tuple[int, int, Place]:
    """The largest P(y | x) / P(y | x′) over neighbours as numerator and denominator, and where it is.

    An output that is impossible for the neighbour beats every other; of several, the most probable one is taken.
    """
    best = (1, 1, (0, 0, 0))
    for top, bottom, place in _candidates(table, pairs, progress):
        if _beats(top, bottom, best[0], best[1]):
            best = (top, bottom, place)
    if best[2] == (0, 0, 0):  # nothing differs: any pair shows it
        first, second = (0, 1) if pairs is None else (int(pairs[0, 0]), int(pairs[0, 1]))
        best = (1, 1, (first, second, 0))
    return best


def _candidates(table: Whole, pairs: Pairs | None, progress: Progress) -> Iterable[tuple[int, int, Place]]:
    if pairs is None:
        for column in range(len(table[0])):
            values = [row[column] for row in table]
            top, bottom = max(values), min(values)
            if top:
                yield top, bottom, (values.index(top), values.index(bottom), column)
        return
    for number, (one, other) in enumerate(pairs.tolist()):
        if number % _TOLD_EVERY == 0:
            progress(number / len(pairs))
        for column, (a, b) in enumerate(zip(table[one], table[other], strict=True)):
            if a > b:
                yield a, b, (one, other, column)
            elif b > a:
                yield b, a, (other, one, column)


def _beats(top: int, bottom: int, best_top: int, best_bottom: int) -> bool:
    if bottom == 0:
        return best_bottom != 0 or top > best_top
    return best_bottom != 0 and top * best_bottom > best_top * bottom


def excess(table: Whole, growth: Fraction | None, row: int, other: int) -> Fraction:
    """Σ max(0, P(y | x) − growth · P(y | x′)) of one pair, times the common denominator.

    `growth` None is an infinite one: only outputs that are impossible for the neighbour count.
    """
    if growth is None:
        return Fraction(sum(a for a, b in zip(table[row], table[other], strict=True) if b == 0))
    p, q = growth.numerator, growth.denominator
    total = 0
    for a, b in zip(table[row], table[other], strict=True):
        gap = q * a - p * b
        if gap > 0:
            total += gap
    return Fraction(total, q)
