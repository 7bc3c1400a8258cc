"""Histograms of salaries: true and private side by side, and their errors."""

from __future__ import annotations

from types import MappingProxyType

from workbench.core.number_text import file_text
from workbench.core.params import ParamSpec, ParamType
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.preset import LOWER, SEED, UPPER, Given, Needs, Preset, PresetPart, SampleColumn
from workbench.evaluate.question import Distance, Metric, Question, Statistic

_EPSILONS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


def parts(given: Given) -> tuple[PresetPart, ...]:
    question = Question(Statistic.HISTOGRAM, given.column, given.binned(given["bins"]))
    shared = {"question": question, "repetitions": given.repetitions, "seed": given["seed"]}
    private = (MethodChoice("global-diffprivlib"), MethodChoice("global-grid"))

    def errors(distance: Distance) -> Experiment:
        return Experiment(
            **shared,
            metric=Metric(distance, normalised=distance is Distance.KANTOROVICH),
            methods=(*private, MethodChoice("uniform")),
            places=_EPSILONS,
            title=f"{Metric(distance).title.capitalize()} against ε",
        )

    side = Experiment(
        **shared,
        metric=Metric(Distance.EUCLIDEAN),
        methods=private,
        places=(given["epsilon"],),
        title=f"True and private histogram at ε = {file_text(given['epsilon'], 6)}",
    )
    return (
        PresetPart("True and private histogram", "Bars differ by a few rows only; small bars suffer most.", side, True),
        PresetPart(
            "Euclidean distance against ε",
            "It falls like 1/ε, whatever the number of rows.",
            errors(Distance.EUCLIDEAN),
        ),
        PresetPart(
            "Kantorovich distance against ε",
            "How far the average salary is moved, in units of the column.",
            errors(Distance.KANTOROVICH),
        ),
    )


PLUGIN = Preset(
    "salary-histograms",
    "Histograms of salaries",
    "A histogram of 19 bars between 0 and 300,000, true and with global differential privacy, and its Euclidean and "
    "Kantorovich error against ε.",
    "At ε = 0.1 the bars can hardly be told apart; both errors fall like 1/ε until whole numbers of rows are too "
    "coarse.",
    "Published were annual salaries in 18 bars from 15,789 at ε = 1, and the distance that was called Euclidean was "
    "the sum of the differences (L1). The published Kantorovich distance was taken between histograms of unequal "
    "mass; here both are scaled to one row, so it is smaller. diffprivlib cuts counts below 0, which makes small "
    "bars too large on average.",
    "N. Holohan et al.: Diffprivlib, 2019; N. Galanis: thesis, 2021.",
    Needs.NUMBERS,
    SampleColumn("baltimore_salaries.csv", "gross pay"),
    (
        LOWER,
        UPPER,
        ParamSpec("bins", "Bins", ParamType.INTEGER, 19, "Of equal width.", minimum=2, maximum=1000),
        ParamSpec("epsilon", "ε of the histograms", ParamType.NUMBER, 0.1, "Of those side by side.", minimum=1e-3),
        SEED,
    ),
    MappingProxyType({"lower": "0", "upper": "300000"}),
    100,
    parts,
)
