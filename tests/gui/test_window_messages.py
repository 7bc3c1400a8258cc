"""Messages in the whole window: how long they stay, and that they move nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QPushButton,
    QToolButton,
)
from pytestqt.qtbot import QtBot

from tests.gui.window_steps import open_file, prepare, texts
from workbench.gui import message
from workbench.gui.main_window import MainWindow
from workbench.gui.workspaces.mechanisms import MechanismsWorkspace

pytestmark = pytest.mark.usefixtures("sampling")


class TestMessages:
    def test_what_was_done_goes_by_itself_and_what_is_wrong_stays(
        self, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(message, "_LASTS_MS", 20)
        monkeypatch.setattr(message, "_PER_LETTER_MS", 0)
        bar = window.messages
        read = bar.info("Under the mouse")
        read.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
        for show in (bar.success, bar.info):
            show("Done")
            qtbot.waitUntil(lambda: texts(window) == ["Under the mouse"])
        bar.warning("Mind this")
        bar.error("Wrong")
        read.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
        qtbot.waitUntil(lambda: texts(window) == ["Wrong", "Mind this"])
        bar.info("Do it?", action="Yes", callback=bar.clear)
        qtbot.wait(60)
        assert texts(window) == ["Do it?", "Wrong", "Mind this"]

    def test_what_could_be_read_in_a_room_is_not_said_of_the_next_one(
        self, window: MainWindow, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        window.show_workspace("data")
        bar = window.messages
        monkeypatch.setattr(message, "_LASTS_MS", 0)
        monkeypatch.setattr(message, "_PER_LETTER_MS", 0)
        bar.error("Wrong")
        bar.warning("Other values", key="values")
        bar.warning("The files are in a folder")
        window.show_workspace("data")
        assert texts(window)[0] == "The files are in a folder", "the room was not left"
        window.show_start()
        assert texts(window) == ["Other values", "Wrong"]
        bar.dismiss("values")
        bar.info("Take it back?", action="Yes", callback=bar.clear)
        window.show_workspace("release")
        window.show_start()
        assert texts(window) == ["Take it back?", "Wrong"]
        monkeypatch.setattr(message, "_LASTS_MS", 60_000)
        bar.warning("Nobody could read this")
        window.show_workspace("release")
        assert texts(window)[0] == "Nobody could read this"

    def test_what_a_step_took_away_comes_back_with_a_press_until_another_step(
        self, window: MainWindow, qtbot: QtBot
    ) -> None:
        window.show_workspace("mechanisms")
        document = window.document

        def choose() -> None:
            room = window.workspaces["mechanisms"]
            assert isinstance(room, MechanismsWorkspace)
            combo = room.settings.mechanism
            combo.setCurrentIndex(combo.findData("survey"))
            combo.activated.emit(combo.currentIndex())

        asked = replace(document.project.laboratory, prior="1 1 1 1 1 2")
        document.apply("ask", lambda session: session.audit.ask(asked))
        choose()
        assert texts(window)[0] == "Taken out: the prior, as named for the mechanism before."
        undo = next(one for one in window.messages.findChildren(QPushButton) if one.text() == "Undo")
        undo.click()
        assert document.project.laboratory == asked and texts(window) == []
        choose()
        assert texts(window)[0].startswith("Taken out")
        document.apply("claim", lambda session: session.audit.ask(replace(session.audit.settings, claim="1")))
        assert texts(window) == [], "undo would take back another step"

    def test_that_something_was_done_is_not_said_in_the_next_room(
        self, window: MainWindow, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        window.show_workspace("data")
        bar = window.messages
        monkeypatch.setattr(message, "_GLANCE_MS", 0)
        bar.info("Many words take longer to be read")
        bar.warning("The values are not public")
        bar.success("The chart was saved")
        window.show_workspace("release")
        assert texts(window) == ["The values are not public", "Many words take longer to be read"]
        monkeypatch.undo()
        bar.success("Built just before another room comes")
        window.show_workspace("data")
        assert texts(window)[0] == "Built just before another room comes"

    def test_the_one_with_the_focus_waits(
        self, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(message, "_LASTS_MS", 20)
        monkeypatch.setattr(message, "_PER_LETTER_MS", 0)
        done = window.messages.success("Done")
        done.findChildren(QToolButton)[0].setFocus()
        qtbot.wait(80)
        assert texts(window) == ["Done"]
        window.focus_rail()
        qtbot.waitUntil(lambda: not texts(window))

    def test_what_was_said_of_a_result_goes_with_its_settings(self, window: MainWindow, qtbot: QtBot) -> None:
        prepare(qtbot, window)
        window.messages.clear()
        window.document.noted.emit("success", "1,234 rows were written")
        window.document.noted.emit("warning", "Mind this")
        window.document.apply("level", lambda session: session.release.columns.set_level("salary", 2))
        assert texts(window) == ["Mind this"]
        open_file(qtbot, window)
        assert not texts(window)

    def test_never_move_the_page_nor_lie_over_it(self, window: MainWindow, qtbot: QtBot) -> None:
        before = window.stack.geometry()
        window.messages.warning("Something " * 60, "Do this.", action="Way out", callback=window.messages.clear)
        window.messages.error("Else")
        qtbot.waitUntil(window.messages.isVisible)
        QApplication.processEvents()
        assert window.stack.geometry() == before
        assert window.header.geometry().bottom() < before.top()
        window.messages.clear()
        QApplication.processEvents()
        assert window.stack.geometry() == before

    def test_the_others_are_reached_from_the_one_in_view(self, window: MainWindow, qtbot: QtBot) -> None:
        window.messages.warning("First")
        window.messages.error("Second")
        assert [one.text for one in window.messages.messages if one.isVisible()] == ["Second"]
        (more,) = (one for one in window.messages.findChildren(QPushButton) if one.text() == "1 more")
        more.click()
        assert [one.text for one in window.messages.messages if one.isVisible()] == ["First"]

    def test_the_whole_of_a_long_one_is_a_click_away_and_escape_puts_it_away(
        self, window: MainWindow, qtbot: QtBot
    ) -> None:
        window.messages.warning("Something " * 60)
        QApplication.processEvents()
        (details,) = (one for one in window.messages.findChildren(QPushButton) if one.text() == "Details")
        assert details.isVisible()
        details.click()
        (card,) = (one for one in window.findChildren(QFrame) if one.accessibleName() == "The whole message")
        assert card.isVisible() and window.rect().contains(card.geometry())
        qtbot.keyClick(card, Qt.Key.Key_Escape)
        assert not card.isVisible() and not details.isChecked() and window.focusWidget() is details
        details.click()
        qtbot.keyClick(details, Qt.Key.Key_Escape)
        cards = (one for one in window.findChildren(QFrame) if one.accessibleName() == "The whole message")
        assert not details.isChecked() and not any(one.isVisible() for one in cards)
        window.messages.warning("Short")
        QApplication.processEvents()
        shown = [one for one in window.messages.findChildren(QPushButton) if one.isVisible()]
        assert [one.text() for one in shown] == ["1 more"], "nothing more to say"

    def test_one_that_became_too_long_behind_another_is_still_a_click_away(
        self, window: MainWindow, qtbot: QtBot
    ) -> None:
        window.resize(1600, 800)
        QApplication.processEvents()
        window.messages.warning("Something that fits into a wide window, and in part into a narrow one, as it is long")
        QApplication.processEvents()
        (details,) = (one for one in window.messages.findChildren(QPushButton) if one.text() == "Details")
        assert not details.isVisible()
        window.messages.info("Short")
        window.resize(700, 800)
        QApplication.processEvents()
        window.messages.show_next()
        QApplication.processEvents()
        assert details.isVisible()
