"""Files of hierarchies: found, attached, refused, covered, mended, replaced and detached."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, idle
from tests.gui.hierarchies.helpers import attach, attached, entry, write_off_by_one
from workbench.anonymise.recipe import Treatment
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.core.level_words import stated_words
from workbench.core.schema import Role
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.hierarchies.attributes import WARNED

pytestmark = pytest.mark.usefixtures("after_a_look")


def test_a_hierarchy_is_imported_for_a_column_only(
    workspace: HierarchiesWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: pytest.fail("there is no column yet"))
    workspace.builder.import_csv.trigger()
    assert not workspace.document.modified


def test_none_is_imported_once_the_table_is_closed(
    workspace: HierarchiesWorkspace, people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: pytest.fail("there is no table any more"))
    assert workspace.attributes.name
    monkeypatch.setattr(type(workspace.document.session), "has_data", property(lambda _: False))
    workspace.browse()


def test_a_column_without_hierarchy_offers_the_matching_files(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    workspace.attributes.pick("age")
    assert entry(workspace, "age") == "not decided"
    offers = [button.text() for button in workspace.attach_page.offers]
    assert offers == ["Attach people_hierarchy_age.csv", "Attach people_hierarchy_age_by_decade.csv"]
    declaration = workspace.declaration.yes
    assert not declaration.isVisible(), "there is nothing to declare yet"
    workspace.attach_page.offers[1].click()
    idle(qtbot, workspace)
    assert attached(workspace) == {"age"}
    assert declaration.isVisible()
    declaration.click()
    assert workspace.panel.isVisible()
    assert entry(workspace, "age") == "2 levels"
    assert workspace.document.project.schema["age"].role is Role.QUASI, "no column had a role"
    assert not declaration.isVisible()


def test_all_matching_files_are_attached_in_one_step(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    assert workspace.attach_all.text() == "Attach &matching (2)"
    workspace.attach_all.click()
    idle(qtbot, workspace)
    assert attached(workspace) == {"city", "age"}
    assert not workspace.attach_all.isEnabled()
    assert workspace.document.undo_stack.undoText() == ("Attach 2 hierarchies, and give what gets one a role")
    workspace.document.undo_stack.undo()
    assert attached(workspace) == set()
    assert workspace.attach_all.isEnabled()


def test_a_file_from_the_dialog_is_attached(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = people.parent / "people_hierarchy_city.csv"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(chosen), ""))
    workspace.attributes.pick("city")
    workspace.attach_page.browse.click()
    idle(qtbot, workspace)
    assert attached(workspace) == {"city"}


def test_a_file_dropped_on_it_is_attached(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    workspace.attributes.pick("city")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(people.parent / "people_hierarchy_city.csv"))])
    event = QDropEvent(
        QPointF(600, 300),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    workspace.dropEvent(event)
    idle(qtbot, workspace)
    assert attached(workspace) == {"city"}


def test_a_broken_file_becomes_a_draft_and_nothing_changes(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path, errors: list[BaseException]
) -> None:
    bad = people.parent / "bad.csv"
    bad.write_text("Bern;West;*\nBasel;West\n")
    attach(qtbot, workspace, "city", bad)
    assert attached(workspace) == set()
    assert errors == []
    assert workspace.builder.isVisible()


def test_a_file_that_cannot_be_read_is_refused(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path, errors: list[BaseException]
) -> None:
    bad = people.parent / "bad.csv"
    bad.write_bytes(b"\x00\x01\x02" * 100)
    attach(qtbot, workspace, "city", bad)
    assert attached(workspace) == set()
    assert len(errors) == 1
    assert isinstance(errors[0], WorkbenchError)
    assert "bad.csv" in errors[0].message
    assert workspace.attach_page.isVisible()


def test_uncovered_values_are_named_and_covered(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    with qtbot.waitSignal(workspace.status_changed, timeout=PATIENCE_MS):
        workspace.attributes.pick("city")
        workspace.attach_page.offers[0].click()
    idle(qtbot, workspace)
    assert entry(workspace, "city") == "misses 1 value"
    assert entry(workspace, "city", WARNED) is True
    assert workspace.status() is Status.WARNING
    assert "city" in workspace.next_hint()
    banner = workspace.panel.banner
    assert banner.isVisible()
    assert "“Genf”" in banner.accessibleName()
    assert "25 rows" in banner.accessibleName()
    banner.cover.click()
    idle(qtbot, workspace)
    hierarchy = workspace.document.project.hierarchies["city"]
    assert ("Genf", "*", "*") in hierarchy.rows()
    assert not banner.isVisible()
    assert workspace.status() is Status.WARNING, "nobody has said how it was made"
    assert workspace.next_hint() == "Say how a hierarchy was made"
    workspace.reach(workspace.next_field())
    declare = workspace.declaration.yes
    assert workspace.declaration.hasFocus(), "no answer looks as if it were proposed"
    for answer in (workspace.declaration.rules, declare):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        assert answer.hasFocus(), "what is true whoever presses it is reached first"
    assert declare.accessibleName() == "I declare that this one was made without this data"
    declare.click()
    idle(qtbot, workspace)
    assert workspace.document.project.hierarchies["city"].origin.endswith(
        "made without this data, as the person says who imported it"
    )
    assert workspace.status() is Status.SUCCESS and not declare.isVisible()
    workspace.document.undo_stack.undo()
    workspace.document.undo_stack.undo()
    idle(qtbot, workspace)
    assert banner.isVisible()


def test_a_list_whose_intervals_do_not_hold_their_numbers_does_not_look_finished(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    path = people.with_name("slip.csv")
    decades = [f"{age};{age // 10 * 10}-{age // 10 * 10 + 9};*" for age in range(20, 60)]
    path.write_text("\n".join([decades[0].replace("20-29", "30-39"), *decades[1:]]))
    attach(qtbot, workspace, "age", path)
    workspace.document.apply("Declare", lambda session: session.data.declare_imported(["age"]))
    idle(qtbot, workspace)
    assert workspace.status() is Status.WARNING and entry(workspace, "age", WARNED)
    assert entry(workspace, "age") == "2 levels · 1 wrong interval"
    assert (
        workspace.panel.badge.property("badge") == Status.WARNING.value
        and "20 in “30-39”" in workspace.panel.misplaced.text()
    )
    assert (workspace.next_hint(), workspace.next_field()) == ("Correct the intervals of “age”", "hierarchy:age")
    workspace.reach("hierarchy:age")
    repair = workspace.panel.repair
    assert workspace.window().focusWidget() is repair.rule, "20 lies below 21–29: labels alone do not mend it"
    assert not repair.labels.isVisible()
    path.write_text("\n".join(decades))
    attach(qtbot, workspace, "age", path)
    workspace.document.apply("Declare", lambda session: session.data.declare_imported(["age"]))
    idle(qtbot, workspace)
    assert workspace.status() is Status.SUCCESS and entry(workspace, "age") == "2 levels"
    assert workspace.panel.badge.property("badge") == Status.SUCCESS.value


def test_a_wrong_list_is_used_all_the_same_in_one_press_where_the_others_are_asked_about(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    write_off_by_one(people.parent / "people_hierarchy_age.csv", range(20, 60))
    assert workspace.next_hint() == "Attach the hierarchies found beside it", "of one of which nobody is asked"
    workspace.attach_all.click()
    idle(qtbot, workspace)
    use = workspace.ready_made.use_file
    assert use.isVisible() and use.text() == "Use the file of age" and workspace.lacking.unsaid == ("city",)
    assert not workspace.declaration.isAncestorOf(use), "to use it is no answer to the question"
    use.click()
    idle(qtbot, workspace)
    assert workspace.document.project.hierarchies["age"].specification is None
    assert set(workspace.lacking.unsaid) == {"age", "city"}, "it is asked about as the others are"
    assert not use.isVisible() and not workspace.ready_made.aside.isVisible()


def test_of_all_that_match_a_wrong_list_gives_way_to_a_rule(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    write_off_by_one(people.parent / "people_hierarchy_age.csv", range(20, 60))
    noted: list[tuple[str, str]] = []
    workspace.document.noted.connect(lambda kind, text: noted.append((kind, text)))
    workspace.attach_all.click()
    idle(qtbot, workspace)
    age = workspace.document.project.hierarchies["age"]
    assert age.specification is not None and age.specification["builder"] == "intervals"
    assert age.provenance is Provenance.PUBLIC and set(workspace.lacking.unsaid) == {"city"}
    (roles,) = noted
    assert roles[0] == "info" and roles[1].startswith("Roles given"), "the rest is told once, where it can be undone"
    stays, use = workspace.ready_made.aside, workspace.ready_made.use_file
    by_rule = stated_words(age, 1)
    not_used = "puts 20 in “15-19”"
    asked = [one.text() for one in workspace.declaration.findChildren(QLabel) if one.isVisible()]
    assert "Was this one made without this data?" in asked
    assert "Nothing to do for age: its file puts 20 into “15-19”, so a rule is used." in asked, (
        "why fewer are asked about than there were files"
    )
    assert use.isVisible()
    workspace.declaration.yes.click()
    assert use.isVisible() and use.text() == "Use the file of age", "and stays there"
    assert stays.isVisible() and stays.text() == f"The file for age {not_used}, so a rule makes {by_rule} and wider."
    assert (
        stays.width() > workspace.attributes.width() / 2
        and stays.mapTo(workspace, QPoint()).y() < use.mapTo(workspace, QPoint()).y()
    ), "the words have the width of the column, and what undoes it stands below them"
    finer = re.fullmatch(
        r"age\. (First level: (\d+) groups in the file, (intervals of \d+) by rule\.)", stays.toolTip()
    )
    workspace.attributes.pick("city")
    assert finer is not None and finer[3] == by_rule, "what each costs is said where one looks closer"
    with (people.parent / "people_hierarchy_age.csv").open(encoding="utf-8") as lines:
        assert int(finer[2]) == len({line.strip().split(";")[1] for line in lines}) == 9
    use.click()
    idle(qtbot, workspace)
    assert workspace.document.project.hierarchies["age"].specification is None, "pressed, it is taken as it is"
    assert workspace.attributes.name == "age" and workspace.panel.repair.labels.isVisible(), "with the way to mend it"
    assert not use.isVisible() and not stays.isVisible()
    assert entry(workspace, "age", WARNED)
    assert workspace.declaration.isVisible(), "it is asked about once it is used"
    workspace.declaration.rules.click()
    idle(qtbot, workspace)
    assert workspace.document.project.hierarchies["age"].specification is not None
    assert stays.isVisible() and stays.text() == f"Rules in place of files, as you chose: age.\n{finer[1]}"
    assert use.isVisible() and use.text() == "Use the file of age", "there is a way back"


def test_wrong_intervals_are_mended_at_one_click(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    path = people.with_name("slip.csv")
    write_off_by_one(path)
    attach(qtbot, workspace, "age", path)
    document, repair = workspace.document, workspace.panel.repair
    document.apply("Declare", lambda session: session.data.declare_imported(["age"]))
    idle(qtbot, workspace)
    wrong = document.project.hierarchies["age"]
    workspace.reach("hierarchy:age")
    assert workspace.window().focusWidget() is repair.labels
    words = " ".join(one.text() for one in repair.findChildren(QLabel) if one.isVisible())
    assert "“15-19” becomes “16-20”" in words and "groups of 10, then of 20" in words, "seen before a click"
    repair.labels.click()
    idle(qtbot, workspace)
    mended = document.project.hierarchies["age"]
    assert mended.labels[1][:2] == ("16-20", "21-25") and mended.provenance is Provenance.PUBLIC
    assert workspace.panel.origin.text().startswith(
        "Intervals corrected, imported from slip.csv, made without this data"
    )
    assert workspace.status() is Status.SUCCESS and not repair.isVisible()
    document.undo_stack.undo()
    idle(qtbot, workspace)
    assert document.project.hierarchies["age"].labels == wrong.labels and repair.isVisible()
    repair.rule.click()
    idle(qtbot, workspace)
    ruled = document.project.hierarchies["age"]
    assert ruled.specification is not None and ruled.specification["builder"] == "intervals"
    assert ruled.provenance is Provenance.PUBLIC and not repair.isVisible()
    document.undo_stack.undo()
    idle(qtbot, workspace)
    assert document.project.hierarchies["age"].labels == wrong.labels


def test_a_wrong_file_of_a_column_that_is_left_out_is_not_told_of(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    write_off_by_one(people.parent / "people_hierarchy_age.csv", range(20, 60))
    workspace.attach_all.click()
    idle(qtbot, workspace)
    workspace.declaration.yes.click()
    aside, use = workspace.ready_made.aside, workspace.ready_made.use_file
    assert aside.isVisible() and use.isVisible()
    workspace.document.apply("x", lambda session: session.release.columns.set_treatment("age", Treatment.LEAVE_OUT))
    idle(qtbot, workspace)
    assert not aside.isVisible() and not use.isVisible(), "it concerns nobody"


def test_what_was_attached_is_shown_at_the_hierarchy_with_most_levels(
    qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path
) -> None:
    """What a hierarchy is shows at one that has groups, and not at Male → *; who chose a column stays there."""
    path = tmp_path / "people.csv"
    path.write_text("sex,education\n" + "Male,Bachelors\nFemale,Masters\n" * 20, encoding="utf-8")
    (tmp_path / "people_hierarchy_sex.csv").write_text("Male;*\nFemale;*\n", encoding="utf-8")
    levels = "Bachelors;Higher;*\nMasters;Higher;*\n"
    (tmp_path / "people_hierarchy_education.csv").write_text(levels, encoding="utf-8")
    for chosen, shown in (("", "education"), ("sex", "sex")):
        workspace.document.open_data(path)
        idle(qtbot, workspace)
        if chosen:
            workspace.attributes.pick("education")
            workspace.attributes.pick(chosen)
        workspace.attach_all.click()
        idle(qtbot, workspace)
        assert workspace.attributes.name == shown
        workspace.document.undo_stack.undo()
        idle(qtbot, workspace)
    assert "A hierarchy says how values become coarser" in " ".join(
        one.text() for one in workspace.findChildren(QLabel)
    )


def test_files_of_columns_that_are_left_out_are_not_offered(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    assert workspace.attach_all.text() == "Attach &matching (2)"
    workspace.document.apply("x", lambda session: session.data.set_role(["city"], Role.IDENTIFYING))
    idle(qtbot, workspace)
    assert workspace.attach_all.text() == "Attach &matching (1)"
    workspace.attach_all.click()
    idle(qtbot, workspace)
    assert attached(workspace) == {"age"}


def test_detach_goes_back_to_the_offers(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    attach(qtbot, workspace, "age", people.parent / "people_hierarchy_age.csv")
    workspace.panel.detach.trigger()
    assert attached(workspace) == set()
    assert workspace.attach_page.isVisible()
    workspace.document.undo_stack.undo()
    assert attached(workspace) == {"age"}
    assert workspace.panel.isVisible()


def test_another_file_replaces_the_hierarchy(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    attach(qtbot, workspace, "age", people.parent / "people_hierarchy_age.csv")
    before = workspace.document.project.hierarchies["age"]
    names = [action.text() for action in workspace.panel.files.actions() if action.text()]
    assert names[:3] == ["people_hierarchy_age.csv", "people_hierarchy_age_by_decade.csv", "Choose a CSV…"]
    workspace.panel.files.actions()[1].trigger()
    idle(qtbot, workspace)
    assert workspace.document.project.hierarchies["age"] is not before


def test_the_list_follows_the_next_file(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    attach(qtbot, workspace, "age", people.parent / "people_hierarchy_age.csv")
    other = people.parent / "other.csv"
    other.write_text("x,y\n1,2\n3,4\n")
    workspace.document.open_data(other)
    idle(qtbot, workspace)
    assert workspace.attributes_model.rowCount() == 2
    assert workspace.attributes.name in ("x", "y")
    assert not workspace.attach_all.isEnabled()
    assert workspace.attach_page.isVisible()
