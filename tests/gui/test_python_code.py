"""Copy as Python and Export notebook, in every room of the real window; what they write is run in `tests/library`."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, data_is_there
from workbench.core.paths import sample_data
from workbench.gui.main_window import MainWindow
from workbench.gui.python_code import PythonCode
from workbench.gui.workspaces.compare.workspace import CompareWorkspace
from workbench.gui.workspaces.mechanisms import MechanismsWorkspace
from workbench.session import Session

AGES = sample_data() / "ages.csv"


def opened(qtbot: QtBot, window: MainWindow) -> None:
    window.open_path(AGES)
    data_is_there(qtbot, window.document)

    def attach(session: Session) -> None:
        session.data.attach_hierarchy_file("age", sample_data() / "ages_hierarchy_age.csv")
        session.collection.change(column="age", users=1000)

    assert window.document.apply("Attach", attach)
    qtbot.waitUntil(lambda: not window.runner.jobs, timeout=PATIENCE_MS)


@pytest.mark.parametrize("room", ["data", "hierarchies", "anonymise", "release", "query", "collect", "mechanisms"])
def test_every_room_copies_itself(room: str, qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window)
    window.select_and_focus(room)
    QApplication.clipboard().clear()
    assert window.header.python.isVisibleTo(window)
    window.header.python.click()
    qtbot.waitUntil(lambda: bool(QApplication.clipboard().text()), timeout=PATIENCE_MS)
    code = QApplication.clipboard().text()
    ast.parse(code)
    assert code.startswith("import workbench as wb\n")
    assert any("of Python were copied" in message.text for message in window.messages.messages)


def test_a_published_figure_and_a_preset_copy_themselves(qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window)
    window.select_and_focus("compare")
    room = window.room_in_view()
    assert isinstance(room, CompareWorkspace)

    def copied() -> str:
        QApplication.clipboard().clear()
        window.header.python.click()
        qtbot.waitUntil(lambda: bool(QApplication.clipboard().text()), timeout=PATIENCE_MS)
        return str(QApplication.clipboard().text())

    room.show_figure("figure-2.1")
    assert copied().endswith('made = wb.published("figure-2.1")\nprint(made.text)\n')
    room.show_preset("mechanism-tables")
    assert 'wb.published("mechanism-tables")' in copied()
    room.show_figure("figure-3.1")
    room.figure.data.choose("age")
    assert 'wb.published("figure-3.1", data, "age", look=True)' in copied()
    room.show_gallery()
    assert room.published_in_view is None


def test_what_cannot_be_said_is_a_message(qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window)
    window.select_and_focus("compare")
    QApplication.clipboard().clear()
    window.copy_python()
    qtbot.waitUntil(
        lambda: any(m.text == "There is no experiment." for m in window.messages.messages), timeout=PATIENCE_MS
    )
    assert not QApplication.clipboard().text()


def test_of_a_mistyped_number_nothing_is_copied(qtbot: QtBot, window: MainWindow) -> None:
    window.select_and_focus("mechanisms")
    room = window.room_in_view()
    assert isinstance(room, MechanismsWorkspace)
    qtbot.waitUntil(lambda: room.settings.parameters is not None, timeout=PATIENCE_MS)
    assert room.settings.parameters is not None
    alpha = room.settings.parameters.fields["alpha"]
    QTest.keyClicks(alpha, "x")
    QApplication.clipboard().clear()
    window.copy_python()
    assert any("what was set before" in message.text for message in window.messages.messages)
    assert not QApplication.clipboard().text() and not any(job.name == "Writing Python" for job in window.runner.jobs)


def test_nothing_is_left_of_each_time(window: MainWindow) -> None:
    window.select_and_focus("mechanisms")
    for _ in range(3):
        window.copy_python()
    window.runner.cancel_all()
    assert len(window.findChildren(PythonCode)) == 1


def test_the_first_page_is_no_room(qtbot: QtBot, window: MainWindow) -> None:
    window.show_start()
    assert not window.header.python.isVisibleTo(window)
    window.copy_python()
    assert any("repeats what a room does" in message.text for message in window.messages.messages)


def test_a_notebook_is_written(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(qtbot, window)
    file = tmp_path / "ages.ipynb"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(file), ""))
    window.export_notebook()
    qtbot.waitUntil(file.exists, timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: not window.runner.jobs, timeout=PATIENCE_MS)
    assert json.loads(file.read_text(encoding="utf-8"))["nbformat"] == 4
    assert any("The notebook was written to ages.ipynb" in message.text for message in window.messages.messages)


def test_a_notebook_of_nothing_says_that_there_is_nothing_yet(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "mechanisms.ipynb"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    window.export_notebook()
    qtbot.waitUntil(lambda: not window.runner.jobs, timeout=PATIENCE_MS)
    assert [one.text for one in window.messages.messages] == ["There is nothing to put into a notebook yet."]
    assert not target.exists()
