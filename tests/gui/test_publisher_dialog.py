"""In Release: what the publisher says in the statement is typed, kept as a template, seen, written and verified."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
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
from workbench.session.ledger_statement import statement_of
from workbench.session.publishing import words_typed
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
    assert room.export.export.text() == "&Export again"
    done(qtbot, room, room.export.write)
    assert "publisher" not in read_document(statement_beside(path)).facts
    assert len(room.document.session.ledger.current.entries) == charged


def test_who_publishes_is_named_beside_the_ticks_and_may_be_nobody(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    settings, field = WindowSettings(tmp_path / "window.json"), room.page.publisher.field
    keep_publisher(room.document, settings)
    assert field.text() == "" and "leave empty to name nobody" in field.placeholderText()
    for tick in room.assertions.ticks:
        tick.click()
    qtbot.keyClicks(field, "City of Bern")
    path = Path(room.export.file.text())
    done(qtbot, room, room.export.export.click)
    assert read_document(statement_beside(path)).facts["publisher"]["institution"] == "City of Bern"
    assert not room.page.publisher.otherwise.isVisibleTo(room)
    assert verify_received(received_files(path)).holds
    assert room.statement.toPlainText().startswith("Published by City of Bern")
    another = Document(room.document.runner, room)
    keep_publisher(another, WindowSettings(tmp_path / "window.json"))
    assert another.session.publisher is None, "in that project nobody was named"
    assert another.session.publishing is not None and another.session.publishing.institution == "City of Bern"
    assert field.isReadOnly(), "nothing that is typed is of the files that are there"
    room.page.publisher.change.click()
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    data_is_there(qtbot, room.document)
    assert "Published by" not in room.statement.toPlainText() and room.document.session.publisher is None
    otherwise = room.page.publisher.otherwise
    assert otherwise.isVisibleTo(room) and otherwise.text().startswith(f"“{path.name}” was exported and names “City of")
    assert room.next_hint() == "Export it again" and room.next_field() == "export", (
        "what names another is not handed over"
    )
    written = room.export.written
    assert written.isVisibleTo(room) and path.name in written.names, "what left is still there"
    assert written.hand_over.text().startswith("The statement names “City of Bern”.")
    assert room.export.check.isEnabled() and room.export.export.text() == "&Export again"
    written.copy_digits.click()
    assert QGuiApplication.clipboard().text() == written.fingerprint
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


def test_a_remembered_name_is_proposed_until_an_export_confirms_it(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    """What was published before in another project was not published by them here."""
    settings, page = WindowSettings(tmp_path / "window.json"), room.page.publisher
    settings.set_value("published by", "Client A")  # as earlier programs kept it
    keep_publisher(room.document, settings)
    room.document.changed.emit("result")
    data_is_there(qtbot, room.document)
    session = room.document.session
    assert page.field.text() == "Client A" and page.proposed.isVisibleTo(room)
    assert room.statement.toPlainText().startswith("Published by Client A"), "as it would leave"
    entry = session.ledger.current.history.told[-1]
    assert session.publisher is None and "Client A" not in statement_of(session, entry).page
    for tick in room.assertions.ticks:
        tick.click()
    path = Path(room.export.file.text())
    done(qtbot, room, room.export.export.click)
    assert read_document(statement_beside(path)).facts["publisher"]["institution"] == "Client A"
    assert session.publisher is not None and session.publisher.institution == "Client A"
    assert not page.proposed.isVisibleTo(room)
    session.propose_to_speak_as(None)
    assert session.publishing is session.publisher is not None, "it was named here"


def test_a_proposed_name_can_be_done_away_with_and_named_without_an_export(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    settings, page = WindowSettings(tmp_path / "window.json"), room.page.publisher
    words = words_typed("Client A", "a@b.example", "", "Ask us.")
    room.document.session.propose_to_speak_as(words)
    room.document.changed.emit("result")
    data_is_there(qtbot, room.document)
    page.field.selectAll()
    qtbot.keyClicks(page.field, "Client A")
    page.field.editingFinished.emit()
    assert room.document.session.state.template == words, "typed here, with the other words"
    room.document.session.speak_as(None)
    room.document.session.propose_to_speak_as(words)
    keep_publisher(room.document, settings)
    room.document.session.propose_to_speak_as(words)
    room.document.changed.emit("result")
    data_is_there(qtbot, room.document)
    assert page.proposed.isVisibleTo(room)
    page.field.selectAll()
    qtbot.keyClick(page.field, Qt.Key.Key_Delete)
    page.field.editingFinished.emit()
    assert room.document.session.publishing is None and not page.proposed.isVisibleTo(room)
    assert settings.value("published by") is None


def test_two_windows_do_not_lose_each_others_words(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    place = tmp_path / "window.json"
    one, other = Document(room.document.runner, room), Document(room.document.runner, room)
    of_one, of_other = WindowSettings(place), WindowSettings(place)
    keep_publisher(one, of_one)
    keep_publisher(other, of_other)
    words = words_typed("Client B", "b@c.example", "", "Ask us.\nWe answer.")
    one.speak_as(words)
    other.changed.emit("result")
    of_other.set_value("theme", "dark")
    third = Document(room.document.runner, room)
    keep_publisher(third, WindowSettings(place))
    assert third.session.state.proposed == words, "contact and sentences, too"
    other.new()
    third.new()
    assert third.session.state.proposed == words and third.session.publisher is None
    one.new()
    assert words is not None and one.session.publisher is None and one.session.publishing == words.publisher
    assert WindowSettings(place).value("published by")["institution"] == "Client B"
    assert WindowSettings(place).value("theme") == "dark"


@pytest.mark.parametrize(
    "kept", [7, ["x"], {"institution": "a\nb"}, {"institution": 3, "sentences": 4}, {}, "a\u202eb"]
)
def test_what_somebody_made_of_the_remembered_words_breaks_nothing(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, kept: object
) -> None:
    settings = WindowSettings(tmp_path / "window.json")
    settings.set_value("published by", kept)
    document = Document(room.document.runner, room)
    keep_publisher(document, settings)
    assert document.session.publisher is None
    proposed = document.session.publishing
    assert proposed is None or proposed.institution in {"3", "a b"}


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
    # The words are those of the person, whatever project is open: there they are proposed.
    room.document.new()
    assert room.document.session.publishing is not None and room.document.session.publisher is None


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
