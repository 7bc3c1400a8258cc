"""Projects as files: a zip of JSON and hierarchy CSVs, versioned, saved atomically, without any data.

Layout of version 1::

    project.json              format, version, data source, schema, preparation, settings, looks, releases
    hierarchies/000.csv …     one per attached hierarchy, in ARX's form; project.json says whose
"""

from __future__ import annotations

import csv
import io
import json
import math
import zipfile
import zlib
from dataclasses import fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from workbench.anonymise.guarantee import Accounting
from workbench.anonymise.mechanism import Treatment
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.utility import MetricChoice
from workbench.core.building import normalised
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.schema import ColumnSpec, Format, Kind, Misfits, PrivacyUnit, Role, Schema
from workbench.io.atomic import atomic_write
from workbench.io.dialect import Dialect
from workbench.project.model import (
    AnonymiseSettings,
    Approach,
    DataSource,
    GuaranteeSettings,
    Look,
    Preparation,
    Project,
    QuestionSettings,
    ReleaseRecord,
)

FORMAT = "anonymisation-workbench-project"
VERSION = 1
SUFFIX = ".wbench"

_LARGEST = 256 * 1024 * 1024
"""No honest project unpacks to more than this many bytes."""

_ADDED = {"models"}
"""Fields of records that files of earlier programs do not have."""

T = TypeVar("T")


def save_project(project: Project, path: Path) -> None:
    """Write the project; the old file survives untouched if anything goes wrong.

    Raises
    ------
    WorkbenchError
        If the file cannot be written.
    """
    document, members = _to_document(project)
    with atomic_write(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("project.json", json.dumps(document, ensure_ascii=False, indent=1))
        for name, text in members.items():
            archive.writestr(name, text)


def load_project(path: Path) -> Project:
    """Read a project.

    Raises
    ------
    WorkbenchError
        If the file is missing, is no project, is damaged, or was saved by a newer version.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = _members(archive, path)
    except OSError as error:
        raise WorkbenchError(
            f"The project {path.name} cannot be read: {error.strerror or error}.",
            hint="Check that the file exists and that you may read it.",
            field="path",
        ) from error
    except (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, ValueError) as error:
        raise _damaged(path) from error
    try:
        document = json.loads(members["project.json"].decode())
    except (KeyError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise _damaged(path) from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise WorkbenchError(
            f"{path.name} is not a project of this program.", hint=f"Open a {SUFFIX} file.", field="path"
        )
    version = document.get("version")
    if not isinstance(version, int) or version < 1:
        raise _damaged(path)
    if version > VERSION:
        raise WorkbenchError(
            f"{path.name} was saved by a newer version of this program (project version {version}; this program "
            f"reads up to {VERSION}).",
            hint="Update the program. The file was not changed.",
            field="path",
        )
    try:
        return _from_document(document, members)
    except (KeyError, TypeError, ValueError, AttributeError, WorkbenchError) as error:
        raise _damaged(path) from error


def with_history_of(project: Project, path: Path) -> Project:
    """The project with the looks and releases the file at `path` knows of too.

    A run from the command line, or another window, may have added to them since the project was opened.
    """
    if not path.exists():
        return project
    try:
        saved = load_project(path)
    except WorkbenchError:
        return project  # no project of this program, or a damaged one: there is nothing to take over
    if (saved.looks, saved.releases) == (project.looks, project.releases):
        return project
    draws = {(look.fingerprint, look.recipe): look.draws for look in project.looks}
    looks = [
        replace(look, draws=max(look.draws, draws.pop((look.fingerprint, look.recipe), 0))) for look in saved.looks
    ]
    looks += [look for look in project.looks if (look.fingerprint, look.recipe) in draws]
    releases = [*saved.releases, *(record for record in project.releases if record not in saved.releases)]
    return replace(project, looks=tuple(looks), releases=tuple(releases))


def _members(archive: zipfile.ZipFile, path: Path) -> dict[str, bytes]:
    listed = archive.infolist()
    if sum(info.file_size for info in listed) > _LARGEST:
        raise WorkbenchError(
            f"{path.name} would unpack to more than {_LARGEST // 2**20} MiB, which no project does.",
            hint="It is damaged or not a project. It was not opened.",
            field="path",
        )
    members = {}
    left = _LARGEST
    for info in listed:
        # The size in the directory may lie, so reading stops at what is left.
        with archive.open(info) as stream:
            content = stream.read(left + 1)
        left -= len(content)
        if left < 0:
            raise zipfile.BadZipFile("larger than declared")
        members[info.filename] = content
    return members


def _damaged(path: Path) -> WorkbenchError:
    return WorkbenchError(
        f"The project {path.name} is damaged or not a project of this program.",
        hint="Open a backup copy, or start a new project from the data.",
        field="path",
    )


def _to_document(project: Project) -> tuple[dict[str, Any], dict[str, str]]:
    members: dict[str, str] = {}
    attached = []
    for number, (column, hierarchy) in enumerate(project.hierarchies.items()):
        name = f"hierarchies/{number:03}.csv"
        text = io.StringIO()
        csv.writer(text, delimiter=";", lineterminator="\n").writerows(hierarchy.as_listed().rows())
        members[name] = text.getvalue()
        attached.append(
            {
                "column": column,
                "file": name,
                "provenance": hierarchy.provenance.value,
                "origin": hierarchy.origin,
                "covers_all": hierarchy.covers_all,
                "specification": hierarchy.specification,
            }
        )
    settings, wanted = project.anonymise, project.anonymise.guarantee
    document = {
        "format": FORMAT,
        "version": VERSION,
        "data": None
        if project.data is None
        else {
            "path": project.data.path,
            "fingerprint": project.data.fingerprint,
            "rows": project.data.rows,
            "dialect": project.data.dialect.to_dict(),
        },
        "columns": [_column_to_json(column) for column in project.schema.columns],
        "unit": {
            "rows_per_person": project.schema.unit.rows_per_person,
            "person_column": project.schema.unit.person_column,
        },
        "preparation": {
            "where": project.preparation.where,
            "sample": project.preparation.sample,
            "limit_rows": project.preparation.limit_rows,
        },
        "hierarchies": attached,
        "anonymise": {
            "guarantee": {
                "solve_for": wanted.solve_for,
                "epsilon": wanted.epsilon,
                "delta": wanted.delta,
                "beta": wanted.beta,
                "k": wanted.k,
                "accounting": wanted.accounting.value,
            },
            "treatments": {name: treatment.value for name, treatment in settings.treatments.items()},
            "levels": dict(settings.levels),
            "levels_blind": settings.levels_blind,
            "seed": settings.seed,
            "approach": settings.approach.value,
            "question": _question_to_json(settings.question),
        },
        "looks": [vars(look) for look in project.looks],
        "releases": [vars(release) for release in project.releases],
    }
    return document, members


def _column_to_json(column: ColumnSpec) -> dict[str, Any]:
    return {
        "name": column.name,
        "kind": column.kind.value,
        "role": column.role.value,
        "format": vars(column.format),
        "missing": list(column.missing),
        "bounds": None if column.bounds is None else list(column.bounds),
        "domain": None if column.domain is None else list(column.domain),
        "unit": column.unit,
        "misfits": column.misfits.value,
        "observed": sorted(column.observed),
    }


def _from_document(document: dict[str, Any], members: dict[str, bytes]) -> Project:
    data = document["data"]
    settings, wanted = document["anonymise"], document["anonymise"]["guarantee"]
    unit = document["unit"]
    beta = wanted["beta"]
    preparation = document.get("preparation", {})
    return Project(
        data=None
        if data is None
        else DataSource(
            path=_typed(data["path"], str),
            fingerprint=_typed(data["fingerprint"], str),
            rows=_typed(data["rows"], int),
            dialect=Dialect.from_dict(data["dialect"]),
        ),
        schema=Schema(
            tuple(_column_from_json(column) for column in document["columns"]),
            PrivacyUnit(_typed(unit["rows_per_person"], int), _typed(unit["person_column"], str)),
        ),
        hierarchies=MappingProxyType(
            {
                _typed(entry["column"], str): _hierarchy(entry, members[entry["file"]].decode())
                for entry in document["hierarchies"]
            }
        ),
        anonymise=AnonymiseSettings(
            guarantee=GuaranteeSettings(
                solve_for=_one_of(wanted["solve_for"], ("k", "delta", "epsilon", "beta")),
                epsilon=_number(wanted["epsilon"]),
                delta=_number(wanted["delta"]),
                beta=_one_of(beta, ("max", "best")) if isinstance(beta, str) else _number(beta),
                k=_typed(wanted["k"], int),
                accounting=Accounting(wanted["accounting"]),
            ),
            treatments=MappingProxyType(
                {_typed(name, str): Treatment(value) for name, value in settings["treatments"].items()}
            ),
            levels=MappingProxyType(
                {_typed(name, str): _typed(level, int) for name, level in settings["levels"].items()}
            ),
            levels_blind=_typed(settings["levels_blind"], bool),
            seed=None if settings["seed"] is None else _typed(settings["seed"], int),
            approach=Approach(settings.get("approach", Approach.DP)),
            question=_question_from_json(settings["question"]) if "question" in settings else QuestionSettings(),
        ),
        preparation=Preparation(
            where=_typed(preparation.get("where", ""), str),
            sample=_number(preparation.get("sample", 1.0)),
            limit_rows=_typed(preparation.get("limit_rows", False), bool),
        ),
        looks=tuple(_record(Look, entry) for entry in _typed(document["looks"], list)),
        releases=tuple(_record(ReleaseRecord, entry) for entry in _typed(document["releases"], list)),
    )


def _hierarchy(entry: dict[str, Any], text: str) -> Hierarchy:
    plain = entry.get("specification")
    hierarchy = Hierarchy.from_rows(
        csv.reader(io.StringIO(text, newline=""), delimiter=";"),
        provenance=Provenance(entry["provenance"]),
        origin=_typed(entry["origin"], str),
    )
    return replace(
        hierarchy,
        specification=None if plain is None else normalised(_typed(plain, dict)),
        covers_all=_typed(entry.get("covers_all", False), bool),
    )


def _column_from_json(column: dict[str, Any]) -> ColumnSpec:
    bounds, domain = column["bounds"], column["domain"]
    return ColumnSpec(
        name=_typed(column["name"], str),
        kind=Kind(column["kind"]),
        role=Role(column["role"]),
        format=Format(**{key: _typed(value, str) for key, value in column["format"].items()}),
        missing=tuple(_typed(text, str) for text in column["missing"]),
        bounds=None if bounds is None else (_number(bounds[0]), _number(bounds[1])),
        domain=None if domain is None else tuple(_typed(text, str) for text in domain),
        unit=_typed(column["unit"], str),
        misfits=Misfits(column.get("misfits", Misfits.KEEP)),
        observed=frozenset(_one_of(what, ("bounds", "domain")) for what in column.get("observed", ())),
    )


def _question_to_json(question: QuestionSettings) -> dict[str, Any]:
    return {
        "models": [{"identifier": one.identifier, "values": dict(one.values)} for one in question.models],
        "metric": {"identifier": question.metric.identifier, "values": dict(question.metric.values)},
        "suppression_limit": question.suppression_limit,
        "weights": dict(question.weights),
        "limits": {name: list(limit) for name, limit in question.limits.items()},
    }


def _question_from_json(question: dict[str, Any]) -> QuestionSettings:
    metric = question["metric"]
    limits = {name: (_typed(low, int), _typed(high, int)) for name, (low, high) in question["limits"].items()}
    return QuestionSettings(
        models=tuple(
            ModelChoice(_typed(one["identifier"], str), _parameters(one["values"]))
            for one in _typed(question["models"], list)
        ),
        metric=MetricChoice(_typed(metric["identifier"], str), _parameters(metric["values"])),
        suppression_limit=_number(question["suppression_limit"]),
        weights=MappingProxyType({name: _number(weight) for name, weight in question["weights"].items()}),
        limits=MappingProxyType(limits),
    )


def _parameters(values: Any) -> MappingProxyType[str, Any]:
    """Values of parameters; whether a model takes them is asked when it is used, for it may not be installed."""
    for value in _typed(values, dict).values():
        if isinstance(value, float):
            _number(value)
        elif not isinstance(value, bool | int | str):
            raise TypeError("expected a number, a text or a truth value")
    return MappingProxyType(dict(values))


def _record(kind: type[T], entry: dict[str, Any]) -> T:
    """A flat dataclass of texts, numbers and truth values from its JSON object, every field checked."""
    types = {"str": str, "int": int, "bool": bool}
    wanted = {one.name: str(one.type) for one in fields(kind)}  # type: ignore[arg-type]
    if not set(wanted) - _ADDED <= set(entry) <= set(wanted):
        raise ValueError("unexpected fields")
    return kind(
        **{
            name: _number(entry[name]) if hint == "float" else _typed(entry[name], types[hint])
            for name, hint in wanted.items()
            if name in entry
        }
    )


def _typed(value: Any, wanted: type[T]) -> T:
    # bool is an int to Python but not to the person who edited the file by hand.
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
        raise TypeError(f"expected {wanted.__name__}")
    return value


def _one_of(value: Any, choices: tuple[str, ...]) -> Any:
    if value not in choices:
        raise ValueError(f"expected one of {choices}")
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError("expected a finite number")
    return float(value)
