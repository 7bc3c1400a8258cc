"""What several releases of the same data promise together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Released:
    """One release of the data: the (ε, δ) of a person with up to `rows_per_person` rows, if it had a claim."""

    epsilon: float
    delta: float
    rows_per_person: int = 1
    claimed: bool = True


@dataclass(frozen=True)
class Total:
    """Basic composition of several releases, for a person with up to `rows_per_person` rows."""

    epsilon: float
    delta: float
    rows_per_person: int
    count: int


def total(releases: Sequence[Released]) -> Total | None:
    """The sum of all ε and δ; None if one of the releases had no claim, because then nothing bounds the whole.

    Releases that were accounted for different numbers of rows per person are first brought to the largest, by
    group privacy: (ε, δ) for c rows comes from (ε/c, δ/Σ_{i<c} e^{iε/c}) for one row, and gives
    (Cε/c, δ·Σ_{i<C} e^{iε/c} / Σ_{i<c} e^{iε/c}) for C rows.
    """
    if not all(release.claimed for release in releases):
        return None
    rows = max((release.rows_per_person for release in releases), default=1)
    epsilon = delta = 0.0
    for release in releases:
        per_row = release.epsilon / release.rows_per_person
        epsilon += per_row * rows
        delta += release.delta * _growth(per_row, rows) / _growth(per_row, release.rows_per_person)
    # Each sum may have lost half a unit in the last place per term.
    slack = 1 + 2.0**-50 * (len(releases) + 1)
    if len(releases) > 1:
        epsilon, delta = epsilon * slack, delta * slack
    return Total(epsilon, min(delta, 1.0), rows, len(releases))


def _growth(per_row: float, rows: int) -> float:
    """Σ_{i<rows} e^{i·per_row}."""
    if rows * per_row > 700:
        return math.inf
    return math.expm1(rows * per_row) / math.expm1(per_row)
