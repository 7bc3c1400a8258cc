"""Distance-sensitive encoding as its thesis states it, with its real ε."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact
from workbench.core.params import ParamSpec, ParamType
from workbench.ldp.by_distance import distance_sensitive
from workbench.ldp.parameters import given
from workbench.ldp.protocol import LocalProtocol
from workbench.ldp.tabulated import LARGEST, SLACK, Tabulated


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> Tabulated:
    asked, chosen = given(epsilon, PLUGIN.title), int(values["theta"])
    theta = (math.sqrt(1 + 4 * math.exp(asked)) - 1) / 2
    # A distance typed to be ln θ(θ+1) should give that θ though its float may lie just below.
    reach = math.floor(theta * (1 + 1e-12))
    if chosen > reach >= 1:
        raise WorkbenchError(
            f"θ = {chosen} spends ε = ln {chosen * (chosen + 1)}, more than is asked for.",
            hint=f"Choose θ of at most {reach}, or 0 for the largest there is.",
            field="theta",
        )
    reach = chosen or reach
    if reach < 1:
        raise WorkbenchError(
            f"Distance-sensitive encoding cannot keep ε = {exact(asked)}: its smallest is ln 2 = 0.6931….",
            hint="Choose ε of at least 0.6932, or the corrected version, which takes any.",
            field="epsilon",
        )
    return Tabulated(distance_sensitive(domain_size, 1 / (float(SLACK) * reach * (reach + 1))))


PLUGIN = LocalProtocol(
    "ds",
    "Distance-sensitive encoding (as in Galanis 2021)",
    "Reports values near the true one more likely than far ones, equal beyond a distance θ. Its real ε is "
    "ln θ(θ+1), at most the one asked for, and less with very few values.",
    "N. Galanis: thesis, 2021.",
    (
        ParamSpec(
            "theta",
            "Reach θ",
            ParamType.INTEGER,
            default=0,
            minimum=0,
            placeholder="automatic",
            help="Beyond this distance all values are equally likely; a smaller one spends less. 0: the largest that ε "
            "allows.",
        ),
    ),
    construct,
    later=("theta",),
    ordinal=True,
    maximum_domain=LARGEST,
    jumps=True,
)
