"""A true histogram beside what methods would have published of it. Analyst only."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import file_text
from workbench.core.progress import SILENT, Progress
from workbench.evaluate.cell import BLOCK, ExperimentCell
from workbench.evaluate.cell_result import COVERAGE, ErrorSummary
from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.method import Approach
from workbench.evaluate.question import Floats, Question, Statistic, measured, metrics_for
from workbench.evaluate.subject import ExperimentData, subject_of
from workbench.ldp.simulated_reports import seed_of


@dataclass(frozen=True, eq=False)
class MethodHistogram:
    """The histogram as one method answers it.

    Parameters
    ----------
    name, approach
        Which method.
    once
        The rows per value of one simulated answer, shape (values,).
    mean, low, high
        The mean over the repetitions, and the limits of 95 % of them, shape (values,) each.
    errors
        By metric as text.
    epsilon
        What a person really spends.
    problem
        Why there is nothing, or ""; then the arrays are nan.
    """

    name: str
    approach: Approach
    once: Floats
    mean: Floats
    low: Floats
    high: Floats
    errors: Mapping[str, ErrorSummary]
    epsilon: float = 0.0
    problem: str = ""


@dataclass(frozen=True, eq=False)
class MethodHistograms:
    """The true histogram and those of the methods.

    Parameters
    ----------
    question
        What was asked.
    labels, positions
        The public values, and where they lie on a line, if they do.
    truth
        True rows per value, shape (values,).
    bars
        One per method.
    epsilon, users, repetitions, seed
        How it was made.
    notes
        What must be known to read it.
    whole
        Whether all values are whole numbers.
    """

    question: Question
    labels: tuple[str, ...]
    positions: Floats | None
    truth: Floats
    bars: tuple[MethodHistogram, ...]
    epsilon: float
    users: int
    repetitions: int
    seed: int
    title: str = ""
    notes: tuple[str, ...] = ()
    whole: bool = False

    def table(self) -> list[tuple[str, ...]]:
        """The numbers as rows of text, the heading first."""
        heading = ["value", "truth"]
        for bar in self.bars:
            heading += [f"{bar.name}: {what}" for what in ("one answer", "mean", "low", "high")]
        found = [tuple(heading)]
        for place, label in enumerate(self.labels):
            cells = [label, file_text(self.truth[place])]
            for bar in self.bars:
                numbers = (bar.once[place], bar.mean[place], bar.low[place], bar.high[place])
                cells += [file_text(number) if math.isfinite(number) else "" for number in numbers]
            found.append(tuple(cells))
        return found

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "title": self.title,
            "question": str(self.question),
            "epsilon": self.epsilon,
            "users": self.users,
            "repetitions": self.repetitions,
            "seed": self.seed,
            "labels": list(self.labels),
            "truth": self.truth.tolist(),
            "methods": [
                {
                    "method": bar.name,
                    "problem": bar.problem,
                    "once": _plain(bar.once),
                    "mean": _plain(bar.mean),
                    "low": _plain(bar.low),
                    "high": _plain(bar.high),
                }
                for bar in self.bars
            ],
            "notes": list(self.notes),
        }


def bars(experiment: Experiment, material: ExperimentData, progress: Progress = SILENT) -> MethodHistograms:
    """The histograms of an experiment's methods, at its first place.

    Raises
    ------
    WorkbenchError
        If the question is no histogram, or cannot be asked of this data.
    Cancelled
        If the progress was cancelled.
    """
    if experiment.question.statistic is not Statistic.HISTOGRAM or experiment.axis is not Axis.EPSILON:
        raise WorkbenchError("Only a histogram at an ε has bars.", hint="Ask for a histogram.", field="statistic")
    progress(0.0, "Encoding the column")
    subject = subject_of(material, experiment.question)
    place = experiment.places[0]
    found, notes = [], dict[str, None]()
    for number, choice in enumerate(experiment.methods):
        part = progress.part(number / len(experiment.methods), (number + 1) / len(experiment.methods))
        part(0.0, choice.name)
        setting = experiment.setting(choice, place, len(subject))
        cell = ExperimentCell(experiment, choice, place, setting, subject, "")
        bar, said = _bar(cell, part)
        found.append(bar)
        notes.update(dict.fromkeys(f"{bar.name}: {note}" for note in said))
    if not subject.domain.declared:
        notes["Bounds or values were read from the data and are only assumed to be public."] = None
    setting = experiment.setting(experiment.methods[0], place, len(subject))
    sample = subject.sample(setting.users, seed_of(experiment.seed, "bars"), ("bars", experiment.seed))
    progress(1.0)
    return MethodHistograms(
        experiment.question,
        subject.domain.labels,
        subject.domain.positions,
        sample.truth,
        tuple(found),
        place,
        setting.users,
        experiment.repetitions,
        experiment.seed,
        experiment.title,
        tuple(notes),
        subject.domain.whole,
    )


def _bar(cell: ExperimentCell, progress: Progress) -> tuple[MethodHistogram, tuple[str, ...]]:
    experiment, subject = cell.experiment, cell.subject
    approach, name = cell.choice.method.approach, cell.choice.name
    nothing = np.full(subject.outputs, np.nan)
    # One sample of rows for all, so that the bars are those of one truth.
    sample = subject.sample(cell.setting.users, seed_of(experiment.seed, "bars"), ("bars", experiment.seed))
    try:
        answerer = cell.answerer()
        blocks = []
        for number in cell.blocks:
            part = progress.part(number / len(cell.blocks), (number + 1) / len(cell.blocks))
            repetitions = min(BLOCK, experiment.repetitions - number * BLOCK)
            seed = seed_of(experiment.seed, "bars", cell.choice.to_json(), vars(cell.setting), number)
            blocks.append(answerer.draw(sample, repetitions, seed, part))
    except WorkbenchError as error:
        return MethodHistogram(name, approach, nothing, nothing, nothing, nothing, {}, 0.0, error.message), ()
    answers = np.concatenate(blocks)
    low, high = np.quantile(answers, [(1 - COVERAGE) / 2, (1 + COVERAGE) / 2], axis=0)
    size = subject.size_of(len(sample))
    errors = {
        str(metric): ErrorSummary.of(measured(metric, sample.truth, answers, size, subject.domain.positions))
        for metric in metrics_for(Statistic.HISTOGRAM)
    }
    return (
        MethodHistogram(name, approach, answers[0], answers.mean(axis=0), low, high, errors, answerer.epsilon),
        answerer.notes,
    )


def _plain(values: Floats) -> list[float | None]:
    return [value if math.isfinite(value) else None for value in values.tolist()]
