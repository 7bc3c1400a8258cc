"""The engine of tables whose rows are in a store, DuckDB's or Spark's."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from workbench.anonymise.goal import Goal
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.recode import Anonymised, Suppressed
from workbench.anonymise.sampling import Outcome, Recipe
from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import RandomSource
from workbench.core.schema import ColumnSpec, Schema
from workbench.core.table import Column, Table
from workbench.core.working_table import Preparation, PreparedTable
from workbench.engines.pseudonyms import pseudonymise_stored
from workbench.engines.recoded_table import brought, recode_stored, stored_rows_to_release
from workbench.engines.release import release_stored
from workbench.engines.row_engine import RowEngine
from workbench.engines.store import Store
from workbench.engines.stored import StoredTable
from workbench.engines.trimming import trim_stored
from workbench.engines.working_table import one_row_each_stored, prepare_stored
from workbench.engines.writing import write_stored
from workbench.io.export_format import ExportFormat
from workbench.io.exporting import Written
from workbench.ldp.encoding import Encoded
from workbench.ldp.scaling import Numbers


class StoreEngine(RowEngine):
    """The engine of a table in a store."""

    shows_suppressed = False

    def __init__(self, table: StoredTable) -> None:
        self._table = table

    @property
    def store(self) -> Store:
        return self._table.store

    def prepare(
        self,
        schema: Schema,
        preparation: Preparation,
        source: RandomSource,
        progress: Progress = SILENT,
        *,
        place_of: Callable[[int], str] | None = None,
    ) -> PreparedTable:
        return prepare_stored(self._table, schema, preparation, source, progress)

    def _sample(
        self, recipe: Recipe, hierarchies: Mapping[str, Hierarchy], source: RandomSource, progress: Progress
    ) -> Outcome:
        return release_stored(self._table, recipe, hierarchies, source, progress)

    def _trim(
        self, recipe: TrimRecipe, hierarchies: Mapping[str, Hierarchy], source: RandomSource, progress: Progress
    ) -> TrimOutcome:
        return trim_stored(self._table, recipe, hierarchies, source, progress)

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
        return recode_stored(
            self._table,
            hierarchies,
            levels,
            goal,
            keep=keep,
            on_suppressed=on_suppressed,
            progress=progress,
        )

    def rows_to_release(self, models: Sequence[ModelChoice]) -> Table:
        return stored_rows_to_release(self._table, models)

    def bring(self, names: Collection[str]) -> Table:
        return brought(self._table, names)

    def one_row_each(
        self, name: str, asked: Encoded | Numbers, person: ColumnSpec, source: RandomSource, progress: Progress = SILENT
    ) -> Column:
        return one_row_each_stored(self._table, name, asked.answering, person, source, progress)

    def pseudonymised(
        self,
        columns: Mapping[str, Collection[str]],
        left_out: Collection[str],
        key: bytes,
        progress: Progress = SILENT,
    ) -> Table:
        return pseudonymise_stored(self._table, columns, left_out, key, progress)

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
        return write_stored(
            self._table,
            path,
            style,
            parts=parts,
            protected=protected,
            check=check_place,
            before=before,
            progress=progress,
        )
