"""Contracts of estimators: numbers for every value, the same for the same reports, one collection or several."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.contracts.contract import Contract, Untried, demand
from workbench.core.progress import SILENT
from workbench.ldp.estimator import LocalEstimator
from workbench.ldp.protocol import PROTOCOLS, FrequencyRandomiser, Support

_COUNTS = np.array([0, 4000, 9000, 1000, 6000])
_FROM = ("square-wave", "oue", "grr")


def estimated(
    estimator: LocalEstimator, randomiser: FrequencyRandomiser, supports: list[Support]
) -> NDArray[np.float64]:
    """The estimates; `Broken` unless each collection by itself has the same, and again the same."""
    found = estimator(randomiser, supports, SILENT)
    demand(found.shape == (len(supports), randomiser.domain_size), f"its estimates have the shape {found.shape}.")
    demand(bool(np.isfinite(found).all()), "some of its estimates are no numbers.")
    demand(bool(np.array_equal(found, estimator(randomiser, supports, SILENT))), "asked again, it says something else.")
    single = np.concatenate([estimator(randomiser, [support], SILENT) for support in supports])
    # Rounding may end an iteration a step sooner or later.
    loose = 1e-2 if estimator.consistent else 1e-9
    off = float(np.abs(found - single).sum(axis=1).max())
    demand(off <= loose * supports[0].reports, "several collections at once are estimated otherwise than one by one.")
    return found


def _estimates(estimator: LocalEstimator) -> str:
    generator, tried = np.random.default_rng(10), []
    for name in _FROM:
        randomiser = PROTOCOLS[name].build(len(_COUNTS), 2.0)
        if not isinstance(randomiser, FrequencyRandomiser) or not estimator.works_with(randomiser):
            continue
        drawn = [randomiser.simulate(_COUNTS, generator) for _ in range(3)]
        found = estimated(estimator, randomiser, [one for one in drawn if one is not None])
        if estimator.consistent:
            demand(bool((found >= -1e-9).all()), "it says that it never estimates less than nobody, and does.")
            off = float(np.abs(found.sum(axis=1) - _COUNTS.sum()).max())
            demand(off <= 1e-3 * _COUNTS.sum(), "it says that its estimates add up to the reports, and they do not.")
        tried.append(name)
    if not tried:
        raise Untried(f"it works with none of {', '.join(_FROM)}.")
    return f"reports of {', '.join(tried)} were estimated, together and one by one."


CONTRACTS: tuple[Contract[LocalEstimator], ...] = (Contract("estimates", _estimates),)
