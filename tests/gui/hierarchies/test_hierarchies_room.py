"""The Hierarchies workspace: the column it opens on, what one press builds, and the values, levels and counts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QDialog, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, idle, put_off_is_done
from tests.gui.hierarchies.helpers import attach, attached, entry
from workbench.anonymise.recipe import Treatment
from workbench.core.building import build_hierarchy, specification
from workbench.core.hierarchy import Provenance
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.gui import tokens
from workbench.gui.main_window import MainWindow
from workbench.gui.widgets.explain import explain_key
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.hierarchies.attributes import COLUMN_ROLE, RoleLegend
from workbench.gui.workspaces.hierarchies.values_model import ROWS_COLUMN
from workbench.session import Session
from workbench.session.looking import LookDesk

pytestmark = pytest.mark.usefixtures("after_a_look")
NARROW = 1024 - tokens.RAIL_WIDTH  # Explain lies over the page there


def values_shown(workspace: HierarchiesWorkspace) -> list[str]:
    model = workspace.panel.table.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def test_without_data_it_opens_a_file(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    assert workspace.status() is None
    assert workspace.empty.isVisible()
    assert workspace.empty.primary_button is not None
    with qtbot.waitSignal(workspace.open_requested):
        workspace.empty.primary_button.click()


def test_suggested_ones_are_built_for_all_columns_at_once(
    qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path
) -> None:
    path = tmp_path / "visits.csv"
    path.write_text("born,postcode,ill\n" + "31.12.1990,01067,flu\n1991-01-02,10115,cold\n02.03.1989,01067,flu\n" * 9)
    document = workspace.document
    document.open_data(path)
    idle(qtbot, workspace)
    assert not workspace.build_all.isVisible(), "no column is to be generalised"
    document.apply("Roles", lambda session: session.data.set_role(["postcode", "ill", "born"], Role.QUASI))
    idle(qtbot, workspace)
    assert workspace.next_hint() == "Build 3 hierarchies and go on"
    workspace.reach(workspace.next_field())
    assert workspace.build_all.hasFocus()
    workspace.build_all.click()
    idle(qtbot, workspace)
    made = document.project.hierarchies
    assert {one.provenance for one in made.values()} == {Provenance.PUBLIC} and set(made) == {"born", "postcode", "ill"}
    assert not workspace.panel.group.isVisible(), "years and first characters are groups"
    workspace.attributes.pick("ill")
    assert workspace.panel.badge.text == "Made without this data", "a rule made it"
    workspace.panel.group.click()
    idle(qtbot, workspace)
    assert workspace.builder.isVisible() and workspace.builder.builder.chosen == "categories"
    workspace.builder.discard.click()
    idle(qtbot, workspace)
    assert document.project.hierarchies["ill"] is made["ill"], "nothing is changed until it is applied"
    assert workspace.panel.isVisible() and not workspace.build_all.isVisible()
    assert workspace.status() is Status.SUCCESS and not workspace.next_hint()
    document.undo_stack.undo()
    idle(qtbot, workspace)
    assert not document.project.hierarchies and workspace.build_all.isVisible()


def test_rows_are_those_that_take_part(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    workspace.attach_all.click()
    idle(qtbot, workspace)
    workspace.attributes.pick("age")
    workspace.document.apply(
        "Rows", lambda session: session.data.set_preparation(replace(session.project.preparation, where="age < 30"))
    )
    idle(qtbot, workspace)
    assert workspace.panel.bars.accessibleDescription() == "20s: 30; 30s: 0; 40s: 0; 50s: 0"


def test_roles_that_were_given_stay(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    workspace.document.apply("x", lambda session: session.data.set_role(["city"], Role.SENSITIVE))
    workspace.attach_all.click()
    idle(qtbot, workspace)
    schema = workspace.document.project.schema
    assert schema["age"].role is Role.INSENSITIVE and schema["city"].role is Role.SENSITIVE


def test_building_one_moves_on_to_the_next_open_column(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    workspace.document.apply("x", lambda session: session.data.set_role(["city", "age"], Role.QUASI))
    idle(qtbot, workspace)
    workspace.reach("hierarchy:age")
    assert workspace.attributes.name == "age"
    workspace.attach_page.choices["intervals"].activated.emit()
    idle(qtbot, workspace)
    qtbot.keyClick(workspace.builder, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: workspace.attributes.name == "city")
    chosen = [index.row() for index in workspace.attributes.selectionModel().selectedRows()]
    assert chosen == [workspace.attributes_model.row_of("city")], "it alone, although Ctrl is held"
    spot = workspace.attach_page.rect().center()
    assert workspace.childAt(workspace.attach_page.mapTo(workspace, spot)) is None or not (
        workspace.attach_page.isAncestorOf(workspace.childAt(workspace.attach_page.mapTo(workspace, spot)))
    ), "no press that was meant for the column before"
    idle(qtbot, workspace)
    assert attached(workspace) == {"age"} and workspace.attributes.name == "city"
    assert workspace.attach_page.isVisible()
    pressed = workspace.childAt(workspace.attach_page.mapTo(workspace, spot))
    assert pressed is workspace.attach_page or workspace.attach_page.isAncestorOf(pressed)
    assert (workspace.next_hint(), workspace.next_field()) == ("Attach the hierarchy found beside it", "hierarchies")


def test_status_needs_a_hierarchy_for_every_quasi_identifier(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    attach(qtbot, workspace, "age", people.parent / "people_hierarchy_age.csv")
    workspace.ready_made.declare()
    assert workspace.status() is Status.SUCCESS
    assert workspace.next_hint() == ""
    workspace.document.apply("x", lambda session: session.data.set_role(["name"], Role.QUASI))
    assert workspace.status() is None
    assert "name" in workspace.next_hint()


def test_values_levels_and_counts_side_by_side(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    attach(qtbot, workspace, "age", people.parent / "people_hierarchy_age.csv")
    model = workspace.panel.table.model()
    header = Qt.Orientation.Horizontal
    assert [model.headerData(i, header) for i in range(model.columnCount())] == ["Value", "Rows", "Level 1", "Level 2"]
    assert [model.index(0, i).data() for i in range(4)] == ["20", "3", "20s", "*"]
    assert model.rowCount() == 40
    tabs = workspace.panel.levels
    assert [tabs.tabText(i) for i in range(tabs.count())] == ["40 values", "→ 4", "→ 1"]
    assert tabs.tabToolTip(0) == "The values themselves: 40 values" and tabs.tabToolTip(1) == "Level 1: 4 groups"


def test_a_level_shows_its_groups(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    attach(qtbot, workspace, "age", people.parent / "people_hierarchy_age.csv")
    panel = workspace.panel
    assert panel.levels.currentIndex() == 1
    assert panel.bars.accessibleDescription() == "20s: 30; 30s: 30; 40s: 20; 50s: 20"
    panel.levels.setFocus()
    qtbot.keyClick(panel.levels, Qt.Key.Key_Right)
    assert panel.bars.accessibleDescription() == "*: 100"
    panel.bars.show_groups(("a", "b"), None)
    assert panel.bars.accessibleDescription() == "a; b", "counts are not kept from before"


def test_filter_finds_values_and_groups(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    attach(qtbot, workspace, "city", people.parent / "people_hierarchy_city.csv")
    qtbot.keyClicks(workspace.panel.search, "WEST")
    qtbot.waitUntil(lambda: values_shown(workspace) == ["Bern", "Basel"], timeout=PATIENCE_MS)
    workspace.panel.search.clear()
    qtbot.waitUntil(lambda: len(values_shown(workspace)) == 3, timeout=PATIENCE_MS)


def test_a_filter_does_not_outlive_its_column(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    workspace.attach_all.click()
    idle(qtbot, workspace)
    workspace.attributes.pick("city")
    qtbot.keyClicks(workspace.panel.search, "Chur")
    workspace.attributes.pick("age")
    assert workspace.panel.search.text() == ""
    qtbot.wait(200)
    idle(qtbot, workspace)
    assert len(values_shown(workspace)) == 40


def test_rows_can_be_sorted_by_count_and_back(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    uneven = people.parent / "uneven.csv"
    uneven.write_text("city\n" + "Chur\n" * 5 + "Bern\n" * 3 + "Basel\n" * 4)
    workspace.document.open_data(uneven)
    idle(qtbot, workspace)
    attach(qtbot, workspace, "city", people.parent / "people_hierarchy_city.csv")
    header = workspace.panel.table.horizontalHeader()
    header.sectionClicked.emit(ROWS_COLUMN)
    assert values_shown(workspace) == ["Chur", "Basel", "Bern"]
    header.sectionClicked.emit(ROWS_COLUMN)
    assert values_shown(workspace) == ["Bern", "Basel", "Chur"]
    header.sectionClicked.emit(0)
    assert values_shown(workspace) == ["Bern", "Basel", "Chur"]
    assert workspace.panel.levels.currentIndex() == 0


def test_next_builds_and_stays_where_it_is_seen(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    workspace.lacking.matching = {}
    rest = [name for name in workspace.document.project.schema.names if name != "city"]
    workspace.document.apply("x", lambda session: session.data.set_role(["city"], Role.QUASI))
    workspace.document.apply("y", lambda session: session.data.set_role(rest, Role.IDENTIFYING))
    reached: list[object] = []
    workspace.reach_requested.connect(lambda *where: reached.append(where))
    assert workspace.do_next("hierarchies")
    idle(qtbot, workspace)
    assert attached(workspace) == {"city"} and workspace.attributes.name == "city" and workspace.panel.isVisible()
    assert not reached and workspace.next_hint() == "", "what was built is to be seen; the next press leads on"


def test_an_identifying_column_needs_none(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    workspace.document.apply("x", lambda session: session.data.set_role(["name"], Role.IDENTIFYING))
    assert entry(workspace, "name") == "left out"


def test_every_control_has_a_name_and_an_explanation(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    workspace.resize(760, 560)
    attach(qtbot, workspace, "city", people.parent / "people_hierarchy_city.csv")
    workspace.panel.correct.click()
    for widget in workspace.findChildren(QWidget):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and isinstance(
            widget, (QAbstractButton, QLineEdit, QComboBox)
        ):
            assert widget.accessibleName(), widget
            assert explain_key(widget), widget
    assert workspace.minimumSizeHint().width() <= NARROW, "beside the rail at 1024 × 700"


def show_city_of_other_data(qtbot: QtBot, workspace: HierarchiesWorkspace, folder: Path) -> None:
    """Open data without cities, and turn to these as the list does that still has the former columns."""
    other = folder / "other.csv"
    other.write_text("who,year\n" + "".join(f"P{i},{1990 + i % 20}\n" for i in range(60)))
    workspace.document.open_data(other)
    qtbot.waitUntil(lambda: workspace.document.project.schema.names == ("who", "year"), timeout=60_000)
    workspace.workshop.show("city")


def test_a_draft_that_is_worked_out_when_its_table_is_gone_raises_nothing(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path, tmp_path: Path
) -> None:
    workspace.attributes.pick("city")
    workspace.workshop.begin("masking")
    page, arrived = workspace.workshop.page, []
    page.previewer.arrived.connect(arrived.append)
    idle(qtbot, workspace)
    workspace.hide()
    show_city_of_other_data(qtbot, workspace, tmp_path)
    page.verdict.judge(arrived[-1])
    assert page.verdict.badge.text == "Made without this data"


def test_unseen_it_waits_with_the_columns_of_other_data(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path, tmp_path: Path
) -> None:
    """What was looked for beside the former data may arrive before the list of columns is that of the new one."""
    workspace.attributes.pick("city")
    workspace.hide()
    show_city_of_other_data(qtbot, workspace, tmp_path)
    workspace.panel.library_requested.emit()
    workspace.workshop.keep()
    assert not workspace.findChildren(QDialog), "of a column that is gone"
    workspace.coverage.arrived.emit()
    workspace.ready_made.changed.emit()
    workspace.show()
    idle(qtbot, workspace)
    assert workspace.attributes.name in ("who", "year")


def test_a_rule_is_offered_anew_once_it_is_known_how_far_amounts_reach(
    qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path
) -> None:
    path = tmp_path / "stays.csv"
    path.write_text("ward,charge\n" + "".join(f"{'AB'[i % 2]},{100 + i}\n" for i in range(40)))
    document, repair = workspace.document, workspace.panel.repair
    document.open_data(path)
    idle(qtbot, workspace)
    document.apply("Roles", lambda session: session.data.set_role(["ward", "charge"], Role.QUASI))
    idle(qtbot, workspace)
    workspace.build_all.click()
    idle(qtbot, workspace)
    workspace.attributes.pick("charge")
    before = document.project.hierarchies["charge"]
    assert workspace.panel.isVisible() and not repair.isVisible()
    document.apply("Read", lambda session: session.data.set_bounds("charge", (100.0, 139.0), observed=True))
    idle(qtbot, workspace)
    assert not repair.isVisible(), "ends of the data are no reason"
    for edit in (
        lambda session: session.data.set_bounds("charge", (0.0, 1_000.0)),
        lambda session: session.release.steps.set_said("charge", "0-1000"),
    ):
        document.apply("Say", lambda session: session.data.set_bounds("charge", None))
        document.apply("Known", edit)
        idle(qtbot, workspace)
        assert document.project.hierarchies["charge"] is before, "nothing is changed unasked"
        assert repair.isVisible() and repair.rule.isVisible() and not repair.labels.isVisible()
        assert repair.sound and "5, then of 10, then of 50, then of 100, then of 200" in repair._by_rule.text()
        assert workspace.status() is Status.SUCCESS, "it is an offer"
    repair.rule.click()
    idle(qtbot, workspace)
    made = document.project.hierarchies["charge"]
    assert made is not before and made.provenance is Provenance.PUBLIC and not repair.isVisible()
    assert next(iter(made.rows()))[:3] == ("100", "100-104", "100-109")
    document.undo_stack.undo()
    idle(qtbot, workspace)
    assert document.project.hierarchies["charge"] is before and repair.isVisible()


def test_the_room_begins_with_what_is_released_and_numbers_before_words(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "people.csv"
    path.write_text("sex,born,age\n" + "".join(f"{'mf'[i % 2]},{1950 + i % 40},{20 + i % 40}\n" for i in range(200)))
    document = window.document
    document.open_data(path)
    put_off_is_done(qtbot, window)
    document.apply("Roles", lambda session: session.data.set_role(["sex", "born", "age"], Role.QUASI))
    window.show_workspace("hierarchies")
    room = window.workspaces["hierarchies"]
    assert isinstance(room, HierarchiesWorkspace)
    assert room.attributes.name == "born", "a word that becomes * at once shows nothing"
    leave = Treatment.LEAVE_OUT
    document.apply("Leave out", lambda session: session.release.columns.set_treatment("born", leave))
    model = room.attributes_model
    roles = [model.index(row, 0).data(COLUMN_ROLE) for row in range(model.rowCount())]
    assert [Role(one) for one in roles] == [Role.QUASI, Role.IDENTIFYING, Role.QUASI]
    window.show_workspace("anonymise")
    window.show_workspace("hierarchies")
    assert room.attributes.name == "age"
    room.attributes.pick("born")
    assert room.attributes.name == "born", "whoever wants to see it sees it"


def test_columns_that_are_left_out_are_folded_into_one_line(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    fold, view, row_of = workspace.left_out.button, workspace.attributes, workspace.attributes_model.row_of
    assert not fold.isVisible(), "none is left out"
    workspace.attributes.pick("age")
    workspace.document.apply("out", lambda session: session.data.set_role(["name", "city"], Role.IDENTIFYING))
    assert fold.isVisible() and fold.text() == "2 columns left out"
    columns = workspace.document.session.release.columns
    assert columns.left_out() == ("name", "city") and columns.undecided() == ("age",), "as Anonymise counts them"
    assert "not decided" in workspace.attributes_model.index(row_of("age"), 0).data(Qt.ItemDataRole.ToolTipRole)
    assert [view.isRowHidden(row_of(name)) for name in ("name", "city", "age")] == [True, True, False]
    qtbot.mouseClick(fold, Qt.MouseButton.LeftButton)
    assert not any(view.isRowHidden(row) for row in range(3))
    assert fold.accessibleName() == "Hide 2 columns left out"
    workspace.document.apply("in", lambda session: session.data.set_role(["city"], Role.QUASI))
    assert fold.text() == "1 column left out", "one that is still to have a hierarchy takes part"
    workspace.document.undo_stack.undo()
    qtbot.mouseClick(fold, Qt.MouseButton.LeftButton)
    assert view.isRowHidden(row_of("city"))
    workspace.reach("hierarchy:city")
    assert not view.isRowHidden(row_of("city")), "whoever is led to one sees it"
    workspace.document.apply("all", lambda session: session.data.set_role(["age"], Role.IDENTIFYING))
    assert not fold.isVisible() and not any(view.isRowHidden(row) for row in range(3)), "there is nothing else to show"


def test_the_room_opens_on_a_column_that_needs_something_else_on_what_changed_last(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    document = workspace.document
    document.apply("roles", lambda session: session.data.set_role(["city", "age", "name"], Role.QUASI))
    for name in ("age", "city"):
        attach(qtbot, workspace, name, people.parent / f"people_hierarchy_{name}.csv")
    document.apply("declare", lambda session: session.data.declare_imported(["age", "city"]))
    document.apply("cover", lambda session: session.data.cover("city"))

    def opened() -> str:
        workspace.hide()
        workspace.show()
        idle(qtbot, workspace)
        return workspace.attributes.name

    assert workspace.attributes.name == "city" and opened() == "name", "the only one without a hierarchy"
    document.apply("out", lambda session: session.data.set_role(["name"], Role.IDENTIFYING))
    workspace.attributes.pick("city")
    assert opened() == "city", "nothing is needed, and nothing changed"
    workspace.hide()
    document.apply("age", lambda session: session.data.set_provenance("age", Provenance.PUBLIC, "bands of an office"))
    assert opened() == "age", "what changed meanwhile"
    workspace.attributes.pick("city")
    assert opened() == "city", "once: after that the person has chosen"


def test_what_comes_out_of_values_that_are_not_grouped_is_said_in_plain_words(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    workspace.document.open_data(people)
    idle(qtbot, workspace)
    for details, said in (
        ({}, "Values come out as they are written, or as *. Missing values stay empty."),
        ({"listed": ["Graz", "Wien"]}, "Values come out as you listed them, others as they are written, or as *."),
    ):
        made = build_hierarchy(specification("spelling", {"letters": "kept"}, details), ["Graz", "Wien", ""])
        workspace.document.apply("", lambda session, made=made: session.data.attach_hierarchy("city", made))
        workspace.attributes.pick("city")
        idle(qtbot, workspace)
        origin = workspace.panel.origin
        assert origin.text().startswith(said)
        assert origin.toolTip() == made.origin and made.origin.startswith("Every value as"), "which a note has"


def test_of_values_that_are_listed_levels_that_join_none_of_them_are_not_shown(
    qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of four fees intervals of 5, 10 and 20 tell the same; it opens where the first of them come together."""
    monkeypatch.setattr(LookDesk, "taken", False)
    path = tmp_path / "members.csv"
    path.write_text("fee\n" + "60\n90\n120\n240\n" * 20, encoding="utf-8")
    workspace.document.open_data(path)
    idle(qtbot, workspace)
    groups = (1, 2, 2, 2, 2, 2, 2)
    words = {"function": "pattern", "text": "{low} to under {high}"}
    widths = {"intervals": [{"from": 0, "to": 5}], "levels": [{"group": group, **words} for group in groups]}
    plain = specification("intervals", {"repeat": True, "top": True}, widths)
    made = build_hierarchy(plain, ["60"], None, workspace.document.project.schema["fee"])
    workspace.document.apply("", lambda session: session.data.attach_hierarchy("fee", made))
    workspace.attributes.pick("fee")
    idle(qtbot, workspace)
    view = workspace.panel.view
    assert all(map(view.levels.isTabVisible, range(made.height + 1))), "made-up values differ at each"
    workspace.document.apply("", lambda session: session.release.steps.set_said("fee", "60, 90, 120, 240"))
    idle(qtbot, workspace)
    shown = view.hierarchy
    assert shown is not None
    seen = [level for level in range(made.height + 1) if view.levels.isTabVisible(level)]
    groups = [shown.groups()[level] for level in seen]
    assert len(set(groups)) >= len(groups) - 1 and set(groups) == set(shown.groups()), "each says something else"
    assert seen[0] == 0 and seen[-1] == made.height and seen[1] > 1
    assert view.levels.currentIndex() == seen[1]
    assert [view.table.isColumnHidden(level + 1) for level in range(1, made.height + 1)] == [
        level not in seen for level in range(1, made.height + 1)
    ]
    steps = view.path.steps.accessibleName().partition(": ")[2].split(" → ")
    assert not set(shown.labels[1]) & set(steps) and set(shown.labels[seen[1]]) & set(steps)


def test_the_example_of_intervals_is_none_that_is_cut_off_at_an_end(
    qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """20000 → 15000-19999 → 15000-39999 looks like a mistake where the others are 20,000 wide."""
    monkeypatch.setattr(LookDesk, "taken", False)
    path = tmp_path / "staff.csv"
    path.write_text("salary\n" + "20000\n54000\n" * 20, encoding="utf-8")
    workspace.document.open_data(path)
    idle(qtbot, workspace)

    def describe(session: Session) -> None:
        session.data.set_role(["salary"], Role.QUASI)
        session.release.steps.set_said("salary", "15000-150000")
        session.data.attach_hierarchies(session.data.hierarchy_suggester(["salary"])(SILENT))

    workspace.document.apply("", describe)
    workspace.attributes.pick("salary")
    idle(qtbot, workspace)
    view = workspace.panel.view
    made = view.hierarchy
    assert made is not None
    coarsest = made.labels[made.height - 1]
    path_shown = view.path.steps.accessibleName().partition(": ")[2].split(" → ")
    assert made.labels[1][0] not in path_shown and coarsest[0].startswith("15000"), (path_shown, made.labels)


def test_what_the_signs_of_the_list_mean_is_written_below_it(
    qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path
) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age,pay\n" + "20,5\n30,6\n" * 20, encoding="utf-8")
    workspace.document.open_data(path)
    idle(qtbot, workspace)

    def legend() -> list[str]:
        found = workspace.findChild(RoleLegend)
        assert found is not None
        return [one.text() for one in found.findChildren(QLabel) if one.isVisible()]

    workspace.document.apply("", lambda session: session.data.set_role(["age"], Role.QUASI))
    idle(qtbot, workspace)
    assert legend()[:1] == ["Others may know it"] and "Sensitive" not in legend()
    workspace.document.apply("", lambda session: session.data.set_role(["pay"], Role.SENSITIVE))
    idle(qtbot, workspace)
    assert legend() == ["Others may know it", "Sensitive"]
