"""The filter language: what it means, what it refuses, and that it runs nothing and never gives up."""

from __future__ import annotations

import math
import random
from datetime import date, datetime, timedelta

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core import filter_rules as rules
from workbench.core.errors import WorkbenchError
from workbench.core.filtering import DEEPEST, FilterError, parse
from workbench.core.schema import ColumnSpec, Format, Kind, Schema
from workbench.core.table import Column, Table

SCHEMA = Schema(
    (
        ColumnSpec("age", Kind.INTEGER, missing=("", "NA")),
        ColumnSpec("pay", Kind.MONEY, format=Format(".", ",", "$")),
        ColumnSpec("sex", Kind.CATEGORY),
        ColumnSpec("job title", Kind.TEXT),
        ColumnSpec("grade", Kind.ORDERED, domain=("low", "middle", "high")),
        ColumnSpec("hired", Kind.DATE, format=Format(pattern="%d.%m.%Y")),
        ColumnSpec("seen", Kind.DATETIME, format=Format(pattern="%Y-%m-%d %H:%M:%S")),
        ColumnSpec("marital-status", Kind.CATEGORY),
        ColumnSpec("od\"d]`'name", Kind.CATEGORY),
    )
)
ROWS = [
    ("30", "$1,200.50", "Male", "Chef de cuisine", "low", "01.02.2020", "2020-01-01 12:00:00", "Wed", "a"),
    ("17", "$90", "Female", "Nurse", "high", "31.12.2019", "2020-01-01 00:00:00", "Single", "b"),
    ("NA", "", "Male", "", "middle", "", "", "Single", "it's"),
    ("abc", "$5", "", "Nurse", "?", "1.1.1999", "2019-12-31 23:59:59", "", ""),
    ("65", "(7)", "male", "chef", "high", "01.01.2021", "2021-06-05 10:30:00", "Wed", "b"),
]
TABLE = Table(tuple(Column.from_texts(name, [row[i] for row in ROWS]) for i, name in enumerate(SCHEMA.names)))


def chosen(text: str) -> list[int]:
    return np.flatnonzero(parse(text, SCHEMA).mask(TABLE, SCHEMA)).tolist()


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("age = 30", [0]),
        ("age != 30", [1, 2, 3, 4]),
        ("age <> 30", [1, 2, 3, 4]),
        ("age >= 17.5", [0, 4]),
        ("18 <= age", [0, 4]),
        ("age < 18", [1]),
        ("age in (17, 65, 1e3)", [1, 4]),
        ("age not in (17, 65)", [0, 2, 3]),
        ("age is missing", [2]),
        ("age is not missing", [0, 1, 3, 4]),
        ("not age > 0", [2, 3]),
        ("pay > 1200", [0]),
        ("pay = -7", [4]),
        ("sex = 'Male'", [0, 2]),
        ("sex != 'Male'", [1, 3, 4]),
        ("sex in ('Male', 'male')", [0, 2, 4]),
        ("sex is missing", [3]),
        ("\"job title\" contains 'chef'", [4]),
        ("[job title] starts with 'Chef'", [0]),
        ("`job title` contains ''", [0, 1, 3, 4]),
        ("grade >= 'middle'", [1, 2, 4]),
        ("grade < 'high'", [0, 2]),
        ("grade = '?'", [3]),
        ("hired >= 2020-01-01", [0, 4]),
        ("hired = '2019-12-31'", [1]),
        ("hired < 2020-02-01T12:00", [0, 1, 3]),
        ("seen = 2020-01-01", [0, 1]),
        ("seen <= 2020-01-01", [0, 1, 3]),
        ("seen > 2020-01-01", [4]),
        ("seen = 2020-01-01T12:00", [0]),
        ("seen < 2020-01-01T00:00:00", [3]),
        ("marital-status = 'Wed' and age > 40 or sex = 'Female'", [1, 4]),
        ("marital-status = 'Wed' and (age > 40 or sex = 'Male')", [0, 4]),
        ("NOT (sex = 'Male' OR sex = 'male')", [1, 3]),
        ("\"od\"\"d]`'name\" = 'it''s'", [2]),
        ("[od\"d]]`'name] = 'a'", [0]),
    ],
)
def test_what_it_means(text: str, rows: list[int]) -> None:
    assert chosen(text) == rows
    again = str(parse(text, SCHEMA))
    assert chosen(again) == rows
    assert str(parse(again, SCHEMA)) == again


@pytest.mark.parametrize(
    ("text", "position", "told", "hint"),
    [
        ("", 0, "empty", "age >= 18"),
        ("agee = 3", 0, "no column “agee”", "Did you mean “age”?"),
        ("AGE = 3", 0, "no column", "Did you mean “age”?"),
        ("job = 'x'", 0, "no column “job”", '"job title"'),
        ("age = 3 and agee = 4", 12, "no column", "age"),
        ('sex = "Male"', 6, "written as a column", "'Male'"),
        ("sex = Male", 6, "written as a column", "'Male'"),
        ('"Male" = sex', 0, "no column", "single quotes"),
        ("age = 'old'", 6, "holds numbers", "12.5"),
        ("sex = 3", 6, "holds texts", "'this'"),
        ("hired = 2020", 8, "holds dates", "2020-01-31"),
        ("hired = 2020-02-30", 8, "no date", "2020-01-31"),
        ("hired = 'soon'", 8, "holds dates", "2020-01-31"),
        ("seen < 9999-12-31T23:59:61", 7, "no date", "2020-01-31"),
        ("sex < 'x'", 4, "no order", "order"),
        ("grade < 'lowest'", 6, "none of the values", "'low'"),
        ("sex = ''", 6, "missing value", "sex is missing"),
        ("age = 3 age = 4", 8, "not expected", "and, or"),
        ("(age = 3", 0, "never closed", ")"),
        ("age = 3)", 7, "without its (", "Take it out"),
        ("age in 3", 7, "list", "in (1, 2)"),
        ("age in (3 4)", 10, "not closed", "commas"),
        ("age in ()", 8, "value is expected", "12.5"),
        ("age", 3, "comparison is missing", "is missing"),
        ("age is 3", 7, "only missing", "="),
        ("age not 3", 8, "only in", "not in"),
        ("sex starts 'x'", 11, "with is missing", "starts with"),
        ("sex contains 3", 13, "text in single quotes", "'this'"),
        ("age =", 5, "value is expected at the end", "12.5"),
        ("age = 3 and", 11, "column is expected at the end", "age >= 18"),
        ("sex = 'x", 6, "never closed", "'"),
        ("age = $5", 6, "means nothing", "quotes"),
        ("age = 1.2.3", 6, "neither a number nor a date", "1234.5"),
        ("age = 1" + "0" * 400, 6, "too large", "smaller"),
        ("age > 0x10", 6, "neither", "1234.5"),
        ("__import__('os').system('true')", 0, "no column", "columns"),
        ("age = 3; age = 4", 7, "means nothing", "quotes"),
        ("x" * 100_001, 0, "over 100,000", "shortly"),
    ],
)
def test_what_it_refuses(text: str, position: int, told: str, hint: str) -> None:
    with pytest.raises(FilterError) as caught:
        parse(text, SCHEMA)
    assert told in caught.value.message
    assert hint in caught.value.hint
    assert caught.value.position == position
    assert f"character {position + 1}:" in caught.value.message
    assert caught.value.field == "where"
    assert len(str(caught.value)) < 400


def test_it_is_as_long_as_one_likes_but_not_as_deep() -> None:
    assert chosen(" or ".join(["age = 30"] * 5000)) == [0]
    assert chosen("(" * DEEPEST + "age = 30" + ")" * DEEPEST) == [0]
    for text in ("(" * 9999 + "age = 30", "not " * 9999 + "age = 30", "(not " * 9999):
        with pytest.raises(FilterError, match="inside each other"):
            parse(text, SCHEMA)


def test_it_names_its_columns_in_order() -> None:
    assert parse("sex = 'x' or not (age > 3 and sex = 'y')", SCHEMA).columns == ("sex", "age")


def test_a_description_that_changed_is_noticed() -> None:
    found = parse("age > 3", SCHEMA)
    changed = SCHEMA.changed(["age"], lambda spec: ColumnSpec("age", Kind.TEXT))
    with pytest.raises(WorkbenchError, match="no longer fits the column “age”"):
        found.mask(TABLE, changed)


def test_the_empty_table_and_values_no_row_uses() -> None:
    empty = TABLE.take(np.zeros(0, dtype=np.intp))
    assert parse("age > 3 or sex = 'Male'", SCHEMA).mask(empty, SCHEMA).shape == (0,)
    assert parse("age > 3", SCHEMA).mask(TABLE.take(np.array([4, 1])), SCHEMA).tolist() == [True, True]


# Against a second, naive evaluation

_NUMBERS = st.one_of(st.integers(-99, 99), st.floats(-1e6, 1e6), st.sampled_from([17, 30, 65, 1200.5, -7])).map(float)
_TEXTS = st.one_of(st.sampled_from(["Male", "male", "Nurse", "b", "it's"]), st.text(min_size=1, max_size=3))
_DAYS = st.dates().map(lambda day: rules.Day((day - date(1970, 1, 1)).days))
_MOMENTS = st.datetimes(max_value=datetime(9999, 12, 30)).map(
    lambda moment: rules.Moment((moment - datetime(1970, 1, 1)) / timedelta(seconds=1))
)
_SIGN = st.sampled_from(["=", "<", "<=", ">", ">="])


def _not_missing(text: str) -> bool:
    return bool(text.strip())


@st.composite
def _simple(draw: st.DrawFn) -> rules.Rule:
    spec = draw(st.sampled_from(SCHEMA.columns))
    kind = draw(st.sampled_from(["compare", "among", "within", "without"]))
    if kind == "without":
        return rules.Without(spec.name)
    if kind == "within":
        return rules.Within(spec.name, draw(st.text(max_size=2)), draw(st.booleans()))
    if spec.kind.numeric:
        values: st.SearchStrategy[rules.Value] = _NUMBERS
    elif spec.kind.temporal:
        values = st.one_of(_DAYS, _MOMENTS)
    elif spec.kind is Kind.ORDERED:
        values = st.sampled_from(spec.domain or ())
    else:
        values = _TEXTS.filter(_not_missing)
    if kind == "among":
        listed = draw(st.lists(values, min_size=1, max_size=3))
        return rules.Among(spec.name, tuple(dict.fromkeys(listed)))
    ordered = spec.kind.numeric or spec.kind.temporal or spec.kind is Kind.ORDERED
    return rules.ComparisonRule(spec.name, draw(_SIGN) if ordered else "=", draw(values))


def _joined(parts: st.SearchStrategy[rules.Rule]) -> st.SearchStrategy[rules.Rule]:
    several = st.lists(parts, min_size=2, max_size=3)
    flat = {
        kind: several.map(
            lambda found, kind=kind: kind(  # type: ignore[misc]
                tuple(inner for part in found for inner in (part.parts if isinstance(part, kind) else (part,)))
            )
        )
        for kind in (rules.And, rules.Or)
    }
    return st.one_of(parts.map(rules.Not), flat[rules.And], flat[rules.Or])


_RULES = st.recursive(_simple(), _joined, max_leaves=8)


def reference(rule: rules.Rule, row: dict[str, str]) -> bool:
    """The meaning of a rule for one row, written without arrays."""
    if isinstance(rule, rules.Not):
        return not reference(rule.part, row)
    if isinstance(rule, rules.And):
        return all(reference(part, row) for part in rule.parts)
    if isinstance(rule, rules.Or):
        return any(reference(part, row) for part in rule.parts)
    spec = SCHEMA[rule.column]
    text = row[rule.column]
    missing = text in spec.missing or text.strip() in spec.missing
    if isinstance(rule, rules.Without):
        return missing
    if missing:
        return False
    if isinstance(rule, rules.Within):
        return text.startswith(rule.text) if rule.at_start else rule.text in text
    if isinstance(rule, rules.Among):
        return any(_compare(spec, text, "=", value) for value in rule.values)
    return _compare(spec, text, rule.sign, rule.value)


def _compare(spec: ColumnSpec, text: str, sign: str, value: rules.Value) -> bool:
    left: float | str
    right: float | str
    if spec.kind.numeric:
        plain = text.replace("$", "").replace(",", "")
        if plain.startswith("("):
            plain = "-" + plain.strip("()")
        try:
            left, right = float(plain), value  # type: ignore[assignment]
        except ValueError:
            return False
    elif spec.kind.temporal:
        try:
            moment = datetime.strptime(text, spec.format.pattern) - datetime(1970, 1, 1)
        except ValueError:
            return False
        if isinstance(value, rules.Day):
            left, right = moment.days, value.days
        else:
            left, right = moment / timedelta(seconds=1), value.seconds  # type: ignore[union-attr]
    elif sign != "=":
        order = spec.domain or ()
        if text not in order:
            return False
        left, right = order.index(text), order.index(value)  # type: ignore[arg-type]
    else:
        left, right = text, value  # type: ignore[assignment]
    return {
        "=": left == right,
        "<": left < right,  # type: ignore[operator]
        "<=": left <= right,  # type: ignore[operator]
        ">": left > right,  # type: ignore[operator]
        ">=": left >= right,  # type: ignore[operator]
    }[sign]


@settings(max_examples=examples(300), deadline=None)
@given(_RULES, st.lists(st.sampled_from(ROWS), max_size=8))
def test_it_agrees_with_a_naive_evaluation_and_can_be_written_down(
    rule: rules.Rule, rows: list[tuple[str, ...]]
) -> None:
    table = Table(tuple(Column.from_texts(n, [row[i] for row in rows]) for i, n in enumerate(SCHEMA.names)))
    text = rules.written(rule)
    found = parse(text, SCHEMA)
    assert found.rule == rule
    assert str(found) == text
    expected = [reference(rule, dict(zip(SCHEMA.names, row, strict=True))) for row in rows]
    assert found.mask(table, SCHEMA).tolist() == expected


_WORDS = st.sampled_from(
    [
        *("age", "pay", "sex", '"job title"', "[hired]", "`seen`", "grade"),
        *("=", "!=", "<>", "<", "<=", ">", ">=", "in", "not", "and", "or", "is", "missing", "contains"),
        *("starts", "with", "(", ")", ",", "'Male'", "'x", "12", "-3.5", "1e9", "2020-01-31", "2020-01-31T10:00"),
        *("2020-13-99", "__import__('os')", "lambda", "exec", '"', "[", "`", "'", ";", ".", "\\", "\0", "²"),
    ]
)


@settings(max_examples=examples(400), deadline=None)
@given(
    st.one_of(
        st.text(max_size=40), st.lists(_WORDS, max_size=12).map(" ".join), st.lists(_WORDS, max_size=9).map("".join)
    )
)
@example("age = 1e309")
@example("seen = 0000-00-00")
def test_any_text_is_a_filter_or_an_explanation(text: str) -> None:
    try:
        found = parse(text, SCHEMA)
    except FilterError as error:
        assert error.hint
        assert 0 <= error.position <= len(text)
        return
    assert found.mask(TABLE, SCHEMA).shape == (len(ROWS),)
    assert parse(str(found), SCHEMA) == found


def test_nothing_is_ever_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    def caught(*_: object, **__: object) -> None:
        raise AssertionError("code was run")

    for name in ("eval", "exec", "compile", "__import__"):
        monkeypatch.setattr(f"builtins.{name}", caught)
    for text in ('sex = \'__import__("os").system("true")\'', "sex contains '{age.__class__}'", "sex = '%(age)s'"):
        assert chosen(text) == []


def test_the_cost_follows_the_distinct_values(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    real = rules.read_values

    def counting(values: tuple[str, ...], spec: ColumnSpec) -> object:
        seen.append(len(values))
        return real(values, spec)

    monkeypatch.setattr(rules, "read_values", counting)
    codes = np.array(random.Random(1).choices(range(3), k=10_000), dtype=np.uint8)
    table = Table((Column("age", codes, ("1", "2", "3")),))
    mask = parse("age > 1 and (age < 3 or age = 3)", Schema((ColumnSpec("age", Kind.INTEGER),))).mask(
        table, Schema((ColumnSpec("age", Kind.INTEGER),))
    )
    assert seen == [3]
    assert mask.tolist() == (codes > 0).tolist()


def test_infinities_cannot_be_written() -> None:
    with pytest.raises(FilterError):
        parse(f"age < {math.inf}", SCHEMA)
