"""Public bounds, values and numbers of people in the Compare workspace: typed, offered and declared."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QApplication,
)
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import (
    enter,
    now,
)
from tests.gui.helpers import PATIENCE_MS, idle, pick
from workbench.evaluate.experiment_edits import USUAL_PEOPLE
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.question import Statistic
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.query.catalogue import QueryDraft
from workbench.session.comparison_follow import follow


class TestBounds:
    """What is public of the column that is asked about."""

    def test_without_a_number_of_people_it_is_said_below_the_settings(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        people = declared.view.basis.form["users"].edit
        people.setFocus()
        people.selectAll()
        qtbot.keyClick(people, Qt.Key.Key_Delete)
        enter(qtbot, declared, people, "")
        assert "how many people" in declared.view.cost.text() and now(declared).users == 300

    def test_bounds_that_were_typed_are_declared_in_one_click(self, qtbot: QtBot, declared: CompareWorkspace) -> None:
        question = declared.view.question
        assert question.adopt.isHidden()
        declared.draft.change_question(
            "bounds", lambda one: replace(one, encoding=replace(one.encoding, bounds=(10.0, 90.0)))
        )
        idle(qtbot, declared)
        assert question.adopt.text() == "Use on every page"
        declared.view.run()
        idle(qtbot, declared)
        assert declared.status() is Status.SUCCESS
        below = declared.view.basis
        place = below.mapTo(declared.view, QPoint(0, 0))
        question.adopt.click()
        idle(qtbot, declared)
        assert declared.document.project.schema["age"].declared().bounds == (10.0, 90.0)
        assert question.adopt.isHidden() and question.comes_from == "typed"
        # It says the same as before: what was found of it stays, and nothing moves under the pointer.
        assert declared.status() is Status.SUCCESS and declared.view.tiles.isEnabled()
        assert below.mapTo(declared.view, QPoint(0, 0)) == place

    def test_bounds_count_as_they_are_typed_and_come_back_with_their_column(
        self, qtbot: QtBot, unseen: CompareWorkspace
    ) -> None:
        unseen.no_experiment.primary.emit()
        idle(qtbot, unseen)
        question = unseen.view.question
        low, high = (one.edit for one in question.bounds.numbers)
        qtbot.keyClicks(low, "16")
        qtbot.keyClicks(high, "1")
        qtbot.wait(1)
        idle(qtbot, unseen)
        assert now(unseen).question.encoding.bounds is None, "nobody means 1 above 16"
        qtbot.keyClicks(high, "00")
        idle(qtbot, unseen)
        assert now(unseen).question.encoding.bounds == (16.0, 100.0) and unseen.view.can_run
        others = [one for one in unseen.document.project.schema.names if one != "age"]
        pick(qtbot, unseen, question.column, others[0])
        pick(qtbot, unseen, question.column, "age")
        assert now(unseen).question.encoding.bounds == (16.0, 100.0) and high.text() == "100"

    @pytest.mark.parametrize("typed", [("16", "100"), ("100", "16"), ("x", "3"), ("1e400", "100")])
    @pytest.mark.parametrize("wide", [816, 1064])
    def test_nothing_moves_while_bounds_are_typed(
        self, qtbot: QtBot, unseen: CompareWorkspace, typed: tuple[str, str], wide: int
    ) -> None:
        unseen.resize(wide, 700)
        unseen.no_experiment.primary.emit()
        idle(qtbot, unseen)
        view = unseen.view
        below = (view.question.measure, view.basis.form["users"], *view.folds)

        def places() -> list[int]:
            qtbot.wait(1)
            idle(qtbot, unseen)
            return [one.mapTo(view, QPoint()).y() for one in below]

        before = places()
        for field, text in zip(view.question.bounds.numbers, typed, strict=True):
            for key in text:
                qtbot.keyClicks(field.edit, key)
                assert places() == before, (text, key, view.question.said.text())
        view.question.source.setFocus()
        assert places() == before

    def test_who_has_just_typed_the_bounds_is_not_led_away_from_the_settings(
        self, qtbot: QtBot, unseen: CompareWorkspace
    ) -> None:
        """In a small window the number of people is typed next, on a page that would be gone."""
        unseen.resize(816, 700)
        unseen.no_experiment.primary.emit()
        idle(qtbot, unseen)
        view = unseen.view
        for field, text in zip(view.question.bounds.numbers, ("0", "100"), strict=True):
            field.edit.setFocus()
            qtbot.keyClicks(field.edit, text)
        view.question.adopt.setFocus()
        qtbot.waitUntil(lambda: view.run_of.running, timeout=PATIENCE_MS)
        assert view.basis.form["users"].isVisible() and not view.tiles.isVisible()
        view.run_of.cancel()
        idle(qtbot, unseen)

    def test_nothing_moves_while_values_are_typed(self, qtbot: QtBot, opened: CompareWorkspace) -> None:
        """After a look two things are offered above the list, and one once it is begun."""
        opened.no_experiment.primary.emit()
        idle(qtbot, opened)
        pick(qtbot, opened, opened.view.question.column, "town")
        view = opened.view
        values, below = view.question.values, (view.question.values, view.question.outside, view.basis.form["users"])

        def places() -> list[int]:
            qtbot.wait(1)
            idle(qtbot, opened)
            return [one.mapTo(view, QPoint()).y() for one in below]

        before = places()
        assert view.question.declare.isVisible() and view.question.adopt.isVisible()
        for typed in ("Bern", "Bern\nBasel", "Bern\nBasel\nChur", ""):
            values.setPlainText(typed)
            values.tell()
            assert places() == before, typed

    def test_a_number_of_people_that_was_said_is_taken(self, qtbot: QtBot, unseen: CompareWorkspace) -> None:
        project = unseen.document.project
        trim = replace(project.anonymise.trim, expected_rows=4321)
        unseen.document.apply("rows", lambda session: session.release.set_trimming(trim))
        unseen.no_experiment.primary.emit()
        idle(qtbot, unseen)
        assert now(unseen).users == 4321 and not unseen.view.basis.whose.text()

    def test_values_that_occur_are_taken_where_somebody_says_that_they_are_public(
        self, qtbot: QtBot, unseen: CompareWorkspace
    ) -> None:
        """On a public shape nothing is read behind anybody's back, so they are put where they can be seen."""
        unseen.no_experiment.primary.emit()
        idle(qtbot, unseen)
        question, schema = unseen.view.question, unseen.document.project.schema
        name = next(one.name for one in schema.columns if not one.kind.numeric)
        pick(qtbot, unseen, question.column, name)
        pick(qtbot, unseen, question.source, "assumed")
        asked = now(unseen).question.encoding
        assert asked.domain and not asked.assume_public and question.comes_from == "typed"
        assert question.values.toPlainText().splitlines() == list(asked.domain) and unseen.view.can_run

    def test_where_no_values_are_declared_they_are_typed_at_once(self, qtbot: QtBot, unseen: CompareWorkspace) -> None:
        unseen.no_experiment.primary.emit()
        idle(qtbot, unseen)
        question, schema = unseen.view.question, unseen.document.project.schema
        name = next(one.name for one in schema.columns if not one.kind.numeric)
        pick(qtbot, unseen, question.column, name)
        assert question.comes_from == "typed" and question.values.isVisibleTo(unseen.view)
        assert not unseen.view.can_run and question.adopt.isHidden(), "of the data nothing is offered before a look"
        question.values.setPlainText("a\nb")
        question.values.tell()
        idle(qtbot, unseen)
        assert now(unseen).question.encoding.domain == ("a", "b") and unseen.view.can_run
        assert question.adopt.text() == "Use on every page"

    @pytest.mark.parametrize("listed", [True, False])
    def test_after_a_column_was_chosen_in_the_list_its_values_are_typed_at_once(
        self, qtbot: QtBot, unseen: CompareWorkspace, listed: bool
    ) -> None:
        unseen.no_experiment.primary.emit()
        idle(qtbot, unseen)
        question, schema = unseen.view.question, unseen.document.project.schema
        question.column.setFocus()
        question.column.from_list = listed
        pick(qtbot, unseen, question.column, next(one.name for one in schema.columns if not one.kind.numeric))
        assert question.values.isVisible() and question.values.hasFocus() is listed
        assert question.column.hasFocus() is not listed, "whoever goes through the columns by keys goes on"

    def test_no_question_is_wider_than_its_pane(self, qtbot: QtBot, opened: CompareWorkspace) -> None:
        """Nothing scrolls sideways there, so what is wider is cut."""
        opened.resize(1280, 800)
        opened.no_experiment.primary.emit()
        for fold in opened.view.folds:
            fold.set_open(True)
        idle(qtbot, opened)
        area = opened.view.settings.column
        assert area.widget() is not None
        for name in opened.document.project.schema.names:
            pick(qtbot, opened, opened.view.question.column, name)
            QApplication.processEvents()
            assert area.widget().minimumSizeHint().width() <= area.viewport().width(), name
        assert opened.view.question.adopt.isVisible() and opened.view.question.declare.isVisible()

    def test_bounds_that_were_read_are_declared_where_they_are_asked_for(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        declared.document.apply("read", lambda one: one.data.set_bounds("age", (1.0, 99.0), observed=True))
        idle(qtbot, declared)
        question = declared.view.question
        assert question.adopt.text() == "What occurs is public" and not declared.view.can_run
        question.adopt.click()
        idle(qtbot, declared)
        assert declared.document.project.schema["age"].declared().bounds == (1.0, 99.0) and declared.view.can_run

    def test_the_number_of_rows_is_taken_after_a_look_or_as_public(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        basis, desk = declared.view.basis, declared.document.session.comparison
        basis.own_rows.click()
        assert not basis.look.isHidden() and now(declared).users == 300 and not desk.looked
        rows = declared.document.session.data.table.rows
        basis.look.known.click()  # on one's word, as values are that are called public
        idle(qtbot, declared)
        assert not desk.looked and now(declared).users == rows and basis.look.isHidden()
        assert now(declared).public_total, "that everybody may know the number was said"
        declared.document.undo_stack.undo()
        idle(qtbot, declared)
        assert now(declared).users == 300 and not now(declared).public_total
        basis.own_rows.click()
        asked = basis.look
        assert asked.known.isVisibleTo(basis) and not asked.take.isVisibleTo(basis), "first whether everybody may know"
        asked.instead.click()
        assert not asked.known.isVisibleTo(basis) and asked.words.isVisibleTo(basis)
        basis.look.take.click()
        idle(qtbot, declared)
        assert desk.looked and now(declared).users == rows and now(declared).basis.public
        assert not now(declared).public_total, "a look makes nothing public"
        basis.own_rows.click()
        assert basis.look.isHidden()

    def test_bounds_that_were_typed_elsewhere_are_offered(self, qtbot: QtBot, declared: CompareWorkspace) -> None:
        document = declared.document
        draft = QueryDraft("mean", "1", {"column": "age", "lower": "10", "upper": "95"})
        document.apply("bounds", lambda session: session.data.set_bounds("age", None))
        document.apply("ask", lambda session: session.queries.set_draft(draft))
        idle(qtbot, declared)
        declared.view.question.show_again()
        adopt = declared.view.question.adopt
        assert adopt.text() == "Use 10 to 95" and "typed in Query" in adopt.toolTip()
        adopt.click()
        idle(qtbot, declared)
        assert document.project.schema["age"].declared().bounds == (10.0, 95.0) and declared.view.can_run
        assert declared.view.question.comes_from == "declared", "nobody typed any here, and no empty fields say so"

    def test_two_offers_stand_one_below_the_other_and_widen_nothing(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        document, question = declared.document, declared.view.question
        draft = QueryDraft("mean", "1", {"column": "age", "lower": "0", "upper": "250000"})
        document.apply("bounds", lambda session: session.data.set_bounds("age", None))
        document.apply("ask", lambda session: session.queries.set_draft(draft))
        idle(qtbot, declared)
        question.show_again()
        offers = (question.declare, question.adopt)
        assert not any(offer.isHidden() for offer in offers)
        line = question.adopt.parentWidget()
        assert line is not None and line.minimumSizeHint().width() < sum(offer.sizeHint().width() for offer in offers)

    def test_bounds_found_first_are_followed_to_their_question(self, declared: CompareWorkspace) -> None:
        session, setting = declared.document.session, MethodChoice("global-narrowed")
        assert follow(session, now(declared), setting, 2.0) == "query"
        draft = session.queries.settings.draft
        assert (draft.kind, draft.values["figure"], draft.values["column"]) == ("narrowed", "mean", "age")
        assert (draft.assumed_rows, draft.rows_typed) == (now(declared).users, True) == (300, True)

    def test_a_number_of_people_that_nobody_typed_is_followed_as_a_guess(self, declared: CompareWorkspace) -> None:
        session, setting = declared.document.session, MethodChoice("global-grid")
        assert follow(session, replace(now(declared), users=USUAL_PEOPLE), setting, 2.0) == "query"
        draft = session.queries.settings.draft
        assert draft.assumed_rows == USUAL_PEOPLE and not draft.says_rows

    def test_the_rows_that_a_look_has_told_are_not_followed(self, declared: CompareWorkspace) -> None:
        session, setting = declared.document.session, MethodChoice("global-grid")
        session.comparison.look()
        follow(session, now(declared), setting, 2.0)
        assert not session.queries.settings.draft.rows_typed

    def test_the_size_of_a_column_is_one_choice(self, qtbot: QtBot, declared: CompareWorkspace) -> None:
        panel = declared.view.chart.panel
        declared.view.chart.adjust.click()
        assert panel.print_size.chosen == "17 cm"
        pick(qtbot, declared, panel.print_size, "8.5 cm")
        figure = declared.draft.current.figure
        assert (figure.width, figure.text) == (3.35, 7.5)


def test_whoever_typed_bounds_in_query_compares_by_them_at_once(qtbot: QtBot, unseen: CompareWorkspace) -> None:
    draft = QueryDraft("sum", "1", {"column": "age", "lower": "10", "upper": "95"})
    unseen.document.apply("ask", lambda session: session.queries.set_draft(draft))
    idle(qtbot, unseen)
    made = unseen.draft.suited()
    assert (made.question.statistic, made.question.column) == (Statistic.SUM, "age")
    assert made.question.encoding.bounds == (10.0, 95.0)
    unseen.no_experiment.primary.emit()
    idle(qtbot, unseen)
    assert now(unseen).question.encoding.bounds == (10.0, 95.0) and not unseen.document.session.comparison.looked


def test_nothing_moves_when_bounds_of_another_room_are_taken(qtbot: QtBot, declared: CompareWorkspace) -> None:
    document, question = declared.document, declared.view.question
    draft = QueryDraft("mean", "1", {"column": "age", "lower": "10", "upper": "95"})
    document.apply("bounds", lambda session: session.data.set_bounds("age", None))
    document.apply("ask", lambda session: session.queries.set_draft(draft))
    idle(qtbot, declared)
    question.show_again()
    idle(qtbot, declared)
    below = declared.view.basis
    place = below.mapTo(declared.view, QPoint(0, 0))
    question.adopt.click()
    idle(qtbot, declared)
    assert question.adopt.isHidden() and question.comes_from == "declared"
    assert below.mapTo(declared.view, QPoint(0, 0)) == place


def test_behind_values_that_are_typed_the_number_of_people_is_next(qtbot: QtBot, unseen: CompareWorkspace) -> None:
    unseen.no_experiment.primary.emit()
    idle(qtbot, unseen)
    question, people = unseen.view.question, unseen.view.basis.form["users"]
    pick(qtbot, unseen, question.column, "town")
    idle(qtbot, unseen)
    question.ask_bounds()
    assert unseen.window().focusWidget() is question.values
    qtbot.keyClicks(question.values, "Bern, Basel, Chur")
    question.values.tell()
    idle(qtbot, unseen)
    assert question.adopt.isVisible(), "a link that is between them on the screen"
    qtbot.keyClick(question.values, Qt.Key.Key_Tab)
    assert unseen.window().focusWidget() is people.edit
