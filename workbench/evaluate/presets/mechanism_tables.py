"""The tables of the survey and of the truncated geometric mechanism, in exact fractions."""

from __future__ import annotations

from types import MappingProxyType

from workbench.evaluate.preset import Preset
from workbench.evaluate.published import paper
from workbench.evaluate.samples import Needs

PLUGIN = Preset(
    "mechanism-tables",
    "Survey and geometric mechanism",
    "For every true answer the probability of every reported one, in exact fractions, and the exact ε.",
    "Neighbouring rows differ nowhere by more than the factor e^ε: 3 for the survey, 2 and 4 for the geometric ones.",
    "Every row of the published tables is right. The published model that uses two of them, above-threshold, has no "
    "finite ε for an unlimited number of queries.",
    "D. Liu, B.-Y. Wang, L. Zhang: Model Checking Differentially Private Properties, APLAS 2018; A. Ghosh, T. "
    "Roughgarden, M. Sundararajan, 2009; C. Dwork, A. Roth, 2014.",
    Needs.NOTHING,
    None,
    (),
    MappingProxyType({}),
    0,
    figures=(paper.PAPER_SURVEY, paper.PAPER_HALF, paper.PAPER_QUARTER, paper.PAPER_ABOVE),
)
