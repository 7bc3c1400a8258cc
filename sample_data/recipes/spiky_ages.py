"""Ages of 20,000 people in few spikes: two ages hold 38 % of them, as in a published figure."""

from __future__ import annotations

import numpy as np

from recipes.common import Sample, apportion, randomness

PEOPLE = 20_000
YOUNGEST = 18
# People per 2,000, from the youngest age to the oldest: the heights of the bars of figure 4.2 of N. Galanis,
# “Protection of Sensitive Data”, 2021, which shows 50 answers without a meaning of their own.
SHARES = (
    *(1.7, 4.0, 7.1, 9.3, 3.6, 3.3, 5.7, 15.7, 3.4, 20.9, 5.3, 381.8, 4.1, 9.1, 12.6, 20.0, 7.2),
    *(1.2, 58.3, 4.5, 56.6, 34.5, 160.2, 46.2, 21.3, 62.2, 157.2, 87.9, 7.5, 5.9, 10.3, 14.8, 5.8),
    *(11.9, 65.0, 3.8, 8.9, 2.0, 0.8, 58.5, 38.6, 89.9, 384.6, 6.8, 38.3, 3.4, 8.1, 12.9, 11.8, 5.7),
)


def make() -> Sample:
    """Shares decide how often each age occurs; chance only decides who has it."""
    ages = np.arange(YOUNGEST, YOUNGEST + len(SHARES))
    people = np.repeat(ages, apportion(SHARES, PEOPLE))
    randomness(42).shuffle(people)
    return Sample(
        short_name="spiky_ages",
        file="spiky_ages.csv",
        header=("person", "age"),
        rows=tuple((f"Person {i:05d}", str(age)) for i, age in enumerate(people.tolist(), start=1)),
        hierarchies=(),
    )
