"""A trusted curator with whichever setting errs least."""

from __future__ import annotations

from workbench.evaluate.families import global_settings, untuned
from workbench.evaluate.method import Approach, Method

PLUGIN = Method(
    "best-global",
    "Global",
    "A curator who sees every value adds noise to the answer; what happens to the counts afterwards is tuned.",
    "C. Dwork, F. McSherry, K. Nissim, A. Smith: Calibrating noise to sensitivity, TCC 2006.",
    Approach.GLOBAL,
    (),
    lambda subject, values: "",
    untuned,
    lambda values: "Global",
    candidates=global_settings,
)
