"""Suppressed columns, local recoding, coded ends, and what a fast hand does to the tree, in the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, OnScreen, choose, click, idle
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.recipe import Treatment
from workbench.core.building import specification
from workbench.core.hierarchy import ANY, Hierarchy, Provenance
from workbench.core.hierarchy_preview import ColumnMaterial
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import Column
from workbench.gui.document import Document
from workbench.gui.theme import Theme
from workbench.gui.widgets.calm_wheel import CalmWheel
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.column_row import ColumnRow, ColumnTreatment
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.hierarchies.forms.categories import CategoriesForm
from workbench.gui.workspaces.hierarchies.forms.ends import EndsForm
from workbench.project.anonymise_settings import AnonymityKind
from workbench.session import Session

AGES = Hierarchy.from_rows([(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)])
CITIES = Hierarchy.from_rows([("Bern", "*"), ("Chur", "*"), ("Basel", "*")])


@pytest.fixture
def document(qtbot: QtBot, document: Document, tmp_path: Path) -> Document:
    """20 rows of each age in Bern; of the ages 20 and 40 three rows in Chur each, of 50 two in Basel."""
    rows = [(age, "Bern") for age in range(20, 60) for _ in range(20)]
    rows += [(20, "Chur")] * 3 + [(40, "Chur")] * 3 + [(50, "Basel")] * 2
    path = tmp_path / "people.csv"
    lines = [f"{age},{city},{('flu', 'cold')[i % 2]}" for i, (age, city) in enumerate(rows)]
    path.write_text("age,city,illness\n" + "\n".join(lines) + "\n", encoding="utf-8")
    document.open_data(path)
    qtbot.waitUntil(lambda: not document.runner.jobs, timeout=PATIENCE_MS)
    return document


@pytest.fixture
def workspace(qtbot: QtBot, document: Document, on_screen: OnScreen) -> AnonymiseWorkspace:
    """The syntactic approach at level 0, k = 6."""

    def prepare(session: Session) -> None:
        session.data.attach_hierarchy("age", AGES)
        session.data.attach_hierarchy("city", CITIES)
        session.release.columns.set_level("age", 0)
        session.release.columns.set_level("city", 0)
        session.syntactic.set_models([ModelChoice("k-anonymity", {"k": 6})])
        session.syntactic.set_suppression_limit(0.02)
        session.syntactic.set_approach(AnonymityKind.SYNTACTIC)

    document.apply("prepare", prepare)
    document.undo_stack.clear()
    made = on_screen(AnonymiseWorkspace(document))
    idle(qtbot, made)
    return made


class TestLocalRecoding:
    def test_a_tick_rescues_rows_and_undo_takes_it_back(self, qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
        room = workspace.syntactic
        tick = room.settings.goal.form["local_recoding"]
        room.settings.steps.open("run")
        assert tick.isVisible() and not tick.isChecked()
        told = HelpBook().find(explain_key(tick))
        assert told is not None and "(ε, δ)" in told.text
        tick.click()
        idle(qtbot, workspace)
        assert workspace.document.project.anonymise.question.local_recoding
        click(qtbot, room.settings.recode)
        idle(qtbot, workspace)
        recoded = workspace.document.session.syntactic.recoded
        assert recoded is not None and recoded.anonymised.local is not None
        assert "2 passes: 6 rows rescued" in room.result.header.toolTip()
        assert "Pass 2, 6 rows: age 2" in room.result.header.toolTip()
        assert room.result.header.isVisible()
        room.result.values.set_columns(("age", "city"))
        idle(qtbot, workspace)
        workspace.document.undo_stack.undo()
        idle(qtbot, workspace)
        assert not tick.isChecked()
        assert not workspace.document.project.anonymise.question.local_recoding


class TestSuppressedColumn:
    def test_a_choice_that_can_be_undone(self, qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
        session, row = workspace.document.session, workspace.syntactic.settings.columns.rows["age"]
        choose(row.treatment, ColumnTreatment.SUPPRESS)
        idle(qtbot, workspace)
        assert session.release.columns.is_suppressed("age")
        assert row.treatment.currentData() == ColumnTreatment.SUPPRESS
        assert not row.slider.isVisible()
        assert row.words == "* in every row"
        choose(row.treatment, ColumnTreatment.GENERALISE)
        idle(qtbot, workspace)
        assert not session.release.columns.is_suppressed("age")
        assert (row.treatment.currentData(), row.slider.value()) == (ColumnTreatment.GENERALISE, 1)
        workspace.document.undo_stack.undo()
        assert workspace.document.session.release.columns.is_suppressed("age")

    def test_without_a_hierarchy_and_in_the_other_approach(self, qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
        click(qtbot, workspace.approach.buttons[AnonymityKind.DP])
        idle(qtbot, workspace)
        row = workspace.columns.rows["illness"]
        choose(row.treatment, ColumnTreatment.SUPPRESS)
        idle(qtbot, workspace)
        assert workspace.document.session.release.columns.is_suppressed("illness")
        assert workspace.document.project.hierarchies["illness"].labels[-1] == (ANY,)

    def test_a_hierarchy_without_that_top_does_not_offer_it(self, qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
        bare = Hierarchy.from_rows([("Bern", "CH"), ("Chur", "CH"), ("Basel", "CH")])
        workspace.document.apply("attach", lambda session: session.data.attach_hierarchy("city", bare))
        idle(qtbot, workspace)
        box = workspace.syntactic.settings.columns.rows["city"].treatment
        assert not box.model().item(box.findData(ColumnTreatment.SUPPRESS)).isEnabled()  # type: ignore[attr-defined]


def test_coded_ends_are_built_in_their_form(qtbot: QtBot, light: Theme, document: Document) -> None:
    made = HierarchiesWorkspace(document)
    qtbot.addWidget(made)
    made.resize(1016, 700)
    made.show()

    def settled() -> bool:
        return made.settled

    made.attributes.pick("age")
    qtbot.waitUntil(settled, timeout=PATIENCE_MS)
    click(qtbot, made.attach_page.choices["ends"])
    qtbot.waitUntil(settled, timeout=PATIENCE_MS)
    form = made.builder.form
    assert isinstance(form, EndsForm)
    low, high = form.above.fields["low"], form.above.fields["high"]
    assert isinstance(low, QLineEdit) and isinstance(high, QLineEdit)
    assert not form.above.fields["low_end"].isVisible()
    for edit, text in ((low, "55"), (high, "25")):
        edit.selectAll()
        qtbot.keyClicks(edit, text)
    qtbot.waitUntil(settled, timeout=PATIENCE_MS)
    assert low.property("invalid") == "true"
    assert form.above.fields["low_end"].isVisible()
    for edit, text in ((low, "25"), (high, "55")):
        edit.selectAll()
        qtbot.keyClicks(edit, text)
    qtbot.waitUntil(settled, timeout=PATIENCE_MS)
    assert low.property("invalid") != "true"
    made.builder.apply.click()
    qtbot.waitUntil(settled, timeout=PATIENCE_MS)
    hierarchy = document.project.hierarchies["age"]
    assert hierarchy.provenance is Provenance.PUBLIC
    assert {row[1] for row in hierarchy.rows()} == {"<25", "≥55", *map(str, range(25, 55))}


class TestCategoryTree:
    def form(self, qtbot: QtBot, tree: list[object]) -> CategoriesForm:
        values = [one for one in tree if isinstance(one, str)] or ["a"]
        spec = ColumnSpec("c", Kind.CATEGORY)
        source = ColumnMaterial(Column.from_texts("c", values), spec)
        made = CategoriesForm("categories")
        qtbot.addWidget(made)
        made.show_specification(specification("categories", {}, {"tree": tree}, column=spec), source)
        made.show()
        return made

    def test_a_double_click_on_group_makes_one_group(self, qtbot: QtBot, light: Theme) -> None:
        form = self.form(qtbot, ["a", "b", "c"])
        form.tree.select_paths([(0,), (1,)])
        click(qtbot, form.group)
        click(qtbot, form.group)
        assert form.specification["details"]["tree"] == [{"label": "New group", "children": ["a", "b"]}, "c"]
        editor = form.tree.findChild(QLineEdit)
        assert editor is not None and editor.isVisible()

    def test_later_a_group_can_be_put_into_another(self, qtbot: QtBot, light: Theme) -> None:
        form = self.form(qtbot, ["a", "b", "c"])
        form.tree.select_paths([(0,), (1,)])
        click(qtbot, form.group)
        form.tree.select_paths([(0,), (1,)])
        click(qtbot, form.group)
        assert len(form.specification["details"]["tree"]) == 1

    def test_many_values_start_folded_away(self, qtbot: QtBot, light: Theme) -> None:
        few = self.form(qtbot, [{"label": "g", "children": ["a", "b"]}])
        assert few.tree.isExpanded(few.tree.categories.index_at((0,)))
        many = self.form(qtbot, [{"label": "g", "children": [str(n) for n in range(6000)]}])
        assert not many.tree.isExpanded(many.tree.categories.index_at((0,)))


class TestEditedHierarchy:
    """What a line shows lags behind a hierarchy of which levels were taken away or added."""

    FEW = Hierarchy.from_rows([("Bern", "*"), ("Chur", "*")])
    MANY = Hierarchy.from_rows([("Bern", "B", "C", "*"), ("Chur", "B", "C", "*")])

    @pytest.mark.parametrize("now", [FEW, MANY], ids=["few", "many"])
    @pytest.mark.parametrize("told", [FEW, MANY, None], ids=["few", "many", "nothing"])
    @pytest.mark.parametrize("level", [0, 1, 3])
    def test_a_level_that_is_gone_is_shown_as_the_last(
        self, qtbot: QtBot, light: Theme, now: Hierarchy, told: Hierarchy | None, level: int
    ) -> None:
        row = ColumnRow("city", CalmWheel())
        qtbot.addWidget(row)
        row.show_column(ColumnSpec("city"), now, Treatment.GENERALISE, level, told=told)
        least = min(level, now.height)
        assert row.slider.value() == least
        assert row.words.startswith(f"level {least} of {now.height}")
        assert ("group" in row.words) == (told is now)
        assert row.level_words(self.FEW, 3), "also before it is shown anew"
