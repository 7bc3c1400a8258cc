"""Answers in the Query workspace: drawn, averaged and saved, and experiments that cost nothing."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QMenu

from tests.gui.query.helpers import ROWS, Room
from workbench.core.number_text import estimate
from workbench.core.schema import PrivacyUnit
from workbench.core.working_table import Preparation
from workbench.query.answer import AnswerForm
from workbench.session.answer_chart import caption
from workbench.session.answer_files import as_csv, as_json


def test_several_answers_to_one_question_have_an_average(room: Room) -> None:
    room.release()
    assert "average" not in room.workspace.price.words.text()
    room.click(room.workspace.answer.again)
    room.idle()
    answers = [one.released.value for one in room.document.session.queries.alike(room.draft)]
    assert len(answers) == 2
    said = room.workspace.price.words.text()
    assert said.startswith(f"The average of 2 answers, {estimate(sum(answers) / 2, 6)} rows, is 1.4 times closer")


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


def test_whoever_releases_is_told_that_the_kind_behind_a_step_is_theirs_to_know(room: Room) -> None:
    """One row with 53.5 makes whole numbers decimals, and changes the text that is published at no ε."""
    read = "know without the file: “age” is read as “Whole number”, hence steps of 1."
    beside, release = room.workspace.form.vouched, room.workspace.price.release
    vouched = room.workspace.expected.asserted
    room.ask("mean", column="age")
    assert read in beside.text() and read in vouched.text() and read in release.toolTip()
    room.release()
    page, said = room.workspace.answer, read.replace("know", "Said to be known", 1)
    assert said in page.notes.text() and said in page.line.caption
    room.ask("mean", column="age", resolution="0.5")
    for words in (beside.text(), vouched.text(), release.toolTip()):
        assert "“age” is read as “Whole number”." in words, "the step is typed, how it is read is not"
    room.ask("mean", column="score", lower="0", upper="9", resolution="")
    for words in (beside.text(), vouched.text(), release.toolTip()):
        assert "“score” is read as “Decimal number”." in words
    room.ask("count")
    assert beside.isHidden() and "without the file" not in vouched.text() + release.toolTip()


def test_pairs_of_cells_stand_in_a_table(room: Room) -> None:
    room.ask("histogram2d", column="age", bins=3, second_column="team", second_keys='north, south, "east, far"')
    room.release()
    rows = room.workspace.answer.table.texts()
    assert len(rows) == 3 and all(len(row) == 4 and "±" in row[1] for row in rows)


def test_an_answer_to_another_question_is_said_to_be_one(room: Room) -> None:
    room.release()
    answer = room.workspace.answer
    assert not answer.title.isVisible(), "the line above says it"
    room.ask("mean", column="age")
    tabs = room.workspace.tabs
    assert tabs.currentWidget() is room.workspace.expected, "of the question in hand"
    tabs.setCurrentWidget(answer)
    room.idle()
    assert answer.title.isVisible() and answer.title.text() == "Another question: Count" and answer.state.isHidden()
    assert answer.value.property("heading") == "2" and answer.again.isHidden(), "large is the question in hand"


def test_an_answer_to_the_same_question_is_not_said_to_be_one_to_another(room: Room) -> None:
    room.release()
    first = room.workspace.answer.shown
    room.click(room.workspace.answer.again)
    room.idle()
    assert first is not None
    room.workspace.ledger.answer_wanted.emit(first)
    assert room.workspace.answer.title.text() == "Another answer to this question: Count"
    room.document.apply("ε", lambda s: s.queries.set_draft(replace(room.draft, epsilon="0.2")))
    room.idle()
    assert room.workspace.answer.title.text() == "Same question at another ε: Count"
    room.document.apply("where", lambda s: s.queries.set_draft(replace(room.draft, where="age > 30")))
    room.idle()
    assert room.workspace.answer.title.text() == "Another question: Count"


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


def test_an_answer_is_saved_as_a_picture_with_its_caption(room: Room, tmp_path: Path) -> None:
    room.release()
    answer = room.workspace.answer
    assert answer.export.text() == "Save…"
    room.click(answer.export)
    (menu,) = answer.findChildren(QMenu)
    assert [one.text().replace("&", "").split(" (")[0] for one in menu.actions()] == [
        "Picture with caption…", "Numbers", "Everything it was made with",
    ]  # fmt: skip
    menu.close()
    assert answer.drawn is not None
    answer.drawn.save(tmp_path / "answer.svg")
    room.idle()
    said = " ".join((tmp_path / "answer.svg").read_text(encoding="utf-8").split())
    shown = answer.shown
    assert shown is not None
    for words in (
        f"people.csv: Count: {shown.released.value:,} ± 30 rows with 95 %.",
        "The table's value lies between",
        "95 % confidence",
        "ε 0.1 · for people with one row each",
    ):
        assert words in said
    assert answer.drawn.file_stem == "answer-count-people"
    room.ask("mean", column="age")
    room.release()
    assert answer.drawn is answer.line and answer.drawn.file_stem == "answer-mean-of-age-people"
    room.ask("mode", column="team", keys='north, south, "east, far"')
    room.release()
    assert answer.drawn is None, "a choice has no picture"


def _ahead(room: Room) -> str:
    """What is said of a question before it is asked."""
    return room.workspace.price.words.text()


def test_a_mean_of_drawn_rows_has_a_second_margin_with_the_draw(bare: Room, tmp_path: Path) -> None:
    data = tmp_path / "visits.csv"
    data.write_text("patient,cost\n" + "".join(f"p{i // 2},{i % 2 * 100}\n" for i in range(2000)), encoding="utf-8")
    bare.open(data)
    bare.document.apply("bounds", lambda session: session.data.set_bounds("cost", (0, 100)))
    bare.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit(1, "patient")))
    bare.document.apply("limit", lambda session: session.data.set_preparation(Preparation(limit_rows=True)))
    bare.ask("mean", column="cost")
    bare.idle()
    ahead = re.search(r"Besides, the draw of one row of each person moves it by at most ([0-9.]+) ", _ahead(bare))
    assert ahead is not None and 0.4 < float(ahead[1]) < 10, "it is known before anything is spent"
    bare.release()
    answer, detail = bare.workspace.answer, bare.workspace.price.detail.full_text
    assert answer.shown is not None
    (noise,), ((least, most),) = re.findall(r"± ([0-9.]+)", detail), re.findall(r"([0-9.]+) to ([0-9.]+)", detail)
    draw = (float(most) - float(least)) / 2
    # √(ln 50 ÷ 2,000) = 4.4 of 100 by the draw of 1,000 rows, and ln 200 ÷ 100 = 5.3 by the noise.
    assert detail.endswith(" with the draw of those with a value, with 95 %") and float(noise) < 4.4 < draw < 13
    assert f" for the noise · at most {least} to {most} with the draw" in detail, "it is a bound"
    words, line = answer.of_draw, QFontMetrics(answer.of_draw.brief.font()).lineSpacing()
    assert f"lies between {least} and {most}" in words.text()
    assert "one row of each “patient”, not over rows. With" in words.brief.text().replace("\n", " ")
    assert words.height() <= 3 * line + 2, "the rest is unfolded"
    bare.click(words.button)
    assert words.whole.isVisible() and "on average. People with" in words.whole.text()
    words.set_open(False)
    assert " · for one row of each person · " in answer.made.full_text, "people have two"
    assert answer.line.data is not None and answer.line.data.wider is not None
    bare.workspace.resize(816, 520)
    bare.idle()
    assert answer.interval.height() >= answer.interval.heightForWidth(answer.interval.width()), "no line is cut"
    said = caption(answer.shown, "made")
    assert f"± {noise} with 95 % for the noise, at most {least} to {most} with the draw of rows counted. " in said
    drawn = json.loads(as_json(answer.shown))["with_draw"]
    assert drawn["low"] < 50 < drawn["high"] and "# draw of rows: Of values limited to 0…100" in as_csv(answer.shown)


def test_a_picture_names_no_file_that_was_not_asked(room: Room, tmp_path: Path) -> None:
    room.ask("histogram", column="team", keys='north, south, "east, far"')
    room.release()
    answer = room.workspace.answer
    shown = answer.shown
    assert shown is not None
    assert caption(shown, "made", (), "people.csv").startswith("people.csv: Histogram of team, ")
    # Nobody has another value: noise takes that count below 0 in half of all runs, and far below it in some.
    each = r": each ± 30(; other values ± [0-9]+,)? with 95 %, all 4 at once ± 44\. "
    assert re.search(each, caption(shown, "made")), "the counts stand at the bars"
    assert answer.drawn is not None and answer.drawn.file_stem == "answer-histogram-of-team-people"
    parameters = {**shown.entry.charge.parameters, "data": "another"}
    charge = replace(shown.entry.charge, parameters=parameters)
    answer.show_answer(replace(shown, entry=replace(shown.entry, charge=charge)))
    assert answer.drawn.file_stem == "answer-histogram-of-team", "the table that was asked is not open"


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


def test_experiments_are_there_again_with_their_question_and_gone_with_their_table(room: Room, tmp_path: Path) -> None:
    page = room.workspace.experiments
    room.workspace.tabs.setCurrentWidget(page)
    room.document.session.queries.look()
    page.repetitions.setValue(200)
    page.run()
    room.idle()
    first = page.found
    room.ask("histogram", column="age", bins=4)
    assert page.found is first and "Out of date" in page.state.text, "nobody takes it for one of this question"
    page.run()
    room.idle()
    second = page.found
    room.ask("count")
    assert page.found is first and first is not second and "from the question as it stands" in page.state.text
    assert page.curve.data.lines[0].places == first.places and "200 repetitions" in page.words.text()
    page.seed.setValue(2)
    assert page.found is first and "Out of date" in page.state.text, "another seed has other errors"
    other = tmp_path / "other.csv"
    other.write_text("age,team,score\n40,north,1\n50,south,2\n", encoding="utf-8")
    room.open(other)
    room.idle()
    assert page.found is None and page.curve.data is None and not page.words.text(), "it is of another table"
    page.seed.setValue(1)
    assert page.found is None and "Not run yet" in page.state.text


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
    assert detail.full_text.startswith("± 30 with 95") and detail.text() == detail.full_text


def test_an_average_within_bounds_that_were_found_says_how_far_its_noise_alone_reaches(room: Room) -> None:
    room.ask("narrowed", column="age", lower="0", upper="100000")
    room.release()
    words = room.workspace.price.words.text()
    assert words.startswith("The plan assumed values that are spread evenly between the bounds; this margin"), words
    page, detail = room.workspace.answer, room.workspace.price.detail.full_text
    said = page.interval.text()
    found = re.fullmatch(
        r"Values beyond 0 and ([0-9,]+), which were found with a quarter of ε, count as the nearer of the two. The "
        r"mean of these lies between ([0-9.,-]+) and ([0-9.,]+) with 95 % confidence. That is for the noise alone: how "
        r"far limiting the values shifts it is not known.",
        said,
    )
    assert found is not None, said
    high, least, most = (float(one.replace(",", "")) for one in found.groups())
    assert page.shown is not None and least <= page.shown.released.value <= most and high < 100_000
    assert re.fullmatch(rf"± [0-9.,]+ for the noise, with 95 %, of values limited to 0…{found[1]}", detail)
    assert "no interval" not in page.notes.text(), "one word for one thing"
    assert page.shown.released.interval is None, "what is recorded, and leaves, is as it was"
    row = room.workspace.ledger.table
    cell = row.model().index(0, 2).data()
    assert re.fullmatch(rf"[0-9.,-]+ ± [0-9.,]+ for the noise, of values limited to 0…{found[1]}", cell), cell
    assert f"# of: values limited to 0…{found[1]}\n" in as_csv(page.shown)
    room.click(page.limited)
    room.idle()
    assert room.draft.kind == "limited" and float(room.draft.values["upper"]) == high, "those that limited it"
