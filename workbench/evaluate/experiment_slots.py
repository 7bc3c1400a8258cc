"""What stands for a method at a place: its cells, or those of the setting that the tries of its family chose."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from workbench.evaluate.cell import ExperimentCell
from workbench.evaluate.findings import CellResult, ErrorSummary, Point
from workbench.evaluate.store import ResultStore

Cells: TypeAlias = tuple[ExperimentCell, ...]
"""One method at one place, on each of the shapes that are assumed."""


@dataclass(frozen=True, eq=False)
class ExperimentSlot:
    """A method at a place, or the settings of a family and the tries that choose among them.

    Each setting has one cell per shape that is assumed; the worse of them counts.
    """

    cells: tuple[Cells, ...]
    trials: tuple[Cells, ...] = ()

    def every(self, store: ResultStore, metric: str) -> list[ExperimentCell]:
        """What has to be there: the tries, and what they chose; one as long stands for it while that is not known."""
        chosen = self.chosen(store, metric) or self.cells[0]
        return [cell for cells in (*self.trials, chosen) for cell in cells]

    def chosen(self, store: ResultStore, metric: str) -> Cells:
        """The cells that stand for the method; none while the tries are not all there."""
        if not self.trials:
            return self.cells[0]
        errors = []
        for cells in self.trials:
            result = worse_of(cells, store, metric)
            if result is None:
                return ()
            # A setting that often has no answer is no better for the few that it has.
            often = 2 * result.unanswered <= result.repetitions
            errors.append(_error(result, metric) if often else math.inf)
        return self.cells[errors.index(min(errors))]


def worse_of(cells: Cells, store: ResultStore, metric: str) -> CellResult | None:
    """The worse result of the shapes; None while one of them is missing."""
    results = [result for cell in cells if (result := store.get(cell.key)) is not None]
    if not cells or len(results) < len(cells):
        return None
    return max(results, key=lambda one: _error(one, metric))


def _error(result: CellResult, metric: str) -> float:
    """The mean error, infinite where there is none."""
    summary = result.summaries.get(metric)
    return math.inf if summary is None or math.isnan(summary.mean) else summary.mean


def point_of(name: str, place: float, result: CellResult, metric: str) -> Point:
    """A result as a point of the curve of that name."""
    nothing = math.nan  # one object, so that findings of two runs are equal where both have nothing
    summary = result.summaries.get(metric, ErrorSummary(nothing, nothing, nothing, nothing))
    problem = result.problem
    if math.isinf(summary.mean):
        problem = problem or "A true value is 0, so its error in percent has no limit."
    return Point(
        name,
        place,
        summary.mean,
        summary.low,
        summary.high,
        result.repetitions,
        summary.error_of_mean,
        result.unanswered,
        result.theory.get(metric, nothing),
        result.epsilon,
        problem,
    )
