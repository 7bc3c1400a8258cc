"""Two-coin randomised response as it was published: the yeses are counted as they come, never de-biased."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from workbench.core.progress import Progress
from workbench.evaluate.method import Answerer, Approach, Method
from workbench.evaluate.question import Floats, Statistic
from workbench.evaluate.subject import EncodedColumn, SubjectSample

_TRUTH, _LIE = 0.75, 0.25
"""Yes is reported with these probabilities by those who mean yes and no: two fair coins."""


class RawYeses(Answerer):
    """The number of reported yeses; its expectation is n/4 + (true yeses)/2."""

    epsilon = math.log(3)
    notes = ("Its ε is ln 3, whatever was asked for. The reported yeses are taken for the true ones.",)

    def draw(self, sample: SubjectSample, repetitions: int, seed: np.random.SeedSequence, progress: Progress) -> Floats:
        generator = np.random.Generator(np.random.PCG64(seed))
        no, yes = sample.counts.tolist()
        found = generator.binomial(yes, _TRUTH, repetitions) + generator.binomial(no, _LIE, repetitions)
        return found.astype(np.float64)[:, np.newaxis]


def answers(subject: EncodedColumn, values: Mapping[str, Any]) -> str:
    return "" if subject.question.statistic is Statistic.COUNT else "Two coins answer yes-or-no questions only."


def prepare(subject: EncodedColumn, epsilon: float, users: int, values: Mapping[str, Any]) -> Answerer:
    return RawYeses()


PLUGIN = Method(
    "coins-published",
    "Two coins, never de-biased",
    "Randomised response with two fair coins whose raw answers are counted. It is wrong by up to a quarter of all "
    "people however many take part.",
    "C. Dwork, A. Roth: The Algorithmic Foundations of Differential Privacy, 2014, without an estimator.",
    Approach.LOCAL,
    (),
    answers,
    prepare,
    lambda values: "Two coins, never de-biased",
)
