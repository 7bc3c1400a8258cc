"""The search for the best levels of k-anonymity and its relatives, and what it leaves to do where none hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.helpers import click, idle, press
from tests.gui.syntactic.helpers import CITIES, find_and_use, limit, question, table_of, type_number
from workbench.core.hierarchy import Hierarchy
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.syntactic import SyntacticRoom
from workbench.gui.workspaces.anonymise.syntactic.levels_view import LIST
from workbench.session import Session
from workbench.session.syntactic.desk import SyntacticDesk
from workbench.session.syntactic.why_best import why
from workbench.session.syntactic.words import reasons


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

    @pytest.mark.parametrize("searches", [True, False])
    def test_it_is_a_look_before_it_shows_how_far_it_came(
        self,
        qtbot: QtBot,
        workspace: AnonymiseWorkspace,
        room: SyntacticRoom,
        monkeypatch: pytest.MonkeyPatch,
        searches: bool,
    ) -> None:
        def endless(desk: SyntacticDesk) -> Callable[..., None]:
            def work(progress: Callable[[float, str], None]) -> None:
                while True:
                    progress(0.5, "3 of 6 combinations of levels decided")

            return work

        looks, button = workspace.document.session.looks, room.settings.search if searches else room.settings.recode
        monkeypatch.setattr(SyntacticDesk, "best_levels_finder" if searches else "recoder", endless)
        taken = [looks.taken]
        click(qtbot, button)
        taken.append(looks.taken)
        press(qtbot, workspace, button)  # cancelled
        assert taken == [False, True] and looks.taken and workspace.document.modified

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
