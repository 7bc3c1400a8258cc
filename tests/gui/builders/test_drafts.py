"""Drafts: opened again, left and found, undone by themselves, given up."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QMainWindow,
)
from pytestqt.qtbot import QtBot

from tests.gui.builders.helpers import CITIES, CONTROL, SHIFT, apply, begin, chain, group, tree_of, type_number
from tests.gui.helpers import choose, idle
from workbench.core.schema import Kind
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.hierarchies.attributes import SUMMARY
from workbench.gui.workspaces.hierarchies.forms.categories import CategoriesForm
from workbench.gui.workspaces.hierarchies.forms.intervals import IntervalsForm


def test_re_opened_where_it_was_built(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    type_number(qtbot, form.base.ends[0], "7")
    first = apply(qtbot, workspace)
    workspace.document.undo_stack.undo()
    workspace.document.undo_stack.redo()
    workspace.panel.edit.click()
    idle(qtbot, workspace)
    again = workspace.builder.form
    assert isinstance(again, IntervalsForm)
    assert again.base.ends[0].value == 7
    assert not workspace.builder.apply.isEnabled(), "nothing is changed yet"
    assert workspace.builder.discard.text() == "Close"
    assert workspace.builder.previewed is not None
    assert workspace.builder.previewed.rows() == first.rows()
    type_number(qtbot, again.base.ends[0], "8")
    assert chain(apply(qtbot, workspace), "33")[1] == "32-39"


def test_an_imported_one_re_opens_as_categories(qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path) -> None:
    path = tmp_path / "city.csv"
    path.write_text("".join(f"{city};{'West' if city < 'C' else 'East'};*\n" for city in CITIES))
    workspace.attributes.pick("city")
    workspace.attach_file(path)
    idle(qtbot, workspace)
    workspace.declaration.yes.click()
    attached = workspace.document.project.hierarchies["city"]
    workspace.panel.edit.click()
    idle(qtbot, workspace)
    assert isinstance(workspace.builder.form, CategoriesForm)
    assert workspace.builder.previewed is not None
    assert sorted(workspace.builder.previewed.rows()) == sorted(attached.rows())
    assert workspace.builder.badge.text == "Made without this data"


def test_a_draft_waits_at_its_column(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    type_number(qtbot, form.base.ends[0], "6")
    workspace.attributes.pick("city")
    assert workspace.attach_page.isVisible()
    model = workspace.attributes_model
    assert model.index(model.row_of("age"), 0).data(SUMMARY) == "draft, not applied"
    assert "age" in workspace.next_hint()
    workspace.attributes.pick("age")
    idle(qtbot, workspace)
    assert isinstance(workspace.builder.form, IntervalsForm)
    assert workspace.builder.form.base.ends[0].value == 6
    workspace.builder.discard.click()
    assert workspace.attach_page.isVisible()
    assert model.index(model.row_of("age"), 0).data(SUMMARY) == "not decided"
    assert workspace.document.undo_stack.count() == 0


def test_undo_within_the_draft_by_keys(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    box = form.repeat
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert not box.isChecked()
    form.levels.add.click()
    assert len(form.levels.rows) == 4
    qtbot.keyClick(box, Qt.Key.Key_Z, CONTROL)
    assert len(form.levels.rows) == 3
    qtbot.keyClick(box, Qt.Key.Key_Z, CONTROL)
    assert box.isChecked()
    qtbot.keyClick(box, Qt.Key.Key_Z, CONTROL | SHIFT)
    assert not box.isChecked()
    assert workspace.document.undo_stack.count() == 0


def test_the_draft_has_undo_before_the_project_within_the_builder_only(
    qtbot: QtBot, workspace: HierarchiesWorkspace
) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(workspace)
    action = workspace.document.undo_stack.createUndoAction(window)
    action.setShortcut(QKeySequence.StandardKey.Undo)
    window.addAction(action)
    window.show()
    workspace.document.apply("x", lambda session: session.data.set_kind(["score"], Kind.TEXT))
    form = begin(qtbot, workspace, "age", "intervals")
    form.repeat.click()
    form.repeat.setFocus()
    qtbot.keyClick(form.repeat, Qt.Key.Key_Z, CONTROL)
    assert form.repeat.isChecked()
    assert workspace.document.project.schema["score"].kind is Kind.TEXT
    workspace.attributes.setFocus()
    qtbot.keyClick(workspace.attributes, Qt.Key.Key_Z, CONTROL)
    assert workspace.document.project.schema["score"].kind is Kind.DECIMAL
    window.takeCentralWidget()


def test_typing_a_number_is_one_step(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    type_number(qtbot, form.base.ends[0], "125")
    workspace.builder.undo.click()
    assert form.base.ends[0].value == 10
    assert not workspace.builder.undo.isEnabled()


def test_control_enter_applies_as_soon_as_the_preview_is_there(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    type_number(qtbot, form.base.ends[0], "5")
    qtbot.keyClick(form.base.ends[0].edit, Qt.Key.Key_Return, CONTROL)
    assert "age" not in workspace.document.project.hierarchies, "it is still being built"
    idle(qtbot, workspace)
    assert chain(workspace.document.project.hierarchies["age"], "33")[1] == "30-34"
    workspace.document.undo_stack.undo()
    assert "age" not in workspace.document.project.hierarchies


def test_start_from_scratch_keeps_what_is_attached_until_applied(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    begin(qtbot, workspace, "age", "intervals")
    first = apply(qtbot, workspace)
    restart = workspace.panel.files.actions()[-1]
    restart.trigger()
    assert workspace.attach_page.back.isVisible()
    workspace.attach_page.back.click()
    assert workspace.panel.isVisible()
    restart = workspace.panel.files.actions()[-1]
    restart.trigger()
    begin(qtbot, workspace, "age", "masking")
    assert workspace.document.project.hierarchies["age"] is first
    workspace.builder.discard.click()
    assert workspace.panel.isVisible()
    assert workspace.document.project.hierarchies["age"] is first


def test_a_file_goes_into_the_open_builder(qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path) -> None:
    begin(qtbot, workspace, "city", "categories")
    path = tmp_path / "city.csv"
    path.write_text("".join(f"{city};West;*\n" for city in CITIES))
    workspace.attach_file(path)
    idle(qtbot, workspace)
    assert tree_of(workspace) == [group("*", group("West", *CITIES))]
    assert "city" not in workspace.document.project.hierarchies
    workspace.builder.undo.click()
    assert tree_of(workspace) == sorted(CITIES)


def test_the_kind_of_the_column_counts_at_once(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    begin(qtbot, workspace, "age", "dates")
    assert workspace.builder.preview.problem.isVisible()
    assert workspace.builder.badge.text == "Cannot be built"
    choose(workspace.builder.builder, "intervals")
    idle(qtbot, workspace)
    assert workspace.builder.previewed is not None
    before = workspace.builder.previewed
    workspace.document.apply("x", lambda session: session.data.set_kind(["age"], Kind.DECIMAL))
    idle(qtbot, workspace)
    assert workspace.builder.previewed is not before, "built anew"


def test_drafts_of_columns_that_are_gone_are_given_up(
    qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path
) -> None:
    begin(qtbot, workspace, "age", "intervals")
    other = tmp_path / "other.csv"
    other.write_text("x,y\n1,2\n3,4\n")
    workspace.document.open_data(other)
    idle(qtbot, workspace)
    assert list(workspace.workshop.drafts) == []
    assert workspace.attach_page.isVisible()


def test_drafts_end_with_their_project(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    begin(qtbot, workspace, "age", "intervals")
    path = workspace.document.session.data.reading.path
    workspace.document.new()
    workspace.document.open_data(path)
    idle(qtbot, workspace)
    workspace.attributes.pick("age")
    assert list(workspace.workshop.drafts) == []
    assert workspace.attach_page.isVisible()
