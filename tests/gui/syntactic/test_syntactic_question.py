"""The question of k-anonymity and its relatives: how one comes to it, models, limits and columns."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import click, press
from tests.gui.syntactic.helpers import bring, limit, question, type_number
from workbench.anonymise.privacy import MODELS
from workbench.anonymise.recipe import Treatment
from workbench.anonymise.utility import METRICS
from workbench.core.errors import WorkbenchError
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise import workspace as workspace_module
from workbench.gui.workspaces.anonymise.syntactic import SyntacticRoom
from workbench.gui.workspaces.anonymise.syntactic.column_levels import SyntacticRow
from workbench.project.anonymise_settings import AnonymityKind
from workbench.session.release.assessment import PromiseAssessment


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
