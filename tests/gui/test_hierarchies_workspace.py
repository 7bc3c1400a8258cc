"""The Hierarchies workspace, through its widgets."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QAbstractButton, QComboBox, QDialog, QFileDialog, QLabel, QLineEdit, QSplitter, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, OnScreen, idle, put_off_is_done
from workbench.anonymise.recipe import Treatment
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.core.level_words import stated_words
from workbench.core.schema import Role
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.main_window import MainWindow
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.hierarchies.attributes import COLUMN_ROLE, SUMMARY, WARNED
from workbench.gui.workspaces.hierarchies.values_model import ROWS_COLUMN
from workbench.io.hierarchy_csv import nobody_said
from workbench.project.anonymise_settings import AnonymityKind

pytestmark = pytest.mark.usefixtures("after_a_look")

NARROW = 1024 - tokens.RAIL_WIDTH  # Explain lies over the page there
CITIES = "Bern;West;*\nBasel;West;*\nChur;East;*\n"
NOBODY_SAID = Provenance.DERIVED, nobody_said("imported from a file")
AGES = "".join(f"{age};{age // 10 * 10}s;*\n" for age in range(20, 60))


@pytest.fixture
def workspace(document: Document, on_screen: OnScreen) -> HierarchiesWorkspace:
    return on_screen(HierarchiesWorkspace(document))


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


@pytest.fixture
def people(qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path) -> Path:
    """A data file that is open, with two matching hierarchies and a variant beside it."""
    path = tmp_path / "people_2020.csv"
    cities = ["Bern", "Basel", "Chur", "Genf"]
    path.write_text("name,city,age\n" + "".join(f"P{i},{cities[i % 4]},{20 + i % 40}\n" for i in range(100)))
    (tmp_path / "people_hierarchy_city.csv").write_text(CITIES)
    (tmp_path / "people_hierarchy_age.csv").write_text(AGES)
    (tmp_path / "people_hierarchy_age_by_decade.csv").write_text(AGES)
    workspace.document.open_data(path)
    idle(qtbot, workspace)
    return path


def attach(qtbot: QtBot, workspace: HierarchiesWorkspace, column: str, path: Path) -> None:
    workspace.attributes.pick(column)
    workspace.attach_file(path)
    idle(qtbot, workspace)


def entry(workspace: HierarchiesWorkspace, column: str, role: int = SUMMARY) -> object:
    model = workspace.attributes_model
    return model.index(model.row_of(column), 0).data(role)


def attached(workspace: HierarchiesWorkspace) -> set[str]:
    return set(workspace.document.project.hierarchies)


def values_shown(workspace: HierarchiesWorkspace) -> list[str]:
    model = workspace.panel.table.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def test_without_data_it_opens_a_file(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    assert workspace.status() is None
    assert workspace.empty.isVisible()
    assert workspace.empty.primary_button is not None
    with qtbot.waitSignal(workspace.open_requested):
        workspace.empty.primary_button.click()


def test_a_column_without_hierarchy_offers_the_matching_files(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    workspace.attributes.pick("age")
    assert entry(workspace, "age") == "no hierarchy"
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
    assert workspace.next_hint() == "Build 3 hierarchies"
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


def test_nothing_is_declared_in_anybodys_name(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    workspace.attach_all.click()
    idle(qtbot, workspace)
    made = workspace.document.project.hierarchies["age"]
    assert made.provenance is Provenance.DERIVED
    assert made.origin == "imported from people_hierarchy_age.csv, declared public by nobody"
    workspace.document.undo_stack.undo()
    idle(qtbot, workspace)
    assert not workspace.declaration.isVisible()
    workspace.attach_all.click()
    idle(qtbot, workspace)
    assert "city, age" in workspace.declaration.yes.accessibleDescription(), "they are named"
    qtbot.mouseClick(workspace.declaration, Qt.MouseButton.LeftButton)
    assert workspace.document.project.hierarchies["age"].provenance is Provenance.DERIVED, "words are no button"
    workspace.declaration.yes.click()
    assert workspace.document.project.hierarchies["age"].provenance is Provenance.PUBLIC
    assert not workspace.declaration.isVisible()
    workspace.document.undo_stack.undo()
    assert workspace.declaration.isVisible()


def test_what_is_declared_of_one_of_several_is_read_before(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    workspace.attach_all.click()
    idle(qtbot, workspace)
    panel = workspace.panel
    workspace.attributes.pick("age")
    assert entry(workspace, "age") == "2 levels · not declared", "the list says it, and asks nothing"
    assert workspace.declaration.isVisible() and not panel.declare.isVisible(), "one question, asked once"
    assert "nobody has said yet how it was made" in panel.origin.text()
    panel.correct.click()
    assert panel.editor.reason.text() == "imported from people_hierarchy_age.csv"
    panel.editor.public.click()
    panel.editor.save.click()
    made = workspace.document.project.hierarchies
    assert (made["age"].provenance, made["city"].provenance) == (Provenance.PUBLIC, Provenance.DERIVED)
    workspace.attributes.pick("city")
    assert workspace.declaration.isVisible() and not panel.declare.isVisible()
    workspace.document.apply("alike", lambda session: session.syntactic.set_approach(AnonymityKind.SYNTACTIC))
    assert not workspace.declaration.isVisible() and panel.declare.isVisible(), "where nothing else asks, it does"
    panel.declare.click()
    assert not workspace.document.session.data.undeclared and not panel.declare.isVisible()


def test_several_that_are_selected_are_declared_by_one_press(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    (people.parent / "people_hierarchy_name.csv").write_text("".join(f"P{i};P{i // 10}…;*\n" for i in range(100)))
    workspace.ready_made.look_beside()
    idle(qtbot, workspace)
    workspace.attach_all.click()
    idle(qtbot, workspace)
    assert workspace.declaration.yes.accessibleName() == "I declare that these 3 were made without this data"
    assert "Select them in the list" in workspace.declaration.yes.accessibleDescription()
    view, model = workspace.attributes, workspace.attributes_model

    def press(name: str, key: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        spot = view.visualRect(model.index(model.row_of(name), 0)).center() - QPoint(0, 10)
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, key, spot)

    press("city")
    press("name", Qt.KeyboardModifier.ControlModifier)
    assert view.names == ("name", "city")
    assert workspace.declaration.yes.accessibleName() == "I declare that these 2 were made without this data"
    assert workspace.declaration.yes.accessibleDescription().endswith(" from them. name, city")
    workspace.declaration.yes.click()
    assert workspace.document.session.data.undeclared == ("age",)
    assert workspace.document.undo_stack.undoText() == "Declare 2 hierarchies made without this data"
    assert workspace.declaration.yes.accessibleDescription().endswith(" from them. age"), (
        "the one that is left is asked about"
    )
    press("age")
    qtbot.mouseClick(workspace.declaration.yes, Qt.MouseButton.LeftButton)
    assert not workspace.document.session.data.undeclared
    assert workspace.window().focusWidget() is workspace.attributes, "and not whatever came next below the question"


def test_what_is_declared_can_be_read_whole_in_a_narrow_window(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    workspace.attach_all.click()
    idle(qtbot, workspace)
    workspace.resize(800, 640)
    workspace.findChild(QSplitter, "hierarchies.columns").setSizes([1, 800])
    idle(qtbot, workspace)
    for part in (workspace.ready_made, workspace.declaration):
        assert part.minimumSizeHint().width() <= part.width(), "else lines are counted for a wider one, and cut"
    assert workspace.declaration.width() > 800 // 2, "as wide as the work area"
    for words in workspace.declaration.findChildren(QLabel):
        assert words.height() >= words.heightForWidth(words.width())


def test_it_is_explained_what_is_declared_and_in_whose_name(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    workspace.attach_all.click()
    idle(qtbot, workspace)
    told = [one.text() for one in workspace.declaration.findChildren(QLabel) if one.isVisible()]
    assert "The statement says it as the publisher’s word. Name… in Release puts your name there." in told
    workspace.reach(workspace.next_field())
    for answer in (workspace.declaration.rules, workspace.declaration.yes):
        assert explain_key(answer) == "hierarchies.provenance", "the question, whichever answer has the focus"
    entry = HelpBook().find(explain_key(workspace.declaration.rules))
    assert entry is not None and "says it as the publisher's word, and names you" in entry.text


def test_a_rule_takes_the_place_of_files_of_which_nobody_knows_how_they_were_made(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    workspace.attach_all.click()
    idle(qtbot, workspace)
    before = workspace.document.project.hierarchies["city"]
    assert before.height > 1, "groups that somebody made"
    told = [one.text() for one in workspace.declaration.findChildren(QLabel) if one.isVisible()]
    assert "Were these 2 made without this data?" in told
    follows = "Rules take their place, and need nobody’s word: intervals for age; for city each value as it is, or *."
    assert follows in told, "what follows is said before"
    assert "Groups are lost for city: rare values become *." in told, "and what is lost; age has intervals instead"
    assert any("somebody who had not seen these rows" in one for one in told), "what counts is said in a line"
    assert workspace.declaration.rules.text() == "&No, or not sure"
    assert workspace.declaration.rules.accessibleName().endswith("replace by hierarchies made by rule: city, age")
    workspace.declaration.rules.click()
    idle(qtbot, workspace)
    after = workspace.document.project.hierarchies
    assert {one.provenance for one in after.values()} == {Provenance.PUBLIC}
    assert all(one.specification is not None for one in after.values()), "each by a rule"
    assert not workspace.document.session.data.undeclared and not workspace.declaration.isVisible()
    workspace.document.undo_stack.undo()
    assert workspace.document.project.hierarchies["city"] is before


def test_an_answer_that_is_taken_back_brings_back_what_was_there_and_no_wrong_file(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    off_by_one = [f"{age};{(age - 1) // 5 * 5}-{(age - 1) // 5 * 5 + 4};*" for age in range(20, 60)]
    (people.parent / "people_hierarchy_age.csv").write_text("\n".join(off_by_one))
    workspace.attach_all.click()
    idle(qtbot, workspace)
    hierarchies = workspace.document.project.hierarchies
    city, age = hierarchies["city"], hierarchies["age"]
    assert age.specification is not None, "its file is wrong, so a rule is used"
    workspace.declaration.rules.click()
    idle(qtbot, workspace)
    made = workspace.ready_made
    assert "Groups are lost for city: rare values become *." in made.aside.text(), "where it was answered"
    assert made.use_file.isVisible() and made.use_file.text() == "Use the file of city"
    made.use_file.click()
    idle(qtbot, workspace)
    after = workspace.document.project.hierarchies
    assert after["city"] is city and after["age"] is age, "what was mended stays so"
    assert made.asking.isVisible() and workspace.document.session.data.undeclared == ("city",), "nobody declared it"
    workspace.document.undo_stack.undo()
    workspace.document.undo_stack.undo()
    after = workspace.document.project.hierarchies
    assert after["city"] is city and after["age"] is age


def test_an_answer_that_is_taken_back_keeps_intervals_that_were_corrected(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    path = people.parent / "people_hierarchy_age.csv"
    path.write_text("\n".join(f"{age};{(age - 1) // 5 * 5}-{(age - 1) // 5 * 5 + 4};*" for age in range(16, 66)))
    attach(qtbot, workspace, "age", path)
    workspace.panel.repair.labels.click()
    idle(qtbot, workspace)
    mended = workspace.document.project.hierarchies["age"]
    workspace.declaration.rules.click()
    idle(qtbot, workspace)
    workspace.ready_made.use_file.click()
    idle(qtbot, workspace)
    assert workspace.document.project.hierarchies["age"] is mended


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
    assert (workspace.next_hint(), workspace.next_field()) == ("Attach the matching hierarchy", "hierarchies")


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
    assert workspace.declaration.rules.hasFocus(), "what is true whoever presses it is reached first"
    declare = workspace.declaration.yes
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


def test_of_all_that_match_a_wrong_list_gives_way_to_a_rule(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    off_by_one = [f"{age};{(age - 1) // 5 * 5}-{(age - 1) // 5 * 5 + 4};*" for age in range(20, 60)]
    (people.parent / "people_hierarchy_age.csv").write_text("\n".join(off_by_one))
    noted: list[tuple[str, str]] = []
    workspace.document.noted.connect(lambda kind, text: noted.append((kind, text)))
    workspace.attach_all.click()
    idle(qtbot, workspace)
    age = workspace.document.project.hierarchies["age"]
    assert age.specification is not None and age.specification["builder"] == "intervals"
    assert age.provenance is Provenance.PUBLIC and set(workspace.lacking.unsaid) == {"city"}
    (roles,) = noted
    assert roles[0] == "info" and roles[1].startswith("Roles given"), "the rest is told once, where it can be undone"
    wrong, stays = workspace.declaration.wrong, workspace.ready_made.aside
    assert wrong.isVisible() and wrong.text().startswith("age: its file puts 20 in “15-19”, so a rule")
    assert not stays.isVisible(), "it is said where the file is asked about"
    use = workspace.ready_made.use_file
    assert not use.isVisible(), "one question after the other"
    workspace.declaration.yes.click()
    assert use.isVisible() and use.text() == "Use the file of age"
    assert stays.isVisible() and stays.text().startswith("age: its file puts 20 in “15-19”, so a rule")
    finer = re.fullmatch(r"[^\n]*\nFirst level: (\d+) groups in the file, (intervals of \d+) by rule\.", stays.text())
    workspace.attributes.pick("city")
    assert finer is not None and finer[2] == stated_words(age, 1), "what each costs is said beside the button"
    with (people.parent / "people_hierarchy_age.csv").open(encoding="utf-8") as lines:
        assert int(finer[1]) == len({line.strip().split(";")[1] for line in lines}) == 9
    use.click()
    idle(qtbot, workspace)
    assert workspace.document.project.hierarchies["age"].specification is None, "pressed, it is taken as it is"
    assert workspace.attributes.name == "age" and workspace.panel.repair.labels.isVisible(), "with the way to mend it"
    assert not use.isVisible() and not stays.isVisible()
    assert entry(workspace, "age", WARNED)
    assert not workspace.declaration.isVisible(), "it was asked about before"
    workspace.document.apply("Unsaid", lambda session: session.data.set_provenance("age", *NOBODY_SAID))
    workspace.declaration.rules.click()
    idle(qtbot, workspace)
    assert workspace.document.project.hierarchies["age"].specification is not None
    assert (
        stays.isVisible() and stays.text() == f"Rules in place of files, as you chose: age.\n{finer[0].splitlines()[1]}"
    )
    assert use.isVisible() and use.text() == "Use the file of age", "there is a way back"


def test_wrong_intervals_are_mended_at_one_click(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    path = people.with_name("slip.csv")
    off_by_one = [f"{age};{(age - 1) // 5 * 5}-{(age - 1) // 5 * 5 + 4};*" for age in range(16, 66)]
    path.write_text("\n".join(off_by_one))
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


def test_a_corrected_list_is_still_to_be_declared(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    """Other words for its intervals are no word about how it was made."""
    path = people.with_name("slip.csv")
    path.write_text("\n".join(f"{age};{(age - 1) // 5 * 5}-{(age - 1) // 5 * 5 + 4};*" for age in range(16, 66)))
    attach(qtbot, workspace, "age", path)
    workspace.panel.repair.labels.click()
    idle(qtbot, workspace)
    assert workspace.document.project.hierarchies["age"].provenance is Provenance.DERIVED
    assert workspace.lacking.unsaid == ("age",)


def test_that_a_rule_is_used_is_no_longer_said_once_the_file_is(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    off_by_one = [f"{age};{(age - 1) // 5 * 5}-{(age - 1) // 5 * 5 + 4};*" for age in range(20, 60)]
    (people.parent / "people_hierarchy_age.csv").write_text("\n".join(off_by_one))
    workspace.attach_all.click()
    idle(qtbot, workspace)
    workspace.declaration.yes.click()
    assert workspace.ready_made.aside.isVisible() and "so a rule took its place" in workspace.ready_made.aside.text()
    workspace.ready_made.use_file.click()
    idle(qtbot, workspace)
    assert workspace.document.project.hierarchies["age"].specification is None
    assert not workspace.ready_made.aside.isVisible()


def _off_by_one(people: Path) -> None:
    """Write a file of age whose labels do not hold their numbers."""
    rows = (f"{age};{(age - 1) // 5 * 5}-{(age - 1) // 5 * 5 + 4};*" for age in range(16, 66))
    (people.parent / "people_hierarchy_age.csv").write_text("\n".join(rows))


def test_a_wrong_file_is_declared_with_the_others_and_not_asked_about_again(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    _off_by_one(people)
    workspace.attach_all.click()
    idle(qtbot, workspace)
    declaration, hierarchies = workspace.declaration, lambda: workspace.document.project.hierarchies
    said = declaration.yes.accessibleName()
    assert said == "I declare that these 2 files, also that of age, were made without this data"
    declaration.yes.click()
    workspace.ready_made.use_file.click()
    idle(qtbot, workspace)
    assert hierarchies()["age"].specification is None and hierarchies()["age"].provenance is Provenance.PUBLIC
    assert not declaration.isVisible() and not workspace.lacking.unsaid
    workspace.panel.repair.labels.click()
    idle(qtbot, workspace)
    assert hierarchies()["age"].provenance is Provenance.PUBLIC and not declaration.isVisible()


@pytest.mark.parametrize("then", ["taken back", "another file", "not declared"])
def test_a_word_that_does_not_stand_for_the_file_that_is_used_declares_nothing(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path, then: str
) -> None:
    _off_by_one(people)
    workspace.attach_all.click()
    idle(qtbot, workspace)
    if then == "not declared":
        workspace.document.apply("city", lambda session: session.data.declare_imported(["city"]))
    else:
        workspace.declaration.yes.click()
    if then == "taken back":
        workspace.document.apply("Unsaid", lambda session: session.data.set_provenance("city", *NOBODY_SAID))
        workspace.document.apply("out", lambda session: session.data.set_role(["city"], Role.IDENTIFYING))
    elif then == "another file":
        path = people.parent / "people_hierarchy_age.csv"
        path.write_text(path.read_text().replace("*", "all"))
    workspace.ready_made.use_file.click()
    idle(qtbot, workspace)
    age = workspace.document.project.hierarchies["age"]
    assert age.specification is None and age.provenance is Provenance.DERIVED
    assert workspace.declaration.isVisible() and workspace.lacking.unsaid == ("age",)


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


def test_nobody_need_pretend_to_know_how_it_was_made(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    attach(qtbot, workspace, "age", people.parent / "people_hierarchy_age.csv")
    panel = workspace.panel
    panel.correct.click()
    assert panel.editor.unknown.isChecked(), "what is known is chosen, and nothing is put in anybody's mouth"
    panel.editor.save.click()
    assert workspace.document.session.data.undeclared == ("age",)
    workspace.declaration.yes.click()
    panel.correct.click()
    assert panel.editor.public.isChecked()
    panel.editor.unknown.click()
    panel.editor.save.click()
    assert workspace.document.session.data.undeclared == ("age",), "a word is taken back"
    assert panel.badge.text == "Not declared"
    assert "nobody has said yet how it was made" in panel.origin.text()
    assert "without this data" not in workspace.document.project.hierarchies["age"].origin


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


def test_what_is_left_out_need_not_be_declared(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    attach(qtbot, workspace, "age", people.parent / "people_hierarchy_age.csv")
    assert workspace.next_hint() == "Say how a hierarchy was made"
    leave = Treatment.LEAVE_OUT
    workspace.document.apply("x", lambda session: session.release.columns.set_treatment("age", leave))
    idle(qtbot, workspace)
    assert not workspace.declaration.isVisible() and not workspace.lacking.unsaid
    assert workspace.next_hint() != "Say how a hierarchy was made"
    assert workspace.document.session.data.undeclared == ("age",)
    assert entry(workspace, "age") == "2 levels · left out" and not workspace.panel.declare.isVisible()
    generalise = Treatment.GENERALISE
    workspace.document.apply("y", lambda session: session.release.columns.set_treatment("age", generalise))
    idle(qtbot, workspace)
    assert entry(workspace, "age") == "2 levels · not declared" and workspace.declaration.isVisible()


def test_provenance_is_corrected_with_a_reason(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    attach(qtbot, workspace, "age", people.parent / "people_hierarchy_age.csv")
    workspace.declaration.yes.click()
    panel = workspace.panel
    assert panel.badge.text == "Made without this data"
    panel.correct.click()
    panel.editor.derived.click()
    panel.editor.reason.clear()
    assert not panel.editor.save.isEnabled()
    qtbot.keyClicks(panel.editor.reason, "cut at the quartiles")
    qtbot.keyClick(panel.editor.reason, Qt.Key.Key_Return)
    hierarchy = workspace.document.project.hierarchies["age"]
    assert hierarchy.provenance is Provenance.DERIVED
    assert hierarchy.origin == "cut at the quartiles"
    assert panel.badge.text == "Made from this data"
    assert not panel.editor.isVisible()
    assert entry(workspace, "age") == "2 levels · made from this data"
    workspace.document.undo_stack.undo()
    assert panel.badge.text == "Made without this data"


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


def test_an_identifying_column_needs_none(qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path) -> None:
    workspace.document.apply("x", lambda session: session.data.set_role(["name"], Role.IDENTIFYING))
    assert entry(workspace, "name") == "left out"


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
    assert [view.isRowHidden(row_of(name)) for name in ("name", "city", "age")] == [True, True, False]
    qtbot.mouseClick(fold, Qt.MouseButton.LeftButton)
    assert not any(view.isRowHidden(row) for row in range(3))
    assert fold.accessibleName() == "Hide 2 columns left out"
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
