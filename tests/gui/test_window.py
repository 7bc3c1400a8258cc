"""The whole window: from a CSV to an exported release, by code that clicks what a person clicks."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import ClassVar

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QFrame,
    QLabel,
    QMessageBox,
    QPushButton,
    QTableView,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.gui.helpers import data_is_there, no_jobs
from workbench.anonymise.dp_search import Degree
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.core.errors import WorkbenchError
from workbench.core.paths import sample_data
from workbench.core.schema import PrivacyUnit, Role, UnitAnswer
from workbench.gui import message
from workbench.gui.main_window import MainWindow
from workbench.gui.theme import DARK, LIGHT, Mode, current_theme
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces import ROOMS
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.data.import_preview import ImportPreview
from workbench.project.laboratory import LaboratorySettings
from workbench.project.model import GuaranteeSettings
from workbench.project.trim_settings import StepsBy, TrimSettings
from workbench.query.ledger import Charge
from workbench.session import Session

pytestmark = pytest.mark.usefixtures("sampling")

NONE, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier

NBA = sample_data() / "nba_salaries.csv"
PATIENCE_MS = 20_000


def open_file(qtbot: QtBot, window: MainWindow, path: Path = NBA) -> None:
    window.open_path(path)
    qtbot.waitUntil(lambda: window.document.has_data, timeout=PATIENCE_MS)
    no_jobs(qtbot, window)


def prepare(qtbot: QtBot, window: MainWindow) -> None:
    """Data open, position and salary with hierarchies at levels that let most rows survive."""
    open_file(qtbot, window)
    for column, level in (("position", 0), ("salary", 3)):
        file = sample_data() / f"nba_hierarchy_{column}.csv"

        def attach(session: Session, column: str = column, file: Path = file, level: int = level) -> None:
            session.data.attach_hierarchy_file(column, file)
            session.release.columns.set_level(column, level)

        assert window.document.apply(f"Attach {column}", attach)
    no_jobs(qtbot, window)


def run(qtbot: QtBot, window: MainWindow) -> None:
    window.show_workspace("anonymise")
    window.spend()
    no_jobs(qtbot, window)
    assert window.document.session.release.result is not None


def texts(window: MainWindow) -> list[str]:
    return [message.text for message in window.messages.messages]


def test_the_main_job_from_file_to_release(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    prepare(qtbot, window)
    run(qtbot, window)
    release = window.workspaces["release"]
    window.show_workspace("release")
    out = tmp_path / "release.csv"
    release.export.file.setText(str(out))
    for tick in release.assertions.ticks:
        qtbot.mouseClick(tick, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(release.export.export, Qt.MouseButton.LeftButton)
    no_jobs(qtbot, window)
    header, *rows = out.read_text(encoding="utf-8").splitlines()
    assert header == "position,salary"
    result = window.document.session.release.result
    assert result is not None
    assert len(rows) == result.outcome.rows_out
    assert min(Counter(rows).values()) >= result.claim.guarantee.k
    page = (tmp_path / "release_statement.html").read_text(encoding="utf-8")
    assert "differentially private release" in page
    assert release.status() is Status.SUCCESS
    qtbot.waitUntil(lambda: "ε 1" in window.budget.text)


def test_every_room_says_that_lines_were_not_read(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "data.csv"
    file.write_text("age,city\n" + "20,n\n" * 30 + "20,n,surplus\n" * 21 + "20,n\n", encoding="utf-8")
    open_file(qtbot, window, file)
    for room in ("query", "collect", "compare"):
        window.show_workspace(room)
        assert window.strip.isVisible() and window.strip.fact("unread") == "21 lines not read"
    tip = window.strip._facts["unread"].toolTip()
    assert "line 32" in tip and "line 51" in tip and "line 52" not in tip and "and 1 more" in tip
    open_file(qtbot, window)
    qtbot.waitUntil(lambda: not window.strip.fact("unread"))


def test_a_single_line_that_was_not_read_is_named_alone(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "data.csv"
    file.write_text("age,city\n20,n\n20,n,surplus\n20,n\n", encoding="utf-8")
    open_file(qtbot, window, file)
    assert "Line 3 could not be read and is not in the table: 3 cells instead of 2." in texts(window)


def test_the_same_seed_gives_the_same_file_as_the_session(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    prepare(qtbot, window)
    window.document.apply("Seed", lambda session: session.release.set_seed(7))
    window.document.run()
    no_jobs(qtbot, window)
    window.document.export(tmp_path / "window.csv", None, without_claim=True)
    no_jobs(qtbot, window)
    session = Session()
    session.data.open(NBA)
    for column, level in (("position", 0), ("salary", 3)):
        session.data.attach_hierarchy_file(column, sample_data() / f"nba_hierarchy_{column}.csv")
        session.release.columns.set_level(column, level)
    session.release.set_seed(7)
    session.release.anonymise()
    session.release.export(tmp_path / "session.csv", without_claim=True)
    assert (tmp_path / "window.csv").read_bytes() == (tmp_path / "session.csv").read_bytes()


def test_undo_and_redo_reach_everything_that_was_described(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    document = window.document
    document.apply("Mark player as identifying", lambda s: s.data.set_role(["player"], Role.IDENTIFYING))
    assert document.project.schema["player"].role is Role.IDENTIFYING
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert document.project.schema["player"].role is Role.INSENSITIVE
    document.undo_stack.redo()
    assert document.project.schema["player"].role is Role.IDENTIFYING


def test_what_was_seen_and_released_is_not_undone(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    prepare(qtbot, window)
    run(qtbot, window)
    window.document.export(tmp_path / "one.csv", None)
    no_jobs(qtbot, window)
    window.document.look(publish=False)
    for _ in range(10):
        window.document.undo_stack.undo()
    assert len(window.document.project.looks) == 1
    assert len(window.document.project.releases) == 1


def test_a_changed_setting_makes_the_result_out_of_date_and_unexportable(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    prepare(qtbot, window)
    run(qtbot, window)
    window.document.apply("Level", lambda session: session.release.columns.set_level("salary", 4))
    assert not window.document.session.release.result_is_current
    assert window.document.export(tmp_path / "stale.csv", None) is None
    assert not (tmp_path / "stale.csv").exists()
    assert any("out of date" in text for text in texts(window))
    window.document.undo_stack.undo()
    assert window.document.session.release.result_is_current


def test_a_draw_is_not_repeated_and_undo_brings_it_back(qtbot: QtBot, window: MainWindow) -> None:
    prepare(qtbot, window)
    run(qtbot, window)
    first = window.document.session.release.result
    run(qtbot, window)
    assert window.document.session.release.result is first
    window.document.apply("Level", lambda session: session.release.columns.set_level("salary", 4))
    run(qtbot, window)
    assert window.document.session.release.result is not first
    window.document.undo_stack.undo()
    assert window.document.session.release.result is first
    assert window.document.project.looks == ()
    assert window.document.session.ledger.current.spent().count == 2


def test_settings_changed_during_a_run_do_not_get_its_result(qtbot: QtBot, window: MainWindow) -> None:
    prepare(qtbot, window)
    assert window.document.run() is not None
    window.document.apply("Level", lambda session: session.release.columns.set_level("salary", 4))
    no_jobs(qtbot, window)
    assert not window.document.session.release.result_is_current
    assert window.document.session.release.result is not None
    assert window.document.session.release.result.outcome.recipe.levels["salary"] == 3


def test_why_an_edit_was_refused_is_said_until_another_one_is_possible(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)

    def refuse(_session: Session) -> None:
        raise WorkbenchError("Numbers cannot be written so.")

    assert not window.document.apply("Format", refuse)
    assert any("Numbers cannot be written so." in text for text in texts(window))
    window.document.apply("Role", lambda session: session.data.set_role(["salary"], Role.QUASI))
    assert not any("Numbers cannot be written so." in text for text in texts(window))


def texts_of(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel)]


def test_cancelling_in_the_middle_leaves_everything_as_it_was(qtbot: QtBot, window: MainWindow) -> None:
    prepare(qtbot, window)
    job = window.document.run()
    assert job is not None
    window.cancel()
    no_jobs(qtbot, window)
    paid = window.document.session.ledger.current.spent().count
    assert (window.document.session.release.result is None) is (not paid), "what was paid for is shown"
    assert window.document.project.looks == ()
    window.strip.show_note("Cancelled: Releasing")
    window.document.changed.emit("file")
    assert "Cancelled: Releasing" in texts_of(window.strip)
    window.document.changed.emit("comparing")
    assert "Cancelled: Releasing" not in texts_of(window.strip), "it is asked in another way by now"
    run(qtbot, window)


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


def test_unsaved_changes_are_asked_for(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(qtbot, window)
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
    window.open_path(fewer)
    qtbot.waitUntil(lambda: window.document.session.data.reading.table.rows == 2, timeout=PATIENCE_MS)
    no_jobs(qtbot, window)
    assert len(asked) == 1 and window.document.project.schema["position"].role is Role.QUASI


def test_a_file_about_something_else_begins_a_new_project(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(qtbot, window)
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
    assert window.document.project is before and len(asked) == 1 and "new project" in asked[0]
    answer(QMessageBox.StandardButton.Discard)
    window.open_path(other)
    qtbot.waitUntil(lambda: window.document.project.schema.names == ("name", "illness"), timeout=PATIENCE_MS)
    no_jobs(qtbot, window)
    assert len(asked) == 2 and not window.document.project.hierarchies and not window.document.differences
    assert not window.document.modified and window.document.path is None
    assert not texts(window), "nothing is missing from a project that has just begun"


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


def test_nothing_is_offered_for_export_when_no_row_is_left(qtbot: QtBot, window: MainWindow) -> None:
    prepare(qtbot, window)
    window.document.apply(
        "k", lambda session: session.release.set_guarantee(GuaranteeSettings("delta", beta=0.2, k=4000))
    )
    window.show_workspace("release")
    run(qtbot, window)
    result = window.document.session.release.result
    assert result is not None and result.outcome.rows_out == 0
    assert all(workspace.next_hint() != "Export the release" for workspace in window.workspaces.built().values())
    assert not any("dropped" in text for text in texts(window))


def test_a_file_without_rows_says_so(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    bare = tmp_path / "bare.csv"
    bare.write_text("name,age,city\n", encoding="utf-8")
    open_file(qtbot, window, bare)
    assert any("no rows" in text for text in texts(window))
    assert window.workspaces["data"].status() is Status.WARNING


def test_every_workspace_in_both_themes_without_a_complaint(qtbot: QtBot, window: MainWindow) -> None:
    prepare(qtbot, window)
    run(qtbot, window)
    for mode, theme in ((Mode.DARK, DARK), (Mode.LIGHT, LIGHT)):
        window.themes.set_mode(mode)
        assert current_theme() is theme
        for key in window.workspaces:
            window.show_workspace(key)
            QApplication.processEvents()
            picture = window.grab().toImage()
            # The ground of a dark window is dark.
            assert (picture.pixelColor(5, picture.height() - 5).lightness() < 80) is (theme is DARK), key


def test_the_window_fits_a_small_screen(window: MainWindow) -> None:
    for key in window.workspaces:
        window.show_workspace(key)
        window.resize(1024, 700)
        QApplication.processEvents()
        assert (window.width(), window.height()) == (1024, 700), key


def test_the_window_fits_a_small_screen_with_data(qtbot: QtBot, window: MainWindow) -> None:
    prepare(qtbot, window)
    run(qtbot, window)
    for key in window.workspaces:
        window.show_workspace(key)
        window.resize(1024, 700)
        QApplication.processEvents()
        assert (window.width(), window.height()) == (1024, 700), key


def test_no_part_of_the_window_opens_for_a_moment_by_itself(qtbot: QtBot, window: MainWindow) -> None:
    class Watch(QObject):
        seen: ClassVar[list[str]] = []

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
                self.seen.append(repr(watched))
            return False

    watch = Watch()
    QApplication.instance().installEventFilter(watch)
    try:
        prepare(qtbot, window)
        for key in window.workspaces:
            window.show_workspace(key)
        window.show_workspace("anonymise")
        run(qtbot, window)
    finally:
        QApplication.instance().removeEventFilter(watch)
    assert watch.seen == []


def test_keyboard_alone_reaches_every_workspace_and_every_control(qtbot: QtBot, window: MainWindow) -> None:
    prepare(qtbot, window)
    window.activateWindow()
    for number, key in enumerate(window.workspaces, start=1):
        qtbot.keyClick(window, str(number), Qt.KeyboardModifier.ControlModifier)
        assert window.rail.current == key
        seen: set[QWidget] = set()
        for _ in range(200):
            focused = QApplication.focusWidget()
            if focused is None or focused in seen:
                break
            seen.add(focused)
            qtbot.keyClick(focused, Qt.Key.Key_Tab)
        assert len(seen) > 2, key
        nameless = [widget for widget in seen if not (widget.accessibleName() or getattr(widget, "text", str)())]
        assert not nameless, key


def test_run_by_key(qtbot: QtBot, window: MainWindow) -> None:
    prepare(qtbot, window)
    window.show_workspace("anonymise")
    for key in (Qt.Key.Key_F5, Qt.Key.Key_R):
        qtbot.keyClick(window, key, NONE if key == Qt.Key.Key_F5 else CONTROL)
        no_jobs(qtbot, window)
        assert window.document.session.release.result is None, "what renews never draws"
    qtbot.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    no_jobs(qtbot, window)
    assert window.document.session.release.result is not None
    assert window.rail.current == "anonymise"


def test_spending_by_key_asks_the_question_in_view_and_no_other(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    window.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit()))
    window.show_workspace("query")
    query = window.workspaces["query"]
    qtbot.waitUntil(lambda: query.planned is not None, timeout=PATIENCE_MS)
    no_jobs(qtbot, window)
    ledger = window.document.session.ledger.current
    for key, with_, spent in (
        (Qt.Key.Key_F5, NONE, Fraction(0)),
        (Qt.Key.Key_Return, CONTROL, Fraction(1, 10)),
    ):
        qtbot.keyClick(window, key, with_)
        qtbot.waitUntil(lambda: query.settled, timeout=PATIENCE_MS)
        assert ledger.spent().epsilon == spent
    window.show_workspace("data")
    qtbot.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    no_jobs(qtbot, window)
    assert ledger.spent().epsilon == Fraction(1, 10)
    assert window.rail.current == "data"


def test_what_another_program_spends_shows_in_the_ledger_table(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    window.show_workspace("query")
    no_jobs(qtbot, window)
    ledger = window.document.session.ledger.current
    ledger.path.parent.mkdir(parents=True, exist_ok=True)
    window.budget.refresh()
    table = window.workspaces["query"].ledger.table
    type(ledger).for_data(ledger.fingerprint).charge(Charge("query", "from elsewhere", Fraction(1, 5)))
    qtbot.waitUntil(lambda: any("from elsewhere" in row for row in table.texts()), timeout=PATIENCE_MS)
    no_jobs(qtbot, window)


def test_the_command_that_repeats_the_project(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from workbench.cli.main import main

    prepare(qtbot, window)
    window.copy_command()
    assert any("Save" in message.hint for message in window.messages.messages)
    window.document.save(tmp_path / "nba.wbench")
    window.copy_command()
    words = shlex.split(QApplication.clipboard().text())
    assert words[:2] == ["workbench", "run"]
    words[words.index("--out") + 1] = str(tmp_path / "made")
    assert main([*words[1:], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["claim"] is True


def test_a_project_whose_table_is_gone_has_its_command(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    table, project = tmp_path / "ages.csv", tmp_path / "ages.wbench"
    table.write_text("age\n30\n40\n", encoding="utf-8")
    window.document.open_data(table)
    no_jobs(qtbot, window)
    assert window.document.save(project)
    window.document.new()
    table.unlink()
    window.document.open_project(project)
    no_jobs(qtbot, window)
    assert not window.document.has_data
    window.copy_command()
    words = ["workbench", "run", str(project), "--data", str(table), "--out", str(tmp_path / "release")]
    assert shlex.split(QApplication.clipboard().text()) == words


def test_the_command_trims_as_the_window_does(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from workbench.cli.main import main

    prepare(qtbot, window)
    trim = TrimSettings(
        steps=StepsBy.DEGREES, degrees=(Degree.LOW, Degree.HIGH), shares=(1.0, 3.0), floor=2, step_column="step"
    )

    def chosen(session: Session) -> None:
        session.release.set_mechanism(ReleaseMechanism.TRIM)
        session.release.set_guarantee(GuaranteeSettings(epsilon=0.75, delta=2e-4))
        session.release.set_trimming(trim)

    assert window.document.apply("Trim", chosen)
    no_jobs(qtbot, window)
    window.document.save(tmp_path / "nba.wbench")
    window.copy_command()
    words = shlex.split(QApplication.clipboard().text())
    words[words.index("--out") + 1] = str(tmp_path / "made")
    assert main([*words[1:], "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    promised, chain = window.document.session.release.trim_guarantee(), window.document.session.release.chain()
    assert told["claim"] is True and told["mechanism"] == "trim" and told["floor"] == 2
    assert (told["epsilon"], told["delta"]) == (0.75, 2e-4)
    assert [step["levels"] for step in told["steps"]] == [dict(vector) for vector in chain.vectors]
    assert [step["epsilon"] for step in told["steps"]] == [
        pytest.approx(float(step.epsilon)) for step in promised.steps
    ]
    lines = (tmp_path / "made" / "release.csv").read_text("utf-8").splitlines()
    assert lines[0].split(",")[-1] == "step"


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


class TestTour:
    def test_leads_through_the_rooms_on_a_sample_that_is_open_and_marks_the_control(
        self, window: MainWindow, qtbot: QtBot
    ) -> None:
        window.show_start()
        qtbot.keyClick(window.start.tour, Qt.Key.Key_Return)
        qtbot.waitUntil(window.tour.isVisible, timeout=PATIENCE_MS)
        assert window.document.has_data
        seen = []
        while window.tour.isVisible():
            seen.append((window.rail.current, window.tour.title.text()))
            qtbot.waitUntil(lambda: window.tour.next.hasFocus() and window.touring.settled, timeout=PATIENCE_MS)
            assert window.touring.spotlight.isVisible(), seen[-1]
            qtbot.keyClick(window.tour.next, Qt.Key.Key_Return)
        hierarchies = window.document.project.hierarchies
        assert {"job title", "annual salary"} <= set(hierarchies), "so a release can be made on the way"
        assert [room for room, _ in seen] == ["data", "hierarchies", "anonymise", "release", "query", "collect"]
        assert len({title for _, title in seen}) == len(seen)
        assert not window.touring.spotlight.isVisible()
        no_jobs(qtbot, window)

    def test_can_be_skipped_and_taken_again(self, window: MainWindow, qtbot: QtBot) -> None:
        open_file(qtbot, window)
        window.start_tour()
        window.tour.next.click()
        qtbot.keyClick(window.tour.next, Qt.Key.Key_Escape)
        assert not window.tour.isVisible()
        window.start_tour()
        assert window.rail.current == "data"
        assert not window.tour.back.isEnabled()
        window.tour.skip.click()
        assert not window.tour.isVisible()
        no_jobs(qtbot, window)


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


class TestLock:
    def test_one_says_what_is_the_analysts(self, window: MainWindow, qtbot: QtBot) -> None:
        window.show_workspace("data")
        assert window.header.lock == ""
        open_file(qtbot, window)
        window.show_workspace("data")
        assert window.header.lock == "Analyst only"
        window.show_workspace("mechanisms")
        assert window.header.lock == ""
        window.workspaces["mechanisms"].lock = "For you"
        assert window.header.lock == "For you"

    def test_never_make_the_window_grow(self, window: MainWindow, qtbot: QtBot) -> None:
        open_file(qtbot, window)
        window.resize(1024, 700)
        for room in ROOMS:
            window.show_workspace(room.key)
        window.messages.warning("Something " * 30)
        qtbot.waitUntil(window.messages.isVisible)
        QApplication.processEvents()
        assert window.height() == 700
        window.messages.clear()


def test_the_strip_says_how_many_rows_take_part(window: MainWindow, qtbot: QtBot) -> None:
    open_file(qtbot, window)
    window.document.apply("x", lambda s: s.data.set_preparation(replace(s.project.preparation, where="age > 30")))
    qtbot.waitUntil(lambda: "part of tens of thousands of rows" in window.strip.fact("rows"), timeout=PATIENCE_MS)
    window.show_workspace("anonymise")  # which asks how many are expected
    qtbot.waitUntil(lambda: not window.strip.fact("rows"), timeout=PATIENCE_MS)
    window.document.session.looks.take("values")
    window.document.changed.emit("rows")
    qtbot.waitUntil(lambda: "2,485 of 12,377" in window.strip.fact("rows"), timeout=PATIENCE_MS)


def test_the_strip_is_whole_in_a_small_window(window: MainWindow, qtbot: QtBot) -> None:
    open_file(qtbot, window)
    window.resize(1024, 700)
    charge = Charge("release", "A release", Fraction(1), Fraction(1, 100_000))
    window.document.session.ledger.current.charge(charge)
    window.document.apply("x", lambda s: s.data.set_preparation(replace(s.project.preparation, where="age > 30")))
    qtbot.waitUntil(lambda: "part of tens" in window.strip.fact("rows"), timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: "ε 1 · δ 1e-5" in window.budget.text and not window.runner.jobs, timeout=PATIENCE_MS)

    def cut() -> list[str]:
        facts = [one for one in window.strip.findChildren(ElidedLabel) if one.isVisible()]
        return [one.full_text for one in facts if one.text() != one.full_text]

    qtbot.waitUntil(lambda: not cut(), timeout=5_000)
    no_jobs(qtbot, window)


def test_what_was_released_before_is_told_without_a_result(window: MainWindow, qtbot: QtBot) -> None:
    open_file(qtbot, window)
    window.document.session.ledger.current.charge(Charge("query", "mean of salary", Fraction(1, 10)))
    window.document.changed.emit("file")
    window.show_workspace("release")
    room = window.workspaces["release"]
    room.tabs.setCurrentWidget(room.released)
    tables = [table for table in room.released.findChildren(QTableView) if table.isVisible()]
    assert [table.model().index(0, 1).data() for table in tables] == ["mean of salary"]


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
