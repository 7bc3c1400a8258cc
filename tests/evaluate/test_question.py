"""Metrics against scipy and by hand, and questions as files."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import wasserstein_distance

from workbench.core.errors import WorkbenchError
from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.question import Distance, Metric, Question, Statistic, measured, metrics_for
from workbench.evaluate.subject import statistic_of
from workbench.ldp.encoding import EncodingChoice, EncodingKind

TRUTH = np.array([6.0, 2.0, 0.0, 2.0])
ANSWERS = np.array([[6.0, 2.0, 0.0, 2.0], [3.0, 3.0, 3.0, 3.0], [20.0, 0.0, 0.0, 0.0]])


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("absolute", [0.0, (3 + 1 + 3 + 1) / 4, (14 + 2 + 0 + 2) / 4]),
        ("absolute-normalised", [0.0, 0.2, 0.45]),
        ("manhattan", [0.0, 8.0, 18.0]),
        ("manhattan-normalised", [0.0, 0.35 + 0.05 + 0.25 + 0.05, 0.4 + 0.2 + 0.2]),
        ("euclidean", [0.0, np.sqrt(9 + 1 + 9 + 1), np.sqrt(196 + 4 + 4)]),
        ("total-variation", [0.0, 0.35, 0.4]),
    ],
)
def test_distances_by_hand(metric: str, expected: list[float]) -> None:
    found = measured(Metric.parse(metric), TRUTH, ANSWERS, 10.0, None)
    assert found == pytest.approx(expected)


def test_kantorovich_normalises_unequal_masses_and_agrees_with_scipy() -> None:
    positions = np.array([0.0, 1.0, 5.0, 7.0])
    found = measured(Metric(Distance.KANTOROVICH, True), TRUTH, ANSWERS, 10.0, positions)
    expected = [wasserstein_distance(positions, positions, one, TRUTH) for one in ANSWERS]
    assert found == pytest.approx(expected)
    # As a count it is how far all ten rows are moved together.
    assert measured(Metric(Distance.KANTOROVICH), TRUTH, ANSWERS, 10.0, positions) == pytest.approx(10 * found)


def test_percent_of_nothing_is_infinite_and_no_answer_is_no_error() -> None:
    found = measured(Metric(Distance.PERCENT), np.array([0.0]), np.array([[1.0], [np.nan], [0.0]]), 1.0, None)
    assert np.isinf(found[0])
    assert np.isnan(found[1])
    assert found[2] == 0


def test_figures_of_weighted_numbers() -> None:
    numbers, weights = np.array([4.0, 1.0, 9.0]), np.array([1.0, 2.0, 1.0])
    repeated = np.array([4.0, 1.0, 1.0, 9.0])
    for figure, expected in (
        (Statistic.MEAN, repeated.mean()),
        (Statistic.SUM, repeated.sum()),
        (Statistic.VARIANCE, repeated.var()),
        (Statistic.DEVIATION, repeated.std()),
    ):
        assert statistic_of(Question(figure), numbers, weights) == pytest.approx(expected)
    for share, expected in ((0.0, 1.0), (0.5, 1.0), (0.51, 4.0), (0.75, 4.0), (1.0, 9.0)):
        assert statistic_of(Question(Statistic.QUANTILE, share=share), numbers, weights) == expected
    assert np.isnan(statistic_of(Question(Statistic.MEAN), np.zeros(0)))


def test_every_metric_of_a_figure_reads_back() -> None:
    for figure in Statistic:
        for metric in metrics_for(figure):
            assert Metric.parse(str(metric)) == metric
    with pytest.raises(WorkbenchError, match="no metric"):
        Metric.parse("hausdorff")


def test_an_experiment_survives_its_file() -> None:
    experiment = Experiment(
        question=Question(Statistic.HISTOGRAM, "age", EncodingChoice(how=EncodingKind.BINS, bins=7, bounds=(0, 100))),
        metric=Metric(Distance.KANTOROVICH, True),
        methods=(MethodChoice.parse("ue=0.75:0.25"), MethodChoice("anonymised", {"level": 2}, 0.7, "mine")),
        axis=Axis.USERS,
        places=(10.0, 100.0),
        users=50,
        repetitions=3,
        seed=9,
        title="Ages",
    )
    again = Experiment.from_json(experiment.to_json())
    assert again == experiment
    assert again.to_json() == experiment.to_json()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"places": []}, "places"),
        ({"places": [1.0, 0.5]}, "places"),
        ({"places": [0.0, 0.5]}, "places"),
        ({"places": [10.5], "axis": "users"}, "places"),
        ({"repetitions": 0}, "repetitions"),
        ({"seed": -1}, "seed"),
        ({"methods": []}, "methods"),
        ({"methods": ["oui"]}, "methods"),
        ({"methods": [{"method": "global-grid", "epsilon": 1}]}, "methods"),
        ({"metric": "euclidean"}, "metric"),
        ({"users": 0}, "users"),
        ({"usres": 5}, "experiment"),
        ({"question": {"figure": "mode"}}, "experiment"),
        ({"question": {"figure": "quantile", "share": 2}}, "share"),
        ({"repetitions": "many"}, "experiment"),
    ],
)
def test_what_is_wrong_with_an_experiment_is_named(change: dict[str, object], field: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        Experiment.from_json(change)
    assert caught.value.field == field
    assert caught.value.message
