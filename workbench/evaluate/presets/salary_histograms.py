"""Histograms of salaries: true and private side by side, and their errors."""

from __future__ import annotations

from types import MappingProxyType

from workbench.core.params import ParamSpec, ParamType
from workbench.evaluate.preset import LOWER, SEED, UPPER, Preset, sample_spec
from workbench.evaluate.published import chapter3_histograms
from workbench.evaluate.samples import Needs, SampleColumn

_SAMPLES = MappingProxyType(
    {
        "annual salary": chapter3_histograms.SALARIES,
        "gross pay": SampleColumn(chapter3_histograms.SALARIES.file, "gross pay"),
    }
)

PLUGIN = Preset(
    "salary-histograms",
    "Histograms of salaries",
    "A histogram between 0 and 300,000, true and with global differential privacy, and its errors against ε.",
    "At ε = 1 the bars can hardly be told apart; both errors fall like 1/ε until whole numbers of rows are too coarse.",
    "The published histograms have 18 bars, without the lowest one, and the distance called Euclidean is the sum of "
    "absolute differences (L1). The published Kantorovich distance was taken between histograms of unequal mass; "
    "mended both are scaled to one row, so the numbers have other units. diffprivlib cuts counts below 0, which makes "
    "small bars too large on average.",
    "N. Holohan et al.: Diffprivlib, 2019; N. Galanis: thesis, 2021.",
    Needs.NUMBERS,
    chapter3_histograms.SALARIES,
    (
        sample_spec(_SAMPLES, "Annual salaries as published, or what was paid."),
        LOWER,
        UPPER,
        ParamSpec("bins", "Bins", ParamType.INTEGER, 19, "Of equal width.", minimum=2, maximum=1000),
        ParamSpec("epsilon", "ε of the histograms", ParamType.NUMBER, 1.0, "Of those side by side.", minimum=1e-3),
        SEED,
    ),
    MappingProxyType({"lower": "0", "upper": "300000"}),
    0,
    figures=(chapter3_histograms.FIGURE_3_4, chapter3_histograms.FIGURE_3_5, chapter3_histograms.FIGURE_3_6),
    samples=_SAMPLES,
)
