"""Ages with local differential privacy: every protocol that uses or ignores distances."""

from __future__ import annotations

from types import MappingProxyType

from workbench.core.number_text import file_text
from workbench.core.params import ParamSpec, ParamType
from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.preset import LOWER, SEED, UPPER, Given, Needs, Preset, PresetPart, SampleColumn
from workbench.evaluate.question import Distance, Metric, Question, Statistic

_PROTOCOLS = ("grr", "oue", "she", "olh", "random-matrix", "ds", "ds-corrected", "square-wave")
_USERS = (10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 4000.0)
_EPSILONS = tuple(round(0.2 * step, 1) for step in range(1, 21))


def parts(given: Given) -> tuple[PresetPart, ...]:
    question = Question(Statistic.HISTOGRAM, given.column, given.binned(given["bins"]))
    local = tuple(MethodChoice("local", MappingProxyType({"protocol": one})) for one in _PROTOCOLS)
    shared = {"question": question, "repetitions": given.repetitions, "seed": given["seed"]}

    def errors(distance: Distance, axis: Axis) -> Experiment:
        return Experiment(
            **shared,
            metric=Metric(distance, normalised=True),
            methods=(*local, MethodChoice("global-grid"), MethodChoice("uniform")),
            axis=axis,
            places=_USERS if axis is Axis.USERS else _EPSILONS,
            users=None if axis is Axis.USERS else given["users"],
            epsilon=given["epsilon"],
            title=f"{Metric(distance, normalised=True).title.capitalize()} against {axis.value}",
        )

    bars = Experiment(
        **{**shared, "repetitions": min(given.repetitions, 20)},
        metric=Metric(Distance.MANHATTAN, normalised=True),
        methods=tuple(one for one in local if one.values["protocol"] in ("oue", "ds-corrected", "square-wave")),
        places=(given["epsilon"],),
        title=f"Truth and estimates at ε = {file_text(given['epsilon'], 6)}",
    )
    words = {Distance.MANHATTAN: "Manhattan", Distance.KANTOROVICH: "Kantorovich"}
    figures = [
        PresetPart(
            f"{words[distance]} error against {'ε' if axis is Axis.EPSILON else 'users'}",
            "Protocols that use distances win by Kantorovich long before they win by Manhattan."
            if distance is Distance.KANTOROVICH
            else "What is above the uniform guess is worse than asking nobody.",
            errors(distance, axis),
        )
        for axis in (Axis.EPSILON, Axis.USERS)
        for distance in (Distance.MANHATTAN, Distance.KANTOROVICH)
    ]
    return (PresetPart("Truth, and three estimates", "All people of the sample report.", bars, True), *figures)


PLUGIN = Preset(
    "ages",
    "Ages with local protocols",
    "The distribution of ages estimated from perturbed reports: Manhattan and Kantorovich error against ε and against "
    "the number of users.",
    "By Kantorovich distance Square Wave leads nearly everywhere on these smooth ages; on spiky ones, as published, "
    "others do. With few users or a small ε most protocols are worse "
    "than guessing that all ages are equally frequent, which the published figures do not show.",
    "The published random matrix let every report tell its value; the distance-sensitive protocol had a larger ε than "
    "claimed and its aggregator divided by a wrong number; Kantorovich was taken between unequal masses. All are "
    "mended here: “as published” has its claimed probabilities, and its curve is missing below ε = ln 2, where it "
    "does not exist. Norm-Sub or EM make every estimate a possible distribution.",
    "T. Wang et al., 2017; R. Bassily, A. Smith, 2015; Z. Li et al., 2020; N. Galanis: thesis, 2021.",
    Needs.NUMBERS,
    SampleColumn("ages.csv", "age"),
    (
        LOWER,
        UPPER,
        ParamSpec("bins", "Bins", ParamType.INTEGER, 50, "Of equal width.", minimum=2, maximum=1024),
        ParamSpec("users", "Users against ε", ParamType.INTEGER, 2000, "Who report there.", minimum=1),
        ParamSpec("epsilon", "ε against users", ParamType.NUMBER, 1.0, "Of each report.", minimum=1e-3, maximum=30),
        SEED,
    ),
    MappingProxyType({"lower": "17.5", "upper": "67.5"}),
    50,
    parts,
)
