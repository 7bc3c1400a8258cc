"""Published figures are found, run from the command line or of one's own column, and written to files."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.evaluate.figure_runs import few
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.paths import sample_data
from workbench.core.progress import SILENT
from workbench.evaluate.published.catalogue import FIGURES, NOT_FOUND, figure_named, first_found, rank
from workbench.evaluate.published.chapter3 import sensitivities
from workbench.evaluate.published.frame import NOT_PUBLISHED, NOTHING_PUBLISHED
from workbench.evaluate.samples import SAMPLE_TITLES, SampleColumn
from workbench.project.loading import load
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.comparison_command import preset_command
from workbench.session.published_captions import printed_caption
from workbench.session.published_figures import (
    figure_runner,
    outcome_lines,
    panels_of,
    write_figure,
)
from workbench.session.shipped_samples import sample_of

pytestmark = pytest.mark.timeout(300)
"""The first test that needs the published noise loads its library, whichever that is."""
NAMES = [figure.identifier for figure in FIGURES]


def test_the_sensitivity_of_few_rows_is_told_and_of_one_is_refused(tmp_path: Path) -> None:
    assert sensitivities(np.array([0.0, 10.0]), 20.0, 1) == (10.0, 5.0, 5.0), "of two rows one is tried"
    with pytest.raises(WorkbenchError, match="here are no others"):
        sensitivities(np.array([4.0]), 20.0, 1)
    session = Session()
    (tmp_path / "few.csv").write_text("x\n-3\n0\n12\n", encoding="utf-8")
    session.data.open(tmp_path / "few.csv")
    session.data.set_bounds("x", (-5, 20))
    session.comparison.look(lasting=True)
    outcome = figure_runner(session.comparison, figure_named("3.2"), "x", repetitions=2)()
    assert outcome.mended.panels[1].labels == ("Global", "Local", "Local, 1 row")
    assert outcome.differs == (NOTHING_PUBLISHED,), "nothing follows that would be said of the published figure"
    assert any("Global: 8.333, Local: 4.5, Local, 1 row" in line for line in outcome_lines(outcome))


@pytest.mark.parametrize("figure", ["table-3.1", "3.1", "4.1", "chapter-unary-encoding", "chapter-randomised-response"])
@pytest.mark.parametrize("rows", ["", "\n\n"])
def test_a_column_without_values_is_refused(refused: Any, tmp_path: Path, figure: str, rows: str) -> None:
    path = tmp_path / "own.csv"
    path.write_text(f"x,y\n{rows.replace(chr(10), ',a' + chr(10))}", encoding="utf-8")
    column = ("--data", path, "--column", "x", "--kind", "x=integer", "--column-bounds", "x=0,9")
    assert "No row has a value of “x”" in refused("preset", figure, *column)
    assert "holds no numbers, and Table 3.1 is about numbers" in refused(
        "preset", "table-3.1", "--data", path, "--column", "y"
    )


def test_a_copied_command_makes_the_figure_of_the_same_column(ask: Any, refused: Any, tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("pay\n" + "\n".join(str(number) for number in range(1, 60)) + "\n", encoding="utf-8")
    session = Session()
    session.data.open(path)
    assert "--column-bounds" not in preset_command(session.state, "figure-3.5", "pay")
    own = ("preset", "figure-3.5", "--data", path, "--column", "pay")
    assert "--column-bounds pay=L,U" in refused(*own)
    session.data.set_bounds("pay", (-2.5, 80))
    words = preset_command(session.state, "figure-3.5", "pay")
    assert words[-4:] == ["--column-bounds", "pay=-2.5,80", "--out", "figure-3.5"]
    found = ask(*words[1:-2], "--repetitions", "2", "--json")
    assert found["looked"]
    assert ["repetitions", "100, 2 here", "2"] in found["figure"]["settings"]
    assert preset_command(session.state, "figure-3.3", "") == [
        "workbench",
        "preset",
        "figure-3.3",
        "--out",
        "figure-3.3",
    ]


def test_files_of_a_figure(tmp_path: Path) -> None:
    paths = write_figure(few(figure_named("3.3")), tmp_path, ("svg",))
    assert sorted(path.name for path in paths) == [
        "figure-3.3-1-published.csv",
        "figure-3.3-1-published.svg",
        "figure-3.3-1-published.txt",
        "figure-3.3-2-published.csv",
        "figure-3.3-2-published.txt",
        "figure-3.3-3-mended.csv",
        "figure-3.3-3-mended.txt",
        "figure-3.3-4-mended.csv",
        "figure-3.3-4-mended.svg",
        "figure-3.3-4-mended.txt",
        "figure-3.3.json",
    ]
    plain = json.loads((tmp_path / "figure-3.3.json").read_text(encoding="utf-8"))
    assert plain["analyst only"] is False
    assert [value["verdict"] for value in plain["values"]] == ["agrees", "as computed"], "one is printed"


def test_files_of_what_nobody_published_are_of_no_side(tmp_path: Path) -> None:
    names = {path.name for path in write_figure(few(figure_named("beyond-told-attacks")), tmp_path, ())}
    assert names == {f"beyond-told-attacks{rest}" for rest in (".json", *(f"-{n}.{one}" for n in (1, 2, 3)
                                                                         for one in ("csv", "txt")))}  # fmt: skip


def test_figures_are_listed_and_run_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preset", "--list", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in shown["figures"]] == NAMES
    added = {"number", "source", "published", "ours", "agree", "allowed", "verdicts", "counts"}
    for one in (*shown["presets"], *shown["figures"]):
        assert added < set(one)
        assert set(one["published"]) == set(one["ours"])
    coins = next(one for one in shown["presets"] if one["name"] == "randomised-response")
    assert (coins["number"], coins["agree"]) == ("Figure 4.1", None)
    assert coins["counts"] == {"agrees": 0, "cannot tell": 3, "differs": 0, "fitted": 0, "as computed": 0}
    assert main(["preset", "table-3.5"]) == 0
    text = capsys.readouterr().out
    assert "Table 3.5: Means of pairs (N. Galanis" in text
    assert "Of 5 published: 4 agree · 1 cannot be checked:" in text
    assert main(["preset", "4.9", "--repetitions", "2", "--set", "seed=3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["figure"]
    assert (found["number"], found["data"]) == ("Figure 4.9", "spiky_ages.csv, age (synthetic sample)")
    assert len(found["values"]) == 14
    for wrong in (
        ["3.1", "--all"],
        ["--all", "--repetitions", "2"],
        ["3.7"],
        ["9.9"],
        ["3.3", "--column", "age"],
        ["4.2", "--repetitions", "0"],
        ["4.2", "--set", "x=1"],
    ):
        assert main(["preset", *wrong]) == 2
        assert capsys.readouterr().err.startswith("workbench: ")


def test_all_of_them_are_made_by_one_command_that_says_how_long_each_took(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    some = [figure_named(name) for name in ("3.3", "table-3.4", "4.7")]
    monkeypatch.setattr("workbench.cli.commands.preset.FIGURES", some)
    assert main(["preset", "--all", "--json", "--out", str(tmp_path), "--formats", "svg"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["figure"] for one in found["figures"]] == [one.identifier for one in some]
    # A moved mass, 15 printed labels of which one is wrong; computed are another mass and two chances by formula.
    assert found["counts"] == {"agrees": 15, "cannot tell": 0, "differs": 1, "fitted": 0, "as computed": 3}
    assert all(one["seconds"] >= 0 for one in found["figures"])
    assert {Path(one).suffix for one in found["files"]} == {".csv", ".txt", ".svg", ".json"}


def test_a_figure_of_ones_own_column_is_a_look_and_compares_with_nothing_published(tmp_path: Path) -> None:
    ages = np.random.default_rng(1).integers(0, 100, 300)
    file = tmp_path / "people.csv"
    file.write_text("age\n" + "".join(f"{age}\n" for age in ages))
    made = Session(new_project())
    made.ledger.use_file(tmp_path / "ledger.jsonl")
    made.data.open(file)
    figure = figure_named("4.10")
    # What is missing is asked first: consent to a look that then cannot be taken would be spent for nothing.
    with pytest.raises(WorkbenchError, match="public bounds of “age”, which are not declared"):
        figure_runner(made.comparison, figure, "age")
    made.data.set_bounds("age", (0.0, 100.0))
    with pytest.raises(WorkbenchError, match="no look at this data is recorded"):
        figure_runner(made.comparison, figure, "age")
    made.comparison.look()
    outcome = figure_runner(made.comparison, figure, "age", repetitions=2)(SILENT)
    assert outcome.own
    assert not outcome.agreements
    assert outcome.data == "people.csv, age"
    assert not outcome.caption, "what is to be seen was seen on the sample"
    assert outcome.differs[0] == NOT_PUBLISHED
    side, panel = panels_of(outcome)[0]
    assert "people: of your column; ε: ln 20" in printed_caption(outcome, side, panel)
    assert not any("its error ends at" in line for line in outcome.differs[1:])
    assert max(outcome.published.panels[0].curves[0].places) <= 300
    assert {curve.name for panel in outcome.mended.panels for curve in panel.curves} > {
        "Direct encoding",
        "Basic RAPPOR (ε = 1.02)",
        "Square Wave",
    }


def test_the_chapter_s_questions_are_put_to_ones_own_column(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("job\n" + "".join(f"{job}\n" for job in ["cook"] * 500 + ["poet"] * 100 + [""] * 50))
    made = Session(new_project())
    made.ledger.use_file(tmp_path / "ledger.jsonl")
    made.data.open(file)
    made.comparison.look()
    several = figure_runner(made.comparison, figure_named("chapter-unary-encoding"), "job", repetitions=20)(SILENT)
    assert several.published.panels[0].labels == ("cook", "poet")
    true, mean = several.published.panels[0].curves
    assert (true.name, mean.name) == ("True", "Mean here")
    assert true.means == (500, 100)
    # Of one run √(¾·650) = 22; five standard errors of 20.
    assert all(abs(a - b) < 5 * 22.1 / math.sqrt(20) for a, b in zip(true.means, mean.means, strict=True))
    one = figure_runner(made.comparison, figure_named("chapter-randomised-response"), "job", repetitions=5)(SILENT)
    assert "Estimated with “cook”, of whom there are 500" in [row[0] for row in one.published.panels[0].rows]
    with pytest.raises(WorkbenchError, match="made of no data"):
        figure_runner(made.comparison, figure_named("paper-survey"), "job")


@pytest.mark.parametrize(
    ("states", "upper", "heading", "mean"),
    [
        (("NY", "TX"), 10_000, "true", "3,050.0"),
        (("CA", "TX"), 10_000, "true", "3,050.0"),
        (("CA", "TX"), 3_000, "true, of values moved within the bounds", "2,275.0"),
    ],
)
def test_statistics_of_ones_own_column_are_of_all_rows_whatever_their_states(
    tmp_path: Path, states: tuple[str, str], upper: float, heading: str, mean: str
) -> None:
    file = tmp_path / "paid.csv"
    file.write_text("state,paid\n" + "".join(f"{states[one % 2]},{100 * one}\n" for one in range(1, 61)))
    made = Session(new_project())
    made.ledger.use_file(tmp_path / "ledger.jsonl")
    made.data.open(file)
    made.data.set_bounds("paid", (0, upper))
    made.comparison.look()
    outcome = figure_runner(made.comparison, figure_named("table-3.2"), "paid", repetitions=2)(SILENT)
    total = f"{60 * float(mean.replace(',', '')):,.1f}"
    for side in (outcome.published.panels[-1], outcome.mended.panels[0]):
        assert [(row[0], row[1]) for row in side.rows[:3]] == [("statistic", heading), ("Mean", mean), ("Sum", total)]


@pytest.mark.parametrize(
    ("typed", "identifier"),
    [
        ("Randomised response", "chapter-randomised-response"),
        ("randomized response", "chapter-randomised-response"),
        ("Randomised-Response", "chapter-randomised-response"),
        ("randomised resp", "chapter-randomised-response"),
        ("4.1", "figure-4.1"),
        ("3.2", "figure-3.2"),
        ("3.1", "figure-3.1"),
        ("table 3.1", "table-3.1"),
        ("fig. 4.6", "figure-4.6"),
        ("Fig.4.6", "figure-4.6"),
        ("p. 51", "figure-4.6"),
        ("page 51", "figure-4.6"),
        ("tab. 3.3", "table-3.3"),
        ("error, by number of people", "figure-4.5"),
        ("unary encoding", "chapter-unary-encoding"),
        ("survey", "paper-survey"),
        ("Kantorovic", "figure-3.3"),
        ("Surgery", "table-3.1"),
        ("nothing of the kind", None),
    ],
)
def test_what_is_typed_opens_what_is_so_called(typed: str, identifier: str | None) -> None:
    found = first_found(typed)
    assert (None if found is None else found.identifier) == identifier


def test_a_sample_is_read_once_and_its_columns_are_what_the_data_room_would_propose() -> None:
    sample = SampleColumn("surgery_tail.csv.gz", "average total payments")
    first, column, said = sample_of(sample, SILENT)
    again, *_ = sample_of(sample, SILENT)
    assert again is first
    assert said == "surgery_tail.csv.gz, average total payments (synthetic sample)"
    for file in SAMPLE_TITLES:
        opened = load(sample_data() / file)
        material, *_ = sample_of(SampleColumn(file, ""), SILENT)
        assert material.schema == opened.proposed
        assert [one.values for one in material.table.columns] == [one.values for one in opened.reading.table.columns]
    assert column == "average total payments"
    assert sample_of(sample, SILENT)[0] is not first, "only few are kept"


@pytest.mark.parametrize(
    ("typed", "numbers"),
    [
        ("section 4.5", ["4.2", "4.3", "4.4", "4.5", "4.6"]),
        ("sec. 4.5.3", ["4.3", "4.4"]),
        ("§ 2.3", ["2.1"]),
        ("4.5", ["4.5"]),
        ("section 3.3.6", ["3.6", "3.9"]),
        ("geometric mechanism", ["½-geometric table", "¼-geometric table", "1"]),
        ("section 5", []),
    ],
)
def test_figures_are_found_by_the_section_that_speaks_of_them(typed: str, numbers: list[str]) -> None:
    found = [one.number for one in FIGURES if rank(typed, one) < NOT_FOUND]
    assert [number.split(" ", 1)[1] for number in found] == numbers
