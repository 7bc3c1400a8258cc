"""Charts in the window: drawn off-thread, in the theme, to be copied and saved."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, OnScreen
from workbench.gui.document import Document
from workbench.gui.theme import DARK, apply_theme
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.chart_look import chart_style
from workbench.plots import tradeoff


@pytest.fixture
def chart(qtbot: QtBot, document: Document, on_screen: OnScreen) -> ChartView:
    view = on_screen(ChartView("Trade-off", tradeoff, document.runner), 400, 300)
    with qtbot.waitSignal(view.drawn, timeout=PATIENCE_MS):
        view.set_data(tradeoff.compute(1.0, 1e-5, points=12))
    return view


class TestChartView:
    def test_follows_the_theme(self, qtbot: QtBot, qapp: QApplication, chart: ChartView) -> None:
        assert chart.picture is not None
        bright = chart.picture.pixelColor(0, 0).lightness()
        with qtbot.waitSignal(chart.drawn, timeout=PATIENCE_MS):
            apply_theme(qapp, DARK)
        assert chart.picture.pixelColor(0, 0).lightness() < 60 < bright
        assert chart_style().ground == DARK.surface

    def test_follows_its_size(self, qtbot: QtBot, chart: ChartView) -> None:
        with qtbot.waitSignal(chart.drawn, timeout=PATIENCE_MS):
            chart.resize(640, 420)
        assert chart.picture is not None and chart.picture.width() == 640

    def test_loses_no_axis_while_it_is_drawn_for_less_room(self, chart: ChartView) -> None:
        assert chart.picture is not None
        before = chart.picture
        chart.resize(400, 240)
        shown = chart.grab().toImage()
        assert chart.picture is before, "not drawn anew yet"
        ground = shown.pixelColor(1, 1)
        lowest = max(y for y in range(240) for x in range(0, 400, 2) if shown.pixelColor(x, y) != ground)
        whole = max(y for y in range(300) for x in range(0, 400, 2) if before.pixelColor(x, y) != ground)
        assert lowest == pytest.approx(whole * 240 / 300, abs=2), "what stands below the axis is seen"

    def test_without_data_it_says_what_belongs_here(self, chart: ChartView) -> None:
        chart.set_empty_text("Nothing yet.")
        chart.set_data(None)
        assert chart.picture is None
        assert chart.accessibleDescription() == "Nothing yet."
        assert not chart.more.isVisible()

    def test_copies_picture_and_numbers(self, qtbot: QtBot, chart: ChartView) -> None:
        chart.setFocus()
        qtbot.keyClick(chart, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert QGuiApplication.clipboard().image().width() == 400
        chart.copy_numbers()
        assert QGuiApplication.clipboard().text().startswith("beta,exact_rows")

    def test_saves_in_the_background(self, qtbot: QtBot, chart: ChartView, tmp_path: Path) -> None:
        with qtbot.waitSignal(chart.noted, timeout=PATIENCE_MS) as told:
            chart.save(tmp_path / "figure")
        assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
        assert told.args is not None and "figure.png" in told.args[1]
