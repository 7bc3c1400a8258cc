"""Scores of combinations of levels for an (ε, δ) release, which one row can change by little only.

Everything that weighs a row is public: levels, heights of hierarchies, k and β. The values a hierarchy lists do not
count, since a hierarchy made by a public rule may list the values that occur in the data: shares of them would change
with one row, and no bound on that change would hold.

The scores other than `KEPT_DETAIL` and `TRIMMED` are those of Bild, Kuhn and Prasser, SafePub, PoPETs 2018(1), section
5, with the sensitivities proved there; they count a class of fewer than k rows of the whole table as suppressed.

Of a class of n rows trimming keeps K(n) = E[max(0, n − Z)] rows. One row more adds P[Z ≤ n], which is at most 1, so
⌊2^32·K(n)⌋ grows by at most 2^32. Classes that are too small to keep a thousandth of a row do not count, so that
engines need not bring them; that K of the smallest one that counts is at most 1 is seen to.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import accumulate
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.goal import Goal
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.problem import SearchProblem, prepare
from workbench.anonymise.rollup import GroupTable, Levels, roll_up
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table, TooManyGroups
from workbench.core.trim_law import TrimLaw

UNIT = 1 << 20
"""Scores are whole numbers of 1/UNIT, so that no rounding enters the draw."""
_ROW = 1 << 32
"""Parts of a row, in which what trimming keeps is counted."""
_NEGLIGIBLE = 1024


class Score(StrEnum):
    """The score by which combinations of levels are judged; more is better."""

    KEPT_DETAIL = "kept-detail"
    """(1 − mean of level/height) · Σ over the classes of max(0, rows − T), T = ⌈k/β⌉; of what sampling keeps."""
    TRIMMED = "trimmed"
    """(1 − mean of level/height) · Σ over the classes of E[max(0, rows − Z)]; of what trimming keeps."""
    INTENSITY = "intensity"
    """−Σ over rows and columns of level/height, 1 where the row is suppressed."""
    DISCERNIBILITY = "discernibility"
    """−(Σ over the classes of rows²/n + suppressed rows)."""
    ENTROPY = "non-uniform-entropy"
    """The same for each column alone: −Σ over columns of (Σ over the labels of rows²/n + rows without a label)."""
    CLASSES = "classes"
    """Number of classes that survive."""


@dataclass(frozen=True)
class LevelScoring:
    """The rule that scores combinations. All of it is public.

    Parameters
    ----------
    score
        What is counted.
    k, beta
        Those of the release.
    law
        Of what a class gives up; only `TRIMMED` looks at it.
    """

    score: Score
    k: int
    beta: float
    law: TrimLaw | None = None

    def __post_init__(self) -> None:
        if self.k < 1 or not 0 < self.beta <= 1:
            raise WorkbenchError("k must be at least 1, and β above 0.", hint="Take those of the release.", field="k")

    @property
    def threshold(self) -> int:
        """T: about how many rows of the table a class needs to survive the release, ⌈k/β⌉."""
        return math.ceil(self.k / Fraction(self.beta))

    @property
    def words(self) -> str:
        """Words for what is counted, for a reader of the release."""
        return {
            Score.KEPT_DETAIL: f"how much detail is left of the rows beyond {self.threshold:,} in each group",
            Score.TRIMMED: "how much detail is left of the rows that each group keeps when it is trimmed",
            Score.INTENSITY: "how far rows are generalised",
            Score.DISCERNIBILITY: "how many rows each row is alike with",
            Score.ENTROPY: "how many rows each value is shared by",
            Score.CLASSES: "how many groups survive",
        }[self.score]

    @property
    def monotone(self) -> bool:
        """Whether one row more lowers no score; a draw then costs half."""
        return self.score in (Score.KEPT_DETAIL, Score.TRIMMED, Score.CLASSES)

    def sensitivity(self, columns: int) -> Fraction:
        """By how much one row more or less can change the score, with so many columns in the grouping."""
        k = self.k
        of_squares = Fraction(5) if k == 1 else Fraction(k * k, k - 1) + 1
        return {
            Score.KEPT_DETAIL: Fraction(1),
            Score.TRIMMED: Fraction(1),
            Score.INTENSITY: Fraction(max(k - 1, 1) * columns),
            Score.DISCERNIBILITY: of_squares,
            Score.ENTROPY: of_squares * columns,
            Score.CLASSES: Fraction(1),
        }[self.score]

    @property
    def unit(self) -> int:
        """Scores are whole numbers of 1/unit."""
        return UNIT * _ROW if self.score is Score.TRIMMED else UNIT

    @property
    def smallest_counted(self) -> int:
        """Classes of fewer rows count as nothing."""
        return self.k if self.law is None or self.score is not Score.TRIMMED else _kept_rows(self.law)[0]

    def rate(
        self, epsilon: Fraction, columns: int, rows_per_person: int, most_worth: Fraction = Fraction(1)
    ) -> Fraction:
        """Weight that one unit of score may have in a draw costing a person with `rows_per_person` rows at most ε.

        Parameters
        ----------
        most_worth
            The most that a row counts at any of the public combinations; only `TRIMMED` gains by its being below 1.
        """
        change = self.sensitivity(columns) * rows_per_person * self.unit
        if self.score is Score.TRIMMED and most_worth > 0:
            change *= most_worth
        return epsilon / (change if self.monotone else 2 * change)


def scores_of(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    nodes: Sequence[Mapping[str, int]],
    judgement: LevelScoring,
    progress: Progress = SILENT,
) -> list[int]:
    """The score of each node in units of 1/`judgement.unit`, whole numbers. Analyst only.

    Raises
    ------
    WorkbenchError
        If a hierarchy misses values, or what trimming keeps is to be scored without its law.
    """
    if judgement.score is Score.TRIMMED and judgement.law is None:
        raise WorkbenchError(
            "What trimming keeps cannot be scored for a release that samples.",
            hint="Judge levels by the detail that is kept.",
            field="score",
        )
    if not table.rows:
        return [0] * len(nodes)
    # Any model would do, only the encoding is needed; this one accepts every table.
    any_table = Goal([ModelChoice("average-risk", {"threshold": 1.0})])
    problem = prepare(table, hierarchies, any_table, progress=progress.part(0, 0.2))
    progress = progress.part(0.2, 1.0)
    score = _SCORES[judgement.score](problem, hierarchies, judgement)
    tables = _PrefixTables(problem, judgement.smallest_counted)
    scores = []
    for position, node in enumerate(nodes):
        if position % 16 == 0:
            progress(position / len(nodes), "Scoring combinations of levels")
        levels = problem.levels_of(node)
        scores.append(score(ClassTable(tables.at(levels), problem.layout), levels))
    progress(1.0)
    return scores


_Scorer = Callable[[ClassTable, Levels], int]


def _kept_detail(problem: SearchProblem, hierarchies: Mapping[str, Hierarchy], judgement: LevelScoring) -> _Scorer:
    heights = [hierarchies[name].height for name in problem.names]
    threshold = judgement.threshold

    def score(classes: ClassTable, levels: Levels) -> int:
        return row_worth(levels, heights) * int(np.maximum(classes.sizes - threshold, 0).sum())

    return score


def row_worth(levels: Sequence[int], heights: Sequence[int]) -> int:
    """Worth of a row at these levels, 1 − mean of level/height, in units of 1/`UNIT`; public.

    Rounded down, so that a row is worth at most one; a column without levels loses nothing.
    """
    lost = sum((Fraction(level, height) for level, height in zip(levels, heights, strict=True) if height), Fraction(0))
    return int((1 - lost / len(levels)) * UNIT)


def _trimmed(problem: SearchProblem, hierarchies: Mapping[str, Hierarchy], judgement: LevelScoring) -> _Scorer:
    heights = [hierarchies[name].height for name in problem.names]
    assert judgement.law is not None
    _, kept = _kept_rows(judgement.law)
    last = len(kept) - 1

    def score(classes: ClassTable, levels: Levels) -> int:
        # From the last entry on each row more is kept whole.
        capped = np.minimum(classes.sizes, last)
        beyond = int(classes.sizes.sum()) - int(capped.sum())
        counts = np.bincount(capped)
        sizes = np.flatnonzero(counts)
        total: int = sum(count * kept[size] for size, count in zip(sizes.tolist(), counts[sizes].tolist(), strict=True))
        return row_worth(levels, heights) * (total + _ROW * beyond)

    return score


_known: WeakKeyDictionary[TrimLaw, tuple[int, tuple[int, ...]]] = WeakKeyDictionary()
"""For as long as somebody has the law: one of many weights takes tens of megabytes."""


def _kept_rows(law: TrimLaw) -> tuple[int, tuple[int, ...]]:
    found = _known.get(law)
    return _known.setdefault(law, _counted(law)) if found is None else found


def _counted(law: TrimLaw) -> tuple[int, tuple[int, ...]]:
    """The smallest class that counts, and ⌊2^32·E[max(0, n − Z)]⌋ for n = 0 … the smallest that always survives.

    E[max(0, n − Z)] is the sum of P[Z ≤ m] over m < n.
    """
    sums = [0, *accumulate(law.cumulative)]
    whole = [value * _ROW // law.total for value in sums]
    smallest = next(n for n, value in enumerate(whole) if value >= _ROW // _NEGLIGIBLE)
    if whole[smallest] > _ROW:
        # So that the first class that counts does not bring more than one row at once.
        smallest -= 1
    return smallest, tuple(0 if n < smallest else value for n, value in enumerate(whole))


def _intensity(problem: SearchProblem, hierarchies: Mapping[str, Hierarchy], judgement: LevelScoring) -> _Scorer:
    heights = [hierarchies[name].height for name in problem.names]

    def score(classes: ClassTable, levels: Levels) -> int:
        lost = sum(level * UNIT // height for level, height in zip(levels, heights, strict=True) if height)
        kept = int(classes.sizes[classes.sizes >= judgement.k].sum())
        return -(lost * kept + len(levels) * UNIT * (problem.rows - kept))

    return score


def _discernibility(problem: SearchProblem, hierarchies: Mapping[str, Hierarchy], judgement: LevelScoring) -> _Scorer:
    def score(classes: ClassTable, levels: Levels) -> int:
        kept = classes.sizes[classes.sizes >= judgement.k]
        return -_penalty(kept, problem.rows)

    return score


def _entropy(problem: SearchProblem, hierarchies: Mapping[str, Hierarchy], judgement: LevelScoring) -> _Scorer:
    tops = [hierarchies[name].height for name in problem.names]

    def score(classes: ClassTable, levels: Levels) -> int:
        kept = np.flatnonzero(classes.sizes >= judgement.k)
        counts = classes.marginals(kept, classes.sizes[kept])
        # At the top of its hierarchy a column says as little as a suppressed one.
        silent = [bool(top) and level == top for level, top in zip(levels, tops, strict=True)]
        nothing = np.empty(0, dtype=np.int64)
        return -sum(
            _penalty(nothing if quiet else count.astype(np.int64), problem.rows)
            for quiet, count in zip(silent, counts, strict=True)
        )

    return score


def _penalty(groups: NDArray[np.int64], rows: int) -> int:
    """Σ groups²/rows + the rows in none of them, in units.

    Rounding changes it by less than one unit, and the sensitivity of the literature is larger than what one row
    can really change by at least one whole row, so it covers the rounding.
    """
    squares = int(np.square(groups).sum())
    return squares * UNIT // rows + (rows - int(groups.sum())) * UNIT


def _classes(problem: SearchProblem, hierarchies: Mapping[str, Hierarchy], judgement: LevelScoring) -> _Scorer:
    def score(classes: ClassTable, levels: Levels) -> int:
        return UNIT * int((classes.sizes >= judgement.k).sum())

    return score


_SCORES: dict[Score, Callable[[SearchProblem, Mapping[str, Hierarchy], LevelScoring], _Scorer]] = {
    Score.KEPT_DETAIL: _kept_detail,
    Score.TRIMMED: _trimmed,
    Score.INTENSITY: _intensity,
    Score.DISCERNIBILITY: _discernibility,
    Score.ENTROPY: _entropy,
    Score.CLASSES: _classes,
}


class _PrefixTables:
    """Group tables of nodes visited in any order, quickest if the last column's level changes fastest.

    Where the rows are in an engine and a node has too many groups, only those of at least k rows are brought: no score
    looks at smaller ones.
    """

    def __init__(self, problem: SearchProblem, k: int) -> None:
        self._problem, self._k = problem, k
        self._chain: list[tuple[Levels, GroupTable | None]] = [(problem.lowest, problem.counted)]
        self._too_many: list[Levels] = []

    def at(self, levels: Levels) -> GroupTable:
        # The chain holds tables of (levels[:1], low…), (levels[:2], low…), …: each is finer than the next.
        bottom = self._problem.lowest
        for length in range(1, len(levels) + 1):
            wanted = (*levels[:length], *bottom[length:])
            if length < len(self._chain) and self._chain[length][0] == wanted:
                continue
            del self._chain[length:]
            finer = self._chain[-1][1]
            if finer is None:
                table = self._counted(wanted)
            else:
                table = finer if finer.levels == wanted else roll_up(finer, wanted)
            self._chain.append((wanted, table))
        found = self._chain[-1][1]
        if found is not None:
            return found
        assert self._problem.counter is not None
        return self._problem.counter.at(levels, at_least=self._k)

    def _counted(self, levels: Levels) -> GroupTable | None:
        """The groups of a node as they are counted in the engine; None if they are too many."""
        known = any(all(one >= level for one, level in zip(other, levels, strict=True)) for other in self._too_many)
        if known or levels == self._problem.lowest:
            return None
        assert self._problem.counter is not None
        try:
            return self._problem.counter.at(levels)
        except TooManyGroups:
            self._too_many.append(levels)
            return None
