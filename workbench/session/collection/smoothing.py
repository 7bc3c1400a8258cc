"""Protocols that take neighbouring answers to be alike: which of them may be recommended, and what they would gain."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.ldp.plan import CollectionPlan, Shape
from workbench.ldp.prediction import Prediction


def kept_promise(planned: CollectionPlan, found: Sequence[Prediction]) -> list[Prediction]:
    """The predictions of protocols that keep the ε asked for, in their order.

    One whose ε follows from its parameters may have a smaller error only because it promises less.
    """
    return [one for one in found if not one.problem and one.epsilon <= planned.epsilon * (1 + 1e-7)]


def smoother(
    planned: CollectionPlan, found: Sequence[Prediction], first: Prediction | None, metric: str
) -> tuple[Prediction, Shape] | None:
    """The protocol that errs less than the first one where the shares are smooth, and the shape that is assumed then.

    None if there is none, or if it is declared that they are smooth.
    """
    smoothing = [] if planned.smooth else [one for one in kept_promise(planned, found) if one.smooths]
    if not smoothing:
        return None
    smooth = Shape.HUMP if planned.assumed is Shape.WORSE else planned.assumed
    best = min(smoothing, key=lambda one: one.cases[smooth][metric])
    if first is not None and best.cases[smooth][metric] >= first.cases[smooth][metric]:
        return None
    return best, smooth
