"""Where the best setting of a way changes along the axis, its curve may have a kink: it is marked and said."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from workbench.evaluate.error_series import ErrorSeries, Point
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.figure_settings import FIT_TO_PRINT
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.question import Distance, Metric, Question, Statistic
from workbench.plots.comparison_caption import caption
from workbench.plots.comparison_data import ComparisonData
from workbench.plots.curve_words import change_words


def way(*settings: MethodChoice) -> Findings:
    """The findings of a family with one setting after the other."""
    points = tuple(
        Point("Anonymised", place, 1.0, 0.5, 2.0, 10, by=by)
        for place, by in zip((0.1, 0.5, 1.0, 2.0, 5.0), settings, strict=False)
    )
    family = MethodChoice("best-anonymised")
    series = ErrorSeries(family, "Anonymised", Approach.ANONYMISED, points)
    experiment = Experiment(Question(Statistic.MEAN, "age"), Metric(Distance.ABSOLUTE), (family,))
    return Findings(experiment, (series,), 300)


def test_where_a_way_takes_another_setting_it_is_marked_and_said() -> None:
    fine, coarse, steps = (
        MethodChoice(name, MappingProxyType({"level": level}))
        for name, level in (("trimmed", 1), ("trimmed", 2), ("trimmed-in-steps", 1))
    )
    once = way(coarse, coarse, fine, fine)
    assert [point.axis_value for point in once.series[0].changes] == [1.0]
    assert change_words(once) == (
        "Open marks mean another setting from there on: "
        "Anonymised is Trimmed, level 2 up to ε = 0.5, then Trimmed, level 1."
    )
    assert "up to ε = 0.1, then Trimmed, level 1 up to ε = 0.5, then" in change_words(way(coarse, fine, coarse))
    assert change_words(way(coarse, fine, coarse, steps)).endswith("Anonymised at ε = 0.5, 1, 2.")
    # What stands at a larger ε as at a smaller one is the same setting, and a curve of one setting has no kink of it.
    assert change_words(way(fine, fine, replace(fine, epsilon=0.5))) == "" == change_words(way(fine, fine))


def test_a_caption_with_room_for_it_says_which_setting_follows_an_open_mark() -> None:
    coarse, fine = (MethodChoice("trimmed", MappingProxyType({"level": level})) for level in (2, 1))
    found = way(coarse, coarse, fine, fine)
    assert change_words(found) in caption(ComparisonData(found, FIT_TO_PRINT)).below
