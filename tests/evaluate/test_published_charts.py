"""Charts of published figures: what is drawn of them, where it stands, and that it can be read."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.evaluate.figure_runs import few, made
from workbench.core.progress import SILENT
from workbench.evaluate.method import Approach
from workbench.evaluate.published.agreement import (
    Accord,
)
from workbench.evaluate.published.catalogue import FIGURES, figure_named
from workbench.evaluate.published.entry import (
    FigureInput,
    Running,
)
from workbench.evaluate.published.panel import PanelCurve, PublishedPanel
from workbench.plots import published_panel
from workbench.plots.crosses import DIFFERS, PUBLISHED
from workbench.plots.curve_hues import curve_colours, place_of
from workbench.plots.published_panel import PanelData
from workbench.plots.reading import read, series_artists
from workbench.plots.style import ChartStyle
from workbench.session.published_figures import (
    panels_of,
    views_of,
    write_figure,
)
from workbench.session.shipped_samples import sample_of

pytestmark = pytest.mark.timeout(300)
"""The first test that needs the published noise loads its library, whichever that is."""
NAMES = [figure.identifier for figure in FIGURES]


def test_algorithm_1_is_drawn_with_both_comparisons_also_without_truncation() -> None:
    (panel,) = few(figure_named("algorithm 1")).mended.panels
    assert [curve.name for curve in panel.curves] == ["> threshold (algorithm)", "≥ threshold (text)"]
    strict, other = (curve.means for curve in panel.curves)
    assert all(low <= high for low, high in zip(strict, other, strict=True))
    assert max(other) < math.log(4) < max(other) + 1e-6


def scales(data: PanelData) -> tuple[str, str]:
    """The scales of a chart, across and upright."""
    from matplotlib.figure import Figure

    axes = published_panel.build(Figure(), data, ChartStyle()).axes
    return axes.get_xscale(), axes.get_yscale()


def test_a_chart_that_is_flat_on_its_printed_axes_is_first_seen_on_logarithmic_ones() -> None:
    outcome = few(figure_named("4.11"))
    (first, spread), (second, printed), *_ = views_of(outcome)
    assert (first, second) == ("published", "published")
    assert (spread.panel.title, printed.panel.title) == (
        "Published settings, run here: logarithmic",
        "Published settings, run here: axes as printed",
    )
    assert spread.values == printed.values != ()
    assert (scales(spread), scales(printed)) == (("log", "log"), ("linear", "linear"))
    assert len(panels_of(outcome)) == len(views_of(outcome)) - 1, "files keep their numbers"


def test_where_a_curve_leaves_the_printed_axis_it_is_marked() -> None:
    from matplotlib.figure import Figure

    data = panels_of(few(figure_named("3.9")))[0][1]
    chart = published_panel.build(Figure(figsize=(5.1, 3.6)), data, ChartStyle())
    assert any("beyond the printed axis" in words.get_text() for words in chart.axes.texts)
    assert [line.get_marker() for line in chart.axes.lines].count("^") >= 2


@pytest.mark.parametrize("identifier", [name for name in NAMES if name.startswith("figure-") and name != "figure-2.2"])
def test_axes_are_linear_as_printed_and_those_that_are_mended_are_named_among_the_settings(identifier: str) -> None:
    from matplotlib.figure import Figure

    outcome = made(identifier)
    for _, data in panels_of(outcome):
        assert data.panel.rows or scales(data) == ("linear", "linear")
        if not data.values:
            continue
        axes = published_panel.build(Figure(), data, ChartStyle()).axes
        (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
        for value in data.values:  # and none is outside
            assert left <= value.place <= right
            assert low <= value.value <= high
    row = next((row for row in outcome.settings if row[0] == "axes"), None)
    # As many repetitions as leave no error at 0, which no logarithmic axis has.
    runs = few(figure_named(identifier), 20 if identifier.startswith("figure-3") or identifier == "figure-4.1" else 2)
    mended = [data for side, data in panels_of(runs) if side == "mended"]
    charts = [data for data in mended if data.panel.curves and not data.panel.labels]
    words = {
        ("linear", "linear"): None,
        ("linear", "log"): "error logarithmic",
        ("log", "log"): "both logarithmic",
        ("log", "linear"): "people logarithmic",
    }
    found = {words[scales(data)] for data in charts} - {None}
    assert len(found) <= 1
    assert row == (("axes", "linear", found.pop()) if found else None)


@pytest.mark.parametrize("identifier", ["figure-4.3", "figure-4.4", "figure-4.5", "figure-4.10"])
def test_local_protocols_are_drawn_without_the_curator_who_would_press_them_together(identifier: str) -> None:
    locally, others, beside = few(figure_named(identifier), 1).mended.panels
    names, rest, every = ({curve.name for curve in panel.curves} for panel in (locally, others, beside))
    assert {"Global DP"} <= every - names <= {"Global DP", "Global DP, by formula"}
    assert names & rest == {"Uniform guess"}
    assert {"Square Wave", "Basic RAPPOR (ε = 1.02)", "Distance-sensitive, corrected"} < rest
    assert max(len(names), len(rest)) <= 6, "as many as can be told apart"
    means = [mean for curve in locally.curves for mean in curve.means]
    assert max(means) < 100 * min(means), "two powers of ten, where the curator took four"
    assert beside.made is not None, "which can be opened as an experiment"


def test_bars_below_0_have_room_and_every_occupation_its_name() -> None:
    from matplotlib.figure import Figure

    outcome = few(figure_named("chapter-unary-encoding"))
    data = panels_of(outcome)[0][1]
    chart = published_panel.build(figure := Figure(figsize=(5.1, 3.6), dpi=100), data, ChartStyle())
    chart.arrange()
    axes = chart.axes
    low, _ = axes.get_ylim()
    assert low < -92.5 - 50
    shown = [label.get_text() for label in axes.get_xticklabels()]
    assert shown == list(data.panel.labels), "none is cut and none is left out"
    boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
    # They slant, so what is between two of them is measured across their lines.
    names = axes.get_xticklabels()
    ends = [axes.transData.transform((place, 0.0))[0] for place in range(len(names))]
    across = [(b - a) * math.sin(math.radians(names[0].get_rotation())) for a, b in itertools.pairwise(ends)]
    assert all(gap >= names[0].get_fontsize() * figure.dpi / 72 for gap in across)
    assert all(box.y0 >= figure.bbox.y0 and box.x0 >= figure.bbox.x0 for box in boxes)


def test_a_scheme_is_drawn_described_and_written_as_its_arrows(tmp_path: Path) -> None:
    outcome = few(figure_named("2.2"))
    (_, scheme), *_ = panels_of(outcome)
    assert published_panel.rows(scheme)[1] == ("Original data", "Trusted curator", "")
    said = published_panel.describe(scheme)
    assert "Untrusted curator → Perturbed data; Perturbed data → Untrusted third-party users" in said
    # As printed, a request goes one way and its result another.
    assert "Untrusted third-party users → GDP algorithm: analysis request" in said
    assert "GDP algorithm → Analysis results; Analysis results → Untrusted third-party users" in said
    assert len(write_figure(outcome, tmp_path, ("svg",))) == 10
    drawn = (tmp_path / "figure-2.2-1-published.svg").read_text(encoding="utf-8")
    assert "LDP algorithm" in drawn
    assert "who is trusted" in drawn


def test_names_of_one_figure_that_are_turned_turn_nothing_of_the_next() -> None:
    from matplotlib.figure import Figure

    occupations, curves = (panels_of(few(figure_named(name)))[0][1] for name in ("chapter-unary-encoding", "4.3"))
    chart = published_panel.build(Figure(figsize=(5.1, 3.6)), occupations, ChartStyle())

    def turned() -> set[tuple[float, str]]:
        chart.arrange()
        return {(label.get_rotation(), label.get_horizontalalignment()) for label in chart.axes.get_xticklabels()}

    assert turned() == {(38.0, "right")}
    chart.update(curves)
    assert turned() == {(0.0, "center")}


def test_one_chart_shows_a_scheme_and_then_curves_with_their_axes() -> None:
    from matplotlib.figure import Figure

    scheme, _, curves = (data for _, data in panels_of(few(figure_named("2.2"))))
    chart = published_panel.build(Figure(), curves, ChartStyle())

    def look() -> tuple[bool, int, str]:
        legend = chart.axes.get_legend()
        return chart.axes.axison, len(legend.get_texts()) if legend is not None else 0, chart.axes.get_xlabel()

    assert look() == (True, 2, "People")
    chart.update(scheme)
    assert look() == (False, 0, "")
    chart.update(curves)
    chart.arrange()
    assert look() == (True, 2, "People")
    assert not chart.axes.texts


def test_published_values_are_crosses_in_the_colour_of_words_that_no_curve_has() -> None:
    from matplotlib.figure import Figure

    figure, style = figure_named("4.3"), ChartStyle()
    names = list(dict.fromkeys(one.curve for one in figure.values))
    curves = tuple(PanelCurve(name, Approach.LOCAL, (0.2, 4.0), (1e5, 1e3)) for name in names)
    # What is expected of a curve takes no colour away from others.
    expected = PanelCurve(f"{names[0]}, by formula", Approach.LOCAL, (0.2, 4.0), (9e4, 9e2), formula=True)
    curves = (curves[0], expected, *curves[1:])
    panel = PublishedPanel("As published", "ε", "Error", curves)
    chart = published_panel.build(Figure(), PanelData(panel, figure.values), style)
    lines = {line.get_label(): line.get_color() for line in chart.axes.lines if line.get_label() != "_"}
    inks = curve_colours([(name, Approach.LOCAL) for name in names], style)
    assert len(set(inks)) == len(names) == 4
    # The crosses come first, and what is expected last.
    assert list(lines.values()) == [style.text, *inks, inks[0]]
    crosses = {
        line.get_color(): [*zip(*(np.asarray(one, dtype=float).tolist() for one in line.get_data()), strict=True)]
        for line in chart.axes.lines
        if line.get_marker() == "x" and line.get_color() != style.ground
    }
    assert crosses.pop(style.text) == [(one.place, one.value) for one in figure.values]
    # Inside, each has the colour of its curve.
    assert crosses == {
        ink: [(one.place, one.value) for one in figure.values if one.curve == name]
        for name, ink in zip(names, inks, strict=True)
    }
    assert not any(line.get_clip_on() for line in chart.axes.lines if line.get_marker() == "x")
    # Pointed at, a cross is one published value by its name; where its name is clicked, all of it goes.
    at = [one for one in read(chart.axes.get_figure(root=True), chart, 1.0).points if one.value == "106,500"]
    assert [one.series for one in at] == [PUBLISHED]
    together = series_artists(chart.axes.get_figure(root=True), chart)[PUBLISHED]
    assert len(together) == 2 + len(names), "its rim, itself, and the colour of each curve"
    assert style.text not in inks
    assert not {"x", "X"} & set(published_panel._MARKERS)


@pytest.mark.parametrize("ground", ["#FFFFFF", "#1E1F22"])
def test_a_protocol_has_the_same_colour_marker_and_dash_in_every_figure(ground: str) -> None:
    style = ChartStyle(ground=ground)
    inks: dict[str, set[str]] = {}
    for identifier in ("figure-4.3", "figure-4.6", "figure-4.10"):
        outcome = few(figure_named(identifier), 1)
        for panel in (*outcome.published.panels, *outcome.mended.panels):
            curves = [(one.name, one.approach) for one in panel.curves if not one.formula]
            drawn = curve_colours(curves, style)
            assert len(set(drawn)) == len(drawn), "each can be told from the others"
            for (name, _), ink in zip(curves, drawn, strict=True):
                inks.setdefault(name.partition(" (")[0].removesuffix(" encoding"), set()).add(ink)
    assert set(map(len, inks.values())) == {1}
    assert len(set.union(*inks.values())) == len(inks)
    assert place_of("Direct encoding", 7) == place_of("Direct, linear", 3) != place_of("Square Wave", 0)


def test_below_bars_between_edges_stand_round_numbers_where_they_are() -> None:
    from matplotlib.figure import Figure

    (_, data), (_, mended) = panels_of(few(figure_named("3.4")))
    chart = published_panel.build(figure := Figure(figsize=(5.1, 2.6), dpi=100), data, ChartStyle())
    chart.arrange()
    for axes in figure.axes:
        assert [one.get_text() for one in axes.get_xticklabels()] == ["100,000", "200,000", "300,000"]
        assert axes.get_xticks()[0] == pytest.approx(16 / 3 - 0.5), "within the sixth bar, of 94,737 to 110,526"
    chart.update(mended)
    chart.arrange()
    shown = [one.get_text() for one in chart.axes.get_xticklabels()]
    assert shown == ["0", "50,000", "100,000", "150,000", "200,000", "250,000", "300,000"]
    assert chart.axes.get_xticks()[-1] == pytest.approx(len(mended.panel.labels) - 0.5), "the end of the last bar"
    narrow = published_panel.build(Figure(figsize=(3.8, 2.4), dpi=100), mended, ChartStyle())
    narrow.arrange()
    boxes = [one.get_window_extent() for one in narrow.axes.get_xticklabels()]
    assert len(boxes) >= 3
    assert all(one.x1 < other.x0 for one, other in itertools.pairwise(boxes)), "none is written over another"


def test_bars_by_shape_come_one_way_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    for pause in ("_TOLD_EVERY", "_TOLD_SHARE"):  # else a busy machine is told less often
        monkeypatch.setattr(f"workbench.evaluate.experiment_run.{pause}", 0.0)
    figure = figure_named("beyond-shape")
    material, column, _ = sample_of(figure.sample, SILENT)
    told: list[PublishedPanel] = []
    given = FigureInput(material, column, False, 1, 1, running=Running(workers=1))
    side = figure.published(given, told.extend)
    drawn = [one for one in told if one.curves]
    # Before the first shape is finished, and never a bar that has no name.
    assert drawn[0].labels == ("Equal shares",)
    assert len(drawn[0].curves) < len(side.panels[0].curves) == 4
    assert all(place < len(one.labels) for one in drawn for curve in one.curves for place in curve.places)
    assert side.panels[0].curves[0].places == (0.0, 1.0, 2.0, 3.0)


def test_the_four_charts_are_drawn_as_printed_with_the_same_axes() -> None:
    from matplotlib.figure import Figure

    (_, data), (_, mended) = panels_of(few(figure_named("3.1")))
    chart = published_panel.build(figure := Figure(figsize=(5.1, 3.6), dpi=100), data, ChartStyle())
    chart.arrange()
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["ε = 1", "ε = ½", "ε = ⅓", "ε = ¼"]
    assert len({(axes.get_xlim(), axes.get_ylim()) for axes in figure.axes}) == 1
    assert all(sum(line.get_marker() == "x" for line in axes.lines) == 2 for axes in figure.axes)
    chart.update(mended)
    assert len(figure.axes) == 1
    chart.update(data)
    assert len(figure.axes) == 4


def test_both_histograms_are_drawn_in_rows_as_printed_and_a_judged_tolerance_makes_nothing_agree() -> None:
    outcome = made("figure-3.4")
    (panel,) = outcome.published.panels
    assert (panel.apart, [curve.name for curve in panel.curves]) == (2, ["Non-private histogram", "Private histogram"])
    assert sum(panel.curves[0].means) == 136_000
    assert sum(panel.curves[1].means) == pytest.approx(0.99 * 136_000, rel=1e-3)
    assert (panel.labels[0], panel.edges[0], panel.edges[-1]) == ("15,789", pytest.approx(300_000 / 19), 300_000)
    assert len(panel.labels) == 18
    assert outcome.verdict == "Of 4 published: 2 within range · 2 differ", "a bar is one, with and without noise"
    assert [one.source for one in outcome.agreements[:2]] == ["picture", "picture; same bar"]
    (_, data), _ = panels_of(few(figure_named("3.4")))
    assert len(data.values) == 8


def test_a_value_that_differs_has_a_thick_red_cross_in_the_chart() -> None:
    from matplotlib.figure import Figure

    outcome = made("figure-3.9")
    (_, data), *_ = panels_of(outcome)
    off = {one.value.name for one in outcome.agreements if one.accord is Accord.DIFFERS}
    assert len(off) == 3
    assert data.differing == off
    for ground in ("#FFFFFF", "#1B1F24"):
        style = ChartStyle(ground=ground, text="#F0F0F0" if ground == "#1B1F24" else "#1B1F24")
        chart = published_panel.build(Figure(figsize=(5.1, 3.6)), data, style)
        crosses = {str(one.get_label()): one for one in chart.axes.lines if one.get_marker() == "x"}
        thick, usual = crosses[DIFFERS], crosses[PUBLISHED]
        assert thick.get_markeredgewidth() >= 1.8 * usual.get_markeredgewidth()
        assert thick.get_color() != usual.get_color() == style.text
        drawn = [one for one in chart.axes.lines if one.get_marker() == "x" and one.get_color() == thick.get_color()]
        assert sorted(float(at) for one in drawn for at in one.get_xdata()) == [0.2, 0.4, 0.6]
    assert published_panel.describe(data).count("published, differs") == 3
    agreeing = panels_of(made("figure-2.1"))[0][1]
    chart = published_panel.build(Figure(figsize=(5.1, 3.6)), agreeing, ChartStyle())
    assert DIFFERS not in [str(one.get_label()) for one in chart.axes.lines]


def test_what_is_expected_by_formula_is_named_last_in_both_charts_of_figure_3_1() -> None:
    from matplotlib.figure import Figure

    outcome = few(figure_named("3.1"))
    names = []
    for panel, values in ((outcome.published.panels[0], outcome.figure.values), (outcome.mended.panels[0], ())):
        bare = PanelData(replace(panel, apart=0), tuple(values))
        chart = published_panel.build(Figure(figsize=(5.1, 3.6)), bare, ChartStyle())
        names.append(chart.axes.get_legend_handles_labels()[1])
    assert names[1] == ["ε = 1", "ε = ½", "ε = ⅓", "ε = ¼", "By formula"]
    assert names[0] == [PUBLISHED, *names[1]]


@pytest.mark.parametrize(
    "identifier", ["figure-2.1", "figure-3.4", "figure-3.5", "figure-4.3", "chapter-unary-encoding"]
)
def test_no_data_are_beyond_the_last_line_of_a_linear_axis(identifier: str) -> None:
    from matplotlib.figure import Figure

    (_, data), *_ = panels_of(few(figure_named(identifier)))
    chart = published_panel.build(Figure(figsize=(5.1, 3.6)), data, ChartStyle())
    for axes in [one.axes for one in chart.parts] or [chart.axes]:
        most = max([mean for one in data.panel.curves for mean in one.means] + [one.value for one in data.values])
        low, high = axes.get_ylim()
        ticks = [float(tick) for tick in axes.get_yticks() if low <= tick <= high]
        assert ticks[-1] >= most
        assert len(ticks) <= 7


def test_few_places_have_a_tick_each_and_many_markers_are_thinned() -> None:
    from matplotlib.figure import Figure

    for _, data in panels_of(few(figure_named("3.9")))[:1]:
        chart = published_panel.build(Figure(figsize=(5.1, 3.6)), data, ChartStyle())
        assert [float(tick) for tick in chart.axes.get_xticks()] == [0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6]
    people = tuple(range(10, 10_000, 200))
    for number in range(4):
        marked = [people[one] for one in published_panel._marked(people, number, logarithmic=True)]
        assert sum(one > 3_000 for one in marked) <= 3, "on a logarithmic axis they would lie on each other"
        assert 4 <= len(marked) <= 9
    assert published_panel._marked(people[:12], 0, logarithmic=True) == list(range(12))


def test_numbers_of_a_low_chart_do_not_stand_on_one_another_and_come_back_on_a_higher_one() -> None:
    from matplotlib.figure import Figure

    def ticks(chart: published_panel.PanelChart) -> list[tuple[float, float]]:
        chart.arrange()
        low, high = chart.axes.get_ylim()
        labels = zip(chart.axes.get_yticks(), chart.axes.get_yticklabels(), strict=True)
        shown = [words.get_window_extent() for at, words in labels if low <= at <= high]
        boxes = sorted((box.y0, box.y1) for box in shown)
        assert all(top <= bottom + 1 for (_, top), (bottom, _) in pairwise(boxes))
        return boxes

    data = views_of(few(figure_named("4.11")))[0][1]
    figure = Figure(figsize=(3.9, 1.35), dpi=100)
    chart = published_panel.build(figure, data, ChartStyle())
    thinned = len(ticks(chart))
    figure.set_size_inches(5.2, 3.6)
    assert 0 < thinned <= len(ticks(chart))


def test_names_of_curves_are_read_row_by_row() -> None:
    from matplotlib.figure import Figure

    chart = published_panel.build(
        Figure(figsize=(5.1, 2.6), dpi=100), views_of(few(figure_named("3.1")))[0][1], ChartStyle()
    )
    chart.arrange()
    legend = chart.axes.get_legend()
    assert legend is not None
    places = {words.get_text(): words.get_window_extent() for words in legend.get_texts()}
    read = sorted(places, key=lambda name: (-round(places[name].y0), places[name].x0))
    assert read == ["Published value", "ε = 1", "ε = ½", "ε = ⅓", "ε = ¼", "By formula"]


def test_boxes_of_a_scheme_hide_no_other_on_narrow_paper() -> None:
    from matplotlib.figure import Figure

    outcome = few(figure_named("2.2"))
    for panel in (outcome.published.panels[0], outcome.mended.panels[0]):
        figure = Figure(figsize=(3.84, 2.3), dpi=100)
        chart = published_panel.build(figure, PanelData(panel), ChartStyle())
        chart.arrange()
        names = {box.words for box in panel.boxes}
        boxes = [text.get_window_extent() for text in chart.axes.texts if text.get_text() in names]
        assert len(boxes) == len(panel.boxes)
        assert [box.words.partition(" ")[0] for box in panel.boxes if box.heading] == ["Global", "Local"]
        for one, other in combinations(boxes, 2):
            assert not one.overlaps(other)
