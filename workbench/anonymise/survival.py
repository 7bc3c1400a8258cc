"""Survival of rows under sampling and k-suppression, from the sizes of classes alone.

The rows of a class of n are sampled independently, so X ~ Bin(n, β) of them are, and all of these survive if
X ≥ k. Simulations draw X for every class and never look at rows again. They are computed from the true rows:
analyst only, and whoever has seen them has looked at the data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.grouping import classes
from workbench.anonymise.row_counter import sizes_of_classes
from workbench.anonymise.sample_guarantee import Accounting, Guarantee, trade_off
from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table

DRAWS = 200
"""Simulated samples per point: enough that the 5 and 95 % quantiles move by little from seed to seed."""

QUANTILES = (0.05, 0.5, 0.95)

_POINTS = 24
_SMALLEST, _LARGEST = 0.02, 0.98

Floats = NDArray[np.float64]


@discreet
@dataclass(frozen=True, eq=False)
class SurvivalCurve:
    """The share that survives at each β, by one kind of accounting.

    Parameters
    ----------
    ks
        The k that keeps the promise at each β, float64 of shape (points,); nan where none does.
    rows, classes
        The 5, 50 and 95 % quantiles over the draws of the rows and classes released, shape (3, points); nan where
        there is no k.
    """

    ks: Floats
    rows: Floats
    classes: Floats


@discreet
@dataclass(frozen=True, eq=False)
class Survival:
    """The share of this data that would survive under one promise, for many β. From true rows: analyst only.

    Parameters
    ----------
    epsilon, delta, rows_per_person
        The promise.
    betas
        Sampling probabilities, float64 of shape (points,), rising.
    curves
        By exact and by classical accounting.
    rows, classes
        Rows of the table, and classes they form at the chosen levels.
    chosen
        The β and k in force, and what survives with them: 5, 50 and 95 % quantiles of rows and of classes.
    draws, seed
        Simulated samples per point, and what they can be repeated with.
    """

    epsilon: float
    delta: float
    rows_per_person: int
    betas: Floats
    curves: Mapping[Accounting, SurvivalCurve]
    rows: int
    classes: int
    chosen: SurvivalChoice
    draws: int
    seed: int


@dataclass(frozen=True)
class SurvivalChoice:
    """The settings in force and what survives with them; quantiles 5, 50 and 95 %."""

    beta: float
    k: int
    rows: tuple[float, float, float]
    classes: tuple[float, float, float]


def population_sizes(
    table: Table, hierarchies: Mapping[str, Hierarchy], levels: Mapping[str, int], progress: Progress = SILENT
) -> NDArray[np.int64]:
    """Sizes of the classes that all rows of a table form; columns without a hierarchy are grouped as they are.

    Raises
    ------
    WorkbenchError
        If no column is grouped, a level does not exist, or a hierarchy misses values.
    Cancelled
        If the progress was cancelled.
    """
    if not levels:
        raise WorkbenchError("No column takes part in the grouping.", hint="Attach a hierarchy.", field="columns")
    grouped: list[tuple[str, NDArray[np.integer], int]] = []
    for position, (name, level) in enumerate(levels.items()):
        progress(0.1 * position / len(levels))
        column, hierarchy = table[name], hierarchies.get(name)
        if hierarchy is None:
            grouped.append((name, np.arange(len(column.values)), len(column.values)))
        else:
            grouped.append((name, hierarchy.level_map(column, level), len(hierarchy.labels[level])))
    if not table.in_memory:
        return sizes_of_classes(table, grouped, progress.part(0.1, 1.0))
    coded = [(numbers[table[name].codes], max(radix, 1)) for name, numbers, radix in grouped]
    return classes(coded, table.rows, progress.part(0.5, 1.0)).sizes


def simulate(
    sizes: NDArray[np.integer],
    promised: Guarantee,
    *,
    seed: int = 0,
    draws: int = DRAWS,
    points: int = _POINTS,
    progress: Progress = SILENT,
) -> Survival:
    """Simulate what survives of classes of these sizes, for β from small to large.

    Parameters
    ----------
    sizes
        Rows per class of the whole table, shape (classes,).
    promised
        The (ε, δ) that β and k must keep, and the settings in force.

    Raises
    ------
    WorkbenchError
        If the seed is negative.
    Cancelled
        If the progress was cancelled.
    """
    if seed < 0:
        raise WorkbenchError("The seed must not be negative.", hint="Give a whole number from 0.", field="seed")
    betas = np.unique(np.append(np.linspace(_SMALLEST, _LARGEST, points), min(promised.beta, _LARGEST)))
    ks = {
        accounting: trade_off(
            promised.epsilon, promised.delta, betas, accounting, rows_per_person=promised.rows_per_person
        )
        for accounting in Accounting
    }
    progress(0.1)
    counted = _BySize.of(sizes)
    found = {
        accounting: SurvivalCurve(k, *(np.full((3, len(betas)), np.nan) for _ in range(2)))
        for accounting, k in ks.items()
    }
    for place, beta in enumerate(betas.tolist()):
        progress(0.1 + 0.8 * place / len(betas), "Simulating samples")
        step = progress.part(0.1 + 0.8 * place / len(betas), 0.1 + 0.8 * (place + 1) / len(betas))
        wanted = [float(k[place]) for k in ks.values()]
        for accounting, quantiles in zip(ks, counted.quantiles(beta, wanted, draws, seed, step), strict=True):
            if quantiles is not None:
                found[accounting].rows[:, place], found[accounting].classes[:, place] = quantiles
    (mine,) = counted.quantiles(promised.beta, [float(promised.k)], draws, seed, progress.part(0.9, 1.0))
    assert mine is not None
    progress(1.0)
    return Survival(
        promised.epsilon,
        promised.delta,
        promised.rows_per_person,
        betas,
        found,
        int(np.sum(sizes)),
        len(sizes),
        SurvivalChoice(promised.beta, promised.k, _three(mine[0]), _three(mine[1])),
        draws,
        seed,
    )


@dataclass(frozen=True, eq=False)
class _BySize:
    """Classes by their size: sizes, rising, and how many classes have each, shape (sizes,)."""

    sizes: NDArray[np.int64]
    classes: NDArray[np.int64]

    @classmethod
    def of(cls, sizes: NDArray[np.integer]) -> _BySize:
        distinct, counts = np.unique(np.asarray(sizes, dtype=np.int64), return_counts=True)
        return cls(distinct, counts.astype(np.int64))

    def quantiles(
        self, beta: float, ks: list[float], draws: int, seed: int, progress: Progress
    ) -> list[tuple[Floats, Floats] | None]:
        """Quantiles of rows and classes that survive, for each k; None where k is nan. All k see the same samples."""
        known = [k for k in ks if np.isfinite(k)]
        if not known:
            return [None for _ in ks]
        # A class smaller than k survives no sample, and most classes of a table are small.
        first = int(np.searchsorted(self.sizes, min(known)))
        random = np.random.Generator(np.random.PCG64([seed, int(beta * 1e9)]))
        rows, groups = np.zeros((len(ks), draws)), np.zeros((len(ks), draws))
        alone: list[tuple[int, int]] = []
        listed = list(zip(self.sizes[first:].tolist(), self.classes[first:].tolist(), strict=True))
        for position, (size, count) in enumerate(listed):
            progress(0.5 * position / len(listed))
            if count <= size:
                alone.append((size, count))
                continue
            # More classes of one size than outcomes: how many classes have each outcome is drawn at once.
            outcomes = random.multinomial(count, _binomial(size, beta), size=draws)
            sampled = np.arange(size + 1)
            for place, k in enumerate(ks):
                if np.isfinite(k):
                    surviving = outcomes * (sampled >= k)
                    groups[place] += surviving.sum(axis=1)
                    rows[place] += surviving @ sampled
        if alone:
            each = np.repeat(*(np.array(one, dtype=np.int64) for one in zip(*alone, strict=True)))
            for draw in range(draws):
                progress(0.5 + 0.5 * draw / draws)
                sampled = random.binomial(each, beta)
                for place, k in enumerate(ks):
                    if np.isfinite(k):
                        alive = sampled >= k
                        groups[place, draw] += int(alive.sum())
                        rows[place, draw] += int(sampled[alive].sum())
        return [
            (np.quantile(rows[place], QUANTILES), np.quantile(groups[place], QUANTILES)) if np.isfinite(k) else None
            for place, k in enumerate(ks)
        ]


def _binomial(size: int, beta: float) -> Floats:
    """P[Bin(size, beta) = j] for j = 0 … size, summing to 1; in logs, so that nothing overflows."""
    j = np.arange(size + 1)
    factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, size + 1)))])
    logs = factorials[-1] - factorials[j] - factorials[size - j] + j * np.log(beta) + (size - j) * np.log1p(-beta)
    chances = np.exp(logs)
    return np.asarray(chances / chances.sum())


def _three(quantiles: Floats) -> tuple[float, float, float]:
    low, middle, high = quantiles.tolist()
    return low, middle, high
