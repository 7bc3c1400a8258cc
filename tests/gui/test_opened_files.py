"""Files and projects opened, saved and begun anew in the whole window, and what is asked before work is lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QMessageBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.gui.helpers import data_is_there, no_jobs
from tests.gui.window_steps import NBA, PATIENCE_MS, open_file, prepare, run, texts
from workbench.core.paths import sample_data
from workbench.core.schema import PrivacyUnit, Role, UnitAnswer
from workbench.gui.going_on import ANEW_WORDS, ON_WORDS
from workbench.gui.main_window import MainWindow
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.data.import_preview import ImportPreview
from workbench.project.laboratory import LaboratorySettings
from workbench.project.recovery import Slot
from workbench.session import Session

pytestmark = pytest.mark.usefixtures("sampling")


def test_save_and_open_again(qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(qtbot, window)
    path = tmp_path / "nba.wbench"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    assert window.document.modified
    window.save()
    qtbot.waitUntil(lambda: not window.document.modified, timeout=PATIENCE_MS)
    levels = dict(window.document.project.anonymise.levels)
    window.new_project()
    assert not window.document.has_data
    open_file(qtbot, window, path)
    assert dict(window.document.project.anonymise.levels) == levels
    assert set(window.document.project.hierarchies) == {"position", "salary"}
    assert not window.document.modified
    run(qtbot, window)


def test_a_file_chosen_for_one_project_does_not_get_another(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(qtbot, window)
    path = tmp_path / "nba.wbench"

    def choose(*_: object) -> tuple[str, str]:
        window.document.new()  # as when another one finishes opening under the dialog
        return str(path), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    window.save()
    assert window.document.saving.wait()
    assert not path.exists()


def test_a_dropped_file_is_opened(qtbot: QtBot, window: MainWindow) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(NBA))])
    event = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(event)
    qtbot.waitUntil(lambda: window.document.has_data, timeout=PATIENCE_MS)
    no_jobs(qtbot, window)
    assert window.findChild(ImportPreview) is None
    assert window._settings.recent_files == (NBA,)


def test_who_goes_to_a_room_while_a_file_is_looked_for_stays_there(qtbot: QtBot, window: MainWindow) -> None:
    window.open_path(NBA)
    window.rail.select("compare")
    window.show_workspace("compare")
    qtbot.waitUntil(lambda: window.document.has_data, timeout=PATIENCE_MS)
    no_jobs(qtbot, window)
    assert window.rail.current == "compare" and window.stack.currentWidget() is window.workspaces["compare"]
    open_file(qtbot, window)
    assert window.rail.current == "data", "who stays where they were is led to what they open"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("a,b\n" + "1,2\n" * 9 + "3\n", id="a line does not fit"),
        pytest.param("1,2\n" * 9, id="nothing names the columns"),
        pytest.param("a\n" + "1\n" * 9, id="one column, so perhaps another delimiter"),
        pytest.param("a,b\n" + "c,2\n" * 900 + "n/a,3\n" * 9, id="to be mended, beyond the first rows"),
        pytest.param("\0", id="no table"),
    ],
)
def test_a_file_of_which_something_is_to_be_decided_is_shown_before_it_is_opened(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, content: str
) -> None:
    file = tmp_path / "file.csv"
    file.write_text(content, encoding="utf-8")
    window.opener.look_at(file)
    qtbot.waitUntil(lambda: window.findChild(ImportPreview) is not None, timeout=PATIENCE_MS)
    no_jobs(qtbot, window)
    assert not window.document.has_data, "only looked at"
    preview = window.findChild(ImportPreview)
    assert preview is not None
    preview.reject()


@pytest.mark.parametrize("recent", [True, False])
def test_whichever_way_a_table_was_opened_roles_follow_the_answer_who_is_protected(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, recent: bool
) -> None:
    file = tmp_path / "people.csv"
    file.write_text("age,city\n" + "".join(f"{20 + i % 40},{'abc'[i % 3]}\n" for i in range(300)), encoding="utf-8")
    (window.open_recent if recent else window.open_path)(file)
    data_is_there(qtbot, window.document)
    no_jobs(qtbot, window)
    data = window.workspaces["data"]
    assert isinstance(data, DataWorkspace) and not data.suggestions.tried
    data.protected.every_row.click()
    qtbot.waitUntil(lambda: data.suggestions.tried and not window.runner.jobs, timeout=PATIENCE_MS)
    assert any(spec.role is Role.QUASI for spec in window.document.project.schema.columns)


def test_opening_a_project_gives_no_roles(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("age,city\n" + "".join(f"{20 + i % 40},{'abc'[i % 3]}\n" for i in range(300)), encoding="utf-8")
    window.open_path(file)
    data_is_there(qtbot, window.document)
    window.show_workspace("query")  # whoever asks needs none
    unit = PrivacyUnit(protected=UnitAnswer.SAID)
    window.document.apply("Unit", lambda session: session.data.set_unit(unit))
    no_jobs(qtbot, window)
    project = tmp_path / "people.wbench"
    window.document.save(project)
    window.new_project()
    window.open_recent(project)
    data_is_there(qtbot, window.document)
    no_jobs(qtbot, window)
    data = window.workspaces["data"]
    assert isinstance(data, DataWorkspace) and window.rail.current == "data"
    assert not data.suggestions.tried and not window.document.modified


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n" + bytes(100), b"PK\x03\x04nothing"])
def test_a_file_that_is_no_table_gets_a_message_and_nothing_is_lost(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, content: bytes
) -> None:
    prepare(qtbot, window)
    before = window.document.project
    bad = tmp_path / "bad.csv"
    bad.write_bytes(content)
    window.open_path(bad)
    no_jobs(qtbot, window)
    assert texts(window)
    assert window.document.project is before


def test_unsaved_changes_are_asked_for(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a project with a file of its own; what was never saved gives way without a question, and is kept."""
    prepare(qtbot, window)
    assert window.document.save(tmp_path / "p.wbench")
    window.document.apply("role", lambda session: session.data.set_role(["position"], Role.SENSITIVE))
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Cancel)
    window.new_project()
    assert window.document.has_data
    assert not window.close()
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)


@pytest.mark.parametrize("saved", [True, False])
def test_work_without_data_is_asked_for_too(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saved: bool
) -> None:
    asked: list[object] = []

    def question(*_: object) -> QMessageBox.StandardButton:
        asked.append(_)
        return QMessageBox.StandardButton.Cancel

    monkeypatch.setattr(QMessageBox, "question", question)
    document = window.document
    if saved:
        assert document.save(tmp_path / "p.wbench")
    wanted = LaboratorySettings(claim="1")
    edited = replace(document.project, laboratory=wanted)
    assert document.apply("claim", lambda session: setattr(session, "project", edited))
    window.new_project()
    assert document.project.laboratory == wanted
    assert not window.close()
    assert len(asked) == 2
    open_file(qtbot, window)  # the project goes on with the file, and nothing of it is dropped
    assert len(asked) == 2 and document.project.laboratory == wanted
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)


def test_a_second_file_asks_only_if_something_would_be_lost(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def question(*_: object) -> QMessageBox.StandardButton:
        asked.append(_)
        return QMessageBox.StandardButton.Discard

    monkeypatch.setattr(QMessageBox, "question", question)
    open_file(qtbot, window)
    open_file(qtbot, window)
    assert not asked
    window.document.apply("role", lambda session: session.data.set_role(["position"], Role.QUASI))
    open_file(qtbot, window)
    assert not asked, "a file of the same columns takes nothing from the project"
    assert window.document.modified
    fewer = tmp_path / "fewer.csv"
    fewer.write_text("position\nPG\nC\n")
    questions = answered(monkeypatch, ON_WORDS)
    window.open_path(fewer)
    qtbot.waitUntil(lambda: window.document.session.data.reading.table.rows == 2, timeout=PATIENCE_MS)
    no_jobs(qtbot, window)
    assert len(questions) == 1, "another file has another name: whether it is of the same survey only the person knows"
    assert not asked and len(Slot().kept_aside()) == 1, "it was never saved, and is kept"
    assert window.document.project.schema["position"].role is Role.QUASI


def answered(monkeypatch: pytest.MonkeyPatch, words: str) -> list[str]:
    """Press the button of these words in each question about another table, and keep what was asked."""
    asked: list[str] = []

    def answer(box: QMessageBox) -> int:
        asked.append(f"{box.text()} {box.informativeText()}")
        next(one for one in box.buttons() if one.text().replace("&", "") == words).click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", answer)
    return asked


HEAD = "visit,ward,age,charge,member,kind,sex\n"


def said_of_visits(qtbot: QtBot, window: MainWindow, folder: Path) -> Path:
    """A table of visits that is open, with what somebody said of it: who is in it, how many, and what occurs."""
    table = folder / "visits.csv"
    table.write_text(HEAD + "".join(f"{i},A,{20 + i},5,{i},x,f\n" for i in range(40)), encoding="utf-8")
    open_file(qtbot, window, table)

    def say(session: Session) -> None:
        session.data.set_unit(PrivacyUnit(protected=UnitAnswer.SAID))
        session.data.set_role(["age"], Role.QUASI)
        session.data.set_bounds("age", (0.0, 110.0))
        session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=9000))

    assert window.document.apply("What is known", say)
    no_jobs(qtbot, window)
    return table


@pytest.mark.parametrize("recent", [False, True])
def test_a_sample_takes_nothing_that_was_said_of_the_table_that_is_open(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recent: bool
) -> None:
    monkeypatch.setattr(QMessageBox, "exec", lambda _: pytest.fail("a sample is about nobody"))
    said_of_visits(qtbot, window, tmp_path)
    ages = sample_data() / "ages.csv"
    (window.start.recent_chosen if recent else window.start.sample_chosen).emit(ages)
    qtbot.waitUntil(lambda: window.document.project.schema.names == ("person", "age"), timeout=PATIENCE_MS)
    no_jobs(qtbot, window)
    project = window.document.project
    assert project.anonymise.trim.expected_rows is None, "nobody signs a number of another table"
    assert project.schema["age"].bounds is None and project.schema.unit.protected is UnitAnswer.UNSAID
    assert not window.document.differences and len(Slot().kept_aside()) == 1


@pytest.mark.parametrize("way", ["open", "recent", "drop"])
@pytest.mark.parametrize("words", [ANEW_WORDS, ON_WORDS, "Cancel"])
def test_a_table_of_another_name_begins_anew_unless_somebody_wants_the_project_for_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, way: str
) -> None:
    said_of_visits(qtbot, window, tmp_path)
    before, asked = window.document.project, answered(monkeypatch, words)
    following = tmp_path / "visits_2025.csv"
    following.write_text(HEAD + "".join(f"{i},B,{30 + i},6,{i},y,m\n" for i in range(50)), encoding="utf-8")
    {"open": window.open_path, "recent": window.open_recent, "drop": window.opener.look_at}[way](following)
    qtbot.waitUntil(lambda: bool(asked), timeout=PATIENCE_MS)
    no_jobs(qtbot, window)
    project = window.document.project
    assert "9,000 people" in asked[0] and "what occurs" in asked[0], "what would come along"
    if words == "Cancel":
        assert project is before
        return
    assert project.data is not None and project.data.path == str(following)
    goes_on = words == ON_WORDS
    assert project.anonymise.trim.expected_rows == (9000 if goes_on else None)
    assert project.schema["age"].bounds == ((0.0, 110.0) if goes_on else None)
    assert len(Slot().kept_aside()) == (not goes_on)


@pytest.mark.parametrize("moved", [True, False])
def test_the_same_table_keeps_its_project_without_a_question(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moved: bool
) -> None:
    """A later version of it in its place, or its rows under another name."""
    table = said_of_visits(qtbot, window, tmp_path)
    monkeypatch.setattr(QMessageBox, "exec", lambda _: pytest.fail("it is the same table"))
    text = table.read_text("utf-8")
    where = tmp_path / "copy.csv" if moved else table
    where.write_text(text if moved else text + "99,A,70,5,99,x,f\n", encoding="utf-8")
    open_file(qtbot, window, where)
    project = window.document.project
    assert project.data is not None and project.data.path == str(where)
    assert project.anonymise.trim.expected_rows == 9000 and project.schema["age"].bounds == (0.0, 110.0)


@pytest.mark.parametrize("saved", [True, False])
def test_a_file_about_something_else_begins_a_new_project(
    saved: bool, qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project with a file of its own is asked about; one that was never saved is kept aside."""
    prepare(qtbot, window)
    if saved:
        assert window.document.save(tmp_path / "p.wbench")
        window.document.apply("role", lambda session: session.data.set_role(["position"], Role.SENSITIVE))
    before = window.document.project
    other = tmp_path / "patients.csv"
    other.write_text("name,illness\nA,flu\nB,cold\n")
    asked: list[str] = []

    def answer(button: QMessageBox.StandardButton) -> None:
        def question(_: object, _title: str, text: str, *__: object) -> QMessageBox.StandardButton:
            asked.append(text)
            return button

        monkeypatch.setattr(QMessageBox, "question", question)

    answer(QMessageBox.StandardButton.Cancel)
    window.open_path(other)
    no_jobs(qtbot, window)
    assert len(asked) == saved and (not saved or (window.document.project is before and "new project" in asked[0]))
    assert len(Slot().kept_aside()) == (not saved)
    answer(QMessageBox.StandardButton.Discard)
    if saved:
        window.open_path(other)
    qtbot.waitUntil(lambda: window.document.project.schema.names == ("name", "illness"), timeout=PATIENCE_MS)
    no_jobs(qtbot, window)
    assert len(asked) == 2 * saved and not window.document.project.hierarchies and not window.document.differences
    assert not window.document.modified and window.document.path is None
    told = [words for words in texts(window) if saved or "is kept on Start" not in words]
    assert not told, "nothing is missing from a project that has just begun"


def test_new_takes_everything_from_every_room(qtbot: QtBot, window: MainWindow) -> None:
    prepare(qtbot, window)
    run(qtbot, window)
    old = {key: window.workspaces[key] for key in window.workspaces}
    window.show_workspace("query")
    no_jobs(qtbot, window)
    window.new_project()
    assert window.stack.currentWidget() is window.start and not window.rail.current and not window.document.has_data
    for key, room in old.items():
        assert window.workspaces[key] is not room
        assert window.workspaces[key].status() is None, key
    open_file(qtbot, window, sample_data() / "ages.csv")
    assert all(room.status() in (None, Status.SUCCESS) for room in window.workspaces.values())


def test_a_file_without_rows_says_so(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    bare = tmp_path / "bare.csv"
    bare.write_text("name,age,city\n", encoding="utf-8")
    open_file(qtbot, window, bare)
    assert any("no rows" in text for text in texts(window))
    assert window.workspaces["data"].status() is Status.WARNING


def test_a_recent_file_opens_at_once_unless_lines_do_not_fit(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    good, ragged = tmp_path / "good.csv", tmp_path / "ragged.csv"
    good.write_text("a,b\n" + "1,2\n" * 9, encoding="utf-8")
    ragged.write_text("a,b\n" + "1,2\n" * 9 + "3\n", encoding="utf-8")
    window.open_recent(good)
    data_is_there(qtbot, window.document)
    assert window.findChild(ImportPreview) is None
    window.open_recent(ragged)
    qtbot.waitUntil(lambda: window.findChild(ImportPreview) is not None, timeout=PATIENCE_MS)
    preview = window.findChild(ImportPreview)
    assert preview is not None
    qtbot.waitUntil(preview.apply.isEnabled, timeout=PATIENCE_MS)
    assert window.document.session.data.reading.path == good
    preview.reject()


def test_a_recent_file_that_was_mended_is_shown_with_its_mends_again(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    late = tmp_path / "late.csv"  # beyond the first rows, where a look does not come
    late.write_text("a,b\n" + "".join(f"c{i % 5},2\n" for i in range(700)) + "n/a,3\n" * 9, encoding="utf-8")
    window.opener.preview(late)
    qtbot.waitUntil(lambda: window.findChild(ImportPreview) is not None, timeout=PATIENCE_MS)
    preview = window.findChild(ImportPreview)
    assert preview is not None
    qtbot.waitUntil(lambda: preview.problems.to_mend > 0, timeout=PATIENCE_MS)
    preview.mend.click()
    data_is_there(qtbot, window.document)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    window.open_recent(late)
    qtbot.waitUntil(lambda: window.findChild(ImportPreview) is not None, timeout=PATIENCE_MS)
    again = window.findChild(ImportPreview)
    assert again is not None
    qtbot.waitUntil(lambda: again.problems.to_mend > 0, timeout=PATIENCE_MS)
    again.reject()


def test_a_file_that_lacks_columns_does_not_go_into_the_old_project(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    prepare(qtbot, window)
    path = tmp_path / "nba.wbench"
    window.document.save(path)
    before = path.read_bytes()
    open_file(qtbot, window, sample_data() / "ages.csv")
    qtbot.waitUntil(lambda: window.document.session.data.reading.table.rows == 20_000, timeout=PATIENCE_MS)
    assert window.document.path is None
    assert path.read_bytes() == before


def test_of_the_rooms_that_go_with_their_project_none_is_shown_once_more(window: MainWindow) -> None:
    """One that is not whole yet would turn to a page that it does not have."""
    for key in ("data", "compare", "query", "anonymise", "data"):
        window.show_workspace(key)
    gone = list(window.workspaces.built().values())
    shown: list[QWidget | None] = []
    window.stack.currentChanged.connect(lambda place: shown.append(window.stack.widget(place)))
    window.document.new()
    assert shown[0] is window.start and not [room for room in gone if room in shown]
    assert window.stack.currentWidget() is window.workspaces["data"]


def test_a_project_without_a_table_opens_where_it_has_something(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    session = Session()
    session.collection.change(epsilon=2.0)
    session.save(tmp_path / "survey.wbench")
    window.open_path(tmp_path / "survey.wbench")
    qtbot.waitUntil(lambda: window.rail.current == "collect", timeout=PATIENCE_MS)
    assert not window.document.modified and window.document.project.collect.epsilon == 2.0
    Session().save(tmp_path / "empty.wbench")
    window.open_path(tmp_path / "empty.wbench")
    qtbot.waitUntil(lambda: window.rail.current == "data", timeout=PATIENCE_MS)
