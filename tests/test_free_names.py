"""Names for files that are not taken, and counts of columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.progress import SILENT
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import Column
from workbench.io.export_format import FORMATS
from workbench.session.column_counts import count_columns
from workbench.session.existing_files import mark_of, marks_of, others, place_of
from workbench.session.free_names import free_name, free_together, numbered, unnumbered, with_ending


def test_a_name_that_is_taken_gets_a_number(tmp_path: Path) -> None:
    wanted = tmp_path / "ages.csv"
    assert free_name(wanted, {}, SILENT) == wanted
    wanted.write_text("x", encoding="utf-8")
    assert free_name(wanted, {}, SILENT) == tmp_path / "ages_2.csv"
    (tmp_path / "ages_2.csv").write_text("x", encoding="utf-8")
    assert free_name(tmp_path / "ages_2.csv", {}, SILENT) == tmp_path / "ages_3.csv"
    assert unnumbered(tmp_path / "other_2.csv") == tmp_path / "other_2.csv"


@pytest.mark.parametrize(
    ("typed", "kind", "named"),
    [
        ("/out/adult", "csv", "/out/adult.csv"),
        ("/out/adult", "parquet", "/out/adult.parquet"),
        ("/out/adult.", "csv", "/out/adult.csv"),
        ("/out/Report 3.2", "csv", "/out/Report 3.2.csv"),
        ("/out/v1. final", "csv", "/out/v1. final.csv"),
        ("/out/adult.tsv", "csv", "/out/adult.tsv"),
        ("/out/adult.dat", "csv", "/out/adult.dat"),
        ("/out/adult.csv.gz", "csv", "/out/adult.csv.gz"),
        ("/out/", "csv", "/out/"),
        ("..", "csv", ".."),
        (".", "csv", "."),
        ("", "csv", ""),
    ],
)
def test_a_typed_name_has_an_ending_that_is_known_by(typed: str, kind: str, named: str) -> None:
    assert with_ending(typed, FORMATS[kind]) == named


def test_what_was_written_of_the_same_result_may_be_replaced(tmp_path: Path) -> None:
    wanted = tmp_path / "ages.csv"
    wanted.write_text("x", encoding="utf-8")
    mark = mark_of(wanted)
    assert mark is not None
    assert free_name(wanted, {place_of(wanted): mark}, SILENT) == wanted


def test_a_file_is_recognised_by_its_bytes(tmp_path: Path) -> None:
    wanted = tmp_path / "ages.csv"
    wanted.write_text("age\n41\n", encoding="utf-8")
    own = marks_of([wanted])
    other = tmp_path / "other"
    other.write_text("age\n41\n", encoding="utf-8")
    other.replace(wanted)
    assert not others([wanted], own), "another file, written at another time, with the same bytes"
    wanted.write_text("age\n42\n", encoding="utf-8")
    assert others([wanted], own) == (wanted,), "as long, but not the same"
    wanted.unlink()
    assert not others([wanted], own)


def test_folders_of_parts_have_no_ending(tmp_path: Path) -> None:
    assert next(numbered(tmp_path / "ages.parts")) == tmp_path / "ages.parts_2"
    assert next(numbered(tmp_path / "ages.csv")) == tmp_path / "ages_2.csv"


def test_columns_are_counted_with_what_probably_stands_for_no_value() -> None:
    column, spec = Column.from_texts("x", ["1", "n/a", "1"]), ColumnSpec("x", Kind.INTEGER)
    ((entry, _facts, missing),) = count_columns([(column, spec)], SILENT)
    assert entry == (column, spec) and missing == ("n/a",)


def test_files_that_go_together_get_one_number(tmp_path: Path) -> None:
    wanted = [tmp_path / name for name in ("figure-3.3.json", "figure-3.3-1.csv", "figure-3.3-1.txt")]
    assert free_together(wanted) == {path: path for path in wanted}
    wanted[1].write_text("a", encoding="utf-8")
    (tmp_path / "figure-3.3-2.json").write_text("a", encoding="utf-8")
    names = [path.name for path in free_together(wanted).values()]
    assert names == ["figure-3.3-3.json", "figure-3.3-1-3.csv", "figure-3.3-1-3.txt"]
