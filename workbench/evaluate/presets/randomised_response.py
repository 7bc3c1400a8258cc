"""Randomised response: error against the number of users, de-biased and as published."""

from __future__ import annotations

import math
from types import MappingProxyType

from workbench.core.params import ParamSpec, ParamType
from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.preset import SEED, Given, Needs, Preset, PresetPart, SampleColumn
from workbench.evaluate.question import Distance, Metric, Question, Statistic
from workbench.ldp.encoding import EncodingChoice

COINS = "rr=design:coins"
USERS = (10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0, 10_000.0, 20_000.0, 50_000.0, 100_000.0)


def answer_of(given: Given) -> str:
    """The value that is asked for."""
    if given["answer"].strip():
        return str(given["answer"]).strip()
    column = given.material.table[given.column]
    return column.values[int(column.counts.argmax())]


def coins(given: Given, answer: str) -> Experiment:
    """The yes-or-no question, asked with two coins."""
    return Experiment(
        question=Question(Statistic.COUNT, given.column, EncodingChoice(answer=answer)),
        metric=Metric(Distance.ABSOLUTE, normalised=True),
        methods=(
            MethodChoice("local", {"protocol": COINS, "postprocess": "none"}, label="Randomised response, de-biased"),
            MethodChoice("coins-published", label="As published (never de-biased)"),
            MethodChoice("global-grid"),
            MethodChoice("uniform", label="Guessing one half"),
        ),
        axis=Axis.USERS,
        places=USERS,
        epsilon=math.log(3),
        repetitions=given.repetitions,
        seed=given["seed"],
        title="Error of the counted yeses, as a share of the users",
    )


def parts(given: Given) -> tuple[PresetPart, ...]:
    return (
        PresetPart(
            f"How many have “{answer_of(given)}”: error against users",
            "The de-biased error falls like 1/√n; the one as published ends at |¼ − share/2|.",
            coins(given, answer_of(given)),
        ),
    )


ANSWER = ParamSpec(
    "answer", "Counts as yes", ParamType.TEXT, "", "The value that is asked for; empty: the most frequent one."
)

PLUGIN = Preset(
    "randomised-response",
    "Randomised response",
    "A yes-or-no question answered with two coins (ε = ln 3): error of the estimated share against the number of "
    "people.",
    "De-biased, a hundred times as many people make the error ten times smaller, and global DP is far below. Counted "
    "as published, no number of people helps, unless just half of them would say yes.",
    "The published figure never de-biased the answers and printed its error ten times too large; both curves are "
    "here as shares of the users, without that factor. The error as published ends at |¼ − share/2|; for the fair "
    "coins that stood for people in the published figure that is 0, so there the curve falls.",
    "S. L. Warner: Randomized response, 1965; N. Galanis: thesis, 2021.",
    Needs.VALUES,
    SampleColumn("baltimore_salaries.csv", "job title"),
    (ANSWER, SEED),
    MappingProxyType({"answer": "Police Officer"}),
    1000,
    parts,
)
