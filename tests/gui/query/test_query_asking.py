"""The form of a question in the Query workspace: what is filled in, what is lacking or wrong, and how ε is typed."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from threading import Event

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit

from tests.gui.helpers import PATIENCE_MS, choose_row
from tests.gui.query.helpers import ROWS, Room
from workbench.cli.main import main
from workbench.core.progress import Progress
from workbench.core.settings_json import from_json, to_json
from workbench.evaluate.experiment import Experiment
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.listed_values import ListedValues
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.workspaces.query import workspace as of_workspace
from workbench.plots import noise_spread
from workbench.project.query_settings import QuerySettings
from workbench.query import relevance
from workbench.query.catalogue import QUERIES, NoiseSource, QueryDraft
from workbench.query.plans import QueryPlan
from workbench.session import Session
from workbench.session.answer_chart import caption
from workbench.session.query_plans import PlanCharts, painter
from workbench.session.release.knowledge import answer_number


def test_without_data_it_offers_to_open_some(bare: Room) -> None:
    with bare.qtbot.waitSignal(bare.workspace.open_requested):
        assert bare.workspace.empty.primary_button is not None
        bare.click(bare.workspace.empty.primary_button)
    assert bare.workspace.status() is None
    bare.workspace.run()  # spends nothing and needs nothing


def test_columns_stand_in_one_order_whatever_is_asked(room: Room) -> None:
    for kind in ("mean", "histogram", "sum", "group-by"):
        room.ask(kind)
        column = room.workspace.form.field("column" if kind != "group-by" else "by_column")
        assert isinstance(column, QComboBox)
        assert [column.itemText(row) for row in range(column.count())] == ["age", "team", "score"], kind


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


def test_walking_through_the_form_cuts_no_line_and_scrolls_only_where_it_must(room: Room) -> None:
    form, bar = room.workspace.form, room.workspace.form.verticalScrollBar()
    form.setFixedHeight(210)  # as in the lowest window
    room.ask("mean", column="age")
    form.kind.setFocus()
    inside, scrolled = form.widget(), []
    for _ in range(5):
        room.qtbot.keyClick(form.focusWidget(), Qt.Key.Key_Tab)
        field = form.focusWidget()
        top = field.mapTo(inside, QPoint()).y()
        assert bar.value() <= top and top + field.height() <= bar.value() + form.viewport().height()
        if top + field.height() + 4 <= form.viewport().height():
            assert bar.value() == 0, "it was in sight where the form was"
        scrolled.append(bar.value())
        lines = [form.kind, *form.main.fields.values()]
        tops = [one.mapTo(inside, QPoint()).y() for one in lines]
        cut = [top for top, one in zip(tops, lines, strict=True) if top < bar.value() < top + one.height()]
        assert not cut or bar.value() == bar.maximum()
    assert scrolled[0] == 0 < scrolled[-1]


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
    assert isinstance(lower, QLineEdit) and lower.placeholderText() == "needed"
    step = form.field("resolution")
    assert isinstance(step, QLineEdit) and step.placeholderText() == "from the bounds"
    assert "costs no ε" in step.toolTip() and step.toolTip().endswith("Empty: by the bounds.")
    assert form.where is not None and form.where.placeholderText().endswith("team = 'value'"), "a text has quotes"
    assert lower.property("invalid") == "false" and price.words.property("tone") == "none", "nothing was done wrong yet"
    assert "bounds of “score” are missing" in lower.accessibleDescription()
    room.click(form.why)
    assert form.refusal.isVisible()
    room.type_into("lower", "0")
    room.idle()
    assert form.refusal.isHidden(), "what was refused was asked of a question without bounds"
    room.type_into("upper", "-5")
    room.idle()
    assert lower.property("invalid") == "true" and price.words.property("tone") == "error", "0 is not below -5"
    room.type_into("upper", "")
    room.idle()
    room.click(form.why)
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


def test_an_answer_stays_the_answer_where_its_bounds_are_kept_for_every_page(room: Room) -> None:
    room.ask("mean", column="score", lower="0", upper="50", resolution="0.5")
    room.release()
    price, before = room.workspace.price, room.workspace.answer.state.text
    assert price.release.text() == "Next question" and "Answered at this ε" in price.budget.full_text
    room.click(room.workspace.form.keep)
    room.idle()
    assert price.release.text() == "Next question" and "Answered at this ε" in price.budget.full_text
    assert room.workspace.answer.state.text == before


def test_typing_bounds_moves_nothing_below_them(room: Room) -> None:
    room.ask("mean", column="score", lower="0", resolution="0.5")
    form = room.workspace.form
    before = form.disclosure.mapTo(form.widget(), form.disclosure.rect().topLeft())
    assert form.why.isVisible() and form.keep.isHidden()
    room.type_into("upper", "50")
    room.idle()
    assert form.keep.isVisible() and form.why.isHidden(), "bounds that are typed need none from the data"
    assert form.disclosure.mapTo(form.widget(), form.disclosure.rect().topLeft()) == before


def test_a_count_of_groups_neither_names_a_column_nor_keeps_its_bounds(room: Room) -> None:
    room.ask("mean", column="score", lower="0", upper="50", resolution="0.5")
    room.ask("group-by", by_column="team")
    assert room.workspace.price.what.full_text == "Group by · team" and room.workspace.form.keep.isHidden()
    room.ask("group-by", by_column="team", by_keys="north, south", statistic="sum")
    assert room.workspace.form.keep.isVisible() and "score" in room.workspace.price.what.full_text


def test_listed_values_are_seen_whole_in_as_many_lines_as_they_take(room: Room) -> None:
    towns = [f"Oberndorf {number}" for number in range(7)]
    room.ask("histogram", column="team", keys=", ".join(towns))
    field, bar = room.workspace.form.field("keys"), room.workspace.form.field("column")
    assert isinstance(field, ListedValues) and bar is not None

    def seen() -> str:
        last = field.cursorForPosition(QPoint(field.viewport().width() - 1, field.viewport().height() - 1))
        first = field.cursorForPosition(QPoint(0, 0))
        return field.toPlainText()[first.position() : last.position()]

    assert seen() == ", ".join(towns) and field.height() > 2 * bar.height()
    field.setFocus()
    field.selectAll()
    room.qtbot.keyClicks(field, "north, south")
    room.idle()
    assert room.draft.values["keys"] == "north, south" and seen() == "north, south" and field.height() == bar.height()
    room.qtbot.keyClick(field, Qt.Key.Key_Return)
    room.qtbot.keyClicks(field, "west")
    room.idle()
    assert "3 listed values" in room.workspace.price.what.full_text, "one a line, as in other lists"
    room.qtbot.keyClicks(field, ", west")
    room.idle()
    assert field.property("invalid") == "true" and field.accessibleDescription() == "A value is listed twice."
    lines = field.height()
    room.qtbot.keyClicks(field, "".join(f", {town}" for town in 3 * towns))
    room.idle()
    assert lines < field.height() < 5 * bar.height(), "of very many the field is scrolled"


def test_why_a_wanted_error_is_none_is_said_where_nothing_moves(room: Room) -> None:
    privacy = room.workspace.privacy
    height = privacy.height()
    for text, said in (("0", "“I need ±” holds 0; it takes more than 0."), ("abc", "“I need ±” holds no number.")):
        privacy.need.edit.setText(text)
        assert privacy.problem.isVisible() and privacy.problem.text() == said and privacy.height() == height
    privacy.need.edit.setText("")
    assert privacy.problem.isHidden() and privacy.promise.isVisible()


def test_whose_number_is_known_is_not_said_to_be_hidden(room: Room) -> None:
    room.document.apply("number", lambda session: answer_number(session, known=True))
    room.ask("histogram", column="team", keys='north, south, "east, far"')
    price, twice = room.workspace.price, "ε 0.2 (0.1 counted twice)"
    assert (
        room.workspace.form.edges.text()
        == f"Hides what a person's row says, at {twice}; how many there are counts as public."
    )
    assert price.cost.text() == twice and price.release.text() == f"Release for {twice}"
    assert "counts as ε" not in price.budget.full_text
    room.release()
    answer = room.workspace.answer
    made = answer.made.full_text
    assert f" · {twice} · " in made and made.endswith("hides what they say") and "who takes part" not in made
    assert answer.again.text() == f"Ask again for {twice}", "one amount leads wherever it is named"
    answer.show_answer(answer.shown)
    assert answer.shown is not None and f"{twice} · " in caption(answer.shown, made)
    room.workspace.privacy.epsilon.edit.setText("0.3")  # at that of before the batch would be answered already
    room.idle()
    room.workspace.add_to_batch()
    room.idle()
    batch = room.workspace.batch
    charged = batch.release.text().removeprefix("Release all for ")
    assert re.fullmatch(r"ε [0-9.]+ \([0-9.]+ counted twice\)", charged) and batch.shares[0].text().startswith(charged)


def test_the_chart_of_a_mean_says_of_which_true_mean_it_is_drawn(room: Room) -> None:
    page = room.workspace.expected
    room.ask("mean", column="age")
    # Of 1,000 guessed rows between 0 and 100, whatever the values of the table are.
    widest = room.workspace.price.half_width.text()
    drawn, plan = page.spread.data, room.workspace.foreseen
    assert drawn is not None and plan is not None and plan.plan.expected.half_width is not None
    assert plan.middle and page.drawn_for.text().endswith(
        f", near a bound, where its margin is widest; it is {plan.middle}."
    )
    told = re.match(r"No forecast of the mean: drawn as if it were ([0-9.]+), near", page.drawn_for.text())
    assert told is not None and min(float(told[1]), 100 - float(told[1])) < 10 and not page.drawn_for.isHidden()
    # One margin in the picture and above it, and the bars beyond it are of the chance that is left.
    assert drawn.half_width == plan.plan.expected.half_width
    said = re.search(r"95 % are off by at most ([0-9.]+) wherever values lie\.", noise_spread.describe(drawn))
    assert said is not None and f"± {said[1]}" == widest
    middles = (drawn.edges[:-1] + drawn.edges[1:]) / 2
    assert 0.03 < drawn.chances[abs(middles) > drawn.half_width].sum() < 0.06, "it is that of what is drawn, too"
    guess = "if 1,000 match, a guess: "
    assert room.workspace.price.detail.full_text == f"{guess}in 95 % of answers, wherever values lie"
    assert room.workspace.price.half_width.property("muted") == "true"
    room.ask("count")
    assert room.workspace.price.half_width.property("muted") == "false", "it is the same however many there are"
    counted = page.spread.data
    assert counted is not None and "shaded: 95 % are off by" in noise_spread.describe(counted)
    assert page.drawn_for.isHidden(), "its noise is the same whatever the count"
    assert room.workspace.price.detail.full_text == "in 95 % of answers"
    room.ask("histogram", column="age", post="consistent")
    assert room.workspace.price.detail.full_text == "each bin, in 95 % of answers before adjustment"
    adjusted = page.spread.data
    assert adjusted is not None and noise_spread.describe(adjusted).endswith(" before adjustment.")


def test_a_median_offers_the_quantiles_that_enclose_it_before_anything_is_spent(room: Room) -> None:
    price = room.workspace.price
    room.ask("median", column="age", lower="0", upper="100")
    few = room.workspace.planned
    assert few is not None and not price.enclose.isVisible(), f"too few rows are guessed: {few.plan.rows}"
    room.document.apply("guess", lambda session: session.queries.set_draft(replace(room.draft, assumed_rows=100_000)))
    room.idle()
    cost = price.cost.text()
    assert price.enclose.isVisible() and price.enclose.toolTip().startswith("0.45, 0.5, 0.55 for the same ε")
    price.enclose.click()
    room.idle()
    assert (room.draft.kind, room.draft.values["quantile"]) == ("quantile", "0.45, 0.5, 0.55")
    assert room.draft.values["upper"] == "100" and price.cost.text() == cost, "at the same price"
    assert not price.enclose.isVisible() and not room.spent
    room.document.undo_stack.undo()
    room.idle()
    assert room.draft.kind == "median" and price.enclose.isVisible()


def test_what_is_drawn_of_another_question_is_faded_until_the_next_is(room: Room) -> None:
    charts = (room.workspace.expected.spread, room.workspace.expected.curve)
    room.ask("count")
    assert all(chart.isEnabled() for chart in charts)
    faded: list[bool] = []
    room.workspace.expected.show_drawing(other=False)
    faded += [not chart.isEnabled() for chart in charts]
    room.ask("mean", column="age")
    assert all(faded) and all(chart.isEnabled() for chart in charts)


def test_a_question_that_is_planned_again_while_it_is_drawn_is_drawn(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, planned_again = room.workspace, Event()

    def slow(session: Session, plan: QueryPlan) -> Callable[[Progress], PlanCharts]:
        paint = painter(session, plan)

        def work(progress: Progress) -> PlanCharts:
            assert planned_again.wait(PATIENCE_MS / 1000)
            return paint(progress)

        return work

    room.ask("count")
    before = workspace.foreseen
    monkeypatch.setattr(of_workspace, "painter", slow)
    room.document.apply(
        "question", lambda session: session.queries.set_draft(QueryDraft("mean", "1", {"column": "age"}))
    )
    room.qtbot.waitUntil(lambda: workspace.foreseen is not before, timeout=PATIENCE_MS)
    first = workspace.foreseen
    workspace.ledger.loaded.emit(workspace.ledger.account)  # as where somebody else spends
    room.qtbot.waitUntil(lambda: workspace.foreseen is not first, timeout=PATIENCE_MS)
    planned_again.set()
    room.idle()
    assert workspace.expected.spread.data is not None


def test_nothing_drawn_of_one_question_stands_under_the_next(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.ask("count")
    seen: list[tuple[bool, object]] = []
    page = room.workspace.expected
    drawing = page.show_drawing

    def look(*, other: bool = True) -> None:
        drawing(other=other)
        seen.append((other, page.spread.data))

    monkeypatch.setattr(page, "show_drawing", look)
    room.document.apply("ε", lambda s: s.queries.set_draft(replace(room.draft, epsilon="0.2")))
    room.idle()
    room.ask("mean", column="age")
    assert [other for other, _ in seen] == [False, True] and seen[0][1] is not None and seen[1][1] is None


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


def test_a_field_of_zero_is_told_from_one_without_a_number(room: Room) -> None:
    for text, said in (("0", "“ε” holds 0; it takes more than 0, at most 100."), ("x", "no number")):
        room.workspace.privacy.epsilon.edit.setText(text)
        room.idle()
        assert said in " ".join(one.text() for one in room.workspace.findChildren(QLabel) if one.isVisible())


def test_a_field_of_the_question_before_says_nothing_about_the_next(room: Room) -> None:
    room.ask("mean", column="age")
    room.idle()
    column = room.workspace.form.field("column")
    room.document.apply("take", lambda session: session.queries.set_draft(QueryDraft("count")))
    column.choose("score")
    column.activated.emit(column.currentIndex())
    assert room.draft == QueryDraft("count")


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


def test_a_step_that_nobody_typed_follows_the_bounds_and_one_that_was_stays(room: Room) -> None:
    room.ask("mean", column="score", lower="0", upper="200")
    step = room.workspace.form.field("resolution")
    assert isinstance(step, QLineEdit) and (step.text(), step.placeholderText()) == ("", "0.001")
    assert "in steps of 0.001" in room.workspace.price.what.full_text and room.workspace.price.release.isEnabled()
    room.type_into("upper", "20")
    room.idle()
    assert step.placeholderText() == "0.0001" and "in steps of 0.0001" in room.workspace.price.what.full_text
    room.type_into("resolution", "0.5")
    room.idle()
    room.type_into("upper", "200")
    room.idle()
    assert step.text() == "0.5" and "in steps of 0.5" in room.workspace.price.what.full_text
    room.ask("mean", column="age")
    whole = room.workspace.form.field("resolution")
    assert isinstance(whole, QLineEdit) and whole.placeholderText() == "1, whole numbers"
    assert "You vouch for that kind" in whole.toolTip() and "“Whole number”" in whole.toolTip()
    assert "in steps of 1" in room.workspace.price.what.full_text
    room.ask("mean", column="score", lower="0", upper="200")
    room.type_into("upper", "1/3")
    room.type_into("resolution", " ")
    room.idle()
    assert not room.workspace.price.release.isEnabled() and "step" in room.workspace.price.words.text()


def test_after_a_column_was_chosen_in_the_list_what_it_lacks_is_typed_at_once(room: Room) -> None:
    form = room.workspace.form
    room.ask("histogram", column="age")

    def choose(column: str, *, listed: bool) -> None:
        field = form.field("column")
        assert isinstance(field, ComboBox)
        field.setFocus()
        field.from_list = listed
        choose_row(field, field.findText(column))
        room.idle()

    choose("team", listed=True)
    keys = form.field("keys")
    assert keys is not None and keys.hasFocus(), "values that are possible"
    room.ask("mean", column="age")
    choose("score", listed=True)
    lower = form.field("lower")
    assert lower is not None and lower.hasFocus(), "its bounds"
    room.ask("histogram", column="age")
    choose("team", listed=False)
    kept = form.field("column")
    assert kept is not None and kept.hasFocus(), "whoever goes through the columns by keys goes on"
    room.document.undo_stack.undo()
    room.document.undo_stack.redo()
    room.idle()
    assert (keys := form.field("keys")) is not None and not keys.hasFocus()


def test_all_questions_are_seen_when_the_list_opens_or_a_bar_says_that_there_are_more(room: Room) -> None:
    kinds = room.workspace.form.kind
    for height in (1200, 120):
        view = kinds.view()
        view.setMaximumHeight(height)
        kinds.showPopup()
        last = view.visualRect(kinds.model().index(kinds.count() - 1, 0))
        assert view.viewport().rect().contains(last) or view.verticalScrollBar().isVisible()
        assert view.verticalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAsNeeded
        assert view.sizeHintForRow(0) * kinds.count() < 600, "a low screen has room for nearly all"
        kinds.hidePopup()
    assert kinds.maxVisibleItems() >= kinds.count()


def test_no_heading_of_what_is_promised_stands_over_nothing(room: Room) -> None:
    expected = room.workspace.expected
    expected.views.show_view(2)
    room.ask("mean", column="score")
    page = expected.views.pages.currentWidget()
    seen = [one.text() for one in page.findChildren(QLabel) if one.isVisible()]
    assert seen == ["Says what is promised as soon as the question can be asked."]
    room.ask("mean", lower="0", upper="10")
    seen = [one.text() for one in page.findChildren(QLabel) if one.isVisible()]
    assert "What is promised" in seen and len(seen) == 6 and all(seen)


def test_without_a_table_it_says_how_what_is_compared_comes_here(bare: Room) -> None:
    bare.idle()
    words = bare.workspace.empty.words
    assert "Use in Query" not in words.text()
    bare.document.apply("compare", lambda session: session.comparison.add(Experiment()))
    bare.idle()
    assert "Once it is open, “Use in Query”" in words.text() and words.isVisible()
