"""Nothing is seen between a change of words and their layout."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QExposeEvent, QRegion
from pytestqt.qtbot import QtBot

from workbench.gui.main_window import MainWindow
from workbench.gui.widgets.buttons import push_button


def test_a_window_that_a_dialog_lay_over_is_laid_out_before_it_is_painted(qtbot: QtBot, window: MainWindow) -> None:
    link = push_button("Leave age out", inline=True)
    window.strip.add(link)
    qtbot.waitUntil(lambda: link.isVisible() and link.width() >= link.sizeHint().width())
    link.setText("Leave date of birth and postcode out")
    assert link.width() < link.sizeHint().width(), "not laid out yet"
    handle = window.windowHandle()
    QCoreApplication.sendEvent(handle, QExposeEvent(QRegion(0, 0, handle.width(), handle.height())))
    assert link.width() >= link.sizeHint().width()
