"""The truth of a sample, without any privacy: what sampling alone costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from workbench.core.number_text import file_text
from workbench.core.params import ParamSpec, ParamType
from workbench.core.progress import Progress
from workbench.evaluate.method import Answerer, Approach, Method
from workbench.evaluate.question import Floats, Statistic
from workbench.evaluate.subject import EncodedColumn, SubjectSample, statistic_of


class PlainSample(Answerer):
    """Each row is kept with a probability, and the statistic of the kept ones is told."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        if rate == 1:
            self.notes = ("It sees every row that takes part, so its error is that of the sample alone.",)

    def draw(self, sample: SubjectSample, repetitions: int, seed: np.random.SeedSequence, progress: Progress) -> Floats:
        if self.rate == 1:
            return np.broadcast_to(sample.truth, (repetitions, len(sample.truth))).copy()
        generator = np.random.Generator(np.random.PCG64(seed))
        statistic = sample.subject.question.statistic
        if statistic in (Statistic.HISTOGRAM, Statistic.COUNT):
            counts = sample.truth.astype(np.int64)
            return generator.binomial(counts, self.rate, (repetitions, len(counts))) / self.rate
        found = np.empty((repetitions, 1))
        for repetition in range(repetitions):
            progress(repetition / repetitions)
            kept = sample.numbers[generator.random(len(sample)) < self.rate]
            found[repetition] = statistic_of(sample.subject.question, kept)
        return found / self.rate if statistic is Statistic.SUM else found


def answers(subject: EncodedColumn, values: Mapping[str, Any]) -> str:
    return ""


def prepare(subject: EncodedColumn, epsilon: float, users: int, values: Mapping[str, Any]) -> Answerer:
    return PlainSample(values["rate"])


PLUGIN = Method(
    "sample",
    "Sample without privacy",
    "The true answer of a random sample: what asking fewer people costs before any privacy. It protects nobody.",
    "A baseline.",
    Approach.BASELINE,
    (
        ParamSpec(
            "rate",
            "Sampling rate",
            ParamType.NUMBER,
            1.0,
            "With which probability each row that takes part is in the sample; 1 takes all of them, which shows the "
            "error of the users against all rows.",
            minimum=0,
            open_minimum=True,
            maximum=1,
        ),
    ),
    answers,
    prepare,
    lambda values: "Sample without privacy" if values["rate"] == 1 else f"Sample ({file_text(values['rate'], 4)})",
)
