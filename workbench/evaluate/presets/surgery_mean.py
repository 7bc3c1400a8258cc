"""The mean of surgery charges with global differential privacy."""

from __future__ import annotations

from types import MappingProxyType

from workbench.evaluate.preset import LOWER, SEED, UPPER, Preset, sample_spec
from workbench.evaluate.published import chapter3, chapter3_tables
from workbench.evaluate.samples import Needs, SampleColumn

_SAMPLES = MappingProxyType(
    {"with its tail": chapter3.CHARGES, "no tail": SampleColumn("surgery_charges.csv.gz", "average total payments")}
)

PLUGIN = Preset(
    "surgery-mean",
    "Mean of surgery charges",
    "The mean of a column of money with global differential privacy, against the number of rows and against ε; and "
    "its statistics, true and private: in the samples of California alone, but for the mean.",
    "Where the error is small beside the distance between the mean and the nearer bound, it falls like 1/n and like "
    "1/ε, and with the width of the bounds: between 0 and 125,000 (--set upper) it is about an eighth of that between "
    "0 and 1,000,000. But what lies beyond the bounds is cut to them, and no error shown has what that costs: it moves "
    "the mean of the sample with its tail by $49, that of the one without by nothing.",
    "Two kinds of noise are shown: that of diffprivlib takes the number of rows as public, discrete noise protects it "
    "too. The shipped samples are synthetic: one has the tail of the published table, the other none (--set sample).",
    "N. Holohan et al.: Diffprivlib, 2019; N. Galanis: thesis, 2021.",
    Needs.NUMBERS,
    chapter3.CHARGES,
    (sample_spec(_SAMPLES, "With the tail of the published table, or without."), LOWER, UPPER, SEED),
    MappingProxyType({"lower": "0", "upper": "1000000"}),
    0,
    figures=(chapter3.FIGURE_3_1, chapter3_tables.TABLE_3_2, chapter3.FIGURE_3_2),
    samples=_SAMPLES,
)
