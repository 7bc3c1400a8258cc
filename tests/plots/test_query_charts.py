"""Charts of questions: what they show, and that no label is cut off."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from workbench.plots import answer_interval, noise_spread, private_bars, query_errors
from workbench.plots.render import chart_csv
from workbench.plots.style import ChartStyle, name_box

SMALL, LARGE = (460, 220), (1100, 700)

INTERVAL = answer_interval.AnswerInterval(2_936_690.0, 2_569_300.0, 3_295_400.0, "2,936,690 $", "$")
BARS = private_bars.PrivateBars(
    ("[0, 20)", "[20, 40)", "[40, 60]"),
    np.array([12.0, -3.0, 40.0]),
    np.array([2.0, -13.0, 30.0]),
    np.array([22.0, 7.0, 50.0]),
    "age",
    "Rows",
)
ERRORS = query_errors.ErrorCurve(
    (
        query_errors.QueryErrorCurve(
            "simulated", (0.1, 1.0, 10.0), (10.0, 1.0, 0.0), (5.0, 0.0, 0.0), (20.0, 3.0, 0.0)
        ),
        query_errors.QueryErrorCurve("by formula", (0.1, 1.0, 10.0), (9.9, 0.9, None), formula=True),
    ),
    "ε",
    "Error, rows",
    (1.0, 3.0),
)


def spread(half_width: float = 30.0) -> noise_spread.NoiseSpread:
    generator = np.random.default_rng(3)
    return noise_spread.compute(np.round(generator.laplace(0, 10, (4000, 1))), half_width, "rows")


DRAWN = answer_interval.AnswerInterval(
    1094.0, 1047.0, 1140.2, "1,094", "€", "values limited to 0…10,000", "the value of the rows", (858.0, 1354.0)
)

CHARTS: list[tuple[Any, Any]] = [
    (answer_interval, INTERVAL),
    (answer_interval, DRAWN),
    (private_bars, BARS),
    (query_errors, ERRORS),
    (noise_spread, spread()),
    (noise_spread, noise_spread.compute(np.array([0.0, 1.0, 5.0, 2e7]), 4e6)),
]


def test_the_margin_that_is_chosen_is_written_as_beside_the_chart() -> None:
    data = replace(ERRORS, chosen=(1.0, 239.08))
    chart, _ = drawn(query_errors, data, (600, 300))
    assert chart.words.get_text() == "240" and "Now 240 at 1." in query_errors.describe(data)


def drawn(kind: Any, data: Any, size: tuple[int, int]) -> tuple[Any, Figure]:
    figure = Figure(figsize=(size[0] / 100, size[1] / 100), dpi=100)
    FigureCanvasAgg(figure)
    chart = kind.build(figure, data, ChartStyle())
    chart.arrange()
    figure.canvas.draw()
    return chart, figure


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize(("kind", "data"), CHARTS)
def test_ticks_and_titles_are_not_cut_off_and_do_not_touch(kind: Any, data: Any, size: tuple[int, int]) -> None:
    chart, figure = drawn(kind, data, size)
    axes = chart.axes
    low, high = axes.get_xlim()
    boxes = [
        label.get_window_extent()
        for place, label in zip(axes.get_xticks(), axes.get_xticklabels(), strict=True)
        if low <= place <= high and label.get_text()
    ]
    assert boxes
    assert all(a.x1 < b.x0 for a, b in itertools.pairwise(boxes))
    title = axes._left_title.get_window_extent()
    for box in (*boxes, title):
        assert box.x0 >= -1 and box.y0 >= -1 and box.x1 <= figure.bbox.x1 + 1 and box.y1 <= figure.bbox.y1 + 1


@pytest.mark.parametrize(("kind", "data"), CHARTS)
def test_every_chart_is_words_and_numbers_too(kind: Any, data: Any) -> None:
    assert kind.describe(data)
    lines = chart_csv(kind, data).splitlines()
    assert len(lines) > 1


def test_the_error_is_spread_around_the_truth() -> None:
    found = spread()
    assert found.chances.sum() == pytest.approx(1.0, abs=0.01)  # all but the far tails
    middle = int(np.searchsorted(found.edges, 0.0)) - 1
    assert found.edges[middle] < 0 < found.edges[middle + 1]
    assert found.chances[middle] == found.chances.max()
    chart, _ = drawn(noise_spread, found, SMALL)
    assert (chart.band.get_x(), chart.band.get_width()) == (-30.5, 61.0), "the bars at both ends are in it as a whole"
    # Errors that cannot be negative begin at 0.
    lost = noise_spread.compute(np.array([0.0, 0.0, 3.0, 9.0]), 9.0)
    assert lost.edges[0] <= 0 < lost.edges[1] and lost.chances.sum() == pytest.approx(1.0)


def test_the_shade_ends_between_whole_answers() -> None:
    noise = np.arange(-9.0, 10.0)
    assert noise_spread.compute(noise, 3.0).shaded == 3.5 and noise_spread.compute(noise, 0.0).shaded == 0.5
    assert noise_spread.compute(noise, 0.3, step=0.1).shaded == pytest.approx(0.35), "three steps, though 3·0.1 > 0.3"
    assert noise_spread.compute(noise + 0.25, 3.0).shaded == 3.0


def test_one_row_is_no_rows() -> None:
    assert noise_spread.describe(spread(1.0)).endswith("are off by at most 1 row.")
    chart, _ = drawn(answer_interval, answer_interval.AnswerInterval(2.0, 1.0, 3.0, "2 rows", "rows"), LARGE)
    assert [words.get_text() for words in chart.side_words] == ["1 row", "3 rows"]


def test_a_curve_goes_down_where_it_becomes_0() -> None:
    line = query_errors.QueryErrorCurve("95 %", (0.1, 1.0, 2.0, 9.0), (5.0, 1.0, 1.0, 0.0), zero_from=3.0)
    chart, _ = drawn(query_errors, query_errors.ErrorCurve((line,), "ε", "Error"), LARGE)
    (found,) = (one for one in chart.axes.lines if one is not chart.mark)
    places, values = found.get_data()
    assert list(places) == [0.1, 1.0, 2.0, 3.0, 3.0] and values[-2] == 1.0
    assert values[-1] < chart.axes.get_ylim()[0], "below every end of the axis"


def test_bars_have_their_error_bars_and_the_truth_only_where_it_is_given() -> None:
    chart, _ = drawn(private_bars, BARS, LARGE)
    assert [segment.tolist() for segment in chart.ends.get_segments()] == [
        [[0.0, 2.0], [0.0, 22.0]],
        [[1.0, -13.0], [1.0, 7.0]],
        [[2.0, 30.0], [2.0, 50.0]],
    ]
    assert not chart.truth.get_visible() and chart.right.get_text() == ""
    assert chart.axes.get_ylim()[0] < -13
    both = private_bars.PrivateBars(**{**vars(BARS), "true": np.array([10.0, 0.0, 44.0])})
    chart.update(both)
    assert chart.truth.get_visible() and chart.truth.get_data().values.tolist() == [10.0, 0.0, 44.0]
    assert private_bars.rows(both)[1][-1] == "10" and len(private_bars.rows(BARS)[0]) == 4


def test_points_without_a_logarithm_are_left_out() -> None:
    chart, _ = drawn(query_errors, ERRORS, LARGE)
    simulated, formula = (line for line in chart.axes.lines if line is not chart.mark)
    assert simulated.get_xydata().tolist() == [[0.1, 10.0], [1.0, 1.0]]
    assert formula.get_xydata().tolist() == [[0.1, 9.9], [1.0, 0.9]]
    assert formula.get_linestyle() == "--"
    assert chart.mark.get_xydata().tolist() == [[1.0, 3.0]] and chart.words.get_text() == "3"
    chart.update(query_errors.ErrorCurve(ERRORS.lines[1:], "ε", "Error"))
    assert len([line for line in chart.axes.lines if line is not chart.mark]) == 1 and chart.words.get_text() == ""


def test_the_interval_is_drawn_where_it_is() -> None:
    chart, _ = drawn(answer_interval, INTERVAL, SMALL)
    assert list(chart.bar.get_xdata()) == [2_569_300.0, 3_295_400.0]
    assert list(chart.point.get_xdata()) == [2_936_690.0]
    assert [words.get_text() for words in chart.side_words] == ["2,569,300 $", "3,295,400 $"]


def test_where_rows_were_drawn_the_wider_interval_is_drawn_and_named() -> None:
    chart, _ = drawn(answer_interval, DRAWN, LARGE)
    assert list(chart.wide.get_xdata()) == [858.0, 1354.0] and list(chart.bar.get_xdata()) == [1047.0, 1140.2]
    low, high = chart.axes.get_xlim()
    assert low < 858 and high > 1354
    dark, light = "dark: 1,047 to 1,141 € for the noise", "light: at most 858 to 1,354 € with the draw of rows"
    assert chart.both.get_text() == f"{dark} · {light}" and chart.axes.get_title("left").endswith(
        "intervals of 95 % confidence"
    )
    assert chart.wide.get_alpha() < chart.bar.get_alpha(), "the lighter one"
    narrow, _ = drawn(answer_interval, DRAWN, (280, 220))
    assert narrow.both.get_text() == f"{dark}\n{light}"
    assert "lies between 858 and 1,354 €" in answer_interval.describe(DRAWN)
    assert answer_interval.rows(DRAWN)[1] == ("1094", "1047", "1140.2", "858", "1354")
    chart.update(INTERVAL)
    assert chart.both.get_text() == "" and len(chart.wide.get_xdata()) == 0, "of another answer nothing is left"


def test_in_a_low_window_the_words_at_the_interval_touch_nothing() -> None:
    limited = answer_interval.AnswerInterval(
        42_318.2, 42_098.0, 42_537.8, "42,318.2", limited="values limited to 30,000…60,000"
    )
    chart, figure = drawn(answer_interval, limited, (490, 118))
    axes, title = chart.axes, chart.axes._left_title.get_window_extent()
    assert title.x1 < figure.bbox.x1 - 40, "the button of the chart has its place there"
    assert chart.words.get_window_extent().y1 < title.y0
    assert all(words.get_window_extent().y0 > axes.bbox.y0 for words in chart.side_words)
    assert "values limited to 30,000…60,000" in answer_interval.describe(limited)


@pytest.mark.parametrize("size", [SMALL, (700, 200), LARGE])
def test_which_values_an_interval_is_of_is_said_as_far_as_it_has_room(size: tuple[int, int]) -> None:
    times = "values limited to 2020-01-01 00:00:00…2020-01-02 00:00:00 and rounded to steps of 1 second"
    chart, figure = drawn(answer_interval, replace(INTERVAL, limited=times), size)
    title = chart.axes.get_title(loc="left")
    box = name_box(chart.axes, title)
    assert box is not None and box.x1 < figure.bbox.x1 - 30
    said = f"Of {times}" if size == LARGE else "Of limited and rounded values"
    assert title == f"{said}: interval of 95 % confidence"
    assert times in answer_interval.describe(chart.data)


def test_the_margin_in_the_picture_is_the_one_that_the_plan_says() -> None:
    """Rounded up, as beside the question: 0.08784 is “± 0.0879” there."""
    drawn = noise_spread.compute(np.array([-1.0, 0.0, 1.0]), 0.08784, "min")
    assert noise_spread.describe(drawn).endswith("95 % are off by at most 0.0879 min.")


def test_answers_piled_up_at_the_end_of_what_is_possible_are_named() -> None:
    noise = np.random.default_rng(3).laplace(0, 10, 4000)
    free, cut = (noise_spread.compute(errors, 30.0) for errors in (noise, np.clip(noise, -np.inf, 15.0)))
    assert free.ends == (False, False) and cut.ends == (False, True)
    assert "last bar holds every answer that would be larger than possible" in noise_spread.describe(cut)
    assert "possible" not in noise_spread.describe(free)
    flat = np.clip(np.linspace(-10.0, 10.0, 20_000), -np.inf, 9.8)
    small = noise_spread.compute(flat, 9.5)
    assert small.chances[small.end_bars[1] - 1] > 0.01 and small.ends == (False, True), "a small lump has its name too"
    both = noise_spread.compute(np.clip(noise, -15.0, 15.0), 30.0)
    assert both.ends == (True, True)
    chart, _ = drawn(noise_spread, cut, SMALL)
    assert [one.get_visible() for one in chart.ends] == [False, True]
    chart.update(free)
    assert not any(one.get_visible() for one in chart.ends)


def test_ticks_of_an_answer_have_as_many_decimals_as_each_other() -> None:
    chart, _ = drawn(answer_interval, answer_interval.AnswerInterval(51.52, 51.167, 51.881, "51.52"), LARGE)
    said = [one.get_text() for one in chart.axes.get_xticklabels()]
    assert len({len(one.partition(".")[2]) for one in said}) == 1 and "51.30" in said
    chart, _ = drawn(answer_interval, INTERVAL, LARGE)
    assert all("." not in one.get_text() for one in chart.axes.get_xticklabels())
