"""Utility of a channel and the gain of an adversary: expected error, and the best guess before and after.

Posterior vulnerability after Alvim et al.: The Science of Quantitative Information Flow, 2020.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.exact import parse_fraction
from workbench.core.worded import Worded
from workbench.mechanisms.channel import Channel

Number = Fraction | float


class LossFunction(Worded):
    """The cost of an answer that is off."""

    ABSOLUTE = "absolute", "distance from the truth"
    """|input − output|; both must be numbers."""
    SQUARED = "squared", "its square"
    WRONG = "wrong", "1 for a wrong answer"
    """1 if the output is not the input."""


@dataclass(frozen=True)
class Utility:
    """Fractions where channel and prior are fractions, else floats.

    Parameters
    ----------
    prior
        Probability of every input before anything is seen.
    loss, expected_error
        The loss, and its expectation when the output is taken as the answer; None if inputs and outputs cannot be
        compared.
    guess_before
        Chance that the best guess of the input is right before the output is seen: the largest prior.
    guess_after
        The same after it is seen: Σ over outputs of max over inputs of prior · P(output | input).
    """

    prior: tuple[Fraction, ...]
    loss: LossFunction
    expected_error: Number | None
    guess_before: Fraction
    guess_after: Number

    @property
    def gain(self) -> Number:
        """By which factor the guess became better; at most e^ε where all inputs are neighbours."""
        return self.guess_after / self.guess_before


def utility(channel: Channel, prior: Sequence[Fraction], loss: LossFunction) -> Utility:
    """Expected error and vulnerability under a prior.

    Parameters
    ----------
    prior
        One probability per input, as `parse_prior` gives them.
    """
    error = _expected_error(channel, prior, loss)
    after: Number
    if channel.exact is not None:
        columns = zip(*channel.exact, strict=True)
        after = sum((max(p * q for p, q in zip(prior, column, strict=True)) for column in columns), Fraction(0))
    else:
        weights = np.array([float(p) for p in prior])
        after = float((weights[:, None] * channel.floats).max(axis=0).sum())
    return Utility(tuple(prior), loss, error, max(prior), after)


def comparable(channel: Channel, loss: LossFunction) -> bool:
    """Whether an output of this channel can be an answer about its input under the loss."""
    if loss is LossFunction.WRONG:
        return bool(set(channel.inputs) & set(channel.outputs))
    return channel.input_numbers is not None and channel.output_numbers is not None


def _expected_error(channel: Channel, prior: Sequence[Fraction], loss: LossFunction) -> Number | None:
    if not comparable(channel, loss):
        return None
    if channel.exact is None:
        return _float_error(channel, prior, loss)
    if loss is LossFunction.WRONG:
        right = sum(
            (
                p * row[channel.outputs.index(name)]
                for p, name, row in zip(prior, channel.inputs, channel.exact, strict=True)
                if name in channel.outputs
            ),
            Fraction(0),
        )
        return 1 - right
    answers = [Fraction(name) for name in channel.outputs]
    total = Fraction(0)
    for weight, name, row in zip(prior, channel.inputs, channel.exact, strict=True):
        truth = Fraction(name)
        if weight:
            total += weight * sum(p * _cost(truth - answer, loss) for p, answer in zip(row, answers, strict=True))
    return total


def _cost(off: Fraction, loss: LossFunction) -> Fraction:
    return abs(off) if loss is LossFunction.ABSOLUTE else off * off


def _float_error(channel: Channel, prior: Sequence[Fraction], loss: LossFunction) -> float:
    if loss is LossFunction.WRONG:
        cost = np.array([[float(a != b) for b in channel.outputs] for a in channel.inputs])
    else:
        assert channel.input_numbers is not None and channel.output_numbers is not None
        off = np.abs(channel.input_numbers[:, None] - channel.output_numbers[None, :])
        cost = off if loss is LossFunction.ABSOLUTE else off**2
    weights = np.array([float(p) for p in prior])
    return float(weights @ (channel.floats * cost).sum(axis=1))


def parse_prior(text: str, channel: Channel) -> tuple[Fraction, ...]:
    """Read a prior: "uniform" or nothing, one weight per input (`1/2, 1/4, 1/4` or `2 1 1`), or the name of an input.

    Weights are scaled to sum to 1; the name of an input means that it is certain.

    Raises
    ------
    WorkbenchError
        If there are not as many weights as inputs, or they are no weights.
    """
    count = len(channel.inputs)
    plain = text.strip()
    if plain.lower() in ("", "uniform"):
        return (Fraction(1, count),) * count
    parts = plain.replace(",", " ").replace(";", " ").split()
    if len(parts) != count and plain in channel.inputs:
        certain = channel.input_index(plain)
        return tuple(Fraction(int(place == certain)) for place in range(count))
    if len(parts) != count:
        raise WorkbenchError(
            f"The prior has {len(parts):,} weights, and there are {count:,} inputs.",
            hint="Give one weight per input, the name of one input, or uniform.",
            field="prior",
        )
    weights = [parse_fraction(part, field="prior") for part in parts]
    total = sum(weights, Fraction(0))
    if min(weights) < 0 or total == 0:
        raise WorkbenchError(
            "The weights of a prior must not be negative, nor all 0.", hint="Write such as 2 1 1.", field="prior"
        )
    return tuple(weight / total for weight in weights)
