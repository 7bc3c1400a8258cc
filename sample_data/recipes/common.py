"""What the recipes share: the shape of a sample, public hierarchies over intervals, money as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ANY = "*"
PUBLIC = "public"
DERIVED = "data-derived"

Row = tuple[str, ...]


@dataclass(frozen=True)
class HierarchyFile:
    """One hierarchy in ARX's layout: each row is a value, then its label at level 1, 2, …, `*`.

    `variant` tells two hierarchies of the same column apart and is empty for the usual one.
    """

    column: str
    rows: tuple[Row, ...]
    origin: str
    provenance: str = PUBLIC
    variant: str = ""


@dataclass(frozen=True)
class Sample:
    """A data set and its hierarchies; `short_name` starts the names of the hierarchy files."""

    short_name: str
    file: str
    header: Row
    rows: tuple[Row, ...]
    hierarchies: tuple[HierarchyFile, ...]


def randomness(seed: int) -> np.random.RandomState:
    """Random numbers whose stream numpy keeps bit for bit in every version (NEP 19), unlike a Generator's."""
    return np.random.RandomState(seed)


def dollars(amount: float) -> str:
    """An amount as agencies print it: `$1,234.50`."""
    return f"${amount:,.2f}"


def apportion(weights: Sequence[float], total: int) -> list[int]:
    """Whole shares proportional to `weights` that add up to `total` (largest remainders, then first)."""
    exact = [weight * total / sum(weights) for weight in weights]
    shares = [int(share) for share in exact]
    order = sorted(range(len(exact)), key=lambda i: (shares[i] - exact[i], i))
    for i in order[: total - sum(shares)]:
        shares[i] += 1
    return shares


def steps(*parts: tuple[int, int, int]) -> tuple[int, ...]:
    """Boundaries in stretches of equal width: `(0, 100, 50), (100, 300, 100)` gives 0, 50, 100, 200, 300."""
    starts = [edge for start, stop, width in parts for edge in range(start, stop, width)]
    return (*starts, parts[-1][1])


def interval_rows(amounts: Mapping[str, float], levels: Sequence[Sequence[int]]) -> tuple[Row, ...]:
    """Rows that map each text to the interval `[lower, upper[` that holds its amount, level by level.

    Parameters
    ----------
    amounts
        The value each text stands for.
    levels
        Per level its ascending boundaries; those of a coarser level are among those of the finer one.
        A last level `*` is added.

    Raises
    ------
    ValueError
        If an amount lies outside the declared boundaries.
    """
    texts = list(amounts)
    values = np.array([amounts[text] for text in texts], dtype=np.float64)
    labels: list[list[str]] = [texts]
    for edges in levels:
        if values.min() < edges[0] or values.max() >= edges[-1]:
            raise ValueError(f"amounts outside [{edges[0]}, {edges[-1]}[")
        places: NDArray[np.intp] = np.searchsorted(np.array(edges), values, side="right") - 1
        labels.append([f"[{edges[i]}, {edges[i + 1]}[" for i in places.tolist()])
    labels.append([ANY] * len(texts))
    return tuple(zip(*labels, strict=True))


def band_rows(values: Iterable[int], widths: Sequence[int]) -> tuple[Row, ...]:
    """Rows that map each integer to the band of each width that holds it (`20-24`), then to `*`."""
    return tuple((str(v), *(f"{v // w * w}-{v // w * w + w - 1}" for w in widths), ANY) for v in values)


def pairs_of_means(values: Iterable[int], levels: int) -> tuple[Row, ...]:
    """The data-derived hierarchy that averages consecutive pairs over and over.

    The distinct values are sorted; level l joins two neighbouring groups of level l - 1, hence up to 2^l
    values, and is labelled with the arithmetic mean of the distinct values in it, rounded to cents. The last
    of the `levels` levels is `*`. The last group of a level may be smaller.
    """
    distinct = sorted(set(values))
    labels: list[list[str]] = [[str(value) for value in distinct]]
    for level in range(1, levels):
        size = 2**level
        column: list[str] = []
        for start in range(0, len(distinct), size):
            group = distinct[start : start + size]
            # Whole numbers of cents, rounded half up, so that no floating-point sum decides a digit.
            cents = (200 * sum(group) + len(group)) // (2 * len(group))
            label = f"{cents // 100}.{cents % 100:02d}".rstrip("0").rstrip(".")
            column.extend([label] * len(group))
        labels.append(column)
    labels.append([ANY] * len(distinct))
    return tuple(zip(*labels, strict=True))
