"""Numbered steps of which one is open: by click, by keyboard, in little room."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import OnScreen, click
from workbench.gui import tokens
from workbench.gui.theme import Theme
from workbench.gui.widgets import boxes
from workbench.gui.widgets.status import Status
from workbench.gui.widgets.steps import StepColumn

FIELDS = ("epsilon", "levels", "rows")


class Example:
    """Three steps with a field each, the second of them long, and a button below."""

    def __init__(self) -> None:
        self.column = StepColumn("How the table is released")
        self.fields = {name: QLineEdit() for name in FIELDS}
        for place, (name, title) in enumerate(zip(FIELDS, ("Promise", "Levels", "Run"), strict=True)):
            self.fields[name].setAccessibleName(name)
            lines = (QLabel(f"line {line}") for line in range(60 if place == 1 else 2))
            self.column.add_step(name, title, boxes.boxed(boxes.column(*lines, self.fields[name])))
        self.button = QPushButton("Make the release")
        self.column.add_to_footer(self.button)

    @property
    def seen(self) -> list[str]:
        return [name for name, field in self.fields.items() if field.isVisible()]


@pytest.fixture
def example(on_screen: OnScreen) -> Example:
    made = Example()
    on_screen(made.column, 360, 500)
    return made


def _place(widget: QWidget, within: QWidget) -> QRect:
    return QRect(widget.mapTo(within, QPoint()), widget.size())


def test_the_first_is_open_and_a_click_opens_another_instead(qtbot: QtBot, example: Example) -> None:
    told: list[str] = []
    example.column.opened.connect(told.append)
    assert example.column.current == "epsilon" and example.seen == ["epsilon"]
    click(qtbot, example.column.heads["rows"])
    assert example.column.current == "rows" and example.seen == ["rows"]
    click(qtbot, example.column.heads["rows"])
    assert example.seen == ["rows"], "one is always open"
    assert told == ["rows"]
    assert [head.opened for head in example.column.heads.values()] == [False, False, True]


def test_what_the_program_opens_is_not_told_as_opened_by_hand(example: Example) -> None:
    told: list[str] = []
    example.column.opened.connect(told.append)
    example.column.open("levels")
    assert example.seen == ["levels"] and not told
    with pytest.raises(KeyError):
        example.column.open("elsewhere")


def test_the_keyboard_goes_from_head_to_head_and_opens(qtbot: QtBot, example: Example) -> None:
    heads = list(example.column.heads.values())
    heads[0].setFocus()
    for key, place in ((Qt.Key.Key_Down, 1), (Qt.Key.Key_Down, 2), (Qt.Key.Key_Down, 2), (Qt.Key.Key_Up, 1)):
        qtbot.keyClick(QApplication.focusWidget(), key)
        assert QApplication.focusWidget() is heads[place]
    qtbot.keyClick(heads[1], Qt.Key.Key_Return)
    assert example.seen == ["levels"]
    qtbot.keyClick(heads[2], Qt.Key.Key_Space)
    assert example.seen == ["rows"]


def test_tab_goes_from_a_head_into_what_is_open_and_on_to_the_next_head(qtbot: QtBot, example: Example) -> None:
    example.column.open("levels")
    heads = example.column.heads
    heads["epsilon"].setFocus()
    path = []
    for _ in range(4):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        path.append(QApplication.focusWidget())
    assert path == [heads["levels"], example.fields["levels"], heads["rows"], example.button]


def test_the_focus_is_not_lost_with_what_closes(example: Example) -> None:
    example.fields["epsilon"].setFocus()
    example.column.open("levels")
    assert QApplication.focusWidget() is example.column.heads["levels"]


def test_a_closed_step_says_its_settings_in_one_line(example: Example) -> None:
    column = example.column
    long = "in steps, by degree: low, medium, high and complete, which share by the public rule"
    column.set_summary("levels", long)
    head = column.heads["levels"]
    assert head.summary == long == head.toolTip()
    assert head.height() == tokens.RAIL_ROW and column.width() == 360, "a long text is cut, and nothing grows"
    shown = [one for one in head.findChildren(QLabel) if one.isVisible()]
    assert shown[0].text() == "Levels" and shown[1].text().startswith("in steps")
    column.open("levels")
    assert not any(one.isVisible() and one.text().startswith("in steps") for one in head.findChildren(QLabel))


def test_screen_readers_hear_number_title_state_and_settings(example: Example) -> None:
    column = example.column
    column.set_summary("levels", "age has no hierarchy", Status.WARNING)
    head = column.heads["levels"]
    assert column.accessibleName() == "How the table is released"
    assert head.accessibleName() == "Step 2, Levels"
    assert head.accessibleDescription() == "closed, Warning, age has no hierarchy"
    column.open("levels")
    assert head.accessibleDescription().startswith("open")
    column.set_summary("levels", "")
    assert head.accessibleDescription() == "open"


@pytest.mark.parametrize("open_one", FIELDS)
def test_in_little_room_heads_and_footer_stay_in_sight(example: Example, open_one: str, qtbot: QtBot) -> None:
    column = example.column
    column.resize(360, 260)
    column.open(open_one)
    QApplication.processEvents()
    parts = [*column.heads.values(), example.button]
    places = [_place(part, column) for part in parts]
    assert all(column.rect().contains(place) for place in places)
    assert all(one.bottom() <= two.top() for one, two in pairwise(places))


def test_a_control_is_brought_into_sight(example: Example) -> None:
    field = example.fields["levels"]
    example.column.show_control("levels", field)
    QApplication.processEvents()
    assert QApplication.focusWidget() is field and example.column.current == "levels"
    assert example.column.rect().contains(_place(field, example.column))
    assert not field.visibleRegion().isEmpty()


def test_it_can_be_seen_in_both_themes(theme: Theme, qtbot: QtBot) -> None:
    made = Example()
    qtbot.addWidget(made.column)
    made.column.resize(360, 500)
    made.column.show()
    picture = made.column.grab().toImage()
    colours = {picture.pixelColor(x, y).name().upper() for x in range(10, 40) for y in range(5, 36)}
    assert theme.accent.upper() in colours
