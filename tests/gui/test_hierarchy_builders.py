"""Building hierarchies in the window: every builder through its form, by mouse and by keys."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QDropEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMainWindow,
    QWidget,
)
from pytestqt.qtbot import QtBot

from workbench.core.building import BUILDERS, Material, build_hierarchy
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.schema import Kind
from workbench.gui.document import Document
from workbench.gui.runner import Runner
from workbench.gui.theme import Theme
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.widgets.level_tree import Branches, LevelTree
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace, previewing
from workbench.gui.workspaces.hierarchies.attributes import SUMMARY
from workbench.gui.workspaces.hierarchies.builder_page import BuilderPage
from workbench.gui.workspaces.hierarchies.forms.base import BuilderForm
from workbench.gui.workspaces.hierarchies.forms.categories import CategoriesForm
from workbench.gui.workspaces.hierarchies.forms.dates import DatesForm
from workbench.gui.workspaces.hierarchies.forms.intervals import IntervalsForm
from workbench.gui.workspaces.hierarchies.forms.order import OrderForm
from workbench.gui.workspaces.hierarchies.forms.priority import PriorityForm
from workbench.gui.workspaces.hierarchies.forms.redaction import RedactionForm
from workbench.gui.workspaces.hierarchies.forms.table import TableForm
from workbench.gui.workspaces.hierarchies.library_dialog import KeepDialog, LibraryDialog
from workbench.gui.workspaces.hierarchies.order_edits import Grouping
from workbench.io.hierarchy_csv import read_hierarchy
from workbench.io.hierarchy_library import library

PATIENCE_MS = 10_000
NARROW = 536
CITIES = ("Bern", "Basel", "Chur", "Genf", "Aarau", "Zug")
CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


@pytest.fixture
def document(qtbot: QtBot) -> Iterator[Document]:
    runner = Runner()
    made = Document(runner)
    yield made
    runner.shutdown()


@pytest.fixture
def errors(document: Document) -> list[BaseException]:
    told: list[BaseException] = []
    document.runner._messages = type("Bar", (), {"show_error": lambda _, error: told.append(error)})()
    document.failed.connect(told.append)
    return told


@pytest.fixture
def workspace(qtbot: QtBot, light: Theme, document: Document, tmp_path: Path) -> HierarchiesWorkspace:
    """The workspace on a table with numbers, dates, codes and categories."""
    made = HierarchiesWorkspace(document)
    qtbot.addWidget(made)
    made.resize(1016, 700)
    made.show()
    path = tmp_path / "people.csv"
    lines = [
        f"P{i},{CITIES[min(i % 8, 5)]},{20 + i % 40},{8000 + i % 30},2024-{i % 12 + 1:02}-{i % 28 + 1:02},{i % 9}.5"
        for i in range(240)
    ]
    path.write_text("name,city,age,zip,day,score\n" + "\n".join(lines) + "\n")
    document.open_data(path)
    idle(qtbot, made)
    return made


def idle(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    """Wait until nothing runs and nothing is about to."""

    def settled() -> bool:
        previewer = workspace.builder.previewer
        return not workspace.document.runner.jobs and not previewer._later.isActive()

    qtbot.waitUntil(settled, timeout=PATIENCE_MS)
    qtbot.wait(1)
    qtbot.waitUntil(settled, timeout=PATIENCE_MS)


def begin(qtbot: QtBot, workspace: HierarchiesWorkspace, column: str, builder: str) -> Any:
    """Choose a builder on the start page of a column; its form."""
    workspace.attributes.pick(column)
    assert workspace.attach_page.isVisible()
    qtbot.mouseClick(workspace.attach_page.choices[builder], Qt.MouseButton.LeftButton)
    idle(qtbot, workspace)
    assert workspace.builder.isVisible()
    form = workspace.builder.form
    assert isinstance(form, BuilderForm)
    return form


def apply(qtbot: QtBot, workspace: HierarchiesWorkspace) -> Hierarchy:
    """Press Apply; what is attached must be the very object that was previewed, and what its rule builds."""
    idle(qtbot, workspace)
    column, previewed = workspace.attributes.name, workspace.builder.previewed
    assert workspace.builder.apply.isEnabled()
    workspace.builder.apply.click()
    idle(qtbot, workspace)
    attached = workspace.document.project.hierarchies[column]
    assert attached is previewed
    document = workspace.document
    spec = document.project.schema[column]
    assert attached.specification is not None
    rebuilt = build_hierarchy(attached.specification, Material.of(document.session.reading.table[column], spec))
    assert rebuilt.rows() == attached.rows()
    assert (rebuilt.provenance, rebuilt.origin) == (attached.provenance, attached.origin)
    assert workspace.panel.isVisible()
    return attached


def chain(hierarchy: Hierarchy, value: str) -> tuple[str, ...]:
    return next(row for row in hierarchy.rows() if row[0] == value)


def type_number(qtbot: QtBot, field: NumberField, text: str) -> None:
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, text)


def type_text(qtbot: QtBot, edit: QLineEdit, text: str) -> None:
    edit.selectAll()
    qtbot.keyClicks(edit, text)


def choose(combo: QWidget, data: object) -> None:
    """Choose an entry as a click in the list does."""
    assert isinstance(combo, QComboBox)
    row = next(row for row in range(combo.count()) if combo.itemData(row) == data)
    combo.setCurrentIndex(row)
    combo.activated.emit(row)


def tree_of(workspace: HierarchiesWorkspace) -> Any:
    draft = workspace.builder.draft
    assert draft is not None
    return draft.specification["details"]["tree"]


def group(label: str, *children: object) -> dict[str, object]:
    return {"label": label, "children": list(children)}


# Each builder through its form


def test_intervals(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    assert isinstance(form, IntervalsForm)
    type_number(qtbot, form.base.ends[0], "5")
    type_text(qtbot, form.levels.rows[2].joins, "3")
    choose(form.levels.rows[1].function, "interval")
    form.beyond.set_open(True)
    high = form.bounds.fields["highest", "coding"]
    assert isinstance(high, NumberField)
    type_number(qtbot, high, "50")
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "33") == ("33", "30-34", "[30, 40[", "30-49", "*")
    assert chain(hierarchy, "55") == ("55", "≥50", "≥50", "≥50", "*")
    assert hierarchy.provenance is Provenance.PUBLIC


def test_intervals_one_by_one_and_not_repeated(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    type_number(qtbot, form.base.start, "20")
    type_number(qtbot, form.base.ends[0], "30")
    form.base.add.click()
    type_number(qtbot, form.base.ends[1], "60")
    form.repeat.click()
    hierarchy = apply(qtbot, workspace)
    assert [chain(hierarchy, age)[1] for age in ("20", "29", "30", "59")] == ["20-29", "20-29", "30-59", "30-59"]


def test_a_level_of_means_of_the_data_is_derived(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    row = form.levels.rows[0]
    choose(row.function, "mean")
    idle(qtbot, workspace)
    assert workspace.builder.badge.text == "Public"
    choose(row.of, "data")
    idle(qtbot, workspace)
    assert workspace.builder.badge.text == "Data-derived"
    assert "labels follow from the intervals" in workspace.builder.how_public.text()
    assert chain(apply(qtbot, workspace), "22")[1] == "24.5"


def test_own_labels_and_decimals_of_a_level(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "order")
    form.levels.rows[0]._take_names(["youngest", None])
    choose(form.levels.rows[1].function, "mean")
    form.levels.rows[1].decimals.actions()[1].trigger()
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "20")[1:3] == ("youngest", "22")
    assert chain(hierarchy, "22")[1] == "[22, 23]"


def test_a_text_with_fields(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    row = form.levels.rows[0]
    choose(row.function, "pattern")
    assert row.text.isVisible()
    type_text(qtbot, row.text, "from {{low}")
    idle(qtbot, workspace)
    assert not workspace.builder.apply.isEnabled()
    assert workspace.builder.preview.problem.isVisible()
    type_text(qtbot, row.text, "from {low}")
    assert chain(apply(qtbot, workspace), "33")[1] == "from 30"


def test_levels_are_added_and_removed(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    form.levels.add.click()
    assert len(form.levels.rows) == 4
    type_text(qtbot, form.levels.rows[3].joins, "2")
    form.levels.rows[0].remove.click()
    form.levels.rows[0].remove.click()
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "33") == ("33", "30-39", "20-39", "*")


def test_dates(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "day", "dates")
    assert isinstance(form, DatesForm)
    choose(form.units.units[0], "week")
    idle(qtbot, workspace)
    assert len(form.units.units) == 1, "nothing is coarser than a week"
    choose(form.units.units[0], "month")
    form.units.add.click()
    choose(form.units.units[1], "own")
    type_text(qtbot, form.units.formats[1], "Q%q %Y")
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "2024-05-05") == ("2024-05-05", "2024-05", "Q2 2024", "*")
    assert hierarchy.provenance is Provenance.PUBLIC


def test_units_that_cannot_follow_cannot_be_chosen(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "day", "dates")
    model: Any = form.units.units[1].model()
    enabled = {str(form.units.units[1].itemData(row)) for row in range(model.rowCount()) if model.item(row).isEnabled()}
    assert {"quarter", "year", "own"} <= enabled
    assert not {"day", "week", "month"} & enabled


def test_masking_shows_one_value_level_by_level(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "zip", "masking")
    length = form.above.fields["length"]
    length.setValue(4)
    choose(form.above.fields["side"], "left")
    idle(qtbot, workspace)
    shown = form.example.chain.text().split("\n")
    assert shown[1:3] == [f"*{shown[0][1:]}", f"**{shown[0][2:]}"]
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "8017") == ("8017", "*017", "**17", "***7", "*")


def test_a_length_read_from_the_data_is_derived(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "zip", "masking")
    form.above.fields["length"].setValue(0)
    idle(qtbot, workspace)
    assert workspace.builder.badge.text == "Data-derived"
    assert "declare the largest length" in workspace.builder.how_public.text()


def test_priority_by_hand(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "priority")
    assert isinstance(form, PriorityForm)
    assert workspace.builder.badge.text == "Data-derived"
    choose(form.above.fields["by"], "hand")
    assert form.list.values.texts[0] == "Zug", "the most frequent one"
    form.list.select_rows(0, 0)
    qtbot.keyClick(form.list, Qt.Key.Key_Down, ALT)
    assert form.list.selected_rows == [1]
    data = form.list.values.mimeData([form.list.values.index(1, 0)])
    move = Qt.DropAction.MoveAction
    assert form.list.values.dropMimeData(data, move, len(form.list.values.texts), 0, QModelIndex())
    assert form.list.values.texts[-1] == "Zug"
    type_text(qtbot, form.keep, "2, 1")
    form.above.fields["declared"].click()
    hierarchy = apply(qtbot, workspace)
    first, second = form_values = [row[0] for row in hierarchy.rows()][:2]
    assert chain(hierarchy, first) == (first, first, first, "*")
    assert chain(hierarchy, second) == (second, second, "other", "*")
    assert "Zug" not in form_values
    assert hierarchy.provenance is Provenance.PUBLIC


def test_a_list_taken_from_the_data_is_no_longer_declared(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "priority")
    choose(form.above.fields["by"], "hand")
    form.above.fields["declared"].click()
    idle(qtbot, workspace)
    assert workspace.builder.badge.text == "Public"
    form.fill.click()
    idle(qtbot, workspace)
    assert workspace.builder.badge.text == "Data-derived"


def test_redaction(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "name", "redaction")
    assert isinstance(form, RedactionForm)
    type_text(qtbot, form.rules[0].pattern, "[0-9]$")
    form.rules[0].each.click()
    form.add_rule.click()
    idle(qtbot, workspace)
    assert form.rules[1].pattern.property("invalid") == "true", "a rule without a pattern"
    type_text(qtbot, form.rules[1].pattern, "[0-9]")
    type_text(qtbot, form.rules[1].replacement, "#")
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "P123") == ("P123", "P12*", "P##*", "*")


# Order by hand


def test_an_order_in_groups_by_hand(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "order")
    assert isinstance(form, OrderForm)
    assert form.list.values.texts == ("Aarau", "Basel", "Bern", "Chur", "Genf", "Zug")
    form.list.select_rows(1, 1)
    qtbot.keyClick(form.list, Qt.Key.Key_D, CONTROL)
    idle(qtbot, workspace)
    draft = workspace.builder.draft
    assert draft is not None
    assert draft.specification["details"]["levels"][0]["group"] == [1, 1, 2]
    form.list.select_rows(2, 5)
    form.join.click()
    assert draft.specification["details"]["levels"][0]["group"] == [1, 1, 4]
    assert draft.specification["parameters"]["order"] == "natural", "only the groups changed"
    form.list.select_rows(0, 0)
    qtbot.keyClick(form.list, Qt.Key.Key_Down, ALT)
    assert draft.specification["details"]["levels"][0]["group"] == [2, 4], "over the border"
    assert draft.specification["parameters"]["order"] == "natural"
    qtbot.keyClick(form.list, Qt.Key.Key_Down, ALT)
    assert form.list.values.texts[:2] == ("Basel", "Aarau")
    assert draft.specification["parameters"]["order"] == "custom"
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "Aarau")[1] == chain(hierarchy, "Basel")[1]
    assert hierarchy.groups()[:2] == (6, 2)


def test_values_are_dragged_into_another_group(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "order")
    model = form.list.values
    data = model.mimeData([model.index(5, 0), model.index(4, 0)])
    assert model.dropMimeData(data, Qt.DropAction.MoveAction, 1, 0, QModelIndex())
    idle(qtbot, workspace)
    assert model.texts == ("Aarau", "Genf", "Zug", "Basel", "Bern", "Chur")
    assert form.list.selected_rows == [1, 2]
    hierarchy = apply(qtbot, workspace)
    assert hierarchy.groups() == (6, 2, 1, 1)
    assert hierarchy.provenance is Provenance.DERIVED


def test_a_drop_on_the_list_goes_before_the_value_it_is_on(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "order")
    view = form.list
    data = view.values.mimeData([view.values.index(5, 0)])
    onto = view.visualRect(view.values.index(1, 0)).center()
    left = Qt.MouseButton.LeftButton
    event = QDropEvent(QPointF(onto), Qt.DropAction.MoveAction, data, left, Qt.KeyboardModifier.NoModifier)
    view.dropEvent(event)
    assert view.values.texts[:3] == ("Aarau", "Zug", "Basel")
    strange = QMimeData()
    strange.setText("Basel")
    view.dropEvent(QDropEvent(QPointF(onto), Qt.DropAction.MoveAction, strange, left, Qt.KeyboardModifier.NoModifier))
    assert view.values.texts[:3] == ("Aarau", "Zug", "Basel")
    idle(qtbot, workspace)


def test_groups_of_a_higher_level_are_moved_whole(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "order")
    choose(form.level, 2)
    assert list(form.list.values.texts) == ["Aarau … Basel", "Bern … Chur", "Genf … Zug"]
    form.list.select_rows(2, 2)
    qtbot.keyClick(form.list, Qt.Key.Key_Up, ALT)
    qtbot.keyClick(form.list, Qt.Key.Key_Up, ALT)
    idle(qtbot, workspace)
    assert list(form.list.values.texts) == ["Aarau … Basel", "Genf … Zug", "Bern … Chur"]
    hierarchy = apply(qtbot, workspace)
    assert [row[0] for row in hierarchy.rows()] == ["Aarau", "Basel", "Genf", "Zug", "Bern", "Chur"]


def test_a_listed_order_takes_values_that_do_not_occur(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "order")
    choose(form.above.fields["order"], "custom")
    qtbot.keyClicks(form.new_value, "Wil")
    qtbot.keyClick(form.new_value, Qt.Key.Key_Return)
    form.list.select_rows(0, 0)
    qtbot.keyClick(form.list, Qt.Key.Key_Delete)
    form.above.fields["declared"].click()
    idle(qtbot, workspace)
    assert workspace.builder.preview.uncovered.isVisible()
    assert "“Aarau”" in workspace.builder.preview.uncovered.accessibleName()
    hierarchy = apply(qtbot, workspace)
    assert [row[0] for row in hierarchy.rows()] == ["Basel", "Bern", "Chur", "Genf", "Zug", "Wil"]
    assert hierarchy.provenance is Provenance.PUBLIC


def test_values_of_one_number_stay_together_until_they_are_listed(
    qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path
) -> None:
    path = tmp_path / "numbers.csv"
    path.write_text("x\n" + "".join(f"{text}\n" for text in ("1.0", "1.00", "2.5", "3.5", "4.5") * 3))
    workspace.document.open_data(path)
    idle(qtbot, workspace)
    form = begin(qtbot, workspace, "x", "order")
    assert len(form.list.values.texts) == 5
    form.list.select_rows(4, 4)
    form.list.step_requested.emit(False)
    idle(qtbot, workspace)
    assert workspace.builder.previewed is not None
    assert set(form.list.values.texts) == {"1.0", "1.00", "2.5", "3.5", "4.5"}
    draft = workspace.builder.draft
    assert draft is not None
    assert draft.specification["parameters"]["order"] == "custom"


@pytest.mark.parametrize("level", [1, 2])
def test_grouping_says_its_sizes_and_is_made_of_them(level: int) -> None:
    grouping = Grouping.of_sizes(tuple("abcdefghij"), [[2], [2, 3]])
    for first in range(len(grouping.item_starts(level))):
        for down in (True, False):
            moved, _ = grouping.stepped(level, [first], down)
            assert sorted(moved.values) == sorted(grouping.values)
            again = Grouping.of_sizes(moved.values, moved.sizes())
            assert all((one == other).all() for one, other in zip(again.starts, moved.starts, strict=True))
            assert not (moved.starts[1] & ~moved.starts[0]).any(), "nested"


# Categories


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


# Faults and repairs


def test_repeated_values_are_named_and_removed(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "categories")
    form.tree.categories.rename_requested.emit((0,), "Zug")
    idle(qtbot, workspace)
    problem = workspace.builder.preview.problem
    assert problem.isVisible()
    assert "“Zug”" in problem.accessibleName()
    assert not workspace.builder.apply.isEnabled()
    assert not workspace.builder.preview.view.isEnabled(), "what is shown is not what is drafted"
    workspace.builder.preview.repair.click()
    idle(qtbot, workspace)
    assert tree_of(workspace) == ["Zug", "Basel", "Bern", "Chur", "Genf"]
    assert not problem.isVisible()
    workspace.builder.preview.add_them.click()
    idle(qtbot, workspace)
    assert tree_of(workspace)[-1] == "Aarau"


def test_uncovered_values_become_any(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "score", "intervals")
    form.below.fields["whole"].setChecked(True)
    idle(qtbot, workspace)
    workspace.builder.preview.problem.isVisible()
    form.below.fields["whole"].setChecked(False)
    form.repeat.click()
    idle(qtbot, workspace)
    assert not workspace.builder.preview.uncovered.isVisible()
    workspace.builder.discard.click()
    begin(qtbot, workspace, "city", "intervals")
    assert workspace.builder.preview.problem.isVisible()
    choose(workspace.builder.form.common.fields["unlisted"], "any")  # type: ignore[union-attr]
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "Zug") == ("Zug", "*", "*", "*", "*")


def test_a_list_that_misses_values_covers_them_with_one_click(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "categories")
    form.above.fields["declared"].click()
    form.tree.select_paths([(5,)])
    form.do("remove")
    idle(qtbot, workspace)
    assert "“Zug”" in workspace.builder.preview.uncovered.accessibleName()
    assert workspace.builder.badge.text == "Public"
    workspace.builder.preview.cover.click()
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "Zug") == ("Zug", "*")
    assert hierarchy.provenance is Provenance.PUBLIC, "the rule does not depend on which values occur"


def test_a_torn_file_is_named_and_repaired(
    qtbot: QtBot, workspace: HierarchiesWorkspace, errors: list[BaseException], tmp_path: Path
) -> None:
    bad = tmp_path / "bad.csv"
    lines = [f"{city};West;All" for city in CITIES[:4]] + ["Aarau;West;None", "Zug;East;All", "Zug;North;All"]
    bad.write_text("\n".join(lines) + "\n")
    workspace.attributes.pick("city")
    workspace.attach_file(bad)
    idle(qtbot, workspace)
    assert errors == []
    form = workspace.builder.form
    assert isinstance(form, TableForm)
    assert form.faults.isVisible()
    named = form.faults.accessibleName()
    assert "“Zug”" in named
    assert "“West”" in named
    assert "“Aarau”" in named
    assert "city" not in workspace.document.project.hierarchies
    form.faults.repair.click()
    idle(qtbot, workspace)
    assert not form.faults.isVisible()
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "Aarau") == ("Aarau", "West", "All")
    assert chain(hierarchy, "Zug") == ("Zug", "East", "All")


def test_cells_of_a_table_are_typed(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "table")
    assert isinstance(form, TableForm)
    for row in range(6):
        form.rows.setData(form.rows.index(row, 1), "West" if row < 3 else "East")
        qtbot.wait(1)
    hierarchy = apply(qtbot, workspace)
    assert hierarchy.groups() == (6, 2, 1)


# Presets and the library


def test_the_pairs_of_means_are_one_click(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    workspace.attributes.pick("age")
    choice = workspace.attach_page.choices["preset"]
    assert "Data-derived" in choice.accessibleName()
    choice.setFocus()
    qtbot.keyClick(choice, Qt.Key.Key_Return)
    idle(qtbot, workspace)
    assert workspace.builder.badge.text == "Data-derived"
    hierarchy = apply(qtbot, workspace)
    assert hierarchy.groups() == (40, 20, 10, 5, 3, 2, 1, 1)
    assert chain(hierarchy, "20")[:3] == ("20", "20.5", "21.5")
    assert workspace.attributes_model.index(2, 0).data(SUMMARY) == "8 levels · data-derived"


def test_a_fitting_entry_of_the_library_is_offered(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "library.age")
    assert isinstance(form, IntervalsForm)
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "33") == ("33", "30-34", "30-39", "20-39", "*")
    assert hierarchy.provenance is Provenance.PUBLIC
    assert "125" in hierarchy.values, "listed though it does not occur"


def test_a_hierarchy_is_kept_and_used_again(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "zip", "intervals")
    type_number(qtbot, form.base.ends[0], "7")
    idle(qtbot, workspace)
    workspace.builder.keep.trigger()
    dialog = workspace.findChild(KeepDialog)
    assert dialog is not None
    type_text(qtbot, dialog.title, "Sevens")
    dialog.keep.click()
    idle(qtbot, workspace)
    assert "sevens" in [entry.name for entry in library().entries if entry.own]
    workspace.builder.discard.click()
    workspace.attributes.pick("age")
    workspace.attach_page.library.click()
    chooser = workspace.findChild(LibraryDialog)
    assert chooser is not None
    qtbot.keyClicks(chooser.search, "seven")
    assert chooser.entry is not None
    chooser.use.click()
    idle(qtbot, workspace)
    assert chain(apply(qtbot, workspace), "33")[1] == "28-34"


def test_an_attached_hierarchy_is_kept_too(qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path) -> None:
    path = tmp_path / "city.csv"
    path.write_text("".join(f"{city};West;*\n" for city in CITIES))
    workspace.attributes.pick("city")
    workspace.attach_file(path)
    idle(qtbot, workspace)
    workspace.panel.keep.trigger()
    dialog = workspace.findChild(KeepDialog)
    assert dialog is not None
    assert dialog.title.text() == "city"
    dialog.keep.click()
    idle(qtbot, workspace)
    assert library()["city"].builder == "categories"


# Drafts


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
    attached = workspace.document.project.hierarchies["city"]
    workspace.panel.edit.click()
    idle(qtbot, workspace)
    assert isinstance(workspace.builder.form, CategoriesForm)
    assert workspace.builder.previewed is not None
    assert sorted(workspace.builder.previewed.rows()) == sorted(attached.rows())
    assert workspace.builder.badge.text == "Public"


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
    assert model.index(model.row_of("age"), 0).data(SUMMARY) == "no hierarchy"
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
    workspace.document.apply("x", lambda session: session.set_kind(["score"], Kind.TEXT))
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
    workspace.document.apply("x", lambda session: session.set_kind(["age"], Kind.DECIMAL))
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
    path = workspace.document.session.reading.path
    workspace.document.new()
    workspace.document.open_data(path)
    idle(qtbot, workspace)
    workspace.attributes.pick("age")
    assert list(workspace.workshop.drafts) == []
    assert workspace.attach_page.isVisible()


# Previews


def test_builds_happen_in_jobs_and_the_latest_wins(
    qtbot: QtBot, workspace: HierarchiesWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    threads: list[threading.Thread] = []
    held = threading.Event()
    real = previewing.build_hierarchy

    def slow(plain: Any, material: Material) -> Hierarchy:
        threads.append(threading.current_thread())
        if len(threads) == 1:
            held.wait(PATIENCE_MS / 1000)
        return real(plain, material)

    monkeypatch.setattr(previewing, "build_hierarchy", slow)
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


def test_the_form_takes_what_cannot_be_built_without_losing_it(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    type_number(qtbot, form.base.ends[0], "-5")
    idle(qtbot, workspace)
    assert form.base.ends[0].value == -5
    assert form.base.ends[0].error
    assert workspace.builder.preview.problem.isVisible()
    qtbot.keyClick(form, Qt.Key.Key_Return, CONTROL)
    assert "age" not in workspace.document.project.hierarchies


# The drawn tree


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


# Files out, and the rules of the house


def test_export_writes_what_is_attached(
    qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(qtbot, workspace, "age", "intervals")
    hierarchy = apply(qtbot, workspace)
    target = tmp_path / "out.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    with qtbot.waitSignal(workspace.document.noted, timeout=PATIENCE_MS):
        workspace.panel.export.trigger()
    back = read_hierarchy(target)
    assert back.rows() == hierarchy.rows()
    assert back.provenance is hierarchy.provenance


@pytest.mark.parametrize("builder", [builder.identifier for builder in BUILDERS])
def test_every_control_has_a_name_an_explanation_and_room(
    qtbot: QtBot, workspace: HierarchiesWorkspace, builder: str
) -> None:
    book = HelpBook()
    column = "day" if builder == "dates" else "age"
    begin(qtbot, workspace, column, builder)
    workspace.resize(760, 560)
    idle(qtbot, workspace)
    page: BuilderPage = workspace.builder
    for widget in page.findChildren(QWidget):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and isinstance(
            widget, (QAbstractButton, QLineEdit, QComboBox, QAbstractItemView, QAbstractSlider)
        ):
            inner = type(widget).__module__.startswith("PySide6") and isinstance(widget.window(), QWidget)
            if inner and (widget.window() is not workspace.window() or widget.objectName().startswith("qt_")):
                continue  # the list of a combo box, the edit of a spin box
            assert widget.accessibleName(), widget
            assert book.find(explain_key(widget)) is not None, (widget, explain_key(widget))
    assert page._inside.minimumSizeHint().width() <= page._scroll.minimumWidth()
    assert workspace.minimumSizeHint().width() <= NARROW, "between rail and Explain pane at 1024 × 700"


def test_the_start_page_is_named_and_explained(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    book = HelpBook()
    workspace.attributes.pick("age")
    page = workspace.attach_page
    assert list(page.choices)[:2] == ["intervals", "order"], "what suits numbers comes first"
    for choice in page.choices.values():
        assert choice.accessibleName()
        assert book.find(explain_key(choice)) is not None
    workspace.attributes.pick("day")
    assert next(iter(page.choices)) == "dates"
    workspace.attributes.pick("zip")
    assert next(iter(page.choices)) == "masking"
