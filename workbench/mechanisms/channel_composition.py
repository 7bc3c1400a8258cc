"""New channels from channels: one after the other on the same input, side by side, into each other, on a sample."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.exact import SMALLEST
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.mechanism import MOST_EXACT, ConfiguredMechanism, check_size
from workbench.mechanisms.neighbours import Neighbours, Relation, graph
from workbench.mechanisms.places import AdjacentPairs

_BETWEEN = ", "


def sequential(first: Channel, second: Channel) -> Channel:
    """Both are asked about the same input, independently; the output is the pair of answers. ε at most adds.

    Raises
    ------
    WorkbenchError
        If they have not the same inputs.
    """
    if first.inputs != second.inputs:
        raise WorkbenchError(
            "Two channels asked about the same input must have the same inputs.",
            hint="Use the same range for both.",
            field="repeat",
        )
    width = len(first.outputs) * len(second.outputs)
    check_size(len(first.inputs), width)
    outputs = _pairs(first.outputs, second.outputs)
    if first.exact is not None and second.exact is not None and len(first.inputs) * width <= MOST_EXACT:
        rows = [[p * q for p in one for q in other] for one, other in zip(first.exact, second.exact, strict=True)]
        return Channel.of_fractions(first.inputs, outputs, rows).placed(first.parts)
    shape = (len(first.inputs), width)
    joint = (first.floats[:, :, None] * second.floats[:, None, :]).reshape(shape)
    possible = (_possible(first)[:, :, None] & _possible(second)[:, None, :]).reshape(shape)
    return Channel.of_floats(first.inputs, outputs, _large_enough(joint, possible)).placed(first.parts)


def parallel(first: ConfiguredMechanism, second: ConfiguredMechanism) -> ConfiguredMechanism:
    """Each is asked about an input of its own; neighbours differ in one of the two. ε is the larger one."""
    one, other = first.channel, second.channel
    shape = len(one.inputs) * len(other.inputs), len(one.outputs) * len(other.outputs)
    check_size(*shape)
    inputs, outputs = _pairs(one.inputs, other.inputs), _pairs(one.outputs, other.outputs)
    if one.exact is not None and other.exact is not None and shape[0] * shape[1] <= MOST_EXACT:
        rows = [[p * q for p in a for q in b] for a, b in product(one.exact, other.exact)]
        channel = Channel.of_fractions(inputs, outputs, rows)
    else:
        joint = _large_enough(np.kron(one.floats, other.floats), np.kron(_possible(one), _possible(other)))
        channel = Channel.of_floats(inputs, outputs, joint)
    edges = []
    for a, b in _edges(one, first.neighbours):
        edges += [(_BETWEEN.join((a, name)), _BETWEEN.join((b, name))) for name in other.inputs]
    for a, b in _edges(other, second.neighbours):
        edges += [(_BETWEEN.join((name, a)), _BETWEEN.join((name, b))) for name in one.inputs]
    places = AdjacentPairs(one.places, other.places, len(other.inputs))
    title, listed = f"{first.title} beside {second.title}", first.listed or second.listed
    return ConfiguredMechanism(title, channel.placed(places), graph(edges), listed=listed)


def post_process(channel: Channel, then: Channel) -> Channel:
    """The output becomes the input of a second channel, which never sees the data. ε never grows.

    Raises
    ------
    WorkbenchError
        If an output is no input of the second channel.
    """
    places = []
    for name in channel.outputs:
        if name not in then.inputs:
            raise WorkbenchError(
                f"The output “{name}” is no input of the channel that follows.",
                hint="Give the second channel one row for every output of the first.",
                field="then",
            )
        places.append(then.input_index(name))
    if channel.exact is not None and then.exact is not None:
        table = [then.exact[place] for place in places]
        columns = list(zip(*table, strict=True))
        rows = [
            [sum((p * q for p, q in zip(row, column, strict=True)), Fraction(0)) for column in columns]
            for row in channel.exact
        ]
        return Channel.of_fractions(channel.inputs, then.outputs, rows).placed(channel.parts)
    joint = channel.floats @ then.floats[places]
    possible = (_possible(channel).astype(np.float64) @ _possible(then)[places]) > 0
    return Channel.of_floats(channel.inputs, then.outputs, _large_enough(joint, possible)).placed(channel.parts)


def on_sample_of_rows(channel: Channel, rate: Fraction) -> Channel:
    """The input counts rows 0 … n, and every row is in the sample with probability `rate` before they are counted.

    Sampling amplifies privacy: ε becomes at most ln(1 + rate · (e^ε − 1)) (Balle, Barthe, Gaboardi 2018, Thm 8).

    Raises
    ------
    WorkbenchError
        If the inputs are not 0, 1, … n, or the rate is no probability.
    """
    _check_rate(rate)
    if outside := rows_or_input(channel.inputs):
        raise WorkbenchError(
            "A rate alone samples rows, and this mechanism counts none: its inputs are not 0, 1, 2, ….",
            hint=f"Name the input of somebody who is not in the sample behind the rate: {rate}{outside}.",
            field="sample",
        )
    counts = range(len(channel.inputs))
    thinned = [
        [comb(x, y) * rate**y * (1 - rate) ** (x - y) if y <= x else Fraction(0) for y in counts] for x in counts
    ]
    return post_process(Channel.of_fractions(channel.inputs, channel.inputs, thinned), channel)


def on_sample_of_people(channel: Channel, rate: Fraction, absent: str) -> Channel:
    """With probability `rate` the input itself goes through the channel, otherwise `absent` does.

    Raises
    ------
    WorkbenchError
        If `absent` is no input, or the rate is no probability.
    """
    _check_rate(rate)
    place = channel.input_index(absent, field="sample")
    if channel.exact is not None:
        nobody = channel.exact[place]
        rows = [[rate * p + (1 - rate) * q for p, q in zip(row, nobody, strict=True)] for row in channel.exact]
        return Channel.of_fractions(channel.inputs, channel.outputs, rows).placed(channel.parts)
    share = float(rate)
    table = share * channel.floats + (1 - share) * channel.floats[place]
    possible = _possible(channel) | _possible(channel)[place]
    return Channel.of_floats(channel.inputs, channel.outputs, _large_enough(table, possible)).placed(channel.parts)


def _possible(channel: Channel) -> NDArray[np.bool_]:
    if channel.exact is None:
        return channel.floats > 0
    return np.array([[value > 0 for value in row] for row in channel.exact])


def _large_enough(table: NDArray[Any], possible: NDArray[np.bool_]) -> NDArray[Any]:
    """The table, unless something possible is so rare in it that a float would make it impossible, or round it much.

    Its ratio to another input, which may be the largest, would not be seen.
    """
    if (possible & (table < float(SMALLEST))).any():
        raise WorkbenchError(
            "An output of what comes out would be rarer than 1e-300, and nothing nearer to 0 is computed.",
            hint="Repeat it less often, or give a smaller channel as fractions, which is computed exactly.",
            field="repeat",
        )
    return table


def _edges(channel: Channel, neighbours: Neighbours) -> Sequence[tuple[str, str]]:
    if neighbours.relation is Relation.GRAPH:
        return neighbours.edges
    return [(channel.inputs[a], channel.inputs[b]) for a, b in neighbours.pairs(channel).tolist()]


def _pairs(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    return tuple(_BETWEEN.join(pair) for pair in product(first, second))


def rows_or_input(inputs: Sequence[str]) -> str:
    """What is written behind a rate: "" where it samples the rows that inputs count, else “=” and an input.

    >>> rows_or_input(("0", "1", "2")), rows_or_input(("yes", "no"))
    ('', '=no')
    """
    counts = tuple(inputs) == tuple(str(x) for x in range(len(inputs)))
    return "" if counts else f"={inputs[-1]}"


def _check_rate(rate: Fraction) -> None:
    if not 0 < rate <= 1:
        raise WorkbenchError(
            f"A sampling rate of {rate} is not above 0 and at most 1.",
            hint="Write a fraction such as 1/10.",
            field="sample",
        )
