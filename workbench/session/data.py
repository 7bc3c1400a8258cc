"""The data of a session: opening files, and the working table the rows of which take part."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from workbench.core.errors import WorkbenchError
from workbench.core.filtering import parse
from workbench.core.preparing import Preparation, Prepared, changes_nothing, prepare
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import RandomSource, source_for
from workbench.core.schema import ColumnSpec, Misfits, Role
from workbench.core.suggesting import Suggestions, suggest
from workbench.core.table import Table
from workbench.engines.preparing import prepare_stored
from workbench.engines.store import Store
from workbench.engines.stored import StoredTable
from workbench.io.dialect import Dialect
from workbench.io.parts import place_beside
from workbench.io.reading import Reading
from workbench.project.loading import Differences, Loaded, described, differences, load
from workbench.project.model import (
    DataSource,
    Project,
    digest,
    preparation_digest,
)
from workbench.project.restoring import restored
from workbench.session.result import Result

_WORKING_TABLES = 2


@dataclass(frozen=True)
class WorkingTableMade:
    """A working table, the data it was made of, and the key of the settings it was made with."""

    loaded: Loaded
    key: str
    prepared: Prepared


class DataSession:
    """A session as far as its data goes: what was read, and which rows take part."""

    def __init__(self, project: Project | None = None) -> None:
        self.project = project or Project()
        self.loaded: Loaded | None = None
        self.result: Result | None = None
        self._drawn: list[Result] = []
        self._inputs: tuple[Path, ...] = ()
        self._key: tuple[Project, str] | None = None
        self._held: tuple[str, Prepared] | None = None

    def snapshot(self) -> Self:
        """A session that stays as this one is now, for work on another thread. Nothing of size is copied."""
        copy = type(self)(self.project)
        copy.loaded, copy.result = self.loaded, self.result
        copy._key, copy._held = self._key, self._held
        copy._inputs = self._inputs
        return copy

    # Data

    def open(
        self, path: Path, dialect: Dialect | None = None, progress: Progress = SILENT, store: Store | None = None
    ) -> Loaded:
        """Read a file and take it in: into memory, or into an engine."""
        loaded = load(path, dialect, progress, store)
        self.adopt(loaded)
        return loaded

    def adopt(self, loaded: Loaded, found: Differences | None = None) -> Differences:
        """Take a loaded file as the project's data.

        A description that was made before is kept for columns of the same name, so that a project can be used
        on the next file; the differences are returned. They are looked for here unless they are given, because
        `differences` was called before on another thread.
        """
        found = found if found is not None else differences(self.project, loaded, self.loaded)
        names = loaded.proposed.names
        self.project = restored(self.project, loaded.reading.table, loaded.memory).project
        schema, preparation = described(self.project, loaded), self.project.preparation
        if schema.unit.person_column not in names:
            schema = replace(schema, unit=replace(schema.unit, person_column=""))
            preparation = replace(preparation, limit_rows=False)
        reading, before = loaded.reading, self.project.data
        known = self.project.recognised(reading.fingerprint, loaded.content)
        if before is not None and before.content and before.fingerprint == reading.fingerprint:
            known = known.recognised(before.content, loaded.content)  # the same file, read in another way
        self.loaded = loaded
        self.result = None
        self._drawn = []
        self._held = None
        self.project = replace(
            known,
            data=DataSource(
                str(reading.path),
                reading.fingerprint,
                reading.table.rows,
                reading.dialect,
                loaded.content,
                reading.table.engine,
            ),
            schema=schema,
            preparation=preparation,
            hierarchies=MappingProxyType(
                {
                    name: h.as_listed().covering(reading.table[name].values)
                    if h.covers_all and reading.table.lists(name)
                    else h
                    for name, h in self.project.hierarchies.items()
                    if name in names
                }
            ),
            rules=MappingProxyType({name: rule for name, rule in self.project.rules.items() if name in names}),
        )
        return found

    @property
    def reading(self) -> Reading:
        return self._loaded().reading

    @property
    def place_beside(self) -> tuple[Path, str]:
        """Where what is made of the data may lie, and a name for it without an ending; no disk is asked."""
        return place_beside(self.reading.path, parts=bool(self.reading.parts))

    @property
    def inputs(self) -> tuple[Path, ...]:
        """Files that were read, which nothing that is written may replace."""
        return self.files_read

    @property
    def files_read(self) -> tuple[Path, ...]:
        """The data with all its parts, and the hierarchies; nothing before there is data."""
        reading = None if self.loaded is None else self.loaded.reading
        data = () if reading is None else (Path(reading.path), *reading.parts)
        return (*data, *self._inputs)

    @property
    def data_fingerprint(self) -> str:
        """Fingerprint of the rows that were read: what was seen and released of them is kept under it."""
        return self._loaded().content

    @property
    def suggested_roles(self) -> dict[str, Role]:
        """Columns whose values look as if they had another role than was proposed; empty without data."""
        found = self.loaded.suggested_roles if self.loaded is not None else {}
        return {name: role for name, (role, _) in found.items()}

    def _loaded(self) -> Loaded:
        if self.loaded is None:
            raise WorkbenchError("No data is open.", hint="Open a CSV file first.", field="data")
        return self.loaded

    # The working table

    @property
    def table(self) -> Table:
        """The working table. It is made now if it is not there; `needs_preparing` tells."""
        return self._prepare().table

    @property
    def needs_preparing(self) -> bool:
        """Whether the working table must first be made, which takes its time with much data."""
        key, loaded = self._preparation_key(), self._loaded()
        held = self._held is not None and self._held[0] == key
        return bool(key) and not held and key not in loaded.prepared

    @property
    def prepared(self) -> Prepared | None:
        """The working table and what became of the rows; None if it was not made yet."""
        return None if self.needs_preparing else self._prepare()

    def preparer(self) -> Callable[[Progress], WorkingTableMade]:
        """Everything it takes to make the working table, bound together now; call it on any thread."""
        then = self.snapshot()

        def work(progress: Progress = SILENT) -> WorkingTableMade:
            return WorkingTableMade(then._loaded(), then._preparation_key(), then._prepare(progress))

        return work

    def accept_prepared(self, made: WorkingTableMade) -> Prepared | None:
        """Take in what `preparer` produced; None, and nothing happens, if data or settings have changed since."""
        if made.loaded is not self.loaded or made.key != self._preparation_key():
            return None
        return self._keep(made.key, made.prepared) if made.key else made.prepared

    def prepared_table(self, progress: Progress = SILENT) -> Prepared:
        """The working table and what became of the rows; made now if it is not there."""
        return self._prepare(progress)

    def suggester(self) -> Callable[[Progress], Suggestions]:
        """Look for roles to suggest in the data as it was read; call it on any thread."""
        table, schema = self.reading.table, self.project.schema

        def work(progress: Progress = SILENT) -> Suggestions:
            return suggest(table, schema, progress)

        return work

    def _prepare(self, progress: Progress = SILENT) -> Prepared:
        key, loaded = self._preparation_key(), self._loaded()
        reading = loaded.reading
        if not key:
            return Prepared(reading.table, reading.table, reading.rows)
        # What this session has once seen stays, even if others that share the data have moved on.
        if self._held is not None and self._held[0] == key:
            return self._held[1]
        if (known := loaded.prepared.get(key)) is not None:
            self._held = (key, known)
            return known
        table, schema, preparation = reading.table, self.project.schema, self.project.preparation
        source = _preparation_source(self.project.anonymise.seed)
        if isinstance(table, StoredTable):
            prepared = prepare_stored(table, schema, preparation, source, progress)
        else:
            prepared = prepare(table, schema, preparation, source, progress, place_of=reading.place_of)
        return self._keep(key, prepared)

    def _keep(self, key: str, prepared: Prepared) -> Prepared:
        """Remember a working table, with the one before it, so that undo finds the same random draw again."""
        kept = self._loaded().prepared
        # Where two threads made it at the same time, both go on with the one that was there first.
        first = kept.setdefault(key, prepared)
        if key == self._preparation_key():
            self._held = (key, first)
        for old in list(kept)[:-_WORKING_TABLES]:
            kept.pop(old, None)
        return first

    def _preparation_key(self) -> str:
        """Digest of everything the working table depends on besides the file; "" if it is the table itself."""
        if self._key is not None and self._key[0] is self.project:
            return self._key[1]
        schema, preparation = self.project.schema, self.project.preparation
        key = ""
        if not changes_nothing(schema, preparation):
            seed = self.project.anonymise.seed if preparation.random else None
            strict = [_as_read(column) for column in schema.columns if column.misfits is Misfits.STOP]
            key = digest([preparation_digest(schema, preparation, schema.names), seed, strict])
        self._key = (self.project, key)
        return key

    def set_preparation(self, preparation: Preparation) -> None:
        """Choose which rows take part: a filter, a research sample, a limit of rows per person.

        Raises
        ------
        WorkbenchError
            If the filter cannot be read, or rows are to be limited without a column that tells persons apart.
        """
        where = preparation.where.strip()
        if where:
            parse(where, self.project.schema)
        if preparation.limit_rows and not self.project.schema.unit.person_column:
            raise WorkbenchError(
                "Rows per person cannot be limited, because no column says which rows are one person's.",
                hint="Name the column that tells persons apart first.",
                field="limit_rows",
            )
        self.project = replace(self.project, preparation=replace(preparation, where=where))


def _as_read(column: ColumnSpec) -> list[Any]:
    """What decides which values of the column fit."""
    return [column.name, column.kind.value, vars(column.format), column.missing, column.domain]


def _preparation_source(seed: int | None) -> RandomSource:
    """Other numbers than those of the mechanism, even if both come from one seed."""
    if seed is None:
        return source_for(None)
    return source_for(int.from_bytes(hashlib.sha256(f"working table {seed}".encode()).digest()[:16], "big"))
