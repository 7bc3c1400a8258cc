"""Which parameters of a question matter, and what becomes of them when another one changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from workbench.core.schema import ColumnSpec, Kind, Role, Schema
from workbench.query import relevance
from workbench.query.catalogue import QUERIES, NoiseSource, QueryDraft

SCHEMA = Schema(
    (
        ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 120.0)),
        ColumnSpec("town", Kind.CATEGORY, domain=("A", "B", "C")),
        ColumnSpec("pay", Kind.MONEY),
    )
)


def names(draft: QueryDraft) -> tuple[set[str], set[str]]:
    found = relevance.fields(draft, SCHEMA)
    return {spec.name for spec in found.main}, {spec.name for spec in found.more}


def test_a_column_of_texts_has_no_bounds_and_no_bins() -> None:
    main, more = names(QueryDraft("histogram", values={"column": "town"}))
    assert not {"lower", "upper", "bins", "edges"} & (main | more)
    assert "keys" in main
    main, more = names(QueryDraft("histogram", values={"column": "age"}))
    assert {"lower", "upper", "bins"} <= main
    assert {"edges", "keys"} <= more


def test_every_question_can_be_shown_for_every_column() -> None:
    for kind in QUERIES:
        for column in SCHEMA.names:
            main, more = names(QueryDraft(kind.identifier, values={"column": column}))
            assert not main & more
            assert main | more <= {spec.name for spec in kind.parameters}


def test_what_is_known_of_a_column_goes_when_another_is_chosen() -> None:
    draft = QueryDraft("mean", values={"column": "age", "lower": "0", "upper": "9", "missing": "3"})
    assert dict(relevance.with_value(draft, "column", "pay").values) == {"column": "pay"}
    assert relevance.with_value(draft, "column", "age").values == draft.values


def test_another_question_keeps_what_means_the_same() -> None:
    draft = QueryDraft("mean", values={"column": "age", "lower": "0", "upper": "9"})
    assert dict(relevance.with_kind(draft, "sum", SCHEMA).values) == dict(draft.values)
    # A mean needs numbers, so a column of texts gives way to one.
    assert relevance.with_kind(QueryDraft("histogram", values={"column": "town"}), "mean", SCHEMA).values["column"] in (
        "age",
        "pay",
    )


def test_wide_bounds_that_ask_for_bounds_are_not_what_is_asked_next() -> None:
    draft = QueryDraft(relevance.ASKING_BOUNDS, values={"column": "age", "lower": "-9999", "upper": "9999"})
    assert "lower" not in relevance.with_kind(draft, "mean", SCHEMA).values
    assert relevance.without_bounds(draft, "age") == draft
    mean = QueryDraft("mean", values=draft.values)
    assert dict(relevance.without_bounds(mean, "age").values) == {"column": "age"}


def test_how_many_values_were_limited_is_asked_of_the_same_rows() -> None:
    asked = {"epsilon": "0.5", "where": "town = A", "values": {"column": "age", "lower": "0", "upper": "9", "bins": 4}}
    draft = relevance.limited_by(QueryDraft("mean", epsilon="", noise=NoiseSource.DIFFPRIVLIB), asked)
    assert (draft.kind, draft.epsilon, draft.where, draft.noise) == ("limited", "0.5", "town = A", NoiseSource.GRID)
    assert dict(draft.values) == {"column": "age", "lower": "0", "upper": "9"}
    assert relevance.limited_by(QueryDraft("mean", epsilon="0.1"), asked).epsilon == "0.1"


def test_a_table_of_groups_asks_for_what_its_statistic_needs() -> None:
    counted, added = (
        names(QueryDraft("group-by", values={"by_column": "town", "column": "age", "statistic": statistic}))
        for statistic in ("count", "sum")
    )
    of_numbers = {"column", "lower", "upper", "resolution", "missing"}
    assert "post" in counted[0] | counted[1] and not of_numbers & (counted[0] | counted[1])
    assert "post" not in added[0] | added[1] and of_numbers <= added[0] | added[1]
    assert "by_keys" in counted[0] and not {"by_bins", "by_edges"} & (counted[0] | counted[1])


def test_what_is_told_of_cells_follows_the_column_of_the_groups() -> None:
    by_age, by_town = (
        names(QueryDraft("group-by", values={"by_column": by, "column": "town", "statistic": "count"}))
        for by in ("age", "town")
    )
    assert "outside" in by_age[1] and "other" not in by_age[0] | by_age[1]
    assert "other" in by_town[0] and "outside" not in by_town[0] | by_town[1]
    listed = names(QueryDraft("group-by", values={"by_column": "age", "by_keys": "1, 2", "statistic": "count"}))
    assert "other" in listed[0] | listed[1]


def test_a_list_of_questions_takes_the_place_of_a_column() -> None:
    for column, asked in (("", True), ("town", False)):
        main, more = names(QueryDraft("above-threshold", values={"column": column}))
        assert ("questions" in main | more, "keys" in main | more) == (asked, not asked)


def test_a_step_of_the_noise_says_nothing_where_the_noise_is_anothers() -> None:
    for engine, matters in ((NoiseSource.GRID, True), (NoiseSource.DIFFPRIVLIB, False)):
        draft = QueryDraft("mean", values={"column": "pay"}, noise=engine)
        main, more = names(draft)
        assert ("resolution" in main | more) == matters and relevance.applies(draft, SCHEMA, "resolution")
    assert not relevance.applies(QueryDraft("mean"), SCHEMA, "threshold")


def test_a_value_that_is_set_anyway_is_not_kept() -> None:
    draft = QueryDraft("histogram", values={"column": "age", "bins": 5})
    assert dict(relevance.with_value(draft, "bins", 10).values) == {"column": "age"}
    assert dict(relevance.with_value(draft, "bins", 6).values) == {"column": "age", "bins": 6}


def test_where_only_the_column_is_wrong_what_is_said_of_it_is_not() -> None:
    """Of a column that is not there a bound is still a bound; of no column at all it says nothing."""
    for column, says in (("nobody", True), ("age", True), ("town", True), ("", False)):
        draft = QueryDraft("mean", values={"column": column})
        assert relevance.applies(draft, SCHEMA, "lower") is says, column
    assert relevance.applies(QueryDraft("mean"), SCHEMA, "lower")


def test_nobody_is_offered_a_mean_of_what_tells_people_apart() -> None:
    columns = (ColumnSpec("user", Kind.INTEGER), ColumnSpec("patient age", Kind.INTEGER), ColumnSpec("town", Kind.TEXT))
    count = QueryDraft("count")
    for columns_there, wanted in ((columns, "patient age"), (columns[:1], "user"), (columns[::-1], "patient age")):
        assert relevance.with_kind(count, "mean", Schema(columns_there)).values["column"] == wanted
    identifying = Schema((ColumnSpec("code", Kind.INTEGER, role=Role.IDENTIFYING), ColumnSpec("pay", Kind.INTEGER)))
    assert relevance.with_kind(count, "mean", identifying).values["column"] == "pay"
    dated = Schema((ColumnSpec("joined", Kind.DATE), ColumnSpec("weight", Kind.INTEGER)))
    assert relevance.with_kind(count, "mean", dated).values["column"] == "weight"


def test_a_mean_is_first_offered_of_what_is_measured_and_last_of_a_year() -> None:
    born, age, stay, pay, score = (
        ColumnSpec(name, Kind.INTEGER) for name in ("born", "age", "stay", "salary", "score")
    )
    secret, bounded = replace(score, role=Role.SENSITIVE), replace(born, bounds=(1900, 2030))
    for columns, wanted in (
        ((born, age, stay, pay), "salary"),
        ((born, age, stay, secret), "score"),
        ((born, age, stay), "stay"),
        ((born, age), "age"),
        ((bounded, age), "age"),
        ((born,), "born"),
    ):
        for kind in ("mean", "sum", "median", "variance"):
            assert relevance.with_kind(QueryDraft("count"), kind, Schema(columns)).values["column"] == wanted, kind
    kept = QueryDraft("histogram", values={"column": "born"})
    assert relevance.with_kind(kept, "mean", Schema((born, pay))).values["column"] == "born", "as somebody chose it"


@pytest.mark.parametrize("kind", ["group-by", "histogram", "mode", "undeclared-groups"])
def test_nobody_is_counted_by_a_text_of_their_own_or_where_they_live(kind: str) -> None:
    columns = (
        ColumnSpec("staff no", Kind.TEXT),
        ColumnSpec("postcode", Kind.INTEGER),
        ColumnSpec("department", Kind.CATEGORY),
    )
    values = relevance.with_kind(QueryDraft("count"), kind, Schema(columns)).values
    assert values["by_column" if kind == "group-by" else "column"] == "department"


def test_groups_begin_with_a_column_of_few_values_and_a_mean_of_each_with_one_of_numbers() -> None:
    """A number of the staff groups nobody, and nobody asks for the mean of a department."""
    schema = Schema(
        (
            ColumnSpec("staff no", Kind.INTEGER),
            ColumnSpec("name", Kind.CATEGORY),
            ColumnSpec("department", Kind.CATEGORY),
            ColumnSpec("shoe size", Kind.INTEGER),
            ColumnSpec("salary", Kind.MONEY),
        )
    )
    draft = relevance.with_kind(QueryDraft("count"), "group-by", schema)
    assert draft.values["by_column"] == "department"
    assert relevance.of_numbers(draft, schema) == draft, "of a count nothing is averaged"
    averaged = relevance.of_numbers(relevance.with_value(draft, "statistic", "mean"), schema)
    assert averaged.values["column"] == "salary"
    counted = QueryDraft("histogram", values={"column": "department", "keys": "IT, HR", "alike": True})
    groups = relevance.with_kind(counted, "group-by", schema).values
    assert (groups["by_column"], groups["by_keys"], groups["alike"]) == ("department", "IT, HR", True), "typed once"
    assert "column" not in groups, "nobody asks for the mean of it"
    chosen = relevance.with_value(averaged, "column", "shoe size")
    assert relevance.of_numbers(chosen, schema) == chosen, "what was chosen stays"
