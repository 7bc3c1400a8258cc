"""A data file read into memory, and how it differs from what a project expects."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

import numpy as np

from workbench.core.column_facts import misfitting
from workbench.core.content import Fingerprints, fingerprints
from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.filtering import parse
from workbench.core.kinds import is_missing
from workbench.core.person_columns import PersonColumn, person_columns
from workbench.core.progress import SILENT, Progress
from workbench.core.role_suggestions import UNLISTED, suggest_role
from workbench.core.schema import ColumnSpec, Kind, Role, Schema
from workbench.core.table import Column, Table
from workbench.core.typed_fields import refuse_no_text
from workbench.core.working_table import PreparedTable
from workbench.engines.files import files_of
from workbench.engines.opening import open_stored
from workbench.engines.store import Store
from workbench.io.column_troubles import ColumnTrouble
from workbench.io.dialect import Dialect
from workbench.io.infer import agreeing, propose, propose_format
from workbench.io.reading import Reading, read_table
from workbench.project.differences import Differences, NewValues
from workbench.project.model import Project
from workbench.project.restoring import Memory, restored
from workbench.query.near_ledgers import NearData

_NAMED = 20
_READING = 0.8  # share of the time that is spent on the file itself
_RECOGNISED = 0.85  # and on the fingerprint of what it holds
_LOOKED_AT = 0.95  # and on its columns; the rest is for other data that is nearly the same


@discreet
@dataclass(frozen=True)
class Loaded:
    """A file read into memory, with the description and the roles the program proposes for its columns.

    A suggested role comes with its reason and is only that: a person accepts it or not. `content` is the fingerprint
    of the table, which stays the same when its rows are saved in another file; `texts` stays the same even if its
    columns are called otherwise. `near` knows what other data it is nearly the same as. `prepared` keeps the working
    tables that were made of it, by their key, so that sessions that share the data share the same draw. `memory` keeps
    what projects left to the data. `persons` are the columns that may say which rows are the same person's, `chosen`
    those whose kind was chosen when the file was opened, whatever a project says of them, and `mended` what was then
    chosen to be mended.
    """

    reading: Reading
    proposed: Schema
    suggested_roles: dict[str, tuple[Role, str]]
    content: str
    texts: str
    near: NearData = field(compare=False, repr=False)
    prepared: dict[str, PreparedTable] = field(default_factory=dict, compare=False, repr=False)
    memory: Memory = field(default_factory=Memory, compare=False, repr=False)
    persons: tuple[PersonColumn, ...] = ()
    chosen: frozenset[str] = frozenset()
    mended: tuple[ColumnTrouble, ...] = ()


def load(
    path: str | os.PathLike[str],
    dialect: Dialect | None = None,
    progress: Progress = SILENT,
    store: Store | None = None,
) -> Loaded:
    """Read a file, a folder of parts, or what a pattern names, and propose what its columns are.

    Changes nothing; safe on any thread.

    Parameters
    ----------
    store
        The engine that is to have the rows; without one they are read into memory.

    Raises
    ------
    WorkbenchError
        If it cannot be read as one table, or its name is no text.
    Cancelled
        If the person pressed Cancel.
    """
    refuse_no_text(str(path))
    if store is not None:
        return load_into(store, Path(path), dialect, progress)
    reading = read_table(path, dialect, progress.part(0.0, _READING))
    return loaded_from(reading, fingerprints(reading.table, progress.part(_READING, _RECOGNISED)), progress)


def load_into(store: Store, path: Path, dialect: Dialect | None = None, progress: Progress = SILENT) -> Loaded:
    """Read a file, a folder of parts, or what a pattern names, into an engine, and propose what the columns are.

    Raises
    ------
    WorkbenchError
        If it cannot be read as one table.
    Cancelled
        If the person pressed Cancel.
    """
    files = files_of(path, dialect, progress)
    with files.steady(progress):
        opened = open_stored(store, files, progress.part(0.0, 0.7))
        # The bytes of the files and the rows they hold are fingerprinted at the same time.
        with ThreadPoolExecutor(1) as beside:
            digest = beside.submit(files.fingerprint, progress.part(0.7, 0.7))
            content = fingerprints(opened.table, progress.part(0.7, _RECOGNISED))
        fingerprint = digest.result()
    reading = Reading(
        opened.table,
        files.dialect,
        opened.problems,
        opened.problem_count,
        opened.skipped,
        fingerprint,
        path,
        files.form,
        parts=files.paths if files.paths != (path,) else (),
    )
    return loaded_from(reading, content, progress)


def loaded_from(reading: Reading, content: Fingerprints, progress: Progress = SILENT) -> Loaded:
    """Propose what the columns of a table that was read are; reading counts as most of the work."""
    specs: list[ColumnSpec] = []
    suggested: dict[str, tuple[Role, str]] = {}
    columns = reading.table.columns
    looking = progress.part(_RECOGNISED, _LOOKED_AT)
    for position, column in enumerate(columns):
        part = looking.part(position / len(columns), (position + 1) / len(columns))
        part(0.0, "Looking at the columns")
        if not reading.table.lists(column.name):
            specs.append(ColumnSpec(column.name))
            suggested[column.name] = (Role.IDENTIFYING, UNLISTED)
            continue
        said = reading.specs[position] if reading.specs else None
        spec = propose(column, part.part(0.0, 0.7)) if said is None else said
        role, reason = suggest_role(column, spec, part.part(0.7, 1.0))
        specs.append(spec)
        if role is not spec.role:
            suggested[column.name] = (role, reason)
    near = NearData(reading.table, content.rows, {reading.fingerprint, content.texts})
    near.near(progress.part(_LOOKED_AT, 1.0))  # now, while there is time
    listed = {column.name: column for column in columns}
    agreed = specs if reading.specs else agreeing(specs, listed)
    proposed = Schema(tuple(replace(spec, undecided=True) for spec in agreed))
    persons = person_columns(reading.table, proposed)
    progress(1.0)
    return Loaded(reading, proposed, suggested, content.rows, content.texts, near, persons=persons)


def with_kinds(loaded: Loaded, kinds: Mapping[str, Kind]) -> Loaded:
    """The data with the kinds that a person chose for some columns, each written as it most likely is."""
    table, columns = loaded.reading.table, loaded.proposed.columns
    chosen = frozenset(name for name in kinds if name in table and table.lists(name))
    specs = [
        replace(spec, kind=kinds[spec.name], format=propose_format(table[spec.name], kinds[spec.name]))
        if spec.name in chosen
        else spec
        for spec in columns
    ]
    return replace(loaded, proposed=Schema(tuple(specs), loaded.proposed.unit), chosen=chosen)


def with_mended(loaded: Loaded, troubles: Iterable[ColumnTrouble]) -> Loaded:
    """The data with what a person chose to mend in the description of its columns."""
    wanted = tuple(troubles)
    schema = loaded.proposed
    proposed = Schema(_mended(schema.columns, wanted), schema.unit)
    persons = loaded.persons
    again = {one.column for one in wanted if one.missing}
    if again:  # what stands for no value repeats, and is nobody
        table = Table(tuple(column for column in loaded.reading.table.columns if column.name in again))
        fresh = {one.name: one for one in person_columns(table, proposed)}
        found = (fresh.get(one.name) if one.name in again else one for one in persons)
        persons = tuple(one for one in found if one is not None)
    return replace(loaded, mended=wanted, proposed=proposed, persons=persons)


def _mended(specs: Iterable[ColumnSpec], troubles: Iterable[ColumnTrouble]) -> tuple[ColumnSpec, ...]:
    found = {spec.name: spec for spec in specs}
    for trouble in troubles:
        if trouble.column in found:
            found[trouble.column] = trouble.mended(found[trouble.column])
    return tuple(found.values())


def described(project: Project, loaded: Loaded) -> Schema:
    """The project's description for the columns it knows, the proposed one for the others."""
    proposed = {column.name: column for column in loaded.proposed.columns if column.name in loaded.chosen}
    known = {
        column.name: replace(column, kind=proposed[column.name].kind, format=proposed[column.name].format)
        if column.name in proposed
        else column
        for column in project.schema.columns
    }
    specs = (known.get(c.name, c) for c in loaded.proposed.columns)
    return Schema(_mended(specs, loaded.mended), project.schema.unit)


def differences(
    project: Project, loaded: Loaded, before: Loaded | None = None, progress: Progress = SILENT
) -> Differences:
    """The differences between a file and what the project expects. Changes nothing; safe on any thread.

    Parameters
    ----------
    before
        The file that was open until now, if there was one.

    Returns
    -------
    Differences
        Empty for a new project, and for the very file, read in the same way, that the project describes.
    """
    table = loaded.reading.table
    complete = restored(project, table, loaded.memory, progress.part(0.0, 0.5))
    project, progress = complete.project, progress.part(0.5, 1.0)
    known = {column.name: column for column in project.schema.columns}
    missing = tuple(name for name in known if name not in table)
    new = tuple(name for name in table.names if known and name not in known)
    data = project.data
    if data is not None and (data.fingerprint, data.dialect) == (loaded.reading.fingerprint, loaded.reading.dialect):
        return Differences(missing, new, unbuilt=complete.failed)
    new_values: dict[str, NewValues] = {}
    misfits: dict[str, int] = {}
    both = [column for column in table.columns if column.name in known and table.lists(column.name)]
    for position, column in enumerate(both):
        part = progress.part(position / len(both), (position + 1) / len(both))
        part(0.0, "Comparing with the project")
        spec = known[column.name]
        wrong = misfitting(column, spec, part)
        if len(wrong):
            misfits[column.name] = int(column.counts[wrong].sum())
        strange = _unexpected(column, spec, project, before)
        if strange:
            new_values[column.name] = NewValues(len(strange), tuple(strange[:_NAMED]))
    problem = ""
    if project.preparation.where.strip():
        try:
            parse(project.preparation.where, described(project, loaded))
        except WorkbenchError as error:
            problem = str(error)
    progress(1.0)
    return Differences(missing, new, MappingProxyType(new_values), MappingProxyType(misfits), problem, complete.failed)


def _unexpected(column: Column, spec: ColumnSpec, project: Project, before: Loaded | None) -> list[str]:
    name = column.name
    if name in project.hierarchies:
        return project.hierarchies[name].uncovered(_occurring(column))
    if spec.domain is not None:
        expected = frozenset(spec.domain)
    elif before is not None and spec.kind in (Kind.CATEGORY, Kind.ORDERED) and before.reading.table.lists(name):
        expected = frozenset(_occurring(before.reading.table[name]))
    else:
        return []
    return [value for value in _occurring(column) if value not in expected and not is_missing(value, spec.missing)]


def _occurring(column: Column) -> Iterable[str]:
    return (column.values[code] for code in np.flatnonzero(column.counts > 0).tolist())
