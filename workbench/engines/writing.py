"""Writing a table block by block, wherever its rows are: one file, or a folder of parts.

The cells are made once for each distinct value, by the code that makes them in memory. Files are written by this
program, to which the rows come as codes, in their order. Only parts of a table whose rows are spread over machines are
written by the engine: each machine writes its own rows.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import importlib.util
import itertools
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeAlias

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table
from workbench.engines.stored import StoredTable
from workbench.io.atomic import atomic_folder, atomic_place
from workbench.io.export_format import FORMATS, Blocks, ExportFormat, WriteReport
from workbench.io.exporting import Written, check_room, size_of_texts
from workbench.io.missing_package import missing_writer
from workbench.io.occurring_values import NumberKind, OccurringValues
from workbench.io.opening import FileContent
from workbench.io.parts import fingerprint_of
from workbench.io.writing import CsvCells, encoded, neutral, neutralised_texts, require_columns

"""Codes of all columns, some thousand rows at a time."""

_ROWS = 1 << 16
_PART_SIZE = 128 << 20
_BLOCK = 1 << 20
_PART = re.compile(r"part-.*(\.[a-z0-9]+)")
_MARK = re.compile(r"_SUCCESS|\..*\.crc")
_NUMBERS = re.compile(r"([0-9]+)")


PartsInto: TypeAlias = Callable[[Path, ExportFormat, Progress], tuple[tuple[Path, ...], WriteReport]]
"""Writes the parts of a table into a folder that is not there yet."""


def write_place(
    table: Table,
    path: str | os.PathLike[str],
    style: ExportFormat,
    *,
    into: PartsInto | None = None,
    protected: Iterable[str | os.PathLike[str]] = (),
    check: Callable[[Path, Written], object] | None = None,
    before: Callable[[], object] | None = None,
    progress: Progress = SILENT,
) -> Written:
    """Write a table with texts that no spreadsheet runs; what was there survives untouched if anything goes wrong.

    Parameters
    ----------
    into
        Writes a folder of files; without it one file is written.
    protected
        Files that must not be overwritten, such as those the data was read from.
    check
        Called with the complete file or folder, while only its owner can see it. If it raises, nothing appears.
    before
        Called last, right before it takes its place. If it raises, nothing appears.

    Raises
    ------
    WorkbenchError
        If the table has no column or one with more values than are listed, the format does not suit it, or it cannot be
        written or has no room.
    Cancelled
        If the person pressed Cancel; nothing is changed then.
    """
    require_columns(table)
    if (missing := style.kind.missing or _missing_arrow(style)) is not None:
        raise missing
    if into is not None:
        refuse_parts(style, tuple(map(neutral, table.names)))
    check_room(table, Path(path))
    place_of = atomic_folder(path, replaces=only_parts, protected=protected) if into is not None else None
    with place_of or atomic_place(path, protected=protected) as place:
        if into is not None:
            step = progress.part(0.0, 0.55)
            files, report = into(place, style, step)
        else:
            with place.open("xb") as file:
                report = _file_into(table, file, style, progress.part(0.0, 0.55))
            files = (place,)
        fingerprint = fingerprint_of(files, progress.part(0.55, 0.6))
        written = Written(
            report, fingerprint, sum(file.stat().st_size for file in files), len(files) if into is not None else 0
        )
        if check is not None:
            check(place, written)
        progress(1.0)
        if before is not None:
            before()
    return written


def write_stored(
    table: StoredTable,
    path: str | os.PathLike[str],
    style: ExportFormat,
    *,
    parts: bool = False,
    protected: Iterable[str | os.PathLike[str]] = (),
    check: Callable[[Path, Written], object] | None = None,
    before: Callable[[], object] | None = None,
    progress: Progress = SILENT,
) -> Written:
    """Write a table in an engine, which writes parts itself if its rows are on several machines. See `write_place`."""
    write_parts = _spread_parts_into if table.store.spread and style.kind.engines else parts_into
    return write_place(
        table,
        path,
        style,
        into=partial(write_parts, table) if parts else None,
        protected=protected,
        check=check,
        before=before,
        progress=progress,
    )


def refuse_parts(style: ExportFormat, names: tuple[str, ...] = ()) -> None:
    """Refuse formats of which there are no parts.

    Raises
    ------
    WorkbenchError
        If there are none, such as of workbooks, or names of columns differ in capital letters only and that is lost.
    """
    kind = style.kind
    if not kind.in_parts:
        raise WorkbenchError(
            f"{kind.one} cannot be written in parts.", hint="Choose CSV or Parquet, or one file.", field="format"
        )
    alike = {name.casefold(): name for name in names}
    other = next((name for name in names if alike[name.casefold()] != name), None)
    if kind.folds_names and other is not None:
        raise WorkbenchError(
            f"Parts in {kind.title} do not tell the columns “{other}” and “{alike[other.casefold()]}” apart.",
            hint="Choose one file, or CSV.",
            field="format",
        )


def only_parts(folder: Path) -> bool:
    """Whether a folder holds nothing but the parts of a release, or nothing at all."""
    return all(
        file.is_file() and (_is_part(file.name) or _MARK.fullmatch(file.name) is not None) for file in folder.iterdir()
    )


def _is_part(name: str) -> bool:
    part = _PART.fullmatch(name)
    return part is not None and any(part[1] == one.suffix for one in FORMATS.values() if one.in_parts)


# Written by this program


def _in_lines(style: ExportFormat) -> bool:
    """Whether a file is lines of cells, which are put together here a column at a time."""
    return style.kind.engines and style.kind.recognised_as is FileContent.CSV


def _missing_arrow(style: ExportFormat) -> WorkbenchError | None:
    """Why nothing can be written here: what Parquet files need, lines need too."""
    if _in_lines(style) and importlib.util.find_spec("pyarrow") is None:
        return missing_writer("large files and folders of parts", "pyarrow", "write one file of a table in memory.")
    return None


def _file_into(
    table: Table, file: BinaryIO, style: ExportFormat, progress: Progress, blocks: Blocks | None = None
) -> WriteReport:
    """Write a table, or some blocks of its codes, into an open file."""
    if not _in_lines(style):
        return style.kind.write(table, file, style, progress, blocks)
    progress(0.0, "Writing the file")
    cells = CsvCells.of(table, style, progress=progress)
    some = table.blocks(table.names, _ROWS, progress) if blocks is None else blocks
    for piece in encoded(_lines(cells, style.delimiter, some), style.encoding):
        file.write(piece)
        progress(0.5)
    return WriteReport(table.rows, cells.neutralised)


def _lines(cells: CsvCells, delimiter: str, blocks: Blocks) -> Iterator[str]:
    """The text of a file, some thousand lines at a time."""
    import pyarrow as pa
    import pyarrow.compute as pc

    yield f"{cells.heading}\n"
    *first, last = [_writable(texts) for texts in cells.columns]
    held = [pa.array(texts, pa.large_string()) for texts in (*first, [f"{text}\n" for text in last])]
    between = pa.scalar(delimiter, pa.large_string())
    for codes in blocks:
        taken = [texts.take(pa.array(some)) for texts, some in zip(held, codes, strict=True)]
        lines = pc.binary_join_element_wise(*taken, between)
        # The texts of an array stand one after the other in memory, which is what a file of lines is.
        ends = np.frombuffer(lines.buffers()[1], np.int64)[lines.offset : lines.offset + len(lines) + 1]
        yield str(memoryview(lines.buffers()[2])[ends[0] : ends[-1]], "utf-8")


def parts_into(
    table: Table, place: Path, style: ExportFormat, progress: Progress
) -> tuple[tuple[Path, ...], WriteReport]:
    place.mkdir()
    blocks = iter(table.blocks(table.names, _ROWS))
    in_each = max(_PART_SIZE * table.rows // (size_of_texts(table) or 1) // _ROWS, 1)
    files: list[Path] = []
    report = WriteReport(table.rows, 0)
    while (first := next(blocks, None)) is not None or not files:
        files.append(place / f"part-{len(files):05}{style.kind.suffix}")
        progress(min(len(files) * in_each * _ROWS / max(table.rows, 1), 1.0), f"Writing part {len(files):,}")
        some = itertools.chain([] if first is None else [first], itertools.islice(blocks, in_each - 1))
        with files[-1].open("xb") as file:
            report = _file_into(table, file, style, progress.part(1.0, 1.0), some)
    return tuple(files), report


def _writable(texts: list[str]) -> list[str]:
    """Texts that UTF-8 can hold; what it cannot is as `encoded` writes it."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return [text.encode("utf-8", "replace").decode() for text in texts]
    return texts


# Written by the engine


def _spread_parts_into(
    table: StoredTable, place: Path, style: ExportFormat, progress: Progress
) -> tuple[tuple[Path, ...], WriteReport]:
    store = table.store
    if not _in_lines(style):
        with _Spelled(table) as spelled, _room_explained(place):
            for column in table.columns:
                spelled.add_typed(OccurringValues.of(column, neutral))
            named = zip(spelled.chosen, map(neutral, table.names), strict=True)
            picked = ", ".join(f"{cell} AS {store.dialect.name(name)}" for cell, name in named)
            store.write_parquet(spelled.select(picked), place, progress, parts=True)
        return _in_row_order(place), WriteReport(table.rows, neutralised_texts(table))
    cells = CsvCells.of(table, style, progress=progress)
    known = codecs.lookup(style.encoding).name
    with _Spelled(table) as spelled, _room_explained(place):
        for texts in cells.columns:
            spelled.add_texts(_writable(texts))
        line = f" || {store.dialect.literal(style.delimiter)} || ".join(spelled.chosen)
        first = f"\ufeff{cells.heading}" if known == "utf-8-sig" else cells.heading
        store.write_lines(spelled.select(f"{line} AS line"), first, place, progress, parts=True)
    files = _in_row_order(place)
    if known not in ("utf-8", "utf-8-sig"):
        for file in files:
            _transcode(file, known, progress)
    return files, WriteReport(table.rows, cells.neutralised)


class _Spelled:
    """Look-ups that replace the codes of a table by what is written, as relations while the context lasts."""

    def __init__(self, table: StoredTable) -> None:
        self._table = table
        self._joins: list[str] = []
        self._stack = contextlib.ExitStack()
        self.chosen: list[str] = []
        """Expressions to select, one for each column that was added, in the order of the table."""

    def add_texts(self, texts: list[str]) -> None:
        """Spell the next column with these texts, one for each of its values."""
        used = np.flatnonzero(self._table.columns[len(self.chosen)].counts > 0)
        self._add({"k": used, "v": [texts[code] for code in used.tolist()]}, "")

    def add_typed(self, values: OccurringValues) -> None:
        """Write the next column as numbers where it holds nothing else; what is empty among them is left out."""
        used = np.flatnonzero(self._table.columns[len(self.chosen)].counts > 0)
        if values.numbers is NumberKind.NONE:
            self._add({"k": used, "v": _writable(list(values.texts))}, "")
            return
        kind = np.int64 if values.numbers is NumberKind.WHOLE else np.float64
        found = [(code, number) for code, number in zip(used.tolist(), values.as_numbers(), strict=True)]
        filled = [(code, number) for code, number in found if number is not None]
        self._add(
            {
                "k": np.array([code for code, _ in filled], np.int64),
                "v": np.array([number for _, number in filled], kind),
            },
            "LEFT ",
        )

    def _add(self, columns: dict[str, np.ndarray[tuple[int], np.dtype[np.generic]] | list[str]], how: str) -> None:
        store, place = self._table.store, len(self.chosen)
        physical = self._table.column(self._table.names[place]).physical
        relation = store.upload(columns)
        self._stack.callback(store.drop, relation)
        self._joins.append(f" {how}JOIN {relation} AS s{place} ON d.{physical} = s{place}.k")
        self.chosen.append(f"s{place}.v")

    def select(self, picked: str) -> str:
        """A SELECT of expressions of the columns, in the order of the rows."""
        place = self._table.place
        order = place.in_order or f" ORDER BY d.{place.store.dialect.row}"
        return f"SELECT {picked} FROM {place.relation} AS d{''.join(self._joins)}{order}"

    def __enter__(self) -> _Spelled:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def _in_row_order(folder: Path) -> tuple[Path, ...]:
    """Give the parts names in the order of their rows, and remove what an engine leaves beside them."""
    found = [file for file in folder.iterdir() if _is_part(file.name)]
    for file in folder.iterdir():
        if file not in found:
            file.unlink()
    # Engines number their parts, 10 after 9.
    found.sort(key=lambda file: [int(text) if text.isdigit() else text for text in _NUMBERS.split(file.name)])
    named = [file.rename(folder / f".{place}") for place, file in enumerate(found)]
    suffixes = [file.suffix for file in found]
    return tuple(
        file.rename(folder / f"part-{place:05}{suffix}")
        for place, (file, suffix) in enumerate(zip(named, suffixes, strict=True))
    )


def _transcode(file: Path, encoding: str, progress: Progress) -> None:
    """Write a file in UTF-8 anew in another encoding."""

    def texts() -> Iterator[str]:
        with file.open(encoding="utf-8", newline="") as source:
            while text := source.read(_BLOCK):
                progress(1.0)
                yield text

    other = file.with_name(f".{file.name}")
    with other.open("xb") as target:
        for piece in encoded(texts(), encoding):
            target.write(piece)
    other.replace(file)


@contextlib.contextmanager
def _room_explained(place: Path) -> Iterator[None]:
    """Say that the disk is full if it was, and the engine could not write to it because of that."""
    try:
        yield
    except WorkbenchError as error:
        why = str(error.__cause__)
        if os.strerror(errno.ENOSPC) not in why or str(place) not in why:
            raise
        raise WorkbenchError(
            f"“{place.name}” cannot be written: there is not enough room on the disk. Nothing was changed.",
            hint="Choose another folder, or make room and try again.",
            field="path",
        ) from error
