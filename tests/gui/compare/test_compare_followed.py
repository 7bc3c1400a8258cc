"""The ways of the Compare workspace are taken over where they are carried out, and made possible there."""

from __future__ import annotations

import math
import re

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import (
    now,
)
from tests.gui.helpers import idle, pick
from workbench.core.schema import Role
from workbench.evaluate.experiment import Basis
from workbench.evaluate.method import Approach
from workbench.evaluate.question import Question, Statistic, metrics_for
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.ldp.encoding import EncodingChoice
from workbench.session.release.knowledge import answer_number


class TestFollowed:
    """One click takes a way over."""

    def test_what_taking_over_sets_is_said_before_it(self, declared: CompareWorkspace) -> None:
        buttons = [card.button.toolTip() for card in declared.view.tiles.cards.values()]
        assert "“age”, 0 to 100, 300 people" in buttons[0] and "replaces the question in Query" in buttons[0]
        assert "quasi-identifying" in buttons[1] and "replaces the plan in Collect" in buttons[2]

    def test_what_query_will_charge_is_on_the_tile_where_it_is_not_the_epsilon_of_the_axis(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        tiles = declared.view.tiles
        ours, _, local = tiles.cards.values()
        assert "Query charges" not in ours.hides.text() and not ours.hides.isVisible()
        declared.hide()  # it is said in another room
        declared.document.apply("known", lambda session: answer_number(session, known=True))
        declared.show()
        idle(qtbot, declared)
        assert ours.hidden.isVisible() and ours.hidden.text() == "Hides a row: ε 0.5; Query charges ε 1"
        assert not ours.hides.isVisible()
        tiles.details.click()
        assert ours.hides.isVisible() and ours.hides.text().endswith(": Query charges ε 1, twice what is set")
        tiles.set_place(0.6)
        assert ours.hides.text().endswith(" ε 1.2, twice what is set") and "Query" not in local.hides.text()

    def test_what_is_paid_stands_beside_the_epsilon_that_is_enough(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        headline = declared.view.tiles.headline
        declared.view.tiles.limit.edit.setText("0.563")
        assert headline.text().startswith("Global, ε about 0.57. ") and "charges" not in headline.text()
        declared.hide()  # it is said in another room
        declared.document.apply("known", lambda session: answer_number(session, known=True))
        declared.show()
        idle(qtbot, declared)
        assert headline.text().startswith("Global, ε about 0.57. ") and " (Query charges 1.14)." in headline.text()

    def test_what_was_taken_over_is_said_in_a_line_with_what_is_charged_and_the_rest_after_it(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        notes: list[str] = []
        declared.document.noted.connect(lambda _kind, words: notes.append(words))
        town = Question(Statistic.HISTOGRAM, "town", EncodingChoice(domain=("Bern", "Basel", "Chur")))
        declared.draft.change("all", question=town, metric=metrics_for(Statistic.HISTOGRAM)[0], public_total=True)
        idle(qtbot, declared)
        declared.view.run()
        idle(qtbot, declared)
        declared.view.tiles.cards[Approach.GLOBAL].button.click()
        line, told = notes[-1].split("\n")
        assert line == "Taken over at ε = 0.5; Query charges 1."
        assert "Its 3 values are declared as public." in told and "each answer counts twice" in told
        assert told.endswith(" Undo takes it back.") and "ε =" not in told, "nothing is said twice"
        declared.draft.change("all", question=Question(Statistic.MEAN, "age"), metric=metrics_for(Statistic.MEAN)[0])
        idle(qtbot, declared)
        declared.view.run()
        idle(qtbot, declared)
        declared.view.tiles.cards[Approach.GLOBAL].button.click()
        said = re.fullmatch(r"Taken over at ε = [0-9.]+; Query charges [0-9.]+\. Undo takes it back\.", notes[-1])
        assert said is not None, "one line, as there is nothing more to be said behind Details"

    @pytest.mark.parametrize("way", [Approach.GLOBAL, Approach.ANONYMISED, Approach.LOCAL])
    def test_a_setting_is_taken_over_where_it_is_carried_out(
        self, qtbot: QtBot, declared: CompareWorkspace, way: Approach
    ) -> None:
        rooms: list[str] = []
        declared.go_to.connect(rooms.append)
        declared.view.tiles.set_place(2.0)
        declared.view.tiles.cards[way].button.click()
        project = declared.document.project
        if way is Approach.GLOBAL:
            draft = project.queries.draft
            assert rooms == ["query"] and (draft.kind, draft.epsilon) == ("mean", "2")
            assert (draft.values["lower"], draft.values["upper"]) == ("0", "100")
        elif way is Approach.ANONYMISED:
            assert rooms == ["anonymise"] and project.anonymise.guarantee.epsilon == 2
            assert "age" in project.hierarchies and project.schema["age"].role is Role.QUASI
        else:
            assert rooms == ["collect"] and project.collect.column == "age" and project.collect.epsilon == 2
        idle(qtbot, declared)
        declared.document.undo_stack.undo()
        assert declared.document.project.queries.draft.kind == "count", "one step back takes all of it back"

    def test_true_values_are_behind_the_lock_and_their_tiles_say_so(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        pick(qtbot, declared, declared.view.basis.form["basis"], Basis.ROWS)
        assert now(declared).users is None and declared.view.button.text() == "Run…"
        assert declared.view.chart.state.text == "Not run yet. It asks first, as it looks at the true values."
        assert declared.lock == "Analyst only"
        declared.view.button.click()
        declared.view.first_look.take.click()
        idle(qtbot, declared)
        assert declared.document.session.comparison.looked
        tiles = declared.view.tiles
        assert "(a look)" in tiles.cards[Approach.GLOBAL].button.text()
        assert tiles.least.text().startswith("Enough on average (less than ")
        assert ", what sampling adds)" in tiles.least.text(), "of what is known it is not the most"

    def test_a_way_that_is_missing_is_added_by_one_click(self, qtbot: QtBot, declared: CompareWorkspace) -> None:
        declared.draft.change("fewer", methods=now(declared).methods[:1])
        idle(qtbot, declared)
        card = declared.view.tiles.cards[Approach.LOCAL]
        assert "Not among" in card.problem.text() and card.button.text() == "Add it"
        card.button.click()
        idle(qtbot, declared)
        assert math.isfinite(declared.view.tiles.shown.tiles[2].error)

    def test_another_plan_is_replaced_only_after_being_asked(self, qtbot: QtBot, declared: CompareWorkspace) -> None:
        declared.document.apply("plan", lambda session: session.collection.change(column="town", users=77))
        idle(qtbot, declared)
        assert declared.document.project.collect.users == 77
        button = declared.view.tiles.cards[Approach.LOCAL].button
        button.click()
        assert declared.document.project.collect.column == "town" and button.text() == "Replace the plan of “town”?"
        button.click()
        plan = declared.document.project.collect
        assert (plan.column, plan.users) == ("age", 300)
        idle(qtbot, declared)
        button.click()
        assert "Replace" not in button.text(), "what was taken over from here is no plan of its own"

    def test_a_question_before_another_plan_is_replaced_is_not_cut_unseen(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        card = declared.view.tiles.cards[Approach.LOCAL]
        for words in ("Replace the plan of “monthly wage”?", f"Replace the plan of “{'wage ' * 20}”?"):
            card.ask(words)
            idle(qtbot, declared)
            shown = card.button.text()
            assert card.button.width() >= card.button.sizeHint().width() and card.button.geometry().left() >= 0
            assert shown == words or (shown.startswith("Replace") and "…" in shown)
            assert " ".join(card.button.toolTip().split()) == " ".join(words.split())
            assert words in card.button.accessibleName()
