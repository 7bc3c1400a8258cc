"""Charts of comparisons: what is drawn, named, hidden and told."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from matplotlib.figure import Figure as Paper

from workbench.evaluate.error_series import ErrorSeries, Point
from workbench.evaluate.experiment import Axis, Experiment, Truth
from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.method_histograms import MethodHistogram, MethodHistograms
from workbench.evaluate.question import Metric, Question, Statistic
from workbench.plots import comparison, comparison_bars
from workbench.plots.comparison import ComparisonData
from workbench.plots.comparison_data import picture_stem
from workbench.plots.render import ChartRenderer, chart_csv
from workbench.plots.style import ChartStyle
from workbench.session.comparison_words import findings_words

STYLE = ChartStyle()


def series(number: int, count: int = 40, approach: Approach = Approach.LOCAL) -> ErrorSeries:
    x = np.geomspace(10, 10_000, count)
    mean = (2 + number) / np.sqrt(x) * (1 + 0.1 * np.sin(x + number))
    points = tuple(
        Point(f"curve {number}", float(at), float(y), float(y / 2), float(y * 2), 50, float(y / 50), theory=float(y))
        for at, y in zip(x, mean, strict=True)
    )
    return ErrorSeries(MethodChoice("uniform"), f"curve {number}", approach, points)


def findings(*all_series: ErrorSeries) -> Findings:
    return Findings(Experiment(axis=Axis.USERS, places=(10.0, 10_000.0)), all_series, 10_000, "$")


def built(data: ComparisonData, size: tuple[float, float] = (9.0, 5.0)) -> comparison.ComparisonChart:
    chart = comparison.build(Paper(figsize=size, dpi=100), data, STYLE)
    chart.arrange()
    return chart


def test_twelve_curves_are_named_apart_inside_the_paper() -> None:
    chart = built(ComparisonData(findings(*(series(number) for number in range(12)))))
    labels = [curve.label for curve in chart.curves]
    boxes = sorted((label.get_window_extent() for label in labels), key=lambda box: box.y0)
    assert [label.get_text() for label in labels] == [f"curve {number}" for number in range(12)]
    assert all(above.y0 >= below.y1 - 1 for below, above in itertools.pairwise(boxes))
    paper = chart.axes.get_figure().bbox
    assert all(box.x1 <= paper.x1 and box.y0 >= 0 and box.y1 <= paper.y1 for box in boxes)


def test_files_are_named_after_what_was_asked_and_pictures_after_the_epsilon_too() -> None:
    asked = findings(series(0))
    named = ((Statistic.HISTOGRAM, "shares-of-age-people"), (Statistic.MEAN, "mean-of-age-people"))
    for statistic, stem in named:
        experiment = replace(asked.experiment, question=Question(statistic, "age"), axis=Axis.EPSILON)
        data = ComparisonData(replace(asked, experiment=experiment), source="people.csv", place=0.5)
        assert comparison.file_stem(data) == stem, "as it is called where it is asked for"
        assert picture_stem(data) == f"{stem}-at-epsilon-0.5", "whose caption compares the ways there"
        assert picture_stem(replace(data, place=None)) == stem
        along_people = replace(asked, experiment=replace(experiment, axis=Axis.USERS, places=(10, 20)))
        assert picture_stem(replace(data, findings=along_people, place=10.0)) == stem


def test_the_axis_keeps_its_ends_while_points_are_still_to_come() -> None:
    first = replace(series(0), points=(replace(series(0, 3).points[1], high=math.nan, low=math.nan),))
    unfinished = replace(findings(first), complete=False)
    left, right = built(ComparisonData(unfinished)).axes.get_xlim()
    assert left < 10.0 and right > 10_000.0


def test_what_hardly_differs_has_numbers_beside_it() -> None:
    flat = replace(series(0), points=tuple(replace(one, mean=48.0, low=47.9, high=48.1) for one in series(0).points))
    chart = built(ComparisonData(findings(flat), FigureSettings(log_y=True)))
    assert len([one for one in chart.axes.get_yticks() if 24 < one < 96]) > 1


def test_curves_of_one_approach_differ_by_more_than_colour() -> None:
    chart = built(ComparisonData(findings(series(0), series(1), series(2, approach=Approach.GLOBAL))))
    looks = [(curve.line.get_marker(), str(curve.line.get_linestyle())) for curve in chart.curves]
    assert looks[0] != looks[1]
    assert chart.curves[0].line.get_color() != chart.curves[1].line.get_color()
    assert chart.curves[2].line.get_color() == STYLE.global_dp
    assert chart.curves[0].band.get_hatch() != chart.curves[1].band.get_hatch()
    # PDF draws hatching as faint as what is filled with it, so it lies above the fill and fills nothing.
    assert [tuple(one.get_edgecolor()[0])[3] for one in (chart.curves[1].band, chart.curves[2].band)] == [1.0, 1.0]
    assert len(chart.curves[1].band.get_facecolor()) == 0 and chart.curves[1].fill.get_facecolor()[0][3] == 0.12


def test_artists_are_used_again_for_other_findings() -> None:
    chart = built(ComparisonData(findings(series(0), series(1), series(2))))
    lines, artists = [curve.line for curve in chart.curves], len(chart.axes.get_children())
    chart.update(ComparisonData(findings(series(5, 7))))
    chart.arrange()
    assert [curve.line for curve in chart.curves] == lines
    assert len(chart.axes.get_children()) == artists
    assert [line.get_visible() for line in lines] == [True, False, False]
    assert len(lines[0].get_xdata()) == 7
    assert [curve.leader.get_visible() for curve in chart.curves] == [True, False, False]


@pytest.mark.parametrize("name", ["bands", "labels", "theory", "crossings"])
def test_parts_can_be_left_out(name: str) -> None:
    crossing = series(0), replace(series(1), points=tuple(
        replace(point, mean=0.3, low=0.2, high=0.4, error_of_mean=1e-3) for point in series(1).points
    ))  # fmt: skip
    for wanted in (True, False):
        chart = built(ComparisonData(findings(*crossing), FigureSettings(**{name: wanted})))
        seen = {
            "bands": chart.curves[0].band.get_visible(),
            "labels": chart.curves[0].label.get_visible(),
            "theory": chart.curves[0].theory.get_visible(),
            "crossings": chart.words[0].get_visible(),
        }
        assert seen[name] == wanted
        if seen["crossings"]:
            assert re.fullmatch(r"cross at [\d,]+ users", chart.words[0].get_text()), "a circle says what it marks"


def test_axes_can_be_linear_and_errors_of_zero_do_not_break_logarithmic_ones() -> None:
    nothing = replace(series(0), points=tuple(replace(one, mean=0.0, low=0.0, high=0.0) for one in series(0).points))
    chart = built(ComparisonData(findings(nothing, series(1))))
    assert chart.axes.get_yscale() == "log"
    assert chart.axes.get_ylim()[0] > 0
    chart.update(ComparisonData(findings(nothing, series(1)), FigureSettings(log_x=False, log_y=False)))
    chart.arrange()
    assert (chart.axes.get_xscale(), chart.axes.get_yscale()) == ("linear", "linear")
    assert chart.axes.get_ylim()[0] == 0
    assert built(ComparisonData(findings())).axes.get_ylim()[0] > 0


def test_a_point_is_found_under_the_pointer() -> None:
    chart = built(ComparisonData(findings(series(0), series(1))))
    wanted = chart.data.findings.series[1].points[5]
    told = {(name, words[0]): (words[2], corners[:2]) for name, words, corners in chart.told_points()}
    name, place = chart.data.findings.series[1].name, comparison.place_text(wanted, chart.data)
    words, at = told[name, place]
    assert at == (wanted.axis_value, wanted.mean) and "95 % between" in words
    assert comparison.point_at(name, place, chart.data) == wanted
    assert comparison.point_at(name, "ε 77", chart.data) is None
    chart.curves[1].line.set_visible(False)
    assert name not in {series for series, _, _ in chart.told_points()}


def test_an_open_mark_under_the_pointer_says_which_setting_answers_from_there_on() -> None:
    coarse, fine = (MethodChoice("trimmed", MappingProxyType({"level": level})) for level in (2, 1))
    points = tuple(replace(one, by=fine if one.axis_value >= 1000 else coarse) for one in series(0).points)
    chart = built(ComparisonData(findings(replace(series(0), points=points))))
    (changed,) = chart.data.findings.series[0].changes
    told = {words[0]: words[2] for _, words, _ in chart.told_points()}
    opened = [place for place, words in told.items() if "; open: " in words]
    assert opened == [comparison.place_text(changed, chart.data)]
    assert told[opened[0]].endswith("; open: from here on Trimmed, level 1")


def test_a_mean_of_tries_has_a_bar_and_the_digits_that_chance_leaves_it() -> None:
    tried = Point("Global", 5.0, 0.00171, 0.0, 0.01, 200, error_of_mean=0.00056)
    known = replace(tried, axis_value=2.0, tried=0.0018)
    rest = replace(tried, axis_value=1.0, mean=12_345.0, error_of_mean=520.0)
    assert tried.mean_text() == "0.0017 ± 0.0011" and known.mean_text() == "0.00171" and known.chance == 0
    assert rest.mean_text() == "12,300 ± 1,100" and replace(tried, error_of_mean=math.nan).mean_text() == "0.00171"
    chart = built(ComparisonData(findings(replace(series(0), points=(rest, known, tried)))))
    bars = [segment.tolist() for segment in chart.curves[0].chance.get_segments()]
    assert [bar[0][0] for bar in bars] == [1.0, 5.0], "what a formula says has none"
    assert bars[1][0][1] == pytest.approx(0.00171 - 1.96 * 0.00056) and bars[1][1][1] == pytest.approx(0.0028076)
    caps = chart.curves[0].caps.get_xydata().tolist()
    assert caps == [end for bar in bars for end in bar], "it ends in strokes across, as error bars do"
    assert chart.curves[0].changes.get_marker() != "|", "what marks a new setting is taken for none"
    assert any("0.0017 ± 0.0011" in words[2] for _, words, _ in chart.told_points())
    assert "0.0017 ± 0.0011 at 5" in comparison.describe(chart.data)
    assert "Bars at points: how far chance" in " ".join(comparison.caption(chart.data).details)


@pytest.mark.parametrize("log_y", [True, False])
def test_a_bar_stays_on_the_axes_and_ends_in_an_arrow_where_it_goes_on_to_nothing(log_y: bool) -> None:
    """On a logarithmic axis nothing has no place, and a bar that ran off it would look like one of any length."""
    whole = Point("Global", 1.0, 1.0, 0.5, 2.0, 200, error_of_mean=0.3)
    open_ended = replace(whole, axis_value=5.0, mean=0.0027, low=0.0, high=0.03, error_of_mean=0.002)
    found = findings(replace(series(0), points=(whole, open_ended)))
    chart = built(ComparisonData(found, FigureSettings(log_y=log_y)))
    curve, (low, high) = chart.curves[0], chart.axes.get_ylim()
    bars = [segment.tolist() for segment in curve.chance.get_segments()]
    assert all(low <= end <= high for bar in bars for _, end in bar)
    assert [end for _, end in bars[0]] == pytest.approx([1 - 1.96 * 0.3, 1 + 1.96 * 0.3], rel=0.01)
    arrows, caps = curve.arrows.get_xydata().tolist(), curve.caps.get_xydata().tolist()
    assert arrows == ([bars[1][0]] if log_y else []), "it says that the bar goes on"
    assert caps == [end for bar in bars for end in bar if end not in arrows]
    assert "One that ends in an arrow goes on." in " ".join(comparison.caption(chart.data).details)


def test_a_comparison_in_words_and_numbers() -> None:
    gap = replace(series(1), points=(Point("curve 1", 10.0, *[float("nan")] * 3, 0, problem='It is "void", here.'),))
    data = ComparisonData(findings(series(0, 3), gap))
    assert "curve 0" in comparison.describe(data)
    assert "void" in comparison.describe(data)
    lines = chart_csv(comparison, data).splitlines()
    assert lines[0].startswith("method,axis_value,mean,low,high,repetitions")
    assert len(lines) == 5
    assert lines[-1].endswith(',"It is ""void"", here.",,,,absolute error,')


def test_settings_of_a_figure_survive_their_file() -> None:
    settings = FigureSettings(log_x=False, title="x", width=5)
    assert FigureSettings.from_json(settings.to_json()) == settings
    for wrong in ({"log_x": 1}, {"dpi": 3}, {"title": None}):
        with pytest.raises((TypeError, ValueError)):
            FigureSettings.from_json(wrong)


def histogram(values: int, methods: int = 2) -> MethodHistograms:
    truth = np.linspace(5, 50, values)
    bars = tuple(
        MethodHistogram(f"m{number}", Approach.LOCAL, truth, truth + number, truth - 3, truth + 4, {})
        for number in range(methods)
    )
    labels = tuple(f"value {number}" for number in range(values))
    question = Question(Statistic.HISTOGRAM, "age")
    return MethodHistograms(question, labels, None, truth, bars, 1.0, 100, 10, 1)


@pytest.mark.parametrize("values", [5, 24, 25, 60, 200])
def test_few_values_are_bars_and_many_are_lines(values: int) -> None:
    data = histogram(values)
    chart = comparison_bars.build(Paper(figsize=(7, 4)), data, STYLE)
    chart.arrange()
    legend = [text.get_text() for text in chart.axes.get_legend().get_texts()]
    assert sorted(legend) == ["True", "m0", "m1"]
    assert chart.axes.get_ylim()[1] >= 54
    shown = comparison_bars.shown_values(data)
    assert len(shown) == min(values, 60)
    assert (np.diff(shown) > 0).all()
    chart.update(histogram(3, 1))
    chart.arrange()
    assert chart.axes.get_xlim()[1] < 3
    assert len(comparison_bars.rows(data)) == values + 1
    assert "age" in comparison_bars.describe(data)


def test_both_charts_render_to_pixels() -> None:
    pixels = ChartRenderer(comparison).render(ComparisonData(findings(series(0))), STYLE, 600, 400)
    assert pixels.shape == (400, 600, 4)
    assert len(np.unique(pixels.reshape(-1, 4), axis=0)) > 10
    assert ChartRenderer(comparison_bars).render(histogram(8), STYLE, 500, 300).shape == (300, 500, 4)
    assert Metric().title == "absolute error"


def test_the_caption_says_of_each_curve_what_its_band_is() -> None:
    best = replace(series(0), choice=MethodChoice("best-local"), name="Local")
    alone, nothing = series(1), series(2, approach=Approach.BASELINE)
    upwards, inside = "2.5 % of errors lie above bands", "95 % of errors lie within bands"

    def bands(*shown: ErrorSeries) -> str:
        return str(comparison.caption(ComparisonData(findings(*shown))))

    assert upwards in bands(best, nothing) and inside not in bands(best, nothing)
    assert upwards not in bands(alone, nothing) and inside in bands(alone, nothing)
    assert f"about {upwards} of Local, 95 % within the rest." in bands(best, alone, nothing)


def test_a_curve_that_is_not_there_up_to_its_end_has_no_line_to_its_name() -> None:
    begun = replace(series(0), points=series(0).points[:5])
    chart = built(ComparisonData(findings(begun, series(1))))
    short, whole = (curve.leader.get_xydata() for curve in chart.curves[:2])
    assert len(short) == 0 and len(whole) == 2 and chart.curves[0].label.get_visible()


@pytest.mark.parametrize("best", [False, True])
def test_a_band_holds_its_own_line(best: bool) -> None:
    """Few large errors among many of nothing: 97.5 % of the tries stay below their mean."""
    one = series(0)
    rare = tuple(
        replace(point, low=0.0, high=0.0 if place % 2 else 2 * point.mean) for place, point in enumerate(one.points)
    )
    one = replace(one, points=rare, choice=MethodChoice("best-local") if best else one.choice)
    for settings in (FigureSettings(), FigureSettings(log_y=False)):
        chart = comparison.build(Paper(), ComparisonData(findings(one), settings), STYLE)
        (band,) = chart.curves[0].fill.get_paths()
        for x, mean in chart.curves[0].line.get_xydata():
            here = [y for where, y in band.vertices if where == x]
            assert min(here) <= mean <= max(here), (x, mean, here)


def test_what_is_said_under_the_chart_leaves_with_it() -> None:
    noted = replace(series(0), notes=("Its sums were drawn from the normal distribution.",))
    found = replace(findings(noted, series(1)), notes=("Nothing was read from the table.",))
    words = str(comparison.caption(ComparisonData(found)))
    lines = [line.removeprefix("• ") for line in findings_words(found)]
    assert len(lines) == 3 and all(line in words for line in lines)


def test_a_formula_is_crosses_unless_it_is_the_line() -> None:
    by_formula = replace(series(1), points=tuple(replace(one, tried=2 * one.mean) for one in series(1).points))
    data = ComparisonData(findings(series(0), by_formula))
    plain, leading = built(data).curves[:2]
    assert (plain.theory.get_linestyle(), plain.theory.get_marker()) == ("None", "x")
    assert plain.theory.get_visible() and not leading.theory.get_visible()
    words = str(comparison.caption(data))
    assert " By formula: curve 1, but not their bands." in words
    assert "Lines are mean errors; about 95 % of errors lie within bands. Crosses are expected by formula." in words
    assert "Crosses" not in str(comparison.caption(ComparisonData(findings(by_formula))))


def test_against_one_epsilon_the_axis_says_that_the_ways_are_not_equally_private() -> None:
    """A curator hides a row, and Local an answer, which tiles compare where both are hidden, too."""
    ways = [
        replace(series(number, approach=way), choice=MethodChoice(f"best-{way.value}"))
        for number, way in enumerate((Approach.GLOBAL, Approach.LOCAL))
    ]
    along = Experiment(axis=Axis.EPSILON, places=(10.0, 10_000.0))
    both = ComparisonData(replace(findings(*ways), experiment=along))
    said = "ε as set for each way; at one ε Local hides more"
    assert built(both).axes.get_xlabel() == said
    shares = replace(along, question=Question(Statistic.HISTOGRAM, "town"), public_total=True)
    paid = ComparisonData(replace(findings(*ways), experiment=shares))
    assert built(paid).axes.get_xlabel() == "ε as set for each way; a curator hides an answer at 2 ε"
    alone = ComparisonData(replace(findings(ways[0]), experiment=along))
    assert built(alone).axes.get_xlabel() == "ε" and built(ComparisonData(findings(*ways))).axes.get_xlabel() == "Users"


def test_no_band_is_told_that_is_not_drawn() -> None:
    best = replace(series(0), choice=MethodChoice("best-local"), name="Local", rest=(series(3),))
    data = ComparisonData(findings(best, series(2, approach=Approach.BASELINE)), FigureSettings(rest=True))
    # The settings of a way that are drawn thin, and what is only there to compare with, have no bands.
    assert "the others" not in str(comparison.caption(data))
    chart = comparison.build(Paper(figsize=(7, 4)), data, STYLE)
    assert [curve.band.get_visible() for curve in chart.curves] == [True, False]


def test_shares_that_differ_are_shown_in_per_cent_of_people_everywhere() -> None:
    plain = findings(replace(series(0), choice=MethodChoice("best-local"), name="Local"))
    question = Question(Statistic.HISTOGRAM, "town")
    experiment = replace(plain.experiment, question=question, metric=Metric.parse("manhattan-normalised"))
    found = replace(plain, experiment=experiment)
    data, first = ComparisonData(found), found.series[0].points[0]
    chart = comparison.build(Paper(figsize=(7, 4)), data, STYLE)
    assert comparison.describe(data).startswith("People misplaced, % against")
    assert chart.curves[0].line.get_ydata()[0] == pytest.approx(50 * first.mean)
    # A survey's shares are of those asked, unless its errors have sampling in them.
    assert str(comparison.caption(data)).startswith("Per cent of those asked misplaced in the shares")
    sampled = replace(found, experiment=replace(experiment, truth=Truth.POPULATION))
    assert str(comparison.caption(ComparisonData(sampled))).startswith("Per cent of people misplaced in the shares")
    # Files keep the sums of before, and say so.
    heading, row, *_ = comparison.rows(data)
    cells = dict(zip(heading, row, strict=True))
    assert float(cells["mean"]) == pytest.approx(first.mean) and "times 50" in cells["measure"]
    assert heading[:9] == (
        "method",
        "axis_value",
        "mean",
        "low",
        "high",
        "repetitions",
        "unanswered",
        "theory",
        "problem",
    )
    assert heading[9:] == ("setting", "shape", "standard_error", "measure", "mean_of_tries")
    assert "times 50" in found.to_json()["metric_note"]
