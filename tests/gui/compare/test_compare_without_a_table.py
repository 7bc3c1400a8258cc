"""The ways are compared in the window without any table: on a public shape of what is typed."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import enter, now
from tests.gui.helpers import PATIENCE_MS, OnScreen, data_is_there, idle
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.evaluate.experiment import Basis
from workbench.evaluate.experiment_edits import USUAL_PEOPLE, suited
from workbench.evaluate.method import Approach
from workbench.evaluate.question import Question, Statistic
from workbench.gui.document import Document
from workbench.gui.main_window import MainWindow
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.ldp.encoding import EncodingChoice, EncodingKind
from workbench.project.storage import load_project
from workbench.session import Session
from workbench.session.comparison_follow import follow


def type_bounds(qtbot: QtBot, room: CompareWorkspace, low: str, high: str) -> None:
    for field, text in zip(room.view.question.bounds.numbers, (low, high), strict=True):
        enter(qtbot, room, field.edit, text)


@pytest.fixture
def quick(empty: CompareWorkspace) -> CompareWorkspace:
    """The room without a table, with an experiment that is small."""
    room = empty
    room.draft.add(replace(room.draft.suited(), places=(1.0,), repetitions=10, users=200))
    return room


def test_the_room_asks_for_what_a_shape_needs_and_nothing_else(qtbot: QtBot, empty: CompareWorkspace) -> None:
    view = empty.view
    assert empty.pages.currentWidget() is view and empty.views.pages.currentIndex() == 0
    assert now(empty).question.statistic is Statistic.MEAN and now(empty).users == USUAL_PEOPLE
    assert now(empty).basis is Basis.EITHER and "Only a guess" in view.basis.whose.text()
    assert view.question.column.isHidden() and view.question.source.isHidden(), "there is no column to choose"
    bases = [view.basis.form["basis"].itemData(row) for row in range(view.basis.form["basis"].count())]
    assert bases == [one for one in Basis if one.public], "nor true values"
    assert view.cost.text() == "Type from and to first."
    empty.focus_first()
    assert empty.focusWidget() is view.question.bounds.numbers[0].edit
    empty.draft.change_question("count values", lambda one: replace(one, statistic=Statistic.HISTOGRAM))
    idle(qtbot, empty)
    empty.focus_first()
    assert empty.focusWidget() is view.question.values, "its values are typed, one a line"
    assert empty.lock == "" and empty.status() is None and empty.next_hint() == ""


def test_it_answers_as_soon_as_bounds_are_typed_and_as_the_command_does(
    qtbot: QtBot, quick: CompareWorkspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    type_bounds(qtbot, quick, "0", "80")
    quick.view.run()
    idle(qtbot, quick)
    shown = quick.view.chart.shown
    assert shown is not None and shown.complete and not shown.experiment.question.encoding.assume_public
    assert "200 people" in quick.view.chart.state.text
    quick.copy_command(tmp_path)
    idle(qtbot, quick)
    words = shlex.split(QGuiApplication.clipboard().text())
    assert "--data" not in words
    assert main([*words[1 : words.index("--out")], "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["analyst"]["points"] == shown.to_json()["points"] and not found["looked"]


def test_local_is_taken_over_to_the_plan_of_a_survey_and_nothing_else_is(qtbot: QtBot, quick: CompareWorkspace) -> None:
    type_bounds(qtbot, quick, "0", "80")
    quick.view.run()
    idle(qtbot, quick)
    cards = quick.view.tiles.cards
    assert [cards[way].button.isHidden() for way in cards] == [True, True, False]
    with qtbot.waitSignal(quick.go_to) as gone:
        cards[Approach.LOCAL].button.click()
    plan = quick.document.session.collection
    assert gone.args == ["collect"] and plan.without_table and plan.asks_mean
    assert plan.settings.encoding.bounds == (0.0, 80.0) and plan.settings.users == 200
    assert plan.mean_plan().users == 200, "it is whole"


@pytest.mark.parametrize(
    ("statistic", "encoding", "answers"),
    [
        (Statistic.HISTOGRAM, EncodingChoice(domain=("car", "bus")), ("car", "bus")),
        (Statistic.HISTOGRAM, EncodingChoice(how=EncodingKind.BINS, bins=4, bounds=(0.0, 80.0)), None),
        (Statistic.COUNT, EncodingChoice(answer="car"), ("car", "any other")),
    ],
)
def test_every_question_becomes_a_plan_that_is_whole(
    statistic: Statistic, encoding: EncodingChoice, answers: tuple[str, ...] | None
) -> None:
    session = Session()
    desk = session.comparison
    made = suited(desk.schema_of(Question()))
    made = replace(made, users=300, question=replace(made.question, statistic=statistic, encoding=encoding))
    assert desk.domain(made.question, public=True) is not None
    local = next(one for one in made.methods if one.method.approach is Approach.LOCAL)
    follow(session, made, replace(local, identifier="local", values={}), 1.0)
    assert session.collection.without_table and session.collection.domain().size >= 2
    if answers is not None:
        assert session.collection.domain().labels == answers


def test_there_are_no_true_values(quick: CompareWorkspace) -> None:
    on_rows = replace(now(quick), basis=Basis.ROWS, users=None)
    with pytest.raises(WorkbenchError, match="No data is open"):
        quick.draft.desk.runner(on_rows)
    with pytest.raises(WorkbenchError, match="needs a table"):
        follow(quick.document.session, now(quick), replace(now(quick).methods[0], identifier="global-grid"), 1.0)


@pytest.mark.parametrize("name", ["age", "monthly income"])
def test_what_is_typed_is_about_the_column_of_that_name_alone_when_a_table_is_opened(
    qtbot: QtBot, quick: CompareWorkspace, table: Path, name: str
) -> None:
    enter(qtbot, quick, quick.view.question.named, name)
    type_bounds(qtbot, quick, "0", "80")
    document = quick.document
    document.open_data(table)
    data_is_there(qtbot, document)
    idle(qtbot, quick)
    question = quick.view.question
    assert not question.column.isHidden() and question.named.isHidden()
    if name != "age":
        assert now(quick).question.column == name and now(quick).question.encoding.bounds == (0.0, 80.0)
        # It needs no table and stays as it is; whoever asks about this one chooses a column.
        assert question.said.text() == "As typed without a table. Choose a column to ask about this one."
        assert question.column.currentText() == f"{name} (typed)" and quick.view.can_run
        row = question.column.findData("age")
        question.column.setCurrentIndex(row)
        question.column.activated.emit(row)
    kept = (0.0, 80.0) if name == "age" else None
    assert now(quick).question.column == "age" and now(quick).question.encoding.bounds == kept


def test_what_was_typed_without_a_name_is_said_of_the_column_that_is_chosen_first(
    qtbot: QtBot, quick: CompareWorkspace, table: Path
) -> None:
    type_bounds(qtbot, quick, "0", "80")
    enter(qtbot, quick, quick.view.question.below.field.edit, "20")
    document, question = quick.document, quick.view.question
    document.open_data(table)
    data_is_there(qtbot, document)
    idle(qtbot, quick)
    for name in ("age", "town"):
        row = question.column.findData(name)
        question.column.setCurrentIndex(row)
        question.column.activated.emit(row)
        idle(qtbot, quick)
        first = name == "age"
        assert now(quick).question.column == name and now(quick).users == 200
        assert now(quick).question.encoding.bounds == ((0.0, 80.0) if first else None)
        assert now(quick).most_below == (20.0 if first else None)


def test_how_many_people_were_typed_of_something_else_is_no_number_of_this_table(
    qtbot: QtBot, quick: CompareWorkspace, table: Path
) -> None:
    enter(qtbot, quick, quick.view.question.named, "charge")
    type_bounds(qtbot, quick, "0", "80")
    quick.document.open_data(table)
    data_is_there(qtbot, quick.document)
    idle(qtbot, quick)
    assert now(quick).users == 200, "as long as it is asked about that"
    question = quick.view.question
    question.column.setCurrentIndex(question.column.findData("age"))
    question.column.activated.emit(question.column.currentIndex())
    idle(qtbot, quick)
    assert now(quick).users == USUAL_PEOPLE and "Only a guess" in quick.view.basis.whose.text()
    assert now(quick).question.encoding.bounds is None


@pytest.mark.parametrize("name", ["", "charge"])
def test_what_was_found_without_a_table_stays_when_one_is_opened(
    qtbot: QtBot, quick: CompareWorkspace, table: Path, tmp_path: Path, name: str
) -> None:
    view = quick.view
    quick.draft.change_figure("with a caption", caption=True)
    if name:
        enter(qtbot, quick, view.question.named, name)
    type_bounds(qtbot, quick, "0", "80")
    view.run()
    idle(qtbot, quick)
    found = view.chart.shown
    assert found is not None and found.complete
    quick.document.open_data(table)
    data_is_there(qtbot, quick.document)
    idle(qtbot, quick)
    assert view.chart.shown is found and view.tiles.isEnabled() and view.status is Status.SUCCESS
    assert now(quick) == found.experiment and not view.chart.of_other_table
    words = view.chart.words.text()
    assert "rror of the mean of " in words and table.name not in words, "its caption names no table"
    assert view.question.adopt.isHidden(), "and there is no column to declare it of"
    # Nothing of it is about the table: only a survey can be planned by it, and nothing true is there to try on.
    assert [view.tiles.cards[way].button.isHidden() for way in view.tiles.cards] == [True, True, False]
    bases = [view.basis.form["basis"].itemData(row) for row in range(view.basis.form["basis"].count())]
    assert bases == [one for one in Basis if one.public] and not quick.document.session.comparison.looked
    with pytest.raises(WorkbenchError, match="needs a table"):
        follow(quick.document.session, now(quick), replace(now(quick).methods[0], identifier="global-grid"), 1.0)
    quick.copy_command(tmp_path)
    idle(qtbot, quick)
    assert "--data" not in shlex.split(QGuiApplication.clipboard().text())
    # It is saved beside the table, and found again.
    quick.document.save(tmp_path / "both.awb")
    idle(qtbot, quick)
    (kept,) = load_project(tmp_path / "both.awb").comparing.documents
    assert kept.experiment == found.experiment and set(kept.kept) == set(found.keys)


def test_its_name_is_in_the_caption_and_finds_the_column(qtbot: QtBot, quick: CompareWorkspace) -> None:
    enter(qtbot, quick, quick.view.question.named, "age")
    assert str(now(quick).question) == "Mean of age"
    enter(qtbot, quick, quick.view.question.named, " ")
    assert str(now(quick).question) == "Mean of answers"


def test_what_was_found_is_saved_and_found_again(
    qtbot: QtBot, quick: CompareWorkspace, on_screen: OnScreen, tmp_path: Path
) -> None:
    type_bounds(qtbot, quick, "0", "80")
    quick.view.run()
    idle(qtbot, quick)
    quick.document.save(tmp_path / "plan.awb")
    idle(qtbot, quick)
    kept = load_project(tmp_path / "plan.awb").comparing.documents[0].kept
    assert kept
    runner = quick.document.runner
    again = Document(runner)
    again.open_project(tmp_path / "plan.awb")
    qtbot.waitUntil(lambda: bool(again.project.comparing.documents), timeout=PATIENCE_MS)
    room = on_screen(CompareWorkspace(again), 816)
    idle(qtbot, room)
    assert room.view.chart.shown is not None and room.view.chart.shown.complete


def test_whoever_studies_privacy_begins_with_a_comparison(qtbot: QtBot, window: MainWindow) -> None:
    window.show_start()
    (card,) = (one for one in window.start.cards if one.accessibleName() == "Study privacy")
    card.activated.emit()
    room = window.workspaces["compare"]
    assert isinstance(room, CompareWorkspace)
    qtbot.waitUntil(lambda: room.settled and not window.runner.jobs, timeout=PATIENCE_MS)
    assert room.pages.currentWidget() is room.view and room.views.pages.currentIndex() == 0
    assert window.focusWidget() is room.view.question.bounds.numbers[0].edit


def test_what_nobody_named_is_told_by_what_it_may_be(qtbot: QtBot, quick: CompareWorkspace) -> None:
    quick.draft.change_figure("with a caption", caption=True)
    type_bounds(qtbot, quick, "0", "80")
    quick.view.run()
    idle(qtbot, quick)
    view = quick.view
    words = view.chart.words.text()
    assert "rror of the mean of a number from 0 to 80 (" in words and "limited to" not in words.partition("(")[0]
    assert "answers" not in words.partition("(")[0]
    enter(qtbot, quick, view.question.named, "charge")
    assert "rror of the mean of charge, limited to 0" in view.chart.words.text()
