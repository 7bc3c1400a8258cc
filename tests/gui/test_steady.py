"""What is below a message stays where it is when the message comes or goes."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from workbench.gui.widgets import boxes
from workbench.gui.widgets.steady_label import SteadyLabel
from workbench.gui.workspaces.collect.answer_card import AnswerCard
from workbench.session.collection.answered import Answered

_LONG = "The smallest and the largest value that are possible must be typed, and both of them must be public. " * 2


def _above(qtbot: QtBot, what: QWidget) -> tuple[QWidget, QWidget]:
    """A narrow window that is shown, and something in it below `what`."""
    below, window = QWidget(), QWidget()
    below.setFixedHeight(20)
    boxes.column(what, below, 1, inside=window)
    qtbot.addWidget(window)
    window.resize(240, 600)
    window.show()
    qtbot.waitExposed(window)
    return window, below


def test_words_keep_the_room_they_once_took(qtbot: QtBot) -> None:
    words = SteadyLabel()
    _window, below = _above(qtbot, words)
    words.setText(_LONG)
    qtbot.waitUntil(lambda: below.y() > 2 * words.fontMetrics().lineSpacing())
    place = below.y()
    words.setText("")
    qtbot.wait(1)
    assert below.y() == place
    words.start_over()
    qtbot.waitUntil(lambda: below.y() < place)


def test_a_card_keeps_its_height_while_its_next_answer_is_worked_out(qtbot: QtBot) -> None:
    card = AnswerCard("Take")
    window, below = _above(qtbot, card)
    card.show_answer(Answered("Subset selection", _LONG), "Assume so")
    qtbot.waitUntil(lambda: below.y() > 4 * card.fontMetrics().lineSpacing())
    place = below.y()
    card.show_answer(Answered("…", "Predicting"))
    qtbot.wait(1)
    assert below.y() == place
    window.resize(480, 600)
    qtbot.waitUntil(lambda: below.y() < place)
