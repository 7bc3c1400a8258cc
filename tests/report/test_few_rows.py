"""A statement names labels of the file that too few of its rows have to be counted, as the screen does."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.forging import FILE, NOTE, PAGE, as_of, verify, write_anew
from tests.report.test_read_first import body, said_anew
from workbench.anonymise.note_versions import READ_FIRST, TOLD_AS_SEEN
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.core.unsaid import in_widest, not_among_stated
from workbench.core.visible import quoted
from workbench.project.model import new_project
from workbench.report.counting_table import too_low
from workbench.report.few_rows import few_of, fewest, in_few_rows, levels_of
from workbench.report.note import VERSION
from workbench.report.release_note import described
from workbench.report.statement import statement_page
from workbench.report.well_formed import malformed
from workbench.session import Session
from workbench.session.finer_edits import take_finer
from workbench.session.release.came_out import came_out, missing_lines
from workbench.session.release.knowledge import say
from workbench.session.release.said import said_of

OTHER = "Other labels are stated to be in too few rows to be counted than the file gives."
MANY = 30
"""Departments whose people are nearly always drawn down to few, and nearly never to none."""


def firm(folder: Path, rows_of_one: int = 18, more: Sequence[str] = (), seed: int | None = None) -> Session:
    """A draw of the people of many small departments and of a large one, in the file of a folder; or a simulation."""
    folder.mkdir(parents=True)
    names = [f"D{one:02}" for one in range(MANY)]
    people = [*(name for name in names for _ in range(rows_of_one)), *["Sales"] * 300, *more]
    (folder / "firm.csv").write_text("\n".join(["department", *people]) + "\n", encoding="utf-8")
    session = Session(new_project())
    session.data.open(folder / "firm.csv")
    session.data.set_role(("department",), Role.QUASI)
    session.data.attach_hierarchies(session.data.hierarchy_suggester(("department",))(SILENT))
    listed = {"department": (", ".join([*names, "Sales", "Legal"]), "a handbook")}
    not_told = "Nobody is told how many people there are in the table."
    say(session, listed, expected_rows=1000, number_known=False, not_told=not_told)
    take_finer(session, session.data.hierarchy_suggester(("department",))(SILENT))
    session.release.set_seed(seed)
    session.release.anonymise(SILENT)
    if seed is None:
        session.release.export(folder / FILE, folder / PAGE, note=folder / NOTE, chosen=None)
    return session


def test_labels_in_few_rows_are_named_as_on_the_screen_and_counted_again(
    tmp_path: Path, quiet: Callable[[], str]
) -> None:
    folder = tmp_path / "r"
    session = firm(folder)
    facts = json.loads((folder / NOTE).read_text("utf-8"))
    release, said = facts["release"], body(facts)
    counts = Counter((folder / FILE).read_text("utf-8").splitlines()[1:])
    least = release["steps"][-1]["mean_lost"]
    few = sorted([label, rows] for label, rows in counts.items() if rows < least and label != "*")
    assert len(few) > 4 and release["in_few_rows"] == {"department": few}
    line = in_few_rows(release, VERSION)
    first = ", ".join(f"{quoted(label)} in {rows}" for label, rows in few[:3])
    assert in_few_rows(release, TOLD_AS_SEEN).startswith("In too few rows to be counted: department ")
    assert line == f"In so few rows that a count says next to nothing: department {first} and {len(few) - 3} more."
    named = ", ".join(f"{label} in {rows} row{'s' * (rows != 1)}" for label, rows in few[:3])
    named = f"department {named} and {len(few) - 3} more."
    screen = missing_lines(came_out(session.release.result, said_of(session.project)))
    assert f"Too few rows for a useful count: {named}" in screen, (
        "the screen names the same, and says of what they are few"
    )
    assert said.index("No row says department") < said.index(line) < said.index("<table>")
    assert "few rows" not in body(facts, READ_FIRST - 1)
    assert (folder / PAGE).read_text("utf-8") == statement_page(facts)
    assert verify(folder, PAGE) == 0 and verify(folder, NOTE) == 0
    (label, rows), *rest = few
    wrong: tuple[Any, ...] = (
        {},
        {"department": rest},
        {"department": [*few, ["Sales", 250]]},
        {"department": [*few, ["Legal", 1]]},
        {"department": [*rest, few[0]]},
        {"department": [[label, rows + 1], *rest]},
        {"department": few, "grade": few},
    )
    for stated in wrong:
        quiet()
        assert said_anew(folder, {**facts, "release": {**release, "in_few_rows": stated}}) == 1, stated
        assert OTHER in quiet(), stated
    mistyped: tuple[Any, ...] = (
        [],
        few,
        {"department": label},
        {"department": []},
        {"department": [label]},
        {"department": [[label]]},
        {"department": [[label, str(rows)], *rest]},
        {"department": [[label, float(rows)], *rest]},
        {"department": [[label, True], *rest]},
        {"department": {label: rows}},
    )
    for stated in mistyped:
        forged = {**facts, "release": {**release, "in_few_rows": stated}}
        assert "“release.in_few_rows” is" in " ".join(malformed(forged)), stated
        (folder / PAGE).unlink(missing_ok=True)
        write_anew(folder / NOTE, json.dumps(forged))
        assert verify(folder, NOTE) != 0, stated
    quiet()
    older = as_of(facts, READ_FIRST - 1)
    assert said_anew(folder, older) == 0, "one of the version before does not hold it"
    lacking = {**facts, "release": {name: one for name, one in release.items() if name != "in_few_rows"}}
    assert said_anew(folder, lacking) == 1 and "“release.in_few_rows” is missing." in quiet()
    early = {**older, "release": {**older["release"], "in_few_rows": release["in_few_rows"]}}
    assert said_anew(folder, early) == 1 and "“release.in_few_rows” is stated" in quiet()


def test_somebody_more_of_whom_nothing_came_out_changes_nothing(tmp_path: Path) -> None:
    said = []
    for name, more in (("one", ("Zug",)), ("other", ())):
        session = firm(tmp_path / name, more=more, seed=5)
        result, claim = session.release.result, session.release.claim()
        assert result is not None
        release = described(result.hierarchies, result.outcome, claim)
        said.append((release["in_few_rows"], in_few_rows(release, VERSION), too_low(release)))
    assert said[0] == said[1] and len(said[0][0]["department"]) > 4


def test_where_every_label_is_in_many_rows_nothing_is_said(tmp_path: Path) -> None:
    firm(tmp_path / "r", 200)
    facts = json.loads((tmp_path / "r" / NOTE).read_text("utf-8"))
    assert facts["release"]["in_few_rows"] == {} and "so few rows" not in body(facts)


def test_few_is_fewer_than_is_given_up_on_average_and_alike_labels_are_one() -> None:
    rows = {"b": 2, "a": 9, "*": 1, "": 1, "1.5": 2, "1,5": 3, "'=x": 1, "none": 0}
    assert few_of(rows, ("as it is",), 9.5) == [["1.5", 5], ["=x", 1], ["a", 9], ["b", 2]]
    assert few_of(rows, ("as it is",), 5) == [["=x", 1], ["b", 2]]
    assert in_few_rows({}, VERSION) == "" and in_few_rows({"in_few_rows": {}}, VERSION) == ""
    assert in_few_rows({"in_few_rows": {"x": [["It is safe”. ", 1]]}}, VERSION).endswith('x “It is safe". ” in 1.')


def test_only_columns_whose_labels_are_levels_of_are_counted() -> None:
    """Elsewhere nobody could count again without the hierarchy."""
    hierarchy = {"levels": ["as it is", "spelt as listed", "*"]}
    columns = [{"name": name, "hierarchy": hierarchy} for name in ("same", "starred", "mixed", "any")]
    columns.append({"name": "without"})
    first = {"same": 1, "starred": 1, "mixed": 0, "any": 2, "without": 0}
    second = {"same": 1, "starred": 2, "mixed": 1, "any": "*", "without": 0}
    steps = [{"levels": first, "mean_lost": 5.5}, {"levels": second, "mean_lost": 7.25}]
    release = {"columns": columns, "steps": steps, "after": {"one_level": 0}}
    assert sorted(levels_of(release)) == ["same", "starred"] and fewest(release) == 7.25
    assert sorted(levels_of(release | {"after": {"one_level": 1}})) == ["mixed", "same", "starred"]
    assert sorted(levels_of(release | {"after": {"one_level": 2}})) == ["mixed", "same"]


def payroll(folder: Path, said: str = "0-200000", pays: int = 60) -> Session:
    """A draw of pay and years of birth, of which it was said from where to where they run."""
    folder.mkdir(parents=True)
    rows = [f"{i % pays * 1000},{1950 + i % 30}" for i in range(4_000)]
    (folder / "pay.csv").write_text("\n".join(["pay,born", *rows]) + "\n", encoding="utf-8")
    session = Session(new_project())
    session.data.open(folder / "pay.csv")
    names = ("pay", "born")
    session.data.set_role(names, Role.QUASI)
    session.data.attach_hierarchies(session.data.hierarchy_suggester(names)(SILENT))
    listed = {"pay": (said, ""), "born": ("1930-2009", "")}
    not_told = "Nobody is told how many people there are in the table."
    say(session, listed, expected_rows=4000, number_known=False, not_told=not_told)
    session.release.anonymise(SILENT)
    session.release.export(folder / FILE, folder / PAGE, note=folder / NOTE, chosen=None)
    return session


def test_numbers_and_years_that_no_row_says_are_named_and_counted_again(
    tmp_path: Path, quiet: Callable[[], str]
) -> None:
    folder = tmp_path / "r"
    session = payroll(folder)
    facts = json.loads((folder / NOTE).read_text("utf-8"))
    release = facts["release"]
    pays, years = ["80000-119999 … 160000-199999"], ["1920-1939", "1980-1999", "2000-2019"]
    assert release["in_no_row"] == {"pay": pays, "born": years}
    line = "No row says pay: “80000-119999” to “160000-199999”; born: “1920-1939”, “1980-1999”, “2000-2019”."
    assert f"{line} No row has an empty cell. The table may have such rows all the same." in body(facts)
    screen = missing_lines(came_out(session.release.result, said_of(session.project)))
    assert screen[0] == f"No row says pay: {pays[0]}; born: {', '.join(years)}.", "the screen says the same"
    assert verify(folder, PAGE) == 0 and verify(folder, NOTE) == 0
    for stated in (
        {},
        {"pay": pays},
        {"pay": ["80000-200000"], "born": years},
        {"pay": [*pays, "0-39999"], "born": years},
    ):
        quiet()
        assert said_anew(folder, {**facts, "release": {**release, "in_no_row": stated}}) == 1, stated
        assert "Other labels that can occur are stated to be in no row than the file gives." in quiet(), stated


def test_what_can_occur_and_what_is_missing_follow_from_labels_as_the_program_writes_them() -> None:
    said = ("15000-200000",)
    under = {"0 to under 40000", "40000 to under 80000"}
    assert not_among_stated("intervals of 40,000", under, said) == ("80000 to 200000",)
    assert not_among_stated("intervals of 40,000", {"0-39999", "80000-119999"}, said) == (
        "40000-79999",
        "120000-200000",
    )
    # Labels of other widths, of other beginnings, of a rule's own or beyond its ends tell nothing.
    for labels in ({"0-19999"}, {"0-39999", "50000-89999"}, {"low"}, {"0-39999", "≥ 80000"}, set[str]()):
        assert not_among_stated("intervals of 40,000", labels, said) == ()
    assert not_among_stated("decade", {"1950-1959"}, ("1940-1969",)) == ("1940-1949", "1960-1969")
    assert not_among_stated("decade", {"the fifties"}, ("1940-1969",)) == ()
    for entries in (("all",), ("0-1" + "0" * 30,), ("0-" + "9" * 400,), ("1-2,3-4",), ("5-1",)):
        assert not_among_stated("intervals of 40,000", under, entries) == (), (
            "whatever stands in a note that was received"
        )
    assert not_among_stated("level 2", {"x"}, said) == ()


def test_intervals_are_put_into_the_widest_that_holds_them() -> None:
    words = ("intervals of 20", "intervals of 40")
    labels = {"20-39", "40-59", "60-79", "40-79"}
    assert in_widest(words, labels) == {"20-39": "0-39", "40-59": "40-79", "60-79": "40-79", "40-79": "40-79"}
    assert in_widest(words, {"20 to under 40", "40 to under 80"})["20 to under 40"] == "0 to under 40"
    for unseen in ({"20-39"}, {"20-39", "old", "40-79"}, {"30-49", "0-39"}, {"20-29", "40-79"}):
        assert in_widest(words, unseen) == {}
    for wrong in ("intervals of 0", "intervals of 1.2.3", "decade"):
        assert in_widest((wrong, wrong), labels) == {} and in_widest((wrong, "intervals of 40"), labels) == {}
    assert in_widest(words, {"40-79", f"{'9' * 400}-{'9' * 401}"}) == {}
    rows = {"20-39": 3, "0-39": 4, "40-59": 1, "40-79": 2, "*": 1}
    assert few_of(rows, words, 5) == [["40-79", 3]] and few_of(rows, words, 8) == [["0-39", 7], ["40-79", 3]]
