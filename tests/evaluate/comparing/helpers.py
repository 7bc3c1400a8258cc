"""The question and the experiment that the tests of comparing begin with."""

from __future__ import annotations

from workbench.evaluate.experiment import Experiment
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.question import Question, Statistic, metrics_for
from workbench.ldp.encoding import EncodingChoice, EncodingKind

AGES = Question(Statistic.HISTOGRAM, "age", EncodingChoice(how=EncodingKind.BINS, bins=8, bounds=(0.0, 100.0)))
EXPERIMENT = Experiment(
    question=AGES,
    metric=metrics_for(Statistic.HISTOGRAM)[0],
    methods=tuple(map(MethodChoice.parse, ("global-grid", "oue", "uniform"))),
    places=(0.5, 2.0),
    repetitions=12,
)
