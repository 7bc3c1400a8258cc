"""Parquet files: those of others are read by another process (`workbench.io.foreign.columns`), ours are written here.

pyarrow does both; it is optional and imported when needed.

Values become texts as a CSV would hold them: whole numbers without ".0" whatever their type, dates as 2020-01-31,
times as 2020-01-31 12:30:00 (with a Z where they have a zone, in UTC), truth values as true and false, nothing for
null and NaN, bytes as UTF-8 or else in hexadecimal, lists and structures as JSON.

Written are texts, but whole or decimal numbers where every value of a column is one and reads back as the same text.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.rough_counts import roughly_rows
from workbench.core.table import Table
from workbench.io.arrow_texts import numbered, plain_cell
from workbench.io.coded_column import CodedColumn
from workbench.io.column_codes import ReadingProblem, check_same_columns, heading_of
from workbench.io.excel import texts_in_rows
from workbench.io.export_format import FORMATS
from workbench.io.foreign import frames
from workbench.io.foreign.child import Child
from workbench.io.foreign.pieces import ColumnPiece
from workbench.io.missing_package import missing_package
from workbench.io.occurring_values import NumberKind, OccurringValues
from workbench.io.opening import explained
from workbench.io.row_blocks import RowBlock
from workbench.io.rows import damaged, repaired

_ROOM = 1 << 62
_BATCH = 1 << 16
_GROUP = 1 << 18
"""Rows of a group in a file that is written, about."""
MOST_CELLS = 1 << 32
"""Cells of a table in memory; a file of a few bytes can say of itself that it holds more than any memory."""


def read_columns(
    paths: Sequence[str | os.PathLike[str]], limit: int | None = None, progress: Progress = SILENT
) -> tuple[Table, list[ReadingProblem]]:
    """The first `limit` rows of Parquet files that make one table, and which columns had to be renamed.

    Raises
    ------
    WorkbenchError
        If a file cannot be read, has no column or other ones than the first, they hold more than a table in memory can,
        or pyarrow is not installed.
    Cancelled
        If the person pressed Cancel.
    """
    first = Path(paths[0])
    names: list[str] = []
    columns: list[CodedColumn] = []
    rows = 0
    with contextlib.closing(_pieces(list(map(Path, paths)), limit, progress)) as pieces:
        for piece in pieces:
            if isinstance(piece, _Part):
                if not columns:
                    names, columns = piece.names, [CodedColumn() for _ in piece.names]
                check_same_columns(first.name, names, piece.path.name, piece.names)
                if min(piece.rows, piece.rows if limit is None else limit) * len(names) > MOST_CELLS:
                    raise _too_long(piece)
                continue
            piece.add_to(columns[piece.place])
            rows += len(piece.codes) if not piece.place else 0
            if rows * len(names) > MOST_CELLS:
                raise _too_long(piece.part)
    if not names:
        raise WorkbenchError(
            f"The Parquet file “{first.name}” holds no table: it has no column.",
            hint="Choose another file.",
            field="path",
        )
    heading = heading_of(names, [], 1, ", ".join(names))
    table = Table(tuple(c.joined(name, rows) for c, name in zip(columns, heading.names, strict=True)))
    part = first.name if len(paths) > 1 else ""
    return table, [replace(problem, part=part) for _, problem in heading.problems]


def text_batches(path: Path, progress: Progress = SILENT) -> Iterator[list[list[str]]]:
    """The columns of a Parquet file as texts, some thousand rows at a time.

    Raises
    ------
    WorkbenchError
        If the file cannot be read, or pyarrow is not installed.
    """
    waiting: list[list[str]] = []
    width = 0
    with contextlib.closing(_pieces([path], None, progress)) as pieces:
        for piece in pieces:
            if isinstance(piece, _Part):
                width = len(piece.names)
                continue
            texts = list(map(repaired, piece.texts)) if any(map(damaged, piece.texts)) else piece.texts
            texts = [*texts, ""]  # the last one, where there is none
            waiting.append([texts[place] for place in piece.codes.tolist()])
            if len(waiting) == width:
                yield waiting
                waiting = []


def texts_of(values: Any) -> list[str]:
    """The texts that the values of an Arrow array or column become; "" for null."""
    import pyarrow as pa

    found: list[str] = []
    for chunk in values.chunks if isinstance(values, pa.ChunkedArray) else [values]:
        texts, places = numbered(chunk)
        texts = [*map(repaired, texts), ""]
        found += [texts[place] for place in places.tolist()]
    return found


def column_names(paths: Sequence[Path]) -> list[list[str]]:
    """Names of the columns of Parquet files, as they have them.

    Raises
    ------
    WorkbenchError
        If a file cannot be read.
    """
    with contextlib.closing(_pieces(paths, 0, SILENT)) as pieces:
        return [piece.names for piece in pieces if isinstance(piece, _Part)]


def moments_of(path: Path) -> list[str]:
    """For each column of a Parquet file "zone" for moments with a time zone, "local" for those without, else "".

    Raises
    ------
    WorkbenchError
        If it cannot be read.
    """
    with contextlib.closing(_pieces([path], 0, SILENT)) as pieces:
        return [moment for piece in pieces if isinstance(piece, _Part) for moment in piece.moments]


def rows_of(paths: Sequence[Path], progress: Progress = SILENT) -> Iterator[list[str]]:
    """The rows of Parquet files, one file after the other, without their headings.

    Raises
    ------
    WorkbenchError
        If one cannot be read.
    """
    with _asked("column cells", paths, progress) as child:
        for kind, payload in child.frames(frames.INFO, frames.ROWS):
            if kind == frames.ROWS:
                yield from texts_in_rows(child, kind, payload)


@dataclass(frozen=True)
class _Part:
    """A file of the table begins."""

    path: Path
    names: list[str]
    rows: int
    moments: list[str]


@dataclass(frozen=True, eq=False)
class _Piece(ColumnPiece):
    """Some rows of one column of a file."""

    part: _Part


def _pieces(paths: Sequence[Path], limit: int | None, progress: Progress) -> Generator[_Part | _Piece, None, None]:
    """Pieces that the other process reads, file after file and column after column, checked."""
    with _asked("columns", paths, progress, limit=limit) as child:
        part, parts, place, read, held = None, iter(paths), 0, 0, 0
        for kind, payload in child.frames(frames.INFO, frames.COLUMN):
            if kind == frames.INFO:
                path = next(parts, None)
                if path is None or place:
                    raise child.nonsense()
                part, read = _part(child, path, payload), 0
                yield part
                continue
            if part is None or not part.names:
                raise child.nonsense()
            found = ColumnPiece.of(child, place, payload)
            piece = _Piece(found.place, found.texts, found.codes, part)
            if place and len(piece.codes) != held:
                raise child.nonsense()
            held, place = len(piece.codes), (place + 1) % len(part.names)
            yield piece
            if not place:
                read += held
                at = paths.index(part.path)
                child.fraction = min(1.0, (at + read / max(part.rows, 1)) / len(paths))
                progress(child.fraction, f"{roughly_rows(read)} read")
        if place or next(parts, None) is not None:
            raise child.nonsense()


def _part(child: Child, path: Path, payload: bytes) -> _Part:
    try:
        found = json.loads(payload)
        names, rows, moments = found["names"], found["rows"], found["moments"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise child.nonsense() from error
    if type(names) is not list or set(map(type, names)) - {str} or type(rows) is not int or rows < 0:
        raise child.nonsense()
    known = type(moments) is list and all(moment in ("", "zone", "local") for moment in moments)
    if not known or len(moments) != len(names):
        raise child.nonsense()
    return _Part(path, names, rows, moments)


def _asked(job: str, paths: Sequence[Path], progress: Progress, **wanted: Any) -> Child:
    first = paths[0]
    if importlib.util.find_spec("pyarrow") is None:
        raise missing_package(first.name, "a Parquet file", "pyarrow", "save it as CSV with the program it came from.")
    for path in paths:
        with explained(path):
            path.stat()
    return Child(job, paths, "Parquet file", progress, **wanted)


def _too_long(part: _Part) -> WorkbenchError:
    return WorkbenchError(
        f"The Parquet file “{part.path.name}” holds {part.rows:,} rows of {len(part.names):,} columns: more than "
        f"{MOST_CELLS:,} cells, which is too much for a table in memory.",
        hint="Open it with --engine duckdb, or choose DuckDB where the window opens it.",
        field="path",
    )


def joined_parquet(parts: Sequence[Path], path: Path, progress: Progress = SILENT) -> None:
    """Write the rows of several Parquet files, just written by an engine, one after the other into a new one."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(parts[0]) as first:
        schema = first.schema_arrow.remove_metadata()
    with pq.ParquetWriter(path, schema, compression="snappy") as writer:
        for place, part in enumerate(parts):
            with pq.ParquetFile(part) as source:
                for batch in source.iter_batches(batch_size=16 * _BATCH):
                    progress(place / len(parts), "Writing the file")
                    writer.write_batch(batch.cast(schema))


def parquet_into(
    table: Table,
    file: BinaryIO,
    progress: Progress = SILENT,
    written: Callable[[str], str] = str,
    blocks: Iterable[list[NDArray[Any]]] | None = None,
) -> None:
    """Write a table with columns into an open file.

    Parameters
    ----------
    written
        Says how texts and names are spelled.
    blocks
        The codes of the rows that are written; by default all rows of the table.

    Raises
    ------
    WorkbenchError
        If pyarrow is not installed.
    Cancelled
        If the person pressed Cancel.
    """
    if (missing := FORMATS["parquet"].missing) is not None:
        raise missing
    import pyarrow as pa
    import pyarrow.parquet as pq

    # Values that no row has must not be in the file: its dictionaries would list them.
    columns = [_Stock.of(OccurringValues.of(column, written), pa) for column in table.columns]
    schema = pa.schema([(written(name), stock.kind) for name, stock in zip(table.names, columns, strict=True)])
    # Without Arrow's own note in the file, texts are texts to every reader, however they were handed over.
    with pq.ParquetWriter(file, schema, compression="snappy", store_schema=False) as writer:
        done = 0
        for codes in _gathered(table.blocks(table.names, _BATCH) if blocks is None else blocks):
            progress(done / table.rows, f"{done:,} rows written")
            arrays = [stock.taken(some, pa) for stock, some in zip(columns, codes, strict=True)]
            done += len(codes[0])
            writer.write_batch(pa.record_batch(arrays, schema=schema))
    progress(1.0, f"{table.rows:,} rows written")


@dataclass(frozen=True, eq=False)
class _Stock:
    """Stock from which the cells of a column are taken.

    Texts are in the order of their letters, because their dictionary is written as it is: the order of the codes would
    tell which value came first in the table.
    """

    held: Any
    places: NDArray[np.int32]
    kind: Any

    @classmethod
    def of(cls, values: OccurringValues, pa: Any) -> _Stock:
        plain = {NumberKind.WHOLE: pa.int64(), NumberKind.DECIMAL: pa.float64(), NumberKind.NONE: pa.string()}
        kind = plain[values.numbers]
        if values.numbers is not NumberKind.NONE:
            return cls(pa.array(values.as_numbers(), kind), values.places.astype(np.int32), kind)
        # Two values may be written alike; a dictionary has each text once.
        texts = sorted(set(values.texts))
        place_of = {text: place for place, text in enumerate(texts)}
        ranks = np.array([place_of[text] for text in values.texts] or [0], dtype=np.int32)
        return cls(pa.array(texts, kind), ranks[values.places], pa.dictionary(pa.int32(), kind))

    def taken(self, codes: NDArray[Any], pa: Any) -> Any:
        """The cells of rows with these codes."""
        places = pa.array(np.take(self.places, codes))
        return (
            pa.DictionaryArray.from_arrays(places, self.held)
            if pa.types.is_dictionary(self.kind)
            else (self.held.take(places))
        )


def _gathered(blocks: Iterable[list[NDArray[Any]]]) -> Iterator[list[NDArray[Any]]]:
    """Blocks of rows together, as many as a group of rows is to have."""
    waiting: list[list[NDArray[Any]]] = []
    for block in blocks:
        waiting.append(block)
        if sum(len(one[0]) for one in waiting) >= _GROUP:
            yield [np.concatenate(column) for column in zip(*waiting, strict=True)]
            waiting = []
    if waiting:
        yield [np.concatenate(column) for column in zip(*waiting, strict=True)]


def blocks_of_parquet(file: BinaryIO) -> Iterator[RowBlock]:
    """The rows of a Parquet file that this program has just written, heading included, from the open file.

    What this process wrote itself is no stranger's file: it is read here, from the very file that takes its place next.

    Raises
    ------
    WorkbenchError
        If it cannot be read.
    """
    if (missing := FORMATS["parquet"].missing) is not None:
        raise missing
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        source = pq.ParquetFile(file)
        yield RowBlock(("",), {"": list(source.schema_arrow.names)})
        for batch in source.iter_batches(batch_size=_BATCH):
            yield _block_of(batch)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise WorkbenchError(f"The Parquet file cannot be read back: {error}.", field="path") from error


def _block_of(batch: Any) -> RowBlock:
    """The rows of a batch as texts."""
    numbers: NDArray[np.int64] = np.zeros(batch.num_rows, np.int64)
    columns, room = [], 1
    for column in batch.columns:
        encoded = column.dictionary_encode()
        texts = [plain_cell(value) for value in (*encoded.dictionary.to_pylist(), None)]
        places = encoded.indices.fill_null(len(texts) - 1).to_numpy(zero_copy_only=False)
        columns.append((texts, places))
        room *= len(texts)
        if room < _ROOM:
            numbers = numbers * len(texts) + places
    if room >= _ROOM:
        numbers = np.arange(batch.num_rows)
    marks = numbers.tolist()
    counts = Counter(marks)
    # Any row will do for its mark: the last one stays.
    one = dict(zip(marks, range(len(marks)), strict=True))
    rows = list(one.values())
    cells = ([texts[place] for place in places[rows].tolist()] for texts, places in columns)
    return RowBlock(marks, dict(zip(one, zip(*cells, strict=True), strict=True)), counts)
