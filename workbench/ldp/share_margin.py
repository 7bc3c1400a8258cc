"""The margin of any one share: 95 %, by formula, of whichever share it is widest."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist
from types import MappingProxyType

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.protocol import FrequencyRandomiser

MARGIN = "margin"
"""What it is called where an error to reach is named."""
_Z = 1.96
"""So many standard deviations to each side hold 95 % of a normal distribution."""
_CHANCE = 0.95


def share_margin(plan: CollectionPlan, choice: ProtocolChoice) -> float:
    """The 95 % margin of the unbiased estimate of each share, by itself; of all shares there can be the widest one.

    Parameters
    ----------
    plan
        Its assumed distribution has no part in it.

    Raises
    ------
    WorkbenchError
        If the protocol cannot be used, or there is no formula for it.

    Notes
    -----
    ±1.96 standard deviations of the unbiased estimate, before anything is done to it: what is made consistent takes
    from a large share what chance gave to all others, so that it may be off by more and to one side. Of a share π that
    is (π p(1 − p) + (1 − π) q(1 − q)) ÷ (n (p − q)²) as a variance, where a report supports the true value with chance
    p and any one other with chance q; where those who are asked are drawn from all people, π(1 − π) ÷ people more. In π
    it is of the second degree, so three places tell where it is largest. With shared hash functions the variance is
    largest where all others have one value, which is taken.
    """
    randomiser = choice.frequency(plan.domain_size, plan.epsilon)
    low, middle, high = (_variance(randomiser, plan, share) for share in (0.0, 0.5, 1.0))
    # v(π) = low + slope·π − bend·π²
    bend = 2.0 * (2.0 * middle - low - high)
    slope = high - low + bend
    top = slope / (2.0 * bend) if bend > 0 else 0.0
    inside = low + slope * top - bend * top * top if 0.0 < top < 1.0 else 0.0
    return _Z * math.sqrt(max(low, high, inside, 0.0))


def margin_or_none(plan: CollectionPlan, choice: ProtocolChoice) -> float:
    """`share_margin`, nan where a protocol has none or cannot be used."""
    try:
        return share_margin(plan, choice)
    except WorkbenchError:
        return math.nan


def sampling_margin(plan: CollectionPlan) -> float:
    """The 95 % margin of a share by drawing those who are asked alone, of one half, which has the widest."""
    return _Z * math.sqrt(0.25 / plan.people)


def set_for_margin(plan: CollectionPlan, choice: ProtocolChoice) -> ProtocolChoice:
    """The protocol with what was left open set for the least margin of each share, else as it is.

    Left to itself it is set for values that few people have, and the widest margin is that of one many have.
    """
    open_ = choice.protocol.left_open
    if open_ is None or choice.values.get(open_.name, 0) or math.isnan(margin_or_none(plan, choice)):
        return choice

    def with_it(number: int) -> ProtocolChoice:
        return replace(choice, values=MappingProxyType({**choice.values, open_.name: number}))

    # The margin falls and then rises: the least is to the right of two places of which the right one has less.
    allowed = open_.allowed(plan.domain_size, plan.epsilon)
    low, high = allowed.start, allowed.stop - 1
    while low < high:
        middle = (low + high) // 2
        if share_margin(plan, with_it(middle)) > share_margin(plan, with_it(middle + 1)):
            low = middle + 1
        else:
            high = middle
    best = with_it(low)
    return best if share_margin(plan, best) < share_margin(plan, choice) else choice


def margin_together(margin: float, shares: int) -> float:
    """Within how much of the truth all shares are at once with 95 %, where each by itself is within `margin`.

    Notes
    -----
    Bonferroni's inequality, which holds however they hang together: each by itself misses with 5 % ÷ shares at most.
    """
    return margin * max(NormalDist().inv_cdf(1.0 - (1.0 - _CHANCE) / (2.0 * shares)) / _Z, 1.0)


def has_margin(plan: CollectionPlan, choice: ProtocolChoice) -> bool:
    """Whether there is a formula for a protocol, and it can be used."""
    return not math.isnan(margin_or_none(plan, choice))


def _variance(randomiser: FrequencyRandomiser, plan: CollectionPlan, share: float) -> float:
    """Of the estimate of a share, where everybody else has one other value."""
    crowd = np.zeros(plan.domain_size)
    crowd[0], crowd[1] = share * plan.users, (1.0 - share) * plan.users
    found = randomiser.variance(crowd) if randomiser.unbiased else None
    if found is None:
        raise WorkbenchError(
            f"{randomiser.protocol} has no formula for the margin of a share.",
            hint="Choose another protocol, or another error.",
            field="protocol",
        )
    drawn = share * (1.0 - share) / plan.people if plan.sampling else 0.0
    return float(found[0]) / plan.users**2 + drawn
