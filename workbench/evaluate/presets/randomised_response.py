"""A yes-or-no question about one value: error against the number of people, de-biased and as published."""

from __future__ import annotations

from types import MappingProxyType

from workbench.core.params import ParamSpec, ParamType
from workbench.evaluate.preset import SEED, Preset
from workbench.evaluate.published import shapes
from workbench.evaluate.samples import Needs

ANSWER = ParamSpec(
    "answer", "Counts as yes", ParamType.TEXT, "", "The value that is asked for; empty: the most frequent one."
)

PLUGIN = Preset(
    "randomised-response",
    "Randomised response",
    "A yes-or-no question answered with two coins (ε = ln 3): error of the estimated share against the number of "
    "people.",
    "De-biased, a hundred times as many people make the error ten times smaller, and global DP is far below. Counted "
    "as published, no number of people helps, unless exactly half of them would say yes.",
    "The published figure never de-biased the answers and printed its error ten times too large; mended all errors "
    "are shares of the people, without that factor. The error as published ends at |¼ − share/2|; for the fair "
    "coins that stood for people in the published figure that is 0, so there the curve falls.",
    "C. Dwork, A. Roth: The Algorithmic Foundations of Differential Privacy, 2014; N. Galanis: thesis, 2021.",
    Needs.VALUES,
    shapes.TITLES,
    (ANSWER, SEED),
    MappingProxyType({"answer": "Police Officer"}),
    0,
    figures=(shapes.FIGURE_4_1,),
)
