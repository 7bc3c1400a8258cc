"""Records, digests and archives at their limits: what is one, what differs, and what is looked at."""

from __future__ import annotations

import io
import itertools
import zipfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from workbench.core.charged_mechanism import LossKind
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.schema import ColumnSpec, Kind, Misfits, Schema
from workbench.core.working_table import Preparation
from workbench.project import archive
from workbench.project.anonymise_settings import QuestionSettings
from workbench.project.experiments import from_json
from workbench.project.model import ReleaseRecord, hierarchy_digest, preparation_digest

SAMPLED: dict[str, Any] = {
    "when": "2026-01-01T00:00:00+00:00", "fingerprint": "ab", "file": "out.csv", "epsilon": 1.0, "delta": 1e-6,
    "beta": 0.5, "k": 20, "claim": True,
}  # fmt: skip
TRIMMED = {**SAMPLED, "beta": 0.0, "k": 0, "mechanism": "trim"}
SYNTACTIC = {**SAMPLED, "epsilon": 0.0, "delta": 0.0, "beta": 0.0, "k": 0, "claim": False, "models": "k-anonymity"}


@pytest.mark.parametrize(
    ("plain", "allowed", "refused"),
    [
        (SAMPLED, {"epsilon": [1e-9, 10.0], "delta": [0.0, 0.999], "beta": [1e-9, 1.0], "k": [1]},
         {"epsilon": [0.0, -1.0], "delta": [-1e-9, 1.0], "beta": [0.0, 1.001], "k": [0], "mechanism": ["draw"]}),
        (SAMPLED, {"rows_per_person": [1, 7], "levels_epsilon": [0.0, 0.5]},
         {"rows_per_person": [0, -1], "levels_epsilon": [-1e-9, float("nan")]}),
        (TRIMMED, {"epsilon": [1e-9], "delta": [0.5]},
         {"beta": [0.5], "k": [1], "mechanism": [""], "epsilon": [0.0], "delta": [1.0]}),
        (SYNTACTIC, {"models": ["t-closeness"], "rows_per_person": [3]},
         {"claim": [True], "models": [""], "rows_per_person": [0], "levels_epsilon": [-0.1]}),
    ],
)  # fmt: skip
def test_a_record_is_of_a_release_that_can_be(
    plain: dict[str, Any], allowed: dict[str, list[Any]], refused: dict[str, list[Any]]
) -> None:
    ReleaseRecord(**plain)
    for name, value in [(name, value) for name, values in allowed.items() for value in values]:
        assert getattr(ReleaseRecord(**plain | {name: value}), name) == value
    for name, value in [(name, value) for name, values in refused.items() for value in values]:
        with pytest.raises(ValueError):
            ReleaseRecord(**plain | {name: value})


def test_a_charge_tells_what_the_record_says_and_nothing_that_is_usual() -> None:
    for plain, kinds in (
        (SAMPLED, [LossKind.SAMPLE]),
        ({**SAMPLED, "beta": 1.0}, []),
        (TRIMMED, [LossKind.TRIM]),
        (SYNTACTIC, []),
        ({**SYNTACTIC, "beta": 0.5}, []),
    ):
        charge = ReleaseRecord(**plain, rows_per_person=3).charge("key")
        assert [part.kind for part in charge.mechanism] == kinds
        assert (charge.epsilon, charge.claimed) == (Fraction(repr(plain["epsilon"])), plain["claim"])
        assert (charge.rows_per_person, charge.key) == (3, "key")
        assert {"epsilon", "delta", "claim", "rows_per_person", "when", "fingerprint"}.isdisjoint(charge.parameters)
        assert charge.parameters["k"] == plain["k"] and charge.parameters["beta"] == plain["beta"]
        assert charge.parameters.get("mechanism", "") == plain.get("mechanism", "")
        assert ("mechanism" in charge.parameters) == (plain is TRIMMED)


# Digests


def test_a_hierarchy_is_told_by_its_labels_and_by_what_they_stand_for() -> None:
    rows = [("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*")]
    changed = [
        rows,
        [("d", "x", "*"), *rows[1:]],
        [("a", "z", "*"), ("b", "z", "*"), rows[2]],
        [rows[0], ("b", "y", "*"), rows[2]],
        [row[:2] for row in rows],
        [rows[1], rows[0], rows[2]],
    ]
    digests = [hierarchy_digest(Hierarchy.from_rows(one)) for one in changed]
    assert len(set(digests)) == len(digests)
    same = Hierarchy.from_rows(rows)
    assert hierarchy_digest(same) == hierarchy_digest(replace(same, origin="elsewhere")) == digests[0]
    # The same labels, and only what they stand for differs.
    assert hierarchy_digest(Hierarchy.from_rows([("a", "x"), ("b", "x"), ("c", "y")])) != hierarchy_digest(
        Hierarchy.from_rows([("a", "x"), ("b", "y"), ("c", "y")])
    )


def test_a_preparation_is_told_by_what_it_does_to_the_rows_that_are_asked_about() -> None:
    schema = Schema((ColumnSpec("age", Kind.INTEGER), ColumnSpec("town", Kind.CATEGORY)))
    plain = Preparation()
    assert preparation_digest(schema, plain, ["age"]) == ""
    altering = replace(schema, columns=(replace(schema["age"], misfits=Misfits.MISSING), schema["town"]))
    assert preparation_digest(altering, plain, ["town"]) == ""
    found = [
        preparation_digest(altering, plain, ["age"]),
        *(preparation_digest(schema, replace(plain, where=rule), []) for rule in ("age > 3", "age > 4", "town = A")),
        *(preparation_digest(schema, replace(plain, sample=share), []) for share in (0.5, 0.999)),
        preparation_digest(schema, replace(plain, limit_rows=True), []),
    ]
    assert len(set(found)) == len(found) and "" not in found
    assert preparation_digest(schema, replace(plain, sample=1.0), []) == ""
    assert preparation_digest(schema, replace(plain, where="  "), []) == ""


# Archives


def packed(*members: tuple[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> zipfile.ZipFile:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", how) as made:
        for name, content in members:
            made.writestr(name, content)
    return zipfile.ZipFile(kept)


def test_a_member_is_the_only_one_of_its_name_and_of_no_more_than_allowed() -> None:
    for how in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        held = packed(("a", b"12345"), ("b", b"x"), how=how)
        assert archive.member(held, "a") == archive.member(held, "a", 5) == b"12345"
        assert archive.member(held, "b", 1) == b"x"
        for name, most in (("a", 4), ("b", 0), ("c", 9)):
            with pytest.raises(zipfile.BadZipFile):
                archive.member(held, name, most)
    with pytest.raises(zipfile.BadZipFile, match="packed"):
        archive.member(packed(("a", b"1"), how=zipfile.ZIP_BZIP2), "a")
    with pytest.warns(UserWarning, match="Duplicate"):
        twice = packed(("a", b"1"), ("a", b"2"))
    with pytest.raises(zipfile.BadZipFile, match="2 members"):
        archive.member(twice, "a")


def test_several_members_share_what_they_may_unpack_to() -> None:
    held = packed(("a", b"123"), ("b", b"45"), ("c", b"6" * 100))
    assert archive.members(held, ["a", "b"], 5) == {"a": b"123", "b": b"45"}
    with pytest.raises(zipfile.BadZipFile):
        archive.members(held, ["a", "b"], 4)


def test_an_archive_says_how_large_it_would_be(monkeypatch: pytest.MonkeyPatch) -> None:
    held = packed(("a", b"123"), ("b", b"45"))
    for most, refused in ((5, False), (6, False), (4, True)):
        monkeypatch.setattr(archive, "LARGEST", most)
        if refused:
            with pytest.raises(WorkbenchError) as found:
                archive.check_size(held, Path("a.wbench"))
            assert found.value.field == "path"
        else:
            archive.check_size(held, Path("a.wbench"))


# Settings that are read back


@pytest.mark.parametrize("limit", [0.0, 0.5, 1.0])
def test_any_share_of_the_rows_may_be_suppressed(limit: float) -> None:
    assert QuestionSettings(suppression_limit=limit).suppression_limit == limit
    for wrong in (-1e-9, 1 + 1e-9):
        with pytest.raises((ValueError, WorkbenchError)):
            QuestionSettings(suppression_limit=wrong)


def test_no_experiment_is_the_current_one_where_there_is_none() -> None:
    found = from_json(MappingProxyType({}))
    assert (found.documents, found.current) == ((), -1)


def test_the_order_of_what_differs_does_not_matter() -> None:
    """Every order of the same columns gives the same names, and so the same digest."""
    schema = Schema((ColumnSpec("age", Kind.INTEGER, misfits=Misfits.MISSING), ColumnSpec("town", Kind.CATEGORY)))
    orders = itertools.permutations(["age", "town", "age"])
    assert len({preparation_digest(schema, Preparation(), names) for names in orders}) == 1
