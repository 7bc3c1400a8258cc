"""Optimised local hashing: a random hash to about e^ε + 1 buckets, reported by direct encoding."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType
from workbench.ldp.hashing import LocalHashing, salted_as
from workbench.ldp.parameters import FUNCTIONS, given
from workbench.ldp.protocol import LeftOpen, LocalProtocol

_MOST_BUCKETS = 1 << 20


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> LocalHashing:
    asked, size = given(epsilon, PLUGIN.title), int(values["g"])
    if size == 1:
        raise WorkbenchError(
            "With one bucket the reports say nothing.", hint="Choose at least 2, or 0 for the best number.", field="g"
        )
    return LocalHashing(domain_size, asked, size or best_buckets(asked), int(values["functions"]))


def best_buckets(epsilon: float) -> int:
    """round(e^ε) + 1."""
    return min(round(math.exp(epsilon)) + 1, _MOST_BUCKETS)


def restore(
    domain_size: int, epsilon: float | None, values: Mapping[str, Any], public: Mapping[str, Any]
) -> LocalHashing:
    return salted_as(construct(domain_size, epsilon, values), public)


PLUGIN = LocalProtocol(
    "olh",
    "Optimised local hashing",
    "Hashes the value to a few buckets and reports one by direct encoding: as accurate as optimised unary encoding, "
    "with short reports and any number of values.",
    "T. Wang, J. Blocki, N. Li, S. Jha: Locally differentially private protocols for frequency estimation, USENIX "
    "Security 2017.",
    (
        ParamSpec(
            "g",
            "Buckets g",
            ParamType.INTEGER,
            default=0,
            minimum=0,
            maximum=_MOST_BUCKETS,
            placeholder="automatic",
            help="At least 2; 0 for the best number, round(e^ε) + 1.",
        ),
        FUNCTIONS,
    ),
    construct,
    restore=restore,
    left_open=LeftOpen(
        "g",
        lambda _domain_size, epsilon: range(2, best_buckets(epsilon) + 1),
        lambda _domain_size, epsilon: best_buckets(epsilon),
    ),
)
