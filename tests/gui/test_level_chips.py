"""The levels of a column as chips: by mouse, by keyboard, of a tall hierarchy, and in both themes."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from tests.gui.helpers import OnScreen
from workbench.gui.theme import Theme
from workbench.gui.workspaces.anonymise.level_chips import MOST_CHIPS, LevelChips


def chips(on_screen: OnScreen, highest: int) -> LevelChips:
    made = LevelChips("Level of age")
    made.setRange(0, highest)
    return on_screen(made, made.sizeHint().width(), made.sizeHint().height())


def pick(qtbot: QtBot, made: LevelChips, place: int) -> None:
    step = made.sizeHint().width() // len(made.shown)
    at = QPoint(place * step + step // 2, made.height() // 2)
    qtbot.mouseClick(made, Qt.MouseButton.LeftButton, pos=at)


def test_a_click_takes_the_level_it_hits(qtbot: QtBot, on_screen: OnScreen) -> None:
    made = chips(on_screen, 3)
    for place in (2, 0, 3, 1):
        pick(qtbot, made, place)
        assert made.value() == place


def test_the_arrow_keys_go_level_by_level(qtbot: QtBot, on_screen: OnScreen) -> None:
    made = chips(on_screen, 3)
    made.setFocus()
    for key, level in ((Qt.Key.Key_Right, 1), (Qt.Key.Key_End, 3), (Qt.Key.Key_Left, 2), (Qt.Key.Key_Home, 0)):
        qtbot.keyClick(made, key)
        assert made.value() == level


def test_of_a_tall_hierarchy_those_around_the_level_are_seen(qtbot: QtBot, on_screen: OnScreen) -> None:
    made = chips(on_screen, 12)
    assert list(made.shown) == list(range(MOST_CHIPS))
    pick(qtbot, made, MOST_CHIPS - 1)
    assert made.value() == MOST_CHIPS - 1 in made.shown
    assert made.shown[-1] > MOST_CHIPS - 1, "the next ones come into sight"
    made.setValue(12)
    assert made.shown[-1] == 12 and len(made.shown) == MOST_CHIPS


def test_the_chosen_one_stands_out_in_both_themes(qtbot: QtBot, theme: Theme) -> None:
    made = LevelChips("Level of age")
    qtbot.addWidget(made)
    made.setRange(0, 3)
    made.setValue(1)
    made.resize(made.sizeHint())
    made.show()
    picture = made.grab().toImage()
    shown = {picture.pixelColor(x, y).name().upper() for x in range(picture.width()) for y in range(picture.height())}
    assert theme.accent.upper() in shown
