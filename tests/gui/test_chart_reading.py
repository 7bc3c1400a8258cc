"""Charts as panes one can read from: pointing, walking, zooming and leaving curves out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, OnScreen
from workbench.gui.document import Document
from workbench.gui.widgets import chart_pointer
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.chart_zoom import moved, zoomed
from workbench.plots import error_curves
from workbench.plots.chart_part import ChartPart
from workbench.plots.error_curves import ErrorCurves, ProtocolCurve

PLACES = np.array([0.5, 1.0, 2.0, 4.0])
DATA = ErrorCurves(
    (ProtocolCurve("GRR", PLACES, 0.2 / PLACES), ProtocolCurve("OUE", PLACES, 0.5 / PLACES)), "L1 error", "epsilon", 1.0
)


@pytest.fixture
def chart(qtbot: QtBot, document: Document, on_screen: OnScreen) -> ChartView:
    view = on_screen(ChartView("Errors", error_curves, document.runner), 500, 320)
    with qtbot.waitSignal(view.drawn, timeout=PATIENCE_MS):
        view.set_data(DATA)
    return view


def turn(view: ChartView, place: QPoint, delta: int, keys: Qt.KeyboardModifier) -> bool:
    """Turn the wheel; whether the chart has taken it."""
    event = QWheelEvent(
        QPointF(place), QPointF(view.mapToGlobal(place)), QPoint(), QPoint(0, delta), Qt.MouseButton.NoButton, keys,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, event)
    return event.isAccepted()


def place_of(view: ChartView, series: str, number: int) -> QPoint:
    """Where a point of a series is drawn."""
    found = [one for one in view.pointer.reading.points if one.series == series]
    return QPoint(*map(round, found[number].middle))


class TestPointing:
    def test_what_is_under_the_pointer_is_told_with_what_is_beside_it(self, qtbot: QtBot, chart: ChartView) -> None:
        qtbot.mouseMove(chart, place_of(chart, "GRR", 1))
        chart.point_at(place_of(chart, "GRR", 1))
        assert chart.pointer.words == "ε 1, GRR, L1 error 0.2"
        assert chart.pointer.lines() == ("ε 1 · L1 error", ["GRR 0.2", "OUE 0.5"])
        chart.point_at(QPoint(2, 2))
        assert chart.pointer.words == ""

    def test_the_note_is_painted_beside_the_point_and_inside_the_pane(self, chart: ChartView) -> None:
        plain = chart.grab().toImage()
        for number in range(4):
            chart.point_at(place_of(chart, "OUE", number))
            assert chart.grab().toImage() != plain
        chart.pointer.clear()
        assert chart.grab().toImage() == plain

    def test_pointing_asks_no_plotting_library(self, chart: ChartView, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(chart, "_renderer", None)
        chart.point_at(place_of(chart, "GRR", 0))
        assert chart.pointer.words == "ε 0.5, GRR, L1 error 0.4"

    def test_nothing_is_pointed_at_where_nothing_is_shown(self, chart: ChartView) -> None:
        chart.point_at(place_of(chart, "GRR", 0))
        chart.set_data(None)
        assert chart.pointer.words == "" and not chart.pointer.reading.points


class TestKeys:
    def test_arrows_walk_the_points_and_screen_readers_are_told(
        self, qtbot: QtBot, chart: ChartView, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told: list[str] = []
        monkeypatch.setattr(
            chart_pointer.QAccessible, "updateAccessibility", lambda event: told.append(event.message())
        )
        chart.setFocus()
        for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_End, Qt.Key.Key_Home):
            qtbot.keyClick(chart, key)
        assert told == [
            "ε 0.5, GRR, L1 error 0.4",
            "ε 1, GRR, L1 error 0.2",
            "ε 1, OUE, L1 error 0.5",
            "ε 4, OUE, L1 error 0.125",
            "ε 0.5, OUE, L1 error 1",
        ]

    def test_the_program_can_tell_screen_readers(self, chart: ChartView) -> None:
        assert callable(QAccessible.updateAccessibility) and chart.pointer.walk(Qt.Key.Key_Right)

    def test_plus_minus_and_0_zoom(self, qtbot: QtBot, chart: ChartView) -> None:
        chart.setFocus()
        with qtbot.waitSignal(chart.drawn, timeout=PATIENCE_MS):
            qtbot.keyClick(chart, Qt.Key.Key_Plus)
        assert chart.part.zoom is not None
        with qtbot.waitSignal(chart.drawn, timeout=PATIENCE_MS):
            qtbot.keyClick(chart, Qt.Key.Key_0)
        assert chart.part == ChartPart()

    def test_other_keys_are_left_to_the_page(self, qtbot: QtBot, chart: ChartView) -> None:
        assert not chart.pointer.walk(Qt.Key.Key_A)


class TestZooming:
    def test_ctrl_and_the_wheel_zoom_around_the_pointer_and_a_double_click_resets(
        self, qtbot: QtBot, chart: ChartView
    ) -> None:
        here = place_of(chart, "GRR", 1)
        with qtbot.waitSignal(chart.drawn, timeout=PATIENCE_MS):
            assert turn(chart, here, 120, Qt.KeyboardModifier.ControlModifier)
        there = place_of(chart, "GRR", [p.place for p in of(chart, "GRR")].index("ε 1"))
        assert abs(there.x() - here.x()) < 12 and abs(there.y() - here.y()) < 12
        with qtbot.waitSignal(chart.drawn, timeout=PATIENCE_MS):
            qtbot.mouseDClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(250, 200))
        assert chart.part.zoom is None and len(of(chart, "GRR")) == 4

    def test_without_ctrl_the_wheel_belongs_to_the_page(self, chart: ChartView) -> None:
        assert not turn(chart, place_of(chart, "GRR", 1), 120, Qt.KeyboardModifier.NoModifier)
        assert chart.part == ChartPart()

    def test_other_data_is_shown_whole(self, qtbot: QtBot, chart: ChartView) -> None:
        turn(chart, place_of(chart, "GRR", 1), 120, Qt.KeyboardModifier.ControlModifier)
        with qtbot.waitSignal(chart.drawn, timeout=PATIENCE_MS):
            chart.set_data(ErrorCurves(DATA.curves, "L2 error", "epsilon", 1.0))
        assert chart.part.zoom is None

    def test_a_part_is_dragged_and_never_beyond_the_whole(self, qtbot: QtBot, chart: ChartView) -> None:
        for _ in range(4):
            turn(chart, QPoint(250, 180), 120, Qt.KeyboardModifier.ControlModifier)
        before = chart.part.zoom
        qtbot.mousePress(chart, Qt.MouseButton.LeftButton, pos=QPoint(250, 180))
        qtbot.mouseMove(chart, QPoint(200, 180))
        qtbot.mouseRelease(chart, Qt.MouseButton.LeftButton, pos=QPoint(200, 180))
        after = chart.part.zoom
        assert before is not None and after is not None and after[0] >= before[0] and after[1] <= 1

    @pytest.mark.parametrize("steps", [-3.0, -0.5, 0.5, 7.0, 400.0])
    def test_the_part_stays_within_the_whole(self, steps: float) -> None:
        frame: Any = (10.0, 10.0, 110.0, 60.0)
        for start in (None, (0.2, 0.4, 0.5, 1.0)):
            found = zoomed(start, frame, 20.0, 55.0, steps) or (0.0, 1.0, 0.0, 1.0)
            assert 0 <= found[0] < found[1] <= 1 and 0 <= found[2] < found[3] <= 1
            for way in (-1000.0, 30.0, 1000.0):
                left, right, bottom, top = moved(found, frame, way, -way)
                assert left >= 0 and right <= 1 and bottom >= 0 and top <= 1
                assert right - left == pytest.approx(found[1] - found[0])


def of(view: ChartView, series: str) -> list[Any]:
    return [one for one in view.pointer.reading.points if one.series == series]


class TestLegend:
    def test_a_click_leaves_a_curve_out_and_another_brings_it_back(self, qtbot: QtBot, chart: ChartView) -> None:
        entry = next(one for one in chart.pointer.reading.legend if one.name == "OUE")
        left, top, right, bottom = entry.box
        where = QPoint(round((left + right) / 2), round((top + bottom) / 2))
        with qtbot.waitSignal(chart.drawn, timeout=PATIENCE_MS):
            qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=where)
        assert not of(chart, "OUE") and of(chart, "GRR")
        with qtbot.waitSignal(chart.drawn, timeout=PATIENCE_MS):
            qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=where)
        assert of(chart, "OUE") and chart.part == ChartPart()

    def test_the_menu_brings_all_of_it_back(self, qtbot: QtBot, chart: ChartView) -> None:
        chart.toggle("GRR")
        (shown,) = [one for one in chart._menu().actions() if one.text() == "Show &all of it"]
        assert shown.isEnabled()
        with qtbot.waitSignal(chart.drawn, timeout=PATIENCE_MS):
            shown.trigger()
        assert of(chart, "GRR")


class TestNobodyLooks:
    def test_a_chart_that_is_not_shown_is_neither_drawn_nor_described(
        self, qtbot: QtBot, document: Document, on_screen: OnScreen, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[object] = []
        real = error_curves.describe

        def describe(data: ErrorCurves) -> str:
            asked.append(data)
            return real(data)

        monkeypatch.setattr(error_curves, "describe", describe)
        view = on_screen(ChartView("Errors", error_curves, document.runner), 300, 200)
        view.hide()
        view.set_data(DATA)
        qtbot.waitUntil(lambda: not document.runner.jobs, timeout=PATIENCE_MS)
        assert not asked and view.picture is None
        with qtbot.waitSignal(view.drawn, timeout=PATIENCE_MS):
            view.show()
        assert len(asked) == 1 and view.accessibleDescription() == real(DATA)
