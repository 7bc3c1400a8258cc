"""Ages of 20,000 people: fifty distinct values in three humps."""

from __future__ import annotations

import numpy as np

from recipes.common import HierarchyFile, Sample, apportion, band_rows, randomness

PEOPLE = 20_000
YOUNGEST, OLDEST = 18, 67
HUMPS = ((0.40, 23.0, 2.8), (0.35, 39.0, 4.2), (0.20, 58.0, 3.4))
"""Weight, centre and spread in years of each hump; the remaining weight is spread evenly."""


def make() -> Sample:
    """Shares of the humps decide how often each age occurs; chance only decides who has it."""
    ages = np.arange(YOUNGEST, OLDEST + 1)
    density = np.full(len(ages), (1 - sum(weight for weight, _, _ in HUMPS)) / len(ages))
    for weight, centre, spread in HUMPS:
        bell = np.exp(-0.5 * ((ages - centre) / spread) ** 2)
        density += weight * bell / bell.sum()
    rng = randomness(50)
    # A little noise per age keeps the histogram from looking drawn with a ruler.
    density *= np.exp(rng.normal(0.0, 0.04, len(ages)))
    people = np.repeat(ages, apportion(density.tolist(), PEOPLE))
    rng.shuffle(people)
    return Sample(
        short_name="ages",
        file="ages.csv",
        header=("person", "age"),
        rows=tuple((f"Person {i:05d}", str(age)) for i, age in enumerate(people.tolist(), start=1)),
        hierarchies=(
            HierarchyFile(
                "age",
                band_rows(range(120), (5, 10, 20)),
                "Bands of 5, 10 and 20 years over the declared ages 0 to 119, fixed without looking at the data.",
            ),
        ),
    )
