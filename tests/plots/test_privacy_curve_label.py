"""The claim's words stand beside its mark, and never on the curve."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from workbench.plots.placement import on_screen
from workbench.plots.privacy_curve import PrivacyCurve, build
from workbench.plots.style import ChartStyle


@pytest.mark.parametrize("end", [1.0986, 0.5, 3.0])
def test_the_words_of_a_claim_at_the_end_of_the_curve_are_clear_of_it(end: float) -> None:
    epsilons = np.linspace(0, end, 60)
    deltas = (np.exp(end) - np.exp(epsilons)) / (np.exp(end) + 3)  # direct encoding of 4 values
    figure = Figure(figsize=(6.6, 5.2), dpi=100)
    chart = build(figure, PrivacyCurve(epsilons, deltas, end, "", (end, 0.0), True), ChartStyle())
    figure.draw_without_rendering()
    chart.arrange()
    box = chart.claim_label.get_window_extent()
    curve = on_screen(chart.axes, epsilons, deltas)
    on_it = (curve[:, 0] > box.x0) & (curve[:, 0] < box.x1) & (curve[:, 1] > box.y0) & (curve[:, 1] < box.y1)
    assert not on_it.any() and box.x1 <= chart.axes.get_window_extent().x1
