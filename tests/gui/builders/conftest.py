"""The Hierarchies workspace with something to build hierarchies for."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.builders.helpers import CITIES
from tests.gui.helpers import OnScreen, idle
from workbench.gui.document import Document
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace


@pytest.fixture(autouse=True)
def looked(after_a_look: None) -> None:
    """Builders over the values that occur."""


@pytest.fixture
def workspace(qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path) -> HierarchiesWorkspace:
    """The workspace on a table with numbers, dates, codes and categories."""
    made = on_screen(HierarchiesWorkspace(document))
    path = tmp_path / "people.csv"
    lines = [
        f"P{i},{CITIES[min(i % 8, 5)]},{20 + i % 40},{8000 + i % 30},2024-{i % 12 + 1:02}-{i % 28 + 1:02},{i % 9}.5"
        for i in range(240)
    ]
    path.write_text("name,city,age,zip,day,score\n" + "\n".join(lines) + "\n")
    document.open_data(path)
    idle(qtbot, made)
    return made
