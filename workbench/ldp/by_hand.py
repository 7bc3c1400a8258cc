"""Chances that people can draw with coins and dice, and the ε near the one that is asked for that those come to.

A program draws 731,058 of 1,000,000; on paper or at the telephone nobody can. What is offered in its place says its own
ε exactly, as the logarithm of a fraction, and a larger one than is asked for is never offered without that being said.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from workbench.core.amount_text import float_amount
from workbench.core.errors import WorkbenchError

_SAME = 1e-9
"""Of a chance or of what is left of it, what computing with ε as a decimal number leaves open: 0.75 of ε = ln 3."""
_SECRETLY = "and show it to nobody"


@dataclass(frozen=True)
class HandDraw:
    """A way to draw a chance by hand.

    Parameters
    ----------
    chance
        Exactly.
    device
        What is tossed or rolled, as "two coins".
    draw
        What a person does, in a sentence.
    hit, missed
        When the chance has come, and when it has not, as the beginnings of what a person does then.
    plain
        Whether it is one that everybody has, or has read at a glance.
    """

    chance: Fraction
    device: str
    draw: str
    hit: str
    missed: str
    plain: bool = True


@dataclass(frozen=True)
class HandOffer:
    """An ε at which people can draw their reports by hand.

    Parameters
    ----------
    drawn
        How.
    ratio
        e^ε exactly.
    epsilon
        ε as a decimal number, never less than ln `ratio`.
    larger
        Whether that is more than is asked for.
    """

    drawn: HandDraw
    ratio: Fraction
    epsilon: float
    larger: bool


def _draws() -> Iterator[HandDraw]:
    yield HandDraw(Fraction(1, 2), "a coin", f"Toss a coin, {_SECRETLY}.", "With heads", "with tails")
    for number, word in ((2, "two"), (3, "three")):
        device = f"{word} coins"
        draw = f"Toss {device}, and show them to nobody."
        yield HandDraw(1 - Fraction(1, 2**number), device, draw, "With a head among them", "with none")
    for sides, word in ((6, "six"), (10, "ten")):
        device = f"a {word}-sided die"
        zero = "; 0 counts as 10" if sides == 10 else ""
        for number in range(1, sides):
            draw = f"Roll {device}, {_SECRETLY}{zero}."
            yield HandDraw(Fraction(number, sides), device, draw, f"Up to {number}", "above it")
    device = "two ten-sided dice"
    for number in range(1, 100):
        draw = f"Roll {device}, one for the tens, and show them to nobody; 00 counts as 100."
        yield HandDraw(Fraction(number, 100), device, draw, f"Up to {number}", "above it", plain=False)


_KNOWN: dict[Fraction, HandDraw] = {}
for _one in _draws():
    _KNOWN.setdefault(_one.chance, _one)  # the first is the simplest
DRAWS = tuple(sorted(_KNOWN.values(), key=lambda one: one.chance))
"""Every chance that is drawn by hand, each in its simplest way, rising."""


def by_hand(chance: float) -> HandDraw | None:
    """How a chance is drawn by hand; None where coins and dice do not have it.

    >>> by_hand(0.75).device, by_hand(0.7).device, by_hand(0.7310585786300049)
    ('two coins', 'a ten-sided die', None)
    """
    return next((one for one in DRAWS if _is(chance, one.chance)), None)


def _is(chance: float, known: Fraction) -> bool:
    return abs(chance - known) <= _SAME * min(known, 1 - known)


def hand_offers(chances: Iterator[tuple[HandDraw, Fraction]], epsilon: float) -> tuple[HandOffer, ...]:
    """Up to three ε near the one that is asked for at which reports can be drawn by hand, the smallest first.

    Parameters
    ----------
    chances
        Draws, and e^ε of a protocol that uses them.
    epsilon
        The one that is asked for.

    Returns
    -------
    tuple of HandOffer
        The next smaller one with coins or a die; with two dice where that is nearer; and the next larger one.
    """
    found = sorted(_offers(chances, epsilon), key=lambda one: one.epsilon)
    smaller = [one for one in found if not one.larger]
    plain = [one for one in smaller if one.drawn.plain][-1:]
    nearest = [one for one in smaller[-1:] if one not in plain]
    larger = [one for one in found if one.larger and one.drawn.plain][:1]
    return (*plain, *nearest, *larger)


def _offers(chances: Iterator[tuple[HandDraw, Fraction]], epsilon: float) -> Iterator[HandOffer]:
    for drawn, ratio in chances:
        if ratio > 1:
            try:
                own = float_amount(f"ln({ratio})")
            except WorkbenchError:  # out of all bounds
                continue
            if math.isfinite(own):
                yield HandOffer(drawn, ratio, own, own > epsilon)


def set_ratio(chance: Fraction, size: int, of: int) -> Fraction:
    """e^ε of a set of so many of all answers that has the true one with a chance, else without it.

    Notes
    -----
    Each set with the true answer has the chance p ÷ C(d − 1, k − 1), each other one (1 − p) ÷ C(d − 1, k), so that the
    ratio is p (d − k) ÷ (k (1 − p)); with k = 1 it is direct encoding, and with d = 2 randomised response.
    """
    return chance * (of - size) / (size * (1 - chance))
