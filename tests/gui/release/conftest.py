"""The Release workspace with a table."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from tests.gui.helpers import OnScreen, data_is_there
from tests.gui.release.helpers import tens
from workbench.core.hierarchy import Provenance
from workbench.gui.document import Document
from workbench.gui.messages import MessageBar
from workbench.gui.workspaces.release import ReleaseWorkspace


@pytest.fixture
def room(
    qtbot: QtBot, document: Document, messages: MessageBar, on_screen: OnScreen, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> ReleaseWorkspace:  # fmt: skip
    """The workspace with 4,000 people whose ages have a public hierarchy; not run yet. Every question gets a Yes."""
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
    data = tmp_path / "people.csv"
    data.write_text("age\n" + "".join(f"{20 + i % 40}\n" for i in range(4000)), encoding="utf-8")
    room = ReleaseWorkspace(document)
    room.messages = messages
    on_screen(room, 900)
    document.open_data(data)
    data_is_there(qtbot, document)
    document.apply("attach", lambda s: s.data.attach_hierarchy("age", tens(Provenance.PUBLIC)))
    return room
