"""The settings of a trimmed release in the Anonymise workspace, through its widgets."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import open_step_of, seen
from tests.gui.helpers import PATIENCE_MS, Anonymising, choose, click, idle, pick, press
from workbench.anonymise.balanced import Importance
from workbench.anonymise.dp_search import Degree
from workbench.anonymise.recipe import ReleaseMechanism, Treatment
from workbench.anonymise.terms import PEOPLE_KNOWN, PEOPLE_NOT_TOLD
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.hierarchy import Hierarchy
from workbench.core.known_number import KnownNumber
from workbench.core.number_text import percent, rounded_up
from workbench.core.schema import PrivacyUnit
from workbench.gui import tokens
from workbench.gui.budget import BudgetStrip
from workbench.gui.next_step import KNOWN, RELEASED, Way
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise import workspace as workspace_module
from workbench.gui.workspaces.anonymise.column_row import ColumnTreatment
from workbench.gui.workspaces.anonymise.column_tables import DetailTable
from workbench.gui.workspaces.anonymise.knowledge_dialog import KnowledgeDialog
from workbench.gui.workspaces.anonymise.release_row import LEAVE_OUT, ReleaseRow, at_least, at_most, exactly
from workbench.gui.workspaces.release.history import HistorySection
from workbench.project.model import GuaranteeSettings, Project, new_project
from workbench.project.storage import load_project, save_project
from workbench.project.trim_settings import StepsBy, Survives, TrimSettings, TrimUnknown
from workbench.query.ledger_entries import LeftFile
from workbench.session import Session
from workbench.session.release import remedies
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.knowledge import SOURCES
from workbench.session.release.outlook import Outlook
from workbench.session.release.prospect import Prospect
from workbench.session.release.reading import small_groups
from workbench.session.release.remedies import RULE
from workbench.session.release.steps import LevelSource
from workbench.session.release.tried_remedy import OutlookRemedy
from workbench.session.release.wishes import never_star

PEOPLE_ASKED = "Do others know how many people there are?"
AGES = Hierarchy.from_rows([(str(a), f"{a // 5 * 5}+", f"{a // 10 * 10}s", "*") for a in range(20, 60)])
DEGREES = (Degree.NONE, Degree.LOW, Degree.MEDIUM, Degree.HIGH, Degree.COMPLETE)
CITIES = Hierarchy.from_rows([("Bern", "*"), ("Basel", "*"), ("Chur", "*")])


@pytest.fixture
def room(qtbot: QtBot, anonymising: Anonymising, tmp_path: Path) -> AnonymiseWorkspace:
    """The workspace with 4,000 people, and hierarchies for age and city."""
    path = tmp_path / "people.csv"
    lines = [f"P{i:04},{20 + i % 40},{('Bern', 'Basel', 'Chur')[i % 3]}" for i in range(4_000)]
    path.write_text("person,age,city\n" + "\n".join(lines) + "\n", encoding="utf-8")

    def prepare(session: Session) -> None:
        for name, hierarchy in (("age", AGES), ("city", CITIES)):
            session.data.attach_hierarchy(name, hierarchy)
            session.release.columns.set_level(name, 0)
        trim = session.project.anonymise.trim
        session.release.set_trimming(replace(trim, steps=StepsBy.DEGREES, degrees=DEGREES))

    made = anonymising(path, prepare)
    made.promise.details.set_open(True)
    made.levels.steps_details.set_open(True)
    idle(qtbot, made)
    return made


def test_several_releases_are_planned_at_the_price_on_the_button(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    series, document = room.plan.series, room.document
    open_step_of(room, series)
    assert series._document.session.ledger.current.spent().epsilon == 0
    room.plan.details.set_open(True)
    series.releases.setValue(3)
    write(qtbot, room, series.delta, "1/20")
    priced = document.session.release.series.price(3, 0.05)
    assert series.plan.text() == f"Plan 3 releases · ε {rounded_up(priced.epsilon)}"
    assert f"one by one ε {rounded_up(priced.added)}" in series.price.text() and priced.epsilon < priced.added
    before = document.project.anonymise
    push(qtbot, room, series.plan)
    assert document.session.ledger.current.spent().epsilon == priced.epsilon
    assert document.project.anonymise == before and not document.undo_stack.canUndo(), "it is spent, and no setting"
    document.run()
    idle(qtbot, room)
    assert document.session.release.current_result().claim.holds
    assert document.session.ledger.current.spent().epsilon == priced.epsilon, "the plan pays for its releases"


def test_columns_that_say_nothing_in_most_rows_are_named(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.HAND)
    room.document.apply("level", lambda session: session.release.columns.set_level("city", 1))
    room.document.run()
    idle(qtbot, room)
    result = room.document.session.release.current_result()
    assert result.starred == {"age": 0, "city": 1}
    assert room.result.notice.text() == "* in most rows: city in 100 %" and seen(room.result.notice, room)
    assert "city: * in 100 % of the rows" in room.result.claim.toolTip() and "age: *" not in room.result.claim.toolTip()


def test_a_column_that_says_nothing_is_named_before_the_draw_and_left_out_in_one_press(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    source(qtbot, room, LevelSource.HAND)
    room.document.apply("level", lambda session: session.release.columns.set_level("city", 1))
    idle(qtbot, room)
    assert trim(room).expected_rows is None
    assert room.outlook.stars.text() == "* (no value) in every row: city"
    foot = room.foot
    assert foot.mend.isVisibleTo(room) and foot.mend.text() == "Leave city out" == room.next_hint()
    assert foot.run_button.text() == "Make it anyway · ε 1, δ 1e-5", "what helps comes before what spends"
    assert not [one.text() for one in room.outlook.buttons if one.isVisibleTo(room)], "nothing is offered twice"
    assert room.outlook.more.isVisibleTo(room) and room.outlook.optional.isVisibleTo(room)
    room.document.run()
    idle(qtbot, room)
    release, bar = room.document.session.release, room.result.look
    assert not bar.other.isVisibleTo(room), "age would be no finer, so nothing is to be paid for that"
    assert bar.spare.isVisibleTo(room) and bar.spare.text() == "Leave city out · free"
    assert bar.spare.toolTip().startswith("city: not in the file") and not bar.which.full_text, "it is named already"
    bar.which.set_names(("year of birth", "city", "trade"))
    narrow = bar.which.fontMetrics().horizontalAdvance("year of birth, 2 more") + 2
    shown = []
    for width in (400, narrow, 20):
        bar.which.resize(width, 16)
        shown.append(bar.which.text())
    assert shown == ["year of birth, city, trade", "year of birth, 2 more", "…"], "no name is cut"
    assert set(room.result.table.chips) == {"city"}
    push(qtbot, room, bar.spare)
    result = release.current_result()
    assert release.after(result).left_out == ("city",) and not room.result.table.chips
    assert room.document.session.ledger.draws(result.fingerprint) == 1 and release.current_claim().epsilon == 1
    assert not bar.spare.isVisibleTo(room) and "city" not in room.result.notice.text()


def test_a_draw_without_what_says_nothing_is_made_in_one_press_and_claims_both(
    qtbot: QtBot, room: AnonymiseWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    source(qtbot, room, LevelSource.HAND)
    room.document.apply("level", lambda session: session.release.columns.set_level("city", 1))
    monkeypatch.setattr(remedies, "_finer", lambda *_: True)
    room.document.run()
    idle(qtbot, room)
    release, other = room.document.session.release, room.result.look.other
    assert other.isVisibleTo(room) and other.text() == "Draw again without it · ε 1 more"
    assert other.accessibleName() == "Draw again without city · ε 1 more"
    assert "its claim is for both together" in other.toolTip()
    push(qtbot, room, other)
    assert set(release.current_result().starred) == {"age"} and release.columns.treatment("city") is Treatment.LEAVE_OUT
    assert room.document.session.ledger.draws(release.current_result().fingerprint) == 2
    assert release.current_claim().epsilon == 2 and release.chosen(release.current_result())
    assert not other.isVisibleTo(room), "nothing is * in most rows any more"
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert release.columns.treatment("city") is not Treatment.LEAVE_OUT


@pytest.mark.parametrize("asserted", [True, False])
def test_what_left_without_a_claim_is_not_said_to_have_one(
    qtbot: QtBot, room: AnonymiseWorkspace, tmp_path: Path, asserted: bool
) -> None:
    room.document.run()
    idle(qtbot, room)
    assert room.claim_word() == "Claim holds if you can say:"
    room.document.export(tmp_path / "r.csv", None, without_claim=not asserted, asserted=asserted)
    idle(qtbot, room)
    assert room.claim_word() == ("Exported with its claim" if asserted else "Exported without a claim")
    assert room.result.claim.link.text().startswith("Why?")
    room.result.claim.link.click()
    told = [one.text() for one in room.result.reasons.findChildren(QLabel)]
    if not asserted:
        assert told.index("What voids the claim") == min(told.index(one) for one in told if one.startswith("What ")), (
            "the reason comes first"
        )


def test_what_left_is_shown_with_all_that_counts_for_it(qtbot: QtBot, room: AnonymiseWorkspace, tmp_path: Path) -> None:
    release = room.document.session.release
    room.document.run()
    idle(qtbot, room)
    room.document.apply("Leave out", lambda session: session.release.columns.set_treatment("city", Treatment.LEAVE_OUT))
    room.document.run()
    idle(qtbot, room)
    release.choose(release.current_result().draw, True)
    room.document.changed.emit("result")
    idle(qtbot, room)
    room.document.export(tmp_path / "r.csv", None, asserted=True)
    idle(qtbot, room)
    assert room.claim_word() == "Exported with its claim"
    (left,) = release.exported.values()
    assert left.claim.price in room.result.claim.text and left.claim.epsilon == 2, "both draws count"


def test_what_left_is_not_said_of_what_is_to_be_written_otherwise(
    qtbot: QtBot, room: AnonymiseWorkspace, tmp_path: Path
) -> None:
    room.document.run()
    idle(qtbot, room)
    room.document.export(tmp_path / "r.csv", None, asserted=True)
    idle(qtbot, room)
    release = room.document.session.release
    assert room.claim_word() == "Exported with its claim" and room.run_button.text() == "To the exported release…"
    for left_out in (["city"], []):
        release.write_otherwise(release.current_result(), left_out=left_out)
        room.document.changed.emit("result")
        idle(qtbot, room)
        otherwise = room.claim_word() == "Claim holds if you can say:" and room.run_button.text().startswith("Export")
        as_it_left = room.claim_word() == "Exported with its claim" and room.run_button.text().startswith("To the")
        assert otherwise if left_out else as_it_left


def test_before_a_draw_each_column_says_what_is_likely_to_come_out_and_after_it_what_came_out(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    view = room.result
    assert view._pages.currentWidget() is view.details, "there is something to look at before a draw"
    model = view.details.model
    assert [column.title for column in model.columns] == ["Column", "Detail", "% of rows", "Needs"]
    names = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert [name for name in names if name] == ["age", "city"], "each is named once"
    assert "likely to be missing" in view.details.note.text() and "likely to be missing" in view.details.more.text()
    assert not view.tabs.isTabVisible(view.tabs.indexOf(view.columns))
    room.document.run()
    idle(qtbot, room)
    qtbot.waitUntil(lambda: view.tabs.isTabVisible(view.tabs.indexOf(view.columns)), timeout=PATIENCE_MS)
    rows: dict[str, int] = {}
    for one in view.columns.model.records:
        rows[one.column] = rows.get(one.column, 0) + one.rows
    result = room.document.session.release.result
    assert result is not None and rows == dict.fromkeys(("age", "city"), result.outcome.rows_out)


@pytest.mark.parametrize("width", [824, 1080, 1240])
def test_once_the_settings_changed_after_a_draw_they_have_the_room_and_a_forecast(
    qtbot: QtBot, room: AnonymiseWorkspace, width: int
) -> None:
    room.resize(width, 640)
    room.show()
    room.document.run()
    idle(qtbot, room)
    view, bar = room.result, room.outlook
    ahead = view.tabs.indexOf(view.ahead)
    assert not view.tabs.isTabVisible(ahead), "what came out is there to be seen"
    room.document.apply(
        "ε", lambda session: session.release.set_guarantee(replace(session.project.anonymise.guarantee, epsilon=2))
    )
    idle(qtbot, room)
    assert view.tabs.isTabVisible(ahead) and view.ahead.model.rowCount() == view.details.model.rowCount() > 0
    room.parts.show_part(0)
    qtbot.waitUntil(lambda: bar.rows.width() >= tokens.FIELD_WIDTH, timeout=PATIENCE_MS)
    for part in (bar.rows, bar.public.no, bar.public.yes, bar.more, bar.never):
        if part.isVisible():
            wide = part is not bar.never  # which is cut to its place, and whole where it is pointed at
            assert not wide or part.width() >= min(part.sizeHint().width(), tokens.FIELD_WIDTH), part
            left = part.mapTo(room.foot, part.rect().topLeft()).x()
            assert left >= 0 and left + part.width() <= room.foot.width(), "nothing is cut"
    assert bar.more.width() >= bar.more.minimumSizeHint().width()
    question = bar.public.question
    qtbot.waitUntil(lambda: question.height() >= question.heightForWidth(question.width()), timeout=PATIENCE_MS)
    asked, answers = (
        QRect(part.mapTo(bar, QPoint()), part.size()) for part in (question, bar.public.no.parentWidget())
    )
    assert asked.bottom() < answers.top() or asked.right() < answers.left(), "neither lies on the other"
    assert answers.bottom() <= bar.height(), "nor on what is below"
    run = room.run_button.mapTo(room.foot, room.run_button.rect().bottomLeft())
    assert run.y() < bar.more.mapTo(room.foot, QPoint()).y(), "what need not be said is below what leads on"
    room.parts.show_part(1)
    qtbot.waitUntil(view.claim.isVisible, timeout=PATIENCE_MS)
    facts = view.claim.text.split(" · ")
    assert facts[:2] == ["Out of date", "the settings changed"]
    qtbot.waitUntil(lambda: set(view.claim.shown.split(" · ")) <= {*facts, "…"}, timeout=PATIENCE_MS)
    assert view.claim.shown.startswith("Out of date"), "what is shown of it is whole"


def test_beside_the_button_it_says_what_is_starred_although_all_is_kept(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    teams = Hierarchy.from_rows([(f"P{i:04}", f"team {i % 9}", "*") for i in range(4_000)])
    room.document.apply("teams", lambda session: session.data.attach_hierarchy("person", teams))
    write(qtbot, room, room.plan.rows, "700")

    def keep_all(session: Session) -> None:
        for name in session.release.chain().vectors[0]:
            session.release.steps.set_importance(name, Importance.KEEP)

    room.document.apply("Keep all", keep_all)
    idle(qtbot, room)
    words = room.outlook.words.text()
    assert room.outlook.stars.text().startswith("* (no value) in ") and " rows: " in room.outlook.stars.text()
    assert "With every column “Last to become *”, none is kept longer." in words
    assert seen(room.outlook.words, room) and room.outlook.words.property("tone") == "warning"


def test_what_is_pressed_stays_where_it_is_while_one_button_is_there_for_two(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    room.resize(1024, 690)
    room.show()
    source(qtbot, room, LevelSource.BALANCED)
    foot = room.foot
    qtbot.waitUntil(lambda: foot.mend.isVisible() and foot.width() < 2 * tokens.STEPS_WIDTH, timeout=PATIENCE_MS)
    assert foot.mend.geometry().bottom() < foot.run_button.geometry().top(), "below each other"
    parts = (room.outlook.public.no, room.outlook.rows)
    places, top = [part.mapTo(room, QPoint()) for part in parts], foot.mend.mapTo(room, QPoint()).y()
    push(qtbot, room, room.outlook.public.no)
    write(qtbot, room, room.plan.rows, "1000000")
    qtbot.waitUntil(lambda: not foot.mend.isVisible(), timeout=PATIENCE_MS)
    assert [part.mapTo(room, QPoint()) for part in parts] == places
    assert foot.run_button.mapTo(room, QPoint()).y() == top, "in the place of what led on before"


def test_that_hardly_a_row_may_come_out_is_said_in_the_colour_of_a_warning(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    source(qtbot, room, LevelSource.HAND)
    write(qtbot, room, room.plan.rows, "1500")
    words = room.outlook.words
    assert "from hardly any up to" in words.text() and words.property("tone") == "warning"
    write(qtbot, room, room.plan.rows, "100000")
    assert "hardly" not in words.text() and words.property("tone") == "none"


def test_whether_others_know_the_number_is_asked_before_the_draw_and_stops_nobody(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    foot, public = room.foot, room.outlook.public
    assert room.next_hint() == foot.mend.text() == "Say whether others know the number"
    assert foot.run_button.text() == "Make the release · ε 1, δ 1e-5" and foot.run_button.isEnabled()
    assert foot.run_button.property("primary") == "false", "who goes where it is blue has answered when it spends"
    click(qtbot, foot.mend)
    assert QApplication.focusWidget() is public.no and not public.no.isChecked(), "nobody has answered for them"
    push(qtbot, room, public.no)
    assert not foot.mend.isVisibleTo(room) and room.next_hint() == "Press “Make the release”"


def test_a_change_is_worked_out_once_and_again_where_the_ledger_moved(
    qtbot: QtBot, room: AnonymiseWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    real = workspace_module.assess

    def counted(*rest: Any) -> PromiseAssessment:
        made.append(rest)
        return real(*rest)

    monkeypatch.setattr(workspace_module, "assess", counted)
    document = room.document

    def told() -> int:
        made.clear()
        document.tell_ledger()  # as after every change, whether anything was written or not
        idle(qtbot, room)
        return len(made)

    told()
    write(qtbot, room, room.plan.rows, "3000")
    assert told() == 0, "nothing was written"
    document.session.ledger.current.set_budget(Fraction(2), Fraction(1, 10_000))
    assert told() == 1 and told() == 0


def test_what_matters_most_is_ticked_where_it_is_told_what_is_likely_to_come_out(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    table, steps = room.result.details, room.document.session.release.steps
    assert table.asks.isHidden(), "by degree all columns become coarser together"
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "100")
    assert seen(table.asks, room) and table.model.kept == frozenset()

    def cell(name: str) -> QModelIndex:
        places = (table.model.index(row, 0) for row in range(table.model.rowCount()))
        return next(index for index in places if index.data() == name)

    def stars() -> set[str]:
        return {one.column for one in table.model.records if one.words == "*"}

    assert stars() == {"age"}
    qtbot.mouseClick(table.view.viewport(), Qt.MouseButton.LeftButton, pos=table.view.visualRect(cell("age")).center())
    idle(qtbot, room)
    assert steps.importance("age") is Importance.KEEP and table.model.kept == {"age"}
    assert stars() == {"city"}, "the others become * first"
    assert table.view.currentIndex().data() == "age", "the next key changes what the last one did"
    qtbot.keyClick(table.view, Qt.Key.Key_Space)
    idle(qtbot, room)
    assert steps.importance("age") is Importance.NORMAL and stars() == {"age"}
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert steps.importance("age") is Importance.KEEP and table.model.kept == {"age"}


def test_columns_stay_where_they_are_while_others_are_ticked(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    table, document = room.result.details, room.document
    source(qtbot, room, LevelSource.BALANCED)

    def lines(**levels: int) -> PromiseAssessment:
        made = [DetailOutlook(name, one, f"{one}", (10, 20)) for name, many in levels.items() for one in range(many)]
        return PromiseAssessment(details=tuple(made))

    def places() -> dict[str, int]:
        rows = range(table.model.rowCount())
        return {name: row for row in rows if (name := table.model.index(row, 0).data())}

    def shown(found: PromiseAssessment) -> list[DetailOutlook]:
        table.show_assessment(found)
        return list(table.model.records)

    def tick(name: str, wanted: Importance, found: PromiseAssessment) -> None:
        document.apply("tick", lambda session: session.release.steps.set_importance(name, wanted))
        table.show_assessment(found)

    table.show_assessment(lines(age=3, city=1, job=2))
    assert places() == {"age": 0, "city": 3, "job": 5}
    tick("age", Importance.KEEP, lines(age=1, city=2, job=2))
    assert places() == {"age": 0, "city": 3, "job": 5}, "what is below does not slide under the pointer"
    tick("age", Importance.NORMAL, lines(age=3, city=1, job=2))
    tick("city", Importance.KEEP, lines(age=3, city=1, job=1))
    assert places() == {"age": 0, "city": 3, "job": 5}
    assert [one.words for one in table.model.records] == ["0", "1", "2", "0", "", "0", ""], "blank lines say nothing"
    many = {f"c{place}": 1 for place in range(7)}
    assert "" not in [one.words for one in shown(lines(**many))], "of many columns there is no room for that"
    trimmed = replace(document.project.anonymise.trim, expected_rows=400)
    document.apply("rows", lambda session: session.release.set_trimming(trimmed))
    table.show_assessment(lines(age=2, city=1, job=1))
    assert places() == {"age": 0, "city": 2, "job": 4}, "anything else is shown without room for what was"
    assert "changes nothing" not in table.asks.text()
    tick("job", Importance.KEEP, lines(age=2, city=1, job=1))
    assert "The last tick changes nothing" in table.asks.text(), "who ticks and sees nothing move is told"
    tick("job", Importance.NORMAL, lines(age=2, city=2, job=1))
    assert "changes nothing" not in table.asks.text()


@pytest.mark.parametrize("width", [700, 490, 260])
def test_what_is_said_of_a_tick_moves_no_line_of_the_table(qtbot: QtBot, room: AnonymiseWorkspace, width: int) -> None:
    document = room.document
    source(qtbot, room, LevelSource.BALANCED)
    table = DetailTable(document)
    qtbot.addWidget(table)
    table.resize(width, 500)
    table.show()
    found = PromiseAssessment(details=tuple(DetailOutlook(name, 0, "as it is", (10, 20)) for name in ("age", "city")))
    table.show_assessment(found)
    QApplication.processEvents()
    place = table.view.geometry()
    assert "Which columns matter most?" in table.asks.text()
    for wanted in (Importance.KEEP, Importance.NORMAL):
        document.apply("tick", lambda session, to=wanted: session.release.steps.set_importance("age", to))
        table.show_assessment(found)
        QApplication.processEvents()
        assert "The last tick changes nothing" in table.asks.text() and table.view.geometry() == place


@pytest.mark.parametrize("width", [900, 490, 400])
def test_numbers_of_the_forecast_stay_in_view_beside_a_long_detail(
    qtbot: QtBot, room: AnonymiseWorkspace, width: int
) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    table = DetailTable(room.document)
    qtbot.addWidget(table)
    table.resize(width, 500)
    table.show()
    lines = (
        DetailOutlook("postcode", 3, "first 2 characters", (91, 97), (31, None), covers=True),
        DetailOutlook("salary", 4, "intervals of 40,000", (35, 99), (32, None), unknown=True),
    )
    table.show_assessment(PromiseAssessment(details=lines))
    QApplication.processEvents()
    head, bar = table.view.horizontalHeader(), table.view.horizontalScrollBar()
    assert bar.maximum() == 0, "nothing is out of sight at the side"
    for at in (2, 3):
        end = head.sectionViewportPosition(at) + head.sectionSize(at)
        assert end <= table.view.viewport().width() and head.sectionSize(at) >= table.view.sizeHintForColumn(at)
    model = table.model
    for row, line in ((0, lines[0]), (2, lines[1])):
        cell = model.index(row, 1)
        assert cell.data() == line.detail and line.detail in cell.data(Qt.ItemDataRole.ToolTipRole)


def test_only_columns_that_a_tick_can_help_are_named_for_it(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    bar, steps = room.outlook, room.document.session.release.steps

    def said(**parts: Any) -> str:
        found = Outlook((8,), "", stars="* in most rows: age", widest=("age", "city"), **parts)
        bar.show_assessment(
            PromiseAssessment(prospect=Prospect("", "", outlook=found)), trims=True, settled=False, taken=None
        )
        return bar.stars.text()

    assert said(starred=("age",)).endswith(" If age matters most, tick it in the table.")
    assert said(starred=("age",), often=("city",)).endswith(" In the table, tick which of age and city matters most.")
    assert "tick" not in said(silent=("age",), starred=("age",)), "what is * at every step stays so"
    assert "tick" not in said(covering=("age",), same=("age",))
    assert "tick" not in said(starred=("age",), same=("city",)), "there is nothing that could give way to it"
    steps.set_importance("city", Importance.KEEP)
    assert "tick" not in said(starred=("age",)), "all would be ticked"
    steps.set_importance("age", Importance.KEEP)
    assert "tick" not in said(starred=("age",))


def test_what_is_asked_in_several_rooms_is_not_said_to_be_asked_in_one(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    tabs = room.result.tabs
    tabs.setCurrentIndex(next(at for at in range(tabs.count()) if tabs.tabText(at).startswith("Claim")))
    idle(qtbot, room)
    told = [one.text() for one in tabs.currentWidget().findChildren(QLabel)]
    assert "What only you can say, before anything leaves" in told


def test_a_finer_rule_is_taken_where_hierarchies_are_built(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    with qtbot.waitSignal(room.reach_requested) as asked:
        room.outlook.take(OutlookRemedy("Make age finer…", None, f"{RULE}age"))
    assert asked.args == ["hierarchies", "hierarchy:age"]


def test_a_field_without_a_number_is_named_with_what_it_takes(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    for field, typed, said in (
        (room.promise.fields["epsilon"], "20", "“ε” holds 20; it takes"),
        (room.plan.rows, "many", "“People you expect” holds no number."),
    ):
        before = field.edit.text()
        field.edit.setText(typed)
        room.settle()
        idle(qtbot, room)
        shown = [one.text() for one in room.foot.findChildren(QLabel) if one.isVisibleTo(room) and said in one.text()]
        assert len(shown) == 1 and not room.run_button.isEnabled(), said
        field.edit.setText(before)
        room.settle()
        idle(qtbot, room)
        assert room.run_button.isEnabled()


def test_in_the_smallest_window_most_of_the_room_is_for_the_open_step(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    room.resize(824, 640)  # what a window of 1024 × 700 leaves
    room.show()
    source(qtbot, room, LevelSource.BALANCED)
    room.parts.show_part(0)
    foot, words = room.foot, room.outlook.words
    qtbot.waitUntil(lambda: words.isVisible() and foot.width() >= 2 * tokens.STEPS_WIDTH, timeout=PATIENCE_MS)
    assert foot.height() < room.height() / 3 and words.height() >= words.heightForWidth(words.width())
    mend, run = foot.mend, foot.run_button
    assert mend.isVisible() and mend.mapTo(foot, QPoint()).y() == run.mapTo(foot, QPoint()).y(), "beside each other"
    top = run.mapTo(room, QPoint()).y()
    push(qtbot, room, room.outlook.public.no)
    write(qtbot, room, room.plan.rows, "1000000")
    qtbot.waitUntil(lambda: not mend.isVisible(), timeout=PATIENCE_MS)
    assert run.mapTo(room, QPoint()).y() == top and foot.run_button.width() > foot.width() / 2
    room.resize(1240, 640)
    qtbot.waitUntil(lambda: foot.width() < 2 * tokens.STEPS_WIDTH, timeout=PATIENCE_MS)
    for _ in range(2):
        room.document.undo_stack.undo()
    qtbot.waitUntil(mend.isVisible, timeout=PATIENCE_MS)
    assert mend.geometry().bottom() < run.geometry().top(), "below each other where it is narrow"


def test_that_the_number_is_public_is_said_before_the_draw_and_every_price_follows(
    qtbot: QtBot, room: AnonymiseWorkspace, tmp_path: Path
) -> None:
    tick, release = room.outlook.public.yes, room.document.session.release
    assert seen(tick, room) and not tick.isChecked() and tick.isEnabled()
    assert not room.outlook.public.no.isChecked(), "nothing is answered in anybody's name"
    assert tick.text() == "Yes or unsure: fewer rows", "what it costs is read before the press"
    assert room.plan.rows.edit.placeholderText() == "roughly"
    said = room.outlook.never.full_text
    assert said == "From a plan, never from this file"
    assert "never" in room.outlook.asked.toolTip()
    assert room.run_button.text() == "Make the release · ε 1, δ 1e-5"
    push(qtbot, room, tick)
    assert trim(room).number_known and room.run_button.text() == "Make the release · ε 1, δ 1e-5", "half is typed"
    assert "Which of two things is true of one person?" in room.promise.sentence.text()
    assert room.promise.charged.full_text == "× 2 = ε 1: others know", "beside the field that says 0.5"
    room.document.run()
    idle(qtbot, room)
    assert release.result is not None and release.said(release.result.draw) == {PEOPLE_KNOWN}
    assert room.result.look.draw.text() == "New draw · ε 1 more"
    room.document.export(tmp_path / "r.csv", None)
    idle(qtbot, room)
    wanted = replace(trim(room), number_known=False)
    room.document.apply("Not public", lambda session: session.release.set_trimming(wanted))
    idle(qtbot, room)
    assert not trim(room).number_known and room.result.look.draw.text() == "New draw · ε 1 more", "the ledger knows"
    room.document.apply("ε", lambda session: session.release.set_guarantee(GuaranteeSettings(epsilon=0.25)))
    idle(qtbot, room)
    assert tick.isChecked() and not tick.isEnabled() and "cannot be unsaid" in tick.toolTip()


def test_it_is_one_answer_wherever_it_is_given_and_undo_takes_it_back(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    bar, release, document = room.outlook.public, room.document.session.release, room.document

    def given() -> tuple[bool, bool]:
        return bar.no.isChecked(), bar.yes.isChecked()

    push(qtbot, room, bar.no)
    assert given() == (True, False) and release.beforehand == {PEOPLE_NOT_TOLD}
    room.outlook.more.click()
    dialog = room.findChild(KnowledgeDialog)
    assert dialog is not None and dialog.no.isChecked() and dialog.no.isEnabled()
    dialog.reject()
    document.undo_stack.undo()
    idle(qtbot, room)
    assert given() == (False, False) and not release.beforehand
    document.undo_stack.redo()
    idle(qtbot, room)
    assert given() == (True, False) and release.beforehand == {PEOPLE_NOT_TOLD}
    document.run()
    idle(qtbot, room)
    assert release.result is not None and release.said(release.result.draw) == {PEOPLE_NOT_TOLD}
    push(qtbot, room, bar.yes)
    assert release.said(release.result.draw) == {PEOPLE_KNOWN}, "of the draw that is there too"
    assert not release.beforehand and room.result.look.draw.text() == "New draw · ε 2 more"
    assert given() == (False, True) and not bar.no.isEnabled() and "in Release" in bar.no.toolTip()
    document.undo_stack.undo()
    idle(qtbot, room)
    assert given() == (True, False) and release.said(release.result.draw) == {PEOPLE_NOT_TOLD}
    document.undo_stack.undo()
    idle(qtbot, room)
    assert given() == (False, False) and not release.said(release.result.draw), "Release asks for it again"
    release.say(release.result.draw, {PEOPLE_NOT_TOLD})
    document.changed.emit("result")
    idle(qtbot, room)
    assert given() == (True, False), "what is answered in Release is shown here"


def test_what_left_stays_as_it_was_said_of_it(qtbot: QtBot, room: AnonymiseWorkspace, tmp_path: Path) -> None:
    bar, release = room.outlook.public, room.document.session.release
    push(qtbot, room, bar.no)
    room.document.run()
    idle(qtbot, room)
    assert release.result is not None
    draw = release.result.draw
    release.say(draw, release.current_claim().asserted)
    room.document.export(tmp_path / "r.csv", None)
    idle(qtbot, room)
    assert draw in release.exported
    room.document.undo_stack.undo()
    assert PEOPLE_NOT_TOLD in release.said(draw) and not release.beforehand


def test_what_is_answered_after_the_draw_is_in_its_header_and_the_next_price(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    room.document.run()
    idle(qtbot, room)
    release = room.document.session.release
    assert release.result is not None and room.result.look.draw.text() == "New draw · ε 1 more"
    release.say_number_known(release.result.draw, KnownNumber.PEOPLE)
    room.document.changed.emit("result")
    idle(qtbot, room)
    assert room.result.look.draw.text() == "New draw · ε 2 more" and "ε 2, δ 2e-5" in room.result.claim.text
    assert "Which of two things" in room.promise.sentence.text()


def test_what_would_help_is_one_click_away(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.STEPS)
    write(qtbot, room, room.plan.rows, "300")
    first = room.outlook.buttons[0]
    assert first.isVisibleTo(room) and first.text() == "In steps (recommended)"
    push(qtbot, room, first)
    assert trim(room).steps is StepsBy.BALANCED
    offers = [button.text() for button in room.outlook.buttons if button.isVisibleTo(room)]
    assert all(text.startswith(("Keep ", "Leave ")) for text in offers), offers
    assert room.outlook.rows is room.plan.rows and seen(room.outlook.rows, room), "on what the outlook depends"
    room.document.run()
    idle(qtbot, room)
    assert not room.outlook.words.isVisibleTo(room), "it was about what was to come"
    assert seen(room.outlook.rows, room) and "another draw, whose ε is added" in room.outlook.asked.toolTip()
    write(qtbot, room, room.plan.rows, "1000000")
    assert room.run_button.text() == "Make it again · ε 1, δ 1e-5 more", "and is no release of its own"


def test_what_is_offered_stays_while_it_is_held_down(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.STEPS)
    write(qtbot, room, room.plan.rows, "300")
    first, wanted = room.outlook.buttons[0], replace(trim(room), expected_rows=None)
    assert first.isVisibleTo(room) and first.text() == "In steps (recommended)"
    qtbot.mousePress(first, Qt.MouseButton.LeftButton)
    room.document.apply("Rows", lambda session: session.release.set_trimming(wanted))
    QCoreApplication.processEvents()
    assert first.isVisibleTo(room) and first.text() == "In steps (recommended)", "a press that another change came with"
    qtbot.mouseRelease(first, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert trim(room).steps is StepsBy.BALANCED and trim(room).expected_rows is None
    assert not first.isVisibleTo(room), "and then what was put off is shown"


def test_after_a_run_the_table_comes_to_the_front(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    tabs = room.result.tabs
    shown = [tabs.tabText(place) for place in range(tabs.count()) if tabs.isTabVisible(place)]
    assert shown == ["Table", "Chances", "What-if", "Claim"], "what shows the analyst's figures comes with these"
    tabs.setCurrentWidget(room.result.reasons)
    room.document.run()
    idle(qtbot, room)
    assert tabs.currentIndex() == 0
    after = [tabs.tabText(place) for place in range(tabs.count()) if tabs.isTabVisible(place)]
    assert after == ["Table", "Columns", *shown[1:]], "what came out of each column is counted in the released rows"


def test_where_small_groups_are_seen_it_is_said_why_they_point_at_nobody(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    few = room.result.few
    assert not few.isVisibleTo(room)
    room.document.run()
    idle(qtbot, room)
    release = room.document.session.release
    result, claim = release.result, release.claim()
    assert result is not None and claim.holds
    smallest = int(result.outcome.released_sizes.min())
    assert few.isVisibleTo(room) == (smallest <= 5)
    for sizes, said in (((1, 80), True), ((5,), True), ((6, 80), False), ((), False)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(result.outcome), "released_sizes", np.array(sizes, dtype=np.int64))
            words = small_groups(result, claim)
            assert words.startswith("Groups of one row, or of few, are what is left") is said
            assert not said or words.endswith("a probability of at most δ = 1e-5.")
            assert small_groups(result, None) == "", "nothing is promised"
    room.document.apply("seed", lambda session: session.release.set_seed(1))
    room.document.run()
    idle(qtbot, room)
    assert not few.isVisibleTo(room), "a simulation promises nothing"


def test_a_level_says_what_it_is(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.HAND)
    open_step_of(room, room.levels)
    room.document.apply("level", lambda session: session.release.columns.set_level("age", 1))
    idle(qtbot, room)
    age = room.columns.rows["age"]
    assert age._meaning.full_text in ("8 groups, e.g. 40+", "→ 40+"), "as there is room"
    words = age.slider.toolTip().splitlines()[1:]
    assert words[:2] == ["0  as it is", "1  8 groups, e.g. 40+"] and words[2].startswith("2  4 groups, ")
    assert words[3:] == ["3  *"]


def test_a_plan_that_cannot_be_says_why(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    series = room.plan.series
    open_step_of(room, series)
    room.plan.details.set_open(True)
    idle(qtbot, room)
    assert "no less than one by one: allow more δ" in series.price.text()
    write(qtbot, room, series.delta, "1e-9")
    assert not series.plan.isEnabled() and "δ" in series.price.text()


def trim(room: AnonymiseWorkspace) -> TrimSettings:
    return room.document.project.anonymise.trim


def push(qtbot: QtBot, room: AnonymiseWorkspace, button: QAbstractButton) -> None:
    button.click()
    idle(qtbot, room)


def write(qtbot: QtBot, room: AnonymiseWorkspace, field: QWidget, text: str) -> None:
    edit = field.focusProxy() or field
    open_step_of(room, edit)
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    idle(qtbot, room)


def source(qtbot: QtBot, room: AnonymiseWorkspace, wanted: LevelSource) -> None:
    if wanted is LevelSource.TYPED:
        push(qtbot, room, room.levels.buttons[LevelSource.HAND])
        push(qtbot, room, room.levels.several)
    else:
        push(qtbot, room, room.levels.buttons[wanted])


def show_step(qtbot: QtBot, room: AnonymiseWorkspace, number: int) -> None:
    room.levels.steps.picker.chips.setValue(number)
    idle(qtbot, room)


class TestMechanism:
    def test_a_new_project_trims_in_steps_and_shows_what_matters_for_it(self, room: AnonymiseWorkspace) -> None:
        assert room.promise.mechanism.currentText() == "Trim groups"
        assert new_project().anonymise.trim.steps is StepsBy.BALANCED
        assert seen(room.promise.fields["survival"], room)
        for part in (room.promise.fields["beta"], room.promise.fields["k"], room.promise.accounting):
            assert not seen(part, room), "β, k and the accounting do not matter"
        assert room.run_button.isEnabled()
        assert room.claim_word() == "Claim holds if you can say:"

    def test_a_project_without_a_mechanism_samples_with_its_numbers_in_sight(
        self, qtbot: QtBot, room: AnonymiseWorkspace, tmp_path: Path
    ) -> None:
        path = tmp_path / "old.wbench"
        save_project(Project(), path)
        assert load_project(path).anonymise.mechanism is ReleaseMechanism.SAMPLE
        room.document.apply("old", lambda session: session.release.set_mechanism(ReleaseMechanism.SAMPLE))
        idle(qtbot, room)
        assert seen(room.promise.fields["beta"], room)
        assert seen(room.promise.fields["k"], room)
        assert room.promise.fields["k"].value == 46
        assert not seen(room.promise.fields["survival"], room)
        room.plan.details.set_open(True)
        assert not seen(room.plan.written["step_column"], room)
        assert not seen(room.levels.buttons[LevelSource.STEPS], room)

    def test_one_can_switch_either_way_and_undo_it(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        pick(qtbot, room, room.promise.mechanism, ReleaseMechanism.SAMPLE.value)
        assert room.document.undo_stack.undoText() == "Sample rows"
        assert seen(room.promise.fields["beta"], room)
        assert room.levels.buttons[LevelSource.HAND].isChecked()
        pick(qtbot, room, room.promise.mechanism, ReleaseMechanism.TRIM.value)
        assert room.levels.buttons[LevelSource.STEPS].isChecked()
        for _ in range(2):
            room.document.undo_stack.undo()
        idle(qtbot, room)
        assert room.document.project.anonymise.mechanism is None
        assert seen(room.promise.fields["survival"], room)

    def test_numbers_of_one_mechanism_are_not_looked_for_in_what_the_other_promised(
        self, qtbot: QtBot, room: AnonymiseWorkspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(workspace_module, "is_quick", lambda _: False)
        guarantee = replace(room.document.project.anonymise.guarantee, solve_for="k", beta="best")
        room.document.apply("by rule", lambda session: session.release.set_guarantee(guarantee))
        for mechanism in (ReleaseMechanism.SAMPLE, ReleaseMechanism.TRIM):
            room.document.apply("switch", lambda session, wanted=mechanism: session.release.set_mechanism(wanted))
            room.settle()  # while what was promised before is still shown
            assert room.promise.mechanism.chosen == mechanism.value
            idle(qtbot, room)


def test_levels_and_wishes_are_whole_at_every_width(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    room.steps.open("levels")
    names = [name for name, row in room.columns.rows.items() if not row.wish.isHidden()]
    room.document.apply("never *", lambda session: never_star(session, names[:1]))
    idle(qtbot, room)
    for width in (1380, 1080, 820, 1080):
        room.resize(width, 620)
        QApplication.processEvents()
        for name in names:
            row = room.columns.rows[name]
            state, wish = row._state, row.wish
            assert state.isVisible() and state.text() == state.full_text, (width, name, state.full_text)
            words = wish.fontMetrics().horizontalAdvance(wish.face)
            assert words < wish.width() - 24, (width, name, wish.face)
    row = room.columns.rows[names[0]]
    row.setFixedWidth(320)
    row.set_room(0, 98)
    assert row._name.width() == 98, "a name as long as “marital-status” is whole beside what is wished"


class TestCalculator:
    def test_it_says_which_groups_survive(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        source(qtbot, room, LevelSource.HAND)
        calculator = room.promise
        assert calculator.fields["survival"].value == 12
        assert calculator.fields["survival"].edit.isReadOnly()
        assert "10.83 rows on average" in calculator.facts.text()
        assert "survives half of the time, one of 23 always" in calculator.facts.text()
        pick(qtbot, room, calculator.survives, Survives.ALWAYS.value)
        assert calculator.fields["survival"].value == 23
        calculator.example.setValue(12)
        promised = room.document.session.release.guarantee()
        assert isinstance(promised, TrimGuarantee)
        assert calculator.chance.text() == f"is released with a probability of {percent(promised.keep(12))}"
        calculator.example.setValue(23)
        assert calculator.chance.text() == "is released always"

    @pytest.mark.parametrize("unknown", ["epsilon", "delta"])
    def test_what_was_computed_is_kept_when_another_number_is_wanted(
        self, qtbot: QtBot, room: AnonymiseWorkspace, unknown: str
    ) -> None:
        source(qtbot, room, LevelSource.HAND)
        calculator = room.promise
        pick(qtbot, room, calculator.unknown, unknown)
        assert trim(room).solve_for is TrimUnknown(unknown)
        assert trim(room).group == 12
        before = calculator.fields[unknown].value
        assert calculator.fields[unknown].edit.isReadOnly()
        write(qtbot, room, calculator.fields["survival"], "40")
        after = calculator.fields[unknown].value
        assert before is not None and after is not None and after < before
        promised = room.document.session.release.guarantee()
        assert getattr(promised, unknown) <= after
        assert isinstance(promised, TrimGuarantee) and promised.half_survive <= 40

    def test_a_number_of_the_mechanism_before_is_not_taken(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        calculator = room.promise
        pick(qtbot, room, calculator.mechanism, ReleaseMechanism.SAMPLE.value)
        choose(calculator.mechanism, ReleaseMechanism.TRIM.value)
        before = room.document.project.anonymise
        choose(calculator.unknown, "k")
        assert room.document.project.anonymise == before
        idle(qtbot, room)
        assert calculator.unknown.chosen == before.trim.solve_for.value
        assert calculator.unknown.findData("k") < 0

    def test_a_half_typed_number_stops_the_run(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        calculator = room.promise
        write(qtbot, room, calculator.fields["delta"], "1e-")
        assert seen(calculator.errors["delta"], room)
        assert not room.run_button.isEnabled()
        write(qtbot, room, calculator.fields["delta"], "1e-6")
        assert room.document.project.anonymise.guarantee.delta == 1e-6
        assert room.run_button.isEnabled()

    def test_a_group_that_no_promise_lets_survive_is_told_at_its_field(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        calculator = room.promise
        pick(qtbot, room, calculator.unknown, "epsilon")
        write(qtbot, room, calculator.fields["survival"], "1")
        assert "no ε" in calculator.errors["survival"].text()
        assert not room.run_button.isEnabled()

    def test_a_floor_and_rows_per_person_count(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        source(qtbot, room, LevelSource.HAND)
        calculator = room.promise
        calculator.form["floor"].setValue(5)
        idle(qtbot, room)
        assert trim(room).floor == 5
        assert calculator.fields["survival"].value == 16
        room.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit(3)))
        idle(qtbot, room)
        assert calculator.rows_per_person.text() == "up to 3"
        assert (calculator.fields["survival"].value or 0) > 30
        room.steps.open("promise")
        with qtbot.waitSignal(room.reach_requested) as asked:
            click(qtbot, calculator.change_unit)
        assert asked.args == ["data", "person"]


def test_the_trade_off_shows_which_groups_survive(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.HAND)
    chart = room.result.survival
    qtbot.waitUntil(lambda: chart.data is not None and chart.data.half["trim"] == 12, timeout=PATIENCE_MS)
    idle(qtbot, room)
    assert not chart.isHidden()
    assert room.result.trade_off.isHidden()
    write(qtbot, room, room.promise.fields["epsilon"], "2")
    qtbot.waitUntil(lambda: chart.data.epsilon == 2, timeout=PATIENCE_MS)
    idle(qtbot, room)
    pick(qtbot, room, room.promise.mechanism, ReleaseMechanism.SAMPLE.value)
    assert chart.isHidden()
    qtbot.waitUntil(lambda: room.result.trade_off.data is not None, timeout=PATIENCE_MS)
    idle(qtbot, room)


class TestSteps:
    def test_the_steps_are_listed_with_levels_and_what_they_spend(self, room: AnonymiseWorkspace) -> None:
        rows = [row for row in room.levels.steps.rows if seen(row, room)]
        assert [row.words.full_text for row in rows] == [
            "age as it is · city as it is",
            "age 8 groups · city as it is",
            "age 4 groups · city *",
            "the same levels as step 3: one step with it",
            "* in every column",
        ]
        assert all(row.spends.text().startswith("ε ") for row in rows if "same" not in row.words.full_text)
        assert rows[3].spends.text() == ""

    def test_a_column_shows_in_how_many_rows_it_is_likely_to_say_what(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        age = room.columns.rows["age"]
        assert any(one.is_open for one in room.result.details.model.records if one.column == "age")
        assert age.words == "as it is → 8 → 4 groups → *, in how many rows is open", "values may be spread evenly"
        write(qtbot, room, room.plan.rows, "4000000")
        told = [one for one in room.result.details.model.records if one.column == "age"]
        assert [one.words for one in told] == ["as it is", "8 groups", "4 groups", "*"]
        assert not any(one.is_open for one in told)
        told = [one for one in told if max(one.rows)]
        first, *others = told
        parts = [f"{one.words} in {one.part}" for one in others]
        assert age.words == ", ".join((f"as it is in about {first.part} of rows", *parts)), "what the forecast has"
        room.document.run()
        idle(qtbot, room)
        assert age.words == "as it is → 8 → 4 groups → *", "what came out is beside it"
        assert not seen(age.slider, room) and not seen(room.levels.steps.picker, room)

    def test_where_the_forecast_says_nothing_the_line_says_so_and_why_it_is_no_finer(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        age = room.columns.rows["age"]
        assert isinstance(age, ReleaseRow)
        age.show_ladder(["10s", "20s"], ["10s", "20s"], {}, is_open=True)
        assert age.words == "10s → 20s, in how many rows is open"
        age.show_ladder(["10s", "20s"], ["10s", "20s"], {}, is_open=True, finer="5s")
        assert age.words == "10s → 20s; in 5s too few are alike", "and not twice as much"
        (shown,) = (one for one in age.findChildren(ElidedLabel) if one.full_text == age.words)
        shown.setUpdatesEnabled(False)  # as it stays if it moves while the room is dressed
        age.show_ladder(["10s", "20s"], ["10s", "20s"], {}, is_open=True, finer="5s")
        assert shown.updatesEnabled(), "it is painted"
        source(qtbot, room, LevelSource.BALANCED)
        write(qtbot, room, room.plan.rows, "300")
        idle(qtbot, room)
        assert room.levels.steps.lines[0].levels["age"] == 2
        assert age.words.endswith("; in 8 groups too few are alike")
        pick(qtbot, room, age.wish, at_most(2))
        assert "too few" not in age.words, "it is what was asked for"

    def test_balanced_steps_keep_what_is_wanted_and_undo_it(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        source(qtbot, room, LevelSource.BALANCED)
        age, city = (room.columns.rows[name] for name in ("age", "city"))
        assert isinstance(age, ReleaseRow) and isinstance(city, ReleaseRow)
        assert seen(age.wish, room) and age.wish.chosen == Importance.NORMAL.value
        write(qtbot, room, room.plan.rows, "100")
        room.document.undo_stack.clear()
        before = [line.levels for line in room.levels.steps.lines]
        pick(qtbot, room, city.wish, Importance.GIVE_UP.value)
        assert trim(room).importance == {"city": Importance.GIVE_UP}
        assert [line.levels for line in room.levels.steps.lines] != before
        pick(qtbot, room, city.wish, Importance.NORMAL.value)
        pick(qtbot, room, age.wish, at_most(2))
        assert all(line.levels["age"] >= 2 for line in room.levels.steps.lines)
        assert room.document.project.anonymise.level_choice.limits["age"][0] == 2
        pick(qtbot, room, age.wish, Importance.KEEP.value)
        assert "age" not in room.document.project.anonymise.level_choice.limits
        pick(qtbot, room, city.wish, LEAVE_OUT)
        assert room.document.session.release.columns.treatment("city") is Treatment.LEAVE_OUT
        assert seen(city.wish, room), "there it is taken back"
        pick(qtbot, room, city.wish, Importance.KEEP.value)
        assert room.document.session.release.columns.treatment("city") is Treatment.GENERALISE
        assert trim(room).importance == {"city": Importance.KEEP, "age": Importance.KEEP}, "who needs it keeps it"
        for _ in range(room.document.undo_stack.index()):
            room.document.undo_stack.undo()
        idle(qtbot, room)
        assert not trim(room).importance and [line.levels for line in room.levels.steps.lines] == before

    def test_a_column_of_which_so_much_is_needed_is_never_coarser(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        source(qtbot, room, LevelSource.BALANCED)
        age, city = (room.columns.rows[name] for name in ("age", "city"))
        assert isinstance(age, ReleaseRow) and isinstance(city, ReleaseRow)
        write(qtbot, room, room.plan.rows, "100")
        assert any(line.levels["age"] == AGES.height for line in room.levels.steps.lines)
        offered = [age.wish.itemText(row) for row in range(age.wish.count())]
        assert offered == [
            "Automatic",
            "Leave out",
            "Always so: others lose more rare values",
            "Exactly 8 groups",
            "Exactly 4 groups",
            "Always its own value",
            "Always 8 groups or finer",
            "Always 4 groups or finer",
            "At most so: more is left to others",
            "Never finer than 8 groups",
            "Never finer than 4 groups",
            "In turn",
            "Last to become *",
            "First to become *",
        ], "in the order in which a person thinks of it, and in which direction is said"
        assert age.wish.face == "Automatic", "what is chosen is not cut for a question before it"
        pick(qtbot, room, age.wish, at_least(1))
        assert age.wish.face == "8 groups or finer"
        assert all(line.levels["age"] <= 1 for line in room.levels.steps.lines)
        pick(qtbot, room, city.wish, at_least(0))
        assert city.wish.face == "its own value" and all(not line.levels["city"] for line in room.levels.steps.lines)
        words = room.outlook.words.text()
        assert "If age and city could become *, " in words, "what it costs is said before the draw"
        pick(qtbot, room, age.wish, exactly(2))
        assert age.wish.face == "exactly 4 groups"
        assert {line.levels["age"] for line in room.levels.steps.lines} == {2}, "no finer and no coarser"
        pick(qtbot, room, age.wish, at_least(1))
        assert room.document.project.anonymise.level_choice.limits["age"] == (0, 1), "one wish takes another's place"
        pick(qtbot, room, age.wish, Importance.NORMAL.value)
        assert "age" not in room.document.project.anonymise.level_choice.limits
        room.document.undo_stack.undo()
        idle(qtbot, room)
        assert age.wish.chosen == at_least(1)

    def test_balanced_steps_are_added_and_removed(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        source(qtbot, room, LevelSource.BALANCED)
        push(qtbot, room, room.levels.steps.add_step)
        assert trim(room).balanced_steps == 4
        for _ in range(3):
            push(qtbot, room, room.levels.steps.rows[0].remove)
        assert trim(room).balanced_steps == 1 and not room.levels.steps.rows[0].remove.isVisibleTo(room)

    def test_steps_are_changed_added_and_removed_and_undone(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        steps, before = room.levels.steps, trim(room)
        push(qtbot, room, steps.rows[1].remove)
        assert trim(room).degrees == (Degree.NONE, Degree.MEDIUM, Degree.HIGH, Degree.COMPLETE)
        offered = [steps.rows[1].degree.itemData(place) for place in range(steps.rows[1].degree.count())]
        assert offered == ["low", "low-medium", "medium", "medium-high"], "between its neighbours"
        pick(qtbot, room, steps.rows[1].degree, "low-medium")
        assert trim(room).degrees[1] is Degree.LOW_MEDIUM
        push(qtbot, room, steps.add_step)
        assert len(trim(room).degrees) == 5
        push(qtbot, room, steps.add_step)
        assert not steps.add_step.isEnabled()
        for _ in range(4):
            room.document.undo_stack.undo()
        idle(qtbot, room)
        assert trim(room) == before

    def test_shares_follow_from_a_rule_or_are_typed(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        steps = room.levels.steps
        parts = [line.part for line in steps.lines]
        pick(qtbot, room, steps.shares, False)
        assert len(trim(room).shares) == 5
        assert [line.part for line in steps.lines] == pytest.approx(list(map(float, parts)), abs=0.002)
        write(qtbot, room, steps.rows[0].share, "80")
        assert trim(room).shares[0] == 80
        write(qtbot, room, steps.rows[0].share, "x")
        assert not room.run_button.isEnabled()
        write(qtbot, room, steps.rows[0].share, "50")
        push(qtbot, room, steps.rows[1].remove)
        assert len(trim(room).shares) == 4
        pick(qtbot, room, steps.shares, True)
        assert trim(room).shares == ()

    def test_typed_steps_are_set_with_the_sliders_and_never_become_finer(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        steps, age = room.levels.steps, room.columns.rows["age"]
        source(qtbot, room, LevelSource.TYPED)
        assert trim(room).steps is StepsBy.TYPED
        push(qtbot, room, steps.add_step)
        assert [dict(line.levels) for line in steps.lines] == [{"age": 0, "city": 0}, {"age": 1, "city": 1}]
        assert age.slider.value() == 1, "the new step is marked"
        age.slider.setValue(2)
        idle(qtbot, room)
        show_step(qtbot, room, 1)
        age.slider.setValue(3)
        idle(qtbot, room)
        assert [dict(line.levels) for line in steps.lines] == [{"age": 3, "city": 0}, {"age": 3, "city": 1}]
        press(qtbot, room, room.run_button)
        result = room.document.session.release.result
        assert result is not None
        assert [dict(levels) for levels in result.outcome.recipe.chain] == [
            {"age": 3, "city": 0},
            {"age": 3, "city": 1},
        ]

    def test_typed_steps_forget_a_column_that_is_left_out(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        source(qtbot, room, LevelSource.TYPED)
        pick(qtbot, room, room.columns.rows["city"].treatment, ColumnTreatment.LEAVE_OUT.value)
        assert [dict(line.levels) for line in room.levels.steps.lines] == [{"age": 0}]
        assert room.run_button.isEnabled()

    def test_steps_that_do_not_fit_any_more_can_be_mended(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        source(qtbot, room, LevelSource.TYPED)
        room.document.apply(
            "elsewhere", lambda session: session.release.columns.set_treatment("city", Treatment.LEAVE_OUT)
        )
        idle(qtbot, room)
        assert "takes no part" in room.levels.steps.error.text()
        assert not room.run_button.isEnabled()
        push(qtbot, room, room.levels.steps.mend)
        assert room.run_button.isEnabled()
        assert not seen(room.levels.steps.mend, room)

    def test_coarser_steps_may_follow_levels_that_are_drawn(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        source(qtbot, room, LevelSource.SEARCH)
        assert not seen(room.levels.steps, room)
        assert trim(room).steps is StepsBy.ONE
        push(qtbot, room, room.levels.above)
        assert room.levels.steps.rows[0].title.text() == "drawn privately"
        press(qtbot, room, room.run_button)
        result = room.document.session.release.result
        assert result is not None and result.drawn is not None
        first = room.levels.steps.rows[0].words.full_text
        drawn = result.drawn.choice.levels
        ages, cities = ("as it is", "8 groups", "4 groups", "*"), ("as it is", "*")
        assert first in (f"age {ages[drawn['age']]} · city {cities[drawn['city']]}", "* in every column")
        source(qtbot, room, LevelSource.STEPS)
        assert room.document.project.anonymise.level_choice.by.value == "hand"


class TestColumns:
    def test_trimming_does_not_offer_to_let_a_column_pass(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        treatment = room.columns.rows["city"].treatment
        model = treatment.model()
        assert isinstance(model, QStandardItemModel)
        keep = treatment.findData(ColumnTreatment.KEEP.value)
        assert not model.item(keep).isEnabled()
        assert treatment.itemText(keep) == "Pass through (needs sampling)"
        pick(qtbot, room, room.promise.mechanism, ReleaseMechanism.SAMPLE.value)
        assert model.item(keep).isEnabled()

    def test_one_that_passes_is_refused_at_the_column_with_the_way_out(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        pick(qtbot, room, room.promise.mechanism, ReleaseMechanism.SAMPLE.value)
        city = room.columns.rows["city"]
        pick(qtbot, room, city.treatment, ColumnTreatment.KEEP.value)
        pick(qtbot, room, room.promise.mechanism, ReleaseMechanism.TRIM.value)
        assert "cannot pass through ungrouped" in city.problem
        assert not room.run_button.isEnabled()
        assert city.group_it.accessibleName() == "Group city as it is"
        push(qtbot, room, city.group_it)
        assert city.problem == ""
        assert room.run_button.isEnabled()

    def test_values_that_a_hierarchy_misses_keep_nobody_from_running(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        small = Hierarchy.from_rows([("Bern", "*"), ("Basel", "*")])
        room.document.apply("attach", lambda session: session.data.attach_hierarchy("city", small))
        idle(qtbot, room)
        assert room.columns.rows["city"].problem == ""
        assert room.run_button.isEnabled()


class TestForecast:
    def test_it_needs_no_row_and_is_never_filled_in(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        block = room.plan
        assert block.rows.value is None
        assert [line[1].text() for line in block.forecast.cells] == ["120", "24", "4", "1"]
        assert all(line[2].text().endswith(" rows") for line in block.forecast.cells)
        assert "If there were 10,000 people" in room.outlook.words.text() and seen(room.outlook.rows, room)
        assert not any(seen(button, room) for button in room.outlook.buttons), "how many there are comes first"
        assert block.figures["price"].text() == "ε 1, δ 1e-5; no budget is set"
        write(qtbot, room, block.rows, "100000")
        assert trim(room).expected_rows == 100_000
        assert room.outlook.words.text().startswith("Of 100,000 people")
        block.rows.edit.clear()
        idle(qtbot, room)
        assert trim(room).expected_rows is None

    def test_what_can_occur_is_typed_in_the_line_of_its_column(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        room.reach("occurring:age")
        field = room.columns.rows["age"].said_field
        assert seen(field, room)
        qtbot.keyClicks(field.edit, "20s")
        qtbot.keyClick(field.edit, Qt.Key.Key_Return)
        idle(qtbot, room)
        assert trim(room).occurring == {"age": "20s"} and field.button.text() == "20s"
        assert room.plan.forecast.cells[0][1].text() == "30", "ten ages in three cities"
        field.all.click()
        dialog = room.findChild(KnowledgeDialog)
        assert dialog is not None and dialog.focusWidget() is dialog.lines[0].edit and dialog.lines[0].said[0] == "20s"
        dialog.reject()
        room.document.undo_stack.undo()
        idle(qtbot, room)
        assert not trim(room).occurring and field.button.text() == "What occurs?"

    def test_what_is_known_without_the_file_is_said_in_one_place(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        room.do_next(KNOWN)
        assert room.findChild(KnowledgeDialog) is None, "nothing is asked that does not help"
        offered = [one for one in room.outlook.buttons if one.text().startswith("Say what occurs") and seen(one, room)]
        assert seen(room.outlook.more, room) is not bool(offered), "it is offered once, wherever it stands"
        room.outlook.more.click()
        dialog = room.findChild(KnowledgeDialog)
        assert dialog is not None and dialog.isVisible() and dialog.no.isEnabled()
        assert not dialog.no.isChecked() and not dialog.yes.isChecked(), "nothing is answered in anybody's name"
        assert dialog.yes.text().startswith("Yes, or I am not sure: fewer rows.")
        lines = {line.name: line for line in dialog.lines}
        assert set(lines) == {"age", "city"}
        lines["age"].edit.setText("soon")
        dialog.use.click()
        assert "soon" in lines["age"].wrong.text() and not trim(room).occurring
        lines["age"].edit.setText("20s")
        lines["city"].edit.setText("Basel, Bern")
        lines["age"].source.setCurrentIndex(2)
        lines["age"].source.activated.emit(2)
        dialog.rows.set_value(3000)
        dialog.yes.click()
        dialog.use.click()
        idle(qtbot, room)
        found = trim(room)
        assert found.occurring == {"age": "20s", "city": "Basel, Bern"} and found.expected_rows == 3000
        assert found.occurring_from == {"age": SOURCES[1]}, "what one is known from is not said of another"
        assert found.number_known and room.outlook.public.yes.isChecked()
        room.document.undo_stack.undo()
        idle(qtbot, room)
        assert not trim(room).occurring and trim(room).expected_rows is None, "it was one step"

    def test_what_can_occur_is_typed_field_after_field_by_tab_and_by_enter(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        room.outlook.more.click()
        dialog = room.findChild(KnowledgeDialog)
        assert dialog is not None
        age, city = dialog.lines
        age.edit.setFocus()

        def press(key: Qt.Key) -> QWidget | None:
            qtbot.keyClick(dialog.focusWidget(), key)
            return dialog.focusWidget()

        assert press(Qt.Key.Key_Tab) is city.edit, "what need not be noted is not in the way"
        reached = [press(Qt.Key.Key_Tab) for _ in range(6)]
        assert reached == [age.source, city.source, age.needed, city.needed, dialog.use, dialog.cancel]
        age.edit.setFocus()
        qtbot.keyClicks(age.edit, "20s")
        assert press(Qt.Key.Key_Return) is city.edit and dialog.isVisible(), "not taken over before all were asked"
        qtbot.keyClicks(city.edit, "Basel, Bern")
        press(Qt.Key.Key_Enter)
        idle(qtbot, room)
        assert room.findChild(KnowledgeDialog) is None and trim(room).occurring == {"age": "20s", "city": "Basel, Bern"}

    def test_enter_passes_over_what_is_not_needed_and_says_what_cannot_be_read(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        room.outlook.more.click()
        dialog = room.findChild(KnowledgeDialog)
        assert dialog is not None
        age, city = dialog.lines
        city.needed.click()
        age.edit.setFocus()
        qtbot.keyClicks(age.edit, "soon")
        qtbot.keyClick(age.edit, Qt.Key.Key_Return)
        assert dialog.isVisible() and "soon" in age.wrong.text() and dialog.focusWidget() is age.edit

    def test_a_long_list_of_what_can_occur_is_taken_whole_and_one_too_long_is_refused_in_words(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        diagnoses = ["Basel", "Bern", *(f"a diagnosis of number {place}" for place in range(1000))]
        typed = ", ".join(diagnoses)
        room.outlook.more.click()
        dialog = room.findChild(KnowledgeDialog)
        assert dialog is not None
        lines = {line.name: line for line in dialog.lines}
        lines["city"].edit.insert(typed)
        assert lines["city"].edit.text() == typed, "nothing is cut while it is typed or pasted"
        dialog.use.click()
        idle(qtbot, room)
        assert trim(room).occurring == {"city": typed}
        room.outlook.more.click()
        dialog = [one for one in room.findChildren(KnowledgeDialog) if one.isVisible()][-1]
        lines = {line.name: line for line in dialog.lines}
        lines["city"].edit.insert(", one more" * 10_000)
        dialog.use.click()
        assert dialog.isVisible() and "there is room for 50,000" in lines["city"].wrong.text()
        assert "“city”" in lines["city"].wrong.text() and "Give ranges" in lines["city"].wrong.text()
        assert trim(room).occurring == {"city": typed}, "and not a part of it"
        dialog.reject()
        field = room.columns.rows["city"].said_field
        field.edit.insert(", Genf")
        field.edit.editingFinished.emit()
        idle(qtbot, room)
        assert trim(room).occurring == {"city": f"{typed}, Genf"} and len(field.button.toolTip()) < 500

    def test_a_column_that_was_said_not_to_be_needed_stays_listed_and_can_be_taken_in_again(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        def opened() -> KnowledgeDialog:
            room.outlook.more.click()
            return [one for one in room.findChildren(KnowledgeDialog) if one.isVisible()][-1]

        columns = room.document.session.release.columns
        dialog = opened()
        dialog.lines[1].edit.setText("Basel, Bern")
        dialog.use.click()
        idle(qtbot, room)
        dialog = opened()
        dialog.lines[1].needed.click()
        dialog.use.click()
        idle(qtbot, room)
        assert columns.treatment("city") is Treatment.LEAVE_OUT
        dialog = opened()
        assert [(line.name, line.needed.isChecked()) for line in dialog.lines] == [("age", True), ("city", False)]
        assert not dialog.lines[1].edit.isEnabled() and dialog.lines[1].edit.text() == "Basel, Bern"
        dialog.lines[1].needed.click()
        assert dialog.lines[1].edit.isEnabled()
        dialog.use.click()
        idle(qtbot, room)
        assert columns.treatment("city") is Treatment.GENERALISE and trim(room).occurring == {"city": "Basel, Bern"}

    def test_what_is_known_can_be_said_again_and_an_answer_is_shown_as_it_was_given(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        room.outlook.reach_requested.emit("occurring:age")
        dialog = room.findChild(KnowledgeDialog)
        assert dialog is not None and dialog.no.text() == f"No. {PEOPLE_NOT_TOLD}"
        dialog.no.click()
        dialog.rows.set_value(3000)
        dialog.use.click()
        idle(qtbot, room)
        assert room.document.session.release.beforehand == {PEOPLE_NOT_TOLD} and not trim(room).number_known
        room.run()
        idle(qtbot, room)
        release = room.document.session.release
        assert release.result is not None and release.said(release.result.draw) == {PEOPLE_NOT_TOLD}
        assert seen(room.outlook.more, room), "it can be said otherwise after a draw too"
        room.outlook.more.click()
        dialog = [one for one in room.findChildren(KnowledgeDialog) if one.isVisible()][-1]
        assert dialog.no.isChecked() and not dialog.yes.isChecked() and dialog.rows.value == 3000

    def test_where_one_row_of_each_person_takes_part_people_are_asked_for(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        bar = room.outlook
        assert bar.asked.text() == "People you expect" and bar.public.question.text() == PEOPLE_ASKED, "as Release asks"
        room.document.apply("", lambda session: session.data.set_unit(PrivacyUnit(3)))
        idle(qtbot, room)
        assert bar.asked.text() == "Rows you expect", "people have several"
        assert bar.public.question.text() == "Do others know how many people, or rows, there are?"
        room.document.apply("", lambda session: session.data.set_unit(PrivacyUnit(1, "city")))
        idle(qtbot, room)
        assert bar.asked.text() == "People you expect"
        room.outlook.reach_requested.emit("occurring:age")
        dialog = room.findChild(KnowledgeDialog)
        assert dialog is not None
        assert any(one.text() == "How many people, about?" for one in dialog.findChildren(QLabel))

    def test_as_many_columns_are_asked_about_as_the_offer_says(
        self, qtbot: QtBot, room: AnonymiseWorkspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        offer = remedies.OutlookRemedy("Say what occurs in city", None, "occurring:city", columns=("city",))
        monkeypatch.setattr(room, "_found", PromiseAssessment(remedies=(offer,)))
        room.outlook.take(offer)
        dialog = room.findChild(KnowledgeDialog)
        assert dialog is not None and [line.name for line in dialog.lines if line.edit.isVisible()] == ["city"]
        age, city = dialog.lines
        assert dialog.focusWidget() is dialog.rows.edit, "nobody said yet how many rows there are"
        qtbot.keyClick(dialog.rows.edit, Qt.Key.Key_Return)
        assert dialog.focusWidget() is city.edit and dialog.rest.text() == "Other columns: 1"
        dialog.rest.click()
        assert age.edit.isVisible() and age.needed.isVisible() and not dialog.rest.isVisible()
        age.edit.setText("20s")
        city.edit.setText("Basel, Bern")
        dialog.use.click()
        idle(qtbot, room)
        assert trim(room).occurring == {"age": "20s", "city": "Basel, Bern"}
        room.outlook.more.click()
        dialog = [one for one in room.findChildren(KnowledgeDialog) if one.isVisible()][-1]
        assert all(line.edit.isVisible() for line in dialog.lines) and not dialog.rest.isVisible()

    def test_what_nobody_needs_is_left_out_where_it_is_asked_what_can_occur(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        room.outlook.reach_requested.emit("occurring:age")
        dialog = room.findChild(KnowledgeDialog)
        assert dialog is not None and all(line.needed.isChecked() for line in dialog.lines)
        for line in dialog.lines:
            line.edit.setText("no years at all")
            line.needed.click()
        dialog.use.click()
        treatment = room.document.session.release.columns.treatment
        assert dialog.told.isVisible(), "none would be left"
        assert treatment("age") is treatment("city") is Treatment.GENERALISE
        lines = {line.name: line for line in dialog.lines}
        lines["city"].needed.click()
        lines["city"].edit.setText("Basel, Bern")
        dialog.use.click()
        idle(qtbot, room)
        assert treatment("age") is Treatment.LEAVE_OUT and treatment("city") is Treatment.GENERALISE
        assert trim(room).occurring == {"city": "Basel, Bern"}

    def test_it_says_what_is_left_and_when_the_budget_does_not_suffice(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        ledger = room.document.session.ledger.current
        ledger.set_budget(Fraction(2), Fraction(1, 10_000))
        room.document.ledger_changed(room.document.session.data.fingerprint)
        idle(qtbot, room)
        assert room.plan.figures["price"].text() == "ε 1, δ 1e-5; ε 2, δ 0.0001 left"
        write(qtbot, room, room.promise.fields["epsilon"], "3")
        price = room.plan.figures["price"]
        assert price.property("tone") == "error"

    def test_of_a_sampled_release_it_says_the_price(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        pick(qtbot, room, room.promise.mechanism, ReleaseMechanism.SAMPLE.value)
        assert not seen(room.plan.rows, room)
        assert room.plan.figures["price"].text().startswith("ε 1, δ ")


def test_how_it_is_written_is_named_in_the_settings(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    assert not seen(room.plan.written["step_column"], room), "nobody has to read it"
    form = room.plan.written
    for name, text in (("step_column", "step"), ("count_column", "rows")):
        form[name].setText(text)
        form[name].editingFinished.emit()
        idle(qtbot, room)
    assert (trim(room).step_column, trim(room).count_column) == ("step", "rows")
    assert seen(form["step_column"], room), "what is in the file does not hide"
    press(qtbot, room, room.run_button)
    result = room.document.session.release.result
    assert result is not None
    assert result.outcome.release.names == ("age", "city", "step", "rows")


def test_everything_focusable_has_a_name_and_an_explanation(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.TYPED)
    push(qtbot, room, room.levels.steps.add_step)
    pick(qtbot, room, room.levels.steps.shares, False)
    book = HelpBook()
    for widget in room.findChildren(QWidget):
        if not widget.focusPolicy() & Qt.FocusPolicy.TabFocus or widget.objectName().startswith("qt_"):
            continue
        if widget.window() is not room:
            continue  # the list of a combo box
        assert widget.accessibleName(), f"{widget!r} in {widget.parentWidget()!r} has no name"
        key = explain_key(widget)
        assert key == "" or book.find(key) is not None, f"no help for {key}"


class TestReach:
    @pytest.mark.parametrize(
        ("field", "step", "name"),
        [
            ("epsilon", "promise", "ε"),
            ("levels", "levels", "Levels: In steps, all together"),
            ("hierarchy", "promise", "ε"),
        ],
    )
    def test_a_control_is_shown_and_has_the_focus(
        self, room: AnonymiseWorkspace, field: str, step: str, name: str
    ) -> None:
        room.steps.open("levels" if step != "levels" else "run")
        room.reach(field)
        focus = QApplication.focusWidget()
        assert focus is not None and focus.accessibleName() == name
        assert room.steps.current == step and not focus.visibleRegion().isEmpty()

    def test_the_button_is_reached_whatever_is_open(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        push(qtbot, room, room.outlook.public.no)
        assert (room.next_hint(), room.next_field()) == ("Press “Make the release”", "run")
        assert room.next_hint() not in room.run_button.text(), "two controls of one name, of which one spends"
        room.steps.open("levels")
        room.reach("run")
        assert QApplication.focusWidget() is room.run_button and room.steps.current == "levels"
        room.reach("rows")
        focus = QApplication.focusWidget()
        assert focus is not None and focus.accessibleName() == "People you expect" and room.steps.current == "levels"

    def test_a_column_without_a_hierarchy_leads_to_its_own(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        person = room.columns.rows["person"]
        assert person.words == "no hierarchy"
        assert seen(person.attach, room)
        with qtbot.waitSignal(room.reach_requested) as asked:
            click(qtbot, person.attach)
        assert asked.args == ["hierarchies", "hierarchy:person"]

    def test_a_column_of_few_public_values_is_declared_so(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        person = room.columns.rows["person"]
        push(qtbot, room, person.declare)
        assert room.document.session.release.columns.treatment("person") is Treatment.GENERALISE
        assert "few public values" in person.words
        room.document.undo_stack.undo()
        idle(qtbot, room)
        assert person.words == "no hierarchy"


class TestPrice:
    def test_keys_renew_without_spending_and_spend_once(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        room.renew()
        idle(qtbot, room)
        session = room.document.session
        assert session.release.result is None and not session.ledger.current.entries
        assert room.run_button.text() == "Make the release · ε 1, δ 1e-5"
        room.spend()
        idle(qtbot, room)
        first = session.release.result
        assert first is not None and len(session.ledger.current.entries) == 1
        assert room.run_button.text() == "Export this release…"
        room.spend()
        room.renew()
        idle(qtbot, room)
        assert session.release.result is first and len(session.ledger.current.entries) == 1

    def test_what_an_earlier_window_drew_is_added_to_and_asked_for_by_nobody(
        self, qtbot: QtBot, room: AnonymiseWorkspace, anonymising: Anonymising
    ) -> None:
        room.spend()
        idle(qtbot, room)
        loaded = room.document.session.data.loaded
        assert loaded is not None

        def prepare(session: Session) -> None:
            session.data.attach_hierarchy("age", AGES)
            trim = session.project.anonymise.trim
            session.release.set_trimming(replace(trim, steps=StepsBy.DEGREES, degrees=DEGREES))

        later = anonymising(loaded.reading.path, prepare)
        idle(qtbot, later)
        assert later.document.session.release.result is None and later.foot.is_another
        assert later.run_button.text().startswith("Make it again · ε ") and later.run_button.text().endswith(" more")
        assert later.next_hint() == "See what was released before", "nobody is led to a second price"
        asked: list[tuple[str, str]] = []
        later.reach_requested.connect(lambda *where: asked.append(where))
        assert later.do_next(later.next_field()) and asked == [("release", "released")]
        assert later.foot.left_before.isHidden(), "nothing has left"
        ledger = later.document.session.ledger.current
        ledger.charge(ledger.entries[0].charge, left=LeftFile("people.csv", "0" * 64))
        later.foot.refresh()
        assert later.foot.left_before.text().startswith(
            "“people.csv” was exported, and its statement knows no later draw."
        )
        assert later.foot.left_before.isVisible() and later.run_button.property("primary") == "false"

    def test_once_a_draw_has_left_nobody_is_led_to_another_and_what_is_due_is_named(
        self, qtbot: QtBot, room: AnonymiseWorkspace, tmp_path: Path
    ) -> None:
        room.spend()
        idle(qtbot, room)
        release = room.document.session.release
        assert release.result is not None
        release.say(release.result.draw, release.current_claim().asserted)
        room.document.export(tmp_path / "r.csv", None)
        idle(qtbot, room)
        assert release.exported
        assert not room.next_hint(), "Release says it, while the file is what the settings make"
        write(qtbot, room, room.promise.fields["epsilon"], "2")
        assert "draw no more" in room.foot.left_before.text() and room.run_button.text().startswith("Make it again")
        assert room.next_hint() == "Hand over what was exported, or verify it"
        for current in ("anonymise", "data", "release"):
            step = Way(towards="release").step(current, {"anonymise": room})
            assert step == ("Hand over what was exported, or verify it", "release", RELEASED), current

    def test_a_draw_that_nobody_exported_counts_and_it_is_said_why(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        assert not room.document.session.standing.only_drawn
        room.spend()
        idle(qtbot, room)
        why = "1 draw was not exported and counts all the same: whoever saw it knows what came out, and what they do "
        assert room.document.session.standing.only_drawn.startswith(why)
        strip, history = BudgetStrip(room.document), HistorySection()
        qtbot.addWidget(strip)
        qtbot.addWidget(history)
        history.show_entries(room.document.session.ledger.current.entries)
        assert any(why in one.text() for one in history.findChildren(QLabel))
        assert why in strip.fact.toolTip()

    def test_nothing_is_asserted_in_anybodys_name(self, room: AnonymiseWorkspace) -> None:
        assert not seen(room.plan.looked, room)
        room.plan.details.set_open(True)
        assert seen(room.plan.looked, room) and not room.plan.looked.isChecked()
        lines = [one.text() for one in room.plan.asserted.texts if seen(one, room)]
        assert any("would have been the same whoever is in the table" in line for line in lines)
        assert room.run_button.isEnabled(), "a run does not wait for ticks"

    def test_closed_steps_say_their_settings(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        heads = room.steps.heads
        assert heads["promise"].summary == "ε 1, δ 1e-5"
        assert heads["levels"].summary == "in steps, all together · 2 columns, 1 without a hierarchy"
        assert heads["run"].summary == "no budget is set"
        assert room.outlook.who.isVisibleTo(room.outlook) and not room.outlook.budget.isVisibleTo(room.outlook)
        room.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit()))
        idle(qtbot, room)
        assert room.outlook.budget.isVisibleTo(room.outlook), "it is offered beside the button that spends"
        asked: list[bool] = []
        room.budget_requested.connect(lambda: asked.append(True))
        room.outlook.budget.click()
        assert asked == [True]
        write(qtbot, room, room.plan.rows, "100000")
        assert heads["run"].summary == "no budget is set"
        source(qtbot, room, LevelSource.HAND)
        assert heads["levels"].summary.startswith("by hand · ")


def tabbed(qtbot: QtBot, presses: int) -> list[str]:
    """What Tab comes by, each once."""
    names = []
    for _ in range(presses):
        focus = QApplication.focusWidget()
        assert focus is not None
        names.append(focus.accessibleName())
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
    return list(dict.fromkeys(names))


EXPECTED = {
    "promise": [
        "ε",
        "Details",
        "Mechanism",
        "Which number is computed",
        "δ",
        "Floor",
        "Change how many rows one person may have",
        "Rows of a group to ask about",
        "Step 2, Levels",
        "Step 3, Run",
    ],
    "levels": [
        "Step 2, Levels",
        "Levels: In steps, all together",
        "Attach a hierarchy to person",
        "Treatment of person",
        "Treatment of age",
        "Degree of step 1",
        "Degree of step 2",
        "How ε and δ are shared",
        "Add a step",
        "Step 3, Run",
    ],
    "run": ["Step 3, Run", "Details"],
}


@pytest.mark.parametrize("step", list(EXPECTED))
def test_tab_goes_down_the_page(qtbot: QtBot, room: AnonymiseWorkspace, step: str) -> None:
    room.activateWindow()
    room.steps.open(step)
    if step == "promise":
        room.focus_first()
    else:
        room.steps.heads[step].setFocus()
    names = tabbed(qtbot, 36)
    expected = EXPECTED[step]
    assert [name for name in names if name in expected] == expected
    assert any(name.startswith("Make the release · ε") for name in names)


@pytest.mark.parametrize(("width", "height"), [(760, 560), (1016, 700)])
def test_nothing_sticks_out_at_the_side(qtbot: QtBot, room: AnonymiseWorkspace, width: int, height: int) -> None:
    room.resize(width, height)
    for wanted in (LevelSource.STEPS, LevelSource.TYPED, LevelSource.SEARCH):
        source(qtbot, room, wanted)
        for key, content in (("promise", room.promise), ("levels", room.levels), ("run", room.plan)):
            room.steps.open(key)
            QApplication.processEvents()
            area = content.parentWidget()
            assert area is not None
            place = area.parentWidget()
            assert place is not None
            assert area.minimumSizeHint().width() <= place.width(), (wanted, key)
            heads = room.steps.heads.values()
            assert all(not one.visibleRegion().isEmpty() for one in (*heads, room.run_button)), "always in sight"
