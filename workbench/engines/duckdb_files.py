"""Files read into DuckDB and written from it.

Its own CSV reader is quick and says which lines it does not understand. Where it refuses one, or the file is written in
a way it does not know, the program's reader does it: slower, and exactly as in memory.
"""

from __future__ import annotations

import codecs
import contextlib
import glob
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.engines.byte_accounts import accounted, counted
from workbench.engines.dialect import DUCKDB
from workbench.engines.duckdb_numbering import Keeping, Listed
from workbench.engines.duckdb_relations import DuckRelations
from workbench.engines.files import TableFiles
from workbench.engines.own_reader import Beginning, beginning_of, read_rows, same_heading
from workbench.engines.store import Scanned
from workbench.io.column_codes import MAX_PROBLEMS, ReadingProblem, check_same_columns, heading_of
from workbench.io.opening import FileContent, explained
from workbench.io.parquet import column_names, text_batches

_BATCH = 1 << 16
_PACKED = (b"\x1f\x8b", b"PK\x03\x04")
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")
_AS_TEXT = frozenset((*_WHOLE, "BOOLEAN", "DATE"))
_EXACT = 1 << 53
_LONGEST_LINE = 16 << 20
"""Bytes; longer rows are read by the program, which has its own limit."""


def scan_csv(store: DuckRelations, files: TableFiles, keeping: Keeping, progress: Progress = SILENT) -> Scanned:
    """Read CSV files into a relation of texts, or of codes where that is how it is kept."""
    beginnings = [beginning_of(path, files.dialect) for path in files.paths]
    heading = same_heading(files.paths, [one.heading for one in beginnings])
    if _read_alike(files, len(heading.names), beginnings):
        read = _quickly(store, files, beginnings, keeping, progress.part(0.0, 0.9))
        if read is not None and not _all_read(store, files, beginnings, *read, progress.part(0.9, 1.0)):
            store.drop(read[0])
            read = None
        if read is not None:
            relation, listed = read
            renamed = tuple(problem for _, problem in heading.problems)
            rows = store.count(relation)
            return Scanned(relation, tuple(heading.names), rows, 0, renamed, len(renamed), heading.unnamed, listed)
    return _by_own_reader(store, files, progress)


def _read_alike(files: TableFiles, width: int, beginnings: Sequence[Beginning]) -> bool:
    """Whether DuckDB reads such files as the program does. Of one column it keeps blank lines."""
    dialect = files.dialect
    if codecs.lookup(dialect.encoding).name != "utf-8" or dialect.skip_spaces or width < 2 or not _findable(files):
        return False
    if not all(beginning.plain for beginning in beginnings) or not (dialect.delimiter + dialect.quote).isascii():
        return False
    for path in files.paths:
        with path.open("rb") as file:
            if file.read(4).startswith(_PACKED):
                return False
    return True


def select_of(store: DuckRelations, files: TableFiles, heading: Sequence[str]) -> str | None:
    """A SELECT that reads files as they are read into a relation; None if DuckDB reads them otherwise."""
    if files.form is FileContent.PARQUET:
        return _select_of_parquet(store, files, heading)
    width = len(heading)
    beginnings = [beginning_of(path, files.dialect) for path in files.paths]
    alike = _read_alike(files, width, beginnings) and len(beginnings[0].heading.names) == width
    return _select_of_csv(files, beginnings) if alike else None


def _quickly(
    store: DuckRelations, files: TableFiles, beginnings: Sequence[Beginning], keeping: Keeping, progress: Progress
) -> tuple[str, Listed] | None:
    """The relation and its listed columns, or None if there is a line DuckDB does not understand."""
    width = len(beginnings[0].heading.names)
    try:
        return keeping(store, _select_of_csv(files, beginnings), width, progress, "Reading the file")
    except WorkbenchError as error:
        if error.field == "memory":
            raise
        return None


def _all_read(
    store: DuckRelations,
    files: TableFiles,
    beginnings: Sequence[Beginning],
    relation: str,
    listed: Listed,
    progress: Progress,
) -> bool:
    """Whether DuckDB has read what the program would have read."""
    signs = files.dialect.delimiter, files.dialect.quote
    above = [one.lines for one in beginnings]
    counts = counted(zip(files.paths, above, strict=True), *signs, progress.part(0.0, 0.5))
    width = len(beginnings[0].heading.names)
    columns = [(f"c{place}" if place in listed else f"t{place}", listed.get(place)) for place in range(width)]
    try:
        return accounted(store, relation, columns, counts, *signs, progress.part(0.5, 1.0))
    except BaseException:
        store.drop(relation)
        raise


def _select_of_csv(files: TableFiles, beginnings: Sequence[Beginning]) -> str:
    width, literal = len(beginnings[0].heading.names), DUCKDB.literal
    columns = "{" + ", ".join(f"'t{place}': 'VARCHAR'" for place in range(width)) + "}"
    quote = literal(files.dialect.quote)
    selects = []
    for lines, paths in _runs(files.paths, [one.lines for one in beginnings]):
        named = "[" + ", ".join(map(_located, paths)) + "]"
        cells = ", ".join(f"coalesce(t{place}, '') AS t{place}" for place in range(width))
        selects.append(
            f"SELECT {cells} FROM read_csv({named}, auto_detect = false, all_varchar = true, header = false, "
            f"skip = {lines}, columns = {columns}, delim = {literal(files.dialect.delimiter)}, quote = {quote}, "
            f"escape = {quote}, strict_mode = true, null_padding = false, "
            # Without a size of its own, a buffer is sixteen times as large as the longest line.
            f"max_line_size = {_LONGEST_LINE}, buffer_size = {2 * _LONGEST_LINE}, "
            "hive_partitioning = false)"
        )
    return " UNION ALL ".join(selects)


def _runs(paths: Sequence[Path], lines: Sequence[int]) -> Iterator[tuple[int, list[Path]]]:
    """Files that follow one another and have as many lines above their values."""
    run: list[Path] = []
    for place, path in enumerate(paths):
        if run and lines[place] != lines[place - 1]:
            yield lines[place - 1], run
            run = []
        run.append(path)
    yield lines[-1], run


def _by_own_reader(store: DuckRelations, files: TableFiles, progress: Progress) -> Scanned:
    import pyarrow as pa

    heading = same_heading(files.paths, [beginning_of(path, files.dialect).heading for path in files.paths])
    names = [f"t{place}" for place in range(len(heading.names))]
    waiting: list[Any] = []
    problems: list[ReadingProblem] = [problem for _, problem in heading.problems]
    count, skipped = len(problems), 0
    with _Filling(store, names) as relation:

        def sink(columns: Sequence[Sequence[str]]) -> None:
            arrays = [pa.array(_clean(column), pa.string()) for column in columns]
            waiting.append(pa.table(arrays, names=names))
            if sum(len(table) for table in waiting) >= _BATCH:
                flush()

        def flush() -> None:
            if waiting:
                store.append(relation, pa.concat_tables(waiting))
                waiting.clear()

        for place, path in enumerate(files.paths):
            part = progress.part(place / len(files.paths), (place + 1) / len(files.paths))
            read = read_rows(path, files.dialect, sink, part)
            several = len(files.paths) > 1
            problems += [replace(problem, part=path.name) if several else problem for problem in read.problems]
            count += read.problem_count
            skipped += read.skipped
        flush()
    return Scanned(
        relation,
        tuple(heading.names),
        store.count(relation),
        skipped,
        tuple(problems[:MAX_PROBLEMS]),
        count,
        heading.unnamed,
    )


def _clean(column: Sequence[str]) -> Sequence[str]:
    """Texts that UTF-8 can hold; what it cannot is as it is written by the program."""
    try:
        "".join(column).encode()
    except UnicodeEncodeError:
        return [text.encode("utf-8", "replace").decode() for text in column]
    return column


class _Filling:
    """A relation of texts that is dropped again if filling it fails."""

    def __init__(self, store: DuckRelations, names: Sequence[str]) -> None:
        self._store, self._names = store, names
        self._relation = store.fresh_name()

    def __enter__(self) -> str:
        self._store.run(f"CREATE TABLE {self._relation} ({', '.join(f'{name} VARCHAR' for name in self._names)})")
        return self._relation

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._store.drop(self._relation)


def scan_parquet(store: DuckRelations, files: TableFiles, keeping: Keeping, progress: Progress = SILENT) -> Scanned:
    """Read Parquet files into a relation of texts (or of codes), as `workbench.io.parquet` writes them."""
    given, *others = column_names(files.paths)
    if not given:
        raise WorkbenchError(
            f"The Parquet file “{files.given.name}” holds no table: it has no column.",
            hint="Choose another file.",
            field="path",
        )
    headings = [heading_of(given, [], 1, ", ".join(given))]
    for path, other in zip(files.paths[1:], others, strict=True):
        check_same_columns(files.paths[0].name, given, path.name, other)
        headings.append(headings[0])
    heading = same_heading(files.paths, headings)
    select = _select_of_parquet(store, files, given)
    listed: Listed = {}
    if select is not None:
        relation, listed = keeping(store, select, len(given), progress, "Reading the file")
    else:
        relation = _parquet_by_own_reader(store, files, len(given), progress)
    renamed = tuple(problem for _, problem in heading.problems)
    rows = store.count(relation)
    return Scanned(relation, tuple(heading.names), rows, 0, renamed, len(renamed), listed=listed)


def _select_of_parquet(store: DuckRelations, files: TableFiles, names: Sequence[str]) -> str | None:
    """A SELECT of the cells as texts, given the names in the files; None for what the program makes texts of."""
    if not _findable(files) or any("\0" in name for name in names):
        return None
    columns = [_described(store, path) for path in files.paths]
    cells = [_as_text(DUCKDB.name(name), kind) for name, kind in columns[0]]
    # Where the types of the parts differ, DuckDB turns numbers into those of the first one.
    if len(cells) != len(names) or not all(cells) or any(other != columns[0] for other in columns):
        return None
    selected = ", ".join(f"{cell} AS t{place}" for place, cell in enumerate(cells))
    source = f"read_parquet([{', '.join(map(_located, files.paths))}], hive_partitioning = false)"
    dates = [DUCKDB.name(name) for name, kind in columns[0] if kind == "DATE"]
    strange = " OR ".join(f"{date} NOT BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'" for date in dates)
    if strange and store.count(source, strange):
        return None
    return f"SELECT {selected} FROM {source}"


def _findable(files: TableFiles) -> bool:
    """Whether DuckDB can be told to read these files and no others."""
    return not any("\\" in str(path) and glob.has_magic(str(path)) for path in files.paths)


def _located(path: Path) -> str:
    """A path as a literal that DuckDB does not take for a pattern, in which another file could be meant."""
    return DUCKDB.literal("".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(path.absolute())))


def _described(store: DuckRelations, path: Path) -> list[tuple[str, str]]:
    """Names that DuckDB gives to the columns of a Parquet file, which may be others, and their types."""
    source = f"read_parquet([{_located(path)}], hive_partitioning = false)"
    try:
        return [
            (name, kind)
            for name, kind in store.rows(f"SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {source})")
        ]
    except WorkbenchError as error:
        with explained(path):
            raise WorkbenchError(
                f"The Parquet file “{path.name}” cannot be read.",
                hint="Get it again, or save it as CSV with the program it came from.",
                field="path",
            ) from error


def _as_text(column: str, kind: str) -> str:
    """The text of a value, or "" for types that the program turns into texts itself."""
    if kind == "VARCHAR":
        repaired = f"CASE WHEN contains({column}, chr(0)) THEN replace({column}, chr(0), '�') ELSE {column} END"
        return f"coalesce({repaired}, '')"
    if kind in _AS_TEXT:
        return f"coalesce(CAST({column} AS VARCHAR), '')"
    if kind == "DOUBLE":
        whole = f"{column} = trunc({column}) AND abs({column}) <= {_EXACT}"
        return (
            f"CASE WHEN {column} IS NULL OR isnan({column}) THEN '' "
            f"WHEN {whole} THEN CAST(CAST({column} AS BIGINT) AS VARCHAR) ELSE CAST({column} AS VARCHAR) END"
        )
    return ""


def _parquet_by_own_reader(store: DuckRelations, files: TableFiles, width: int, progress: Progress) -> str:
    import pyarrow as pa

    names = [f"t{place}" for place in range(width)]
    with _Filling(store, names) as relation:
        for place, path in enumerate(files.paths):
            part = progress.part(place / len(files.paths), (place + 1) / len(files.paths))
            for columns in text_batches(path, part):
                store.append(relation, pa.table([pa.array(column, pa.string()) for column in columns], names=names))
    return relation


def write_lines(store: DuckRelations, select: str, first: str, path: Path, progress: Progress, *, parts: bool) -> None:
    """Write rows of one text as lines, as they are."""
    options = "FORMAT csv, HEADER true, QUOTE '', ESCAPE '', DELIMITER '\x01', NULLSTR ''"
    named = f"SELECT line AS {DUCKDB.name(first)} FROM ({select}) AS x(line)"
    _copy(store, named, path, options, progress, parts=parts)


def write_parquet(store: DuckRelations, select: str, path: Path, progress: Progress, *, parts: bool) -> None:
    """Write rows as Parquet."""
    _copy(store, select, path, "FORMAT parquet, COMPRESSION snappy", progress, parts=parts)


def _copy(store: DuckRelations, select: str, path: Path, options: str, progress: Progress, *, parts: bool) -> None:
    if parts:
        options += ", FILE_SIZE_BYTES '128MB', FILENAME_PATTERN 'part-{i}'"
    try:
        store.run(f"COPY ({select}) TO {DUCKDB.literal(str(path))} ({options})", progress, "Writing the release")
    except BaseException:
        with contextlib.suppress(OSError):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        raise
