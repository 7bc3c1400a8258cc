"""Verdicts: on twelve named columns the way that is recommended from a public shape errs least on the true values.

What is recommended knows the bounds or values, and a number of people rounded to one digit. Then the settings of all
three tiles are simulated on the true rows. The last four were not looked at while shapes were made to move between
tries, nor before; the four above them were not looked at when the verdict was first built.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace

import numpy as np

from workbench.core.number_text import rounded
from workbench.core.paths import sample_data
from workbench.core.schema import Schema
from workbench.evaluate.experiment import Basis, Experiment
from workbench.evaluate.experiment_edits import families
from workbench.evaluate.experiment_run import run
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.public_shape import shaped
from workbench.evaluate.question import Question, Statistic, metrics_for
from workbench.evaluate.subject import ExperimentData
from workbench.evaluate.tile import Verdict
from workbench.evaluate.verdict import verdict
from workbench.ldp.encoding import EncodingChoice, Outside
from workbench.project.loading import load

REPETITIONS = 200
EPSILONS = (0.2, 1.0, 3.0)
GUESS = "guess"


@dataclass(frozen=True)
class NamedColumn:
    """A column of a shipped sample, asked one question.

    Parameters
    ----------
    file, column, statistic
        What is asked.
    rows
        How many of its rows take part, drawn with a seed; None for all.
    bounds
        Public bounds of numbers; the values of categories are those that occur.
    """

    file: str
    column: str
    statistic: Statistic
    rows: int | None = None
    bounds: tuple[float, float] | None = None

    @property
    def name(self) -> str:
        return f"{self.file.partition('.')[0]}, {self.column}, {self.statistic.value}"


SEEN = (
    NamedColumn("ages.csv", "age", Statistic.HISTOGRAM, None, (15.0, 75.0)),
    NamedColumn("ages.csv", "age", Statistic.MEAN, 500, (0.0, 100.0)),
    NamedColumn("baltimore_salaries.csv", "annual salary", Statistic.MEAN, None, (0.0, 250_000.0)),
    NamedColumn("nba_salaries.csv", "salary", Statistic.HISTOGRAM, 3000, (0.0, 25_000_000.0)),
    NamedColumn("nba_salaries.csv", "position", Statistic.HISTOGRAM, 400),
    NamedColumn("nba_salaries.csv", "age", Statistic.QUANTILE, 2000, (15.0, 50.0)),
    NamedColumn("surgery_charges.csv.gz", "average total payments", Statistic.MEAN, 100, (0.0, 500_000.0)),
    NamedColumn("surgery_charges.csv.gz", "state", Statistic.HISTOGRAM, 50_000),
)
HELD_OUT = (
    NamedColumn("baltimore_salaries.csv", "gross pay", Statistic.HISTOGRAM, 1000, (0.0, 250_000.0)),
    NamedColumn("surgery_charges.csv.gz", "surgery type", Statistic.HISTOGRAM, 5000),
    NamedColumn("nba_salaries.csv", "team", Statistic.HISTOGRAM, None),
    NamedColumn("surgery_charges.csv.gz", "average Medicare payments", Statistic.DEVIATION, 20_000, (0.0, 500_000.0)),
)
NEW = (
    NamedColumn("spiky_ages.csv", "age", Statistic.MEAN, 1000, (0.0, 120.0)),
    NamedColumn("nba_salaries_1990.csv", "salary", Statistic.DEVIATION, 4000, (0.0, 40_000_000.0)),
    NamedColumn("nba_salaries_1990.csv", "team", Statistic.HISTOGRAM, 2000),
    NamedColumn("baltimore_salaries.csv", "annual salary", Statistic.QUANTILE, 600, (0.0, 400_000.0)),
)


@dataclass(frozen=True)
class Judged:
    """What was recommended at an ε, and what each way errs by on the true values."""

    epsilon: float
    said: Verdict
    errors: dict[str, float]
    highest: dict[str, float]

    @property
    def best(self) -> str:
        """The way that errs least on the true values."""
        return min(self.errors, key=self.errors.__getitem__)

    @property
    def depends(self) -> bool:
        """Whether the way that errs least is named for one of the shapes, though another one is recommended."""
        named = {GUESS if one.approach is Approach.BASELINE else one.approach.value for one in self.said.unless}
        return not self.right and self.best in named

    @property
    def right(self) -> bool:
        """Whether the recommended way errs least, or lies within the 95 % band of the best."""
        taken = GUESS if self.said.recommended is None else self.said.recommended.value
        return self.errors[taken] <= self.highest[self.best]


def material_of(asked: NamedColumn) -> tuple[ExperimentData, Question]:
    """The rows that take part, and the question with what is public."""
    loaded = load(sample_data() / asked.file, None)
    table, spec = loaded.reading.table, loaded.proposed[asked.column]
    if asked.rows is not None:
        chosen = np.random.default_rng(7).choice(table.rows, asked.rows, replace=False)
        table = table.take(np.sort(chosen))
    domain = None if asked.bounds is not None else tuple(sorted(loaded.reading.table[asked.column].values))
    spec = replace(spec, bounds=asked.bounds, domain=domain, observed=frozenset())
    question = Question(
        asked.statistic, asked.column, EncodingChoice(outside=Outside.CLIP if asked.bounds else Outside.STOP)
    )
    return ExperimentData(table, Schema((spec,)), {}, f"{asked.name} {asked.rows}"), question


def judged(material: ExperimentData, question: Question, epsilon: float, repetitions: int = REPETITIONS) -> Judged:
    """Recommend from a public shape, and try the settings of its tiles on the true rows."""
    people = int(rounded(material.table.rows, 1))
    public = Experiment(
        question,
        metrics_for(question.statistic)[0],
        families(),
        places=(epsilon,),
        users=people,
        basis=Basis.EITHER,
    )
    said = verdict(run(public, shaped(public, material.schema, {})), epsilon)
    settings = {one.approach.value: one.setting for one in said.tiles if one.setting is not None}
    settings[GUESS] = MethodChoice("uniform")
    true = replace(
        public, methods=tuple(settings.values()), basis=Basis.ROWS, users=None, repetitions=repetitions, seed=2
    )
    found = run(true, material)
    points = [series.points[0] for series in found.series]
    errors = {
        way: point.mean if point.mean == point.mean else np.inf for way, point in zip(settings, points, strict=True)
    }
    highest = {way: point.high for way, point in zip(settings, points, strict=True)}
    return Judged(epsilon, said, errors, highest)


def main() -> None:
    wrong = depends = 0
    for asked in (*SEEN, *HELD_OUT, *NEW):
        material, question = material_of(asked)
        for epsilon in EPSILONS:
            began = time.perf_counter()
            one = judged(material, question, epsilon)
            wrong += not (one.right or one.depends)
            depends += one.depends
            taken = "a guess" if one.said.recommended is None else one.said.recommended.value
            errors = ", ".join(f"{way} {error:.4g}" for way, error in one.errors.items())
            word = "right" if one.right else "depends" if one.depends else "WRONG"
            took = time.perf_counter() - began
            where = f"{asked.name} ({material.table.rows:,} rows), ε = {epsilon:g}"
            print(f"{word}: {where}: take {taken}; {errors} ({took:.0f} s)", flush=True)
    asked_in_all = len(EPSILONS) * len((*SEEN, *HELD_OUT, *NEW))
    print(f"{wrong} of {asked_in_all} recommendations are wrong; {depends} name the better way for one shape")
    sys.exit(1 if wrong else 0)
