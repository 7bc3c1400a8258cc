"""Hierarchy files that are imported: whole, or as rows to be repaired."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT
from workbench.io.hierarchy_import import import_hierarchy, read_files


def test_a_file_is_read_as_it_is_or_as_rows_that_can_be_repaired(tmp_path: Path) -> None:
    whole, torn = tmp_path / "whole.csv", tmp_path / "torn.csv"
    whole.write_text("a;x;*\nb;x;*\n", encoding="utf-8")
    torn.write_text("a;x;*\na;y;*\n", encoding="utf-8")
    found = read_files({"one": whole, "two": torn}, True, SILENT)
    assert found["one"].hierarchy is not None and found["one"].rows == ()
    assert found["two"].hierarchy is None and found["two"].rows == (("a", "x", "*"), ("a", "y", "*"))


def test_what_is_no_hierarchy_at_all_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError):
        import_hierarchy(tmp_path / "nothing.csv")
