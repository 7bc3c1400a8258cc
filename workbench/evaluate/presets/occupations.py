"""Occupations by unary encoding, and the two-coin question about one of them."""

from __future__ import annotations

from types import MappingProxyType

from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.preset import SEED, Given, Needs, Preset, PresetPart, SampleColumn
from workbench.evaluate.presets.randomised_response import ANSWER, answer_of, coins
from workbench.evaluate.question import Distance, Metric, Question, Statistic
from workbench.ldp.encoding import EncodingChoice, EncodingKind

_UNARY = "ue=0.75:0.25"
_EPSILON = 2.1972245773362196
"""ln 9, which (0.75, 0.25) amounts to."""
_USERS = (100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0, 10_000.0, 20_000.0)


def parts(given: Given) -> tuple[PresetPart, ...]:
    encoding = EncodingChoice(how=EncodingKind.CATEGORIES, assume_public=True)
    question = Question(Statistic.HISTOGRAM, given.column, encoding)
    unary = MethodChoice("local", MappingProxyType({"protocol": _UNARY}), label="Unary (0.75, 0.25)")
    plain = MethodChoice(
        "local",
        MappingProxyType({"protocol": _UNARY, "postprocess": "none"}),
        label="Unary (0.75, 0.25), as estimated",
    )
    oue = MethodChoice("local", MappingProxyType({"protocol": "oue"}))
    shared = {"question": question, "seed": given["seed"], "metric": Metric(Distance.MANHATTAN, normalised=True)}
    bars = Experiment(
        **shared,
        repetitions=min(given.repetitions, 20),
        methods=(plain, unary),
        places=(_EPSILON,),
        title="Occupations",
    )
    errors = Experiment(
        **shared,
        repetitions=given.repetitions,
        methods=(plain, unary, oue, MethodChoice("global-grid"), MethodChoice("uniform")),
        axis=Axis.USERS,
        places=_USERS,
        epsilon=_EPSILON,
        title="Error of the occupations against users",
    )
    return (
        PresetPart("Occupations: truth and unary encoding", "All people report; ε = ln 9.", bars, True),
        PresetPart("Occupations: error against users", "Norm-Sub costs nothing and helps most with few users.", errors),
        PresetPart(
            f"Two coins about “{answer_of(given)}”",
            "The de-biased error falls like 1/√n; the other ends at |¼ − share/2|.",
            coins(given, answer_of(given)),
        ),
    )


PLUGIN = Preset(
    "occupations",
    "Occupations, and one question with two coins",
    "Every person sends one bit per occupation, flipped with probability ¼ (ε = ln 9); and a yes-or-no question about "
    "one of them with two coins (ε = ln 3).",
    "Frequent occupations come out well, rare ones drown in noise that is the same for all of them.",
    "Published estimates were cut to whole numbers, and some below zero were kept. Here they are kept as they are, or "
    "made a possible distribution by Norm-Sub. Occupations are taken from the data and assumed to be public.",
    "Ú. Erlingsson, V. Pihur, A. Korolova: RAPPOR, 2014; T. Wang et al., 2017.",
    Needs.VALUES,
    SampleColumn("baltimore_salaries.csv", "job title", ("adult/adult.csv", "occupation")),
    (ANSWER, SEED),
    MappingProxyType({"answer": ""}),
    100,
    parts,
)
