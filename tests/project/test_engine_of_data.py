"""Which engine a project's data is worked on in, as it is saved."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from workbench.core.errors import WorkbenchError
from workbench.io.dialect import Dialect
from workbench.project.model import DataSource, Project
from workbench.project.storage import load_project, save_project


def saved(path: Path, engine: str = "duckdb") -> Path:
    save_project(Project(data=DataSource("people.csv", "0" * 64, 3, Dialect(), "1" * 64, engine)), path)
    return path


def changed(path: Path, **data: Any) -> Path:
    """The project with other words about its data; None takes a word away."""
    with zipfile.ZipFile(path) as archive:
        document = json.loads(archive.read("project.json"))
    document["data"] = {name: value for name, value in {**document["data"], **data}.items() if value is not None}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("project.json", json.dumps(document))
    return path


@pytest.mark.parametrize("engine", ["", "duckdb", "local[2]", "spark://cluster:7077", "sc://connect:15002"])
def test_the_engine_is_kept(tmp_path: Path, engine: str) -> None:
    data = load_project(saved(tmp_path / "one.wbench", engine)).data
    assert data is not None and data.engine == engine


def test_a_project_from_before_there_were_engines_works_in_memory(tmp_path: Path) -> None:
    data = load_project(changed(saved(tmp_path / "one.wbench"), engine=None)).data
    assert data is not None and data.engine == ""


@pytest.mark.parametrize("engine", ["spark://me:hunter2@cluster:7077", "sc://connect:15002/;token=xyzzy"])
def test_credentials_are_refused_in_words_that_help(tmp_path: Path, engine: str) -> None:
    path = changed(saved(tmp_path / "one.wbench"), engine=engine)
    with pytest.raises(WorkbenchError, match="password or token") as refused:
        load_project(path)
    assert "hunter2" not in str(refused.value) and "xyzzy" not in str(refused.value)


@pytest.mark.parametrize("engine", ["oracle", 7, ["duckdb"]])
def test_an_engine_nobody_knows_is_refused(tmp_path: Path, engine: object) -> None:
    with pytest.raises(WorkbenchError):
        load_project(changed(saved(tmp_path / "one.wbench"), engine=engine))
