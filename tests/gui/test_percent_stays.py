"""In a text over several lines a number and its % stay on one line, and what the text says stays as it was."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from workbench.core.number_text import percent
from workbench.gui.widgets.labels import label


def test_no_line_begins_with_the_sign_of_per_cent(qtbot: QtBot) -> None:
    text = f"Without the file it is {percent(0.5)}."
    made = label(text, wrap=True)
    qtbot.addWidget(made)
    assert made.text() == text and "\u00a0" not in made.text(), "who copies or reads it has a plain space"
    assert QLabel.text(made) == text.replace("50 %", "50\u00a0%"), "what is painted does not break"
    made.setText("5 % and %")
    assert made.text() == "5 % and %" and QLabel.text(made) == "5\u00a0% and %"
    made.clear()
    assert made.text() == QLabel.text(made) == ""


def test_a_line_of_its_own_is_painted_as_it_is(qtbot: QtBot) -> None:
    made = label("50 %")
    qtbot.addWidget(made)
    assert QLabel.text(made) == "50 %"
