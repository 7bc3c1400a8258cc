"""Charts: what they show, and that no label is cut off or covers another."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from workbench.anonymise.sample_guarantee import Accounting, guarantee, trade_off
from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.plots import before_after, classes, losses, paired_bars, released_classes, tradeoff
from workbench.plots.paired_bars import PairedShares
from workbench.plots.render import ChartRenderer, chart_csv, chart_svg, save_chart
from workbench.plots.style import ChartStyle, readable
from workbench.plots.tradeoff import TradeOff

DARK = ChartStyle(ground="#1E2229", text="#E6E9EE", muted="#A3ACB8", grid="#323843")
SIZES = [(620, 360), (400, 260), (1600, 1000)]


def drawn(width: int, height: int) -> Figure:
    figure = Figure(figsize=(width / 100, height / 100), dpi=100)
    FigureCanvasAgg(figure)
    return figure


def labels(figure: Figure) -> Iterator[Text]:
    """Every text that is on the paper, tick labels too."""
    axes = figure.axes[0]
    ticks = [*axes.get_xticklabels(), *axes.get_yticklabels()]
    others = [found for found in figure.findobj(Text) if isinstance(found, Text) and found not in ticks]
    low_x, high_x = sorted(axes.get_xlim())
    low_y, high_y = sorted(axes.get_ylim())
    for tick in ticks:
        x, y = tick.get_position()
        horizontal = tick in axes.get_xticklabels()
        if low_x <= x <= high_x if horizontal else low_y <= y <= high_y:
            others.append(tick)
    for found in others:
        if found.get_text() and found.get_visible():
            yield found


def assert_readable(figure: Figure) -> None:
    figure.draw_without_rendering()
    boxes = [(found.get_text(), found.get_window_extent()) for found in labels(figure)]
    paper = figure.bbox
    for text, box in boxes:
        assert box.x0 >= paper.x0 - 1 and box.x1 <= paper.x1 + 1, f"“{text}” is cut off at the side"
        assert box.y0 >= paper.y0 - 1 and box.y1 <= paper.y1 + 1, f"“{text}” is cut off above or below"
    for (first, a), (second, b) in itertools.combinations(boxes, 2):
        shared = Bbox.intersection(a, b)
        assert shared is None or shared.width < 1 or shared.height < 1, f"“{first}” covers “{second}”"


@pytest.fixture(scope="module")
def usual() -> TradeOff:
    return tradeoff.compute(1.0, 1e-5).with_current(guarantee(epsilon=1.0, delta=1e-5, beta="max"))


class TestTradeOff:
    def test_curves_are_those_of_the_guarantee(self, usual: TradeOff) -> None:
        chosen = [3, 40, -1]
        for curve, accounting in ((usual.exact, Accounting.EXACT), (usual.classical, Accounting.CLASSICAL)):
            ks = trade_off(1.0, 1e-5, usual.betas[chosen], accounting)
            np.testing.assert_array_equal(curve[chosen], ks / usual.betas[chosen])

    def test_the_best_is_nowhere_undercut(self, usual: TradeOff) -> None:
        assert usual.best is not None
        beta, k = usual.best
        assert k / beta <= np.nanmin(usual.exact) + 1e-9

    def test_the_classical_curve_ends_at_its_limit(self, usual: TradeOff) -> None:
        assert np.isnan(usual.classical[usual.betas > usual.theorem_limit + 1e-9]).all()
        assert np.isfinite(usual.exact[usual.betas > usual.theorem_limit]).all()

    def test_more_rows_per_person_need_larger_groups(self, usual: TradeOff) -> None:
        several = tradeoff.compute(1.0, 1e-5, 3, points=12)
        alone = tradeoff.compute(1.0, 1e-5, 1, points=12)
        assert np.nanmin(several.exact) > np.nanmin(alone.exact)

    def test_can_be_cancelled(self) -> None:
        token = CancelToken()
        token.cancel()
        with pytest.raises(Cancelled):
            tradeoff.compute(1.0, 1e-5, 1, Progress(token=token))

    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize(("epsilon", "beta"), [(0.1, "max"), (1.0, "max"), (1.0, 0.3), (1.0, 0.9), (3.0, "max")])
    def test_labels_are_readable(self, size: tuple[int, int], epsilon: float, beta: float) -> None:
        chosen = guarantee(epsilon=epsilon, delta=1e-5, beta=beta)
        figure = drawn(*size)
        chart = tradeoff.build(figure, tradeoff.compute(epsilon, 1e-5).with_current(chosen), ChartStyle())
        chart.arrange()
        assert_readable(figure)
        assert f"k {chosen.k:,}" in chart.labels["current"].get_text()
        assert chart.labels["current"].get_visible()

    def test_names_its_axes(self, usual: TradeOff) -> None:
        figure = drawn(*SIZES[0])
        tradeoff.build(figure, usual, ChartStyle())
        axes = figure.axes[0]
        assert "β" in axes.get_xlabel()
        assert "k/β" in axes.get_title(loc="left")

    def test_update_moves_the_same_artists(self, usual: TradeOff) -> None:
        figure = drawn(*SIZES[0])
        chart = tradeoff.build(figure, usual, ChartStyle())
        artists = set(figure.findobj())
        other = usual.with_current(guarantee(epsilon=1.0, delta=1e-5, beta=0.5))
        chart.update(other)
        assert other.current is not None
        beta, k = other.current
        assert chart.current.get_xydata().tolist() == [[0.5, k / beta]]
        assert artists <= set(figure.findobj())

    def test_without_a_choice_nothing_is_marked(self, usual: TradeOff) -> None:
        figure = drawn(*SIZES[0])
        chart = tradeoff.build(figure, usual.with_current(None), ChartStyle())
        chart.arrange()
        assert not len(chart.current.get_xydata())
        assert not chart.labels["current"].get_visible()
        assert "Chosen" not in tradeoff.describe(usual.with_current(None))

    def test_says_it_in_words_and_numbers(self, usual: TradeOff) -> None:
        assert "k = 46" in tradeoff.describe(usual)
        table = chart_csv(tradeoff, usual).splitlines()
        assert table[0] == "beta,exact_rows,classical_rows"
        assert len(table) == len(usual.betas) + 1
        assert table[-1].endswith(",")  # the classical theorem says nothing there


class TestGroupSizes:
    def test_counts_every_group_and_row_once(self) -> None:
        sizes = np.random.default_rng(5).integers(1, 900, 400)
        found = classes.compute(sizes, 46)
        assert found.groups.sum() == 400
        assert found.rows.sum() == sizes.sum()
        assert found.groups[found.kept].sum() == (sizes >= 46).sum()
        assert found.rows[~found.kept].sum() == sizes[sizes < 46].sum()

    @pytest.mark.parametrize("k", [1, 10, 5000])
    def test_k_parts_the_bars(self, k: int) -> None:
        found = classes.compute([1, 3, 9, 10, 11, 4000], k)
        assert (found.edges[:-1][found.kept] >= k).all()
        assert (found.edges[1:][~found.kept] <= max(k, found.edges[-1])).all()
        assert found.rows[found.kept].sum() == sum(size for size in (1, 3, 9, 10, 11, 4000) if size >= k)

    def test_no_groups_at_all(self) -> None:
        found = classes.compute([], 10)
        assert found.groups.sum() == 0
        figure = drawn(*SIZES[0])
        classes.build(figure, found, ChartStyle()).arrange()
        assert_readable(figure)

    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize(
        ("sizes", "k"),
        [
            ([3, 5, 8, 8, 20], 10),
            ([3, 5, 8, 8, 20], 460),
            (list(range(1, 400)), 46),
            ([1] * 30 + [123_456, 1_000_000], 46),
        ],
    )
    def test_labels_are_readable(self, size: tuple[int, int], sizes: list[int], k: int) -> None:
        figure = drawn(*size)
        chart = classes.build(figure, classes.compute(sizes, k), ChartStyle())
        chart.arrange()
        assert_readable(figure)
        assert chart.limit_label.get_text() == f"k = {k:,}"

    def test_update_shows_the_new_sums(self) -> None:
        figure = drawn(*SIZES[0])
        chart = classes.build(figure, classes.compute([5, 60], 46), ChartStyle())
        chart.update(classes.compute([5, 5, 60, 70, 80], 46))
        assert chart.dropped_label.get_text() == "dropped: 2 groups, 10 rows"
        assert chart.kept_label.get_text() == "released: 3 groups, 210 rows"

    def test_csv_says_what_was_released(self) -> None:
        lines = chart_csv(classes, classes.compute([2, 3], 3)).splitlines()
        assert lines == ["size_from,size_to,groups,rows,released", "1,1,0,0,no", "2,2,1,2,no", "3,3,1,3,yes"]


class TestPictures:
    def test_pixels_have_the_size_asked_for(self, usual: TradeOff) -> None:
        renderer = ChartRenderer(tradeoff)
        assert renderer.render(usual, ChartStyle(), 400, 300).shape == (300, 400, 4)
        assert renderer.render(usual, ChartStyle(), 400, 300, 2.0).shape == (600, 800, 4)

    def test_a_style_colours_the_ground(self, usual: TradeOff) -> None:
        renderer = ChartRenderer(tradeoff)
        assert renderer.render(usual, ChartStyle(), 300, 200)[0, 0].tolist() == [255, 255, 255, 255]
        assert renderer.render(usual, DARK, 300, 200)[0, 0].tolist() == [0x1E, 0x22, 0x29, 255]

    def test_other_data_gives_another_picture(self, usual: TradeOff) -> None:
        renderer = ChartRenderer(tradeoff)
        first = renderer.render(usual, ChartStyle(), 400, 300)
        again = renderer.render(usual, ChartStyle(), 400, 300)
        other = renderer.render(usual.with_current(None), ChartStyle(), 400, 300)
        np.testing.assert_array_equal(first, again)
        assert (first != other).any()

    @pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
    def test_saves_by_ending(self, usual: TradeOff, tmp_path: Path, ending: str, start: bytes) -> None:
        path = tmp_path / f"chart.{ending}"
        save_chart(tradeoff, usual, path)
        assert path.read_bytes().startswith(start)

    def test_an_unwritable_file_is_named(self, usual: TradeOff, tmp_path: Path) -> None:
        with pytest.raises(WorkbenchError, match=r"chart\.png"):
            save_chart(tradeoff, usual, tmp_path / "nowhere" / "chart.png")

    @pytest.mark.parametrize("style", [ChartStyle(), DARK])
    def test_colours_of_text_stand_out(self, style: ChartStyle) -> None:
        def luminance(colour: str) -> float:
            channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
            linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
            return float(np.dot([0.2126, 0.7152, 0.0722], linear))

        for colour in (style.anonymised, style.global_dp, style.local_dp):
            pair = sorted((luminance(readable(colour, style)), luminance(style.ground)))
            assert (pair[1] + 0.05) / (pair[0] + 0.05) >= 4.45

    def test_matplotlib_is_loaded_only_for_drawing(self) -> None:
        code = (
            "import sys, workbench.plots.tradeoff, workbench.plots.classes, workbench.plots.render;"
            "sys.exit('matplotlib' in sys.modules)"
        )
        assert subprocess.run([sys.executable, "-c", code], check=False, timeout=30).returncode == 0


class TestLosses:
    DATA = losses.compute("Loss", {"age": 0.2, "a column with a very long name": 0.93, "city": 0.0}, 0.4)

    def test_the_largest_comes_first(self) -> None:
        assert self.DATA.names == ("a column with a very long name", "age", "city")
        assert losses.rows(self.DATA)[1:] == [
            ('"a column with a very long name"', "0.93"), ('"age"', "0.2"), ('"city"', "0"), ("all together", "0.4"),
        ]  # fmt: skip
        assert "all together 0.4" in losses.describe(self.DATA)

    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize("style", [ChartStyle(), DARK], ids=["light", "dark"])
    def test_nothing_is_cut_off(self, size: tuple[int, int], style: ChartStyle) -> None:
        figure = drawn(*size)
        losses.build(figure, self.DATA, style).arrange()
        assert_readable(figure)

    def test_the_same_chart_shows_other_losses(self) -> None:
        figure = drawn(620, 360)
        chart = losses.build(figure, self.DATA, ChartStyle())
        many = {f"column {number}": 123_456.0 * number for number in range(30)}
        chart.update(losses.compute("Entropy", many, 3_000_000.0))
        chart.arrange()
        assert len(figure.axes[0].containers) == 1
        assert len(figure.axes[0].patches) == 20
        assert_readable(figure)


class TestReleasedClasses:
    SIZES_OF_CLASSES = np.array([5, 5, 7, 40, 900, 12_000])

    def test_every_row_is_in_a_bar(self) -> None:
        found = released_classes.compute(self.SIZES_OF_CLASSES, 31)
        assert found.rows.sum() == self.SIZES_OF_CLASSES.sum()
        assert found.groups.sum() == 6
        assert found.edges[0] <= 5
        assert sum(int(row[3]) for row in released_classes.rows(found)[1:]) == self.SIZES_OF_CLASSES.sum()
        assert "31 suppressed" in released_classes.describe(found)

    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize("sizes", [[], [5], [3, 4], [5, 5, 7, 40, 900, 12_000]])
    def test_nothing_is_cut_off(self, size: tuple[int, int], sizes: list[int]) -> None:
        figure = drawn(*size)
        released_classes.build(figure, released_classes.compute(sizes, 2), ChartStyle()).arrange()
        assert_readable(figure)


class TestBeforeAfter:
    AGES = tuple(str(age) for age in range(20, 30))
    BEFORE = np.array([4, 0, 2, 2, 2, 5, 5, 5, 5, 0])

    def test_a_label_is_spread_over_the_values_that_occur(self) -> None:
        group = np.repeat([0, 1], 5)
        found = before_after.compute("age", self.AGES, self.BEFORE, group, np.array([8, 20]), np.arange(10))
        assert found.labels == ("20", "22", "23", "24", "25", "26", "27", "28")
        assert found.before.tolist() == [4, 2, 2, 2, 5, 5, 5, 5]
        assert found.after.tolist() == [2, 2, 2, 2, 5, 5, 5, 5]
        assert (found.rows_before, found.rows_after) == (30, 28)

    def test_values_without_an_order_stand_by_frequency(self) -> None:
        counts = np.array([1, 9, 5])
        found = before_after.compute("city", ("a", "b", "c"), counts, np.arange(3), counts, None)
        assert found.labels == ("b", "c", "a")

    @pytest.mark.parametrize("ordered", [True, False])
    def test_many_values_share_bars_or_are_left_out(self, ordered: bool) -> None:
        counts = np.arange(1, 1_001)
        names = tuple(f"value {number}" for number in range(1_000))
        order = np.arange(1_000) if ordered else None
        found = before_after.compute("x", names, counts, np.zeros(1_000, dtype=int), np.array([400_000]), order)
        assert len(found.labels) == before_after.MOST_BARS
        assert found.rows_before == counts.sum()
        assert bool(found.before.sum() == counts.sum()) is ordered
        assert ("most frequent" in found.title) is not ordered
        figure = drawn(620, 360)
        before_after.build(figure, found, ChartStyle()).arrange()
        assert_readable(figure)

    @pytest.mark.parametrize("size", SIZES)
    def test_nothing_is_cut_off(self, size: tuple[int, int]) -> None:
        figure = drawn(*size)
        group = np.repeat([0, 1], 5)
        data = before_after.compute("age", self.AGES, self.BEFORE, group, np.array([8, 20]), np.arange(10))
        before_after.build(figure, data, DARK).arrange()
        assert_readable(figure)

    def test_a_chart_without_rows(self) -> None:
        none = before_after.compute("x", ("a",), np.array([0]), np.array([0]), np.array([0]), None)
        figure = drawn(400, 260)
        before_after.build(figure, none, ChartStyle()).arrange()
        assert before_after.rows(none) == [("values", "before", "after")]


@pytest.mark.parametrize("name", [r"$\foo$", "$100 to $200", "$", r"a\$b_{x}^"])
def test_a_name_is_no_formula(name: str, tmp_path: Path) -> None:
    """Signs of a formula in a name are drawn as they are, and one that is no formula ends no chart."""
    counts = np.array([50, 60])
    data = before_after.compute(name, (name, "b"), counts, np.arange(2), counts, None)
    assert ChartRenderer(before_after).render(data, ChartStyle(), 500, 300).any()
    save_chart(before_after, data, tmp_path / "chart.png")
    svg = chart_svg(before_after, data)
    assert f">{name}<" in svg


class TestPairedBars:
    def test_pairs_stand_beside_each_other_and_apart(self) -> None:
        figure = Figure()
        data = PairedShares("Risk", "Share", ("low", "high"), np.array([0.25, 0.75]), np.array([1.0, 0.0]))
        chart = paired_bars.build(figure, data, ChartStyle())
        chart.arrange()
        values, edges, _ = chart.before.get_data()
        after = chart.after.get_data().edges
        assert values[0] == 0.25 and np.isnan(values[1]) and edges[1] < after[0] and after[1] < edges[2]
        assert "low 25 % before and 100 % after" in paired_bars.describe(data)
        assert paired_bars.rows(data)[2] == ('"high"', "0.75", "0")

    def test_what_was_before_may_be_unknown(self) -> None:
        figure = Figure()
        data = PairedShares("Risk", "Share", ("low",), np.array([np.nan]), np.array([0.5]))
        paired_bars.build(figure, data, ChartStyle()).arrange()
        assert "not known before" in paired_bars.describe(data) and paired_bars.rows(data)[1][1] == ""


class TestTeeth:
    @pytest.mark.parametrize(("epsilon", "rows"), [(0.1, 1), (1.0, 1), (3.0, 1), (1.0, 3)])
    def test_the_drawn_curve_has_none_and_stays_within_about_a_row_of_k(self, epsilon: float, rows: int) -> None:
        data = tradeoff.compute(epsilon, 1e-5, rows)
        for curve in (data.exact, data.classical):
            betas, drawn = tradeoff.smooth(data.betas, curve)
            known = np.isfinite(curve)
            if known.sum() < 2:
                continue
            at = np.interp(data.betas[known], betas, drawn * betas)
            assert (np.abs(at - curve[known] * data.betas[known]) <= 2 + 0.1 * at).all()
            rising = np.sign(np.diff(np.log(drawn)))
            assert (rising[1:] != rising[:-1]).sum() <= 3

    def test_ticks_are_evenly_spaced(self, usual: TradeOff) -> None:
        axes = tradeoff.build(Figure(), usual, ChartStyle()).axes
        ticks = [tick for tick in axes.get_yticks() if axes.get_ylim()[0] <= tick <= axes.get_ylim()[1]]
        assert 2 <= len(ticks) <= 9
        assert all(1.9 <= b / a <= 2.6 for a, b in pairwise(ticks))


def test_bars_of_categories_stand_apart() -> None:
    figure = Figure()
    counts = np.array([5, 3])
    data = before_after.compute("city", ("a", "b"), counts, np.arange(2), counts, None)
    assert not data.ordered
    edges = before_after.build(figure, data, ChartStyle()).after.get_data().edges
    assert edges[1] < edges[2]
    ordered = before_after.compute("age", ("1", "2"), counts, np.arange(2), counts, np.arange(2))
    assert ordered.ordered
