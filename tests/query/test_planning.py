"""Plans: what they promise of an answer is what happens, and nothing of it is read from the data."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.properties import examples
from tests.query.helpers import Watched, question, schema, seeded
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Cancelled, CancelToken, Progress
from workbench.core.schema import KNOWN_BEFOREHAND, ColumnSpec, Kind, Misfits, PrivacyUnit, Schema
from workbench.core.working_table import Preparation
from workbench.project.model import new_project
from workbench.query import noise
from workbench.query.amounts import epsilon_of, in_words, not_above, shares
from workbench.query.answer import AnswerForm
from workbench.query.catalogue import QUERIES, NoiseSource, QueryDraft
from workbench.query.epsilon_for import curve, solve
from workbench.query.exact_sums import whole
from workbench.query.plans import batch, plan
from workbench.session import Session
from workbench.session.query_plans import painter
from workbench.session.query_words import anew_words

WIDE = Schema(
    (
        ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 120.0)),
        ColumnSpec("town", Kind.CATEGORY, domain=("A", "B", "C")),
    )
)
ROWS = 400
AGE: dict[str, Any] = {"column": "age"}


# The expected error and the half-width are those of ten thousand answers.
#
# The mean of the errors is within 5 standard errors of what was expected: a false alarm in fewer than 1 of 10⁶ cases
# each, and the seeds are fixed. Where the plan's figure is itself a simulation, it may be off by 5 % more.


@pytest.mark.properties
@pytest.mark.parametrize(
    ("kind", "values", "answers"),
    [
        ("count", {}, 10_000),
        ("sum", AGE, 10_000),
        ("mean", AGE, 10_000),
        ("variance", AGE, 3_000),
        ("standard-deviation", AGE, 3_000),
        ("histogram", {"column": "town"}, 5_000),
        ("histogram", {"column": "town", "post": "non-negative"}, 3_000),
        ("group-by", {"by_column": "town", "statistic": "mean", "column": "age"}, 2_000),
        ("laplace", {"scale": "4"}, 10_000),
        ("truncated-geometric", {"alpha": "3/4", "largest": 402}, 10_000),
        ("median", AGE, 250),
    ],
)
def test_answers_are_as_far_off_as_expected(kind: str, values: dict[str, Any], answers: int) -> None:
    answers = examples(answers)
    one = plan(QueryDraft(kind, "0.5", values, assumed_rows=ROWS), WIDE)
    mechanism = one.mechanism
    statistic = mechanism.assumed(ROWS)
    truth = mechanism.truth(statistic)
    draws = seeded(7)
    released = [mechanism.release(statistic, draws) for _ in range(answers)]
    errors = np.abs(np.array([one.value for one in released], dtype=np.float64).reshape(answers, -1) - truth)
    assert one.expected.error is not None and one.expected.half_width is not None
    spread = errors.mean(axis=1).std() / math.sqrt(answers)
    slack = 0.0 if one.expected.closed else 0.05 * one.expected.error
    assert abs(errors.mean() - one.expected.error) < 5 * spread + slack
    # At least 95 % are within the half-width (whole steps make it more); 5 standard errors below.
    allowed = 5 * math.sqrt(0.05 * 0.95 / errors.size) + (0.0 if one.expected.closed else 0.01)
    assert (errors <= one.expected.half_width * (1 + 1e-9)).mean() > 0.95 - allowed
    intervals = [one.interval for one in released if one.interval is not None]
    if intervals:
        low, high = (np.array(side, dtype=np.float64).reshape(answers, -1) for side in zip(*intervals, strict=True))
        margin = 1e-9 * np.abs(truth)
        assert ((low <= truth + margin) & (truth - margin <= high)).mean() > 0.95 - allowed


def test_post_processing_does_what_its_name_says() -> None:
    """Three cells with the noise −30, 5 and 7 on 10 rows each: −20, 15, 17, which add up to 12."""
    found = {}
    for post in ("none", "non-negative", "consistent"):
        one = question("histogram", "1", column="town", post=post)
        statistic = {"count": whole([10, 10, 10])}
        released = one.mechanism.release(statistic, Watched(iter([-30, 5, 7])))
        found[post] = released.value
        assert released.noisy == {"count": (-20, 15, 17)}
        assert ["Counts below 0 were" in one for one in released.notes] == [True, False][post == "none" :]
    assert found["none"] == [-20, 15, 17]
    assert found["non-negative"] == [0, 15, 17]
    assert found["consistent"] == [0, 5, 7]  # the nearest point with the same total and no negative count


def test_few_rows_are_admitted() -> None:
    mechanism = plan(QueryDraft("mean", "0.5", AGE), WIDE).mechanism
    steps = int(mechanism.assumed(3)["steps"].sum()) // 4
    released = mechanism.release({"steps": whole([3 * steps, steps])}, seeded(9))
    assert released.interval == (0.0, 120.0)
    assert "hardly any" in released.notes[0]


@pytest.mark.parametrize("rate", [Fraction(1, 1000), Fraction(1, 7), Fraction(1), Fraction(5)])
def test_half_widths_are_the_smallest(rate: Fraction) -> None:
    q = math.exp(-rate)

    def beyond(reach: int) -> float:
        return 2 * q ** (reach + 1) / (1 + q)

    for outside in (0.05, 0.025, 0.2):
        found = noise.half_width(rate, outside)
        assert beyond(found) <= outside * (1 + 1e-9)
        assert found == 0 or beyond(found - 1) > outside


@pytest.mark.parametrize("rate", [Fraction(1, 1000), Fraction(1, 7), Fraction(1), Fraction(5)])
def test_few_points_stand_for_the_law_of_the_noise(rate: Fraction) -> None:
    q = math.exp(-rate)
    for numbers in (1, 2, 3):
        points = noise.evenly(rate, numbers)
        assert np.array_equal(np.sort(points, axis=0), -np.sort(points, axis=0)[::-1])
        for size in {1, 2, 5, round(1 / rate), round(3 / rate), round(6 / rate)} - {0}:
            assert (points >= size).mean(axis=0) == pytest.approx(q**size / (1 + q), abs=1e-4)
        assert np.abs(points).mean(axis=0) == pytest.approx(noise.mean_absolute(rate), rel=2e-3, abs=1e-3)
    # Two that have nothing to do with each other: P(Z₁ = Z₂) = (1 − q)/(1 + q)³·(1 + q²).
    first, second = noise.evenly(1, 2).T
    q = math.exp(-1)
    assert (first == second).mean() == pytest.approx((1 - q) * (1 + q * q) / (1 + q) ** 3, abs=2e-3)


def test_no_plan_looks_at_data() -> None:
    """Every kind plans from a description alone; there is no table in reach."""
    for kind in QUERIES:
        values: dict[str, Any] = {}
        for spec in kind.parameters:
            if spec.name in ("column", "second_column", "by_column"):
                values[spec.name] = "age" if spec.name == "column" else "town"
        one = plan(QueryDraft(kind.identifier, "0.5", values), WIDE)
        assert one.expected.half_width is not None and one.expected.half_width > 0
        assert one.epsilon > 0 and one.what and one.parameters["query"] == kind.identifier
        assert kind.citation and kind.summary.endswith(".")
        total = sum((part.epsilon for part in one.mechanism.parts), Fraction(0))
        assert total == one.epsilon


def test_epsilon_is_what_was_typed() -> None:
    assert epsilon_of("0.1") + epsilon_of("0.2") == epsilon_of("0.3")
    assert question("count", "0.1").epsilon == Fraction(1, 10)
    assert question("count", "1/3").epsilon == Fraction(1, 3)


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "1e9", "", "much", "1/0"])
def test_impossible_epsilons_are_refused(text: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        question("count", text)
    assert caught.value.field == "epsilon"


def test_shares_add_up_exactly() -> None:
    parts = shares(Fraction(1, 10), (Fraction(1), Fraction(1), Fraction(1, 3)))
    assert sum(parts) == Fraction(1, 10) and parts[0] == 3 * parts[2]
    with pytest.raises(WorkbenchError):
        shares(Fraction(1), (Fraction(1), Fraction(0)))


def test_floats_for_other_code_never_promise_more() -> None:
    for value in (Fraction(1, 10), Fraction(1, 3), Fraction(2, 3), Fraction(1)):
        assert Fraction(not_above(value)) <= value
        assert Fraction(not_above(value)) > value * (1 - Fraction(1, 2**50))


def test_words_grow_with_epsilon() -> None:
    assert "no answer is more than 1.002 times as likely" in in_words(Fraction(1, 1000))
    assert "2.719 times" in in_words(Fraction(1)) and "73.11 %" in in_words(Fraction(1))
    assert "hardly a promise" in in_words(Fraction(20))


@pytest.mark.parametrize("epsilon", ["0.105", "0.0149", "0.7", "0.0001234", "0.000001", "6.9"])
def test_what_is_at_most_is_never_rounded_down(epsilon: str) -> None:
    words, exact = in_words(Fraction(epsilon)), math.exp(Fraction(epsilon))
    numbers = [float(number) for number in re.findall(r"\d[\d.]*(?:e[-+]\d+)?", words)]
    factor, sure = numbers
    assert factor >= exact and sure / 100 >= exact / (1 + exact) > 0.5
    assert sure > 50


@pytest.mark.parametrize("epsilon", ["1e-320", "1e-400", "9.99e-7"])
@pytest.mark.parametrize("engine", NoiseSource)
def test_an_epsilon_too_small_for_an_answer_is_refused_before_it_is_charged(epsilon: str, engine: NoiseSource) -> None:
    with pytest.raises(WorkbenchError, match="at least 1e-6") as caught:
        plan(QueryDraft("count", epsilon, noise=engine), schema())
    assert caught.value.field == "epsilon"
    with pytest.raises(WorkbenchError, match="at least 1e-6"):
        batch([QueryDraft("count", weight="1e-6"), QueryDraft("count")], "0.5", schema())


def test_a_ratio_that_would_draw_for_ever_is_refused() -> None:
    with pytest.raises(WorkbenchError, match=r"0\.99999") as caught:
        question("truncated-geometric", "", rows_per_person=1000, alpha="0.999999")
    assert caught.value.field == "alpha"
    assert question("truncated-geometric", "", alpha="0.99999").epsilon > Fraction(1, 10**5)


# What an answer rests on


@pytest.mark.parametrize(
    ("preparation", "cells"),
    [
        (Preparation(), True),
        (Preparation("age < 2"), False),
        (Preparation(sample=0.5), False),
        (Preparation(limit_rows=True), False),
    ],
)
def test_cells_are_those_of_the_whole_file(preparation: Preparation, cells: bool) -> None:
    found = plan(QueryDraft("count", where="town = 'A' and age > 1"), schema(), preparation)
    assert (found.cells is not None) is cells


def test_the_question_says_which_rows_and_values_it_is_about() -> None:
    one = plan(QueryDraft("mean", "1", {"column": "age"}, "town = 'A'"), schema(), Preparation("age<2", 0.25))
    assert one.what == (
        "Mean of age, 0 to 3 in steps of 1 where town = 'A' (only rows with age < 2; each row drawn with probability "
        "0.25)"
    )
    written = one.parameters
    assert written["frames"] == [{"column": "age", "lower": "0", "upper": "3", "resolution": "1"}]
    assert written["table"] == {"where": "age < 2", "sample": 0.25}
    assert written["columns"]["age"]["kind"] == "integer" and written["columns"]["town"]["missing"] == [""]
    assert any("Which rows take part" in said for said in one.asserted)
    limited = replace(schema(2), unit=PrivacyUnit(2, "town"))
    sorted_out = plan(QueryDraft("count"), limited, Preparation(limit_rows=True))
    assert sorted_out.what == "Count (at most 2 rows of each “town”)"
    assert any("same value in “town”" in said for said in sorted_out.asserted)
    assert not any("No person has more" in said for said in sorted_out.asserted)


@pytest.mark.parametrize("kind", [kind.identifier for kind in QUERIES])
def test_every_question_writes_down_the_bounds_and_values_it_took_from_the_columns(kind: str) -> None:
    values = {
        "histogram2d": {"column": "age", "second_column": "town"},
        "group-by": {"by_column": "town", "column": "age", "statistic": "mean"},
        "above-threshold": {"column": "town"},
        "laplace": {"column": "age", "statistic": "sum"},
        "quantile": {"column": "age"},
    }.get(kind, {} if kind in ("count", "truncated-geometric") else {"column": "age"})
    found = question(kind, "1" if QUERIES[kind].needs_epsilon else "", **values).parameters
    named = {value for name, value in values.items() if name.endswith("column")}
    assert {frame["column"] for frame in found["frames"]} == set(found["columns"]) == named
    assert json.loads(json.dumps(found)) == found


def test_filters_that_are_counted_say_how_their_columns_are_read() -> None:
    found = question("above-threshold", questions="age > 1\ntown = 'B'")
    assert set(found.parameters["columns"]) == {"age", "town"}


def test_what_the_description_of_the_columns_rests_on_is_asserted() -> None:
    said = " ".join(question("mean", column="age").asserted)
    assert KNOWN_BEFOREHAND in said and "resolution that nobody typed follows from the kind" in said


def test_questions_that_promise_different_things_are_not_asked_together() -> None:
    grid, tool = QueryDraft("mean", values={"column": "age"}), QueryDraft("mean", values={"column": "age"})
    tool = replace(tool, noise=NoiseSource.DIFFPRIVLIB)
    histogram = QueryDraft("histogram", values={"column": "town"}, noise=NoiseSource.DIFFPRIVLIB)
    for mixed in ([grid, tool], [grid, histogram], [histogram, tool]):
        with pytest.raises(WorkbenchError, match="do not promise the same") as caught:
            batch(mixed, "1", schema())
        assert caught.value.field == "batch"
    assert len(batch([tool, tool], "1", schema())) == 2


def test_rows_per_person_multiply_the_noise() -> None:
    one, three = question("count"), question("count", rows_per_person=3)
    assert three.mechanism.parts[0].rate * 3 == one.mechanism.parts[0].rate
    assert one.expected.half_width is not None and three.expected.half_width is not None
    assert three.expected.half_width > 2 * one.expected.half_width
    assert three.rows_per_person == 3


@pytest.mark.parametrize(("kind", "values", "target"), [("count", {}, "20"), ("mean", AGE, "2"), ("median", AGE, "3")])
def test_the_solver_finds_the_smallest_epsilon(kind: str, values: dict[str, Any], target: str) -> None:
    draft = QueryDraft(kind, "1", values)
    found = Fraction(solve(draft, WIDE, target))

    def half_width(epsilon: Fraction) -> float:
        width = plan(draft, WIDE, epsilon=epsilon).expected.half_width
        assert width is not None
        return width

    assert half_width(found) <= float(target)
    assert half_width(found * Fraction(97, 100)) > float(target)
    assert len(str(float(found)).replace("0.", "").lstrip("0").replace(".", "")) <= 3


def test_what_cannot_be_solved_is_said() -> None:
    for target in ("0", "-1", "soon"):
        with pytest.raises(WorkbenchError):
            solve(QueryDraft("count"), WIDE, target)
    with pytest.raises(WorkbenchError, match="No ε"):
        solve(QueryDraft("mean", "1", AGE, assumed_rows=0), WIDE, "0.001")
    with pytest.raises(WorkbenchError, match="own parameters"):
        solve(QueryDraft("laplace"), WIDE, "5")


def test_errors_fall_along_the_curve() -> None:
    points = curve(QueryDraft("sum", "1", AGE), WIDE, [Fraction(1, 10), Fraction(1), Fraction(10)])
    errors = [expected.error or 0.0 for _, expected in points]
    assert errors == sorted(errors, reverse=True)
    assert errors[0] == pytest.approx(120 / 0.1, rel=0.01)  # Δ/ε


def test_a_batch_shares_epsilon_by_weight() -> None:
    drafts = [QueryDraft("count", weight="3"), QueryDraft("mean", values=AGE, weight="1")]
    plans = batch(drafts, "0.2", WIDE)
    assert [one.epsilon for one in plans] == [Fraction(3, 20), Fraction(1, 20)]
    with pytest.raises(WorkbenchError):
        batch([], "1", WIDE)
    with pytest.raises(WorkbenchError, match="own parameters"):
        batch([QueryDraft("laplace")], "1", WIDE)
    with pytest.raises(WorkbenchError):
        batch([QueryDraft("count", weight="0")], "1", WIDE)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("town = 'A'", {"A"}),
        ("town in ('A', 'B')", {"A", "B"}),
        ("age > 3 and town = 'A'", {"A"}),
        ("town != 'A'", None),
        ("not town = 'A'", None),
        ("town = 'A' or age > 3", None),
        ("age = 3", None),  # 3, 3.0 and 03 are equal as numbers but not as texts
        ("town starts with 'A'", None),
        ("", None),
    ],
)
def test_disjoint_cells_are_only_what_is_certain(where: str, expected: set[str] | None) -> None:
    found = plan(QueryDraft(where=where), WIDE).cells
    assert (None if found is None else set(found.values)) == expected


def test_cells_need_one_stable_row_per_person() -> None:
    draft = QueryDraft(where="town = 'A'")
    assert plan(draft, WIDE, Preparation()).cells is not None
    assert plan(draft, Schema(WIDE.columns, PrivacyUnit(2))).cells is None
    assert plan(draft, Schema(WIDE.columns, PrivacyUnit(1, "age")), Preparation(limit_rows=True)).cells is None
    loose = WIDE.changed(["town"], lambda c: ColumnSpec(c.name, c.kind, domain=c.domain, misfits=Misfits.MISSING))
    assert plan(draft, loose).cells is None


@pytest.mark.parametrize(
    ("draft", "field"),
    [
        (QueryDraft("mean"), "column"),
        (QueryDraft("mean", values={"column": "nothing"}), "nothing"),
        (QueryDraft("mean", values={"column": "town"}), "column"),
        (QueryDraft("mean", values={**AGE, "lower": "5", "upper": "5"}), "lower"),
        (QueryDraft("mean", values={**AGE, "unheard": 1}), "unheard"),
        (QueryDraft("histogram", values={**AGE, "bins": 0}), "bins"),
        (QueryDraft("histogram", values={**AGE, "bins": 10**9}), "bins"),
        (QueryDraft("histogram", values={**AGE, "edges": "3, 2"}), "edges"),
        (QueryDraft("histogram2d", values={**AGE, "second_column": "age"}), "second_column"),
        (QueryDraft("quantile", values={**AGE, "quantile": "1.5"}), "quantile"),
        (QueryDraft("quantile", values={**AGE, "quantile": ""}), "quantile"),
        (QueryDraft("minimum", values={**AGE, "share": "0.7"}), "share"),
        (QueryDraft("group-by", values={"by_column": "town", "statistic": "mean"}), "column"),
        (QueryDraft("above-threshold"), "questions"),
        (QueryDraft("above-threshold", values={**AGE, "questions": "age > 3"}), "questions"),
        (QueryDraft("laplace", values={"scale": "0"}), "scale"),
        (QueryDraft("truncated-geometric", values={"alpha": "1"}), "alpha"),
        (QueryDraft("count", assumed_rows=-1), "assumed_rows"),
        (QueryDraft("mode", values={"column": "town"}, noise=NoiseSource.DIFFPRIVLIB), "noise"),
        (QueryDraft("mean", values=AGE, noise=NoiseSource.DIFFPRIVLIB, tool="sum"), "tool"),
    ],
)
def test_impossible_questions_point_at_what_is_wrong(draft: QueryDraft, field: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        plan(draft, WIDE)
    assert caught.value.field == field


def test_an_order_that_was_read_from_the_data_means_nothing_in_a_filter() -> None:
    ordered = ColumnSpec("size", Kind.ORDERED, domain=("S", "M"), observed=frozenset({"domain"}))
    with pytest.raises(WorkbenchError, match="no order"):
        plan(QueryDraft(where="size < 'M'"), Schema((ordered,)))
    declared = Schema((ColumnSpec("size", Kind.ORDERED, domain=("S", "M")),))
    found = plan(QueryDraft(where="size < 'M'"), declared)
    assert found.where is not None and found.cells is None
    exact = plan(QueryDraft(where="size = 'M'"), declared).cells
    assert exact is not None and exact.values == {"M"}


def test_answers_can_be_read_back() -> None:
    for one in (
        question("count"),
        question("histogram2d", column="age", second_column="town"),
        question("mode", column="town"),
    ):
        released = one.mechanism.release(one.mechanism.assumed(50), seeded(3))
        assert type(released).from_json(released.to_json()) == released
        assert len(released.table()) > 1
        assert released.form in AnswerForm


def test_the_charts_of_a_plan_are_cancelled_at_every_step_too() -> None:
    session, token = Session(new_project()), CancelToken()

    def listen(fraction: float, _text: str) -> None:
        if fraction == 1:
            token.cancel()

    charts = painter(session, plan(QueryDraft("count", "2", assumed_rows=ROWS), WIDE))
    assert charts(SILENT).curve is not None
    with pytest.raises(Cancelled):
        charts(Progress(listen, token))


def test_tiny_schema_is_what_the_audit_thinks() -> None:
    assert schema(2).unit.rows_per_person == 2


@pytest.mark.parametrize("post", ["none", "non-negative", "consistent"])
def test_the_margin_of_counts_that_are_adjusted_is_said_to_be_of_those_before(post: str) -> None:
    """Adjusting moves a count after its noise, so that how far it then is from the true one is another thing."""
    found = plan(QueryDraft("histogram", "1", {"column": "town", "post": post}), schema())
    before = "before adjustment" if post == "consistent" else ""
    assert found.expected.often == f"95 % {before}".rstrip()
    within = f"Another answer would be within {found.half_width_text} for each {found.of_one}"
    assert anew_words(found).startswith(f"{within} ({found.expected.often}).")
