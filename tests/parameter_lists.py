"""What may be chosen of a kind, in one line for each parameter, to be compared with what was promised."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from workbench.core.params import ParamSpec


def listed(kinds: Iterable[Any], named: str = "params") -> list[str]:
    """Give every parameter of every kind: its type, what it is unless something else is chosen, and its bounds."""
    return sorted(f"{kind.identifier}: {_line(spec)}" for kind in kinds for spec in getattr(kind, named))


def _line(spec: ParamSpec) -> str:
    unless = "needed" if spec.default is None else repr(spec.default)
    choices = "".join(f" {value!r}" for value, _ in spec.choices)
    line = f"{spec.name} ({spec.type}{choices}), {unless}"
    if (spec.minimum, spec.maximum) == (-math.inf, math.inf):
        return line
    return f"{line}, {'(['[not spec.open_minimum]}{spec.minimum}, {spec.maximum}{')]'[not spec.open_maximum]}"
