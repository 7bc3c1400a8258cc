"""How it is said what can occur in a column, and what the outlook of a release makes of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.outlook_steps import by_hand, expect, opened, outlook
from workbench.anonymise.recipe import Treatment
from workbench.core.builder_suggestions import Suggested, public_specification
from workbench.core.building import build_hierarchy, specification
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.occurring import entries_of, example_of, occurring_labels
from workbench.core.progress import SILENT
from workbench.core.schema import ColumnSpec, Format, Kind
from workbench.session import Session
from workbench.session.release.knowledge import SOURCES, is_unknown, known_columns, refused, say
from workbench.session.release.remedies import remedies
from workbench.session.release.steps import LevelSource
from workbench.session.suggested_hierarchies import follows_said, reaching


def test_where_nobody_says_what_occurs_a_range_is_told_and_who_says_it_is_told_more(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    by_hand(session)
    before = outlook(session)
    assert before.unsaid[:1] == ("born",) and "fewest if all" in before.words and not before.wanting
    assert [one.field for one in remedies(session, before)][:1] == ["occurring:born"]
    said = {"born": "1950-1999", "postcode": "1", "job": "cook, clerk", "pay": "0-60000"}
    for name, words in said.items():
        session.release.steps.set_said(name, words)
    after = outlook(session)
    assert not after.unsaid and after.groups[0] < before.groups[0] and "fewest" not in after.words
    session.release.steps.set_said("born", "")
    assert "born" not in session.project.anonymise.trim.occurring


def test_what_is_known_without_the_rows_is_asked_for_all_columns_at_once(tmp_path: Path) -> None:
    sessions = [opened(tmp_path / "one"), opened(tmp_path / "other", ("1811-12-31", "99999", "Lord Mayor", 987_654))]
    for session in sessions:
        session.release.columns.set_treatment("job", Treatment.LEAVE_OUT)
    asked = [known_columns(session) for session in sessions]
    assert asked[0] == asked[1], "whoever is in the table, the same is asked in the same words"
    assert [one.name for one in asked[0] if one.needed] == ["born", "postcode", "pay"]
    assert [one.name for one in asked[0] if not one.needed] == ["job"], "what was left out can be taken in again"
    assert not any(one.said for one in asked[0])
    session = sessions[0]
    wrong = refused(session, {"born": ("soon", ""), "postcode": ("1", SOURCES[0]), "pay": ("much", "")})
    assert set(wrong) == {"born", "pay"} and not session.project.anonymise.trim.occurring, "all are told, none is taken"
    said = {"born": ("1950-1999", SOURCES[0]), "postcode": ("1", SOURCES[1]), "pay": ("", SOURCES[2])}
    say(session, said, expected_rows=2400, number_known=True)
    trim = session.project.anonymise.trim
    assert trim.occurring == {"born": "1950-1999", "postcode": "1"} and trim.expected_rows == 2400 and trim.number_known
    assert trim.occurring_from == {"born": SOURCES[0], "postcode": SOURCES[1]}, "what is unsaid has none"
    session.release.steps.set_said("born", "1950-1959")
    assert session.release.steps.source_of("born") == SOURCES[0], "typed anew it is known from the same"
    session.save(tmp_path / "known.wbench")
    assert Session.from_file(tmp_path / "known.wbench").project.anonymise.trim == session.project.anonymise.trim


def test_what_occurs_keeps_the_recommended_steps_finer_and_makes_no_difference_to_levels_by_hand(
    tmp_path: Path,
) -> None:
    session = opened(tmp_path / "one")
    by_hand(session)
    levels = session.release.chain().vectors
    session.release.steps.set_said("postcode", "10, 11")
    assert session.release.chain().vectors == levels
    coarse = session.snapshot()
    coarse.release.steps.set_said("postcode", "")
    for one in (coarse, session):
        one.release.steps.set_source(LevelSource.BALANCED)
    assert session.release.chain().vectors[0]["postcode"] < coarse.release.chain().vectors[0]["postcode"]


def test_public_values_and_bounds_of_a_column_count_too_but_none_that_were_read(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    by_hand(session)
    before = outlook(session).groups[0]
    with pytest.raises(WorkbenchError, match="says nothing of what can occur"):
        session.release.steps.set_said("pay", "much")
    schema = session.project.schema.changed(["pay"], lambda one: replace(one, bounds=(0.0, 39_999.0)))
    session.state.change(schema=schema)
    assert outlook(session).groups[0] < before
    read = schema.changed(["pay"], lambda one: replace(one, observed=frozenset({"bounds"})))
    session.state.change(schema=read)
    assert outlook(session).groups[0] == before


@pytest.mark.parametrize(
    "builder, parameters, details, words, labels",
    [
        ("masking", {"length": 3}, {}, "0, 12", (110, 11, 2, 1)),
        ("masking", {"length": 3}, {}, "10-14", (50, 5, 1, 1)),
        ("dates", {}, {"levels": [{"unit": "month"}, {"unit": "decade"}]}, "1958-1961, 1990s", (5110, 168, 3, 1)),
        ("spelling", {}, {}, "m, M, f", (3, 2, 1)),
        (
            "intervals",
            {},
            {"intervals": [{"from": 0, "to": 10}], "levels": [{"group": 1}, {"group": 2}]},
            "5-24, 40",
            (21, 4, 3, 1),
        ),
    ],
)
def test_labels_that_can_occur_are_counted_by_the_rule_alone(
    builder: str, parameters: dict[str, object], details: dict[str, object], words: str, labels: tuple[int, ...]
) -> None:
    value = {"dates": "2000-01-01", "intervals": "5"}.get(builder, "123")
    kind = {"dates": Kind.DATE, "intervals": Kind.INTEGER}.get(builder, Kind.TEXT)
    column = ColumnSpec("x", kind, format=Format(pattern="%Y-%m-%d" if builder == "dates" else ""))
    made = build_hierarchy(specification(builder, parameters, details, column=column), [value], column=column)
    found = occurring_labels(made, entries_of(words))
    assert found is not None and found[: len(labels)] == labels


@pytest.mark.parametrize(
    "words", ["a, b c; d", "a\nb c\nd", "a\r\nb c\r\n\r\nd\r\n", "a\tb c\td", "a\u2028b c\x0bd", "a,\nb c,\nd"]
)
def test_a_code_list_is_read_a_value_a_line_as_well(words: str) -> None:
    assert entries_of(words) == ("a", "b c", "d")


def test_values_or_groups_of_a_list_are_named_as_it_writes_them() -> None:
    listed = Hierarchy.from_rows([(str(age), f"{age // 10}0s", "*") for age in range(10, 60)])
    assert occurring_labels(listed, entries_of("20s, 35")) == (11, 2, 1)
    assert occurring_labels(listed, entries_of("30-41")) == (12, 2, 1)
    with pytest.raises(WorkbenchError, match="says nothing"):
        occurring_labels(listed, ("old",))
    derived = Hierarchy.from_rows([("1", "*")], provenance=Provenance.DERIVED)
    assert occurring_labels(derived, ("1",)) is None


def test_the_example_of_what_occurs_is_of_the_size_of_the_rule() -> None:
    for width, said in (
        (5, "such as 0-100, or 6, 9, 12"),
        (10, "such as 0-100, or 6, 9, 12"),
        (10_000, "such as 0-100000, or 60, 90, 120"),
        (0.5, "such as 0-10, or 1, 2, 5"),
    ):
        plain = specification("intervals", {"unlisted": "any"}, {"intervals": [{"from": 0, "to": width}]})
        assert example_of(build_hierarchy(plain, ["1"], None, ColumnSpec("age", Kind.DECIMAL))) == said
    assert example_of(None) == 'such as a, b, "c, d"'


@pytest.mark.parametrize("rows", [400, 1_000, 4_000, 20_000])
def test_of_what_may_be_a_star_in_many_rows_it_is_asked_what_occurs(tmp_path: Path, rows: int) -> None:
    session = opened(tmp_path / "one")
    expect(session, rows)
    found = outlook(session)
    asked = {name for one in remedies(session, found) for name in one.columns}
    assert set(found.often) <= asked, "and not told as lost without a word of what to do"
    for name in found.often:
        said = {"born": "1950-1999", "postcode": "10", "job": "cook, clerk", "pay": "0-60000"}[name]
        session.release.steps.set_said(name, said, "common knowledge")
    assert not set(found.often) & {name for one in remedies(session, outlook(session)) for name in one.columns}


def test_of_a_rule_that_is_finer_since_it_is_known_how_far_a_column_reaches_it_is_told(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    expect(session, 4_000)

    def offered() -> list[tuple[str, str]]:
        return [(one.words, one.field) for one in remedies(session, outlook(session))]

    assert not any("finer" in words for words, _ in offered())
    session.release.steps.set_said("pay", "0-60000", "register or publication")
    assert offered()[0] == ("Make pay suit its range…", "hierarchy:pay")
    session.data.attach_hierarchies(session.data.hierarchy_suggester(["pay"])(SILENT))
    assert not any("finer" in words for words, _ in offered()), "it is as fine as its rule makes it"


def test_what_is_asked_stands_in_the_order_of_the_table_whatever_matters_more(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    by_hand(session)
    session.release.columns.set_level("pay", session.project.hierarchies["pay"].height)
    expect(session, 2400)
    found = outlook(session)
    assert found.silent == ("pay",)
    asked, *_ = remedies(session, found)
    assert asked.columns == session.project.schema.names, "whoever types looks at the table behind the question"
    assert asked.field == "occurring:born"


def test_it_is_known_whether_anything_is_left_to_say_of_what_can_occur(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    said = {"born": "1950-1999", "postcode": "10, 11", "job": "cook, clerk", "pay": "0-60000"}
    for name, words in said.items():
        assert is_unknown(session)
        session.release.steps.set_said(name, words)
    assert not is_unknown(session)
    session.release.steps.set_said("pay", "")
    assert is_unknown(session)
    session.release.columns.set_treatment("pay", Treatment.LEAVE_OUT)
    assert not is_unknown(session), "what is left out need not be known"


def test_intervals_by_the_rule_of_earlier_programs_follow_from_what_was_said_too(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    session.release.steps.set_said("pay", "0-60000")
    pay, column = session.project.schema["pay"], session.data.table["pay"]
    known = reaching(pay, ("0-60000",))
    for way in Suggested:
        made = build_hierarchy(public_specification(known, way=way), column.values, column.counts, known)
        plain = {**made.specification, "column": public_specification(pay)["column"]}
        assert follows_said(replace(made, specification=plain), pay, ("0-60000",)), way
        assert not follows_said(replace(made, specification=plain), pay, ("0-300000",)), way
    first, then, _, now = (public_specification(known, way=way)["details"] for way in reversed(Suggested))
    assert first["levels"] != then["levels"] == now["levels"] and (then["highest"], first["highest"]) == ({}, {})
