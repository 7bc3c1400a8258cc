"""What is suggested for a table: who is named, who can be recognised, and the reason for it."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.builder_suggestions import public_specification
from workbench.core.building import build_hierarchy
from workbench.core.identifiers import form_of, looks_like_a_name, luhn
from workbench.core.number_text import whole_percent
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.public_values import ShownValues, stand_in_values
from workbench.core.role_suggestions import (
    SAMPLED_ROWS,
    before_looking,
    spread,
    suggest,
    suggest_role,
    without_counts,
)
from workbench.core.role_words import role_by_name
from workbench.core.schema import ColumnSpec, Kind, Role, Schema
from workbench.core.table import Column, Table


@pytest.mark.parametrize(
    ("title", "texts"),
    [
        ("e-mail", ["ann@example.org", "b.c+d@mail.example.com"]),
        ("IBAN", ["GB82 WEST 1234 5698 7654 32", "DE89370400440532013000"]),
        ("card", ["4111 1111 1111 1111", "5500-0000-0000-0004", "340000000000009"]),
        ("telephone", ["+30 210 1234567", "(030) 1234-567", "212-555-0123", "030 1234567"]),
        ("national", ["219-09-9999", "AB123456C", "RSSMRA85T10A562S", "12345678Z", "X1234567L"]),
        ("national", ["2 55 08 14 168 025 38", "01018012342", "811218-9876"]),
        ("network", ["192.168.0.1", "2001:db8::1", "00:1a:2b:3c:4d:5e"]),
        ("UUID", ["123e4567-e89b-12d3-a456-426614174000"]),
        ("web", ["https://example.org/x", "www.example.org"]),
    ],
)
def test_forms(title: str, texts: list[str]) -> None:
    for text in texts:
        form = form_of([text])
        assert form is not None, text
        assert title in form.title
    found = form_of([*texts, *["something else"] * (len(texts) - 1)])
    assert found is not None


@pytest.mark.parametrize(
    "text",
    [
        "GB82 WEST 1234 5698 7654 33", "4111111111111112", "12345678A", "000-12-3456", "2020-01-31", "1234567890123",
        "3.14159", "10:30", "Ann Example", "12 345 678", "1.2.3", "123456", "",
    ],
)  # fmt: skip
def test_what_has_none_of_the_forms(text: str) -> None:
    assert form_of([text]) is None


def test_half_is_not_most() -> None:
    assert form_of(["a@b.co", "x"]) is None
    assert form_of([]) is None


@given(st.integers(0, 10**15))
def test_one_wrong_digit_is_always_noticed(number: int) -> None:
    digits = next(f"{number}{check}" for check in range(10) if luhn(f"{number}{check}"))
    for place, digit in enumerate(digits):
        assert not luhn(digits[:place] + str((int(digit) + 1) % 10) + digits[place + 1 :])


def test_names_of_people() -> None:
    for text in ("Ann Example", "Smith, John", "Jean-Luc O'Hara", "Ω. Παπαδόπουλος Νίκος"):
        assert looks_like_a_name(text)
    for text in ("police officer", "Ann", "Ann 2", "A b"):
        assert not looks_like_a_name(text)


def column(name: str, texts: list[str]) -> Column:
    return Column.from_texts(name, texts)


def test_spread_is_what_counting_pairs_gives() -> None:
    texts = ["a", "b", "a", "", "NA", "c", "a"]
    found = spread(column("x", texts), ColumnSpec("x", missing=("", "NA")))
    same = [text if text not in ("", "NA") else None for text in texts]
    pairs = list(combinations(same, 2))
    assert found.separation == pytest.approx(sum(a != b for a, b in pairs) / len(pairs))
    assert found.distinction == pytest.approx(4 / 7)
    assert found.alone == pytest.approx(2 / 7)


@given(st.lists(st.sampled_from("abcd"), max_size=30))
def test_spread_lies_between_nothing_and_everything(texts: list[str]) -> None:
    found = spread(column("x", texts), ColumnSpec("x"))
    counts = Counter(texts)
    assert found.alone == (sum(n == 1 for n in counts.values()) / len(texts) if texts else 0)
    for share in (found.separation, found.distinction, found.alone):
        assert 0 <= share <= 1


def test_a_name_and_how_often_it_repeats() -> None:
    people = [f"{first} {last}" for first in ("Ann", "Bob", "Cid", "Dora") for last in ("Ames", "Bell", "Cole")] * 2
    role, reason = suggest_role(column("x", people), ColumnSpec("x", Kind.TEXT))
    assert role is Role.IDENTIFYING
    assert "names of people" in reason
    jobs = ["Police Officer", "Fire Chief"] * 20
    assert suggest_role(column("x", jobs), ColumnSpec("x", Kind.CATEGORY))[0] is Role.INSENSITIVE


def test_a_column_called_name_identifies_though_many_share_a_name() -> None:
    first, last = ("Ann", "Bob", "Cid", "Dora", "Eve", "Fay"), ("Ames", "Bell", "Cole", "O'Hara")
    people = [f"{one} {other}" for one in first for other in last] * 20

    def role(name: str, texts: list[str]) -> Role:
        return suggest_role(column(name, texts), ColumnSpec(name, Kind.CATEGORY))[0]

    assert role("Name", people) is role("nom", people) is Role.IDENTIFYING
    spec, texts = ColumnSpec("Name", Kind.CATEGORY), column("Name", people)
    (found,) = suggest(Table((texts,)), Schema((spec,))).found
    assert found.role is Role.IDENTIFYING and without_counts(found.reason) == "Its values look like names of people."
    assert role("Department name", people) is role("x", people) is Role.INSENSITIVE, "that many share may be offices"
    assert role("Name", people[:12] * 40) is Role.INSENSITIVE, "a few repeat as jobs do"
    assert role("Name", [text.lower() for text in people]) is Role.INSENSITIVE


@pytest.mark.parametrize(
    ("name", "distinct", "role"),
    [
        ("postcode", 3000, Role.QUASI),
        ("Post code", 3000, Role.QUASI),
        ("zip_code", 2959, Role.QUASI),
        ("remark", 2959, Role.QUASI),
        ("remark", 3000, Role.IDENTIFYING),
        ("postal address", 2959, Role.IDENTIFYING),
    ],
)
def test_what_people_share_is_no_direct_identifier(name: str, distinct: int, role: Role) -> None:
    texts = [f"x{i % distinct}y" for i in range(3000)]
    spec = ColumnSpec(name, Kind.TEXT)
    assert suggest_role(column(name, texts), spec)[0] is role
    found = suggest(Table((column(name, texts),)), Schema((spec,))).found
    assert [(one.columns, one.role) for one in found] == [((name,), role)]


def people(rows: int, seed: int = 1) -> tuple[Table, Schema]:
    random = np.random.default_rng(seed)
    columns = (
        column("e-mail", [f"p{i}@example.org" for i in range(rows)]),
        column("birth year", [str(1940 + n) for n in random.integers(0, 60, rows)]),
        column("street", [f"s{n}" for n in random.integers(0, 40, rows)]),
        column("shoe", [f"{n}" for n in random.integers(0, 40, rows)]),
        column("constant", ["x"] * rows),
        column("visits", [str(n) for n in random.integers(0, 3, rows)]),
    )
    kinds = [Kind.TEXT, Kind.INTEGER, Kind.CATEGORY, Kind.INTEGER, Kind.CATEGORY, Kind.INTEGER]
    return Table(columns), Schema(tuple(ColumnSpec(c.name, kind) for c, kind in zip(columns, kinds, strict=True)))


def test_what_identifies_together_is_found_with_the_reason() -> None:
    table, schema = people(4000)
    found = suggest(table, schema)
    assert [s.columns for s in found.found if s.role is Role.IDENTIFYING] == [("e-mail",)]
    quasi = {s.columns: s.reason for s in found.found if s.role is Role.QUASI}
    assert ("birth year",) in quasi
    together = ("birth year", "street", "shoe")
    keys = Counter(zip(*(table[name].texts() for name in together), strict=True))
    alone = sum(1 for count in keys.values() if count == 1) / table.rows
    assert f"Together they single out {whole_percent(alone)} of the rows" in quasi[together]
    assert not any("constant" in columns or "e-mail" in columns for columns in quasi)
    assert found.rows == 4000
    assert set(found.spreads) == set(table.names)


def test_declared_identifiers_are_no_candidates() -> None:
    table, schema = people(4000)
    marked = schema.changed(["shoe"], lambda c: ColumnSpec("shoe", c.kind, Role.IDENTIFYING))
    assert not any("shoe" in s.columns for s in suggest(table, marked).found)


def test_a_column_that_leaves_most_rows_alone_is_suggested_by_itself() -> None:
    length = Table((column("length", [str(1000 + 3 * i) for i in range(100)]), column("x", ["a", "b"] * 50)))
    schema = Schema((ColumnSpec("length", Kind.INTEGER), ColumnSpec("x", Kind.CATEGORY)))
    [only] = suggest(length, schema).found
    assert (only.columns, only.role) == (("length",), Role.QUASI)
    assert "100 %" in only.reason


@pytest.mark.parametrize(
    "name",
    [
        "Gross salary",
        "income",
        "pay",
        "Sick days",
        "sick_leave",
        "Diagnosis",
        "Diagnóstico",
        "disability",
        "free meals",
    ],
)
def test_what_somebody_earns_or_suffers_from_is_not_called_known_to_others(name: str) -> None:
    paid = Table((column(name, [str(1000 + 3 * i) for i in range(100)]), column("x", ["a", "b"] * 50)))
    schema = Schema((ColumnSpec(name, Kind.MONEY), ColumnSpec("x", Kind.CATEGORY)))
    [only] = suggest(paid, schema).found
    assert (only.columns, only.role) == ((name,), Role.SENSITIVE) and "what others want to learn" in only.reason


@pytest.mark.parametrize(
    "name",
    [
        *(
            "admitted",
            "Discharge",
            "visit_date",
            "hired",
            "Date left",
            "married",
            "died",
            "Aufnahmedatum",
            "Entlassung",
        ),
        *("Entlassung", "eingetreten am Datum", "date d'entrée", "fecha de ingreso", "Kündigung", "data di dimissione"),
    ],
)
def test_when_something_happened_to_somebody_is_known_to_others_however_often_a_day_repeats(name: str) -> None:
    days = [f"2024-01-{1 + i % 20:02}" for i in range(400)]
    table = Table((column(name, days), column("x", ["a", "b"] * 200)))
    schema = Schema((ColumnSpec(name, Kind.DATE), ColumnSpec("x", Kind.CATEGORY)))
    [only] = suggest(table, schema).found
    assert (only.columns, only.role) == ((name,), Role.QUASI) and only.reason.startswith("Others may know it.")
    [] = suggest(table, Schema((ColumnSpec(name, Kind.CATEGORY), ColumnSpec("x", Kind.CATEGORY)))).found


def test_when_a_row_was_changed_is_nothing_others_know_and_a_diagnosis_stays_sensitive() -> None:
    days = [f"2024-01-{1 + i % 20:02}" for i in range(400)]
    found = {}
    for name in ("modified", "diagnosis date"):
        table = Table((column(name, days), column("x", ["a", "b"] * 200)))
        schema = Schema((ColumnSpec(name, Kind.DATE), ColumnSpec("x", Kind.CATEGORY)))
        found[name] = [one.role for one in suggest(table, schema).found]
    assert found == {"modified": [], "diagnosis date": [Role.SENSITIVE]}


def test_large_tables_are_sampled_and_give_the_same_suggestions_again() -> None:
    table, schema = people(SAMPLED_ROWS + 1000)
    first, second = suggest(table, schema), suggest(table, schema)
    assert first.rows == SAMPLED_ROWS
    assert first.found == second.found


def test_nothing_to_suggest() -> None:
    for rows in (0, 1, 5):
        table, schema = people(rows)
        assert all(len(s.columns) == 1 for s in suggest(table, schema).found)


def test_cancel_stops_it_on_the_way() -> None:
    table, schema = people(2000)
    token = CancelToken()
    steps: list[float] = []

    def listen(fraction: float, _: str) -> None:
        steps.append(fraction)
        if fraction > 0.6:
            token.cancel()

    with pytest.raises(Cancelled):
        suggest(table, schema, Progress(listen, token))
    assert 0.6 < max(steps) < 0.9


def test_shares_in_words_are_never_all_or_nothing_by_rounding() -> None:
    assert [whole_percent(share) for share in (0, 1, 0.5, 0.996, 0.9996, 1e-9, 1 - 1e-9)] == [
        "0 %", "100 %", "50 %", "99.6 %", "99.96 %", "hardly any", "almost all",
    ]  # fmt: skip


def test_reasons_can_be_given_without_a_count() -> None:
    rng = np.random.default_rng(4)
    texts = {
        "email": [f"p{i}@x.org" for i in range(200)],
        "code": [f"T{i % 190}" for i in range(200)],
        "patient": [f"{i % 150}" for i in range(200)],
        "customer_name": [f"{'ABCDEF'[i % 6]}lice Smith{i % 170}" for i in range(200)],
        "zip": [str(8000 + i % 40) for i in range(200)],
        "city": [f"c{i % 30}" for i in rng.permutation(200)],
        "born": [f"19{i % 90 + 10}" for i in rng.permutation(200)],
    }
    table = Table(tuple(Column.from_texts(name, values) for name, values in texts.items()))
    found = suggest(table, Schema(tuple(ColumnSpec(name) for name in texts))).found
    assert any(any(letter.isdigit() for letter in one.reason) for one in found), "they have counts"
    assert not any(any(letter.isdigit() for letter in without_counts(one.reason)) for one in found)


def test_calendar_years_begin_with_five_and_are_tried_on_years_of_people() -> None:
    column = ColumnSpec("year of birth", Kind.INTEGER)
    found = public_specification(column)
    assert found["details"]["intervals"] == [{"from": 0.0, "to": 5.0}]
    texts, shown = stand_in_values(column, "intervals")
    assert shown is ShownValues.MADE_UP and {"1930", "2010"} <= set(texts) and "0" not in texts
    hierarchy = build_hierarchy(found, texts, None, column)
    assert [hierarchy.labels[level][0] for level in (1, 2, 3)] == ["1930-1934", "1930-1939", "1920-1939"]
    other = public_specification(ColumnSpec("years of service", Kind.INTEGER))
    assert other["details"]["intervals"] != found["details"]["intervals"]


@pytest.mark.parametrize(
    ("kind", "bounds", "first"),
    [
        (Kind.INTEGER, (0.0, 150_000.0), ["0", "2000", "4000"]),
        (Kind.INTEGER, (1.0, 5.0), ["1", "2", "3", "4", "5"]),
        (Kind.DECIMAL, (0.0, 1.0), ["0", "0.01", "0.02"]),
        (Kind.DECIMAL, (-0.05, 3_000.5), ["-0.05", "0", "50"]),
        (Kind.INTEGER, (7.0, 7.0), ["7"]),
    ],
)
def test_values_between_bounds_are_round(kind: Kind, bounds: tuple[float, float], first: list[str]) -> None:
    """0, 1261, 2521 would look like what was read from a file; the ends are there too."""
    values, shown = stand_in_values(ColumnSpec("amount", kind, bounds=bounds), "intervals")
    assert shown is ShownValues.BOUNDED and list(values[: len(first)]) == first
    *numbers, _absent = values
    assert float(numbers[-1]) == bounds[1] and len(numbers) <= 120


@pytest.mark.parametrize("name", ["remarks", "Remark", "comment", "free_text comments", "Bemerkungen"])
def test_what_anybody_could_write_in_is_left_out_by_its_name_before_a_look(name: str) -> None:
    role, reason = role_by_name(name, Kind.CATEGORY) or (None, "")
    assert role is Role.IDENTIFYING and "free text" in reason
    assert role_by_name("note", Kind.CATEGORY) is None, "a mark at school, in French"


def test_before_a_look_no_row_decides_what_is_left_out() -> None:
    """Of texts that were all different a column was left out, of one more that is not it took part at one press."""
    names = ("token", "staff no", "name", "member", "ward id", "shop")
    schema = Schema(tuple(ColumnSpec(name, Kind.TEXT) for name in names))
    unlike = [f"tok{place}abc" for place in range(200)]
    found = []
    for texts in (unlike, [*unlike[:-1], unlike[0]], [unlike[0]] * 200):
        table = Table(tuple(column(name, texts) for name in names))
        found.append([(one.columns[0], one.role) for one in before_looking(suggest(table, schema), schema)])
    assert found[0] == found[1] == found[2]
    assert found[0] == [(name, Role.IDENTIFYING) for name in ("staff no", "name", "member", "ward id")]
