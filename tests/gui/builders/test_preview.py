"""The preview of a draft: built in jobs, as a list of levels and as a drawn tree."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from tests.gui.builders.helpers import CONTROL, apply, begin, chain, type_number
from tests.gui.helpers import PATIENCE_MS, OnScreen, idle
from workbench.core import hierarchy_preview
from workbench.core.building import BuilderValues, build_hierarchy, specification
from workbench.core.hierarchy import Hierarchy
from workbench.core.public_values import PublicView, ShownValues
from workbench.gui.document import Document
from workbench.gui.theme import Theme
from workbench.gui.widgets.level_tree import Branches, LevelTree
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.hierarchies.levels_view import HierarchyLevelsView


def test_builds_happen_in_jobs_and_the_latest_wins(
    qtbot: QtBot, workspace: HierarchiesWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    threads: list[threading.Thread] = []
    held = threading.Event()
    real = hierarchy_preview.build_hierarchy

    def slow(plain: Any, material: BuilderValues) -> Hierarchy:
        threads.append(threading.current_thread())
        if len(threads) == 1:
            held.wait(PATIENCE_MS / 1000)
        return real(plain, material)

    monkeypatch.setattr(hierarchy_preview, "build_hierarchy", slow)
    shown: list[object] = []
    workspace.builder.previewer.arrived.connect(shown.append)
    type_number(qtbot, form.base.ends[0], "5")
    qtbot.waitUntil(lambda: len(threads) == 1, timeout=PATIENCE_MS)
    type_number(qtbot, form.base.ends[0], "8")
    qtbot.waitUntil(lambda: len(threads) == 2, timeout=PATIENCE_MS)
    held.set()
    idle(qtbot, workspace)
    assert threading.main_thread() not in threads
    assert len(shown) == 1, "the older preview was dropped"
    assert chain(apply(qtbot, workspace), "33")[1] == "32-39"


def test_the_preview_keeps_its_level_and_filter(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    view = workspace.builder.preview.view
    view.levels.setCurrentIndex(2)
    qtbot.keyClicks(view.search, "33")
    qtbot.waitUntil(lambda: view.values.rowCount() == 1, timeout=PATIENCE_MS)
    type_number(qtbot, form.base.ends[0], "5")
    idle(qtbot, workspace)
    assert view.levels.currentIndex() == 2
    assert view.values.rowCount() == 1
    assert [view.values.text(0, column) for column in (0, 2)] == ["33", "30-34"]


@pytest.mark.parametrize("width", [312, 565, 900])
def test_every_level_has_its_tab_in_sight(qtbot: QtBot, document: Document, on_screen: OnScreen, width: int) -> None:
    details = {"intervals": [{"from": 0, "to": 10_000}], "levels": [{"group": n} for n in (1, 2, 2)]}
    made = build_hierarchy(specification("intervals", {}, details), ["1", "15000"], None, None)
    view = on_screen(HierarchyLevelsView(document.runner, "tried"), width, 400)
    view.show_public(PublicView(made, ShownValues.MADE_UP))
    tabs = view.levels
    qtbot.waitUntil(lambda: tabs.isVisible() and tabs.width() >= tabs.sizeHint().width(), timeout=PATIENCE_MS)
    assert tabs.count() == made.height + 1 == 5 and tabs.tabToolTip(1) == "Level 1: intervals of 10,000"
    wanted = {312: ["Value", "1", "2", "3", "*"], 565: ["as it is", "→ 10,000", "→ 20,000", "→ 40,000", "→ *"]}
    if width in wanted:
        assert [tabs.tabText(place) for place in range(5)] == wanted[width]
    assert max(tabs.tabRect(place).right() for place in range(5)) < tabs.width()


def test_the_form_takes_what_cannot_be_built_without_losing_it(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    type_number(qtbot, form.base.ends[0], "-5")
    idle(qtbot, workspace)
    assert form.base.ends[0].value == -5
    assert form.base.ends[0].error
    assert workspace.builder.preview.problem.isVisible()
    qtbot.keyClick(form, Qt.Key.Key_Return, CONTROL)
    assert "age" not in workspace.document.project.hierarchies


def test_the_tree_opens_and_closes(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    begin(qtbot, workspace, "age", "intervals")
    view = workspace.builder.preview.view
    view.show_face("tree")
    idle(qtbot, workspace)
    tree = view.tree
    assert tree.visible_labels[:3] == ["*", "0-39", "20-39"]
    tree.setFocus()
    qtbot.keyClick(tree, Qt.Key.Key_Down)
    assert tree.chosen == (4, 0)
    assert tree.accessibleDescription() == "*, level 4, 2 below, open, 240 rows"
    assert view.levels.currentIndex() == 4
    qtbot.keyClick(tree, Qt.Key.Key_Left)
    assert tree.visible_labels == ["*"]
    qtbot.keyClick(tree, Qt.Key.Key_Return)
    qtbot.keyClick(tree, Qt.Key.Key_Right)
    assert tree.chosen == (3, 0)
    qtbot.keyClick(tree, Qt.Key.Key_Down)
    assert tree.chosen == (3, 1)
    qtbot.keyClick(tree, Qt.Key.Key_Left)
    qtbot.keyClick(tree, Qt.Key.Key_Left)
    assert tree.chosen == (4, 0)


def test_the_tree_is_opened_by_a_click_and_shows_more_on_demand(qtbot: QtBot, light: Theme) -> None:
    hierarchy = Hierarchy.from_rows([(f"v{i:03}", f"g{i // 100}", "*") for i in range(200)])
    tree = LevelTree()
    qtbot.addWidget(tree)
    tree.resize(500, 300)
    tree.show()
    tree.show_branches(Branches.of(hierarchy))
    assert tree.visible_labels == ["*", "g0", "g1"]
    tree.choose((1, 0))
    box = next(place for place in tree._places if place.node == (1, 0))
    centre = tree._box(box).center()
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(round(centre.x()), round(centre.y())))
    assert len(tree.visible_labels) == 3 + 40 + 1
    assert "… 60 more" in tree.visible_labels
    more = next(place for place in tree._places if place.node is None)
    tree._act(more)
    assert len(tree.visible_labels) == 3 + 100
    tree.grab()


def test_the_tab_of_the_preview_is_called_so(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    begin(qtbot, workspace, "age", "intervals")
    assert workspace.builder.parts.tabs.tabText(1).split()[0] == "Preview"
