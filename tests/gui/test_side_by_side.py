"""Two parts are side by side as soon as there is room, and what grows hides neither."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QStackedWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.conftest import OnScreen
from workbench.gui.widgets.side_by_side import SideBySide


def test_parts_that_become_narrower_stand_side_by_side(qtbot: QtBot, on_screen: OnScreen) -> None:
    settings, result = QWidget(), QWidget()
    settings.setMinimumWidth(400)
    result.setMinimumWidth(500)
    both, room = SideBySide("both", ((settings, "Settings"), (result, "Result")), (400, 500)), QStackedWidget()
    room.addWidget(both)
    on_screen(room, 800, 300)
    assert both.tabs.isVisible() and not result.isVisible()
    settings.setMinimumWidth(200)
    qtbot.waitUntil(lambda: settings.isVisible() and result.isVisible() and not both.tabs.isVisible())
    settings.setMinimumWidth(290)
    qtbot.wait(20)
    assert settings.isVisible() and result.isVisible()
    room.resize(700, 300)
    assert both.tabs.isVisible() and settings.isVisible() and not result.isVisible()


def test_the_focus_stays_in_the_room_when_its_part_is_hidden(on_screen: OnScreen) -> None:
    settings, result, room = QWidget(), QWidget(), QWidget()
    button, before = QPushButton("Run", settings), QPushButton("Start")
    settings.setMinimumWidth(400)
    result.setMinimumWidth(500)
    both = SideBySide("both", ((settings, "Settings"), (result, "Result")), (400, 500))
    outer = QVBoxLayout(room)
    outer.addWidget(before)
    outer.addWidget(both)
    on_screen(room, 800, 300)
    button.setFocus()
    both.show_part(1)
    assert result.isVisible() and room.window().focusWidget() is both.tabs
    both.show_part(0)
    assert room.window().focusWidget() is both.tabs


def test_what_is_new_in_a_part_that_is_not_seen_stands_on_its_tab_until_it_is(on_screen: OnScreen) -> None:
    settings, result, room = QWidget(), QWidget(), QStackedWidget()
    settings.setMinimumWidth(400)
    result.setMinimumWidth(500)
    both = SideBySide("both", ((settings, "Settings"), (result, "Result")), (400, 500))
    room.addWidget(both)
    on_screen(room, 800, 300)
    both.announce(1, "ready")
    assert both.tabs.tabText(1) == "Result: ready" and not both.tabs.tabIcon(1).isNull()
    both.show_part(1)
    assert both.tabs.tabText(1) == "Result" and both.tabs.tabIcon(1).isNull()
    both.announce(1, "ready")
    assert both.tabs.tabText(1) == "Result", "it is seen"
    both.show_part(0)
    both.announce(1, "ready")
    both.announce(1, "")
    assert both.tabs.tabText(1) == "Result"
    both.announce(1, "ready")
    room.resize(1000, 300)
    room.resize(800, 300)
    assert both.tabs.tabText(1) == "Result", "both were seen"
