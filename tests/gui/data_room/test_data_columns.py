"""The list of columns in the Data room, and kind and bounds of each."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.data_room.helpers import cell, open_text, type_into
from tests.gui.helpers import PATIENCE_MS, idle
from workbench.core.schema import Kind, Role
from workbench.gui.widgets.explain import explain_key
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.data.columns_model import BARS_ROLE, Field

pytestmark = pytest.mark.usefixtures("after_a_look")

NARROW = 536


def test_the_list_describes_every_column(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    assert [workspace.columns_model.name(row) for row in range(4)] == ["name", "city", "age", "income"]
    assert cell(workspace, "city", Field.DISTINCT) == "2"
    assert cell(workspace, "city", Field.MISSING) == "1"
    assert cell(workspace, "income", Field.KIND) == "Whole number"
    bars = workspace.columns_model.index(1, Field.BARS).data(BARS_ROLE)
    assert bars.tolist() == [40, 20]


def test_the_heading_of_roles_says_what_they_decide(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    model, across = workspace.columns_model, Qt.Orientation.Horizontal
    assert model.headerData(Field.ROLE, across) == "Role in a release"
    tip = model.headerData(Field.ROLE, across, Qt.ItemDataRole.ToolTipRole)
    assert "whether a release may have the column" in " ".join(str(tip).split())


def test_a_column_of_many_is_found_by_its_name(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    assert not workspace.column_find.isVisible()
    names = ",".join(f"column {number}" for number in range(30))
    open_text(qtbot, workspace, tmp_path, f"{names}\n{names}\n", "wide.csv")
    qtbot.keyClicks(workspace.column_find, "N 27")
    assert workspace.columns.selected_names == ("column 27",)


def test_the_kind_is_changed_and_what_does_not_fit_is_named(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("city")
    combo = workspace.detail.kind
    qtbot.keyClicks(combo, "Whole")
    combo.activated.emit(combo.currentIndex())
    assert workspace.document.project.schema["city"].kind is Kind.INTEGER
    idle(qtbot, workspace)
    facts = workspace.facts.of("city")
    assert facts is not None
    assert set(facts.misfits) == {"Bern", "Basel"}
    kinds = workspace.columns.model()
    shown = [kinds.index(row, Field.KIND).data() for row in range(kinds.rowCount())]
    assert "Whole number, partly" in shown, "what the sign is about can be read beside it"
    texts = [found.text() for found in workspace.detail.findChildren(QLabel) if found.isVisible()]
    assert any("“Bern”" in text and "2 values" in text for text in texts)
    workspace.document.undo_stack.undo()
    assert workspace.document.project.schema["city"].kind is Kind.CATEGORY


def test_public_bounds_are_typed(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("income")
    bounds = workspace.detail.bounds
    assert bounds.isVisible()
    type_into(qtbot, bounds.least.edit, "0")
    assert workspace.document.project.schema["income"].bounds is None, "one bound is none"
    type_into(qtbot, bounds.greatest.edit, "1e6")
    assert workspace.document.project.schema["income"].bounds == (0, 1_000_000)
    type_into(qtbot, bounds.greatest.edit, "-5")
    assert workspace.document.project.schema["income"].bounds == (0, 1_000_000), "refused"
    workspace.document.undo_stack.undo()
    assert workspace.document.project.schema["income"].bounds is None
    assert bounds.greatest.value is None


def test_bounds_from_the_data_need_a_second_step_that_warns(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("income")
    bounds = workspace.detail.bounds
    bounds.read_button.click()
    assert bounds.warning.isVisible()
    assert workspace.document.project.schema["income"].bounds is None
    bounds.cancel.click()
    assert not bounds.warning.isVisible()
    bounds.read_button.click()
    bounds.confirm.click()
    assert workspace.document.project.schema["income"].bounds == (0, 5900)


def test_texts_have_no_bounds(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("city")
    assert not workspace.detail.bounds.isVisible()


def has_width(widget: QWidget, width: int) -> bool:
    return widget.width() == width


def test_the_list_keeps_its_columns_at_every_width(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    for width in (700, 1000, 1600, 900):
        workspace.resize(width, 700)
        qtbot.waitUntil(partial(has_width, workspace, width), timeout=PATIENCE_MS)
        widths = [workspace.columns.columnWidth(field) for field in Field]
        asked = {Field.WHY, Field.TURN}  # once it is said who is protected
        assert {field for field in Field if not widths[field]} == asked
        assert widths[Field.MISSING] < 2 * widths[Field.DISTINCT]
    workspace.resize(1300, 700)
    idle(qtbot, workspace)
    assert workspace.columns.columnViewportPosition(Field.EXAMPLES) < workspace.columns.viewport().width()


def test_a_heading_of_the_table_chooses_the_column(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    header = workspace.table.horizontalHeader()
    spot = QPoint(header.sectionViewportPosition(1) + 20, header.height() // 2)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert workspace.columns.selected_names == ("city",)


@pytest.mark.parametrize("size", [(1016, 700), (760, 560)])
def test_every_control_has_a_name_and_an_explanation(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path, size: tuple[int, int]
) -> None:
    workspace.resize(*size)
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("income")
    for widget in workspace.findChildren(QWidget):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and isinstance(
            widget, (QAbstractButton, QLineEdit, QComboBox)
        ):
            inside = widget.parentWidget()
            named = widget.accessibleName() or (isinstance(inside, QComboBox) and inside.accessibleName())
            assert named, widget
            assert explain_key(widget), widget
    assert workspace.minimumSizeHint().width() <= NARROW, "between rail and Explain pane at 1024 × 700"


@pytest.mark.parametrize("name", ["patient", "employee_number"])
def test_a_name_that_is_marked_is_shown_whole(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path, name: str
) -> None:
    open_text(qtbot, workspace, tmp_path, f"{name},ward\n" + "".join(f"{i},A\n" for i in range(60)))
    index = workspace.columns_model.index(workspace.columns_model.row_of(name), Field.NAME)
    assert index.data(Qt.ItemDataRole.DecorationRole) is None, "nobody has chosen a role yet"
    workspace.columns.select(name)
    workspace.detail.set_role(Role.QUASI)
    assert index.data(Qt.ItemDataRole.DecorationRole) is not None
    assert workspace.columns.sizeHintForIndex(index).width() <= workspace.columns.columnWidth(Field.NAME)
