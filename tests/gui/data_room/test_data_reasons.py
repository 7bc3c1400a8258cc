"""Why a column has its role: in words that are reasons, also where Anonymise decides, and once work is opened again."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from tests.gui.data_room.helpers import cell
from tests.gui.data_room.people import open_text
from tests.gui.helpers import data_is_there, idle
from workbench.anonymise.recipe import Treatment
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.data.columns_model import Field
from workbench.gui.workspaces.data.suggestions import OFFERED
from workbench.session.release.purpose import tick


def test_what_is_not_ticked_in_anonymise_is_no_choice_of_the_person_and_no_reproach(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    rows = "".join(f"M{i},{'abc'[i % 3]},{1 + i % 7},{'fm'[i % 2]}\n" for i in range(90))
    open_text(qtbot, workspace, tmp_path, "surname,club,visits,sex\n" + rows)
    workspace.protected.every_row.click()
    workspace.suggest.click()
    idle(qtbot, workspace)
    document = workspace.document
    document.apply(
        "h", lambda one: one.data.attach_hierarchies(one.data.hierarchy_suggester(["club", "visits", "sex"])(SILENT))
    )
    document.apply("t", lambda session: tick(session, "club", ticked=True))
    assert cell(workspace, "visits", Field.WHY) == cell(workspace, "sex", Field.WHY) == "Not ticked in Anonymise"
    assert cell(workspace, "club", Field.WHY) == OFFERED
    assert workspace.columns_hint.full_text == "1 of 4 in a release, as ticked in Anonymise"
    document.undo_stack.undo()
    document.apply("o", lambda session: session.release.columns.set_treatment("club", Treatment.LEAVE_OUT))
    assert cell(workspace, "club", Field.WHY) == "Left out in Anonymise", "nothing is ticked"
    assert workspace.columns_hint.full_text == "2 of 4 in a release, as Anonymise says"


def test_the_reasons_are_the_same_once_the_work_is_opened_again(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    """They follow from names and kinds, which need no second look."""
    names = ("staff_no", "name", "club", "visits", "sex", "diagnosis", "zip", "joined")
    rows = "".join(
        f"{i},P{i},{'abc'[i % 3]},{1 + i % 7},f,flu,{4000 + i % 9},2020-01-{1 + i % 28:02}\n" for i in range(90)
    )
    open_text(qtbot, workspace, tmp_path, ",".join(names) + "\n" + rows)
    workspace.protected.every_row.click()
    workspace.suggest.click()
    idle(qtbot, workspace)
    workspace.document.apply("s", lambda session: session.data.set_role(["sex"], Role.SENSITIVE))
    workspace.document.apply("v", lambda session: session.data.set_role(["visits"], Role.IDENTIFYING))
    before = [cell(workspace, name, Field.WHY) for name in names]
    assert len(set(before)) == 6 and "Your choice, not as suggested" in before and OFFERED in before, before
    tip = workspace.columns_model.index(names.index("sex"), Field.WHY).data(Qt.ItemDataRole.ToolTipRole)
    assert "Suggested: Others may know it" in str(tip)
    saved = tmp_path / "kept.wbench"
    assert workspace.document.save(saved)
    workspace.document.new()
    assert workspace.document.open_project(saved)
    data_is_there(qtbot, workspace.document)
    idle(qtbot, workspace)
    assert not workspace.suggestions.tried and workspace.suggest.isHidden(), "nothing is left to follow"
    assert not workspace.detail.isVisible(), "nobody chose a column"
    assert [cell(workspace, name, Field.WHY) for name in names] == before


def test_examples_are_shown_whole_as_far_as_there_is_room(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path, "day,sex\n" + "".join(f"2020-01-{1 + i % 28:02},f\n" for i in range(90)))
    index = workspace.columns_model.index(0, Field.EXAMPLES)
    delegate = workspace.columns.itemDelegateForColumn(Field.EXAMPLES)
    assert isinstance(delegate, QStyledItemDelegate)
    shown = []
    for letters in (10, 28, 80):
        option = QStyleOptionViewItem()
        option.rect = QRect(0, 0, option.fontMetrics.horizontalAdvance("0" * letters) + 20, 26)
        delegate.initStyleOption(option, index)
        shown.append(option.text.split(" · "))
    days = [f"2020-01-0{day}" for day in (1, 2, 3, 4)]
    assert shown == [days[:1], days[:2], days]
