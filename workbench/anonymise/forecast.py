"""The forecast of a trimmed release before it is made, from public facts alone: no row is read.

What a table holds is not known beforehand, so the forecast says what a step takes from any group, and what would stay
of a typed number of rows if they lay evenly in all groups there can be. Real tables have larger groups than that, and
more of their rows stay.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from workbench.anonymise.chains import Vector, check_chain
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import counted
from workbench.core.public_sizes import public_sizes
from workbench.core.trim_law import TrimLaw


@dataclass(frozen=True)
class StepForecast:
    """The forecast of one step.

    Parameters
    ----------
    levels
        Level by column.
    epsilon, delta
        What it spends.
    mean_lost
        Rows that a group gives up on average, if it has that many.
    half_survive, always_survive
        Rows a group needs to be released half of the time, and always.
    possible_groups
        How many groups there can be by the labels that the hierarchies list; None where a column has no hierarchy
        and is not `*`.
    released
        The share of the typed rows that this step would release if they lay evenly in all possible groups; None if
        no number was typed, or the possible groups are not known.
    """

    levels: Vector
    epsilon: float
    delta: float
    mean_lost: float
    half_survive: int
    always_survive: int
    possible_groups: int | None
    released: float | None


@dataclass(frozen=True)
class TrimForecast:
    """The forecast of a release.

    Parameters
    ----------
    epsilon, delta
        Its price.
    rows
        The number of rows that was typed; None if none was.
    steps
        One entry for each step, the finest first.
    """

    epsilon: float
    delta: float
    rows: int | None
    steps: tuple[StepForecast, ...]

    @property
    def released(self) -> float | None:
        """The share of the typed rows that all steps together would release if even; None if it is not known."""
        shares = [step.released for step in self.steps if step.released is not None]
        return math.fsum(shares) if shares and len(shares) == len(self.steps) else None


def forecast(
    promised: TrimGuarantee,
    hierarchies: Mapping[str, Hierarchy],
    vectors: Sequence[Vector],
    rows: int | None = None,
    said: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> TrimForecast:
    """Forecast for a trimmed release.

    Parameters
    ----------
    promised
        The guarantee, with as many shares as there are steps.
    hierarchies
        Of the columns of the grouping that have one.
    vectors
        Levels of each step, the finest first.
    rows
        How many rows the table has about: a guess or a public figure, never counted from the table.
    said
        What can occur of a column, as far as somebody said so (`core.occurring`).

    Raises
    ------
    WorkbenchError
        If the chain is not ever coarser, there are not as many shares as steps, or the number of rows is not positive.
    """
    check_chain(hierarchies, vectors)
    if len(vectors) != len(promised.steps):
        raise WorkbenchError(
            f"The shares do not fit the steps: {counted(len(promised.steps), 'share')} and "
            f"{counted(len(vectors), 'step')}.",
            hint="Give every step one share.",
            field="shares",
        )
    if rows is not None and rows < 1:
        raise WorkbenchError("A table is expected to have at least 1 row.", hint="Type about how many.", field="rows")
    found = []
    left = None if rows is None else float(rows)
    for vector, step, law in zip(vectors, promised.steps, promised.laws, strict=True):
        possible = possible_groups(hierarchies, vector, said)
        released = None
        if left is not None and possible is not None:
            released = _even(law, left, possible, promised.floor)
            left -= released
        else:
            left = None
        found.append(
            StepForecast(
                dict(vector),
                float(step.epsilon),
                float(step.delta),
                law.mean_lost,
                law.half_survive + promised.floor - 1,
                law.always_survive + promised.floor - 1,
                possible,
                None if released is None or rows is None else released / rows,
            )
        )
    return TrimForecast(promised.epsilon, promised.delta, rows, tuple(found))


def possible_groups(
    hierarchies: Mapping[str, Hierarchy], vector: Vector, said: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> int | None:
    """How many groups there can be at these levels, by what is public of the hierarchies; None if not known.

    What a hierarchy misses is released as `*`, so that counts as a label too. Of a rule that needs no list of values,
    such as calendar units, the labels are those it could give, with round numbers for what nobody said.
    """
    total = 1
    for name, level in vector.items():
        hierarchy = hierarchies.get(name)
        if hierarchy is None and level == 0:
            return None
        if hierarchy is not None and not hierarchy.says_nothing(level):
            total *= public_sizes(hierarchy, said.get(name, ())).labels[level] + 1
    return total


def expected_rows(law: TrimLaw, rows: int, floor: int = 1) -> float:
    """Rows of a group of so many that are released on average: Σ over t of P[at least t rows of it appear]."""
    if rows < floor:
        return 0.0
    most = min(rows - floor, law.always_survive)
    surely = rows - floor - most
    kept = float(law.keep(np.arange(1, most + 1)).sum()) + surely
    return kept + floor * law.keep(rows - floor + 1)


def _even(law: TrimLaw, rows: float, groups: int, floor: int) -> float:
    """Rows released on average of so many that lie as evenly as possible in so many groups."""
    each, one_more = divmod(rows, groups) if rows >= groups else (1.0, 0.0)
    occupied = min(float(groups), rows)
    larger = one_more if rows >= groups else 0.0
    size = int(each)
    return (occupied - larger) * expected_rows(law, size, floor) + larger * expected_rows(law, size + 1, floor)
