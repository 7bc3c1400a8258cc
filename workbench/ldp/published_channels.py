"""Channels of protocols in fractions, as published; what is drawn is rounded to the side that reveals less."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import prod
from typing import Any

from workbench.ldp.parameters import exactly
from workbench.ldp.protocol import Floats
from workbench.ldp.protocols.rappor import reported

Power = Callable[[Fraction], Fraction | None]
"""e^(ε·times), or None where that is no fraction."""
Rows = list[list[Fraction]]

_TWO_CHANCES = ("grr", "rr", "subset-selection", "hadamard")
"""Protocols whose every output has one of two chances, e^ε apart."""
_HALF = Fraction(1, 2)


def published_channel(protocol: str, table: Floats, power: Power | None, values: Mapping[str, Any]) -> Rows | None:
    """The channel of a protocol as published, in fractions.

    Parameters
    ----------
    protocol
        Its identifier.
    table
        The channel of what is drawn, shape (values, outputs).
    power
        e to multiples of the ε that was asked for; None if ε follows from the parameters.
    values
        Its parameters.

    Returns
    -------
    list of list of Fraction, optional
        None where a chance is no fraction, or nothing is known of the protocol.
    """
    if power is None:
        return _by_parameters(protocol, len(table), values)
    e = power(Fraction(1))
    if e is None:
        return None
    if protocol in _TWO_CHANCES:
        return _two_chances(table, e)
    if protocol == "oue":
        return _bits(len(table), _HALF, 1 / (e + 1))
    root = power(_HALF) if protocol == "sue" else None
    return None if root is None else _bits(len(table), root / (1 + root), 1 / (1 + root))


def _by_parameters(protocol: str, size: int, values: Mapping[str, Any]) -> Rows | None:
    """Where ε follows from chances that were typed."""
    if protocol == "ue":
        return _bits(size, exactly(values["p"]), exactly(values["q"]))
    if protocol == "rappor":
        return _bits(size, *reported(*(exactly(values[name]) for name in ("f", "p", "q"))))
    if protocol == "rr" and values["design"] == "warner":
        p = exactly(values["p"])
        return [[p, 1 - p], [1 - p, p]]
    if protocol == "rr" and values["design"] == "coins":
        truth, yes = exactly(values["truth"]), exactly(values["yes"])
        return [[1 - (1 - truth) * yes, (1 - truth) * yes], [(1 - truth) * (1 - yes), truth + (1 - truth) * yes]]
    return None


def _two_chances(table: Floats, e: Fraction) -> Rows | None:
    """Where the likely outputs stand is read off what is drawn, and their chances follow."""
    likely = table > (table.min() + table.max()) / 2
    if len({int(count) for count in likely.sum(axis=1)}) != 1:
        return None
    many, every = int(likely[0].sum()), table.shape[1]
    least = 1 / (many * e + every - many)
    return [[least * e if one else least for one in row] for row in likely.tolist()]


def _bits(size: int, p: Fraction, q: Fraction) -> Rows:
    """Independent bits, one a value; output number Σ bitᵥ·2ᵛ."""
    found = []
    for value in range(size):
        chances = [p if place == value else q for place in range(size)]
        found.append(
            [
                prod((one if output >> place & 1 else 1 - one for place, one in enumerate(chances)), start=Fraction(1))
                for output in range(1 << size)
            ]
        )
    return found
