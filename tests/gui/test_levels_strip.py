"""The line of levels over a hierarchy: none is out of sight, however wide the room is."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.helpers import OnScreen, idle
from workbench.core.schema import Role
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace


@pytest.fixture
def workspace(document: Document, on_screen: OnScreen) -> HierarchiesWorkspace:
    return on_screen(HierarchiesWorkspace(document))


def test_no_level_of_amounts_is_out_of_sight_at_any_width(
    qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path
) -> None:
    path = tmp_path / "staff.csv"
    path.write_text("ward,salary\n" + "".join(f"{'AB'[i % 2]},{21_500.25 + 911 * i}\n" for i in range(60)))
    document, shown = workspace.document, workspace.panel.view
    document.open_data(path)
    idle(qtbot, workspace)
    document.apply("Roles", lambda session: session.data.set_role(["ward", "salary"], Role.QUASI))
    idle(qtbot, workspace)
    workspace.build_all.click()
    idle(qtbot, workspace)
    workspace.attributes.pick("salary")
    idle(qtbot, workspace)
    seen = set()
    for width in range(700, 1400, 13):
        workspace.resize(width, 700)
        idle(qtbot, workspace)
        tabs = shown.levels
        seen.add(tabs.tabText(1))
        assert tabs.width() >= tabs.sizeHint().width(), width
    assert len(seen) > 1, "in more words where there is more room"


def test_a_level_that_is_chosen_comes_into_sight_and_its_labels_are_listed_whole(
    qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path
) -> None:
    path = tmp_path / "staff.csv"
    path.write_text("ward,salary\n" + "".join(f"{'AB'[i % 2]},{101_500.25 + 5_011 * i}\n" for i in range(90)))
    document, shown = workspace.document, workspace.panel.view
    workspace.resize(1100, 640)
    document.open_data(path)
    idle(qtbot, workspace)
    document.apply("Roles", lambda session: session.data.set_role(["ward", "salary"], Role.QUASI))
    idle(qtbot, workspace)
    workspace.build_all.click()
    idle(qtbot, workspace)
    workspace.attributes.pick("salary")
    idle(qtbot, workspace)
    table = shown.table
    assert table.horizontalScrollBar().maximum() > 0, "not all levels have room"
    for level in (*range(shown.levels.count()), 1, 0):
        shown.levels.setCurrentIndex(level)
        column = level + 1 if level else 0
        left = table.columnViewportPosition(column)
        assert left >= 0 and left + table.columnWidth(column) <= table.viewport().width(), level
        metrics, room = shown.bars.fontMetrics(), shown.bars.viewport().width() - 2 * tokens.SPACE_S
        assert max(map(metrics.horizontalAdvance, shown.bars.lines)) <= room, level
