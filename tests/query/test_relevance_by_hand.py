"""What a form of a question shows, changes and keeps, worked out for every question and every kind of column."""

from __future__ import annotations

from dataclasses import replace

import pytest

from workbench.core.schema import ColumnSpec, Format, Kind, Schema
from workbench.query import relevance
from workbench.query.catalogue import QUERIES, NoiseSource, QueryDraft

SCHEMA = Schema(
    (
        ColumnSpec("job", Kind.CATEGORY),
        ColumnSpec("age", Kind.INTEGER),
        ColumnSpec("town", Kind.CATEGORY, domain=("A", "B")),
        ColumnSpec("pay", Kind.DECIMAL, bounds=(0.0, 9.0)),
        ColumnSpec("day", Kind.DATE, bounds=(0.0, 9.0), format=Format(pattern="%Y-%m-%d")),
    )
)
NUMBERS = {"age", "pay", "day"}
OF_NUMBERS = ("bounds", "maximum", "mean", "median", "minimum", "quantile", "standard-deviation", "sum", "variance")
OF_CELLS = ("histogram", "histogram2d", "mode", "noisy-max")


def shown(draft: QueryDraft) -> set[str]:
    found = relevance.fields(draft, SCHEMA)
    return {spec.name for spec in (*found.main, *found.more)}


def later(draft: QueryDraft) -> set[str]:
    return {spec.name for spec in relevance.fields(draft, SCHEMA).more}


@pytest.mark.parametrize("column", SCHEMA.names)
@pytest.mark.parametrize("kind", OF_CELLS)
def test_cells_of_numbers_are_ranges_and_those_of_texts_values(kind: str, column: str) -> None:
    found, measured = shown(QueryDraft(kind, values={"column": column})), column in NUMBERS
    assert {"lower", "upper", "bins", "edges", "outside"} & found == (
        {"lower", "upper", "bins", "edges", "outside"} if measured else set()
    )
    assert ("other" in found, "keys" in found, "column" in found) == (not measured, True, True)
    listed = shown(QueryDraft(kind, values={"column": column, "keys": "1, 2"}))
    assert "other" in listed
    under_more = later(QueryDraft(kind, values={"column": column}))
    seldom = ({"keys", "edges", "outside"} if measured else set()) | ({"draw"} if kind == "mode" else set())
    assert under_more & {"keys", "edges", "outside", "draw"} == seldom
    assert not under_more & {"lower", "upper", "bins", "other", "column"}


@pytest.mark.parametrize("column", SCHEMA.names)
@pytest.mark.parametrize("kind", OF_NUMBERS)
def test_figures_of_numbers_have_bounds_whatever_the_column(kind: str, column: str) -> None:
    found = shown(QueryDraft(kind, values={"column": column}))
    assert {"column", "lower", "upper", "missing"} <= found
    assert ("resolution" in found) is (column in NUMBERS)
    assert "missing" in later(QueryDraft(kind, values={"column": column}))
    assert "lower" not in later(QueryDraft(kind, values={"column": column}))
    assert "resolution" not in shown(QueryDraft(kind, values={"column": column}, noise=NoiseSource.DIFFPRIVLIB))
    assert not {"lower", "resolution", "missing"} & shown(QueryDraft(kind, values={"column": "nobody"}))


def test_of_two_columns_each_has_its_own() -> None:
    found = shown(QueryDraft("histogram2d", values={"column": "town", "second_column": "age"}))
    assert {"keys", "second_keys", "second_lower", "second_upper", "second_bins", "second_edges"} <= found
    assert not {"lower", "bins"} & found
    turned = shown(QueryDraft("histogram2d", values={"column": "age", "second_column": "town"}))
    assert {"lower", "bins", "second_keys"} <= turned and not {"second_lower", "second_bins"} & turned
    assert "second_keys" not in shown(QueryDraft("histogram2d", values={"column": "age"}))


@pytest.mark.parametrize(
    ("name", "prefix", "base"),
    [("by_lower", "by_", "lower"), ("second_keys", "second_", "keys"), ("bins", "", "bins"), ("column", "", "column")],
)
def test_names_say_which_column_they_are_about(name: str, prefix: str, base: str) -> None:
    assert relevance.split(name) == (prefix, base)


@pytest.mark.parametrize("kind", OF_NUMBERS)
def test_a_question_about_numbers_begins_with_a_column_that_is_ready(kind: str) -> None:
    found = relevance.with_kind(QueryDraft("count"), kind, SCHEMA)
    assert (found.kind, dict(found.values)) == (kind, {"column": "pay"})
    texts = relevance.with_kind(QueryDraft("histogram", values={"column": "town"}), kind, SCHEMA)
    assert texts.values["column"] == "pay", "in place of a column of texts the same as from the beginning"
    kept = relevance.with_kind(QueryDraft("histogram", values={"column": "day"}), kind, SCHEMA)
    assert kept.values["column"] == "day"
    gone = relevance.with_kind(QueryDraft("mean", values={"column": "nobody"}), kind, SCHEMA)
    assert gone.values["column"] == "pay"


def test_questions_about_cells_begin_with_what_is_declared_and_two_with_different_columns() -> None:
    assert dict(relevance.with_kind(QueryDraft("count"), "histogram", SCHEMA).values) == {"column": "town"}
    two = relevance.with_kind(QueryDraft("count"), "histogram2d", SCHEMA).values
    assert (two["column"], two["second_column"]) == ("town", "pay")
    pair = relevance.with_kind(QueryDraft("histogram", values={"column": "pay"}), "histogram2d", SCHEMA).values
    assert (pair["column"], pair["second_column"]) == ("pay", "town")
    # Numbers group hardly anybody, and a mean of words is asked by nobody.
    groups = relevance.with_kind(QueryDraft("mean", values={"column": "town"}), "group-by", SCHEMA).values
    assert groups == {"by_column": "town"}
    groups = relevance.with_kind(QueryDraft("mean", values={"column": "pay"}), "group-by", SCHEMA).values
    assert groups == {"by_column": "town", "column": "pay"}
    one = Schema((SCHEMA["job"],))
    only = relevance.with_kind(QueryDraft("count"), "histogram2d", one).values
    assert only == {"column": "job", "second_column": "job"}
    assert dict(relevance.with_kind(QueryDraft("count"), "mean", one).values) == {"column": "job"}
    assert dict(relevance.with_kind(QueryDraft("count"), "above-threshold", SCHEMA).values) == {}


def test_another_question_keeps_only_what_it_has_and_allows() -> None:
    draft = QueryDraft(
        "histogram", "0.3", {"column": "pay", "bins": 4, "post": "consistent"}, "age > 3", tool="histogram"
    )
    found = relevance.with_kind(draft, "mode", SCHEMA)
    assert (found.epsilon, found.where, found.tool) == ("0.3", "age > 3", "")
    assert dict(found.values) == {"column": "pay", "bins": 4}
    by_hand = QueryDraft("laplace", values={"column": "pay", "statistic": "sum", "scale": "3"})
    assert dict(relevance.with_kind(by_hand, "group-by", SCHEMA).values)["statistic"] == "sum"
    mean = QueryDraft("group-by", values={"by_column": "town", "column": "pay", "statistic": "mean"})
    assert "statistic" not in relevance.with_kind(mean, "laplace", SCHEMA).values


@pytest.mark.parametrize("noise", list(NoiseSource))
def test_another_question_keeps_the_noise_where_it_has_it(noise: NoiseSource) -> None:
    for kind in QUERIES:
        kept = relevance.with_kind(QueryDraft("count", noise=noise), kind.identifier, SCHEMA).noise
        has = {NoiseSource.GRID: True, NoiseSource.DIFFPRIVLIB: bool(kind.tools)}.get(
            noise,
            kind.identifier in {"count", *OF_NUMBERS, "histogram", "histogram2d", "group-by", "limited"}
            and kind.identifier not in {"bounds", "maximum", "median", "minimum", "quantile"},
        )
        assert kept is (noise if has else NoiseSource.GRID), kind.identifier
        assert (noise in relevance.noises(kind)) is has
        assert relevance.noises(kind)[0] is NoiseSource.GRID


@pytest.mark.parametrize(("column", "gone"), [("pay", True), ("age", False)])
def test_wide_bounds_go_where_narrower_ones_are_declared(column: str, gone: bool) -> None:
    wide = QueryDraft("bounds", values={"column": column, "lower": "-99", "upper": "99"})
    assert ("lower" not in relevance.with_kind(wide, "mean", SCHEMA).values) is gone
    assert ("upper" not in relevance.with_kind(wide, "mean", SCHEMA).values) is gone
    other = replace(wide, kind="median")
    assert relevance.with_kind(other, "mean", SCHEMA).values["lower"] == "-99"
    read = SCHEMA.changed(["pay"], lambda spec: replace(spec, observed=frozenset({"bounds"})))
    assert relevance.with_kind(wide, "mean", read).values["lower"] == "-99", "those of the data are not declared"


def test_typed_bounds_give_way_for_their_column_alone() -> None:
    values = {"by_column": "age", "by_lower": "1", "by_upper": "2", "column": "pay", "lower": "3", "upper": "4"}
    draft = QueryDraft("group-by", values=values)
    assert set(relevance.without_bounds(draft, "age").values) == {"by_column", "column", "lower", "upper"}
    assert set(relevance.without_bounds(draft, "pay").values) == {"by_column", "by_lower", "by_upper", "column"}
    assert relevance.without_bounds(draft, "day").values == values


@pytest.mark.parametrize("column", ["age", "town"])
def test_what_is_said_of_a_column_goes_with_it(column: str) -> None:
    said = {"lower": "1", "upper": "2", "bins": 3, "edges": "1,2", "keys": "x", "missing": "0", "resolution": "1"}
    draft = QueryDraft("group-by", values={"column": "pay", "by_column": "job", "by_keys": "x", **said, "other": True})
    found = relevance.with_value(draft, "column", column)
    assert dict(found.values) == {"column": column, "by_column": "job", "by_keys": "x", "other": True}
    groups = relevance.with_value(draft, "by_column", column)
    assert "by_keys" not in groups.values and said.items() <= groups.values.items()
    assert relevance.with_value(draft, "column", "pay").values == draft.values


def test_a_column_takes_the_place_of_a_list_of_filters() -> None:
    draft = QueryDraft("above-threshold", values={"questions": "age > 3"})
    assert dict(relevance.with_value(draft, "column", "age").values) == {"column": "age"}
    assert dict(relevance.with_value(draft, "column", "").values) == {"questions": "age > 3"}
    assert dict(relevance.with_value(replace(draft, values={"column": "age"}), "column", "").values) == {}


def test_what_a_parameter_applies_to() -> None:
    def applies(kind: str, name: str, **values: str) -> bool:
        return relevance.applies(QueryDraft(kind, values=values), SCHEMA, name)

    for column, measured, listed in (
        ("age", True, False),
        ("town", False, True),
        ("nobody", True, True),
        ("", False, False),
    ):
        assert applies("histogram", "bins", column=column) is measured
        assert applies("histogram", "other", column=column) is listed
    assert [applies("group-by", "other", by_column=one, column="age") for one in ("age", "town")] == [False, True]
    assert [applies("group-by", "by_bins", by_column=one, column="town") for one in ("age", "town")] == [True, False]
    assert [applies("group-by", "missing", by_column="town", column="age", statistic=s) for s in ("count", "sum")] == [
        False,
        True,
    ]
    assert applies("count", "post") and not applies("mean", "post", column="age")
    assert applies("above-threshold", "questions", column="age") and not applies("count", "questions")


def test_a_form_shows_what_is_given_and_else_what_is_usual() -> None:
    draft = QueryDraft("histogram", values={"column": "age", "bins": 4})
    told = relevance.shown_values(draft)
    assert (told["bins"], told["outside"], told["other"], told["keys"]) == (4, "clip", False, "")
    assert set(told) == {spec.name for spec in QUERIES["histogram"].parameters}
    assert relevance.value_of(draft, "bins") == 4 and relevance.value_of(draft, "outside") == "clip"
    assert relevance.value_of(draft, "nothing") is None
    for kind in QUERIES:
        names = {spec.name for spec in kind.parameters}
        for name in ("bins", "post", "delta", "quantile", "by_column"):
            assert (kind.identifier in relevance.questions_with(name)) is (name in names)


@pytest.mark.parametrize("epsilon", ["", "0.2"])
def test_how_many_values_were_limited_takes_only_what_was_given(epsilon: str) -> None:
    asked = {"values": {"column": "age", "lower": "", "upper": "9"}, "epsilon": "0.7"}
    found = relevance.limited_by(QueryDraft("sum", epsilon, tool="nansum"), asked)
    assert (found.kind, found.epsilon, found.where, found.tool) == ("limited", epsilon or "0.7", "", "")
    assert dict(found.values) == {"column": "age", "upper": "9"}
    assert dict(relevance.limited_by(QueryDraft("sum"), {}).values) == {}
