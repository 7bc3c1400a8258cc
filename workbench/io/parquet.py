"""Parquet files, read and written through pyarrow, which is optional and imported when needed.

Values become texts as a CSV would hold them: whole numbers without ".0" whatever their type, dates as 2020-01-31,
times as 2020-01-31 12:30:00 (with a Z where they have a zone, in UTC), truth values as true and false, nothing for
null and NaN, bytes as UTF-8 or else in hexadecimal, lists and structures as JSON.

Written are texts, but whole or decimal numbers where every value of a column is one and reads back as the same text.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table
from workbench.io.collecting import CodedColumn, Problem, check_same_columns, heading_of
from workbench.io.export_format import ExportForm
from workbench.io.missing_package import missing_package
from workbench.io.occurring import NumberKind, OccurringValues
from workbench.io.opening import explained

_BATCH = 1 << 16
_GROUP = 1 << 18
"""Rows of a group in a file that is written, about."""
_EXACT = float(1 << 53)
_FRACTION = re.compile(r"\.([0-9]*?)0+(?=Z?$)")


def read_columns(
    paths: Sequence[str | os.PathLike[str]], limit: int | None = None, progress: Progress = SILENT
) -> tuple[Table, list[Problem]]:
    """The first `limit` rows of Parquet files that make one table, and which columns had to be renamed.

    Raises
    ------
    WorkbenchError
        If a file cannot be read, has no column or other ones than the first, or pyarrow is not installed.
    Cancelled
        If the person pressed Cancel.
    """
    file = Path(paths[0])
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise missing_package(
            file.name, "a Parquet file", "pyarrow", "save it as CSV with the program it came from."
        ) from error
    rows = 0
    names: list[str] = []
    columns: list[CodedColumn] = []
    for place, part in enumerate(map(Path, paths)):
        share = progress.part(place / len(paths), (place + 1) / len(paths))
        with explained(part):
            part.stat()
        try:
            with pq.ParquetFile(part) as source:
                if not place:
                    names = source.schema_arrow.names
                    columns = [CodedColumn() for _ in names]
                check_same_columns(file.name, names, part.name, source.schema_arrow.names)
                here = source.metadata.num_rows
                total = here if limit is None else min(here, limit - rows)
                read = 0
                for batch in _batches(source, total):
                    share(read / max(total, 1), f"{rows:,} rows read")
                    for column, values in zip(columns, batch.columns, strict=True):
                        _add(column, values, pa)
                        share(read / max(total, 1))
                    read += batch.num_rows
                    rows += batch.num_rows
        except (pa.ArrowException, OSError, ValueError, NotImplementedError) as error:
            raise _unreadable(part, error) from error
    if not names:
        raise WorkbenchError(
            f"The Parquet file “{file.name}” holds no table: it has no column.",
            hint="Choose another file.",
            field="path",
        )
    heading = heading_of(names, [], 1, ", ".join(names))
    table = Table(tuple(c.joined(name, rows) for c, name in zip(columns, heading.names, strict=True)))
    first = file.name if len(paths) > 1 else ""
    return table, [replace(problem, part=first) for _, problem in heading.problems]


def text_batches(path: Path, progress: Progress = SILENT) -> Iterator[list[list[str]]]:
    """The columns of a Parquet file as texts, some thousand rows at a time.

    Raises
    ------
    WorkbenchError
        If the file cannot be read, or pyarrow is not installed.
    """
    if (missing := ExportForm.PARQUET.missing) is not None:
        raise missing
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as source:
            total, rows = source.metadata.num_rows, 0
            for batch in _batches(source, total):
                progress(rows / max(total, 1), f"{rows:,} rows read")
                columns = [CodedColumn() for _ in batch.columns]
                for column, values in zip(columns, batch.columns, strict=True):
                    _add(column, values, pa)
                rows += batch.num_rows
                yield [column.joined("", batch.num_rows).texts() for column in columns]
    except (pa.ArrowException, OSError, ValueError, NotImplementedError) as error:
        raise _unreadable(path, error) from error


def texts_of(values: Any) -> list[str]:
    """The texts that the values of an Arrow array or column become; "" for null."""
    import pyarrow as pa

    column = CodedColumn()
    for chunk in values.chunks if isinstance(values, pa.ChunkedArray) else [values]:
        _add(column, chunk, pa)
    return column.joined("", len(values)).texts()


def column_names(path: Path) -> list[str]:
    """What the columns of a Parquet file are called in it.

    Raises
    ------
    WorkbenchError
        If the file cannot be read.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    with explained(path):
        path.stat()
    try:
        return list(pq.read_schema(path).names)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _unreadable(path, error) from error


def column_types(path: Path) -> list[Any]:
    """The Arrow types of the columns of a Parquet file."""
    import pyarrow.parquet as pq

    return list(pq.read_schema(path).types)


def joined_parquet(parts: Sequence[Path], path: Path, progress: Progress = SILENT) -> None:
    """Write the rows of several Parquet files of the same columns, one after the other, into a new one."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(parts[0]) as first:
        schema = first.schema_arrow.remove_metadata()
    with pq.ParquetWriter(path, schema, compression="snappy") as writer:
        for place, part in enumerate(parts):
            with pq.ParquetFile(part) as source:
                for batch in source.iter_batches(batch_size=16 * _BATCH):
                    progress(place / len(parts), "Writing the file")
                    writer.write_batch(batch.cast(schema))


def _unreadable(path: Path, error: Exception) -> WorkbenchError:
    reason = (str(error).splitlines() or ["it is damaged"])[0].rstrip(".")
    return WorkbenchError(
        f"The Parquet file “{path.name}” cannot be read: {reason}.",
        hint="Get it again, or save it as CSV with the program it came from.",
        field="path",
    )


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
    if (missing := ExportForm.PARQUET.missing) is not None:
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
    """What the cells of a column are taken from.

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


def cells_of(file: BinaryIO) -> Iterator[list[str]]:
    """The rows of a Parquet file that was just written, heading included, from an open file.

    Raises
    ------
    WorkbenchError
        If it cannot be read.
    """
    if (missing := ExportForm.PARQUET.missing) is not None:
        raise missing
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        source = pq.ParquetFile(file)
        yield list(source.schema_arrow.names)
        for batch in source.iter_batches(batch_size=_BATCH):
            columns = [[_cell(value) for value in column.to_pylist()] for column in batch.columns]
            yield from map(list, zip(*columns, strict=True))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise WorkbenchError(f"The Parquet file cannot be read back: {error}.", field="path") from error


def _cell(value: str | int | float | None) -> str:
    return _number(value, False) if isinstance(value, float) else "" if value is None else str(value)


def _batches(source: Any, rows: int) -> Iterator[Any]:
    for batch in source.iter_batches(batch_size=_BATCH):
        if rows <= 0:
            return
        yield batch.slice(0, rows)
        rows -= batch.num_rows


def _add(column: CodedColumn, values: Any, pa: Any) -> None:
    """Append the values of a batch: each distinct one is turned into a text once."""
    nested = pa.types.is_nested(values.type)
    if nested or pa.types.is_null(values.type):
        texts = ["" if value is None else _json(value) for value in values.to_pylist()]
        column.add(texts, len(texts))
        return
    encoded = values if pa.types.is_dictionary(values.type) else values.dictionary_encode()
    found = np.array([column.codes[text] for text in _texts(encoded.dictionary, pa)], dtype=np.int64)
    places: NDArray[np.int64] = encoded.indices.cast(pa.int64()).fill_null(len(found)).to_numpy(zero_copy_only=False)
    if encoded.null_count or (places == len(found)).any():
        found = np.append(found, column.codes[""])
    column.add_coded(np.take(found, places) if len(places) else places)


def _texts(values: Any, pa: Any) -> list[str]:
    """The text of each value of an array without nulls or structure."""
    kind = values.type
    if pa.types.is_floating(kind):
        narrow = kind.bit_width < 64
        return [_number(value, narrow) for value in values.cast(pa.float32() if narrow else kind).to_pylist()]
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
        return [_bytes(value) for value in values.to_pylist()]
    if pa.types.is_timestamp(kind) and kind.tz is not None:
        values = values.cast(pa.timestamp(kind.unit, "UTC"))
    texts: list[str | None] = values.cast(pa.string()).to_pylist()
    if pa.types.is_timestamp(kind) or pa.types.is_time(kind):
        return [_FRACTION.sub(_shorter, text or "") for text in texts]
    return [text or "" for text in texts]


def _shorter(found: re.Match[str]) -> str:
    return f".{found[1]}" if found[1] else ""


def _number(value: float | None, narrow: bool) -> str:
    if value is None or value != value:
        return ""
    if value.is_integer() and abs(value) <= _EXACT:
        return str(int(value))
    return str(np.float32(value)) if narrow else repr(value)


def _bytes(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.hex()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
