"""Groups of values in an order, made and mended by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, QPointF, Qt
from PySide6.QtGui import QDropEvent
from pytestqt.qtbot import QtBot

from tests.gui.builders.helpers import ALT, CONTROL, apply, begin, chain, type_text
from tests.gui.helpers import choose, idle
from workbench.core.hierarchy import Provenance
from workbench.core.order_edits import Grouping
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.hierarchies.forms.order import OrderForm


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


def test_a_size_that_is_none_leaves_no_groups_to_change(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "order")
    type_text(qtbot, form.levels.rows[0].joins, "0")
    idle(qtbot, workspace)
    assert form.levels.rows[0].problem.isVisible() and not workspace.builder.apply.isEnabled()
    assert form.list.values.texts == ()
    type_text(qtbot, form.levels.rows[0].joins, "3")
    assert apply(qtbot, workspace).groups()[:2] == (6, 2)


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


@pytest.mark.parametrize("builder", ["order", "priority"])
def test_of_a_list_that_nobody_declared_it_is_only_said_that_nobody_did(
    qtbot: QtBot, workspace: HierarchiesWorkspace, builder: str
) -> None:
    """It may be typed from a book: that it was made from this data is not known."""
    given = {"order": ({"order": "custom"}, {"sequence": ["Bern", "Basel"]})}
    given["priority"] = {"by": "hand"}, {"values": ["Bern", "Basel"], "keep": [1]}
    parameters, details = given[builder]
    begin(qtbot, workspace, "city", builder)
    draft, verdict = workspace.builder.draft, workspace.builder.verdict
    assert draft is not None
    spec = draft.specification
    known = {**spec["details"], **details}
    workspace.builder.edit(
        {**spec, "parameters": {**spec["parameters"], **parameters, "declared": False}, "details": known}, "A list"
    )
    idle(qtbot, workspace)
    assert verdict.badge.text == "Not declared" and verdict.declare.isVisibleTo(verdict)
    assert verdict.origin.text().endswith("; not declared to be fixed without the data.")
    assert "from the data" not in verdict.origin.text()
    other = {"order": "frequency"} if builder == "order" else {"by": "frequency"}
    workspace.builder.edit({**spec, "parameters": {**spec["parameters"], **other}}, "By frequency")
    idle(qtbot, workspace)
    assert verdict.badge.text == "Made from this data"
    assert not verdict.declare.isVisibleTo(verdict), "a word would change nothing"
