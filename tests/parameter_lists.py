"""What may be chosen of a kind, in one line for each parameter, to be compared with what was promised."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from workbench.core.params import ParamSpec, ParamType
from workbench.core.settings import declared


def listed(kinds: Iterable[Any], named: str = "params") -> list[str]:
    """Give every parameter of every kind: its type, what it is unless something else is chosen, and its bounds."""
    return sorted(f"{kind.identifier}: {_line(spec)}" for kind in kinds for spec in getattr(kind, named))


def listed_settings(made: Iterable[type[Any]]) -> list[str]:
    """Give every number and every switch of some dataclasses of settings likewise."""
    kinds = (ParamType.INTEGER, ParamType.NUMBER, ParamType.SWITCH)
    specs = [(kind, setting.spec) for kind in made for setting in declared(kind).values()]
    return [f"{kind.__name__}: {_line(spec)}" for kind, spec in specs if spec.type in kinds or spec.offered]


def _line(spec: ParamSpec) -> str:
    unless = "needed" if spec.default is None else repr(spec.default)
    choices = "".join(f" {value!r}" for value, _ in spec.choices)
    line = f"{spec.name} ({spec.type}{choices}), {unless}"
    if (spec.minimum, spec.maximum) != (-math.inf, math.inf):
        line += f", {'(['[not spec.open_minimum]}{spec.minimum}, {spec.maximum}{')]'[not spec.open_maximum]}"
    return line if spec.offered is None else f"{line}, offered from {spec.offered[0]} to {spec.offered[1]}"
