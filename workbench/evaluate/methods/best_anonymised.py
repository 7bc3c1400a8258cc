"""A release with whichever mechanism, level and sampling probability err least."""

from __future__ import annotations

from workbench.evaluate.families import released_settings, untuned
from workbench.evaluate.method import Approach, Method

PLUGIN = Method(
    "best-anonymised",
    "Anonymised",
    "A table is released, trimmed, in steps or sampled; mechanism, level and β are tuned for the question and ε.",
    "D. Desfontaines et al.: Differentially private partition selection, 2022; N. Li et al.: On sampling, 2012.",
    Approach.ANONYMISED,
    (),
    lambda subject, values: "",
    untuned,
    lambda values: "Anonymised",
    uses_hierarchies=True,
    candidates=released_settings,
)
