"""How many people a value needs, and in how many rows a column has which detail: before a draw, and after it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import prod
from pathlib import Path

import pytest

from workbench.anonymise.balanced import Importance
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.level_words import level_words
from workbench.core.occurring import entries_of
from workbench.core.progress import SILENT
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.release.assessment import PromiseAssessment, assess
from workbench.session.release.came_out import ColumnOut, came_out, missing_lines, only_line
from workbench.session.release.column_details import (
    DetailOutlook,
    lost_of_others,
    parts_are_open,
    parts_of,
    rows_words,
)
from workbench.session.release.rare_values import rare_values, vanishing
from workbench.session.release.said import said_of
from workbench.session.release.starred import starred_words
from workbench.session.release.wishes import wish_least

CITIES = Hierarchy.from_rows([(name, "*") for name in ("Bern", "Basel", "Chur", "Genf")])
AGES = Hierarchy.from_rows([(str(age), f"{age // 20 * 20}s", "*") for age in range(20, 80)])


def missing_words(lines: Sequence[ColumnOut]) -> str:
    return " ".join(missing_lines(lines))


def opened(folder: Path, *more: tuple[str, int]) -> Session:
    """Four thousand people of three cities and forty ages, and others besides."""
    folder.mkdir()
    rows = [(("Bern", "Basel", "Chur")[i % 3], 20 + i % 40) for i in range(4_000)] + list(more)
    (folder / "people.csv").write_text("city,age\n" + "".join(f"{one},{two}\n" for one, two in rows), encoding="utf-8")
    session = Session(new_project())
    session.data.open(folder / "people.csv")
    for name, hierarchy in (("city", CITIES), ("age", AGES)):
        session.data.attach_hierarchy(name, hierarchy)
    session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=4_000))
    return session


def of(found: PromiseAssessment, column: str) -> list[DetailOutlook]:
    return [one for one in found.details if one.column == column]


def test_a_person_more_changes_nothing_that_is_said_before_a_draw(tmp_path: Path) -> None:
    one, other = assess(opened(tmp_path / "one")), assess(opened(tmp_path / "other", ("Genf", 79)))
    assert one.details == other.details and one.vanishing == other.vanishing
    assert (one.rare, one.lost) == (other.rare, other.lost) and one.rare
    assert one.details and "of your 4,000 people" in one.vanishing


def test_what_no_list_has_changes_nothing_either_once_it_is_covered(tmp_path: Path) -> None:
    """How many labels there are would tell that a row has a value that becomes `*`."""
    of_all = []
    for place, more in enumerate([(), (("Zug", 30),), (("", 25),), (("Bern", 1_950),)]):
        session = opened(tmp_path / str(place), *more)
        for name in ("city", "age"):
            session.data.cover(name)
        of_all.append(assess(session).details)
        added = sum(one.added for one in session.project.hierarchies.values())
        assert added == len(more)
    assert of_all[0] and all(one == of_all[0] for one in of_all)
    grown = AGES.covering(["x", "y"])
    assert [level_words(one, 1) for one in (AGES, grown)] == ["3 groups, e.g. 40s"] * 2


def test_of_each_level_it_is_said_in_how_many_rows_unless_that_is_open() -> None:
    details = (
        DetailOutlook("born", 2, "month", (0, 0), (40, 300)),
        DetailOutlook("born", 3, "year", (0, 42), (33, 33)),
        DetailOutlook("born", 4, "decade", (16, 67), (31, None)),
        DetailOutlook("sex", 0, "as it is", (80, 95), (31, None)),
    )
    parts = ((3, "in about 0–42 % of rows"), (4, "in 16–67 %"))
    assert parts_of(details, "born", (2, 3, 3, 4)) == parts, "and nothing of a level at which no row is likely"
    assert not parts_of(details, "born", (3, 4)), "worked out for other settings"
    assert not parts_are_open(details, "born", (2, 3, 3, 4))
    far = (*details[:1], DetailOutlook("born", 3, "year", (7, 67), (33, 300)), *details[2:])
    assert not parts_of(far, "born", (2, 3, 3, 4)) and parts_are_open(far, "born", (2, 3, 3, 4))
    assert not parts_are_open(far, "born", (3, 4)) and not parts_are_open(far, "sex", (0, 0))
    assert not parts_of(details, "sex", (0, 0)), "it is so in all that come out"
    assert DetailOutlook("age", 1, "10s", (7, 7)).part == "7 %"
    few, between = "A value of fewer than {} is likely to be missing, {}.", "; in between it may be either"
    assert rare_values(details, "people") == few.format(
        "31 people", f"one of 300 or more to come out in some columns{between}"
    )
    larger = "A value of fewer than 31 people is likely to be missing; a larger one may be too."
    assert rare_values(details[3:], "people") == larger
    never = DetailOutlook("sex", 0, "as it is", (80, 95), (None, None))
    assert rare_values((*details[:3], never), "people") == "Values are likely to be missing."
    assert rare_values((), "people") == ""
    wide = (*details, DetailOutlook("job", 1, "3 groups", (1, 2), (31, 9_000)))
    some = few.format("31 rows", f"one of 300 or more to come out in some columns{between}")
    assert rare_values((wide[0], wide[-1]), "rows") == some, "what nearly all would have to have is no use to know"
    assert rare_values(wide[:1], "rows") == few.format("40 rows", f"one of 300 or more to come out{between}")
    assert DetailOutlook("job", 1, "3 groups", (1, 2), (31, 9_000)).needs_words == "31 or more", (
        "what nearly all would have to have"
    )
    assert [one.needs_words for one in (*details[:3], never)] == [
        "40–300",
        "33",
        "31 or more",
        "more than all",
    ]


def test_what_becomes_of_rare_values_is_said_first_of_what_the_release_is_for() -> None:
    staff = (
        DetailOutlook("department", 0, "as it is", (49, 90), (27, 200), people=1_850),
        DetailOutlook("pay", 3, "intervals of 40,000", (49, 90), (31, 1_000), people=1_850),
        DetailOutlook("born", 1, "*", (0, 90)),
    )
    missing = "a value of fewer than 27 people is likely to be missing"
    assert (
        rare_values(staff, "people")
        == f"A{missing[1:]}, one of 200 or more to come out in some columns; in between it may be either."
    )
    said = f"In department, {missing}, one of 200 or more to come out; in between it may be either."
    assert rare_values(staff, "people", ["department"]) == rare_values(staff, "people", ["born", "department"]) == said
    both = f"{said.replace('department', 'department and pay').removesuffix(said[said.index(';') :])} in some columns"
    both += said[said.index(";") :]
    assert rare_values(staff, "people", ["department", "pay"]) == both
    larger = "In pay, a value of fewer than 31 people is likely to be missing; a larger one may be too."
    assert rare_values(staff, "people", ["pay"]) == larger, "half of all is no use to know"
    assert staff[1].needs_words == "31 or more"
    assert staff[1].needs_told.endswith("; a larger one may be too")
    assert "one of 1,000 or more to come out" in replace(staff[1], people=3_000).needs_told
    assert rare_values(staff, "people", ["born"]) == rare_values(staff, "people"), "which says nothing"
    ward, fees = replace(staff[0], column="ward", needs=(27, 40)), replace(staff[0], column="fee")
    each = "one of 40 or more in ward or of 200 or more in fee to come out; in between it may be either."
    assert rare_values((fees, ward), "people", ["fee", "ward"]) == f"In fee and ward, {missing}, {each}"
    gone = replace(staff[0], needs=(None, None))
    assert rare_values((gone,), "people", ["department"]) == "In department, values are likely to be missing."


def test_a_cell_says_of_how_many_people_values_are_lost_and_of_how_many_they_may_be() -> None:
    """A department of 43 was lost, and one of 56 next to whole, of which “fewer than 27” alone told nobody."""
    told = {
        needs: DetailOutlook("department", 0, "as it is", (49, 90), needs, people=1_850).needs_words
        for needs in ((27, 200), (29, 100), (31, 1_000), (27, 27), (None, None), ())
    }
    assert list(told.values()) == [
        "27–200",
        "29–100",
        "31 or more",  # half of all is no use to know
        "27",  # no other column splits them
        "more than all",
        "",
    ]


def test_where_a_column_may_come_out_in_no_row_or_in_most_it_says_both_ends_and_then_what_is_usual(
    tmp_path: Path,
) -> None:
    """As wide as that is the range for columns that go together, such as those of a census."""
    session = opened(tmp_path / "one")
    details = assess(session).details
    assert details and all(one.usual is not None and one.rows[0] <= one.usual <= one.rows[1] for one in details)
    assert [one.rows_words for one in details if not one.is_open] == [
        rows_words(one.rows) for one in details if not one.is_open
    ]
    open_ones = [DetailOutlook("race", 0, "as it is", (0, 98), usual=one) for one in (68, 4, None)]
    assert [one.rows_words for one in open_ones] == ["perhaps 68 (0–98)", "perhaps 4 (0–98)", "0–98"]
    assert open_ones[0].rows_told.endswith("; about 68 if columns go together as in most tables")
    assert open_ones[0].rows_told.startswith("0 to 98 of 100 rows")


@pytest.mark.parametrize("floor", [1, 4])
def test_with_fewer_people_than_the_first_number_a_value_vanishes_however_they_lie(tmp_path: Path, floor: int) -> None:
    session = opened(tmp_path / "one")
    session.release.set_guarantee(replace(session.project.anonymise.guarantee, epsilon=3, delta=0.01))
    session.release.set_trimming(replace(session.project.anonymise.trim, floor=floor))
    promised = session.release.guarantee()
    assert isinstance(promised, TrimGuarantee)
    (detail,) = of(assess(session), "city")[:1]
    levels = [step.levels["city"] for step in session.release.forecast().steps]
    laws = [law for law, level in zip(promised.laws, levels, strict=True) if level == detail.level]
    needed = detail.needs[0]
    assert needed is not None and needed > floor

    def nothing(*ways: tuple[int, ...]) -> float:
        """The chance that nothing comes out of groups of these sizes, at each step."""
        kept = (law.keep(max(0, size - floor + 1)) for law, way in zip(laws, ways, strict=True) for size in way)
        return prod(1 - one for one in kept)

    def parted(people: int) -> list[tuple[int, ...]]:
        return [(one, two, people - one - two) for one in range(people + 1) for two in range(people - one + 1)]

    fewer = needed - 1
    assert min(nothing(*[way] * len(laws)) for way in parted(fewer)) > 0.5, "whatever groups they are in"
    some = [(fewer, 0, 0), *parted(fewer)[:: max(1, fewer // 2)]]
    assert all(nothing(*ways) > 0.5 for ways in product(some, repeat=len(laws)))
    assert nothing(*[(needed,)] * len(laws)) <= 0.5, "and no smaller number would be as true"


def test_the_number_that_is_enough_is_round_and_that_of_people_who_differ_as_evenly_as_can_be(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    promised = session.release.guarantee()
    assert isinstance(promised, TrimGuarantee)
    (detail,) = of(assess(session), "city")[:1]
    low, high = detail.needs
    assert low is not None and high is not None and low <= high
    assert not str(high)[1:].strip("0"), "one digit: more is not known without a look"
    assert detail.needs_words == f"{low:,}–{high:,}" and f"one of {high:,} or more" in detail.needs_told
    steps = [step.levels for step in session.release.forecast().steps]
    fine = [place for place, step in enumerate(steps) if step["city"] <= detail.level]

    def nothing(people: int) -> float:
        """The chance that no row says it, if its people lie evenly in all ages, and a blank one."""
        found = 1.0
        for place in fine:
            ages = len({*AGES.labels[steps[place]["age"]], ANY})
            found *= (1 - promised.laws[place].keep(people // ages)) ** ages
        return found

    digit = 10 ** (len(str(high)) - 1)
    assert nothing(high) <= 0.5 < nothing(high - digit), "of two columns the other one is all that they differ in"


def test_a_value_needs_more_people_the_more_columns_there_are_and_fewer_with_a_larger_epsilon(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    alone, mixed = of(assess(session), "city")[0].needs
    assert alone is not None and mixed is not None and alone < mixed
    session.release.set_guarantee(replace(session.project.anonymise.guarantee, epsilon=2))
    assert (of(assess(session), "city")[0].needs[0] or 0) < alone


def test_rows_of_a_column_add_up_to_what_is_likely_to_come_out(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    session.release.steps.set_importance("city", Importance.KEEP)
    found = assess(session)
    assert found.prospect is not None and found.prospect.outlook is not None
    for name in ("city", "age"):
        lines = of(found, name)
        assert [one.level for one in lines] == sorted({one.level for one in lines}), "the finest first"
        assert sum(one.rows[1] for one in lines) >= round(100 * found.prospect.outlook.hopeful) - 1
        assert all((one.needs == ()) == (one.words == ANY) for one in lines)


def test_nothing_is_said_where_nothing_is_known(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    session.data.detach_hierarchy("city")
    session.data.detach_hierarchy("age")
    assert assess(session).details == () and vanishing((), (), 10, "people") == ""


def test_what_a_fine_column_takes_from_the_others_is_theirs_and_public(tmp_path: Path) -> None:
    one, other = assess(opened(tmp_path / "one")), assess(opened(tmp_path / "other", ("Genf", 79)))
    said = lost_of_others(one.details, "age")
    assert said == lost_of_others(other.details, "age"), "a person more changes nothing"
    most = of(one, "city")[0].needs[1]
    assert said == f"others may lose values of under {most}"
    lost = DetailOutlook("city", 0, "as it is", (80, 95), (31, None))
    assert lost_of_others((lost,), "age") == "others may lose most rare values"
    assert lost_of_others((lost,), "city") == lost_of_others((), "age") == "", "no other says anything"


def test_more_than_there_are_is_said_so(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=5))
    wish_least(session, "city", 0)  # else every column is `*` where nothing can come out
    found = assess(session)
    assert {one.needs_words for one in found.details} <= {"more than all", ""}
    assert "however many" in found.vanishing


def lines_of(session: Session) -> tuple[ColumnOut, ...]:
    assert session.release.result is not None
    return came_out(session.release.result, said_of(session.project))


def test_after_a_draw_it_is_counted_in_the_released_rows_what_came_out(tmp_path: Path) -> None:
    session = opened(tmp_path / "one", ("Genf", 79))
    session.release.steps.set_importance("city", Importance.KEEP)
    result = session.release.anonymise(SILENT)
    release = result.outcome.release
    lines = lines_of(session)
    for name in ("city", "age"):
        column = release[name]
        stars = dict(zip(column.values, column.counts.tolist(), strict=True)).get(ANY, 0)
        mine = [one for one in lines if one.column == name]
        assert sum(one.rows for one in mine) == result.outcome.rows_out
        assert sum(one.rows for one in mine if one.words == ANY) == stars
    assert next(one for one in lines if one.column == "city").missing == ("Genf",)
    assert "city: Genf" in missing_words(lines) and "age: 60s" in missing_words(lines)
    grouped = [one for one in lines if one.words.endswith(" groups")]
    assert grouped, "of a list it is counted how many groups it has"
    for one in grouped:
        at = next(level for level in range(1, AGES.height) if f"{len(AGES.labels[level]):,} groups" == one.words)
        there = len({*release["age"].values} & {*AGES.labels[at]})
        of_all = len(AGES.labels[at])
        assert one.detail == (one.words if there == of_all else f"{there} of {one.words}"), (
            "and how many are in the file"
        )
    assert any(one.detail != one.words for one in grouped)


def test_what_is_missing_follows_from_the_file_and_the_list_alone(tmp_path: Path) -> None:
    """Of two tables with another rare value each, that are released alike, the same is said."""
    found = []
    for name, more in (("one", ("Genf", 79)), ("other", ("Basel", 61))):
        session = opened(tmp_path / name, more)
        session.release.set_seed(3)
        session.release.anonymise(SILENT)
        assert session.release.result is not None
        found.append((session.release.result.outcome.release, lines_of(session)))
    (first, said), (second, too) = found
    same = all(
        dict(zip(first[n].values, first[n].counts.tolist(), strict=True))
        == dict(zip(second[n].values, second[n].counts.tolist(), strict=True))
        for n in first.names
    )
    assert not same or said == too
    assert [one.missing for one in said] == [one.missing for one in too]


def test_where_no_list_is_public_nothing_is_said_to_be_missing(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    session.data.attach_hierarchies(session.data.hierarchy_suggester(("age",))(SILENT))
    session.release.anonymise(SILENT)
    assert {one.missing for one in lines_of(session) if one.column == "age"} == {None}


def test_of_what_has_no_order_and_no_list_it_is_said_which_values_came_out(tmp_path: Path) -> None:
    said = []
    for name, more in (("one", "gout\n"), ("other", "")):
        path = tmp_path / f"{name}.csv"
        path.write_text("ill\n" + "flu\n" * 900 + "cough\n" * 600 + more, encoding="utf-8")
        session = Session(new_project())
        session.data.open(path)
        session.data.attach_hierarchies(session.data.hierarchy_suggester(("ill",))(SILENT))
        session.release.set_seed(5)
        session.release.anonymise(SILENT)
        said.append([one.only for one in lines_of(session)])
        words = missing_words(lines_of(session))
        assert words.startswith("Only these values came out: ill cough, flu")
        stars = [one for one in lines_of(session) if one.words == ANY]
        assert "*" not in words, "what is * says which value to nobody, and is told of all columns in one place"
        assert session.release.result is not None
        assert bool(stars) == bool(session.release.result.starred["ill"])
        assert "all but cough, flu" in [one.missing_words for one in lines_of(session)]
    assert said[0] == said[1], "a person more of whom nothing came out changes nothing"


def test_what_somebody_said_can_occur_is_all_that_can_be_missing(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    session.release.steps.set_said("city", "Bern, Basel")
    session.release.anonymise(SILENT)
    assert not next(one for one in lines_of(session) if one.column == "city").missing


def test_of_words_and_codes_by_a_rule_only_what_was_said_and_did_not_come_out_is_missing(tmp_path: Path) -> None:
    told = []
    for name, more in (("one", "gout,31999\n"), ("other", "")):
        path = tmp_path / f"{name}.csv"
        rows = "flu,12001\n" * 900 + "Cough,12999\n" * 900
        path.write_text(f"ill,postcode\n{rows}{more}", encoding="utf-8")
        session = Session(new_project())
        session.data.open(path)
        session.data.attach_hierarchies(session.data.hierarchy_suggester(("ill", "postcode"))(SILENT))
        session.release.set_seed(5)
        session.release.anonymise(SILENT)
        for ill, postcode, words in (
            ("Flu, cough", "12", ""),
            ("flu, cough, gout", "12000-12999", "No row says ill: gout."),
            (
                "flu, cough",
                "12, 31",
                "postcode is the same in every row: none says 3****.",
            ),
        ):
            session.release.steps.set_said("ill", ill)
            session.release.steps.set_said("postcode", postcode)
            found = missing_words(lines_of(session))
            assert found.startswith(words) and bool(found) == bool(words), (
                "nothing is said to be wrong where all is there"
            )
            told.append(found)
    assert told[:3] == told[3:], "a person more of whom nothing came out changes nothing"


def test_of_numbers_and_dates_that_follow_a_rule_it_is_said_beyond_what_no_row_says_anything(tmp_path: Path) -> None:
    said = []
    for name, more in (("one", "1811-12-31,987654\n"), ("other", "")):
        path = tmp_path / f"{name}.csv"
        rows = (f"{1950 + i % 40}-0{1 + i % 9}-11,{i % 60 * 1000}\n" for i in range(4_000))
        path.write_text("born,pay\n" + "".join(rows) + more, encoding="utf-8")
        session = Session(new_project())
        session.data.open(path)
        session.data.attach_hierarchies(session.data.hierarchy_suggester(("born", "pay"))(SILENT))
        session.release.set_seed(5)
        result = session.release.anonymise(SILENT)
        lines = lines_of(session)
        told = {line.column: line.only for line in lines if line.only}
        assert set(told) == {"born", "pay"}
        for column, labels in told.items():
            coarsest = max(level for level, _, _ in result.outcome.label_counts(column))
            hierarchy = session.project.hierarchies[column]
            assert set(labels) <= {label for level in range(coarsest + 1) for label in hierarchy.labels[level]}
            numbers = [int(number[0]) for label in labels if (number := re.match(r"\d+", label))]
            assert numbers == sorted(numbers), "from low to high"
            assert numbers[0] != 1810 and numbers[-1] < 100_000, "nothing of the one who is alone"
        words = missing_words(lines)
        assert words == "", "no interval between the first and the last is missing, which is no news"
        (pay,) = (line for line in lines if line.only and line.column == "pay")
        missed = replace(pay, only=(pay.only[0], "80000-119999"))
        assert only_line([missed]).startswith("Only these values came out: pay "), "one between them is missing"
        assert any(line.missing_words.startswith("all but ") for line in lines)
        said.append((told, words))
    assert said[0] == said[1], "a person more of whom nothing came out changes nothing"


def test_the_columns_with_most_stars_are_named_first_and_every_number_is_rounded_once(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    result = session.release.anonymise(SILENT)
    some = replace(result, starred={"age": 0.076, "race": 0.2951, "country": 0.2949, "job": 0.06, "sex": 0.04})
    assert starred_words(some) == "* in some rows: race in 30 %, country in 29 %, age in 8 %, job in 6 %", (
        "8 % are not many"
    )
    assert starred_words(some, ("race", "country", "age", "job")) == "", "too few rows to speak of"
    most = replace(result, starred={"age": 0.9588, "race": 0.02})
    assert starred_words(most) == "* in most rows: age in 96 %" and "95.9" not in starred_words(most)
    every = replace(result, starred={"sex": 1.0, "age": 1.0, "job": 0.0})
    assert starred_words(every) == "* in every row: age, sex"
    mixed = replace(result, starred={"age": 1.0, "race": 0.96, "job": 0.0})
    assert starred_words(mixed) == "* in every row: age; * in most rows: race in 96 %"
    less = replace(result, starred={"age": 1.0, "race": 0.3, "job": 0.0})
    assert starred_words(less) == "* in every row: age; * in some rows: race in 30 %"
    both = replace(result, starred={"age": 0.9588, "race": 0.52})
    assert starred_words(both) == "Nearly empty: race is * in 52 % of rows, and the others in more"


def test_words_that_came_out_and_that_nobody_said_can_occur_are_named(tmp_path: Path) -> None:
    told = []
    for name, more in (("one", "gout\n"), ("other", "")):
        path = tmp_path / f"{name}.csv"
        path.write_text("ill\n" + "flu\n" * 900 + "Cough\n" * 900 + more, encoding="utf-8")
        session = Session(new_project())
        session.data.open(path)
        session.data.attach_hierarchies(session.data.hierarchy_suggester(("ill",))(SILENT))
        session.release.set_seed(5)
        session.release.anonymise(SILENT)
        assert not any(one.not_said for one in lines_of(session)), "nothing was said"
        assert session.release.result is not None
        for said, found in (("flu, measles", ("Cough",)), ("FLU, cough", ())):
            lines = came_out(session.release.result, {"ill": entries_of(said)})
            assert [one.not_said for one in lines if one.not_said] == ([found] if found else [])
            assert ("Not among what you said: ill Cough." in missing_words(lines)) is bool(found)
            told.append(missing_words(lines))
    assert told[:2] == told[2:], "a person more of whom nothing came out changes nothing"
