"""Files in the Data room: how one was read, how it is read anew, and the next one."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from tests.gui.data_room.helpers import cell, open_text
from tests.gui.helpers import PATIENCE_MS, idle
from workbench.core.errors import WorkbenchError
from workbench.core.schema import PrivacyUnit, UnitAnswer
from workbench.gui.widgets.status import Status
from workbench.gui.widgets.table_view import CodesTableModel
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.data.columns_model import Field

pytestmark = pytest.mark.usefixtures("after_a_look")


def test_without_a_table_it_leads_to_one(qtbot: QtBot, workspace: DataWorkspace) -> None:
    assert workspace.status() is None
    assert workspace.next_hint()
    button, other = workspace.empty.primary_button, workspace.empty.secondary_buttons[0]
    assert button is not None
    with qtbot.waitSignal(workspace.open_requested):
        button.click()
    with qtbot.waitSignal(workspace.start_requested):
        other.click()


def test_a_table_without_rows_leads_to_another_one(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    """Nobody is protected in it, so nothing is asked."""
    open_text(qtbot, workspace, tmp_path, "age,city\n")
    document = workspace.document
    document.apply("ask", lambda session: session.data.set_unit(PrivacyUnit(1, protected=UnitAnswer.UNSAID)))
    assert (workspace.next_hint(), workspace.next_field()) == ("Open another table", "")
    with qtbot.waitSignal(workspace.open_requested):
        assert workspace.do_next("")


def test_the_header_says_how_the_file_was_read(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path, "a;b\n1;2\n3;4\n")
    assert workspace.header.name.full_text == "people.csv"
    assert workspace.header.facts.full_text == "2 rows · 2 columns"
    assert workspace.header.options.toolTip().startswith("Read as: semicolon, UTF-8, header\n"), "where it is changed"
    assert not workspace.header.problems.isVisible()
    open_text(qtbot, workspace, tmp_path, "a\n1\n")
    assert workspace.header.facts.full_text == "1 row · 1 column"


def test_problem_lines_are_listed(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path, "a,b\n" + "1,2\n" * 8 + "3\n4,5,6\n7,8\n")
    assert workspace.status() is Status.WARNING
    assert workspace.header.problems.text() == "2 lines with problems"
    dialog = workspace.dialogs.show_problems()
    model = dialog.view.model()
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["10", "11"]
    assert model.index(0, 3).data() == "3"
    dialog.reject()


def test_the_table_shows_the_rows_with_numbers_on_the_right(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    model = workspace.table.model()
    assert isinstance(model, CodesTableModel)
    assert model.rowCount() == 61
    assert model.index(60, 0).data() == "Person 99"
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    assert model.index(0, 3).data(Qt.ItemDataRole.TextAlignmentRole) == right
    assert model.index(0, 1).data(Qt.ItemDataRole.TextAlignmentRole) != right


def test_who_is_led_to_the_reading_options_opens_them_or_not(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    said: list[tuple[str, str]] = []
    workspace.document.noted.connect(lambda *one: said.append(one))
    workspace.reach("reading")
    ((kind, words),) = said
    assert kind == "info" and words.startswith("In “Reading options…”, tick “Ignore spaces after a delimiter”")
    assert workspace.header.options.hasFocus() and not workspace.findChildren(QDialog), "they show rows"


def test_reading_options_preview_and_open(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path, "a;b,c\n1;2,3\n4;5,6\n")
    dialog = workspace.dialogs.show_options()
    idle(qtbot, workspace)
    before = dialog.table.model().columnCount()
    assert before == workspace.columns_model.rowCount()
    other = ";" if workspace.document.session.data.reading.dialect.delimiter == "," else ","
    dialog.fields.delimiter.setCurrentIndex(dialog.fields.delimiter.findData(other))
    dialog.fields.delimiter.activated.emit(dialog.fields.delimiter.currentIndex())
    names = ["a", "b,c"] if other == ";" else ["a;b", "c"]
    header = Qt.Orientation.Horizontal

    def shown() -> list[object]:
        model = dialog.table.model()
        return [str(model.headerData(i, header)).split("\n")[0] for i in range(model.columnCount())]

    qtbot.waitUntil(lambda: shown() == names, timeout=PATIENCE_MS)
    assert list(workspace.document.project.schema.names) != names, "only a preview"
    dialog.apply.click()
    idle(qtbot, workspace)
    assert list(workspace.document.project.schema.names) == names


@pytest.mark.parametrize("closed", [False, True])
def test_reading_options_open_the_file_that_was_looked_at(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path, closed: bool
) -> None:
    """Something else may be open by then, as where a file that took long has come, or nothing at all."""
    open_text(qtbot, workspace, tmp_path, "a,b\n1,2\n4,5\n")
    dialog = workspace.dialogs.show_options()
    idle(qtbot, workspace)
    if closed:
        workspace.document.new()
    else:
        other = tmp_path / "other.csv"
        other.write_text("c,d\n1,2\n4,5\n", encoding="utf-8")
        workspace.document.open_data(other)
    idle(qtbot, workspace)
    dialog.apply.click()
    idle(qtbot, workspace)
    assert workspace.document.project.schema.names == ("a", "b")


def test_reading_options_say_what_cannot_be(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    dialog = workspace.dialogs.show_options()
    idle(qtbot, workspace)
    edit = dialog.fields.encoding.lineEdit()
    assert edit is not None
    edit.selectAll()
    qtbot.keyClicks(edit, "klingon")
    qtbot.waitUntil(lambda: "klingon" in dialog.summary.full_text, timeout=PATIENCE_MS)
    assert not dialog.apply.isEnabled()
    dialog.recognise.click()
    qtbot.waitUntil(dialog.apply.isEnabled, timeout=PATIENCE_MS)
    assert dialog.fields.encoding.currentText() == "UTF-8"
    dialog.reject()


def test_a_file_that_is_no_table_keeps_what_is_open(
    qtbot: QtBot, workspace: DataWorkspace, errors: list[BaseException], tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    bad = tmp_path / "bad.csv"
    bad.write_bytes(b"%PDF-1.7 nothing")
    workspace.document.open_data(bad)
    idle(qtbot, workspace)
    assert len(errors) == 1
    assert isinstance(errors[0], WorkbenchError)
    assert workspace.header.name.full_text == "people.csv"


def test_the_next_file_replaces_the_first(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("income")
    open_text(qtbot, workspace, tmp_path, "x,age\n1,2\n2,3\n", "next.csv")
    assert workspace.header.name.full_text == "next.csv"
    assert workspace.columns.selected_names == ("x",)
    assert workspace.detail.name.full_text == "x"
    assert cell(workspace, "age", Field.DISTINCT) == "2"


def test_a_new_project_goes_back_to_the_start(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.document.new()
    assert workspace.empty.isVisible()
    assert workspace.columns_model.rowCount() == 0


def test_a_project_can_be_opened_while_a_column_of_numbers_is_shown(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path, errors: list[BaseException]
) -> None:
    open_text(qtbot, workspace, tmp_path)
    saved = tmp_path / "people.wbench"
    assert workspace.document.save(saved)
    workspace.columns.select("income")
    # Until its data is read, a project has columns without values.
    assert workspace.document.open_project(saved)
    idle(qtbot, workspace)
    assert not errors and workspace.document.has_data


def test_hierarchy_files_beside_the_table_are_told_before_anything_is_asked(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    """By their names alone, so that Hierarchies, which attaches them, surprises nobody."""
    table = "age,city\n34,Bern\n35,Basel\n"
    open_text(qtbot, workspace, tmp_path, table)
    facts = workspace.header.facts
    assert facts.full_text == "2 rows · 2 columns"
    (tmp_path / "people_hierarchy_age.csv").write_text("34;*\n", encoding="utf-8")
    (tmp_path / "other_hierarchy_city.csv").write_text("Bern;*\n", encoding="utf-8")
    open_text(qtbot, workspace, tmp_path, table)
    assert facts.full_text == "2 rows · 2 columns · a hierarchy file beside it"
    told = facts.toolTip().splitlines()[-1]
    assert told == "people_hierarchy_age.csv: named like the table. Hierarchies attaches it, if you want."
    (tmp_path / "people_hierarchy_city.csv").write_text("Bern;*\n", encoding="utf-8")
    workspace.hide()
    workspace.show()
    idle(qtbot, workspace)
    assert facts.full_text.endswith(" · hierarchy files beside it"), "put there meanwhile"
    assert "people_hierarchy_age.csv, people_hierarchy_city.csv: named" in facts.toolTip()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    open_text(qtbot, workspace, elsewhere, table)
    assert "beside" not in facts.full_text and "named like" not in facts.toolTip()
