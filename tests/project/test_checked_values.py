"""What an edited project may hold: numbers that are numbers, settings that can be, looks of earlier versions."""

from __future__ import annotations

import json
import math
import zipfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from workbench.core.building import BUILDERS, build_hierarchy, specification
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.core.progress import SILENT
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.settings_json import from_json, to_json
from workbench.core.table import Column, Table
from workbench.project.checked import number, one_of, parameters, typed
from workbench.project.collect_settings import CollectSettings
from workbench.project.experiments import CompareSettings, ExperimentDocument
from workbench.project.laboratory import LaboratorySettings
from workbench.project.migrations import VERSION, migrated
from workbench.project.model import Project, Rule
from workbench.project.query_settings import QuerySettings
from workbench.project.restoring import Memory, restored
from workbench.project.storage import load_project, save_project
from workbench.query.ledger_records import history_from_records

LOOK = {"fingerprint": "f", "recipe": "r", "draws": 2}


@pytest.mark.parametrize("value", [True, False, "1", None, [1], float("inf"), float("nan")])
def test_what_is_no_finite_number_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        number(value)


@pytest.mark.parametrize("value", [0, 1, "true", None])
def test_what_is_neither_true_nor_false_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="must be true or false"):
        from_json(CollectSettings, {"one_report_per_person": value})


def test_numbers_and_whole_numbers_are_numbers() -> None:
    assert [number(value) for value in (0, -3, 2.5)] == [0.0, -3.0, 2.5]
    assert typed(True, bool) is True and typed(3, int) == 3
    for value, wanted in ((True, int), (1, bool), (1, str), (1, float)):
        with pytest.raises(TypeError):
            typed(value, wanted)


def test_parameters_are_numbers_texts_and_truth_values() -> None:
    assert dict(parameters({"a": 1, "b": 2.5, "c": "x", "d": True})) == {"a": 1, "b": 2.5, "c": "x", "d": True}
    for value in (float("nan"), None, [1], {}):
        with pytest.raises(TypeError):
            parameters({"a": value})


@pytest.mark.parametrize("epsilon", [0.0, -0.5, float("inf"), float("nan")])
def test_a_collection_costs_something(epsilon: float) -> None:
    assert CollectSettings(epsilon=1e-9).epsilon == 1e-9
    with pytest.raises(WorkbenchError) as refused:
        CollectSettings(epsilon=epsilon)
    assert refused.value.field == "epsilon"


@pytest.mark.parametrize("documents,current", [(0, 1), (0, -2), (2, 2), (2, -1), (2, -2)])
def test_the_experiment_that_is_looked_at_is_there(documents: int, current: int) -> None:
    with pytest.raises(WorkbenchError) as refused:
        CompareSettings((ExperimentDocument(),) * documents, current)
    assert refused.value.field == "experiment"


def test_experiments_that_are_there_can_be_looked_at() -> None:
    for current in (0, 1):
        assert CompareSettings((ExperimentDocument(),) * 2, current).current == current
    assert CompareSettings().current == -1


@pytest.mark.parametrize("draws", [0, 1, 3])
def test_every_draw_of_an_earlier_version_is_still_a_look(draws: int) -> None:
    """A recipe that was looked at without a draw counts as one look, which cost none."""
    document = {"version": 3, "looks": [{"fingerprint": "f", "recipe": "r", "draws": draws}]}
    found = migrated(document)
    assert found["version"] == VERSION and "looks" not in found
    looks = history_from_records(found["ledgers"]["f"]).looks
    assert [(look.recipe, look.drawn) for look in looks] == [("r", draws > 0)] * max(draws, 1)
    assert len({look.id for look in looks}) == len(looks)
    assert migrated(document) == found


def test_the_largest_number_of_draws_is_taken() -> None:
    assert migrated({"version": 3, "looks": [{"fingerprint": "f", "recipe": "r", "draws": 100_000}]})


@pytest.mark.parametrize("draws", [-1, 100_001, 1.0, True, "1"])
def test_an_impossible_number_of_draws_is_refused(draws: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        migrated({"version": 3, "looks": [{"fingerprint": "f", "recipe": "r", "draws": draws}]})


def test_a_project_does_not_tell_when_it_was_saved(tmp_path: Path) -> None:
    save_project(Project(), tmp_path / "p.wbench")
    with zipfile.ZipFile(tmp_path / "p.wbench") as archive:
        assert {one.date_time for one in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert json.loads(archive.read("project.json"))["version"] == VERSION
    assert load_project(tmp_path / "p.wbench") == Project()


@pytest.mark.parametrize(
    "plain",
    [
        {"one_report_per_person": 1},
        {"one_report_per_person": "yes"},
        {"protocols": [{"identifier": "oue", "values": [1]}]},
        {"protocols": [{"identifier": "oue", "values": {"k": None}}]},
        {"protocols": [{"identifier": "oue", "values": {"k": float("nan")}}]},
        {"protocols": [{"identifier": 1, "values": {}}]},
        {"repetitions": 2.0},
        {"repetitions": True},
        {"repetitions": 0},
        {"users": 0},
        {"seed": -1},
        {"rank_by": "luck"},
        {"epsilon": "1"},
        {"guess": [0.5, "0.5"]},
        {"guess": [float("nan")]},
        {"guess": [float("inf")]},
        {"guess": [True]},
        {"shape": "round"},
    ],
)
def test_what_are_no_settings_of_a_collection_is_refused(plain: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError, WorkbenchError)):
        from_json(CollectSettings, plain)


def test_settings_of_a_collection_are_read_back_as_they_were_written() -> None:
    usual = CollectSettings()
    assert from_json(CollectSettings, {}) == usual == from_json(CollectSettings, to_json(usual))
    own = CollectSettings("age", epsilon=0.5, users=1, repetitions=1, seed=0, one_report_per_person=True, guess=(0.25,))
    assert from_json(CollectSettings, to_json(own)) == own
    assert from_json(CollectSettings, {"seed": None}).seed is None


def test_the_laboratory_keeps_what_was_typed_for_the_parameters_there_are() -> None:
    for typed_in in ({"grr": {"d": 5}}, {"grr": {"d": "5", "epsilon": 1}}, {"grr": ["d"]}, ["grr"]):
        with pytest.raises(ValueError):
            from_json(LaboratorySettings, {"parameters": typed_in})
    found = from_json(
        LaboratorySettings, {"parameters": {"grr": {"d": "5", "gone": "1"}, "somebody-elses": {"x": "1"}}}
    )
    assert {name: dict(typed_in) for name, typed_in in found.parameters.items()} == {
        "grr": {"d": "5"},
        "somebody-elses": {"x": "1"},
    }
    assert from_json(LaboratorySettings, to_json(found)) == found


def test_what_is_known_of_data_that_is_recognised_is_known_of_it() -> None:
    history = history_from_records(migrated({"version": 3, "looks": [LOOK]})["ledgers"]["f"])
    known = Project().with_history("f", history)
    assert dict(known.recognised("f", "c").histories) == {"c": history}
    for other, content in (("f", "f"), ("g", "c"), ("g", "g")):
        assert known.recognised(other, content) is known


def test_a_hierarchy_from_the_data_stays_one_whatever_the_project_says() -> None:
    """The ends of the data make it; a project that was edited calls it public, or says where it comes from."""
    column = Column.from_texts("age", [str(age) for age in (17, 23, 30, 41, 58, 77)])
    spec = ColumnSpec("age", Kind.INTEGER)
    parameters, details = BUILDERS["intervals"].suggest(spec)
    rule = specification("intervals", parameters, details, column=spec)
    built = build_hierarchy(rule, column.values, column.counts)
    for said in Provenance:
        project = replace(Project(), schema=Schema((spec,)), rules={"age": Rule(rule, said, "as I said")})
        found = restored(project, Table((column,)), Memory(), SILENT).project.hierarchies["age"]
        derived = Provenance.DERIVED in (said, built.provenance)
        assert (found.provenance is Provenance.DERIVED) == derived
        kept = built.provenance is Provenance.DERIVED and said is Provenance.PUBLIC
        assert found.origin == (built.origin if kept else "as I said")


@pytest.mark.parametrize(
    "ages,declared,bounds,domain",
    [
        (["17", "30", "?", "58"], {}, (17.0, 58.0), ("17", "30", "58")),
        (["30", "30"], {}, None, ("30",)),  # one value alone bounds nothing
        (["?"], {}, None, None),
        (["17", "58"], {"bounds": (0.0, 99.0)}, (0.0, 99.0), ("17", "58")),
        (["17", "58"], {"bounds": (0.0, 99.0), "domain": ("1",)}, (0.0, 99.0), ("1",)),
    ],
)
def test_only_what_was_read_from_the_data_is_read_again(
    ages: list[str], declared: dict[str, Any], bounds: tuple[float, float] | None, domain: tuple[str, ...] | None
) -> None:
    """What is marked as observed and is not there; not what was declared, and nothing where nothing is marked."""
    column = Column.from_texts("age", ages)
    for observed in (frozenset[str](), frozenset({"bounds"}), frozenset({"domain"}), frozenset({"bounds", "domain"})):
        spec = ColumnSpec("age", Kind.INTEGER, missing=("?",), observed=observed, **declared)
        project = replace(Project(), schema=Schema((spec,)))
        found = restored(project, Table((column,)), Memory(), SILENT).project.schema["age"]
        assert found.bounds == (bounds if "bounds" in observed else declared.get("bounds"))
        assert found.domain == (domain if "domain" in observed else declared.get("domain"))
        assert found.observed == observed


def test_one_of_the_choices() -> None:
    assert one_of("a", ("a", "b")) == "a"
    with pytest.raises(ValueError):
        one_of("c", ("a", "b"))


def test_the_laboratory_begins_with_one_run() -> None:
    assert from_json(LaboratorySettings, {}) == LaboratorySettings()
    usual = LaboratorySettings()
    assert (usual.repeat, usual.beside) == (1, 1)


@pytest.mark.parametrize(
    "draft",
    [
        {"kind": 5}, {"epsilon": 1.0}, {"where": None}, {"tool": ["x"]}, {"weight": 1}, {"values": []},
        {"values": {"bins": math.nan}}, {"values": {"bins": math.inf}}, {"values": {"column": ["a"]}},
        {"values": {"column": None}}, {"assumed_rows": True}, {"assumed_rows": 1.0}, {"rows_typed": 1},
        {"engine": "magic"}, {"unheard": 1},
    ],
)  # fmt: skip
def test_a_question_that_cannot_be_is_refused(draft: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        from_json(QuerySettings, {"draft": draft})


def test_a_question_keeps_what_was_said() -> None:
    values = {"column": "a", "bins": 5, "share": 0.5, "other": True}
    said = {"kind": "mode", "values": values, "assumed_rows": 7, "rows_typed": True}
    draft = from_json(QuerySettings, {"draft": said}).draft
    assert (draft.kind, draft.assumed_rows, draft.rows_typed) == ("mode", 7, True)
    assert dict(draft.values) == {"column": "a", "bins": 5, "other": True}, "a mode has no share"


RELEASED = {
    "when": "2025-01-02T03:04:05+00:00", "fingerprint": "f", "file": "old.csv", "epsilon": 0.5, "delta": 1e-6,
    "beta": 0.2, "k": 40, "claim": True, "rows_per_person": 3,
}  # fmt: skip


def first_version(*releases: dict[str, Any]) -> dict[str, Any]:
    return {"version": 1, "releases": list(releases), "hierarchies": [], "looks": []}


def test_a_release_of_the_first_version_is_one_charge() -> None:
    found = migrated(first_version(RELEASED, RELEASED))
    assert found["version"] == VERSION and "releases" not in found
    charges = [entry.charge for entry in history_from_records(found["ledgers"]["f"]).entries]
    assert [(charge.epsilon, charge.claimed) for charge in charges] == [(Fraction(1, 2), True)] * 2


@pytest.mark.parametrize(
    "change",
    [
        {"unheard": 1}, {"k": "40"}, {"k": True}, {"claim": 1}, {"epsilon": "0.5"}, {"epsilon": math.inf},
        {"file": None}, {"rows_per_person": 0},
    ],
)  # fmt: skip
def test_a_release_of_another_kind_is_refused_rather_than_counted_wrong(change: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError, WorkbenchError)):
        migrated(first_version({**RELEASED, **change}))
    for name in RELEASED:
        with pytest.raises((TypeError, ValueError, KeyError)):
            migrated(first_version({**RELEASED, name: []}))
        lacking = {key: value for key, value in RELEASED.items() if key != name}
        with pytest.raises((TypeError, ValueError, KeyError)):
            migrated(first_version(lacking))


def test_a_collection_begins_as_it_always_did() -> None:
    usual = CollectSettings()
    assert (usual.epsilon, usual.users, usual.repetitions, usual.seed) == (1.0, None, 20, 1)
    assert [one.identifier for one in usual.protocols] == ["grr", "oue", "olh"]
    assert (usual.one_report_per_person, usual.encoding.bins, usual.encoding.assume_public) == (False, 20, False)
    assert (CollectSettings(seed=0).seed, CollectSettings(seed=None).seed) == (0, None)
    assert (CollectSettings(repetitions=1).repetitions, CollectSettings(users=1).users) == (1, 1)
    for field, wrong in (("seed", -1), ("repetitions", 0), ("users", 0)):
        with pytest.raises(WorkbenchError):
            CollectSettings(**{field: wrong})
