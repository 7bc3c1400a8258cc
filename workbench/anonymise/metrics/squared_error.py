"""Squared error: how far released numbers are from the original ones."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.rollup import Levels
from workbench.anonymise.separable import Aggregate, SeparableLoss
from workbench.anonymise.utility import FittedLoss, Key, LossMetric, LossSetting
from workbench.core.errors import WorkbenchError


class SquaredError(SeparableLoss):
    """Σ(x − released)² / Σ(x − middle)² for each numeric attribute, averaged; attributes without numbers are left out.

    A label stands for the number it reads as, and otherwise for the middle between the smallest and the largest
    value under it in the hierarchy; a suppressed row for the middle of the whole domain.
    """

    needs_ground = True

    def __init__(self, setting: LossSetting) -> None:
        self._kept: list[list[NDArray[np.float64]] | None] = []
        self._gone: list[NDArray[np.float64] | None] = []
        for one in setting.attributes:
            numbers = np.array([_number(value) for value in one.values])
            if not np.isfinite(numbers).all():
                self._kept.append(None)
                self._gone.append(None)
                continue
            spans = one.spans()
            kept = []
            for level, labels in enumerate(one.labels):
                said = np.array([_number(label) for label in labels])
                stands_for = np.where(np.isfinite(said), said, spans[level].mean(axis=1))
                kept.append((numbers - stands_for[one.axis.up(0, level)]) ** 2)
            middle = float(spans[-1].mean())
            self._kept.append(kept)
            self._gone.append((numbers - middle) ** 2)
        if all(kept is None for kept in self._kept):
            raise WorkbenchError(
                "Squared error needs a column of numbers, and none of the generalised columns is one.",
                hint="Choose another loss metric, or give a numeric column a hierarchy.",
                field="metric",
            )
        super().__init__(setting, Aggregate.ARITHMETIC)

    def base(self, attribute: int) -> NDArray[np.float64]:
        # A suppressed row may be nearer than a generalised one, so the smaller of the two errors bounds both.
        one = self.setting.attributes[attribute]
        kept, gone = self._kept[attribute], self._gone[attribute]
        if kept is None or gone is None:
            return np.zeros(one.height + 1)
        return np.array([float((np.minimum(errors, gone) * one.counts[0]).sum()) * (1 - 1e-12) for errors in kept])

    def scaled(self, attributes: NDArray[np.intp], totals: NDArray[np.float64]) -> NDArray[np.float64]:
        everything = np.array(
            [
                float((gone * one.counts[0]).sum()) if gone is not None else 0.0
                for one, gone in zip(self.setting.attributes, self._gone, strict=True)
            ]
        )[attributes]
        scaled = np.zeros(len(totals))
        np.divide(totals, everything, out=scaled, where=everything > 0)
        return scaled

    def penalty(self, attribute: int, level: int, rows: NDArray[np.float64]) -> float:
        return 0.0

    def score(self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp]) -> Key:
        return self._scored(self._errors(levels, classes, failing))

    def score_and_bound(
        self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp], lost: NDArray[np.int64]
    ) -> tuple[Key, None]:
        return self.score(levels, classes, failing), None

    def per_attribute(self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp]) -> tuple[float, ...]:
        return tuple(self.scaled(self._every, self._errors(levels, classes, failing)).tolist())

    def shown(self, key: Key) -> float:
        return key[0] / sum(kept is not None for kept in self._kept)

    def _errors(self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp]) -> NDArray[np.float64]:
        """Σ squared error of each attribute."""
        members = classes.ground_members(failing) if len(failing) else None
        errors = np.zeros(len(levels))
        for position, (one, level) in enumerate(zip(self.setting.attributes, levels, strict=True)):
            kept, gone = self._kept[position], self._gone[position]
            if kept is None or gone is None:
                continue
            rows = one.counts[0]
            lost = np.zeros(len(rows))
            if members is not None:
                lost += np.bincount(members.digits(position), weights=members.rows, minlength=len(rows))
            errors[position] = float((kept[level] * (rows - lost) + gone * lost).sum())
        return errors


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return math.nan
    return number if math.isfinite(number) else math.nan


def fit(values: Mapping[str, Any], setting: LossSetting) -> FittedLoss:
    return SquaredError(setting)


PLUGIN = LossMetric(
    "squared-error",
    "Squared error",
    "How far released numbers are from the original ones: the squared difference, relative to releasing the middle "
    "of the domain for everybody. Labels that are no numbers count as the middle of what they cover.",
    "J. Domingo-Ferrer, J. M. Mateo-Sanz: Practical data-oriented microaggregation, IEEE TKDE 14(1), 2002.",
    (),
    fit,
)
