"""Every result that has a picture in the window has it in a notebook: the same chart, its caption, and whose it is."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import matplotlib
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

import workbench as wb
from workbench.plots.own_figure import ChartFigure

HIERARCHIES = {
    "age": wb.hierarchy.intervals(10, 2, whole=True),
    "job": wb.hierarchy.categories({"health": ["nurse"], "food": ["cook", "$x$"]}),
}
COMPARED = {
    "question": {"figure": "mean", "column": "age"},
    "methods": ["global-grid"],
    "axis": "epsilon",
    "places": [0.5, 1.0],
    "repetitions": 3,
    "seed": 1,
}


def opened() -> wb.Data:
    people = pd.DataFrame({"age": [34, 35, 36, 52, 70] * 100, "job": ["cook", "cook", "nurse", "nurse", "$x$"] * 100})
    return wb.open(people).describe(age=wb.integer(0, 120), job=wb.category(["cook", "nurse", "$x$"]))


FIGURES: dict[str, tuple[Callable[[wb.Data], ChartFigure], bool]] = {
    "forecast": (lambda data: data.forecast(hierarchies=HIERARCHIES).figure(), False),
    "release": (lambda data: data.release(hierarchies=HIERARCHIES).figure(), False),
    "column": (lambda data: data.release(hierarchies=HIERARCHIES).figure("job"), False),
    "simulation": (lambda data: data.release(hierarchies=HIERARCHIES, seed=1).figure(), True),
    "search": (lambda data: data.search("k=5", hierarchies=HIERARCHIES).figure(), True),
    "number": (lambda data: data.ask("mean", "age", epsilon=1).figure(), False),
    "bars": (lambda data: data.ask("histogram", "age", epsilon=1, bins=4).figure(), False),
    "survey": (lambda data: data.collect("age", 1, ["oue"], people=5000, bins=8).figure(), False),
    "people": (lambda data: data.collect("age", 1, ["oue"], people=5000, bins=8).figure("users"), False),
    "comparison": (lambda data: data.compare(COMPARED, look=True).figure(), True),
    "audit": (lambda data: wb.audit([["3/4", "1/4"], ["1/4", "3/4"]], claim="ln 3").figure(), False),
    "redone": (lambda data: wb.published("2.1").figure("mended"), False),
}


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_leaves_with_its_caption_which_says_whose_it_is(name: str, tmp_path: Path) -> None:
    draw, analyst = FIGURES[name]
    before = matplotlib.rcParams.copy()
    figure = draw(opened())
    assert isinstance(figure, Figure)
    assert matplotlib.rcParams.copy() == before
    texts = [words.get_text() for words in figure.findobj(Text) if isinstance(words, Text)]
    caption = figure.caption
    assert caption and any(text.split() == caption.split() for text in texts), "but for where lines end"
    assert ("analyst only" in caption) == analyst
    figure.savefig(tmp_path / "figure.svg")
    assert caption[:20].replace("<", "&lt;") in (tmp_path / "figure.svg").read_text(encoding="utf-8")
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_a_label_with_dollars_is_drawn_as_it_is() -> None:
    figure = opened().release(hierarchies=HIERARCHIES).figure("job")
    texts = [words for words in figure.findobj(Text) if isinstance(words, Text) and words.get_text()]
    assert not any(words.get_parse_math() for words in texts)
    figure.savefig(io.BytesIO())


def test_what_has_no_picture_says_so() -> None:
    data = opened()
    with pytest.raises(wb.Refused, match="no picture"):
        data.ask("mode", "job", epsilon=1).figure()
    with pytest.raises(wb.Refused, match="no column “town”"):
        data.release(hierarchies=HIERARCHIES).figure("town")
    with pytest.raises(wb.Refused, match="There is no panel 9"):
        wb.published("2.1").figure(panel=9)
    with pytest.raises(wb.Refused, match="named together"):
        wb.published("2.1", column="age")


def test_a_figure_needs_no_pyplot() -> None:
    code = "import sys, workbench as wb; wb.published('2.1').figure(); print('matplotlib.pyplot' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["False"]


# Over what is read no picture is written


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "data.csv"
    made.write_text("age,job\n" + "34,cook\n52,nurse\n" * 100, encoding="utf-8")
    return made


def counted(source: Path) -> ChartFigure:
    """A picture of a table that is gone by then."""
    return wb.open(source).ask("count", epsilon=1).figure()


def refused(figure: ChartFigure, place: object, **how: str) -> None:
    with pytest.raises(wb.Refused, match=r"must not be overwritten|would lie among the parts"):
        figure.savefig(place, **how)


def test_a_picture_is_not_saved_over_the_data(file: Path, tmp_path: Path) -> None:
    before = file.read_bytes()
    linked, twin = tmp_path / "linked.png", tmp_path / "twin.png"
    linked.symlink_to(file)
    twin.hardlink_to(file)
    figure = counted(file)
    for place in (file, str(file), tmp_path / "." / ".." / tmp_path.name / "data.csv"):
        refused(figure, place, format="png")
    for place in (linked, twin):
        refused(figure, place)
    assert file.read_bytes() == before
    figure.savefig(tmp_path / "other.png")
    figure.savefig(tmp_path / "other.png")  # a picture of before may go


def test_the_ending_that_matplotlib_adds_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = tmp_path / "data.png"
    read.write_text("age\n34\n", encoding="utf-8")
    figure = counted(read)
    refused(figure, tmp_path / "data")
    refused(figure, str(tmp_path / "data."))
    monkeypatch.chdir(tmp_path)
    refused(figure, "data")
    assert read.read_text(encoding="utf-8") == "age\n34\n"
    figure.savefig("data", format="svg")
    assert (tmp_path / "data").is_file()


def test_what_was_read_by_a_relative_name_stays_protected_elsewhere(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    figure = counted(Path("data.csv"))
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    refused(figure, file, format="png")


def test_a_picture_is_saved_neither_over_a_part_nor_among_the_parts(tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    parts.mkdir()
    for name in ("a.csv", "b.csv"):
        (parts / name).write_text("age\n34\n", encoding="utf-8")
    figure = counted(parts)
    for name in ("a.csv", "new.csv"):
        refused(figure, parts / name, format="png")
    assert sorted(one.name for one in parts.iterdir()) == ["a.csv", "b.csv"]


def test_a_picture_is_saved_over_no_hierarchy_report_or_ledger(file: Path, tmp_path: Path, private_home: Path) -> None:
    levels = tmp_path / "jobs.csv"
    levels.write_text("cook;*\nnurse;*\n", encoding="utf-8")
    data = wb.open(file).describe(job=wb.category(["cook", "nurse"]))
    refused(data.forecast(hierarchies={"job": levels}).figure(), levels, format="png")
    wb.hierarchy.read(levels)
    reports = data.collect_reports(tmp_path / "reports.csv", "job", 4, "oue").path
    refused(wb.aggregate(reports).figure(), reports, format="png")
    spent = next(one for one in (private_home / "ledgers").rglob("*") if one.is_file())
    refused(counted(file), spent, format="png")
    project = data.save_project(tmp_path / "people.wbench")
    made = wb.run_project(project, tmp_path / "out.csv", without_claim=True)
    assert isinstance(made, wb.Release)
    refused(made.figure(), project, format="png")


def test_what_is_open_in_one_table_is_not_released_over_from_another(file: Path, tmp_path: Path) -> None:
    data = wb.open(file)
    before = file.read_bytes()
    made = opened().release(["job"], levels={"job": 0})
    with pytest.raises(wb.Refused, match="must not be overwritten"):
        made.save(file, force=True)
    assert file.read_bytes() == before
    del data
