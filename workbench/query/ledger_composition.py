"""Other ways to add up a ledger: what holds for all its charges together if a small δ more is accepted.

The budget is always kept by basic composition. These are views for a person who knows that the amounts were fixed
beforehand: where each ε was chosen after seeing the answers before, only the basic sum is certain.

Sources: Kairouz, Oh and Viswanath 2015 (arXiv 1311.0776), Theorems 3.3 and 3.5; Murtagh and Vadhan 2016 (arXiv
1507.03113) for rounding unequal amounts up to a grid.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from workbench.core.composition import ReleaseSpending, independent_losses, total
from workbench.core.rationals import rational
from workbench.core.table import Column, Table
from workbench.query.ledger_entries import LedgerEntry

EXTRA_DELTA = Fraction(1, 10**9)
"""The δ that views add unless another one is chosen."""

AMOUNTS_FIXED = "every ε was fixed before any of these answers was seen"
"""When the views hold."""

_STEPS = 20_000
_ROUNDING = 1 + 1e-9
_LOST = 1e-250
"""More than what probabilities too small for a float can add up to."""


@dataclass(frozen=True)
class ComposedBound:
    """An (ε, δ) of all charges together, never below the true one if all of them have a claim."""

    epsilon: Fraction
    delta: Fraction


def advanced(
    releases: Sequence[ReleaseSpending], extra: Fraction = EXTRA_DELTA, rows_per_person: int = 1
) -> ComposedBound:
    """Advanced composition: ε = Σ εᵢ(e^εᵢ − 1)/(e^εᵢ + 1) + √(2 ln(1/δ′) Σ εᵢ²), δ = δ′ + Σ δᵢ.

    Parameters
    ----------
    extra
        δ′, above 0 and below 1.

    Returns
    -------
    View
        The basic sum where that is smaller.
    """
    parts, basic = _parts(releases, rows_per_person)
    amounts = [float(epsilon) for epsilon, _ in parts]
    drift = math.fsum(amount * math.tanh(amount / 2) for amount in amounts)
    spread = math.sqrt(2 * -math.log(extra) * math.fsum(amount * amount for amount in amounts))
    epsilon = rational((drift + spread) * _ROUNDING)
    return ComposedBound(epsilon, basic.delta + extra) if epsilon < basic.epsilon else basic


def numerical(
    releases: Sequence[ReleaseSpending], extra: Fraction = EXTRA_DELTA, rows_per_person: int = 1
) -> ComposedBound:
    """The smallest ε at which the composition of the worst mechanisms with these εᵢ has a δ of at most δ′.

    The worst (εᵢ, δᵢ)-private mechanism fails with probability δᵢ and else has a privacy loss of ±εᵢ, with
    probability e^εᵢ/(1 + e^εᵢ) for the plus. The distribution of the sum of the losses is convolved exactly, up to
    rounding each εᵢ up to a multiple of a grid; δ = δ′ + Σ δᵢ.
    """
    parts, basic = _parts(releases, rows_per_person)
    amounts = [epsilon for epsilon, _ in parts if epsilon > 0]
    if not amounts:
        return basic
    step = _grid(amounts)
    counts = [-int(-amount // step) for amount in amounts]
    losses = _convolved(counts, float(step))
    middle = sum(counts)

    def enough(steps: int) -> bool:
        above = np.arange(1, middle - steps + 1) * float(step)
        found = math.fsum((losses[middle + steps + 1 :] * -np.expm1(-above)).tolist())
        return found * _ROUNDING + _LOST <= extra

    low, high = -1, middle  # nothing exceeds the sum of all losses
    while high - low > 1:
        half = (low + high) // 2
        low, high = (low, half) if enough(half) else (half, high)
    epsilon = high * step
    return ComposedBound(epsilon, basic.delta + extra) if epsilon < basic.epsilon else basic


def ledger_table(entries: Iterable[LedgerEntry]) -> Table:
    """The ledger as a table of texts, to be written as CSV. ε and δ stand there as fractions and as decimals."""
    rows = [_row(entry) for entry in entries]
    return Table(
        tuple(Column.from_texts(name, [row[position] for row in rows]) for position, name in enumerate(_HEADINGS))
    )


def is_ledger_table(path: Path) -> bool:
    """Whether a file is such a table, by its headings."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return next(csv.reader(file), None) == list(_HEADINGS)
    except (OSError, ValueError, csv.Error):
        return False


_HEADINGS = (
    "time",
    "kind",
    "what",
    "epsilon",
    "delta",
    "epsilon exactly",
    "delta exactly",
    "rows per person",
    "claim",
    "engine",
    "neighbours",
    "cells",
    "parameters",
    "answer",
)


def _row(entry: LedgerEntry) -> tuple[str, ...]:
    charge = entry.charge
    cells = "" if charge.cells is None else f"{charge.cells.column}: {', '.join(sorted(charge.cells.values))}"
    return (
        entry.when,
        charge.kind,
        charge.what,
        repr(float(charge.epsilon)),
        repr(float(charge.delta)),
        str(charge.epsilon),
        str(charge.delta),
        str(charge.rows_per_person),
        "yes" if charge.claimed else "no",
        charge.engine,
        charge.neighbours,
        cells,
        json.dumps(charge.public, ensure_ascii=False),
        "" if entry.answer is None else json.dumps(entry.answer, ensure_ascii=False),
    )


def _parts(
    releases: Sequence[ReleaseSpending], rows_per_person: int
) -> tuple[list[tuple[Fraction, Fraction]], ComposedBound]:
    basic = total(releases, rows_per_person)
    return independent_losses(releases, basic.rows_per_person), ComposedBound(basic.epsilon, basic.delta)


def _grid(amounts: Sequence[Fraction]) -> Fraction:
    """The step of the grid: one on which all amounts lie, if that needs no more steps than are allowed."""
    common = math.lcm(*(amount.denominator for amount in amounts))
    exact = Fraction(math.gcd(*(int(amount * common) for amount in amounts)), common)
    whole = sum(amounts, Fraction(0))
    # Finer than the amounts need, because the ε that is looked for lies between their sums.
    return exact / (_STEPS * exact // whole) if whole / exact <= _STEPS else whole / _STEPS


def _convolved(counts: Sequence[int], step: float) -> NDArray[np.float64]:
    """Probability of each sum of losses, from −Σ to +Σ in steps, shape (2Σ + 1,)."""
    losses = np.ones(1)
    for count in sorted(counts):
        plus = 1 / (1 + math.exp(-count * step))
        longer = np.zeros(len(losses) + 2 * count)
        longer[2 * count :] += plus * losses
        longer[: len(losses)] += plus * math.exp(-count * step) * losses
        losses = longer
    return losses
