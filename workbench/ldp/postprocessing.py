"""Making estimated counts consistent: not negative, and adding up to the number of reports.

Unbiased estimates of local protocols are neither. What is done about it uses only the estimates, the number of
reports and the protocol's parameters, so it costs no privacy. The methods and their names are those of Wang et al.,
"Locally Differentially Private Frequency Estimation with Consistency", NDSS 2020.

Arrays have shape (…, d): the last axis runs over the values, any axes before it are answered at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact
from workbench.core.simplex import onto_simplex

Floats = NDArray[np.float64]

FALSE_KEEP = 0.05
"""Base-Cut: the probability that any value nobody has survives is at most this (Bonferroni over the values)."""


@dataclass(frozen=True)
class Noise:
    """The variance of an unbiased estimate as a function of the true count: Var ĉ = floor·n + slope·c.

    For a pure protocol, floor = q(1 − q)/(p − q)² and slope = (1 − p − q)/(p − q).

    Parameters
    ----------
    reach
        What the estimate of a value nobody has exceeds with a given chance at most, exactly; None if not known.
    """

    floor: float
    slope: float = 0.0
    reach: Callable[[float], float | None] = lambda _: None

    @classmethod
    def of_pure(cls, p: float, q: float) -> Noise:
        return cls(q * (1.0 - q) / (p - q) ** 2, (1.0 - p - q) / (p - q))


@dataclass(frozen=True)
class PostProcess:
    """One way to make estimates consistent.

    Parameters
    ----------
    identifier, title, summary
        How it is named and what it does in a sentence.
    run
        From estimates (…, d), the number of reports and the noise, to estimates of the same shape.
    sums
        Whether the result adds up to the number of reports.
    positive
        Whether no result is negative.
    """

    identifier: str
    title: str
    summary: str
    run: Callable[[Floats, float, Noise], Floats]
    sums: bool
    positive: bool

    def __call__(self, counts: NDArray[np.floating], total: float, noise: Noise) -> Floats:
        return self.run(np.asarray(counts, dtype=np.float64), float(total), noise)


def _none(counts: Floats, total: float, noise: Noise) -> Floats:
    return counts


def _base_pos(counts: Floats, total: float, noise: Noise) -> Floats:
    return np.maximum(counts, 0.0)


def _norm(counts: Floats, total: float, noise: Noise) -> Floats:
    shift = (total - counts.sum(axis=-1, keepdims=True)) / counts.shape[-1]
    return np.asarray(counts + shift)


def _norm_mul(counts: Floats, total: float, noise: Noise) -> Floats:
    kept = np.maximum(counts, 0.0)
    mass = kept.sum(axis=-1, keepdims=True)
    even = np.full(kept.shape, total / kept.shape[-1])  # nothing is left to scale, so nothing is known
    return np.asarray(np.divide(kept * total, mass, out=even, where=np.broadcast_to(mass > 0, kept.shape)))


def _norm_sub(counts: Floats, total: float, noise: Noise) -> Floats:
    """The nearest point (L2) with no negative count and the right sum."""
    return onto_simplex(counts, total)


def _base_cut(counts: Floats, total: float, noise: Noise) -> Floats:
    chance = FALSE_KEEP / counts.shape[-1]
    threshold = noise.reach(chance)
    if threshold is None:
        threshold = NormalDist().inv_cdf(1.0 - chance) * math.sqrt(noise.floor * total)
    return np.where(counts > threshold, np.maximum(counts, 0.0), 0.0)


def _mle_apx(counts: Floats, total: float, noise: Noise) -> Floats:
    """argmin Σ (c − ĉ)²/Var(c) with c ≥ 0 and Σc = n, where Var(c) = floor·n + slope·c.

    With u = floor·n + slope·c the stationary points are u = γû for one γ > 0, so the values that stay positive are
    the largest ones, and γ = (k·floor·n + slope·n)/Σ û over them. Without a slope this is Norm-Sub.
    """
    floor, slope = noise.floor * total, noise.slope
    if abs(slope) * total <= 1e-9 * floor or floor == 0.0:
        return _norm_sub(counts, total, noise)
    weight = floor + slope * counts
    order = np.argsort(-counts, axis=-1, kind="stable")
    ranked = np.take_along_axis(weight, order, axis=-1)
    ranks = np.arange(1, counts.shape[-1] + 1)
    sums = np.cumsum(ranked, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = (ranks * floor + slope * total) / sums
        stays = (sums > 0) & (scale > 0) & (ranked > 0) & ((scale * ranked - floor) / slope > 0)
    # Where nothing satisfies the conditions the approximation has no answer; the nearest consistent point does.
    active = np.where(stays, ranks, 0).max(axis=-1, keepdims=True)
    chosen = np.take_along_axis(scale, np.maximum(active - 1, 0), axis=-1)
    inside = np.empty(counts.shape, dtype=np.bool_)
    np.put_along_axis(inside, order, np.broadcast_to(ranks, counts.shape) <= active, axis=-1)
    found = np.where(inside, (chosen * weight - floor) / slope, 0.0)
    return np.where(active > 0, np.maximum(found, 0.0), _norm_sub(counts, total, noise))


_ALL = (
    PostProcess("none", "None", "Leaves the estimates as they are; they may be negative.", _none, False, False),
    PostProcess("base-pos", "Base-Pos", "Turns negative estimates into 0.", _base_pos, False, True),
    PostProcess("norm", "Norm", "Shifts all estimates alike until they add up.", _norm, True, False),
    PostProcess(
        "norm-mul", "Norm-Mul", "Turns negative estimates into 0 and scales the others.", _norm_mul, True, True
    ),
    PostProcess(
        "norm-sub",
        "Norm-Sub",
        "The nearest estimates that are not negative and add up: all are shifted alike, and what falls below 0 is 0.",
        _norm_sub,
        True,
        True,
    ),
    PostProcess(
        "base-cut",
        "Base-Cut",
        f"Turns every estimate into 0 that noise alone could explain ({exact(100 * FALSE_KEEP)} % over all values).",
        _base_cut,
        False,
        True,
    ),
    PostProcess(
        "mle-apx",
        "MLE-Apx",
        "The most likely consistent counts if the noise were normal, with larger noise for frequent values.",
        _mle_apx,
        True,
        True,
    ),
)
POSTPROCESSES: Mapping[str, PostProcess] = MappingProxyType({one.identifier: one for one in _ALL})
"""The post-processings by identifier."""

DEFAULT = "norm-sub"


def postprocess(identifier: str) -> PostProcess:
    """The post-processing of that name.

    Raises
    ------
    WorkbenchError
        If there is none.
    """
    if identifier not in POSTPROCESSES:
        raise WorkbenchError(
            f"There is no post-processing “{identifier}”.",
            hint=f"Known are: {', '.join(POSTPROCESSES)}.",
            field="postprocess",
        )
    return POSTPROCESSES[identifier]
