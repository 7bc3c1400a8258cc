"""Charts of mechanisms: what they show, and that no label is cut off."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from tests.plots.test_charts import DARK
from workbench.mechanisms.above_threshold import AboveThreshold
from workbench.mechanisms.audit import audit, curve
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.mechanism import MECHANISMS
from workbench.mechanisms.neighbours import ALL
from workbench.plots import chain, channel_heat, privacy_curve, query_losses, two_outputs
from workbench.plots.render import chart_csv
from workbench.plots.style import ChartStyle, blended, clearest

SMALL, LARGE = (460, 340), (1100, 700)


def geometric(n: int = 5, alpha: str = "1/2") -> Channel:
    return MECHANISMS["truncated-geometric"].build_typed({"n": str(n), "alpha": alpha}).channel


def pair(channel: Channel, row: int, other: int, epsilon: float = math.log(2)) -> two_outputs.TwoOutputs:
    names = channel.inputs[row], channel.inputs[other]
    return two_outputs.TwoOutputs(*names, channel.outputs, channel.floats[row], channel.floats[other], epsilon)


def whole_curve(**changes: Any) -> privacy_curve.PrivacyCurve:
    found = curve(geometric())
    return privacy_curve.PrivacyCurve(found.epsilons, found.deltas, found.epsilon, "ln(32)", **changes)


def steps(channel: Channel, row: int = 0, other: int = 1) -> chain.Chain:
    rows = (row, other)
    names = channel.inputs[row], channel.inputs[other]
    return chain.of_channel(names, channel.outputs, channel.floats[list(rows)], lambda a, b: channel.text(rows[a], b))


def stops(answers: tuple[int, ...]) -> chain.Chain:
    found = AboveThreshold().stops(answers, 3)
    chances = [(float(chance), str(chance)) for chance in found.at]
    return chain.of_stops(chances, (float(found.never), str(found.never)), [str(value) for value in answers])


def losses() -> query_losses.QueryLosses:
    return query_losses.QueryLosses(
        (
            query_losses.LossSeries("published", (0.7, 1.4, 2.1)),
            query_losses.LossSeries("repaired", (0.7, 1.2, 1.3), repaired=True),
        ),
        2,
    )


def heat(channel: Channel) -> channel_heat.ChannelHeat:
    return channel_heat.ChannelHeat(channel.inputs, channel.outputs, channel.floats, channel.exact, ((0, 0), (1, 0)))


CHARTS: list[tuple[Any, Callable[[], Any]]] = [
    (two_outputs, lambda: pair(geometric(), 0, 1)),
    (two_outputs, lambda: pair(geometric(9, "1/4"), 0, 9, 30.0)),
    (two_outputs, lambda: pair(geometric(), 0, 5, math.inf)),
    (privacy_curve, whole_curve),
    (privacy_curve, lambda: whole_curve(claim=(1.0, 0.2))),
    (chain, lambda: steps(geometric())),
    (chain, lambda: steps(geometric(40))),
    (query_losses, losses),
    (channel_heat, lambda: heat(geometric(3))),
    (channel_heat, lambda: heat(geometric(30))),
]


def drawn(width: int, height: int) -> Figure:
    figure = Figure(figsize=(width / 100, height / 100), dpi=100)
    FigureCanvasAgg(figure)
    return figure


def boxes(figure: Figure, kind: type = Text) -> list[tuple[str, Bbox]]:
    """Every text on the paper but those of ticks, with its box."""
    axes = figure.axes[0]
    ticks = {*axes.get_xticklabels(), *axes.get_yticklabels()}
    found = [text for text in figure.findobj(kind) if isinstance(text, Text) and text not in ticks]
    return [(text.get_text(), text.get_window_extent()) for text in found if text.get_text() and text.get_visible()]


@pytest.mark.parametrize(("kind", "data"), CHARTS)
def test_nothing_is_cut_off(kind: Any, data: Callable[[], Any]) -> None:
    figure = drawn(*SMALL)
    shown = data()
    kind.build(figure, shown, ChartStyle()).arrange()
    figure.draw_without_rendering()
    paper = figure.bbox
    for text, box in boxes(figure):
        inside = box.x0 >= -1 and box.x1 <= paper.x1 + 1 and box.y0 >= -1 and box.y1 <= paper.y1 + 1
        assert inside, f"“{text}” is cut off"
    assert kind.describe(shown)


@pytest.mark.parametrize(("kind", "data"), [CHARTS[0], CHARTS[4], CHARTS[7]])
def test_words_around_the_axes_stand_apart(kind: Any, data: Callable[[], Any]) -> None:
    figure = drawn(*SMALL)
    kind.build(figure, data(), ChartStyle()).arrange()
    figure.draw_without_rendering()
    for (first, a), (second, b) in itertools.combinations(boxes(figure), 2):
        shared = Bbox.intersection(a, b)
        assert shared is None or shared.width < 1 or shared.height < 1, f"“{first}” covers “{second}”"


@pytest.mark.parametrize(("kind", "data"), [CHARTS[1], CHARTS[4], CHARTS[6]])
def test_another_mechanism_on_the_same_chart(kind: Any, data: Callable[[], Any]) -> None:
    fresh, reused = drawn(*SMALL), drawn(*SMALL)
    kind.build(fresh, data(), ChartStyle()).arrange()
    for other, other_data in CHARTS:
        if other is kind:
            chart = kind.build(reused, other_data(), ChartStyle())
            break
    chart.update(data())
    chart.arrange()
    for figure in (fresh, reused):
        figure.draw_without_rendering()
    assert sorted(text for text, _ in boxes(fresh)) == sorted(text for text, _ in boxes(reused))


class TestTwoOutputs:
    def test_bars_lie_in_the_band_exactly_when_epsilon_allows_it(self) -> None:
        channel = geometric()
        for epsilon, within in ((math.log(2), True), (0.5, False)):
            chart = two_outputs.build(drawn(*SMALL), pair(channel, 0, 1, epsilon), ChartStyle())
            band, bars = chart.band.get_data(), channel.floats[0]
            low, high = np.broadcast_to(np.asarray(band.baseline), bars.shape), np.asarray(band.values)
            assert bool(((bars >= low - 1e-12) & (bars <= high + 1e-12)).all()) is within

    def test_steep_ones_are_logarithmic(self) -> None:
        assert pair(geometric(9, "1/4"), 0, 9).steep and not pair(geometric(), 0, 1).steep

    def test_numbers(self) -> None:
        lines = chart_csv(two_outputs, pair(geometric(), 0, 1)).splitlines()
        assert lines[0] == 'output,"0","1"' and lines[1].startswith('"0",0.666')


class TestChain:
    def test_two_inputs_lead_to_all_outputs(self) -> None:
        found = steps(geometric())
        assert len(found.states) == 8 and len(found.steps) == 12
        assert {step.text for step in found.steps} == {"2/3", "1/6", "1/12", "1/24", "1/48", "1/3"}

    def test_many_outputs_become_one_but_no_probability_is_lost(self) -> None:
        found = steps(geometric(40), 3, 20)
        assert any("others" in state.label for state in found.states)
        for row in (0, 1):
            assert sum(step.probability for step in found.steps if step.start == row) == pytest.approx(1)

    def test_impossible_steps_are_not_drawn(self) -> None:
        channel = MECHANISMS["typed"].build_typed({"table": "a b\nx 1 0\ny 1/2 1/2"}).channel
        assert len(steps(channel).steps) == 3

    @pytest.mark.parametrize("answers", [(3,), (3, 3, 3), (1, 2, 3, 4, 5, 0, 1, 2)])
    def test_stops(self, answers: tuple[int, ...]) -> None:
        found = stops(answers)
        figure = drawn(*LARGE)
        chain.build(figure, found, ChartStyle()).arrange()
        figure.draw_without_rendering()
        out = {place: sum(s.probability for s in found.steps if s.start == place) for place in range(len(found.states))}
        asked = [place for place, state in enumerate(found.states) if state.part is chain.StatePart.STEP]
        assert asked and all(out[place] == pytest.approx(1) for place in asked)
        if answers == (3, 3, 3):
            assert any("353/960" in state.label for state in found.states)


class TestHeat:
    def test_fractions_are_written_while_there_are_few(self) -> None:
        few, many = heat(geometric()), heat(geometric(30))
        assert few.written and not many.written
        assert channel_heat.cell_text(few, 0, 1) == r"$\dfrac{1}{6}$"
        one = MECHANISMS["typed"].build_typed({"table": "a b\nx 1 0\ny 1/2 1/2"}).channel
        assert channel_heat.cell_text(heat(one), 0, 0) == "1"

    @pytest.mark.parametrize("style", [ChartStyle(), DARK])
    def test_numbers_stand_out_from_every_shade(self, style: ChartStyle) -> None:
        """By the contrast of WCAG 2: (L + 0.05) ÷ (L' + 0.05); on a middle blue white had 3."""

        def light(colour: str) -> float:
            parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
            linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
            return float(np.dot(linear, (0.2126, 0.7152, 0.0722))) + 0.05

        for shade in np.linspace(0, 1, 65).tolist():
            cell = blended(style.ground, style.global_dp, shade)
            ends = sorted((light(cell), light(clearest(cell, style))))
            assert ends[1] / ends[0] > 4, (shade, cell)

    def test_a_picture_of_few_cells_is_no_larger_than_they_need(self) -> None:
        small = MECHANISMS["typed"].build_typed({"table": "a b\nx 1 0\ny 1/2 1/2"}).channel
        wide, high = heat(small).size
        assert high < 0.6 * wide < 3.1 and heat(geometric(30)).size == (7.0, 7.0)
        figure = Figure(figsize=(wide, high))
        named = replace(heat(small), named=("Input", "Output"))
        chart = channel_heat.build(figure, named, ChartStyle())
        chart.arrange()
        assert (chart.axes.get_ylabel(), chart.axes.get_xlabel()) == ("Input", "Output")
        # It begins where the matrix does, and is no second line of the name of a column in the middle.
        assert chart.axes.xaxis.label.get_horizontalalignment() == "left"
        assert chart.axes.patches and not any(one.get_clip_on() for one in chart.axes.patches), "frames are whole"

    def test_numbers_are_exact(self) -> None:
        lines = chart_csv(channel_heat, heat(geometric())).splitlines()
        assert lines[1] == '"0",2/3,1/6,1/12,1/24,1/48,1/48'


class TestCurves:
    def test_words(self) -> None:
        assert "ε = ln(32) ≈ 3.466" in privacy_curve.describe(whole_curve())
        assert "does not hold" in privacy_curve.describe(whole_curve(claim=(1.0, 0.2)))
        found = curve(MECHANISMS["typed"].build_typed({"table": "a b\nx 1 0\ny 1/2 1/2"}).channel, ALL)
        endless = privacy_curve.PrivacyCurve(found.epsilons, found.deltas, found.epsilon)
        assert "no ε brings δ below 0.5" in privacy_curve.describe(endless)
        figure = drawn(*SMALL)
        privacy_curve.build(figure, endless, ChartStyle()).arrange()
        figure.draw_without_rendering()

    def test_the_curve_ends_where_the_audit_says(self) -> None:
        found = curve(geometric())
        assert found.epsilons[-1] == found.epsilon == audit(geometric()).epsilon

    def test_losses_are_numbers_per_query(self) -> None:
        lines = chart_csv(query_losses, losses()).splitlines()
        assert lines == ['queries,"published","repaired"', "1,0.7,0.7", "2,1.4,1.2", "3,2.1,1.3"]


@pytest.mark.parametrize("size", [(2.5, 2.5), (8.0, 5.0)])
def test_no_state_of_a_chain_lies_in_the_corner_of_the_button(size: tuple[float, float]) -> None:
    """In the window it is 30 pixels high, and covered the name of the first output."""
    figure = Figure(size, dpi=100)
    FigureCanvasAgg(figure)
    chart = chain.build(figure, steps(geometric()), ChartStyle())
    chart.arrange()
    figure.canvas.draw()
    tops = [box.get_window_extent().y1 for box in chart.boxes]
    assert figure.bbox.y1 - max(tops) >= 30
