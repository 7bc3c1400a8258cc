"""After a change of an experiment, what is short and of a public shape is run by itself, and nothing else is."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import PATIENCE_MS, Takes, add, experiment, means, now, run
from tests.gui.helpers import idle
from workbench.evaluate.experiment import Basis
from workbench.evaluate.experiment_edits import USUAL_PEOPLE
from workbench.evaluate.question import Statistic
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.compare import CompareWorkspace


@pytest.fixture
def answered(qtbot: QtBot, unseen: CompareWorkspace, takes: Takes) -> CompareWorkspace:
    """A small experiment on a public shape that somebody ran."""
    add(qtbot, unseen, experiment(basis=Basis.UNIFORM, users=200))
    run(qtbot, unseen)
    assert unseen.view.status is Status.SUCCESS
    return unseen


def test_all_of_it_is_renewed_where_that_is_short(qtbot: QtBot, answered: CompareWorkspace, takes: Takes) -> None:
    takes(1.0, 0.5)
    before = means(answered)
    answered.draft.change("people", users=900)
    idle(qtbot, answered)
    assert answered.view.status is Status.SUCCESS and means(answered) != before and len(means(answered)) == 6
    assert answered.view.button.text() == "Run" and not answered.view.button.isEnabled()


def test_what_runs_by_itself_says_so_and_nobody_is_asked_to_press(
    qtbot: QtBot, answered: CompareWorkspace, takes: Takes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it begins there is no blue button and no link to run it; while it runs it can be cancelled at once."""
    monkeypatch.setattr("workbench.gui.workspaces.compare.renewal._NEXT_MS", 1_500)
    takes(1.0, 0.5)
    view, asked = answered.view, now(answered).question
    seen: list[tuple[str, str, bool, bool]] = []

    def look() -> bool:
        state, button = view.chart.state, view.button
        blue = button.property("primary") == "true" and button.isEnabled()
        seen.append((state.text, button.text(), blue, state.again.isVisible()))
        return view.run_of.running

    # So many tries that it is not done before it is cancelled.
    answered.draft.change("spread", question=replace(asked, statistic=Statistic.VARIANCE), repetitions=20_000)
    qtbot.waitUntil(lambda: "repetitions" not in view.chart.state.text, timeout=PATIENCE_MS)
    qtbot.waitUntil(look, timeout=PATIENCE_MS)
    assert {"Out of date: runs again by itself when you pause."} == {text for text, *_ in seen[:-1]}
    assert not any(blue or link for *_, blue, link in seen)
    assert view.button.text() == "Running…" and not view.cancel.isHidden()
    view.cancel.click()
    idle(qtbot, answered)
    assert view.button.property("primary") == "true"
    assert view.chart.state.again.isVisible(), "what was cancelled does not begin again, and waits to be run"


def test_else_the_tiles_are_and_the_rest_waits(qtbot: QtBot, answered: CompareWorkspace, takes: Takes) -> None:
    takes(60.0, 1.0)
    answered.draft.change("people and tries", users=900, repetitions=3_000)
    idle(qtbot, answered)
    view, shown = answered.view, answered.view.chart.shown
    assert shown is not None and shown.experiment == now(answered)
    assert 1.0 in shown.through and not shown.complete
    assert not view.run_of.running and view.button.isEnabled()
    assert "done; the rest of the curves is not run yet" in view.chart.state.text or len(shown.through) > 1
    known = len(shown.points)
    idle(qtbot, answered)
    assert len(means(answered)) == known, "nor does the rest begin later"


def test_another_statistic_waits_for_the_column_that_may_follow(
    qtbot: QtBot, answered: CompareWorkspace, takes: Takes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.gui.workspaces.compare.renewal._NEXT_MS", 1_500)
    takes(1.0, 0.5)
    view, asked = answered.view, now(answered).question
    answered.draft.change("spread", question=replace(asked, statistic=Statistic.VARIANCE))
    began = time.monotonic()
    qtbot.waitUntil(lambda: view.run_of.running or view.run_of.runs_unasked, timeout=PATIENCE_MS)
    assert time.monotonic() - began > 1.2, "a column is chosen next"
    idle(qtbot, answered)
    assert view.status is Status.SUCCESS


@pytest.mark.parametrize("users", [USUAL_PEOPLE, 900])
def test_another_question_waits_for_how_many_people_where_nobody_said_it(
    qtbot: QtBot, answered: CompareWorkspace, takes: Takes, users: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What begins for the guess would be out of date, in grey, as soon as the number beside it is typed."""
    monkeypatch.setattr("workbench.gui.workspaces.compare.renewal._NEXT_MS", 60_000)
    answered.draft.change("people", users=users)
    idle(qtbot, answered)
    takes(1.0, 0.5)
    view, asked = answered.view, now(answered).question
    answered.draft.change("bounds", question=replace(asked, encoding=replace(asked.encoding, bounds=(0.0, 77.0))))
    qtbot.wait(1_500)
    begun = view.run_of.running or view.status is Status.SUCCESS
    assert begun == (users != USUAL_PEOPLE)
    if not begun:
        answered.draft.change("people", users=800)
        qtbot.wait(1_500)
    idle(qtbot, answered)
    assert view.status is Status.SUCCESS


def test_nothing_begins_under_an_open_list(
    qtbot: QtBot, answered: CompareWorkspace, takes: Takes, monkeypatch: pytest.MonkeyPatch
) -> None:
    takes(1.0, 0.5)
    opened = answered.view.question.statistic.view().parentWidget()
    monkeypatch.setattr(QApplication, "activePopupWidget", lambda: opened)
    answered.draft.change("people", users=900)
    qtbot.wait(900)
    assert not answered.view.run_of.running
    monkeypatch.undo()
    idle(qtbot, answered)
    assert answered.view.status is Status.SUCCESS


def test_what_takes_long_waits_for_run(qtbot: QtBot, answered: CompareWorkspace, takes: Takes) -> None:
    takes(60.0, 9.0)
    answered.draft.change("people", users=900)
    idle(qtbot, answered)
    assert answered.view.status is Status.WARNING and "Out of date" in answered.view.chart.state.text


def test_nothing_begins_before_the_first_run(qtbot: QtBot, unseen: CompareWorkspace, takes: Takes) -> None:
    takes(1.0, 0.5)
    add(qtbot, unseen, experiment(basis=Basis.UNIFORM, users=200))
    unseen.draft.change("people", users=900)
    idle(qtbot, unseen)
    assert unseen.view.chart.shown is None and not unseen.view.run_of.running


def test_true_values_are_looked_at_by_nobody_but_a_person(
    qtbot: QtBot, workspace: CompareWorkspace, takes: Takes
) -> None:
    run(qtbot, workspace)
    takes(0.1, 0.1)
    workspace.draft.change("more", repetitions=30)
    idle(qtbot, workspace)
    assert workspace.view.status is Status.WARNING
    assert workspace.view.chart.state.text == "20 tries; 30 are not run yet.", "nor is what was found out of date"


def test_what_somebody_cancels_does_not_begin_again(qtbot: QtBot, answered: CompareWorkspace, takes: Takes) -> None:
    takes(1.0, 0.5)
    view = answered.view
    answered.draft.change("more", repetitions=10_000)
    qtbot.waitUntil(lambda: view.run_of.runs_unasked, timeout=PATIENCE_MS)
    view.run_of.cancel()
    idle(qtbot, answered)
    assert not view.run_of.running and view.run_of.unasked is None


def test_a_press_of_run_makes_all_of_what_began(qtbot: QtBot, answered: CompareWorkspace, takes: Takes) -> None:
    takes(60.0, 1.0)
    view = answered.view
    answered.draft.change("more", repetitions=3_000)
    qtbot.waitUntil(lambda: view.run_of.glances, timeout=PATIENCE_MS)
    view.button.click()
    idle(qtbot, answered)
    assert view.status is Status.SUCCESS and len(means(answered)) == 6


def test_another_change_takes_its_place(qtbot: QtBot, answered: CompareWorkspace, takes: Takes) -> None:
    takes(60.0, 1.0)
    view = answered.view
    answered.draft.change("more", repetitions=10_000)
    qtbot.waitUntil(lambda: view.run_of.glances, timeout=PATIENCE_MS)
    takes(1.0, 0.5)
    answered.draft.change("fewer", repetitions=30)
    idle(qtbot, answered)
    assert view.status is Status.SUCCESS and now(answered).repetitions == 30
