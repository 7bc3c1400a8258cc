"""The chart of what survives: what it shows, and that its labels can be read."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from workbench.anonymise.sample_guarantee import Accounting, guarantee
from workbench.anonymise.survival import Survival, SurvivalCurve, simulate
from workbench.plots import survival
from workbench.plots.render import chart_csv
from workbench.plots.style import ChartStyle
from workbench.plots.survival import Survivors

SIZES = np.repeat([5, 20, 60, 150, 400], [40, 30, 12, 5, 2])


@pytest.fixture(scope="module")
def simulated() -> Survival:
    return simulate(SIZES, guarantee(epsilon=1.0, delta=1e-4), draws=60, points=12)


def drawn(data: Survivors, width: int = 620, height: int = 360) -> tuple[Figure, survival.SurvivalChart]:
    figure = Figure(figsize=(width / 100, height / 100), dpi=100)
    FigureCanvasAgg(figure)
    chart = survival.build(figure, data, ChartStyle())
    chart.arrange()
    figure.draw_without_rendering()
    return figure, chart


@pytest.mark.parametrize("size", [(620, 360), (400, 260), (1600, 1000)])
@pytest.mark.parametrize("counted", ["rows", "classes"])
def test_labels_are_inside_and_apart(simulated: Survival, size: tuple[int, int], counted: survival.Counted) -> None:
    figure, chart = drawn(Survivors(simulated, counted), *size)
    boxes = [label.get_window_extent() for label in chart.labels.values() if label.get_visible() and label.get_text()]
    assert len(boxes) >= 2
    for box in boxes:
        assert box.x0 >= 0 and box.x1 <= figure.bbox.x1 and box.y0 >= 0 and box.y1 <= figure.bbox.y1
    for a, b in itertools.combinations(boxes, 2):
        assert not a.overlaps(b)


def test_lines_bands_and_the_choice_are_where_the_numbers_are(simulated: Survival) -> None:
    _, chart = drawn(Survivors(simulated, "rows"))
    curve = simulated.curves[Accounting.EXACT]
    np.testing.assert_array_equal(chart.lines[Accounting.EXACT].get_ydata(), curve.rows[1])
    outline = chart.bands[Accounting.EXACT].get_paths()[0].vertices
    assert outline[:, 1].min() == curve.rows[0].min()
    assert outline[:, 1].max() == curve.rows[2].max()
    mark, caps, _ = chart.chosen
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (simulated.chosen.beta, simulated.chosen.rows[1])
    assert [cap.get_ydata()[0] for cap in caps] == [simulated.chosen.rows[0], simulated.chosen.rows[2]]
    classical = chart.lines[Accounting.CLASSICAL].get_xdata()
    assert max(classical) <= 1 - np.exp(-1) + 1e-9 < max(simulated.betas)
    chart.update(Survivors(simulated, "classes"))
    np.testing.assert_array_equal(chart.lines[Accounting.EXACT].get_ydata(), curve.classes[1])


def test_no_k_for_a_theorem_leaves_its_line_out(simulated: Survival) -> None:
    known = simulated.curves[Accounting.CLASSICAL]
    none = SurvivalCurve(*(np.full_like(numbers, np.nan) for numbers in (known.ks, known.rows, known.classes)))
    data = replace(simulated, curves={**simulated.curves, Accounting.CLASSICAL: none})
    _, chart = drawn(Survivors(data, "rows"))
    assert chart.labels["classical"].get_text() == ""
    assert len(chart.lines[Accounting.CLASSICAL].get_xdata()) == 0


def test_words_and_numbers(simulated: Survival) -> None:
    words = survival.describe(Survivors(simulated, "classes"))
    assert f"of {len(SIZES)}" in words and "60 simulated samples" in words
    table = chart_csv(survival, Survivors(simulated, "rows")).splitlines()
    assert table[0].startswith("beta,exact_k,exact_5_percent,exact_median")
    assert len(table) == 1 + len(simulated.betas)
    assert table[-1].endswith(",,,,"), "the classical theorem does not reach so far"
