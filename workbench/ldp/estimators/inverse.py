"""The inverse of the channel, applied to the counts of the outputs."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.ldp.estimator import Floats, LocalEstimator, outputs
from workbench.ldp.protocol import FrequencyRandomiser, Support

_LARGEST = 2048
_SINGULAR = 1e-12

_inverses: WeakKeyDictionary[FrequencyRandomiser, Floats] = WeakKeyDictionary()


def _run(randomiser: FrequencyRandomiser, supports: Sequence[Support], progress: Progress) -> Floats:
    """ĉ = G o with G = P^{−T}; with more outputs than values, G is the pseudo-inverse, unbiased all the same."""
    counted = outputs(supports)
    known = _inverses.get(randomiser)
    if known is None:
        known = _inverses.setdefault(randomiser, _inverse(randomiser))
    return np.asarray(counted @ known)


def _inverse(randomiser: FrequencyRandomiser) -> Floats:
    """P⁺ of shape (outputs, values), so that (c P) P⁺ = c for all counts c."""
    channel = randomiser.channel()
    if channel is None or channel.shape[0] > _LARGEST:
        raise WorkbenchError(
            f"The channel of “{randomiser.protocol}” is too large to invert.",
            hint="Use the unbiased estimator or an expectation maximisation.",
            field="estimator",
        )
    # With P Pᵀ a small square matrix, P⁺ = Pᵀ (P Pᵀ)⁻¹.
    square = channel @ channel.T
    largest = np.linalg.eigvalsh(square)
    if largest[0] <= _SINGULAR * largest[-1]:
        raise WorkbenchError(
            f"The channel of “{randomiser.protocol}” cannot be inverted: different people answer alike.",
            hint="Use an expectation maximisation, or a larger ε.",
            field="estimator",
        )
    return np.asarray(np.linalg.solve(square, channel).T)


PLUGIN = LocalEstimator(
    identifier="inverse",
    title="Matrix inverse",
    summary="Undoes the channel exactly on average; single estimates may be negative, and far off for a flat channel.",
    citation="Kairouz, Bonawitz & Ramage, ICML 2016",
    run=_run,
    tabulated=True,
)
