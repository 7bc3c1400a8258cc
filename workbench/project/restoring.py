"""Restoring what a project leaves to the data: hierarchies are built again, and bounds are read again.

A saved project holds no values of the data. So a hierarchy that was built is saved as its specification, and bounds
or a domain that were read from the data as the fact that they were.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from workbench.core.building import build_unseen
from workbench.core.column_facts import column_facts
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.kinds import is_missing, sort_keys
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import ColumnSpec, Kind, Role, Schema, UnitAnswer
from workbench.core.table import Column, Table
from workbench.project.model import Project, Rule, digest


@dataclass
class Memory:
    """A memory of all that was restored from one table, so that another thread can do it before it is needed."""

    hierarchies: dict[str, Hierarchy | WorkbenchError] = field(default_factory=dict)
    columns: dict[ColumnSpec, ColumnSpec] = field(default_factory=dict)


@dataclass(frozen=True)
class Restored:
    """A project with everything that the data gives it, and why some rules could not be followed, by column."""

    project: Project
    failed: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def without_values(column: ColumnSpec) -> ColumnSpec:
    """The description as it is saved: what was read from the data is only named."""
    return replace(column.declared(), observed=column.observed)


def rule_of(hierarchy: Hierarchy) -> Rule | None:
    """The rule that the hierarchy was built by; None if it was imported."""
    if hierarchy.specification is None:
        return None
    return Rule(hierarchy.specification, hierarchy.provenance, hierarchy.origin, hierarchy.covers_all)


def restored(project: Project, table: Table, memory: Memory, progress: Progress = SILENT) -> Restored:
    """Build and read what the project left to the data. Changes nothing but `memory`; safe on any thread.

    Rules of columns that the table does not have stay rules, and so do those that cannot be followed.

    Raises
    ------
    Cancelled
        If the progress was cancelled.
    """
    columns = tuple(
        _read_again(column, table[column.name], memory) if column.observed and table.lists(column.name) else column
        for column in project.schema.columns
    )
    if columns != project.schema.columns:
        project = replace(project, schema=Schema(columns, project.schema.unit))
    project = replace(project, schema=_settled(project.schema, table))
    here = [name for name in project.rules if name in table and name not in project.hierarchies]
    if not here:
        return Restored(project)
    rules, hierarchies = dict(project.rules), dict(project.hierarchies)
    failed: dict[str, str] = {}
    for position, name in enumerate(here):
        progress(position / len(here), "Building hierarchies")
        made = _built(project.rules[name], table[name], memory)
        if isinstance(made, WorkbenchError):
            failed[name] = made.message
        else:
            hierarchies[name] = made
            del rules[name]
    progress(1.0)
    found = replace(project, rules=MappingProxyType(rules), hierarchies=MappingProxyType(hierarchies))
    return Restored(found, MappingProxyType(failed))


def _settled(schema: Schema, table: Table) -> Schema:
    """Whom a project of before anybody was asked protects: the persons of an identifying column that repeats too often.

    Nothing could be claimed of it then, and nothing can now. Where none repeats, the next file may tell.
    """
    unit = schema.unit
    if unit.protected is not UnitAnswer.BY_ROLE:
        return schema
    most = {
        spec.name: table[spec.name].most_rows(spec.missing)[0]
        for spec in schema.with_role(Role.IDENTIFYING)
        if spec.name in table
    }
    beyond = [name for name, rows in most.items() if rows > unit.rows_per_person]
    if not beyond:
        return schema
    return replace(
        schema, unit=replace(unit, person_column=max(beyond, key=most.__getitem__), protected=UnitAnswer.SAID)
    )


def _built(rule: Rule, column: Column, memory: Memory) -> Hierarchy | WorkbenchError:
    key = digest([column.name, rule.specification, rule.provenance.value, rule.origin, rule.covers_all])
    if key not in memory.hierarchies:
        try:
            memory.hierarchies[key] = _build(rule, column)
        except WorkbenchError as error:
            memory.hierarchies[key] = error
    return memory.hierarchies[key]


def _build(rule: Rule, column: Column) -> Hierarchy:
    used = np.flatnonzero(column.counts > 0)
    # Read as it was read when it was built, whatever the column was said to be since.
    made = build_unseen(rule.specification, tuple([column.values[code] for code in used.tolist()]), column.counts[used])
    if rule.covers_all:
        made = made.covering(column.values)
    if made.provenance is Provenance.DERIVED and rule.provenance is Provenance.PUBLIC:
        return made
    return replace(made, provenance=rule.provenance, origin=rule.origin)


def _read_again(spec: ColumnSpec, column: Column, memory: Memory) -> ColumnSpec:
    if not ("bounds" in spec.observed and spec.bounds is None) and not (
        "domain" in spec.observed and spec.domain is None
    ):
        return spec
    if spec not in memory.columns:
        memory.columns[spec] = _observed(spec, column)
    return memory.columns[spec]


def _observed(spec: ColumnSpec, column: Column) -> ColumnSpec:
    found = spec
    if "bounds" in spec.observed and spec.bounds is None:
        facts = column_facts(column, spec)
        # One value alone, or none, bounds nothing.
        found = replace(found, bounds=(facts.least, facts.greatest)) if facts.least < facts.greatest else found
    if "domain" in spec.observed and spec.domain is None:
        values = tuple([v for v in _in_order(column, spec) if not is_missing(v, spec.missing)])
        found = replace(found, domain=values or None)
    return found


def _in_order(column: Column, spec: ColumnSpec) -> list[str]:
    """The values that occur, in their order."""
    try:
        keys = sort_keys(column, spec)
    except WorkbenchError:  # a date whose pattern was not given
        keys = sort_keys(column, replace(spec, kind=Kind.TEXT))
    used = np.flatnonzero(column.counts > 0)
    return [column.values[code] for code in used[np.argsort(keys[used], kind="stable")].tolist()]
