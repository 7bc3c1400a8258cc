"""Files read into Spark and written from it.

CSV files are read as lines, which Spark can cut among its workers, and each line is taken apart by the rules of the
program's own reader. Where a quotation mark is open at the end of a line, the lines are joined to rows first.
"""

from __future__ import annotations

import codecs
import contextlib
import secrets
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.engines.dialect import SPARK
from workbench.engines.files import TableFiles
from workbench.engines.own_reader import beginning_of, same_heading
from workbench.engines.spark_frames import SparkFrames
from workbench.engines.spark_lines import FILE, Lines, located, problem_lines
from workbench.engines.store import Scanned
from workbench.io.atomic import why_not
from workbench.io.column_codes import check_same_columns, heading_of
from workbench.io.opening import explained
from workbench.io.parquet import joined_parquet, moments_of, texts_of

_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"
_MOST_FILES = 1 << 13
_MOST_TEXTS = 2_000_000
"""Different values of a column that the program turns into texts itself."""
_COPY = 1 << 20
_EXACT = 1 << 53
_PLAIN_SCALE = 6
"""Decimals with more places are written with an exponent where they are small."""
_NANOS, _NANOS_UTC = "nanos", "nanos utc"
_WIDE = ("utf-16", "utf-32", "utf-7")


def scan_csv(store: SparkFrames, files: TableFiles, progress: Progress) -> Scanned:
    """Read CSV files into a relation of texts."""
    _refuse_what_spark_cannot(files)
    beginnings = [beginning_of(path, files.dialect) for path in files.paths]
    heading = same_heading(files.paths, [one.heading for one in beginnings])
    lines = Lines(store, files, [one.lines for one in beginnings], len(heading.names))
    relation = lines.scan(progress.part(0.0, 0.9))
    try:
        skipped, problems, count = problem_lines(lines, relation, heading.names, progress.part(0.9, 1.0))
    except BaseException:
        store.drop(relation)
        raise
    cells = ", ".join(f"t{place}" for place in range(len(heading.names)))
    named = store.behind(relation, f"SELECT r, {cells} FROM {relation} WHERE {lines.wanted}")
    renamed = [problem for _, problem in heading.problems]
    return Scanned(
        named,
        tuple(heading.names),
        lines.rows,
        skipped,
        (*renamed, *problems),
        len(renamed) + count,
        heading.unnamed,
    )


def _refuse_what_spark_cannot(files: TableFiles) -> None:
    if len(files.paths) > _MOST_FILES:
        raise WorkbenchError(
            f"“{files.given}” names {len(files.paths):,} files; up to {_MOST_FILES:,} are read at once.",
            hint="Join some of them first.",
            field="path",
        )
    if codecs.lookup(files.dialect.encoding).name.startswith(_WIDE):
        raise WorkbenchError(
            f"Spark cannot read CSV files in {files.dialect.encoding}.",
            hint="Save it as UTF-8, or open it in DuckDB or in memory.",
            field="encoding",
        )
    for path in files.paths:
        with path.open("rb") as file:
            start = file.read(4)
        named = path.suffix.lower() == ".gz"
        if start.startswith(_ZIP) or start.startswith(_GZIP) != named or path.name.startswith(("_", ".")):
            what = "a name that starts with _ or ." if path.name.startswith(("_", ".")) else "packed in a way"
            raise WorkbenchError(
                f"“{path.name}” {'has' if what.startswith('a name') else 'is'} {what} that Spark does not read.",
                hint="Unpack it, or give it another name: packed files are read if they are .gz and called so.",
                field="path",
            )


def scan_parquet(store: SparkFrames, files: TableFiles, progress: Progress) -> Scanned:
    """Read Parquet files into a relation of texts, as `workbench.io.parquet` reads them."""
    progress(0.0, "Reading the file")
    frames = [_frame_of(store, path) for path in files.paths]
    given = [str(name) for name in frames[0].columns]
    if not given:
        raise WorkbenchError(
            f"The Parquet file “{files.given.name}” holds no table: it has no column.",
            hint="Choose another file.",
            field="path",
        )
    for path, frame in zip(files.paths, frames, strict=True):
        check_same_columns(files.paths[0].name, given, path.name, [str(name) for name in frame.columns])
    one = heading_of(given, [], 1, ", ".join(given))
    heading = same_heading(files.paths, [one] * len(frames))
    columns = [f"x{place}" for place in range(len(given))]
    made: list[str] = []
    try:
        # A number without a fraction is a text without one only where the type says so, hence file by file.
        alike: dict[tuple[str, ...], list[tuple[int, str]]] = {}
        for place, frame in enumerate(frames):
            made.append(store.name(frame.toDF(*columns)))
            alike.setdefault(_kinds(frame, files.paths[place]), []).append((place, made[-1]))
        selects = [_texts_select(store, views, columns, kinds, made) for kinds, views in alike.items()]
        relation = store.keep(" UNION ALL ".join(selects), progress, "Reading the file")
    finally:
        for name in made:
            store.drop(name)
    renamed = tuple(problem for _, problem in heading.problems)
    return Scanned(relation, tuple(heading.names), store.count(relation), 0, renamed, len(renamed))


def select_of_parquet(store: SparkFrames, files: TableFiles, width: int) -> str | None:
    """A SELECT of the texts t0, t1, … of Parquet files, without keeping them; None where it takes more than Spark."""
    columns, selects = [f"x{place}" for place in range(width)], []
    names: list[str] = []
    for path in files.paths:
        frame = _frame_of(store, path)
        names = names or list(frame.columns)
        cells = [_plainly(column, kind) for column, kind in zip(columns, _kinds(frame, path), strict=False)]
        if list(frame.columns) != names or len(names) != width or not all(cells):
            return None
        picked = ", ".join(f"coalesce({cell}, '') AS t{place}" for place, cell in enumerate(cells))
        place = SPARK.name(located(path))
        selects.append(f"SELECT {picked} FROM parquet.{place} AS d({', '.join(columns)})")
    return " UNION ALL ".join(selects)


def _frame_of(store: SparkFrames, path: Path) -> Any:
    try:
        return store.work(lambda: store.session.read.parquet(located(path)))
    except WorkbenchError as error:
        if error.field != "data":
            raise
        with explained(path):
            raise WorkbenchError(
                f"The Parquet file “{path.name}” cannot be read: {error.message}",
                hint="Get it again, or save it as CSV with the program it came from.",
                field="path",
            ) from error


def _kinds(frame: Any, path: Path) -> tuple[str, ...]:
    """The types of the columns as Spark calls them; times in nanoseconds, which it reads as numbers, are `nanos`."""
    kinds = [str(kind) for _, kind in frame.dtypes]
    for place, moment in enumerate(moments_of(path)):
        if kinds[place] == "bigint" and moment:
            kinds[place] = _NANOS_UTC if moment == "zone" else _NANOS
    return tuple(kinds)


def _texts_select(
    store: SparkFrames, views: Sequence[tuple[int, str]], columns: Sequence[str], kinds: Sequence[str], made: list[str]
) -> str:
    """A SELECT of the texts t0, t1, … of files whose columns have the same types."""
    whole = store.name(store.work(lambda: store.session.sql(_numbered(views, columns))))
    made.append(whole)
    cells, joins = [], []
    for place, kind in enumerate(kinds):
        cell = _plainly(f"d.x{place}", kind)
        if not cell:
            cell, join = _by_python(store, whole, place, kind, made)
            joins.append(join)
        cells.append(f"coalesce({cell}, '') AS t{place}")
    return f"SELECT d.r, {', '.join(cells)} FROM {whole} AS d{''.join(joins)}"


def _numbered(views: Sequence[tuple[int, str]], columns: Sequence[str]) -> str:
    return " UNION ALL ".join(
        f"SELECT {place << FILE} + monotonically_increasing_id() AS r, {', '.join(columns)} FROM {view}"
        for place, view in views
    )


def _plainly(column: str, kind: str) -> str:
    """The text of a value where Spark writes it as the program does; "" where it does not."""
    if kind == "string":
        # Hardly any text has one, and `translate` looks each character up.
        return f"CASE WHEN instr({column}, '\\0') > 0 THEN translate({column}, '\\0', '\ufffd') ELSE {column} END"
    if kind == "date":
        return f"trim(LEADING '+' FROM CAST({column} AS STRING))"
    if kind.startswith("decimal") and int(kind.rstrip(")").split(",")[1]) > _PLAIN_SCALE:
        return ""
    if kind == "timestamp":
        return f"concat(CAST({column} AS STRING), 'Z')"
    if kind in ("tinyint", "smallint", "int", "bigint", "boolean", "timestamp_ntz", "void") or kind.startswith(
        ("decimal", "char", "varchar", "time(")
    ):
        return f"CAST({column} AS STRING)"
    return ""


def _by_python(store: SparkFrames, whole: str, place: int, kind: str, made: list[str]) -> tuple[str, str]:
    """The expression and the join for a column whose different values the program turns into texts itself."""
    column = f"x{place}"
    number = kind in ("float", "double")
    nanos = kind in (_NANOS, _NANOS_UTC)
    key = (
        column
        if nanos
        else f"CAST({column} AS DOUBLE)"
        if number
        else f"hex({column})"
        if kind == "binary"
        else f"CAST({column} AS STRING)"
        if kind.startswith("decimal")
        else f"to_json({column})"
    )
    listed = f"SELECT {key} AS k, first({column}) AS x FROM {whole} WHERE {column} IS NOT NULL GROUP BY {key}"
    found = store.arrow(f"{listed} LIMIT {_MOST_TEXTS + 1}")
    if found.num_rows > _MOST_TEXTS:
        # They are shown and left out, no more; only the way Spark writes 1.0E10 differs from the program's.
        if not number:
            return f"CAST({key.replace(column, f'd.{column}')} AS STRING)", ""
        real = f"CAST(d.{column} AS DOUBLE)"
        whole_number = f"{real} = rint({real}) AND abs({real}) <= {_EXACT}"
        return (
            f"CASE WHEN isnan({real}) THEN '' WHEN {whole_number} THEN CAST(CAST({real} AS BIGINT) AS STRING) "
            f"ELSE CAST(d.{column} AS STRING) END",
            "",
        )
    keys: Any = found.column(0).to_numpy() if number or nanos else found.column(0).to_pylist()
    values = found.column(1)
    if nanos:
        import pyarrow as pa

        values = values.cast(pa.timestamp("ns", "UTC" if kind == _NANOS_UTC else None))
    name = store.upload({"k": keys, "v": texts_of(values)})
    made.append(name)
    return f"{name}.v", f" LEFT JOIN {name} ON {key.replace(column, f'd.{column}')} = {name}.k"


def write_lines(store: SparkFrames, select: str, first: str, path: Path, progress: Progress, *, parts: bool) -> None:
    """Write rows of one text as lines, as they are; `first` is the first line of each file."""
    frame = store.work(lambda: store.session.sql(select).toDF("line"))
    if parts:
        # The first row of every part brings the heading with it.
        first_row = f"(monotonically_increasing_id() & {(1 << 33) - 1}) = 0"
        heading = SPARK.literal(f"{first}\n")
        frame = frame.selectExpr(f"CASE WHEN {first_row} THEN concat({heading}, line) ELSE line END AS line")
    with _Beside(path) as folder:
        written = folder / "parts"
        place = str(written.absolute())
        store.work(lambda: frame.write.text(_plain_uri(place), lineSep="\n"), progress, "Writing the release")
        found = _parts_in(written)
        if parts:
            filled = [part for part in found if part.stat().st_size]
            if not filled:
                (written / "part-00000").write_text(f"{first}\n", encoding="utf-8")
            _put_in_place(written, path, filled, ".csv")
            return
        whole = folder / "whole"
        with whole.open("wb") as file:
            file.write(f"{first}\n".encode())
            for part in found:
                with part.open("rb") as source:
                    while block := source.read(_COPY):
                        progress(1.0)
                        file.write(block)
        whole.replace(path)


def write_parquet(store: SparkFrames, select: str, path: Path, progress: Progress, *, parts: bool) -> None:
    """Write rows as Parquet."""
    frame = store.work(lambda: store.session.sql(select))
    with _Beside(path) as folder:
        written = folder / "parts"
        place = str(written.absolute())
        store.work(lambda: frame.write.parquet(_plain_uri(place)), progress, "Writing the release")
        found = _parts_in(written)
        if parts:
            _put_in_place(written, path, found, ".parquet")
            return
        whole = folder / "whole"
        joined_parquet(found, whole, progress)
        whole.replace(path)


def _plain_uri(place: str) -> str:
    return f"file:{place}"


def _parts_in(written: Path) -> list[Path]:
    """The files Spark has written, in the order of the rows."""
    found = sorted(written.glob("part-*"))
    if not found:
        raise WorkbenchError(
            f"Spark has written the release, but nothing of it is in “{written.parent.parent}” here.",
            hint="On a cluster, choose a folder that its workers and this machine share.",
            field="path",
        )
    return found


def _put_in_place(written: Path, path: Path, parts: Sequence[Path], suffix: str) -> None:
    """Give the parts plain names, remove what Spark has put beside them, and the folder its place."""
    for number, part in enumerate(parts):
        part.replace(written / f"part-{number:05d}{suffix}")
    wanted = {f"part-{number:05d}{suffix}" for number in range(len(parts))}
    for left in list(written.iterdir()):
        if not parts and left.name == "part-00000":
            left.replace(written / f"part-00000{suffix}")
        elif left.name not in wanted:
            left.unlink()
    written.replace(path)


class _Beside:
    """A folder beside a path in which something is made; it is removed in the end."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._folder = path.absolute().parent / f".{path.name[:40]}.{secrets.token_hex(6)}.part"

    def __enter__(self) -> Path:
        try:
            self._folder.mkdir()
        except OSError as error:
            raise WorkbenchError(
                f"“{self._path}” cannot be written: {why_not(error)}.", hint="Choose another folder.", field="path"
            ) from error
        return self._folder

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            shutil.rmtree(self._folder)
