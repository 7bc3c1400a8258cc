"""Data and Hierarchies before a look at the values, taking it, and what follows."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QTableView, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import OnScreen, idle
from workbench.anonymise.recipe import Treatment
from workbench.core.building import build_hierarchy, specification
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit, Role
from workbench.gui.document import Document
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.survivors import SurvivorsView
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.data.columns_model import Field
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.hierarchies.values_model import ROWS_COLUMN
from workbench.project.model import GuaranteeSettings
from workbench.session.looking import LATER, AtStake, LookDesk

ROWS = 300


def write(folder: Path, *more: str) -> Path:
    """A table of people; what comes besides stands at its end."""
    path = folder / "staff.csv"
    rows = [f"{1950 + i % 50}-0{i % 9 + 1}-11,{20095 + i % 7},{20_000 + 100 * (i % 90)}" for i in range(ROWS)]
    path.write_text("born,zip,salary\n" + "\n".join([*rows, *more]) + "\n", encoding="utf-8")
    return path


def prepare(qtbot: QtBot, document: Document, room: QWidget, path: Path) -> None:
    document.open_data(path)
    idle(qtbot, room)
    session = document.session
    document.apply("x", lambda s: s.data.set_unit(PrivacyUnit()))
    document.apply("x", lambda s: s.data.set_role(("born", "zip", "salary"), Role.QUASI))
    made = session.data.hierarchy_suggester(("born", "zip", "salary"))
    built = made(SILENT)
    document.apply("x", lambda s: s.data.attach_hierarchies(built))
    idle(qtbot, room)


def seen(room: QWidget) -> list[str]:
    """Everything that can be read in a room."""
    found = [getattr(one, "full_text", one.text()) for one in room.findChildren(QLabel) if one.isVisible()]
    found += [one.text() + one.toolTip() for one in room.findChildren(QAbstractButton) if one.isVisible()]
    for view in room.findChildren(QTableView):
        model = view.model()
        columns = [column for column in range(model.columnCount()) if not view.isColumnHidden(column)]
        found += [str(model.index(row, column).data()) for row in range(model.rowCount()) for column in columns]
        found += [str(model.headerData(column, view.horizontalHeader().orientation())) for column in columns]
    return found


@pytest.mark.parametrize("room", [DataWorkspace, HierarchiesWorkspace])
def test_neighbouring_tables_look_alike_before_a_look(
    qtbot: QtBot,
    document: Document,
    on_screen: OnScreen,
    tmp_path: Path,
    room: type[DataWorkspace | HierarchiesWorkspace],
) -> None:
    shown = on_screen(room(document))
    told = []
    for more in ((), ("1901-05-05,98765,987654",), ("1955-05-11,20095,20000",)):
        document.new()
        prepare(qtbot, document, shown, write(tmp_path, *more))
        texts = []
        for name in ("born", "zip", "salary"):
            (shown.columns.select if isinstance(shown, DataWorkspace) else shown.attributes.pick)(name)
            idle(qtbot, shown)
            texts += seen(shown)
        told.append(texts)
    assert told[0] == told[1] == told[2]
    assert any("hidden" in text for text in told[0]), "it says what is not shown"


def test_neighbouring_tables_have_the_same_claim_before_a_look(
    qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path
) -> None:
    """Neither how often a value occurs in a column that is left out nor whether δ is above one in the rows is told."""
    shown = on_screen(AnonymiseWorkspace(document))
    told, kept, path = [], [], tmp_path / "staff.csv"
    for last in ((), ("P98,20",), ("P99,20",)):
        document.new()
        path.write_text("\n".join(["badge,age", *(f"P{i},{20 + i % 5}" for i in range(99)), *last, ""]))
        document.open_data(path)
        idle(qtbot, shown)
        document.apply("x", lambda s: s.data.set_unit(PrivacyUnit()))
        document.apply("x", lambda s: s.data.set_role(("badge",), Role.IDENTIFYING))
        document.apply("x", lambda s: s.release.columns.set_treatment("age", Treatment.GENERALISE))
        document.apply("x", lambda s: s.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=0.0101)))
        shown.result.tabs.setCurrentWidget(shown.result.reasons)
        shown.status()
        idle(qtbot, shown)
        told.append([*seen(shown.result.reasons), *seen(shown.result.claim)])
        claim = document.session.release.claim()
        assert claim is not None
        kept.append({one.code for one in claim.cautions})
    assert told[0] == told[1] == told[2]
    assert kept == [set(), {"person-or-row", "large-delta"}, {"large-delta"}], "they do differ in that"


def test_a_look_is_asked_for_shows_the_values_and_is_recorded(
    qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path
) -> None:
    data = on_screen(DataWorkspace(document))
    prepare(qtbot, document, data, write(tmp_path))
    data.columns.select("salary")
    assert data.columns.isColumnHidden(Field.DISTINCT)
    assert data.panel.model.rowCount() < ROWS
    assert data.panel.state.full_text == "The first rows"
    assert "copy none of them" in data.panel.state.toolTip()
    assert not data.detail.distribution.isVisible()
    data.panel.sort("salary")
    idle(qtbot, data)
    assert data.panel.arrangement.sort_by == "", "sorted, the smallest would be seen"
    before = document.session.release.claim()
    data.detail.look.look.click()
    idle(qtbot, data)
    assert not document.session.looks.taken, "one click gives no claim away"
    assert not data.detail.look.question.publish.isVisible(), "there is no draw yet"
    data.detail.look.question.take.click()
    idle(qtbot, data)
    assert document.session.looks.taken
    assert not data.columns.isColumnHidden(Field.DISTINCT)
    assert data.panel.model.rowCount() == ROWS
    assert data.detail.distribution.isVisible()
    assert not data.detail.look.isVisible()
    assert before is not None and before.holds
    after = document.session.release.claim()
    assert after is not None and not after.holds, "said at once, and not only after a draw"


def test_what_a_look_leaves_is_said_in_the_same_words_wherever_one_is_offered(
    qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path
) -> None:
    data = on_screen(DataWorkspace(document))
    prepare(qtbot, document, data, write(tmp_path))
    what_if = SurvivorsView(document)
    qtbot.addWidget(what_if)
    assert LATER in " ".join(data.detail.look.look.toolTip().split())
    said = [one.text() for one in what_if.findChildren(QLabel) if LATER in one.text()]
    assert len(said) == 1 and "weakens your promise" in said[0]
    document.session.looks.take("survival")
    claim = document.session.release.claim()
    assert claim is not None and claim.given and not claim.holds, "and it is so"


def test_kinds_and_examples_are_seen_side_by_side_where_there_is_little_room(
    qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path
) -> None:
    """As wide as the room is in a window of 1024 pixels."""
    data = on_screen(DataWorkspace(document), 824)
    prepare(qtbot, document, data, write(tmp_path))
    view = data.columns
    assert not view.isColumnHidden(Field.KIND) and view.columnWidth(Field.EXAMPLES) > 0
    assert view.columnViewportPosition(Field.EXAMPLES) < view.viewport().width()
    tip = view.model().headerData(Field.EXAMPLES, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert "copy none of them" in tip


def test_it_is_asked_first_what_becomes_of_a_draw(
    qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = on_screen(DataWorkspace(document))
    prepare(qtbot, document, data, write(tmp_path))
    data.columns.select("salary")
    monkeypatch.setattr(LookDesk, "at_stake", property(lambda _desk: AtStake("It would lose its claim.", True)))
    look = data.detail.look
    assert look.look.property("quiet") == "true" and look.look.text().endswith("…"), "it is not what is due, and asks"
    look.look.click()
    assert not document.session.looks.taken
    assert look.question.isVisible() and not look.look.isVisible()
    look.question.not_now.click()
    assert look.look.isVisible()
    look.look.click()
    look.question.take.click()
    assert document.session.looks.taken
    assert not look.isVisible()


def test_a_draft_is_tried_on_public_values_and_applied_to_those_of_the_data(
    qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path
) -> None:
    room = on_screen(HierarchiesWorkspace(document))
    document.open_data(write(tmp_path))
    idle(qtbot, room)
    room.attributes.pick("salary")
    room.workshop.begin("intervals")
    idle(qtbot, room)
    preview = room.builder.previewer.latest
    assert preview is not None and preview.hierarchy is not None
    occurring = set(document.session.data.reading.table["salary"].values)
    assert not occurring <= set(preview.hierarchy.values)
    assert room.builder.preview.view.table.isColumnHidden(ROWS_COLUMN)
    assert not room.builder.preview.uncovered.isVisible()
    room.builder.apply.click()
    idle(qtbot, room)
    attached = document.project.hierarchies["salary"]
    assert occurring <= set(attached.values)


def test_of_a_hierarchy_made_from_the_data_nothing_is_shown_before_a_look(
    qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path
) -> None:
    room = on_screen(HierarchiesWorkspace(document))
    document.open_data(write(tmp_path))
    idle(qtbot, room)
    values = document.session.data.reading.table["zip"].values
    made = build_hierarchy(specification("order", {"order": "natural"}, {}), values)
    document.apply("x", lambda session: session.data.attach_hierarchy("zip", made))
    idle(qtbot, room)
    room.attributes.pick("zip")
    idle(qtbot, room)
    view = room.panel.view
    for face in range(view.faces.count()):
        view.faces.setCurrentIndex(face)
        assert not view.tree.isVisible() and not view.table.isVisible()
        assert room.panel.look.look.isVisible()
        assert not any("2009" in text for text in seen(room.panel))
    room.panel.look.look.click()
    room.panel.look.question.take.click()
    idle(qtbot, room)
    view.show_face("values")
    assert view.table.isVisible() and view.values.rowCount() == len(values)
    assert not view.table.isColumnHidden(ROWS_COLUMN)


def test_what_a_file_lists_is_edited_without_a_look(
    qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path
) -> None:
    room = on_screen(HierarchiesWorkspace(document))
    document.open_data(write(tmp_path))
    idle(qtbot, room)
    listed = tmp_path / "zips.csv"
    listed.write_text("".join(f"{20095 + i};2009x;*\n" for i in range(9)), encoding="utf-8")
    document.apply("x", lambda session: session.data.attach_hierarchy_file("zip", listed))
    idle(qtbot, room)
    room.attributes.pick("zip")
    room.workshop.edit()
    idle(qtbot, room)
    preview = room.builder.previewer.latest
    assert preview is not None and preview.hierarchy is not None
    assert set(preview.hierarchy.values) == {str(20095 + i) for i in range(9)}
    room.builder.builder_chosen.emit("intervals")
    idle(qtbot, room)
    room.builder.builder_chosen.emit("categories")
    idle(qtbot, room)
    room.builder.restart_requested.emit()
    idle(qtbot, room)
    assert room.builder.preview.problem.isVisible(), "made-up values are not sorted into groups"


def test_who_sorts_values_by_hand_is_told_to_look_or_to_declare_them(
    qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path
) -> None:
    room = on_screen(HierarchiesWorkspace(document))
    document.open_data(write(tmp_path))
    idle(qtbot, room)
    room.attributes.pick("zip")
    room.workshop.begin("order")
    idle(qtbot, room)
    assert room.builder.preview.problem.isVisible()
    assert "look at the values" in room.builder.preview.problem.accessibleName()
    document.session.looks.take("values")
    document.changed.emit("file")
    idle(qtbot, room)
    preview = room.builder.previewer.latest
    assert preview is not None and preview.hierarchy is not None
    assert "20095" in preview.hierarchy.values
