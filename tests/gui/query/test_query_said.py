"""What is said beside a question and its answer: rows, margins, prices and what was done."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from tests.gui.query.helpers import ROWS, Room
from tests.gui.query.known_steps import ready, ready_or_not
from workbench.cli.main import main
from workbench.core.schema import PrivacyUnit
from workbench.core.working_table import Preparation
from workbench.gui.widgets.status import Status
from workbench.query.answer import AnswerForm, ReleasedAnswer
from workbench.query.catalogue import QueryDraft
from workbench.query.recorded_look import AFTER_LOOK
from workbench.session.answer_numbers import margins
from workbench.session.answer_shares import shares_of


def test_the_rows_say_where_they_come_from(room: Room) -> None:
    privacy = room.workspace.privacy
    mean = QueryDraft("mean", "1", {"column": "age"})
    ready(room, mean)
    assert privacy.rows.value() == 1000 and privacy.rows_from.full_text.startswith("a guess")
    assert room.workspace.price.detail.full_text.startswith("if 1,000 match, a guess: ")
    assert privacy.counted.isHidden()
    ready(room, QueryDraft("count", "1"))
    room.release()
    before = room.spent
    plan = ready(room, mean)
    assert abs(plan.rows - ROWS) < 20 and privacy.rows.value() == plan.rows
    assert privacy.rows_from.full_text.startswith("from the count released on")
    assert plan.assumption in room.workspace.price.words.text()
    price = room.workspace.price
    assert "a guess" not in price.detail.full_text and price.half_width.property("muted") == "false"
    # Typing another number overrides it, and can be taken back.
    privacy.rows.setValue(50)
    room.idle()
    assert "a guess" not in price.detail.full_text and price.half_width.property("muted") == "false"
    assert room.draft.rows_typed and room.workspace.foreseen is not None and room.workspace.foreseen.plan.rows == 50
    assert privacy.rows_from.full_text == "as you typed" and privacy.counted.isVisible()
    room.click(privacy.counted)
    room.idle()
    assert not room.draft.says_rows and privacy.rows.value() == plan.rows and privacy.counted.isHidden()
    assert room.spent == before


def test_a_number_of_rows_that_makes_no_difference_is_not_asked_for(room: Room) -> None:
    privacy = room.workspace.privacy
    top = privacy.epsilon.mapTo(room.workspace, privacy.epsilon.rect().topLeft())
    count = ready(room, QueryDraft("count", "1"))
    assert privacy.rows.isHidden() and privacy.rows_from.isHidden() and privacy.counted.isHidden()
    ready(room, QueryDraft("mean", "1", {"column": "age"}))
    assert privacy.rows.isVisible() and privacy.rows_from.isVisible()
    assert top == privacy.epsilon.mapTo(room.workspace, privacy.epsilon.rect().topLeft()), "nothing moves for it"
    # One that was typed waits for a question that it matters for, where it can be let go.
    ready(room, replace(count.draft, assumed_rows=50, rows_typed=True))
    assert privacy.rows.isHidden() and privacy.rows_from.isHidden() and privacy.counted.isHidden()
    ready(room, QueryDraft("mean", "1", {"column": "age"}, assumed_rows=50, rows_typed=True))
    assert privacy.rows.isVisible() and privacy.rows.value() == 50 and privacy.counted.isVisible()
    room.click(privacy.counted)
    room.idle()
    assert privacy.rows.value() == 1000 and privacy.counted.isHidden()


def test_the_margin_of_whole_rows_is_drawn_in_steps(room: Room) -> None:
    """P(|Z| ≤ r) = 1 − 2q^(r + 1)/(1 + q) is at least 95 % from a place on that is known for r = 0 and for r = 1."""
    for draft in (
        QueryDraft("count", "2"),
        QueryDraft("histogram", "2", {"column": "team", "keys": "north, south", "post": "consistent"}),
    ):
        ready(room, draft)
        margins, _ = room.workspace.expected.curve.data.lines
        last = {margin: place for place, margin in zip(margins.places, margins.values, strict=True)}
        first = dict(reversed(list(zip(margins.values, margins.places, strict=True))))
        assert set(range(13)) <= set(last) and first[0.0] == margins.zero_from
        for margin, place in ((1.0, math.log(39)), (2.0, math.log(80 / (1 + math.sqrt(161))))):
            assert last[margin] <= place <= first[margin - 1] <= 1.003 * last[margin]
        assert margins.name == "95 % of answers are closer (0 from ε 3.67 on)"
        assert room.workspace.price.half_width.text() == "± 1 row"


def test_a_number_that_was_typed_in_another_room_is_offered_where_rows_are_a_guess(room: Room) -> None:
    privacy = room.workspace.privacy
    mean = QueryDraft("mean", "1", {"column": "age"})
    ready(room, mean)
    assert privacy.as_planned.isHidden(), "nothing was typed anywhere"
    room.document.apply("people", lambda session: session.collection.change(users=1400))
    ready(room, replace(mean, epsilon="2"))
    assert privacy.as_planned.isVisible() and privacy.as_planned.text() == "1,400 as in Collect"
    assert privacy.rows_from.full_text == "a guess, or", "and nothing that is cut"
    room.click(privacy.as_planned)
    room.idle()
    assert room.draft.rows_typed and privacy.rows.value() == 1400 and privacy.as_planned.isHidden()
    room.document.undo_stack.undo()
    room.idle()
    assert not room.draft.says_rows and privacy.as_planned.isVisible()
    # A person with several rows is not one row, and a count that was released is no guess.
    room.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit(rows_per_person=2)))
    ready(room, mean)
    assert privacy.as_planned.isHidden()
    room.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit()))
    ready(room, QueryDraft("count", "1"))
    room.release()
    ready(room, mean)
    assert privacy.as_planned.isHidden() and privacy.rows_from.full_text.startswith("from the count")


def test_a_number_of_another_room_is_offered_before_the_bounds_are_typed(room: Room) -> None:
    privacy = room.workspace.privacy
    room.document.apply("people", lambda session: session.collection.change(users=1400))
    room.ask("mean", column="score")
    assert room.workspace.price.half_width.text() == "Not yet"
    assert privacy.as_planned.isVisible() and privacy.as_planned.text() == "1,400 as in Collect"
    assert privacy.rows_from.full_text == "a guess, or"
    room.click(privacy.as_planned)
    room.idle()
    assert room.draft.rows_typed and privacy.rows.value() == 1400 and privacy.as_planned.isHidden()
    room.document.undo_stack.undo()
    # Neither where no number of rows is asked for, nor in place of a count that was released.
    room.ask("sum", column="score")
    assert privacy.as_planned.isHidden()
    ready(room, QueryDraft("count", "1"))
    room.release()
    room.ask("mean", column="score", lower="", upper="")
    assert room.workspace.price.half_width.text() == "Not yet" and privacy.as_planned.isHidden()


def test_after_a_look_no_number_of_another_room_is_offered(room: Room) -> None:
    privacy, mean = room.workspace.privacy, QueryDraft("mean", "1", {"column": "age"})
    room.document.apply("people", lambda session: session.collection.change(users=ROWS))
    ready(room, mean)
    assert privacy.as_planned.isVisible()
    room.document.session.queries.look()
    ready(room, replace(mean, epsilon="2"))
    assert privacy.as_planned.isHidden()


def test_beside_an_answer_no_plan_contradicts_it(bare: Room, tmp_path: Path) -> None:
    data = tmp_path / "few.csv"
    data.write_text("age\n" + "\n".join(map(str, range(30, 42))) + "\n", encoding="utf-8")
    bare.document.open_data(data)
    bare.qtbot.waitUntil(lambda: bare.document.has_data)
    bare.document.apply("bounds", lambda session: session.data.set_bounds("age", (0, 100)))
    bare.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit()))
    ready(bare, QueryDraft("mean", "0.1", {"column": "age"}))
    price = bare.workspace.price
    assert price.half_width.text().startswith("± ")
    bare.release()
    shown = bare.workspace.answer.shown
    assert shown is not None and shown.released.interval is not None
    low, high = shown.released.interval
    assert price.half_width.text() == bare.workspace.answer.value.text()
    # A margin of tens says nothing of what is behind the point; the ends are rounded outwards.
    assert high - low > 20
    own = margins(shown.released)[0]
    assert price.detail.full_text == f"{own} with 95 %: {math.floor(low)} to {math.ceil(high)}", (
        "the answer's own first"
    )
    again = bare.workspace.answer.again.toolTip()
    assert price.words.text() == "" and again.startswith("Another answer would be within ± ")
    assert "mean released on" in again
    # At another ε it is a plan again, of as many rows as the answer tells.
    ready(bare, replace(bare.draft, epsilon="0.11"))
    assert price.half_width.text().startswith("± ") and "1,000" not in price.words.text()


def test_the_margin_of_a_mean_is_said_where_it_is_widest_and_in_the_middle(room: Room) -> None:
    plan = ready(room, QueryDraft("mean", "1", {"column": "age"}, assumed_rows=1000, rows_typed=True))
    found = re.search(r"The margin is ± ([0-9.]+) in the middle of the bounds", room.workspace.price.words.text())
    widest = plan.expected.half_width
    assert found is not None and widest is not None and 0.6 * widest < float(found[1]) < widest
    room.release()
    assert room.workspace.price.words.text() == "", "one answer, one margin"
    words = room.workspace.answer.again.toolTip()
    assert words.startswith(f"Another answer would be within {plan.half_width_text} (95 %), ± {found[1]} in the middle")
    ready(room, QueryDraft("count", "1"))
    assert "in the middle" not in room.workspace.price.words.text()


def test_shares_of_an_answer_stand_in_line() -> None:
    released = ReleasedAnswer(AnswerForm.LIST, [362, 36.3, 120, 95.4, 386.3], labels=(tuple("abcde"),))
    assert shares_of(released, {"query": "histogram"}) == ("36.2 %", "3.6 %", "12.0 %", "9.5 %", "38.6 %")
    assert shares_of(released, {"query": "group-by"}) == ()


def test_of_several_numbers_none_is_cut_within(room: Room) -> None:
    """“250” of 250,000 is another number: what does not fit is counted instead."""
    values = {"by_column": "team", "by_keys": "north, south, west", "statistic": "mean", "column": "age"}
    ready(room, QueryDraft("group-by", "100", values))
    room.release()
    price = room.workspace.price
    whole = price.half_width.full_text
    parts = whole.split(" · ")
    assert [one.split()[0] for one in parts] == ["north", "south", "west"]
    metrics = price.half_width.fontMetrics()
    shown = set[str]()
    for width in range(metrics.horizontalAdvance(whole) + 8, 10, -7):
        price.half_width.resize(width, price.half_width.height())
        shown.add(price.half_width.text())
        assert metrics.horizontalAdvance(price.half_width.text()) <= width or price.half_width.text() == "…"
    assert type(price.detail) is type(price.half_width), "nor are their margins"
    more = {f"{' · '.join(parts[:kept])} · {len(parts) - kept} more" for kept in range(1, len(parts))}
    assert shown == {whole, "…", *more}


def test_what_is_said_beside_an_answer_of_several_numbers_has_its_room(room: Room) -> None:
    """In the narrowest window, so that nothing below it moves when the answer comes."""
    values = {"by_column": "team", "by_keys": "north, south, west", "statistic": "mean", "column": "age"}
    room.workspace.resize(824, 600)
    words = room.workspace.price.words
    ready(room, QueryDraft("group-by", "1", values, assumed_rows=13_800, rows_typed=True))
    height = words.minimumHeight()
    assert words.width() < 400 and words.heightForWidth(words.width()) <= height
    room.release()
    assert words.text() == "", "what is expected of another answer would be taken for this one's"
    tip = room.workspace.answer.again.toolTip()
    assert (
        tip.startswith("Another answer would be within ±") and "If 13,800 rows match and have a value (as typed)" in tip
    )
    assert words.heightForWidth(words.width()) <= words.minimumHeight() == height


def test_a_price_with_a_delta_says_it(room: Room) -> None:
    ready(room, QueryDraft("undeclared-groups", "1", {"column": "team", "delta": "1e-4"}))
    price = room.workspace.price
    assert price.release.text() == "Release for ε 1 · δ 0.0001"
    assert "δ = 0.0001" in room.workspace.privacy.promise.text()
    room.release()
    assert room.ledger.spent().delta == Fraction(1, 10_000)
    assert room.workspace.ledger.table.texts()[0][5] == "0.0001"
    assert room.workspace.answer.again.text() == "Ask again for ε 1 · δ 0.0001"
    room.ledger.set_budget(Fraction(3), Fraction(1, 10_000))
    room.document.ledger_changed(room.document.session.data.fingerprint)
    ready(room, QueryDraft("undeclared-groups", "1", {"column": "team", "delta": "1e-5"}))
    assert price.budget.full_text == "Over budget: δ 1e-5 is too much." and not price.release.isEnabled()
    assert price.fit.isHidden()


def test_what_costs_a_delta_is_not_offered_where_the_budget_has_none(room: Room) -> None:
    kinds, words = room.workspace.form.kind, room.workspace.price.words
    asked = QueryDraft("histogram", "1", {"column": "team"})
    ready_or_not(room, asked)
    assert words.text().endswith("which finds the frequent ones for a δ.")
    row = next(row for row in range(kinds.count()) if kinds.itemData(row) == "undeclared-groups")
    index = kinds.model().index(row, 0)
    assert index.flags() & Qt.ItemFlag.ItemIsEnabled
    room.set_budget(Fraction(3))
    assert not index.flags() & Qt.ItemFlag.ItemIsEnabled
    assert "of which the budget of this data has none" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    ready_or_not(room, asked)
    assert words.text().endswith("or declare them as the domain of the column.")
    ready(room, QueryDraft("undeclared-groups", "1", {"column": "team", "delta": "1e-5"}))
    assert room.workspace.price.budget.full_text == "It costs a δ, of which the budget has none."


def test_a_released_file_is_answered_plainly_for_nothing(bare: Room, tmp_path: Path) -> None:
    data, hierarchy, release = tmp_path / "people.csv", tmp_path / "town.csv", tmp_path / "release.csv"
    data.write_text("town\n" + "Ulm\n" * 200 + "Bonn\n" * 90, encoding="utf-8")
    hierarchy.write_text("Ulm;*\nBonn;*\n", encoding="utf-8")
    words = ["anonymise", str(data), "--hierarchy", f"town={hierarchy}", "--level", "town=0", "--epsilon", "1"]
    words += ["--delta", "1e-5", "--out", str(release), "--statement", str(release.with_suffix(".html"))]
    assert main(words) == 0
    bare.document.open_data(release)
    bare.qtbot.waitUntil(lambda: bare.document.has_data)
    ready(bare, QueryDraft("undeclared-groups", "1", {"column": "town"}))
    assert bare.workspace.price.plain.isVisible()
    bare.click(bare.workspace.price.plain)
    bare.idle()
    answer = bare.workspace.answer
    assert answer.shown is None and bare.spent == 0
    assert answer.chart.data.values.sum() == release.read_text(encoding="utf-8").count("\n") - 1
    assert "differentially private release" in answer.notes.text() and answer.state.text == "Without noise, free"
    assert answer.copy.isHidden() and answer.export.isHidden()
    # It stays in view when another question is in hand, and says that it is of another one.
    ready(bare, QueryDraft("histogram", "1", {"column": "town", "keys": "Ulm, Bonn"}))
    assert answer.title.text().startswith("Another question: ") and answer.state.isHidden()
    ready(bare, QueryDraft("undeclared-groups", "1", {"column": "town"}))
    assert not answer.title.text().startswith("Another question") and not answer.state.isHidden()


def test_what_was_done_is_no_longer_once_another_table_is_open_or_other_rows_take_part(
    room: Room, tmp_path: Path
) -> None:
    room.release()
    workspace, document = room.workspace, room.document
    assert workspace.status() is Status.SUCCESS
    workspace.hide()
    document.apply("rows", lambda session: session.data.set_preparation(Preparation(where="age > 30")))
    assert workspace.status() is None, "also as long as nobody comes back to this room"
    document.undo_stack.undo()
    assert workspace.status() is Status.SUCCESS
    other = tmp_path / "other.csv"
    other.write_text("age\n" + "40\n" * 50, encoding="utf-8")
    room.open(other)
    room.qtbot.waitUntil(lambda: document.session.data.file_name == "other.csv")
    assert workspace.status() is None


def test_while_another_question_is_planned_nothing_says_that_it_was_answered(room: Room) -> None:
    room.release()
    price = room.workspace.price
    assert "Answered at this ε" in price.budget.full_text
    room.document.apply("ε", lambda session: session.queries.set_draft(replace(room.draft, epsilon="0.2")))
    assert price.budget.full_text == "Working out the price."
    room.idle()
    assert price.budget.full_text == "No total budget is set."


def test_a_batch_that_cannot_be_asked_as_it_is_now_was_not_answered(room: Room) -> None:
    room.click(room.workspace.price.batch)
    room.idle()
    room.workspace.run()
    room.idle()
    room.document.undo_stack.undo()  # else it is empty
    room.idle()
    room.workspace.tabs.setCurrentWidget(room.workspace.batch)
    page = room.workspace.batch
    assert page.answered and page.words.text() == "Answered: see the ledger."
    page.show_waiting()
    assert not page.answered and page.words.text() == ""


def test_a_filter_is_said_beside_the_price_and_left_out_in_one_click(room: Room) -> None:
    """It stays when another question is chosen, and the field scrolls out of sight."""
    ready(room, replace(room.draft, where="age > 50"))
    line = room.workspace.limit
    assert not line.isHidden() and line.words.full_text == "Only where age > 50"
    room.click(line.all_rows)
    ready(room, room.draft)
    assert room.draft.where == "" and line.isHidden()


def test_a_look_stands_in_the_ledger_and_beside_every_answer_after_it(room: Room) -> None:
    room.release()
    answer, ledger = room.workspace.answer, room.workspace.ledger
    assert AFTER_LOOK not in answer.notes.text() and "look" not in ledger.total.full_text
    room.document.session.looks.take("distribution")
    room.document.changed.emit("result")
    room.idle()
    assert room.workspace.expected.asserted.text().startswith(f"• {AFTER_LOOK}")
    ready(room, QueryDraft("count", "0.5"))
    room.release()
    assert AFTER_LOOK in answer.notes.text()
    after, look, before = ledger.table.texts()
    assert look[1].startswith("A look at the true values") and look[4] == "–" and "Count" in before[1]
    assert "2 releases" in ledger.total.full_text and ledger.total.full_text.endswith("; 1 look at the true values")
    # The line of the look has no answer; those above and below it have theirs.
    for line, there in ((0, True), (1, False), (2, True)):
        assert (ledger._answer_at(line) is not None) is there
    assert after[1] == answer.title.text()


def test_counts_that_were_not_adjusted_are_not_said_to_be(room: Room) -> None:
    ready(
        room,
        QueryDraft("histogram", "5", {"column": "team", "keys": "north, south", "post": "consistent"}),
    )
    room.release()
    answer = room.workspace.answer
    assert answer.shown is not None and min(answer.shown.released.noisy["count"]) > 0
    assert "adjusted" not in answer.notes.text() and "consistent" not in answer.notes.text()
    heading, *_ = answer.shown.released.table()
    assert len(heading) == 4 and [row[-1] for row in answer.list.texts()] == list(
        shares_of(answer.shown.released, answer.shown.question)
    )
    shares = [re.fullmatch(r"([0-9.]+) % ± ([0-9.]+) points", row[-1]) for row in answer.list.texts()]
    assert all(shares) and sum(float(one[1]) for one in shares if one) == pytest.approx(100, abs=0.2)
    # Of two cells one noise of ± 1 row (ε = 5) in so many rows moves a share by less than the share of one row.
    assert all(0 < float(one[2]) < 100 * 2 / sum(answer.shown.released.value) for one in shares if one)


def test_a_margin_is_foretold_for_so_many_values_where_rows_without_one_are_left_out(room: Room) -> None:
    """Nobody is told how many those are, and with fewer values the margin is wider."""
    words, rows = room.workspace.price.words, room.workspace.privacy.rows
    room.ask("mean", column="age")
    assert "rows match and have a value" in words.text() and "with fewer the margin is wider" in words.text()
    assert "left out" not in words.text() and rows.suffix() == " values"
    room.ask("mean", column="age", missing="50")
    assert "rows match (a guess), with values" in words.text() and rows.suffix() == " rows"
    room.ask("sum", column="age", missing="")
    assert words.text().endswith("Rows without a value are left out."), "that changes no margin"


def test_an_answer_says_that_rows_without_a_value_are_left_out_and_not_how_many(room: Room) -> None:
    said = "Only rows with a value count; those without one are left out."
    answer = room.workspace.answer
    room.ask("mean", column="age")
    room.release()
    assert said in answer.notes.text() and answer.shown is not None
    assert answer.line.caption.count(said) == 1, "a picture that leaves says it, too"
    room.ask("mean", column="age", missing="50")
    room.release()
    assert said not in answer.notes.text()
    room.ask("count")
    room.release()
    assert said not in answer.notes.text()


def test_of_one_row_of_each_person_people_are_told_and_that_the_draw_is_beside_the_noise(
    bare: Room, tmp_path: Path
) -> None:
    path = tmp_path / "visits.csv"
    path.write_text("patient,cost\n" + "".join(f"p{i // 2},{i % 2 * 100}\n" for i in range(800)), encoding="utf-8")
    bare.open(path)
    bare.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit(1, "patient")))
    bare.document.apply("one", lambda session: session.data.set_preparation(Preparation(limit_rows=True)))
    bare.document.apply("bounds", lambda session: session.data.set_bounds("cost", (0, 100)))
    bare.idle()
    workspace = bare.workspace
    bare.ask("count")
    assert workspace.form.summary.text() == "How many people match."
    kinds = workspace.form.kind
    listed = [str(kinds.itemData(row, Qt.ItemDataRole.AccessibleTextRole)) for row in range(kinds.count())]
    assert "Count. How many people match" in listed and not any("rows match" in one for one in listed)
    assert workspace.price.half_width.text() == "± 30 people"
    assert workspace.price.detail.text() == "in 95 % of answers"
    bare.release()
    assert workspace.price.half_width.text().endswith(" people") and "people" in workspace.price.detail.text()
    line = workspace.answer.line.data
    assert line is not None and line.unit == "people"
    bare.ask("mean", column="cost")
    assert workspace.price.detail.text().startswith("in 95 % of answers for the noise")
    assert workspace.privacy.rows.suffix() == " people"
    assert workspace.form.edges.text() == "Hides whether a person's rows are in the data at all.", (
        "however many there are"
    )
    problem = workspace.privacy.problem
    bare.qtbot.keyClicks(workspace.privacy.need.edit, "1")
    assert problem.isVisible() and problem.text().startswith("The draw of one row of each person alone may move it by")
    before = bare.draft.epsilon
    bare.click(workspace.privacy.solve)
    bare.idle()
    assert bare.draft.epsilon != before and problem.isVisible(), "whoever knows may go on, and it stays said"
    workspace.privacy.need.edit.setText("50")
    assert not problem.isVisible()


def test_the_promise_in_full_is_also_of_the_value_that_a_person_has(room: Room) -> None:
    """Whoever replaces a person takes one row away and adds one, except in a plain count."""
    promise = room.workspace.expected.promise
    ready(room, QueryDraft("mean", "0.5", {"column": "age"}))
    whether, value = promise.text().splitlines()
    assert "at most 62.25 % sure" in whether and "(e^ε)" in whether
    assert "at most 73.11 % sure which of them you have (e^2ε ≤ 2.719)." in value
    ready(room, QueryDraft("count", "0.5"))
    whether, value = promise.text().splitlines()
    assert "at most 62.25 % sure which of them you have (e^ε ≤ 1.649)." in value
    ready(room, QueryDraft("undeclared-groups", "0.5", {"column": "team", "delta": "1e-4"}))
    assert promise.text().endswith("(e^2ε ≤ 2.719), but for a chance of 0.0002649.")
    ready(room, QueryDraft("mean", "4", {"column": "age"}))
    assert "of which value you have, this is hardly a promise" in promise.text()
