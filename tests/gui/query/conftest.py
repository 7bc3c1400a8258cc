"""The Query workspace without data, and with a table of people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.helpers import OnScreen
from tests.gui.query.helpers import ROWS, TEAMS, Room
from workbench.core.schema import PrivacyUnit
from workbench.gui.document import Document
from workbench.gui.messages import MessageBar
from workbench.gui.workspaces.query import QueryWorkspace


@pytest.fixture
def bare(qtbot: QtBot, document: Document, messages: MessageBar, on_screen: OnScreen) -> Iterator[Room]:
    """The workspace without data."""
    workspace = on_screen(QueryWorkspace(document), 816)
    yield Room(qtbot, workspace, messages)
    workspace.hide()


@pytest.fixture
def room(bare: Room, tmp_path: Path) -> Room:
    """The workspace with 3,000 people; the age has public bounds."""
    data = tmp_path / "people.csv"
    lines = [f'{20 + i % 40},"{TEAMS[i % 3]}",{i % 7 * 1.5}' for i in range(ROWS)]
    data.write_text("age,team,score\n" + "\n".join(lines) + "\n", encoding="utf-8")
    bare.open(data)
    bare.document.apply("bounds", lambda session: session.data.set_bounds("age", (0, 100)))
    bare.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit()))
    bare.idle()
    return bare
