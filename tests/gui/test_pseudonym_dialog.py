"""Pseudonyms in the window: columns that name a person are replaced unless somebody says otherwise."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, OnScreen
from workbench.core.schema import Role
from workbench.gui.document import Document
from workbench.gui.pseudonym_dialog import LEFT_OUT, PSEUDONYM, PseudonymDialog
from workbench.io.pseudonym_key import usual_pseudonym_key


@pytest.fixture
def people(tmp_path: Path) -> Path:
    file = tmp_path / "people.csv"
    file.write_text("id,name,age\n7,Ann,30\n8,Bob,41\n7,Ann,31\n", encoding="utf-8")
    return file


def test_a_copy_is_written_with_a_key_made_here(
    qtbot: QtBot, document: Document, on_screen: OnScreen, people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document.open_data(people)
    qtbot.waitUntil(lambda: not document.runner.jobs, timeout=PATIENCE_MS)
    document.session.data.set_role(["id"], Role.IDENTIFYING)
    dialog = on_screen(PseudonymDialog(document), 640, 520)
    chosen = {name: box.currentText() for name, box in dialog.columns.items()}
    assert [name for name, what in chosen.items() if what == PSEUDONYM] == ["id"]
    dialog.columns["name"].setCurrentText(LEFT_OUT)
    place = tmp_path / "passed on" / "copy.csv"
    place.parent.mkdir()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_words: (str(place), ""))

    def pressed(button: QPushButton) -> str:
        button.click()
        qtbot.waitUntil(lambda: dialog.write.isEnabled() and bool(dialog.told.text()), timeout=PATIENCE_MS)
        return dialog.told.text()

    assert "Make one with New key" in pressed(dialog.write)
    assert "The key is made" in pressed(dialog.make) and usual_pseudonym_key().is_file()
    assert "3 rows are in copy.csv" in pressed(dialog.write)
    with place.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert set(rows[0]) == {"id", "age"} and len({row["id"] for row in rows}) == 2
    assert "pseudonyms" in document.session.ledger.current.history.told[-1].charge.kind
    assert place.with_name("copy_statement.html").is_file()
    assert "is there already" in pressed(dialog.make)
