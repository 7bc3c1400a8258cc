"""Ages with local differential privacy: every protocol that uses or ignores distances."""

from __future__ import annotations

from types import MappingProxyType

from workbench.core.params import ParamSpec, ParamType
from workbench.evaluate.preset import LOWER, SEED, UPPER, Preset, sample_spec
from workbench.evaluate.published import chapter4
from workbench.evaluate.samples import Needs, SampleColumn

_SAMPLES = MappingProxyType({"spiky": chapter4.SPIKY, "smooth": SampleColumn("ages.csv", "age")})

PLUGIN = Preset(
    "ages",
    "Ages with local protocols",
    "The distribution of ages estimated from perturbed reports: Manhattan and Kantorovich error against ε and against "
    "the number of people.",
    "By Kantorovich distance Square Wave leads nearly everywhere. By Manhattan distance it depends on the shape: on "
    "the spiky sample with many people unary encoding leads from ε = 1.2 to 2.53, and direct encoding above 3.5; on "
    "the smooth one (--set sample=smooth) Square Wave or distance-sensitive encoding does. RAPPOR spends more than ε "
    "below ε = 1.02.",
    "The published random matrix let every report tell its value; the distance-sensitive protocol had a larger ε than "
    "claimed at ln 20 and, of the ε of figure 4.9, at 1.8 and all from 3.13 on, and its aggregator kept reports of "
    "people with near answers, which no divisor takes out; Kantorovich was taken between unequal masses. In the mended "
    "charts all are mended: “Distance-sensitive” has the probabilities of the text, and its curve is missing below ε = "
    "ln 2, where it does not exist. Norm-Sub or EM make every estimate there a possible distribution.",
    "T. Wang et al., 2017; R. Bassily, A. Smith, 2015; Z. Li et al., 2020; N. Galanis: thesis, 2021.",
    Needs.NUMBERS,
    chapter4.SPIKY,
    (
        sample_spec(_SAMPLES, "Spiky as published, or three smooth bells."),
        LOWER,
        UPPER,
        ParamSpec("bins", "Bins", ParamType.INTEGER, 50, "Of equal width.", minimum=2, maximum=1024),
        ParamSpec(
            "users",
            "People against ε",
            ParamType.INTEGER,
            0,
            "Who report there; 0: as published.",
            minimum=0,
        ),
        ParamSpec(
            "epsilon",
            "ε against people",
            ParamType.NUMBER,
            0.0,
            "Of each report; 0: as published, 1.5 and ln 20.",
            minimum=0,
            maximum=30,
        ),
        SEED,
    ),
    MappingProxyType({"lower": "17.5", "upper": "67.5"}),
    0,
    figures=(
        chapter4.FIGURE_4_2,
        chapter4.FIGURE_4_3,
        chapter4.FIGURE_4_4,
        chapter4.FIGURE_4_5,
        chapter4.FIGURE_4_6,
        chapter4.FIGURE_4_10,
        chapter4.FIGURE_4_11,
    ),
    samples=_SAMPLES,
)
