"""The rows that trimming takes from a group of alike ones, by a formula that can be reckoned in one's head."""

from __future__ import annotations

import math

from workbench.core.number_text import estimate
from workbench.evaluate.findings import Findings
from workbench.evaluate.released_groups import delta_of
from workbench.evaluate.tile import Tile

_TRIMMED = "trimmed"
"""With this begins what the methods that trim are called."""


def trimming_loss(epsilon: float, delta: float, rows_per_person: int = 1) -> float:
    """How many rows a group of many gives up on average, about: ln(1 + (e^ε − 1)/(2δ))/ε − ½ for one row per person.

    Parameters
    ----------
    epsilon, delta
        Of a person, above 0; δ below 1.
    rows_per_person
        Of which each has its part.

    Returns
    -------
    float
        Within 5 % of the exact mean of the law where ε is at most 3 and δ at most 0.001.

    Notes
    -----
    A group of n rows keeps one with probability π(n), which rises as δ(e^{εn} − 1)/(e^ε − 1) until it is a half, and
    goes on like its mirror image. So it is a half at n = ln(1 + (e^ε − 1)/(2δ))/ε, and half a row below that lies the
    mean of what is given up, Σ (1 − π(n)) over n ≥ 1.
    D. Desfontaines, J. Voss, B. Gipson, C. Mandayam: Differentially private partition selection, 2022.
    """
    of_row = epsilon / rows_per_person
    delta_of_row = delta * math.expm1(of_row) / math.expm1(epsilon)
    return max(math.log1p(math.expm1(of_row) / (2 * delta_of_row)) / of_row - 0.5, 0.0)


def loss_words(tile: Tile, findings: Findings, place: float) -> str:
    """The formula, and what it comes to at a place; "" for a way that does not trim."""
    if tile.setting is None or not tile.setting.identifier.startswith(_TRIMMED):
        return ""
    point = findings.experiment.setting(tile.setting, place, findings.rows)
    delta = delta_of(tile.setting.checked()["delta"], point.users)
    lost = estimate(trimming_loss(point.epsilon, delta, findings.rows_per_person), 2)
    of_row = "" if findings.rows_per_person == 1 else ", ε and δ being those of a row"
    return (
        f"In one step trimming takes about ln(1 + (e^ε − 1)/(2δ))/ε − ½ rows from each group{of_row}: here {lost}. "
        "Of several steps each has a part of ε and δ, and what it takes comes out coarser in the next."
    )
