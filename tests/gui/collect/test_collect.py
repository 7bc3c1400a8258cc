"""The Collect workspace: what is asked of whom, and what is looked at."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.collect.helpers import ask_age, ask_job, simulate
from tests.gui.helpers import OnScreen, choose, idle
from workbench.gui.document import Document
from workbench.gui.theme import Theme
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.io.dialect import Dialect
from workbench.ldp.encoding import EncodingKind, Outside
from workbench.ldp.plan import Shape
from workbench.project.model import DataSource


def test_where_answers_come_from_is_nothing_without_a_column(document: Document, on_screen: OnScreen) -> None:
    room = on_screen(CollectWorkspace(document), 800)
    choose(room.question.source, "typed")
    assert not document.modified


@pytest.mark.parametrize("typed", [("20", "60"), ("60", "20"), ("x", "3")])
@pytest.mark.parametrize("wide", [816, 1064])
def test_nothing_moves_while_bounds_are_typed(
    qtbot: QtBot, room: CollectWorkspace, typed: tuple[str, str], wide: int
) -> None:
    room.resize(wide, 640)
    choose(room.question.column, "age")
    idle(qtbot, room)
    choose(room.question.source, "typed")
    idle(qtbot, room)
    question = room.question
    below = (question.other, room.privacy, room.estimate, room.foot, room.button)

    def places() -> list[int]:
        qtbot.wait(1)
        idle(qtbot, room)
        return [one.mapTo(room, QPoint()).y() for one in below if one.isVisible()]

    before = places()
    for field, text in zip(question.bounds.numbers, typed, strict=True):
        for key in text:
            qtbot.keyClicks(field.edit, key)
            assert places() == before, (text, key, question.said.text())
    question.source.setFocus()
    assert places() == before


class TestAsking:
    def test_without_the_data_of_a_project_there_is_one_way_on(
        self, qtbot: QtBot, light: Theme, document: Document
    ) -> None:
        document.session.project = replace(document.project, data=DataSource("gone.csv", "print", 3, Dialect(), "rows"))
        room = CollectWorkspace(document)
        qtbot.addWidget(room)
        room.show()
        assert room.pages.currentWidget() is room.no_data
        assert room.no_data.primary_button is not None
        with qtbot.waitSignal(room.open_requested):
            room.no_data.primary_button.click()

    def test_nothing_is_predicted_before_the_answers_are_public(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        assert room.answers.currentIndex() == 0
        choose(room.question.column, "age")
        idle(qtbot, room)
        assert room.answers.currentIndex() == 1
        assert room.question.said.text().startswith("Type the smallest and the largest value")
        assert room.question.bounds.isVisible(), "where they are typed stands open"
        assert room.question.declare.isVisible() and not room.button.isEnabled()
        assert room.prediction.planned is None
        with qtbot.waitSignal(room.reach_requested) as went:
            room.question.declare.click()
        assert went.args == ["data", "kinds:age"], "to the column itself"

    def test_typed_bounds_are_public_and_bins_lose_something_by_themselves(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_age(qtbot, room)
        assert "8 possible answers" in room.question.said.text()
        assert "Public" in room.question.said.text()
        assert "1,200 rows answer" in room.question.counts.words.text()
        assert "bins alone move a value" in room.question.counts.words.text()
        assert room.question.counts.badge.isVisible()
        assert room.document.session.collection.domain().declared

    def test_assumed_public_is_said_everywhere(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        choose(room.question.column, "job")
        idle(qtbot, room)
        choose(room.question.source, "assumed")
        idle(qtbot, room)
        assert "only assumed" in room.question.said.text()
        assert room.reports.cost.text().startswith("No promise")
        assert room.prediction.planned is not None and room.prediction.planned.plan.domain_size == 4

    def test_before_a_look_no_value_is_offered_and_nothing_tells_how_many_there_are(
        self, qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path
    ) -> None:
        room = on_screen(CollectWorkspace(document), 800)
        path = tmp_path / "jobs.csv"
        path.write_text("job\n" + "cook\nnurse\n" * 20, encoding="utf-8")
        document.open_data(path)
        idle(qtbot, room)
        choose(room.question.column, "job")
        idle(qtbot, room)
        question = room.question
        assert not question.offered_values("job") and question.adopt.isHidden()
        document.session.collection.look()
        choose(question.source, "typed")
        choose(question.source, "declared")
        idle(qtbot, room)
        assert list(question.offered_values("job")) == ["cook", "nurse"] and not question.adopt.isHidden()

    def test_values_outside_the_domain_are_named_until_they_may_go_to_the_nearest(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_age(qtbot, room, (30, 50))
        assert "outside the public domain" in room.question.counts.words.text()
        assert not room.button.isEnabled() and "not possible answers" in room.foot.why_not.text()
        assert room.prediction.planned is not None, "a prediction needs no rows"
        choose(room.question.outside, Outside.CLIP)
        idle(qtbot, room)
        assert room.button.isEnabled()
        assert "lie outside the domain" in room.question.counts.words.text()

    def test_own_edges_that_are_no_numbers_are_marked(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        choose(room.question.column, "age")
        idle(qtbot, room)
        choose(room.question.how, EncodingKind.EDGES)
        idle(qtbot, room)
        room.question.edges.setText("0, x")
        room.question.edges.editingFinished.emit()
        assert room.question.edges.property("invalid") == "true"
        room.question.edges.setText("0, 30, 45, 100")
        room.question.edges.editingFinished.emit()
        idle(qtbot, room)
        assert room.document.session.collection.domain().size == 3

    def test_a_question_has_two_answers_and_offers_randomised_response(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_job(qtbot, room)
        assert not room.protocols.rows["rr"].tick.isEnabled()
        assert not room.protocols._groups["ordinal"].isVisible() and not room.protocols._groups["means"].isVisible()
        choose(room.question.how, EncodingKind.QUESTION)
        room.question.answer.setText("nurse")
        room.question.answer.editingFinished.emit()
        idle(qtbot, room)
        assert room.document.session.collection.domain().labels == ("not nurse", "nurse")
        assert room.protocols.rows["rr"].tick.isEnabled()

    def test_another_column_forgets_what_was_said_of_the_first(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_age(qtbot, room)
        ask_job(qtbot, room)
        assert room.document.project.collect.encoding.bounds is None
        room.document.undo_stack.setIndex(0)
        idle(qtbot, room)
        assert room.document.project.collect.column == ""
        assert room.answers.currentIndex() == 0


class TestLooking:
    @pytest.fixture
    def unseen(self, qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path) -> CollectWorkspace:
        path = tmp_path / "unseen" / "people.csv"
        path.parent.mkdir()
        path.write_text("job\n" + "clerk\nnurse\npilot\nsmith\n" * 50, encoding="utf-8")
        made = on_screen(CollectWorkspace(document), 800)
        document.open_data(path)
        idle(qtbot, made)
        ask_job(qtbot, made)
        return made

    def test_the_first_simulation_asks_and_records_the_look(self, qtbot: QtBot, unseen: CollectWorkspace) -> None:
        desk = unseen.document.session.collection
        assert unseen.button.text() == "Simulate…" and unseen.first_look.isHidden()
        simulate(qtbot, unseen)
        assert unseen.first_look.isVisible() and not unseen.button.isEnabled() and not desk.looked
        assert "A release that is drawn later promises less" in unseen.first_look.words.text()
        unseen.first_look.not_now.click()
        idle(qtbot, unseen)
        assert unseen.button.isEnabled() and not desk.looked and unseen.simulation.found is None
        assert not unseen.question.counts.isVisible()
        simulate(qtbot, unseen)
        unseen.first_look.take.click()
        idle(qtbot, unseen)
        assert desk.looked and unseen.first_look.isHidden() and unseen.simulation.found is not None
        assert unseen.button.text() == "Simulate" and unseen.question.counts.isVisible()

    def test_assumed_shares_are_simulated_without_a_look(self, qtbot: QtBot, unseen: CollectWorkspace) -> None:
        desk, page = unseen.document.session.collection, unseen.simulation
        simulate(qtbot, unseen)
        assert unseen.first_look.without.isVisible()
        unseen.first_look.without.click()
        idle(qtbot, unseen)
        assert unseen.tabs.currentWidget() is page and unseen.first_look.isHidden() and not desk.looked
        assert page.found is not None and page.found.assumed and page.badge.isHidden()
        assert page.state.text.startswith("Assumed: falling shares") and unseen.status() is Status.SUCCESS
        unseen.copy_command()
        assert "--predict" in QGuiApplication.clipboard().text(), "no command reads rows unasked"
        choose(unseen.prediction.shape, Shape.FALLING)
        idle(qtbot, unseen)
        assert "out of date" in page.state.text and unseen.status() is Status.WARNING
        simulate(qtbot, unseen)
        assert unseen.first_look.isVisible(), "whose answers is asked again"
        unseen.first_look.without.click()
        idle(qtbot, unseen)
        assert page.state.text.startswith("Assumed: falling shares") and not desk.looked
        assert not unseen.question.counts.isVisible()

    def test_it_is_the_analysts_only_where_it_shows_anything_of_the_table(
        self, qtbot: QtBot, unseen: CollectWorkspace
    ) -> None:
        assert unseen.lock == "Analyst only", "as many people as there are rows"
        unseen.document.apply("", lambda session: session.collection.change(users=500))
        idle(qtbot, unseen)
        assert unseen.lock == ""
        simulate(qtbot, unseen)
        unseen.first_look.take.click()
        idle(qtbot, unseen)
        assert unseen.lock == "Analyst only"
        unseen.document.apply("", lambda session: session.collection.ask_nobody())
        idle(qtbot, unseen)
        assert unseen.lock == "", "of a survey of which the table knows nothing"

    def test_a_sweep_asks_too_and_one_look_is_enough(self, qtbot: QtBot, unseen: CollectWorkspace) -> None:
        unseen.tabs.setCurrentWidget(unseen.sweep)
        unseen.document.apply("fewer", lambda session: session.collection.change(repetitions=2))
        unseen.sweep.points.setValue(2)
        assert unseen.sweep.button.text() == "Sweep…"
        unseen.sweep.run()
        idle(qtbot, unseen)
        assert unseen.sweep.found is None and unseen.sweep.first_look.isVisible()
        unseen.sweep.first_look.take.click()
        idle(qtbot, unseen)
        assert unseen.sweep.found is not None and not unseen.first_look.needed

    def test_nothing_before_the_look_tells_one_answer(
        self, qtbot: QtBot, unseen: CollectWorkspace, tmp_path: Path
    ) -> None:
        found, empty = [], unseen.document.project
        for last in ("smith", "clerk", "astronaut"):
            folder = tmp_path / f"last {last}"
            folder.mkdir()
            text = "job\n" + "clerk\nnurse\npilot\nsmith\n" * 50
            (folder / "people.csv").write_text(text.removesuffix("smith\n") + last + "\n", encoding="utf-8")
            unseen.document.apply("Begin again", lambda session: setattr(session, "project", empty))
            unseen.document.open_data(folder / "people.csv")
            idle(qtbot, unseen)
            unseen.run()
            idle(qtbot, unseen)
            found.append([one.text() for one in unseen.findChildren(QLabel) if one.isVisible()])
            unseen.first_look.not_now.click()
        assert found[1] == found[0] == found[2]


def test_both_parts_are_seen_in_the_width_the_window_is_designed_for(qtbot: QtBot, room: CollectWorkspace) -> None:
    ask_age(qtbot, room)
    assert not room.parts.tabs.isVisible()
    assert room.button.isVisible() and room.prediction.isVisible()


def test_everything_that_takes_the_focus_has_a_name_and_an_explanation(qtbot: QtBot, room: CollectWorkspace) -> None:
    ask_age(qtbot, room)
    book = HelpBook()
    for widget in room.findChildren(QWidget):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisibleTo(room) and not widget.focusProxy():
            named = widget.accessibleName() or getattr(widget, "text", str)()
            assert named, f"{type(widget).__name__} in {type(widget.parentWidget()).__name__} has no name"
    keys = {explain_key(widget) for widget in room.findChildren(QWidget)} - {""}
    assert {key for key in keys if book.find(key) is None} == set()
    assert len([key for key in keys if key.startswith("collect.")]) >= 18
