"""DuckDB, embedded: tables beyond memory on one machine. The only module that knows it."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Cancelled, Progress
from workbench.engines.budget import BeyondMemory, MemoryBudget
from workbench.engines.dialect import DUCKDB
from workbench.engines.duckdb_files import scan_csv, scan_parquet, select_of, write_lines, write_parquet
from workbench.engines.duckdb_numbering import enumerations, keep_numbered, keep_texts
from workbench.engines.duckdb_relations import DuckRelations
from workbench.engines.engine_words import without_values
from workbench.engines.files import TableFiles
from workbench.engines.store import Scanned, TableOfStore, Uploaded
from workbench.engines.stored import UnlistedColumn
from workbench.io.missing_package import install_command
from workbench.io.opening import FileContent
from workbench.io.os_lock import LockFile

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

TITLE = "DuckDB"
_POLL = 0.05
_PREFIX = "workbench-duckdb-"
_IN_USE = "in-use"
_PROGRESS = ("enable_progress_bar = true", "enable_progress_bar_print = false", "progress_bar_time = 0")
"""Makes a cursor, which does not take them from its connection, count how far a statement has come."""
_LEAST = 256 << 20
"""Bytes the engine needs to work at all."""
_MOST = 1 << 50
"""Bytes beyond which it takes a size for a mistake; no machine has so many."""
_PAGE_MOST = 4096
_FEW = 256
"""So many rows are uploaded as values of a statement."""
_SQL_KINDS = {"int64": "BIGINT", "string": "VARCHAR"}
"""SQL types of such values. Floats are not among them: NaN would become NULL."""


class DuckStore(DuckRelations):
    """One DuckDB in this process. What does not fit its memory it keeps in a folder of its own, removed at the end.

    Parameters
    ----------
    budget
        The engine itself uses as much memory as data may be brought into it.
    scratch
        Where that folder is made; by default the system's place for temporary files.

    Raises
    ------
    WorkbenchError
        If duckdb or pyarrow is not installed, or the folder cannot be made.
    """

    title = product = TITLE
    engine = "duckdb"
    picks = True
    dialect = DUCKDB

    def __init__(self, budget: MemoryBudget | None = None, scratch: Path | None = None) -> None:
        super().__init__(budget or MemoryBudget())
        duckdb = _duckdb()
        self._error: type[Exception] = duckdb.Error
        self._folder = _scratch_folder(scratch)
        self._in_use = LockFile(self._folder / _IN_USE)
        self._in_use.take()
        self._lock = threading.Lock()
        self._closed = False
        self._connection: DuckDBPyConnection = duckdb.connect(
            ":memory:",
            config={
                "memory_limit": self._share,
                "temp_directory": str(self._folder),
                "preserve_insertion_order": "true",
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
            },
        )

    # Statements

    def _cursor(self) -> DuckDBPyConnection:
        with self._lock:
            if self._closed:
                raise WorkbenchError("The data was closed.", hint="Open it again.", field="data")
            return self._connection.cursor()

    def _execute(self, sql: str, progress: Progress, text: str = "", values: Sequence[Any] = ()) -> DuckDBPyConnection:
        """Carry out a statement on another thread, while this one reports and listens for a cancellation."""
        progress(0.0, text)
        cursor = self._cursor()
        for setting in _PROGRESS:
            with contextlib.suppress(self._error):
                cursor.execute(f"SET {setting}")
        failed: list[BaseException] = []
        # Not the thread itself: where Ctrl-C interrupts `Thread.join`, a thread at work seems to have ended.
        ended = threading.Event()

        def work() -> None:
            try:
                cursor.execute(sql, list(values)) if values else cursor.execute(sql)
            except BaseException as error:
                failed.append(error)
            finally:
                ended.set()

        worker = threading.Thread(target=work, name="duckdb", daemon=True)
        worker.start()
        try:
            while not ended.wait(_POLL):
                progress(max(cursor.query_progress(), 0.0) / 100, text)
        except BaseException:
            while not ended.wait(_POLL):
                cursor.interrupt()
            worker.join()
            cursor.close()
            raise
        worker.join()
        if failed:
            cursor.close()
            raise self._explained(failed[0]) from failed[0]
        return cursor

    def _explained(self, error: BaseException) -> BaseException:
        if not isinstance(error, self._error):
            return error
        text = str(error)
        if type(error).__name__ == "InterruptException":  # by its class: a value may be any word
            return Cancelled()
        # First: a full disk is told as lack of memory, since that is what should have been moved there.
        if "No space left" in text or "max_temp_directory_size" in text or "temp directory" in text.lower():
            return WorkbenchError(
                f"DuckDB has no room left for what it keeps in “{self._folder.parent}”.",
                hint="Make room there, or set TMPDIR to a folder on a larger disk and start again.",
                field="memory",
            )
        if "Out of Memory" in text or "could not allocate" in text:
            return BeyondMemory(
                f"DuckDB ran out of the memory it may use ({self._memory_limit}).",
                hint="Raise the memory budget, or let fewer rows or columns take part.",
                field="memory",
            )
        return WorkbenchError(
            f"DuckDB could not carry this out: {_sentence(error, text)}.",
            hint="If the file is all right, please report this, with the settings but without the data.",
            field="data",
        )

    @property
    def _share(self) -> str:
        """Share of the budget that DuckDB itself may use."""
        return f"{min(max(self.budget.limit * 3 // 4, _LEAST), _MOST) // (1 << 20)}MiB"

    def keep_to_budget(self) -> None:
        self.run(f"SET GLOBAL memory_limit = {DUCKDB.literal(self._share)}")

    @property
    def _memory_limit(self) -> str:
        return f"{max(self.budget.limit * 3 // 4, _LEAST) / 1e9:,.1f} GB"

    def run(self, sql: str, progress: Progress = SILENT, text: str = "") -> None:
        self._execute(sql, progress, text).close()

    def fetch(self, sql: str, progress: Progress = SILENT) -> list[NDArray[Any]]:
        with contextlib.closing(self._execute(sql, progress)) as cursor:
            return [np.ma.getdata(column) for column in cursor.fetchnumpy().values()]

    def rows(self, sql: str, progress: Progress = SILENT) -> list[tuple[Any, ...]]:
        with contextlib.closing(self._execute(sql, progress)) as cursor:
            return cursor.fetchall()

    def stream(self, sql: str, size: int = 1 << 16, progress: Progress = SILENT) -> Iterator[list[NDArray[Any]]]:
        with contextlib.closing(self._cursor()) as cursor:
            try:
                reader = cursor.execute(sql).to_arrow_reader(size)
                for batch in reader:
                    progress(0.0)
                    yield [column.to_numpy(zero_copy_only=False) for column in batch.columns]
            except self._error as error:
                raise self._explained(error) from error

    # Relations

    def keep(self, select: str, progress: Progress = SILENT, text: str = "") -> str:
        self.sweep()
        name = self.fresh_name()
        try:
            self.run(f"CREATE TABLE {name} AS {select}", progress, text)
        except BaseException:
            self.drop(name)
            raise
        return name

    def upload(self, columns: Uploaded) -> str:
        import pyarrow as pa

        kinds = {"i": pa.int64(), "u": pa.int64(), "f": pa.float64(), "b": pa.int64()}
        arrays = {
            name: pa.array(values, kinds[values.dtype.kind])
            if isinstance(values, np.ndarray) and values.dtype.kind in kinds
            else pa.array(list(values), pa.string())
            for name, values in columns.items()
        }
        table, name = pa.table(arrays), self.fresh_name()
        with contextlib.closing(self._cursor()) as cursor:
            try:
                if table.num_rows <= _FEW and all(str(one.type) in _SQL_KINDS for one in table.schema):
                    # To begin reading an Arrow table takes longer than all of this takes for so few values.
                    lists = (
                        f"unnest(CAST(? AS {_SQL_KINDS[str(one.type)]}[])) AS {self.dialect.name(one.name)}"
                        for one in table.schema
                    )
                    values = [column.to_pylist() for column in table.columns]
                    cursor.execute(f"CREATE TABLE {name} AS SELECT {', '.join(lists)}", values)
                else:
                    cursor.register("uploaded", table)
                    cursor.execute(f"CREATE TABLE {name} AS SELECT * FROM uploaded")
            except self._error as error:
                raise self._explained(error) from error
        return name

    def encode(
        self, relation: str, columns: Mapping[str, Sequence[str] | None], progress: Progress = SILENT
    ) -> tuple[str, list[str]]:
        numbered = {column: values for column, values in columns.items() if values is not None}
        with enumerations(self, numbered.values()) as made:
            kinds = dict(zip(numbered, made, strict=True))
            chosen, names = [], []
            for place, column in enumerate(columns):
                cell = f"d.{column}"
                names.append(f"c{place}" if column in kinds else column)
                chosen.append(f"enum_code(CAST({cell} AS {kinds[column]}))" if column in kinds else cell)
            picked = ", ".join(f"{cell} AS {name}" for cell, name in zip(chosen, names, strict=True))
            return self.keep(f"SELECT {picked} FROM {relation} AS d", progress, "Replacing values by codes"), names

    def drop(self, relation: str) -> None:
        with contextlib.suppress(WorkbenchError, self._error), contextlib.closing(self._cursor()) as cursor:
            cursor.execute(f"DROP TABLE IF EXISTS {relation}")

    def page(self, table: TableOfStore, start: int, count: int) -> list[tuple[str, ...]]:
        stop = min(start + min(count, _PAGE_MOST), table.rows)
        if stop <= start:
            return []
        return _texts(table, self.rows(f"{_cells(table)} WHERE rowid >= {start} AND rowid < {stop}"))

    def pick(self, table: TableOfStore, rows: Sequence[int]) -> list[tuple[str, ...]]:
        wanted = [int(row) for row in rows]
        if not wanted:
            return []
        numbers = ", ".join(map(str, sorted(set(wanted))))
        found = self.rows(f"{_cells(table, 'rowid')} WHERE rowid IN ({numbers})")
        places = {row: place for place, (row, *_) in enumerate(found)}
        texts = _texts(table, [cells for _, *cells in found])
        return [texts[places[row]] for row in wanted]

    # Files

    def scan(self, files: TableFiles, progress: Progress = SILENT) -> Scanned:
        return (scan_parquet if files.form is FileContent.PARQUET else scan_csv)(self, files, keep_texts, progress)

    def scan_numbered(self, files: TableFiles, progress: Progress = SILENT) -> Scanned:
        return (scan_parquet if files.form is FileContent.PARQUET else scan_csv)(self, files, keep_numbered, progress)

    def select_of(self, files: TableFiles, heading: Sequence[str]) -> str | None:
        return select_of(self, files, heading)

    def append(self, relation: str, batch: Any) -> None:
        """Add the rows of an Arrow table of texts to a relation."""
        with contextlib.closing(self._cursor()) as cursor:
            try:
                cursor.register("more", batch)
                cursor.execute(f"INSERT INTO {relation} SELECT * FROM more")
            except self._error as error:
                raise self._explained(error) from error

    def write_lines(
        self, select: str, first: str, path: Path, progress: Progress = SILENT, *, parts: bool = False
    ) -> None:
        write_lines(self, select, first, path, progress, parts=parts)

    def write_parquet(self, select: str, path: Path, progress: Progress = SILENT, *, parts: bool = False) -> None:
        write_parquet(self, select, path, progress, parts=parts)

    def close(self) -> None:
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._connection.close()
        self._in_use.release()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()


def _cells(table: TableOfStore, *first: str) -> str:
    """A SELECT of all cells of a table, after other columns."""
    physical = [table.column(name).physical for name in table.names]
    return f"SELECT {', '.join([*first, *physical])} FROM {table.place.relation}"


def _texts(table: TableOfStore, rows: Sequence[Sequence[Any]]) -> list[tuple[str, ...]]:
    found = []
    for column, cells in zip(table.columns, zip(*rows, strict=True), strict=True):
        found.append(cells if isinstance(column, UnlistedColumn) else [column.values[code] for code in cells])
    return list(zip(*found, strict=True))


def _duckdb() -> Any:
    try:
        import duckdb
        import pyarrow as pa
    except ImportError as error:
        raise WorkbenchError(
            f"To work with data in DuckDB, the package {error.name} is needed, and it is not installed.",
            hint=f"Install it with the command: {install_command('scale')}",
            field="engine",
        ) from error
    assert pa.__version__
    return duckdb


def _sentence(error: BaseException, text: str) -> str:
    """The class of an error in DuckDB's own words, such as “Conversion Error”, and how its sentence begins."""
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__.removesuffix("Exception").removesuffix("Error"))
    return without_values(f"{kind} Error".strip(), text.partition(": ")[2])


def _scratch_folder(place: Path | None) -> Path:
    """A new folder only its owner can look into. What a process that was killed left behind is removed."""
    parent = Path(tempfile.gettempdir()) if place is None else place
    for left in parent.glob(f"{_PREFIX}*"):
        owner = left.name.removeprefix(_PREFIX).split("-", 1)[0]
        if left.is_symlink() or not owner.isdigit() or _runs(int(owner)):
            continue
        # Where containers share a folder, a process that is not seen here may run all the same: it holds the lock.
        with contextlib.suppress(OSError):
            lock = LockFile(left / _IN_USE)
            if lock.take():
                lock.release()
                shutil.rmtree(left, ignore_errors=True)
    try:
        return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=parent))
    except OSError as error:
        raise WorkbenchError(
            f"DuckDB cannot keep anything in “{parent}”: {error.strerror}.",
            hint="Make room there, or set TMPDIR to another folder and start again.",
            field="memory",
        ) from error


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
