"""Baselines beside the margins of simulated protocols: a trusted curator by formula, and a guess, which is exact."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from workbench.session.collection.margin_decision import curator_margin
from workbench.session.collection.results import Simulated


def curator_within(found: Simulated) -> float | None:
    """The 95 % margin of a trusted curator for the shares that were simulated, of 1; None where no shares were."""
    shares = _shares(found)
    if shares is None or found.plan is None:
        return None
    plan = replace(found.plan, users=found.users, sampling=found.sampled, of_one_person=found.asked.reports_per_person)
    # Sampling moves that share most which is nearest to one half; the noise is the same on all.
    return curator_margin(plan, float(shares[np.argmax(shares * (1.0 - shares))]))


def guess_off(found: Simulated) -> float | None:
    """By how much equal shares miss the farthest of those that were simulated, of 1; None where no shares were."""
    shares = _shares(found)
    return None if shares is None else float(np.abs(shares - 1.0 / len(shares)).max())


def _shares(found: Simulated) -> NDArray[np.float64] | None:
    return None if found.truth is None or not found.truth.sum() else found.truth / found.truth.sum()
