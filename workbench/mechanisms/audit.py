"""The audit: what ε, or which δ at an ε, a channel really has, and the witness that shows it.

ε(P) = max over outputs y and neighbours x, x′ of ln(P(y|x) / P(y|x′)); δ at ε = max over neighbours of
Σ_y max(0, P(y|x) − e^ε P(y|x′)), the hockey-stick divergence (Dwork, Roth 2014; Sason, Verdú 2016). Channels in
fractions are audited without a rounding; δ at an ε whose exponential is irrational is bounded from above.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.rationals import float_above
from workbench.mechanisms import _exact_kernels as whole
from workbench.mechanisms import _float_kernels as floating
from workbench.mechanisms.channel import ROUNDING, Channel
from workbench.mechanisms.epsilon import Epsilon, log_ratio
from workbench.mechanisms.neighbours import ALL, Neighbours, Pairs, Relation

_ALIKE = 1e-9
"""Pairs whose δ in floating point is so near the largest are compared exactly."""
_TINY = 1e-290
"""Smaller probabilities, which floats may take for 0, are multiplied by e^ε as logarithms."""
_TINY_BITS = 960
"""With a common denominator of fewer bits no probability but 0 is so small, as 2⁻⁹⁶⁰ is above 10⁻²⁹⁰."""

_POINTS = 121
_FEWEST_POINTS = 13
_OPERATIONS = 4e9
_FREE_RANGE = 5.0


class AuditVerdict(StrEnum):
    """The verdict on a claim."""

    CONFIRMED = "confirmed"
    ROUNDED = "confirmed up to rounding"
    """The channel is known in floating point only, and meets the claim within that."""
    REFUTED = "refuted"


@dataclass(frozen=True)
class Witness:
    """Two neighbours and the output that tells them apart best; the probabilities show it.

    Parameters
    ----------
    input, neighbour, output
        Names; the output is likelier for `input`.
    row, other, column
        Their places in the channel.
    probability, neighbour_probability
        P(output | input) and P(output | neighbour), fractions where the channel is exact.
    """

    input: str
    neighbour: str
    output: str
    row: int
    other: int
    column: int
    probability: Fraction | float
    neighbour_probability: Fraction | float

    @property
    def ratio(self) -> Fraction | float:
        """How many times likelier; infinite where the neighbour never gives that output."""
        if self.neighbour_probability == 0:
            return 1.0 if self.probability == 0 else math.inf
        return self.probability / self.neighbour_probability


@dataclass(frozen=True)
class Excess:
    """δ at an ε, and the event that shows it.

    Parameters
    ----------
    at
        The ε.
    delta
        δ, never below the true one for an exact channel.
    bound
        A fraction that is δ where e^ε is a fraction, and otherwise exceeds it by less than 10⁻³⁸; None if the channel
        is known in floating point only.
    input, neighbour
        The pair.
    outputs
        The outputs that together are more than e^ε times likelier, by more than δ allows if δ is smaller.
    """

    at: Epsilon
    delta: float
    bound: Fraction | None
    input: str
    neighbour: str
    outputs: tuple[str, ...]

    @property
    def exact(self) -> Fraction | None:
        """δ itself as a fraction, where it is known."""
        known = self.bound == 0 or self.at.infinite or self.at.exp is not None
        return self.bound if known else None


@dataclass(frozen=True)
class Audit:
    """The findings of an audit.

    Parameters
    ----------
    channel, neighbours
        What was audited, over which relation.
    epsilon
        ε, never below the true one for an exact channel; infinite if an output betrays an input for sure.
    exact
        ε without a rounding, None if the channel is known in floating point only.
    witness
        Where ε is attained.
    excess
        δ at the claimed ε, or at the ε found (0, or what cannot be hidden at any ε if that is infinite).
    verdict
        What became of the claim, None without one.
    """

    channel: Channel
    neighbours: Neighbours
    epsilon: float
    exact: Epsilon | None
    witness: Witness
    excess: Excess
    verdict: AuditVerdict | None


def audit(
    channel: Channel,
    neighbours: Neighbours = ALL,
    claim: Epsilon | None = None,
    claimed_delta: Fraction = Fraction(0),
    progress: Progress = SILENT,
) -> Audit:
    """Find ε, δ at the claimed ε, and the witness.

    Parameters
    ----------
    channel
        The mechanism.
    neighbours
        Which inputs must look alike; not `OWN`, which only a mechanism can resolve.
    claim, claimed_delta
        What somebody says the channel satisfies, to be confirmed or refuted.

    Raises
    ------
    WorkbenchError
        If no two inputs are neighbours.
    """
    pairs = _pairs(channel, neighbours)
    exact: Epsilon | None = None
    if channel.exact is not None:
        _, table = channel.whole
        top, bottom, place = whole.largest_ratio(table, pairs, progress.part(0.0, 0.5))
        exact = log_ratio(Fraction(top), Fraction(bottom))
        epsilon = exact.upper
    else:
        ratio, place = floating.largest_ratio(channel.floats, pairs, progress.part(0.0, 0.5))
        epsilon = _log_above(ratio)
    witness = _witness(channel, place)
    at = claim or exact or _float_epsilon(epsilon)
    if _meets(epsilon, exact, at):
        nothing = None if exact is None else Fraction(0)
        excess = Excess(at, 0.0, nothing, witness.input, witness.neighbour, ())
    else:
        excess = _excess(channel, at, pairs, progress.part(0.5, 1.0))
    verdict = None if claim is None else _judge(epsilon, exact, claim, excess, claimed_delta)
    return Audit(channel, neighbours, epsilon, exact, witness, excess, verdict)


def delta_at(channel: Channel, epsilon: Epsilon, neighbours: Neighbours = ALL, progress: Progress = SILENT) -> Excess:
    """δ at an ε, with the pair and the event that show it."""
    return _excess(channel, epsilon, _pairs(channel, neighbours), progress)


@dataclass(frozen=True)
class DeltaCurve:
    """δ against ε.

    Parameters
    ----------
    epsilons, deltas
        Rising ε and falling δ, float64 of shape (points,).
    epsilon
        The ε at which δ becomes 0; infinite if it never does.
    """

    epsilons: NDArray[np.float64]
    deltas: NDArray[np.float64]
    epsilon: float


def curve(channel: Channel, neighbours: Neighbours = ALL, progress: Progress = SILENT) -> DeltaCurve:
    """The whole trade-off of ε and δ, from ε = 0 (the total variation distance) to where δ vanishes.

    Computed in floating point; large channels get fewer points.
    """
    pairs = _pairs(channel, neighbours)
    ratio, _ = floating.largest_ratio(channel.floats, pairs)
    epsilon = audit(channel, neighbours).epsilon if channel.exact is not None else _log_above(ratio)
    count, width = channel.floats.shape
    work = (count * count if pairs is None else 2 * len(pairs)) * width
    points = int(min(max(_OPERATIONS / work, _FEWEST_POINTS), _POINTS))
    last = epsilon if math.isfinite(epsilon) else _last_finite(channel.floats, pairs)
    epsilons = np.linspace(0.0, max(last, 1e-6), points)
    deltas = np.empty(points)
    for number, at in enumerate(epsilons.tolist()):
        deltas[number] = floating.largest_excess(
            channel.floats, _exp(at), pairs, progress.part(number / points, (number + 1) / points)
        )[0]
    if math.isfinite(epsilon):
        deltas[-1] = 0.0  # by definition; floating point leaves a grain
    return DeltaCurve(epsilons, np.minimum.accumulate(deltas), epsilon)


def _pairs(channel: Channel, neighbours: Neighbours) -> Pairs | None:
    if neighbours.relation is Relation.OWN:
        raise ValueError("only a mechanism knows its own neighbours")
    if neighbours.relation is not Relation.ALL:
        return neighbours.pairs(channel)
    if len(channel.inputs) < 2:
        raise WorkbenchError(
            "One input has no neighbour, so there is nothing to compare.",
            hint="Give the channel at least two inputs.",
            field="neighbours",
        )
    return None


def _witness(channel: Channel, place: floating.Place) -> Witness:
    row, other, column = place
    table = channel.exact if channel.exact is not None else channel.floats
    return Witness(
        channel.inputs[row],
        channel.inputs[other],
        channel.outputs[column],
        row,
        other,
        column,
        table[row][column] if channel.exact is not None else float(table[row][column]),
        table[other][column] if channel.exact is not None else float(table[other][column]),
    )


def _excess(channel: Channel, at: Epsilon, pairs: Pairs | None, progress: Progress) -> Excess:
    scaled = _scaled(channel, at)
    delta, row, other = floating.largest_excess(channel.floats, scaled, pairs, progress)
    bound: Fraction | None = None
    if channel.exact is not None:
        exact_growth = None if at.infinite else at.exp_below()
        common, table = channel.whole
        largest = Fraction(-1)
        for one, two in _nearly_largest(channel.floats, scaled, pairs, delta):
            found = whole.excess(table, exact_growth, one, two)
            if found > largest:
                largest, row, other = found, one, two
        bound = largest / common
        delta = float_above(bound)
    outputs = tuple(channel.outputs[column] for column in _telling(channel, at, row, other)) if delta else ()
    return Excess(at, delta, bound, channel.inputs[row], channel.inputs[other], outputs)


def _scaled(channel: Channel, at: Epsilon) -> NDArray[np.float64]:
    """The probabilities times e^ε: those too that floats take for 0, of which pairs would seem to be told apart.

    Only pairs that floats tell apart most are compared exactly, so such a pair would hide the one that is.
    """
    scaled = floating.times(channel.floats, math.inf if at.infinite else _finite_exp(at))
    if channel.exact is None:
        return scaled
    common, table = channel.whole
    if common.bit_length() < _TINY_BITS:
        return scaled  # as in nearly all: then none of them is tiny, and not every 0 is looked at
    for row, column in np.argwhere(channel.floats < _TINY).tolist():
        number = table[row][column]
        if number:
            logarithm = math.inf if at.infinite else math.log(number) - math.log(common) + at.upper
            scaled[row, column] = math.exp(min(logarithm, 1.0))  # above 1 it is more than any probability
    return scaled


def _telling(channel: Channel, at: Epsilon, row: int, other: int) -> list[int]:
    """The outputs that are more than e^ε times likelier for one input than for the other."""
    if channel.exact is not None:
        pairs = zip(channel.exact[row], channel.exact[other], strict=True)
        if at.infinite:
            return [column for column, (p, q) in enumerate(pairs) if p and not q]
        growth = at.exp_below()
        return [column for column, (p, q) in enumerate(pairs) if p > growth * q]
    p, q = channel.floats[row], channel.floats[other]
    found: list[int] = np.flatnonzero((p > 0) & (q == 0) if at.infinite else p > _finite_exp(at) * q).tolist()
    return found


def _nearly_largest(
    table: NDArray[np.float64], scaled: NDArray[np.float64], pairs: Pairs | None, delta: float
) -> list[tuple[int, int]]:
    """Directed pairs whose δ in floating point is within rounding of the largest."""
    found = []
    if pairs is None:
        for row in range(len(table)):
            excess = np.maximum(table[row] - scaled, 0.0).sum(axis=1)
            excess[row] = -1.0
            found += [(row, other) for other in np.flatnonzero(excess >= delta - _ALIKE).tolist()]
        return found
    for one, other in (pairs.T, pairs[:, ::-1].T):
        excess = np.maximum(table[one] - scaled[other], 0.0).sum(axis=1)
        found += [(int(one[at]), int(other[at])) for at in np.flatnonzero(excess >= delta - _ALIKE).tolist()]
    return found


def _meets(epsilon: float, exact: Epsilon | None, claim: Epsilon) -> bool:
    """Whether the claim covers the ε found, without a rounding where that is known exactly."""
    if claim.infinite:
        return False  # at an infinite ε something may be left that no ε hides
    if exact is not None:
        return exact.ratio is not None and claim.covers(exact.ratio)
    return not math.isinf(epsilon) and Fraction(epsilon) <= Fraction(claim.upper)


def _judge(
    epsilon: float, exact: Epsilon | None, claim: Epsilon, excess: Excess, claimed_delta: Fraction
) -> AuditVerdict:
    if claim.infinite or _meets(epsilon, exact, claim):
        return AuditVerdict.ROUNDED if exact is None else AuditVerdict.CONFIRMED
    if excess.bound is not None:
        return AuditVerdict.CONFIRMED if excess.bound <= claimed_delta else AuditVerdict.REFUTED
    near = epsilon <= claim.upper * (1 + ROUNDING) + ROUNDING
    return AuditVerdict.ROUNDED if near or excess.delta <= float(claimed_delta) else AuditVerdict.REFUTED


def _float_epsilon(epsilon: float) -> Epsilon:
    return Epsilon() if math.isinf(epsilon) else Epsilon(value=Fraction(epsilon))


def _finite_exp(epsilon: Epsilon) -> float:
    growth = epsilon.exp_below()
    return float(growth) if growth < 10**300 else math.inf


def _exp(epsilon: float) -> float:
    return math.exp(epsilon) if epsilon < 700 else math.inf


def _log_above(ratio: float) -> float:
    if math.isinf(ratio):
        return math.inf
    return math.nextafter(math.log(ratio), math.inf) if ratio > 1 else 0.0


def _last_finite(table: NDArray[np.float64], pairs: Pairs | None) -> float:
    """Where a curve that never reaches 0 has become flat: the largest finite loss."""
    shared = np.where((table > 0).all(axis=0, keepdims=True), table, 0.0)
    if pairs is not None and len(pairs) * table.shape[1] <= _OPERATIONS / 100:
        one, other = table[pairs[:, 0]], table[pairs[:, 1]]
        both = (one > 0) & (other > 0)
        if both.any():
            found = float(np.abs(np.log(one[both] / other[both])).max())
            return max(1.15 * found, 0.5)
    if shared.any():
        columns = shared[:, shared.any(axis=0)]
        return max(1.15 * float(np.log(columns.max(axis=0) / columns.min(axis=0)).max()), 0.5)
    return _FREE_RANGE
