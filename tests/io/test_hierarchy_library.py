"""Specifications as files, the library, and hierarchies of other programs."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from workbench.core.building import build_hierarchy, specification
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.core.hierarchy_checks import as_categories
from workbench.core.paths import sample_data
from workbench.core.presets import pairs_of_means
from workbench.core.schema import ColumnSpec, Kind
from workbench.io.hierarchy_csv import read_hierarchy, write_hierarchy
from workbench.io.hierarchy_library import (
    build_from_file,
    fitting_entries,
    keep,
    library,
    own_folder,
    read_specification,
    write_specification,
)

SPEC = specification("intervals", {}, {"intervals": [{"from": 0, "to": 10}]}, column=ColumnSpec("", Kind.INTEGER))
EXAMPLES = {
    "age": ("37", ("35-39", "30-39", "20-39", "*")),
    "year": ("1984", ("1980-1984", "1980-1989", "1900-1999", "*")),
    "money-small": ("$123.45", ("[120, 130[", "[100, 150[", "[100, 200[", "[0, 500[", "*")),
    "money-income": ("$512,000", ("≥500000", "≥500000", "≥500000", "≥500000", "*")),
    "money-large": ("1250000", ("[1200000, 1300000[", "[1000000, 1500000[", "[1000000, 2000000[", "[0, 5000000[", "*")),
    "percent": ("12.5%", ("[10, 15[", "[10, 20[", "[0, 50[", "*")),
    "date": ("2024-02-29", ("2024-02", "2024-Q1", "2024", "2020-2029", "*")),
    "zip-code": ("21201", ("2120*", "212**", "21***", "2****", "*")),
    "us-states": ("Maryland", ("South Atlantic", "South", "*")),
    "us-states-codes": ("CA", ("Pacific", "West", "*")),
    "months": ("May", ("Q2", "*")),
    "months-short": ("Nov", ("Q4", "*")),
    "month-numbers": ("7", ("Q3", "*")),
    "weekdays": ("Sunday", ("Weekend", "*")),
    "yes-no": ("Yes", ("*",)),
}


def test_every_shipped_hierarchy_is_public_and_does_what_its_name_says() -> None:
    shipped = [entry for entry in library().entries if not entry.own]
    assert {entry.name for entry in shipped} == set(EXAMPLES)
    for entry in shipped:
        value, labels = EXAMPLES[entry.name]
        found = build_from_file(entry.path, [value])
        assert {row[0]: row[1:] for row in found.rows()}[value] == labels
        assert entry.provenance is found.provenance is Provenance.PUBLIC
        assert entry.title and entry.about
    assert not library().unreadable


def test_states_and_ages_are_complete() -> None:
    shipped = library()
    assert build_from_file(shipped["us-states"].path).groups() == (51, 9, 4, 1)
    assert build_from_file(shipped["age"].path).groups() == (126, 21, 11, 6, 1)


def test_own_hierarchies_are_kept_found_and_take_the_place_of_shipped_ones() -> None:
    path = keep(SPEC, "  Tens & more ")
    assert path == own_folder() / "tens-more.json"
    found = library()["tens-more"]
    assert (found.title, found.own, found.builder) == ("Tens & more", True, "intervals")
    keep(SPEC, "Age")
    assert library()["age"].own
    with pytest.raises(WorkbenchError, match="no name"):
        keep(SPEC, " /../ ")
    with pytest.raises(WorkbenchError, match="no hierarchy “nowhere”"):
        library()["nowhere"]


def test_a_file_in_the_library_that_is_none_does_not_hide_the_others(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "worse.json").write_text('{"format": "something"}')
    found = library(tmp_path)
    assert [path.name for path, _ in found.unreadable] == ["bad.json", "worse.json"]
    assert all(path.name in error.message for path, error in found.unreadable)
    assert len(found.entries) == len(EXAMPLES)


def test_a_specification_file_rebuilds_the_same_hierarchy(tmp_path: Path) -> None:
    built = build_hierarchy(SPEC, ["3", "17"])
    assert built.specification is not None
    write_specification(built.specification, tmp_path / "h.json")
    assert read_specification(tmp_path / "h.json") == built.specification
    assert build_from_file(tmp_path / "h.json", ["17", "3"]).rows() == built.rows()
    with pytest.raises(WorkbenchError, match="cannot be read"):
        read_specification(tmp_path / "nothing.json")
    (tmp_path / "newer.json").write_text(json.dumps({**SPEC, "version": 9}))
    with pytest.raises(WorkbenchError, match=r"“newer\.json”: .*version 9"):
        read_specification(tmp_path / "newer.json")


def test_the_pairs_of_means_of_the_sample_are_the_preset() -> None:
    shipped = read_hierarchy(sample_data() / "nba_hierarchy_salary_pairs_of_means.csv")
    column = ColumnSpec("salary", Kind.INTEGER)
    built = build_hierarchy(pairs_of_means(column), list(reversed(shipped.values)), None, column)
    assert built.rows() == shipped.rows()
    assert built.provenance is shipped.provenance is Provenance.DERIVED


@pytest.mark.parametrize("builder", ["categories", "table"])
def test_hierarchies_of_other_programs_come_and_go_with_the_same_meaning(
    shared_data: Path, tmp_path: Path, builder: str
) -> None:
    files = sorted((shared_data / "adult").glob("adult_hierarchy_*.csv"))
    assert len(files) == 9
    for path in files:
        with path.open(newline="", encoding="utf-8") as lines:
            truth = sorted(map(tuple, csv.reader(lines, delimiter=";")))
        imported = read_hierarchy(path)
        if builder == "categories":
            plain = as_categories(imported)
        else:
            rows = [list(row) for row in imported.rows()]
            plain = specification("table", {"declared": True, "top": False}, {"rows": rows})
        built = build_hierarchy(plain)
        write_hierarchy(built, tmp_path / path.name)
        again = read_hierarchy(tmp_path / path.name)
        assert sorted(imported.rows()) == sorted(built.rows()) == sorted(again.rows()) == truth
        assert again.provenance is Provenance.PUBLIC


def test_entries_fit_a_column_by_the_words_of_its_name() -> None:
    entries = library(Path("nowhere")).entries
    found = fitting_entries(entries, ColumnSpec("zip_codes", Kind.TEXT))
    assert found
    assert all("zip" in f"{entry.name} {entry.title}".casefold() for entry in found)
    assert not fitting_entries(entries, ColumnSpec("the_number_of", Kind.INTEGER))
