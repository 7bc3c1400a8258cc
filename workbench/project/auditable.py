"""Auditable mechanisms: those of the laboratory, and every local protocol whose reports are finite."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import rounded_up
from workbench.core.params import ParamSpec, ParamType
from workbench.ldp.protocol import PROTOCOLS, Family, FrequencyRandomiser, LocalProtocol
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.channels.grr import EPSILON, finite_epsilon
from workbench.mechanisms.mechanism import MECHANISMS, ConfiguredMechanism, Mechanism, check_size

LOCAL = "local-"
"""Before the identifier of a local protocol that a mechanism has already."""

_LARGEST_DOMAIN = 1_000
_USUAL_DOMAIN = 4


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
    """What a local protocol is called among the mechanisms."""
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
    epsilon = finite_epsilon(values["epsilon"]).lower if "epsilon" in values and "epsilon" not in params else None
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
    said = f"ε = {values['epsilon'].strip()} is asked for; the" if epsilon is not None else "The"
    note = f"{said} protocol states at most ε = {rounded_up(randomiser.epsilon)}, for all that one person sends."
    return ConfiguredMechanism(f"{protocol.title}, {d:,} values", Channel.of_floats(inputs, outputs, table), note=note)
