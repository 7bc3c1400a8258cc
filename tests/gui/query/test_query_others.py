"""Values that are none of those listed, and the one margin that stands beside an answer."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from tests.gui.query.helpers import Room
from workbench.core.progress import SILENT
from workbench.core.randomness import SeededSource
from workbench.core.schema import ColumnSpec, PrivacyUnit
from workbench.evaluate.experiment import Basis, Experiment
from workbench.evaluate.question import Question, Statistic, metrics_for
from workbench.io.dialect import Dialect
from workbench.ldp.encoding import EncodingChoice
from workbench.query import relevance
from workbench.query.catalogue import ALIKE, QUERIES, QueryDraft
from workbench.query.partition import keys_of
from workbench.query.plans import plan
from workbench.session import charged_answers
from workbench.session.answer_chart import caption
from workbench.session.answer_files import as_csv
from workbench.session.answer_shares import together_words
from workbench.session.query_answers import question_of
from workbench.session.query_plans import foreseer


@pytest.fixture
def spelt(bare: Room, tmp_path: Path) -> Room:
    """A table in which 30 of 300 people have a department that is spelt otherwise."""
    data = tmp_path / "staff.csv"
    names = ["Sales"] * 200 + ["Legal"] * 70 + [" Sales"] * 20 + ["LEGAL"] * 10
    data.write_text("no,department\n" + "\n".join(f"{n},{name}" for n, name in enumerate(names)) + "\n", "utf-8")
    bare.open(data)
    bare.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit()))
    bare.idle()
    return bare


def test_what_is_not_listed_is_counted_unless_somebody_says_otherwise(spelt: Room) -> None:
    spelt.ask("histogram", column="department", keys="Sales, Legal")
    form, price = spelt.workspace.form, spelt.workspace.price
    assert spelt.draft.values["other"] is True and "and all others" in price.what.full_text
    words = form.others.words
    assert words.isVisible() and words.text().startswith(
        "Values not listed, also those spelt otherwise, count together"
    )
    # One row is in exactly one cell, so the further cell changes neither price nor noise.
    found = spelt.workspace.foreseen
    assert found is not None
    (part,) = found.plan.mechanism.parts
    without = plan(replace(spelt.draft, values={**spelt.draft.values, "other": False}), found.asked.schema)
    assert without.mechanism.parts == (part,) and part.sensitivity == 1 and without.epsilon == found.plan.epsilon
    spelt.ask("histogram", other=False)
    assert "other" not in spelt.draft.values and "others left out" in price.what.full_text
    assert "Values not listed are left out." in price.words.text() and "are left out" in words.text()
    spelt.ask("histogram", keys="Sales")
    assert "other" not in spelt.draft.values, "who took the tick away keeps it so"
    spelt.ask("histogram", other=True)
    spelt.workspace.edits.take_epsilon("50")
    spelt.idle()
    spelt.release()
    shown = spelt.workspace.answer.shown
    assert shown is not None and shown.released.value == [200, 100]
    assert [row[0] for row in spelt.workspace.answer.list.texts()] == ["Sales", "other values"]


def test_a_question_of_a_file_or_command_keeps_its_setting(spelt: Room) -> None:
    kept = QueryDraft("histogram", "1", {"column": "department", "keys": "Sales, Legal"})
    spelt.document.apply("question", lambda session: session.queries.set_draft(kept))
    spelt.idle()
    assert spelt.draft == kept and "are left out" in spelt.workspace.form.others.words.text()
    spelt.ask("histogram", post="non-negative")
    assert "other" not in spelt.draft.values
    default = next(spec.default for spec in QUERIES["histogram"].parameters if spec.name == "other")
    assert default is False


def test_the_cell_comes_and_goes_with_questions_that_count_in_cells_of_values(spelt: Room) -> None:
    schema, counted = spelt.document.project.schema, QueryDraft("count")
    town = QueryDraft("histogram", values={"column": "department"})
    number = relevance.with_value(town, "column", "no")

    def chosen(now: QueryDraft, before: QueryDraft) -> bool | None:
        return relevance.counting_others(now, before, schema).values.get("other")

    assert chosen(town, counted) is True and chosen(town, town) is None and chosen(town, number) is True
    ticked = replace(town, values={**town.values, "other": True})
    assert chosen(replace(number, values={"column": "no", "other": True}), ticked) is None
    assert chosen(relevance.with_value(number, "keys", "1, 2"), number) is True
    # “Other values” is no answer to which value is the most frequent.
    assert chosen(replace(ticked, kind="mode"), ticked) is None
    assert chosen(QueryDraft("group-by", values={"by_column": "department"}), counted) is True
    assert not relevance.lists_values(counted, schema) and relevance.lists_values(replace(town, kind="mode"), schema)


def test_spaces_are_a_matter_of_reading_and_no_value_is_looked_at(spelt: Room) -> None:
    asked: list[tuple[str, str]] = []
    spelt.workspace.reach_requested.connect(lambda *where: asked.append(where))
    spelt.ask("histogram", column="department", keys="Sales, Legal")
    link = spelt.workspace.form.others.spaces
    spelt.click(link)
    assert asked == [("data", "reading")] and not spelt.document.looked
    reading = spelt.document.session.data.reading
    assert isinstance(reading.dialect, Dialect)
    note, trimmed = spelt.workspace.form.others, replace(reading, dialect=replace(reading.dialect, skip_spaces=True))
    note.show_question(spelt.draft, spelt.document.project.schema, trimmed)
    assert not link.isVisible() and note.words.isVisible()
    spelt.ask("count")
    assert not note.isVisible()


def test_shares_lead_where_they_are_what_was_compared(spelt: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    # Of a value that nobody has a noisy count may be so far below 0 that its margin is wider: once in forty runs.
    seeds = itertools.count()
    monkeypatch.setattr(charged_answers, "SecureSource", lambda: SeededSource(next(seeds)))
    keys = "Sales, Legal, a, b"
    spelt.ask("histogram", column="department", keys=keys)
    assert spelt.workspace.price.detail.full_text.startswith("each group, in 95 % of answers · all at once ± ")
    spelt.workspace.edits.take_epsilon("1")
    spelt.idle()
    spelt.release()
    answer, price = spelt.workspace.answer, spelt.workspace.price
    _, shares, _ = answer.views.buttons
    assert not shares.isHidden() and answer.drawn is answer.chart and price.half_width.full_text == "± 3"
    assert price.detail.full_text == "for each of 5 numbers, with 95 % · all 5 at once ± 4"
    assert answer.shares.data is not None and answer.shares.data.y == "Share of these counts, %"
    assert abs(answer.shares.data.values.sum() - 100) < 1e-9 and "%" in answer.list.texts()[0][-1]
    assert [f"{one} %" for one in answer.shares.data.written] == [
        row[-1].partition(" ±")[0] for row in answer.list.texts()
    ]
    question = Question(Statistic.HISTOGRAM, "department", EncodingChoice(domain=("Sales", "Legal")))
    experiment = Experiment(question, metrics_for(question.statistic)[0], users=300, basis=Basis.EITHER)
    spelt.document.apply("compare", lambda session: session.comparison.add(experiment, None))
    spelt.ask("histogram", keys=f"{keys}, c")
    spelt.release()
    assert answer.drawn is answer.shares and re.fullmatch(r"± [0-9.]+ points", price.half_width.full_text)
    assert price.detail.full_text == "each of 6 shares, with 95 %", "one unit in a line"
    assert answer.shown is not None
    said = caption(answer.shown, "made", (), "", shares=True)
    assert re.search(r": shares, ± [0-9.]+ points, each of 6 shares, with 95 %\. ", said), said
    answer.views.show_view(0)
    assert price.half_width.full_text == "± 3", "the unit of the view that is seen"
    assert price.detail.full_text == "for each of 6 numbers, with 95 % · all 6 at once ± 5"
    answer.views.show_view(1)
    assert price.half_width.full_text.endswith(" points")
    answer.views.show_view(0)
    answer.show_answer(answer.shown)
    assert answer.drawn is answer.chart, "whoever turned to the counts stays there"
    spelt.ask("count")
    spelt.release()
    assert answer.drawn is None or answer.drawn is answer.line


def test_the_margin_of_all_and_the_total_stay_with_counts_that_were_made_to_agree(spelt: Room) -> None:
    spelt.ask("histogram", column="department", keys="Sales, Legal", post="consistent")
    spelt.release()
    answer = spelt.workspace.answer
    assert answer.shown is not None
    released, question = answer.shown.released, answer.shown.question
    plain = {**question, "values": {**question["values"], "post": "none"}}
    words = together_words(released, question)
    assert words.startswith("all 3 at once ± ") and words in spelt.workspace.price.detail.full_text
    assert words in caption(answer.shown, "made") and f"# all at once, with 95 %: {words}" in as_csv(answer.shown)
    total = f"The counts add up to {round(sum(released.noisy['count'])):,} rows, their noisy total; shares are of that."
    assert total in answer.notes.text() and f"# total: {total}" in as_csv(answer.shown)

    def reach(values: list[float], noisy: tuple[int, ...]) -> float:
        made = replace(released, value=values, noisy={"count": noisy})
        return float(together_words(made, question).rpartition("± ")[2])

    # What one below 0 takes from the others may lie beyond the noise, and so they are further off by that.
    alone = reach([30, 20, 10], (30, 20, 10))
    assert reach([27, 17, 7], (30, 20, 10)) == alone + 3
    assert reach([28, 18, 0], (30, 20, -4)) == alone + 2
    assert reach([30, 20, 0], (30, 20, -4)) == alone == reach([30, 20, -4], (30, 20, -4))
    assert together_words(released, plain) == words, "what was published is what counts"


def test_spaces_and_capitals_can_be_ignored_where_values_are_listed(spelt: Room) -> None:
    spelt.ask("histogram", column="department", keys="Sales, Legal", alike=True)
    assert "2 listed values and all others, spaces and capitals ignored" in spelt.workspace.price.what.full_text
    assert spelt.workspace.form.others.words.text().endswith("NORTH” counts as “north”.")
    spelt.workspace.edits.take_epsilon("50")
    spelt.idle()
    found = spelt.workspace.foreseen
    assert found is not None and found.plan.mechanism.parts[0].sensitivity == 1 and not spelt.document.looked
    spelt.release()
    shown = spelt.workspace.answer.shown
    assert shown is not None and shown.released.value == [220, 80, 0]
    spelt.ask("histogram", column="no")
    assert "alike" not in spelt.draft.values, "numbers are spelt in one way"


def test_keys_that_are_alike_count_only_as_they_are_written() -> None:
    cells = keys_of(ColumnSpec("town"), "Bern, BERN, Ulm", other=True, alike=True)
    assert cells.place(["Bern", "BERN", "bern", " ulm ", "ULM", "Ulm"]).tolist() == [0, 1, 3, 2, 2, 2]
    assert cells.public["alike"] is True
    plain = keys_of(ColumnSpec("town"), "Bern, Ulm", other=True)
    assert plain.place(["Bern", "bern", " Ulm"]).tolist() == [0, 2, 2] and "alike" not in plain.public


def test_a_question_that_was_answered_before_is_the_same_one(spelt: Room) -> None:
    spelt.ask("histogram", column="department", keys="Sales, Legal")
    found = spelt.workspace.foreseen
    assert found is not None and "alike" not in question_of(found.plan)["values"]
    spelt.ask("histogram", alike=True)
    found = spelt.workspace.foreseen
    assert found is not None and question_of(found.plan)["values"]["alike"] is True


def test_what_counts_as_a_listed_value_is_said_as_it_is() -> None:
    pairs = re.findall("“([^”]+)” as “([^”]+)”", ALIKE.help)
    assert len(pairs) == 2 and "white space" in ALIKE.help and "by Unicode" in ALIKE.help
    for text, key in pairs:
        cells = keys_of(ColumnSpec("town"), key, alike=True)
        assert cells.place([text, f"\t{key} ", f"{key}!"]).tolist() == [0, 0, -1]


@pytest.mark.parametrize("alike", [True, "true"])
def test_numbers_are_spelt_in_one_way_so_ignoring_capitals_makes_no_other_question(spelt: Room, alike: object) -> None:
    session = spelt.document.session
    asked = QueryDraft("histogram", "1", {"column": "no", "keys": "1, 2"})
    ignoring = QueryDraft("histogram", "1", {**asked.values, "alike": alike})
    session.queries.ask(asked)
    session.queries.set_draft(ignoring)
    assert foreseer(session)(SILENT).stored is not None
    groups = {"by_column": "no", "by_keys": "1, 2", "statistic": "count"}
    one, other = (
        question_of(session.queries.plan(QueryDraft("group-by", "1", {**groups, **more})))
        for more in ({}, {"alike": True})
    )
    assert one == other


def test_of_two_columns_one_of_texts_is_enough_that_ignoring_capitals_is_part_of_the_question(spelt: Room) -> None:
    values = {"column": "no", "keys": "1, 2", "second_column": "department", "second_keys": "Sales", "alike": True}
    found = question_of(spelt.document.session.queries.plan(QueryDraft("histogram2d", "1", values)))
    assert found["values"]["alike"] is True


def test_shares_have_margins_and_figures_are_rounded_to_theirs(spelt: Room) -> None:
    spelt.ask("group-by", by_column="department", by_keys="Sales, Legal", statistic="mean", column="no", lower="0",
              upper="1000")  # fmt: skip
    spelt.workspace.edits.take_epsilon("1")
    spelt.idle()
    spelt.release()
    answer = spelt.workspace.answer
    assert answer.shown is not None and answer.shown.released.interval is not None
    low, high = answer.shown.released.interval
    for place, row in enumerate(answer.list.texts()):
        if max(high[place] - low[place], 0) > 40:
            assert "." not in row[1], "a margin of tens says nothing of what is behind the point"
    assert answer.chart.data is not None and list(answer.chart.data.written) == [row[1] for row in answer.list.texts()]
    spelt.ask("histogram", column="department", keys="Sales, Legal")
    spelt.release()
    shares = [row[-1] for row in answer.list.texts()]
    assert len(shares) == 3 and all(re.fullmatch(r"[0-9.]+ % ± [0-9.]+ points", share) for share in shares)
    model = answer.list.model()
    heading = model.headerData(model.columnCount() - 1, Qt.Orientation.Horizontal)
    assert heading == "Share of these counts, 95 % each"
    # The answer stands with its own margin; what another one would be is said by the button that asks for it.
    price = spelt.workspace.price
    assert (
        price.words.text() == "All 3 groups at once are within ± 4 rows in 95 % of answers."
        and price.half_width.full_text.startswith("Sales ")
    )
    assert price.detail.full_text == "each ± 3 with 95 % · all 3 at once ± 4", "as easy to see as that of one"
    assert answer.again.isVisible() and answer.again.toolTip().startswith("Another answer would be within ± 3 rows")
