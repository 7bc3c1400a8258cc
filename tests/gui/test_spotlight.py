"""The frame that marks a control for a moment."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS
from workbench.gui.spotlight import Spotlight


def test_it_goes_out_by_itself_and_lets_clicks_through(qtbot: QtBot) -> None:
    place = QWidget()
    qtbot.addWidget(place)
    place.resize(200, 100)
    button = QPushButton("Here", place)
    place.show()
    light = Spotlight(place)
    light.flash_on(button)
    assert light.isVisible() and light.geometry().contains(button.geometry())
    assert light.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    assert place.childAt(button.geometry().center()) is button
    qtbot.waitUntil(lambda: not light.isVisible(), timeout=PATIENCE_MS)
    assert light.control is None


def test_it_leaves_with_its_control(qtbot: QtBot) -> None:
    place = QWidget()
    qtbot.addWidget(place)
    button = QPushButton("Here", place)
    place.show()
    light = Spotlight(place)
    light.flash_on(button)
    shiboken6.delete(button)
    qtbot.waitUntil(lambda: not light.isVisible(), timeout=PATIENCE_MS)
