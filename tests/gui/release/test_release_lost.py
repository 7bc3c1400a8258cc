"""What is lost with a draw that was not exported: it is named before the project goes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from tests.gui.helpers import idle
from tests.gui.release.helpers import run
from workbench.core.schema import PrivacyUnit
from workbench.engines.choice import EngineChoice
from workbench.gui.opener import Opener
from workbench.gui.project_files import ProjectFiles
from workbench.gui.settings import WindowSettings
from workbench.gui.workspaces.release import ReleaseWorkspace

pytestmark = pytest.mark.usefixtures("sampling")


def test_a_draw_that_leaves_with_its_project_is_named_before(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def question(_window: object, _title: str, text: str, *_: object) -> QMessageBox.StandardButton:
        asked.append(text)
        return QMessageBox.StandardButton.Cancel

    files = ProjectFiles(room.document, WindowSettings(tmp_path / "settings.json"), room)
    lost = "was drawn and not exported"
    monkeypatch.setattr(QMessageBox, "question", question)
    assert not files.may_leave()
    run(room)
    assert not files.may_leave()
    assert not files.may_leave("Another table. Save the project first?")
    room.export.file.setText(str(tmp_path / "out.csv"))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert not files.may_leave()
    assert [lost in text for text in asked] == [False, True, True, False]
    assert "charged with ε = " in asked[1] and asked[2].endswith("Save the project first?")
    assert asked[0].startswith("This project was not saved. ")
    assert room.document.save(tmp_path / "survey.wbench", room)
    room.document.apply("seed", lambda session: session.collection.change(seed=7))
    assert not files.may_leave() and asked[-1].startswith("Changes of the project survey are not saved. ")


@pytest.mark.parametrize("answer", [QMessageBox.StandardButton.Discard, QMessageBox.StandardButton.Save])
def test_a_draw_that_is_made_while_the_question_stands_there_is_named_too(
    room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: QMessageBox.StandardButton
) -> None:
    """As of a window that is closed while it draws: it was paid for behind a question that said nothing of it."""
    asked: list[str] = []

    def question(_window: object, _title: str, text: str, *_: object) -> QMessageBox.StandardButton:
        asked.append(text)
        if len(asked) > 1:
            return QMessageBox.StandardButton.Cancel
        run(room)
        return answer

    files = ProjectFiles(room.document, WindowSettings(tmp_path / "settings.json"), room)
    assert room.document.save(tmp_path / "survey.wbench", room)
    room.document.apply("seed", lambda session: session.collection.change(seed=7))
    monkeypatch.setattr(QMessageBox, "question", question)
    assert not files.may_leave()
    assert ["drawn and not exported" in text for text in asked] == [False, True]


def test_of_draws_that_are_lost_it_is_said_whether_a_later_one_was_exported(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    session = room.document.session
    run(room)
    first = session.release.result
    assert first is not None and session.release.lost_with_it.startswith("A release was drawn and not exported: ")
    run(room)
    second = session.release.result
    assert second is not None and session.release.lost_with_it.startswith("2 releases were drawn and not exported: ")
    room.export.file.setText(str(tmp_path / "out.csv"))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert session.release.lost_with_it.startswith(
        f"An earlier release, of {first.outcome.rows_out:,} rows, was drawn and not exported, unlike the last one: "
    )
    assert "That draw was charged with ε = " in session.release.lost_with_it
    run(room)
    last = session.release.result
    assert last is not None and session.release.lost_with_it.startswith("2 releases were drawn and not exported: ")
    results = session.state.results
    results.result, results.drawn = second, (last, second)
    assert session.release.lost_with_it.startswith(
        f"The last release, of {last.outcome.rows_out:,} rows, was drawn and not exported, unlike the one that is "
    )


def test_a_draw_that_no_saved_project_keeps_is_named_before_too(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    answers = [QMessageBox.StandardButton.Cancel]

    def question(_window: object, _title: str, text: str, *_: object) -> QMessageBox.StandardButton:
        asked.append(text)
        return answers[-1]

    document = room.document
    settings = WindowSettings(tmp_path / "settings.json")
    files = ProjectFiles(document, settings, room)
    opener = Opener(document, settings, files.may_leave, room)
    monkeypatch.setattr(QMessageBox, "question", question)
    run(room)
    assert document.save(tmp_path / "mine.wbench") and not document.modified
    assert not files.may_leave() and len(asked) == 1
    assert asked[0].startswith("A release was drawn and not exported") and "charged with ε = " in asked[0]
    result, data = document.session.release.result, document.project.data
    assert data is not None and result is not None
    opener.move(EngineChoice())
    opener.read(Path(data.path), None, False)
    idle(qtbot, room)
    assert len(asked) == 3 and document.session.release.result is result
    result = document.session.release.draw_again()
    assert document.save(tmp_path / "mine.wbench")
    answers.append(QMessageBox.StandardButton.Discard)
    assert files.may_leave()
    assert asked[3].startswith("2 releases were drawn and not exported") and "stays counted" in asked[3]
    answers.append(QMessageBox.StandardButton.Save)
    document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit(3)))
    assert files.may_leave() and len(asked) == 5, "of what is lost it was told once"
    opener.read(Path(data.path), None, False)
    idle(qtbot, room)
    assert document.session.release.result is result, "only Go on goes on"
    answers.append(QMessageBox.StandardButton.Discard)
    opener.read(Path(data.path), None, False)
    idle(qtbot, room)
    assert document.session.release.result is None and files.may_leave() and len(asked) == 7
