"""The recorded values of published figures: what is shown of them before anything is run, and the noise of a run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache

from workbench.core.paths import resources
from workbench.evaluate.published.agreement import OurValue

RECORDED = "published_values.json"
"""Results of a run with seed 1, and the noise of one repetition, from a longer run; tests make them again."""


@cache
def recorded() -> Mapping[str, Mapping[str, OurValue]]:
    """By figure and value what a run with seed 1 came to, as it was written where that was no mere number.

    The deviation is that of a longer run with another seed.
    """
    with (resources() / RECORDED).open(encoding="utf-8") as stream:
        plain = json.load(stream)
    return {
        figure: {
            what: OurValue(mean, deviation, int(times), *written)
            for what, (mean, deviation, times, *written) in values.items()
        }
        for figure, values in plain.items()
    }
