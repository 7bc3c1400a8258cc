"""A comparison that somebody asked for begins as soon as nothing is lacking, and no other one does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import PATIENCE_MS, begun_by_itself, enter, now
from tests.gui.helpers import idle
from workbench.evaluate.experiment import Basis, Experiment
from workbench.gui.runner import Job
from workbench.gui.workspaces.compare import CompareWorkspace


@pytest.fixture
def pressed(qtbot: QtBot, unseen: CompareWorkspace, monkeypatch: pytest.MonkeyPatch) -> CompareWorkspace:
    """The room after a press of “Compare” on its empty page, where bounds and people are still to be typed."""
    room = unseen
    usual = room.draft.suited
    monkeypatch.setattr(room.draft, "suited", lambda: _small(usual()))
    assert room.pages.currentWidget() is room.no_experiment
    room.no_experiment.primary.emit()
    idle(qtbot, room)
    assert room.view.chart.shown is None and not room.view.can_run
    return room


def _small(wanted: Experiment) -> Experiment:
    return replace(wanted, places=(0.5, 2.0), repetitions=10)


def _type_all(qtbot: QtBot, room: CompareWorkspace) -> None:
    low, high = room.view.question.bounds.numbers
    enter(qtbot, room, low.edit, "0")
    enter(qtbot, room, high.edit, "100")
    enter(qtbot, room, room.view.basis.form["users"].edit, "300")


def test_who_pressed_compare_gets_it_once_all_is_typed(qtbot: QtBot, pressed: CompareWorkspace) -> None:
    _type_all(qtbot, pressed)
    shown = pressed.view.chart.shown
    assert shown is not None and shown.complete, pressed.view.chart.state.text
    assert now(pressed).basis.public and not pressed.document.session.comparison.looked


def test_a_number_is_whole_when_nobody_types_any_more_though_its_field_is_not_left(
    qtbot: QtBot, pressed: CompareWorkspace
) -> None:
    low, high = pressed.view.question.bounds.numbers
    enter(qtbot, pressed, low.edit, "0")
    enter(qtbot, pressed, high.edit, "100")
    people = pressed.view.basis.form["users"]
    people.edit.setFocus()
    people.edit.selectAll()
    qtbot.keyClicks(people.edit, "300")
    assert people.typing
    qtbot.waitUntil(lambda: not people.typing, timeout=PATIENCE_MS)
    idle(qtbot, pressed)
    shown = pressed.view.chart.shown
    assert people.edit.hasFocus() and shown is not None and shown.complete and now(pressed).users == 300


def test_nothing_is_run_on_true_values_that_were_chosen_meanwhile(qtbot: QtBot, pressed: CompareWorkspace) -> None:
    pressed.draft.change_basis(Basis.ROWS)
    idle(qtbot, pressed)
    low, high = pressed.view.question.bounds.numbers
    enter(qtbot, pressed, low.edit, "0")
    enter(qtbot, pressed, high.edit, "100")
    assert pressed.view.chart.shown is None and not pressed.document.session.comparison.looked


@pytest.mark.parametrize("looked", [False, True])
def test_nothing_is_run_on_a_table_that_was_opened_elsewhere_meanwhile(
    qtbot: QtBot, pressed: CompareWorkspace, tmp_path: Path, looked: bool
) -> None:
    (tmp_path / "others.csv").write_text("age\n" + "\n".join(map(str, range(20, 90))) + "\n", encoding="utf-8")
    pressed.document.open_data(tmp_path / "others.csv")
    idle(qtbot, pressed)
    if looked:
        pressed.document.session.comparison.look()
    _type_all(qtbot, pressed)
    assert pressed.view.can_run and pressed.view.chart.shown is None and not pressed.view.run_of.running


def test_one_clock_tells_the_time_of_a_run(
    qtbot: QtBot, unseen: CompareWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Job, "seconds_left", 24.0)
    monkeypatch.setattr(Job, "fraction", 0.336)
    view = begun_by_itself(qtbot, unseen)
    assert view.run_of.words(None).endswith(": 33 %"), "the time, and the same share, are in the strip below"
    view.run_of.cancel()
    idle(qtbot, unseen)


def test_whoever_has_gone_to_the_number_of_people_is_waited_for_while_it_is_a_guess(
    qtbot: QtBot, pressed: CompareWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What begins for the guess would stop as soon as the number is typed."""
    begun: list[int | None] = []
    view, start = pressed.view, pressed.view.run_of.start

    def started(asked: Experiment) -> bool:
        begun.append(asked.users)
        return start(asked)

    monkeypatch.setattr(view.run_of, "start", started)
    low, high = view.question.bounds.numbers
    enter(qtbot, pressed, low.edit, "0")
    high.edit.setFocus()
    qtbot.keyClicks(high.edit, "100")
    people = view.basis.form["users"].edit
    people.setFocus()
    qtbot.waitUntil(lambda: view.look.current is not None and view.can_run, timeout=PATIENCE_MS)
    qtbot.wait(500)
    assert begun == []
    enter(qtbot, pressed, people, "300")
    assert begun == [300]


def test_a_guess_that_nobody_begins_to_change_is_run(qtbot: QtBot, pressed: CompareWorkspace) -> None:
    low, high = pressed.view.question.bounds.numbers
    enter(qtbot, pressed, low.edit, "0")
    high.edit.setFocus()
    qtbot.keyClicks(high.edit, "100")
    pressed.view.basis.form["users"].edit.setFocus()
    idle(qtbot, pressed)
    shown = pressed.view.chart.shown
    assert shown is not None and shown.complete and shown.experiment.users == 1000


def test_behind_the_bounds_the_number_of_people_is_next_and_no_offer_takes_what_is_typed(
    qtbot: QtBot, pressed: CompareWorkspace
) -> None:
    """Digits that were typed on the way went nowhere, and what ran was about a thousand people."""
    view = pressed.view
    upper, people = view.question.bounds.numbers[-1].edit, view.basis.form["users"].edit
    enter(qtbot, pressed, view.question.bounds.numbers[0].edit, "0")
    enter(qtbot, pressed, upper, "100")
    assert view.question.adopt.isVisible(), "an offer stands between them"
    upper.setFocus()
    qtbot.keyClick(upper, Qt.Key.Key_Tab)
    assert people.hasFocus()
    reached = []
    for _ in range(40):
        now = QApplication.focusWidget()
        assert now is not None
        reached.append(now)
        qtbot.keyClick(now, Qt.Key.Key_Tab)
    assert view.question.adopt in reached, "it is reached all the same"
