"""Guessing that all values are equally likely: what is known without asking anybody."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from workbench.core.progress import Progress
from workbench.evaluate.method import Answerer, Approach, Method
from workbench.evaluate.question import Figure, Floats
from workbench.evaluate.subject import Sample, Subject


class UniformGuess(Answerer):
    """The answer of somebody who knows the public bounds or values, and how many rows there are."""

    def draw(self, sample: Sample, repetitions: int, seed: np.random.SeedSequence, progress: Progress) -> Floats:
        subject = sample.subject
        question, (low, high) = subject.question, subject.bounds
        if question.figure is Figure.HISTOGRAM:
            return np.full((repetitions, subject.outputs), len(sample) / subject.outputs)
        guess = {
            Figure.MEAN: (low + high) / 2,
            Figure.SUM: len(sample) * (low + high) / 2,
            Figure.VARIANCE: (high - low) ** 2 / 12,
            Figure.DEVIATION: (high - low) / math.sqrt(12),
            Figure.QUANTILE: low + question.share * (high - low),
            Figure.COUNT: len(sample) / 2,
        }[question.figure]
        return np.full((repetitions, 1), guess)


def answers(subject: Subject, values: Mapping[str, Any]) -> str:
    return ""


def prepare(subject: Subject, epsilon: float, users: int, values: Mapping[str, Any]) -> Answerer:
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
