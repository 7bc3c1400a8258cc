"""The mean of NBA salaries from an anonymised release."""

from __future__ import annotations

from types import MappingProxyType

from workbench.core.params import ParamSpec, ParamType
from workbench.evaluate.preset import LOWER, SEED, UPPER, Preset, sample_spec
from workbench.evaluate.published import chapter3_release
from workbench.evaluate.samples import Needs, SampleColumn

_SAMPLES = MappingProxyType(
    {"from 1990": chapter3_release.NBA, "from 1985": SampleColumn("nba_salaries.csv", "salary")}
)

PLUGIN = Preset(
    "nba-anonymised",
    "Mean of an anonymised release",
    "The mean salary that a reader computes from a release by sampling or trimming, ε 0.2 to 1.6, δ = 1/n.",
    "Labels that are means keep the answer close while groups survive, but make the claim void. With public intervals "
    "the claim holds; the error is that of the intervals' middles and of the rare high salaries that are dropped.",
    "The published error is that of the average of 1,000 releases (500 in the author's code); mended it is the mean "
    "error of one. The published release had other columns as they are, which voids the claim by itself. Each row "
    "counts as a person here as there, although a player of the sample has up to 19 rows, or 20 since 1985. The sample "
    "is synthetic.",
    "R. Bild, K. Kuhn, F. Prasser: SafePub, 2018; N. Galanis: thesis, 2021.",
    Needs.NUMBERS,
    chapter3_release.NBA,
    (
        sample_spec(_SAMPLES, "Seasons from 1990 as published, or from 1985."),
        LOWER,
        UPPER,
        ParamSpec(
            "level",
            "Level of the pairs",
            ParamType.INTEGER,
            0,
            "Labels are means of 2^level different amounts; 0: all from 5 to 8.",
            minimum=0,
            maximum=10,
        ),
        ParamSpec("intervals", "Public intervals", ParamType.INTEGER, 64, "At their finest.", minimum=2, maximum=4096),
        SEED,
    ),
    MappingProxyType({"lower": "0", "upper": "40000000"}),
    0,
    figures=(chapter3_release.TABLE_3_6, chapter3_release.FIGURE_3_9),
    samples=_SAMPLES,
)
