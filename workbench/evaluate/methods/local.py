"""People who randomise their answers themselves: every local protocol with every estimator."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

from workbench.core.number_text import estimate
from workbench.core.params import ParamSpec, ParamType
from workbench.core.progress import Progress
from workbench.evaluate.method import Answerer, Approach, Method
from workbench.evaluate.question import Distance, Floats, Metric, Statistic
from workbench.evaluate.subject import EncodedColumn, SubjectSample, statistic_of
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimation import AUTO, default_protocol
from workbench.ldp.estimation import EstimationMethod as Estimation
from workbench.ldp.estimator import ESTIMATORS
from workbench.ldp.mean_randomiser import MeanRandomiser
from workbench.ldp.postprocessing import POSTPROCESSES
from workbench.ldp.protocol import FrequencyRandomiser
from workbench.ldp.simulated_reports import Drawing, drawn_estimates, drawn_means, people

_NORMAL = "Where reports cannot be added up at once, their sums were drawn from the normal distribution instead."
_ENOUGH = 10_000
"""The mean of so many reports is as good as normal."""
_HALF_NORMAL = math.sqrt(2 / math.pi)
"""The mean absolute value of a standard normal number."""
_HALF = np.array([NormalDist().inv_cdf(0.5 + (one + 0.5) / 2000) for one in range(1000)])
"""Absolute values of standard normal numbers, of which each stands for as many as every other."""


class Frequencies(Answerer):
    """A protocol that estimates how many people have each value or lie in each bin."""

    def __init__(
        self, randomiser: FrequencyRandomiser, estimation: Estimation, drawing: Drawing, notes: tuple[str, ...]
    ) -> None:
        self.randomiser, self.estimation, self.drawing, self.notes = randomiser, estimation, drawing, notes
        self.epsilon = randomiser.epsilon

    def draw(self, sample: SubjectSample, repetitions: int, seed: np.random.SeedSequence, progress: Progress) -> Floats:
        return self._answers([sample] * repetitions, seed, progress)

    def draw_each(self, samples: Sequence[SubjectSample], seed: np.random.SeedSequence, progress: Progress) -> Floats:
        # Together, because estimating from many collections at once takes hardly longer than from one.
        return self._answers(samples, seed, progress)

    def _answers(self, samples: Sequence[SubjectSample], seed: np.random.SeedSequence, progress: Progress) -> Floats:
        same = all(sample is samples[0] for sample in samples)
        each = None if same else np.array([sample.counts for sample in samples])
        found, exactly = drawn_estimates(
            self.randomiser,
            samples[0].counts if each is None else people(each.sum(axis=0), len(samples[0])),
            len(samples),
            seed,
            self.estimation,
            drawing=self.drawing,
            asked=each,
            progress=progress,
        )
        if not exactly and _NORMAL not in self.notes:
            self.notes = (*self.notes, _NORMAL)
        subject = samples[0].subject
        question = subject.question
        if question.statistic is Statistic.HISTOGRAM:
            return found
        if question.statistic is Statistic.COUNT:
            return found[:, 1:]
        places = np.asarray(subject.domain.positions)
        weights = np.maximum(found, 0.0)
        answers = np.array([[statistic_of(question, places, one)] for one in weights])
        if question.statistic is Statistic.SUM:
            # How many people reported is known.
            answers *= len(samples[0]) / np.maximum(weights.sum(axis=1, keepdims=True), 1e-12)
        return answers

    def expected(self, sample: SubjectSample, metric: Metric) -> float | None:
        estimator = self.estimation.estimator_for(self.randomiser)
        if self.estimation.postprocess_for(estimator).identifier != "none" or metric.normalised:
            return None
        each = self._each(sample) if metric.distance in (Distance.ABSOLUTE, Distance.MANHATTAN) else None
        if each is None:
            return None
        return float(each.sum() if metric.distance is Distance.MANHATTAN else each.mean())

    def noise(self, sample: SubjectSample) -> float | None:
        each = self._each(sample)
        return None if each is None else float(each.sum())

    def _each(self, sample: SubjectSample) -> Floats | None:
        """The mean size of the noise of each count that the unbiased estimator makes; None for other estimators."""
        counting = sample.subject.question.statistic in (Statistic.HISTOGRAM, Statistic.COUNT)
        if not counting or self.estimation.estimator_for(self.randomiser).identifier != "unbiased":
            return None
        spread = self.randomiser.variance(sample.counts)
        return None if spread is None else _HALF_NORMAL * np.sqrt(spread if len(sample.truth) > 1 else spread[1:])


class Means(Answerer):
    """A protocol that estimates a mean."""

    with_sampling = True

    def __init__(self, randomiser: MeanRandomiser, exact: bool) -> None:
        self.randomiser, self.exact = randomiser, exact
        self.epsilon = randomiser.epsilon

    def draw(self, sample: SubjectSample, repetitions: int, seed: np.random.SeedSequence, progress: Progress) -> Floats:
        if self.exact or len(sample) <= _ENOUGH:
            found = drawn_means(self.randomiser, self._scaled(sample, sample.numbers), repetitions, seed, progress)
        else:
            numbers, often = sample.held
            generator = np.random.Generator(np.random.PCG64(seed))
            mean = float((self._scaled(sample, numbers) * often).sum()) / len(sample)
            found = mean + self._noise(sample) * generator.standard_normal(repetitions)
            self.notes = (_NORMAL,)
        low, high = sample.subject.bounds
        means = (low + high) / 2 + found * (high - low) / 2
        return np.asarray(means * self._times(sample))[:, np.newaxis]

    def expected(self, sample: SubjectSample, metric: Metric) -> float | None:
        if metric.normalised or metric.distance is not Distance.ABSOLUTE:
            return None
        low, high = sample.subject.bounds
        return _HALF_NORMAL * self._deviation(sample) * (high - low) / 2 * self._times(sample)

    def off(self, sample: SubjectSample) -> Floats:
        low, high = sample.subject.bounds
        return np.asarray(_HALF * self._deviation(sample) * (high - low) / 2 * self._times(sample))

    def _scaled(self, sample: SubjectSample, numbers: Floats) -> Floats:
        low, high = sample.subject.bounds
        return np.clip((numbers - (low + high) / 2) / ((high - low) / 2), -1.0, 1.0)

    def _noise(self, sample: SubjectSample) -> float:
        """Standard deviation of the mean of their reports, of [−1, 1]."""
        numbers, often = sample.held
        spread = self.randomiser.variance(self._scaled(sample, numbers)) * often
        return float(np.sqrt(spread.sum())) / len(sample)

    def _deviation(self, sample: SubjectSample) -> float:
        """The same around the mean it is to tell: of far more people, where these are a sample, with sampling.

        Notes
        -----
        Reports of whoever is drawn vary by what is reported of a value and by which value that is, so that both
        variances add up: of all people, not of those who were drawn. The rows of a person are drawn together.
        """
        shares = sample.shares
        if shares is None:
            return self._noise(sample)
        values = self._scaled(sample, sample.subject.numbers)
        noise = float((shares * self.randomiser.variance(values)).sum()) / len(sample)
        people = max(len(sample) // sample.subject.rows_per_person, 1)
        mean = float((shares * values).sum())
        return math.sqrt(noise + float((shares * np.square(values - mean)).sum()) / people)

    def _times(self, sample: SubjectSample) -> int:
        return len(sample) if sample.subject.question.statistic is Statistic.SUM else 1


def answers(subject: EncodedColumn, values: Mapping[str, Any]) -> str:
    choice, statistic = _choice(values["protocol"], subject, 1.0), subject.question.statistic
    if choice.estimates_mean:
        if statistic.averages:
            return ""
        return f"{choice.protocol.title} estimates a mean and nothing else."
    if statistic.of_numbers and subject.domain.positions is None:
        return "Its values have no places on the number line; give bins, and leave missing values out."
    return ""


def prepare(subject: EncodedColumn, epsilon: float, users: int, values: Mapping[str, Any]) -> Answerer:
    # A person with several rows reports for each of them, so each report gets its part of ε.
    share = epsilon / subject.rows_per_person
    choice = _choice(values["protocol"], subject, share)
    if choice.estimates_mean:
        return Means(choice.mean(share), values["exact"])
    randomiser = choice.frequency(subject.domain.size, share)
    notes: tuple[str, ...] = ()
    if choice.other_epsilon:
        notes = (f"Its ε is {estimate(randomiser.epsilon)}, which follows from its parameters.",)
    drawing = Drawing.EXACT if values["exact"] else Drawing.AT_ONCE
    return Frequencies(randomiser, Estimation(values["estimator"], values["postprocess"]), drawing, notes)


def _choice(text: str, subject: EncodedColumn, epsilon: float) -> ProtocolChoice:
    if text.strip() == AUTO:
        return ProtocolChoice(default_protocol(subject.domain.size, epsilon))
    return ProtocolChoice.parse(text)


_PLAIN = {"em": "by EM"}
"""How an estimator is called within a name, where its identifier is an abbreviation in small letters."""


def named(values: Mapping[str, Any]) -> str:
    """Such as “Optimised unary encoding (OUE), by EM”."""
    if values["protocol"] == AUTO:
        title = "Local DP, usual protocol"
    else:
        choice = ProtocolChoice.parse(values["protocol"])
        own = ", ".join(f"{name} = {value}" for name, value in choice.values.items())
        title = f"{choice.protocol.title}{f' ({own})' if own else ''}"
    said = [_PLAIN.get(values[name], values[name]) for name in ("estimator", "postprocess") if values[name] != AUTO]
    return ", ".join((title, *said))


PLUGIN = Method(
    "local",
    "Local DP",
    "Every person randomises their own answer before anybody sees it; nobody needs to be trusted.",
    "S. L. Warner: Randomized response, 1965; T. Wang et al.: Locally differentially private protocols, 2017.",
    Approach.LOCAL,
    (
        ParamSpec(
            "protocol",
            "Protocol",
            ParamType.TEXT,
            AUTO,
            "Identifier of a local protocol, with its parameters: oue, ue=0.75:0.25. auto: the usual one for the "
            "domain and ε.",
        ),
        ParamSpec(
            "estimator",
            "Estimator",
            ParamType.CHOICE,
            AUTO,
            "How reports become an estimate.",
            choices=((AUTO, "the usual one"), *((one.identifier, one.title) for one in ESTIMATORS)),
        ),
        ParamSpec(
            "postprocess",
            "Post-processing",
            ParamType.CHOICE,
            AUTO,
            "What makes estimates possible counts.",
            choices=((AUTO, "the usual one"), *((one, POSTPROCESSES[one].title) for one in POSTPROCESSES)),
        ),
        ParamSpec(
            "exact",
            "Draw every report",
            ParamType.SWITCH,
            False,
            "Where reports cannot be added up at once, draw each of them; slow. Otherwise their sums are drawn from "
            "the normal distribution with the exact variances.",
        ),
    ),
    answers,
    prepare,
    named,
    raw=lambda values: values["postprocess"] == "none" and values["estimator"] in (AUTO, "unbiased", "inverse"),
    rising="with some parameters a protocol passes a step of ε after which its estimate is worse",
    # Of two yes or no an estimate by EM is the linear one: only from the same reports do they come out the same.
    afterwards=frozenset(("estimator", "postprocess")),
)
