"""Plans reckon with what was released: how many rows match, and that another method answered before."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.query.test_asking import COUNT, mean, opened
from workbench.core.randomness import SeededSource
from workbench.core.schema import ColumnSpec, Kind, PrivacyUnit, Schema
from workbench.core.working_table import Preparation
from workbench.query.answer import AnswerForm, ReleasedAnswer
from workbench.query.catalogue import NoiseSource, QueryDraft
from workbench.query.circumstances import asserted, columns_read, limited
from workbench.report.certificate import certificate_of
from workbench.report.certificate_words import answers_in_words
from workbench.session import Session, charged_answers
from workbench.session.query_answers import charge_for, question_of


@pytest.fixture(autouse=True)
def repeatable_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = itertools.count()
    monkeypatch.setattr(charged_answers, "SecureSource", lambda: SeededSource(next(seeds)))


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return opened(tmp_path)


def test_a_plan_without_a_count_says_that_it_guesses(session: Session) -> None:
    one = session.queries.plan(mean())
    assert (one.rows, one.rows_from) == (1000, "a guess")
    assert one.assumption.startswith(
        "If 1,000 rows match and have a value (a guess; with fewer the margin is wider), with values"
    )


def test_a_plan_says_that_rows_without_a_value_are_left_out_unless_they_count(session: Session) -> None:
    asked = mean()
    left_out = session.queries.plan(asked)
    assert left_out.left_out == "Rows without a value are left out." and left_out.of_those_with_a_value
    counted = replace(asked, values={**asked.values, "missing": str(asked.values["lower"])})
    assert session.queries.plan(counted).left_out == "" == session.queries.plan(replace(COUNT, epsilon="1")).left_out
    assert session.queries.plan(counted).assumption.startswith("If 1,000 rows match (a guess), with values")


def test_a_released_count_takes_the_place_of_the_guess(session: Session) -> None:
    desk = session.queries
    before = desk.plan(mean())
    counted = desk.ask(replace(COUNT, epsilon="1"))
    one, day = desk.plan(mean()), counted.entry.when[:10]
    assert one.rows == counted.released.value and one.rows_from == f"from the count released on {day}"
    assert f"({one.rows_from}; with fewer" in one.assumption
    assert one.expected.half_width is not None and before.expected.half_width is not None
    assert one.expected.half_width > 1.5 * before.expected.half_width
    assert float(desk.solve(mean(), "5")) > 1.5 * float(desk.solve(replace(mean(), rows_typed=True), "5"))
    ((_, drawn),) = desk.curve(mean(), ["0.5"])
    assert drawn == one.expected
    (first, _) = desk.plan_batch([mean(), COUNT], "1")
    assert first.rows == one.rows
    assert session.ledger.current.spent().epsilon == 1  # to reckon with it costs nothing


def test_what_a_person_typed_stays(session: Session) -> None:
    desk = session.queries
    desk.ask(COUNT)
    for typed in (replace(mean(), assumed_rows=77), replace(mean(), rows_typed=True)):
        one = desk.plan(typed)
        assert (one.rows, one.rows_from) == (typed.assumed_rows, "as typed")


def test_counts_of_other_rows_tell_nothing(session: Session) -> None:
    desk = session.queries
    desk.ask(replace(COUNT, where="age > 30"))
    desk.ask(QueryDraft("count", "0.1", noise=NoiseSource.DIFFPRIVLIB))
    assert desk.plan(mean()).counted is None
    assert desk.plan(replace(mean(), where="age > 31")).counted is None
    known = desk.plan(replace(mean(), where="age  > 30")).counted
    assert known is not None and abs(known.rows - 390) < 100
    # Of another working table, or where the texts of the column are read in another way, it is another number.
    session.data.set_preparation(Preparation("area = 'N'"))
    assert desk.plan(replace(mean(), where="age > 30")).counted is None
    session.data.set_preparation(Preparation())
    session.data.set_missing(["age"], ("20",))
    assert desk.plan(replace(mean(), where="age > 30")).counted is None


def test_a_mean_tells_how_many_rows_have_a_value(tmp_path: Path) -> None:
    """So the plan beside the answer does not contradict it: 12 ages among 2,000 rows."""
    rows = [f"P{n},{30 + n if n < 12 else ''},N,1" for n in range(2000)]
    desk = opened(tmp_path, rows).queries
    desk.ask(replace(COUNT, epsilon="1"))
    assert desk.plan(replace(mean(), epsilon="5")).rows > 1900
    answered = desk.ask(replace(mean(), epsilon="5"))
    one = desk.plan(replace(mean(), epsilon="5"))
    assert abs(one.rows - 12) < 3 and "mean released on" in one.rows_from
    low, high = answered.released.interval or (0, 0)
    assert one.expected.half_width is not None and 0.4 < one.expected.half_width / ((high - low) / 2) < 2.5
    # The variance of the same column tells it too; a mean of another column does not.
    assert desk.plan(QueryDraft("variance", "5", mean().values)).rows == one.rows
    other = QueryDraft("mean", "5", {"column": "score", "lower": "0", "upper": "10"})
    assert desk.plan(other).rows > 1900


def test_a_mean_that_is_mostly_noise_does_not_displace_a_count(session: Session) -> None:
    desk = session.queries
    desk.ask(replace(mean(), epsilon="0.001"))
    desk.ask(COUNT)
    assert "count" in desk.plan(mean()).rows_from


def stored_by_an_earlier_version(session: Session) -> dict[str, Any]:
    """What a ledger holds of a mean whose ε was split between a centred sum and a count."""
    one = session.queries.plan(mean())
    parts = [
        {"name": "sum", "sensitivity": "100", "epsilon": "3/8"},
        {"name": "count", "sensitivity": "1", "epsilon": "1/8"},
    ]
    question = {**question_of(one), "parts": parts}
    charge = replace(charge_for((one,)), parameters={"questions": [question]})
    entry = session.ledger.current.charge(charge)
    released = ReleasedAnswer(
        AnswerForm.NUMBER, 44.5, (40.0, 49.0), noisy={"sum": (-5500,), "count": (503,)}, shown="44.5"
    )
    session.ledger.current.answer(entry.id, {"answers": [released.to_json()]})
    return question


def test_answers_of_an_earlier_method_stay_what_they_were(session: Session) -> None:
    desk = session.queries
    question = stored_by_an_earlier_version(session)
    assert desk.stored(mean()) is None  # its noise was another
    one = desk.plan(mean())
    assert "earlier version" in one.remark and "costs nothing" in one.remark
    assert one.rows == 503 and "mean released on" in one.rows_from
    (known,) = desk.answers()
    assert known.question == question and known.released.interval == (40, 49)
    assert known.limited == "values limited to 0…100"
    answered = desk.ask(mean())
    stored = desk.stored(mean())
    assert stored is not None and stored.entry.id == answered.entry.id
    assert desk.plan(replace(mean(), epsilon="0.6")).remark == ""


def test_a_damaged_entry_tells_nothing(session: Session) -> None:
    desk = session.queries
    one = desk.plan(mean())
    for parts, frames in (([], []), ([{"name": "steps"}], [{"column": "age", "lower": "x", "upper": "1"}]), (3, {})):
        question = {**question_of(one), "parts": parts, "frames": frames}
        entry = session.ledger.current.charge(replace(charge_for((one,)), parameters={"questions": [question]}))
        released = ReleasedAnswer(AnswerForm.NUMBER, 1.0, noisy={"steps": (1, 2)})
        session.ledger.current.answer(entry.id, {"answers": [released.to_json()]})
    assert desk.plan(mean()).counted is None
    assert len(desk.answers()) == 3


# Values that were limited


def test_an_answer_says_which_values_it_is_about(session: Session) -> None:
    desk = session.queries
    narrow = {"column": "age", "lower": "0", "upper": "30"}
    for kind in ("mean", "sum", "variance", "standard-deviation", "median"):
        answered = desk.ask(QueryDraft(kind, "1", narrow))
        assert answered.limited == answered.to_json()["limited"] == "values limited to 0…30"
        assert all("of values limited to 0…30" in said for said in answers_in_words(answered.entry))
        assert "of values limited to 0…30" in certificate_of(answered.entry).body()
    for plain in (COUNT, QueryDraft("histogram", "1", {"column": "area", "keys": "N, S"})):
        answered = desk.ask(plain)
        assert answered.limited == "" and "limited" not in " ".join(answers_in_words(answered.entry))


def test_limits_are_written_as_their_column_is() -> None:
    frame = {"column": "day", "lower": "0", "upper": "18262", "resolution": "1"}
    assert (
        limited({"frames": [frame], "columns": {"day": {"kind": "date"}}}) == "values limited to 1970-01-01…2020-01-01"
    )
    assert limited({"frames": [frame]}) == "values limited to 0…18,262"
    for odd in ({}, {"frames": None}, {"frames": [3, {"column": "x"}]}, {"frames": [{**frame, "lower": "1/0"}]}):
        assert limited(odd) == ""


def test_the_values_that_were_limited_can_be_counted_privately(session: Session) -> None:
    desk = session.queries
    answered = desk.ask(QueryDraft("limited", "2", {"column": "age", "lower": "25", "upper": "60"}))
    below, above = answered.released.value
    assert answered.released.labels == (("below 25", "above 60"),)
    assert abs(below - 50) < 6 and abs(above - 90) < 6 and session.ledger.current.spent().epsilon == 2
    assert answered.what == "Values beyond bounds of age, 25 to 60"


def test_an_answer_depends_on_how_the_columns_are_read_that_decide_which_rows_take_part() -> None:
    schema = Schema(
        tuple(ColumnSpec(name, Kind.INTEGER) for name in ("age", "pay", "who", "rest")), PrivacyUnit(2, "who")
    )
    for preparation, read in (
        (Preparation(), {"age", "who"}),
        (Preparation(where="pay > 3"), {"age", "pay", "who"}),
        (Preparation(limit_rows=True), {"age", "who"}),
        (Preparation(where="pay > 3 and rest = 1", limit_rows=True), {"age", "pay", "who", "rest"}),
    ):
        assert set(columns_read(schema, preparation, ["age"])) == read
    nobodys = Schema(schema.columns, PrivacyUnit(2))
    assert set(columns_read(nobodys, Preparation(where="pay > 3"), ["age"])) == {"age", "pay"}


@pytest.mark.parametrize(
    ("rows", "table", "said"),
    [
        (1, {}, "No person has more than one row."),
        (2, {}, "No person has more than 2 rows."),
        (1200, {}, "No person has more than 1,200 rows."),
        (2, {"limit": {"person": "who", "rows": 2}}, "All rows of a person have the same value in “who”."),
    ],
)
def test_what_a_person_asserts_of_rows_is_said(rows: int, table: dict[str, Any], said: str) -> None:
    told = asserted(rows, "", table)
    assert told[2] == said and len(told) == 3
    assert asserted(rows, "", {**table, "where": "pay > 3"})[3].startswith("Which rows take part was fixed")
