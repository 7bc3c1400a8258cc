"""How the window starts: its first page, its rooms, and what is opened and kept."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QFileDialog,
    QLabel,
    QMessageBox,
    QPushButton,
)
from pytestqt.qtbot import QtBot

from tests.gui.frame_steps import AGES, CONTROL, all_settled, open_file
from tests.gui.helpers import PATIENCE_MS, put_off_is_done
from workbench.core.schema import PrivacyUnit, Role
from workbench.gui.dialogs import EXPORT_FIRST, tidy
from workbench.gui.main_window import MainWindow
from workbench.gui.next_step import Way
from workbench.gui.samples import SHOWN_FIRST, samples
from workbench.gui.settings import WindowSettings
from workbench.gui.widgets.page_line import spoken_time
from workbench.gui.workspaces.collect.workspace import CollectWorkspace
from workbench.gui.workspaces.compare.workspace import CompareWorkspace
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.release.workspace import ReleaseWorkspace
from workbench.project.recovery import Slot
from workbench.project.storage import load_project


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

    def test_cards_and_samples_are_in_one_place_whatever_was_opened(
        self, qtbot: QtBot, window: MainWindow, settings: WindowSettings, tmp_path: Path
    ) -> None:
        titles = [sample.title for sample in samples()[:SHOWN_FIRST]]

        def headings() -> list[str]:
            shown = [one for one in window.start.findChildren(QLabel) if one.isVisible()]
            return [one.text() for one in shown if one.text() in ("Recent", "Samples")]

        def places() -> list[QPoint]:
            lines = {one.text(): one for one in window.start.findChildren(QPushButton) if one.isVisible()}
            shown = (*window.start.cards, *(lines[title] for title in titles))
            return [one.mapTo(window.start, QPoint()) for one in shown]

        window.show_start()
        all_settled(qtbot, window)
        assert headings() == ["Samples"]
        window.resize(1024, 700)
        all_settled(qtbot, window)
        before = places()
        assert len({place.y() for place in before[-SHOWN_FIRST:]}) == 1, "the samples are one line"
        for number in range(4):
            settings.add_recent(tmp_path / f"{number}.csv")
            window.start.refresh()
            all_settled(qtbot, window)
            assert sorted(headings()) == ["Recent", "Samples"]
            assert places() == before and len(before) == len(window.start.cards) + SHOWN_FIRST

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

    def test_who_closes_after_an_export_is_told_what_stays_and_what_is_lost(
        self, qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        open_file(qtbot, window, AGES)
        window.document.apply("x", lambda session: session.data.set_unit(PrivacyUnit()))
        said: list[str] = []

        def answer(_parent: object, _title: str, text: str, *_: object) -> QMessageBox.StandardButton:
            said.append(text)
            return QMessageBox.StandardButton.Discard

        monkeypatch.setattr(QMessageBox, "question", answer)
        for exported in (False, True):
            monkeypatch.setattr("workbench.gui.project_files.is_done", lambda _, exported=exported: exported)
            assert window.files.may_leave()
        assert said == [
            "This project was not saved. What was released stays in the ledger either way.",
            "The settings and hierarchies are not saved. The exported files stay, and the release is in the ledger.",
        ]

    def test_the_first_step_is_named_before_any_room_is_made(self) -> None:
        assert Way().step("", {}) == ("Publish a table", "data", ""), "as the card that does the same"
        assert Way().step("data", {}) == ("", "", "")

    def test_the_next_step_is_not_that_of_the_room_that_was_left(
        self, qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        open_file(qtbot, window, AGES)
        data = window.workspaces["data"]
        monkeypatch.setattr(data, "next_hint", lambda: "Here" if data.isVisible() else "From elsewhere")
        window.show_workspace("data")
        for show, said in ((lambda: window.show_workspace("data"), "Here"), (window.show_start, "From elsewhere")):
            show()
            put_off_is_done(qtbot, window)
            (step,) = (one for one in window.rail.findChildren(QPushButton) if one.accessibleName().startswith("Next"))
            assert step.accessibleName() == f"Next: {said}"

    def test_is_one_click_away_from_every_room_and_back(self, qtbot: QtBot, window: MainWindow) -> None:
        window.show_workspace("mechanisms")
        qtbot.keyClick(window, Qt.Key.Key_0, CONTROL)
        assert window.start.isVisible() and window.rail.current == "" and window.header.lock == ""
        qtbot.keyClick(window, Qt.Key.Key_8, CONTROL)
        assert window.rail.current == "mechanisms" and not window.start.isVisible()
        assert window.rail.start.isVisible()
        qtbot.mouseClick(window.rail.start, Qt.MouseButton.LeftButton)
        assert window.start.isVisible() and window.rail.current == ""
        assert not window.rail.start.isVisible(), "who is there is not led there"

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

    @pytest.mark.parametrize("another", [False, True])
    def test_publishing_says_with_which_table_and_goes_there_by_one_press(
        self, qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, another: bool
    ) -> None:
        monkeypatch.setattr(QMessageBox, "exec", lambda _: pytest.fail("the card says it"))
        window.show_start()
        assert window.start.cards[0].accessibleDescription() == "Coarser rows, such as 30–39 for 34."
        assert not window.start.another.isVisible()
        open_file(qtbot, window)
        chosen: list[object] = []
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (chosen.append(given), ("", ""))[1])
        window.show_start()
        assert window.start.cards[0].accessibleDescription() == "Go on with ages.csv."
        assert any(one.text() == "Go on with ages.csv." for one in window.start.cards[0].findChildren(QLabel))
        if another:
            qtbot.mouseClick(window.start.another, Qt.MouseButton.LeftButton)
        else:
            qtbot.keyClick(window.start.cards[0], Qt.Key.Key_Return)
        assert len(chosen) == another
        assert window.rail.current == ("" if another else "data")

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
        other = tmp_path / "wards.csv"
        other.write_text("ward,cost\nA,1\nB,2\n")
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(other), ""))
        asked: list[str] = []

        def answer(_parent: object, _title: str, text: str, *_: object) -> QMessageBox.StandardButton:
            asked.append(text)
            return QMessageBox.StandardButton.Save if saves else QMessageBox.StandardButton.Discard

        monkeypatch.setattr(QMessageBox, "question", answer)
        monkeypatch.setattr(QMessageBox, "exec", lambda _: pytest.fail("it was asked once"))
        window.show_start()
        qtbot.mouseClick(window.start.another, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: "ward" in window.document.project.schema.names, timeout=PATIENCE_MS)
        all_settled(qtbot, window)
        if never_saved:
            assert not asked and len(Slot().kept_aside()) == 1, "it has no file, and nobody is asked for one"
            return
        (question,) = asked
        assert question.startswith("A new project begins with wards.csv.") and not Slot().kept_aside()
        assert (load_project(project).schema["age"].role is Role.QUASI) is saves

    def test_a_drawn_release_is_not_called_kept_and_can_be_exported_first(
        self, qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        open_file(qtbot, window)
        lost = "A release was drawn and not exported: no project keeps its rows."
        monkeypatch.setattr(type(window.document.session.release), "lost_with_it", property(lambda _: lost))
        window.show_start()
        words = window.start.stays.full_text
        assert words.endswith("no project keeps a release not exported.") and "kept" not in words
        asked: list[str] = []

        def answer(_parent: object, _title: str, text: str, buttons: object, usual: object) -> object:
            asked.append(text)
            return usual

        monkeypatch.setattr(QMessageBox, "question", answer)
        before = window.document.session
        window.start.sample_chosen.emit(AGES)
        qtbot.waitUntil(lambda: bool(asked), timeout=PATIENCE_MS)
        all_settled(qtbot, window)
        assert asked[0].startswith(lost) and window.document.session is before
        assert window.rail.current == "release", "where it is exported"
        shown: list[str] = []

        def look(box: QMessageBox) -> int:
            tidy(box)
            shown.extend(one.text().replace("&", "") for one in box.buttons())
            return 0

        monkeypatch.setattr(QMessageBox, "exec", look)
        box = QMessageBox()
        box.setStandardButtons(EXPORT_FIRST | QMessageBox.StandardButton.Cancel)
        box.exec()
        assert "Export first" in shown
        monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)

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


def test_the_first_page_stands_alone_and_the_rail_goes_nowhere_by_itself(qtbot: QtBot, window: MainWindow) -> None:
    window.show_workspace("data")
    data = window.workspaces["data"]
    data.focus_first()
    window.show_start()
    assert window.stack.currentWidget() is window.start and window.rail.current == ""
    assert not data.isVisible(), "no room lies below it"
    window.focus_rail()
    assert window.stack.currentWidget() is window.start and window.rail.current == ""
