"""Square Wave: an output near the true value, on a range that reaches beyond the domain."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from workbench.ldp.coins import odds
from workbench.ldp.parameters import given
from workbench.ldp.protocol import Floats, LocalProtocol
from workbench.ldp.tabulated import LARGEST, SLACK, Tabulated


def half_width(epsilon: float) -> float:
    """b = (εE − E + 1)/(2E(E − 1 − ε)) with E = e^ε: half of the window for a domain of width 1."""
    if epsilon < 1e-3:
        # Both parts vanish as ε² does; their series do not cancel.
        above, under = 1 / 2 + epsilon / 3 + epsilon**2 / 8, 1 / 2 + epsilon / 6 + epsilon**2 / 24
        return above / (2 * math.exp(epsilon) * under)
    e = math.exp(epsilon)
    return (epsilon - 1 + 1 / e) / (2 * (e - 1 - epsilon))


def chances(domain_size: int, epsilon: float) -> Floats:
    """P(output | value), shape (d, d + 2b): e^ε times as high in the window value … value + 2b as elsewhere."""
    reach = math.floor(half_width(epsilon) * domain_size)
    e = float(odds(epsilon) * SLACK)
    total = (2 * reach + 1) * e + domain_size - 1
    values, outputs = np.arange(domain_size)[:, None], np.arange(domain_size + 2 * reach)[None, :]
    return np.where((outputs >= values) & (outputs <= values + 2 * reach), e / total, 1 / total)


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> Tabulated:
    return Tabulated(chances(domain_size, given(epsilon, PLUGIN.title)))


PLUGIN = LocalProtocol(
    "square-wave",
    "Square Wave",
    "Reports a number near the true one, e^ε times as likely inside a window as outside. With an EM estimator the best "
    "for ordered values.",
    "Z. Li, T. Wang, M. Lopuhaä-Zwakenberg, B. Škorić, N. Li: Estimating numerical distributions under local "
    "differential privacy, SIGMOD 2020.",
    (),
    construct,
    ordinal=True,
    maximum_domain=LARGEST,
    jumps=True,
)
