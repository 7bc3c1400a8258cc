"""Plans of questions whose error depends on how values are spread, where below what most of them lie is public."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.settings_json import from_json, to_json
from workbench.project.query_settings import QuerySettings
from workbench.query.catalogue import QUERIES, NoiseSource, QueryDraft
from workbench.query.narrowed import Narrowed
from workbench.query.plans import QueryPlan, plan
from workbench.query.quantiles import Quantiles
from workbench.query.relevance import takes_most_below, with_kind, with_value
from workbench.session.query_words import longer_tail_words

SCHEMA = Schema((ColumnSpec("charge", Kind.DECIMAL), ColumnSpec("age", Kind.INTEGER), ColumnSpec("day", Kind.DATE)))


def asked(kind: str, most: float | None = 2000.0, **values: Any) -> QueryPlan:
    given = {"column": "charge", "lower": "0", "upper": "50000", **values}
    return plan(QueryDraft(kind, "1", given, most_below=most), SCHEMA)


@pytest.mark.parametrize(("column", "most"), [("charge", 2000.0), ("age", 30.0)])
def test_nine_in_ten_of_the_rows_that_are_assumed_lie_below(column: str, most: float) -> None:
    found = asked("narrowed", most, column=column)
    assert isinstance(found.mechanism, Narrowed)
    rows = found.mechanism.assumed(1000)
    grid = found.mechanism.grid
    values = float(grid.lower) + rows["points"] * float(grid.resolution)
    assert rows["counts"].sum() == 1000 and (np.diff(rows["points"]) > 0).all()
    assert rows["counts"][values < most].sum() == pytest.approx(900, abs=15)
    assert values[0] >= 0 and values[-1] <= 50_000


def test_bounds_that_are_found_are_planned_as_narrow_as_the_tail_makes_them() -> None:
    tail, even = asked("narrowed"), asked("narrowed", None)
    assert tail.expected.half_width is not None and even.expected.half_width is not None
    assert tail.expected.half_width < even.expected.half_width / 2
    assert tail.assumption.endswith(", with values in a long tail, 9 in 10 below 2,000.")
    assert even.assumption.endswith(", with values that are spread evenly between the bounds.")
    assert tail.parameters == even.parameters, "it is a plan’s alone: no answer knows of it"


def test_a_plan_says_the_margin_if_most_values_lie_twice_as_far() -> None:
    said, twice = asked("narrowed", 2000.0), asked("narrowed", 4000.0)
    assert longer_tail_words(said) == f"{twice.half_width_text} if they are below 4,000."
    assert (twice.expected.half_width or 0) > (said.expected.half_width or 0)
    from_a_thousand = asked("narrowed", 2000.0, lower="1000")
    assert longer_tail_words(from_a_thousand).endswith(" if they are below 3,000.")
    assert longer_tail_words(asked("median", 2000.0)) != ""
    assert longer_tail_words(asked("narrowed", 30_000.0)) == "", "no value can lie so far"
    even = asked("narrowed", None)
    assert longer_tail_words(even) == longer_tail_words(asked("mean", 2000.0)) == "", "where nothing was said of values"


def test_a_quantile_is_nearer_where_values_are_dense_and_farther_where_they_are_thin() -> None:
    for share, closer in (("0.5", True), ("0.99", False)):
        tail, even = (asked("quantile", most, quantile=share).expected.half_width for most in (2000.0, None))
        assert tail is not None and even is not None and (tail < even) is closer
    assert "9 in 10 below 2,000, the answer between two of them" in asked("quantile", quantile="0.5").assumption


def test_what_does_not_depend_on_it_is_as_it_was() -> None:
    for kind in ("mean", "sum", "variance"):
        found, before = (asked(kind, most) for most in (2000.0, None))
        assert found.expected == before.expected and found.assumption == before.assumption
    days = asked("median", column="day", lower="2020-01-01", upper="2024-12-31")
    assert "spread evenly" in days.assumption


@pytest.mark.parametrize("most", [0.0, 50_000.0, -3.0, 90_000.0])
def test_a_number_that_is_not_between_the_bounds_is_refused_and_named(most: float) -> None:
    with pytest.raises(WorkbenchError, match="Most values cannot lie below") as refused:
        asked("median", most)
    assert refused.value.field == "most_below"
    asked("mean", most)


def test_it_is_asked_for_where_it_changes_a_plan() -> None:
    for kind in QUERIES:
        draft = with_kind(QueryDraft("mean", "1", {"column": "charge"}), kind.identifier, SCHEMA)
        values = {**draft.values, "lower": "0", "upper": "100"}
        known = {one.name for one in kind.parameters}
        try:
            kept = {name: value for name, value in values.items() if name in known}
            found = plan(replace(draft, values=kept), SCHEMA).mechanism
        except WorkbenchError:
            continue  # it needs more than a column of numbers
        assert takes_most_below(draft, SCHEMA) is isinstance(found, Narrowed | Quantiles), kind.identifier
    median = QueryDraft("median", "1", {"column": "charge"})
    assert not takes_most_below(replace(median, values={"column": "day"}), SCHEMA)
    assert not takes_most_below(replace(median, noise=NoiseSource.DIFFPRIVLIB), SCHEMA)


def test_it_is_of_its_column_alone() -> None:
    draft = QueryDraft("median", "1", {"column": "charge"}, most_below=2000.0)
    assert with_kind(draft, "narrowed", SCHEMA).most_below == 2000
    assert with_value(draft, "upper", "9000").most_below == 2000
    assert with_value(draft, "column", "age").most_below is None


def test_a_project_has_it_where_it_was_typed_and_else_no_key_of_it() -> None:
    typed = QueryDraft("median", "1", {"column": "charge"}, most_below=2000.0)
    for settings in (QuerySettings(typed, (typed, QueryDraft())), QuerySettings()):
        plain = to_json(settings)
        assert from_json(QuerySettings, plain) == settings
        drafts = [(plain["draft"], settings.draft), *zip(plain["batch"], settings.batch, strict=True)]
        assert [("most_below" in one) for one, _ in drafts] == [two.most_below is not None for _, two in drafts]


def test_a_longer_tail_has_whole_numbers_on_both_sides() -> None:
    for most, farther in ((49.0, "below 97.5"), (49.9, None)):
        found = asked("median", most, column="age", lower="0.5", upper="99.5", resolution="0.5").mechanism
        assert isinstance(found, Quantiles)
        longer = found.along_longer_tail()
        assert (longer and longer[1]) == farther
