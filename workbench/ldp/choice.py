"""A protocol and its parameters, as the person chose them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.params import filled
from workbench.core.trust import Origin
from workbench.core.typed_fields import Scalar, typed_fields
from workbench.ldp.mean_randomiser import MeanRandomiser
from workbench.ldp.protocol import PROTOCOLS, Family, FrequencyRandomiser, LocalProtocol, Randomiser


@dataclass(frozen=True)
@typed_fields
class ProtocolChoice:
    """A protocol with its parameters, such as `ProtocolChoice("ue", {"p": 0.75, "q": 0.25})`."""

    identifier: str
    values: Mapping[str, Scalar] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def parse(cls, text: str) -> ProtocolChoice:
        """Read a choice as it is written in a command: `grr`, `ue=0.75:0.25`, `olh=g:4`.

        Values after `=` are separated by `:`; each fills the next parameter, or the one it follows by name.

        Raises
        ------
        WorkbenchError
            If there is no such protocol or the values do not fit its parameters.
        """
        identifier, _, rest = text.strip().partition("=")
        protocol = PROTOCOLS[identifier.strip()]
        specs = {spec.name: spec for spec in protocol.params}
        order = list(specs)
        given = [part.strip() for part in rest.split(":")] if rest else []
        values: dict[str, Any] = {}
        place = 0
        while place < len(given):
            name = given[place]
            if name in specs and place + 1 < len(given):
                values[name] = specs[name].parse(given[place + 1])
                place += 2
                continue
            left = [one for one in order if one not in values]
            if not left:
                raise WorkbenchError(
                    f"“{text}” gives more values than {protocol.title} takes.",
                    hint=f"They are: {', '.join(order) or 'none'}.",
                    field="protocol",
                )
            values[left[0]] = specs[left[0]].parse(name)
            place += 1
        return cls(protocol.identifier, MappingProxyType(values))

    @property
    def protocol(self) -> LocalProtocol:
        """The protocol itself.

        Raises
        ------
        WorkbenchError
            If there is none of this identifier.
        """
        return PROTOCOLS[self.identifier]

    @property
    def origin(self) -> Origin:
        """Whose the protocol is."""
        return PROTOCOLS.origin(self.identifier)

    def checked(self) -> dict[str, Any]:
        """All parameters, checked and with defaults.

        Raises
        ------
        WorkbenchError
            If there is no such protocol or a parameter is unknown or not allowed.
        """
        return filled(self.protocol.params, dict(self.values))

    @property
    def estimates_mean(self) -> bool:
        return self.protocol.family is Family.MEAN

    @property
    def own_epsilon(self) -> bool:
        """Whether ε follows from the parameters, so that the one asked for is not looked at."""
        return self.protocol.follows(self.checked())

    @property
    def other_epsilon(self) -> bool:
        """Whether a person's ε is another one than is asked for: it follows from the parameters, or adds up by step."""
        return self.own_epsilon or self.protocol.stepwise(self.checked())

    def build(self, domain_size: int, epsilon: float | None) -> Randomiser:
        """The randomiser for a domain and an ε.

        Raises
        ------
        WorkbenchError
            If they or the parameters are impossible for this protocol.
        """
        size = 0 if self.estimates_mean else domain_size
        return self.protocol.build(size, epsilon, **self.values)

    def frequency(self, domain_size: int, epsilon: float | None) -> FrequencyRandomiser:
        """The randomiser, for a protocol that estimates how many people have each value.

        Raises
        ------
        WorkbenchError
            If it estimates something else, or as `build`.
        """
        built = None if self.estimates_mean else self.build(domain_size, epsilon)
        if not isinstance(built, FrequencyRandomiser):
            raise WorkbenchError(
                f"{self.protocol.title} estimates a mean, not how many people have each value.",
                hint="Choose another protocol.",
                field="protocol",
            )
        return built

    def mean(self, epsilon: float | None) -> MeanRandomiser:
        """The randomiser, for a protocol that estimates a mean.

        Raises
        ------
        WorkbenchError
            If it estimates something else, or as `build`.
        """
        built = self.build(0, epsilon) if self.estimates_mean else None
        if not isinstance(built, MeanRandomiser):
            raise WorkbenchError(
                f"{self.protocol.title} does not estimate means.", hint="Choose another protocol.", field="protocol"
            )
        return built
