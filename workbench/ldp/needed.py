"""The fewest people, or the smallest ε, with which an error is expected to be reached."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.participation import further_of, planned_randomiser, simpler_of
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.prediction import MOST_USERS, expected_error
from workbench.ldp.protocol import LARGEST_EPSILON, SMALLEST_EPSILON
from workbench.ldp.share_margin import MARGIN, has_margin, left_open, set_for_margin, share_margin
from workbench.ldp.simulation import METRICS

TARGETS = (*METRICS, MARGIN)
"""Targets that can be asked for: an expected error, or the widest margin of a share."""
_CLEARLY = 0.03
"""How much less another protocol must need to be named instead of one that comes before it, if by simulation."""

_STEPS = 64
"""A number that is left open and larger than this is not looked at: its steps are too small to be seen."""
_STEP = 0.001
"""Searches by halves stop at this relative accuracy; what they found is then brought down to the least."""
_EXACTLY = 1e-9
"""An ε is brought down to this part of itself, far below what is printed of it."""


def fewest_users(
    plan: CollectionPlan, choices: Sequence[ProtocolChoice], metric: str, target: float, *, tuned: bool = False
) -> tuple[int, ProtocolChoice]:
    """The smallest number of people for which one of the protocols is expected to err by at most `target`, and which.

    Parameters
    ----------
    tuned
        Whether what a protocol leaves open is set for a margin, where that is what is to be reached.

    Raises
    ------
    WorkbenchError
        If none can be used, or not even 10⁹ people suffice.
    """
    _check(metric, target)
    choices = _known(plan, choices, metric)
    tuned = tuned and metric == MARGIN

    def wrong(users: float, choice: ProtocolChoice) -> float:
        return _error(_with(plan, users=round(users)), choice, metric, tuned=tuned)

    found = _least(wrong, choices, 1.0, float(MOST_USERS), target, metric)
    if found is None:
        raise WorkbenchError(
            f"Not even {MOST_USERS:,} people bring the error of {_named(choices)} to {exact(target)}.",
            hint="Allow a larger error or a larger ε, or use fewer values.",
            field="target",
        )
    people, least = math.ceil(found[0]), found[1]
    while wrong(people, least) > target and people < MOST_USERS:  # as of few who are drawn, which is simulated
        people = min(math.ceil(people * (1.0 + _STEP)), MOST_USERS)
    people = fewest_below(partial(_of, wrong, least), people, target)
    for other in choices if metric == MARGIN else ():  # one may do with less by less than a search tells apart
        if people > 1 and wrong(people - 1, other) <= target:
            people, least = fewest_below(partial(_of, wrong, other), people - 1, target), other
    by = set_for_margin(_with(plan, users=people), least) if tuned else least
    return people, _simplest(plan, by, choices)


def least_epsilon(
    plan: CollectionPlan, choices: Sequence[ProtocolChoice], metric: str, target: float, *, tuned: bool = False
) -> tuple[float, ProtocolChoice]:
    """The smallest ε at which one of the protocols is expected to err by at most `target`, and which.

    Parameters
    ----------
    tuned
        As of `fewest_users`; at each ε anew.

    Raises
    ------
    WorkbenchError
        If the ε of each follows from its parameters, none can be used, or no ε up to 20 suffices.
    """
    _check(metric, target)
    choices = _known(plan, choices, metric)
    free = [choice for choice in choices if not choice.own_epsilon]
    tuned = tuned and metric == MARGIN
    if choices and not free:
        raise WorkbenchError(
            f"The ε of {_named(choices)} follows from its parameters.",
            hint="Change the parameters, or choose another protocol.",
            field="protocol",
        )

    def wrong(epsilon: float, choice: ProtocolChoice) -> float:
        try:
            return _error(_with(plan, epsilon=epsilon), choice, metric, tuned=tuned)
        except WorkbenchError:
            return math.inf  # it does not exist at so small an ε

    low, high = max(0.01, SMALLEST_EPSILON), min(20.0, LARGEST_EPSILON)
    falling: Callable[[float, ProtocolChoice], float] = wrong
    if metric == MARGIN and not tuned:
        falling = _never_rising(wrong, free, plan, low, high)
    found = _least(falling, free, low, high, target, metric)
    if found is None:
        raise WorkbenchError(
            f"No ε up to 20 brings the error of {_named(free)} to {exact(target)}.",
            hint="Allow a larger error, ask more people, or use fewer values.",
            field="target",
        )
    least = found[0]
    if metric == MARGIN:  # by formula, so that it costs nothing to come closer
        least = _least_below(partial(_of, falling, found[1]), low, least, target)
    there = _with(plan, epsilon=least)
    return least, _simplest(there, set_for_margin(there, found[1]) if tuned else found[1], free)


def _never_rising(
    wrong: Callable[[float, ProtocolChoice], float],
    choices: Sequence[ProtocolChoice],
    plan: CollectionPlan,
    low: float,
    high: float,
) -> Callable[[float, ProtocolChoice], float]:
    """The least error at an ε or below, for a margin that rises where what a protocol leaves open is set anew.

    Both come to what is to be reached at the same ε first, and only this one can be searched by halves.
    """
    before = {id(choice): _before_steps(wrong, choice, plan, low, high) for choice in choices}

    def least(epsilon: float, choice: ProtocolChoice) -> float:
        return min([wrong(epsilon, choice), *(error for step, error in before[id(choice)] if step <= epsilon)])

    return least


def _before_steps(
    wrong: Callable[[float, ProtocolChoice], float],
    choice: ProtocolChoice,
    plan: CollectionPlan,
    low: float,
    high: float,
) -> list[tuple[float, float]]:
    """Where a number that is left open falls with ε, each ε just before it does, and the error there."""
    open_ = choice.protocol.left_open
    if open_ is None or not left_open(choice):
        return []
    size = plan.domain_size + further_of(plan, choice)
    found, here = list[tuple[float, float]](), low
    if not open_.usual(size, high) < open_.usual(size, low) <= _STEPS:
        return []
    while open_.usual(size, here) > open_.usual(size, high):
        start, number, end = here, open_.usual(size, here), high
        while math.nextafter(start, high) < end:
            middle = (start + end) / 2.0
            start, end = (middle, end) if open_.usual(size, middle) >= number else (start, middle)
        found.append((start, wrong(start, choice)))
        here = end
    return found


def _simplest(plan: CollectionPlan, choice: ProtocolChoice, choices: Sequence[ProtocolChoice]) -> ProtocolChoice:
    """The protocol, or the simpler one among those asked that it is here."""
    simpler = simpler_of(plan, planned_randomiser(plan, choice))
    return next((one for one in choices if one.identifier == simpler and not one.values), choice)


def _error(plan: CollectionPlan, choice: ProtocolChoice, metric: str, *, tuned: bool) -> float:
    if metric != MARGIN:
        return expected_error(plan, choice, metric)
    return share_margin(plan, set_for_margin(plan, choice) if tuned else choice)


def _known(plan: CollectionPlan, choices: Sequence[ProtocolChoice], metric: str) -> Sequence[ProtocolChoice]:
    """Those of which it can be said; all of them, so that it is said why, where it is none."""
    known = [one for one in choices if has_margin(plan, one)] if metric == MARGIN else choices
    return known or choices


def _named(choices: Sequence[ProtocolChoice]) -> str:
    return choices[0].protocol.title if len(choices) == 1 else "any protocol"


def _least(
    wrong: Callable[[float, ProtocolChoice], float],
    choices: Sequence[ProtocolChoice],
    low: float,
    high: float,
    target: float,
    metric: str,
) -> tuple[float, ProtocolChoice] | None:
    """Where the first of several falling errors is at most `target`, and whose it is; None if none is up to `high`."""
    best: tuple[float, ProtocolChoice] | None = None
    clearly = _STEP if metric == MARGIN else _CLEARLY
    for choice in choices:
        of = partial(_of, wrong, choice)
        if best is None:
            found = smallest(of, low, high, target)
        else:
            # Most cannot do with less than what was found for another one, which a single question tells; what hardly
            # less is, may be so by chance.
            less = best[0] * (1.0 - clearly)
            if best[0] <= low or (error := of(less)) > target:
                continue
            found = _from_above(of, low, (max(less, low), error), target)
        if found is not None:
            best = found, choice
    return best


def _of(wrong: Callable[[float, ProtocolChoice], float], choice: ProtocolChoice, value: float) -> float:
    return wrong(value, choice)


def _with(plan: CollectionPlan, *, users: int | None = None, epsilon: float | None = None) -> CollectionPlan:
    return replace(
        plan,
        users=plan.users if users is None else max(users, 1),
        epsilon=plan.epsilon if epsilon is None else epsilon,
    )


def smallest(wrong: Callable[[float], float], low: float, high: float, target: float) -> float | None:
    """Where a falling error first is at most `target`; None if not up to `high`. It is found to 0.1 %, from above.

    Notes
    -----
    On logarithmic scales such errors are nearly straight lines: where the line through both ends meets the target is
    asked next, and every third time the middle, so that an error of any shape is found.
    """
    below = wrong(low)
    if below <= target:
        return low
    # Doubling from below asks about few people first, which is what is cheap to answer.
    while low < high:
        reach = min(low * 4.0, high)
        above = wrong(reach)
        if above <= target:
            return _between(wrong, (low, below), (reach, above), target)
        low, below = reach, above
    return None


def fewest_below(wrong: Callable[[float], float], enough: int, target: float) -> int:
    """The fewest people that suffice, at or little below a number that does; see `smallest`."""
    if wrong(enough) > target:
        return enough
    step = max(math.ceil(enough * _STEP), 1)
    low = enough - step
    while low > 0 and wrong(low) <= target:
        enough, step = low, 2 * step
        low = enough - step
    low = max(low, 0)
    while enough - low > 1:
        middle = (low + enough) // 2
        low, enough = (low, middle) if wrong(middle) <= target else (middle, enough)
    return enough


def _least_below(wrong: Callable[[float], float], least: float, enough: float, target: float) -> float:
    """The same of ε, from the least there is."""
    low = max(enough / (1.0 + _STEP) ** 2, least)
    while low > least and wrong(low) <= target:
        enough, low = low, max(low / (1.0 + _STEP), least)
    if wrong(low) <= target:
        return low
    while enough > low * (1.0 + _EXACTLY):
        middle = math.sqrt(low * enough)
        low, enough = (low, middle) if wrong(middle) <= target else (middle, enough)
    return enough


def _from_above(wrong: Callable[[float], float], low: float, enough: tuple[float, float], target: float) -> float:
    """The same where something is known to be enough, with its error: most others need nearly as much."""
    high, above = enough
    while high > low:
        reach = max(high / 4.0, low)
        below = wrong(reach)
        if below > target:
            return _between(wrong, (reach, below), (high, above), target)
        high, above = reach, below
    return high


def _between(
    wrong: Callable[[float], float], left: tuple[float, float], right: tuple[float, float], target: float
) -> float:
    """Where the error first is at most `target`, from above, between what is too little and what is enough."""
    for turn in itertools.count(1):
        low, high = left[0], right[0]
        if high <= low * (1.0 + _STEP):
            break
        middle = math.sqrt(low * high) if turn % 3 == 0 else _crossing(left, right, target)
        error = wrong(middle)
        if error <= target:
            right = middle, error
        else:
            left = middle, error
    return right[0]


def _crossing(left: tuple[float, float], right: tuple[float, float], target: float) -> float:
    """Where a line through two errors meets the target on logarithmic scales, inside both by half of what is exact."""
    (low, below), (high, above) = left, right
    part = 0.5
    if 0.0 < above < below < math.inf:
        part = math.log(below / target) / math.log(below / above)
    margin = 1.0 + _STEP / 2.0
    return min(max(low * math.pow(high / low, part), low * margin), high / margin)


def _check(metric: str, target: float) -> None:
    if metric not in TARGETS:
        raise WorkbenchError(f"“{metric}” is no error.", hint=f"Known are: {', '.join(TARGETS)}.", field="metric")
    if not target > 0:
        raise WorkbenchError("The error to reach must be above 0.", hint="Give a number above 0.", field="target")
