"""A disk or network that does not answer never freezes the window, and nothing is lost meanwhile."""

from __future__ import annotations

import glob
import os
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QCloseEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QProgressDialog, QPushButton
from pytestqt.qtbot import QtBot

import workbench.gui
from tests.gui.disk_watch import Watch, programs_own, watched
from tests.gui.helpers import data_is_there
from workbench.gui import document, saving
from workbench.gui.main_window import MainWindow
from workbench.gui.runner import JobState
from workbench.gui.settings import WindowSettings
from workbench.gui.theme import ThemeManager
from workbench.io.parts import is_there
from workbench.project import storage
from workbench.project.model import Project
from workbench.project.storage import load_project, save_project
from workbench.session import Session

_PATIENCE = 20_000


@pytest.fixture
def window(
    qtbot: QtBot, qapp: QApplication, settings: WindowSettings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)
    made = MainWindow(settings, ThemeManager(qapp, settings))
    yield made
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)
    made.close()
    made.deleteLater()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text("age\n" + "".join(f"{20 + i % 40}\n" for i in range(50)), encoding="utf-8")
    return path


@pytest.fixture
def project(tmp_path: Path, data: Path) -> Path:
    session = Session()
    session.data.open(data)
    session.save(tmp_path / "p.wbench")
    return tmp_path / "p.wbench"


@pytest.fixture
def answering() -> Iterator[threading.Event]:
    """Set when the disk answers again, at the latest after the test."""
    event = threading.Event()
    yield event
    event.set()


def stuck(monkeypatch: pytest.MonkeyPatch, on: object, name: str, until: threading.Event, only: str) -> threading.Event:
    """Let a call that names `only` wait; what is returned is set when one does."""
    real: Callable[..., object] = getattr(on, name)
    waits = threading.Event()

    def call(*arguments: object, **named: object) -> object:
        if any(only in str(one) for one in arguments):
            waits.set()
            until.wait()
        return real(*arguments, **named)

    monkeypatch.setattr(on, name, call)
    return waits


def opened(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    window.open_path(path)
    data_is_there(qtbot, window.document)


def edit(window: MainWindow, bound: float) -> None:
    assert window.document.apply("bounds", lambda session: session.data.set_bounds("age", (0.0, bound)))


def bound_in(path: Path) -> tuple[float, float] | None:
    return load_project(path).schema["age"].bounds


@pytest.mark.parametrize(("pattern", "on", "name"), [("/**/*", glob, "iglob"), ("gone/*.csv", os, "stat")])
def test_a_project_whose_data_does_not_answer_opens_and_can_be_given_up(
    qtbot: QtBot,
    window: MainWindow,
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answering: threading.Event,
    pattern: str,
    on: object,
    name: str,
) -> None:
    known = load_project(project)
    assert known.data is not None
    path = str(tmp_path) + pattern if pattern[0] == "/" else str(tmp_path / pattern)
    hostile = tmp_path / "hostile.wbench"
    save_project(replace(known, data=replace(known.data, path=path)), hostile)
    waits = stuck(monkeypatch, on, name, answering, path)
    window.open_path(hostile)
    qtbot.waitUntil(waits.is_set, timeout=_PATIENCE)
    edit(window, 77.0)  # the window answers, and the project is there
    assert window.document.path == hostile and window.document.modified
    window.cancel()
    qtbot.waitUntil(lambda: not window.runner.jobs, timeout=_PATIENCE)
    assert not answering.is_set() and not window.document.has_data
    answering.set()


def test_a_pattern_for_the_whole_disk_stops_when_it_is_cancelled(
    qtbot: QtBot, window: MainWindow, project: Path, tmp_path: Path
) -> None:
    """Its thread ends too, and searches no disk for ever."""
    known = load_project(project)
    assert known.data is not None
    hostile = tmp_path / "hostile.wbench"
    save_project(replace(known, data=replace(known.data, path="/**/*")), hostile)
    window.document.open_project(hostile)
    qtbot.waitUntil(lambda: window.document.path == hostile, timeout=_PATIENCE)
    for _ in range(20):
        window.cancel()
        QApplication.processEvents()
    qtbot.waitUntil(lambda: not window.runner.jobs, timeout=_PATIENCE)
    assert not window.document.has_data


def test_a_vanished_network_leaves_recent_files_to_be_chosen(
    qtbot: QtBot,
    window: MainWindow,
    tmp_path: Path,
    settings: WindowSettings,
    monkeypatch: pytest.MonkeyPatch,
    answering: threading.Event,
) -> None:
    slow, gone = tmp_path / "slow.csv", tmp_path / "gone.csv"
    for path in (slow, gone):
        settings.add_recent(path)
    waits = stuck(monkeypatch, os, "stat", answering, "slow.csv")
    menu = next(m for m in window.findChildren(QMenu) if m.title() == "Open &recent")
    menu.aboutToShow.emit()
    actions = {action.text(): action for action in menu.actions()}
    qtbot.waitUntil(lambda: waits.is_set() and not actions["gone.csv"].isEnabled(), timeout=_PATIENCE)
    assert actions["slow.csv"].isEnabled()
    menu.aboutToShow.emit()  # filled again while the first is still asked for
    answering.set()
    qtbot.waitUntil(lambda: not window.runner.jobs, timeout=_PATIENCE)


def test_what_is_edited_while_it_is_saved_stays_unsaved_and_is_saved_next(
    qtbot: QtBot, window: MainWindow, project: Path, monkeypatch: pytest.MonkeyPatch, answering: threading.Event
) -> None:
    opened(qtbot, window, project)
    edit(window, 80.0)
    waits = stuck(monkeypatch, storage, "atomic_write", answering, "p.wbench")
    window.save()
    qtbot.waitUntil(waits.is_set, timeout=_PATIENCE)
    edit(window, 90.0)
    window.save()  # twice: what has changed since comes after it
    window.save()
    edit(window, 95.0)
    assert bound_in(project) is None
    answering.set()
    qtbot.waitUntil(lambda: not window.document.saving.busy, timeout=_PATIENCE)
    assert bound_in(project) == (0.0, 95.0)  # as it was when its turn came
    assert not window.document.modified
    edit(window, 99.0)
    assert window.document.modified


def test_an_edit_made_while_it_is_saved_is_asked_about(
    qtbot: QtBot, window: MainWindow, project: Path, monkeypatch: pytest.MonkeyPatch, answering: threading.Event
) -> None:
    opened(qtbot, window, project)
    edit(window, 80.0)
    waits = stuck(monkeypatch, storage, "atomic_write", answering, "p.wbench")
    window.save()
    qtbot.waitUntil(waits.is_set, timeout=_PATIENCE)
    edit(window, 90.0)
    answering.set()
    qtbot.waitUntil(lambda: not window.document.saving.busy, timeout=_PATIENCE)
    assert bound_in(project) == (0.0, 80.0)
    assert window.document.modified
    asked: list[str] = []

    def ask(_: object, title: str, *__: object) -> QMessageBox.StandardButton:
        asked.append(title)
        return QMessageBox.StandardButton.Save

    monkeypatch.setattr(QMessageBox, "question", ask)
    window.close()
    assert asked == ["Unsaved changes"]
    assert bound_in(project) == (0.0, 90.0)


def test_closing_waits_for_what_is_being_saved(
    qtbot: QtBot, window: MainWindow, project: Path, monkeypatch: pytest.MonkeyPatch, answering: threading.Event
) -> None:
    opened(qtbot, window, project)
    edit(window, 80.0)
    waits = stuck(monkeypatch, storage, "atomic_write", answering, "p.wbench")
    monkeypatch.setattr(saving, "_SAY_AFTER_MS", 1)
    told: list[str] = []

    def say(dialog: QProgressDialog) -> int:
        told.append(dialog.labelText())
        answering.set()
        qtbot.waitUntil(lambda: not window.document.saving.busy, timeout=_PATIENCE)
        return 0

    monkeypatch.setattr(QProgressDialog, "exec", say)
    window.save()
    qtbot.waitUntil(waits.is_set, timeout=_PATIENCE)
    event = QCloseEvent()
    window.closeEvent(event)
    assert event.isAccepted()
    assert told == ["Saving the project…"]
    assert bound_in(project) == (0.0, 80.0)


def test_who_does_not_wait_for_a_disk_stays_with_the_work(
    qtbot: QtBot, window: MainWindow, project: Path, monkeypatch: pytest.MonkeyPatch, answering: threading.Event
) -> None:
    opened(qtbot, window, project)
    edit(window, 80.0)
    waits = stuck(monkeypatch, storage, "atomic_write", answering, "p.wbench")
    monkeypatch.setattr(saving, "_SAY_AFTER_MS", 1)
    monkeypatch.setattr(QProgressDialog, "exec", lambda _: 0)  # “Do not wait”
    window.save()
    qtbot.waitUntil(waits.is_set, timeout=_PATIENCE)
    event = QCloseEvent()
    window.closeEvent(event)
    assert not event.isAccepted()
    assert window.document.modified and window.document.project.schema["age"].bounds == (0.0, 80.0)
    answering.set()
    qtbot.waitUntil(lambda: not window.document.modified, timeout=_PATIENCE)
    assert bound_in(project) == (0.0, 80.0)


def test_saving_that_is_cancelled_in_time_changes_nothing(
    qtbot: QtBot, window: MainWindow, project: Path, monkeypatch: pytest.MonkeyPatch, answering: threading.Event
) -> None:
    opened(qtbot, window, project)
    before = project.read_bytes()
    edit(window, 80.0)
    waits = stuck(monkeypatch, os, "stat", answering, "p.wbench")
    window.save()
    qtbot.waitUntil(waits.is_set, timeout=_PATIENCE)
    (job,) = window.runner.jobs
    window.cancel()
    answering.set()
    qtbot.waitUntil(lambda: not window.runner.jobs, timeout=_PATIENCE)
    assert job.state is JobState.CANCELLED
    assert project.read_bytes() == before and window.document.modified
    assert window.document.save(project)
    assert bound_in(project) == (0.0, 80.0)


def test_a_project_is_read_anew_if_something_was_edited_meanwhile(
    qtbot: QtBot, window: MainWindow, project: Path, monkeypatch: pytest.MonkeyPatch, answering: threading.Event
) -> None:
    """What was edited while the other project was read is asked about, and not replaced unseen."""
    opened(qtbot, window, project)
    other = project.with_name("other.wbench")
    other.write_bytes(project.read_bytes())
    waits = stuck(monkeypatch, os, "stat", answering, "other.wbench")
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Cancel)
    window.open_path(other)
    qtbot.waitUntil(waits.is_set, timeout=_PATIENCE)
    edit(window, 80.0)
    answering.set()
    qtbot.waitUntil(lambda: not window.runner.jobs, timeout=_PATIENCE)
    assert window.document.path == project
    assert window.document.project.schema["age"].bounds == (0.0, 80.0)


def test_what_waits_to_be_saved_is_the_project_it_was_asked_for(
    qtbot: QtBot, window: MainWindow, project: Path, monkeypatch: pytest.MonkeyPatch, answering: threading.Event
) -> None:
    """Another project that is opened meanwhile never lands in the file of the first."""
    opened(qtbot, window, project)
    session = Session(load_project(project))
    session.data.set_bounds("age", (0.0, 11.0))
    other = project.with_name("other.wbench")
    session.save(other)
    reading, read = threading.Event(), threading.Event()

    def slowly(path: Path) -> Project:
        reading.set()
        assert read.wait(20)
        return load_project(path)

    monkeypatch.setattr(document, "load_project", slowly)
    window.open_path(other)  # nothing is unsaved, and nothing asked
    qtbot.waitUntil(reading.is_set, timeout=_PATIENCE)
    waits = stuck(monkeypatch, storage, "atomic_write", answering, "p.wbench")
    window.save()
    qtbot.waitUntil(waits.is_set, timeout=_PATIENCE)
    window.save()
    read.set()
    qtbot.waitUntil(lambda: window.document.path == other, timeout=_PATIENCE)
    answering.set()
    qtbot.waitUntil(lambda: not window.document.saving.busy and not window.runner.jobs, timeout=_PATIENCE)
    assert bound_in(project) is None
    assert bound_in(other) == (0.0, 11.0)
    assert window.document.path == other
    window.save()
    qtbot.waitUntil(lambda: not window.document.saving.busy, timeout=_PATIENCE)
    assert window.document.path == other and not window.messages.messages


def test_a_file_that_is_dropped_is_looked_for_elsewhere(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(tmp_path / "gone.wbench"))])
    event = QDropEvent(
        QPointF(5, 5), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    window.dropEvent(event)
    qtbot.waitUntil(lambda: bool(window.messages.messages) and not window.runner.jobs, timeout=_PATIENCE)
    assert "gone.wbench" in window.messages.messages[-1].text


def in_the_window(source: str, path: Path) -> None:
    """Run this as if it stood in a module of the window."""
    named = {"path": path, "glob": glob, "os": os, "socket": socket, "is_there": is_there}
    exec(compile(source, str(Path(workbench.gui.__path__[0], "witness.py")), "exec"), named)


class TestTheWitness:
    """The watch that every test of the window stands under can fail."""

    @pytest.fixture
    def witness(self, private_home: Path) -> Iterator[Watch]:
        with watched(programs_own(private_home)) as watch:
            yield watch

    @pytest.mark.parametrize(
        "source",
        [
            "path.exists()",
            "path.is_dir()",
            "path.resolve()",
            "path.read_bytes()",
            "list(path.parent.iterdir())",
            "list(os.scandir(path.parent))",
            "glob.glob(str(path.parent / '*'))",
            "os.access(path, os.R_OK)",
            "os.path.realpath(path)",
            "is_there(path)",
            "path.with_name('new').write_text('x')",
            "path.with_name('folder').mkdir()",
            "path.unlink()",
            "socket.getaddrinfo('localhost', 7077)",
        ],
    )
    def test_it_sees_whatever_touches_a_path_or_an_address(
        self, data: Path, witness: Watch, no_path_on_the_window_thread: Watch, source: str
    ) -> None:
        in_the_window(source, data)
        assert witness.found and "gui/witness.py" in witness.found[0]
        no_path_on_the_window_thread.found.clear()

    def test_other_threads_and_tests_may(self, data: Path, witness: Watch) -> None:
        worker = threading.Thread(target=in_the_window, args=("path.exists()", data))
        worker.start()
        worker.join()
        assert data.exists() and data.read_bytes()
        assert not witness.found


class TestOutside:
    """A project from anybody makes the window read nothing outside its folder before the person agrees."""

    @pytest.fixture
    def gift(self, project: Path) -> Path:
        folder = project.with_name("gift")
        folder.mkdir()
        return project.rename(folder / "p.wbench")

    def test_it_is_asked_before_anything_is_read(
        self, qtbot: QtBot, window: MainWindow, gift: Path, data: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patched:
            touched = stuck(patched, os, "stat", threading.Event(), data.name)
            window.open_path(gift)
            qtbot.waitUntil(lambda: window.document.path == gift and not window.runner.jobs, timeout=_PATIENCE)
        (message,) = window.messages.messages
        assert message.text == f"This project opens {data}, outside its own folder."
        assert not window.document.has_data and not touched.is_set()
        next(b for b in message.findChildren(QPushButton) if b.text() == "Open the data").click()
        data_is_there(qtbot, window.document)
        window.document.new()
        opened(qtbot, window, gift)  # it was opened here before
        assert not [m for m in window.messages.messages if "outside" in m.text]

    def test_who_opened_the_data_is_not_asked(self, qtbot: QtBot, window: MainWindow, gift: Path, data: Path) -> None:
        opened(qtbot, window, data)
        window.document.new()
        opened(qtbot, window, gift)
        assert not window.messages.messages
