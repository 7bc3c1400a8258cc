"""The charts of collections: what they show, and that no label is cut off or covers another."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.colors import rgb_to_hsv, to_rgb

from tests.plots.test_charts import DARK, SIZES, assert_readable, drawn, labels
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.protocol import PROTOCOLS
from workbench.plots import error_curves, error_ranges, estimated_counts
from workbench.plots.error_curves import ErrorCurves, ProtocolCurve
from workbench.plots.error_ranges import ErrorRange, ErrorRanges
from workbench.plots.estimated_counts import EstimatedCounts
from workbench.plots.series import series_look
from workbench.plots.style import ChartStyle
from workbench.session.collection.words import look_of

NAMES = (
    "Distance-sensitive encoding (corrected)",
    "Distance-sensitive encoding (as in Galanis 2021)",
    "Square Wave",
    "OUE",
)


def curves(count: int = 4) -> ErrorCurves:
    places = np.geomspace(0.1, 10, 8)
    local = [
        ProtocolCurve(NAMES[i % 4] + " " * (i // 4), places, (i + 1) / places, 0.7 / places, (i + 2) / places)
        for i in range(count)
    ]
    curator = ProtocolCurve("A trusted curator", places, np.where(places > 5, 0.0, 0.01 / places), role="curator")
    uniform = ProtocolCurve("A uniform guess", places, np.full(8, 0.8), role="uniform")
    return ErrorCurves((*local, curator, uniform), "L1 error", "epsilon", 1.0, "bands: 95 %")


def ranges() -> ErrorRanges:
    local = tuple(ErrorRange(name, 0.1 * (i + 1), 0.08 * (i + 1), 0.13 * (i + 1)) for i, name in enumerate(NAMES))
    return ErrorRanges(
        "L1 error",
        (ErrorRange("A trusted curator", 0.001, 0.0005, 0.002, "curator"), *local,
         ErrorRange("A uniform guess", 0.9, 0.9, 0.9, "uniform")),
    )  # fmt: skip


def counts(names: tuple[str, ...], *, ordinal: bool, truth: bool = True) -> EstimatedCounts:
    estimate = np.linspace(-5.0, 100.0, len(names))
    return estimated_counts.compute(
        "Direct encoding", names, estimate, estimate - 20, estimate + 20, np.arange(len(names)) if truth else None,
        band="95 %", ordinal=ordinal,
    )  # fmt: skip


class TestErrorCurves:
    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize("count", [1, 4, 9])
    def test_names_find_room(self, size: tuple[int, int], count: int) -> None:
        if size[1] < 300 and count == 9:
            pytest.skip("nine names leave no room for a chart this low")
        figure = drawn(*size)
        chart = error_curves.build(figure, curves(count), ChartStyle())
        chart.arrange()
        assert_readable(figure)

    @pytest.mark.parametrize(
        ("metric", "note", "narrow"),
        [
            ("People misplaced, % of all, with sampling error", "the worst of three", 420),
            ("95 % margin of each unbiased share, points of all, with sampling error", "for shares up to 47 %", 450),
        ],
    )
    def test_a_long_name_of_the_errors_is_broken_where_one_line_would_be_cut(
        self, metric: str, note: str, narrow: int
    ) -> None:
        data = replace(curves(1), metric=metric, note=note)
        for width, lines in ((1200, 1), (narrow, 2)):
            figure = drawn(width, 420)
            chart = error_curves.build(figure, data, ChartStyle())
            chart.arrange()
            title = chart.axes.get_title(loc="left")
            assert title.count("\n") == lines - 1 and title.replace("\n", " ") == f"{data.metric}; {data.note}"
            (text,) = (one for one in labels(figure) if one.get_text() == title)
            assert text.get_window_extent().x1 <= 0.95 * figure.bbox.width

    def test_every_series_has_a_look_of_its_own_and_baselines_keep_theirs(self) -> None:
        looks = [series_look(place, DARK) for place in range(24)]
        assert len(set(looks)) == 24
        # All protocols together are as many: no two of them share a colour, or a marker where there is none.
        twelve = looks[:12]
        assert len({look.colour for look in twelve}) == len({look.marker for look in twelve}) == 12
        assert DARK.global_dp not in {look.colour for look in looks}

    def test_protocols_of_values_on_a_line_have_hues_that_are_far_apart(self) -> None:
        names = ("square-wave", "ds", "ds-corrected", "subset-selection", "olh")
        hues = [
            rgb_to_hsv(to_rgb(series_look(look_of(ProtocolChoice(name)), ChartStyle()).colour))[0] for name in names
        ]
        near = [min(abs(one - two), 1 - abs(one - two)) for one, two in itertools.combinations(hues, 2)]
        assert min(near) > 0.04, "no two of them are browns"

    def test_the_colour_of_a_protocol_stays_whatever_else_is_drawn(self) -> None:
        assert len({look_of(ProtocolChoice(one.identifier)) for one in PROTOCOLS}) == len(list(PROTOCOLS))
        one, two = (replace(curve, look=look) for curve, look in zip(curves(2).curves, (3, 15), strict=False))
        alone = error_curves.build(drawn(*SIZES[0]), replace(curves(), curves=(two,)), ChartStyle())
        both = error_curves.build(drawn(*SIZES[0]), replace(curves(), curves=(one, two)), ChartStyle())
        looks = [(line.get_color(), line.get_marker(), str(line.get_linestyle())) for line in both.axes.lines[1:]]
        ours = alone.axes.lines[1]
        assert (ours.get_color(), ours.get_marker(), str(ours.get_linestyle())) == looks[1]
        assert looks[0][:2] == looks[1][:2] and looks[0] != looks[1], "what shares a colour has another dash"

    def test_no_error_at_all_leaves_the_chart_readable(self) -> None:
        figure = drawn(*SIZES[0])
        chart = error_curves.build(figure, curves(), ChartStyle())
        low, high = chart.axes.get_ylim()
        assert low > 0 and high / low < 1e5

    def test_update_and_rows(self) -> None:
        figure = drawn(*SIZES[0])
        chart = error_curves.build(figure, curves(), ChartStyle())
        chart.update(curves(2))
        chart.arrange()
        assert len(chart.axes.lines) == 5  # two protocols, two baselines, the mark
        rows = error_curves.rows(curves(2))
        assert rows[0] == ("series", "epsilon", "error", "low", "high") and len(rows) == 1 + 4 * 8
        assert "A trusted curator 0.1 at 0.1" in error_curves.describe(curves(2))


class TestErrorRanges:
    @pytest.mark.parametrize("size", SIZES)
    def test_names_find_room(self, size: tuple[int, int]) -> None:
        figure = drawn(*size)
        chart = error_ranges.build(figure, ranges(), ChartStyle())
        chart.arrange()
        assert_readable(figure)

    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize("low,high", [(2.1, 51.7), (0.11, 2.5), (0.004, 52.0), (6.0, 70.0), (0.2, 4.4)])
    def test_two_places_of_its_axis_have_numbers(self, size: tuple[int, int], low: float, high: float) -> None:
        """Of two powers of ten one alone may be within the axis, by which nobody reads the others."""
        figure = drawn(*size)
        both = (ErrorRange(NAMES[3], low, low / 1.1, 1.1 * low), ErrorRange("A uniform guess", high, high, high))
        chart = error_ranges.build(figure, ErrorRanges("L1 error", both), ChartStyle())
        chart.arrange()
        assert_readable(figure)
        first, last = chart.axes.get_xlim()
        named = zip(chart.axes.get_xticks(), chart.axes.get_xticklabels(), strict=True)
        assert sum(first <= place <= last and bool(one.get_text()) for place, one in named) >= 2

    def test_what_is_shown(self) -> None:
        figure = drawn(*SIZES[0])
        chart = error_ranges.build(figure, ranges(), ChartStyle())
        chart.arrange()
        said = {found.get_text() for found in labels(figure)}
        assert {"0.001", "0.9", "A uniform guess"} <= said
        assert chart.axes.get_xscale() == "log"
        chart.update(ErrorRanges("L2 error", ranges().entries[1:3]))
        assert chart.axes.get_xscale() == "linear" and chart.axes.get_xlim()[0] == 0
        foreseen = replace(ranges(), entries=tuple(replace(one, expected=2 * one.mean) for one in ranges().entries))
        assert error_ranges.rows(foreseen)[0][-1] == "predicted" and error_ranges.rows(foreseen)[1][-1] == "0.002"
        assert ", predicted 0.002)" in error_ranges.describe(foreseen)
        assert error_ranges.rows(ranges())[1] == ('"A trusted curator"', "0.001", "0.0005", "0.002")
        assert "Square Wave 0.3 (0.24 to 0.39)" in error_ranges.describe(ranges())


class TestEstimatedCounts:
    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize("ordinal", [True, False])
    def test_labels_are_readable(self, size: tuple[int, int], ordinal: bool) -> None:
        names = tuple(f"[{i}, {i + 1}[" for i in range(20)) if ordinal else ("Adm-clerical", "Handlers", "Sales")
        figure = drawn(*size)
        chart = estimated_counts.build(figure, counts(names, ordinal=ordinal), ChartStyle())
        chart.arrange()
        assert_readable(figure)
        assert chart.data.sideways is not ordinal

    @pytest.mark.parametrize("width", range(380, 620, 20))
    def test_what_is_shaded_is_not_written_over_what_is_estimated(self, width: int) -> None:
        """Names of the values take room that there seemed to be."""
        figure = drawn(width, 320)
        names = ("Care and nursing", "Finance", "Research")
        data = replace(counts(names, ordinal=False), band="mean ± 1.96 deviations of single collections")
        chart = estimated_counts.build(figure, data, ChartStyle())
        chart.arrange()
        truth, estimate = (note.get_window_extent() for note in chart.notes)
        assert not truth.overlaps(estimate)

    def test_negative_estimates_are_seen_and_many_values_are_a_line(self) -> None:
        figure = drawn(*SIZES[0])
        many = counts(tuple(map(str, range(300))), ordinal=True)
        chart = estimated_counts.build(figure, many, ChartStyle())
        assert chart.axes.get_ylim()[0] < -20
        assert len(chart.axes.lines[0].get_xdata()) == 300
        chart.update(counts(("aaaaa", "bbbbb"), ordinal=False, truth=False))
        chart.arrange()
        said = {found.get_text() for found in labels(figure)}
        assert "shaded: truth" not in said and "estimate, 95 %" in said

    def test_of_very_many_values_the_most_frequent_are_kept_in_their_order(self) -> None:
        size = 5000
        truth = np.zeros(size)
        truth[[4000, 17]] = 10, 90
        estimate = np.zeros(size)
        found = estimated_counts.compute(
            "x", tuple(map(str, range(size))), estimate, estimate, estimate, truth, band="", ordinal=True
        )
        assert found.values == size and {"17", "4000"} <= set(found.labels)
        assert list(map(int, found.labels)) == sorted(map(int, found.labels))
        assert len(estimated_counts.rows(found)) == len(found.labels) + 1

    @pytest.mark.parametrize("ordinal", [True, False])
    def test_shares_are_drawn_of_as_many_people_and_the_numbers_stay_those_of_people(self, ordinal: bool) -> None:
        names = ("aaaaa", "bbbbb")
        plain = counts(names, ordinal=ordinal)
        shares = replace(plain, people=400.0)
        charts = [estimated_counts.build(drawn(*SIZES[0]), one, ChartStyle()) for one in (plain, shares)]
        for chart in charts:
            chart.arrange()
        ends = [np.array(chart.axes.get_ylim() if ordinal else chart.axes.get_xlim()) for chart in charts]
        assert ends[1] == pytest.approx(ends[0] / 400, rel=0.01)
        named = [one.axes.get_title(loc="left") + one.axes.get_ylabel() + one.axes.get_xlabel() for one in charts]
        assert "eople" in named[0] and "eople" not in named[1] and "hare" in named[1]
        ticks = [
            [one.get_text() for one in (chart.axes.yaxis if ordinal else chart.axes.xaxis).get_ticklabels()]
            for chart in charts
        ]
        assert not any("%" in one for one in ticks[0]) and all(one.endswith(" %") for one in ticks[1])
        assert estimated_counts.rows(shares) == estimated_counts.rows(plain), "files have the people"
        assert "100 (25 %), for bbbbb" in estimated_counts.describe(shares)

    def test_words(self) -> None:
        said = estimated_counts.describe(counts(("a", "b"), ordinal=False))
        assert "2 values" in said and "100, for b" in said and "Compared with the truth" in said


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("names", [("red", "green"), ("1", "2", "3")])
def test_truth_and_estimate_are_named_side_by_side_or_one_above_the_other(
    size: tuple[int, int], names: tuple[str, ...]
) -> None:
    ones = np.ones(len(names))
    figure = drawn(*size)
    data = estimated_counts.compute(
        "Direct encoding", names, ones, ones, ones, ones, band="mean and 95 % of single collections", ordinal=False,
        axis="colour (shade)",
    )  # fmt: skip
    chart = estimated_counts.build(figure, data, ChartStyle())
    chart.arrange()
    figure.draw_without_rendering()
    truth, estimate = (note.get_window_extent() for note in chart.notes)
    assert not truth.overlaps(estimate)
    named = chart.axes.get_title(loc="left") if data.sideways else chart.axes.get_xlabel()
    assert "colour (shade)" in named
    assert_readable(figure)


def test_on_low_paper_names_are_written_smaller_so_that_curves_are_read() -> None:
    """With a line for each name a window of 1024 by 700 pixels had hardly a line of pixels left for the curves."""
    unary, hashing = "Optimised unary encoding", "Optimised local hashing (best g)"
    names = ("Direct encoding", unary, hashing, "Subset selection (best k)", "Curator (2 ε hides an answer)")
    places = np.geomspace(0.1, 10, 8)
    shown = tuple(ProtocolCurve(name, places, (i + 1) / places) for i, name in enumerate(names))
    data = ErrorCurves(shown, "95 % margin of each unbiased share, points of all, with sampling error", "epsilon", 1.0)
    figure = drawn(400, 183)
    chart = error_curves.build(figure, data, ChartStyle())
    chart.arrange()
    assert chart.axes.get_window_extent().height > 0.15 * figure.bbox.height
    legend = chart.axes.get_legend()
    assert legend is not None and [one.get_text() for one in legend.get_texts()] != [], "each is named"
    assert legend.get_window_extent().x1 <= figure.bbox.width
