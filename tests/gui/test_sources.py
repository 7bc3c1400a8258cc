"""Databases, files of statistics packages and pasted tables, as the window opens them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, OnScreen, idle
from workbench.gui.database_dialog import DatabaseDialog
from workbench.gui.document import Document
from workbench.gui.opener import Opener
from workbench.gui.settings import WindowSettings
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.data.import_preview import ImportPreview
from workbench.io import addresses
from workbench.io.addresses import Address
from workbench.io.dialect import Dialect


@pytest.fixture
def workspace(document: Document, on_screen: OnScreen) -> DataWorkspace:
    return on_screen(DataWorkspace(document))


@pytest.fixture
def opener(document: Document, workspace: DataWorkspace, tmp_path: Path) -> Opener:
    return Opener(document, WindowSettings(tmp_path / "settings.json"), lambda _: True, workspace)


@pytest.fixture
def preview_of(qtbot: QtBot, workspace: DataWorkspace) -> Callable[[Path], ImportPreview]:
    def show(path: Path) -> ImportPreview:
        dialog = ImportPreview(path, None, workspace.document, workspace)
        dialog.show()
        idle(qtbot, workspace)
        return dialog

    return show


def dialects(dialog: ImportPreview) -> list[Dialect]:
    chosen: list[Dialect] = []
    dialog.applied.connect(lambda dialect, *_: chosen.append(dialect))
    dialog.apply.click()
    return chosen


def test_a_table_of_a_database_is_chosen_or_asked_for(
    qtbot: QtBot, workspace: DataWorkspace, preview_of: Callable[[Path], ImportPreview], tmp_path: Path
) -> None:
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE people (age INTEGER, zip TEXT)")
        made.execute("CREATE TABLE towns (name TEXT)")
        made.execute("INSERT INTO people VALUES (30, '007')")
        made.execute("INSERT INTO towns VALUES ('Bern')")
        made.commit()
    dialog = preview_of(path)
    fields = dialog.fields
    assert [fields.table.itemText(place) for place in range(fields.table.count())] == ["people", "towns"]
    assert (fields.table.currentText(), fields.table.isVisible(), fields.delimiter.isVisible()) == (
        "people",
        True,
        False,
    )
    assert dialog.table.model().rowCount() == 1
    fields.query.setText("SELECT zip FROM people")
    fields.query.editingFinished.emit()
    qtbot.waitUntil(lambda: dialog.table.model().columnCount() == 1, timeout=PATIENCE_MS)
    fields.table.setCurrentIndex(1)
    fields.table.activated.emit(1)
    assert fields.query.text() == ""
    idle(qtbot, workspace)
    assert dialects(dialog) == [Dialect(sheet="towns")]


def test_labels_are_shown_or_their_codes(
    qtbot: QtBot, workspace: DataWorkspace, preview_of: Callable[[Path], ImportPreview], tmp_path: Path
) -> None:
    stat, pd = pytest.importorskip("pyreadstat"), pytest.importorskip("pandas")
    path = tmp_path / "x.sav"
    stat.write_sav(pd.DataFrame({"sex": [1.0, 2.0]}), path, variable_value_labels={"sex": {1: "man", 2: "woman"}})
    dialog = preview_of(path)
    assert dialog.fields.labels.isVisible()
    assert dialog.table.model().index(0, 0).data() == "man"
    dialog.fields.labels.click()
    qtbot.waitUntil(lambda: dialog.table.model().index(0, 0).data() == "1", timeout=PATIENCE_MS)
    assert dialects(dialog) == [Dialect(labels=False)]


def test_a_pasted_table_is_kept_in_a_file_and_opened(
    qtbot: QtBot, workspace: DataWorkspace, opener: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept.tsv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    QGuiApplication.clipboard().setText("age\tjob\n30\tcook\n")
    opener.paste_table()
    qtbot.waitUntil(lambda: workspace.document.has_data, timeout=PATIENCE_MS)
    source = workspace.document.project.data
    assert source is not None and Path(source.path) == path
    assert path.read_text(encoding="utf-8") == "age\tjob\n30\tcook\n"
    told: list[object] = []
    workspace.document.failed.connect(told.append)
    QGuiApplication.clipboard().setText(" ")
    opener.paste_table()
    assert "no text on the clipboard" in str(told[0])


def test_who_asks_is_said_in_the_dialog_and_kept_out_of_the_address(
    qtbot: QtBot, workspace: DataWorkspace, document: Document
) -> None:
    dialog = DatabaseDialog(None, workspace)
    chosen: list[Path] = []
    dialog.chosen.connect(chosen.append)
    assert dialog.password.echoMode() is QLineEdit.EchoMode.Password
    dialog.address.setText("postgresql://ada:planted@localhost/clinic")
    dialog.open_it.click()
    assert not chosen
    assert "planted" not in dialog.told.text()
    dialog.address.setText("postgresql://localhost/clinic")
    dialog.user.setText("ada")
    dialog.password.setText("planted")
    dialog.open_it.click()
    assert chosen == [Path("postgresql:/localhost/clinic")]
    address = Address("localhost", "clinic")
    assert addresses.credentials_for(address).password == "planted"
    again = DatabaseDialog(address, workspace)
    assert (again.user.text(), again.password.text()) == ("ada", "")
    assert "refused" in again.told.text()
    again.reject()
    addresses.forget(address)
