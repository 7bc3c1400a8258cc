"""Average payments for surgery with the tail that public tables have: the dearest rows cost thirty times the mean."""

from __future__ import annotations

import numpy as np

from recipes.common import Sample, dollars, randomness
from recipes.places import STATES

ROWS = 202_655
LEAST, GREATEST = 2_320.48, 434_396.00
MEAN, STEP = 13_167.38, 5.0
SPREAD = 0.84
"""Deviation of the logarithm of what a payment exceeds the least one by, within a state."""
DEAR = 0.002, 0.028
"""How often a row is a transplantation or the like, elsewhere and in California."""
CALIFORNIA_PRICE = 1.015
"""Price level of the common rows there, where those elsewhere average 1."""


def make() -> Sample:
    """One row per type of surgery and hospital: its state, and what is paid on average."""
    rng = randomness(434_396)
    weights = np.array([state.weight for state in STATES])
    places = np.sort(rng.choice(len(STATES), ROWS, p=weights / weights.sum()))
    prices = np.array([CALIFORNIA_PRICE if state.code == "CA" else state.price for state in STATES])
    rare = np.array([DEAR[state.code == "CA"] for state in STATES])
    above = prices[places] * np.exp(rng.normal(0.0, SPREAD, ROWS))
    above *= np.where(rng.random_sample(ROWS) < rare[places], 5 + rng.exponential(1.5, ROWS), 1.0)
    above -= above.min()
    paid = LEAST + above * ((MEAN - LEAST) / above.mean())
    # What would cost more than the dearest row lies somewhere below it.
    paid = np.where(paid > GREATEST, GREATEST * rng.uniform(0.6, 1.0, ROWS), paid)
    dearest, cheapest = int(np.argmax(paid)), int(np.argmin(paid))
    paid = np.round(paid / STEP) * STEP
    paid[dearest], paid[cheapest] = GREATEST, LEAST
    order = rng.permutation(ROWS)
    return Sample(
        short_name="surgery_tail",
        file="surgery_tail.csv.gz",
        header=("state", "average total payments"),
        rows=tuple(
            (STATES[place].code, dollars(amount))
            for place, amount in zip(places[order].tolist(), paid[order].tolist(), strict=True)
        ),
        hierarchies=(),
    )
