"""Spark: tables beyond one machine.

Rows carry a number r that is a function of the files alone: place of the file, place of the cut, place within it. Spark
computes a part of a relation again when it loses the worker that held it. Since all that is kept is made from r, from
the values and from keys in the statement, what is computed again is the same: also a sample drawn by a hash of r.
"""

from __future__ import annotations

import atexit
import contextlib
import sys
import threading
import uuid
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.engines.budget import MemoryBudget
from workbench.engines.dialect import SPARK
from workbench.engines.files import TableFiles
from workbench.engines.spark_connection import LOCAL
from workbench.engines.spark_errors import explained
from workbench.engines.spark_files import scan_csv, scan_parquet, select_of_parquet, write_lines, write_parquet
from workbench.engines.spark_frames import SparkFrames
from workbench.engines.spark_marks import Marks
from workbench.engines.spark_session import SparkRuntime, connect, storage_level
from workbench.engines.store import PlaceOfRows, Scanned, TableOfStore, Uploaded
from workbench.engines.stored import UnlistedColumn
from workbench.io.file_stamps import FileStamp, stamp_of
from workbench.io.opening import FileContent

_POLL = 0.05
_SELDOM = 10
"""Spark is asked how far it is once in so many polls: each time is several questions to Java, whose answers cost it."""
_AT_ONCE = 1 << 20
"""Rows of a large result that are brought here at a time."""
_PAGE_MOST = 4096
_PART = 33
"""The bits of a number that `monotonically_increasing_id` gives within a part of a relation."""


T = TypeVar("T")


class SparkStore(SparkFrames):
    """A session on a Spark.

    Parameters
    ----------
    connection
        `spark-local`, `local[2]`, `spark://host:7077` or `sc://host:15002`; see `spark_session.Connection`.
    settings
        Of Spark's own, such as spark.executor.memory.

    Raises
    ------
    WorkbenchError
        If pyspark or Java is not installed, or no Spark answers.
    """

    product = "Spark"
    dialect = SPARK
    spread = True

    def __init__(
        self,
        connection: str = LOCAL,
        budget: MemoryBudget | None = None,
        settings: Mapping[str, str] | None = None,
        progress: Progress = SILENT,
    ) -> None:
        super().__init__(budget or MemoryBudget())
        self.engine = connection
        self._kept: dict[str, list[Any]] = {}
        self._marks: dict[str, Marks] = {}
        self._counted: dict[str, int] = {}
        self._opened: dict[Path, FileStamp | None] = {}
        self._lock = threading.Lock()
        self._fractions: dict[int, float] = {}
        self._engine: SparkRuntime = connect(connection, settings, progress)
        self.title = self._engine.connection.title
        _open.add(self)
        if self._engine.connected:
            self._engine.session.registerProgressHandler(self._follow)

    @property
    def session(self) -> Any:
        """Spark's own session.

        Raises
        ------
        WorkbenchError
            If the store was closed.
        """
        if self._closed:
            raise WorkbenchError("The data was closed.", hint="Open it again.", field="data")
        return self._engine.session

    # Statements

    def work(self, job: Callable[[], T], progress: Progress = SILENT, text: str = "") -> T:
        """Let Spark work on another thread, while this one reports and listens for a cancellation."""
        progress(0.0, text)
        self.sweep()
        session, tag = self.session, f"workbench-{uuid.uuid4().hex}"
        done: list[T] = []
        failed: list[BaseException] = []

        # Not the thread itself: where Ctrl-C interrupts `Thread.join`, a thread at work seems to have ended.
        ended = threading.Event()

        def carry_out() -> None:
            try:
                if self._engine.connected:
                    session.addTag(tag)
                else:
                    session.sparkContext.setJobGroup(tag, text or "Anonymisation workbench", True)
                done.append(job())
            except BaseException as error:
                failed.append(error)
            finally:
                self._fractions.pop(threading.get_ident(), None)
                ended.set()

        worker = threading.Thread(target=carry_out, name="spark", daemon=True)
        worker.start()
        try:
            polls, fraction = 0, 0.0
            while not ended.wait(_POLL):
                if polls % _SELDOM == 0:
                    fraction = self._fraction(tag, worker.ident)
                progress(fraction, text)
                polls += 1
        except BaseException:
            while not ended.wait(_POLL):
                self._interrupt(tag)
            worker.join()
            raise
        worker.join()
        if failed:
            raise explained(failed[0]) from failed[0]
        self._check_unchanged()
        return done[0]

    def _check_unchanged(self) -> None:
        """Refuse results if a file is another one than was opened: what was lost of it would come from the new one."""
        for path, stamp in list(self._opened.items()):
            if stamp_of(path) != stamp:
                raise WorkbenchError(
                    f"“{path.name}” was changed since it was opened, and Spark may have to read it again.",
                    hint="Open the data again.",
                    field="data",
                )

    def _fraction(self, tag: str, thread: int | None) -> float:
        """Tasks that are done among those Spark knows of by now."""
        if self._engine.connected:
            return self._fractions.get(thread or 0, 0.0)
        done = whole = 0
        with contextlib.suppress(Exception):  # a job that has just ended is no longer known
            tracker = self.session.sparkContext.statusTracker()
            for job in tracker.getJobIdsForGroup(tag):
                for stage in tracker.getJobInfo(job).stageIds:
                    if (info := tracker.getStageInfo(stage)) is not None:
                        done += info.numCompletedTasks
                        whole += info.numTasks
        return done / whole if whole else 0.0

    def _follow(self, stages: Any, inflight_tasks: int, operation_id: Any, done: bool) -> None:
        """Take in the progress that Spark Connect reports, on the thread that carries the statement out."""
        whole = sum(stage.num_tasks for stage in stages or ())
        if whole:
            self._fractions[threading.get_ident()] = sum(stage.num_completed_tasks for stage in stages) / whole

    def _interrupt(self, tag: str) -> None:
        with contextlib.suppress(Exception):
            if self._engine.connected:
                self._engine.session.interruptTag(tag)
            else:
                self._engine.session.sparkContext.cancelJobGroup(tag)

    def run(self, sql: str, progress: Progress = SILENT, text: str = "") -> None:
        self.work(lambda: self.session.sql(sql).collect(), progress, text)

    def fetch(self, sql: str, progress: Progress = SILENT) -> list[NDArray[Any]]:
        return _arrays(self.arrow(sql, progress))

    def arrow(self, sql: str, progress: Progress = SILENT) -> Any:
        """A result as an Arrow table."""
        return self.work(lambda: self.session.sql(sql).toArrow(), progress)

    def rows(self, sql: str, progress: Progress = SILENT) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self.work(lambda: self.session.sql(sql).collect(), progress)]

    def stream(self, sql: str, size: int = 1 << 16, progress: Progress = SILENT) -> Iterator[list[NDArray[Any]]]:
        # Most results are small; one job brings them, and whether there is more.
        first = self.work(lambda: self.session.sql(sql).limit(size + 1).toArrow(), progress.part(0.0, 0.2))
        if first.num_rows <= size:
            if first.num_rows:
                yield _arrays(first)
            return
        del first
        # Only Spark Connect gives results piece by piece without turning each row into an object, so the result is kept
        # with its rows numbered, and brought range by range.
        frame = self.work(lambda: self.session.sql(sql).selectExpr("monotonically_increasing_id() AS `#`", "*"))
        try:
            numbered = self.work(lambda: frame.persist(storage_level()), SILENT)
            parts = numbered.selectExpr(f"shiftright(`#`, {_PART}) AS p").groupBy("p").count()
            found = _arrays(self.work(parts.toArrow, progress.part(0.2, 0.6)))
            whole, brought = int(found[1].sum()), 0
            for part, count in sorted(zip(found[0].tolist(), found[1].tolist(), strict=True)):
                for start in range(0, count, _AT_ONCE):
                    progress(0.6 + 0.4 * brought / whole)
                    low = (part << _PART) + start
                    piece = numbered.where(f"`#` >= {low} AND `#` < {low + _AT_ONCE}")
                    numbers, *columns = _arrays(self.work(piece.toArrow, SILENT))
                    order = np.argsort(numbers, kind="stable")
                    brought += len(order)
                    for cut in range(0, len(order), size):
                        chosen = order[cut : cut + size]
                        yield [column[chosen] for column in columns]
        finally:
            with contextlib.suppress(Exception):
                frame.unpersist()

    # Relations

    def keep(self, select: str, progress: Progress = SILENT, text: str = "") -> str:
        frame = self.work(lambda: self.session.sql(select), SILENT)
        try:
            # All of it, before anybody uses it.
            rows = int(self.work(lambda: frame.persist(storage_level()).count(), progress, text))
            name = self.name(frame, [frame])
            with self._lock:
                self._counted[name] = rows
            return name
        except BaseException:
            with contextlib.suppress(Exception):
                frame.unpersist()
            raise

    def name(self, frame: Any, kept: Sequence[Any] = ()) -> str:
        """Make a frame of Spark's a relation; those in `kept` are forgotten when it is dropped."""
        name = self.fresh_name()
        self.work(lambda: frame.createOrReplaceTempView(name), SILENT)
        with self._lock:
            self._kept[name] = list(kept)
        return name

    def behind(self, relation: str, select: str) -> str:
        """Another view on a relation, which is dropped together with it; that name is not used any more."""
        name = self.name(self.work(lambda: self.session.sql(select), SILENT))
        with self._lock:
            self._kept[name] = self._kept.pop(relation, [])
            self._counted.pop(relation, None)
        return name

    def count(self, relation: str, where: str = "") -> int:
        with self._lock:
            known = None if where else self._counted.get(relation)
        return super().count(relation, where) if known is None else known

    def upload(self, columns: Uploaded) -> str:
        import pyarrow as pa

        kinds = {"i": pa.int64(), "u": pa.int64(), "f": pa.float64(), "b": pa.int64()}
        arrays = {
            name: pa.array(values, kinds[values.dtype.kind])
            if isinstance(values, np.ndarray) and values.dtype.kind in kinds
            else pa.array(_clean(values), pa.string())
            for name, values in columns.items()
        }
        table = pa.table(arrays)
        return self.name(self.work(lambda: self.session.createDataFrame(table), SILENT))

    def drop(self, relation: str) -> None:
        with self._lock:
            frames = self._kept.pop(relation, [])
            self._marks.pop(relation, None)
            self._counted.pop(relation, None)
            if self._closed:
                return
        with contextlib.suppress(Exception):
            self._engine.session.catalog.dropTempView(relation)
        for frame in frames:
            with contextlib.suppress(Exception):
                frame.unpersist()

    def page(self, table: TableOfStore, start: int, count: int) -> list[tuple[str, ...]]:
        stop = min(start + min(count, _PAGE_MOST), table.rows)
        if stop <= start:
            return []
        relation = table.place.relation
        order = table.place.order.split(", ") if table.place.order else ["r"]
        marks = self._marks_of(relation, order[0])
        first, last = marks.around((start, stop - 1))
        physical = ", ".join(table.column(name).physical for name in table.names)
        between = f"{order[0]} >= {marks.low[first]} AND {order[0]} <= {marks.high[last]}"
        found_all = _arrays(self.arrow(f"SELECT {', '.join(order)}, {physical} FROM {relation} WHERE {between}"))
        numbers, columns = found_all[: len(order)], found_all[len(order) :]
        begin = start - int(marks.before[first])
        chosen = np.lexsort(numbers[::-1])[begin : begin + stop - start]
        found = []
        for column, cells in zip(table.columns, columns, strict=True):
            shown = cells[chosen].tolist()
            found.append(shown if isinstance(column, UnlistedColumn) else [column.values[code] for code in shown])
        return list(zip(*found, strict=True))

    def _marks_of(self, relation: str, key: str) -> Marks:
        with self._lock:
            known = self._marks.get(relation)
        if known is None:
            known = Marks.of(self, relation, key)
            with self._lock:
                self._marks[relation] = known
        return known

    def beginning(self, relation: str, rows: int) -> str:
        # A limit would bring the rows together in one place first.
        last = next(self._marks_of(relation, "r").cut(rows), (0, 0))[1]
        return f"SELECT * FROM {relation} WHERE r <= {last}"

    def stream_table(
        self, place: PlaceOfRows, columns: Sequence[str], size: int = 1 << 16, progress: Progress = SILENT
    ) -> Iterator[list[NDArray[Any]]]:
        if place.order:
            yield from super().stream_table(place, columns, size, progress)
            return
        # The numbers say the order, so nothing need be sorted there, nor kept once more.
        select = f"SELECT r, {', '.join(columns)} FROM {place.relation}"
        pieces = [""]
        if place.rows > _AT_ONCE:
            cuts = self._marks_of(place.relation, "r").cut(_AT_ONCE)
            pieces = [f" WHERE r >= {low} AND r <= {high}" for low, high in cuts]
        for number, piece in enumerate(pieces):
            step = progress.part(number / len(pieces), (number + 1) / len(pieces))
            numbers, *found = _arrays(self.arrow(f"{select}{piece}", step))
            order = np.argsort(numbers, kind="stable")
            for cut in range(0, len(order), size):
                chosen = order[cut : cut + size]
                yield [column[chosen] for column in found]

    def codes_at(
        self, place: PlaceOfRows, columns: Sequence[str], rows: NDArray[np.intp]
    ) -> list[NDArray[np.integer]] | None:
        if place.order or (numbers := self._marks_of(place.relation, "r").numbers(rows)) is None:
            return None
        wanted, where = np.unique(numbers, return_inverse=True)
        asked = self.upload({"k": wanted})
        try:
            picked = ", ".join(f"d.{column}" for column in columns)
            found, *codes = _arrays(
                self.arrow(f"SELECT d.r, {picked} FROM {place.relation} AS d JOIN {asked} AS x ON d.r = x.k")
            )
        finally:
            self.drop(asked)
        order = np.argsort(found)[where]
        return [column[order] for column in codes]

    # Files

    def scan(self, files: TableFiles, progress: Progress = SILENT) -> Scanned:
        return (scan_parquet if files.form is FileContent.PARQUET else scan_csv)(self, files, progress)

    def select_of(self, files: TableFiles, heading: Sequence[str]) -> str | None:
        return select_of_parquet(self, files, len(heading)) if files.form is FileContent.PARQUET else None

    def scan_numbered(self, files: TableFiles, progress: Progress = SILENT) -> Scanned:
        stamps = {path: stamp_of(path) for path in files.paths}
        before, self._opened = self._opened, {}
        try:
            scanned = self.scan(files, progress)
        except BaseException:
            self._opened = before
            raise
        self._opened = stamps
        return scanned

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
            names = list(self._kept)
        for name in names:
            self.drop(name)
        with self._lock:
            self._closed = True
        self._engine.close()

    def __del__(self) -> None:
        # While Python ends, threads stand still that Java would be spoken to through, and it would wait for ever.
        if not sys.is_finalizing():
            with contextlib.suppress(Exception):
                self.close()


_open: weakref.WeakSet[SparkStore] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    """End what nobody closed, before Python ends."""
    for store in list(_open):
        with contextlib.suppress(Exception):
            store.close()


def _arrays(table: Any) -> list[NDArray[Any]]:
    return [column.to_numpy() for column in table.columns]


def _clean(texts: Any) -> list[str]:
    """Texts that UTF-8 can hold; what it cannot is as it is written by the program."""
    return [text if text.isascii() else text.encode("utf-8", "replace").decode() for text in texts]
