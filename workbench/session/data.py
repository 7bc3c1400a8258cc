"""The data of a session: opening files, which rows take part, and what is declared of columns and hierarchies."""

from __future__ import annotations

import glob
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType

from workbench.anonymise.origins import made_from_data
from workbench.core.building import listed_by
from workbench.core.errors import WorkbenchError
from workbench.core.filtering import parse
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.kinds import is_missing
from workbench.core.kinds import parse as parse_values
from workbench.core.person_columns import PersonColumn
from workbench.core.progress import SILENT, Progress
from workbench.core.role_suggestions import Suggestions, suggest
from workbench.core.role_words import named_after_persons, role_to_generalise
from workbench.core.schema import ColumnSpec, Format, Kind, Misfits, PrivacyUnit, Role, UnitAnswer
from workbench.core.table import Table
from workbench.core.working_table import Preparation, PreparedTable
from workbench.engines.store import Store
from workbench.io.dialect import Dialect
from workbench.io.hierarchy_csv import declared_public, is_declared, is_undeclared, read_hierarchy
from workbench.io.infer import propose_format
from workbench.io.parts import place_beside
from workbench.io.reading import Reading
from workbench.project.differences import Differences
from workbench.project.loading import Loaded, described, differences, load
from workbench.project.model import DataSource
from workbench.project.restoring import restored
from workbench.session.comparison_typed import asked_of
from workbench.session.release.said import said_of
from workbench.session.state import Desk
from workbench.session.suggested_hierarchies import ReadLists, hierarchy_suggester, sound_lists
from workbench.session.working_table import (
    WorkingTableMade,
    keep_working_table,
    needs_preparing,
    working_key,
    working_table,
)


class DataDesk(Desk):
    """The data of a session: what was read, which rows take part, and what is declared of its columns.

    `reading` is the data as it was read; `table` is the working table.
    """

    @property
    def loaded(self) -> Loaded | None:
        """The data that is open, with everything found out while it was read."""
        return self._state.loaded

    # Opening

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
        found = found if found is not None else differences(self._project, loaded, self._state.loaded)
        names = loaded.proposed.names
        project = restored(self._project, loaded.reading.table, loaded.memory).project
        schema, preparation = described(project, loaded), project.preparation
        if not project.schema.columns and schema.unit == PrivacyUnit():
            schema = replace(schema, unit=PrivacyUnit(protected=UnitAnswer.UNSAID))
        unit = schema.unit
        if found.missing and unit.protected is UnitAnswer.SAID:
            unit = replace(unit, protected=UnitAnswer.UNSAID)  # it was said of another table
        if unit.person_column not in names:
            unit = replace(unit, person_column="")
            preparation = replace(preparation, limit_rows=False)
        schema = replace(schema, unit=unit)
        reading, table, before = loaded.reading, loaded.reading.table, project.data
        known = project.recognised(reading.fingerprint, loaded.content)
        if before is not None and before.content and before.fingerprint == reading.fingerprint:
            known = known.recognised(before.content, loaded.content)  # the same file, read in another way
        self._state.take_data(loaded)
        self._state.project = replace(
            known,
            data=DataSource(
                str(reading.path), reading.fingerprint, table.rows, reading.dialect, loaded.content, table.engine
            ),
            schema=schema,
            preparation=preparation,
            hierarchies=MappingProxyType(
                {
                    name: h.as_listed().covering(reading.table[name].values)
                    if h.covers_all and reading.table.lists(name)
                    else h
                    for name, h in project.hierarchies.items()
                    if name in names
                }
            ),
            rules=MappingProxyType({name: rule for name, rule in project.rules.items() if name in names}),
            # What was typed without any table needs none, and stays what it is beside one.
            comparing=project.comparing if before is None else asked_of(project.comparing, names),
        )
        return found

    @property
    def reading(self) -> Reading:
        return self._state.opened.reading

    @property
    def place_beside(self) -> tuple[Path, str]:
        """Where what is made of the data may lie, and a name for it without an ending; no disk is asked.

        Of data that the project names and nobody has read, too: it is still being read, or is gone.
        """
        named = self._project.data
        if self._state.loaded is None and named is not None:
            return place_beside(named.path, parts=glob.has_magic(named.path))
        return place_beside(self.reading.path, parts=bool(self.reading.parts))

    @property
    def file_name(self) -> str:
        """Name of what the table was read from, without its place, for whoever sees the screen; "" without data."""
        return "" if self._state.loaded is None else Path(self._state.loaded.reading.path).name

    @property
    def files_read(self) -> tuple[Path, ...]:
        """The data with all its parts, and the hierarchies; nothing before there is data."""
        reading = None if self._state.loaded is None else self._state.loaded.reading
        data = () if reading is None else (Path(reading.path), *reading.parts)
        return (*data, *self._state.hierarchy_files)

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the rows that were read: what was seen and released of them is kept under it."""
        return self._state.opened.content

    @property
    def persons(self) -> tuple[PersonColumn, ...]:
        """Columns whose values repeat as people do, the likeliest first; empty without data."""
        return () if self._state.loaded is None else self._state.loaded.persons

    @property
    def named_after_persons(self) -> str:
        """The first column whose name alone says whose a row is, whatever is in it; "" if there is none."""
        return named_after_persons(self._project.schema.names)

    @property
    def suggested_roles(self) -> dict[str, Role]:
        """Columns whose values look as if they had another role than was proposed; empty without data."""
        found = self._state.loaded.suggested_roles if self._state.loaded is not None else {}
        return {name: role for name, (role, _) in found.items()}

    # The working table

    @property
    def table(self) -> Table:
        """The working table. It is made now if it is not there; `needs_preparing` tells."""
        return working_table(self._state).table

    @property
    def working_key(self) -> str:
        """Changes whenever the working table does; "" where it is the table as it was read."""
        return working_key(self._state)

    @property
    def needs_preparing(self) -> bool:
        """Whether the working table must first be made, which takes its time with much data."""
        return needs_preparing(self._state)

    @property
    def prepared(self) -> PreparedTable | None:
        """The working table and what became of the rows; None if it was not made yet."""
        return None if self.needs_preparing else working_table(self._state)

    def prepared_table(self, progress: Progress = SILENT) -> PreparedTable:
        """The working table and what became of the rows; made now if it is not there."""
        return working_table(self._state, progress)

    def preparer(self) -> Callable[[Progress], WorkingTableMade]:
        """Everything it takes to make the working table, bound together now; call it on any thread."""
        then = self._state.snapshot()

        def work(progress: Progress = SILENT) -> WorkingTableMade:
            return WorkingTableMade(then.opened, working_key(then), working_table(then, progress))

        return work

    def accept_prepared(self, made: WorkingTableMade) -> PreparedTable | None:
        """Take in what `preparer` produced; None, and nothing happens, if data or settings have changed since."""
        if made.loaded is not self._state.loaded or made.key != working_key(self._state):
            return None
        return keep_working_table(self._state, made.key, made.prepared) if made.key else made.prepared

    def suggester(self) -> Callable[[Progress], Suggestions]:
        """Look for roles to suggest in the data as it was read; call it on any thread."""
        return partial(suggest, self.reading.table, self._project.schema)

    def hierarchy_suggester(
        self, names: Iterable[str], widening: Collection[str] = ()
    ) -> Callable[[Progress], dict[str, Hierarchy]]:
        """Build the hierarchies that are suggested for these columns, some with widening intervals; on any thread."""
        return hierarchy_suggester(self.reading.table, self._project.schema, names, said_of(self._project), widening)

    def list_reader(self, files: Mapping[str, Path]) -> Callable[[Progress], ReadLists]:
        """Read a file for each of these columns, with a rule in the place of a wrong list; call it on any thread."""
        return sound_lists(self.reading.table, self._project.schema, files)

    def give_roles(self, names: Iterable[str]) -> dict[str, Role]:
        """Give columns with a hierarchy, of which nobody said anything, the roles that their names suggest."""
        given = {name: role_to_generalise(name) for name in names}
        for role in dict.fromkeys(given.values()):
            self.set_role([name for name, one in given.items() if one is role], role)
        return given

    def attach_hierarchies(self, made: Mapping[str, Hierarchy]) -> None:
        """Give each of these columns its hierarchy; roles stay as they are."""
        for name, hierarchy in made.items():
            self.attach_hierarchy(name, hierarchy, keep_role=True)

    def set_preparation(self, preparation: Preparation) -> None:
        """Choose which rows take part: a filter, a research sample, a limit of rows per person.

        Raises
        ------
        WorkbenchError
            If the filter cannot be read, or rows are to be limited without a column that tells persons apart.
        """
        where = preparation.where.strip()
        if where:
            parse(where, self._project.schema)
        if preparation.limit_rows and not self._project.schema.unit.person_column:
            raise WorkbenchError(
                "Rows per person cannot be limited, because no column says which rows are one person's.",
                hint="Name the column that tells persons apart first.",
                field="limit_rows",
            )
        self._state.change(preparation=replace(preparation, where=where))

    # Describing columns

    def set_role(self, names: Iterable[str], role: Role, *, undecided: bool = False) -> None:
        """Give columns a role, which says nothing of who is protected; `undecided` takes back that anybody said one."""
        unit = self._project.schema.unit
        if unit.protected is UnitAnswer.BY_ROLE and self._state.loaded is not None:
            self.set_unit(replace(unit, protected=UnitAnswer.SAID))
        self._describe(names, lambda column: replace(column, role=role, undecided=undecided))

    def set_kind(self, names: Iterable[str], kind: Kind) -> None:
        self._describe(names, lambda column: replace(column, kind=kind))

    def set_bounds(self, name: str, bounds: tuple[float, float] | None, *, observed: bool = False) -> None:
        """Declare the public bounds of a numeric column; `observed` admits that they were read from the data.

        Raises
        ------
        WorkbenchError
            If the bounds are not two finite numbers in order.
        """
        if bounds is not None and not (math.isfinite(bounds[0]) and math.isfinite(bounds[1])):
            raise WorkbenchError("Bounds must be finite numbers.", field=name)
        if bounds is not None and bounds[0] >= bounds[1]:
            raise WorkbenchError(
                f"The lower bound of “{name}” is not below the upper bound.",
                hint="Give the smaller number first.",
                field=name,
            )
        self._describe([name], lambda column: _known(replace(column, bounds=bounds), "bounds", observed))

    def set_format(self, name: str, format: Format) -> None:  # noqa: A002
        """Say how the numbers or dates of a column are written.

        Raises
        ------
        WorkbenchError
            If the column's kind cannot be written like that.
        """
        spec = replace(self._project.schema[name], format=format)
        if spec.kind.numeric or spec.kind.temporal:
            parse_values((), spec)
        self._describe([name], lambda column: replace(column, format=format))

    def proposed_format(self, name: str, kind: Kind) -> Format:
        """How the column would most likely be written if it were of that kind; changes nothing."""
        return propose_format(self.reading.table[name], kind)

    def set_missing(self, names: Iterable[str], texts: Iterable[str]) -> None:
        """Say which texts stand for "no value"; the order does not matter and nothing counts twice."""
        listed = tuple(dict.fromkeys(texts))
        self._describe(names, lambda column: replace(column, missing=listed))

    def set_domain(self, name: str, values: Iterable[str] | None, *, observed: bool = False) -> None:
        """Declare the public domain of a column, in order if its values have one; None for no domain.

        `observed` admits that it was read from the data.

        Raises
        ------
        WorkbenchError
            If there is no value, one is listed twice, or one stands for "no value".
        """
        domain = None if values is None else tuple(values)
        if domain is not None:
            twice = next((value for value, times in Counter(domain).items() if times > 1), None)
            absent = next((value for value in domain if is_missing(value, self._project.schema[name].missing)), None)
            if not domain or twice is not None or absent is not None:
                what = "is empty" if not domain else f"lists “{absent if twice is None else twice}”"
                why = "" if not domain else " twice" if twice is not None else ", which stands for a missing value"
                raise WorkbenchError(
                    f"The domain of “{name}” {what}{why}.", hint="List every possible value once.", field=name
                )
        self._describe([name], lambda column: _known(replace(column, domain=domain), "domain", observed))

    def set_unit_text(self, name: str, unit: str) -> None:
        """Say in which unit the numbers of a column are, such as "kg"."""
        self._describe([name], lambda column: replace(column, unit=unit.strip()))

    def set_misfits(self, name: str, policy: Misfits | str) -> None:
        """Choose what becomes of values that do not fit a column: they stay, become missing, or stop the run.

        Raises
        ------
        WorkbenchError
            If there is no such policy or column.
        """
        try:
            chosen = Misfits(policy)
        except ValueError:
            raise WorkbenchError(
                f"“{policy}” is not a way to treat values that do not fit.",
                hint=f"Choose one of {', '.join(Misfits)}.",
                field=name,
            ) from None
        self._describe([name], lambda column: replace(column, misfits=chosen))

    def set_unit(self, unit: PrivacyUnit) -> None:
        """Declare whom the guarantee protects. Without a column for persons, their rows cannot be limited."""
        preparation = self._project.preparation
        if unit.person_column:
            self._project.schema[unit.person_column]  # raises if there is no such column
        elif preparation.limit_rows:
            preparation = replace(preparation, limit_rows=False)
        schema = replace(self._project.schema, unit=unit)
        self._state.change(schema=schema, preparation=preparation)

    def _describe(self, names: Iterable[str], change: Callable[[ColumnSpec], ColumnSpec]) -> None:
        self._state.change(schema=self._project.schema.changed(names, change))

    # Hierarchies

    def attach_hierarchy(self, name: str, hierarchy: Hierarchy, *, keep_role: bool = False) -> None:
        """Give a column a hierarchy; one that identified nobody becomes quasi-identifying, unless roles are kept.

        A hierarchy that gives itself away as averages of data is marked data-derived, whatever its
        file says.
        """
        self._project.schema[name]
        if hierarchy.provenance is Provenance.PUBLIC and made_from_data(hierarchy, self._project.schema[name]):
            hierarchy = replace(
                hierarchy,
                provenance=Provenance.DERIVED,
                origin="its labels are means, medians or ends of the very values that it lists",
            )
        levels = dict(self._project.anonymise.levels)
        levels[name] = min(levels.get(name, 1), hierarchy.height)
        self._state.change(
            hierarchies=MappingProxyType({**self._project.hierarchies, name: hierarchy}),
            anonymise=replace(self._project.anonymise, levels=MappingProxyType(levels)),
        )
        if self._project.schema[name].role is Role.INSENSITIVE and not keep_role:
            self.set_role([name], Role.QUASI)

    def attach_hierarchy_file(self, name: str, path: Path, provenance: Provenance | None = None) -> None:
        """Read a hierarchy CSV and attach it."""
        self._project.schema[name]
        self.attach_hierarchy(name, read_hierarchy(path, provenance=provenance))
        self._state.hierarchy_files = (*self._state.hierarchy_files, path)

    @property
    def undeclared(self) -> tuple[str, ...]:
        """Columns whose hierarchy was imported, and of which nobody has said whether it was made without this data."""
        return tuple(name for name, one in self._project.hierarchies.items() if is_undeclared(one))

    @property
    def declared(self) -> tuple[str, ...]:
        """Columns of whose hierarchies somebody has said that they were made without this data."""
        return tuple(name for name, one in self._project.hierarchies.items() if is_declared(one))

    def declare_imported(self, names: Iterable[str] | None = None) -> None:
        """The person says of these, or of all that nobody declared yet, that they were made without this data."""
        hierarchies = self._project.hierarchies
        wanted = self.undeclared if names is None else tuple(names)
        self.attach_hierarchies({name: declared_public(hierarchies[name]) for name in wanted})

    def set_provenance(self, name: str, provenance: Provenance, origin: str) -> None:
        """Correct where a hierarchy comes from."""
        changed = replace(self._hierarchy(name), provenance=provenance, origin=origin)
        self._replace_hierarchy(name, changed)

    def uncovered(self, name: str, table: Table | None = None) -> list[str]:
        """Values that occur in the column of a table, the working table if none is given, and its hierarchy misses."""
        column = (table or self.table)[name]
        used = (v for v, count in zip(column.values, column.counts.tolist(), strict=True) if count)
        return self._hierarchy(name).uncovered(used)

    def cover(self, name: str) -> int:
        """Let the values a hierarchy misses become `*` above level 0; returns how many there were."""
        missed, hierarchy = self.uncovered(name), self._hierarchy(name)
        # What the specification lists too, so that building it again gives the same hierarchy.
        listed = () if hierarchy.specification is None else listed_by(hierarchy.specification)
        values = (*self.reading.table[name].values, *self.table[name].values, *listed)
        self._replace_hierarchy(name, hierarchy.covering(values))
        return len(missed)

    def detach_hierarchy(self, name: str) -> None:
        rest = {column: h for column, h in self._project.hierarchies.items() if column != name}
        levels = {column: level for column, level in self._project.anonymise.levels.items() if column != name}
        self._state.change(
            hierarchies=MappingProxyType(rest),
            anonymise=replace(self._project.anonymise, levels=MappingProxyType(levels)),
        )

    def _hierarchy(self, name: str) -> Hierarchy:
        if name not in self._project.hierarchies:
            raise WorkbenchError(f"Column “{name}” has no hierarchy.", hint="Attach one first.", field=name)
        return self._project.hierarchies[name]

    def _replace_hierarchy(self, name: str, hierarchy: Hierarchy) -> None:
        self._state.change(hierarchies=MappingProxyType({**self._project.hierarchies, name: hierarchy}))


def _known(column: ColumnSpec, what: str, observed: bool) -> ColumnSpec:
    """Note whether a declaration was read from the data."""
    return replace(column, observed=column.observed | {what} if observed else column.observed - {what})
