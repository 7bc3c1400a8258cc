"""The margin of any one share: 95 %, by formula, of whichever share it is widest."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from enum import Enum, auto
from statistics import NormalDist
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.ldp.binomial import reach_of_two
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.normal_margin import normal_or_wider
from workbench.ldp.participation import further_of, planned_randomiser
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.protocol import FrequencyRandomiser

Floats = NDArray[np.float64]

MARGIN = "margin"
"""Name of the margin where an error to reach is named."""
DEVIATIONS = 1.96
"""So many standard deviations to each side hold 95 % of a normal distribution."""
_CHANCE = 0.95
_EXACT, _NORMAL = 10.0, 20.0
"""Where chance moves the number of reports that support a value by less than the first (a standard deviation), its law
itself is taken; from the second on a normal distribution, with which 95 % are missed by 0.3 % of all cases at most."""
_ROUNDING = 1e-9
"""What computing leaves of a sum that is 0, as a part of what is added."""
_SHARES = tuple(one / 8 for one in range(9))


class MarginRule(Enum):
    """The rules by which a margin is made."""

    NORMAL = auto()
    """Standard deviations of a normal distribution."""
    REPORTS = auto()
    """Those, wider where they are few reports, and the law itself where they are fewer."""
    PEOPLE = auto()
    """Those, wider where they are few people who send several reports each."""
    ANY_LAW = auto()
    """As of `normal_or_wider`."""


def share_margin(plan: CollectionPlan, choice: ProtocolChoice, shares: int = 1) -> float:
    """The 95 % margin of the unbiased estimate of each share, by itself; of all shares there can be the widest one.

    Parameters
    ----------
    plan
        Its assumed distribution has no part in it, but for how large a share can be at most.
    shares
        So many are within it at once, if more than one. Where one of two shares is what the other leaves, that is the
        margin of one.

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

    Where few reports are moved, as of few people at a large ε, that is not normal, and it is wider: see `_few`. All
    shares at once by Bonferroni's inequality, which holds however they hang together: each misses with 5 % ÷ shares.
    """
    randomiser = planned_randomiser(plan, choice)
    if _one_leaves_the_other(randomiser, plan.users):
        shares = 1
    if randomiser.unbiased and not randomiser.one_by_one:
        return _of_any_law(randomiser, plan, shares)
    low, middle, high = (_variance(randomiser, plan, share) for share in (0.0, 0.5, 1.0))
    # v(π) = low + slope·π − bend·π²
    bend = 2.0 * (2.0 * middle - low - high)
    slope = high - low + bend
    top, most = slope / (2.0 * bend) if bend > 0 else 0.0, plan.largest
    at_most = high if most >= 1.0 else low + slope * most - bend * most * most
    inside = low + slope * top - bend * top * top if 0.0 < top < most else 0.0
    spread = math.sqrt(max(low, at_most, inside, 0.0))
    return max(_deviations(shares) * spread, _few(randomiser, plan, spread, shares))


def share_margin_at(plan: CollectionPlan, choice: ProtocolChoice, share: float) -> float:
    """The 95 % margin of the unbiased estimate of a share of this size: never wider than `share_margin`.

    Raises
    ------
    WorkbenchError
        As `share_margin`.

    Notes
    -----
    As there, with the variance at this share; where everybody else has one other value, which is the widest, too.
    Where few reports are moved, or two chances are not the whole law, it is the margin of the widest share.
    """
    widest, randomiser = share_margin(replace(plan, largest=1.0), choice), planned_randomiser(plan, choice)
    if not randomiser.one_by_one:
        return widest
    spread = math.sqrt(max(_variance(randomiser, plan, share), 0.0))
    return min(widest, max(_deviations(1) * spread, _few(randomiser, plan, spread, 1)))


def normal_margin_at(plan: CollectionPlan, choice: ProtocolChoice, share: float) -> float:
    """1.96 standard deviations of that estimate, which most people work out; nan where two chances are not its law."""
    randomiser = planned_randomiser(plan, choice)
    if not randomiser.one_by_one:
        return math.nan
    return _deviations(1) * math.sqrt(max(_variance(randomiser, plan, share), 0.0))


def widest_of(
    plan: CollectionPlan, randomiser: FrequencyRandomiser, counts: NDArray[np.number]
) -> tuple[int, float, float]:
    """Of which answer the margin of the unbiased share is widest where people are these; it, and 1.96 deviations.

    Parameters
    ----------
    counts
        People with each answer, in any scale, shape (domain size,).

    Raises
    ------
    WorkbenchError
        If there is no formula for it.

    Notes
    -----
    As `share_margin_at`, with the variance of each share for these very people, whoever else has which answer; where
    people are drawn it is linear in them, and so that of the average crowd.
    """
    shares = np.asarray(counts, dtype=np.float64) / float(np.sum(counts))
    drawn = shares * (1.0 - shares) / plan.people if plan.sampling else 0.0
    variances = _of_crowd(randomiser, shares * plan.users) / plan.users**2 + drawn
    answer = int(np.argmax(variances))
    spread = math.sqrt(max(float(variances[answer]), 0.0))
    if randomiser.one_by_one:
        normal = _deviations(1) * spread
        return answer, max(normal, _few(randomiser, plan, spread, 1)), normal
    step = (randomiser.step(plan.users) + float(plan.sampling)) / plan.users
    return answer, float(normal_or_wider(spread, np.max(step), _CHANCE)), _deviations(1) * spread


def _one_leaves_the_other(randomiser: FrequencyRandomiser, users: int) -> bool:
    """Whether there are two values whose estimates always add up to the people, so that both are off by as much."""
    if randomiser.domain_size != 2 or not randomiser.unbiased:
        return False
    together = randomiser.covariance(np.array([users, 0]))
    return together is not None and bool(np.abs(together.sum(axis=1)).max() <= _ROUNDING * np.abs(together).max())


def _of_any_law(randomiser: FrequencyRandomiser, plan: CollectionPlan, shares: int) -> float:
    """The margin where two chances are not the whole law, of the share and of the others for which it is widest."""
    drawn, whole = (0.25 / plan.people, 1.0) if plan.sampling else (0.0, 0.0)
    spread = np.sqrt(randomiser.worst_variance(plan.users) / plan.users**2 + drawn)
    step = (randomiser.step(plan.users) + whole) / plan.users
    return float(normal_or_wider(spread, step, 1.0 - (1.0 - _CHANCE) / shares).max())


def _deviations(shares: int) -> float:
    """So many standard deviations hold all shares of a normal distribution at once with 95 %."""
    return max(NormalDist().inv_cdf(1.0 - (1.0 - _CHANCE) / (2.0 * shares)), DEVIATIONS)


def margin_rule(plan: CollectionPlan, choice: ProtocolChoice) -> MarginRule:
    """By which rule `share_margin` is made.

    Raises
    ------
    WorkbenchError
        If the protocol cannot be used.
    """
    randomiser = planned_randomiser(plan, choice)
    if randomiser.unbiased and not randomiser.one_by_one:
        return MarginRule.ANY_LAW
    if randomiser.pure is None:
        return MarginRule.NORMAL
    return MarginRule.REPORTS if _together(plan) == 1.0 else MarginRule.PEOPLE


def _together(plan: CollectionPlan) -> float:
    """Reports that move at once, as those of a person do where people are drawn."""
    return plan.users / plan.people if plan.sampling else 1.0


def _few(randomiser: FrequencyRandomiser, plan: CollectionPlan, spread: float, shares: int) -> float:
    """The margin where a normal distribution would be too narrow, on the safe side; 0 where it is not.

    Reports are whole, so that a margin is up to half a report wider than a normal distribution says: between `_EXACT`
    and `_NORMAL` that fades, so that nothing jumps. Below, the law itself is taken, of two binomial numbers. Where
    people send several reports and are drawn, what moves is a person, a whole one to be safe.
    """
    miss, users, normal = (1.0 - _CHANCE) / shares, plan.users, _deviations(shares)
    if randomiser.pure is None:
        return 0.0
    p, q = randomiser.pure
    together = _together(plan)
    step = 1.0 if together == 1.0 else 1.0 + together * (p - q)
    deviation = spread * users * (p - q)
    fades = min(max((_NORMAL - deviation / step) / (_NORMAL - _EXACT), 0.0), 1.0)
    if fades == 1.0 and step == 1.0:
        return max(_reach(users, share, plan.sampling, p, q, miss) for share in _SHARES) / (users * (p - q))
    least = 0.5 if step == 1.0 else step
    return (normal * deviation + least * fades) / (users * (p - q)) if fades else 0.0


def _reach(users: int, share: float, drawn: bool, p: float, q: float, miss: float) -> float:
    """Of the number of reports that support a value of this share; where people are drawn, each supports it alike."""
    if drawn:
        return reach_of_two((users, q + share * (p - q)), (0, q), miss)
    mine = round(share * users)
    return reach_of_two((mine, p), (users - mine, q), miss)


def margin_or_none(plan: CollectionPlan, choice: ProtocolChoice) -> float:
    """`share_margin`, nan where a protocol has none or cannot be used."""
    try:
        return share_margin(plan, choice)
    except WorkbenchError:
        return math.nan


def sampling_margin(plan: CollectionPlan, share: float = 0.5) -> float:
    """The 95 % margin of a share by drawing those who are asked alone; that of one half is the widest."""
    return DEVIATIONS * math.sqrt(share * (1.0 - share) / plan.people)


def left_open(choice: ProtocolChoice) -> str:
    """What a protocol leaves open, by its name; "" where nothing is."""
    open_ = choice.protocol.left_open
    return "" if open_ is None or choice.values.get(open_.name, 0) else open_.name


def with_open(choice: ProtocolChoice) -> ProtocolChoice:
    """The protocol with left open what can be."""
    open_ = choice.protocol.left_open
    if open_ is None:
        return choice
    kept = {name: value for name, value in choice.values.items() if name != open_.name}
    return replace(choice, values=MappingProxyType(kept))


def set_for_margin(plan: CollectionPlan, choice: ProtocolChoice) -> ProtocolChoice:
    """The protocol with what was left open set for the least margin of each share, else as it is.

    Left to itself it is set for rare values or for all together, and the widest margin is that of one many have.
    """
    open_ = choice.protocol.left_open
    if open_ is None or not left_open(choice) or math.isnan(margin_or_none(plan, choice)):
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


def is_among(plan: CollectionPlan, usual: ProtocolChoice, choices: Iterable[ProtocolChoice]) -> bool:
    """Whether a protocol is one of these as it would be set here.

    What may be left open was perhaps set for another ε, and then it is not.
    """
    same = [one for one in choices if one.identifier == usual.identifier]
    open_ = usual.protocol.left_open
    if open_ is None or not same:
        return bool(same)
    here = open_.usual(plan.domain_size + further_of(plan, usual), plan.epsilon)
    return any(one.values.get(open_.name, 0) in (0, here) for one in same)


def margin_together(margin: float, shares: int) -> float:
    """`share_margin` of all shares at once, where each by itself is within `margin` and reports are many."""
    return margin * _deviations(shares) / DEVIATIONS


def has_margin(plan: CollectionPlan, choice: ProtocolChoice) -> bool:
    """Whether there is a formula for a protocol, and it can be used."""
    return not math.isnan(margin_or_none(plan, choice))


def _variance(randomiser: FrequencyRandomiser, plan: CollectionPlan, share: float) -> float:
    """Of the estimate of a share, where everybody else has one other value."""
    crowd = np.zeros(randomiser.domain_size)
    crowd[0], crowd[1] = share * plan.users, (1.0 - share) * plan.users
    drawn = share * (1.0 - share) / plan.people if plan.sampling else 0.0
    return float(_of_crowd(randomiser, crowd)[0]) / plan.users**2 + drawn


def _of_crowd(randomiser: FrequencyRandomiser, crowd: Floats) -> Floats:
    """Variances of the estimated numbers of people with each answer, of so many with each, shape (domain size,)."""
    found = randomiser.variance(crowd) if randomiser.unbiased else None
    if found is None:
        raise WorkbenchError(
            f"{randomiser.protocol} has no formula for the margin of a share.",
            hint="Choose another protocol, or another error.",
            field="protocol",
        )
    return found
