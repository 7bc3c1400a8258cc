"""The ends of a band where the law of the errors is known: no chance in them, and what tries come to."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType

import numpy as np
import pytest

from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.evaluate.cell_result import CellResult, ErrorSummary, end_of
from workbench.evaluate.experiment import Basis, Experiment
from workbench.evaluate.experiment_run import run
from workbench.evaluate.figure_settings import FIT_TO_PRINT
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.public_shape import shaped
from workbench.evaluate.question import Distance, Metric, Question, Statistic, metrics_for
from workbench.evaluate.store import ResultStore
from workbench.ldp.encoding import EncodingChoice
from workbench.plots import comparison
from workbench.plots.comparison import ComparisonData

AGES = Schema(
    (
        ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 100.0)),
        ColumnSpec("pay", Kind.DECIMAL, bounds=(0.0, 250_000.0)),
    )
)
PAY = {"question": Question(Statistic.MEAN, "pay"), "basis": Basis.EITHER, "users": 1_000}


def found(*methods: str, store: ResultStore | None = None, **more: object) -> Findings:
    usual = Experiment(
        Question(Statistic.MEAN, "age"), metrics_for(Statistic.MEAN)[0], tuple(map(MethodChoice, methods)),
        places=(0.2, 0.5, 1.0, 2.0), users=500, repetitions=40, basis=Basis.SMOOTH,
    )  # fmt: skip
    experiment = replace(usual, **more)
    return run(experiment, shaped(experiment, AGES, {}), store=store)


@pytest.mark.parametrize("statistic", [Statistic.MEAN, Statistic.SUM, Statistic.DEVIATION])
def test_it_is_what_many_tries_come_to(statistic: Statistic) -> None:
    # Of smooth ages, how far they spread is found better within bounds that are found first.
    basis = Basis.UNIFORM if statistic is Statistic.DEVIATION else Basis.SMOOTH
    asked = {
        "question": Question(statistic, "age"),
        "metric": metrics_for(statistic)[0],
        "places": (0.5,),
        "basis": basis,
    }
    (family,) = found("best-global", **asked).series
    (point,) = family.points
    assert point.by == MethodChoice("global-grid") and point.ends_known and point.by_formula
    alone = found("global-grid", repetitions=4000, **asked).series[0].points[0]
    assert not alone.ends_known, "a method of its own shows its tries"
    # Of the people of ten tries, as the mean is: how far values spread, and so how far off that is, is theirs.
    rel = 0.25 if statistic is Statistic.DEVIATION else 0.12
    assert point.high == pytest.approx(alone.high, rel=rel) and point.low < point.mean < point.high


def test_of_local_means_too_and_falls_evenly() -> None:
    for name in ("best-global", "best-local"):
        (series,) = found(name, **PAY).series
        assert sum(point.ends_known for point in series.points) > 1
        known = [point for point in series.points if point.ends_known and point.by == series.points[0].by]
        # A band that is of tries has kinks: its end moves from place to place by a sixth of what it is.
        steps = [two.high / one.high / (two.mean / one.mean) for one, two in pairwise(known)]
        assert all(abs(step - 1) < 0.05 for step in steps), (name, steps)


def test_it_is_there_in_every_measure_and_survives_a_file() -> None:
    store = ResultStore()
    first = found("best-global", store=store)
    by_metric = {
        metric: found("best-global", store=store, metric=metric).series[0].points[1]
        for metric in metrics_for(Statistic.MEAN)
    }
    plain, scaled, percent = (
        by_metric[Metric()],
        by_metric[Metric(normalised=True)],
        by_metric[Metric(Distance.PERCENT)],
    )
    assert scaled.high == pytest.approx(plain.high / 100) and percent.ends_known and percent.high > percent.mean
    kept = store.get(first.keys[-1])
    assert kept is not None
    again = CellResult.from_json(kept.to_json())
    assert again.theory == kept.theory and math.isfinite(again.theory[end_of(str(Metric()), upper=True)])


def test_where_there_is_no_law_tries_say_it_and_the_caption_says_which_is_which() -> None:
    some = found("best-global", "best-anonymised", "best-local", places=(0.5, 1.0), **PAY)
    words = str(comparison.caption(ComparisonData(some, FIT_TO_PRINT)))
    assert "Lines are mean errors; about 2.5 % of errors lie above bands. " in words
    read = " By formula: Global and Local"
    assert f"{read}. Open marks mean another setting from there on: " in words
    assert "Kinks of bands that are of tries may be chance: Anonymised." in words
    # What an earlier version kept knows the mean alone.
    series = tuple(
        replace(one, points=tuple(replace(point, ends_known=False) for point in one.points)) for one in some.series
    )
    before = str(comparison.caption(ComparisonData(replace(some, series=series), FIT_TO_PRINT)))
    assert f"{read}, but not their bands." in before
    bins = {"question": Question(Statistic.HISTOGRAM, "age"), "metric": metrics_for(Statistic.HISTOGRAM)[0]}
    assert not any(point.ends_known for point in found("best-global", "uniform", **bins, places=(1.0,)).points)


def test_a_law_of_few_values_is_no_smoother_than_it_is() -> None:
    choice = MethodChoice("global-grid", MappingProxyType({"post": "none"}))
    counted = Schema((ColumnSpec("town", Kind.CATEGORY, domain=("Bern", "Basel")),))
    experiment = Experiment(
        Question(Statistic.COUNT, "town", EncodingChoice(answer="Bern")), Metric(), (choice,), places=(1.0,),
        users=300, repetitions=10, basis=Basis.UNIFORM,
    )  # fmt: skip
    store = ResultStore()
    kept = store.get(run(experiment, shaped(experiment, counted, {}), store=store).keys[0])
    assert kept is not None
    # P(|Z| ≥ 5) of the discrete Laplace law at ε = 1 is above 1 − 0.975 / 2, and P(|Z| ≥ 4) below it: whole numbers.
    high = kept.theory[end_of(str(Metric()), upper=True)]
    chance = 2 * np.exp(-high) / (1 + np.exp(-1))
    assert high == round(high) and chance * np.exp(-1) < 0.025 <= chance


def test_the_ends_are_those_of_the_law_and_not_of_the_points_that_stand_for_it() -> None:
    middles = (np.arange(1000) + 0.5) / 1000
    low, high = ErrorSummary.of_law(-np.log1p(-middles))
    assert low == pytest.approx(-math.log(0.975), rel=1e-4) and high == pytest.approx(-math.log(0.025), rel=1e-3)
    (series,) = found("best-local", **PAY).series
    point = next(one for one in series.points if one.ends_known)
    # Of a normal error, whose mean is √(2/π) σ; 95 % of its sizes lie between 0.03134 σ and 2.2414 σ.
    assert point.low / point.mean == pytest.approx(0.03134 * math.sqrt(math.pi / 2), rel=0.01)
    assert point.high / point.mean == pytest.approx(2.2414 * math.sqrt(math.pi / 2), rel=0.01)
