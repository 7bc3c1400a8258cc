"""Whether intervals widen follows from the name of a column and the range that is typed, or from who chooses."""

from __future__ import annotations

import contextlib
import io
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.forging import FILE, NOTE, PAGE
from tests.report.label_releases import exported, rows_of
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.terms import Terms
from workbench.cli.main import main
from workbench.core.building import build_hierarchy
from workbench.core.level_words import level_words
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.io.hierarchy_csv import write_hierarchy
from workbench.project.model import new_project
from workbench.report.column_labels import ColumnLabels
from workbench.report.stated_labels import stated_labels
from workbench.session import Session
from workbench.session.asked_hierarchies import is_asked_of
from workbench.session.finer_edits import take_finer
from workbench.session.interval_widths import (
    is_otherwise,
    widening_names,
    widths_now,
    widths_offered,
    widths_settled,
)
from workbench.session.python.rooms import room_code
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.knowledge import known_columns, say, say_matters_most
from workbench.session.release.leaving_out import foreseen
from workbench.session.release.own_choices import own_choices
from workbench.session.release.said import said_of
from workbench.session.release.wishes import enough_of, least_of, wish_exactly
from workbench.session.suggested_hierarchies import follows_said, known_span

NAMES = ("ward", "charge", "salary", "donated")
WARDS = ("Emergency", "Medicine", "Surgery", "Paediatrics", "Eye clinic")
NOT_TOLD = "Nobody is told how many people there are in the table."


def opened(folder: Path, far: str = "90000") -> Session:
    """People of whom each has a charge, half of them below 500, and nobody said how far that reaches."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [f"{WARDS[i % 5]},{3 * (i % 300) + i % 7 * 400}.5,{20_000 + i % 90 * 500},{i % 400}" for i in range(9000)]
    path = folder / "visits.csv"
    path.write_text("\n".join([",".join(NAMES), *rows, f"Surgery,{far},1,1"]) + "\n", encoding="utf-8")
    session = Session(new_project())
    session.data.open(path)
    session.data.set_role(NAMES, Role.QUASI)
    session.data.attach_hierarchies(session.data.hierarchy_suggester(NAMES)(SILENT))
    return session


def said(session: Session, chosen: dict[str, bool] | None = None, **typed: str) -> None:
    """As the dialog takes over what was typed, and the rules that follow from it."""
    settled = {name: one for name in typed if (one := widths_now(session.project, name)) is not None} | (chosen or {})
    listed = {name: (words, "") for name, words in typed.items()}
    say(session, listed, expected_rows=9000, number_known=False, not_told=NOT_TOLD)
    remade(session, tuple(typed), settled)


def remade(session: Session, names: tuple[str, ...], settled: dict[str, bool]) -> None:
    widening = widening_names(session.project, names, settled)
    other = [
        name for name in names if is_otherwise(session.project, name, widening=name in widening, ruled=name in settled)
    ]
    take_finer(session, session.data.hierarchy_suggester(other, widening)(SILENT))


def first(session: Session, name: str) -> str:
    return level_words(session.project.hierarchies[name], 1, example=False)


def lines(session: Session, name: str) -> tuple[DetailOutlook, ...]:
    found = foreseen(session)
    assert found is not None
    return found.lines(name)


def test_by_name_and_range_charges_widen_and_salaries_do_not_whatever_the_rows_are(tmp_path: Path) -> None:
    for session in (opened(tmp_path / "one"), opened(tmp_path / "other", "7")):
        assert widths_now(session.project, "charge") is None, "nobody could decide yet"
        said(session, charge="0-100000", salary="0-100000")
        assert first(session, "charge") == "10 intervals, widening to 50,000"
        assert first(session, "salary") == "intervals of 500"
        assert widths_now(session.project, "charge") is True and widths_now(session.project, "salary") is False
        assert widths_offered(session.project, "charge") is False and widths_offered(session.project, "salary") is True
        assert widths_offered(session.project, "ward") is None


@pytest.mark.parametrize(
    ("name", "typed", "width"),
    [("points", "0-60000", "5,000"), ("score", "0-30", "2"), ("share", "0-101.5", "10"), ("BMI", "10-60", "2.5")],
)
def test_intervals_suit_the_range_whatever_the_numbers_are_of(
    tmp_path: Path, name: str, typed: str, width: str
) -> None:
    path = tmp_path / "numbers.csv"
    path.write_text("\n".join([name, *(f"{place / 4}" for place in range(4, 400))]) + "\n", encoding="utf-8")
    session = Session(new_project())
    session.data.open(path)
    session.data.set_role((name,), Role.QUASI)
    session.data.attach_hierarchies(session.data.hierarchy_suggester((name,))(SILENT))
    unsaid = session.project.hierarchies[name]
    say(session, {name: (typed, "")}, expected_rows=396, number_known=False, not_told=NOT_TOLD)
    assert follows_said(unsaid, session.project.schema[name], said_of(session.project)[name]), (
        "what was made before is by rule too"
    )
    remade(session, (name,), {})
    assert first(session, name) == f"intervals of {width}"
    assert follows_said(session.project.hierarchies[name], session.project.schema[name], said_of(session.project)[name])


@pytest.mark.parametrize("typed", ["0-900", "5-100000", "0, 100000", "-100-100000"])
def test_of_other_ranges_they_are_equal_unless_somebody_chooses(tmp_path: Path, typed: str) -> None:
    session = opened(tmp_path)
    said(session, charge=typed)
    assert widths_now(session.project, "charge") is not True


def test_what_was_equal_stays_so_whatever_is_said_later(tmp_path: Path) -> None:
    session = opened(tmp_path)
    said(session, {"charge": False}, charge="0-100000", donated="0-5000")
    before = session.project.hierarchies["charge"]
    assert first(session, "charge") == "intervals of 500"
    said(session, charge="0-100000", donated="0-6000")
    assert session.project.hierarchies["charge"] is before
    said(session, charge="0-200000")
    assert first(session, "charge") == "intervals of 1,000", "they end where the range does"
    assert first(session, "donated") == "intervals of 500", "so do those of numbers whose name says nothing"
    remade(session, ("donated",), {"donated": True})
    assert first(session, "donated") == "10 intervals, widening to 5,000", "until somebody chooses otherwise"
    said(session, {"charge": True}, charge="0-1000000")
    assert first(session, "charge") == "10 intervals, widening to 500,000", "also with another range in one step"
    remade(session, ("donated",), {"donated": False})
    assert first(session, "donated") == "intervals of 500"


def test_those_that_widen_follow_the_range_and_go_with_it(tmp_path: Path) -> None:
    session = opened(tmp_path)
    unsaid = session.project.hierarchies["charge"].specification
    said(session, charge="0-100000")
    said(session, charge="0-1000000")
    assert first(session, "charge") == "10 intervals, widening to 500,000"
    said(session, charge="0-10")
    assert first(session, "charge") != "10 intervals, widening to 500,000"
    assert widths_now(session.project, "charge") is False
    other = opened(tmp_path / "other")
    said(other, charge="0-100000")
    said(other, charge="")
    assert other.project.hierarchies["charge"].specification == unsaid


def test_what_somebody_built_or_attached_is_never_made_anew(tmp_path: Path) -> None:
    session = opened(tmp_path)
    plain = json.loads(json.dumps(session.project.hierarchies["charge"].specification))
    plain["details"]["intervals"] = [{"from": 0, "to": 70}, {"from": 70, "to": 900}]
    read = session.data.reading.table["charge"]
    own = build_hierarchy(plain, read.values, read.counts, session.project.schema["charge"])
    session.data.attach_hierarchies({"charge": own})
    said(session, charge="0-100000")
    assert session.project.hierarchies["charge"] is own
    assert widths_offered(session.project, "charge") is None


def test_whoever_says_how_far_it_reaches_has_said_it_of_the_intervals(tmp_path: Path) -> None:
    session = opened(tmp_path)
    said(session, charge="0-100000")
    hierarchy, spec = session.project.hierarchies["charge"], session.project.schema["charge"]
    assert follows_said(hierarchy, spec, ("0-100000",)) and not follows_said(hierarchy, spec, ("0-50000",))
    assert not follows_said(hierarchy, spec, ("0-200000",)) and not follows_said(hierarchy, spec, ())
    assert not is_asked_of(hierarchy, spec, said_of(session.project)["charge"])


def test_a_wish_for_a_level_means_about_as_many_intervals_of_the_other_kind(tmp_path: Path) -> None:
    session = opened(tmp_path)
    said(session, {"charge": False}, charge="0-100000")
    equal = session.project.hierarchies["charge"]
    level = next(one for one in range(equal.height) if level_words(equal, one) == "intervals of 20,000")
    wish_exactly(session, "charge", level)
    remade(session, ("charge",), {"charge": True})
    assert (enough_of(session, "charge"), least_of(session, "charge")) == (2, 2), "4 of those for 5"
    remade(session, ("charge",), {"charge": False})
    back = least_of(session, "charge")
    assert back is not None and enough_of(session, "charge") == back
    assert level_words(session.project.hierarchies["charge"], back) == "intervals of 20,000"


def test_for_9000_people_a_handful_comes_out_and_is_counted_as_it_is(tmp_path: Path) -> None:
    session = opened(tmp_path)
    said(session, charge="0-100000", ward=", ".join(WARDS))
    for name in ("ward", "charge"):
        say_matters_most(session, name, most=True)
    words = lines(session, "charge")[0]
    assert words.detail in ("10 intervals: 0, 100, 200 … 100,000", "4 intervals: 0, 100, 1,000 … 100,000")
    assert words.words in ("10 intervals, widening to 50,000", "4 intervals, widening to 90,000"), "in sentences"
    assert words.rows[0] > 50 and not words.caution
    assert words.cut.startswith("They run from 0 to 100, ")


def test_a_release_says_more_than_one_interval_holds_verifies_and_is_opened_again(tmp_path: Path) -> None:
    session = opened(tmp_path, far="250000")
    said(session, charge="0-100000", ward=", ".join(WARDS))
    for name in ("ward", "charge"):
        say_matters_most(session, name, most=True)
    session.save(tmp_path / "visits.wbench")
    again = Session.from_file(tmp_path / "visits.wbench")
    again.data.open(tmp_path / "visits.csv")
    assert first(again, "charge") == first(session, "charge") and widths_now(again.project, "charge") is True
    assert again.release.chain().vectors == session.release.chain().vectors
    release = exported(session, tmp_path)["release"]
    signed = release["asserted"]
    charge = next(column for column in release["columns"] if column["name"] == "charge")
    listed = charge["hierarchy"]["listed"]
    assert ["20000 to under 50000"] in listed and (listed[0], listed[-1]) == (["<0"], [">100000"])
    assert not {"<0", ">100000"} & set(release["in_no_row"]["charge"]), "nobody said that these occur"
    assert "20000 to under 50000" in release["in_no_row"]["charge"], "a reader is told, as of intervals alike"
    assert "20000 to under 50000" in (tmp_path / PAGE).read_text(encoding="utf-8")
    labels = {row["charge"] for row in rows_of(tmp_path)}
    assert len(labels - {"*"}) > 2, "more than in which interval nearly all lie"
    assert any("“charge” is said to run from 0 to 100,000." in line for line in signed)
    given = ["--statement", str(tmp_path / PAGE), "--metadata", str(tmp_path / NOTE)]
    assert main(["verify", str(tmp_path / FILE), *given]) == 0
    terms = Terms(mechanism=ReleaseMechanism.TRIM, steps=2, balanced=True, occurring=True)
    chosen = own_choices(session, terms, ("ward", "charge"))
    assert "Occurs in charge: 0-100000, widening intervals" in chosen


@pytest.mark.parametrize("typed", ["100-2000", "0.5-3000", "700-2800"])
def test_every_label_of_a_file_is_listed_also_that_of_the_interval_a_range_begins_within(
    tmp_path: Path, typed: str
) -> None:
    session = opened(tmp_path)
    said(session, {"charge": True}, charge=typed, ward=", ".join(WARDS))
    for name in ("ward", "charge"):
        say_matters_most(session, name, most=True)
    release = exported(session, tmp_path)["release"]
    charge = next(column for column in release["columns"] if column["name"] == "charge")
    listed = {label for path in charge["hierarchy"]["listed"] for label in path}
    labels = {row["charge"] for row in rows_of(tmp_path)} - {"*"}
    begin = typed.split("-")[0]
    assert any(label.startswith(f"{begin} to under ") for label in labels | set(release["in_no_row"].get("charge", ())))
    assert len(labels) > 2 and labels <= listed


@pytest.mark.parametrize(("first_said", "made"), [("0-110", "widening"), ("0-500", "widening")])
def test_a_range_that_is_corrected_makes_the_intervals_of_the_right_one(
    tmp_path: Path, first_said: str, made: str
) -> None:
    """Equal ones that follow from a small range are nobody's choice, and those of a wrong one are of no use."""
    session = opened(tmp_path)
    said(session, charge=first_said, salary="0-1000", ward=", ".join(WARDS))
    for name in ("ward", "charge", "salary"):
        say_matters_most(session, name, most=True)
    assert widths_now(session.project, "charge") is False and widths_settled(session.project, "charge") is None
    settled = {name: widths_settled(session.project, name) for name in ("charge", "salary")}
    listed = {"charge": ("0-100000", ""), "salary": ("0-200000", "")}
    say(session, listed, expected_rows=9000, number_known=False, not_told=NOT_TOLD)
    widening = widening_names(session.project, listed, settled)
    assert widening == {"charge"}
    other = [name for name in listed if is_otherwise(session.project, name, widening=name in widening, ruled=True)]
    assert other == ["charge", "salary"]
    take_finer(session, session.data.hierarchy_suggester(other, widening)(SILENT))
    assert made in lines(session, "charge")[0].words
    assert all(known_span(session.project.schema[name], said_of(session.project)[name]) for name in listed)
    assert follows_said(session.project.hierarchies["salary"], session.project.schema["salary"], ("0-200000",))
    assert not any(is_otherwise(session.project, name, widening=name in widening, ruled=True) for name in listed), (
        "and once is enough"
    )


def test_equal_intervals_that_were_chosen_stay_equal_over_another_range(tmp_path: Path) -> None:
    session = opened(tmp_path)
    said(session, {"charge": False}, charge="0-100000")
    assert widths_settled(session.project, "charge") is False
    assert widening_names(session.project, ("charge",), {"charge": False}) == frozenset()


def test_a_file_is_checked_with_the_hierarchies_that_were_exported_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A list of values has the intervals that these are in alone, and no rule: none of its labels may be another."""
    session = opened(tmp_path)
    said(session, {"charge": True}, charge="100-5000", ward=", ".join(WARDS))
    for name in ("ward", "charge"):
        say_matters_most(session, name, most=True)
    exported(session, tmp_path)
    lists = {name: tmp_path / f"{name}_list.csv" for name in ("ward", "charge")}
    for name, path in lists.items():
        write_hierarchy(session.project.hierarchies[name], path)
    given = [f"--hierarchy={name}={path}" for name, path in lists.items()]
    words = ["verify", str(tmp_path / FILE), "--statement", str(tmp_path / PAGE), "--metadata", str(tmp_path / NOTE)]
    assert main([*words, *given]) == 0
    lines = lists["charge"].read_text(encoding="utf-8").splitlines()
    lists["charge"].write_text("\n".join(one.replace(";<100;", ";<55;") for one in lines) + "\n", encoding="utf-8")
    capsys.readouterr()
    assert main([*words, *given]) != 0
    assert "Other labels are stated to be possible in “charge” than its hierarchy has." in capsys.readouterr().out


def test_a_list_that_lacks_the_interval_a_range_begins_within_is_still_that_of_its_rule(tmp_path: Path) -> None:
    session = opened(tmp_path)
    said(session, {"charge": True}, charge="100-5000", ward=", ".join(WARDS))
    hierarchy = session.project.hierarchies["charge"]
    stated = stated_labels(hierarchy, (1,), ("100-5000",))["listed"]
    assert stated[1][0].startswith("100 to under ")

    def holds(paths: list[list[str]]) -> bool:
        labels = ColumnLabels((level_words(hierarchy, 1),), ("100-5000",), listed=tuple(map(tuple, paths)), levels=(1,))
        return labels.is_list_of(hierarchy)

    assert holds(stated) and holds([stated[0], *stated[2:]]), "as statements were made before it was listed"
    assert not holds(stated[:-1]) and not holds([*stated[:2], *stated[3:]])


def test_copied_python_makes_the_same_intervals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = opened(tmp_path)
    said(session, charge="0-100000", ward=", ".join(WARDS))
    monkeypatch.chdir(tmp_path)
    known: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(room_code(session.state.snapshot(), "hierarchies"), "copied", "exec"), known)
    there = known["data"].release(hierarchies=known["hierarchies"])._session.project.hierarchies["charge"]
    mine = session.project.hierarchies["charge"]
    assert there.rows() == mine.rows() and there.provenance is mine.provenance
    assert level_words(there, 1, example=False) == "10 intervals, widening to 50,000"


def test_the_command_line_and_the_library_make_equal_ones_as_before(tmp_path: Path) -> None:
    session = opened(tmp_path)
    say(session, {"charge": ("0-100000", "")}, expected_rows=9000, number_known=False)
    made = session.data.hierarchy_suggester(["charge"])(SILENT)
    assert level_words(made["charge"], 1, example=False) == "intervals of 500"


def test_the_question_says_whether_they_widen_as_the_range_is_typed(tmp_path: Path) -> None:
    session = opened(tmp_path)
    asked = {one.name: one for one in known_columns(session)}
    assert asked["charge"].widening_for("0-100000") is True and asked["charge"].widening_for("€0-100000") is True
    assert asked["charge"].widening_for("0-900") is False and asked["salary"].widening_for("0-100000") is False
    for words in ("", "0-10", "-5-1000", "1, 2, 3", "5", "1.000-2.000", "Basel"):
        assert asked["charge"].widening_for(words) is None, words
    assert asked["ward"].widening_for("0-100000") is None
    read = asked["charge"].range_read
    assert read("0-100000") == "0 to 100,000", "which is in the last interval, and in none of its own"
    cuts = partial(asked["charge"].cuts_read, widening=True)
    assert (cuts("0-100000"), cuts("0-120000"), cuts("a, b")) == ("100, 200, 500, …", "200, 500, 1000, …", "")
    assert read("0-120000") == "0 to 120,000"
