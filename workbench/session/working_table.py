"""The working table of a session: what the preparation makes of the rows that were read."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import RandomSource, source_for
from workbench.core.schema import ColumnSpec, Misfits
from workbench.core.working_table import PreparedTable, changes_nothing
from workbench.engines.dispatch import engine_of
from workbench.project.loading import Loaded
from workbench.project.model import digest, preparation_digest
from workbench.session.state import SessionState

_WORKING_TABLES = 2


@dataclass(frozen=True)
class WorkingTableMade:
    """A working table, the data it was made of, and the key of the settings it was made with."""

    loaded: Loaded
    key: str
    prepared: PreparedTable


def working_table(state: SessionState, progress: Progress = SILENT) -> PreparedTable:
    """The working table and what became of the rows; made now if it is not there."""
    key, loaded = working_key(state), state.opened
    reading = loaded.reading
    if not key:
        return PreparedTable(reading.table, reading.table, reading.rows)
    # What this session has once seen stays, even if others that share the data have moved on.
    if state.working is not None and state.working[0] == key:
        return state.working[1]
    if (known := loaded.prepared.get(key)) is not None:
        state.working = (key, known)
        return known
    table, schema, preparation = reading.table, state.project.schema, state.project.preparation
    source = preparation_source(state.project.anonymise.seed)
    engine = engine_of(table)
    prepared = engine.prepare(schema, preparation, source, progress, place_of=reading.place_of)
    return keep_working_table(state, key, prepared)


def needs_preparing(state: SessionState) -> bool:
    """Whether the working table must first be made, which takes its time with much data."""
    key, loaded = working_key(state), state.opened
    held = state.working is not None and state.working[0] == key
    return bool(key) and not held and key not in loaded.prepared


def keep_working_table(state: SessionState, key: str, prepared: PreparedTable) -> PreparedTable:
    """Remember a working table, with the one before it, so that undo finds the same random draw again."""
    kept = state.opened.prepared
    # Where two threads made it at the same time, both go on with the one that was there first.
    first = kept.setdefault(key, prepared)
    if key == working_key(state):
        state.working = (key, first)
    for old in list(kept)[:-_WORKING_TABLES]:
        kept.pop(old, None)
    return first


def working_key(state: SessionState) -> str:
    """Digest of everything the working table depends on besides the file; "" if it is the table itself."""
    project = state.project
    if state.working_key is not None and state.working_key[0] is project:
        return state.working_key[1]
    schema, preparation = project.schema, project.preparation
    key = ""
    if not changes_nothing(schema, preparation):
        seed = project.anonymise.seed if preparation.random else None
        strict = [_as_read(column) for column in schema.columns if column.misfits is Misfits.STOP]
        key = digest([preparation_digest(schema, preparation, schema.names), seed, strict])
    state.working_key = (project, key)
    return key


def _as_read(column: ColumnSpec) -> list[Any]:
    """The properties of a column that decide which of its values fit."""
    return [column.name, column.kind.value, vars(column.format), column.missing, column.domain]


def preparation_source(seed: int | None) -> RandomSource:
    """Other numbers than those of the mechanism, even if both come from one seed."""
    if seed is None:
        return source_for(None)
    return source_for(int.from_bytes(hashlib.sha256(f"working table {seed}".encode()).digest()[:16], "big"))
