"""What cannot be asked, kept or read back, each refused before anything is spent; and questions to begin with."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.query.helpers import question, seeded
from workbench.cli.main import main
from workbench.core.composition import ADD_REMOVE
from workbench.core.errors import WorkbenchError
from workbench.core.randomness import SeededSource
from workbench.core.schema import ColumnSpec, Kind, Misfits, Schema
from workbench.core.table import Column, Table
from workbench.query import experiments, ledger_file, likely, relevance
from workbench.query.answer import ReleasedAnswer
from workbench.query.averages import Balanced
from workbench.query.catalogue import NoiseSource, QueryDraft
from workbench.query.counts import DisjointCounts
from workbench.query.epsilon_for import solve
from workbench.query.exact_sums import exact_sums, whole
from workbench.query.experiments import ErrorMeasure, error_by_epsilon
from workbench.query.ledger import Budget, Charge, Ledger
from workbench.query.ledger_file import LedgerFile
from workbench.query.ledger_records import history_from_records
from workbench.query.noise import half_width
from workbench.query.partition import MOST_CELLS
from workbench.query.plans import plan
from workbench.query.rows import Rows
from workbench.query.sketch_folder import _unpacked
from workbench.session import Session, charged_answers

AGE: dict[str, Any] = {"column": "age"}
COLUMNS = Schema(
    (
        ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 100.0)),
        ColumnSpec("town", Kind.CATEGORY, domain=("A", "B")),
        ColumnSpec("pay", Kind.MONEY),
        ColumnSpec("note", Kind.CATEGORY),
    )
)


def published(kind: str, **values: Any) -> QueryDraft:
    return QueryDraft(kind, "1", values, noise=NoiseSource.DIFFPRIVLIB)


@pytest.mark.parametrize(
    ("draft", "field"),
    [
        (published("histogram2d", **AGE, second_column="age"), "second_column"),
        (published("quantile", **AGE, quantile="1.01"), "quantile"),
        (published("quantile", **AGE, quantile="-0.01"), "quantile"),
        (published("quantile", **AGE, quantile=", ".join(["0.5"] * 101)), "quantile"),
        (published("mean", **AGE, lower="9007199254740992", upper="9007199254740993"), "lower"),
        (QueryDraft("histogram2d", values={**AGE, "bins": 2000, "second_column": "pay", "second_lower": "0",
                                           "second_upper": "2000", "second_bins": 501}), "second_bins"),
        (QueryDraft("histogram", values={**AGE, "bins": MOST_CELLS + 1}), "bins"),
        (QueryDraft("histogram", values={**AGE, "keys": ", ".join(map(str, range(MOST_CELLS + 1)))}), "keys"),
        (QueryDraft("above-threshold", values={"questions": "\n".join(["age > 3"] * 10_001)}), "questions"),
    ],
)  # fmt: skip
def test_what_is_too_much_or_nothing_is_refused(draft: QueryDraft, field: str) -> None:
    with pytest.raises(WorkbenchError) as refused:
        plan(draft, COLUMNS)
    assert refused.value.field == field


def test_as_much_as_is_allowed_can_be_asked() -> None:
    for draft in (
        published("quantile", **AGE, quantile="0, 1"),
        published("quantile", **AGE, quantile=", ".join(["0.5"] * 100)),
        QueryDraft("above-threshold", values={"questions": "\n".join(["age > 3"] * 10_000)}),
        QueryDraft(
            "histogram2d",
            values={**AGE, "bins": 100, "second_column": "pay", "second_lower": "0", "second_upper": "9"},
        ),
    ):
        assert plan(draft, COLUMNS).epsilon > 0


def test_an_error_is_asked_of_questions_that_have_one() -> None:
    for kind in ("mode", "noisy-max"):
        with pytest.raises(WorkbenchError) as refused:
            solve(QueryDraft(kind, values={"column": "town"}), COLUMNS, "5", of="error")
        assert refused.value.field == "target"


def test_no_rows_are_counted_by_a_published_tool_as_one_that_does_not_match() -> None:
    nobody = Table(tuple(Column.from_texts(name, []) for name in COLUMNS.names))
    mechanism = plan(published("count"), COLUMNS).mechanism
    assert mechanism.measure(Rows(nobody))["values"].tolist() == [False], "a refusal would come before it is charged"


# What is read back


def test_an_answer_has_a_number_for_every_label() -> None:
    mechanism = question("histogram", column="town").mechanism
    found = mechanism.release(mechanism.assumed(50), seeded(3)).to_json()
    assert ReleasedAnswer.from_json(found).to_json() == found
    listed = {**found, "form": "list"}
    assert isinstance(listed["value"], list)
    for change in (
        {"labels": []},
        {"value": listed["value"][:-1]},
        {"value": [*listed["value"], 1]},
        {"value": 1},
        {"form": "table"},
        {"interval": [listed["value"], listed["value"][:-1]]},
    ):
        with pytest.raises((ValueError, KeyError, TypeError)):
            ReleasedAnswer.from_json({**listed, **change})


def record(**change: Any) -> dict[str, Any]:
    return {
        "type": "charge", "id": "1", "when": "2025-01-02T03:04:05+00:00", "kind": "query", "what": "x",
        "epsilon": "1/2", "delta": "0", "rows_per_person": 1, "engine": "grid", "neighbours": ADD_REMOVE,
        "parameters": {}, "cells": None, "claimed": True, "key": "", **change,
    }  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        {"neighbours": "nobody"}, {"neighbours": 1}, {"epsilon": "-1/2"}, {"epsilon": 0.5}, {"delta": "2"},
        {"rows_per_person": 0}, {"rows_per_person": True}, {"claimed": 1}, {"cells": []}, {"parameters": []},
    ],
)  # fmt: skip
def test_a_charge_that_cannot_be_is_no_charge(change: dict[str, Any]) -> None:
    (entry,) = history_from_records([record()]).entries
    assert entry.charge.epsilon == Fraction(1, 2)
    with pytest.raises((TypeError, ValueError, KeyError)):
        history_from_records([record(**change)])


def test_charges_are_made_of_fractions_and_known_neighbours() -> None:
    for change in ({"neighbours": "nobody"}, {"epsilon": 1}, {"delta": 0}, {"epsilon": 0.5}):
        with pytest.raises((TypeError, ValueError)):
            Charge(**{"kind": "query", "what": "x", "epsilon": Fraction(1), **change})


@pytest.mark.parametrize(("epsilon", "delta"), [("0", "0"), ("-1", "0"), ("1", "1"), ("1", "-1/10")])
def test_a_budget_is_above_nothing(epsilon: str, delta: str) -> None:
    assert Budget(Fraction(1, 10**9), Fraction(0)).delta == 0
    with pytest.raises(ValueError, match="budget"):
        Budget(Fraction(epsilon), Fraction(delta))


@pytest.mark.parametrize(("key", "value"), [("ledger", "something else"), ("version", "1"), ("version", None)])
def test_a_file_that_begins_otherwise_is_no_ledger(key: str, value: Any, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "l.jsonl", "rows1-x")
    ledger.charge(Charge("query", "x", Fraction(1)))
    head, rest = ledger.path.read_text(encoding="utf-8").split("\n", 1)
    changed = json.dumps({**json.loads(head), key: value}, separators=(",", ":"), ensure_ascii=False)
    ledger.path.write_text(f"{changed}\n{rest}", encoding="utf-8")
    with pytest.raises(WorkbenchError, match="damaged or no ledger"):
        LedgerFile(ledger.path, None).read()


def test_a_ledger_that_is_written_to_for_ever_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = Ledger(tmp_path / "l.jsonl", "rows1-x")
    ledger.charge(Charge("query", "x", Fraction(1)))
    before = ledger.path.read_bytes()
    monkeypatch.setattr(ledger_file, "_PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(ledger_file, "try_lock", lambda descriptor: False)
    with pytest.raises(WorkbenchError, match="Another program") as refused:
        ledger.charge(Charge("query", "y", Fraction(1)))
    assert refused.value.field == "ledger" and ledger.path.read_bytes() == before


def test_a_sketch_of_another_version_is_not_read() -> None:
    head = {"version": 2, "rows": 3, "columns": 0, "size": 0, "wide": False}
    with pytest.raises(ValueError, match="version"):
        _unpacked(json.dumps(head).encode().ljust(256) + bytes(1 << 20))


# Noise and errors by hand


def test_half_widths_are_never_on_the_wrong_side_of_a_whole_number() -> None:
    """P(|Z| > r) = 2q^(r+1)/(1 + q), with fractions."""
    for ratio in (Fraction(1, 2), Fraction(9, 10), Fraction(99, 100), Fraction(1, 10)):
        rate = float(-np.log(float(ratio)))
        for width in range(0, 60, 7):
            outside = 2 * ratio ** (width + 1) / (1 + ratio)
            assert half_width(rate, float(outside)) == width
            assert half_width(rate, float(outside) * 0.999) == width + 1


def test_errors_in_percent_are_those_of_the_true_answer() -> None:
    draft = QueryDraft("count", "1")
    rows = rows_of(200)
    absolute, percent = (
        error_by_epsilon(lambda epsilon: plan(draft, COLUMNS, epsilon=epsilon).mechanism, rows, [Fraction(1)], metric=m)
        for m in (ErrorMeasure.ABSOLUTE, ErrorMeasure.PERCENT)
    )
    assert percent.mean[0] == pytest.approx(absolute.mean[0] / 200 * 100)


# A column to begin with


def test_a_question_begins_with_a_column_that_can_be_asked_at_once() -> None:
    for kind, column in (("histogram", "age"), ("mean", "age"), ("group-by", None)):
        values = relevance.with_kind(QueryDraft("count"), kind, COLUMNS).values
        assert values.get("column") == column
    described = Schema(tuple(COLUMNS[name] for name in ("note", "pay", "town", "age")))
    begun = {kind: relevance.with_kind(QueryDraft("count"), kind, described).values for kind in ("mean", "histogram")}
    assert begun["mean"]["column"] == "age", "bounds are declared, and a mean needs numbers"
    assert begun["histogram"]["column"] == "town", "the first one whose values are declared"
    pair = relevance.with_kind(QueryDraft("count"), "histogram2d", described).values
    assert (pair["column"], pair["second_column"]) == ("town", "age")
    assert relevance.with_kind(QueryDraft("count"), "group-by", described).values["by_column"] == "town"
    alone = Schema((COLUMNS["pay"],))
    assert relevance.with_kind(QueryDraft("count"), "histogram2d", alone).values["second_column"] == "pay"
    assert relevance.with_kind(QueryDraft("count"), "mean", Schema(())).values["column"] == ""


def rows_of(count: int) -> Rows:
    columns = {"age": "7", "town": "A", "pay": "1.00", "note": "x"}
    return Rows(Table(tuple(Column.from_texts(name, [text] * count) for name, text in columns.items())))


def test_as_many_answers_are_simulated_as_were_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """In blocks of what fits into memory, the last of which may be smaller."""
    counts: list[int] = []
    simulate = DisjointCounts.simulate

    def watched(self: DisjointCounts, statistic: Any, count: int, generator: np.random.Generator) -> Any:
        counts.append(count)
        return simulate(self, statistic, count, generator)

    monkeypatch.setattr(DisjointCounts, "simulate", watched)
    monkeypatch.setattr(experiments, "_AT_ONCE", 30)
    draft = QueryDraft("count", "1")
    error_by_epsilon(
        lambda epsilon: plan(draft, COLUMNS, epsilon=epsilon).mechanism, rows_of(9), [Fraction(1)], repetitions=100
    )
    assert counts == [30, 30, 30, 10]


@pytest.mark.parametrize("large", [1, 1 << 60, 1 << 61, 1 << 62, 1 << 63, 1 << 90])
@pytest.mark.parametrize("signs", [(1, 1), (-1, 1), (1, -1), (-1, -1)])
def test_sums_are_exact_on_both_sides_of_nothing(large: int, signs: tuple[int, int]) -> None:
    rows = Rows(Table((Column.from_texts("age", ["a", "b", "b", "c"]),)))
    numbers = whole([signs[0] * large, signs[1] * 3, 0])
    found = rows.sums(("age", np.arange(3)), [numbers, numbers], None, 1)
    assert found == [[signs[0] * large + signs[1] * 6]] * 2


def test_a_variance_is_settled_where_it_is_what_is_left_of_what_was_found() -> None:
    """v = v̂ − scale·gap(v), where the gap is known at some variances and lies on straight lines between them."""
    known = np.linspace(0.0, 0.25, 7)
    gaps = np.array([0.0, 0.3, 0.1, 0.5, 0.2, 0.4, 0.1]) / 4
    found = np.linspace(0.01, 0.24, 47)
    settled = likely._settled(found, np.full(47, 0.02), np.tile(gaps, (47, 1)))
    np.testing.assert_allclose(settled, found - 0.02 * np.interp(settled, known, gaps), atol=1e-9)


def test_sums_are_exact_however_often_a_number_counts() -> None:
    times = np.array([(1 << 45) + 1, (1 << 50) - 1, 3], dtype=np.int64)
    numbers = np.array([(1 << 61) - 1, 12_345_678_901, -(1 << 61) + 5], dtype=np.int64)
    wanted = sum(int(number) * int(time) for number, time in zip(numbers, times, strict=True))
    assert exact_sums(numbers, np.zeros(3, dtype=np.int64), 1, times) == [wanted]


SHIFTED = 1000
SHIFTS = {"mean": 1, "median": 1, "quantile": 1, "minimum": 1, "maximum": 1, "variance": 0, "standard-deviation": 0}


@pytest.mark.parametrize("kind", SHIFTS)
@pytest.mark.parametrize("shift", [SHIFTED, -SHIFTED, -50])
@pytest.mark.parametrize("epsilon", ["2", "0.0001"])
def test_where_the_bounds_lie_does_not_matter(kind: str, shift: int, epsilon: str) -> None:
    """Values and bounds that lie elsewhere give the same answer there, with the same noise, reach and range."""
    found = []
    for moved in (0, shift):
        described = Schema((ColumnSpec("age", Kind.INTEGER, bounds=(0.0 + moved, 100.0 + moved)),))
        texts = [str(moved + n * 37 % 101) for n in range(500)]
        asked = plan(QueryDraft(kind, epsilon, AGE), described)
        mechanism = asked.mechanism
        statistic = mechanism.measure(Rows(Table((Column.from_texts("age", texts),))))
        released = mechanism.release(statistic, seeded(5))
        numbers = [released.value, *(released.interval or ()), mechanism.truth(statistic).tolist()]
        expected = mechanism.expected(statistic)
        widths = [expected.error, expected.half_width]
        shifted = [np.ravel(np.asarray(number, dtype=float)) - moved * SHIFTS[kind] for number in numbers]
        found.append([*[list(one) for one in shifted], widths])
    for one, other in zip(*found, strict=True):
        assert one == pytest.approx(other, rel=1e-9, abs=1e-9)


def test_a_gap_without_points_has_no_part_in_a_quantile() -> None:
    """Half of a million people at each of two neighbouring numbers: between them, where nothing is, all would fit."""
    mechanism = plan(QueryDraft("median", "2", AGE), COLUMNS).mechanism
    statistic = {"points": np.array([5, 6]), "counts": np.array([10**6, 10**6])}
    drawn = mechanism.simulate(statistic, 200, np.random.default_rng(1))
    assert set(drawn.ravel()) == {5.0, 6.0}
    assert mechanism.release(statistic, seeded(2)).value in (5, 6)


@pytest.mark.parametrize(
    ("kind", "lowest", "highest"), [("mean", -60.0, 40.0), ("variance", 0.0, 2500.0), ("standard-deviation", 0.0, 50.0)]
)
def test_an_average_lies_where_the_bounds_allow(kind: str, lowest: float, highest: float) -> None:
    described = Schema((ColumnSpec("age", Kind.INTEGER, bounds=(-60.0, 40.0)),))
    mechanism = plan(QueryDraft(kind, "0.0001", AGE), described).mechanism
    assert isinstance(mechanism, Balanced) and mechanism.range() == (lowest, highest)


ROWS = [(f"P{number}", str(20 + number % 9)) for number in range(30)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ROWS, [*ROWS, ("P3", "23")]),
        (ROWS, [*ROWS, ("", "23")]),
        ([*ROWS, ("", "23")], [*ROWS, ("", "23"), ("", "24")]),
        ([*ROWS, ("P3", "23")], [*ROWS, ("P3", "23"), ("P3", "23")]),
    ],
    ids=["one more row of somebody", "a row of nobody", "a second row of nobody", "a third row of somebody"],
)
def test_whether_a_question_is_refused_does_not_follow_from_the_rows(
    one: list[tuple[str, str]],
    other: list[tuple[str, str]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the same noise these tables, which differ in rows that do not take part, give the same outputs."""
    found = []
    for side, rows in enumerate((one, other)):
        home = tmp_path / str(side)
        home.mkdir()
        data = home / "people.csv"
        data.write_text("".join(f"{person},{age}\n" for person, age in (("person", "age"), *rows)), encoding="utf-8")
        monkeypatch.setenv("WORKBENCH_LEDGERS", str(home / "ledgers"))
        monkeypatch.setattr(charged_answers, "SecureSource", lambda: SeededSource(5))
        code = main(["query", str(data), "--query", "count", "--epsilon", "1", "--person", "person", "--json"])
        said = capsys.readouterr()
        plain = json.loads(said.out)
        del plain["entry"]
        found.append((code, plain, said.err.replace(str(home), "HERE")))
    assert found[0] == found[1] and found[0][0] == 0


def test_a_value_at_which_the_rest_stops_does_not_stop_a_question(tmp_path: Path) -> None:
    data = tmp_path / "people.csv"
    data.write_text("age\n" + "30\n" * 40 + "many\n", encoding="utf-8")
    session = Session()
    session.data.open(data)
    session.data.set_kind(["age"], Kind.INTEGER)
    session.data.set_misfits("age", Misfits.STOP)
    mean = QueryDraft("mean", "50", {"column": "age", "lower": "0", "upper": "100"})
    assert abs(session.queries.ask(mean).released.value - 30) < 2
