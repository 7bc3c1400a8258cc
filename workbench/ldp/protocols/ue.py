"""Unary encoding with given chances, whose ε follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.ldp.parameters import chance, exactly
from workbench.ldp.protocol import LocalProtocol, always
from workbench.ldp.unary import Unary


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> Unary:
    return Unary(domain_size, exactly(values["p"]), exactly(values["q"]))


PLUGIN = LocalProtocol(
    "ue",
    "Unary encoding with given p and q",
    "Reports one bit per value with chances of your own. ε = ln p(1−q)/((1−p)q) follows from them.",
    "T. Wang, J. Blocki, N. Li, S. Jha: Locally differentially private protocols for frequency estimation, USENIX "
    "Security 2017.",
    (
        chance("p", "p", 0.75, "The chance of a 1 at the true value; above q."),
        chance("q", "q", 0.25, "The chance of a 1 at every other value; below p."),
    ),
    construct,
    follows=always,
)
