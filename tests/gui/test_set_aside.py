"""Work that was never saved gives way to other work in one way, and comes back as it was left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from tests.gui.helpers import data_is_there
from tests.gui.test_recovery import Window, all_kept, project, window
from workbench.anonymise.terms import PEOPLE_NOT_TOLD
from workbench.core.schema import PrivacyUnit, Role, UnitAnswer
from workbench.gui.main_window import MainWindow
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.eliding_button import ElidingButton
from workbench.project.recovery import Slot
from workbench.project.said_beside import SaidBeside
from workbench.project.storage import add_histories, save_project
from workbench.session import Session
from workbench.session.release.knowledge import number_answer, say

__all__ = ["project", "window"]


class Question:
    """Answers what is asked, and keeps it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, answer: QMessageBox.StandardButton) -> None:
        self.answer = answer
        self.asked: list[str] = []
        monkeypatch.setattr(QMessageBox, "question", self)

    def __call__(self, _: object, _title: str, text: str, *__: object) -> QMessageBox.StandardButton:
        self.asked.append(text)
        return self.answer


def never_saved(qtbot: QtBot, one: MainWindow, folder: Path) -> Path:
    """A table that is open, of which nobody is told how many people there are; it was saved to no file."""
    table = folder / "visits.csv"
    table.write_text("ward,charge\n" + "A,1\nB,2\n" * 20, encoding="utf-8")
    one.open_path(table)
    qtbot.waitUntil(lambda: one.document.project.schema.names == ("ward", "charge"), timeout=10_000)

    def told(session: Session) -> None:
        session.data.set_unit(PrivacyUnit(1, protected=UnitAnswer.SAID))

    assert one.document.apply("unit", told)
    all_kept(qtbot, one)
    # It changes nothing in the settings, and so nothing but what was said.
    say(one.document.session, {}, expected_rows=None, number_known=False, not_told=PEOPLE_NOT_TOLD)
    assert number_answer(one.document.session).given is False
    return table


def lines_of(one: MainWindow, words: str) -> list[ElidingButton]:
    found = one.start.findChildren(ElidingButton)
    return [line for line in found if line.property("recent") and words in line.words and not line.isHidden()]


def another_table(one: MainWindow, folder: Path) -> None:
    other = folder / "staff.csv"
    other.write_text("grade,pay\nx,1\ny,2\n", encoding="utf-8")
    one.open_path(other)


WAYS: dict[str, Callable[[MainWindow, Path], object]] = {
    "another table": another_table,
    "a project": lambda one, folder: one.open_path(folder / "p.wbench"),
    "a new project": lambda one, _folder: one.new_project(),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_was_never_saved_is_kept_aside_whichever_way_other_work_takes_its_place(
    qtbot: QtBot, window: Window, project: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    question, one = Question(monkeypatch, QMessageBox.StandardButton.Cancel), window()
    table = never_saved(qtbot, one, project.parent)
    before = one.document.session
    WAYS[way](one, project.parent)
    qtbot.waitUntil(lambda: one.document.session is not before, timeout=10_000)
    all_kept(qtbot, one)
    assert not question.asked and [one.table for one in Slot().kept_aside()] == [str(table)]
    told = {m.text: m for m in one.messages.messages}
    assert told["“visits.csv” is kept on Start."].passing is False, "who wants to go back has the time"
    one.start.refresh()
    all_kept(qtbot, one)
    (line,) = lines_of(one, "visits.csv")
    assert "settings kept" in line.words, "one line for one table"
    question.answer = QMessageBox.StandardButton.Discard  # of the project with a file of its own
    line.click()
    data_is_there(qtbot, one.document)
    assert one.document.project.schema.names == ("ward", "charge") and one.document.path is None
    said = "This is your kept work on “visits.csv”"
    qtbot.waitUntil(lambda: any(m.text.startswith(said) for m in one.messages.messages), timeout=10_000)
    assert not any("not kept" in m.text for m in one.messages.messages), "what was drawn is in what was exported"
    assert number_answer(one.document.session).given is False, "nobody is told the number, as was said"


def test_what_is_said_of_it_goes_once_somebody_works_on_the_other_table(
    qtbot: QtBot, window: Window, project: Path
) -> None:
    one = window()
    never_saved(qtbot, one, project.parent)
    another_table(one, project.parent)
    qtbot.waitUntil(lambda: one.document.project.schema.names == ("grade", "pay"), timeout=10_000)
    all_kept(qtbot, one)
    said = "“visits.csv” is kept on Start."
    one.show_workspace("hierarchies")
    assert said in {m.text for m in one.messages.messages}, "who looks around can still go back"
    one.document.apply("leave out", lambda session: session.data.set_role(["pay"], Role.IDENTIFYING))
    assert said not in {m.text for m in one.messages.messages}
    one.start.refresh()
    all_kept(qtbot, one)
    assert lines_of(one, "visits.csv"), "it is there all the same"


def test_the_table_that_is_open_comes_first_and_says_so(qtbot: QtBot, window: Window, project: Path) -> None:
    one = window()
    never_saved(qtbot, one, project.parent)
    another_table(one, project.parent)
    qtbot.waitUntil(lambda: one.document.project.schema.names == ("grade", "pay"), timeout=10_000)
    all_kept(qtbot, one)
    one.start.refresh()
    all_kept(qtbot, one)
    (first, second) = lines_of(one, "")[:2]
    assert first.words == "staff.csv · open", "not by the second"
    assert second.words.startswith("visits.csv · settings kept")


def test_nothing_is_called_open_once_a_new_project_is_begun_on_the_first_page(
    qtbot: QtBot, window: Window, project: Path
) -> None:
    one = window()
    never_saved(qtbot, one, project.parent)
    one.show_start()
    one.start.refresh()
    all_kept(qtbot, one)
    (line,) = lines_of(one, "visits.csv")
    assert line.words == "visits.csv · open"
    assert "“visits.csv” is open; its settings are kept." in one.start.stays.full_text
    one.new_project()
    all_kept(qtbot, one)
    (line,) = lines_of(one, "visits.csv")
    assert line.words.startswith("visits.csv · settings kept")
    assert one.start.stays.full_text == "Your data stays on this computer."


def test_of_a_project_with_a_file_of_its_own_it_is_asked(
    qtbot: QtBot, window: Window, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question, one = Question(monkeypatch, QMessageBox.StandardButton.Cancel), window()
    one.open_path(project)
    data_is_there(qtbot, one.document)
    assert one.document.apply("bounds", lambda session: session.data.set_bounds("age", (0.0, 90.0)))
    all_kept(qtbot, one)
    another_table(one, project.parent)
    qtbot.waitUntil(lambda: bool(question.asked), timeout=10_000)
    one.new_project()
    assert len(question.asked) == 2 and one.document.path == project and not Slot().kept_aside()


def test_no_work_that_was_kept_is_out_of_reach_however_much_there_is(
    qtbot: QtBot, window: Window, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four lines have room: the last of them leads to all that has none."""
    one = window()
    Question(monkeypatch, QMessageBox.StandardButton.Cancel)
    for number in range(5):
        folder = project.parent / str(number)
        folder.mkdir()
        never_saved(qtbot, one, folder)
        one.new_project()
        all_kept(qtbot, one)
    assert len(Slot().kept_aside()) == 5
    one.start.refresh()
    qtbot.waitUntil(lambda: one.start.more.isVisibleTo(one.start) and not one.runner.jobs, timeout=10_000)
    assert len(lines_of(one, "visits.csv")) == 2 and one.start.more.words.startswith("3 more")
    one.start.more.click()
    (menu,) = [one_ for one_ in one.start.findChildren(QMenu) if one_.isVisible()]
    assert len(menu.actions()) == 3
    menu.actions()[-1].trigger()
    menu.close()
    qtbot.waitUntil(lambda: one.document.project.schema.names == ("ward", "charge"), timeout=10_000)
    data_is_there(qtbot, one.document)  # or it is read on as the window goes
    all_kept(qtbot, one)


def test_quitting_asks_of_what_was_never_saved(
    qtbot: QtBot, window: Window, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = window()
    never_saved(qtbot, one, project.parent)
    question = Question(monkeypatch, QMessageBox.StandardButton.Cancel)
    assert not one.close() and len(question.asked) == 1
    question.answer = QMessageBox.StandardButton.Discard


@pytest.mark.parametrize("answer", [QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.No])
def test_forgetting_what_was_open_asks_once_of_what_was_not_saved(
    qtbot: QtBot,
    window: Window,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: QMessageBox.StandardButton,
) -> None:
    question, one = Question(monkeypatch, answer), window()
    never_saved(qtbot, one, project.parent)
    one.new_project()
    all_kept(qtbot, one)
    one.forget_recent()
    all_kept(qtbot, one)
    (asked,) = question.asked
    assert asked.startswith("On the start page, too: 1 piece of work that was not saved, “visits.csv”.")
    kept = answer is QMessageBox.StandardButton.No
    assert len(Slot().kept_aside()) == kept == len(lines_of(one, "visits.csv"))
    assert not lines_of(one, "staff.csv")


def test_what_was_said_of_a_table_comes_back_with_the_file_of_its_project(
    qtbot: QtBot, window: Window, project: Path
) -> None:
    one = window()
    table = never_saved(qtbot, one, project.parent)
    path = project.with_name("visits.wbench")
    assert one.document.save(path)
    one.document.open_project(path)
    qtbot.waitUntil(lambda: one.document.path == path and not one.runner.jobs, timeout=10_000)
    data_is_there(qtbot, one.document)
    assert number_answer(one.document.session).given is False
    one.document.save(path)
    table.write_text("ward,charge\n" + "A,1\nC,2\n" * 20, encoding="utf-8")
    one.document.open_project(path)
    qtbot.waitUntil(lambda: not one.runner.jobs, timeout=10_000)
    data_is_there(qtbot, one.document)
    assert number_answer(one.document.session).given is None, "it was said of another table"


@pytest.mark.parametrize(
    "text",
    [
        '{"sentences": ["No person has more than one row in the table."], "of": ["", 1.0]}',
        '{"sentences": [1], "of": ["", 1.0]}',
        '{"sentences": "x", "of": [""]}',
        "[]",
        "{",
    ],
)
def test_a_file_says_nothing_else_in_anybodys_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "p.wbench"
    save_project(Session().project, path, notes={"said.json": text})
    assert not SaidBeside.of_file(path).sentences
    save_project(Session().project, path, notes=SaidBeside(frozenset({PEOPLE_NOT_TOLD}), ("", 1.0)).note())
    assert SaidBeside.of_file(path).sentences == {PEOPLE_NOT_TOLD}
    add_histories(path, {})
    assert SaidBeside.of_file(path).sentences == {PEOPLE_NOT_TOLD}, (
        "what a command adds to a project takes nothing away"
    )


def test_what_is_kept_is_said_whole_in_every_room_of_a_small_window(
    qtbot: QtBot, window: Window, project: Path
) -> None:
    one = window()
    one.show()
    never_saved(qtbot, one, project.parent)
    another_table(one, project.parent)
    qtbot.waitUntil(lambda: one.document.project.schema.names == ("grade", "pay"), timeout=10_000)
    all_kept(qtbot, one)
    one.messages.clear()
    (kept,) = Slot().kept_aside()
    for room in ("", *one.workspaces):
        if room:
            one.show_workspace(room)
        else:
            one.show_start()
        for drawn in (False, True):
            one.recovery._say_aside(kept, drawn=drawn)
            (message,) = one.messages.messages
            (line,) = message.findChildren(ElidedLabel)
            assert line.isVisible() and (message.hint == "What it exported stays.") is drawn
            for size in ((1280, 800), (1024, 700)):
                one.resize(*size)
                for _ in range(3):
                    QApplication.processEvents()
                said = line.text()
                assert said == line.full_text and said.startswith(message.text), f"cut in {room} at {size}"
                assert message.hint in said or size == (1024, 700), f"{room} at {size}"


@pytest.mark.parametrize("room", ["compare", "collect", "data"])
@pytest.mark.parametrize("over_start", [False, True])
def test_who_goes_back_is_in_the_room_where_the_work_gave_way(
    qtbot: QtBot, window: Window, project: Path, room: str, over_start: bool
) -> None:
    one = window()
    never_saved(qtbot, one, project.parent)
    one.show_workspace(room)
    if over_start:
        one.show_start()
    before = one.document.session
    another_table(one, project.parent)
    qtbot.waitUntil(lambda: one.document.session is not before and one.document.has_data, timeout=10_000)
    all_kept(qtbot, one)
    one.show_workspace("collect")
    buttons = (one for message in one.messages.messages for one in message.findChildren(QPushButton))
    (back,) = (button for button in buttons if button.text() == "Go back")
    back.click()
    data_is_there(qtbot, one.document)
    all_kept(qtbot, one)
    assert one.document.project.schema.names == ("ward", "charge")
    assert one.rail.current == room
    assert one.room_in_view() is one.workspaces[room]
