"""The use cases, without a window: open, describe, generalise, guarantee, run, export, save.

A `Session` holds one project, the data it speaks of and the last result. Anything slow is split in two: a
function without side effects that a window can run on another thread (`load`, `Session.preparer`,
`Session.anonymiser`), and a method that takes its result in (`adopt`, `accept_prepared`, `accept`).

`Session.reading` is the data as it was read; `Session.table` is the working table, which the project's
preparation makes of it, and everything that is generalised, released or claimed is about the latter.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from workbench.anonymise.claim import Circumstances, Claim, WorkingTable, assess
from workbench.anonymise.composition import Released
from workbench.anonymise.guarantee import Guarantee, guarantee
from workbench.anonymise.mechanism import (
    ColumnPlan,
    Outcome,
    Recipe,
    Treatment,
    sample_generalise_suppress,
)
from workbench.anonymise.origins import made_from_the_data
from workbench.core.errors import WorkbenchError
from workbench.core.filtering import parse
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.kinds import is_missing
from workbench.core.kinds import parse as parse_values
from workbench.core.preparing import Preparation, Prepared, changes_nothing, prepare
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import RandomSource, source_for
from workbench.core.schema import ColumnSpec, Format, Kind, Misfits, PrivacyUnit, Role
from workbench.core.suggesting import Suggestions, suggest
from workbench.core.table import Table
from workbench.io.dialect import Dialect
from workbench.io.hierarchy_csv import read_hierarchy
from workbench.io.infer import propose_format
from workbench.io.reading import Reading
from workbench.io.writing import WriteReport, neutralised_texts, write_csv
from workbench.project.loading import Differences, Loaded, described, differences, load
from workbench.project.model import (
    AnonymiseSettings,
    DataSource,
    GuaranteeSettings,
    Look,
    Project,
    ReleaseRecord,
    canonical_filter,
    digest,
    hierarchy_digest,
    preparation_digest,
)
from workbench.project.storage import load_project, save_project
from workbench.report.statement import write_statement

__all__ = [
    "Differences",
    "Loaded",
    "Preparation",
    "Prepared",
    "Produced",
    "Result",
    "Session",
    "Suggestions",
    "WorkingTableMade",
    "differences",
    "load",
    "nothing_survived",
]

_WORKING_TABLES = 2
_DRAWS = 2
"""Results that are remembered, so that undoing a change of settings brings back the draw that was made then."""


@dataclass(frozen=True)
class Result:
    """One run: what came out, what may be claimed for it, and the key that tells whether it is current.

    `table` is the working table it was made from; the row numbers of the outcome are rows of this table.
    `fingerprint` is that of the file the table was read from.
    """

    outcome: Outcome
    claim: Claim
    key: str
    table: Table
    fingerprint: str


@dataclass(frozen=True)
class WorkingTableMade:
    """A working table, the data it was made of, and the key of the settings it was made with."""

    loaded: Loaded
    key: str
    prepared: Prepared


@dataclass(frozen=True)
class Produced:
    """What a run has produced, and the session as it was when the run was bound together."""

    outcome: Outcome
    guarantee: Guarantee
    then: Session


class Session:
    """One project at work. Methods are for one thread; results of `load` and `anonymiser` come from others."""

    def __init__(self, project: Project | None = None) -> None:
        self.project = project or Project()
        self.loaded: Loaded | None = None
        self.result: Result | None = None
        self._drawn: list[Result] = []
        self._exported: tuple[Result, ReleaseRecord] | None = None
        self._inputs: tuple[Path, ...] = ()
        self._key: tuple[Project, str] | None = None
        self._held: tuple[str, Prepared] | None = None

    def snapshot(self) -> Session:
        """A session that stays as this one is now, for work on another thread. Nothing of size is copied."""
        copy = Session(self.project)
        copy.loaded, copy.result = self.loaded, self.result
        copy._exported, copy._key, copy._held = self._exported, self._key, self._held
        return copy

    # Data

    def open(self, path: Path, dialect: Dialect | None = None, progress: Progress = SILENT) -> Loaded:
        """Read a file and take it in."""
        loaded = load(path, dialect, progress)
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
        schema, preparation = described(self.project, loaded), self.project.preparation
        if schema.unit.person_column not in names:
            schema = replace(schema, unit=replace(schema.unit, person_column=""))
            preparation = replace(preparation, limit_rows=False)
        reading = loaded.reading
        self.loaded = loaded
        self.result = None
        self._drawn = []
        self._held = None
        self.project = replace(
            self.project,
            data=DataSource(str(reading.path), reading.fingerprint, reading.table.rows, reading.dialect),
            schema=schema,
            preparation=preparation,
            hierarchies=MappingProxyType(
                {
                    name: h.as_listed().covering(reading.table[name].values) if h.covers_all else h
                    for name, h in self.project.hierarchies.items()
                    if name in names
                }
            ),
        )
        return found

    @property
    def reading(self) -> Reading:
        return self._loaded().reading

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
        prepared = prepare(
            reading.table,
            self.project.schema,
            self.project.preparation,
            _preparation_source(self.project.anonymise.seed),
            progress,
            line_of=reading.line_of,
        )
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

    # Description

    def set_role(self, names: Iterable[str], role: Role) -> None:
        self._describe(names, lambda column: replace(column, role=role))

    def set_kind(self, names: Iterable[str], kind: Kind) -> None:
        self._describe(names, lambda column: replace(column, kind=kind))

    def set_bounds(self, name: str, bounds: tuple[float, float] | None) -> None:
        """Declare the public bounds of a numeric column.

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
        self._describe([name], lambda column: replace(column, bounds=bounds))

    def set_format(self, name: str, format: Format) -> None:  # noqa: A002
        """Say how the numbers or dates of a column are written.

        Raises
        ------
        WorkbenchError
            If the column's kind cannot be written like that.
        """
        spec = replace(self.project.schema[name], format=format)
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

    def set_domain(self, name: str, values: Iterable[str] | None) -> None:
        """Declare the public domain of a column, in order if its values have one; None for no domain.

        Raises
        ------
        WorkbenchError
            If there is no value, one is listed twice, or one stands for "no value".
        """
        domain = None if values is None else tuple(values)
        if domain is not None:
            twice = next((value for value, times in Counter(domain).items() if times > 1), None)
            absent = next((value for value in domain if is_missing(value, self.project.schema[name].missing)), None)
            if not domain or twice is not None or absent is not None:
                what = "is empty" if not domain else f"lists “{absent if twice is None else twice}”"
                why = "" if not domain else " twice" if twice is not None else ", which stands for a missing value"
                raise WorkbenchError(
                    f"The domain of “{name}” {what}{why}.", hint="List every possible value once.", field=name
                )
        self._describe([name], lambda column: replace(column, domain=domain))

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
        preparation = self.project.preparation
        if unit.person_column:
            self.project.schema[unit.person_column]  # raises if there is no such column
        elif preparation.limit_rows:
            preparation = replace(preparation, limit_rows=False)
        schema = replace(self.project.schema, unit=unit)
        self.project = replace(self.project, schema=schema, preparation=preparation)

    def _describe(self, names: Iterable[str], change: Callable[[ColumnSpec], ColumnSpec]) -> None:
        self.project = replace(self.project, schema=self.project.schema.changed(names, change))

    # Hierarchies

    def attach_hierarchy(self, name: str, hierarchy: Hierarchy) -> None:
        """Give a column a hierarchy; a column that identified nobody becomes quasi-identifying.

        A hierarchy that gives itself away as averages of this very data is marked data-derived, whatever its
        file says.
        """
        self.project.schema[name]
        if (
            self.loaded is not None
            and hierarchy.provenance is Provenance.PUBLIC
            and made_from_the_data(hierarchy, self.reading.table[name], self.project.schema[name])
        ):
            hierarchy = replace(
                hierarchy,
                provenance=Provenance.DERIVED,
                origin="its labels are means, medians or ends of the very values in the data",
            )
        levels = dict(self.project.anonymise.levels)
        levels[name] = min(levels.get(name, 1), hierarchy.height)
        self.project = replace(
            self.project,
            hierarchies=MappingProxyType({**self.project.hierarchies, name: hierarchy}),
            anonymise=replace(self.project.anonymise, levels=MappingProxyType(levels)),
        )
        if self.project.schema[name].role is Role.INSENSITIVE:
            self.set_role([name], Role.QUASI)

    def attach_hierarchy_file(self, name: str, path: Path, provenance: Provenance | None = None) -> None:
        """Read a hierarchy CSV and attach it."""
        self.project.schema[name]
        self.attach_hierarchy(name, read_hierarchy(path, provenance=provenance))
        self._inputs = (*self._inputs, path)

    def set_provenance(self, name: str, provenance: Provenance, origin: str) -> None:
        """Correct where a hierarchy comes from."""
        changed = replace(self._hierarchy(name), provenance=provenance, origin=origin)
        self._replace_hierarchy(name, changed)

    def uncovered(self, name: str) -> list[str]:
        """Values that occur in the column of the working table and that its hierarchy misses."""
        column = self.table[name]
        used = (v for v, count in zip(column.values, column.counts.tolist(), strict=True) if count)
        return self._hierarchy(name).uncovered(used)

    def cover(self, name: str) -> int:
        """Let the values a hierarchy misses become `*` above level 0; returns how many there were."""
        missed = self.uncovered(name)
        self._replace_hierarchy(name, self._hierarchy(name).covering(self.reading.table[name].values))
        return len(missed)

    def detach_hierarchy(self, name: str) -> None:
        rest = {column: h for column, h in self.project.hierarchies.items() if column != name}
        levels = {column: level for column, level in self.project.anonymise.levels.items() if column != name}
        self.project = replace(
            self.project,
            hierarchies=MappingProxyType(rest),
            anonymise=replace(self.project.anonymise, levels=MappingProxyType(levels)),
        )

    def _hierarchy(self, name: str) -> Hierarchy:
        if name not in self.project.hierarchies:
            raise WorkbenchError(f"Column “{name}” has no hierarchy.", hint="Attach one first.", field=name)
        return self.project.hierarchies[name]

    def _replace_hierarchy(self, name: str, hierarchy: Hierarchy) -> None:
        self.project = replace(
            self.project, hierarchies=MappingProxyType({**self.project.hierarchies, name: hierarchy})
        )

    # Settings

    def set_guarantee(self, settings: GuaranteeSettings) -> None:
        self._settings(guarantee=settings)

    def set_level(self, name: str, level: int) -> None:
        """Choose the level of a column.

        Raises
        ------
        WorkbenchError
            If the column's hierarchy has no such level.
        """
        height = self.project.hierarchies[name].height if name in self.project.hierarchies else 0
        if not 0 <= level <= height:
            raise WorkbenchError(
                f"Column “{name}” has no level {level}.",
                hint=f"It has the levels 0 to {height}." if height else "It has no hierarchy, only level 0.",
                field=name,
            )
        self.project.schema[name]
        self._settings(levels=MappingProxyType({**self.project.anonymise.levels, name: level}))

    def set_treatment(self, name: str, treatment: Treatment | None) -> None:
        """Say what happens to a column; None lets its role decide."""
        self.project.schema[name]
        treatments = {n: t for n, t in self.project.anonymise.treatments.items() if n != name}
        if treatment is not None:
            treatments[name] = treatment
        self._settings(treatments=MappingProxyType(treatments))

    def set_levels_blind(self, blind: bool) -> None:
        self._settings(levels_blind=blind)

    def set_seed(self, seed: int | None) -> None:
        """Make runs repeatable simulations, or with None real ones."""
        source_for(seed)
        self._settings(seed=seed)

    def _settings(self, **changes: Any) -> None:
        changed: AnonymiseSettings = replace(self.project.anonymise, **changes)
        self.project = replace(self.project, anonymise=changed)

    # Guarantee and claim

    def guarantee(self) -> Guarantee:
        """Solve the calculator for its free field.

        Raises
        ------
        WorkbenchError
            If no value of the free field satisfies the others.
        """
        return _solve(self.project.anonymise.guarantee, self.project.schema.unit.rows_per_person)

    def treatment(self, name: str) -> Treatment:
        """What happens to a column: what was chosen for it, else what its role and hierarchy suggest."""
        chosen = self.project.anonymise.treatments.get(name)
        if chosen is not None:
            return chosen
        if name in self.project.hierarchies and self.project.schema[name].role is not Role.IDENTIFYING:
            return Treatment.GENERALISE
        return Treatment.LEAVE_OUT

    def recipe(self, promised: Guarantee | None = None) -> Recipe:
        """The mechanism's settings as they now stand."""
        promised = promised or self.guarantee()
        plans = tuple(
            ColumnPlan(
                name,
                self.treatment(name),
                self.project.anonymise.levels.get(name, 0) if name in self.project.hierarchies else 0,
            )
            for name in self.project.schema.names
        )
        return Recipe(plans, promised.beta, promised.k)

    def claim(self) -> Claim:
        """What could be claimed for a run with the settings as they now stand."""
        promised = self.guarantee()
        return self._assess(self.recipe(promised), promised, secure=self.project.anonymise.seed is None)

    def _assess(
        self, recipe: Recipe, promised: Guarantee, *, secure: bool, itself: ReleaseRecord | None = None
    ) -> Claim:
        reading, prepared = self.reading, self._prepare()
        looks = [look for look in self.project.looks if look.fingerprint == reading.fingerprint]
        mine = self._recipe_digest(recipe)
        return assess(
            recipe,
            promised,
            self.project.hierarchies,
            self.project.schema,
            prepared.table,
            Circumstances(
                levels_blind=self.project.anonymise.levels_blind,
                secure=secure,
                tuned=bool(looks) and looks[0].recipe != mine,
                draws=sum(look.draws for look in looks if look.recipe == mine) or 1,
                others=len({look.recipe for look in looks} - {mine}),
                earlier=tuple(
                    Released(record.epsilon, record.delta, record.rows_per_person, record.claim)
                    for record in self.project.releases
                    if record.fingerprint == reading.fingerprint and record is not itself
                ),
                rows=prepared.table.rows,
                suspected=tuple(
                    name for name, (role, _) in self._loaded().suggested_roles.items() if role is Role.IDENTIFYING
                ),
                working_table=WorkingTable(
                    original=reading.table,
                    population=prepared.population,
                    where=canonical_filter(self.project.schema, self.project.preparation),
                    sample=self.project.preparation.sample,
                    limited=self.project.preparation.limit_rows,
                ),
            ),
        )

    def _recipe_digest(self, recipe: Recipe) -> str:
        """Digest of what a run does to this data: two runs with the same one differ by their draw alone."""
        grouped = {
            name: (
                level,
                hierarchy_digest(self.project.hierarchies[name]) if name in self.project.hierarchies else "",
            )
            for name, level in recipe.levels.items()
        }
        kept = [plan.name for plan in recipe.named(Treatment.KEEP)]
        plain: dict[str, Any] = {"beta": recipe.beta, "k": recipe.k, "grouped": grouped, "kept": kept}
        working = preparation_digest(self.project.schema, self.project.preparation, (*grouped, *kept))
        if working:
            plain["working table"] = working
        return digest(plain)

    # Running

    def anonymiser(self) -> Callable[[Progress], Produced]:
        """Everything a run needs, bound together now; call it on any thread. It makes the working table first."""
        then = self.snapshot()
        promised = then.guarantee()
        recipe = then.recipe(promised)
        hierarchies = dict(then.project.hierarchies)
        source = source_for(then.project.anonymise.seed)
        then._loaded()

        def run(progress: Progress = SILENT) -> Produced:
            share = 0.4 if then.needs_preparing else 0.0
            table = then._prepare(progress.part(0.0, share)).table
            outcome = sample_generalise_suppress(table, recipe, hierarchies, source, progress.part(share, 1.0))
            return Produced(outcome, promised, then)

        return run

    def accept(self, produced: Produced) -> Result:
        """Take in what `anonymiser` produced, and remember that a result of this recipe was seen.

        The claim and the key are those of the settings the run was made with; if other ones hold by now, the
        result is out of date from the start.
        """
        outcome, then = produced.outcome, produced.then
        fingerprint, recipe = then.reading.fingerprint, then._recipe_digest(outcome.recipe)
        looks = list(self.project.looks)
        for position, look in enumerate(looks):
            if (look.fingerprint, look.recipe) == (fingerprint, recipe):
                looks[position] = replace(look, draws=look.draws + 1)
                break
        else:
            looks.append(Look(fingerprint, recipe))
        self.project = replace(self.project, looks=tuple(looks))
        then.project = replace(then.project, looks=self.project.looks, releases=self.project.releases)
        claim = then._assess(outcome.recipe, produced.guarantee, secure=outcome.secure)
        self.result = Result(outcome, claim, then.result_key(), then.table, fingerprint)
        self._drawn = [self.result, *self._drawn][:_DRAWS]
        return self.result

    def recall(self) -> bool:
        """Take back the draw that was made with the settings as they stand, if it is still there.

        Drawing again would be a choice between samples; the first one is the honest one.
        """
        if self.result_is_current:
            return True
        key = self.result_key()
        found = next((result for result in self._drawn if key and result.key == key), None)
        if found is not None:
            self.result = found
        return found is not None

    def anonymise(self, progress: Progress = SILENT) -> Result:
        """Run the mechanism with the settings as they stand."""
        return self.accept(self.anonymiser()(progress))

    def result_key(self) -> str:
        """Digest of everything the result depends on."""
        settings = self.project.anonymise
        try:
            promised = self.guarantee()
        except WorkbenchError:
            return ""
        return digest(
            {
                "data": self.reading.fingerprint,
                "recipe": self._recipe_digest(self.recipe(promised)),
                "promised": [promised.epsilon, promised.delta, promised.rows_per_person],
                "blind": settings.levels_blind,
                "origins": {n: (h.provenance.value, h.origin) for n, h in self.project.hierarchies.items()},
                "seed": settings.seed,
                "roles": [column.name for column in self.project.schema.columns if column.role is Role.IDENTIFYING],
                "unit": [
                    self.project.schema.unit.rows_per_person,
                    self.project.schema.unit.person_column,
                ],
            }
        )

    @property
    def result_is_current(self) -> bool:
        return self.result is not None and self.result.key == self.result_key()

    # Release

    def export(
        self,
        path: Path,
        statement: Path | None = None,
        *,
        delimiter: str = ",",
        progress: Progress = SILENT,
    ) -> WriteReport:
        """Write the release and its statement, and record that it left the house.

        Raises
        ------
        WorkbenchError
            If there is no current result, nothing survived, or the files cannot be written.
        """
        result = self.current_result()
        report = self.exporter(path, statement, delimiter=delimiter)(progress)
        self.record_export(path, result)
        return report

    def exporter(
        self, path: Path, statement: Path | None = None, *, delimiter: str = ","
    ) -> Callable[[Progress], WriteReport]:
        """Everything an export needs, bound together now; call it on any thread."""
        result = self.current_result()
        if result.outcome.rows_out == 0:
            raise nothing_survived(result.outcome)
        protected = (Path(self.reading.path), *self._inputs)
        hierarchies = self.project.hierarchies
        claim = self.current_claim()
        release = result.outcome.release

        def write(progress: Progress = SILENT) -> WriteReport:
            if statement is None:
                return write_csv(release, path, delimiter=delimiter, protected=protected, progress=progress)
            # The statement goes first: a statement without a file harms nobody, a file without one would.
            there = statement.exists()
            write_statement(
                statement, hierarchies, result.outcome, claim, neutralised_texts(release), protected=(*protected, path)
            )
            try:
                return write_csv(
                    release, path, delimiter=delimiter, protected=(*protected, statement), progress=progress
                )
            except BaseException:
                if not there:
                    statement.unlink(missing_ok=True)
                raise

        return write

    def current_claim(self) -> Claim:
        """The claim of the current result with everything that is known by now, such as releases since the run."""
        result = self.current_result()
        itself = self._exported[1] if self._exported is not None and self._exported[0] is result else None
        return self._assess(result.outcome.recipe, result.claim.guarantee, secure=result.outcome.secure, itself=itself)

    def record_export(self, path: Path, result: Result) -> ReleaseRecord:
        """Append the record that `result` was released to `path`. Never undone."""
        if self._exported is not None and self._exported[0] is result:
            return self._exported[1]  # The same file once more costs nothing.
        promised = result.claim.guarantee
        record = ReleaseRecord(
            when=datetime.now(UTC).isoformat(timespec="seconds"),
            fingerprint=result.fingerprint,
            file=path.name,
            epsilon=promised.epsilon,
            delta=promised.delta,
            beta=promised.beta,
            k=promised.k,
            claim=result.claim.holds,
            rows_per_person=promised.rows_per_person,
        )
        self.project = replace(self.project, releases=(*self.project.releases, record))
        self._exported = (result, record)
        return record

    def current_result(self) -> Result:
        """The result, if it belongs to the settings as they stand."""
        if self.result is None:
            raise WorkbenchError("There is no result yet.", hint="Run the anonymisation first.", field="result")
        if not self.result_is_current:
            raise WorkbenchError(
                "The settings were changed after the last run, so the result is out of date.",
                hint="Run again, or undo the change.",
                field="result",
            )
        return self.result

    # Project

    def save(self, path: Path) -> None:
        save_project(self.project, path)

    @classmethod
    def from_file(cls, path: Path) -> Session:
        """A session with a saved project; its data is not read yet."""
        return cls(load_project(path))


def _as_read(column: ColumnSpec) -> list[Any]:
    """What decides which values of the column fit."""
    return [column.name, column.kind.value, vars(column.format), column.missing, column.domain]


def _preparation_source(seed: int | None) -> RandomSource:
    """Other numbers than those of the mechanism, even if both come from one seed."""
    if seed is None:
        return source_for(None)
    return source_for(int.from_bytes(hashlib.sha256(f"working table {seed}".encode()).digest()[:16], "big"))


@lru_cache(maxsize=64)
def _solve(wanted: GuaranteeSettings, rows_per_person: int) -> Guarantee:
    """Remembered, because a window asks again at every repaint of its state."""
    given: dict[str, Any] = {
        "epsilon": wanted.epsilon,
        "delta": wanted.delta,
        "beta": wanted.beta,
        "k": wanted.k,
    }
    given[wanted.solve_for] = None
    if wanted.solve_for != "k" and isinstance(given["beta"], str):
        raise WorkbenchError(
            "A rule for β can only be used while k is the unknown.", hint="Give β as a number.", field="beta"
        )
    return guarantee(**given, accounting=wanted.accounting, rows_per_person=rows_per_person)


def nothing_survived(outcome: Outcome) -> WorkbenchError:
    """Why every row was dropped, and what would help."""
    largest = int(outcome.class_sizes.max()) if len(outcome.class_sizes) else 0
    k = outcome.recipe.k
    if not len(outcome.sampled_rows):
        return WorkbenchError(
            "No row was sampled, so there is nothing to release.",
            hint=f"β is {outcome.recipe.beta:.4g}; use a larger β or a larger table.",
            field="beta",
        )
    return WorkbenchError(
        f"Every row was dropped: the largest group of alike rows has {largest:,} sampled rows, and k is {k:,}.",
        hint="Generalise to higher levels, leave a column out, or allow a larger ε or δ, which makes k smaller.",
        field="k",
    )
