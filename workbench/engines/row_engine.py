"""The work of every engine on the rows of a table: one interface, whether the rows are in memory or elsewhere."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, ClassVar, overload

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
from workbench.engines.store import Store
from workbench.io.export_format import ExportFormat
from workbench.io.exporting import Written
from workbench.ldp.encoding import Encoded
from workbench.ldp.scaling import Numbers


class RowEngine(ABC):
    """Work on all rows of one table, where they are. Get it by `workbench.engines.dispatch.engine_of`.

    Settings, results and errors are the same everywhere; an engine also refuses what needs more memory than it may
    take, or values that it does not list.
    """

    shows_suppressed: ClassVar[bool]
    """Whether a recoded table can hold suppressed rows one by one, marked."""

    @property
    @abstractmethod
    def store(self) -> Store | None:
        """The store that has the rows, and can take in further files; None in memory."""

    @abstractmethod
    def prepare(
        self,
        schema: Schema,
        preparation: Preparation,
        source: RandomSource,
        progress: Progress = SILENT,
        *,
        place_of: Callable[[int], str] | None = None,
    ) -> PreparedTable:
        """Make the working table. Parameters and errors as of `workbench.core.working_table.prepare`."""

    @overload
    def release(
        self,
        recipe: Recipe,
        hierarchies: Mapping[str, Hierarchy],
        source: RandomSource,
        progress: Progress = SILENT,
    ) -> Outcome: ...

    @overload
    def release(
        self,
        recipe: TrimRecipe,
        hierarchies: Mapping[str, Hierarchy],
        source: RandomSource,
        progress: Progress = SILENT,
    ) -> TrimOutcome: ...

    def release(
        self,
        recipe: Recipe | TrimRecipe,
        hierarchies: Mapping[str, Hierarchy],
        source: RandomSource,
        progress: Progress = SILENT,
    ) -> Outcome | TrimOutcome:
        """Run the (ε, δ) mechanism that a recipe is for once with fresh randomness.

        Raises
        ------
        WorkbenchError
            As `sample_generalise_suppress` and `trim`; if an engine does not sample as it is told; or if the groups
            that are to be trimmed do not fit into memory.
        Cancelled
            If the progress was cancelled.
        """
        if isinstance(recipe, TrimRecipe):
            return self._trim(recipe, hierarchies, source, progress)
        return self._sample(recipe, hierarchies, source, progress)

    @abstractmethod
    def _sample(
        self, recipe: Recipe, hierarchies: Mapping[str, Hierarchy], source: RandomSource, progress: Progress
    ) -> Outcome:
        """Release by sampling."""

    @abstractmethod
    def _trim(
        self, recipe: TrimRecipe, hierarchies: Mapping[str, Hierarchy], source: RandomSource, progress: Progress
    ) -> TrimOutcome:
        """Release by trimming."""

    @abstractmethod
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
        """Generalise to the given levels and suppress what does not satisfy the models.

        Parameters as in `workbench.anonymise.recode.apply`.

        Raises
        ------
        WorkbenchError
            If the input contradicts itself, or more rows fail the models than may be suppressed.
        TooManyGroups
            If the classes of a table in an engine do not fit into memory.
        Cancelled
            If the progress was cancelled.
        """

    @abstractmethod
    def rows_to_release(self, models: Sequence[ModelChoice]) -> Table:
        """The table, without the rows that models leave out where it can be had without them."""

    @abstractmethod
    def bring(self, names: Collection[str]) -> Table:
        """A table in memory that has at least these columns.

        Raises
        ------
        BeyondMemory
            If that is more than may be brought.
        """

    @abstractmethod
    def one_row_each(
        self, name: str, asked: Encoded | Numbers, person: ColumnSpec, source: RandomSource, progress: Progress = SILENT
    ) -> Column:
        """A column of one row of each person, chosen at random among their rows that answer.

        Parameters
        ----------
        asked
            The answers of the column.
        person
            The column that tells persons apart; rows that name nobody are left out.
        """

    @abstractmethod
    def pseudonymised(
        self,
        columns: Mapping[str, Collection[str]],
        left_out: Collection[str],
        key: bytes,
        progress: Progress = SILENT,
    ) -> Table:
        """The rows with pseudonyms in some columns, in an order that follows from what stands in them.

        Parameters
        ----------
        columns
            Those that hold pseudonyms, with the texts that stand for no value.
        left_out
            Those that go with nobody.

        Raises
        ------
        WorkbenchError
            If two values would have the same pseudonym, or an engine does not list the values of a column.
        """

    @abstractmethod
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
        """Write the table with texts that no spreadsheet runs; nothing appears if anything goes wrong.

        Parameters
        ----------
        parts
            Whether to write a folder of files rather than one file.
        protected
            Files that must not be overwritten.
        check_file, check_place
            One of them is called with what was written, while only its owner can see it: the open file, or the place
            of a file or folder.
        before
            Called last, right before it takes its place.
        """
