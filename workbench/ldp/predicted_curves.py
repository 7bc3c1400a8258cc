"""Expected errors against ε or against the number of people: predictions along a line, from numbers alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from workbench.core.progress import SILENT, Progress
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.mean_prediction import MeanPlan
from workbench.ldp.prediction import MOST_USERS, CollectionPlan, Prediction, ReferenceErrors, predict_one, reference
from workbench.ldp.share_margin import MARGIN, margin_or_none, set_for_margin

Floats = NDArray[np.float64]
Against = Literal["epsilon", "users"]

_POINTS = 9
_LEAST_EPSILON, _MOST_EPSILON = 0.1, 10.0
_DECADES = 1.5


@dataclass(frozen=True, eq=False)
class PredictedCurves:
    """Predictions at several places.

    Parameters
    ----------
    plan
        What is asked; one of its numbers is replaced by each place.
    against
        Which.
    places
        Rising, shape (points,).
    choices, predictions
        The protocols, and for each its predictions at all places.
    references
        The baselines at all places.
    margins
        For each protocol the margin of each share at all places, nan where it has none.
    tuned
        Whether margins are with what a protocol leaves open set for them at each place, as it is where one is reached.
    """

    plan: CollectionPlan
    against: Against
    places: Floats
    choices: tuple[ProtocolChoice, ...]
    predictions: tuple[tuple[Prediction, ...], ...]
    references: tuple[ReferenceErrors, ...]
    margins: tuple[tuple[float, ...], ...] = ()
    tuned: bool = False

    def errors(self, position: int, metric: str) -> Floats:
        """Expected errors of the protocol at this position, or its margins, shape (points,); nan where it has none."""
        if metric == MARGIN:
            return np.array(self.margins[position])
        return np.array([one.error(metric) for one in self.predictions[position]])

    def simulated(self, metric: str) -> bool:
        """Whether any of these errors was found from drawn collections; margins are known by formula."""
        return metric != MARGIN and any(one.simulated(metric) for line in self.predictions for one in line)


def usual_places(plan: CollectionPlan | MeanPlan, against: Against, points: int = _POINTS) -> Floats:
    """Places around what is planned, rising, shape (points,): ε from 0.1 to 10, or people 30 times fewer to more."""
    if against == "epsilon":
        low, high = min(_LEAST_EPSILON, plan.epsilon), max(_MOST_EPSILON, plan.epsilon)
        return np.geomspace(low, high, points)
    low, high = max(10.0, plan.users / 10**_DECADES), min(plan.users * 10**_DECADES, MOST_USERS)
    return np.unique(np.rint(np.geomspace(min(low, high / 2), high, points)))


def predicted_curves(
    plan: CollectionPlan,
    choices: Sequence[ProtocolChoice],
    against: Against,
    places: Floats | None = None,
    progress: Progress = SILENT,
    *,
    tuned: bool = False,
) -> PredictedCurves:
    """Predict every protocol at every place.

    Parameters
    ----------
    tuned
        As of `PredictedCurves`.

    Raises
    ------
    Cancelled
        If the progress was cancelled.
    """
    given = usual_places(plan, against) if places is None else places
    found: list[list[Prediction]] = [[] for _ in choices]
    margins: list[list[float]] = [[] for _ in choices]
    references = []
    for number, place in enumerate(given.tolist()):
        progress(number / len(given))
        here = replace(plan, epsilon=place) if against == "epsilon" else replace(plan, users=max(1, round(place)))
        references.append(reference(here))
        for column, widths, choice in zip(found, margins, choices, strict=True):
            progress(number / len(given))
            column.append(predict_one(here, choice))
            widths.append(margin_or_none(here, set_for_margin(here, choice) if tuned else choice))
    progress(1.0)
    predictions, each = tuple(map(tuple, found)), tuple(map(tuple, margins))
    return PredictedCurves(plan, against, given, tuple(choices), predictions, tuple(references), each, tuned)
