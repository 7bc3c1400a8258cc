"""Facts about a protocol with all its numbers fixed, without anybody's data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.ldp.by_hand import DRAWS, HandDraw, HandOffer, by_hand, hand_offers, set_ratio
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimation import EstimationMethod
from workbench.ldp.mean_randomiser import MeanRandomiser
from workbench.ldp.protocol import FrequencyRandomiser

MOST_CELLS = 1 << 12
"""Channels larger than this are not listed."""

_GRID = 201


@dataclass(frozen=True, eq=False)
class ProtocolFacts:
    """Exact figures of one protocol for a domain and an ε.

    Parameters
    ----------
    epsilon
        The real ε of all that one person sends.
    asked
        The ε that was asked for; None if it follows from the parameters.
    p, q
        The chance that a report supports the true value, and any one other; None for a protocol that has none.
    channel
        P(output | value), shape (domain size, outputs), if there are few enough; None otherwise.
    bits
        Bits that one person sends.
    columns
        Header of the reports as a file.
    rare, frequent
        Exact standard deviations of the unbiased estimate of a value that nobody has, and of one that everybody has,
        in people; None if there is no closed form or a mean is estimated.
    worst, middle
        For a mean in [−1, 1]: standard deviations if everybody has the worst value, and the middle one; else None.
    margin
        The 95 % margin of the unbiased estimate of each share by itself, as a share; None if there is no formula, or a
        mean is estimated.
    together
        That of all shares at once.
    expected
        What is added of a share to expect where `margin` is told; "" where nothing is.
    estimator, postprocess
        The way to estimate it, by identifier; "" for means.
    came_to
        What parameters that follow from ε and the number of values came to, in a sentence; "" if there are none.
    instruction
        What a person who answers does, with these chances; "" where the answers are not named.
    offers
        ε near the one that is asked for at which people can draw their reports with coins or dice; none where they can
        do so as it is, or never.
    named
        How many answers each report names; 0 where it names none.
    apart
        How many further answers there are behind those of the domain, which those who take no part give; in all
        figures, and in the matrix the last row.
    """

    choice: ProtocolChoice
    domain_size: int
    users: int
    epsilon: float
    asked: float | None
    p: float | None
    q: float | None
    channel: NDArray[np.float64] | None
    bits: float
    columns: tuple[str, ...]
    rare: float | None = None
    frequent: float | None = None
    worst: float | None = None
    middle: float | None = None
    margin: float | None = None
    together: float | None = None
    expected: str = ""
    estimator: str = ""
    postprocess: str = ""
    came_to: str = ""
    instruction: str = ""
    named: int = 0
    apart: int = 0
    offers: tuple[HandOffer, ...] = ()


def protocol_facts(
    choice: ProtocolChoice,
    domain_size: int,
    epsilon: float,
    users: int,
    method: EstimationMethod,
    *,
    apart: int = 0,
    answers: Sequence[str] = (),
) -> ProtocolFacts:
    """Work the figures out.

    Parameters
    ----------
    named
        How many answers each report names; 0 where it names none.
    apart
        How many further answers the protocol has for those who take no part.
    answers
        What all of them are called, for the instruction; none are needed for a mean.

    Raises
    ------
    WorkbenchError
        If the protocol cannot be built for this domain and ε, or the estimator does not go with it.
    """
    built = choice.build(domain_size + apart, epsilon)
    asked = None if choice.own_epsilon else epsilon
    if isinstance(built, MeanRandomiser):
        spread = np.sqrt(built.variance(np.linspace(-1.0, 1.0, _GRID)) / users)
        return ProtocolFacts(
            choice, 0, users, built.epsilon, asked, None, None, None, built.bits, tuple(built.columns),
            worst=float(spread.max()), middle=float(spread[_GRID // 2]), instruction=built.instruction(()),
        )  # fmt: skip
    assert isinstance(built, FrequencyRandomiser)
    crowd = np.zeros(domain_size + apart, dtype=np.int64)
    crowd[0] = users
    variance = built.variance(crowd)
    p, q = built.pure or (None, None)
    estimator = method.estimator_for(built)
    return ProtocolFacts(
        choice, domain_size, users, built.epsilon, asked, p, q, _channel(built), built.bits, tuple(built.columns),
        None if variance is None else math.sqrt(max(float(variance[-1]), 0.0)),
        None if variance is None else math.sqrt(max(float(variance[0]), 0.0)),
        estimator=estimator.identifier, postprocess=method.postprocess_for(estimator).identifier,
        came_to=built.came_to, instruction=built.instruction(answers) if answers else "", apart=apart,
        named=built.answers_named or 0,
        offers=offers_by_hand(choice, built) if answers and asked is not None else (),
    )  # fmt: skip


def offers_by_hand(choice: ProtocolChoice, built: FrequencyRandomiser) -> tuple[HandOffer, ...]:
    """Offers of a protocol whose report is one set that is drawn by one chance, where that is not drawn by hand yet."""
    asked = built.asked
    if built.set_drawn is None or asked is None or by_hand(built.set_drawn[1]) is not None:
        return ()
    size = built.set_drawn[0]

    def chances() -> Iterator[tuple[HandDraw, Fraction]]:
        for one in DRAWS:
            yield one, set_ratio(one.chance, size, built.domain_size)

    offers = hand_offers(chances(), asked)
    return tuple(one for one in offers if _holds(choice, built.domain_size, one))


def _holds(choice: ProtocolChoice, size: int, offer: HandOffer) -> bool:
    """Whether the protocol is set to that draw at the ε of the offer, and not to sets of another size."""
    drawn = choice.frequency(size, offer.epsilon).set_drawn
    return drawn is not None and by_hand(drawn[1]) == offer.drawn


def _channel(built: FrequencyRandomiser) -> NDArray[np.float64] | None:
    """The matrix, for a protocol whose outputs are few whatever the parameters."""
    if not built.tabulated or built.domain_size**2 > MOST_CELLS:
        return None
    found = built.channel()
    return found if found is not None and found.size <= 4 * MOST_CELLS else None
