"""What is told at the first look at a project file: whether it is one, of which version, and how large it would be."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from workbench.core.errors import WorkbenchError
from workbench.project import archive
from workbench.project.migrations import VERSION
from workbench.project.model import Project
from workbench.project.storage import load_project, save_project


def written(path: Path, **changes: Any) -> Path:
    """A project of nothing with some words of its document exchanged."""
    save_project(Project(), path)
    with zipfile.ZipFile(path) as packed:
        document = json.loads(packed.read("project.json"))
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("project.json", json.dumps({**document, **changes}))
    return path


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"format": "something else"}, "is not a project"),
        ({"version": 0}, "is damaged"),
        ({"version": -1}, "is damaged"),
        ({"version": "1"}, "is damaged"),
        ({"version": True}, "is damaged"),
        ({"version": VERSION + 1}, "newer version"),
    ],
)
def test_what_is_no_project_of_this_program_is_told(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    assert load_project(written(tmp_path / "p.wbench")) == Project()
    with pytest.raises(WorkbenchError, match=words):
        load_project(written(tmp_path / "p.wbench", **changes))


@pytest.mark.parametrize("document", ["[]", "1", "null", '"text"'])
def test_a_document_that_is_no_object_is_no_project(tmp_path: Path, document: str) -> None:
    with zipfile.ZipFile(tmp_path / "p.wbench", "w") as packed:
        packed.writestr("project.json", document)
    with pytest.raises(WorkbenchError, match="is not a project"):
        load_project(tmp_path / "p.wbench")


def test_what_is_larger_than_any_project_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "p.wbench")
    with zipfile.ZipFile(path, "a") as packed:
        packed.writestr("nobody looks at this", "x" * 100)
        size = sum(info.file_size for info in packed.infolist())
    monkeypatch.setattr(archive, "LARGEST", size)
    assert load_project(path) == Project()
    monkeypatch.setattr(archive, "LARGEST", size - 1)
    with pytest.raises(WorkbenchError, match="would unpack to more"):
        load_project(path)


def test_a_document_is_there_once_packed_as_usual_and_no_larger_than_allowed(tmp_path: Path) -> None:
    path = tmp_path / "p.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("one", "12345")
        packed.writestr("strange", "12345", zipfile.ZIP_BZIP2)
    with zipfile.ZipFile(path) as packed:
        assert archive.member(packed, "one", 5) == b"12345"
        for name, most in (("one", 4), ("strange", 9), ("none", 9)):
            with pytest.raises(zipfile.BadZipFile):
                archive.member(packed, name, most)
        assert archive.members(packed, ["one"], 5) == {"one": b"12345"}
        with pytest.raises(zipfile.BadZipFile):
            archive.members(packed, ["one", "one"], 9)
        assert archive.members(packed, ["one", "one"], 10) == {"one": b"12345"}
