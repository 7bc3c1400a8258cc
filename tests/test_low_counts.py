"""Labels whose counts are far too low: told beside a file as in its statement, and from its rows alone."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from workbench.anonymise.balanced import Importance
from workbench.anonymise.released_lines import ReleasedLines
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit, Role
from workbench.project.model import new_project
from workbench.report.counting_by_label import counts_by_label, numbers_by_label
from workbench.report.far_too_low import in_few_groups
from workbench.report.note import VERSION
from workbench.report.release_note import described
from workbench.session import Session
from workbench.session.release.low_counts import halved_line, low_counts
from workbench.session.release.steps import LevelSource

WARDS, ILLS = ("A1", "A2", "C1", "D1"), tuple(f"I{number:02}" for number in range(12))


def drawn(path: Path, rows_of: dict[tuple[str, str], int]) -> Session:
    """A draw of so many patients of each ward with each illness, of which the ward becomes `*` first."""
    lines = "".join(f"{ward},{ill}\n" * rows for (ward, ill), rows in rows_of.items())
    path.write_text(f"ward,illness\n{lines}", encoding="utf-8")
    session = Session(new_project())
    session.data.open(path)
    session.data.set_unit(PrivacyUnit())
    session.data.set_role(("ward", "illness"), Role.QUASI)
    session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=8_000))
    for name, values in (("ward", WARDS), ("illness", ILLS)):
        session.release.steps.set_said(name, ", ".join(values))
    session.data.attach_hierarchies(session.data.hierarchy_suggester(["ward", "illness"])(SILENT))
    session.release.steps.set_importance("ward", Importance.GIVE_UP)
    session.release.steps.set_source(LevelSource.BALANCED)
    session.release.anonymise()
    return session


def told(session: Session, purpose: Collection[str] = (), *, stated: bool = True) -> tuple[str, ...]:
    release = session.release
    written = replace(release.current_result(), outcome=release.as_written(release.current_result()))
    return low_counts(written, release.current_claim(), purpose, stated=stated)


def test_a_label_of_which_more_was_given_up_than_came_out_is_named_with_the_numbers_of_the_statement(
    tmp_path: Path,
) -> None:
    every = {(ward, ill): 200 for ward in WARDS[:3] for ill in ILLS}
    session = drawn(tmp_path / "some.csv", {**every, **{("D1", ill): 40 for ill in ILLS}})
    (line,) = (one for one in told(session) if "came out" in one)
    named = re.fullmatch(r"Many are missing: ward D1 \((\d+) of about (\d+) or more came out\)\.", line)
    assert named is not None, line
    result, claim = session.release.current_result(), session.release.current_claim()
    stated = described(result.hierarchies, session.release.as_written(result), claim)
    (row,) = re.findall("<td>D1</td>.*?</tr>|<td>D1 .*?</tr>", counts_by_label(stated, VERSION))
    assert re.search(rf">{named[1]}<.*>{named[2]}\b", row), "both numbers stand in the statement"
    written = replace(result, outcome=session.release.as_written(result))
    assert halved_line(written, claim) == line, "beside the draw, before it leaves, too"
    assert not halved_line(written, None)
    many = told(drawn(tmp_path / "many.csv", {**every, **{("D1", ill): 200 for ill in ILLS}}))
    assert len(many) == 1 and many[0].startswith("Percentages "), "of each more came out than was given up"


def test_what_the_statement_says_of_few_groups_is_said_beside_the_file_too(tmp_path: Path) -> None:
    every = {(ward, ill): 200 for ward in WARDS[:3] for ill in ILLS}
    session = drawn(tmp_path / "few.csv", {**every, ("D1", ILLS[0]): 100})
    release = session.release
    result, claim = release.current_result(), release.current_claim()
    stated = in_few_groups(described(result.hierarchies, release.as_written(result), claim))
    assert stated.endswith(": ward “D1” in 1 of 12 groups.")
    few = "May be far too low, as most of its groups are missing: ward D1 (1 of 12)."
    assert few in told(session)
    assert low_counts(result, None) == (), "where nothing is promised the statement counts nothing"


def test_percentages_are_said_to_be_wrong_with_the_smallest_group_of_the_file_as_the_example(tmp_path: Path) -> None:
    """Of any table, with numbers or without; what is named stands in the file, and of large groups none is."""
    every = {(ward, ill): 200 for ward in WARDS for ill in ILLS}
    session = drawn(tmp_path / "small.csv", {**every, ("C1", "I03"): 110})
    result = session.release.current_result()
    lines = session.release.as_written(result).written_lines[0]
    whole = [place for place in range(len(lines.sizes)) if "*" not in _labels(lines, place)]
    smallest = min(whole, key=lambda place: lines.sizes[place])
    wrong = "Percentages from it are wrong, most for small groups"
    named = f"{wrong} such as {', '.join(_labels(lines, smallest))}"
    _has_an_example(session, named)
    assert told(session, stated=False)[0] == f"{named}.", "there is no statement that says how"
    large = drawn(tmp_path / "large.csv", {(ward, ill): 3_000 for ward in WARDS for ill in ILLS})
    _has_an_example(large, wrong)  # no group is small


def _has_an_example(session: Session, wrong: str) -> None:
    """What is said ends with one of the numbers that the statement lists."""
    told_of = re.fullmatch(r"(.*): report how many by label, as the statement lists them \((.*)\)\.", told(session)[0])
    assert told_of is not None and told_of[1] == wrong
    release = session.release
    result, claim = release.current_result(), release.current_claim()
    stated = described(result.hierarchies, release.as_written(result), claim)
    listed = {f"{one.column} “{one.label}”: {one.told:,}" for one in numbers_by_label(stated, VERSION) if not one.mark}
    assert told_of[2] in listed


def _labels(lines: ReleasedLines, place: int) -> list[str]:
    return [labels[codes[place]] for labels, codes in zip(lines.labels, lines.codes, strict=True)]


def test_means_are_the_first_to_be_said_of_where_numbers_are_what_a_file_is_for(tmp_path: Path) -> None:
    path = tmp_path / "fees.csv"
    path.write_text("ward,fee\n" + "".join(f"{ward},{fee}\n" * 200 for ward in WARDS for fee in range(8)), "utf-8")
    session = Session(new_project())
    session.data.open(path)
    session.data.set_unit(PrivacyUnit())
    session.data.set_role(("ward", "fee"), Role.QUASI)
    session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=6_000))
    session.release.steps.set_said("ward", ", ".join(WARDS))
    session.release.steps.set_said("fee", "0-7")
    session.data.attach_hierarchies(session.data.hierarchy_suggester(["ward", "fee"])(SILENT))
    session.release.steps.set_source(LevelSource.BALANCED)
    session.release.anonymise()
    means = "Do not report means of fee, also not by ward."
    assert [told(session).index(means), told(session, ["fee"]).index(means)] == [1, 0]
    assert told(session, ["ward"])[:2] == told(session)[:2]
