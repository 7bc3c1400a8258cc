"""Symmetric unary encoding: one bit per value, zeros and ones flipped alike."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from workbench.ldp.coins import odds
from workbench.ldp.parameters import given
from workbench.ldp.protocol import LocalProtocol
from workbench.ldp.unary import Unary


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> Unary:
    e = odds(given(epsilon, PLUGIN.title))
    # Two bits differ between two values, so each may spend √e; the whole root is taken so that its square stays below.
    root = Fraction(math.isqrt(e.numerator * e.denominator << 128), e.denominator << 64)
    p = root / (1 + root)
    return Unary(domain_size, p, 1 - p)


PLUGIN = LocalProtocol(
    "sue",
    "Symmetric unary encoding",
    "Reports one bit per value, each kept with the same chance. What basic RAPPOR sends at once.",
    "Ú. Erlingsson, V. Pihur, A. Korolova: RAPPOR, CCS 2014; T. Wang et al., USENIX Security 2017.",
    (),
    construct,
)
