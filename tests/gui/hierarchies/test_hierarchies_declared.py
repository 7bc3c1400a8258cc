"""The question how a file of a hierarchy was made: who is asked, what an answer declares, and how it is taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QSplitter
from pytestqt.qtbot import QtBot

from tests.gui.helpers import idle
from tests.gui.hierarchies.helpers import NOBODY_SAID, attach, entry, write_off_by_one
from workbench.anonymise.recipe import Treatment
from workbench.core.hierarchy import Provenance
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit, Role, UnitAnswer
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.project.anonymise_settings import AnonymityKind
from workbench.session.release.purpose import tick

pytestmark = pytest.mark.usefixtures("after_a_look")


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
    assert panel.badge.text == "Not declared"
    assert panel.origin.text() == "Imported from people_hierarchy_age.csv.", "nothing beside the question"
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


def test_where_all_of_many_are_asked_about_the_question_says_it_once(
    qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path
) -> None:
    names = ("town", "shop", "street", "hall")
    table = tmp_path / "places.csv"
    table.write_text(",".join((*names, "age")) + "\n" + "a,a,a,a,20\nb,b,b,b,30\n" * 20, encoding="utf-8")
    for name in names:
        (tmp_path / f"places_hierarchy_{name}.csv").write_text("a;*\nb;*\n", encoding="utf-8")
    workspace.document.open_data(table)
    idle(qtbot, workspace)
    workspace.document.apply("roles", lambda session: session.data.set_role((*names, "age"), Role.QUASI))
    workspace.document.apply(
        "rule", lambda session: session.data.attach_hierarchies(session.data.hierarchy_suggester(["age"])(SILENT))
    )
    workspace.ready_made.look_beside()
    idle(qtbot, workspace)
    workspace.attach_all.click()
    idle(qtbot, workspace)
    assert len(workspace.document.session.data.undeclared) == 4
    assert [str(entry(workspace, name)).count("not declared") for name in names] == [0] * 4, "a rule needs no word"
    workspace.attributes.pick("shop")
    assert not workspace.panel.badge.isVisible() and workspace.declaration.isVisible()
    workspace.document.apply("one", lambda session: session.data.declare_imported(["town"]))
    assert [str(entry(workspace, name)).count("not declared") for name in names] == [0, 1, 1, 1], "which they are"
    assert workspace.panel.badge.isVisible() and workspace.panel.badge.text == "Not declared"


def test_several_that_are_selected_are_declared_by_one_press(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    (people.parent / "people_hierarchy_name.csv").write_text("".join(f"P{i};P{i // 10}…;*\n" for i in range(100)))
    workspace.ready_made.look_beside()
    idle(qtbot, workspace)
    workspace.attach_all.click()
    idle(qtbot, workspace)
    assert (
        workspace.declaration.yes.accessibleName() == "I declare that these 3 hierarchies were made without this data"
    )
    assert "Select them in the list" in workspace.declaration.yes.accessibleDescription()
    view, model = workspace.attributes, workspace.attributes_model

    def press(name: str, key: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        spot = view.visualRect(model.index(model.row_of(name), 0)).center() - QPoint(0, 10)
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, key, spot)

    press("city")
    press("name", Qt.KeyboardModifier.ControlModifier)
    assert view.names == ("name", "city")
    assert (
        workspace.declaration.yes.accessibleName() == "I declare that these 2 hierarchies were made without this data"
    )
    assert workspace.declaration.yes.accessibleDescription().endswith(" word. name, city")
    workspace.declaration.yes.click()
    assert workspace.document.session.data.undeclared == ("age",)
    assert workspace.document.undo_stack.undoText() == "Declare 2 hierarchies made without this data"
    assert workspace.declaration.yes.accessibleDescription().endswith(" word. age"), (
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
    assert "Made by somebody who had not seen these rows. You sign this." in told
    assert "The statement says so as the publisher’s word." in workspace.declaration.yes.toolTip()
    assert "“Published by” in Release puts your name there" in workspace.declaration.yes.toolTip()
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
    assert "Were these 2 hierarchies made without this data?" in told
    follows = "By rule instead: intervals for age; for city each value as it is, or *. Not grouped: city."
    assert follows in told, "what follows is said before, and what is lost"
    answers = (workspace.declaration.rules, workspace.declaration.yes)
    lines = {*told} - {"Were these 2 hierarchies made without this data?", *(one.text() for one in answers)}
    assert len([one for one in lines if one]) <= 3, "a line for each answer, and their names"
    without = "Without groups: city, where rare values become *."
    assert workspace.declaration.rules.toolTip() == without, "who looks closer; age has intervals instead"
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
    write_off_by_one(people.parent / "people_hierarchy_age.csv", range(20, 60))
    workspace.attach_all.click()
    idle(qtbot, workspace)
    hierarchies = workspace.document.project.hierarchies
    city, age = hierarchies["city"], hierarchies["age"]
    assert age.specification is not None, "its file is wrong, so a rule is used"
    workspace.declaration.rules.click()
    idle(qtbot, workspace)
    made = workspace.ready_made
    assert "Without groups: city, where rare values become *." in made.aside.text(), "where it was answered"
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
    write_off_by_one(people.parent / "people_hierarchy_age.csv", range(20, 60))
    workspace.attach_all.click()
    idle(qtbot, workspace)
    workspace.declaration.yes.click()
    assert workspace.ready_made.aside.isVisible() and "The file for age puts" in workspace.ready_made.aside.text()
    workspace.ready_made.use_file.click()
    idle(qtbot, workspace)
    assert workspace.document.project.hierarchies["age"].specification is None
    assert not workspace.ready_made.aside.isVisible()


def test_a_wrong_file_is_asked_about_only_if_it_is_used_after_all(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    write_off_by_one(people.parent / "people_hierarchy_age.csv")
    workspace.attach_all.click()
    idle(qtbot, workspace)
    declaration, hierarchies = workspace.declaration, lambda: workspace.document.project.hierarchies
    assert declaration.yes.accessibleName() == "I declare that this one was made without this data"
    asked = [one.text() for one in declaration.findChildren(QLabel) if one.isVisible() and "age" in one.text()]
    assert asked == [workspace.ready_made.aside.text()] and asked[0].startswith("Nothing to do for age: its file puts ")
    declaration.yes.click()
    assert workspace.document.session.data.declared == ("city",)
    assert workspace.ready_made.attached_note == ("success", "A hierarchy was attached, and a rule for age.")
    workspace.ready_made.use_file.click()
    idle(qtbot, workspace)
    assert hierarchies()["age"].specification is None and hierarchies()["age"].provenance is Provenance.DERIVED
    assert declaration.isVisible() and workspace.lacking.unsaid == ("age",)
    declaration.yes.click()
    workspace.panel.repair.labels.click()
    idle(qtbot, workspace)
    assert hierarchies()["age"].provenance is Provenance.PUBLIC and not declaration.isVisible()


@pytest.mark.parametrize("then", ["taken back", "another file", "not declared"])
def test_a_word_that_does_not_stand_for_the_file_that_is_used_declares_nothing(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path, then: str
) -> None:
    write_off_by_one(people.parent / "people_hierarchy_age.csv")
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
    assert "without this data" not in workspace.document.project.hierarchies["age"].origin


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


def test_the_question_says_that_only_columns_in_the_release_count_until_they_are_chosen(
    qtbot: QtBot, workspace: HierarchiesWorkspace, people: Path
) -> None:
    workspace.attach_all.click()
    idle(qtbot, workspace)
    counts = "Only columns in the release count; you choose them in Anonymise."

    def told() -> list[str]:
        return [one.text() for one in workspace.declaration.findChildren(QLabel) if one.isVisible()]

    assert f"city, age · {counts}" in told() and counts in workspace.declaration.yes.accessibleDescription()
    workspace.document.apply("for", lambda session: tick(session, "city", ticked=True))
    assert "city" in told() and not any(counts in one for one in told()), "and what is not ticked is not asked about"
    assert workspace.declaration.yes.accessibleName() == "I declare that this one was made without this data"
    workspace.document.apply("all", lambda session: tick(session, "city", ticked=False))
    assert f"city, age · {counts}" in told()


def test_nothing_is_asked_of_the_column_that_tells_persons_apart_though_a_file_is_named_like_it(
    qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path
) -> None:
    table = tmp_path / "visits.csv"
    table.write_text("patient,town\n" + "".join(f"p{i % 20},{'ab'[i % 2]}\n" for i in range(60)), encoding="utf-8")
    (tmp_path / "visits_hierarchy_patient.csv").write_text("".join(f"p{i};*\n" for i in range(20)), encoding="utf-8")
    (tmp_path / "visits_hierarchy_town.csv").write_text("a;*\nb;*\n", encoding="utf-8")
    workspace.document.open_data(table)
    idle(qtbot, workspace)
    unit = PrivacyUnit(3, "patient", protected=UnitAnswer.SAID)
    workspace.document.apply("persons", lambda session: session.data.set_unit(unit))
    workspace.ready_made.look_beside()
    idle(qtbot, workspace)
    assert workspace.lacking.gives_roles and workspace.attach_all.text() == "Attach &matching (1)"
    workspace.attach_all.click()
    idle(qtbot, workspace)
    assert workspace.lacking.unsaid == ("town",) and "patient" not in workspace.document.project.hierarchies
    assert workspace.document.project.schema["patient"].role is Role.INSENSITIVE, "it gets no role by a file"
    workspace.document.apply("role", lambda session: session.data.set_role(["patient"], Role.QUASI))
    assert list(workspace.lacking.unattached) == ["patient"], "who says so has it in the release"
