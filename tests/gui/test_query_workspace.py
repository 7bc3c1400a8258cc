"""Asking questions in the window: what is seen before, what is spent, and what is never spent unseen."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, OnScreen, idle
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate
from workbench.core.schema import PrivacyUnit, UnitAnswer
from workbench.core.settings_json import from_json, to_json
from workbench.gui.document import Document
from workbench.gui.messages import MessageBar
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.workspaces.query import QueryWorkspace
from workbench.gui.workspaces.query.price_strip import PriceStrip
from workbench.project.query_settings import QuerySettings
from workbench.query import relevance
from workbench.query.answer import AnswerForm
from workbench.query.catalogue import QUERIES, NoiseSource, QueryDraft
from workbench.query.ledger import Charge, Ledger

ROWS = 3000
TEAMS = ("north", "south", "east, far")


class Room:
    """A workspace with its document, and what a person does in it."""

    def __init__(self, qtbot: QtBot, workspace: QueryWorkspace, messages: MessageBar) -> None:
        self.qtbot, self.workspace, self.messages = qtbot, workspace, messages

    @property
    def document(self) -> Document:
        return self.workspace.document

    @property
    def draft(self) -> QueryDraft:
        return self.document.project.queries.draft

    @property
    def ledger(self) -> Ledger:
        return self.document.session.ledger.current

    @property
    def spent(self) -> Fraction:
        return self.ledger.spent().epsilon

    def idle(self) -> None:
        idle(self.qtbot, self.workspace)

    def ask(self, kind: str, **values: object) -> None:
        """Choose a question and fill in its fields."""
        form = self.workspace.form
        form.kind.choose(kind)
        form.kind.activated.emit(form.kind.currentIndex())
        for name, value in values.items():
            form._set_value(name, value)
        self.idle()

    def click(self, button: object) -> None:
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)  # type: ignore[arg-type]

    def release(self) -> None:
        self.click(self.workspace.price.release)
        self.idle()

    def set_budget(self, epsilon: Fraction) -> None:
        self.ledger.set_budget(epsilon)
        self.document.ledger_changed(self.document.session.data.fingerprint)
        self.idle()

    def type_into(self, name: str, text: str) -> None:
        field = self.workspace.form.field(name)
        assert isinstance(field, QLineEdit)
        field.selectAll()
        self.qtbot.keyClicks(field, text)


@pytest.fixture
def bare(qtbot: QtBot, document: Document, messages: MessageBar, on_screen: OnScreen) -> Iterator[Room]:
    """The workspace without data."""
    workspace = on_screen(QueryWorkspace(document), 816)
    yield Room(qtbot, workspace, messages)
    workspace.hide()


@pytest.fixture
def room(bare: Room, tmp_path: Path) -> Room:
    """The workspace with 3,000 people; the age has public bounds."""
    data = tmp_path / "people.csv"
    lines = [f'{20 + i % 40},"{TEAMS[i % 3]}",{i % 7 * 1.5}' for i in range(ROWS)]
    data.write_text("age,team,score\n" + "\n".join(lines) + "\n", encoding="utf-8")
    bare.document.open_data(data)
    bare.qtbot.waitUntil(lambda: bare.document.has_data, timeout=PATIENCE_MS)
    bare.document.apply("bounds", lambda session: session.data.set_bounds("age", (0, 100)))
    bare.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit()))
    bare.idle()
    return bare


def test_without_data_it_offers_to_open_some(bare: Room) -> None:
    with bare.qtbot.waitSignal(bare.workspace.open_requested):
        assert bare.workspace.empty.primary_button is not None
        bare.click(bare.workspace.empty.primary_button)
    assert bare.workspace.status() is None
    bare.workspace.run()  # spends nothing and needs nothing


def test_no_answer_leaves_before_it_is_said_who_is_protected(room: Room) -> None:
    unsaid = PrivacyUnit(protected=UnitAnswer.UNSAID)
    room.document.apply("unsay", lambda session: session.data.set_unit(unsaid))
    room.idle()
    price, batch = room.workspace.price, room.workspace.batch
    assert price.budget.full_text == "Who is protected?" and not price.release.isEnabled()
    assert "who is protected" in price.release.toolTip()
    room.workspace.release()
    room.workspace.add_to_batch()
    room.idle()
    assert room.spent == 0 and not batch.release.isEnabled() and "Who is protected?" in batch.words.text()
    with room.qtbot.waitSignal(room.workspace.reach_requested) as wanted:
        room.click(price.who)
    assert wanted.args == ["data", "person"]
    room.click(price.every_row)
    room.idle()
    assert room.document.project.schema.unit == PrivacyUnit()
    assert price.release.isEnabled() and batch.release.isEnabled()
    assert price.budget.full_text == "No total budget is set." and price.every_row.isHidden()
    room.workspace.tabs.setCurrentWidget(room.workspace.expected)
    room.release()
    assert "for people with one row each" in room.workspace.answer.made.full_text


def test_several_answers_to_one_question_have_an_average(room: Room) -> None:
    room.release()
    assert "average" not in room.workspace.price.words.text()
    room.click(room.workspace.answer.again)
    room.idle()
    answers = [one.released.value for one in room.document.session.queries.alike(room.draft)]
    assert len(answers) == 2
    said = room.workspace.price.words.text()
    assert said.startswith(f"The average of 2 answers, {estimate(sum(answers) / 2, 6)} rows, is 1.4 times closer")


def test_where_rows_look_like_one_persons_that_is_to_be_seen_first(bare: Room, tmp_path: Path) -> None:
    data = tmp_path / "visits.csv"
    lines = [f"{i % 100},{20 + i % 40}" for i in range(ROWS)]
    data.write_text("person id,age\n" + "\n".join(lines) + "\n", encoding="utf-8")
    bare.document.open_data(data)
    bare.qtbot.waitUntil(lambda: bare.document.has_data, timeout=PATIENCE_MS)
    bare.idle()
    price = bare.workspace.price
    assert price.every_row.isHidden() and price.who.text() == "Say so in Data…"


def test_the_price_is_shown_before_anything_is_spent(room: Room) -> None:
    price = room.workspace.price
    assert price.half_width.text() == "± 30 rows"  # 2q^31/(1 + q) ≤ 0.05 for q = e^-0.1
    assert price.release.text() == "Release for ε 0.1"
    assert price.budget.full_text == "No total budget is set."
    assert not price.set_budget.isHidden()
    assert room.spent == 0 and not room.ledger.entries
    assert room.workspace.expected.spread.data is not None
    curve = room.workspace.expected.curve.data
    assert curve.chosen == (0.1, 30.0)
    assert "e^ε ≤ 1.106:" in room.workspace.privacy.promise.text()


def test_while_a_price_is_worked_out_it_says_so_and_nothing_can_be_spent(qtbot: QtBot) -> None:
    price = PriceStrip()
    qtbot.addWidget(price)
    price.show_waiting()
    waiting = "Working out the price."
    assert [price.what.full_text, price.cost.isVisible(), price.half_width.text()] == [waiting, False, ""]
    assert not price.release.isEnabled()
    assert price.release.toolTip() == price.release.accessibleDescription() == waiting
    price.show_error("Mean of age", WorkbenchError("It has no bounds."))
    assert price.release.toolTip() == price.release.accessibleDescription() == "It has no bounds."
    price.show_waiting()
    assert price.what.full_text == "Mean of age", "what was asked before stays until the next is known"


def test_once_the_price_is_known_nothing_waits(room: Room) -> None:
    release = room.workspace.price.release
    room.workspace.price.show_waiting()
    room.ask("mean", column="age")
    assert release.isEnabled() and release.toolTip() == "Ctrl+Enter" and not release.accessibleDescription()


def test_releasing_spends_once_and_shows_the_answer(room: Room) -> None:
    room.release()
    assert room.spent == Fraction(1, 10)
    answer = room.workspace.answer
    assert answer.shown is not None and abs(answer.shown.released.value - ROWS) < 400
    assert room.workspace.tabs.currentWidget() is answer
    assert answer.value.text() == f"{answer.shown.released.value:,} rows"
    (row,) = room.workspace.ledger.table.texts()
    assert "Count" in row and "0.1" in row and answer.value.text().replace(" rows", " ± 30 rows") in row
    assert room.workspace.status() is not None
    # Undo takes back nothing of it.
    room.document.undo_stack.undo()
    room.idle()
    assert room.spent == Fraction(1, 10)


def test_pressing_again_shows_the_stored_answer_for_nothing(room: Room) -> None:
    price = room.workspace.price
    room.click(price.release)
    room.click(price.release)  # at once: the first one is still being asked
    room.workspace.run()
    room.idle()
    assert room.spent == Fraction(1, 10)
    first = room.workspace.answer.shown
    assert price.release.text() == "Next question", "the answer stands beside it"
    room.click(price.release)
    assert room.workspace.form.kind.hasFocus() and room.workspace.tabs.currentWidget() is room.workspace.answer
    room.workspace.tabs.setCurrentWidget(room.workspace.expected)
    assert price.release.text() == "Show the answer"
    room.release()
    room.workspace.run()
    room.idle()
    assert room.spent == Fraction(1, 10)
    assert first is not None and room.workspace.answer.shown is not None
    assert room.workspace.answer.shown.entry.id == first.entry.id
    # A second draw is offered with its price, and costs it.
    again = room.workspace.answer.again
    assert again.isVisible() and again.text() == "Ask again for ε 0.1"
    room.click(again)
    room.idle()
    assert room.spent == Fraction(2, 10)
    assert room.workspace.answer.shown.entry.id != first.entry.id


def test_an_answer_given_elsewhere_meanwhile_is_not_paid_for_again(room: Room) -> None:
    other = room.document.session.snapshot().queries
    other.ask(room.draft)  # another window, after this one has worked out the price
    assert room.workspace.price.release.text().startswith("Release")
    room.release()
    assert room.spent == Fraction(1, 10)


def test_over_budget_says_what_fits_and_takes_it(room: Room) -> None:
    room.set_budget(Fraction(1, 4))
    room.document.apply("ε", lambda s: s.queries.set_draft(replace(room.draft, epsilon="0.3")))
    room.idle()
    price = room.workspace.price
    assert not price.release.isEnabled()
    assert "0.25 would fit" in price.budget.full_text
    assert "beyond the budget" in price.release.toolTip()
    room.workspace.run()
    room.idle()
    assert room.spent == 0
    room.click(price.fit)
    room.idle()
    assert room.draft.epsilon == "0.25"
    assert price.release.isEnabled() and "ε 0 of 0.25 remain" in price.budget.full_text
    room.release()
    assert price.budget.full_text == "ε 0 of 0.25 remains. Answered at this ε: showing it again is free."
    room.document.apply("ε", lambda s: s.queries.set_draft(replace(room.draft, epsilon="0.01")))
    room.idle()
    assert "nothing more fits" in price.budget.full_text and price.fit.isHidden()
    assert not price.release.isEnabled()


def test_what_others_spend_changes_what_remains(room: Room) -> None:
    room.set_budget(Fraction(1))
    Ledger.for_data(room.document.session.data.fingerprint).charge(Charge("query", "elsewhere", Fraction(1, 2)))
    room.document.tell_ledger()
    room.idle()
    assert "Then ε 0.4 of 1 remain" in room.workspace.price.budget.full_text
    room.release()
    assert room.workspace.price.budget.full_text.startswith("ε 0.4 of 1 remains. Answered at this ε")
    assert any("elsewhere" in row for row in room.workspace.ledger.table.texts())


def test_nothing_is_spent_that_is_not_on_the_screen(room: Room) -> None:
    # The draft changes; until its price is shown, the button and F5 do nothing.
    room.document.apply("ε", lambda s: s.queries.set_draft(replace(room.draft, epsilon="5")))
    room.workspace.run()
    room.workspace.release()
    room.idle()
    assert room.spent == 0
    room.workspace.hide()
    room.workspace.run()
    assert room.spent == 0
    room.workspace.show()
    room.idle()


def test_typing_is_taken_in_as_one_step(room: Room) -> None:
    room.ask("mean", column="age")
    steps = room.document.undo_stack.count()
    room.type_into("upper", "90")
    room.type_into("lower", "10")
    room.qtbot.waitUntil(lambda: room.draft.values.get("lower") == "10", timeout=PATIENCE_MS)
    room.idle()
    assert room.draft.values["upper"] == "90"
    assert room.document.undo_stack.count() <= steps + 2
    field = room.workspace.form.field("lower")
    assert isinstance(field, QLineEdit)
    assert room.workspace.foreseen is not None and room.workspace.foreseen.plan.parameters["values"]["lower"] == "10"
    room.document.undo_stack.undo()
    room.idle()
    assert field.text() == ""


def test_a_form_that_goes_leaves_nothing_in_the_next_question(room: Room) -> None:
    room.ask("sum", column="age")
    room.ask("quantile")
    field = room.workspace.form.field("quantile")
    assert isinstance(field, QLineEdit)
    field.setFocus()
    room.type_into("quantile", "0.1")
    room.workspace.form.flush()
    room.idle()
    for typed in ("", "0.2"):  # with nothing half typed, and with something
        room.qtbot.keyClicks(field, typed)
        for _ in range(2):
            room.document.undo_stack.undo()
        room.idle()
        room.workspace.form.flush()
        assert room.draft.kind == "sum" and "quantile" not in room.draft.values
        for _ in range(2):
            room.document.undo_stack.redo()
        room.idle()
        field = room.workspace.form.field("quantile")
        assert isinstance(field, QLineEdit) and field.text() == "0.1"
        field.setFocus()


def test_tab_leads_down_the_form(room: Room) -> None:
    room.ask("sum", column="team")
    room.ask("mean", column="age")
    form = room.workspace.form
    assert form.main is not None and form.where is not None
    form.kind.setFocus()
    visited = [form.kind]
    for _ in range(len(form.main.fields) + 3):
        room.qtbot.keyClick(visited[-1], Qt.Key.Key_Tab)
        visited.append(form.focusWidget())
    wanted = [field.focusProxy() or field for field in form.main.fields.values()]
    assert visited == [form.kind, *wanted, form.why, form.disclosure.button, form.where]


def test_parameters_that_a_question_does_not_have_are_not_read_back() -> None:
    sums, foreign = QueryDraft(kind="sum", values={"quantiles": "0.1"}), QueryDraft(kind="x", values={"y": 1})
    read = from_json(QuerySettings, to_json(QuerySettings(sums, (sums, foreign))))
    assert read == QuerySettings(replace(sums, values={}), (replace(sums, values={}), foreign))


def test_missing_bounds_are_pointed_at_and_reading_them_is_refused(room: Room) -> None:
    room.ask("mean", column="score", resolution="0.5")
    price, form = room.workspace.price, room.workspace.form
    assert not price.release.isEnabled()
    assert "bounds of “score” are missing" in price.words.text()
    lower = form.field("lower")
    assert lower is not None and lower.property("invalid") == "true"
    assert isinstance(lower, QLineEdit) and lower.placeholderText() == "needed"
    room.click(form.why)
    assert form.refusal.isVisible()
    room.click(form.pay)
    room.idle()
    assert room.draft.kind == "bounds" and room.draft.values["column"] == "score"


def test_declared_bounds_count_where_a_field_is_empty(room: Room) -> None:
    room.ask("mean", column="age")
    upper = room.workspace.form.field("upper")
    assert isinstance(upper, QLineEdit) and upper.placeholderText() == "100"
    found = room.workspace.foreseen
    assert found is not None and found.plan.kind.identifier == "mean"


def test_typed_bounds_are_kept_for_every_page_by_one_press(room: Room) -> None:
    room.ask("mean", column="score", lower="0", upper="50", resolution="0.5")
    keep = room.workspace.form.keep
    assert keep.isVisible()
    room.click(keep)
    room.idle()
    spec = room.document.project.schema["score"]
    assert spec.bounds == (0.0, 50.0) and "bounds" not in spec.observed
    assert "lower" not in room.draft.values and "upper" not in room.draft.values, "those of the column count now"
    assert keep.isHidden()
    room.document.undo_stack.undo()
    room.idle()
    assert room.document.project.schema["score"].declared().bounds is None and room.draft.values["upper"] == "50"
    room.ask("mean", column="score", lower="50", upper="0", resolution="0.5")
    assert keep.isHidden(), "these are no bounds"


def test_what_is_drawn_of_another_question_is_faded_until_the_next_is(room: Room) -> None:
    charts = (room.workspace.expected.spread, room.workspace.expected.curve)
    room.ask("count")
    assert all(chart.isEnabled() for chart in charts)
    faded: list[bool] = []
    room.workspace.expected.show_drawing()
    faded += [not chart.isEnabled() for chart in charts]
    room.ask("mean", column="age")
    assert all(faded) and all(chart.isEnabled() for chart in charts)


def test_private_bounds_can_become_those_of_the_column(room: Room) -> None:
    room.ask("bounds", column="score", lower="-1000", upper="1000", resolution="1")
    room.document.apply("ε", lambda s: s.queries.set_draft(replace(room.draft, epsilon="10")))
    room.idle()
    room.release()
    answer = room.workspace.answer
    assert answer.shown is not None
    room.click(answer.bounds)
    low, high = answer.shown.released.value
    spec = room.document.project.schema["score"]
    assert spec.bounds == (low, high) and "bounds" not in spec.observed


def test_a_bad_filter_is_underlined_and_nothing_can_be_spent(room: Room) -> None:
    form = room.workspace.form
    assert form.where is not None
    form.where.setPlainText("agee > 30")
    room.qtbot.waitUntil(lambda: room.draft.where == "agee > 30", timeout=PATIENCE_MS)
    room.idle()
    assert form.where.marked == "agee"
    assert "agee" in form.where.accessibleDescription()
    assert "agee" in room.workspace.price.words.text(), "in the line of the price, whose room is kept"
    assert not room.workspace.price.release.isEnabled()
    form.where.setPlainText("age > 30 and team = 'north'")
    room.qtbot.waitUntil(lambda: room.draft.where.startswith("age > 30"), timeout=PATIENCE_MS)
    room.idle()
    assert form.where.marked == "" and not form.where.accessibleDescription()
    room.release()
    shown = room.workspace.answer.shown
    assert shown is not None and abs(shown.released.value - ROWS // 4) < 400


def test_the_filter_offers_no_value_that_was_read_from_the_data(room: Room) -> None:
    where = room.workspace.form.where
    assert where is not None
    where.setPlainText("team = ")
    where.moveCursor(where.textCursor().MoveOperation.End)
    assert where.offers()[0] == []
    room.document.apply("domain", lambda s: s.data.set_domain("team", ("north", "south"), observed=False))
    room.idle()
    where = room.workspace.form.where
    assert where is not None
    where.setPlainText("team = ")
    where.moveCursor(where.textCursor().MoveOperation.End)
    assert where.offers()[0] == ["'north'", "'south'"]
    room.workspace.form.flush()
    room.idle()


def test_the_engine_of_diffprivlib_says_what_must_be_known(room: Room) -> None:
    room.ask("mean", column="age")
    form = room.workspace.form
    assert form.edges.text() == "Hides whether a person's row is in the data at all."
    form.noise.choose(NoiseSource.DIFFPRIVLIB.value)
    form.noise.activated.emit(form.noise.currentIndex())
    room.idle()
    assert form.edges.text().startswith("• No guarantee of ours") and "treated as public" in form.edges.text()
    assert "No guarantee of ours" in room.workspace.privacy.promise.text()
    assert form.field("resolution") is None
    assert [form.tool.itemText(row) for row in range(form.tool.count())] == list(QUERIES["mean"].tools)
    # Its quantiles are for experiments only.
    room.ask("median", column="age")
    assert not room.workspace.price.release.isEnabled()
    assert "experiments only" in room.workspace.price.budget.full_text
    room.ask("mode", column="team", keys='north, south, "east, far"')
    assert room.draft.noise is NoiseSource.GRID and not form.noise.isEnabled()


def test_a_wanted_error_gives_epsilon(room: Room) -> None:
    privacy = room.workspace.privacy
    room.qtbot.keyClicks(privacy.need.edit, "5")
    room.qtbot.keyClick(privacy.need.edit, Qt.Key.Key_Return)
    room.idle()
    found = room.workspace.foreseen
    assert found is not None and found.plan.expected.half_width is not None
    assert found.plan.expected.half_width <= 5
    assert 0.4 < float(room.draft.epsilon) < 0.8
    assert room.spent == 0
    privacy.need.edit.setText("0.0000001")
    room.ask("mean", column="age")
    privacy._ask()
    room.idle()
    assert "No ε makes the answer that exact" in privacy.problem.text()


def test_a_mistyped_epsilon_cannot_be_spent(room: Room) -> None:
    for text in ("0", "-1", "nan", "", "1,500", "1e400"):
        room.workspace.privacy.epsilon.edit.setText(text)
        room.idle()
        assert not room.workspace.price.release.isEnabled()
        room.workspace.run()
        room.idle()
    assert room.spent == 0


def test_epsilon_is_read_as_people_write_it_and_rounded_up(room: Room) -> None:
    field = room.workspace.privacy.epsilon
    for text, kept in (("0,5", "0.5"), ("1/3", "1/3"), ("ln 3", "1.09861228867")):
        field.edit.setText(text)
        room.idle()
        assert room.draft.epsilon == kept and field.edit.text() == text
    room.release()
    assert room.spent == Fraction("1.09861228867") and math.log(3) < room.spent


def test_a_field_of_zero_is_told_from_one_without_a_number(room: Room) -> None:
    for text, said in (("0", "“ε of the answer” holds 0; it takes more than 0, at most 100."), ("x", "no number")):
        room.workspace.privacy.epsilon.edit.setText(text)
        room.idle()
        assert said in " ".join(one.text() for one in room.workspace.findChildren(QLabel) if one.isVisible())


def test_a_histogram_is_drawn_with_its_error_bars(room: Room) -> None:
    room.ask("histogram", column="age", bins=5, post="non-negative")
    room.release()
    answer = room.workspace.answer
    assert answer.shown is not None and answer.shown.released.form is AnswerForm.LIST
    bars = answer.chart.data
    assert len(bars.labels) == 5 and bars.true is None
    assert all(low <= value <= high for low, value, high in zip(bars.low, bars.values, bars.high, strict=True))
    assert len(answer.list.texts()) == 5


def test_counts_below_0_that_were_replaced_are_said(room: Room) -> None:
    """Nobody is in 60 of 100 years: that none of their counts is below 0 happens once in 2^60 runs or less often."""
    room.ask("histogram", column="age", bins=100, post="non-negative")
    room.release()
    assert "Counts below 0 were replaced by 0" in room.workspace.answer.notes.text()


def test_pairs_of_cells_stand_in_a_table(room: Room) -> None:
    room.ask("histogram2d", column="age", bins=3, second_column="team", second_keys='north, south, "east, far"')
    room.release()
    rows = room.workspace.answer.table.texts()
    assert len(rows) == 3 and all(len(row) == 4 and "±" in row[1] for row in rows)


def test_a_question_whose_epsilon_follows(room: Room) -> None:
    room.ask("laplace", scale="20")
    privacy = room.workspace.privacy
    assert not privacy.epsilon.isEnabled() and privacy.epsilon.edit.text() == "0.05"
    assert not room.workspace.price.batch.isEnabled()
    room.release()
    assert room.spent == Fraction(1, 20)
    room.ask("count")
    assert privacy.epsilon.isEnabled() and privacy.epsilon.edit.text() == room.draft.epsilon == "0.1"


def test_an_answer_to_another_question_is_said_to_be_one(room: Room) -> None:
    room.release()
    assert room.workspace.answer.state.text == "Answer to this question"
    room.ask("mean", column="age")
    assert room.workspace.answer.state.text == "Another question"
    assert room.workspace.answer.again.isHidden()


def test_a_batch_shares_epsilon_by_weight(room: Room) -> None:
    workspace = room.workspace
    room.click(workspace.price.batch)
    room.ask("mean", column="age")
    room.click(workspace.price.batch)
    room.idle()
    assert workspace.tabs.currentWidget() is workspace.batch
    workspace.batch.weights[1].edit.setText("3")
    workspace.batch.epsilon.edit.setText("0.4")
    room.idle()
    assert "ε 0.1 " in workspace.batch.shares[0].text() and "ε 0.3 " in workspace.batch.shares[1].text()
    assert workspace.batch.release.text() == "Release all for ε 0.4"
    workspace.run()  # F5 presses the button of the view that is seen
    room.idle()
    assert room.spent == Fraction(4, 10)
    batch, *answers = workspace.ledger.table.texts()
    assert batch[1].startswith("Batch of 2 questions: Count; Mean of age") and (batch[2], batch[4]) == ("", "0.4")
    assert [(row[1], row[4]) for row in answers] == [
        ("Count", "(0.1)"),
        ("Mean of age, 0 to 100 in steps of 1", "(0.3)"),
    ], "what the batch pays for stands in brackets"
    # The same batch again costs again: the button says so, and no key does it by chance.
    assert workspace.tabs.currentWidget() is workspace.answer
    workspace.tabs.setCurrentWidget(workspace.batch)
    workspace.run()
    room.idle()
    assert room.spent == Fraction(4, 10)
    assert workspace.batch.release.text() == "Ask all again for ε 0.4" and workspace.batch.release.isEnabled()
    # Going back to the batch, a question can be taken out and into the form again.
    workspace.batch.opened.emit(0)
    room.idle()
    assert room.draft.kind == "count"
    workspace.batch.removed.emit(0)
    room.idle()
    assert [draft.kind for draft in room.document.project.queries.batch] == ["mean"]


def test_what_is_pressed_once_more_in_haste_is_not_meant_for_the_next_question(room: Room) -> None:
    page, document = room.workspace.batch, room.document
    for _ in range(2):
        room.click(room.workspace.price.batch)
        room.idle()
    field = page.weights[1]
    page.removed.emit(0)
    for press in (page.removed, page.opened):
        press.emit(1)  # the row is still shown, the question is not there any more
    field.value_changed.emit(2.0)
    assert len(document.project.queries.batch) == 1
    document.undo_stack.undo()
    room.idle()
    assert len(document.project.queries.batch) == len(page.weights) == 2


def test_a_field_of_the_question_before_says_nothing_about_the_next(room: Room) -> None:
    room.ask("mean", column="age")
    room.idle()
    column = room.workspace.form.field("column")
    room.document.apply("take", lambda session: session.queries.set_draft(QueryDraft("count")))
    column.choose("score")
    column.activated.emit(column.currentIndex())
    assert room.draft == QueryDraft("count")


def test_a_batch_that_was_interrupted_is_gone_on_with_for_nothing(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.click(room.workspace.price.batch)
    room.ask("mean", column="age")
    room.click(room.workspace.price.batch)
    room.idle()

    def full(*_words: object) -> None:
        raise WorkbenchError("The ledger cannot be written.", field="ledger")

    with monkeypatch.context() as patched:
        patched.setattr(Ledger, "draw_in", full)
        room.workspace.run()
        room.idle()
    spent, page = room.spent, room.workspace.batch
    assert spent > 0 and page.release.text() == "Answer the other 2" and "the rest is paid for" in page.words.text()
    room.set_budget(spent)
    room.click(page.release)
    room.idle()
    assert room.spent == spent and len(room.workspace.ledger.table.texts()) == 3
    assert page.release.text().startswith("Ask all again")


def test_a_batch_over_budget_is_refused_as_a_whole(room: Room) -> None:
    room.set_budget(Fraction(1, 2))
    room.click(room.workspace.price.batch)
    room.idle()
    batch = room.workspace.batch
    assert not batch.release.isEnabled() and "0.5 would fit" in batch.words.text()
    room.workspace.run()
    room.idle()
    assert room.spent == 0


def test_stored_answers_come_back_from_the_ledger(room: Room) -> None:
    room.release()
    first = room.workspace.answer.shown
    room.ask("mean", column="age")
    room.release()
    ledger = room.workspace.ledger
    room.click(ledger.heading)  # the drawer opens
    assert ledger.table.isVisible()
    ledger.table.selectRow(1)
    room.click(ledger.show_button)
    assert first is not None and room.workspace.answer.shown is not None
    assert room.workspace.answer.shown.entry.id == first.entry.id
    assert room.spent == Fraction(2, 10)


def test_answers_and_ledger_are_exported(room: Room, tmp_path: Path) -> None:
    room.ask("mode", column="team", keys='north, south, "east, far"')
    room.release()
    answer = room.workspace.answer
    for name in ("answer.json", "answer.csv"):
        answer.save(tmp_path / name)
        room.idle()
    plain = json.loads((tmp_path / "answer.json").read_text(encoding="utf-8"))
    assert plain["question"]["query"] == "mode" and plain["epsilon"] == 0.1 and plain["engine"] == "grid"
    text = (tmp_path / "answer.csv").read_text(encoding="utf-8")
    assert "# epsilon: 1/10" in text and "# engine: grid" in text and "east, far" in text
    room.workspace.ledger.save(tmp_path / "ledger.csv")
    room.idle()
    assert (tmp_path / "ledger.csv").read_text(encoding="utf-8").count("\n") == 2
    answer.copy_answer()
    assert QGuiApplication.clipboard().text().splitlines()[0].split("\t")[1] == "value"
    # The data itself cannot be written over.
    data = room.document.session.data.reading.path
    before = data.read_bytes()
    room.workspace.ledger.save(data)
    room.idle()
    assert data.read_bytes() == before


def test_experiments_cost_nothing_and_go_out_of_date(room: Room) -> None:
    page = room.workspace.experiments
    room.workspace.tabs.setCurrentWidget(page)
    room.workspace.run()
    room.idle()
    # Nothing is computed from the true rows before a look is recorded.
    assert page.found is None and page.first_look.isVisible() and not room.document.session.queries.looked
    room.click(page.first_look.take)
    room.idle()
    assert room.document.session.queries.looked and page.first_look.isHidden()
    simulated, formula = page.curve.data.lines
    assert formula.formula and len(simulated.places) == 25
    assert page.words.text().startswith("Answers about the rows of this table that match, ")
    # The mean of 100 repetitions is within half of the formula where the error is not tiny.
    for place, mean, theory in zip(simulated.places, simulated.values, formula.values, strict=True):
        assert place > 1 or abs(mean - theory) < 0.5 * theory
    assert room.spent == 0 and not room.ledger.entries
    assert "from the question as it stands" in page.state.text
    page.seed.setValue(2)
    assert "Out of date" in page.state.text
    room.ask("histogram", column="age", bins=4)
    page.experiment.choose("histogram")
    page.experiment.activated.emit(page.experiment.currentIndex())
    page.run()
    room.idle()
    assert page.bars.data.true.sum() == ROWS  # the truth, which is for the analyst only
    assert "Euclidean" in page.words.text() and "Kantorovich" in page.words.text()
    page.experiment.choose("rows")
    page.experiment.activated.emit(page.experiment.currentIndex())
    page.run()
    room.idle()
    assert page.curve.data.lines[0].places[-1] == ROWS
    assert page.words.text().startswith("Answers about rows drawn from those of this table that match, ")
    assert room.spent == 0


def test_an_experiment_waits_for_numbers(room: Room) -> None:
    page = room.workspace.experiments
    room.workspace.tabs.setCurrentWidget(page)
    room.document.session.queries.look()
    page.low.edit.setText("[a-z]+$")
    assert not page.button.isEnabled()
    page.low.edit.setText("1/2")
    assert page.button.isEnabled()
    page.run()
    room.idle()
    assert page.curve.data.lines[0].places[0] == 0.5


def test_an_experiment_can_be_cancelled(room: Room) -> None:
    page = room.workspace.experiments
    room.workspace.tabs.setCurrentWidget(page)
    page.repetitions.setValue(10_000)
    room.document.session.queries.look()
    page.run()
    assert page.button.text() == "Cancel"
    room.click(page.button)
    room.idle()
    assert page.button.text() == "Run experiment"
    assert page.state.text == "Cancelled." or page.found is not None


def test_the_command_asks_the_same(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    room.ask("histogram", column="age", bins=4, post="consistent")
    room.document.apply(
        "where", lambda s: s.queries.set_draft(replace(room.draft, where="team = 'north'", epsilon="0.7"))
    )
    room.idle()
    found = room.workspace.foreseen
    assert found is not None
    room.click(room.workspace.price.command)
    words = shlex.split(QGuiApplication.clipboard().text())
    assert words[:2] == ["workbench", "query"]
    assert main([*words[1:], "--plan", "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    mine = found.plan.parameters
    assert plain["query"] == "histogram" and plain["epsilon"] == 0.7
    assert plain["parameters"]["where"] == mine["where"] and plain["parameters"]["parts"] == mine["parts"]
    assert plain["half_width"] == found.plan.expected.half_width


def test_every_question_fits_its_form(room: Room) -> None:
    book = HelpBook()
    for kind in QUERIES:
        room.ask(kind.identifier)
        assert room.draft.kind == kind.identifier
        known = {spec.name for spec in kind.parameters}
        assert set(room.draft.values) <= known
        form = room.workspace.form
        for fields in (form.main, form.more):
            for field in fields.fields.values() if fields is not None else ():
                focus = field.edit if isinstance(field, NumberField) else field
                assert focus.accessibleName()
                assert book.find(explain_key(field)) is not None
        # Either there is a plan, or a reason why not; never silence.
        price = room.workspace.price
        assert (room.workspace.planned is not None) != (price.half_width.text() == "Not yet")
    assert room.spent == 0


def test_what_was_said_of_a_column_goes_with_it(room: Room) -> None:
    draft = QueryDraft("mean", values={"column": "age", "lower": "0", "upper": "9", "missing": "3"})
    other = relevance.with_value(draft, "column", "score")
    assert dict(other.values) == {"column": "score"}
    assert relevance.with_value(draft, "column", "age").values == draft.values
    # A question keeps what means the same for the next one.
    total = relevance.with_kind(draft, "sum", room.document.project.schema)
    assert dict(total.values) == dict(draft.values)


def test_a_look_that_was_taken_elsewhere_is_said_beside_the_promise(room: Room) -> None:
    room.ask("count")
    words = room.workspace.expected.asserted
    assert "A look" not in words.text()
    room.document.session.comparison.look()
    room.document.changed.emit("result")  # as every room does that has taken one
    room.idle()
    assert "A look at the true values of this data is recorded." in words.text()


@pytest.mark.parametrize("wide", [816, 1064])
def test_the_interval_of_an_answer_is_never_cut(room: Room, wide: int) -> None:
    room.workspace.resize(wide, 640)
    room.release()
    detail = room.workspace.price.detail
    assert detail.full_text.startswith("with 95") and detail.text() == detail.full_text
