"""Auditable mechanisms: those of the laboratory, and every local protocol whose reports are finite."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import rounded_up
from workbench.core.params import ParamSpec, ParamType
from workbench.ldp.protocol import PROTOCOLS, Family, FrequencyRandomiser, LocalProtocol
from workbench.ldp.published_channels import Rows, published_channel
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.channels.grr import EPSILON, finite_epsilon
from workbench.mechanisms.epsilon import Epsilon, growth
from workbench.mechanisms.mechanism import MECHANISMS, MOST_EXACT, ConfiguredMechanism, Mechanism, check_size

LOCAL = "local-"
"""Before the identifier of a local protocol that a mechanism has already."""

_LARGEST_DOMAIN = 1_000
_USUAL_DOMAIN = 4
_NEAR = 1e-9
"""How far a chance as published may be from the one that is drawn, which is rounded."""
_AS_PUBLISHED = "Fractions are those of the protocol as published; what is drawn is rounded, and reveals no more."


def catalogue() -> tuple[Mechanism, ...]:
    """Everything that can be audited: mechanisms, and the local protocols whose reports are finite."""
    own = tuple(MECHANISMS)
    return own + tuple(_bridge(protocol) for protocol in PROTOCOLS if protocol.family is Family.FREQUENCY)


def find(identifier: str) -> Mechanism:
    """The mechanism or local protocol of this name.

    Raises
    ------
    WorkbenchError
        If there is none.
    """
    known = {mechanism.identifier: mechanism for mechanism in catalogue()}
    if identifier not in known:
        raise WorkbenchError(
            f"There is no mechanism “{identifier}”.", hint=f"Known are: {', '.join(known)}.", field="mechanism"
        )
    return known[identifier]


def audited_as(protocol: LocalProtocol) -> str:
    """The name of a local protocol among the mechanisms."""
    name = protocol.identifier
    return LOCAL + name if name in MECHANISMS else name


def _bridge(protocol: LocalProtocol) -> Mechanism:
    """A local protocol as a mechanism: its channel for a domain of d values."""
    most = min(protocol.maximum_domain, _LARGEST_DOMAIN)
    size = ParamSpec(
        "d",
        "Values",
        ParamType.INTEGER,
        default=min(max(protocol.minimum_domain, _USUAL_DOMAIN), most),
        minimum=protocol.minimum_domain,
        maximum=most,
        help="How many values a person can have.",
    )
    taken = {spec.name for spec in protocol.params}
    # Where ε follows from the other parameters, one that is asked for would not be looked at.
    follows = protocol.follows({spec.name: spec.default for spec in protocol.params})
    epsilon = () if "epsilon" in taken or follows else (EPSILON,)
    return Mechanism(
        audited_as(protocol),
        protocol.title,
        protocol.summary,
        protocol.citation,
        (size, *epsilon, *protocol.params),
        partial(_local, protocol),
    )


def _local(protocol: LocalProtocol, values: Mapping[str, Any]) -> ConfiguredMechanism:
    d, params = values["d"], {spec.name: values[spec.name] for spec in protocol.params}
    asks = "epsilon" in values and "epsilon" not in params and not protocol.follows(params)
    asked = finite_epsilon(values["epsilon"]) if asks else None
    epsilon = None if asked is None else asked.lower
    randomiser = protocol.build(d, epsilon, **params)
    table = randomiser.channel() if isinstance(randomiser, FrequencyRandomiser) else None
    if table is None:
        raise WorkbenchError(
            f"The reports of {protocol.title} over {d:,} values are too many to be written down.",
            hint="Choose fewer values, or a protocol whose reports are few.",
            field="d",
        )
    check_size(*table.shape)
    inputs = [str(value) for value in range(1, d + 1)]
    # A report that is most likely the value itself is named like it; any other is no answer to compare with.
    same = table.shape[1] == d and bool((table.argmax(axis=1) == np.arange(d)).all())
    outputs = inputs if same else [f"r{number}" for number in range(1, table.shape[1] + 1)]
    said = f"ε = {values['epsilon'].strip()} is asked for; the" if asked is not None else "The"
    note = f"{said} protocol states at most ε = {rounded_up(randomiser.epsilon)}, for all that one person sends."
    title = f"{protocol.title}, {d:,} values"
    rows = _published(protocol, table, asked, params)
    if rows is not None and max(max(one) / min(one) for one in zip(*rows, strict=True)) < randomiser.worst_ratio:
        rows = None  # of chances that 64 bits round to the other side, what is drawn is shown
    if rows is None:
        return ConfiguredMechanism(title, Channel.of_floats(inputs, outputs, table), note=note)
    return ConfiguredMechanism(title, Channel.of_fractions(inputs, outputs, rows), note=f"{note} {_AS_PUBLISHED}")


def _published(
    protocol: LocalProtocol, table: NDArray[np.float64], asked: Epsilon | None, params: Mapping[str, Any]
) -> Rows | None:
    """The channel in fractions, where it has such and they are what is drawn."""
    if table.size > MOST_EXACT:
        return None
    power = None if asked is None else partial(_power, asked)
    rows = published_channel(protocol.identifier, table, power, params)
    near = rows is not None and np.allclose(np.array(rows, dtype=np.float64), table, rtol=0, atol=_NEAR)
    return rows if near else None


def _power(epsilon: Epsilon, times: Fraction) -> Fraction | None:
    found = growth(epsilon, times)
    return found if isinstance(found, Fraction) else None
