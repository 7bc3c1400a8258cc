"""A project on a database, from opening it to opening it again: who asks, what changed meanwhile, what is gone."""

from __future__ import annotations

import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, no_jobs
from tests.postgresql_server import PASSWORD, USER
from workbench.core.schema import Kind, PrivacyUnit
from workbench.gui.database_dialog import DatabaseDialog
from workbench.gui.main_window import MainWindow
from workbench.io import addresses
from workbench.io.addresses import Address, Credentials
from workbench.io.dialect import Dialect
from workbench.query.catalogue import QueryDraft
from workbench.query.ledger_file import ledgers_folder
from workbench.session import Session


def opened(qtbot: QtBot, window: MainWindow, path: Path, dialect: Dialect) -> None:
    window.document.open_data(path, dialect)
    qtbot.waitUntil(lambda: window.document.has_data, timeout=PATIENCE_MS)
    no_jobs(qtbot, window)

    def declare(session: Session) -> None:
        session.data.set_unit(PrivacyUnit())
        session.data.set_kind(["id"], Kind.INTEGER)
        session.data.set_bounds("id", (0, 500))

    assert window.document.apply("Declare", declare)
    # Comes by itself once it is said who is protected; saved before that, the project would be changed again.
    stack = window.document.undo_stack
    qtbot.waitUntil(lambda: stack.undoText() == "Follow the suggested roles", timeout=PATIENCE_MS)
    no_jobs(qtbot, window)


def saved(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    assert window.document.save(path)
    no_jobs(qtbot, window)
    qtbot.waitUntil(lambda: path.exists() and not window.document.modified, timeout=PATIENCE_MS)
    window.document.close()
    window.document.new()
    assert not window.document.has_data


def told(window: MainWindow) -> str:
    return " ".join(f"{message.text} {message.details}" for message in window.messages.messages)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.db"
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE towns (name TEXT)")
        made.execute("CREATE TABLE people (id INTEGER, zip TEXT)")
        made.executemany("INSERT INTO people VALUES (?, ?)", [(number, f"{number:05}") for number in range(200)])
        made.commit()
    return path


@pytest.mark.parametrize("read", [Dialect(sheet="people"), Dialect(query="SELECT id, zip FROM people")])
def test_a_table_of_sqlite_is_there_again(read: Dialect, qtbot: QtBot, window: MainWindow, people: Path) -> None:
    opened(qtbot, window, people, read)
    content = window.document.session.data.fingerprint
    project = people.with_suffix(".wbench")
    saved(qtbot, window, project)
    window.open_path(project)
    qtbot.waitUntil(lambda: window.document.has_data, timeout=PATIENCE_MS)
    no_jobs(qtbot, window)
    data = window.document.project.data
    assert data is not None and data.dialect == read
    assert window.document.session.data.fingerprint == content
    assert window.document.session.data.reading.rows == 200
    assert window.document.project.schema["id"].bounds == (0, 500)


def test_a_table_that_changed_meanwhile_is_read_as_it_is_now(qtbot: QtBot, window: MainWindow, people: Path) -> None:
    opened(qtbot, window, people, Dialect(sheet="people"))
    content = window.document.session.data.fingerprint
    project = people.with_suffix(".wbench")
    saved(qtbot, window, project)
    with closing(sqlite3.connect(people)) as made:
        made.execute("INSERT INTO people VALUES (7000, '07000')")
        made.commit()
    window.open_path(project)
    qtbot.waitUntil(lambda: window.document.has_data, timeout=PATIENCE_MS)
    no_jobs(qtbot, window)
    session = window.document.session
    assert session.data.reading.rows == 201 and session.data.fingerprint != content
    assert window.document.project.schema["id"].bounds == (0, 500)


def test_a_column_that_is_gone_is_said(qtbot: QtBot, window: MainWindow, people: Path) -> None:
    opened(qtbot, window, people, Dialect(sheet="people"))
    project = people.with_suffix(".wbench")
    saved(qtbot, window, project)
    with closing(sqlite3.connect(people)) as made:
        made.execute("ALTER TABLE people RENAME COLUMN zip TO postcode")
        made.commit()
    window.open_path(project)
    qtbot.waitUntil(lambda: window.document.has_data, timeout=PATIENCE_MS)
    no_jobs(qtbot, window)
    assert window.document.session.data.reading.table.names == ("id", "postcode")
    assert "zip" in window.document.differences.missing


@pytest.mark.parametrize("gone", ["file", "table"])
def test_what_is_gone_is_said_and_the_project_stays(gone: str, qtbot: QtBot, window: MainWindow, people: Path) -> None:
    opened(qtbot, window, people, Dialect(sheet="people"))
    project = people.with_suffix(".wbench")
    saved(qtbot, window, project)
    before = project.read_bytes()
    if gone == "file":
        people.unlink()
    else:
        with closing(sqlite3.connect(people)) as made:
            made.execute("DROP TABLE people")
            made.commit()
    window.open_path(project)
    wanted = "is not where it was" if gone == "file" else "people"
    qtbot.waitUntil(lambda: wanted in told(window), timeout=PATIENCE_MS)
    no_jobs(qtbot, window)
    assert not window.document.has_data and window.document.project.schema["id"].bounds == (0, 500)
    assert project.read_bytes() == before


def dialog_of(qtbot: QtBot) -> DatabaseDialog:
    """The question who asks, once it is there."""

    def shown() -> list[DatabaseDialog]:
        return [one for one in QApplication.topLevelWidgets() if isinstance(one, DatabaseDialog) and one.isVisible()]

    qtbot.waitUntil(lambda: bool(shown()), timeout=PATIENCE_MS)
    return shown()[0]


@pytest.fixture
def asked_at_terminal() -> list[Address]:
    """What somebody at a terminal would be asked, as once the library or a command has opened data in this process."""
    asked = list[Address]()
    addresses.ask_with(asked.append)
    return asked


@pytest.mark.xdist_group("postgresql")
def test_a_window_asks_in_a_dialog_and_not_at_the_terminal_it_was_started_from(
    qtbot: QtBot, asked_at_terminal: list[Address], window: MainWindow, address: Address
) -> None:
    addresses.remember(address, Credentials(USER, "a wrong one"))
    window.document.open_data(address.path, Dialect(sheet="people"))
    assert "refused" in dialog_of(qtbot).told.text()
    assert asked_at_terminal == []


@pytest.mark.xdist_group("postgresql")
def test_a_project_on_a_server_asks_again_and_keeps_no_password(
    qtbot: QtBot, window: MainWindow, address: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Dialect(query="SELECT id, zip FROM people")
    opened(qtbot, window, address.path, read)
    session = window.document.session
    content = session.data.fingerprint
    session.queries.ask(QueryDraft("count", "1", {}, ""))
    seen = [repr(session), repr(window.document.project), repr(session.data.reading), str(address)]
    # What is copied and exported names the place, and nobody.
    window.select_and_focus("data")
    QGuiApplication.clipboard().clear()
    window.copy_python()
    qtbot.waitUntil(lambda: "postgresql://" in QGuiApplication.clipboard().text(), timeout=PATIENCE_MS)
    seen.append(QGuiApplication.clipboard().text())
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "done.ipynb"), ""))
    window.export_notebook()
    qtbot.waitUntil((tmp_path / "done.ipynb").exists, timeout=PATIENCE_MS)
    no_jobs(qtbot, window)
    project = tmp_path / "people.wbench"
    assert window.document.save(project)
    no_jobs(qtbot, window)
    window.copy_command()
    seen.append(QGuiApplication.clipboard().text())
    saved(qtbot, window, project)
    # Another day: the program knows nobody, and asks.
    addresses.remember(address, Credentials(USER, "a wrong one"))
    window.open_path(project)
    dialog = dialog_of(qtbot)
    assert dialog.password.text() == "" and "refused" in dialog.told.text()
    dialog.user.setText(USER)
    dialog.password.setText(PASSWORD)
    dialog.open_it.click()
    qtbot.waitUntil(lambda: window.document.has_data, timeout=PATIENCE_MS)
    no_jobs(qtbot, window)
    assert window.document.session.data.fingerprint == content
    assert window.document.session.ledger.current.spent().epsilon == 1
    seen.append(told(window))
    assert list(ledgers_folder().glob("*.jsonl"))
    for path in (*tmp_path.rglob("*"), *ledgers_folder().parent.rglob("*")):
        if path.is_file():
            seen.append(path.read_bytes().decode("latin-1"))
        if path.is_file() and zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                seen += [archive.read(name).decode("latin-1") for name in archive.namelist()]
    assert not [text for text in seen if PASSWORD in text or USER in text or "a wrong one" in text]


@pytest.mark.xdist_group("postgresql")
def test_a_server_that_is_gone_is_said_and_the_project_stays(
    qtbot: QtBot, window: MainWindow, address: Address, tmp_path: Path
) -> None:
    opened(qtbot, window, address.path, Dialect(query="SELECT id, zip FROM people"))
    project = tmp_path / "people.wbench"
    nowhere = Address("127.0.0.1:1", address.database)
    saved(qtbot, window, project)
    before = project.read_bytes()
    session = Session.from_file(project)
    data = session.project.data
    assert data is not None and Path(data.path) == address.path
    window.document.open_data(nowhere.path, data.dialect, of_project=True)
    qtbot.waitUntil(lambda: "127.0.0.1:1" in told(window), timeout=PATIENCE_MS)
    assert PASSWORD not in told(window) and not window.document.has_data
    assert project.read_bytes() == before
