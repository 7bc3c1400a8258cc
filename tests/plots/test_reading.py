"""What can be read off a chart: every point where it is drawn, parts shown larger, and series left out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from workbench.plots import channel_heat, error_curves, error_ranges, estimated_counts, paired_bars, private_bars
from workbench.plots.chart_part import ChartPart
from workbench.plots.error_curves import ErrorCurves, ProtocolCurve
from workbench.plots.error_ranges import ErrorRange, ErrorRanges
from workbench.plots.paired_bars import PairedShares
from workbench.plots.private_bars import PrivateBars
from workbench.plots.reading import ChartReading, LegendEntry, ReadPoint
from workbench.plots.render import ChartRenderer, DrawnChart, chart_svg
from workbench.plots.style import ChartStyle

PLACES = np.array([0.5, 1.0, 2.0, 4.0])
CURVES = ErrorCurves(
    (
        ProtocolCurve("GRR", PLACES, np.array([0.4, 0.2, 0.1, 0.05]), *(np.array([0.3, 0.1, 0.1, 0.04]),) * 2),
        ProtocolCurve("OUE", PLACES, np.array([0.3, 0.25, 0.2, np.nan])),
        ProtocolCurve("A trusted curator", PLACES, np.array([0.02, 0.01, 0.005, 0.0025]), role="curator"),
    ),
    "L1 error",
    "epsilon",
    1.0,
)
COUNTS = estimated_counts.compute(
    "GRR", ("clerk", "nurse", "pilot"), np.array([50.0, 30.5, 19.5]), np.array([45.0, 25.0, 15.0]),
    np.array([55.0, 35.0, 25.0]), np.array([52, 28, 20]), band="95 %", ordinal=False, axis="job",
)  # fmt: skip


def drawn(kind: Any, data: Any, part: ChartPart | None = None, ratio: float = 1.0) -> DrawnChart:
    return ChartRenderer(kind).draw(data, ChartStyle(), 500, 320, ratio, part=part)


def words(found: DrawnChart) -> list[str]:
    return [one.words for one in found.reading.points]


def test_every_point_of_a_curve_is_told_with_its_place() -> None:
    told = words(drawn(error_curves, CURVES))
    assert "ε 1, GRR, L1 error 0.2" in told and "ε 2, OUE, L1 error 0.2" in told
    assert len(told) == 11, "where there is no value there is no point"


def test_points_lie_where_they_are_drawn() -> None:
    """The colour of the curve is found at the place of its point, whatever the ratio of the screen."""
    for ratio in (1.0, 2.0):
        found = drawn(error_curves, CURVES, ratio=ratio)
        (point,) = (one for one in found.reading.points if one.words == "ε 1, GRR, L1 error 0.2")
        x, y = point.middle
        red, green, blue = found.pixels[round(y * ratio), round(x * ratio), :3].tolist()
        assert red > 150 > green > blue, (red, green, blue)


def test_bars_are_told_anywhere_within_them() -> None:
    found = drawn(estimated_counts, COUNTS).reading
    truth = [one for one in found.points if one.series == "truth"]
    counts = {"clerk": 52, "nurse": 28, "pilot": 20}
    assert [one.words for one in truth] == [f"{job}, truth, People {number}" for job, number in counts.items()]
    shares = drawn(estimated_counts, replace(COUNTS, people=100.0)).reading
    assert "clerk, estimate, Share 50 %" in [one.words for one in shares.points]
    left, top, right, bottom = truth[0].box
    assert right - left > 20 and bottom - top > 20
    index = found.nearest(left + 2, bottom - 2)
    assert index is not None and found.points[index] == truth[0]
    point = next(one for one in found.points if one.series == "estimate" and one.place == "clerk")
    index = found.nearest(point.middle[0] + 3, point.middle[1])
    assert index is not None and found.points[index] == point, "a point that is touched comes before the bar it lies on"
    assert {found.points[one].series for one in found.beside(index)} == {"truth", "estimate"}


@pytest.mark.parametrize(
    ("kind", "data", "told"),
    [
        (error_ranges, ErrorRanges("L1", (ErrorRange("GRR", 0.5, 0.4, 0.6), ErrorRange("OUE", 0.7, 0.6, 0.9))), "GRR"),
        (
            private_bars,
            PrivateBars(("a", "b"), np.array([3.0, 5.0]), None, None, "town", "Rows"),
            "b, private, Rows 5",
        ),
        (
            paired_bars,
            PairedShares("Risk", "of rows", ("low", "high"), np.array([0.25, 0.75]), np.array([0.5, 0.5])),
            "high, before, of rows 75 %",
        ),
        (
            channel_heat,
            channel_heat.ChannelHeat(
                ("yes", "no"), ("1", "0"), np.array([[0.75, 0.25], [0.25, 0.75]]),
                ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))),
            ),
            "yes → 1, 3/4 = 0.75",
        ),
    ],
)  # fmt: skip
def test_each_kind_is_told(kind: Any, data: Any, told: str) -> None:
    assert any(told in one for one in words(drawn(kind, data)))


def test_a_part_is_shown_larger_and_the_whole_is_as_before() -> None:
    renderer: ChartRenderer[Any] = ChartRenderer(error_curves)
    whole = renderer.draw(CURVES, ChartStyle(), 500, 320)
    part = renderer.draw(CURVES, ChartStyle(), 500, 320, part=ChartPart(zoom=(0.5, 1.0, 0.0, 1.0)))
    assert 0 < len(part.reading.points) < len(whole.reading.points)
    assert not np.array_equal(part.pixels, whole.pixels)
    again = renderer.draw(CURVES, ChartStyle(), 500, 320)
    assert np.array_equal(again.pixels, whole.pixels) and words(again) == words(whole)


def test_names_below_a_part_are_those_of_what_is_seen() -> None:
    renderer: ChartRenderer[Any] = ChartRenderer(private_bars)
    data = PrivateBars(tuple("abcdefgh"), np.arange(8.0), None, None, "letter", "Rows")
    renderer.draw(data, ChartStyle(), 500, 320, part=ChartPart(zoom=(0.0, 0.5, 0.0, 1.0)))
    assert [one.get_text() for one in renderer._figure.axes[0].get_xticklabels()] == list("abcd")
    renderer.draw(data, ChartStyle(), 500, 320)
    assert len(renderer._figure.axes[0].get_xticklabels()) == 8


def test_a_series_is_left_out_with_its_band_and_its_name_stays() -> None:
    renderer: ChartRenderer[Any] = ChartRenderer(error_curves)
    whole = renderer.draw(CURVES, ChartStyle(), 500, 320)
    assert [one.name for one in whole.reading.legend] == ["GRR", "OUE", "A trusted curator"]
    less = renderer.draw(CURVES, ChartStyle(), 500, 320, part=ChartPart(hidden=frozenset(["GRR"])))
    assert {one.series for one in less.reading.points} == {"OUE", "A trusted curator"}
    assert [one.hidden for one in less.reading.legend] == [True, False, False]
    assert not any(one.get_visible() for one in renderer._figure.axes[0].collections), "the band belongs to it"
    again = renderer.draw(CURVES, ChartStyle(), 500, 320)
    assert np.array_equal(again.pixels, whole.pixels)


def test_what_leaves_as_a_file_knows_of_no_part() -> None:
    renderer: ChartRenderer[Any] = ChartRenderer(error_curves)
    before = chart_svg(error_curves, CURVES)
    renderer.draw(CURVES, ChartStyle(), 500, 320, part=ChartPart((0.2, 0.4, 0.2, 0.4), frozenset(["GRR"])))
    assert chart_svg(error_curves, CURVES) == before


class TestReading:
    READING = ChartReading(
        tuple(ReadPoint(series, str(x), "", str(y), (x, y, x, y)) for series, y in (("a", 10.0), ("b", 50.0))
              for x in (0.0, 100.0, 200.0)),
        (LegendEntry("a", (0, 0, 30, 8)),),
        ((0.0, 0.0, 200.0, 100.0),),
    )  # fmt: skip

    def test_nothing_is_near(self) -> None:
        assert self.READING.nearest(50, 30) is None and ChartReading().nearest(0, 0) is None

    def test_the_nearest_of_several(self) -> None:
        assert self.READING.nearest(95, 20) == 1 and self.READING.nearest(205, 45) == 5

    def test_arrows_walk_along_and_across(self) -> None:
        step = self.READING.step
        assert step(None, 1, 0) == 0 and step(0, 1, 0) == 1 and step(2, 1, 0) == 2 and step(0, -1, 0) == 0
        assert step(1, 0, 1) == 4 and step(4, 0, 1) == 1 and step(4, 1 << 30, 0) == 5
        assert ChartReading().step(None, 1, 0) is None

    def test_names_and_axes_are_found_where_they_stand(self) -> None:
        found = self.READING.entry_at(10, 5)
        assert found is not None and found.name == "a" and self.READING.entry_at(40, 5) is None
        assert self.READING.frame_at(10, 50) is not None and self.READING.frame_at(10, 150) is None
