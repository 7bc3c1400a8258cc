"""Runs do nothing that nobody asks for, and the first point comes early; what is found is the same."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.evaluate.cell_result import COVERAGE, ErrorSummary
from workbench.evaluate.experiment import Basis, Experiment
from workbench.evaluate.experiment_edits import families
from workbench.evaluate.experiment_run import cells_of, run
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.public_shape import shaped
from workbench.evaluate.question import Metric, Question, Statistic, measured, metrics_for
from workbench.evaluate.released_groups import groups_of
from workbench.evaluate.subject import subject_of
from workbench.ldp.encoding import EncodingChoice, EncodingKind
from workbench.query import likely
from workbench.query.mechanism import QueryMechanism

SCHEMA = Schema((ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 100.0)),))


def asked(statistic: Statistic, *methods: MethodChoice, **changes: object) -> Experiment:
    encoding = EncodingChoice(how=EncodingKind.BINS, bins=5)
    start = Experiment(Question(statistic, "age", encoding), metrics_for(statistic)[0], methods or families())
    return replace(
        start, **{"basis": Basis.SMOOTH, "places": (0.5, 1.0, 2.0), "repetitions": 10, "users": 300, **changes}
    )


def test_the_first_point_is_there_before_a_tenth_of_the_work_is_done() -> None:
    experiment, seen = asked(Statistic.MEAN), list[Findings]()
    run(experiment, shaped(experiment, SCHEMA, {}), partial=seen.append, workers=1)
    first = next(one for one in seen if any(series.drawn for series in one.series))
    assert len(first.series[1].points) == len(first.series[2].points) == 0  # no way waits for a slower one
    assert first.missing > 0.85 * seen[0].missing


def test_errors_that_only_simulations_tell_are_not_simulated_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a plan is told of adjusted counts takes 2,000 answers each time; an experiment makes its own."""

    def never(*_: object) -> None:
        raise AssertionError("simulated for a plan")

    monkeypatch.setattr(QueryMechanism, "expected", never)
    monkeypatch.setattr(likely, "share_reach", never)
    counts = MethodChoice("global-grid", MappingProxyType({"post": "consistent"}))
    for experiment in (asked(Statistic.HISTOGRAM, counts), asked(Statistic.MEAN, MethodChoice("global-grid"))):
        found = run(experiment, shaped(experiment, SCHEMA, {}))
        assert found.complete and all(np.isfinite(point.mean) for point in found.points)


def test_groups_are_found_once_for_every_epsilon() -> None:
    experiment = asked(Statistic.MEAN)
    (one, *_) = cells_of(experiment, shaped(experiment, SCHEMA, {}))
    assert groups_of(one.subject, {"age": 0}) is groups_of(one.subject, {"age": 0})
    other = subject_of(one.subject.material, one.subject.question)
    assert groups_of(other, {"age": 0}) is not groups_of(one.subject, {"age": 0})


@pytest.mark.parametrize("metric", metrics_for(Statistic.HISTOGRAM), ids=str)
def test_many_answers_about_a_truth_each_err_as_each_by_itself(metric: Metric) -> None:
    rng = np.random.default_rng(5)
    truths, answers = rng.integers(0, 40, (6, 4)).astype(float), rng.normal(10, 9, (6, 4))
    truths[0, 1], answers[3] = 0.0, np.nan
    together = measured(metric, truths, answers, 40.0, None)
    alone = [
        measured(metric, one, answer[np.newaxis], 40.0, None)[0] for one, answer in zip(truths, answers, strict=True)
    ]
    np.testing.assert_allclose(together, alone, rtol=1e-14)
    assert np.isnan(together[3])


def test_limits_of_errors_are_those_of_numpy() -> None:
    rng = np.random.default_rng(3)
    for size in (1, 2, 3, 10, 39, 40, 100, 10_000):
        errors = rng.exponential(3.0, size)
        wanted = np.quantile(errors, [(1 - COVERAGE) / 2, (1 + COVERAGE) / 2])
        assert ErrorSummary.between(errors) == tuple(wanted)
