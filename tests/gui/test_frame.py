"""What holds in every room because the frame does it: keys, explanations, the first size, the start page."""

from __future__ import annotations

import gc
from collections import Counter
from datetime import datetime
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

from tests.gui.helpers import PATIENCE_MS, OnScreen
from workbench.core.paths import sample_data
from workbench.core.schema import Role
from workbench.gui import placing, tokens
from workbench.gui.main_window import MainWindow
from workbench.gui.placing import first_size
from workbench.gui.reference_dialog import ReferenceDialog
from workbench.gui.settings import WindowSettings
from workbench.gui.start_page import spoken_time
from workbench.gui.theme import Theme, ThemeManager, colour
from workbench.gui.widgets.inputs import Slider
from workbench.gui.widgets.named_choices import name_choices
from workbench.gui.workspaces.collect.workspace import CollectWorkspace
from workbench.gui.workspaces.compare.workspace import CompareWorkspace
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.release.workspace import ReleaseWorkspace
from workbench.project.recovery import Slot
from workbench.project.storage import load_project

AGES = sample_data() / "ages.csv"
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def all_settled(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: all(room.settled for room in window.workspaces.values()), timeout=PATIENCE_MS)


def open_file(qtbot: QtBot, window: MainWindow, path: Path = AGES) -> None:
    window.open_path(path)
    qtbot.waitUntil(lambda: window.document.has_data, timeout=PATIENCE_MS)
    all_settled(qtbot, window)


class TestStart:
    def test_recent_files_are_on_the_page_with_when_and_open(
        self, qtbot: QtBot, window: MainWindow, settings: WindowSettings, tmp_path: Path
    ) -> None:
        gone = tmp_path / "gone.csv"
        settings.add_recent(gone)
        settings.add_recent(AGES)
        window.show_start()
        all_settled(qtbot, window)
        lines = {one.text(): one for one in window.start.findChildren(QPushButton) if one.isVisible()}
        assert lines["gone.csv · not there now"].isEnabled() is False
        (recent,) = (line for text, line in lines.items() if text.startswith("ages.csv · "))
        assert recent.text().startswith("ages.csv · today"), "when it was opened, not when it was written"
        recent.click()
        qtbot.waitUntil(lambda: window.document.has_data, timeout=PATIENCE_MS)
        all_settled(qtbot, window)
        assert window.rail.current == "data" and not window.start.isVisible()

    def test_a_recent_file_nobody_here_may_look_for_is_not_there_and_the_others_are_shown(
        self,
        qtbot: QtBot,
        window: MainWindow,
        settings: WindowSettings,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        locked, exists = tmp_path / "locked" / "table.csv", Path.exists

        def looked(path: Path) -> bool:
            if path.name == locked.name:
                raise PermissionError(13, "Permission denied")
            return exists(path)

        monkeypatch.setattr(Path, "exists", looked)
        settings.add_recent(locked)
        settings.add_recent(AGES)
        window.show_start()
        all_settled(qtbot, window)
        lines = {one.text(): one.isEnabled() for one in window.start.findChildren(QPushButton) if one.isVisible()}
        assert lines["table.csv · not there now"] is False
        assert any(text.startswith("ages.csv · today") and enabled for text, enabled in lines.items())

    def test_is_one_click_away_from_every_room_and_back(self, qtbot: QtBot, window: MainWindow) -> None:
        window.show_workspace("mechanisms")
        qtbot.keyClick(window, Qt.Key.Key_0, CONTROL)
        assert window.start.isVisible() and window.rail.current == "" and window.header.lock == ""
        qtbot.keyClick(window, Qt.Key.Key_8, CONTROL)
        assert window.rail.current == "mechanisms" and not window.start.isVisible()
        qtbot.mouseClick(window.rail.start, Qt.MouseButton.LeftButton)
        assert window.start.isVisible() and window.rail.current == ""

    @pytest.mark.parametrize(("title", "room"), [("Plan a survey", "collect"), ("Study privacy", "compare")])
    def test_leads_to_where_no_table_is_needed(self, qtbot: QtBot, window: MainWindow, title: str, room: str) -> None:
        window.show_start()
        (card,) = (one for one in window.start.cards if one.accessibleName() == title)
        qtbot.keyClick(card, Qt.Key.Key_Return)
        assert window.rail.current == room
        all_settled(qtbot, window)
        collect = window.workspaces["collect"]
        assert isinstance(collect, CollectWorkspace)
        assert room != "collect" or collect.question.values.hasFocus(), "its answers are typed next"

    @pytest.mark.parametrize("room", ["query", "anonymise"])
    def test_a_table_that_a_room_asks_for_leads_back_to_it(
        self, qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, room: str
    ) -> None:
        path = tmp_path / "wards.csv"
        path.write_text("ward,cost\nA,1\nB,2\n")
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
        window.show_workspace(room)
        window.workspaces[room].open_requested.emit()
        qtbot.waitUntil(lambda: window.document.has_data, timeout=PATIENCE_MS)
        data = window.workspaces["data"]
        assert isinstance(data, DataWorkspace)
        qtbot.waitUntil(lambda: window.rail.current == "data" and data.protected.asks, timeout=PATIENCE_MS)
        data.protected.every_row.click()
        qtbot.waitUntil(lambda: window.rail.current == room, timeout=PATIENCE_MS)

    @pytest.mark.parametrize("room", ["query", "collect"])
    def test_a_file_that_is_opened_in_a_room_about_a_table_leads_back_to_it(
        self, qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, room: str
    ) -> None:
        window.select_and_focus(room)
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(AGES), ""))
        window.choose_file()
        data = window.workspaces["data"]
        assert isinstance(data, DataWorkspace)
        qtbot.waitUntil(lambda: window.document.has_data and data.protected.asks, timeout=PATIENCE_MS)
        assert window.rail.current == "data", "who is protected is said first"
        data.protected.every_row.click()
        qtbot.waitUntil(lambda: window.rail.current == room, timeout=PATIENCE_MS)
        all_settled(qtbot, window)
        # Whoever thinks better of the dialog is led nowhere by what they do later.
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
        window.choose_file()
        window.select_and_focus("data")
        window.document.apply("Role", lambda session: session.data.set_role(["age"], Role.QUASI))
        all_settled(qtbot, window)
        assert window.rail.current == "data"

    @pytest.mark.parametrize("by_link", [True, False])
    def test_a_table_is_opened_in_compare_and_asked_about_there(
        self, qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, by_link: bool
    ) -> None:
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(AGES), ""))
        window.select_and_focus("compare")
        all_settled(qtbot, window)
        room = window.workspaces["compare"]
        assert isinstance(room, CompareWorkspace)
        asks = room.view.question
        assert asks.of_table.isVisible()
        if by_link:
            qtbot.mouseClick(asks.of_table, Qt.MouseButton.LeftButton)
        else:
            window.choose_file()
        qtbot.waitUntil(lambda: window.document.has_data, timeout=PATIENCE_MS)
        all_settled(qtbot, window)
        assert window.rail.current == "compare" and room.pages.currentWidget() is room.view
        assert asks.column.currentData() == "age" and asks.of_table.text() == "Another table…"
        assert not window.document.looked and not room.view.can_run, "its bounds are typed by the person"

    def test_a_table_of_other_columns_is_asked_about_in_compare_though_its_project_is_another(
        self, qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        pay = tmp_path / "pay.csv"
        pay.write_text("pay,unit\n" + "".join(f"{100 + i},{'ab'[i % 2]}\n" for i in range(300)), encoding="utf-8")
        open_file(qtbot, window)
        window.select_and_focus("compare")
        all_settled(qtbot, window)
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(pay), ""))
        monkeypatch.setattr(window.opener, "_may_leave", lambda _words: True)  # it need not be saved
        before = window.workspaces["compare"]
        assert isinstance(before, CompareWorkspace)
        before.view.question.of_table.click()
        qtbot.waitUntil(lambda: "pay" in window.document.project.schema.names, timeout=PATIENCE_MS)
        all_settled(qtbot, window)
        room = window.workspaces["compare"]
        assert isinstance(room, CompareWorkspace) and room is not before, "it is another project"
        assert window.rail.current == "compare" and room.pages.currentWidget() is room.view
        assert room.view.question.column.currentData() == "pay" and not room.awaits_table
        assert window.focusWidget() is room.view.question.bounds.numbers[0].edit, "what is lacking is typed at once"

    @pytest.mark.parametrize("answer", ["every_row", "persons"])
    def test_who_was_sent_from_compare_to_say_who_is_protected_comes_back(
        self, qtbot: QtBot, window: MainWindow, tmp_path: Path, answer: str
    ) -> None:
        visits = tmp_path / "visits.csv"
        visits.write_text("patient,charge\n" + "".join(f"p{i % 70:03},{100 + i % 50}\n" for i in range(200)))
        open_file(qtbot, window, visits)
        window.select_and_focus("compare")
        room, data = window.workspaces["compare"], window.workspaces["data"]
        assert isinstance(room, CompareWorkspace) and isinstance(data, DataWorkspace)
        room.view.basis.who_wanted.emit()
        assert window.rail.current == "data" and data.protected.asks
        getattr(data.protected, answer).click()
        qtbot.waitUntil(lambda: window.rail.current == "compare", timeout=PATIENCE_MS)
        assert [one.text for one in window.messages.messages] == ["On to Compare: the table was opened for it."]
        window.show_workspace("query")
        assert not window.messages.messages, "it is of the room that was gone to"
        window.show_workspace("data")
        all_settled(qtbot, window)
        assert window.rail.current == "data", "and only once"

    @pytest.mark.parametrize("room", ["compare", "query"])
    def test_nobody_is_taken_away_before_it_is_said_how_many_rows_a_person_can_have(
        self, qtbot: QtBot, window: MainWindow, room: str
    ) -> None:
        open_file(qtbot, window)
        window.select_and_focus(room)
        window.reach("data", "person")
        data = window.workspaces["data"]
        assert isinstance(data, DataWorkspace)
        data.protected.several_rows.click()
        all_settled(qtbot, window)
        assert window.rail.current == "data" and data.protected.rows.isVisible()

    def test_a_question_begins_with_its_table_and_ends_where_it_is_asked(
        self, qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
        window.show_start()
        (card,) = (one for one in window.start.cards if one.accessibleName() == "Answer a question")
        qtbot.keyClick(card, Qt.Key.Key_Space)
        assert window.start.isVisible(), "nothing was chosen"
        open_file(qtbot, window)
        assert window.rail.current == "data", "the wish was given up with the dialog"
        window.show_start()
        qtbot.keyClick(card, Qt.Key.Key_Space)
        data = window.workspaces["data"]
        assert isinstance(data, DataWorkspace)
        assert window.rail.current == "data" and data.protected.asks, "it is about persons, who come first"
        data.protected.every_row.click()
        qtbot.waitUntil(lambda: window.rail.current == "query", timeout=PATIENCE_MS)
        window.show_start()
        qtbot.keyClick(card, Qt.Key.Key_Space)
        assert window.rail.current == "query", "said once"
        window.select_and_focus("data")
        window.document.apply("Role", lambda session: session.data.set_role(["age"], Role.QUASI))
        all_settled(qtbot, window)
        assert window.rail.current == "data", "whoever is there by themselves stays there"

    @pytest.mark.parametrize(("button", "asked"), [("Go on with it", 0), ("Open another…", 1), ("Cancel", 0)])
    def test_publishing_asks_which_table_where_one_is_open(
        self, qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, button: str, asked: int
    ) -> None:
        open_file(qtbot, window)
        chosen: list[object] = []
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (chosen.append(given), ("", ""))[1])

        def answer(box: QMessageBox) -> int:
            next(one for one in box.buttons() if one.text().replace("&", "") == button).click()
            return 0

        monkeypatch.setattr(QMessageBox, "exec", answer)
        window.show_start()
        qtbot.keyClick(window.start.cards[0], Qt.Key.Key_Return)
        assert len(chosen) == asked
        assert window.rail.current == ("data" if button == "Go on with it" else "")

    @pytest.mark.parametrize("never_saved", [False, True])
    @pytest.mark.parametrize("saves", [False, True])
    def test_before_another_table_takes_the_place_of_unsaved_work_one_question_is_asked(
        self,
        qtbot: QtBot,
        window: MainWindow,
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
        saves: bool,
        never_saved: bool,
    ) -> None:
        open_file(qtbot, window)
        project = tmp_path / "own.wbench"
        assert never_saved or window.document.save(project)
        window.document.apply("Role", lambda session: session.data.set_role(["age"], Role.QUASI))
        other, kept = tmp_path / "wards.csv", tmp_path / "kept.wbench"
        other.write_text("ward,cost\nA,1\nB,2\n")
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(other), ""))
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(kept), ""))
        monkeypatch.setattr(QMessageBox, "question", lambda *_: pytest.fail("it was asked once"))
        asked: list[str] = []

        def answer(box: QMessageBox) -> int:
            asked.append(box.informativeText())
            wanted = "Save, then open another…" if saves else "Open another, don’t save…"
            wanted = "Open another…" if never_saved else wanted
            next(one for one in box.buttons() if one.text().replace("&", "") == wanted).click()
            return 0

        monkeypatch.setattr(QMessageBox, "exec", answer)
        window.show_start()
        qtbot.keyClick(window.start.cards[0], Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: "ward" in window.document.project.schema.names, timeout=PATIENCE_MS)
        all_settled(qtbot, window)
        if never_saved:
            assert asked == ["Another table takes its place. What you said of it is kept on the start page."]
            assert len(Slot().kept_aside()) == 1 and not kept.exists(), "it has no file, and nobody is asked for one"
            return
        assert asked == ["What you said of it is not saved. Another table takes its place."]
        assert not Slot().kept_aside() and not kept.exists()
        assert (load_project(project).schema["age"].role is Role.QUASI) is saves

    def test_who_has_published_a_table_is_asked_for_the_next_at_once(
        self, qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        open_file(qtbot, window)
        chosen: list[object] = []
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (chosen.append(given), ("", ""))[1])
        monkeypatch.setattr(QMessageBox, "exec", lambda _: pytest.fail("nothing would be lost"))
        monkeypatch.setattr(type(window.document.session.release), "exported", property(lambda _: {"draw": object()}))
        window.show_start()
        qtbot.keyClick(window.start.cards[0], Qt.Key.Key_Return)
        assert len(chosen) == 1 and window.document.has_data, "what is open stays until a file is chosen"

    def test_another_table_to_publish_goes_the_whole_way_again(
        self, qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        open_file(qtbot, window)
        window.select_and_focus("release")
        release = window.workspaces["release"]
        assert isinstance(release, ReleaseWorkspace)
        other = tmp_path / "wards.csv"
        other.write_text("ward,cost\nA,1\nB,2\n")
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(other), ""))
        monkeypatch.setattr(window.opener, "_may_leave", lambda _words: True)  # it need not be saved
        release.export.written.another.click()
        qtbot.waitUntil(lambda: "ward" in window.document.project.schema.names, timeout=PATIENCE_MS)
        all_settled(qtbot, window)
        data = window.workspaces["data"]
        assert isinstance(data, DataWorkspace) and window.rail.current == "data" and data.protected.asks
        data.protected.every_row.click()
        all_settled(qtbot, window)
        assert window.rail.current == "data", "its columns get their roles before anything is released"

    @pytest.mark.parametrize(("button", "planned"), [("Go on with it", False), ("Plan without a table", True)])
    def test_a_survey_is_planned_without_the_table_that_is_open(
        self, qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, button: str, planned: bool
    ) -> None:
        open_file(qtbot, window)
        document, said = window.document, list[str]()
        assert document.apply("ask", lambda session: session.collection.ask_about("age"))
        before = document.project.collect

        def answer(box: QMessageBox) -> int:
            said.append(box.informativeText())
            next(one for one in box.buttons() if one.text().replace("&", "") == button).click()
            return 0

        monkeypatch.setattr(QMessageBox, "exec", answer)
        window.show_start()
        (card,) = (one for one in window.start.cards if one.accessibleName() == "Plan a survey")
        qtbot.keyClick(card, Qt.Key.Key_Return)
        all_settled(qtbot, window)
        assert window.rail.current == "collect" and document.has_data, "the table stays open"
        assert "The plan of “age” gives way to it, and Undo brings that back." in said[0]
        assert document.session.collection.without_table == planned
        room = window.workspaces["collect"]
        assert isinstance(room, CollectWorkspace)
        assert room.question.values.isVisible() == planned, "where answers are typed"
        if planned:
            assert document.apply("more", lambda session: session.collection.change(users=77))
            window.show_start()
            qtbot.keyClick(card, Qt.Key.Key_Return)
            assert document.project.collect.users == 77 and "gives way" not in said[1], "it is gone on with"
            document.undo_stack.undo()
            document.undo_stack.undo()
        assert document.project.collect == before

    def test_who_checks_a_file_is_asked_for_it_at_once(
        self, window: MainWindow, settings: WindowSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings.add_recent(tmp_path / "table.csv")
        chosen: list[str] = []
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (chosen.append(given[2]), ("", ""))[1])
        window.show_start()
        window.start.cards[-1].activated.emit()
        assert chosen == [str(tmp_path)]

    def test_says_when_as_one_does(self) -> None:
        now = datetime(2026, 3, 1, 9, 30)
        assert spoken_time(datetime(2026, 3, 1, 8, 5), now) == "today 08:05"
        assert spoken_time(datetime(2026, 2, 28, 23, 59), now) == "yesterday"
        assert spoken_time(datetime(2025, 12, 31), now) == "2025-12-31"


class TestExplain:
    def test_lies_over_the_page_where_there_is_no_room_and_never_narrows_it(
        self, qtbot: QtBot, window: MainWindow
    ) -> None:
        window.resize(1280, 800)
        assert not window.explain.isVisible(), "over the page it is shown when it is asked for"
        before = window.stack.geometry()
        qtbot.keyClick(window, Qt.Key.Key_F1)
        assert window.explain.isVisible() and window.stack.geometry() == before
        qtbot.keyClick(window, Qt.Key.Key_Escape)
        assert not window.explain.isVisible()

    def test_is_put_away_from_over_a_page_with_that_page(self, qtbot: QtBot, window: MainWindow) -> None:
        for width, stays in ((1280, False), (1600, True)):
            window.resize(width, 800)
            window.rail.select("data")
            if not window.explain.isVisible():
                window.toggle_explain()
            window.rail.select("release")
            assert window.explain.isVisible() is stays

    def test_has_a_button_above_every_room(self, qtbot: QtBot, window: MainWindow) -> None:
        window.resize(1280, 800)
        for shown in (True, False):
            qtbot.mouseClick(window.header.explain, Qt.MouseButton.LeftButton)
            assert window.explain.isVisible() is shown

    def test_opens_after_a_start_with_it_closed(
        self, qtbot: QtBot, qapp: QApplication, window: MainWindow, settings: WindowSettings
    ) -> None:
        themes = ThemeManager(qapp, settings)
        wide = MainWindow(settings, themes)
        qtbot.addWidget(wide)
        wide.resize(1600, 900)
        wide.show()
        assert wide.explain.isVisible() and not wide.explaining.is_over, "there is room from the start"
        wide.resize(1280, 800)
        assert not wide.explain.isVisible()
        wide.resize(1600, 900)
        assert wide.explain.isVisible(), "nobody closed it"
        wide.close()
        window.resize(1600, 900)
        assert not window.explain.isVisible(), "a window that grows opens nothing"
        window.toggle_explain()
        assert window.explain.isVisible()
        window.explain.close_button.click()
        assert not window.explain.isVisible()
        settings.remember_window(window)
        other = MainWindow(settings, themes)
        qtbot.addWidget(other)
        other.show()
        other.resize(1600, 900)
        assert not other.explain.isVisible()
        other.toggle_explain()
        QApplication.processEvents()
        assert other.explain.isVisible() and other.explain.width() >= tokens.EXPLAIN_WIDTH // 2
        other.close()
        qapp.styleHints().colorSchemeChanged.disconnect(themes._follow_system)

    def test_what_is_open_over_the_page_stays_open_in_a_window_that_grows(self, window: MainWindow) -> None:
        window.resize(1280, 800)
        window.toggle_explain()
        window.resize(1600, 900)
        assert window.explain.isVisible() and not window.explaining.is_over


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
    window.show_workspace("data")
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


def test_the_first_page_stands_alone_and_the_rail_goes_nowhere_by_itself(qtbot: QtBot, window: MainWindow) -> None:
    window.show_workspace("data")
    data = window.workspaces["data"]
    data.focus_first()
    window.show_start()
    assert window.stack.currentWidget() is window.start and window.rail.current == ""
    assert not data.isVisible(), "no room lies below it"
    window.focus_rail()
    assert window.stack.currentWidget() is window.start and window.rail.current == ""
