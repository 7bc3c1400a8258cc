"""One method at one place: blocks of repetitions that are the same whatever else is tried."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.core.simplex import onto_simplex
from workbench.evaluate.cell_result import NOISE, CellResult, ErrorSummary, end_of, spread_of
from workbench.evaluate.experiment import Experiment, ExperimentPoint, Truth, digest
from workbench.evaluate.method import Answerer, MethodChoice
from workbench.evaluate.question import Distance, Floats, Metric, measured, metrics_for
from workbench.evaluate.subject import EncodedColumn, SubjectSample
from workbench.ldp.simulated_reports import seed_of

BLOCK = 10
"""Repetitions of which each method is asked at once, and between which a run can be stopped."""
_MANY, _TOGETHER = 100_000, 5
"""People from which on so many repetitions share a draw of a public shape; it divides a block."""
SHAPES_BY_FORMULA = 100
"""Of so many tries at most a formula is about the shapes: of ten its mean would not be that of the shapes tried."""


@dataclass(frozen=True, eq=False)
class ExperimentCell:
    """One method at one place.

    Parameters
    ----------
    experiment, choice, place, setting
        Where it belongs.
    subject
        What is asked.
    key
        Under which its result is kept.
    chooses
        Whether it is of the tries that choose a setting, where a formula is about all the people of the tries, so that
        one that is known by formula and one that is not differ by no luck of whom they are about.
    """

    experiment: Experiment
    choice: MethodChoice
    place: float
    setting: ExperimentPoint
    subject: EncodedColumn
    key: str
    chooses: bool = False

    @property
    def blocks(self) -> range:
        return range(-(-self.experiment.repetitions // BLOCK))

    @property
    def drawn(self) -> bool:
        """Whether those who take part are drawn, so that an error varies with them too."""
        return self.subject.crowd is not None or self._of_many or self.setting.users != len(self.subject)

    @property
    def _of_many(self) -> bool:
        """Whether those who take part are a sample of far more people, about whom the answer is."""
        return self.experiment.truth is Truth.POPULATION

    @property
    def fitted(self) -> bool:
        """Whether a histogram is fitted to a number of people that is known."""
        return self.choice.fitted

    @property
    def alike(self) -> int:
        """How many repetitions, one after the other, are about the same people drawn from a public shape."""
        return _TOGETHER if self.subject.crowd is not None and self.setting.users > _MANY else 1

    def answerer(self) -> Answerer:
        """The method, fixed for this place.

        Raises
        ------
        WorkbenchError
            If it does not exist here.
        """
        values = self.choice.checked()
        refused = self.choice.method.answers(self.subject, values)
        if refused:
            raise WorkbenchError(refused, field="methods")
        return self.choice.method.prepare(self.subject, self.setting.epsilon, self.setting.users, values)

    def block(self, answerer: Answerer, number: int, progress: Progress) -> dict[str, Floats]:
        """The errors of one block of repetitions by metric, each of shape (repetitions · answers of each,)."""
        experiment = self.experiment
        repetitions = min(BLOCK, experiment.repetitions - number * BLOCK)
        seed = seed_of(
            experiment.seed,
            self._asked(),
            self.choice.identifier,
            self._noisy(),
            vars(self.setting),
            number,
        )
        if not self.drawn:
            sample = self.sample(number)
            answers = answerer.draw(sample, repetitions * answerer.answers_each, seed, progress)
            return self._errors([sample], answers)
        # A public shape lies elsewhere in each try, and the error is a different one for each sample of rows; so each
        # repetition has its own, as errors with the same people are not independent and would seem surer than they
        # are. On a shape a few have one together where so many people take long, and count as one.
        samples = [self.sample(number, repetition - repetition % self.alike) for repetition in range(repetitions)]
        each = [sample for sample in samples for _ in range(answerer.answers_each)]
        return self._errors(each, answerer.draw_each(samples, seed, progress))

    def _expected(self, answerer: Answerer, sample: SubjectSample) -> dict[str, float | None]:
        """Expected errors by formula, keyed by metric; of one number in another measure from its absolute error."""
        metrics = metrics_for(self.subject.question.statistic)
        if len(sample.truth) > 1:
            return {str(metric): answerer.expected(sample, metric) for metric in metrics}
        known = answerer.expected(sample, Metric())
        if known is None:
            return {}
        return {name: known * times if times else None for name, times in self._times(sample).items()}

    def _times(self, sample: SubjectSample) -> dict[str, float]:
        """What the absolute error of one number is multiplied by in each measure; 0 where that has no limit."""
        truth, size = abs(float(sample.population_truth[0])), self.subject.size_of(len(sample))
        return {
            str(Metric()): 1.0,
            str(Metric(Distance.PERCENT)): 100 / truth if truth else 0.0,
            str(Metric(normalised=True)): 1 / size if size else 0.0,
        }

    def _ends(self, answerer: Answerer, samples: Sequence[SubjectSample]) -> dict[str, float]:
        """Between which limits 95 % of the errors of one number lie, where their law is known, keyed by `end_of`."""
        laws = [answerer.off(sample) for sample in samples if len(sample.truth) == 1]
        known = [law for law in laws if law is not None]
        found: dict[str, float] = {}
        if known and len(known) == len(samples):
            times = [self._times(sample) for sample in samples]
            for name in times[0]:
                if all(one[name] for one in times):
                    errors = np.concatenate([law * one[name] for law, one in zip(known, times, strict=True)])
                    ends = ErrorSummary.of_law(errors)
                    found |= {end_of(name, upper=upper): ends[upper] for upper in (False, True)}
        return found

    def _asked(self) -> str:
        """What is asked, as far as the noise depends on it.

        Of one number on a public shape it is the same for the same public facts: whatever the column is called, and
        whether its bounds are typed or declared in a table. Else a verdict could be another one once a table is open.
        """
        question, subject = self.subject.question, self.subject
        if not subject.number_of_shape:
            return digest(question.to_json())
        return digest(question.statistic.value, question.share, subject.bounds)

    def _noisy(self) -> dict[str, Any]:
        """The parameters on which the noise depends: with what happens afterwards as if nothing was chosen."""
        method = self.choice.method
        usual = {one.name: one.default for one in method.params if one.name in method.afterwards}
        return {**self.choice.checked(), **usual}

    def sample(self, number: int, repetition: int = 0) -> SubjectSample:
        """The rows of a repetition: the same ones for every method, so that methods differ by their noise alone."""
        users, seed = self.setting.users, self.experiment.seed
        drawn, key = _seed_of_rows(seed, users, number, repetition), (seed, number, repetition)
        return self.subject.sample(users, drawn, key, of_many=self._of_many)

    def _errors(self, samples: Sequence[SubjectSample], answers: Floats) -> dict[str, Floats]:
        """The errors of answers by metric: all about one sample, or each about its own, as large as the others."""
        subject, statistic = self.subject, self.subject.question.statistic
        truth, users = np.array([sample.truth for sample in samples]), len(samples[0])
        if self._of_many:
            truth = np.array([sample.population_truth for sample in samples])
        if self.experiment.truth is Truth.ALL:
            truth = np.array([sample.everyone.truth for sample in samples])
            if statistic.grows:
                answers = answers * (len(subject) / users)
            users = len(subject)
        total = None
        if self.experiment.number_known and not self.fitted:
            total = float(users)
        elif self.experiment.number_known:
            # What is public is so for every way: none is the better for using it alone.
            answers = np.where(np.isfinite(answers), onto_simplex(np.nan_to_num(answers), float(users)), np.nan)
        size = subject.size_of(users)
        return {
            str(metric): measured(metric, truth, answers, size, subject.domain.positions, total)
            for metric in metrics_for(statistic)
        }

    def result(self, answerer: Answerer, blocks: Sequence[dict[str, Floats]]) -> CellResult:
        """The blocks together."""
        together = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
        missing, each = np.isnan(next(iter(together.values()))), answerer.answers_each
        tail = self.subject.number_of_shape
        problem = ""
        if missing.all():
            problem = "None of the simulated answers had any rows, so there is no error to measure."
        return CellResult(
            MappingProxyType(
                {name: ErrorSummary.of(errors, self.alike * each, tail=tail) for name, errors in together.items()}
            ),
            MappingProxyType(self._theory(answerer)),
            len(missing) // each,
            int(missing.sum()) // each,
            answerer.epsilon,
            answerer.notes,
            problem,
        )

    def _theory(self, answerer: Answerer) -> dict[str, float]:
        """Expected errors by formula, keyed by the metric's name; also the noise, and the standard errors of both."""
        theory: dict[str, float] = {}
        # What the noise is expected to do says nothing once its answers are fitted to a total, and is not all of an
        # error that has sampling in it, unless a formula has that too.
        more = self.experiment.number_known or (self._of_many and not answerer.with_sampling)
        if self._of_many or self.experiment.truth is Truth.USERS or self.setting.users == len(self.subject):
            several = self.experiment.repetitions if self.drawn else 1
            most = BLOCK if self.subject.crowd is None else SHAPES_BY_FORMULA
            several = several if self.chooses else min(most, several)
            samples = [self.sample(*divmod(number, BLOCK)) for number in range(0, several, self.alike)]
            every = [{} if more else self._expected(answerer, sample) for sample in samples]
            found = {name: [one.get(name) for one in every] for name in every[0]}
            found[NOISE] = [answerer.noise(sample) for sample in samples]
            for name, each in found.items():
                known = [one for one in each if one is not None and math.isfinite(one)]
                if len(known) == len(samples):
                    theory[name] = sum(known) / len(known)
                if len(known) == len(samples) > 1:
                    theory[spread_of(name)] = float(np.std(known, ddof=1)) / math.sqrt(len(known))
            if str(Metric()) in theory:
                theory |= self._ends(answerer, samples[: BLOCK // self.alike])
        return theory


@lru_cache(maxsize=8_192)
def _seed_of_rows(seed: int, users: int, number: int, repetition: int) -> np.random.SeedSequence:
    """Of the rows of a repetition, which every method asks for; nothing is spawned from it."""
    return seed_of(seed, "rows", users, number, repetition)
