"""Rooms are styled once, when they are finished, and hidden rooms only when they are next seen."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QMenu, QMessageBox, QPushButton, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, idle, put_off_is_done
from workbench.gui.main_window import MainWindow
from workbench.gui.settings import WindowSettings
from workbench.gui.stylesheet import build_stylesheet
from workbench.gui.theme import DARK, LIGHT, Mode, Theme, ThemeManager, set_look
from workbench.gui.tokens import CONTROL_HEIGHT
from workbench.gui.widgets import boxes
from workbench.gui.workspaces import ROOMS
from workbench.gui.workspaces.anonymise.release_view import ReleaseView
from workbench.gui.workspaces.collect.prediction_page import PredictionPage
from workbench.gui.workspaces.construction import Workspaces
from workbench.gui.workspaces.hierarchies.workspace import HierarchiesWorkspace


@pytest.fixture
def themes(qapp: QApplication, settings: WindowSettings) -> Iterator[ThemeManager]:
    made = ThemeManager(qapp, settings)
    made.set_mode(Mode.LIGHT)
    yield made
    qapp.styleHints().colorSchemeChanged.disconnect(made._follow_system)


@pytest.fixture
def window(qtbot: QtBot, settings: WindowSettings, themes: ThemeManager) -> Iterator[MainWindow]:
    window = MainWindow(settings, themes)
    qtbot.addWidget(window)
    window.show()
    window.rail.select("data")
    yield window
    window.close()


class Restyled(QObject):
    """Counts what is told to a room, or to anything in it, of its style."""

    def __init__(self, room: QWidget) -> None:
        super().__init__(room)
        self.count = 0
        for one in (room, *room.findChildren(QWidget)):
            one.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.StyleChange
        return False


def sheets(room: QWidget) -> set[str]:
    """The stylesheets that a room wears, or its large parts."""
    return {one.styleSheet() for one in getattr(room, "wearers", (room,))}


def all_rooms(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: not window.workspaces.unbuilt(), timeout=PATIENCE_MS)


def test_rooms_are_made_in_short_steps_and_styled_once(qapp: QApplication, window: MainWindow) -> None:
    window._furnishing.stop()
    assert window.workspaces.unbuilt()[0].key == "hierarchies"
    while (made := window.findChild(HierarchiesWorkspace)) is None:
        window.workspaces.advance()
    assert "hierarchies" not in window.workspaces.built()
    assert not made.styleSheet() and not made.isVisible()
    seen = Restyled(made)
    window.workspaces.advance()
    assert window.workspaces.built()["hierarchies"] is made
    # Once, as the room gets its sheet; before that, moving widgets into one another told them nothing.
    assert 0 < seen.count <= len(made.findChildren(QWidget)) + 1
    assert window.styleSheet() == "" and qapp.styleSheet() == ""


def test_another_theme_reaches_the_room_in_view_and_hidden_ones_when_they_are_next_seen(
    qtbot: QtBot, window: MainWindow, themes: ThemeManager
) -> None:
    all_rooms(qtbot, window)
    released = Event()
    window.runner.start("Busy", lambda _progress: released.wait(), aside=True)  # or hidden rooms would have their turn
    hidden = {key: Restyled(room) for key, room in window.workspaces.items() if key != "data"}
    seen = Restyled(window.workspaces["data"])
    themes.set_mode(Mode.DARK)
    dark = build_stylesheet(DARK)
    frame = (window.menuBar(), window.rail, window.header, window.tour, window.explain, window.strip)
    assert all(part.styleSheet() == dark for part in frame)
    assert not window.stack.updatesEnabled(), "nobody sees the room between its sheets"
    qtbot.waitUntil(window.stack.updatesEnabled, timeout=PATIENCE_MS)
    assert seen.count > 0 and sheets(window.workspaces["data"]) == {dark}
    qtbot.wait(100)
    assert {key: watch.count for key, watch in hidden.items()} == dict.fromkeys(hidden, 0)
    for key, watch in hidden.items():
        assert sheets(window.workspaces[key]) == {build_stylesheet(LIGHT)}
        window.show_workspace(key)
        assert sheets(window.workspaces[key]) == {dark} and watch.count > 0
        counted = watch.count
        window.show_workspace("data")
        window.show_workspace(key)
        assert watch.count == counted, "styled though it wore the sheet already"
    released.set()


def test_another_theme_reaches_hidden_rooms_while_nothing_else_is_to_be_done(
    qtbot: QtBot, window: MainWindow, themes: ThemeManager
) -> None:
    all_rooms(qtbot, window)
    themes.set_mode(Mode.DARK)
    rooms = [window.start, *window.workspaces.values()]
    qtbot.waitUntil(lambda: all(sheets(room) == {build_stylesheet(DARK)} for room in rooms), timeout=PATIENCE_MS)
    # Left between two sheets, a room is dressed as soon as somebody goes there.
    window._wardrobe.stop()
    window.workspaces["query"].setStyleSheet("")
    window.show_workspace("query")
    assert window.workspaces["query"].styleSheet() == build_stylesheet(DARK)


@pytest.mark.parametrize("key", ["anonymise", "collect", "compare"])
def test_a_room_made_in_steps_is_the_room_made_at_once(window: MainWindow, key: str) -> None:
    window._furnishing.stop()
    kind = type(window.workspaces[key])
    (entry,) = (room for room in ROOMS if room.key == key)
    stepwise = Workspaces(window.document, window, lambda _room: None, lambda _room: None)
    steps = 0
    while key not in stepwise.built():
        next(stepwise._steps(entry), None)
        steps += 1
    assert steps > 3
    at_once = kind(window.document, window)
    assert content(stepwise[key]) == content(at_once)
    assert not stepwise[key].is_incomplete


def content(widget: QWidget) -> list[object]:
    """The kinds of widgets in a room and how they lie in one another, whatever order they were made in."""
    if isinstance(widget, QComboBox):
        return ["a choice"]  # its list is made when somebody first asks how large it is
    inside = [one for one in widget.children() if isinstance(one, QWidget)]
    return [type(widget).__name__, *sorted((content(one) for one in inside), key=repr)]


def test_a_switched_theme_looks_as_if_it_had_always_been_there(
    qtbot: QtBot, qapp: QApplication, window: MainWindow, themes: ThemeManager, settings: WindowSettings
) -> None:
    def looks(shown: MainWindow) -> dict[str, QImage]:
        found = {}
        for key in ("data", "anonymise", "query", "collect"):
            shown.show_workspace(key)
            put_off_is_done(qtbot, shown)
            idle(qtbot, shown.workspaces[key])
            seen = QImage()
            # A room is made in steps, which on a busy machine come late.
            while seen != (now := shown.grab().toImage()):
                seen = now
                qtbot.wait(20)
            found[key] = seen
        return found

    qapp.setCursorFlashTime(0)
    looks(window)
    themes.set_mode(Mode.DARK)
    switched = looks(window)
    other = MainWindow(settings, themes)
    qtbot.addWidget(other)
    other.resize(window.size())
    other.show()
    other.rail.select("data")
    fresh = looks(other)
    other.close()
    assert [key for key in fresh if fresh[key] != switched[key]] == []


@pytest.mark.parametrize("room", ["anonymise", "collect"])
def test_a_room_that_is_under_way_goes_with_its_window(qtbot: QtBot, window: MainWindow, room: str) -> None:
    large = {"anonymise": ReleaseView, "collect": PredictionPage}[room]
    while window.findChild(large) is None:
        window.workspaces.advance()
    assert room not in window.workspaces.built()
    assert window.findChild(large).window() is not window, "the keyboard does not go through it yet"


@pytest.mark.parametrize("room", ["anonymise", "collect", "compare"])
def test_a_part_that_is_not_in_its_place_goes_with_its_window(window: MainWindow, room: str) -> None:
    kind = next(entry for entry in ROOMS if entry.key == room).load()
    while (made := window.findChild(kind)) is None or not made.unplaced:
        window.workspaces.advance()
    assert all(part.window().parent() is window for part in made.unplaced)


@pytest.mark.parametrize("look", ["plain", "quiet"])
def test_a_button_that_has_the_focus_does_not_look_chosen(qtbot: QtBot, theme: Theme, look: str) -> None:
    button = QPushButton("Every row")
    qtbot.addWidget(button)
    button.setProperty(look, "true")
    button.resize(160, 30)
    button.show()
    button.activateWindow()
    button.setFocus()
    qtbot.waitUntil(button.hasFocus, timeout=PATIENCE_MS)
    image = button.grab().toImage()
    line = [image.pixelColor(x, 1).name() == theme.focus.lower() for x in range(20, 140)]
    assert any(line) and not all(line), "its line is broken, as that of nothing else"


def test_dialogs_questions_menus_and_lists_are_styled(window: MainWindow, themes: ThemeManager) -> None:
    def ground(widget: QWidget) -> str:
        return widget.grab().toImage().pixelColor(widget.width() // 2, 1).name()

    themes.set_mode(Mode.DARK)
    dialog = window.choose_engine()
    assert dialog.styleSheet() == build_stylesheet(DARK)
    themes.set_mode(Mode.LIGHT)
    assert dialog.styleSheet() == build_stylesheet(LIGHT), "open while the theme changed"
    dialog.reject()
    box = QMessageBox(QMessageBox.Icon.Question, "<b>Really?</b>", "<b>Really?</b>", parent=window)
    box.open()
    assert all(one.textFormat() is Qt.TextFormat.PlainText for one in box.findChildren(QLabel))
    assert all(one.height() == CONTROL_HEIGHT for one in box.findChildren(QPushButton))
    box.close()
    box.deleteLater()
    menu = window.menuBar().actions()[0].menu()
    assert isinstance(menu, QMenu)
    menu.ensurePolished()
    assert ground(menu) == LIGHT.surface.lower()
    tip = "<b>bold</b>"
    QToolTip.showText(QPoint(10, 10), tip, window.rail)
    (shown,) = (one for one in QApplication.topLevelWidgets() if isinstance(one, QLabel) and one.text() == tip)
    assert shown.textFormat() is Qt.TextFormat.PlainText
    assert shown.grab().toImage().pixelColor(2, 2).name() == LIGHT.text.lower()
    shown.close()
    shown.deleteLater()


def test_a_button_that_looks_otherwise_gets_the_room_for_that_look(window: MainWindow) -> None:
    """A quiet one has narrower sides, and kept their width once it had a frame again: its words were cut."""
    button = QPushButton("Suggest roles")
    line = QWidget(window.workspaces["data"])
    boxes.row(button, 1, inside=line)
    line.resize(400, CONTROL_HEIGHT)
    line.show()
    for quiet in (False, True, False):
        set_look(button, quiet=quiet)
        QApplication.processEvents()
        assert button.width() == button.sizeHint().width(), quiet
