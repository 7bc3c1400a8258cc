"""Projects as files: a zip of JSON and hierarchy CSVs, versioned, saved atomically, without any data.

Layout of version 4 (`migrations` says what earlier ones were like)::

    project.json              format, version, data source, schema, preparation, settings, copies of ledgers
    hierarchies/000.csv …     one per imported hierarchy, in ARX's form; project.json says whose

A hierarchy that was built is kept as its specification and built again over the data: its list of values would be
the values of the data. Results computed from true values are only kept where the person asked for it; those on
public shapes say nothing of the data and always are.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.json_values import read_json
from workbench.core.schema import ColumnSpec, Format, Kind, Misfits, PrivacyUnit, Role, Schema, UnitAnswer
from workbench.core.settings_json import from_json, to_json
from workbench.core.typed_fields import Unfit
from workbench.io.atomic import atomic_write
from workbench.io.dialect import Dialect
from workbench.project import experiments
from workbench.project.archive import BROKEN, LARGEST, check_ordinary, check_size, member, members
from workbench.project.checked import number, one_of, typed
from workbench.project.migrations import VERSION, migrated
from workbench.project.model import (
    ENGINE,
    DataSource,
    Project,
    ReleaseRecord,
    Rule,
)
from workbench.project.restoring import rule_of, without_values
from workbench.project.rooms import ROOM_SETTINGS
from workbench.project.said_beside import SaidBeside
from workbench.project.setting_paths import PLACES
from workbench.query.ledger_entries import LedgerHistory
from workbench.query.ledger_records import history_from_records, records_of

FORMAT = "anonymisation-workbench-project"
SUFFIX = ".wbench"

DOCUMENT = "project.json"
LARGEST_DOCUMENT = 64 * 1024 * 1024
"""As numbers and texts in memory a document takes many times the room it has in the file."""

_MOST_TOLD = 300
"""Signs that are told of why something is refused, since a file may hold anything."""
_SAME_DATE = (1980, 1, 1, 0, 0, 0)
"""When a project was saved is the business of the file system; the same project gives the same bytes."""

_MALFORMED = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, csv.Error)
"""Errors that reading a document raises where it is not as this program writes it."""


def save_project(
    project: Project,
    path: Path,
    *,
    notes: Mapping[str, str] = MappingProxyType({}),
    private: bool = False,
    protected: Iterable[Path] = (),
) -> None:
    """Write the project; the old file survives untouched if anything goes wrong.

    Parameters
    ----------
    notes
        Further members by name, which `load_project` does not look at.
    private
        Only the owner may read the file.
    protected
        Files that were read, which the project may not replace.

    Raises
    ------
    WorkbenchError
        If the file cannot be written, is a protected one, or would be too large to be opened again.
    """
    document, members = _to_document(project)
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1)
    contents = {name: content.encode() for name, content in {DOCUMENT: text, **members, **notes}.items()}
    _refuse_too_large(contents, document["columns"])
    with (
        atomic_write(path, private=private, protected=protected, own=True) as stream,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for name, content in contents.items():
            archive.writestr(zipfile.ZipInfo(name, _SAME_DATE), content, zipfile.ZIP_DEFLATED)


def _refuse_too_large(contents: Mapping[str, bytes], columns: list[dict[str, Any]]) -> None:
    """Refuse what `load_project` would, before the old file is touched."""
    if len(contents[DOCUMENT]) > LARGEST_DOCUMENT:
        longest = max(columns, key=lambda column: len(column["domain"] or ()), default=None)
        values = 0 if longest is None else len(longest["domain"] or ())
        most = "" if longest is None or not values else f" “{longest['name']}” alone lists {values:,} possible values."
        raise WorkbenchError(
            f"The project would be too large to be opened again: its settings take more than "
            f"{LARGEST_DOCUMENT // 2**20:,} MiB.{most}",
            hint="List fewer possible values of a column, or none, and save again. Nothing was written.",
            field="path",
        )
    if sum(map(len, contents.values())) > LARGEST:
        raise WorkbenchError(
            "The project would be too large to be opened again: with its imported hierarchies it takes more than "
            f"{LARGEST // 2**20:,} MiB.",
            hint="Remove a large imported hierarchy, or build it by a rule, and save again. Nothing was written.",
            field="path",
        )


def load_project(path: Path) -> Project:
    """Read a project. Nothing is unpacked to the disk, and nothing larger than a project is unpacked at all.

    Raises
    ------
    WorkbenchError
        If the file is missing, is no project, is damaged, was saved by a newer version, or holds credentials of an
        engine.
    """
    try:
        check_ordinary(path)
        with zipfile.ZipFile(path) as archive:
            check_size(archive, path)
            text = member(archive, DOCUMENT, LARGEST_DOCUMENT).decode()
            document = read_json(text)
            _check_version(document, path)
            try:
                project = _from_document(migrated(document), archive)
            except WorkbenchError as error:
                if error.field == "engine" and not isinstance(error, Unfit):
                    raise  # a person typed it, and may have typed a password
                raise _damaged(path, error) from error  # about a part of it that a person has never seen
    except OSError as error:
        raise WorkbenchError(
            f"The project {path.name} cannot be read: {error.strerror or error}.",
            hint="Check that the file exists and that you may read it.",
            field="path",
        ) from error
    except (*BROKEN, *_MALFORMED) as error:
        raise _damaged(path, error) from error
    return project


def with_history_of(project: Project, path: Path) -> Project:
    """The project that also knows what the file at `path` knows of ledgers.

    A run from the command line, or another window, may have added to them since the project was opened.
    """
    if not path.exists():
        return project
    try:
        saved = load_project(path)
    except WorkbenchError:
        return project  # no project of this program, or a damaged one: there is nothing to take over
    if project.data is not None and project.data.content:
        saved = saved.recognised(project.data.fingerprint, project.data.content)
    for fingerprint, history in saved.histories.items():
        project = project.with_history(fingerprint, history)
    return project


def add_histories(path: Path, histories: Mapping[str, LedgerHistory]) -> None:
    """Add what is known of ledgers to a saved project, and change nothing else of it.

    Raises
    ------
    WorkbenchError
        If it cannot be read or written.
    """
    known = replace(load_project(path), histories=histories)
    save_project(with_history_of(known, path), path, notes=SaidBeside.of_file(path).note())


def _check_version(document: Any, path: Path) -> None:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise WorkbenchError(
            f"{path.name} is not a project of this program.", hint=f"Open a {SUFFIX} file.", field="path"
        )
    if typed(document.get("version"), int) < 1:
        raise ValueError("a version before the first")
    if document["version"] > VERSION:
        raise WorkbenchError(
            f"{path.name} was saved by a newer version of this program (project version {document['version']}; this "
            f"program reads up to {VERSION}).",
            hint="Update the program. The file was not changed.",
            field="path",
        )


def _damaged(path: Path, error: Exception) -> WorkbenchError:
    refused = error.message if isinstance(error, WorkbenchError) else str(error)
    # Other errors name no setting; what does not fit an engine may hold what somebody typed.
    names = not isinstance(error, Unfit) and (isinstance(error, WorkbenchError) or refused.startswith("“"))
    told = " ".join(refused.split())[:_MOST_TOLD].removesuffix(".")
    what = f" Something in it is refused: {told}." if names else ""
    return WorkbenchError(
        f"The project {path.name} is damaged or not a project of this program.{what}",
        hint="Open a backup copy, or start a new project from the data.",
        field="path",
    )


def _to_document(project: Project) -> tuple[dict[str, Any], dict[str, str]]:
    members: dict[str, str] = {}
    attached = []
    for column, hierarchy in project.hierarchies.items():
        rule = rule_of(hierarchy)
        if rule is not None:
            attached.append(_rule_to_json(column, rule))
            continue
        name = f"hierarchies/{len(members):03}.csv"
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
                "specification": None,
                **({} if hierarchy.plugin is None else {"plugin": dict(hierarchy.plugin)}),
                **({} if hierarchy.topped is None else {"topped": hierarchy.topped}),
            }
        )
    attached += [_rule_to_json(name, rule) for name, rule in project.rules.items() if name not in project.hierarchies]
    document = {
        "format": FORMAT,
        "version": VERSION,
        "data": None
        if project.data is None
        else {
            "path": project.data.path,
            "fingerprint": project.data.fingerprint,
            "rows": project.data.rows,
            "content": project.data.content,
            "engine": project.data.engine,
            "dialect": project.data.dialect.to_dict(),
        },
        "columns": [_column_to_json(column) for column in project.schema.columns],
        "unit": to_json(project.schema.unit),
        "hierarchies": attached,
        **{place: to_json(getattr(project, place)) for place in PLACES.values()},
        "comparing": experiments.to_json(project.comparing),
        "ledgers": {fingerprint: records_of(history) for fingerprint, history in project.histories.items()},
    }
    return document, members


def _rule_to_json(column: str, rule: Rule) -> dict[str, Any]:
    return {
        "column": column,
        "file": None,
        "provenance": rule.provenance.value,
        "origin": rule.origin,
        "covers_all": rule.covers_all,
        "specification": rule.specification,
    }


def _column_to_json(column: ColumnSpec) -> dict[str, Any]:
    column = without_values(column)
    plain = {
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
    return {**plain, "undecided": True} if column.undecided else plain


def _from_document(document: dict[str, Any], archive: zipfile.ZipFile) -> Project:
    data = document["data"]
    attached = typed(document["hierarchies"], list)
    imported = {
        typed(entry["column"], str): typed(entry["file"], str) for entry in attached if entry["file"] is not None
    }
    texts = members(archive, imported.values())
    return Project(
        data=None
        if data is None
        else DataSource(
            path=typed(data["path"], str),
            fingerprint=typed(data["fingerprint"], str),
            rows=typed(data["rows"], int),
            content=typed(data.get("content", ""), str),
            engine=typed(data.get("engine", ""), str),
            dialect=Dialect.from_dict(data["dialect"]),
        ),
        schema=Schema(
            tuple(_column_from_json(column) for column in document["columns"]),
            _unit(typed(document["unit"], dict), document["columns"]),
        ),
        hierarchies=MappingProxyType(
            {
                entry["column"]: _hierarchy(entry, texts[entry["file"]].decode())
                for entry in attached
                if entry["file"] is not None
            }
        ),
        rules=MappingProxyType(
            {typed(entry["column"], str): _rule(entry) for entry in attached if entry["file"] is None}
        ),
        **{
            place: from_json(ROOM_SETTINGS[room], document.get(place, {}), f"“{place}”")
            for room, place in PLACES.items()
        },
        comparing=experiments.from_json(typed(document.get("comparing", {}), dict)),
        histories=MappingProxyType(_histories(document)),
    )


def _unit(plain: dict[str, Any], columns: list[dict[str, Any]]) -> PrivacyUnit:
    """Whom the guarantee protects; before anybody was asked, identifying columns told persons apart as well."""
    unit = from_json(PrivacyUnit, plain)
    by_role = any(column["role"] == Role.IDENTIFYING for column in columns) and not unit.person_column
    return replace(unit, protected=UnitAnswer.BY_ROLE) if by_role and "protected" not in plain else unit


def _histories(document: dict[str, Any]) -> dict[str, LedgerHistory]:
    """The copies of ledgers."""
    found = {
        typed(fingerprint, str): history_from_records(typed(records, list))
        for fingerprint, records in typed(document.get("ledgers", {}), dict).items()
    }
    for fingerprint, history in found.items():
        for entry in history.entries:
            if entry.charge.made_by == ENGINE:
                ReleaseRecord.of(fingerprint, entry)
    return found


def _hierarchy(entry: dict[str, Any], text: str) -> Hierarchy:
    hierarchy = Hierarchy.from_rows(
        csv.reader(io.StringIO(text, newline=""), delimiter=";"),
        provenance=Provenance(entry["provenance"]),
        origin=typed(entry["origin"], str),
    )
    plugin = entry.get("plugin")
    return replace(
        hierarchy,
        covers_all=typed(entry.get("covers_all", False), bool),
        plugin=None if plugin is None else typed(plugin, dict),
        topped=typed(entry["topped"], bool) if "topped" in entry else None,
    )


def _rule(entry: dict[str, Any]) -> Rule:
    # Whether it can be followed is asked when there is data: its builder may not be installed.
    return Rule(
        typed(entry["specification"], dict),
        Provenance(entry["provenance"]),
        typed(entry["origin"], str),
        typed(entry.get("covers_all", False), bool),
    )


def _column_from_json(column: dict[str, Any]) -> ColumnSpec:
    bounds, domain = column["bounds"], column["domain"]
    return ColumnSpec(
        name=typed(column["name"], str),
        kind=Kind(column["kind"]),
        role=Role(column["role"]),
        format=Format(**{key: typed(value, str) for key, value in column["format"].items()}),
        missing=tuple(typed(text, str) for text in column["missing"]),
        bounds=None if bounds is None else (number(bounds[0]), number(bounds[1])),
        domain=None if domain is None else tuple(typed(text, str) for text in domain),
        unit=typed(column["unit"], str),
        misfits=Misfits(column.get("misfits", Misfits.KEEP)),
        observed=frozenset(one_of(what, ("bounds", "domain")) for what in column.get("observed", ())),
        undecided=typed(column.get("undecided", False), bool),
    )
