"""Binary local hashing: one bit of a random hash."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.ldp.hashing import LocalHashing, salted_as
from workbench.ldp.parameters import FUNCTIONS, given
from workbench.ldp.protocol import LocalProtocol


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> LocalHashing:
    return LocalHashing(domain_size, given(epsilon, PLUGIN.title), 2, int(values["functions"]))


def restore(
    domain_size: int, epsilon: float | None, values: Mapping[str, Any], public: Mapping[str, Any]
) -> LocalHashing:
    return salted_as(construct(domain_size, epsilon, values), public)


PLUGIN = LocalProtocol(
    "blh",
    "Binary local hashing",
    "Hashes the value to one bit and reports it by randomised response. Short reports, any number of values.",
    "R. Bassily, A. Smith: Local, private, efficient protocols for succinct histograms, STOC 2015; T. Wang et al., "
    "USENIX Security 2017.",
    (FUNCTIONS,),
    construct,
    restore=restore,
)
