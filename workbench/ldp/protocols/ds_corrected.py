"""Distance-sensitive encoding, corrected: takes any ε, and spends it unless there are very few values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.ldp.by_distance import distance_sensitive, sharpened
from workbench.ldp.coins import odds
from workbench.ldp.parameters import SPEND, given, whole
from workbench.ldp.protocol import LocalProtocol
from workbench.ldp.tabulated import LARGEST, SLACK, Tabulated


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> Tabulated:
    floor = float(1 / (odds(given(epsilon, PLUGIN.title)) * SLACK))
    make = sharpened if whole(values) else distance_sensitive
    return Tabulated(make(domain_size, floor))


PLUGIN = LocalProtocol(
    "ds-corrected",
    "Distance-sensitive encoding (corrected)",
    "Reports values near the true one more likely than far ones, for any ε. With very few values it reveals less than "
    "ε allows.",
    "After N. Galanis: thesis, 2021; the chance of far values is 1/e^ε of the true one's.",
    (SPEND,),
    construct,
    later=(SPEND.name,),
    ordinal=True,
    maximum_domain=LARGEST,
)
