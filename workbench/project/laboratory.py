"""The settings of the laboratory of mechanisms: texts as they were typed, so that nothing is rounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamType
from workbench.core.settings import Flag, Stored, setting
from workbench.core.typed_fields import typed_fields
from workbench.mechanisms.utility import LossFunction
from workbench.project.auditable import find


def _known_parameters(plain: Any) -> Mapping[str, Mapping[str, str]]:
    """Typed parameters by mechanism.

    One that a mechanism does not have would keep it from ever being audited, and no field could take it away: it is
    left out.
    """
    if not isinstance(plain, dict) or not all(_texts(typed) for typed in plain.values()):
        raise ValueError("parameters that are no texts")
    return MappingProxyType({name: MappingProxyType(_known(name, typed)) for name, typed in plain.items()})


def _known(identifier: str, typed: Mapping[str, str]) -> dict[str, str]:
    try:
        names = {spec.name for spec in find(identifier).params}
    except WorkbenchError:
        return dict(typed)  # made by a plugin that is not here, which alone knows its parameters
    return {name: text for name, text in typed.items() if name in names}


def _texts(typed: Any) -> bool:
    return isinstance(typed, dict) and all(isinstance(text, str) for text in typed.values())


@dataclass(frozen=True)
@typed_fields
class LaboratorySettings:
    """A question to the auditor."""

    REFUSES_UNKNOWN: ClassVar[bool] = True

    mechanism: str = setting(
        "truncated-geometric",
        title="Mechanism",
        about="Identifier of a mechanism or of a local protocol.",
        undo="Choose a mechanism",
        explain="choose",
    )
    parameters: Mapping[str, Mapping[str, str]] = setting(
        factory=lambda: MappingProxyType({}),
        title="Parameters",
        about="What was typed for each mechanism, so that what belongs to others is not forgotten.",
        stored=Stored(read=_known_parameters),
    )
    neighbours: str = setting(
        "own",
        title="Inputs that must look alike",
        label="Neighbours",
        about="which inputs must look alike: all; those whose data is one apart, or at most R apart, and whose public "
        "parts are equal (a table's by number or place in the list); or the pairs of a CSV (default: as the mechanism "
        "declares; all for a table)",
        placeholder="2, or a - b; b - c",
        undo="Choose neighbours",
        flag=Flag("all|adjacent|R|FILE"),
    )
    claim: str = setting(
        "",
        title="Claimed ε",
        about="a claimed ε, such as 1 or ln(3); δ is given there",
        placeholder="none; 1, 1/3, ln 3",
        group="claim",
        undo="Claim an ε",
        flag=Flag("E", name="--epsilon"),
    )
    claimed_delta: str = setting(
        "",
        title="Claimed δ",
        about="a claimed δ (default: 0)",
        placeholder="0",
        group="claim",
        undo="Claim a δ",
        explain="claim",
        flag=Flag("D", name="--delta"),
    )
    sample: str = setting(
        "",
        title="On a sample",
        label="Sample first",
        about="in front of it, a sample of the rows, or of the people (then INPUT stands for nobody)",
        placeholder="none; 1/10; 1/10=no",
        group="compose",
        undo="Sample first",
        explain="compose",
        flag=Flag("R[=INPUT]"),
    )
    repeat: int = setting(
        1,
        title="Times about the same input",
        label="Repeat, same input",
        about="asked K times about the same input",
        offered=(1, 12),
        unit="×",
        group="compose",
        undo="Ask again",
        explain="compose",
        flag=Flag("K"),
    )
    beside: int = setting(
        1,
        title="Inputs side by side",
        label="Repeat, new inputs",
        about="asked about K different inputs",
        offered=(1, 12),
        group="compose",
        undo="Ask side by side",
        explain="compose",
        flag=Flag("K"),
    )
    then: str = setting(
        "",
        title="Channel that follows",
        label="Then process the output by this channel",
        about="behind it, another channel",
        placeholder=", low, high\n0, 1, 0\n1, 0, 1",
        kind=ParamType.LINES,
        group="compose",
        undo="Follow with a channel",
        explain="compose",
        flag=Flag("FILE.csv"),
    )
    prior: str = setting(
        "uniform",
        title="Prior",
        about="weights of the inputs (default: uniform)",
        explain="utility",
        flag=Flag("P"),
    )
    loss: str = setting(
        "absolute",
        title="Loss",
        about="what an error costs",
        choices=tuple((loss.value, loss.value) for loss in LossFunction),
        explain="utility",
        flag=Flag(),
    )

    @property
    def typed(self) -> Mapping[str, str]:
        """The parameters of the chosen mechanism."""
        return self.parameters.get(self.mechanism, MappingProxyType({}))

    def with_parameter(self, name: str, text: str) -> LaboratorySettings:
        """The same with another value of a parameter of the chosen mechanism."""
        mine = MappingProxyType({**self.typed, name: text})
        return replace(self, parameters=MappingProxyType({**self.parameters, self.mechanism: mine}))
