"""What is likely to come out of a trimmed release, as it is said before the draw."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import knowledge_asked, seen
from tests.gui.helpers import PATIENCE_MS, idle, pick
from tests.gui.trimming.helpers import level_of_city, push, source, trim, write
from workbench.anonymise.balanced import Importance
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.core.hierarchy import Hierarchy
from workbench.gui import tokens
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise import workspace as workspace_module
from workbench.session import Session
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.outlook import Outlook
from workbench.session.release.prospect import Prospect
from workbench.session.release.remedies import OCCURRING
from workbench.session.release.steps import LevelSource
from workbench.session.release.tried_remedy import OutlookRemedy


def test_before_a_draw_each_column_says_what_is_likely_to_come_out_and_after_it_what_came_out(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    view = room.result
    assert view._pages.currentWidget() is view.details, "there is something to look at before a draw"
    model = view.details.model
    assert [column.title for column in model.columns] == [
        "Column",
        "Detail",
        "% of rows",
    ]
    names = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert [name for name in names if name] == ["age", "city"], "each is named once"
    assert room.foot.ready.text() == "First say how many: details are as for 10,000.", (
        "once, beside what is not to be pressed yet"
    )
    assert view.details.asks.text().strip() == "", "one step at a time"
    told = [(row, one) for row, one in enumerate(model.records) if one.rows_words]
    places = [model.index(row, 2) for row, _ in told]
    assert {place.data() for place in places} == {"–"}, "a forecast for people whom nobody named would be believed"
    assert all("how many there are" in place.data(Qt.ItemDataRole.ToolTipRole) for place in places)
    assert room.outlook.rare.isHidden(), "nor would which values are lost"
    write(qtbot, room, room.plan.rows, "4000")
    assert room.outlook.rare.isHidden(), "the details below have both numbers"
    assert model.needs and all(re.fullmatch(r"(age|city) [\d,]+(–[\d,]+| or more)?", one) for one in model.needs)
    assert "–" not in {model.index(row, 2).data() for row in range(model.rowCount())}
    assert view.details.asks.text() == "Press a detail for a finer or coarser one."
    assert view.details.more.text().startswith("People a value needs, such as a small ward: age ")
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
    before, now = (
        [one.column for one in table.model.records if isinstance(one, DetailOutlook)]
        for table in (view.details, view.ahead)
    )
    assert view.tabs.isTabVisible(ahead) and now == before != []
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
    push(qtbot, room, room.outlook.public.no)
    words = room.outlook.words.text()
    assert room.outlook.stars.text().startswith("* (no value) in ") and " rows: " in room.outlook.stars.text()
    assert words and "matter most" not in words, "what is ticked is all there is, as a rule"
    assert seen(room.outlook.words, room) and room.outlook.words.property("tone") != "warning", "it was asked for"


def test_what_is_pressed_stays_where_it_is_while_one_button_is_there_for_two(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    room.resize(1024, 690)
    room.show()
    source(qtbot, room, LevelSource.HAND)
    level_of_city(room, 1)
    push(qtbot, room, room.outlook.public.no)
    foot = room.foot
    qtbot.waitUntil(lambda: foot.mend.isVisible() and foot.width() < 2 * tokens.STEPS_WIDTH, timeout=PATIENCE_MS)
    assert foot.mend.geometry().bottom() < foot.run_button.geometry().top(), "below each other"
    QApplication.processEvents()  # what was shown just now is laid out as it is dressed
    parts = (room.outlook.public.no, room.outlook.rows)
    places, spends = [part.mapTo(room, QPoint()) for part in parts], foot.run_button.mapTo(room, QPoint())
    assert foot.ready.text() == "First say how many: details are as for 10,000.", "beside what spends"
    assert "δ is small enough for 1,000" in foot.ready.toolTip()
    write(qtbot, room, room.plan.rows, "1000000")
    level_of_city(room, 0)
    qtbot.waitUntil(lambda: not foot.mend.isVisible(), timeout=PATIENCE_MS)
    assert [part.mapTo(room, QPoint()) for part in parts] == places
    assert foot.run_button.mapTo(room, QPoint()) == spends, "what spends never comes to where a harmless button was"
    assert "never comes back" in foot.ready.text() and foot.ready.isVisible()


def test_that_hardly_a_row_may_come_out_is_said_in_the_colour_of_a_warning(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    source(qtbot, room, LevelSource.HAND)
    write(qtbot, room, room.plan.rows, "1500")
    words = room.outlook.words
    assert "from hardly any up to" in words.text() and words.property("tone") == "warning"
    write(qtbot, room, room.plan.rows, "100000")
    assert "hardly" not in words.text() and words.property("tone") == "none"


@pytest.mark.parametrize(
    ("fewest", "hopeful", "asks", "warns"),
    [
        (0.86, 0.99, False, False),  # however much is `*` in it: what to do about that stands elsewhere
        (0.2, 0.45, False, True),
        (0.0, 0.98, False, True),
        (0.0, 0.98, True, False),  # that it is not known yet is no loss
        (0.2, 0.45, True, False),
    ],
)
def test_only_few_rows_are_told_in_the_colour_of_a_warning_and_no_range_before_it_says_something(
    qtbot: QtBot, room: AnonymiseWorkspace, fewest: float, hopeful: float, asks: bool, warns: bool
) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    come = "Of 4,000 people so many should come out."
    names = ("age", "city")
    found = Outlook(
        (8,), "", True, ("age",), widest=names, typed=True, fewest=fewest, hopeful=hopeful, short=come, unknown=names
    )
    taken = OutlookRemedy("Say what occurs in age", None, f"{OCCURRING}age", "", ("age",)) if asks else None
    assessed = PromiseAssessment(prospect=Prospect("", "", outlook=found))
    room.outlook.show_assessment(assessed, trims=True, settled=False, taken=taken)
    words = room.outlook.words
    follows = asks  # another number is told then, and this one would be read as a loss
    assert words.text() == ("Once it is said what occurs, it is told how many come out." if follows else come)
    assert (words.property("tone") == "warning") is warns


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


class TestForecast:
    def test_it_needs_no_row_and_is_never_filled_in(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        block = room.plan
        assert block.rows.value is None
        assert [line[1].text() for line in block.forecast.cells] == ["120", "24", "4", "1"]
        assert all(line[2].text().endswith(" rows") for line in block.forecast.cells)
        assert room.outlook.words.text().startswith("Say how many people you expect") and seen(room.outlook.rows, room)
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
        dialog = knowledge_asked(room)
        assert dialog.focusWidget() is dialog.lines[0].edit and dialog.lines[0].said[0] == "20s"
        dialog.reject()
        room.document.undo_stack.undo()
        idle(qtbot, room)
        assert not trim(room).occurring and field.button.text() == "What occurs?"

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


def test_beside_a_number_that_cannot_be_read_nothing_is_foretold_and_next_leads_to_it(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    rows = room.plan.rows
    rows.setFocus()
    qtbot.keyClicks(rows.edit, "30,000")
    idle(qtbot, room)
    assert "30,000" in room.outlook.words.text() and room.run_button.isEnabled()
    rows.edit.clear()
    qtbot.keyClicks(rows.edit, "30.000")
    idle(qtbot, room)
    assert not room.outlook.words.text() and not room.run_button.isEnabled()
    assert (room.next_hint(), room.next_field()) == ("Correct the number of people", "rows")
    push(qtbot, room, room.outlook.public.yes)
    assert rows.edit.text() == "30.000" and not room.run_button.isEnabled(), "an answer changes no other field"
