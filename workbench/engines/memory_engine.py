"""The engine of tables in memory: this program itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO

from workbench.anonymise.goal import Goal
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.recode import Anonymised, Suppressed, apply
from workbench.anonymise.sampling import Outcome, Recipe, sample_generalise_suppress
from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.anonymise.trimming import TrimOutcome, trim
from workbench.core.canonical import canonical
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.pseudonyms import pseudonymised
from workbench.core.randomness import RandomSource
from workbench.core.schema import ColumnSpec, Schema
from workbench.core.table import Column, Table
from workbench.core.working_table import Preparation, PreparedTable, prepare
from workbench.engines.row_engine import RowEngine
from workbench.engines.writing import parts_into, write_place
from workbench.io.export_format import ExportFormat
from workbench.io.exporting import Written, write_table
from workbench.ldp.encoding import Encoded
from workbench.ldp.persons import one_row_each
from workbench.ldp.scaling import Numbers


class MemoryEngine(RowEngine):
    """The engine of a table in memory."""

    shows_suppressed = True
    store = None

    def __init__(self, table: Table) -> None:
        self._table = table

    def prepare(
        self,
        schema: Schema,
        preparation: Preparation,
        source: RandomSource,
        progress: Progress = SILENT,
        *,
        place_of: Callable[[int], str] | None = None,
    ) -> PreparedTable:
        return prepare(self._table, schema, preparation, source, progress, place_of=place_of)

    def _sample(
        self, recipe: Recipe, hierarchies: Mapping[str, Hierarchy], source: RandomSource, progress: Progress
    ) -> Outcome:
        return sample_generalise_suppress(self._table, recipe, hierarchies, source, progress)

    def _trim(
        self, recipe: TrimRecipe, hierarchies: Mapping[str, Hierarchy], source: RandomSource, progress: Progress
    ) -> TrimOutcome:
        return trim(self._table, recipe, hierarchies, source, progress)

    def recode(
        self,
        hierarchies: Mapping[str, Hierarchy],
        levels: Mapping[str, int],
        goal: Goal,
        *,
        keep: Sequence[str] = (),
        on_suppressed: Suppressed = Suppressed.DROP,
        progress: Progress = SILENT,
    ) -> Anonymised:
        return apply(
            self._table,
            hierarchies,
            levels,
            goal,
            keep=keep,
            on_suppressed=on_suppressed,
            progress=progress,
        )

    def rows_to_release(self, models: Sequence[ModelChoice]) -> Table:
        # An outcome in memory knows the rows it was made of; whoever compares takes these.
        return self._table

    def bring(self, names: Collection[str]) -> Table:
        return self._table

    def one_row_each(
        self, name: str, asked: Encoded | Numbers, person: ColumnSpec, source: RandomSource, progress: Progress = SILENT
    ) -> Column:
        return self._table[name].take(one_row_each(self._table, person, asked.rows, source))

    def pseudonymised(
        self,
        columns: Mapping[str, Collection[str]],
        left_out: Collection[str],
        key: bytes,
        progress: Progress = SILENT,
    ) -> Table:
        made = []
        for column in self._table.columns:
            if column.name in columns:
                made.append(pseudonymised(column, key, columns[column.name]))
                progress(len(made) / len(self._table.columns))
            elif column.name not in left_out:
                made.append(column)
        return canonical(Table(tuple(made)), tuple(columns))

    def write(
        self,
        path: Path,
        style: ExportFormat,
        *,
        parts: bool,
        protected: Collection[Path],
        check_file: Callable[[BinaryIO, Written], object],
        check_place: Callable[[Path, Written], object],
        before: Callable[[], object],
        progress: Progress = SILENT,
    ) -> Written:
        if parts:
            into = partial(parts_into, self._table)
            return write_place(
                self._table,
                path,
                style,
                into=into,
                protected=protected,
                check=check_place,
                before=before,
                progress=progress,
            )
        return write_table(
            self._table, path, style, protected=protected, check=check_file, before=before, progress=progress
        )
