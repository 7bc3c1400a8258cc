"""Local means with errors about all people sampled from: by formula, so that no luck chooses among protocols."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from workbench.core.schema import ColumnSpec, Kind, PrivacyUnit, Schema
from workbench.core.table import Column, Table
from workbench.evaluate.experiment import Basis, Experiment, Truth
from workbench.evaluate.experiment_run import run
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.public_shape import shaped
from workbench.evaluate.question import Metric, Question, Statistic
from workbench.evaluate.subject import ExperimentData, subject_of
from workbench.ldp.choice import ProtocolChoice

PAY = ColumnSpec("pay", Kind.INTEGER, bounds=(0.0, 100_000.0))
QUESTION = Question(Statistic.MEAN, "pay")
PROTOCOLS = ("hm", "pm", "duchi", "laplace")


def local(protocol: str) -> MethodChoice:
    return MethodChoice("local", {"protocol": protocol})


def about_all(*methods: MethodChoice, **changes: Any) -> Experiment:
    plain = Experiment(QUESTION, Metric(), methods, places=(1.0,), users=2_000, truth=Truth.POPULATION)
    changes.setdefault("basis", Basis.TAIL)
    return replace(plain, **changes)


@pytest.mark.parametrize("rows", (1, 4))
@pytest.mark.parametrize("statistic", (Statistic.MEAN, Statistic.SUM))
def test_the_formula_of_the_noise_and_of_sampling_is_what_tries_come_to(rows: int, statistic: Statistic) -> None:
    question = replace(QUESTION, statistic=statistic)
    values = ("0", "20000", "60000", "100000")
    table = Table((Column("pay", np.resize(np.array([0, 0, 0, 1, 2, 3], np.int32), 600), values),))
    unit = replace(PrivacyUnit(), rows_per_person=rows)
    data = ExperimentData(table, Schema((PAY,), unit=unit))
    # Hardly any noise but for few rows, so that sampling is most of it, and much.
    for epsilon in (8.0, 1.0):
        asked = about_all(
            *map(local, PROTOCOLS), question=question, basis=Basis.ROWS, places=(epsilon,), users=400, repetitions=800
        )
        for point in run(asked, data).points:
            assert point.theory == pytest.approx(point.mean, rel=0.12), point.method


def numbers(epsilon: float) -> dict[str, float]:
    """The mean squared distance of the mean of [−1, 1] of one person on a long tail, of each protocol."""
    asked = about_all(local("duchi"))
    subject = subject_of(shaped(asked, Schema((PAY,)), {}), QUESTION)
    assert subject.crowd is not None
    shares, values = subject.crowd.shares(None), subject.numbers / 50_000 - 1
    sampled = float(shares @ np.square(values) - (shares @ values) ** 2)
    spreads = {one: ProtocolChoice.parse(one).mean(epsilon).variance(values) for one in PROTOCOLS}
    return {one: float(shares @ spread) + sampled for one, spread in spreads.items()}


@pytest.mark.parametrize("epsilon", (0.5, 1.0, 2.0))
def test_no_luck_chooses_among_protocols_of_a_mean(epsilon: float) -> None:
    best = min(numbers(epsilon).items(), key=lambda one: one[1])[0]
    for seed in (1, 2):
        asked = about_all(MethodChoice("best-local"), seed=seed, places=(epsilon,), repetitions=20)
        (point,) = run(asked, shaped(asked, Schema((PAY,)), {})).points
        assert point.by is not None and point.by_formula and point.ends_known
        assert point.by.values["protocol"] == best
        assert point.mean == pytest.approx(50_000 * np.sqrt(2 / np.pi * numbers(epsilon)[best] / 2_000), rel=0.03)
