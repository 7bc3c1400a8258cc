"""What is done to released rows after the draw: it follows from them alone, readers are told, and verify counts it."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from workbench.anonymise.after_draw import AfterDraw
from workbench.anonymise.recipe import ColumnPlan, Treatment
from workbench.anonymise.terms import BY_DATA
from workbench.anonymise.trim_recipe import TrimRecipe, TrimStep
from workbench.anonymise.trimming import TrimOutcome, trim
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.level_words import can_be_stated, stated_words
from workbench.core.progress import SILENT
from workbench.core.randomness import source_for
from workbench.core.table import Column, Table
from workbench.project.model import new_project
from workbench.report.html_report import html_of
from workbench.session import Session
from workbench.session.release.steps import LevelSource
from workbench.session.release_subject import SpreadsheetCounts, subject_of

_AGES = Hierarchy.from_rows([[str(age), f"{age // 10 * 10}s", ANY] for age in range(20, 40)], origin="typed")
_JOBS = Hierarchy.from_rows([["cook", ANY], ["clerk", ANY]], origin="typed")


def drawn(rows: list[tuple[str, str]], seed: int, **changes: Any) -> TrimOutcome:
    """A release of ages and jobs in three steps, of which only the last has `*` ages."""
    columns = ("age", "job")
    table = Table(tuple(Column.from_texts(name, [row[place] for row in rows]) for place, name in enumerate(columns)))
    half, tenth = Fraction(3), Fraction(1, 10)
    steps = [TrimStep({"age": age, "job": job}, half, tenth) for age, job in ((0, 0), (1, 0), (1, 1))]
    plans = tuple(ColumnPlan(name, Treatment.GENERALISE) for name in ("age", "job"))
    recipe = TrimRecipe(plans, tuple(steps), **changes)
    return trim(table, recipe, {"age": _AGES, "job": _JOBS}, source_for(seed))


ROWS = [(str(20 + n % 13), ("cook", "clerk")[n % 3 == 0]) for n in range(120)]


def lines(table: Table) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(column.texts() for column in table.columns), strict=True))


def test_at_one_level_every_released_row_has_its_coarser_labels() -> None:
    outcome = drawn(ROWS, 1)
    step = outcome.last_step
    raised = outcome.done_to(AfterDraw(one_level=step)).written()
    assert raised.names == ("age", "job") and raised.rows == outcome.rows_out
    jobs = (lambda job: ANY) if step == 3 else (lambda job: job)
    by_hand = Counter(
        (age if age == ANY or age.endswith("s") else f"{int(age) // 10 * 10}s", jobs(job))
        for age, job in lines(outcome.release).elements()
    )
    assert lines(raised) == by_hand


def test_a_column_left_out_leaves_the_others_as_they_were_released() -> None:
    outcome = drawn(ROWS, 2)
    without = outcome.done_to(AfterDraw(("job",))).written()
    assert lines(without) == Counter((age,) for age, _ in lines(outcome.release).elements())
    counted = drawn(ROWS, 2, count_column="rows").done_to(AfterDraw(("job",))).written()
    assert {age: int(rows) for age, rows in lines(counted)} == {age: rows for (age,), rows in lines(without).items()}


def test_a_step_column_that_is_added_is_what_a_draw_with_it_would_hold() -> None:
    added = drawn(ROWS, 3).done_to(AfterDraw(step_column="step")).written()
    assert lines(added) == lines(drawn(ROWS, 3, step_column="step").release)


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (AfterDraw(("salary",)), "no column of the release"),
        (AfterDraw(("age", "job")), "nothing would be left"),
        (AfterDraw(step_column="job"), "already"),
        (AfterDraw(one_level=4), "no step 4"),
    ],
)
def test_what_cannot_be_done_is_refused(after: AfterDraw, words: str) -> None:
    with pytest.raises(WorkbenchError, match=words):
        drawn(ROWS, 4).done_to(after)


def test_nothing_more_is_told_of_two_tables_that_differ_by_a_person() -> None:
    """Whatever two tables release alike, they give alike afterwards: all outcomes of small ones are gone through."""
    tables = [[("20", "cook")] * many for many in (3, 4)]
    for after in (AfterDraw(("job",)), AfterDraw(one_level=3), AfterDraw(("age",), 3), AfterDraw(step_column="step")):
        seen: dict[tuple[int, ...], set[tuple[Any, ...]]] = {}
        for rows, seed in product(tables, range(60)):
            outcome = drawn(rows, seed)
            if outcome.rows_out == 0 or (after.one_level and outcome.last_step > after.one_level):
                continue
            file = outcome.done_to(after).written()
            told = file.names, tuple(column.values for column in file.columns), tuple(sorted(lines(file).items()))
            seen.setdefault(outcome.rows_of_steps, set()).add(told)
        assert len(seen) > 3 and all(len(told) == 1 for told in seen.values())


# A file, its statement and its note


@pytest.fixture
def session(tmp_path: Path) -> Session:
    rows = "".join(
        f"{('cook', 'clerk')[n % 2]},{1_000 * (n % 40)},{2001 + n % 20}-0{1 + n % 9}-11\n" for n in range(400)
    )
    (tmp_path / "staff.csv").write_text(f"job,pay,since\n{rows}", encoding="utf-8")
    session = Session(new_project())
    session.data.open(tmp_path / "staff.csv")
    session.data.attach_hierarchies(session.data.hierarchy_suggester(session.project.schema.names)(SILENT))
    session.release.anonymise()
    return session


def export(session: Session, folder: Path) -> tuple[Path, Path, Path]:
    file, page, note = folder / "out.csv", folder / "out.html", folder / "out.json"
    session.release.export(file, page, note=note, chosen=None)
    return file, page, note


def accepted(file: Path, given: Path, *more: str) -> bool:
    return main(["verify", str(file), "--statement", str(given), *more]) == 0


def test_the_statement_tells_what_was_done_and_verify_counts_it(session: Session, tmp_path: Path) -> None:
    result = session.release.current_result()
    session.release.write_otherwise(result, left_out=["job"], one_level=True)
    claim = session.release.current_claim()
    assert any("left out after the draw" in line and "reveal nothing more" in line for line in claim.checked)
    assert claim.asserted[-1].endswith("was decided by the released rows alone, or without any data.")
    file, page, note = export(session, tmp_path)
    words = page.read_text("utf-8")
    assert "left out after the draw (was:" in words and "Rows that are alike without “job” can be of several" in words
    assert "side by side" not in words
    facts = json.loads(note.read_text("utf-8"))["release"]
    assert [one["name"] for one in facts["after"]["left_out"]] == ["job"] and facts["mixed_levels"] is False
    with file.open(encoding="utf-8", newline="") as lines_of:
        assert next(csv.reader(lines_of)) == ["pay", "since"]
    assert accepted(file, page) and accepted(file, note)
    assert accepted(file, page, "--original", str(tmp_path / "staff.csv"))


@pytest.mark.parametrize("name", ["job", "pay", "since"])
def test_any_column_can_be_left_out_whatever_is_asserted_of_the_others(
    session: Session, tmp_path: Path, name: str
) -> None:
    for column, hierarchy in session.project.hierarchies.items():
        session.data.attach_hierarchy(column, replace(hierarchy, specification=None))
    result = session.release.draw_again()
    session.release.choose(result.draw, True)
    session.release.write_otherwise(result, left_out=[name])
    assert any(line.endswith("job, pay, since.") for line in session.release.current_claim().asserted)
    file, page, note = export(session, tmp_path)
    assert accepted(file, page) and accepted(file, note)


def test_who_let_the_data_decide_can_still_leave_a_column_out(session: Session, tmp_path: Path, capsys: Any) -> None:
    result = session.release.current_result()
    session.release.say(result.draw, [BY_DATA])
    session.release.write_otherwise(result, left_out=["job"], one_level=True)
    file, page, note = tmp_path / "g.csv", tmp_path / "g.html", tmp_path / "g.json"
    session.release.export(file, page, note=note, without_claim=True, chosen=None)
    assert accepted(file, page) and accepted(file, note)
    assert "What to do: Ask the publisher which choices the data decided" in capsys.readouterr().out


def test_what_levels_are_called_is_the_same_whatever_values_a_hierarchy_lists() -> None:
    spec = session_hierarchies(["2001-02-03", "2002-05-06"]), session_hierarchies(["2001-02-03", "2011-05-06"])
    one, other = ([stated_words(found, level) for level in range(found.height + 1)] for found in spec)
    assert one == other and one[0] == "as it is" and "year" in one
    typed = [Hierarchy.from_rows([[value, "a", ANY] for value in values]) for values in (["x"], ["x", "y"])]
    assert [stated_words(found, 1) for found in typed] == ["level 1", "level 1"]
    assert all(can_be_stated(words, level) for level, words in enumerate(one))
    assert not can_be_stated("approved", 1) and not can_be_stated("as it is", 1) and not can_be_stated(3, 1)


def session_hierarchies(dates: list[str]) -> Hierarchy:
    """The hierarchy that the program suggests for a column of these dates."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "d.csv").write_text("since\n" + "\n".join(dates * 20) + "\n", encoding="utf-8")
        session = Session(new_project())
        session.data.open(Path(folder) / "d.csv")
        session.data.attach_hierarchies(session.data.hierarchy_suggester(("since",))(SILENT))
        return session.project.hierarchies["since"]


def test_one_draw_can_leave_in_two_forms_and_costs_once(session: Session, tmp_path: Path) -> None:
    entries = len(session.ledger.current.entries)
    result = session.release.current_result()
    for place, wanted in enumerate(({}, {"one_level": True}, {"left_out": ["job"]})):
        session.release.write_otherwise(result, **wanted)
        (tmp_path / str(place)).mkdir()
        file, page, _ = export(session, tmp_path / str(place))
        assert accepted(file, page)
    assert len(session.ledger.current.entries) == entries


def test_before_a_draw_is_written_otherwise_its_statement_can_be_read(session: Session) -> None:
    before = subject_of(session, SpreadsheetCounts())
    session.release.write_otherwise(session.release.current_result(), one_level=True)
    after = subject_of(session, SpreadsheetCounts())
    assert before is not None and after is not None and before.body != after.body and len(after.asserted) == 5


def test_levels_are_named_by_words_that_follow_from_rules(session: Session, tmp_path: Path) -> None:
    session.release.steps.set_source(LevelSource.STEPS)
    session.release.anonymise()
    _file, page, note = export(session, tmp_path)
    columns = json.loads(note.read_text("utf-8"))["release"]["columns"]
    since = next(one for one in columns if one["name"] == "since")
    assert since["hierarchy"]["levels"][0] == "as it is" and "year" in since["hierarchy"]["levels"]
    words = page.read_text("utf-8")
    assert not re.search(r"level \d+ of 5\b", words) and "Bring every label to its level at the last step" in words


@pytest.mark.parametrize(
    "forge",
    [
        lambda release: release["after"].update(left_out=[]),
        lambda release: release["after"].update(one_level=0),
        lambda release: release["after"].update(one_level=True),
        lambda release: release["after"].update(one_level=9),
        lambda release: release["after"].update(one_level=-1),
        lambda release: release["after"].update(why="it is safe"),
        lambda release: release["after"]["left_out"].append(release["after"]["left_out"][0]),
        lambda release: release["after"]["left_out"][0].update(name="pay"),
        lambda release: release["after"]["left_out"][0].update(grouped=False),
        lambda release: release["after"]["left_out"][0]["hierarchy"].update(provenance="data-derived"),
        lambda release: release["after"]["left_out"].append(release["columns"].pop()),
        lambda release: release["columns"][0]["hierarchy"]["levels"].reverse(),
        lambda release: release["columns"][0]["hierarchy"]["levels"].__setitem__(1, "approved by the regulator"),
        lambda release: release["columns"][0]["hierarchy"].pop("levels"),
        lambda release: release.pop("after"),
        lambda release: release["asserted"].pop(),
        lambda release: release.update(mixed_levels=True),
        lambda release: release.update(step_column="step"),
    ],
)
def test_a_forged_note_is_refused(session: Session, tmp_path: Path, forge: Callable[[dict[str, Any]], object]) -> None:
    session.release.write_otherwise(session.release.current_result(), left_out=["job"], one_level=True)
    file, _page, note = export(session, tmp_path)
    facts = json.loads(note.read_text("utf-8"))
    forge(facts["release"])
    note.write_text(json.dumps(facts), encoding="utf-8")
    (tmp_path / "out.html").unlink()
    assert not accepted(file, note)


def test_the_command_leaves_columns_out_after_the_draw(session: Session, tmp_path: Path, capsys: Any) -> None:
    hierarchy = tmp_path / "job.csv"
    hierarchy.write_text("cook,*\nclerk,*\n", encoding="utf-8")
    file, page = tmp_path / "o.csv", tmp_path / "o.html"
    wanted = ["anonymise", str(tmp_path / "staff.csv"), "--hierarchy", f"job={hierarchy}", "--group", "pay"]
    wanted += ["--out", str(file), "--statement", str(page), "--steps", "balanced", "--json"]
    assert main([*wanted, "--leave-out-after", "salary"]) != 0 and not file.exists()
    capsys.readouterr()
    assert main([*wanted, "--leave-out-after", "job", "--one-level", "--epsilon", "3"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["left_out_after"] == ["job"] and answer["one_level"] > 0 and list(answer["labels_out"]) == ["pay"]
    assert file.read_text("utf-8").splitlines()[0] == "pay"
    assert accepted(file, page)


def test_at_one_level_readers_count_rows_as_they_stand(session: Session, tmp_path: Path) -> None:
    session.release.write_otherwise(session.release.current_result(), one_level=True)
    file, page, _ = export(session, tmp_path)
    words = page.read_text("utf-8")
    assert "stand at one level" in words and "side by side" not in words and "No finer count" not in words
    assert accepted(file, page)


def test_with_models_nothing_is_done_after_a_draw(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "d.csv").write_text("job\ncook\ncook\n", encoding="utf-8")
    wanted = [
        "anonymise",
        str(tmp_path / "d.csv"),
        "--group",
        "job",
        "--model",
        "k=2",
        "--out",
        str(tmp_path / "o.csv"),
    ]
    assert main([*wanted, "--one-level"]) != 0
    assert "--one-level belongs to (ε, δ) releases" in capsys.readouterr().err


def test_a_report_tells_of_the_file_as_it_is_written(session: Session, tmp_path: Path) -> None:
    result = session.release.current_result()
    session.release.write_otherwise(result, left_out=["job"], one_level=True)
    export(session, tmp_path)
    page = html_of(session.reports.maker()(SILENT).release)
    assert "left out of the file after the draw" in page and "2 columns" in page and "cook" not in page
