"""One draw of the library in several forms: what is done to its rows after the draw, and what is said of it then."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import workbench as wb
from workbench.project.names_beside import note_beside


@pytest.fixture
def release(tmp_path: Path) -> wb.Release:
    frame = pd.DataFrame({"age": [20 + i % 40 for i in range(600)], "job": ["cook", "nurse"] * 300})
    frame.to_csv(tmp_path / "people.csv", index=False)
    hierarchies = {
        "age": wb.hierarchy.intervals(10, 2, whole=True),
        "job": wb.hierarchy.categories({"health": ["nurse"], "food": ["cook"]}),
    }
    return wb.open(tmp_path / "people.csv").release(hierarchies=hierarchies, epsilon=2, delta="1e-3")


def test_a_draw_leaves_in_several_forms_and_is_paid_for_once(release: wb.Release, tmp_path: Path) -> None:
    before, asserted = repr(release), release.asserted
    whole = release.save(tmp_path / "whole.csv")
    short = release.save(tmp_path / "short.csv", left_out=["job"], one_level=True)
    assert "job" in pd.read_csv(whole).columns and list(pd.read_csv(short).columns) == ["age"]
    note = json.loads(note_beside(short).read_text("utf-8"))["release"]
    assert [one["name"] for one in note["after"]["left_out"]] == ["job"] and note["after"]["one_level"] > 0
    assert any("“job” was left out" in line for line in note["asserted"])
    assert wb.verify(whole).holds and wb.verify(short).holds
    assert any("“job” was left out" in line for line in release.asserted) and repr(release) == before
    again = release.save(tmp_path / "again.csv")
    assert again.read_bytes() == whole.read_bytes() and release.asserted == asserted


def test_one_name_is_a_column_and_not_its_letters(release: wb.Release, tmp_path: Path) -> None:
    assert list(pd.read_csv(release.save(tmp_path / "short.csv", left_out="job")).columns) == ["age"]


@pytest.mark.parametrize("names", [["pay"], ["age", "job"]])
def test_what_cannot_be_left_out_is_refused_and_nothing_is_written(
    release: wb.Release, tmp_path: Path, names: list[str]
) -> None:
    with pytest.raises(wb.Refused):
        release.save(tmp_path / "short.csv", left_out=names)
    assert not (tmp_path / "short.csv").exists()
