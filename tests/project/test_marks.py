"""Whether somebody else has saved a project since: told by what it says, and not by what runs add to it."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.core.errors import WorkbenchError
from workbench.project.marks import ProjectMark, is_newer, mark_of
from workbench.project.model import Project
from workbench.project.storage import save_project

KEPT = Path(__file__).parents[1] / "data" / "projects" / "version_4.wbench"


def marked(path: Path) -> ProjectMark:
    found = mark_of(path)
    assert found is not None
    return found


def test_where_there_is_no_file_there_is_nothing_to_overwrite(tmp_path: Path) -> None:
    known = marked(KEPT)
    assert mark_of(tmp_path / "none.wbench") is None
    assert not is_newer(None, None) and not is_newer(None, known)
    assert is_newer(known, None)  # it was not there before


def test_the_same_file_and_the_same_content_are_no_news(tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    shutil.copy(KEPT, path)
    known = marked(path)
    assert known.content and not is_newer(marked(path), known)
    os.utime(path, ns=(1, 1))
    assert marked(path) != known and not is_newer(marked(path), known)
    save_project(Project(), path)
    assert is_newer(marked(path), known)


def test_what_is_no_project_any_more_was_written_by_somebody_else(tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    path.write_bytes(b"something else")
    found = marked(path)
    assert found.content == ""
    assert not is_newer(found, found)
    assert is_newer(found, replace(found, changed=found.changed + 1))
    assert is_newer(found, marked(KEPT))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes with names")
@pytest.mark.timeout(10)
def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.wbench")
    with pytest.raises(WorkbenchError):
        mark_of(tmp_path / "p.wbench")
