"""k-anonymity and its relatives in the Anonymise and Release workspaces, through their widgets."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, OnScreen, click, idle, press
from workbench.anonymise.privacy import MODELS, ModelChoice
from workbench.anonymise.recipe import Treatment
from workbench.anonymise.utility import METRICS
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.schema import Role
from workbench.core.table import TooManyGroups
from workbench.gui.document import Document
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise import workspace as workspace_module
from workbench.gui.workspaces.anonymise.folded_model import AFTER, BEFORE
from workbench.gui.workspaces.anonymise.syntactic import SyntacticRoom
from workbench.gui.workspaces.anonymise.syntactic.column_levels import SyntacticRow
from workbench.gui.workspaces.anonymise.syntactic.levels_view import LIST
from workbench.gui.workspaces.release import ReleaseWorkspace
from workbench.project.anonymise_settings import AnonymityKind
from workbench.project.model import QuestionSettings
from workbench.session import Session
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.syntactic import views
from workbench.session.syntactic.desk import SyntacticDesk
from workbench.session.syntactic.why_best import why
from workbench.session.syntactic.words import reasons

ROWS = 600
AGES = Hierarchy.from_rows([(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)])
CITIES = Hierarchy.from_rows([("Bern", "*"), ("Basel", "*"), ("Chur", "*")])


@pytest.fixture
def document(qtbot: QtBot, document: Document, tmp_path: Path) -> Document:
    """Ages 20 to 59, 15 rows of each; five rows of Chur at 20 and at 40; three illnesses."""
    path = tmp_path / "people.csv"
    lines = [
        f"P{i:03},{20 + i % 40},{'Chur' if i % 60 == 0 else 'Bern'},{('flu', 'cold', 'gout')[i % 3]}"
        for i in range(ROWS)
    ]
    path.write_text("person,age,city,illness\n" + "\n".join(lines) + "\n", encoding="utf-8")
    document.open_data(path)
    qtbot.waitUntil(lambda: not document.runner.jobs, timeout=PATIENCE_MS)
    return document


@pytest.fixture
def workspace(document: Document, on_screen: OnScreen, request: pytest.FixtureRequest) -> AnonymiseWorkspace:
    """The Anonymise room; where `room` is asked for too, it is made when all that is chosen there is."""

    def prepare(session: Session) -> None:
        session.data.attach_hierarchy("age", AGES)
        session.data.attach_hierarchy("city", CITIES)
        session.release.columns.set_level("city", 0)
        session.data.set_role(["illness"], Role.SENSITIVE)
        session.syntactic.set_models([ModelChoice("k-anonymity", {"k": 12})])
        session.syntactic.set_suppression_limit(0.0)
        session.syntactic.set_approach(AnonymityKind.SYNTACTIC)

    if "room" in request.fixturenames:
        assert document.apply("prepare", prepare)
        document.undo_stack.clear()
    return on_screen(AnonymiseWorkspace(document))


@pytest.fixture
def room(qtbot: QtBot, workspace: AnonymiseWorkspace) -> SyntacticRoom:
    """The syntactic room with hierarchies for age and city, k = 12, and nothing suppressed."""
    idle(qtbot, workspace)
    return workspace.syntactic


def find_and_use(qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
    press(qtbot, workspace, workspace.syntactic.settings.search)


def question(workspace: AnonymiseWorkspace) -> QuestionSettings:
    workspace.status()
    return workspace.document.project.anonymise.question


def type_number(qtbot: QtBot, workspace: AnonymiseWorkspace, field: QWidget, text: str) -> None:
    assert isinstance(field, NumberField)
    bring(workspace, field)
    field.edit.setFocus()
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, text)
    workspace.status()


def bring(workspace: AnonymiseWorkspace, part: QWidget) -> None:
    """Open the step of the settings in which something is."""
    steps = workspace.syntactic.settings.steps
    for key in steps.heads:
        if not part.isVisible():
            steps.open(key)


def limit(room: SyntacticRoom) -> QWidget:
    return room.settings.goal.form["suppression_limit"]


def table_of(workspace: AnonymiseWorkspace) -> object:
    return workspace.syntactic.result.pages.currentWidget()


class TestSwitch:
    def test_an_epsilon_delta_release_is_what_one_starts_with(self, workspace: AnonymiseWorkspace) -> None:
        assert workspace.promise.isVisible()
        assert workspace.approach.buttons[AnonymityKind.DP].isChecked()
        assert not workspace.syntactic.settings.isVisible()

    def test_switching_can_be_undone(self, qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
        click(qtbot, workspace.approach.buttons[AnonymityKind.SYNTACTIC])
        workspace.status()
        assert workspace.syntactic.settings.isVisible()
        assert workspace.syntactic.result.isVisible()
        assert not workspace.promise.isVisible()
        assert workspace.claim_word() == "No (ε, δ) claim"
        workspace.document.undo_stack.undo()
        workspace.status()
        assert workspace.promise.isVisible()
        assert workspace.approach.buttons[AnonymityKind.DP].isChecked()

    def test_without_hierarchies_it_leads_to_them(self, qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
        click(qtbot, workspace.approach.buttons[AnonymityKind.SYNTACTIC])
        workspace.status()
        settings = workspace.syntactic.settings
        assert not settings.search.isEnabled()
        assert "grouping" in settings.reason
        with qtbot.waitSignal(workspace.go_to) as asked:
            bring(workspace, settings.columns)
            click(qtbot, settings.columns.attach)
        assert asked.args == ["hierarchies"]

    def test_who_searched_has_no_claim_afterwards(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        assert workspace.document.session.release.claim().holds
        press(qtbot, workspace, room.settings.search)
        click(qtbot, workspace.approach.buttons[AnonymityKind.DP])
        assert workspace.claim_word() == "Only for its choices as they are"


def _click_at(button: QWidget, place: QPointF) -> None:
    """Click on a button where the pointer is said to be, wherever the layout has put it by now."""
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
        middle = QPointF(button.rect().center())
        QApplication.sendEvent(button, QMouseEvent(kind, middle, place, left, left, none))


class TestQuestion:
    def test_every_model_has_a_form(self, workspace: AnonymiseWorkspace, room: SyntacticRoom) -> None:
        models = room.settings.models
        for model in MODELS:
            if model.identifier != "k-anonymity":
                models.add_model(model.identifier)
        workspace.status()
        assert len(models.forms) == len(list(MODELS))
        for form, choice in zip(models.forms, question(workspace).models, strict=True):
            assert set(form.fields.fields) == {spec.name for spec in choice.model.params}
            assert choice.model.citation in form.title.toolTip()
            assert form.fields.valid

    def test_a_model_is_about_a_sensitive_column_first(
        self, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        room.settings.models.add_model("l-diversity")
        assert question(workspace).models[-1].column == "illness"
        assert workspace.document.undo_stack.undoText() == "Add Distinct l-diversity"
        assert "l-diversity" in room.settings.columns.rows["illness"].words

    def test_a_parameter_is_typed_and_undone(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        field = room.settings.models.forms[0].fields.fields["k"]
        type_number(qtbot, workspace, field, "25")
        assert question(workspace).models[0].values["k"] == 25
        assert workspace.document.undo_stack.count() == 1  # Both digits are one step.
        workspace.document.undo_stack.undo()
        workspace.status()
        assert field.value == 12

    def test_half_a_number_stops_the_search(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        field = room.settings.models.forms[0].fields.fields["k"]
        type_number(qtbot, workspace, field, "1")
        assert not room.settings.search.isEnabled()
        assert "number" in room.settings.reason
        qtbot.keyClicks(field.edit, "5")
        workspace.status()
        assert room.settings.search.isEnabled()

    def test_a_model_is_removed(self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom) -> None:
        click(qtbot, room.settings.models.forms[0].remove)
        assert question(workspace).models == ()
        assert not room.settings.search.isEnabled()
        assert "model" in room.settings.reason

    def test_a_double_click_removes_one_model(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        """The next model moves up under the pointer, and is pressed by the second half."""
        models = room.settings.models
        for identifier in ("l-diversity", "t-closeness"):
            models.add_model(identifier)
        workspace.status()
        place = QPointF(models.forms[0].remove.mapToGlobal(models.forms[0].remove.rect().center()))
        click(qtbot, models.forms[0].remove)
        workspace.status()
        _click_at(models.forms[0].remove, place)
        assert len(question(workspace).models) == 2
        _click_at(models.forms[0].remove, place + QPointF(0, 100))  # elsewhere, and meant
        assert len(question(workspace).models) == 1

    def test_a_column_that_is_generalised_can_be_what_a_model_is_about(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        room.settings.models.add_model("l-diversity")
        workspace.status()
        combo = room.settings.models.forms[1].fields.fields["column"]
        combo.choose("city")
        combo.activated.emit(0)
        assert question(workspace).models[1].column == "city"
        row = room.settings.columns.rows["city"]
        assert not row.treatment.isEnabled()
        assert not row.slider.isVisible()
        press(qtbot, workspace, room.settings.search)
        found = workspace.document.session.syntactic.found
        assert found is not None
        assert set(found.result.levels) == {"age"}

    def test_every_metric_can_be_chosen(self, workspace: AnonymiseWorkspace, room: SyntacticRoom) -> None:
        goal = room.settings.goal
        for metric in METRICS:
            goal.loss.choose(metric.identifier)
            goal.loss.activated.emit(0)
            assert question(workspace).metric.identifier == metric.identifier
            assert (goal.parameters is not None) is bool(metric.params)

    def test_the_limit_is_given_in_per_cent(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        type_number(qtbot, workspace, limit(room), "29")
        assert question(workspace).suppression_limit == 0.29
        assert room.settings.goal.form["suppression_limit"].edit.text() == "29"

    def test_levels_are_limited_and_columns_weighed(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        columns = room.settings.columns
        bring(workspace, columns)
        row = columns.rows["age"]
        assert isinstance(row, SyntacticRow)
        assert not row.high.isVisible()
        columns.details.setChecked(True)
        assert row.high.isVisible()
        row.high.setValue(1)
        type_number(qtbot, workspace, row.weight, "2.5")
        assert question(workspace).limits == {"age": (0, 1)}
        assert question(workspace).weights == {"age": 2.5}
        assert row.low.maximum() == 1
        workspace.document.undo_stack.undo()
        workspace.document.undo_stack.undo()
        workspace.status()
        assert row.high.value() == 2
        assert row.weight.value == 1

    def test_another_choice_of_treatment_is_shared_by_both_approaches(
        self, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        workspace.document.apply(
            "keep", lambda session: session.release.columns.set_treatment("illness", Treatment.KEEP)
        )
        workspace.status()
        assert "released as it is" in room.settings.columns.rows["illness"].words

    def test_a_filter_that_cannot_be_applied_is_said(
        self, workspace: AnonymiseWorkspace, room: SyntacticRoom, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        broken = PromiseAssessment(None, WorkbenchError("There is no column “height”."))
        monkeypatch.setattr(workspace_module, "assess", lambda _session: broken)
        workspace.document.apply("limit", lambda session: session.syntactic.set_suppression_limit(0.5))
        workspace.status()
        assert room.settings.reason == "There is no column “height”."
        assert not room.settings.search.isEnabled()


class TestSearching:
    def test_settings_and_result_are_seen_together_in_a_window_of_usual_width(
        self, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        assert not workspace.parts.tabs.isVisible()
        assert room.settings.search.isVisible() and room.result.pages.isVisible()

    def test_one_click_finds_what_is_best_and_shows_its_table(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        assert workspace.next_hint() == "Find the best levels"
        press(qtbot, workspace, room.settings.search)
        assert "the least" in room.result.header.text
        assert "Best of all 6 combinations" in room.result.header.toolTip()
        assert "None of the others can be better" in room.result.header.toolTip()
        found, recoded = workspace.document.session.syntactic.found, workspace.document.session.syntactic.recoded
        assert found is not None
        assert recoded is not None
        assert recoded.levels == found.result.levels
        assert table_of(workspace) is room.result.table
        assert workspace.document.undo_stack.undoText() == "Find the best levels"
        assert not workspace.document.project.anonymise.levels_blind
        assert workspace.status() is Status.WARNING  # There is a table, and no claim.
        assert workspace.next_hint() == ""

    @pytest.mark.parametrize("middle", [False, True], ids=["below", "middle"])
    def test_the_focus_stays_where_one_searches(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom, middle: bool
    ) -> None:
        empty = room.result.pages.currentWidget()
        assert isinstance(empty, EmptyState) and empty.primary_button is not None
        button = empty.primary_button if middle else room.settings.search
        button.setFocus()
        press(qtbot, workspace, button)
        assert QApplication.focusWidget() is room.settings.search
        assert workspace.document.session.syntactic.recoded is not None

    def test_it_turns_into_cancel(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def endless(_session: Session) -> Callable[..., None]:
            def work(progress: Callable[[float], None]) -> None:
                while True:
                    progress(0.5)

            return work

        monkeypatch.setattr(SyntacticDesk, "best_levels_finder", endless)
        click(qtbot, room.settings.search)
        assert room.settings.search.text() == "Cancel"
        assert not room.settings.recode.isEnabled()
        assert "Searching" in room.result.header.text
        press(qtbot, workspace, room.settings.search)
        assert room.settings.search.text() == "Find the best levels"
        assert workspace.document.session.syntactic.found is None

    def test_another_question_makes_it_old(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        press(qtbot, workspace, room.settings.search)
        type_number(qtbot, workspace, limit(room), "4")
        assert "changed" in room.result.header.text
        assert room.result.header.link.text() == "Find the best levels"
        assert not room.result.levels.isEnabled()

    def test_the_answer_for_other_data_is_dropped(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        session = workspace.document.session
        click(qtbot, room.settings.search)
        session.data.open(session.data.reading.path)
        idle(qtbot, workspace)
        assert session.syntactic.found is None

    def test_any_combination_can_be_taken(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        press(qtbot, workspace, room.settings.search)
        listed = room.result.levels.list
        room.result.tabs.setCurrentWidget(room.result.levels)
        room.result.levels.switch.show_view(LIST)
        model = listed.model
        assert model.rowCount() == 6
        holds = [str(model.data(model.index(row, 0))) for row in range(6)]
        assert holds == sorted(holds, reverse=True)  # All that hold stand first.
        listed.view.selectRow(1)
        press(qtbot, workspace, listed.use)
        assert workspace.document.session.syntactic.recoded is not None
        assert workspace.document.session.syntactic.recoded.levels == model.node(1).levels
        listed.view.selectRow(2)
        listed.view.setFocus()
        qtbot.keyClick(listed.view, Qt.Key.Key_Return)
        idle(qtbot, workspace)
        assert workspace.document.project.anonymise.levels == model.node(2).levels

    def test_it_claims_no_more_of_the_neighbours_than_was_looked_at(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        press(qtbot, workspace, room.settings.search)
        session = workspace.document.session
        found, around = session.syntactic.found, session.syntactic.around
        assert found is not None and around is not None
        dearer = [node for node in around.nodes if node.feasible and dict(node.levels) != dict(found.result.levels)]

        def said(others: int) -> str:
            nodes = (around.nodes[0], *dearer[:others])
            return " ".join(reasons(found.result, why(found, replace(around, nodes=nodes))))

        assert "The one other combination looked at around it does not lose less." in said(1)
        assert "None of the 2 other combinations looked at around it loses less" in said(2)
        assert "around it" not in said(0)


class TestTable:
    def test_the_figures_add_up(self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom) -> None:
        type_number(qtbot, workspace, limit(room), "4")
        find_and_use(qtbot, workspace)
        recoded = workspace.document.session.syntactic.recoded
        assert recoded is not None
        header, sizes = room.result.header, recoded.anonymised.class_sizes
        assert f"{recoded.rows_out} of {ROWS} rows · {len(sizes)} group" in header.text
        assert header.text.startswith("loss ") and header.text.endswith(" · k-anonymity (k = 12)")
        assert int(sizes.min()) >= 12 and f"smallest group has {int(sizes.min())} rows" in header.toolTip()
        assert table_of(workspace) is room.result.table

    def test_before_and_after_stand_in_one_cell(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        workspace.document.apply("limit", lambda session: session.syntactic.set_suppression_limit(0.04))
        find_and_use(qtbot, workspace)
        table, session = room.result.table, workspace.document.session
        assert session.syntactic.recoded is not None
        level = session.syntactic.recoded.levels["age"]
        click(qtbot, table.one_by_one)
        shown, of = table.view.lines, dict(zip(AGES.values, AGES.rows(), strict=True))
        assert shown.rowCount() == ROWS
        age = next(place for place in range(shown.columnCount()) if shown.name(place) == "age")
        for row in range(ROWS):
            before, after = shown.data(shown.index(row, age), BEFORE), shown.data(shown.index(row, age), AFTER)
            was = session.data.table["age"].text(row)
            assert before == was
            assert after == ("*" if shown.is_dropped(shown.place(row).line) else of[was][level])
        click(qtbot, table.with_dropped)
        assert shown.rowCount() == session.syntactic.recoded.rows_out

    def test_levels_by_hand(self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom) -> None:
        room.settings.columns.rows["age"].slider.setValue(2)
        workspace.status()
        room.settings.columns.rows["city"].slider.setValue(0)
        click(qtbot, room.settings.recode)
        idle(qtbot, workspace)
        assert table_of(workspace) is room.result.advice  # Ten rows of Chur are fewer than twelve.
        workspace.document.apply("limit", lambda session: session.syntactic.set_suppression_limit(0.02))
        workspace.status()
        workspace.run()
        idle(qtbot, workspace)
        assert table_of(workspace) is room.result.table
        assert f"{ROWS - 10} of {ROWS} rows" in room.result.header.text

    def test_a_changed_level_makes_it_old_until_it_is_undone(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        find_and_use(qtbot, workspace)
        room.settings.columns.rows["age"].slider.setValue(2)
        workspace.status()
        assert "Out of date" in room.result.header.text
        assert workspace.next_hint() == "Use these levels" == room.result.header.link.text()
        workspace.document.undo_stack.undo()
        workspace.status()
        assert "Out of date" not in room.result.header.text
        room.settings.columns.rows["age"].slider.setValue(2)
        workspace.status()
        press(qtbot, workspace, room.result.header.link)
        assert "Out of date" not in room.result.header.text
        assert room.result.header.link.text() == "Use the best levels"
        press(qtbot, workspace, room.result.header.link)
        assert ", the least · " in room.result.header.text

    def test_risk_falls_and_follows_the_threshold(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        find_and_use(qtbot, workspace)
        risk = room.result.risk
        assert risk.text("prosecutor.highest", "before") == "20 %"
        assert risk.text("prosecutor.at_risk", "before") == "0 %"
        smallest = int(workspace.document.session.syntactic.recoded.anonymised.class_sizes.min())
        assert risk.text("prosecutor.highest", "after") == f"{100 / smallest:.3g} %"
        room.result.tabs.setCurrentWidget(risk)
        spread, attackers = risk.spread.data, risk.attackers.data
        assert spread.before.sum() == pytest.approx(1) and spread.after.sum() == pytest.approx(1)
        assert spread.names[-1] == "100 %" and spread.after[-1] == 0
        assert attackers.before[0] == 0.2 and attackers.after[0] == pytest.approx(1 / smallest)
        click(qtbot, risk.switch.buttons[2])
        type_number(qtbot, workspace, risk.threshold, "15")
        idle(qtbot, workspace)
        assert risk.text("prosecutor.at_risk", "before") == f"{100 * 10 / ROWS:.3g} %"
        assert risk.text("prosecutor.at_risk", "after") == "0 %"

    def test_rows_of_too_many_kinds_leave_the_risk_of_the_release_and_a_reason(
        self,
        qtbot: QtBot,
        workspace: AnonymiseWorkspace,
        room: SyntacticRoom,
        errors: list[BaseException],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def refuse(*_: object) -> None:
            raise TooManyGroups("The rows are of 9 kinds.", hint="Raise the budget.")

        monkeypatch.setattr(views, "class_sizes", refuse)
        find_and_use(qtbot, workspace)
        risk = room.result.risk
        assert risk.text("prosecutor.highest", "before") == "–"
        assert risk.text("prosecutor.highest", "after").endswith("%")
        assert risk.why_not.text() == "Before: The rows are of 9 kinds. Raise the budget."
        assert not risk.why_not.isHidden() and not errors

    def test_the_distribution_of_a_chosen_column(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        find_and_use(qtbot, workspace)
        values = room.result.values
        assert values.chosen == "age"
        assert values.chart.data.name == "age"
        assert values.chart.data.before.sum() == ROWS
        values.column.choose("city")
        values.column.activated.emit(1)
        idle(qtbot, workspace)
        assert values.chart.data.name == "city"
        assert values.chart.data.rows_after == workspace.document.session.syntactic.recoded.rows_out

    def test_losses_and_classes_are_drawn(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        find_and_use(qtbot, workspace)
        assert set(room.result.losses.data.names) == {"age", "city"}
        assert room.result.sizes.data.rows.sum() == workspace.document.session.syntactic.recoded.rows_out
        with qtbot.waitSignal(room.result.losses.drawn, timeout=PATIENCE_MS):
            room.result.tabs.setCurrentWidget(room.result.charts)
        with qtbot.waitSignal(room.result.sizes.drawn, timeout=PATIENCE_MS):
            click(qtbot, room.result.charts.buttons[1])
        idle(qtbot, workspace)

    def test_a_metric_of_whole_rows_says_that_it_has_no_loss_per_column(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        room.settings.goal.loss.choose("discernibility")
        room.settings.goal.loss.activated.emit(0)
        find_and_use(qtbot, workspace)
        assert room.result.losses.data is None
        assert "whole rows" in room.result.losses.accessibleDescription()

    def test_a_new_project_clears_the_room(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        find_and_use(qtbot, workspace)
        workspace.document.new()
        idle(qtbot, workspace)
        assert workspace._no_data.isVisible()
        assert workspace.status() is None


class TestAdvice:
    def test_each_change_is_one_click_and_one_step(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        room.settings.columns.rows["age"].slider.setValue(1)
        workspace.status()
        press(qtbot, workspace, room.settings.recode)
        advice = room.result.advice
        assert table_of(workspace) is advice
        assert "10 of 600 rows" in advice.reason.text()
        assert "10 of 600 rows" in advice.accessibleName() and not advice.hint.isVisible()
        assert " rows" not in room.result.header.text
        assert workspace.document.project.looks
        words = [button.text() for button in advice.buttons]
        assert words == [
            "Suppress up to 1.7 % of the rows", "Generalise city to level 1", "Weaken k-anonymity to k = 5",
        ]  # fmt: skip
        steps = workspace.document.undo_stack.count()
        press(qtbot, workspace, advice.buttons[0])
        assert question(workspace).suppression_limit == 0.017
        assert workspace.document.undo_stack.count() == steps + 1
        assert workspace.document.undo_stack.undoText() == words[0]
        assert table_of(workspace) is room.result.table
        workspace.document.undo_stack.undo()
        workspace.status()
        assert "Out of date" in room.result.header.text

    def test_it_goes_once_the_question_changes(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        room.settings.columns.rows["age"].slider.setValue(1)
        workspace.status()
        press(qtbot, workspace, room.settings.recode)
        room.settings.columns.rows["city"].slider.setValue(1)
        workspace.status()
        assert table_of(workspace) is not room.result.advice

    def test_when_everything_became_a_star_the_table_can_still_be_seen(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        type_number(qtbot, workspace, room.settings.models.forms[0].fields.fields["k"], "500")
        find_and_use(qtbot, workspace)
        assert "became *" in room.result.header.text
        assert table_of(workspace) is room.result.advice
        click(qtbot, room.result.advice.table)
        assert table_of(workspace) is room.result.table

    def test_an_impossible_question_is_told_in_place(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        type_number(qtbot, workspace, room.settings.models.forms[0].fields.fields["k"], "99999")
        press(qtbot, workspace, room.settings.search)
        assert "99,999" in room.result.advice.reason.text()
        assert "600" not in room.result.advice.reason.text() + room.result.advice.hint.text()
        assert workspace.document.project.looks  # that there are fewer rows is seen of the data
        assert table_of(workspace) is room.result.advice

    def test_values_that_a_hierarchy_misses_are_told_by_a_look(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        document = workspace.document
        without_chur = Hierarchy.from_rows(CITIES.rows()[:2])
        assert document.apply("x", lambda session: session.data.attach_hierarchy("city", without_chur))
        workspace.status()
        assert not document.session.looks.taken
        press(qtbot, workspace, room.settings.search)
        assert "misses 1 value" in room.result.advice.reason.text() and document.session.looks.taken


class TestCare:
    def test_what_comes_from_true_rows_is_marked(self, workspace: AnonymiseWorkspace, room: SyntacticRoom) -> None:
        assert workspace.lock == "Analyst only"
        workspace.approach.buttons[AnonymityKind.DP].click()
        workspace.status()
        assert workspace.lock == ""

    def test_everything_is_explained_and_named(self, room: SyntacticRoom) -> None:
        book = HelpBook()
        for half in (room.settings, room.result):
            for widget in half.findChildren(QWidget):
                if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible():
                    assert widget.accessibleName(), widget
            keys = {explain_key(widget) for widget in half.findChildren(QWidget)} - {None, ""}
            assert keys
            assert all(book.find(str(key)) is not None for key in keys)

    @pytest.mark.parametrize("size", [(560, 480), (760, 560), (1016, 700), (2400, 1500)])
    def test_it_fits(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom, size: tuple[int, int]
    ) -> None:
        find_and_use(qtbot, workspace)
        workspace.resize(*size)
        qtbot.wait(20)
        assert (workspace.width(), workspace.height()) == size
        idle(qtbot, workspace)


class TestRelease:
    def test_the_kept_rows_are_written_without_a_claim(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom, tmp_path: Path
    ) -> None:
        release = ReleaseWorkspace(workspace.document)
        qtbot.addWidget(release)
        release.show()
        page = release.page
        assert not page.isVisible()
        find_and_use(qtbot, workspace)
        assert page.isVisible()
        assert page.verdict.text == "No (ε, δ) claim"
        assert "k-anonymity (k = 12)" in page.statement.toPlainText()
        assert page.assertions.isHidden(), "there is no claim that could rest on anything"
        assert release.next_hint() == "Export the release"
        out = tmp_path / "out.csv"
        page.export.file.setText(str(out))
        click(qtbot, page.export.export)
        idle(qtbot, workspace)
        with out.open(newline="", encoding="utf-8") as stream:
            header, *rows = csv.reader(stream)
        recoded = workspace.document.session.syntactic.recoded
        assert recoded is not None
        assert header == ["age", "city"]
        assert len(rows) == recoded.rows_out
        assert release.history.table.model().rowCount() == 1
        assert release.history.table.model().index(0, 2).data() == "–"
        assert release.status() is Status.WARNING
        assert "k-anonymity: holds" in out.with_name("out_statement.html").read_text("utf-8")

    def test_an_old_table_cannot_be_exported(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        release = ReleaseWorkspace(workspace.document)
        qtbot.addWidget(release)
        release.show()
        find_and_use(qtbot, workspace)
        assert release.export.export.isEnabled()
        room.settings.columns.rows["age"].slider.setValue(2)
        workspace.status()
        assert not release.export.export.isEnabled()
        click(qtbot, workspace.approach.buttons[AnonymityKind.DP])
        assert not release.page.isVisible()


class TestHaste:
    """What is pressed before the room shows what came of the press before."""

    def test_a_model_is_removed_once(self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom) -> None:
        form = room.settings.models.forms[0]
        form.removed.emit()
        form.removed.emit()
        form.changed.emit("k", 5)
        assert question(workspace).models == ()

    def test_advice_about_models_that_are_gone_is_not_taken(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        press(qtbot, workspace, room.settings.recode)
        room.settings.models.forms[0].removed.emit()
        before = workspace.document.project
        for button in room.result.advice.buttons:
            button.click()
        assert workspace.document.project == before
