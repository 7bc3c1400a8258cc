"""Reading Parquet files through pyarrow."""

from __future__ import annotations

import importlib.abc
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from workbench.core.errors import WorkbenchError
from workbench.io.arrow_texts import numbered, plain_cell
from workbench.io.foreign import frames, limits
from workbench.io.foreign.workbooks import batches

_BATCH = 1 << 16
_PIECE = 1 << 22
"""Bytes that the rows sent at once take, about."""


def run(request: dict[str, Any], out: frames.FrameWriter) -> None:
    """Send the columns of files that make one table, at most `limit` rows, as numbers and the values they stand for.

    For the job "column cells" their rows as texts.

    Raises
    ------
    WorkbenchError
        If a file cannot be read.
    """
    paths = [Path(path) for path in request["paths"]]
    sys.meta_path.insert(0, _NoPandas())
    # Memory that is taken from the system as it is needed, and not put by beforehand, can be limited.
    pa.set_memory_pool(pa.system_memory_pool())
    room = limits.MemoryAllowance()
    left = request.get("limit")
    for path in paths:
        try:
            room.limit(limits.allowance(path.stat().st_size))
            with pq.ParquetFile(path) as source:
                names, rows = list(source.schema_arrow.names), source.metadata.num_rows
                out.tell(frames.INFO, names=names, rows=rows, moments=list(map(_moment, source.schema_arrow.types)))
                if request["job"] == "column cells":
                    for batch in batches(_rows(source)):
                        out.send(frames.ROWS, batch)
                else:
                    left = _columns(source, left, out)
        except (pa.ArrowMemoryError, MemoryError) as error:
            raise MemoryError from error
        except BrokenPipeError:
            raise
        except (pa.ArrowException, OSError, ValueError, NotImplementedError) as error:
            raise unreadable(path.name, error) from error


class _NoPandas(importlib.abc.MetaPathFinder):
    """Where pandas is installed, pyarrow imports it for nothing, which takes longer than all else."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name)


def _moment(kind: Any) -> str:
    """Kind of times in a column: "" if it holds none, "zone" or "local" by whether they have a zone."""
    if not pa.types.is_timestamp(kind):
        return ""
    return "zone" if kind.tz else "local"


def _columns(source: Any, left: int | None, out: frames.FrameWriter) -> int | None:
    """Send the rows of one file; returns how many more of the next one are wanted."""
    for batch in _pieces(source, left):
        for values in batch.columns:
            texts, codes = numbered(values)
            told = json.dumps(texts).encode()
            out.send(frames.COLUMN, frames.LENGTHS.pack(batch.num_rows, len(told)) + told + codes.tobytes())
        left = None if left is None else left - batch.num_rows
    return left


def _pieces(source: Any, left: int | None) -> Iterator[Any]:
    """Some rows at a time: fewer where they are long, so that no piece is large."""
    if left is not None and left <= 0:
        return
    size = _BATCH if left is None else min(left, _BATCH)
    for read in source.iter_batches(batch_size=size, use_threads=False):
        batch = read if left is None else read.slice(0, left)
        step = max(1, min(batch.num_rows, batch.num_rows * _PIECE // max(batch.nbytes, 1)))
        for start in range(0, batch.num_rows, step):
            yield batch.slice(start, step)
        if left is not None:
            left -= batch.num_rows
            if left <= 0:
                return


def _rows(source: Any) -> Iterator[list[str]]:
    for batch in _pieces(source, None):
        columns = [list(map(plain_cell, column.to_pylist())) for column in batch.columns]
        yield from map(list, zip(*columns, strict=True))


def unreadable(name: str, error: Exception) -> WorkbenchError:
    reason = (str(error).splitlines() or ["it is damaged"])[0].rstrip(".")
    if isinstance(error, UnicodeDecodeError):
        reason = "a text in it is no UTF-8"  # its own words name a sign of a value, and where that stands
    return WorkbenchError(
        f"The Parquet file “{name}” cannot be read: {reason}.",
        hint="Get it again, or save it as CSV with the program it came from.",
        field="path",
    )
