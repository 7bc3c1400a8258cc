"""What is looked at in the laboratory of mechanisms: texts as they were typed, so that nothing is rounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.typed_fields import typed_fields
from workbench.project.auditable import find


@dataclass(frozen=True)
@typed_fields
class LaboratorySettings:
    """A question to the auditor.

    Parameters
    ----------
    mechanism
        Identifier of a mechanism or of a local protocol.
    parameters
        Typed parameters per mechanism, so that those of others are not forgotten.
    neighbours
        "own" for those the mechanism declares, "all", "adjacent", a distance, or a graph.
    claim, claimed_delta
        The (ε, δ) that somebody says it satisfies; empty for no claim, and for δ = 0.
    sample
        Rate of a sample in front of it, such as "1/10", or "1/10=no" with the input that stands for absence.
    then
        A second channel behind it, as a table.
    repeat, beside
        How often it is asked about the same input, and about how many different ones.
    prior, loss
        Of the utility: what is believed beforehand, and what an error costs.
    """

    mechanism: str = "truncated-geometric"
    parameters: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: MappingProxyType({}))
    neighbours: str = "own"
    claim: str = ""
    claimed_delta: str = ""
    sample: str = ""
    then: str = ""
    repeat: int = 1
    beside: int = 1
    prior: str = "uniform"
    loss: str = "absolute"

    @property
    def typed(self) -> Mapping[str, str]:
        """The parameters of the chosen mechanism."""
        return self.parameters.get(self.mechanism, MappingProxyType({}))

    def with_parameter(self, name: str, text: str) -> LaboratorySettings:
        """The same with another value of a parameter of the chosen mechanism."""
        mine = MappingProxyType({**self.typed, name: text})
        return replace(self, parameters=MappingProxyType({**self.parameters, self.mechanism: mine}))


def to_json(settings: LaboratorySettings) -> dict[str, Any]:
    """As JSON."""
    plain = dict(vars(settings))
    plain["parameters"] = {name: dict(typed) for name, typed in settings.parameters.items()}
    return plain


def from_json(plain: Mapping[str, Any]) -> LaboratorySettings:
    """The settings of `to_json`; what is missing takes its default.

    A parameter that a mechanism does not have would keep it from ever being audited, and no field could take it away:
    it is left out.

    Raises
    ------
    ValueError
        If something in it has the wrong type or an unknown name.
    """
    wanted = {one.name: getattr(LaboratorySettings(), one.name) for one in fields(LaboratorySettings)}
    values = dict(plain)
    parameters = values.pop("parameters", {})
    if not isinstance(parameters, dict) or not all(_texts(typed) for typed in parameters.values()):
        raise ValueError("parameters that are no texts")
    for name, value in values.items():
        if name not in wanted or type(value) is not type(wanted[name]):
            raise ValueError(f"an unexpected {name}")
    frozen = {str(name): MappingProxyType(_known(name, typed)) for name, typed in parameters.items()}
    return LaboratorySettings(**values, parameters=MappingProxyType(frozen))


def _known(identifier: str, typed: Mapping[str, str]) -> dict[str, str]:
    try:
        names = {spec.name for spec in find(identifier).params}
    except WorkbenchError:
        return dict(typed)  # made by a plugin that is not here, which alone knows its parameters
    return {name: text for name, text in typed.items() if name in names}


def _texts(typed: Any) -> bool:
    return isinstance(typed, dict) and all(isinstance(text, str) for text in typed.values())
