"""The Hierarchies workspace, and a table with matching hierarchies beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.helpers import OnScreen, idle
from workbench.gui.document import Document
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace

CITIES = "Bern;West;*\nBasel;West;*\nChur;East;*\n"
AGES = "".join(f"{age};{age // 10 * 10}s;*\n" for age in range(20, 60))


@pytest.fixture
def workspace(document: Document, on_screen: OnScreen) -> HierarchiesWorkspace:
    return on_screen(HierarchiesWorkspace(document))


@pytest.fixture
def people(qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path) -> Path:
    """A data file that is open, with two matching hierarchies and a variant beside it."""
    path = tmp_path / "people_2020.csv"
    cities = ["Bern", "Basel", "Chur", "Genf"]
    path.write_text("name,city,age\n" + "".join(f"P{i},{cities[i % 4]},{20 + i % 40}\n" for i in range(100)))
    (tmp_path / "people_hierarchy_city.csv").write_text(CITIES)
    (tmp_path / "people_hierarchy_age.csv").write_text(AGES)
    (tmp_path / "people_hierarchy_age_by_decade.csv").write_text(AGES)
    workspace.document.open_data(path)
    idle(qtbot, workspace)
    return path
