"""The figures of a file that its statement names: they are of the released rows, and `verify` counts them again."""

from __future__ import annotations

import csv
import json
import math
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from workbench.anonymise.after_draw import AfterDraw
from workbench.anonymise.note_versions import READ_FIRST
from workbench.anonymise.reasons import Reason
from workbench.anonymise.trimming import TrimOutcome
from workbench.cli.main import main
from workbench.core.building import build_hierarchy, specification
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.level_words import can_be_stated, stated_words
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit
from workbench.project.model import new_project
from workbench.project.trim_settings import StepsBy
from workbench.report.note import VERSION, facts_of
from workbench.report.release_figures import figures_of
from workbench.report.release_note import described
from workbench.report.statement import statement_body, statement_page
from workbench.session import Session

YEARS = Hierarchy.from_rows([(str(year), f"{year // 5 * 5}s", ANY) for year in range(2000, 2010)])
ILL = Hierarchy.from_rows([(name, ANY) for name in ("allergy", "asthma", "none", "")])


def drawn(folder: Path) -> Session:
    """Pupils of whom some told nothing, in steps at the second of which the diagnosis is `*`."""
    folder.mkdir()
    names = ("none", "none", "none", "allergy", "asthma", "allergy", "")
    rows = "".join(f"{2000 + i % 10},{names[i % 7]}\n" for i in range(6_000))
    (folder / "pupils.csv").write_text("born,diagnosis\n" + rows, encoding="utf-8")
    session = Session(new_project())
    session.data.open(folder / "pupils.csv")
    session.data.set_missing(["diagnosis"], [""])
    for name, hierarchy in (("born", YEARS), ("diagnosis", ILL)):
        session.data.attach_hierarchy(name, hierarchy)
    trim = session.project.anonymise.trim
    session.release.set_trimming(
        replace(
            trim,
            steps=StepsBy.TYPED,
            vectors=({"born": 0, "diagnosis": 0}, {"born": 1, "diagnosis": 1}),
            expected_rows=None,
        )
    )
    session.release.anonymise(SILENT)
    return session


def outcome_of(session: Session) -> TrimOutcome:
    result = session.release.current_result()
    assert isinstance(result.outcome, TrimOutcome)
    return result.outcome


def note_of(session: Session, outcome: TrimOutcome | None = None) -> dict[str, Any]:
    result = session.release.current_result()
    return described(result.hierarchies, outcome or outcome_of(session), session.release.current_claim())


def lines_of(outcome: TrimOutcome) -> list[tuple[str, ...]]:
    table = outcome.written()
    return list(zip(*(table[name].texts() for name in table.names), strict=True))


def test_the_group_that_is_shown_is_in_the_file_and_always_keeps_a_row(tmp_path: Path) -> None:
    session = drawn(tmp_path / "in")
    outcome, note = outcome_of(session), note_of(session)
    rows, names = lines_of(outcome), outcome.release.names
    worked, step = note["worked"], note["steps"][0]
    shown = tuple(worked["labels"][name] for name in names)
    assert ANY not in shown and "" not in shown, "it says most"
    assert worked["rows"] == rows.count(shown) >= step["always_survive"]
    place = names.index("diagnosis")
    assert note["stars"].get("diagnosis", 0) == sum(row[place] == ANY for row in rows)
    assert note["blank"]["diagnosis"] == sum(row[place] == "" for row in rows) > 0
    said = statement_body(facts_of(note))
    about = math.floor(worked["rows"] + step["mean_lost"])  # told so that sums with it are no larger
    assert f"{worked['rows']:,} rows in the file, so about {about:,} in the table, and from" in said
    assert "An empty cell stands for a missing value" in said and "such as a very high income" not in said
    first, second = (
        said.index("To count by all columns at once, take only"),
        said.index("With coarser labels: bring every label"),
    )
    assert first < second, "what keeps every column leads"
    assert "Group by group" not in said, "that is said already"
    earlier = statement_body({**facts_of(note), "version": 10})
    assert "Group by group" not in earlier and "rows in the file, about" not in earlier


@pytest.mark.parametrize("most", [1, 2])
def test_where_not_all_rows_took_part_counts_are_said_to_be_of_those(tmp_path: Path, most: int) -> None:
    (tmp_path / "stays.csv").write_text(
        "patient,born\n" + "".join(f"{i % 3_000},{2000 + i % 10}\n" for i in range(9_000)), encoding="utf-8"
    )
    session = Session(new_project())
    session.data.open(tmp_path / "stays.csv")
    session.data.set_unit(PrivacyUnit(most, "patient"))
    session.data.attach_hierarchy("born", YEARS)
    trim = replace(session.project.anonymise.trim, steps=StepsBy.TYPED, vectors=({"born": 0},), expected_rows=None)
    session.release.set_trimming(trim)
    session.release.anonymise(SILENT)
    note = note_of(session)
    assert note["terms"]["limited_by"] == "patient" and note["worked"]
    said = unescape(statement_body(facts_of(note)))
    each, takes = ("one row", "one takes part") if most == 1 else ("2 rows", "2 take part")
    whose = f"ot all rows of the table took part: of each person at most {each}. All counts are of rows"
    chosen = f"f each person at most {each} took part, chosen at random by the program, so further rows"
    assert chosen in said and "It may be that not all rows" not in said, (
        "nothing public tells whether somebody had more"
    )
    earlier = unescape(statement_body({**facts_of(note), "version": READ_FIRST - 1}))
    assert f"It may be that n{whose}" in earlier and chosen not in earlier
    assert f"N{whose}" in unescape(statement_body({**facts_of(note), "version": 12}))
    lost = note["steps"][0]["mean_lost"]
    about, nearest = (by(note["worked"]["rows"] + lost) for by in (math.floor, round))
    assert f"about {about:,} of those that took part, and from" in said
    at_first = unescape(statement_body({**facts_of(note), "version": READ_FIRST}))
    assert f"about {nearest:,} of those that took part, with a standard deviation of" in at_first
    assert f"adding or removing one person with all their rows, of which at most {takes}" in said
    assert "took part: of each" not in unescape(statement_body({**facts_of(note), "version": 11}))
    # Where nothing is promised, which rows took part is not told.
    claim = replace(session.release.current_claim(), reasons=(Reason("simulation", "It is a simulation.", ""),))
    assert described({"born": YEARS}, outcome_of(session), claim)["worked"] is None


def test_figures_follow_from_the_released_rows_alone(tmp_path: Path) -> None:
    """Of two tables that are released alike the same is told, whatever is in their other groups."""
    session = drawn(tmp_path / "in")
    outcome, note = outcome_of(session), note_of(session)
    steps = tuple(replace(step, counts=step.counts + 7) for step in outcome.steps)
    other = replace(outcome, steps=steps, rows_in=outcome.rows_in + 7 * len(steps[0].groups))
    assert figures_of(other, note, parted=False) == figures_of(outcome, note, parted=False)


@pytest.mark.parametrize("left_out", ["diagnosis", "born"])
def test_where_groups_were_parted_by_a_column_that_was_left_out_none_is_shown(tmp_path: Path, left_out: str) -> None:
    session = drawn(tmp_path / "in")
    note = note_of(session, outcome_of(session).done_to(AfterDraw((left_out,), 0)))
    assert note["worked"] is None and left_out not in {**note["stars"], **note["blank"]}
    assert "to the rows of each group" not in statement_body(facts_of(note))


def test_at_a_later_level_no_group_is_shown_because_each_gave_up_what_was_left_to_it(tmp_path: Path) -> None:
    session = drawn(tmp_path / "in")
    outcome = outcome_of(session)
    assert outcome.last_step == 2
    note = note_of(session, outcome.done_to(AfterDraw((), 2)))
    assert note["worked"] is None and "to the rows of each group" not in statement_body(facts_of(note))


def test_a_group_that_a_later_step_calls_the_same_is_not_shown(tmp_path: Path) -> None:
    """What it gave up at the first step is left to the later one, which may add some of it to the same labels."""
    session = drawn(tmp_path / "in")
    outcome, note = outcome_of(session), note_of(session)
    shown = note["worked"]["labels"]
    assert "take only the rows with a label that no later step has" in statement_body(facts_of(note))
    axes = []
    for axis in outcome.axes:
        above = list(axis.labels[1])
        code = axis.labels[0].index(shown[axis.name])
        above[axis.ups[0][code]] = shown[axis.name]
        axes.append(replace(axis, labels=(axis.labels[0], tuple(above))))
    # The later step released nothing under these labels.
    steps = (outcome.steps[0], replace(outcome.steps[1], released=outcome.steps[1].released * 0))
    other = replace(outcome, axes=tuple(axes), steps=steps)
    assert figures_of(replace(outcome, steps=steps), note, parted=False)["worked"]["labels"] == shown
    assert figures_of(other, note, parted=False)["worked"]["labels"] != shown


@pytest.fixture
def made(tmp_path: Path) -> Path:
    drawn(tmp_path / "in")
    folder = tmp_path / "out"
    folder.mkdir()
    words = ["anonymise", str(tmp_path / "in" / "pupils.csv"), "--out", str(folder / "r.csv")]
    for name in ("born", "diagnosis"):
        path = tmp_path / f"{name}.csv"
        hierarchy = YEARS if name == "born" else ILL
        with path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows(hierarchy.rows())
        words += ["--hierarchy", f"{name}={path}"]
    words += ["--step", "born=0,diagnosis=0", "--step", "born=1,diagnosis=1", "--epsilon", "1", "--delta", "1e-5"]
    words += ["--statement", str(folder / "s.html"), "--metadata", str(folder / "n.json")]
    assert main(words) == 0
    return folder


def test_verify_refuses_a_count_that_is_corrected_at_a_later_level(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, note = made / "one.csv", made / "one.json"
    words = ["anonymise", str(made.parent / "in" / "pupils.csv"), "--out", str(out), "--one-level"]
    for name in ("born", "diagnosis"):
        words += ["--hierarchy", f"{name}={made.parent / name}.csv"]
    words += ["--step", "born=0,diagnosis=0", "--step", "born=1,diagnosis=1", "--epsilon", "1", "--delta", "1e-5"]
    assert main([*words, "--metadata", str(note)]) == 0
    assert main(["verify", str(out), "--statement", str(note)]) == 0
    facts = json.loads(note.read_text(encoding="utf-8"))
    assert facts["release"]["after"]["one_level"] == 2 and facts["release"]["worked"] is None
    with out.open(encoding="utf-8", newline="") as stream:
        first, *rows = csv.reader(stream)
    facts["release"]["worked"] = {"labels": dict(zip(first, rows[0], strict=True)), "rows": rows.count(rows[0])}
    note.write_text(json.dumps(facts), encoding="utf-8")
    capsys.readouterr()
    assert main(["verify", str(out), "--statement", str(note)]) == 1
    assert "no correction is right for this file" in capsys.readouterr().out


@pytest.mark.parametrize(
    "change",
    [
        lambda release: release["worked"].update(rows=release["worked"]["rows"] + 1),
        lambda release: release["worked"]["labels"].update(born="2004", diagnosis="nobody"),
        lambda release: release["blank"].update(diagnosis=release["blank"].get("diagnosis", 0) + 1),
        lambda release: release["stars"].update(born=1_000_000),
        lambda release: release["worked"].update(more=1),
        lambda release: release.pop("stars"),
    ],
)
def test_verify_counts_them_again(made: Path, change: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(made / "r.csv"), "--statement", str(made / "s.html")]) == 0
    note = json.loads((made / "n.json").read_text(encoding="utf-8"))
    assert note["version"] == VERSION and note["release"]["worked"]
    change(note["release"])
    (made / "n.json").write_text(json.dumps(note), encoding="utf-8")
    if "stars" in note["release"]:
        (made / "s.html").write_text(statement_page(note), encoding="utf-8")
        assert main(["verify", str(made / "r.csv"), "--statement", str(made / "s.html")]) == 1
    assert main(["verify", str(made / "r.csv"), "--statement", str(made / "n.json")]) == 1
    capsys.readouterr()


def test_a_label_of_each_level_without_a_name_is_shown_and_is_in_the_file(made: Path) -> None:
    note = json.loads((made / "n.json").read_text(encoding="utf-8"))
    with (made / "r.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    shown = note["release"]["examples"]["born"]["1"]
    assert shown in {"2000s", "2005s"} and shown in {row["born"] for row in rows}
    assert "diagnosis" not in note["release"]["examples"], "it is as it is, or *"
    assert f"level 1, such as “{shown}”" in (made / "s.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "change",
    [
        lambda examples: examples["born"].update({"1": "1990s"}),
        lambda examples: examples["born"].update({"1": "This file names nobody"}),
        lambda examples: examples["born"].update({"0": "2004"}),
        lambda examples: examples["born"].update({"7": "2000s"}),
        lambda examples: examples.update(diagnosis={"1": "none"}),
        lambda examples: examples.update(anybody={"1": "none"}),
        lambda examples: examples["born"].update({"1": ANY}),
        lambda examples: examples["born"].update({"1": 2000}),
    ],
)
def test_no_other_label_can_be_shown(made: Path, change: Any, capsys: pytest.CaptureFixture[str]) -> None:
    note = json.loads((made / "n.json").read_text(encoding="utf-8"))
    change(note["release"]["examples"])
    (made / "n.json").write_text(json.dumps(note), encoding="utf-8")
    assert main(["verify", str(made / "r.csv"), "--statement", str(made / "n.json")]) == 1


def test_which_label_is_shown_follows_from_the_released_rows_alone(tmp_path: Path) -> None:
    """A hierarchy lists more once a value of the data was added to it; what is shown stays the same."""
    session = drawn(tmp_path / "in")
    outcome, note = outcome_of(session), note_of(session)
    hierarchies = dict(session.release.current_result().hierarchies)
    more = hierarchies["born"].covering(["1066"])
    assert more.added and "1066" in more.values
    found = [
        figures_of(outcome, note, parted=False, hierarchies={**hierarchies, "born": one})["examples"]
        for one in (hierarchies["born"], more)
    ]
    assert found[0] == found[1] == note["examples"] != {}


def test_intervals_are_called_by_their_width() -> None:
    plain = specification("intervals", {}, {"intervals": [{"from": 0, "to": 10}], "levels": [{}, {"group": 4}]})
    hierarchy = build_hierarchy(plain, ["5", "47"])
    assert [stated_words(hierarchy, level) for level in (1, 2)] == ["intervals of 10", "intervals of 40"]
    assert can_be_stated("intervals of 40", 2) and can_be_stated("40s", 2), "older notes say it so"
    assert not can_be_stated("intervals of forty", 2)
