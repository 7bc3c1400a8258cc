"""In Release: what the publisher says in the statement is typed, kept as a template, seen, written and verified."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from tests.forging import png
from tests.gui.helpers import PATIENCE_MS, data_is_there
from workbench.gui.document import Document
from workbench.gui.kept_publisher import keep_publisher
from workbench.gui.settings import WindowSettings
from workbench.gui.workspaces.release import ReleaseWorkspace
from workbench.gui.workspaces.release.publisher_dialog import PublisherDialog
from workbench.project.names_beside import statement_beside
from workbench.report.note import read_document
from workbench.session.verifying.beside import received_files, verify_received


@pytest.fixture
def room(drawn: ReleaseWorkspace) -> ReleaseWorkspace:
    """A draw that may be written."""
    return drawn


def asked(qtbot: QtBot, room: ReleaseWorkspace) -> PublisherDialog:
    room.export.words.click()
    dialog = room.export.findChildren(PublisherDialog)[-1]
    qtbot.waitUntil(dialog.isVisible, timeout=PATIENCE_MS)
    return dialog


def says(dialog: PublisherDialog, words: str) -> bool:
    return any(words in one.text() for one in dialog.findChildren(QLabel))


def done(qtbot: QtBot, room: ReleaseWorkspace, step: Callable[[], None]) -> None:
    step()
    data_is_there(qtbot, room.document)


def test_words_are_typed_seen_written_and_verified(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    (tmp_path / "logo.png").write_bytes(png(40, 20))
    assert room.export.whose.full_text == "None in the statement"
    dialog = asked(qtbot, room)
    assert not says(dialog, "Files that are written stay as they are")
    dialog.institution.setText(" Office of Statistics ")
    dialog.logo.setText(str(tmp_path / "logo.png"))
    dialog.sentences.setPlainText("We answer <soon>.\n\nAsk us.\n")
    done(qtbot, room, dialog.use_it)
    assert room.export.whose.full_text == "Office of Statistics"
    shown = room.statement.toPlainText()
    assert shown.index("Published by Office of Statistics") < shown.index("Privacy statement")
    assert shown.index("not of the workbench") < shown.index("We answer <soon>.")
    for tick in room.assertions.ticks:
        tick.click()
    path = Path(room.export.file.text())
    done(qtbot, room, room.export.write)
    assert read_document(statement_beside(path)).facts["publisher"]["sentences"] == ["We answer <soon>.", "Ask us."]
    found = verify_received(received_files(path))
    assert found.holds
    assert any("“Office of Statistics”" in one.text for one in found.findings)
    # Whoever takes them out again has a statement that nobody has yet, of the same draw and in the same place.
    charged = len(room.document.session.ledger.current.entries)
    dialog = asked(qtbot, room)
    assert says(dialog, "Files that are written stay as they are: export again to have it in them.")
    for field in (dialog.institution, dialog.logo):
        field.clear()
    dialog.sentences.clear()
    done(qtbot, room, dialog.use_it)
    assert "Office of Statistics" not in room.statement.toPlainText()
    assert room.export.export.text() == "&Export release"
    done(qtbot, room, room.export.write)
    assert "publisher" not in read_document(statement_beside(path)).facts
    assert len(room.document.session.ledger.current.entries) == charged


def test_who_publishes_is_named_beside_the_ticks_and_may_be_nobody(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    settings, field = WindowSettings(tmp_path / "window.json"), room.page.publisher.field
    keep_publisher(room.document, settings)
    assert field.text() == "" and "names nobody" in field.placeholderText()
    for tick in room.assertions.ticks:
        tick.click()
    qtbot.keyClicks(field, "City of Bern")
    path = Path(room.export.file.text())
    done(qtbot, room, room.export.export.click)
    assert read_document(statement_beside(path)).facts["publisher"]["institution"] == "City of Bern"
    assert verify_received(received_files(path)).holds
    assert room.statement.toPlainText().startswith("Published by City of Bern")
    another = Document(room.document.runner, room)
    keep_publisher(another, WindowSettings(tmp_path / "window.json"))
    assert another.session.publisher is not None and another.session.publisher.institution == "City of Bern"
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    data_is_there(qtbot, room.document)
    assert "Published by" not in room.statement.toPlainText() and room.document.session.publisher is None
    dialog = asked(qtbot, room)
    dialog.institution.setText("Office")
    dialog.sentences.setPlainText("Ask us.")
    done(qtbot, room, dialog.use_it)
    assert field.text() == "Office"
    field.selectAll()
    qtbot.keyClicks(field, "Bureau")
    field.editingFinished.emit()
    publisher = room.document.session.publisher
    assert publisher is not None and (publisher.institution, publisher.sentences) == ("Bureau", ("Ask us.",))


def test_words_are_kept_as_a_template_and_opened_again(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "logo.png").write_bytes(png(40, 20))
    kept = tmp_path / "words.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(kept), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(kept), ""))
    dialog = asked(qtbot, room)
    done(qtbot, room, dialog.save_template)
    assert "Nothing was typed yet" in dialog.told.text() and not kept.exists()
    dialog.institution.setText("Office of Statistics")
    dialog.contact.setText("data@office.example")
    dialog.logo.setText(str(tmp_path / "logo.png"))
    done(qtbot, room, dialog.save_template)
    assert json.loads(kept.read_text("utf-8"))["logo"] == "logo.png", "it may move with its folder"
    dialog.reject()
    dialog = asked(qtbot, room)
    assert not dialog.institution.text()
    done(qtbot, room, dialog.open_template)
    assert dialog.contact.text() == "data@office.example"
    done(qtbot, room, dialog.use_it)
    # The words are those of the person, whatever project is open.
    room.document.new()
    assert room.document.session.publisher is not None


def test_what_cannot_stand_there_is_said_and_changes_nothing(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    dialog = asked(qtbot, room)
    dialog.sentences.setPlainText("We answer.")
    done(qtbot, room, dialog.use_it)
    assert "the institution is empty" in dialog.told.text() and dialog.isVisible()
    dialog.institution.setText("Office")
    dialog.logo.setText(str(tmp_path / "staff.csv"))
    done(qtbot, room, dialog.use_it)
    assert "neither PNG nor JPEG" in dialog.told.text()
    assert room.document.session.publisher is None
