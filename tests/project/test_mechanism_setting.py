"""Which mechanism a project means: sampling where it says nothing, as every project did before there was a choice."""

from __future__ import annotations

import hashlib
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from workbench.anonymise.dp_search import Degree
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.trim_recipe import MOST_STEPS
from workbench.core.errors import WorkbenchError
from workbench.core.settings_json import from_json, to_json
from workbench.core.table import Table
from workbench.project.anonymise_settings import AnonymiseSettings
from workbench.project.model import Project, new_project
from workbench.project.storage import load_project, save_project
from workbench.project.trim_settings import StepsBy, Survives, TrimSettings, TrimUnknown
from workbench.session import Session
from workbench.session.release.claims import recipe_digest

TESTS = Path(__file__).parents[1]
KEPT = TESTS / "kept"
TRIMMED = KEPT / "projects" / "trimmed.wbench"
"""The one that was saved by a program which trims, and says so."""
OLD = sorted({*(KEPT / "projects").glob("*.wbench"), *(TESTS / "data" / "projects").glob("*.wbench")} - {TRIMMED})


RECIPES = {
    "release": "b3346c121c220c9ee0d9950751b20bfa9ab96467f11b15e078f02c575e0d5e0b",
    "everything": "d0a88c142bd6430785bb9031e600b4b2f5003efecc7200c5ed327d1ea15b11c8",
}


def digest(table: Table) -> str:
    """Of the rows of a table in their order."""
    texts = (column.texts() for column in table.columns)
    return hashlib.sha256(repr(list(zip(*texts, strict=True))).encode()).hexdigest()


@pytest.mark.parametrize("file", OLD, ids=lambda file: file.stem)
def test_a_project_that_says_nothing_of_the_mechanism_means_sampling(file: Path) -> None:
    with zipfile.ZipFile(file) as archive:
        assert "mechanism" not in json.loads(archive.read("project.json"))["anonymise"]
    settings = load_project(file).anonymise
    assert settings.mechanism is ReleaseMechanism.SAMPLE and settings.trim == TrimSettings()


def test_a_project_that_names_the_mechanism_means_it() -> None:
    assert load_project(TRIMMED).anonymise.mechanism is ReleaseMechanism.TRIM


@pytest.mark.parametrize(
    "name,beta,k,rows,drawn",
    [
        ("release", 0.6321205588285577, 23, 105, "49ab1df3700b4b97820bfbbf4e9451dae354bbad19a03745bd7f318d2ca3b75d"),
        ("everything", 0.19536278408798396, 7, 7, "a2ea0d3b918678e314bd80d3c4951da3de2b0b1eff3d4cde998292f9defc3eb4"),
    ],
)
def test_such_a_project_samples_the_rows_it_always_did(name: str, beta: float, k: int, rows: int, drawn: str) -> None:
    session = Session.from_file(KEPT / "projects" / f"{name}.wbench")
    assert session.project.data is not None
    session.data.open(KEPT / "material" / "people.csv", session.project.data.dialect)
    # What earlier programs recorded of results that were seen is found again by this digest.
    assert recipe_digest(session.state, session.release.recipe()) == RECIPES[name]
    session.release.set_seed(4)
    result = session.release.anonymise()
    assert (result.claim.guarantee.beta, result.claim.guarantee.k) == (beta, k)
    assert (result.outcome.rows_out, digest(result.outcome.release)) == (rows, drawn)


def test_new_projects_make_no_choice_of_their_own(tmp_path: Path) -> None:
    assert new_project().anonymise.mechanism is None
    assert replace(new_project(), anonymise=Project().anonymise) == Project()
    save_project(new_project(), tmp_path / "new.wbench")
    assert load_project(tmp_path / "new.wbench") == new_project()


def test_everything_that_is_said_of_trimming_comes_back(tmp_path: Path) -> None:
    said = TrimSettings(
        solve_for=TrimUnknown.DELTA,
        survives=Survives.ALWAYS,
        group=20,
        floor=5,
        steps=StepsBy.TYPED,
        degrees=(Degree.LOW, Degree.COMPLETE),
        vectors=(MappingProxyType({"age": 1, "a,b": 0}), MappingProxyType({"age": 2, "a,b": 1})),
        shares=(0.1, 3.0),
        step_column="step",
        count_column="rows",
        expected_rows=30_000,
    )
    settings = AnonymiseSettings(mechanism=ReleaseMechanism.TRIM, trim=said)
    save_project(Project(anonymise=settings), tmp_path / "said.wbench")
    assert load_project(tmp_path / "said.wbench").anonymise == settings
    assert to_json(settings)["mechanism"] == "trim"


@pytest.mark.parametrize(
    "wrong",
    [
        {"floor": 0},
        {"group": 0},
        {"expected_rows": 0},
        {"shares": (1.0, 0.0)},
        {"shares": (1.0,) * (MOST_STEPS + 1)},
        {"vectors": (MappingProxyType({"age": 1}),) * (MOST_STEPS + 1)},
        {"degrees": (Degree.LOW,) * 8},
    ],
)
def test_impossible_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(WorkbenchError):
        TrimSettings(**wrong)


def test_another_mechanism_in_a_file_is_none() -> None:
    with pytest.raises(ValueError, match="mechanism"):
        from_json(AnonymiseSettings, {**to_json(AnonymiseSettings()), "mechanism": "shuffle"})
