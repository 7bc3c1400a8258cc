"""What sampling and suppressing show of a class, and the δ of it, in fractions."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Any


def exponential(epsilon: float) -> Fraction:
    """e^ε of the float itself, to 60 digits."""
    with localcontext(prec=60):
        return Fraction(Decimal(epsilon).exp())


@lru_cache(maxsize=4096)
def binomial(n: int, beta: Fraction) -> tuple[Fraction, ...]:
    return tuple(math.comb(n, j) * beta**j * (1 - beta) ** (n - j) for j in range(n + 1))


def seen(n: int, beta: Fraction, k: int) -> dict[int, Fraction]:
    """What a class of n original rows shows: its size if it is at least k, otherwise nothing (-1)."""
    probabilities = binomial(n, beta)
    outputs = {j: probabilities[j] for j in range(k, n + 1)}
    outputs[-1] = sum(probabilities[:k], Fraction(0))
    return outputs


def divergence(p: dict[Any, Fraction], q: dict[Any, Fraction], e: Fraction) -> Fraction:
    return sum((max(Fraction(0), mass - e * q.get(output, Fraction(0))) for output, mass in p.items()), Fraction(0))


def brute_delta(e: Fraction, beta: Fraction, k: int, most: int, rows: int = 1) -> Fraction:
    """The largest divergence in either direction over classes of up to `most` rows, `rows` of them one person's."""
    worst = Fraction(0)
    for n in range(rows, most + 1):
        with_person, without = seen(n, beta, k), seen(n - rows, beta, k)
        worst = max(worst, divergence(with_person, without, e), divergence(without, with_person, e))
    return worst


def brute_classical(e: Fraction, beta: Fraction, k: int, most: int, *, strict: bool = True) -> Fraction:
    gamma = (e - 1 + beta) / e
    worst = Fraction(0)
    for n in range(max(1, math.ceil(k / gamma - 1)), most + 1):
        limit = gamma * n
        tail = sum(
            (mass for j, mass in enumerate(binomial(n, beta)) if j > limit or (not strict and j == limit)),
            Fraction(0),
        )
        worst = max(worst, tail)
    return worst
