"""A question that is tried more often: what was found stays in view, and the next question begins as usual."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import PATIENCE_MS, Takes, add, enter, experiment, now, run
from tests.gui.helpers import OnScreen, idle
from workbench.evaluate.experiment import Basis
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.question import Distance, Metric
from workbench.gui.document import Document
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.compare import CompareWorkspace

MANY = 40_000
"""So many tries that they are not through before anybody looks."""


@pytest.fixture
def answered(qtbot: QtBot, unseen: CompareWorkspace) -> CompareWorkspace:
    """A small experiment on a public shape, run in its usual tries."""
    add(qtbot, unseen, experiment(basis=Basis.UNIFORM, users=200))
    run(qtbot, unseen)
    return unseen


def test_what_was_found_stays_until_all_the_tries_are_through(qtbot: QtBot, answered: CompareWorkspace) -> None:
    view = answered.view
    before = view.chart.shown
    assert before is not None
    view.tiles.more_wanted.emit(MANY)
    qtbot.waitUntil(lambda: view.run_of.running and "running" in view.chart.state.text, timeout=PATIENCE_MS)
    seen = set()

    def partly() -> bool:
        seen.add(view.chart.state.text.rpartition(":")[0])
        assert view.chart.shown is before and view.tiles.isEnabled() and view.chart.save.isEnabled()
        assert view.status is None, "nobody has anything to do"
        return bool(view.run_of.job and view.run_of.job.fraction > 0.05)

    qtbot.waitUntil(partly, timeout=PATIENCE_MS)
    assert seen == {f"20 tries; {MANY:,} are running"} and view.tiles.more.isHidden()
    view.cancel.click()
    idle(qtbot, answered)
    assert view.chart.shown is before and view.tiles.isEnabled()
    words = view.chart.state.text
    assert words.startswith("20 tries; ") and words.endswith((f" with {MANY:,}.", f"{MANY:,} are not run yet.")), words
    assert view.chart.state.again.isVisible()
    answered.draft.change("fewer", repetitions=60)
    idle(qtbot, answered)
    assert view.chart.shown is not before and view.chart.shown is not None and view.chart.shown.complete


def test_the_next_question_begins_with_the_usual_number(qtbot: QtBot, answered: CompareWorkspace) -> None:
    view, said = answered.view, []
    answered.document.noted.connect(lambda _tone, words: said.append(words))
    view.tiles.more_wanted.emit(60)
    idle(qtbot, answered)
    assert now(answered).repetitions == 60 and view.status is Status.SUCCESS
    answered.draft.change("another measure", metric=Metric(Distance.PERCENT))
    assert now(answered).repetitions == 60, "the tries that are there tell it, too"
    answered.draft.change("people", users=300)
    idle(qtbot, answered)
    assert now(answered).repetitions == 20
    assert "20 repetitions again: 60 were for the question before." in said
    answered.document.undo_stack.undo()
    idle(qtbot, answered)
    assert now(answered).repetitions == 60, "of the question that was repeated they are kept"


def test_a_number_that_was_typed_is_for_every_question(qtbot: QtBot, answered: CompareWorkspace) -> None:
    answered.view.tiles.more_wanted.emit(60)
    idle(qtbot, answered)
    answered.draft.change("typed", repetitions=50)
    answered.draft.change("typed", repetitions=60)
    answered.draft.change("people", users=300)
    assert now(answered).repetitions == 60


def test_a_name_alone_asks_nothing_anew(qtbot: QtBot, empty: CompareWorkspace) -> None:
    wanted = experiment(basis=Basis.UNIFORM, users=200)
    add(qtbot, empty, replace(wanted, question=replace(wanted.question, column="answers")))
    empty.draft.repeat(60)
    idle(qtbot, empty)
    enter(qtbot, empty, empty.view.question.named, "charge")
    assert now(empty).question.column == "charge" and now(empty).repetitions == 60


def test_another_question_does_not_wait_for_more_tries_of_the_one_before(
    qtbot: QtBot, answered: CompareWorkspace, takes: Takes
) -> None:
    takes(1.0, 0.5)
    view, said = answered.view, []
    answered.document.noted.connect(lambda _tone, words: said.append(words))
    view.tiles.more_wanted.emit(MANY)
    qtbot.waitUntil(lambda: view.run_of.running and "running" in view.chart.state.text, timeout=PATIENCE_MS)
    answered.draft.change("people", users=300)
    idle(qtbot, answered)
    shown = view.chart.shown
    assert shown is not None and shown.complete and shown.experiment == now(answered)
    assert shown.experiment.repetitions == 20 and not any("ancel" in one for one in said)


def test_a_project_that_holds_a_number_keeps_it(
    qtbot: QtBot, answered: CompareWorkspace, on_screen: OnScreen, tmp_path: Path
) -> None:
    answered.view.tiles.more_wanted.emit(60)
    idle(qtbot, answered)
    answered.document.save(tmp_path / "often.awb")
    idle(qtbot, answered)
    again = Document(answered.document.runner)
    again.open_project(tmp_path / "often.awb")
    qtbot.waitUntil(lambda: bool(again.project.comparing.documents), timeout=PATIENCE_MS)
    room = on_screen(CompareWorkspace(again), 816)
    idle(qtbot, room)
    assert now(room).repetitions == 60


def test_the_next_question_to_a_project_with_many_begins_with_the_usual_number(
    qtbot: QtBot, answered: CompareWorkspace, takes: Takes
) -> None:
    takes(600.0, 600.0)
    for _, typed, then in ((0, False, 100), (1, True, 8000)):
        add(qtbot, answered, experiment(basis=Basis.UNIFORM, users=200, repetitions=8000))
        if typed:
            answered.draft.change("typed", repetitions=7000)
            answered.draft.change("typed", repetitions=8000)
        answered.draft.change("people", users=300)
        assert now(answered).repetitions == then


def test_an_answer_stays_until_every_way_was_tried_somewhere(
    qtbot: QtBot, answered: CompareWorkspace, takes: Takes
) -> None:
    """Of another question some points may be there before: no card is empty for them."""
    takes(600.0, 600.0)
    view, before = answered.view, answered.view.chart.shown
    assert before is not None
    answered.draft.change("more ways", methods=(*now(answered).methods, MethodChoice("local")))
    idle(qtbot, answered)
    assert view.chart.shown is before and not view.tiles.isEnabled()
    assert view.chart.state.text == "Out of date: 6 of 9 points are there."
    answered.document.undo_stack.undo()
    idle(qtbot, answered)
    assert view.tiles.isEnabled() and view.status is Status.SUCCESS
