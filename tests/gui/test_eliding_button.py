"""A button of a name that is shortened where there is no room for it."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from workbench.gui import tokens
from workbench.gui.widgets.buttons import eliding_button


def test_what_is_said_about_a_name_goes_first_and_then_its_middle(qtbot: QtBot) -> None:
    button = eliding_button("R&D_salaries_of_2025.csv", "today 12:00")
    qtbot.addWidget(button)
    button.resize(600, 30)
    button.show()
    assert button.text() == "R&&D_salaries_of_2025.csv · today 12:00" and "R&D" in button.accessibleName()
    widths = range(400, tokens.FIELD_WIDTH, -10)
    shown = []
    for width in widths:
        button.resize(width, 30)
        assert button.sizeHint().width() <= width, "all that is shown has room"
        shown.append(button.text())
    assert [text for text in dict.fromkeys(shown) if "…" not in text] == [
        "R&&D_salaries_of_2025.csv · today 12:00",
        "R&&D_salaries_of_2025.csv",
    ]
    assert shown[-1].startswith("R&&D") and "…" in shown[-1] and shown[-1].endswith("csv"), "its ends tell files apart"
    button.set_words("a_name.csv", "unsaved work, today 12:00")
    shown = []
    for width in range(400, tokens.FIELD_WIDTH, -10):
        button.resize(width, 30)
        shown.append(button.text())
    assert [text for text in dict.fromkeys(shown) if "…" not in text] == [
        "a_name.csv · unsaved work, today 12:00",
        "a_name.csv · unsaved work",
        "a_name.csv",
    ], "of two things that are said the last goes first"
    button.set_words("a.csv")
    assert button.text() == "a.csv" and button.words == "a.csv"
