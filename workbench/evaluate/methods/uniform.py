"""Guessing that all values are equally likely: what is known without asking anybody."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from workbench.core.progress import Progress
from workbench.evaluate.method import Answerer, Approach, Method
from workbench.evaluate.question import Floats, Statistic
from workbench.evaluate.subject import EncodedColumn, SubjectSample


class UniformGuess(Answerer):
    """The answer of somebody who knows the public bounds or values, and how many rows there are."""

    def draw(self, sample: SubjectSample, repetitions: int, seed: np.random.SeedSequence, progress: Progress) -> Floats:
        subject = sample.subject
        question, (low, high) = subject.question, subject.bounds
        if question.statistic is Statistic.HISTOGRAM:
            return np.full((repetitions, subject.outputs), len(sample) / subject.outputs)
        guess = {
            Statistic.MEAN: (low + high) / 2,
            Statistic.SUM: len(sample) * (low + high) / 2,
            Statistic.VARIANCE: (high - low) ** 2 / 12,
            Statistic.DEVIATION: (high - low) / math.sqrt(12),
            Statistic.QUANTILE: low + question.share * (high - low),
            Statistic.COUNT: len(sample) / 2,
        }[question.statistic]
        return np.full((repetitions, 1), guess)


def answers(subject: EncodedColumn, values: Mapping[str, Any]) -> str:
    return ""


def prepare(subject: EncodedColumn, epsilon: float, users: int, values: Mapping[str, Any]) -> Answerer:
    return UniformGuess()


PLUGIN = Method(
    "uniform",
    "Uniform guess",
    "Nobody is asked: all values within the public bounds are taken as equally likely. Whatever is worse is useless.",
    "A baseline.",
    Approach.BASELINE,
    (),
    answers,
    prepare,
    lambda values: "Uniform guess",
)
