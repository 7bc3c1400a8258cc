"""Files of every version of the project format open, and say what they said when they were saved."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest

from workbench.core.building import BUILDERS, build_hierarchy, specification
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.schema import Role
from workbench.project.anonymise_settings import QuestionSettings
from workbench.project.migrations import VERSION, _release
from workbench.project.model import ReleaseRecord, hierarchy_digest
from workbench.project.storage import load_project, save_project
from workbench.session import Session

KEPT = Path(__file__).parents[1] / "data" / "projects"
CITIES = ("Basel", "Bern", "Chur")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """The file that the kept projects describe."""
    file = tmp_path / "people.csv"
    lines = (f"Person{i},{20 + i % 40},{CITIES[i % 3]}\n" for i in range(2000))
    file.write_text("name,age,city\n" + "".join(lines), encoding="utf-8")
    return file


def content_of(path: Path) -> str:
    with zipfile.ZipFile(path) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())


def test_there_is_a_kept_file_of_every_version() -> None:
    versions = {}
    for file in KEPT.glob("version_*.wbench"):
        with zipfile.ZipFile(file) as archive:
            versions[file.stem] = json.loads(archive.read("project.json"))["version"]
    assert versions == {f"version_{number}": number for number in range(1, VERSION + 1)}


@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_a_kept_project_is_understood(version: int, people: Path, tmp_path: Path) -> None:
    session = Session.from_file(KEPT / f"version_{version}.wbench")
    session.ledger.use_file(tmp_path / "ledger.jsonl")
    project = session.project
    assert project.schema["name"].role is Role.IDENTIFYING
    assert project.schema["age"].bounds == (0.0, 120.0)
    assert project.anonymise.guarantee.epsilon == 0.7
    assert [(record.file, record.epsilon, record.claim) for record in project.releases] == [("out.csv", 0.7, False)]
    assert set(project.hierarchies) | set(project.rules) == {"age", "city"}
    session.data.open(people, project.data.dialect)  # type: ignore[union-attr]
    assert session.project.hierarchies["age"].groups() == (40, 4, 2, 2, 1)
    assert session.project.hierarchies["city"].rows()[0] == ("Basel", "north", "*")
    assert not session.project.rules
    # The very hierarchies it had: what was seen and released of this recipe is recognised.
    assert session.release.anonymise().recipe in {look.recipe for look in project.looks} or version == 1
    assert len(session.project.releases) == 1
    assert session.ledger.current.spent().rows_per_person == 2


@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_saved_again_it_is_of_this_version_and_holds_no_values(version: int, people: Path, tmp_path: Path) -> None:
    session = Session.from_file(KEPT / f"version_{version}.wbench")
    session.data.open(people)
    path = tmp_path / "again.wbench"
    session.save(path)
    with zipfile.ZipFile(path) as archive:
        assert json.loads(archive.read("project.json"))["version"] == VERSION
        assert archive.namelist() == ["project.json", "hierarchies/000.csv"]  # only the imported one
    assert load_project(path).releases == session.project.releases


@pytest.mark.parametrize("builder", [one.identifier for one in BUILDERS if one.identifier != "table"])
@pytest.mark.parametrize("covered", [False, True], ids=["as it is", "covering all"])
def test_a_built_hierarchy_is_the_same_again_without_being_saved(
    builder: str, covered: bool, people: Path, tmp_path: Path
) -> None:
    session = Session()
    session.data.open(people)
    column, table = session.project.schema["age"], session.data.reading.table["age"]
    try:
        parameters, details = BUILDERS[builder].suggest(column)
        made = build_hierarchy(specification(builder, parameters, details, column=column), table.values, table.counts)
    except WorkbenchError:
        pytest.skip("has nothing to start from for numbers")
    session.data.attach_hierarchy("age", made)
    if covered:
        session.data.cover("age")
    before = session.project.hierarchies["age"]
    path = tmp_path / "p.wbench"
    session.save(path)
    again = Session.from_file(path)
    again.data.open(people)
    after = again.project.hierarchies["age"]
    assert hierarchy_digest(after) == hierarchy_digest(before)
    assert (after.provenance, after.origin, after.covers_all) == (before.provenance, before.origin, before.covers_all)
    assert after.specification == before.specification


def test_no_value_of_the_data_is_in_a_project(tmp_path: Path) -> None:
    marks = [f"{100 + i}77123" for i in range(300)]
    file = tmp_path / "marks.csv"
    text = io.StringIO()
    csv.writer(text).writerows([("number", "code"), *((mark, f"Zz{mark}") for mark in marks)])
    file.write_text(text.getvalue(), encoding="utf-8")
    session = Session()
    session.data.open(file)
    for name in ("number", "code"):
        column, table = session.project.schema[name], session.data.reading.table[name]
        parameters, details = BUILDERS["masking"].suggest(column)
        spec = specification("masking", parameters, details, column=column)
        session.data.attach_hierarchy(name, build_hierarchy(spec, table.values, table.counts, column))
    session.data.set_bounds("number", (10077123.0, 39977123.0), observed=True)
    session.data.set_domain("code", [f"Zz{mark}" for mark in marks], observed=True)
    session.release.anonymise()
    path = tmp_path / "p.wbench"
    session.save(path)
    content = content_of(path)
    assert "77123" not in content
    again = Session.from_file(path)
    again.data.open(file)
    assert again.project.schema["number"].bounds == (10077123.0, 39977123.0)
    assert again.project.schema["code"].domain == tuple(f"Zz{mark}" for mark in marks)
    assert again.project.schema["code"].observed == {"domain"}
    assert again.release.result_key() == session.release.result_key()


def test_a_data_derived_hierarchy_does_not_become_public(people: Path, tmp_path: Path) -> None:
    session = Session.from_file(KEPT / "version_3.wbench")
    session.data.open(people)
    session.data.set_provenance("age", Provenance.DERIVED, "I know that it was")
    session.save(tmp_path / "p.wbench")
    again = Session.from_file(tmp_path / "p.wbench")
    again.data.open(people)
    age = again.project.hierarchies["age"]
    assert (age.provenance, age.origin) == (Provenance.DERIVED, "I know that it was")


def test_a_rule_that_cannot_be_followed_is_told_and_kept(people: Path, tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    with zipfile.ZipFile(KEPT / "version_3.wbench") as archive:
        document = json.loads(archive.read("project.json"))
        imported = archive.read("hierarchies/000.csv")
    for entry in document["hierarchies"]:
        if entry["specification"]:
            entry["specification"]["builder"] = "somebody-elses"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("project.json", json.dumps(document))
        archive.writestr("hierarchies/000.csv", imported)
    session = Session.from_file(path)
    loaded = session.data.open(people)
    assert "age" not in session.project.hierarchies
    session.data.adopt(loaded)
    assert set(session.data.adopt(loaded).unbuilt) == {"age"}
    session.save(path)
    assert load_project(path).rules["age"].specification["builder"] == "somebody-elses"


def test_a_project_whose_data_is_gone_keeps_its_rules(tmp_path: Path) -> None:
    project = load_project(KEPT / "version_3.wbench")
    save_project(project, tmp_path / "p.wbench")
    assert load_project(tmp_path / "p.wbench").rules == project.rules
    assert set(project.rules) == {"age"}


def test_the_same_project_gives_the_same_bytes(tmp_path: Path) -> None:
    project = load_project(KEPT / "version_3.wbench")
    save_project(project, tmp_path / "one.wbench")
    save_project(project, tmp_path / "two.wbench")
    assert (tmp_path / "one.wbench").read_bytes() == (tmp_path / "two.wbench").read_bytes()


def test_imported_hierarchies_stay_files(tmp_path: Path, people: Path) -> None:
    session = Session()
    session.data.open(people)
    session.data.attach_hierarchy("city", Hierarchy.from_rows([(city, "x", "*") for city in CITIES], origin="typed"))
    session.save(tmp_path / "p.wbench")
    assert "Basel;x;*" in content_of(tmp_path / "p.wbench")


def test_a_release_of_a_project_of_the_first_version_has_these_fields_and_no_others() -> None:
    written = {
        "when": "2024-05-01", "fingerprint": "f", "file": "a.csv", "epsilon": 1.0, "delta": 1e-6, "beta": 0.5, "k": 5,
        "claim": True, "rows_per_person": 1,
    }  # fmt: skip
    assert _release(written) == ReleaseRecord(**written)
    assert _release({**written, "levels_epsilon": 0.5}).levels_epsilon == 0.5
    for wrong in ({**written, "other": 1}, {name: one for name, one in written.items() if name != "k"}):
        with pytest.raises(ValueError, match="unexpected fields"):
            _release(wrong)


@pytest.mark.parametrize(("limit", "fits"), [(0.0, True), (1.0, True), (-0.01, False), (1.01, False)])
def test_a_share_of_rows_that_may_be_suppressed_lies_from_none_to_all(limit: float, fits: bool) -> None:
    if fits:
        assert QuestionSettings(suppression_limit=limit).suppression_limit == limit
    else:
        with pytest.raises(WorkbenchError, match="suppression limit must lie between 0 and 1"):
            QuestionSettings(suppression_limit=limit)
