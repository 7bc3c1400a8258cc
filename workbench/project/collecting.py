"""What is asked of people who randomise their answers themselves: the settings of a collection."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.typed_fields import typed_fields
from workbench.ldp import encoding_json
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import EncodingChoice
from workbench.ldp.estimation import AUTOMATIC, Method
from workbench.ldp.participation import Participation
from workbench.ldp.prediction import Shape
from workbench.ldp.simulation import METRICS


def _usual() -> tuple[ProtocolChoice, ...]:
    return tuple(map(ProtocolChoice, ("grr", "oue", "olh")))


@dataclass(frozen=True)
@typed_fields
class CollectSettings:
    """A collection.

    Parameters
    ----------
    column, encoding
        What is asked, and how answers become codes.
    protocols
        Those that are compared.
    epsilon
        ε of one report.
    users
        How many people are asked; None for as many as there are rows.
    repetitions, seed
        Of simulations. A seed of None takes another one each time. Reports that are exported never use it.
    method
        The way to estimate.
    one_report_per_person
        Whether only one row of each person reports, chosen at random.
    shape, guess
        The distribution that predictions assume; public.
    rank_by
        The error by which protocols are ranked.
    participation
        Whether who takes part is hidden when people report for real.
    """

    column: str = ""
    encoding: EncodingChoice = field(default_factory=EncodingChoice)
    protocols: tuple[ProtocolChoice, ...] = field(default_factory=_usual)
    epsilon: float = 1.0
    users: int | None = None
    repetitions: int = 20
    seed: int | None = 1
    method: Method = AUTOMATIC
    one_report_per_person: bool = False
    shape: Shape = Shape.AUTO
    guess: tuple[float, ...] = ()
    rank_by: str = "l1"
    participation: Participation = Participation.AUTO

    def __post_init__(self) -> None:
        if not (math.isfinite(self.epsilon) and self.epsilon > 0):
            raise WorkbenchError("ε must be above 0.", hint="Common values are 0.5 to 5.", field="epsilon")
        if self.users is not None and self.users < 1:
            raise WorkbenchError("There must be at least one person.", hint="Give 1 or more.", field="users")
        if self.repetitions < 1:
            raise WorkbenchError("There must be at least one repetition.", hint="Give 1 or more.", field="repetitions")
        if self.seed is not None and self.seed < 0:
            raise WorkbenchError("The seed must not be negative.", hint="Give a whole number from 0.", field="seed")
        if self.rank_by not in METRICS:
            raise WorkbenchError(
                f"“{self.rank_by}” is no error.", hint=f"Known are: {', '.join(METRICS)}.", field="rank_by"
            )


def to_json(settings: CollectSettings) -> dict[str, Any]:
    """As JSON."""
    return {
        "column": settings.column,
        "encoding": encoding_json.to_json(settings.encoding),
        "protocols": [{"identifier": one.identifier, "values": dict(one.values)} for one in settings.protocols],
        "epsilon": settings.epsilon,
        "users": settings.users,
        "repetitions": settings.repetitions,
        "seed": settings.seed,
        "estimator": settings.method.estimator,
        "postprocess": settings.method.postprocess,
        "one_report_per_person": settings.one_report_per_person,
        "shape": settings.shape.value,
        "guess": list(settings.guess),
        "rank_by": settings.rank_by,
        "participation": settings.participation.value,
    }


def from_json(plain: Mapping[str, Any]) -> CollectSettings:
    """The settings of `to_json`; what is missing takes its default.

    Raises
    ------
    ValueError, TypeError, WorkbenchError
        If something in it has the wrong type or an impossible value.
    """
    usual = CollectSettings()
    users, seed = plain.get("users"), plain.get("seed", usual.seed)
    return CollectSettings(
        column=_text(plain.get("column", usual.column)),
        encoding=encoding_json.from_json(plain.get("encoding", {})),
        protocols=usual.protocols
        if "protocols" not in plain
        else tuple(ProtocolChoice(_text(one["identifier"]), _values(one["values"])) for one in plain["protocols"]),
        epsilon=_number(plain.get("epsilon", usual.epsilon)),
        users=None if users is None else _whole(users),
        repetitions=_whole(plain.get("repetitions", usual.repetitions)),
        seed=None if seed is None else _whole(seed),
        method=Method(
            _text(plain.get("estimator", usual.method.estimator)),
            _text(plain.get("postprocess", usual.method.postprocess)),
        ),
        one_report_per_person=_truth(plain.get("one_report_per_person", False)),
        shape=Shape(plain.get("shape", usual.shape)),
        guess=tuple(map(_number, plain.get("guess", ()))),
        rank_by=_text(plain.get("rank_by", usual.rank_by)),
        participation=Participation(plain.get("participation", usual.participation)),
    )


def _values(values: Any) -> Mapping[str, Any]:
    """Values of parameters; whether a protocol takes them is asked when it is used, for it may not be installed."""
    if not isinstance(values, dict):
        raise TypeError("parameters that are no mapping")
    for value in values.values():
        if isinstance(value, float):
            _number(value)
        elif not isinstance(value, bool | int | str):
            raise TypeError("expected a number, a text or a truth value")
    return MappingProxyType(dict(values))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("expected a text")
    return value


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("expected true or false")
    return value


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("expected a whole number")
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError("expected a finite number")
    return float(value)
