"""Methods on offer: all of them, and every local protocol as a method of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from workbench.core.number_text import exact
from workbench.core.params import ParamSpec
from workbench.evaluate.experiment import MOST_CURVES, Experiment
from workbench.evaluate.method import METHODS, Approach, Method, MethodChoice
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimation import AUTO
from workbench.ldp.fitting import ProtocolGroup, group_of
from workbench.ldp.protocol import PROTOCOLS, LocalProtocol

LOCAL, PROTOCOL = "local", "protocol"
_USUAL = ("global-grid", f"{LOCAL}:{AUTO}")


@dataclass(frozen=True)
class MethodEntry:
    """One line of the list of methods.

    Parameters
    ----------
    key
        What all choices of it have in common.
    title, summary
        What it is called, and what it does.
    choice
        What ticking it adds.
    group
        What a protocol is for; None for the methods that stand alone.
    """

    key: str
    title: str
    summary: str
    choice: MethodChoice
    group: ProtocolGroup | None = None

    @property
    def approach(self) -> Approach:
        return self.choice.method.approach


def offers() -> tuple[MethodEntry, ...]:
    """Everything there is, in the order in which it is drawn."""
    # By what is there now: plug-ins may be found after somebody has asked.
    return _offers(tuple(METHODS), tuple(PROTOCOLS))


@lru_cache(maxsize=1)
def _offers(methods: tuple[Method, ...], protocols: tuple[LocalProtocol, ...]) -> tuple[MethodEntry, ...]:
    found = []
    for approach in Approach:
        for method in methods:
            if method.approach is not approach:
                continue
            if method.identifier != LOCAL:
                found.append(
                    MethodEntry(method.identifier, method.title, method.summary, MethodChoice(method.identifier))
                )
                continue
            usual = "The usual protocol for the number of values and ε."
            found.append(MethodEntry(f"{LOCAL}:{AUTO}", "The usual protocol", usual, MethodChoice(LOCAL)))
            for protocol in protocols:
                choice = MethodChoice(LOCAL, MappingProxyType({PROTOCOL: protocol.identifier}))
                key = f"{LOCAL}:{protocol.identifier}"
                found.append(MethodEntry(key, protocol.title, protocol.summary, choice, group_of(protocol)))
    # Stable: what is usual before other methods, and these before protocols, each in the order of its register.
    return tuple(sorted(found, key=lambda offer: (offer.group is not None, offer.key not in _USUAL)))


def key_of(choice: MethodChoice) -> str:
    """Which offer a choice belongs to."""
    if choice.identifier != LOCAL:
        return choice.identifier
    return f"{LOCAL}:{str(choice.values.get(PROTOCOL, AUTO)).partition('=')[0].strip()}"


def added(methods: tuple[MethodChoice, ...], choice: MethodChoice) -> tuple[MethodChoice, ...]:
    """The methods with one more, in the order of the offers so that colours do not depend on the order of clicks."""
    order = [offer.key for offer in offers()]
    return tuple(sorted((*methods, choice), key=lambda one: order.index(key_of(one))))


def own_params(choice: MethodChoice) -> tuple[ParamSpec, ...]:
    """The parameters that are shown; that of the protocol is the line itself."""
    return tuple(spec for spec in choice.method.params if choice.identifier != LOCAL or spec.name != PROTOCOL)


def with_value(choice: MethodChoice, name: str, value: Any) -> MethodChoice:
    """The choice with another value of a parameter; usual values are left out."""
    usual = {spec.name: spec.default for spec in choice.method.params}
    values = {**choice.values, name: value}
    return replace(choice, values=MappingProxyType({key: one for key, one in values.items() if one != usual[key]}))


def protocol_of(choice: MethodChoice) -> ProtocolChoice | None:
    """The local protocol of a choice, None if it has none or takes the usual one."""
    text = str(choice.values.get(PROTOCOL, AUTO))
    return ProtocolChoice.parse(text) if choice.identifier == LOCAL and text != AUTO else None


def with_protocol_value(choice: MethodChoice, name: str, value: Any) -> MethodChoice:
    """The choice with another value of a parameter of its protocol."""
    protocol = protocol_of(choice)
    if protocol is None:
        return choice
    usual = {spec.name: spec.default for spec in protocol.protocol.params}
    values: Mapping[str, Any] = {**protocol.values, name: value}
    said = ":".join(f"{key}:{one}" for key, one in values.items() if one != usual[key] and one not in ("", None))
    text = f"{protocol.identifier}={said}" if said else protocol.identifier
    return replace(choice, values=MappingProxyType({**choice.values, PROTOCOL: text}))


def batches(experiment: Experiment) -> list[tuple[Experiment, list[str]]]:
    """Experiments that hold every offer once, and their keys, to be asked which offers can answer."""
    found = []
    every = offers()
    for start in range(0, len(every), MOST_CURVES):
        some = every[start : start + MOST_CURVES]
        methods = tuple(offer.choice for offer in some)
        found.append((replace(experiment, methods=methods), [offer.key for offer in some]))
    return found


def options_words(choice: MethodChoice) -> str:
    """The parameters of a method in a short line; "" if it has none."""
    specs = {spec.name: spec for spec in choice.method.params}
    values = choice.checked()
    parts = []
    for name, spec in specs.items():
        if name == "protocol":
            continue
        value = values[name]
        if value == spec.default and name not in ("level", "delta", "beta"):
            continue
        if isinstance(value, bool):
            parts.append(spec.title.lower())
        elif spec.choices:
            parts.append(dict(spec.choices).get(value, str(value)))
        elif value not in ("", None):
            title = spec.title if len(spec.title) == 1 else spec.title.lower()
            parts.append(f"{title} {' '.join(str(value).split())}")
    if choice.epsilon is not None:
        parts.append(f"ε {exact(choice.epsilon)}")
    return ", ".join(parts)
