"""How far the draw of one row of each person moves a mean is said of the answer, from what was released alone."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from workbench.cli.main import main
from workbench.cli.query_output import answered
from workbench.core.number_text import margin_up
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit
from workbench.core.working_table import Preparation
from workbench.evaluate.sampling_error import most_of_a_mean
from workbench.plots.answer_interval import describe
from workbench.query import circumstances, noise
from workbench.query.catalogue import NoiseSource, QueryDraft
from workbench.query.drawn_mean import drawn_mean
from workbench.session.answer_chart import bars_chart, caption, interval_chart
from workbench.session.answer_files import as_csv, as_json
from workbench.session.answer_numbers import rounded_values
from workbench.session.answer_shares import total_words
from workbench.session.query_words import anew_words, estimate_words, pooled_words, value_words
from workbench.session.row_counts import draw_ahead, drawn_words, too_wide, with_draw
from workbench.session.session import Session

PEOPLE = 400
MEAN = QueryDraft("mean", "5", {"column": "cost", "lower": "0", "upper": "100", "resolution": "1"})


@pytest.fixture
def visits(tmp_path: Path) -> Session:
    """Each person has a row of 0 and one of 100, so that a draw moves the mean as far as it can."""
    path = tmp_path / "visits.csv"
    path.write_text("patient,cost\n" + "".join(f"p{i // 2},{i % 2 * 100}\n" for i in range(2 * PEOPLE)))
    session = Session()
    session.data.open(path)
    session.data.set_unit(PrivacyUnit(1, "patient"))
    session.data.set_preparation(Preparation(limit_rows=True))
    return session


def test_no_draw_moves_the_mean_further_on_average_than_is_said(visits: Session) -> None:
    """100 ÷ (2 √400) = 2.5, times √(2 ÷ π) = 1.995; what the noise hides of the number is taken off."""
    said = drawn_words(visits.queries.ask(MEAN))
    (most,) = map(float, re.findall(r"then the draw moves it by at most ([0-9.]+) on average\.", said))
    assert 1.995 <= most < 2.2
    assert said.startswith(
        "Of values limited to 0…100 and rounded to steps of 1, it is a mean over people whose drawn row has a value, "
        "one row of each “patient”, not over rows. With that draw counted, the mean of these people's own means"
    )
    drawn = np.random.default_rng(4).integers(0, 2, (4000, PEOPLE)).mean(axis=1) * 100
    assert np.abs(drawn - 50).mean() <= most


def test_a_mean_near_a_bound_is_moved_less_by_the_draw_than_one_in_the_middle(tmp_path: Path) -> None:
    """One in twenty of 400 has a row of 100 and one of 0: 100 · √(0.025 · 0.975 ÷ 400) = 0.78, in the middle 2.5."""
    path = tmp_path / "visits.csv"
    path.write_text("patient,cost\n" + "".join(f"p{i // 2},{100 if i % 40 == 0 else 0}\n" for i in range(2 * PEOPLE)))
    session = Session()
    session.data.open(path)
    session.data.set_unit(PrivacyUnit(1, "patient"))
    session.data.set_preparation(Preparation(limit_rows=True))
    found = with_draw(session.queries.ask(replace(MEAN, epsilon="20")))
    drawn = np.random.default_rng(4).binomial(PEOPLE // 20, 0.5, 4000) / PEOPLE * 100
    assert found is not None and found.low <= 2.5 <= found.high
    assert np.abs(drawn - 2.5).mean() <= found.moved < 1.4, "by half of what the number of people alone tells"


def test_nothing_is_said_where_no_row_was_drawn_or_nobody_knows_of_how_many(visits: Session) -> None:
    assert drawn_words(visits.queries.ask(QueryDraft("count", "1"))) == "", "everybody counts once, by whatever row"
    assert drawn_words(visits.queries.ask(QueryDraft("mean", "0.001", dict(MEAN.values)))) == "", "noise hides it"
    visits.data.set_preparation(Preparation())
    visits.data.set_unit(PrivacyUnit(2))
    assert drawn_words(visits.queries.ask(MEAN)) == "", "every row took part"
    assert drawn_words(visits.queries.ask(QueryDraft("count", "1", where="cost > 50"))) == ""


@pytest.mark.parametrize(
    "draft",
    [
        QueryDraft("histogram", "1", {"column": "cost", "lower": "0", "upper": "100", "bins": 2}),
    ],
)
def test_people_are_counted_by_the_row_that_was_drawn_and_that_is_said_before_and_after(
    visits: Session, draft: QueryDraft
) -> None:
    """Each person has a row above 50, and half of them are counted there."""
    ahead, answer = draw_ahead(visits.queries.plan(draft)), visits.queries.ask(draft)
    assert ahead == drawn_words(answer) and ahead.startswith("People are counted by one row drawn of each “patient” be")
    assert f"# draw of rows: {ahead}\n" in as_csv(answer)


def test_the_margin_with_the_draw_is_said_and_holds_the_mean_of_the_peoples_means(visits: Session) -> None:
    """√(ln 50 ÷ (2 · 400)) = 0.07 of the range by the draw, and by the noise ln 200 ÷ (5 · 400) = 0.003."""
    answer = visits.queries.ask(MEAN)
    found = with_draw(answer)
    assert found is not None and found.low <= 50 <= found.high
    assert 6.9 < found.reach < 9 + abs(float(answer.released.value) - 50), found.reach
    ends = found.ends(answer.released)
    low, high = (float(one) for one in ends.split(" to "))
    assert low <= found.low and found.high <= high and high - low < found.high - found.low + 2
    said = f"lies between {ends.replace(' to ', ' and ')} with at least 95 % confidence"
    assert said in drawn_words(answer) and "±" not in drawn_words(answer), "the further end is no margin of the nearer"
    chart = interval_chart(answer)
    assert chart is not None and chart.wider == (found.low, found.high)
    low, high = answer.released.interval or (0.0, 0.0)
    assert found.low < low and high < found.high, "that of the noise alone is as it was, and narrower"


def test_a_number_of_rows_that_is_taken_for_public_is_never_of_those_that_match(visits: Session) -> None:
    """diffprivlib's count cuts its answer at that number: at the number that match, the largest answer would be it."""
    draft = QueryDraft("count", "0.01", {}, "cost > 50", NoiseSource.DIFFPRIVLIB, "count_nonzero")
    assert not circumstances.drawn_of_matching(visits.queries.plan(draft).table), "rows are drawn first"
    answers = [visits.queries.ask(draft) for _ in range(40)]
    matching = 240  # of 400 rows that were drawn about 200 match, and 240 hardly ever do
    assert max(float(one.released.value) for one in answers) > matching  # fails by chance in one of 10^6 runs
    assert "drawn" not in answers[0].question["table"]["limit"], "and the record says so"
    none = replace(draft, where="cost > 100")
    assert visits.queries.ask(none).released.value >= 0, "nor is it refused where nobody matches"


def test_rows_are_drawn_of_those_that_match_so_that_everybody_with_one_is_counted(visits: Session) -> None:
    """Each person has one row above 50 and one below: of a row drawn first, half of them would be missed."""
    draft = QueryDraft("count", "50", where="cost > 50")
    answer = visits.queries.ask(draft)
    assert answer.released.value == PEOPLE
    assert answer.question["what"] == "Count where cost > 50 (at most one matching row of each “patient”)"
    assert answer.question["table"] == {"limit": {"person": "patient", "rows": 1, "drawn": "after the filter"}}
    said = "Each “patient” with a row that matches counts once, so chance moves this by its noise alone."
    assert draw_ahead(visits.queries.plan(draft)) == drawn_words(answer) == said
    assert f"# draw of rows: {said}\n" in as_csv(answer)
    assert "not which rows chance took" not in caption(answer, "made"), "no draw moves it"
    assert "not which rows chance took" not in caption(visits.queries.ask(QueryDraft("count", "50")), "made")
    dear = visits.queries.ask(QueryDraft("mean", "50", dict(MEAN.values), "cost > 50"))
    found = with_draw(dear)
    assert found is not None and dear.released.value == pytest.approx(100, abs=1)
    assert found.to_json()["of"].endswith(
        "people whose drawn row has a value, one matching row drawn of each “patient”"
    )
    assert "a mean over people whose drawn row has a value, one matching row of each “patient”" in drawn_words(dear)
    cheap = QueryDraft("histogram", "50", {"column": "cost", "lower": "0", "upper": "100", "bins": 2}, "cost < 50")
    counted = visits.queries.ask(cheap)
    assert counted.released.value == [PEOPLE, 0]
    assert drawn_words(counted).startswith("People are counted by one matching row drawn of each “patient” beforehand")


def test_answers_about_rows_of_other_draws_are_not_averaged_and_counts_that_no_draw_moves_are(visits: Session) -> None:
    total = QueryDraft("sum", "5", dict(MEAN.values), "cost >= 0")
    for draft, pooled in ((total, False), (QueryDraft("count", "5", where="cost > 50"), True)):
        answers = [visits.queries.ask(draft) for _ in range(2)]
        assert bool(pooled_words(answers)) is pooled
    visits.data.set_preparation(Preparation(where="cost >= 0"))
    visits.data.set_unit(PrivacyUnit(2))
    assert pooled_words([visits.queries.ask(replace(total, where="")) for _ in range(2)])


def test_of_nobody_more_rows_take_part_than_were_declared_whichever_match(visits: Session) -> None:
    """With a filter of the table besides, and a question of a batch; a row too many would be a promise not kept."""
    visits.data.set_preparation(Preparation(limit_rows=True, where="cost < 50 or cost > 90"))
    both, one = QueryDraft("count", "1", where="cost >= 0 or cost = 3"), QueryDraft("count", "1", where="cost < 50")
    answers = visits.queries.batch_asker([both, one, both], "100")(SILENT)
    assert [answer.released.value for answer in answers] == [PEOPLE] * 3
    visits.data.set_unit(PrivacyUnit(2, "patient"))
    assert visits.queries.ask(replace(both, epsilon="90")).released.value == 2 * PEOPLE
    visits.data.set_preparation(Preparation(limit_rows=True, where="cost > 90"))
    assert visits.queries.ask(replace(both, epsilon="90")).released.value == PEOPLE
    visits.data.set_preparation(Preparation(limit_rows=True, sample=1e-9))
    assert visits.queries.ask(replace(both, epsilon="90")).released.value == 0, "a sample is drawn too"


def test_an_answer_of_rows_drawn_before_the_filter_is_said_to_be_one_and_is_not_the_answer_of_now(
    visits: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Earlier versions wrote nothing of the order: people with many rows that do not match are rarely counted there."""
    mean, count = QueryDraft("mean", "5", dict(MEAN.values), "cost > 50"), QueryDraft("count", "1", where="cost > 50")
    with monkeypatch.context() as earlier:
        earlier.setattr(circumstances, "working_table", lambda *_, **__: {"limit": {"person": "patient", "rows": 1}})
        answers = [visits.queries.ask(one) for one in (mean, count)]
        assert visits.queries.stored(count) is not None
    assert visits.queries.stored(count) is None and visits.queries.stored(mean) is None
    assert with_draw(answers[0]) is None and drawn_words(answers[0]) == ""
    assert all("not which rows chance took" in caption(one, "made") for one in answers)
    assert drawn_words(answers[1]).startswith("People are counted by one row drawn of each “patient” beforehand")
    assert visits.queries.otherwise(answers[1]).words == (
        "Rows then: at most one row of each “patient”; now: at most one matching row of each “patient”."
    )
    assert visits.queries.plan(mean).counted is None, "a count of rows drawn first is of other rows"
    assert not visits.queries.otherwise(visits.queries.ask(count))


def test_the_command_says_when_rows_were_drawn(visits: Session, capsys: pytest.CaptureFixture[str]) -> None:
    data = visits.data.reading.path
    words = ["query", str(data), "--query", "count", "--where", "cost > 50", "--epsilon", "50"]
    assert main([*words, "--person", "patient", "--limit-rows", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["answer"] == PEOPLE and found["parameters"]["table"]["limit"]["drawn"] == "after the filter"


def test_people_whose_drawn_row_has_no_value_are_said_to_be_left_out_or_counted(visits: Session) -> None:
    found = with_draw(visits.queries.ask(MEAN))
    assert found is not None and found.to_json()["of"] == (
        "mean of the own means of people whose drawn row has a value, one row drawn of each “patient”"
    )
    filled = visits.queries.ask(QueryDraft("mean", "5", {**MEAN.values, "missing": "50"}))
    said, all_of_them = drawn_words(filled), with_draw(filled)
    assert said.startswith(
        "Of values limited to 0…100 and rounded to steps of 1, missing ones counted as 50, it is a mean over people,"
    )
    assert "rarely" not in said and drawn_words(visits.queries.ask(MEAN)).endswith(
        "People with many rows without a value are rarely among them."
    )
    assert all_of_them is not None and "drawn row has" not in all_of_them.to_json()["of"]


@pytest.mark.parametrize("resolution", ["1", "100"])
def test_what_limiting_and_rounding_do_to_the_values_is_said_with_the_draw(tmp_path: Path, resolution: str) -> None:
    """Each person's own values are 60 and 100,000, so that of none of them the mean is near the interval."""
    path = tmp_path / "visits.csv"
    path.write_text("patient,cost\n" + "".join(f"p{i // 2},{60 if i % 2 else 100000}\n" for i in range(2000)))
    session = Session()
    session.data.open(path)
    session.data.set_unit(PrivacyUnit(1, "patient"))
    session.data.set_preparation(Preparation(limit_rows=True))
    answer = session.queries.ask(QueryDraft("mean", "5", {**MEAN.values, "resolution": resolution}))
    of = f"values limited to 0…100 and rounded to steps of {resolution}"
    saved = json.loads(as_json(answer))["with_draw"]
    assert saved["limited"] == of and saved["high"] <= 100
    for said in (drawn_words(answer), as_csv(answer).partition("# draw of rows: ")[2]):
        assert said.startswith(f"Of {of}, it is a mean")
    assert f" Of {of}, it is a mean" in caption(answer, "made")
    printed = answered(session, (answer,))
    assert printed.data["with_draw"] == saved and any(line.startswith(f"  Of {of}, it") for line in printed.lines)


@pytest.mark.parametrize("people", [1, 2, 5, 17, 60, 400])
@pytest.mark.parametrize("chance", [0.0, 0.01, 0.1, 0.37, 0.5, 0.98])
def test_no_chance_of_two_rows_is_missed_more_often_than_in_5_of_100(people: int, chance: float) -> None:
    """By the law itself: each person has a row of 1 with this chance and else one of 0; the noise is nearly none."""
    missed = 0.0
    for ones in range(people + 1):
        found = drawn_mean(ones, people - ones, 1, Fraction(40))
        assert found is not None and found.people == people
        if not found.low <= chance <= found.high:
            missed += math.comb(people, ones) * chance**ones * (1 - chance) ** (people - ones)
    assert missed <= 0.04


def test_with_noise_and_unlike_people_the_mean_is_missed_rarely() -> None:
    generator, steps, rate, tries = np.random.default_rng(11), 100, Fraction(1, 100), 2000
    low = generator.integers(0, 40, 150)
    high = low + generator.integers(0, 60, 150)
    truth, missed = (low + high).mean() / 2 / steps, 0
    for _ in range(tries):
        drawn = np.where(generator.random(150) < 0.5, low, high).sum()
        above, below = drawn + noise.simulated(rate, 1, generator)[0], 150 * steps - drawn
        found = drawn_mean(above, below + noise.simulated(rate, 1, generator)[0], steps, rate)
        assert found is not None
        missed += not found.low <= truth <= found.high
    assert missed <= 0.05 * tries


@pytest.mark.parametrize("extreme", [0, 200_000])
def test_noise_that_goes_beyond_the_bounds_leaves_an_interval_within_them(extreme: int) -> None:
    """ln 200 ÷ 0.001 = 5,300 is less than the noise here, as it is once in some hundred answers."""
    above, below = (-8000, 200_000) if extreme == 0 else (200_000, -8000)
    found = drawn_mean(above, below, 100, Fraction(1, 1000))
    assert found is not None and 0 <= found.low <= found.high <= 1
    assert (found.low if extreme == 0 else 1 - found.high) == pytest.approx(0, abs=1e-12)


def test_where_noise_hides_whether_anybody_is_there_nothing_is_said_of_the_draw() -> None:
    assert drawn_mean(300, 200, 100, Fraction(1, 100)) is None


def test_a_count_of_one_row_of_each_person_is_one_of_people_as_shown_and_of_rows_as_recorded(visits: Session) -> None:
    count = QueryDraft("count", "1")
    plan, answer = visits.queries.plan(count), visits.queries.ask(count)
    assert (plan.half_width_text, plan.matching) == ("± 3 people", "people") and "people on average" in plan.error_text
    assert plan.mechanism.unit == answer.released.unit == json.loads(as_json(answer))["answer"]["unit"] == "rows"
    assert value_words(answer.told, "count", margin=True).endswith(" ± 3 people")
    said, chart = caption(answer, "made"), interval_chart(answer)
    low, high = answer.released.interval or (0, 0)
    assert f"The number of people lies between {low} and {high} with 95 % confidence" in said and " rows " not in said
    assert chart is not None and chart.unit == "people" and chart.shown.endswith(" people")
    assert f"the number of people lies between {low} and {high}: " in describe(chart)
    lines = answered(visits, (answer,)).lines
    assert f"  {answer.released.shown} people (95 %: {low} to {high})" in lines
    # An answer of before is known by its record, as one about all rows is.
    told = replace(answer, question={**answer.question, "table": {"limit": {"person": "patient", "rows": 1}}}).told
    assert told.unit == "people"
    for table in ({}, {"limit": {"person": "patient", "rows": 2}}, {"sample": 0.5}):
        assert replace(answer, question={**answer.question, "table": table}).told.unit == "rows"


def test_cells_count_people_and_what_a_column_counts_stays_what_it_is(visits: Session) -> None:
    cells = QueryDraft(
        "histogram", "1", {"column": "cost", "lower": "0", "upper": "100", "bins": 3, "post": "consistent"}
    )
    answer = visits.queries.ask(cells)
    assert estimate_words(answer.told, "histogram").endswith("\N{NO-BREAK SPACE}people with 95 %")
    chart = bars_chart(answer)
    assert chart is not None and chart.y == "People"
    assert re.search(r"add up to \d+ people, their noisy total", total_words(answer.told, answer.question))
    assert rounded_values(answer.told) == rounded_values(answer.released), "written so that they add up, as before"
    assert "The numbers of people counted by their drawn rows lie within their intervals" in caption(answer, "made")
    visits.data.set_unit_text("cost", "rows")
    mean = visits.queries.ask(MEAN)
    assert mean.told.unit == "rows" and value_words(mean.told).endswith(" rows")


def test_what_a_draw_adds_has_the_digits_that_it_has_in_a_comparison(visits: Session) -> None:
    """Of 1,000 people 100 × 0.01262: Compare rounds up to the third digit, 1.27, and not to 1.3."""
    plan = visits.queries.plan(replace(MEAN, assumed_rows=1000, rows_typed=True))
    most = margin_up(100 * most_of_a_mean(1000), 3)
    assert most == "1.27" and f" by at most {most} on average" in draw_ahead(plan)


def test_an_error_that_the_draw_alone_exceeds_is_told_before_epsilon_is_looked_for(visits: Session) -> None:
    plan = visits.queries.plan(MEAN)
    most = re.findall(r"by at most ([0-9.]+) on average", draw_ahead(plan))[0]
    said = too_wide(plan, 1.0)
    assert said.startswith(f"The draw of one row of each person alone may move it by {most} on average.")
    assert too_wide(plan, float(most)) == "" and too_wide(visits.queries.plan(QueryDraft("count", "1")), 0.1) == ""
    assert " for the noise (" in anew_words(plan)
    assert "for the noise" not in anew_words(visits.queries.plan(QueryDraft("count", "1")))


def test_that_no_margin_of_a_median_has_the_draw_in_it_is_told_before_and_after(visits: Session) -> None:
    median = replace(MEAN, kind="median")
    said = "The draw of one row of each person moves it too; no margin here covers that."
    assert draw_ahead(visits.queries.plan(median)) == drawn_words(visits.queries.ask(median)) == said
    visits.data.set_unit(PrivacyUnit(2))
    visits.data.set_preparation(Preparation(sample=0.5))
    assert draw_ahead(visits.queries.plan(median)) == said.replace("one row of each person", "rows")
    visits.data.set_preparation(Preparation())
    assert draw_ahead(visits.queries.plan(median)) == ""
