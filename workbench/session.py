"""The use cases, without a window: open, describe, generalise, guarantee, run, export, save.

A `Session` holds one project, the data it speaks of and the last result. Anything slow is split in two: a
function without side effects that a window can run on another thread (`load`, `Session.anonymiser`), and a
method that takes its result in (`adopt`, `accept`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from workbench.anonymise.claim import Circumstances, Claim, assess, averages_of_the_data
from workbench.anonymise.guarantee import Guarantee, guarantee
from workbench.anonymise.mechanism import (
    ColumnPlan,
    Outcome,
    Recipe,
    Treatment,
    sample_generalise_suppress,
)
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import source_for
from workbench.core.schema import ColumnSpec, Kind, PrivacyUnit, Role, Schema
from workbench.io.dialect import Dialect
from workbench.io.hierarchy_csv import read_hierarchy
from workbench.io.infer import propose, suggest_role
from workbench.io.reading import Reading, read_table
from workbench.io.writing import WriteReport, write_csv
from workbench.project.model import (
    AnonymiseSettings,
    DataSource,
    GuaranteeSettings,
    Look,
    Project,
    ReleaseRecord,
    digest,
    hierarchy_digest,
)
from workbench.project.storage import load_project, save_project
from workbench.report.statement import write_statement


@dataclass(frozen=True)
class Loaded:
    """A file read into memory, with the description and the roles the program proposes for its columns.

    A suggested role comes with its reason and is only that: a person accepts it or not.
    """

    reading: Reading
    proposed: Schema
    suggested_roles: dict[str, tuple[Role, str]]


@dataclass(frozen=True)
class Result:
    """One run: what came out, what may be claimed for it, and the key that tells whether it is current."""

    outcome: Outcome
    claim: Claim
    key: str


@dataclass(frozen=True)
class Differences:
    """How a file differs from the description it is to be read with."""

    missing: tuple[str, ...]
    new: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.missing or self.new)


def load(path: Path, dialect: Dialect | None = None, progress: Progress = SILENT) -> Loaded:
    """Read a file and propose what its columns are. Changes nothing; safe on any thread.

    Raises
    ------
    WorkbenchError
        If the file cannot be read as a table.
    """
    reading = read_table(path, dialect, progress.part(0.0, 0.9))
    specs: list[ColumnSpec] = []
    suggested: dict[str, tuple[Role, str]] = {}
    columns = reading.table.columns
    for position, column in enumerate(columns):
        progress(0.9 + 0.1 * position / len(columns), "Looking at the columns")
        spec = propose(column)
        role, reason = suggest_role(column, spec)
        specs.append(spec)
        if role is not spec.role:
            suggested[column.name] = (role, reason)
    progress(1.0)
    return Loaded(reading, Schema(tuple(specs)), suggested)


class Session:
    """One project at work. Methods are for one thread; results of `load` and `anonymiser` come from others."""

    def __init__(self, project: Project | None = None) -> None:
        self.project = project or Project()
        self.loaded: Loaded | None = None
        self.result: Result | None = None
        self._exported: Result | None = None

    # Data

    def open(self, path: Path, dialect: Dialect | None = None, progress: Progress = SILENT) -> Loaded:
        """Read a file and take it in."""
        loaded = load(path, dialect, progress)
        self.adopt(loaded)
        return loaded

    def adopt(self, loaded: Loaded) -> Differences:
        """Take a loaded file as the project's data.

        A description that was made before is kept for columns of the same name, so that a project can be used
        on the next file; the differences are returned.
        """
        before = self.project.schema
        known = {column.name: column for column in before.columns}
        names = loaded.proposed.names
        differences = Differences(
            missing=tuple(name for name in before.names if name not in names),
            new=tuple(name for name in names if known and name not in known),
        )
        schema = Schema(tuple(known.get(c.name, c) for c in loaded.proposed.columns), before.unit)
        if schema.unit.person_column not in names:
            schema = replace(schema, unit=replace(schema.unit, person_column=""))
        reading = loaded.reading
        self.loaded = loaded
        self.result = None
        self.project = replace(
            self.project,
            data=DataSource(str(reading.path), reading.fingerprint, reading.table.rows, reading.dialect),
            schema=schema,
            hierarchies=MappingProxyType({name: h for name, h in self.project.hierarchies.items() if name in names}),
        )
        return differences

    @property
    def reading(self) -> Reading:
        return self._loaded().reading

    def _loaded(self) -> Loaded:
        if self.loaded is None:
            raise WorkbenchError("No data is open.", hint="Open a CSV file first.", field="data")
        return self.loaded

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

    def set_unit(self, unit: PrivacyUnit) -> None:
        """Declare whom the guarantee protects."""
        if unit.person_column:
            self.project.schema[unit.person_column]  # raises if there is no such column
        self.project = replace(self.project, schema=replace(self.project.schema, unit=unit))

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
            and averages_of_the_data(hierarchy, self.reading.table[name])
        ):
            hierarchy = replace(
                hierarchy,
                provenance=Provenance.DERIVED,
                origin="its labels are averages of exactly the values in the data",
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

    def set_provenance(self, name: str, provenance: Provenance, origin: str) -> None:
        """Correct where a hierarchy comes from."""
        changed = replace(self._hierarchy(name), provenance=provenance, origin=origin)
        self._replace_hierarchy(name, changed)

    def uncovered(self, name: str) -> list[str]:
        """Values that occur in the column and that its hierarchy misses."""
        column = self.reading.table[name]
        used = (v for v, count in zip(column.values, column.counts.tolist(), strict=True) if count)
        return self._hierarchy(name).uncovered(used)

    def cover(self, name: str) -> int:
        """Let the values a hierarchy misses become `*` above level 0; returns how many there were."""
        missed = self.uncovered(name)
        if missed:
            self._replace_hierarchy(name, self._hierarchy(name).covering(missed))
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

    def _assess(self, recipe: Recipe, promised: Guarantee, *, secure: bool) -> Claim:
        reading = self.reading
        looks = [look for look in self.project.looks if look.fingerprint == reading.fingerprint]
        mine = self._recipe_digest(recipe)
        return assess(
            recipe,
            promised,
            self.project.hierarchies,
            self.project.schema,
            reading.table,
            Circumstances(
                levels_blind=self.project.anonymise.levels_blind,
                secure=secure,
                tuned=bool(looks) and looks[0].recipe != mine,
                draws=sum(look.draws for look in looks if look.recipe == mine) or 1,
                earlier=tuple(
                    (record.epsilon, record.delta)
                    for record in self.project.releases
                    if record.fingerprint == reading.fingerprint
                ),
                rows=reading.table.rows,
                suspected=tuple(
                    name for name, (role, _) in self._loaded().suggested_roles.items() if role is Role.IDENTIFYING
                ),
            ),
        )

    def _recipe_digest(self, recipe: Recipe) -> str:
        grouped = {
            name: (
                level,
                hierarchy_digest(self.project.hierarchies[name]) if name in self.project.hierarchies else "",
            )
            for name, level in recipe.levels.items()
        }
        kept = [plan.name for plan in recipe.named(Treatment.KEEP)]
        return digest({"beta": recipe.beta, "k": recipe.k, "grouped": grouped, "kept": kept})

    # Running

    def anonymiser(self) -> Callable[[Progress], tuple[Outcome, Guarantee]]:
        """Everything a run needs, bound together now; call it on any thread."""
        promised = self.guarantee()
        recipe = self.recipe(promised)
        table = self.reading.table
        hierarchies = dict(self.project.hierarchies)
        source = source_for(self.project.anonymise.seed)

        def run(progress: Progress = SILENT) -> tuple[Outcome, Guarantee]:
            return sample_generalise_suppress(table, recipe, hierarchies, source, progress), promised

        return run

    def accept(self, produced: tuple[Outcome, Guarantee]) -> Result:
        """Take in what `anonymiser` produced, and remember that a result of this recipe was seen."""
        outcome, promised = produced
        fingerprint, recipe = self.reading.fingerprint, self._recipe_digest(outcome.recipe)
        looks = list(self.project.looks)
        for position, look in enumerate(looks):
            if (look.fingerprint, look.recipe) == (fingerprint, recipe):
                looks[position] = replace(look, draws=look.draws + 1)
                break
        else:
            looks.append(Look(fingerprint, recipe))
        self.project = replace(self.project, looks=tuple(looks))
        claim = self._assess(outcome.recipe, promised, secure=outcome.secure)
        self.result = Result(outcome, claim, self.result_key())
        return self.result

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
        protected = (Path(self.reading.path),)
        hierarchies = self.project.hierarchies

        def write(progress: Progress = SILENT) -> WriteReport:
            report = write_csv(
                result.outcome.release, path, delimiter=delimiter, protected=protected, progress=progress
            )
            if statement is not None:
                write_statement(
                    statement, hierarchies, result.outcome, result.claim, report, protected=(*protected, path)
                )
            return report

        return write

    def record_export(self, path: Path, result: Result) -> ReleaseRecord:
        """Append the record that `result` was released to `path`. Never undone."""
        if result is self._exported:
            return self.project.releases[-1]  # The same file once more costs nothing.
        promised = result.claim.guarantee
        record = ReleaseRecord(
            when=datetime.now(UTC).isoformat(timespec="seconds"),
            fingerprint=self.reading.fingerprint,
            file=path.name,
            epsilon=promised.epsilon,
            delta=promised.delta,
            beta=promised.beta,
            k=promised.k,
            claim=result.claim.holds,
        )
        self.project = replace(self.project, releases=(*self.project.releases, record))
        self._exported = result
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
