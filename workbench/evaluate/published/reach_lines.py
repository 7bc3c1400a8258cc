"""The ε that distance-sensitive encoding spends where its reach comes near the number of values, or goes beyond it."""

from __future__ import annotations

import math

from workbench.core.number_text import estimate, with_places
from workbench.evaluate.published.entry import FigureOutcome
from workbench.evaluate.published.local_runs import BINS, LN20
from workbench.evaluate.published.originals import distance_sensitive
from workbench.ldp.choice import ProtocolChoice


def _spent(values: int, epsilon: float) -> float:
    """The ε that is spent of the one that is asked for."""
    return ProtocolChoice.parse("ds").frequency(values, epsilon).epsilon or 0.0


def too_far(outcome: FigureOutcome) -> str:
    """What the published rules come to where the reach is longer than the domain."""
    values, theta = 2, distance_sensitive.reach_of(LN20)
    true = distance_sensitive.level(values, theta)
    chances = ProtocolChoice.parse("ds").frequency(values, LN20).channel()
    assert chances is not None
    return (
        f"The text asks for a reach of at most d (p. 56). With {values} values ε = ln 20 gives θ = {theta}; by the "
        f"formula of p. 54–55 the true value is then reported with a probability of {estimate(true, 3)}, "
        f"{'less' if true < 1 / 2 else 'more'} often than the false one; with θ = {values}, the largest that the text "
        f"allows, it would be {estimate(distance_sensitive.level(values, values), 3)}. In the charts θ stays {theta}, "
        "but no distance beyond d counts: the true value then has a probability of "
        f"{estimate(float(chances[0, 0]), 3)}, and of ε = {with_places(LN20, 2)} only "
        f"{estimate(_spent(values, LN20), 2)} is spent. With 5 values it spends {with_places(_spent(5, LN20), 2)}."
    )


def left_over(*reaches: int) -> str:
    """What is not spent of the ε of reaches longer than half of the domain."""
    asked = [math.log(theta * (theta + 1)) for theta in reaches]
    at, of, only = (
        " and ".join(several)
        for several in (
            map(str, reaches),
            (with_places(epsilon, 2) for epsilon in asked),
            (with_places(_spent(BINS, epsilon), 2) for epsilon in asked),
        )
    )
    return (
        f"At θ = {at} the other protocols spend all of ε = {of}, distance-sensitive encoding only {only}: "
        "what its reach has beyond the ends of the domain is by p. 57 "
        "shared among the false values, so that the least likely of them are likelier."
    )
