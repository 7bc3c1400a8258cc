"""Optimised unary encoding: one bit per value, the many zeros kept well and the one 1 by a fair coin."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from workbench.ldp.coins import odds
from workbench.ldp.parameters import given
from workbench.ldp.protocol import LocalProtocol
from workbench.ldp.unary import Unary


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> Unary:
    return Unary(domain_size, Fraction(1, 2), 1 / (odds(given(epsilon, PLUGIN.title)) + 1))


PLUGIN = LocalProtocol(
    "oue",
    "Optimised unary encoding",
    "Reports one bit per value: a fair coin at the true one, rarely a 1 elsewhere. Its error does not grow with the "
    "number of values.",
    "T. Wang, J. Blocki, N. Li, S. Jha: Locally differentially private protocols for frequency estimation, USENIX "
    "Security 2017.",
    (),
    construct,
)
