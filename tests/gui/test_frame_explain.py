"""The Explain pane of the window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
)
from pytestqt.qtbot import QtBot

from workbench.gui import tokens
from workbench.gui.main_window import MainWindow
from workbench.gui.settings import WindowSettings
from workbench.gui.theme import ThemeManager


class TestExplain:
    def test_lies_over_the_page_where_there_is_no_room_and_never_narrows_it(
        self, qtbot: QtBot, window: MainWindow
    ) -> None:
        window.resize(1280, 800)
        assert not window.explain.isVisible(), "over the page it is shown when it is asked for"
        before = window.stack.geometry()
        qtbot.keyClick(window, Qt.Key.Key_F1)
        assert window.explain.isVisible() and window.stack.geometry() == before
        qtbot.keyClick(window, Qt.Key.Key_Escape)
        assert not window.explain.isVisible()

    def test_is_put_away_from_over_a_page_with_that_page(self, qtbot: QtBot, window: MainWindow) -> None:
        for width, stays in ((1280, False), (1600, True)):
            window.resize(width, 800)
            window.rail.select("data")
            if not window.explain.isVisible():
                window.toggle_explain()
            window.rail.select("release")
            assert window.explain.isVisible() is stays

    def test_has_a_button_above_every_room(self, qtbot: QtBot, window: MainWindow) -> None:
        window.resize(1280, 800)
        for shown in (True, False):
            qtbot.mouseClick(window.header.explain, Qt.MouseButton.LeftButton)
            assert window.explain.isVisible() is shown

    def test_opens_after_a_start_with_it_closed(
        self, qtbot: QtBot, qapp: QApplication, window: MainWindow, settings: WindowSettings
    ) -> None:
        themes = ThemeManager(qapp, settings)
        wide = MainWindow(settings, themes)
        qtbot.addWidget(wide)
        wide.resize(1600, 900)
        wide.show()
        assert wide.explain.isVisible() and not wide.explaining.is_over, "there is room from the start"
        wide.resize(1280, 800)
        assert not wide.explain.isVisible()
        wide.resize(1600, 900)
        assert wide.explain.isVisible(), "nobody closed it"
        wide.close()
        window.resize(1600, 900)
        assert not window.explain.isVisible(), "a window that grows opens nothing"
        window.toggle_explain()
        assert window.explain.isVisible()
        window.explain.close_button.click()
        assert not window.explain.isVisible()
        settings.remember_window(window)
        other = MainWindow(settings, themes)
        qtbot.addWidget(other)
        other.show()
        other.resize(1600, 900)
        assert not other.explain.isVisible()
        other.toggle_explain()
        QApplication.processEvents()
        assert other.explain.isVisible() and other.explain.width() >= tokens.EXPLAIN_WIDTH // 2
        other.close()
        qapp.styleHints().colorSchemeChanged.disconnect(themes._follow_system)

    def test_what_is_open_over_the_page_stays_open_in_a_window_that_grows(self, window: MainWindow) -> None:
        window.resize(1280, 800)
        window.toggle_explain()
        window.resize(1600, 900)
        assert window.explain.isVisible() and not window.explaining.is_over
