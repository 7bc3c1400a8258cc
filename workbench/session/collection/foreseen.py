"""The error predicted of the very answers that were simulated, by which simulated protocols are put in order."""

from __future__ import annotations

import math

from workbench.ldp.share_margin import MARGIN
from workbench.ldp.simulation import FrequencyResult, MeanResult
from workbench.session.collection.results import Simulated


def foreseen_error(found: Simulated, metric: str, one: FrequencyResult | MeanResult) -> float | None:
    """What is predicted of a protocol for exactly these answers; None where that is not known.

    Returns
    -------
    float or None
        On the scale of the simulated error: of 1 for shares, in units of the column for a mean.

    Notes
    -----
    A margin has a formula, and the estimate of a mean is as good as normal, and so off by √(2/π) of its standard
    deviation on average. Another error of shares is predicted of assumed ones alone.
    """
    if isinstance(one, MeanResult):
        return math.sqrt(2 / math.pi) * one.deviation
    if metric == MARGIN:
        return None if one.margin is None else one.margin.expected
    known = () if found.foreseen is None else found.foreseen.predictions
    return next((each.error(metric) for each in known if each.choice == one.choice and not each.problem), None)


def ordering_error(found: Simulated, metric: str, one: FrequencyResult | MeanResult) -> float:
    """The error by which a protocol has its place among others: the predicted one, which chance does not move.

    The simulated one where no prediction is of these answers; infinite where there is neither.
    """
    known = foreseen_error(found, metric, one)
    if known is not None:
        return known
    errors = one.errors if isinstance(one, MeanResult) else one.errors_by(metric)
    return math.inf if errors is None else errors.mean
