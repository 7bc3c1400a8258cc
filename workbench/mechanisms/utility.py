"""Utility of a channel and the gain of an adversary: expected error, and the best guess before and after.

Posterior vulnerability and Bayes capacity after Alvim et al.: The Science of Quantitative Information Flow, 2020.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.exact import parse_fraction
from workbench.core.worded import Worded
from workbench.mechanisms.channel import Channel

Number = Fraction | float

_DUST = 1e-9
_FEW = 6
_QUOTED = 40


class LossFunction(Worded):
    """The cost of an answer that is off."""

    ABSOLUTE = "absolute", "distance from the truth"
    """|input − output|; both must be numbers."""
    SQUARED = "squared", "its square"
    WRONG = "wrong", "1 for a wrong answer"
    """1 if the output is not the input."""


@dataclass(frozen=True)
class Posterior:
    """Chance of an input once an output was seen.

    Parameters
    ----------
    chance
        P(input | output) = prior · P(output | input) / Σ over all inputs of the same.
    input, output
        Their names.
    """

    chance: Number
    input: str
    output: str


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
        The same after it is seen, on average over outputs: Σ over outputs of max over inputs of
        prior · P(output | input).
    surest
        The largest posterior of any input after any output that can come out under the prior; `guess_after` is the
        average of the largest ones of each output, and never above it.
    capacity
        The largest `gain` under any prior, which the uniform one has: Σ over outputs of max over inputs of
        P(output | input). At most `best_gain` where all inputs are neighbours.
    """

    prior: tuple[Fraction, ...]
    loss: LossFunction
    expected_error: Number | None
    guess_before: Fraction
    guess_after: Number
    surest: Posterior
    capacity: Number

    @property
    def gain(self) -> Number:
        """By which factor the guess became better on average over outputs; at most `capacity`."""
        return self.guess_after / self.guess_before


def utility(channel: Channel, prior: Sequence[Fraction], loss: LossFunction) -> Utility:
    """Expected error and vulnerability under a prior.

    Parameters
    ----------
    prior
        One probability per input, as `parse_prior` gives them.
    """
    error = _expected_error(channel, prior, loss)
    guesses = _exact_guesses if channel.exact is not None else _float_guesses
    return Utility(tuple(prior), loss, error, max(prior), *guesses(channel, prior))


def best_gain(odds: Number, inputs: int) -> Number:
    """The largest `capacity` of a mechanism of n inputs, all of them neighbours, with e^ε = `odds`.

    Notes
    -----
    n·e^ε ÷ (e^ε + n − 1), which randomised response has: where an output has chance m for one input, it has at least
    m ÷ e^ε for each other one, and over all outputs these chances sum to n.

    >>> best_gain(Fraction(3), 2)
    Fraction(3, 2)
    """
    return inputs * odds / (odds + (inputs - 1))


def posteriors(channel: Channel, prior: Sequence[Fraction]) -> list[list[Number | None]]:
    """Chance of every input after each output, a list per input; None after an output that cannot come out.

    >>> from workbench.mechanisms.channel import Channel
    >>> third = Fraction(1, 3)
    >>> two = Channel.of_fractions(["a", "b"], ["x", "y"], [[1 - third, third], [third, 1 - third]])
    >>> posteriors(two, [Fraction(1, 2), Fraction(1, 2)])[0]
    [Fraction(2, 3), Fraction(1, 3)]
    """
    table: Sequence[Sequence[Number]] = channel.floats.tolist() if channel.exact is None else channel.exact
    joint = [[weight * chance for chance in row] for weight, row in zip(prior, table, strict=True)]
    totals = [sum(column) for column in zip(*joint, strict=True)]
    return [[chance / total if total else None for chance, total in zip(row, totals, strict=True)] for row in joint]


def _exact_guesses(channel: Channel, prior: Sequence[Fraction]) -> tuple[Fraction, Posterior, Fraction]:
    """The best guess after the output, the surest one, and the capacity, in whole numbers over one denominator."""
    common, rows = channel.whole
    parts = math.lcm(*(p.denominator for p in prior))
    weights = [p.numerator * (parts // p.denominator) for p in prior]
    after = capacity = 0
    surest, at = Fraction(0), (0, 0)
    for column, chances in enumerate(zip(*rows, strict=True)):
        joint = [weight * chance for weight, chance in zip(weights, chances, strict=True)]
        best = max(joint)
        after += best
        capacity += max(chances)
        if best and (posterior := Fraction(best, sum(joint))) > surest:
            surest, at = posterior, (joint.index(best), column)
    seen = Posterior(surest, channel.inputs[at[0]], channel.outputs[at[1]])
    return Fraction(after, common * parts), seen, Fraction(capacity, common)


def _float_guesses(channel: Channel, prior: Sequence[Fraction]) -> tuple[float, Posterior, float]:
    joint = np.array([float(p) for p in prior])[:, None] * channel.floats
    best, total = joint.max(axis=0), joint.sum(axis=0)
    posteriors = np.divide(best, total, out=np.zeros_like(best), where=total > 0)
    column = _first_largest(posteriors)
    row = _first_largest(joint[:, column])
    seen = Posterior(float(posteriors[column]), channel.inputs[row], channel.outputs[column])
    return float(best.sum()), seen, float(channel.floats.max(axis=0).sum())


def _first_largest(values: NDArray[np.float64]) -> int:
    """The first of those that are largest but for the dust of floating point, as in fractions."""
    return int((values >= values.max() * (1 - _DUST)).argmax())


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


def _weights(count: int) -> str:
    """Weights of so many inputs, as an example."""
    return " ".join(["2", *["1"] * (count - 1)]) if count <= _FEW else "2 1 1 …"


def parse_prior(text: str, channel: Channel) -> tuple[Fraction, ...]:
    """Read a prior: "uniform" or nothing, one weight per input, or the name of an input.

    Weights such as `1/2, 1/4, 1/4`, `50 % 25 % 25 %` or `2 1 1` are scaled to sum to 1; the name of an input
    means that it is certain.

    Raises
    ------
    WorkbenchError
        If there are not as many weights as inputs, or they are no weights.
    """
    count = len(channel.inputs)
    plain = re.sub(r"\s+%", "%", text.strip())
    if plain.lower() in ("", "uniform"):
        return (Fraction(1, count),) * count
    parts = plain.replace(",", " ").replace(";", " ").split()
    if len(parts) != count and plain in channel.inputs:
        certain = channel.input_index(plain)
        return tuple(Fraction(int(place == certain)) for place in range(count))
    if len(parts) != count:
        many = f"{count:,} inputs need {count:,} weights, not {len(parts):,}."
        if len(parts) > count == len(plain.replace(", ", " ").replace(";", " ").split()):
            many += " A comma parts weights; decimals take a point."
        raise WorkbenchError(
            many if len(parts) > 1 else f"“{plain[:_QUOTED]}” is neither uniform nor an input nor {count:,} weights.",
            hint=f"Write one weight per input, such as {_weights(count)}, one input, such as {channel.inputs[0]}, "
            "or uniform.",
            field="prior",
        )
    if 0 < sum("%" in part for part in parts) < count:
        raise WorkbenchError(
            "Some weights have a % and others have none.",
            hint=f"Write all in %, such as {_weights(count)}, or none.",
            field="prior",
        )
    weights = [parse_fraction(part.removesuffix("%"), field="prior") for part in parts]
    total = sum(weights, Fraction(0))
    if min(weights) < 0 or total == 0:
        raise WorkbenchError(
            "The weights of a prior must not be negative, nor all 0.", hint="Write such as 2 1 1.", field="prior"
        )
    return tuple(weight / total for weight in weights)
