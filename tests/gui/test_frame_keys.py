"""Sizes, keys, dialogs and menus of the window."""

from __future__ import annotations

import gc
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QSize, Qt, QUrl
from PySide6.QtGui import QAccessible, QAction, QColor, QDesktopServices, QWheelEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPushButton,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.gui.frame_steps import CONTROL, SHIFT, all_settled, open_file
from tests.gui.helpers import PATIENCE_MS, OnScreen
from workbench.gui import placing, tokens
from workbench.gui.main_window import MainWindow
from workbench.gui.placing import first_size
from workbench.gui.reference_dialog import ReferenceDialog
from workbench.gui.settings import WindowSettings
from workbench.gui.theme import Theme, colour
from workbench.gui.widgets.inputs import Slider
from workbench.gui.widgets.named_choices import name_choices
from workbench.gui.workspaces.data import DataWorkspace


def test_the_first_window_fits_a_screen_with_its_frame() -> None:
    assert first_size(QSize(1920, 1080)) == QSize(1280, 800)
    for screen in (QSize(1280, 800), QSize(1024, 700)):
        size = first_size(screen)
        assert size.width() <= screen.width() - 10 and size.height() <= screen.height() - 40


def test_the_window_may_be_as_small_as_a_small_screen_inside_a_frame(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    for key in window.workspaces:
        window.show_workspace(key)
        all_settled(qtbot, window)
        window.resize(1008, 652)
        QApplication.processEvents()
        assert (window.width(), window.height()) == (1008, 652), key


def test_the_file_dialog_of_qt_fits_the_screen(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(placing, "free", lambda _: QSize(1024, 700))
    dialog = QFileDialog(window)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.show()
    qtbot.waitUntil(dialog.isVisible, timeout=PATIENCE_MS)
    QApplication.processEvents()
    assert dialog.height() <= 700 * 2 / 3, "the window is seen behind it"
    dialog.resize(900, 2_000)
    assert dialog.height() == 700 - tokens.FRAME_TITLE - tokens.FRAME_EDGE, "whoever wants more has it"
    dialog.reject()


def test_the_file_dialog_of_qt_has_icons_of_the_theme_also_over_another_dialog(
    qtbot: QtBot, window: MainWindow
) -> None:
    over = QDialog(window)
    over.show()
    qtbot.waitUntil(over.isVisible, timeout=PATIENCE_MS)
    for parent in (window, over):
        dialog = QFileDialog(parent)
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.show()
        qtbot.waitUntil(dialog.isVisible, timeout=PATIENCE_MS)
        for name in ("backButton", "forwardButton", "toParentButton"):
            tool = dialog.findChild(QToolButton, name)
            assert tool is not None
            drawn = tool.icon().pixmap(32).toImage()
            seen = {
                drawn.pixelColor(x, y).name()
                for x in range(32)
                for y in range(32)
                if drawn.pixelColor(x, y).alpha() > 250
            }
            assert QColor(colour("text")).name() in seen, (parent, name)
        box = dialog.findChild(QDialogButtonBox)
        assert box is not None and all(button.icon().isNull() for button in box.buttons())
        dialog.reject()
    over.reject()


def test_undo_is_the_documents_where_a_field_has_nothing_open(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    document, stack = window.document, window.document.undo_stack
    before = document.project.queries.draft.epsilon
    window.show_workspace("query")
    all_settled(qtbot, window)
    field = next(one for one in window.findChildren(QLineEdit) if one.isVisible() and one.text() == before)
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "0.25")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    all_settled(qtbot, window)
    assert document.project.queries.draft.epsilon == "0.25"
    steps = stack.count()
    qtbot.keyClick(field, Qt.Key.Key_Z, CONTROL)
    assert document.project.queries.draft.epsilon == before and stack.count() == steps and stack.canRedo()
    for number in ("1", "5"):
        qtbot.keyClick(window, number, CONTROL)
    all_settled(qtbot, window)
    assert stack.canRedo(), "to go to another room is no step"
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Z, CONTROL | SHIFT)
    assert document.project.queries.draft.epsilon == "0.25"
    all_settled(qtbot, window)


def test_keys_hold_no_action_of_a_field(qtbot: QtBot, window: MainWindow) -> None:
    """Rooms are made anew for each project: what Python held of their fields would stay for ever."""
    open_file(qtbot, window)
    window.show_workspace("compare")
    all_settled(qtbot, window)
    held = Counter(type(one.parent()) for one in gc.get_objects() if type(one) is QAction)
    field = next(one for one in window.findChildren(QLineEdit) if one.isVisible())
    field.setFocus()
    qtbot.keyClicks(field, "20")
    after = Counter(type(one.parent()) for one in gc.get_objects() if type(one) is QAction)
    assert after == held


def test_enter_presses_the_button_that_has_the_focus(qtbot: QtBot, window: MainWindow) -> None:
    window.show_workspace("hierarchies")
    button = window.workspaces["hierarchies"].empty.primary_button
    assert button is not None
    pressed: list[bool] = []
    button.clicked.disconnect()
    button.clicked.connect(lambda: pressed.append(True))
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
        qtbot.keyClick(button, key)
    assert len(pressed) == 3


def test_the_wheel_moves_no_slider_that_has_no_focus(qtbot: QtBot, on_screen: OnScreen) -> None:
    page = QWidget()
    slider, other = Slider("Level", page), QPushButton("Other", page)
    other.move(0, 60)
    slider.setRange(0, 100)
    slider.setValue(50)
    on_screen(page)
    page.activateWindow()

    def turn() -> None:
        at = QPointF(slider.rect().center())
        wheel = QWheelEvent(
            at,
            slider.mapToGlobal(at),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(slider, wheel)

    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    turn()
    assert slider.value() == 50
    slider.setFocus()
    qtbot.waitUntil(slider.hasFocus)
    turn()
    assert slider.value() != 50


def test_text_becomes_larger_at_once_and_stays_so(
    qtbot: QtBot, qapp: QApplication, window: MainWindow, settings: WindowSettings
) -> None:
    open_file(qtbot, window)
    data = window.workspaces["data"]
    assert isinstance(data, DataWorkspace)
    table, rail = data.table, window.rail
    sizes = [table.rowHeight(0), table.font().pixelSize(), table.horizontalHeader().height(), rail.width()]
    assert sizes == [26, 13, 30, 200]
    dialog = window.show_preferences()
    before = window.menuBar().fontMetrics().height()
    dialog.text_size.choose(18)
    dialog.text_size.activated.emit(dialog.text_size.currentIndex())
    assert window.menuBar().fontMetrics().height() > before
    # A room takes off one sheet and puts the other on in passes of their own.
    wanted = f"font-size: {tokens.FONT_HEADING_1}px"
    qtbot.waitUntil(lambda: wanted in window.stack.currentWidget().styleSheet(), timeout=PATIENCE_MS)
    assert settings.value("text_size") == 18
    assert [table.rowHeight(0), table.font().pixelSize(), table.horizontalHeader().height()] == [36, 18, 42]
    assert rail.width() == 264
    dialog.text_size.choose(13)
    dialog.text_size.activated.emit(dialog.text_size.currentIndex())
    assert window.menuBar().fontMetrics().height() == before
    qtbot.waitUntil(lambda: table.rowHeight(0) == sizes[0] and rail.width() == sizes[-1], timeout=PATIENCE_MS)
    assert sizes == [table.rowHeight(0), table.font().pixelSize(), table.horizontalHeader().height(), rail.width()]
    dialog.close()


def test_words_and_keys_can_be_looked_up(qtbot: QtBot, window: MainWindow) -> None:
    window.show_glossary()
    all_settled(qtbot, window)
    (words,) = window.findChildren(ReferenceDialog)
    assert any(word == "δ" or "δ" in word for word, _ in words.shown)
    everything = len(words.shown)
    words.search.setText("trimming")
    assert 0 < len(words.shown) < everything
    assert all("trimm" in f"{word} {meaning}".casefold() for word, meaning in words.shown)
    words.close()
    keys = window.show_shortcuts()
    told = dict(keys.shown)
    assert told["Ctrl+3"] == "Anonymise" and told["Ctrl+S"] == "Save project"
    assert any("F5" in one for one in told) and any("Ctrl+Enter" in one for one in told)
    keys.close()


def test_the_manual_opens_from_the_menu_without_a_network(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path] = []

    def show(url: QUrl) -> bool:
        assert url.isLocalFile()
        opened.append(Path(url.toLocalFile()))
        return len(opened) == 1

    monkeypatch.setattr(QDesktopServices, "openUrl", show)
    menu = next(one.menu() for one in window.menuBar().actions() if one.text() == "&Help")
    assert isinstance(menu, QMenu)
    manual = next(one for one in menu.actions() if one.text() == "&Manual")
    manual.trigger()
    assert opened[0].is_file() and not window.messages.messages
    manual.trigger()
    (message,) = window.messages.messages
    assert message.text == "The manual could not be opened." and str(opened[0]) in message.hint


def test_dialogs_wear_the_icons_of_the_window(qtbot: QtBot, window: MainWindow) -> None:
    buttons = QMessageBox.StandardButton
    box = QMessageBox(QMessageBox.Icon.Question, "Title", "Text", buttons.Save | buttons.Discard, window)
    box.show()
    assert all(button.icon().isNull() for button in box.buttons())
    assert box.button(buttons.Discard).text().replace("&", "") == "Don’t save"
    assert not box.iconPixmap().isNull()
    box.close()


def test_screen_readers_are_told_the_name_of_a_choice(qtbot: QtBot, light: Theme) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    box = QComboBox(page)
    box.addItems(["Count", "Mean"])
    box.setAccessibleName("Statistic")
    for _ in range(2):
        name_choices(page)
    labels = QAccessible.queryAccessibleInterface(box).relations(QAccessible.RelationFlag.Label)
    assert [one.text(QAccessible.Text.Name) for one, _ in labels] == ["Statistic"]
