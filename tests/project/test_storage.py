"""Project files: round trip, versions, damage, no data, and kill -9 while saving."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.recipe import Treatment
from workbench.anonymise.utility import MetricChoice
from workbench.core.building import BUILDERS, build_hierarchy, specification
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.schema import Format, Misfits, PrivacyUnit, Role
from workbench.io.dialect import Dialect
from workbench.project.anonymise_settings import AnonymityKind
from workbench.project.model import (
    DataSource,
    GuaranteeSettings,
    Preparation,
    Project,
    QuestionSettings,
    ReleaseRecord,
    hierarchy_digest,
)
from workbench.project.storage import load_project, save_project, with_history_of
from workbench.session import Session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    file = tmp_path / "people.csv"
    lines = ["name;age;note"] + [f'Secret{i};{20 + i % 40};"a; b"' for i in range(4000)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    session = Session()
    session.data.open(file)
    session.data.attach_hierarchy(
        "age",
        Hierarchy.from_rows(
            [(str(a), f'{a // 10 * 10}s; "q"', "*") for a in range(20, 60)],
            provenance=Provenance.DERIVED,
            origin="tens",
        ),
    )
    session.data.set_role(["name"], Role.IDENTIFYING)
    session.data.set_bounds("age", (0.0, 120.0))
    session.data.set_unit(PrivacyUnit(3, "name"))
    session.data.set_format("age", Format(".", ","))
    session.data.set_missing(["note"], ["", "n/a"])
    session.data.set_domain("note", ["a; b", "c"])
    session.data.set_unit_text("age", "years")
    session.data.set_misfits("age", Misfits.MISSING)
    session.data.set_preparation(Preparation("age >= 21 and note != 'x'", sample=0.9, limit_rows=True))
    session.release.set_guarantee(GuaranteeSettings(epsilon=0.7, delta=1e-4, beta="best"))
    session.release.columns.set_treatment("note", Treatment.GENERALISE)
    session.release.columns.set_levels_blind(False)
    session.release.set_seed(5)
    session.syntactic.set_approach(AnonymityKind.SYNTACTIC)
    session.syntactic.set_models(
        [
            ModelChoice("k-anonymity", {"k": 7}),
            ModelChoice("t-closeness", {"t": 0.25, "column": "note"}),
        ]
    )
    session.syntactic.set_metric(MetricChoice("loss", {"aggregate": "maximum"}))
    session.syntactic.set_suppression_limit(0.29)
    session.syntactic.set_weight("age", 2.5)
    session.release.columns.set_level_limits("age", 1, 2)
    session.release.anonymise()
    session.release.export(session.data.reading.path.with_name("out.csv"), without_claim=True)
    return session


def same(one: Project, two: Project) -> bool:
    plain = [
        (
            p.data, p.schema, p.preparation, p.looks, dict(p.histories), p.anonymise.guarantee,
            dict(p.anonymise.treatments), dict(p.anonymise.levels), p.anonymise.levels_blind, p.anonymise.seed,
            p.anonymise.approach,
            p.anonymise.question,
            {n: (hierarchy_digest(h), h.provenance, h.origin) for n, h in p.hierarchies.items()},
        )
        for p in (one, two)
    ]  # fmt: skip
    return plain[0] == plain[1]


def test_round_trip(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    session.save(path)
    assert same(load_project(path), session.project)


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_a_project_is_private_only_where_somebody_says_so(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        save_project(Project(), tmp_path / "shared.wbench")
        save_project(Project(), tmp_path / "own.wbench", private=True)
    finally:
        os.umask(before)
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("shared.wbench", "own.wbench")]
    assert modes == [0o644, 0o600]


def test_what_a_saved_project_knows_of_ledgers_is_not_lost(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    assert with_history_of(Project(), path) == Project()
    session.save(path)
    histories = dict(session.project.histories)
    assert histories and not Project().histories
    assert dict(with_history_of(Project(), path).histories) == histories
    path.write_bytes(b"damaged")
    assert with_history_of(Project(), path) == Project()


@pytest.mark.parametrize(
    "change",
    [
        {"epsilon": 0.0}, {"epsilon": -1.0}, {"epsilon": float("nan")}, {"delta": -1e-9}, {"delta": 1.0},
        {"beta": 0.0}, {"beta": 1.0000001}, {"k": 0}, {"rows_per_person": 0}, {"levels_epsilon": -0.1},
        {"models": "k=5"},
    ],
)  # fmt: skip
def test_a_record_that_cannot_be_makes_no_total_smaller(change: dict[str, object]) -> None:
    possible: dict[str, object] = {
        "when": "", "fingerprint": "x", "file": "f", "epsilon": 1.0, "delta": 0.0, "beta": 1.0, "k": 1, "claim": True,
    }  # fmt: skip
    assert ReleaseRecord(**possible).levels_epsilon == 0.0
    with pytest.raises(ValueError):
        ReleaseRecord(**{**possible, **change})


def test_a_loaded_project_gives_the_same_result(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    session.save(path)
    again = Session.from_file(path)
    assert again.project.data is not None
    again.data.open(Path(again.project.data.path), again.project.data.dialect)
    first, second = session.release.anonymise().outcome.release, again.release.anonymise().outcome.release
    assert [first.row(i) for i in range(first.rows)] == [second.row(i) for i in range(second.rows)]


def test_no_row_of_the_data_is_saved(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    session.save(path)
    with zipfile.ZipFile(path) as archive:
        content = b"".join(archive.read(name) for name in archive.namelist())
    assert b"Secret" not in content


def edited(path: Path, **changes: object) -> Path:
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(members["project.json"])
    document.update(changes)
    members["project.json"] = json.dumps(document).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_what_a_project_does_not_say_about_the_preparation_has_its_default(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    session.save(path)
    with zipfile.ZipFile(path) as archive:
        document = json.loads(archive.read("project.json"))
    for column in document["columns"]:
        del column["misfits"]
    edited(path, columns=document["columns"], preparation={})
    loaded = load_project(path)
    assert loaded.preparation == Preparation()
    assert {column.misfits for column in loaded.schema.columns} == {Misfits.KEEP}
    assert loaded.schema["age"].unit == "years"


def test_what_a_project_does_not_say_about_the_question_has_its_default(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    session.save(path)
    with zipfile.ZipFile(path) as archive:
        document = json.loads(archive.read("project.json"))
    del document["anonymise"]["approach"], document["anonymise"]["question"]
    loaded = load_project(edited(path, anonymise=document["anonymise"]))
    assert loaded.anonymise.approach is AnonymityKind.DP
    assert loaded.anonymise.question == QuestionSettings()


def test_releases_that_programs_before_the_ledger_recorded_are_kept(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "p.wbench"
    session.save(path)
    plain = {
        "when": "2025-01-02T03:04:05+00:00", "fingerprint": session.data.reading.fingerprint, "file": "old.csv",
        "epsilon": 0.3, "delta": 1e-6, "beta": 0.2, "k": 40, "claim": True, "rows_per_person": 3,
    }  # fmt: skip
    data = {**vars(session.project.data), "dialect": session.project.data.dialect.to_dict()}
    del data["content"]
    # The same file written twice in one second was two draws.
    loaded = load_project(edited(path, version=1, releases=[plain, plain], looks=[], ledgers={}, data=data))
    assert [(record.file, record.epsilon, record.k) for record in loaded.releases] == [("old.csv", 0.3, 40)] * 2
    again = Session(loaded)
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(tmp_path / "another machine"))
    again.data.open(session.data.reading.path, session.data.reading.dialect)
    assert again.ledger.current.spent().epsilon == Fraction(6, 10)
    (caution,) = (caution.text for caution in again.release.claim().cautions if caution.code == "earlier-releases")
    assert "number 3" in caution


def test_a_model_that_is_not_installed_is_kept(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    session.save(path)
    with zipfile.ZipFile(path) as archive:
        settings = json.loads(archive.read("project.json"))["anonymise"]
    settings["question"]["models"].append({"identifier": "somebody-elses", "values": {"strength": 3}})
    loaded = load_project(edited(path, anonymise=settings))
    assert loaded.anonymise.question.models[-1] == ModelChoice("somebody-elses", {"strength": 3})


@pytest.mark.parametrize(
    "changes",
    [
        {"suppression_limit": 1.5}, {"suppression_limit": "much"}, {"models": [{"identifier": 3, "values": {}}]},
        {"models": [{"identifier": "k-anonymity", "values": {"k": [5]}}]}, {"models": "k"}, {"metric": {}},
        {"weights": {"age": None}}, {"limits": {"age": [1]}}, {"limits": {"age": [0, 1.5]}},
    ],
)  # fmt: skip
def test_a_damaged_question_is_refused(session: Session, tmp_path: Path, changes: dict) -> None:
    path = tmp_path / "p.wbench"
    session.save(path)
    with zipfile.ZipFile(path) as archive:
        settings = json.loads(archive.read("project.json"))["anonymise"]
    settings["question"].update(changes)
    with pytest.raises(WorkbenchError, match=r"p\.wbench"):
        load_project(edited(path, anonymise=settings))


def test_a_release_of_models_alone_has_no_claim() -> None:
    plain = {"when": "", "fingerprint": "", "file": "", "epsilon": 0.0, "delta": 0.0, "beta": 0.0, "k": 0}
    assert ReleaseRecord(**plain, claim=False, models="k-anonymity (k = 5)").models
    with pytest.raises(ValueError, match="claim"):
        ReleaseRecord(**plain, claim=True, models="k-anonymity (k = 5)")
    with pytest.raises(ValueError, match="impossible"):
        ReleaseRecord(**plain, claim=False)


def test_the_sheet_of_a_workbook_is_remembered(tmp_path: Path) -> None:
    data = DataSource("book.xlsx", "0" * 64, 3, Dialect(sheet="Sheet 2", skip_lines=1))
    path = tmp_path / "p.wbench"
    save_project(Project(data=data), path)
    assert load_project(path).data == data


def test_a_newer_version_is_refused_and_left_alone(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    session.save(path)
    edited(path, version=99)
    before = path.read_bytes()
    with pytest.raises(WorkbenchError, match="newer version"):
        load_project(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "changes",
    [
        {"columns": [{"name": 1}]}, {"columns": None}, {"anonymise": {}}, {"version": 3, "looks": [{"fingerprint": 3}]},
        {"unit": {"rows_per_person": 0, "person_column": ""}}, {"hierarchies": [{"column": "age", "file": "gone"}]},
        {"preparation": {"sample": 0.0}}, {"preparation": {"where": 1}}, {"preparation": {"limit_rows": "yes"}},
        {"version": 1, "releases": [{}]}, {"data": {"path": None}}, {"format": "something else"}, {"version": "x"},
        {"version": 0},
    ],
)  # fmt: skip
def test_a_damaged_document_is_refused_in_words(session: Session, tmp_path: Path, changes: dict) -> None:
    path = tmp_path / "p.wbench"
    session.save(path)
    with pytest.raises(WorkbenchError, match=r"p\.wbench"):
        load_project(edited(path, **changes))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"unit": {"rows_per_person": 10**310, "person_column": ""}}, "Rows per person"),
        ({"unit": {"rows_per_person": "x", "person_column": ""}}, "“rows_per_person” must be a whole number"),
        ({"preparation": {"sample": 0.0}}, "share of rows"),
        ({"preparation": {"sample": 10**310}}, "“sample” is larger"),
    ],
)
def test_a_setting_that_is_refused_is_named(session: Session, tmp_path: Path, changes: dict, told: str) -> None:
    path = tmp_path / "p.wbench"
    session.save(path)
    with pytest.raises(WorkbenchError, match=told) as refused:
        load_project(edited(path, **changes))
    assert refused.value.message.endswith(".") and len(refused.value.message) < 450


@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_flipped_bytes_never_crash(session: Session, tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "p.wbench"
    session.save(path)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    del content[data.draw(st.integers(len(content) // 2, len(content))) :]
    path.write_bytes(bytes(content))
    try:
        load_project(path)
    except WorkbenchError as error:
        assert "p.wbench" in error.message


def test_a_zip_bomb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.wbench"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("project.json", "w") as member:
        for _ in range(300):
            member.write(bytes(1 << 20))
    with pytest.raises(WorkbenchError, match="unpack"):
        load_project(path)


def test_unwritable_places_are_told(session: Session, tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError):
        save_project(session.project, tmp_path / "missing" / "p.wbench")
    with pytest.raises(WorkbenchError):
        save_project(session.project, tmp_path)


SAVER = """
import sys
from pathlib import Path
from workbench.project.storage import load_project, save_project, with_history_of
path = Path(sys.argv[1])
project = load_project(path)
print("ready", flush=True)
while True:
    save_project(project, path)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_killing_the_process_while_saving_leaves_a_whole_project(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    session.save(path)
    for trial in range(8):
        process = subprocess.Popen([sys.executable, "-c", SAVER, str(path)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.004 * trial)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        assert same(load_project(path), session.project)


def test_a_built_hierarchy_opens_in_its_builder_again(session: Session, tmp_path: Path) -> None:
    column = session.project.schema["age"]
    parameters, details = BUILDERS["intervals"].suggest(column)
    spec = specification("intervals", parameters, details, column=column)
    table = session.data.reading.table["age"]
    session.data.attach_hierarchy("age", build_hierarchy(spec, table.values, table.counts, column))
    session.save(tmp_path / "p.wbench")
    reopened = Session.from_file(tmp_path / "p.wbench")
    reopened.data.open(session.data.reading.path, session.data.reading.dialect)
    again = reopened.project.hierarchies["age"]
    assert again.specification == session.project.hierarchies["age"].specification
    assert again.rows() == session.project.hierarchies["age"].rows()


def test_values_the_hierarchy_missed_are_not_saved(tmp_path: Path) -> None:
    session = Session()
    file = tmp_path / "more.csv"
    file.write_text(
        "name;age\n" + "".join(f"x{i};{20 + i % 40}\n" for i in range(400)) + "y;1234567\n", encoding="utf-8"
    )
    session.data.open(file)
    session.data.attach_hierarchy(
        "age", Hierarchy.from_rows([(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)])
    )
    assert session.data.cover("age") == 1
    assert session.data.uncovered("age") == []
    session.save(tmp_path / "p.wbench")
    with zipfile.ZipFile(tmp_path / "p.wbench") as archive:
        assert b"1234567" not in b"".join(archive.read(name) for name in archive.namelist())
    again = Session.from_file(tmp_path / "p.wbench")
    again.data.open(file)
    assert again.data.uncovered("age") == []
    assert ("1234567", "*", "*") in again.project.hierarchies["age"].rows()


def test_saving_never_forgets_what_the_file_knows_was_released(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    session.save(path)
    other = Session.from_file(path)
    other.data.open(session.data.reading.path, session.data.reading.dialect)
    other.release.set_seed(None)
    other.release.anonymise()
    other.release.export(tmp_path / "other.csv", without_claim=True)
    other.save(path)
    session.save(path)  # does not know of the other one's release
    assert len(load_project(path).releases) == 2
    assert len(session.project.releases) == 2


@pytest.mark.parametrize("part", ["document", "all"])
def test_what_could_not_be_opened_again_is_not_saved(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the limit it opens; a byte more is refused, and the file that was there stays, as does the recovery's."""
    data, path, slot = tmp_path / "d.csv", tmp_path / "p.wbench", tmp_path / "slot"
    data.write_text("id,age\np1,3\np2,4\n", encoding="utf-8")
    session = Session()
    session.data.open(data)
    session.data.set_domain("id", ["p1", "p2", *(f"p{number}" for number in range(3, 50))])
    session.save(path)
    before = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        sizes = {info.filename: info.file_size for info in archive.infolist()}
    named, size = ("storage.LARGEST_DOCUMENT", sizes["project.json"])
    if part == "all":
        named, size = ("storage.LARGEST", sum(sizes.values()))
        monkeypatch.setattr("workbench.project.archive.LARGEST", size)
    monkeypatch.setattr(f"workbench.project.{named}", size)
    session.save(path)
    assert load_project(path).schema["id"].domain is not None
    session.data.set_domain("id", ["p1", "p2", *(f"p{number}" for number in range(3, 49)), "p490"])
    with pytest.raises(WorkbenchError, match="too large to be opened again") as refused:
        session.save(path)
    assert part == "all" or "“id” alone lists 49 possible values" in refused.value.message
    assert path.read_bytes() == before and not list(tmp_path.glob("*.part"))
    with pytest.raises(WorkbenchError, match="too large to be opened again"):
        save_project(session.project, slot, notes={"note.json": "{}"}, private=True)
    assert not slot.exists()
