"""Below what most values lie, typed in the Compare workspace."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import now
from tests.gui.helpers import idle, pick
from workbench.evaluate.experiment import Basis
from workbench.evaluate.question import Statistic, metrics_for
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.query.catalogue import QueryDraft
from workbench.query.plans import plan


def typed(qtbot: QtBot, room: CompareWorkspace, text: str) -> None:
    """Type it into the field, whatever was there, and wait for what follows."""
    edit = room.view.question.most.edit
    edit.setFocus()
    edit.selectAll()
    if text:
        qtbot.keyClicks(edit, text)
    else:
        edit.clear()
    edit.editingFinished.emit()
    idle(qtbot, room)


def test_it_is_asked_for_where_it_changes_what_is_tried(qtbot: QtBot, declared: CompareWorkspace) -> None:
    question = declared.view.question
    assert not question.below.isHidden() and question.most.edit.placeholderText() == "9 in 10, if public"
    declared.draft.change_basis(Basis.SMOOTH)
    idle(qtbot, declared)
    assert question.below.isHidden(), "a smooth shape lies where it lies"
    declared.draft.change_basis(Basis.TAIL)
    idle(qtbot, declared)
    assert not question.below.isHidden()
    declared.draft.change_question("count", lambda one: replace(one, statistic=Statistic.HISTOGRAM))
    idle(qtbot, declared)
    assert question.below.isHidden()


def test_it_is_hinted_beside_it_that_it_changes_the_errors(qtbot: QtBot, declared: CompareWorkspace) -> None:
    below = declared.view.question.below
    assert not below.hint.isHidden() and below.hint.text() == "Changes all errors if bounds are wide."
    typed(qtbot, declared, "90000")
    assert not below.wrong.isHidden() and below.hint.isHidden()
    typed(qtbot, declared, "20")
    assert not below.hint.isHidden(), "nothing moves"


def test_old_words_are_as_pale_as_their_chart(declared: CompareWorkspace) -> None:
    chart = declared.view.chart
    for current in (False, True):
        chart.set_current(current)
        assert [one.isEnabled() for one in (chart.chart, chart.words.brief, chart.words.whole)] == [current] * 3


def test_what_is_typed_is_tried_said_and_undone(qtbot: QtBot, declared: CompareWorkspace) -> None:
    view = declared.view
    typed(qtbot, declared, "20")
    assert now(declared).most_below == 20 and view.folds[0].button.text() == "Tried on: a long tail"
    tried = view.basis.form["basis"]
    assert isinstance(tried, QComboBox) and tried.currentText() == "Long tail by “Most below”", "none of the usual ones"
    view.run()
    idle(qtbot, declared)
    assert "ith 9 in 10 values below 20" in view.tiles.headline.text()
    assert "9 in 10 values below 20" in view.chart.words.text()
    declared.document.undo_stack.undo()
    idle(qtbot, declared)
    assert now(declared).most_below is None and view.folds[0].button.text() == "Tried on: worst usual shape"
    assert view.question.most.edit.text() == ""
    declared.document.undo_stack.redo()
    idle(qtbot, declared)
    assert now(declared).most_below == 20 and view.question.most.edit.text() == "20"


@pytest.mark.parametrize("number", ["0", "100000"])
def test_a_number_that_is_not_possible_is_named(qtbot: QtBot, declared: CompareWorkspace, number: str) -> None:
    typed(qtbot, declared, number)
    question = declared.view.question
    assert question.below.wrong.text().startswith(f"Most values cannot lie below {int(number):,}: possible are 0 to 1")
    assert question.most.edit.property("invalid") == "true" and not declared.view.can_run
    assert "cannot" not in question.said.text(), "it is said once, beside its field"
    typed(qtbot, declared, "")
    assert declared.view.can_run and question.below.wrong.isHidden()


def test_what_is_no_number_is_said_in_place_of_what_was_wrong_with_the_number_before(
    qtbot: QtBot, declared: CompareWorkspace
) -> None:
    typed(qtbot, declared, "90000")
    view = declared.view
    assert "90,000" in view.foot.cost.text()
    edit = view.question.most.edit
    edit.selectAll()
    qtbot.keyClicks(edit, "abc")
    assert view.question.below.wrong.text() == view.foot.cost.text() == "“Most values below” holds no number."
    edit.selectAll()
    qtbot.keyClicks(edit, "20")
    edit.editingFinished.emit()
    idle(qtbot, declared)
    assert view.question.below.wrong.isHidden() and view.can_run


def test_another_column_begins_without_it(qtbot: QtBot, declared: CompareWorkspace) -> None:
    typed(qtbot, declared, "20")
    names = declared.document.project.schema.names
    pick(qtbot, declared, declared.view.question.column, next(one for one in names if one != "age"))
    assert now(declared).most_below is None


def test_what_becomes_of_global_if_values_reach_twice_as_far_is_said_in_place_of_the_hint(
    qtbot: QtBot, unseen: CompareWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = unseen
    room.document.apply("bounds", lambda session: session.data.set_bounds("age", (0.0, 100_000.0)))
    usual = replace(room.draft.suited(), places=(0.5, 2.0), repetitions=10, users=3000)
    monkeypatch.setattr(room.draft, "suited", lambda: usual)
    room.no_experiment.primary.emit()
    idle(qtbot, room)
    view, below = room.view, room.view.question.below
    assert below.hint.text() == "Changes all errors if bounds are wide.", "nothing was typed"
    height, place = below.height(), view.folds[0].mapTo(view, QPoint())
    typed(qtbot, room, "1000")
    view.run()
    idle(qtbot, room)

    def expected(epsilon: float) -> str:
        """As the plan in Query says it of the same facts."""
        values = {"column": "age", "figure": "mean", "lower": "0", "upper": "100000"}
        people = now(room).users or 0
        draft = QueryDraft("narrowed", str(epsilon), values, assumed_rows=people, rows_typed=True, most_below=2000.0)
        error = plan(draft, room.document.project.schema).error_text
        return f"If below 2,000: Global off by {error.removeprefix('Off by ').removesuffix(' on average.')}"

    for epsilon in (0.5, 2.0):
        view.tiles.set_place(epsilon)
        assert below.hint.text() == expected(epsilon) and below.hint.toolTip()
    assert expected(0.5) != expected(2.0)
    assert (below.height(), view.folds[0].mapTo(view, QPoint())) == (height, place), "nothing below it moves"
    room.draft.change("more", users=4000)
    room.settle()
    assert "If below" not in below.hint.text(), "what was found answers another question"
    view.run()
    idle(qtbot, room)
    assert below.hint.text() == expected(2.0)
    room.draft.change("another error", metric=metrics_for(Statistic.MEAN)[1])
    idle(qtbot, room)
    view.run()
    idle(qtbot, room)
    assert "If below" not in below.hint.text(), "per cent are no error of Query"
    room.document.undo_stack.undo()
    typed(qtbot, room, "60000")
    view.run()
    idle(qtbot, room)
    assert below.hint.text() == "Changes all errors if bounds are wide.", "no value can lie so far"
