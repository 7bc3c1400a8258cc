"""A local protocol with whichever protocol and estimator err least."""

from __future__ import annotations

from workbench.evaluate.families import local_settings, untuned
from workbench.evaluate.method import Approach, Method

PLUGIN = Method(
    "best-local",
    "Local",
    "Every person randomises their own answer; protocol and estimator are tuned for the question and ε.",
    "T. Wang et al.: Locally differentially private protocols for frequency estimation, 2017.",
    Approach.LOCAL,
    (),
    lambda subject, values: "",
    untuned,
    lambda values: "Local",
    candidates=local_settings,
)
