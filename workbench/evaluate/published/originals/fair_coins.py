"""Randomised response on fair coins instead of people, as published: then the missing estimator does no harm."""

from __future__ import annotations

import numpy as np

from workbench.evaluate.published.originals.flaw import OriginalFlaw
from workbench.evaluate.question import Floats

FACTOR = 10
"""100 runs are added and divided by 10."""


def raw_errors(people: int, repetitions: int, generator: np.random.Generator) -> Floats:
    """The published error of each run: FACTOR · |reported − true| / n, where the true answers are fair coins."""
    yes = generator.binomial(people, 0.5, repetitions)
    reported = generator.binomial(yes, 0.75) + generator.binomial(people - yes, 0.25)
    found: Floats = FACTOR * np.abs(reported - yes) / people
    return found


FLAW = OriginalFlaw(
    "Fair coins as people, and no estimator",
    "thesis, figure 4.1, p. 42, and its code",
    "The reported yeses are off by |¼ − share/2| of the people, which is 0 only where half of them would say yes; "
    "and the printed error is ten times the measured one (author's code).",
    said="Fair coins stand for people, and reported yeses are not turned into an estimate",
)
