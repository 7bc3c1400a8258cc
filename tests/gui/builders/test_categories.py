"""Categories: a tree of values, by keys and by drag and drop."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import (
    QLineEdit,
)
from pytestqt.qtbot import QtBot

from tests.gui.builders.helpers import ALT, CITIES, CONTROL, apply, begin, chain, group, tree_of, type_text
from tests.gui.helpers import PATIENCE_MS, choose, idle
from workbench.core.hierarchy import Provenance
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.hierarchies.attributes import SUMMARY
from workbench.gui.workspaces.hierarchies.forms.categories import CategoriesForm


def test_categories_by_keys(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "categories")
    assert isinstance(form, CategoriesForm)
    assert tree_of(workspace) == ["Aarau", "Basel", "Bern", "Chur", "Genf", "Zug"]
    form.tree.select_paths([(1,), (2,)])
    qtbot.keyClick(form.tree, Qt.Key.Key_G, CONTROL)
    editor = form.tree.findChild(QLineEdit)
    assert editor is not None
    type_text(qtbot, editor, "West")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: tree_of(workspace)[1] == group("West", "Basel", "Bern"), timeout=PATIENCE_MS)
    form.tree.select_paths([(2,)])
    qtbot.keyClick(form.tree, Qt.Key.Key_Right, ALT)
    assert tree_of(workspace)[1] == group("West", "Basel", "Bern", "Chur")
    form.tree.select_paths([(1, 2)])
    qtbot.keyClick(form.tree, Qt.Key.Key_Up, ALT)
    assert tree_of(workspace)[1] == group("West", "Basel", "Chur", "Bern")
    assert form.tree.selected_paths == [(1, 1)]
    qtbot.keyClick(form.tree, Qt.Key.Key_Left, ALT)
    assert tree_of(workspace) == ["Aarau", group("West", "Basel", "Bern"), "Chur", "Genf", "Zug"]
    qtbot.keyClick(form.tree, Qt.Key.Key_X, CONTROL)
    form.tree.select_paths([(1,)])
    qtbot.keyClick(form.tree, Qt.Key.Key_V, CONTROL)
    assert tree_of(workspace)[1] == group("West", "Basel", "Bern", "Chur")
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "Chur") == ("Chur", "West", "*")
    assert chain(hierarchy, "Zug") == ("Zug", "Zug", "*")


def test_categories_by_drag_and_drop(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "categories")
    form.tree.select_paths([(0,)])
    form.group.click()
    model = form.tree.categories
    move = Qt.DropAction.MoveAction
    data = model.mimeData([model.index_at((5,)), model.index_at((3,))])
    assert model.dropMimeData(data, move, -1, -1, model.index_at((0,)))
    qtbot.waitUntil(lambda: tree_of(workspace)[0] == group("New group", "Aarau", "Chur", "Zug"), timeout=PATIENCE_MS)
    onto_itself = model.mimeData([model.index_at((0,))])
    assert not model.dropMimeData(onto_itself, move, 0, 0, model.index_at((0,)))
    data = model.mimeData([model.index_at((0, 1))])
    assert model.dropMimeData(data, move, 3, 0, QModelIndex())
    qtbot.waitUntil(lambda: tree_of(workspace)[3] == "Chur", timeout=PATIENCE_MS)
    assert tree_of(workspace)[0] == group("New group", "Aarau", "Zug")
    apply(qtbot, workspace)


def test_groups_of_groups_are_further_levels(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "categories")
    form.tree.select_paths([(0,), (1,)])
    form.do("group")
    form.tree.select_paths([(1,), (2,)])
    form.do("group")
    form.tree.select_paths([(0,), (1,)])
    form.do("group")
    idle(qtbot, workspace)
    assert [label for label in tree_of(workspace) if isinstance(label, str)] == ["Genf", "Zug"]
    hierarchy = apply(qtbot, workspace)
    assert hierarchy.groups() == (6, 4, 3, 1)


def test_an_empty_group_may_wait_for_values(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "categories")
    form.do("add")
    idle(qtbot, workspace)
    assert tree_of(workspace)[-1] == group("New group")
    assert workspace.builder.previewed is not None
    form.tree.select_paths([(6,)])
    form.do("remove")
    assert tree_of(workspace) == sorted(CITIES)


def test_a_value_is_moved_to_a_group_from_the_list(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "categories")
    form.tree.select_paths([(0,)])
    form.do("group")
    form.tree.select_paths([(5,)])
    choose(form.target, (0,))
    form.move_there.click()
    assert tree_of(workspace)[0] == group("New group", "Aarau", "Zug")
    form.tree.select_paths([(0,)])
    qtbot.keyClicks(form.new_value, "Wil")
    qtbot.keyClick(form.new_value, Qt.Key.Key_Return)
    assert tree_of(workspace)[0] == group("New group", "Aarau", "Zug", "Wil")
    form.tree.select_paths([(0,)])
    form.dissolve.click()
    assert tree_of(workspace)[:3] == ["Aarau", "Zug", "Wil"]


def test_whatever_was_built_goes_on_as_categories(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    begin(qtbot, workspace, "age", "intervals")
    built = workspace.builder.previewed
    assert built is not None
    choose(workspace.builder.builder, "categories")
    idle(qtbot, workspace)
    assert isinstance(workspace.builder.form, CategoriesForm)
    now = workspace.builder.previewed
    assert now is not None
    assert sorted(now.rows()) == sorted(built.rows())
    choose(workspace.builder.builder, "intervals")
    idle(qtbot, workspace)
    assert workspace.builder.previewed is not None
    assert workspace.builder.previewed.rows() == built.rows(), "the other builder was left as it was"


def test_groups_are_declared_public_where_it_is_said_that_they_are_not(
    qtbot: QtBot, workspace: HierarchiesWorkspace
) -> None:
    form = begin(qtbot, workspace, "city", "categories")
    form.tree.select_paths([(1,), (2,)])
    form.do("group")
    idle(qtbot, workspace)
    verdict = workspace.builder.verdict
    assert "not declared" in verdict.origin.text() and verdict.declare.isVisibleTo(verdict)
    qtbot.mouseClick(verdict.declare, Qt.MouseButton.LeftButton)
    idle(qtbot, workspace)
    assert not verdict.declare.isVisibleTo(verdict)
    assert apply(qtbot, workspace).provenance is Provenance.PUBLIC


def test_of_an_imported_tree_it_is_only_said_that_nobody_declared_it(
    qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path
) -> None:
    """Where its labels come from is the file's: that they are of this data is not known."""
    path = tmp_path / "cities.csv"
    path.write_text("".join(f"{city};{'west' if city < 'C' else 'east'}\n" for city in CITIES))
    workspace.attributes.pick("city")
    workspace.attach_file(path)
    idle(qtbot, workspace)
    workspace.panel.edit.click()
    idle(qtbot, workspace)
    verdict = workspace.builder.verdict
    assert verdict.badge.text == "Not declared"
    said = f"A tree of {len(CITIES)} values, not declared to be fixed without the data."
    assert verdict.origin.text() == said and verdict.declare.isVisibleTo(verdict)
    workspace.builder.form.tree.select_paths([(0, 0), (0, 1)])
    workspace.builder.form.do("group")
    applied = apply(qtbot, workspace)
    assert applied.provenance is Provenance.DERIVED and applied.origin == said
    workspace.attributes.pick("city")
    idle(qtbot, workspace)
    assert workspace.panel.badge.text == "Not declared" and workspace.panel.origin.text().startswith(said)
    place = workspace.attributes_model.row_of("city")
    assert workspace.attributes_model.index(place, 0).data(SUMMARY).endswith(" · not declared")
    workspace.panel.correct.click()
    assert workspace.panel.editor.unknown.isChecked(), "nobody said that it was made from this data"
    reasons = workspace.document.session.release.claim().reasons
    assert any(one.text.startswith("Nobody has said how the hierarchy of “city” was made") for one in reasons)


def test_a_group_stays_open_while_it_is_named(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "categories")
    tree, model = form.tree, form.tree.categories
    tree.select_paths([(1,), (2,)])
    form.do("group")
    model.rename_requested.emit((1,), "West")
    qtbot.waitUntil(lambda: tree_of(workspace)[1] == group("West", "Basel", "Bern"), timeout=PATIENCE_MS)
    assert tree.isExpanded(model.index_at((1,))), "what lies in it stays where it is"
    assert tree.selected_paths == [(1,)]
    # A group in another one keeps its values in view as well, whichever of the two is named.
    tree.select_paths([(1,), (2,)])
    form.do("group")
    tree.setExpanded(model.index_at((1, 0)), True)
    model.rename_requested.emit((1,), "All")
    both = group("All", group("West", "Basel", "Bern"), "Chur")
    qtbot.waitUntil(lambda: tree_of(workspace)[1] == both, timeout=PATIENCE_MS)
    assert tree.isExpanded(model.index_at((1,))) and tree.isExpanded(model.index_at((1, 0)))
    words = model.data(model.index_at((1,)), int(Qt.ItemDataRole.ToolTipRole))
    assert "values and groups side by side" in str(words), "a group among values is rarely meant"
